"""The numbers of parkour: one small table a state, of a parkour preset. Metres, seconds, radians, for legs of 0.9 m."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from math import sqrt
from typing import Any, TypeVar

from ..control.movement import LEG
from ..world.sensing import SurroundingsConfig
from .autopilot_config import AutopilotConfig
from .climb import ClimbConfig
from .hang_config import HangConfig, LeapConfig, WallRunConfig
from .machine_config import MachineConfig
from .roll import RollConfig
from .slide import SlideConfig
from .vault import VaultConfig

Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class ParkourConfig:
    """All tables together."""

    machine: MachineConfig = field(default_factory=MachineConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
    vault: VaultConfig = field(default_factory=VaultConfig)
    climb: ClimbConfig = field(default_factory=ClimbConfig)
    slide: SlideConfig = field(default_factory=SlideConfig)
    roll: RollConfig = field(default_factory=RollConfig)
    hang: HangConfig = field(default_factory=HangConfig)
    leap: LeapConfig = field(default_factory=LeapConfig)
    wall_run: WallRunConfig = field(default_factory=WallRunConfig)
    autopilot: AutopilotConfig = field(default_factory=AutopilotConfig)

    def sized(self, leg: float) -> ParkourConfig:
        """The same for a body with legs of this length: lengths go with it, speeds and times with its root."""
        return replace(self, **{item.name: sized(getattr(self, item.name), leg / LEG) for item in fields(self)})


def sized(table: Table, scale: float) -> Table:
    """A table of settings for a body of another size, by their units. What is faster by gravity alone stays."""
    factors = {"m": scale, "s": sqrt(scale), "m/s": sqrt(scale)}
    changed: dict[str, Any] = {}
    for item in fields(table):  # type: ignore[arg-type]
        factor = factors.get(item.metadata.get("unit", ""))
        if factor is not None:
            changed[item.name] = getattr(table, item.name) * factor
    return replace(table, **changed)  # type: ignore[type-var]
