"""What drives a body that physics has towards its motion: target speeds of motors and the most they may push with.

Pure arithmetic, for each step of physics. A motor that has a target speed and a limit reaches that speed within the
step, unless it would take more than the limit: so limits say how strong the body is, and gains how fast it comes back.
"""

from __future__ import annotations

from math import acos, hypot, inf, sin, sqrt
from typing import NamedTuple

from ..control.fall_row import FallState
from ..space.rigid import Triple, Turn, after, undone
from ..space.triples import plus, scaled
from .config import ActiveConfig

LEVEL = (1.0 / sqrt(2.0), 1.0 / sqrt(2.0))
NO_TURN_LEFT = 1e-9


class Drive(NamedTuple):
    """What the state machine says at one step of physics.

    `strengths` of each body's joint to its parent, 0 to 1. `assist` is how much of the holding forces there is, 0 to 1,
    `sideways` the most that all of them together may push sideways, newtons (inf: no limit). `since` is how long the
    state lasts, seconds. `events` is what happened since the last step. `push` is the velocity beyond its motion that
    is still to be caught, of its centre of mass in the plan, m/s.
    """

    state: FallState
    strengths: tuple[float, ...]
    assist: float
    sideways: float = inf
    since: float = 0.0
    events: tuple[str, ...] = ()
    push: Triple = (0.0, 0.0, 0.0)


class Pull(NamedTuple):
    """What the three motors along world axes get that hold one body: target speeds, m/s, and limits, newtons."""

    velocity: Triple
    limits: Triple


def turn_vector(turn: Turn) -> Triple:
    """A turn as its axis times its angle, the short way, radians."""
    w, x, y, z = turn if turn[0] >= 0.0 else (-turn[0], -turn[1], -turn[2], -turn[3])
    angle = 2.0 * acos(min(1.0, w))
    across = sin(0.5 * angle)
    return scaled((x, y, z), angle / across) if across > NO_TURN_LEFT else (2.0 * x, 2.0 * y, 2.0 * z)


def relative_velocity(parent: Turn, child: Turn, wanted: Turn, along: Triple, gain: float) -> Triple:
    """How fast a child is to turn against its parent, world, radians a second.

    `parent` and `child` are their turns, `wanted` the child's as its parent sees it in the motion, `along` how fast
    that itself turns (world). A share `gain` of what it is off is made up each second.
    """
    left = turn_vector(after(after(parent, wanted), undone(child)))
    return plus(scaled(left, gain), along)


def joint_torque(strength: float, friction: float, mass: float, config: ActiveConfig) -> float:
    """The most that a joint may turn with, newton metres: `mass` is the heavier body's, `friction` what resists in it
    for each kilogram even if it is limp.
    """
    return max(config.joint_torque * strength, friction) * mass


def follows(strength: float, friction: float, config: ActiveConfig) -> float:
    """How much of the speed towards its motion a joint gets: a limp one only resists, and there is no step between."""
    torque = config.joint_torque * strength
    return 1.0 if torque >= friction else torque / friction


def pull(
    offset: Triple, along: Triple, velocity: Triple, drive: Drive, share: float, mass: float, config: ActiveConfig
) -> Pull:
    """What holds one body where its motion has it.

    `offset` is how far it has to go, metres, `along` how fast that place itself moves, `velocity` how fast the body
    moves now, all world; `mass` is the whole body's, `share` the part of the sideways limit that this body has (the
    shares of all that are held add up to 1). The limit holds for both level axes together: each gets the part of it
    that lies in the direction in which speed is wanted. Upward there is no such limit.
    """
    wanted = plus(scaled(offset, config.assist_gain), along)
    most = config.assist_force * mass * drive.assist
    level = min(most, drive.sideways * share)
    if level == most:
        return Pull(wanted, (most, most, most))
    dx, dy = wanted[0] - velocity[0], wanted[1] - velocity[1]
    change = hypot(dx, dy)
    x, y = (abs(dx) / change, abs(dy) / change) if change > NO_TURN_LEFT else LEVEL
    return Pull(wanted, (level * x, level * y, most))


def hold_upright(
    now: Turn, wanted: Turn, along: Triple, drive: Drive, mass: float, size: float, config: ActiveConfig
) -> tuple[Triple, float]:
    """The speed (world, radians a second) at which a held body turns to its motion, and the most torque for it.

    `along` is how fast the motion itself turns, `mass` the whole body's, `size` how many times as tall it is as 1.75 m.
    """
    left = turn_vector(after(wanted, undone(now)))
    return plus(scaled(left, config.assist_gain), along), config.assist_torque * mass * size * drive.assist
