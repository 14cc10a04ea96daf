"""The ways to get up that ship, read and checked once, and the rising of one rig by them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .actions.rise_config import RiseConfig
from .actions.rise_poses import RiseTable, rise_from
from .actions.rise_takes import RiseTake
from .actions.rising import Rising
from .presets import PRESETS, PresetError, read_toml
from .ragdoll.skin_points import SkinPoint
from .rig.rig import Rig


def check_rise(table: dict[str, Any], name: str) -> RiseTable:
    """A table as a way to get up; PresetError names the file, the place and the reason."""
    try:
        return rise_from(table, name)
    except ValueError as error:
        raise PresetError(str(error)) from error


@lru_cache(maxsize=1)
def rises() -> tuple[RiseTable, ...]:
    """All that ship, in the order of their files."""
    return tuple(check_rise(read_toml(path), path.name) for path in sorted((PRESETS / "rises").glob("*.toml")))


@lru_cache(maxsize=1)
def names_of_rises() -> tuple[str, ...]:
    """What libraries of animations call getting up."""
    return tuple(dict.fromkeys(name for table in rises() for name in table.clips))


def rising(
    rig: Rig, config: RiseConfig | None = None, takes: Sequence[RiseTake] = (), skin: Sequence[SkinPoint] = ()
) -> Rising:
    """What gets a rig up: by its takes, and where none fits by the key poses that ship."""
    return Rising(rig, config or RiseConfig(), takes, rises(), skin)
