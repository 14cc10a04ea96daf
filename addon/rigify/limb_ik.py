"""IK controls of a limb from the wanted bones: contact, pole, heel and toes, so that what bends arrives as wanted.

Everything is closed form on the limb's rest, names and numbers only. `Placed` maps a control to its matrix relative
to rest under its parent, which is what its channels hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2

import bpy
from mathutils import Matrix, Vector

from .chain_math import FollowingChain, PoledChain, tracked
from .detection import LimbParts
from .ik_parts import ChainParts, IkParts

Placed = dict[str, Matrix]


@dataclass(frozen=True, slots=True)
class LimbAtRest:
    """What a limb's IK is worked out from. rests, lengths: every bone's of the rig, model space, metres.

    `roles` are the limb's role bones in the skeleton, body first; `root` is the root control, "" where there is none.
    """

    limb: LimbParts
    parts: IkParts
    roles: list[int]
    root: str
    rests: dict[str, Matrix]
    lengths: dict[str, float]


class LimbIk:
    """What all limbs share: the contact control and the pole under the root, and the main chain."""

    def __init__(self, at_rest: LimbAtRest) -> None:
        limb, parts, rests, lengths = at_rest.limb, at_rest.parts, at_rest.rests, at_rest.lengths
        self.parts = parts
        self.roles = at_rest.roles
        self.names = limb.roles
        # How far it folds beside its hinge, where that is known from the poses before and after; None: from each pose.
        self.fold: float | None = None
        self._rests = rests
        self._chain = self._poled(parts.chain, lengths)
        # Near enough that the pole does not sweep about with the knee, far enough to hold on to.
        self._beyond = 0.5 * (lengths[self.names[0]] + lengths[self.names[1]])
        above = rests[at_rest.root] if at_rest.root else Matrix()
        self._main_seat = rests[parts.main].inverted() @ above
        self._pole_seat = rests[parts.pole].inverted() @ above

    def _poled(self, chain: ChainParts, lengths: dict[str, float]) -> PoledChain:
        rests = self._rests
        return PoledChain.of(rests[chain.first], rests[chain.second], lengths[chain.second], chain.pole_angle)

    def between(self, first: str, second: str) -> Matrix:
        """The constant from one bone's rest to another's."""
        return self._rests[first].inverted() @ self._rests[second]

    def pole(self, wanted: list[Matrix]) -> Vector:
        """Where the pole stands, model space."""
        knee, tip = wanted[1].to_translation(), wanted[2].to_translation()
        return self._chain.pole_for(wanted[0], knee, tip, self._beyond, self.fold)

    def fold_of(self, models: list[Matrix]) -> tuple[float, float]:
        """How far the limb folds beside its hinge in a pose, and how much that pose says (see `fold_turn`)."""
        first, knee, tip = (models[role] for role in self.roles[:3])
        return self._chain.fold_turn(first, knee.to_translation(), tip.to_translation())

    def solve(self, models: list[Matrix], root: Matrix) -> Placed:
        """The limb's controls for the role bones' model matrices; `root`: the root's."""
        raise NotImplementedError

    def _start(self, main: Matrix, pole: Vector, root: Matrix) -> Placed:
        above = root.inverted()
        return {
            self.parts.main: self._main_seat @ above @ main,
            self.parts.pole: self._pole_seat @ above @ Matrix.Translation(pole),
            **{name: Matrix() for name in self.parts.between},
        }


class LegIk(LimbIk):
    """A person's leg. The contact control stays where the flat foot is while the heel rises about the ball."""

    def __init__(self, at_rest: LimbAtRest) -> None:
        super().__init__(at_rest)
        parts, rests, lengths = at_rest.parts, at_rest.rests, at_rest.lengths
        foot = self.names[2]
        self._tip = Vector((0.0, lengths[foot], 0.0))
        # The heel's turn happens at the roll bone's place, about the heel control's own axes.
        self._hub = rests[parts.heel].to_quaternion().to_matrix().to_4x4()
        self._hub.translation = rests[parts.roll].to_translation()
        self._main_from_hub = self._hub.inverted() @ rests[parts.main]
        self._foot_to_hub = rests[foot].inverted() @ self._hub
        self._hub_turn = self._hub.to_quaternion()
        self._flats = (rests[foot].to_quaternion().inverted(), rests[self.names[3]].to_quaternion().inverted()) if (
            parts.toe and len(self.names) > 3
        ) else None
        if self._flats is not None:
            self._flat = self.between(parts.main, parts.flat)
            self._toe_offset = self.between(self.names[3], parts.toe)
            self._toe_seat = self.between(parts.toe, parts.toe_parent)

    def solve(self, models: list[Matrix], root: Matrix) -> Placed:
        """The limb's controls for the role bones' model matrices; `root`: the root's."""
        wanted = [models[role] for role in self.roles]
        lift = self._heel_lift(wanted)
        turn = Matrix.Rotation(lift, 4, "X")
        main = wanted[2] @ self._foot_to_hub @ turn.inverted() @ self._main_from_hub
        placed = self._start(main, self.pole(wanted), root)
        placed[self.parts.heel] = turn
        if self._flats is not None:
            parent = (main @ self._flat).to_quaternion().to_matrix().to_4x4()
            parent.translation = wanted[2] @ self._tip
            placed[self.parts.toe] = self._toe_seat @ parent.inverted() @ wanted[3] @ self._toe_offset
        return placed

    def _heel_lift(self, wanted: list[Matrix]) -> float:
        """How far the foot is turned up about the ball against the toes, radians, never negative."""
        if self._flats is None:
            return 0.0
        foot = wanted[2].to_quaternion() @ self._flats[0]
        toes = wanted[3].to_quaternion() @ self._flats[1]
        turn = self._hub_turn.inverted() @ toes.inverted() @ foot @ self._hub_turn
        angle = 2.0 * atan2(turn.x if turn.w >= 0.0 else -turn.x, abs(turn.w))
        return max(angle, 0.0)


