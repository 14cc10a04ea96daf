"""Long chains of a pose: joints read from it, solved, and written back as rotations.

Only rotations are written. A bone that is not connected keeps its place under its parent, what hangs on the chain goes
along, and no bone turns about its own length more than the smallest turn does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.skeleton import Skeleton
from ..space.rigid import Triple
from ..space.vectors import triple
from .ccd import Cone, Hung, Limit, carried, solve_ccd, twist_of
from .chain import BOUNDS, Bounds, Effort, solve_fabrik
from .chain_shape import Hints
from .swing import Reach

UP, AHEAD = Vector((0.0, 0.0, 1.0)).freeze(), Vector((0.0, -1.0, 0.0)).freeze()


@dataclass(frozen=True, slots=True)
class BoneChain:
    """Bones from root to tip, each the parent of the next, and how they are solved.

    `pole` is the direction that the chain bulges to, in the rest pose; it turns with what carries the chain. With
    `limits` (one a bone) joints are kept within them, by CCD; without, the chain is free, by FABRIK.
    """

    bones: tuple[int, ...]
    effort: Effort
    limits: tuple[Limit, ...] = ()
    bounds: Bounds = BOUNDS
    keep: float = 0.5
    pole: Triple | None = None


class BoneSolve(NamedTuple):
    """The joints (model space, root first, tip last), the report, and the bones' model rotations."""

    points: tuple[Triple, ...]
    reach: Reach
    error: float
    iterations: int
    turns: tuple[Quaternion, ...]


def bones_between(skeleton: Skeleton, first: int, last: int) -> tuple[int, ...]:
    """The bones from one down to another, both included; empty where the second does not hang on the first."""
    line = [last]
    while line[-1] != first and line[-1] >= 0:
        line.append(skeleton.bones[line[-1]].parent)
    return tuple(reversed(line)) if line[-1] == first else ()


def joints_of(pose: EditedPose, bones: Sequence[int]) -> list[Vector]:
    """The joints of a chain in a pose, model space: one a bone, and the tip of the last."""
    return [*(pose.head(i) for i in bones), pose.tail(bones[-1])]


def solve_bones(pose: EditedPose, chain: BoneChain, target: Vector) -> BoneSolve:
    """Where the chain's tip can be brought to `target` (model space), from the shape that it has; the pose stays."""
    bones, skeleton = chain.bones, pose.skeleton
    points = [triple(joint) for joint in joints_of(pose, bones)]
    parent = skeleton.bones[bones[0]].parent
    carrier = pose.moved(parent).to_quaternion() if parent >= 0 else Quaternion()
    hints = Hints(triple(carrier @ UP), triple(carrier @ AHEAD))
    goal = triple(target)
    if chain.limits:
        hung = Hung([pose.moved(i).to_quaternion() for i in bones], carrier)
        bent = solve_ccd(
            points, goal, chain.effort, chain.limits, hung=hung, bounds=chain.bounds, keep=chain.keep, hints=hints
        )
        rests = [skeleton.bones[i].rest.to_quaternion() for i in bones]
        return BoneSolve(*bent[:4], tuple(turn @ rest for turn, rest in zip(bent.turns, rests, strict=True)))
    pole = None
    if chain.pole is not None:
        length = sum(skeleton.bones[i].length for i in bones)
        pole = triple(Vector(points[0]) + carrier @ Vector(chain.pole) * length)
    free = solve_fabrik(points, goal, chain.effort, pole, bounds=chain.bounds, keep=chain.keep, hints=hints)
    turns = [pose.turn(i) for i in bones]
    if free.reach is not Reach.DEGENERATE:
        turns = carried(turns, points, free.points)
    return BoneSolve(*free, tuple(turns))


def widened(pose: EditedPose, chain: BoneChain) -> BoneChain:
    """The chain with cones at least as wide as its joints are bent in a pose, so that none has to jump back."""
    above = pose.skeleton.bones[chain.bones[0]].parent
    turns = [pose.moved(i).to_quaternion() for i in chain.bones]
    carriers = [pose.moved(above).to_quaternion() if above >= 0 else Quaternion(), *turns]
    lines = pairwise(joints_of(pose, chain.bones))
    limits = [
        _as_wide(limit, turn.inverted() @ (b - a), carrier.inverted() @ turn)
        for limit, (a, b), turn, carrier in zip(chain.limits, lines, turns, carriers, strict=False)
    ]
    return replace(chain, limits=tuple(limits))


def _as_wide(limit: Limit, line: Vector, own: Quaternion) -> Limit:
    """A limit that allows a joint's rotation from rest. line: its segment at rest."""
    if not isinstance(limit, Cone) or line.length == 0.0:
        return limit
    return Cone(max(limit.swing, line.angle(own @ line)), max(limit.twist, abs(twist_of(own, line.normalized()))))


def tip_after(pose: EditedPose, chain: BoneChain, target: Vector) -> Vector:
    """Where the tip would be, model space; the pose stays."""
    return Vector(solve_bones(pose, chain, target).points[-1])


def lay_bones(pose: EditedPose, bones: Sequence[int], turns: Sequence[Quaternion]) -> None:
    """Give bones, root first, these model rotations; their joints stay where their parents have them."""
    for i, turn in zip(bones, turns, strict=True):
        pose.set_turn(i, turn)


def lay_joints(pose: EditedPose, bones: Sequence[int], joints: Sequence[Vector]) -> None:
    """Turn bones, root first, so that their joints come to lie like `joints`: each by the smallest turn.

    Only directions count: the chain stays at its root and keeps its lengths.
    """
    now = [triple(joint) for joint in joints_of(pose, bones)]
    lay_bones(pose, bones, carried([pose.turn(i) for i in bones], now, [triple(joint) for joint in joints]))
