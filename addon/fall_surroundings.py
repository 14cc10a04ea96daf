"""The rigid bodies of a scene as a digest: their shapes, places and numbers, the same in every session."""

from __future__ import annotations

import numpy as np
from bpy.types import Object, Scene

from .changes import hints
from .fall_digest import digest_of
from .ground_mesh import fingerprint
from .ground_set import TimeDependence
from .grounds import worn_by_characters
from .keyed_values import fcurves_of, is_keyed

NUMBERS = (
    "type", "collision_shape", "enabled", "kinematic", "mass", "friction", "restitution", "use_margin",
    "collision_margin", "linear_damping", "angular_damping",
)  # fmt: skip


def bodies_digest(scene: Scene) -> bytes:
    """All rigid bodies of a scene that no armature carries; nothing where it has none."""
    world = scene.rigidbody_world
    if world is None or not world.enabled or world.collection is None:
        return b""
    apart = hints.ours | worn_by_characters(scene)
    others = (obj for obj in world.collection.all_objects if obj.session_uid not in apart)
    told = sorted(_told(obj) for obj in others if obj.rigid_body is not None)
    return digest_of(told)


def _told(obj: Object) -> bytes:
    body = obj.rigid_body
    # What is keyed holds the shown frame's value.
    numbers = [None if is_keyed(obj, f"rigid_body.{name}") else getattr(body, name) for name in NUMBERS]
    shape = fingerprint(obj.data) if obj.type == "MESH" else ()
    moves = TimeDependence().moves(obj)
    place = tuple(tuple(row) for row in obj.matrix_basis)
    return digest_of(numbers, shape, tuple(obj.scale), _keys(obj), None if moves else place)


def _keys(obj: Object) -> list[tuple[str, int, np.ndarray]]:
    """The keys of all that is animated of an object."""
    told = []
    for curve in fcurves_of(obj) or ():
        places = np.empty(len(curve.keyframe_points) * 2, np.float32)
        curve.keyframe_points.foreach_get("co", places)
        told.append((curve.data_path, curve.array_index, places))
    return told
