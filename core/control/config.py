"""What limits a body's travel, whoever directs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians

from ..space.settings import setting
from .steering import SteeringConfig


@dataclass(frozen=True, slots=True)
class FleeConfig:
    """How a body flees that an agent directs."""

    safe_distance: float = setting(
        8.0,
        "How far from what it flees from it stops. Very small values cower, large ones leave the scene",
        unit="m",
        low=0.0,
        high=1000.0,
    )


@dataclass(frozen=True, slots=True)
class ControlConfig:
    """Limits of a body's travel. Lengths in metres are for a 0.9 m leg and scale with `leg`."""

    acceleration: float = setting(
        2.5,
        "How fast the speed grows, along the ground. Very small values need seconds to get going, large ones start "
        "at full speed in one tick",
        unit="m/s2",
        low=0.05,
        high=100.0,
    )
    deceleration: float = setting(
        3.0,
        "How fast the speed falls, and how early a target is braked for. Very small values run past a target that "
        "appears close by, very large ones stop dead",
        unit="m/s2",
        low=0.05,
        high=100.0,
    )
    turn_rate: float = setting(
        radians(120.0),
        "Fastest turn. Small values make wide bends, large ones turn on the spot faster than legs can step",
        unit="deg",
        low=radians(1.0),
        high=radians(1080.0),
    )
    turn_acceleration: float = setting(
        radians(480.0),
        "How fast a turn begins and ends, per second squared. Small values swing past, large ones jerk",
        unit="deg",
        low=radians(10.0),
        high=radians(36000.0),
    )
    stop_distance: float = setting(
        0.6,
        "How far from a target the body stops. 0 stands on the target's very spot",
        unit="m",
        low=0.0,
        high=20.0,
    )
    restart_distance: float = setting(
        0.3,
        "How much further than the stop a target must go before it is followed again. 0 fidgets after a target that "
        "hardly moves",
        unit="m",
        low=0.0,
        high=20.0,
    )
    steering: SteeringConfig = field(default_factory=SteeringConfig)
    fleeing: FleeConfig = field(default_factory=FleeConfig)
    leg: float = 0.9
    span: float = 0.0

    @property
    def scale(self) -> float:
        """The leg's length in legs of 0.9 m."""
        return self.leg / 0.9
