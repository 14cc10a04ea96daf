"""Where a character's way through the world is written: on the object, on the root bone, or nowhere.

World places stay in 64-bit numbers until they are a channel: a character far from the origin must not tremble.
"""

from __future__ import annotations

import math
from typing import Literal

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion

from ..core.rig.pose import Ground, Numbers
from ..core.rig.rig import Problem
from ..core.space.rigid import turned

TravelName = Literal["OBJECT", "ROOT_BONE", "IN_PLACE"]


def ground_matrix(ground: Ground, metres: float = 1.0) -> np.ndarray:
    """Model space (metres) in the world, (4, 4) float64: a turn about +Z by the heading, the tilt, then the place.

    `metres` are those in a Blender unit, in which the world is.
    """
    sine, cosine, unit = math.sin(ground.heading) / metres, math.cos(ground.heading) / metres, 1.0 / metres
    first = (cosine, -sine, 0.0, ground.x * unit)
    second = (sine, cosine, 0.0, ground.y * unit)
    third = (0.0, 0.0, unit, ground.z * unit)
    matrix = np.array((*first, *second, *third, 0.0, 0.0, 0.0, 1.0)).reshape(4, 4)
    if ground.tilt is not None:
        axes = [turned(ground.tilt, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
        matrix[:3, :3] = np.array(axes).T @ matrix[:3, :3]
    return matrix


def parent_frame(evaluated_object: bpy.types.Object) -> np.ndarray:
    """The world frame (4, 4) that the object's own channels are relative to, from its parent's evaluated place."""
    parent = evaluated_object.parent
    if parent is None:
        return np.identity(4)
    frame = parent.matrix_world
    if evaluated_object.parent_type == "BONE" and evaluated_object.parent_bone in parent.pose.bones:
        bone = parent.pose.bones[evaluated_object.parent_bone]
        tail = bone.matrix @ Matrix.Translation((0.0, bone.bone.length, 0.0))
        frame = frame @ (bone.matrix_channel if bone.bone.use_relative_parent else tail)
    return np.array(frame @ evaluated_object.matrix_parent_inverse, dtype=np.float64)


def travel_frame(evaluated_object: bpy.types.Object, travel: TravelName) -> np.ndarray:
    """What travel is written against at this frame: the parent's frame, or for a root bone the object's own."""
    if travel == "OBJECT":
        return parent_frame(evaluated_object)
    return np.array(evaluated_object.matrix_world, dtype=np.float64)


def place_problems(armature_object: bpy.types.Object, travel: TravelName) -> list[Problem]:
    """Sentences where something else than its own channels places the object, and travel is to be on the object."""
    if travel != "OBJECT":
        return []
    problems = []
    if armature_object.parent is not None and armature_object.parent_type not in {"OBJECT", "BONE"}:
        kind = armature_object.parent_type.lower()
        reason = f"The object is parented by {kind}, which travel cannot be written against."
        remedy = "Parent it to an object or a bone, or choose root bone travel."
        problems.append(Problem("", reason, remedy, blocking=True))
    active = [item.name for item in armature_object.constraints if not item.mute and item.influence > 0.0]
    if active:
        reason = f"The object's constraint {active[0]!r} changes the place that is written."
        problems.append(Problem("", reason, "Mute it, or choose root bone or in place travel."))
    return problems


class ObjectTravel:
    """The object's location and rotation from the body's place: numbers of the object kept once, no reference."""

    def __init__(self, armature_object: bpy.types.Object, canonical: np.ndarray, metres: float = 1.0) -> None:
        self._canonical = canonical
        self._metres = metres
        self._inverse = KnownInverse()
        scale = np.array(armature_object.scale, dtype=np.float64) * np.array(armature_object.delta_scale)
        self._unscale = 1.0 / np.where(scale == 0.0, 1.0, scale)
        self._delta_location = np.array(armature_object.delta_location, dtype=np.float64)
        self._undo_delta = delta_rotation(armature_object).inverted()

    def place(self, ground: Ground, frame: np.ndarray) -> tuple[np.ndarray, Quaternion]:
        """The object's own location (3,) and rotation, against the world frame (4, 4) of its parent."""
        return self._numbers(self._inverse(frame).dot(ground_matrix(ground, self._metres)).dot(self._canonical))

    def channels(self, world: np.ndarray, frame: np.ndarray) -> tuple[np.ndarray, Quaternion]:
        """The same for the object's world matrix (4, 4), which has its scale."""
        return self._numbers(self._inverse(frame).dot(world))

    def _numbers(self, basis: np.ndarray) -> tuple[np.ndarray, Quaternion]:
        turned = Matrix((basis[:3, :3] * self._unscale).tolist()).to_quaternion()
        return basis[:3, 3] - self._delta_location, self._undo_delta @ turned


def delta_rotation(armature_object: bpy.types.Object) -> Quaternion:
    """The turn that an object's delta adds, in its rotation mode."""
    if armature_object.rotation_mode == "QUATERNION":
        return armature_object.delta_rotation_quaternion.copy()
    if armature_object.rotation_mode == "AXIS_ANGLE":
        return Quaternion()
    return Euler(armature_object.delta_rotation_euler, armature_object.rotation_mode).to_quaternion()


class RootTravel:
    """The root bone's travel: how model space is moved so that the object's place becomes the body's."""

    def __init__(self, canonical: np.ndarray, metres: float = 1.0) -> None:
        self._inverse = KnownInverse(canonical)
        self._metres = metres

    def shift(self, ground: Ground, frame: np.ndarray) -> np.ndarray:
        """The rigid change of model space (4, 4) that carries the object's place (`frame`, world) to the body's."""
        return self._inverse(frame).dot(ground_matrix(ground, self._metres))


class BoneTravel:
    """How a bone carries the travel of a body: the rigid change of model space, as the bone's own basis at rest.

    That change is unrest * inverse(frame) * ground * rest. The ground's part of it is a turn about Z and a place, hence
    it is a sum of constants times cosine, sine and place, which are worked out once for a frame of the object.
    """

    def __init__(self, rest: Matrix, canonical: np.ndarray, metres: float) -> None:
        self._rest = np.array(rest, dtype=np.float64)
        self._inverse = KnownInverse(np.linalg.inv(self._rest) @ canonical)
        self._metres = metres
        self._known: np.ndarray | None = None

    def moved(
        self, rotation: Numbers, location: Numbers, ground: Ground, frame: np.ndarray
    ) -> tuple[Numbers, Numbers]:
        """The bone's basis rotation (wxyz) and location when the body is at `ground`, the object at `frame` (4, 4)."""
        before = self._inverse(frame)
        if before is not self._known:
            self._prepare(before)
        if ground.tilt is not None:
            return self._tilted(rotation, location, before @ ground_matrix(ground, self._metres) @ self._rest)
        c, s = math.cos(ground.heading), math.sin(ground.heading)
        gx, gy, gz = ground.x, ground.y, ground.z
        x, y, z = location
        rows, places = [], []
        # By hand: a loop over the four would take twice as long, each frame.
        for (a0, a1, a2, a3), (b0, b1, b2, b3), (k0, k1, k2, k3), (px, py, pz) in self._parts:
            xx, xy, xz = a0 * c + b0 * s + k0, a1 * c + b1 * s + k1, a2 * c + b2 * s + k2
            rows.append((xx, xy, xz))
            at = a3 * c + b3 * s + k3
            places.append(xx * x + xy * y + xz * z + at + px * gx + py * gy + pz * gz)
        turn = Matrix(rows).to_quaternion() @ Quaternion(rotation)
        return turn[:], places

    @staticmethod
    def _tilted(rotation: Numbers, location: Numbers, change: np.ndarray) -> tuple[Numbers, Numbers]:
        """The same on a wall, where the change (4, 4) is no turn about Z."""
        place = change[:3, :3] @ np.array(location) + change[:3, 3]
        turn = Matrix(change[:3, :3].tolist()).to_quaternion() @ Quaternion(rotation)
        return turn[:], place.tolist()

    def _prepare(self, before: np.ndarray) -> None:
        """Of each row of the change (3, 4): its factors of cosine and sine, what stays, its factors of the place."""
        unit = 1.0 / self._metres
        ahead, aside, still = np.zeros((3, 4, 4))
        ahead[0, 0] = ahead[1, 1] = aside[1, 0] = still[2, 2] = unit
        aside[0, 1] = -unit
        still[3, 3] = 1.0
        parts = [(before @ part @ self._rest)[:3].tolist() for part in (ahead, aside, still)]
        self._parts = tuple(zip(*parts, (before[:3, :3] * unit).tolist(), strict=True))
        self._known = before


class KnownInverse:
    """The inverse of a matrix, behind `before` if there is one: kept, since what travel is against rarely moves."""

    def __init__(self, before: np.ndarray | None = None) -> None:
        self._before = before
        self._key = b""

    def __call__(self, matrix: np.ndarray) -> np.ndarray:
        """The inverse of this matrix (4, 4)."""
        key = matrix.tobytes()
        if key != self._key:
            inverse = np.linalg.inv(matrix)
            self._result = inverse if self._before is None else self._before @ inverse
            self._key = key
        return self._result
