"""How a body that was pushed catches itself: it steps to where it would come to rest.

A body over its foot is a pendulum that stands on its head. With the foot at x + v sqrt(h / g) it comes to rest just
over it, and its speed dies away at the rate sqrt(g / h): the capture point of Pratt, Carff, Drakunov and Goswami
(2006), which Hof (2005) found in how people stand. So steps are planned for a body that loses what it has too much of
speed at that rate; the feet land under where it will then be.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, hypot, sqrt

from ..space.settings import setting

GRAVITY = 9.81
Plan = tuple[float, float]
"""A vector in the ground plan, world."""


@dataclass(frozen=True, slots=True)
class CatchConfig:
    """How a body that is pushed steps, and how it comes back to what it did."""

    quickest: float = setting(
        1.8,
        "How many times as quick its steps become at most while it catches itself. At 1 it steps as calmly as ever and "
        "too late, at 3 its feet blur",
        low=1.0,
        high=3.0,
    )
    quickest_at: float = setting(
        0.6,
        "They are as quick as that when it is so much faster than it wants to be, for a leg of 0.9 m. Small values run "
        "from a nudge, large ones stroll through a blow",
        unit="m/s",
        low=0.05,
        high=10.0,
    )
    steps_from: float = setting(
        0.25,
        "A hit without physics that gives it less speed only makes it flinch. At 0 it shuffles at every touch, large "
        "ones root it to the ground",
        unit="m/s",
        low=0.0,
        high=5.0,
    )
    most_push: float = setting(
        2.0,
        "No hit without physics gives it more speed than this, for a leg of 0.9 m: it cannot fall. Small values barely "
        "step, large ones make it run",
        unit="m/s",
        low=0.0,
        high=20.0,
    )
    arms: float = setting(
        0.7,
        "How far its arms go out to where it falls, and as it staggers, half as far. At 0 they hang, at 1 they reach "
        "all the way",
        low=0.0,
        high=1.0,
    )
    turns_with: float = setting(
        0.2,
        "In so many seconds half of a turn that physics gave its pelvis becomes its heading. Small values spin it "
        "round, large ones wring its legs",
        unit="s",
        low=0.01,
        high=5.0,
    )
    hand_back: float = setting(
        0.3,
        "In so many seconds a pose that physics had goes over into its motion. At 0 it snaps, long ones drift",
        unit="s",
        low=0.0,
        high=3.0,
    )
    back_on_course: float = setting(
        0.4,
        "How fast a body that was pushed off a path, or off what carries it, comes back to it, for a leg of 0.9 m. "
        "Very small values stay beside it, large ones rush",
        unit="m/s",
        low=0.01,
        high=10.0,
    )


def rate_of(height: float, gravity: float = GRAVITY) -> float:
    """The rate (1/s) at which a body whose middle is so high (metres) loses speed over the foot that catches it."""
    return sqrt(gravity / height)


def speed_after(velocity: Plan, wanted: Plan, rate: float, seconds: float) -> Plan:
    """The velocity in some seconds: what is not wanted has died away by then, as far as it can have."""
    kept = exp(-rate * seconds)
    return wanted[0] + (velocity[0] - wanted[0]) * kept, wanted[1] + (velocity[1] - wanted[1]) * kept


def way_after(velocity: Plan, wanted: Plan, rate: float, seconds: float) -> Plan:
    """How far it has gone by then."""
    share = (1.0 - exp(-rate * seconds)) / rate
    return (
        wanted[0] * seconds + (velocity[0] - wanted[0]) * share,
        wanted[1] * seconds + (velocity[1] - wanted[1]) * share,
    )


def capture_point(place: Plan, velocity: Plan, rate: float) -> Plan:
    """Where a foot brings a body to rest that is here and goes so fast."""
    return place[0] + velocity[0] / rate, place[1] + velocity[1] / rate


def quickened(velocity: Plan, wanted: Plan, tempo: float, config: CatchConfig) -> float:
    """How many times as quick the steps are of a body that is faster than it wants to be."""
    excess = hypot(velocity[0] - wanted[0], velocity[1] - wanted[1]) / (config.quickest_at * tempo)
    return 1.0 + (config.quickest - 1.0) * min(1.0, excess)
