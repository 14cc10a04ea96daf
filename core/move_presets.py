"""The key poses of moves that ship, read and checked once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .layers.moves_keys import MoveTable, move_from
from .presets import PRESETS, PresetError, read_toml


def check_move(table: dict[str, Any], name: str) -> MoveTable:
    """The table of a move as a move; PresetError names the file, the place and the reason."""
    try:
        return move_from(table, name)
    except ValueError as error:
        raise PresetError(str(error)) from error


@lru_cache(maxsize=1)
def moves() -> dict[str, MoveTable]:
    """All moves that ship, by name."""
    found = [check_move(read_toml(path), path.name) for path in sorted((PRESETS / "moves").glob("*.toml"))]
    return {move.name: move for move in found}
