"""Which character a person points at, and which part of it: its bodies as they are shown, met by a ray."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from bpy.types import Object, Scene
from mathutils import Matrix, Quaternion, Vector

from ..core.ragdoll.hits import HEAD, TRUNK, is_of
from .fall_physics import bodies_in
from .grounds import ground_of
from .performers import performers
from .ragdoll_plan import plan_of
from .refusal import RefusedError
from .roster import roster
from .scene_units import metres_per_unit

NUMBERS = 7


class Picked(NamedTuple):
    """A character by its identity, the role of the body that was met, and how far away that is, metres. Arms, legs and
    tails are in the way of the trunk: who points at one means all of it, which has no role.
    """

    uid: int
    role: str
    distance: float


def picked(scene: Scene, origin: Vector, direction: Vector) -> Picked | None:
    """The nearest body of a previewed character on a ray (scene's units), unless ground is before it."""
    metres, way = metres_per_unit(scene), direction.normalized()
    eye, found = origin * metres, None
    for obj in roster.previewed(scene):
        hit = _met(obj, scene, eye, way)
        if hit is not None and (found is None or hit.distance < found.distance):
            found = hit
    if found is None:
        return None
    nearest = next(obj for obj in roster.previewed(scene) if obj.session_uid == found.uid)
    ground = ground_of(nearest, scene).cast_ray(eye, way, found.distance)
    return found if ground is None else None


def _met(obj: Object, scene: Scene, eye: Vector, way: Vector) -> Picked | None:
    performer = performers.get(obj.session_uid)
    snapshot = None if performer is None else performer.cache.get(max(scene.frame_current, obj.surefoot.frame_start))
    if performer is None or snapshot is None:
        return None
    try:
        plan = plan_of(obj, scene)
    except RefusedError:
        return None
    numbers, nearest, role = bodies_in(performer, plan, performer.pose_of(snapshot)), inf, ""
    for i, body in enumerate(plan.bodies):
        x, y, z, *turn = numbers[NUMBERS * i : NUMBERS * (i + 1)]
        place = Matrix.LocRotScale(Vector((x, y, z)), Quaternion(turn), None).inverted()
        distance = _through(place @ eye, place.to_3x3() @ way, Vector(body.size) * 0.5)
        if distance is not None and distance < nearest:
            nearest, role = distance, body.role if is_of(body.limb, TRUNK) or is_of(body.limb, HEAD) else ""
    return Picked(obj.session_uid, role, nearest) if nearest < inf else None


def _through(eye: Vector, way: Vector, half: Vector) -> float | None:
    """How far along a ray a box about the origin begins, None where it passes by."""
    near, far = 0.0, inf
    for at, speed, size in zip(eye, way, half, strict=True):
        if abs(speed) < 1e-12:
            if abs(at) > size:
                return None
            continue
        first, last = sorted(((-size - at) / speed, (size - at) / speed))
        near, far = max(near, first), min(far, last)
    return near if near <= far else None
