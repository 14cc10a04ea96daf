"""Where scalar poses become rows of numbers: the one place at which mathutils and numpy meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from .skeleton import Skeleton

# Shared by all bones of a pose that nothing turned: frozen, so that nobody can turn them all.
NO_TURN = Quaternion().freeze()
NO_SHIFT = (0.0, 0.0, 0.0)

Numbers = Sequence[float]


class Ground(NamedTuple):
    """The body's frame in the world: the pose's model space stands here. Plain floats; heading 0 faces -Y.

    On walls and ceilings `tilt` (w, x, y, z) turns it on after the heading; None is upright.
    """

    x: float
    y: float
    z: float
    heading: float
    tilt: tuple[float, float, float, float] | None = None


class Landing(NamedTuple):
    """Where a foot in the air will come down, in `time` seconds, as far as the base motion knows by itself.

    Heel and ball as it touches, and as all of its sole is `down`; the tip of its leg and its hip as it touches, and as
    its heel `leaves`. x and y in the world, heights over the same floor as in model space, metres.
    """

    time: float
    heel: tuple[float, float, float]
    ball: tuple[float, float, float]
    down: tuple[tuple[float, float, float], tuple[float, float, float]]
    tip: tuple[float, float, float]
    hip: tuple[float, float, float]
    leaves: tuple[tuple[float, float, float], tuple[float, float, float]]


class Footing(NamedTuple):
    """What one foot does at a frame: down or not, how long since (seconds) by plan, and where its sole stands.

    `landing` is where one that is up comes down next, None where nobody knows.
    """

    role: str
    planted: bool
    elapsed: float
    phase: float
    foothold: tuple[float, float, float]
    normal: tuple[float, float, float]
    heel_down: bool
    ball_down: bool
    landing: Landing | None = None


class PoseFrame:
    """A character at one frame. Rotations and locations are Blender's basis (relative to rest), canonical metres.

    rotations: (bones, 4) wxyz float64, identity where not driven; locations: (bones, 3), zero where not driven.
    `ground` places model space in the world. Arrays are made when they are first asked for: a row needs none.
    """

    __slots__ = ("_locations", "_rotations", "events", "feet", "ground")

    def __init__(
        self,
        ground: Ground,
        rotations: np.ndarray | list[Numbers],
        locations: np.ndarray | list[Numbers],
        feet: tuple[Footing, ...] = (),
        events: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.ground = ground
        self._rotations = rotations
        self._locations = locations
        self.feet = feet
        self.events = events

    @property
    def rotations(self) -> np.ndarray:
        """Each bone's rotation."""
        self._rotations = np.asarray(self._rotations)
        return self._rotations

    @property
    def locations(self) -> np.ndarray:
        """Each bone's location."""
        self._locations = np.asarray(self._locations)
        return self._locations

    def compact(self) -> PoseFrame:
        """The same with arrays that are made already: a tenth of what lists take, to be kept."""
        self._rotations, self._locations = np.asarray(self._rotations), np.asarray(self._locations)
        return self

    def numbers(self) -> tuple[list[Numbers], list[Numbers]]:
        """Each bone's rotation and location as plain floats, in lists of one's own."""
        rotations, locations = self._rotations, self._locations
        return (
            rotations[:] if isinstance(rotations, list) else rotations.tolist(),
            locations[:] if isinstance(locations, list) else locations.tolist(),
        )


@dataclass
class Pose:
    """A pose being built: basis rotations and locations over a skeleton, with model matrices on demand."""

    skeleton: Skeleton
    rotations: list[Quaternion] = field(init=False)
    locations: dict[int, Vector] = field(init=False)
    _model: list[Matrix | None] = field(init=False)
    _frames: list[Matrix | None] = field(init=False)
    _turns: list[Quaternion | None] = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.skeleton)
        self.rotations = [NO_TURN] * count
        self.locations = {}
        self._model = [None] * count
        self._frames = [None] * count
        self._turns = [None] * count

    def model(self, i: int) -> Matrix:
        """Bone `i`'s model matrix with the basis values set so far."""
        known = self._model[i]
        if known is None:
            basis = self.rotations[i].to_matrix().to_4x4()
            if i in self.locations:
                basis.translation = self.locations[i]
            known = self._model[i] = (self._frames[i] or self._parent_frame(i)) @ basis
        return known

    def set_model(self, i: int, matrix: Matrix, *, with_location: bool = False) -> None:
        """Give bone `i` this model rotation (and place, `with_location`); its children must not be asked before."""
        basis = (self._frames[i] or self._parent_frame(i)).inverted() @ matrix
        self.rotations[i] = basis.to_quaternion()
        if with_location:
            self.locations[i] = basis.to_translation()
        self._model[i] = self._turns[i] = None

    def turn(self, i: int) -> Quaternion:
        """Bone `i`'s model rotation with the basis values set so far; not to be changed in place."""
        known = self._turns[i]
        if known is None:
            parent, rest = self.skeleton.turn_links[i]
            known = rest @ self.rotations[i] if parent < 0 else self.turn(parent) @ rest @ self.rotations[i]
            self._turns[i] = known
        return known

    def set_turn(self, i: int, rotation: Quaternion) -> None:
        """Give bone `i` this model rotation (kept: not to be changed later); its children must not be asked before.

        Quaternions alone: a bone of whose place nobody asks needs no matrices, and most are such.
        """
        parent, rest = self.skeleton.turn_links[i]
        if parent >= 0:
            rest = (self._turns[parent] or self.turn(parent)) @ rest
        basis = rest.conjugated() @ rotation
        if basis.w < 0.0:
            basis.negate()
        self.rotations[i], self._turns[i], self._model[i] = basis, rotation, None

    def _parent_frame(self, i: int) -> Matrix:
        """Where bone `i` is at rest under its parent as it is posed; kept, so its parent must not be changed after."""
        parent, local, turns_along = self.skeleton.links[i]
        if parent < 0:
            frame = local
        elif turns_along:
            frame = (self._model[parent] or self.model(parent)) @ local
        else:
            frame = self.skeleton.bones[i].rest.copy()
            frame.translation = self.model(parent) @ local.to_translation()
        self._frames[i] = frame
        return frame

    def frame(
        self, ground: Ground, feet: tuple[Footing, ...] = (), events: tuple[tuple[str, str], ...] = ()
    ) -> PoseFrame:
        """The pose as numbers."""
        locations: list[Numbers] = [NO_SHIFT] * len(self.skeleton)
        for i, location in self.locations.items():
            locations[i] = location[:]
        return PoseFrame(ground, [rotation[:] for rotation in self.rotations], locations, feet, events)


def model_matrices(skeleton: Skeleton, frame: PoseFrame) -> list[Matrix]:
    """Forward kinematics of a whole frame: each bone's model matrix (basis values applied in Blender's order)."""
    pose = Pose(skeleton)
    for i in range(len(skeleton)):
        pose.rotations[i] = Quaternion(frame.rotations[i])
        if frame.locations[i].any():
            pose.locations[i] = Vector(frame.locations[i])
    return [pose.model(i) for i in range(len(skeleton))]
