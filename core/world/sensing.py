"""How far a body senses, and what it makes of it: the numbers of area awareness. Metres, for legs of 0.9 m."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..space.rigid import Triple
from ..space.settings import setting

SensorName = Literal["WALK", "SPRINT", "AIR"]


class Sensor(NamedTuple):
    """One slice of rays: how far ahead of the middle it looks, how high over the feet a top may be, and its rows."""

    ahead: float
    reach: float
    rows: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SurroundingsConfig:
    """What is seen from where, and when something is thin, hip-high, a place to stand."""

    walk_ahead: float = setting(
        0.7,
        "How far ahead it looks while it walks. Short looks go up only what is touched",
        unit="m",
        low=0.1,
        high=10.0,
    )
    walk_reach: float = setting(
        1.9,
        "How high a top may be over its feet while it walks; what is higher is a wall",
        unit="m",
        low=0.3,
        high=10.0,
    )
    sprint_ahead: float = setting(
        1.6,
        "How far ahead it looks while it sprints. Very long looks go up what is not meant",
        unit="m",
        low=0.1,
        high=10.0,
    )
    sprint_reach: float = setting(
        2.2, "How high a top may be over its feet while it sprints", unit="m", low=0.3, high=10.0
    )
    air_ahead: float = setting(
        0.7, "How far ahead it looks in the air, for a wall that it steers into", unit="m", low=0.1, high=10.0
    )
    climb_reach: float = setting(
        2.1, "How high over the feet a top may be that it climbs from the air", unit="m", low=0.3, high=10.0
    )
    hang_reach: float = setting(
        2.35, "How high over the feet an edge may be that it can hang from", unit="m", low=0.3, high=10.0
    )
    knee: float = setting(
        0.5, "How high the lowest row of rays is. What is lower is stepped onto", unit="m", low=0.05, high=5.0
    )
    hip: float = setting(0.9, "How high the second row of rays is", unit="m", low=0.1, high=5.0)
    chest: float = setting(1.3, "How high the third row of rays is", unit="m", low=0.2, high=5.0)
    head: float = setting(
        1.7, "How high the row is that sees low bars, and edges from the air", unit="m", low=0.3, high=5.0
    )
    hands: float = setting(2.15, "How high the row is that sees edges from the air alone", unit="m", low=0.3, high=5.0)
    hip_high: float = setting(
        1.2, "The highest top that is vaulted over; what is higher is climbed", unit="m", low=0.2, high=5.0
    )
    thin: float = setting(
        1.1, "The longest way over a top that is vaulted; what is longer is a platform", unit="m", low=0.05, high=5.0
    )
    standing_depth: float = setting(
        0.3, "How deep a top is at least that can be stood on", unit="m", low=0.02, high=5.0
    )
    drops_away: float = setting(
        0.3, "A top ends where it comes down by so much, or rises by it", unit="m", low=0.02, high=5.0
    )
    landing_drop: float = setting(
        1.0, "How far under its feet the floor behind a vault may be. Deeper than that nobody vaults", unit="m",
        low=0.0, high=20.0,
    )  # fmt: skip
    longest_landing: float = setting(
        1.2, "How far behind a vault it comes down at most; it is as far as it was before it", unit="m",
        low=0.1, high=10.0,
    )  # fmt: skip
    clears: float = setting(
        0.05, "How far over both edges of a top the feet's way goes. Large values fly over fences", unit="m", low=0.0,
        high=2.0,
    )  # fmt: skip
    tucked: float = setting(
        0.8, "How tall the body is that goes over a top with its legs pulled up", unit="m", low=0.1, high=5.0
    )
    square: float = setting(
        1.05, "How far from square, radians, a wall may be run into that it is gone up. Near a right angle it grabs "
        "walls that it runs along", low=0.1, high=1.5,
    )  # fmt: skip

    def sensor(self, name: SensorName) -> Sensor:
        """The slice of rays for what the body is doing."""
        rows = (self.knee, self.hip, self.chest, self.head)
        if name == "AIR":
            return Sensor(self.air_ahead, max(self.hang_reach, self.climb_reach), (*rows, self.hands))
        return Sensor(
            *((self.sprint_ahead, self.sprint_reach) if name == "SPRINT" else (self.walk_ahead, self.walk_reach)), rows
        )


class Stance(NamedTuple):
    """Who looks: the feet, the unit direction in the plan that it looks or runs, how far it drifts across that before
    it is square to what is there (world, plan), its radius and height, how tall a slide is, how upright floor is at
    least, and the highest step.
    """

    feet: Triple
    ahead: tuple[float, float]
    velocity: tuple[float, float]
    window: float
    radius: float
    standing: float
    low: float
    upright: float
    step: float

    @property
    def size(self) -> float:
        """How large it is, against a person of 1.8 m."""
        return self.standing / 1.8
