"""A character's own correction of its pose, laid once under everything that it does, before any layer.

A turn per bone in the frame of the bone's parent, and a move of the pelvis. It is data of the character, with a
version; a bone that the rig does not have is one sentence, and the rest is laid.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..ik.posed import PosedLimb, bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.rig import Leg, Problem, Rig
from ..rig.skeleton import Skeleton

VERSION = 1
# A turn under this (radians) is the noise of single precision, and none of a person.
LEAST_TURN = 1e-4
LEAST_MOVE = 1e-5


class Adjustment(NamedTuple):
    """`turns` are (bone, (w, x, y, z)) in the frame of the bone's parent, laid before the bone's own rotation; `move`
    shifts the pelvis, metres, in model space.
    """

    turns: tuple[tuple[str, tuple[float, float, float, float]], ...] = ()
    move: tuple[float, float, float] = (0.0, 0.0, 0.0)
    version: int = VERSION


NO_ADJUSTMENT = Adjustment()


class AdjustmentLaid:
    """An adjustment as a rig takes it. `problems` names what it could not take."""

    def __init__(self, rig: Rig, adjustment: Adjustment) -> None:
        self._rig = rig
        self.problems: tuple[Problem, ...] = ()
        self._turns: list[tuple[int, Quaternion]] = []
        self._move = Vector(adjustment.move)
        if adjustment.version > VERSION:
            reason = f"The pose adjustment is of version {adjustment.version}; this Surefoot knows {VERSION}."
            self.problems = (Problem("", reason, "Update the extension; it moves without the adjustment till then."),)
            self._move = Vector()
            return
        self._read(adjustment)

    def __bool__(self) -> bool:
        return bool(self._turns) or self._move.length > 0.0

    def _read(self, adjustment: Adjustment) -> None:
        """Take each turn whose bone there is."""
        missing, skeleton = [], self._rig.skeleton
        for name, turn in adjustment.turns:
            i = skeleton.index.get(name, -1)
            if i < 0:
                missing.append(name)
                continue
            wanted = Quaternion(turn)
            if wanted.magnitude < 1e-6 or wanted.normalized() == Quaternion():
                continue
            # From the parent's axes to the bone's own, so that it goes in front of the bone's basis rotation.
            rest = skeleton.rest_local[i].to_quaternion()
            self._turns.append((i, rest.inverted() @ wanted.normalized() @ rest))
        if missing:
            reason = f"The pose adjustment names {', '.join(missing)}, which this rig does not have."
            remedy = "All else of it is laid; take the adjustment from the pose again to be rid of these."
            self.problems = (Problem(missing[0], reason, remedy),)

    @property
    def bones(self) -> set[int]:
        """The bones whose rotation it sets: its own, and those of the legs that it carries along."""
        return {i for i, _ in self._turns} | {i for leg in self._carried() for i in (*leg.bones, leg.foot) if i >= 0}

    @property
    def moved(self) -> set[int]:
        """The bones whose location it sets."""
        return {self._rig.body} if self._move.length > 0.0 else set()

    def _carried(self) -> list[Leg]:
        """The legs that it would move, if their feet were not kept."""
        touched = {i for i, _ in self._turns} | self.moved
        above = {leg.role: {*leg.bones, *self._rig.skeleton.ancestors(leg.bones[0])} for leg in self._rig.legs}
        return [leg for leg in self._rig.legs if touched & above[leg.role]]

    def lay(self, pose: EditedPose, *, keep_feet: bool, within: Collection[int] | None = None) -> None:
        """Lay it on a pose, once. `keep_feet` where feet were planned: legs that it moves are brought back to them.
        `within` are the bones that do not have it yet, where others do.
        """
        legs = [(PosedLimb.of_leg(self._rig, leg), leg.foot) for leg in (self._carried() if keep_feet else ())]
        ends = [(limb.tip_of(pose), pose.turn(foot) if foot >= 0 else None) for limb, foot in legs]
        for i, turn in self._turns:
            if within is None or i in within:
                pose.set_basis(i, turn @ pose.rotations[i], pose.locations.get(i))
        if self._move.length > 0.0:
            matrix = pose.model(self._rig.body).copy()
            matrix.translation += self._move
            pose.set_model(self._rig.body, matrix)
        for (limb, foot), (tip, kept) in zip(legs, ends, strict=True):
            bring_tip(pose, limb, tip)
            if kept is not None:
                pose.set_turn(foot, kept)


def adjustment_from(
    skeleton: Skeleton, body: int, before: EditedPose, after: EditedPose, known: Adjustment = NO_ADJUSTMENT
) -> Adjustment:
    """The adjustment that makes of the pose `before`, which has `known` in it, the pose `after`.

    Bones that stand as before keep what is known of them.
    """
    turns = dict(known.turns)
    for i, bone in enumerate(skeleton.bones):
        more = after.rotations[i] @ before.rotations[i].inverted()
        if more.angle % 6.283185 < LEAST_TURN or 6.283185 - more.angle % 6.283185 < LEAST_TURN:
            continue
        rest = skeleton.rest_local[i].to_quaternion()
        former = Quaternion(turns.get(bone.name, (1.0, 0.0, 0.0, 0.0)))
        turn = (rest @ more @ rest.inverted() @ former).normalized()
        turns[bone.name] = (turn.w, turn.x, turn.y, turn.z)
    shift = after.head(body) - before.head(body)
    move = Vector(known.move) + (shift if shift.length > LEAST_MOVE else Vector())
    return Adjustment(tuple(turns.items()), (move.x, move.y, move.z), VERSION)
