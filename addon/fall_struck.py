"""Rigid bodies of the scene that are about to hit a character: which of its bodies, and how hard by their masses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bpy.types import Object, Scene
from mathutils import Matrix, Quaternion, Vector

from ..core.ragdoll.plan import RagdollPlan
from .changes import hints
from .grounds import worn_by_characters
from .physics_gather import Placed, loose_places
from .refusal import depsgraph_of
from .scene_units import metres_per_unit

SLOWEST = 0.3
"""Metres a second under which a thing leans, and does not hit."""
NUMBERS = 7


class Struck(NamedTuple):
    """The place of a body in its plan, and the speed that it is to get, world, m/s."""

    body: int
    velocity: tuple[float, float, float]


def moves_bodies(scene: Scene) -> bool:
    """True where rigid bodies of the scene move, so that where they are is only known by going from frame to frame."""
    return any(body.rigid_body.type == "ACTIVE" or body.rigid_body.kinematic for body in _bodies(scene))


def places(scene: Scene) -> dict[int, Placed]:
    """Where all rigid bodies that move are at the evaluated frame, by identity."""
    found, depsgraph, metres = loose_places(scene), depsgraph_of(scene), metres_per_unit(scene)
    for obj in _bodies(scene):
        if obj.session_uid not in found and obj.rigid_body.kinematic:
            place, turn, _ = obj.evaluated_get(depsgraph).matrix_world.decompose()
            found[obj.session_uid] = tuple(place * metres), tuple(turn)
    return found


def struck_by(
    scene: Scene,
    plan: RagdollPlan,
    numbers: tuple[float, ...],
    before: Mapping[int, Placed],
    now: Mapping[int, Placed],
    dt: float,
) -> Struck | None:
    """The hardest hit of those that come within a frame; None where none does. `numbers` are the bodies, world."""
    found: Struck | None = None
    for obj in _bodies(scene):
        was, is_now = before.get(obj.session_uid), now.get(obj.session_uid)
        if was is None or is_now is None:
            continue
        velocity = (Vector(is_now[0]) - Vector(was[0])) / dt
        if velocity.length < SLOWEST:
            continue
        hit = _struck(obj, scene, plan, numbers, is_now, velocity, dt)
        if hit is not None and (found is None or Vector(hit.velocity).length > Vector(found.velocity).length):
            found = hit
    return found


def _struck(
    obj: Object,
    scene: Scene,
    plan: RagdollPlan,
    numbers: tuple[float, ...],
    placed: Placed,
    velocity: Vector,
    dt: float,
) -> Struck | None:
    """Which body a thing comes to first in the next frame."""
    half = Vector(obj.dimensions) * (0.5 * metres_per_unit(scene))
    back = Matrix.LocRotScale(Vector(placed[0]), Quaternion(placed[1]), None).inverted()
    nearest, least = -1, velocity.length * dt
    for i, body in enumerate(plan.bodies):
        place = Vector(numbers[NUMBERS * i : NUMBERS * i + 3])
        local = back @ place
        beyond = Vector(tuple(max(0.0, abs(at) - size) for at, size in zip(local, half, strict=True)))
        gap = beyond.length - 0.5 * min(body.size)
        comes = velocity.dot(place - Vector(placed[0])) > 0.0
        if comes and gap < least:
            nearest, least = i, gap
    if nearest < 0:
        return None
    mass = obj.rigid_body.mass if obj.rigid_body.type == "ACTIVE" else float("inf")
    around = plan.bodies[nearest].mass + sum(
        body.mass for i, body in enumerate(plan.bodies) if body.parent == nearest or i == plan.bodies[nearest].parent
    )
    share = 1.0 if mass == float("inf") else mass / (mass + around)
    x, y, z = velocity * share
    return Struck(nearest, (x, y, z))


def _bodies(scene: Scene) -> Iterator[Object]:
    """The rigid bodies of a scene that are simulated, by name, without what characters wear, and without ours."""
    world = scene.rigidbody_world
    if world is None or not world.enabled or world.collection is None:
        return
    apart = worn_by_characters(scene) | hints.ours
    for obj in sorted(world.collection.all_objects, key=lambda item: item.name_full):
        if obj.rigid_body is not None and obj.rigid_body.enabled and obj.session_uid not in apart:
            yield obj
