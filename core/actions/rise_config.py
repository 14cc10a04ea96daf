"""How a body gets up: all numbers that a person may set."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians
from typing import Literal

from ..space.settings import setting

RiseStyle = Literal["ORDINARY", "QUICK"]


@dataclass(frozen=True, slots=True)
class RiseConfig:
    """Seconds and speeds are for a 0.9 m leg."""

    style: RiseStyle = setting("ORDINARY", "How it gets up: in its own time, or with a spring")
    fits: float = setting(
        0.5, "How far a take's lying pose may be off the body's, on average, to be taken", unit="m", low=0.0, high=2.0
    )
    travel: float = setting(
        0.9, "How fast the farthest point goes into the take; low values take long", unit="m/s", low=0.1, high=5.0
    )
    turn: float = setting(
        radians(171.887), "How fast the most turned joint turns into the take, a second",
        unit="deg", low=radians(20.0), high=radians(720.0),
    )  # fmt: skip
    shortest: float = setting(0.3, "The way into a take is never shorter", unit="s", low=0.05, high=2.0)
    longest: float = setting(1.2, "The way into a take is never longer", unit="s", low=0.1, high=4.0)
    tempo: float = setting(
        1.0, "How fast it gets up by itself, where no take fits; high values look like no body's", low=0.3, high=2.0
    )
