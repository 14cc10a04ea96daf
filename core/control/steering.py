"""How a wished direction becomes a course and a speed: turned at a limited rate, slower in sharp turns, never in doubt.

Speed and direction are apart: a wish turns the course, it does not replace the velocity, so that what is asked for by
keys never jumps from one side to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, pi, radians

from ..space.angles import turn_between, wrapped
from ..space.copying import copier
from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class SteeringConfig:
    """How a body that is driven turns and changes its speed."""

    course_rate: float = setting(
        radians(600.0),
        "How fast the direction of travel turns. Low values drive like a lorry, very high ones jump to any side",
        unit="deg",
        low=radians(10.0),
        high=radians(36000.0),
    )
    sprint_course_rate: float = setting(
        radians(320.0), "The same while it sprints", unit="deg", low=radians(10.0), high=radians(36000.0)
    )
    facing_rate: float = setting(
        6.0,
        "How fast it turns to face where it goes, radians a second. Low values walk sideways through every turn",
        low=0.1,
        high=100.0,
    )
    sharp: float = setting(
        0.6,
        "The share of its speed that it has left in sharp turns. At 1 it runs through them, at 0 it stops for each",
        low=0.0,
        high=1.0,
    )
    reversal: float = setting(
        radians(12.0),
        "A turn that is this near to right about goes on to the side that it went to before. At 0 it may change its "
        "mind in every tick",
        unit="deg",
        low=0.0,
        high=radians(90.0),
    )
    speeding_up: float = setting(
        14.0, "How fast it gathers speed. Very high values are at full speed at once", unit="m/s2", low=0.1, high=1e4
    )
    settling: float = setting(
        9.0,
        "How fast it comes down to a lower speed that it still wants; it stops at once",
        unit="m/s2",
        low=0.1,
        high=1e4,
    )
    key_gap: float = setting(
        0.2,
        "For so long after the last wish a new one takes up the speed of before, as between two keys",
        unit="s",
        low=0.0,
        high=2.0,
    )
    sprint_factor: float = setting(2.0, "How many times the speed a sprint is", low=1.0, high=10.0)
    crouch_factor: float = setting(0.5, "The share of the speed that it crouches at", low=0.05, high=1.0)


@dataclass(slots=True)
class SteeringMemory:
    """`course` is the heading of the travel, `speed` along it (m/s), `side` the side of the last turn (1 left, -1
    right), `gap` how long there has been no wish, seconds, and `before` the speed when that began. `pressed`: the jump
    is held, `going_up`: so is what goes up.
    """

    course: float = 0.0
    speed: float = 0.0
    side: float = 1.0
    gap: float = 0.0
    before: float = 0.0
    pressed: bool = False
    going_up: bool = False

    def copy(self) -> SteeringMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(SteeringMemory)
SHARP = 0.5 * pi
"""A turn of more than this is a sharp one."""


def steer(
    memory: SteeringMemory, wanted: float | None, speed: float, config: SteeringConfig, dt: float, *, sprints: bool
) -> None:
    """Turn to a wished heading (None: no wish) and go at a speed, by a tick."""
    if wanted is None:
        memory.before = memory.speed if memory.gap == 0.0 else memory.before
        memory.gap += dt
        memory.speed = 0.0
        return
    if memory.speed == 0.0 and 0.0 < memory.gap <= config.key_gap:
        memory.speed = memory.before
    elif memory.speed == 0.0:
        memory.course = wrapped(wanted)
    memory.gap = memory.before = 0.0
    left = turn_between(memory.course, wanted)
    if abs(left) > pi - config.reversal:
        left = copysign(abs(left), memory.side) if left != 0.0 else left
    elif left != 0.0:
        memory.side = copysign(1.0, left)
    most = (config.sprint_course_rate if sprints else config.course_rate) * dt
    memory.course = wrapped(wanted if abs(left) <= most else memory.course + copysign(most, left))
    goal = speed * config.sharp if abs(left) > SHARP else speed
    change = (config.speeding_up if goal > memory.speed else config.settling) * dt
    memory.speed += min(max(goal - memory.speed, -change), change)
