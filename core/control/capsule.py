"""The walking capsule: a body with a shape that walls stop, stairs lift, floors carry and gravity takes.

On the ground it is led along the floor: what it wants is laid on the floor's slope, walls take away what goes into
them, and its height is where its lowest sphere comes to rest from above. Height is a function of the place alone, so
stairs are climbed alike at every rate. In the air it flies on a parabola that is exact for any step.

The ground states and what a body owes to each are those of Jolt's virtual character; the rules of walking follow it
where they say nothing else.
"""

from __future__ import annotations

from math import hypot

from ..space.dampers import LN2, damp
from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..world.world import World
from .capsule_memory import LONG_AGO, STILL, CapsuleMemory, Wish
from .flight import fly
from .floor import rest_under
from .movement import MovementConfig
from .touching import fits, is_buried
from .walking import walk


def put(feet: Triple, config: MovementConfig, world: World) -> CapsuleMemory:
    """A body put somewhere: standing where there is floor within a step over or under it, else in the air."""
    height = config.height(crouched=False)
    memory = CapsuleMemory(feet, height, height)
    memory.buried = is_buried(world, (feet[0], feet[1], feet[2] + 0.5 * height), config.radius)
    rest = rest_under(world, feet, config.highest_step, config)
    if rest is not None and rest.normal is not None:
        memory.stand(rest, world, config.carrier_mass)
    return memory


def move(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, dt: float) -> None:
    """One tick of `dt` seconds. `world` is at the tick's end."""
    _take_shape(memory, wish, config, world, dt)
    memory.rode = ride = _ridden(memory, world)
    memory.wished = wish.velocity
    memory.asked = 0.0 if wish.jump else memory.asked + dt
    if _jumps(memory, config):
        wish = _leave(memory, wish, config, ride, dt)
    if memory.state == "ON_GROUND":
        walk(memory, wish, config, world, ride, dt)
    else:
        fly(memory, wish, config, world, dt)
    memory.aloft = 0.0 if memory.state == "ON_GROUND" else memory.aloft + dt


def _take_shape(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, dt: float) -> None:
    """Crouch at once, stand up as soon as there is room; what is seen follows."""
    wanted = config.height(crouched=wish.crouch)
    if wanted < memory.height or (wanted > memory.height and fits(world, memory.feet, wanted, config.radius)):
        memory.height = wanted
    memory.shown = damp(memory.shown, memory.height, LN2 / config.crouch_rate, dt)


def _ridden(memory: CapsuleMemory, world: World) -> Triple:
    """How far moving ground has carried the body in this tick."""
    memory.turn = 0.0
    support = memory.support
    now = world.locate(support) if support is not None and world.moves(support.surface) else None
    if support is None or now is None:
        return STILL
    memory.turn = world.turn_of(support.surface)
    x, y, z = now.position
    was, memory.support_at = memory.support_at, (x, y, z)
    return x - was[0], y - was[1], z - was[2]


def _jumps(memory: CapsuleMemory, config: MovementConfig) -> bool:
    """On the press, or where it was asked for just before landing; from the ground, or where it has just walked off."""
    if config.take_off <= 0.0 or memory.asked > config.jump_buffer or memory.height < config.height(crouched=False):
        return False
    walked_off = not memory.risen and memory.state != "ON_STEEP_GROUND" and memory.aloft <= config.coyote_time
    return memory.state == "ON_GROUND" or walked_off


def _leave(memory: CapsuleMemory, wish: Wish, config: MovementConfig, ride: Triple, dt: float) -> Wish:
    """Jump: the run is aimed at the wish once more, and what carried the body is left with its velocity. The wish that
    holds from there on.
    """
    carried = scaled(ride, 1.0 / dt) if dt > 0.0 else STILL
    x, y = wish.velocity if wish.aim is None else wish.aim
    memory.velocity = plus((x, y, config.take_off), carried)
    memory.take_off = hypot(x, y)
    memory.state, memory.support, memory.risen, memory.asked = "IN_AIR", None, True, LONG_AGO
    return wish._replace(velocity=(x, y))
