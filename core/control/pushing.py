"""Rigid bodies that a walking capsule pushes: which of them it can, and where what pushes them is a frame on.

The force is the body's strength against the friction that holds what it pushes; of its run goes over what an inelastic
impact leaves of it.
"""

from __future__ import annotations

from math import hypot, inf

from mathutils import Vector

from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..world.world import Hit, Loose, World
from .capsule_memory import CapsuleMemory
from .movement import MovementConfig

GRAVITY = 9.81
"""Weight for mass where rigid bodies lie, m/s2."""
SLOW = 1e-6
HEIGHTS = (0.0, 0.5, 1.0)
"""What is ahead is felt for by spheres at these shares of the way from the lowest to the highest."""


def can_push(loose: Loose | None, config: MovementConfig) -> bool:
    """True for a rigid body that the strength is enough to move."""
    return loose is not None and loose.friction * loose.mass * GRAVITY < config.strength


def pusher_after(memory: CapsuleMemory, config: MovementConfig, world: World, dt: float) -> Triple:
    """Where the feet of what pushes for a body belong after `dt` seconds: with the body, and as far ahead of it as it
    moves what it leans against. `world` is as the body met it last.
    """
    vx, vy, vz = memory.velocity
    grounded = memory.state == "ON_GROUND"
    x, y = memory.wished if grounded else (vx, vy)
    speed = hypot(x, y)
    rise = vz * dt if grounded else (vz - 0.5 * config.gravity * dt) * dt
    if speed * dt <= 0.0:
        return plus(memory.feet, (vx * dt, vy * dt, rise))
    ahead = (x / speed, y / speed, 0.0)
    reach = speed * dt + 2.0 * config.padding
    hit = _first(memory, ahead, reach, config, world)
    if hit is None:
        return plus(memory.feet, (vx * dt, vy * dt, rise))
    loose, came = world.loose(hit.surface), vx * ahead[0] + vy * ahead[1]
    free = max(0.0, hit.distance - config.padding)
    if loose is None or not can_push(loose, config):
        went = min(free, max(0.0, came) * dt)
    else:
        goes = _pushed(memory, ahead, hit.velocity.dot(Vector(ahead)), loose, config, dt)
        # As far as it is free at its own speed, from there on with what it pushes.
        freely = min(1.0, free / (max(came, goes, SLOW) * dt))
        went = free + goes * (1.0 - freely) * dt
    return plus(memory.feet, plus(scaled(ahead, went), (0.0, 0.0, rise)))


def _pushed(
    memory: CapsuleMemory, ahead: Triple, speed: float, loose: Loose, config: MovementConfig, dt: float
) -> float:
    """How fast a body that goes at a speed is after a push of `dt` seconds."""
    came = max(0.0, memory.flat[0] * ahead[0] + memory.flat[1] * ahead[1] - speed)
    impact = came * config.mass / (config.mass + loose.mass)
    force = max(0.0, config.strength / loose.mass - loose.friction * GRAVITY) * dt
    return max(0.0, min(hypot(*memory.wished), speed + impact + force))


def _first(memory: CapsuleMemory, ahead: Triple, reach: float, config: MovementConfig, world: World) -> Hit | None:
    """What is nearest in the way of the capsule; what it can walk upon is not in it."""
    x, y, z = memory.feet
    low, high = z + config.radius + config.padding, z + memory.height - config.radius
    best, nearest = None, inf
    for share in HEIGHTS:
        start = Vector((x, y, low + max(0.0, high - low) * share))
        hit = world.cast_sphere(start, Vector(ahead), reach, config.radius)
        if hit is not None and hit.normal.z < config.upright and hit.distance < nearest:
            best, nearest = hit, hit.distance
    return best
