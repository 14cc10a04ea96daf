"""A whole pose that is changed again and again: any bone at any time, what hangs on it goes along."""

from __future__ import annotations

from collections.abc import Iterable

from mathutils import Matrix, Quaternion, Vector

from .pose import NO_SHIFT, NO_TURN, Footing, Ground, Numbers, Pose, PoseFrame
from .skeleton import Skeleton

# What a pose holds of its bones: basis rotations of all, basis locations of those that have one.
Held = tuple[list[Quaternion], dict[int, Vector]]


class EditedPose:
    """Basis rotations and locations over a skeleton, model space on demand.

    Rotations and locations are never changed in place, always replaced: two poses may share them, and what was not
    touched can be told by identity.
    """

    __slots__ = ("_model", "locations", "rotations", "skeleton")

    def __init__(self, skeleton: Skeleton, rotations: list[Quaternion], locations: dict[int, Vector]) -> None:
        self.skeleton = skeleton
        self.rotations = rotations
        self.locations = locations
        self._model: list[Matrix | None] = [None] * len(skeleton)

    @classmethod
    def rest(cls, skeleton: Skeleton) -> EditedPose:
        """The rest pose."""
        return cls(skeleton, [NO_TURN] * len(skeleton), {})

    @classmethod
    def of(cls, pose: Pose) -> EditedPose:
        """A pose that was built, to go on from; the built one stays as it is."""
        return cls(pose.skeleton, list(pose.rotations), dict(pose.locations))

    @classmethod
    def of_frame(cls, skeleton: Skeleton, frame: PoseFrame) -> EditedPose:
        """A pose from rows of numbers."""
        rotations, locations = frame.numbers()
        moved = {i: Vector(place) for i, place in enumerate(locations) if any(place)}
        return cls(skeleton, [Quaternion(turn) for turn in rotations], moved)

    def held(self) -> Held:
        """What it holds now, to go back to."""
        return self.rotations[:], dict(self.locations)

    def take(self, held: Held, bones: Iterable[int]) -> None:
        """Give these bones back what they held."""
        rotations, locations = held
        for i in bones:
            if self.rotations[i] is not rotations[i] or self.locations.get(i) is not locations.get(i):
                self.set_basis(i, rotations[i], locations.get(i))

    def model(self, i: int) -> Matrix:
        """Bone `i`'s model matrix."""
        known = self._model[i]
        if known is None:
            basis = self.rotations[i].to_matrix().to_4x4()
            if i in self.locations:
                basis.translation = self.locations[i]
            known = self._model[i] = self.frame_of(i) @ basis
        return known

    def frame_of(self, i: int) -> Matrix:
        """Where bone `i` would be at rest under its parent as that is posed."""
        parent, local, turns_along = self.skeleton.links[i]
        if parent < 0:
            return local
        above = self._model[parent] or self.model(parent)
        if turns_along:
            return above @ local
        frame = self.skeleton.bones[i].rest.copy()
        frame.translation = above @ local.to_translation()
        return frame

    def head(self, i: int) -> Vector:
        """The joint that bone `i` turns about, model space."""
        return self.model(i).to_translation()

    def tail(self, i: int) -> Vector:
        """Bone `i`'s far end, model space."""
        return self.model(i) @ Vector((0.0, self.skeleton.bones[i].length, 0.0))

    def turn(self, i: int) -> Quaternion:
        """Bone `i`'s model rotation."""
        return self.model(i).to_quaternion()

    def moved(self, i: int) -> Matrix:
        """What bone `i` does to what hangs on it: from the rest pose in model space to where it is now."""
        return self.model(i) @ self.skeleton.unrest[i]

    def set_basis(self, i: int, rotation: Quaternion, location: Vector | None = None) -> None:
        """Give bone `i` these basis values; without a location it sits where its parent has it."""
        self.rotations[i] = rotation
        if location is None:
            self.locations.pop(i, None)
        else:
            self.locations[i] = location
        self._forget(i)

    def set_turn(self, i: int, rotation: Quaternion) -> None:
        """Give bone `i` this model rotation; its joint stays."""
        self.rotations[i] = self.frame_of(i).to_quaternion().inverted() @ rotation
        self._forget(i)

    def turn_by(self, i: int, turn: Quaternion) -> None:
        """Turn bone `i` about its joint, model space."""
        self.set_turn(i, turn @ self.turn(i))

    def set_model(self, i: int, matrix: Matrix) -> None:
        """Give bone `i` this model rotation and place."""
        basis = self.frame_of(i).inverted() @ matrix
        self.set_basis(i, basis.to_quaternion(), basis.to_translation())

    def frame(
        self, ground: Ground, feet: tuple[Footing, ...] = (), events: tuple[tuple[str, str], ...] = ()
    ) -> PoseFrame:
        """The pose as numbers."""
        locations: list[Numbers] = [NO_SHIFT] * len(self.skeleton)
        for i, location in self.locations.items():
            locations[i] = location[:]
        return PoseFrame(ground, [rotation[:] for rotation in self.rotations], locations, feet, events)

    def _forget(self, i: int) -> None:
        model = self._model
        model[i] = None
        for below in self.skeleton.below[i]:
            model[below] = None
