"""Fall presets: the numbers of bodies that are hit, stagger and fall, as files that ship."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .preset_numbers import Listed, check_numbers, numbers_in
from .ragdoll.config import RagdollConfig

FALLS_VERSION = 1
USUAL = "USUAL"


def check_falls(table: dict[str, Any], name: str) -> RagdollConfig:
    """The numbers of a fall preset, after they were found to be some that there are, within their ranges."""
    return check_numbers(table, name, RagdollConfig(), FALLS_VERSION, "falls")


@lru_cache(maxsize=1)
def fall_tables() -> Listed[RagdollConfig]:
    """All that ship, by name: title, what it is, its numbers."""
    return numbers_in("falls", check_falls)


def falls(name: str) -> RagdollConfig:
    """The numbers of a preset; the usual ones where there is none of this name."""
    tables = fall_tables()
    return tables[name if name in tables else USUAL][2]