class ArmIk(LimbIk):
    """An arm. The contact control is the hand's; what the forearm turns about itself is left to the hand."""

    def __init__(self, at_rest: LimbAtRest) -> None:
        super().__init__(at_rest)
        self._main_offset = self.between(self.names[2], self.parts.main)

    def solve(self, models: list[Matrix], root: Matrix) -> Placed:
        """The limb's controls for the role bones' model matrices; `root`: the root's."""
        wanted = [models[role] for role in self.roles]
        return self._start(wanted[2] @ self._main_offset, self.pole(wanted), root)


class PawIk(LimbIk):
    """A paw or hoof. The contact control carries what stands on the ground; the heel control turns the foot, under
    mechanism chains of its own that are worked out here.
    """

    def __init__(self, at_rest: LimbAtRest, bones: bpy.types.bpy_prop_collection) -> None:
        super().__init__(at_rest)
        parts, lengths = at_rest.parts, at_rest.lengths
        self._main_offset = self.between(self.names[-1], parts.main)
        carrier = bones[parts.heel].parent
        self._heel_offset = self.between(self.names[2], parts.heel)
        self._heel_seat = self.between(parts.heel, carrier.name)
        self._toe = parts.toe if len(self.names) > 4 else ""
        if self._toe:
            self._toe_offset = self.between(self.names[3], self._toe)
            self._toe_seat = self.between(self._toe, parts.main)
        self._inner = self._poled(parts.inner, lengths) if parts.inner else None
        self._lower = self._following(parts, lengths) if parts.lower else None
        base = bones[parts.track] if parts.track else carrier
        self._on_toe = bool(self._toe) and any(bone.name == self._toe for bone in base.parent_recursive)
        self._carried = self.between(self._toe if self._on_toe else parts.main, base.name)
        if parts.track:
            self._track(parts.track, carrier, bones)

    def _following(self, parts: IkParts, lengths: dict[str, float]) -> FollowingChain:
        first, second = parts.lower.first, parts.lower.second
        return FollowingChain.of(
            self._rests[parts.inner.first],
            (self._rests[first], self._rests[second]),
            (lengths[first], lengths[second]),
        )

    def _track(self, track: str, carrier: bpy.types.PoseBone, bones: bpy.types.bpy_prop_collection) -> None:
        """The tracking bone's axis and share, and the turn that Rigify stored in the bone under it."""
        constraint = next(c for c in bones[track].constraints if c.type == "DAMPED_TRACK")
        axis = Vector([1.0 if constraint.track_axis.endswith(name) else 0.0 for name in "XYZ"])
        self._track_axis = -axis if "NEGATIVE" in constraint.track_axis else axis
        self._track_share = constraint.influence
        stored = carrier.matrix_basis.to_quaternion().to_matrix().to_4x4()
        self._after_track = (self.between(track, carrier.name) if carrier.name != track else Matrix()) @ stored

    def solve(self, models: list[Matrix], root: Matrix) -> Placed:
        """The limb's controls for the role bones' model matrices; `root`: the root's."""
        wanted = [models[role] for role in self.roles]
        main = wanted[-1] @ self._main_offset
        pole = self.pole(wanted)
        placed = self._start(main, pole, root)
        under = main
        if self._toe:
            toe = wanted[3] @ self._toe_offset
            placed[self._toe] = self._toe_seat @ main.inverted() @ toe
            under = toe if self._on_toe else main
        carrier = self._heel_carrier(wanted, under, pole)
        placed[self.parts.heel] = self._heel_seat @ carrier.inverted() @ wanted[2] @ self._heel_offset
        return placed

    def _heel_carrier(self, wanted: list[Matrix], under: Matrix, pole: Vector) -> Matrix:
        """Where the mechanism puts the heel control's parent; `under`: the control that the foot's part rides."""
        if self._inner is None:
            return under @ self._carried
        tip = wanted[3].to_translation()
        upper = self._inner.root_matrix(wanted[0].to_translation(), tip, pole)
        if self._lower is not None:
            return self._lower.last_matrix(upper, tip)
        aimed = tracked(under @ self._carried, self._track_axis, upper @ self._inner.joint, self._track_share)
        return aimed @ self._after_track
