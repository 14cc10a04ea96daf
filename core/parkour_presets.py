"""Parkour presets: the numbers of area awareness and of each state, as files that ship."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .locomotion.config import ParkourConfig
from .preset_numbers import Listed, check_numbers, numbers_in

PARKOUR_VERSION = 1
USUAL = "USUAL"


def check_parkour(table: dict[str, Any], name: str) -> ParkourConfig:
    """The numbers of a parkour preset, after they were found to be some that there are, within their ranges."""
    return check_numbers(table, name, ParkourConfig(), PARKOUR_VERSION, "parkour")


@lru_cache(maxsize=1)
def parkour_tables() -> Listed[ParkourConfig]:
    """All that ship, by name: title, what it is, its numbers."""
    return numbers_in("parkour", check_parkour)


def parkour(name: str) -> ParkourConfig:
    """The numbers of a preset; the usual ones where there is none of this name."""
    tables = parkour_tables()
    return tables[name if name in tables else USUAL][2]
