"""How a Config field is declared: one text serves code, tooltip and preset check."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any


def setting(
    default: Any,
    text: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field with its meaning, unit and range, or the choices that a text has.

    `text` says what the value does and what goes wrong at its ends; the panel shows it as the tooltip.
    Angles are radians in code; a preset states them in degrees when `unit` is "deg".
    """
    said = {"text": text, "unit": unit, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=said)


def range_errors(config: Any) -> list[str]:
    """One sentence for each field of `config` that is outside its declared range."""
    errors = []
    for item in fields(config):
        low, high = item.metadata.get("low"), item.metadata.get("high")
        value = getattr(config, item.name)
        if low is not None and value < low:
            errors.append(f"{item.name} is {value}, but must be at least {low}.")
        if high is not None and value > high:
            errors.append(f"{item.name} is {value}, but must be at most {high}.")
        choices = item.metadata.get("choices")
        if choices and value not in choices:
            errors.append(f"{item.name} is {value}, but must be one of {', '.join(choices)}.")
    return errors
