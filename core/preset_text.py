"""A preset as TOML text: the few kinds of values that presets hold, in the order in which they are given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def preset_text(table: Mapping[str, Any]) -> str:
    """A table as TOML that reads back as the same table. Keys are words; a list of tables is an array of tables."""
    return "\n".join(_lines(table, "")).strip() + "\n"


def _lines(table: Mapping[str, Any], place: str) -> list[str]:
    lines = [f"{key} = {_value(value)}" for key, value in table.items() if not _is_nested(value)]
    for key, value in table.items():
        name = f"{place}.{key}" if place else key
        if isinstance(value, Mapping):
            lines += ["", f"[{name}]", *_lines(value, name)]
        elif _is_nested(value):
            for row in value:
                lines += ["", f"[[{name}]]", *_lines(row, name)]
    return lines


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's escapes are TOML's too, but for halves of letters; TOML alone escapes this one letter.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)
