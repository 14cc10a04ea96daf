"""How a Config field is declared: one text serves code, tooltip and preset check."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints


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


def choices_of(config: type) -> dict[str, tuple[str, ...]]:
    """The choices of each field of a Config that has some: named in its setting, or the texts of its Literal."""
    hints = get_type_hints(config)
    found = {}
    for item in fields(config):
        literal = get_args(hints[item.name]) if get_origin(hints[item.name]) is Literal else ()
        choices = item.metadata.get("choices") or literal
        if choices:
            found[item.name] = tuple(choices)
    return found


def range_errors(config: Any) -> list[str]:
    """One sentence for each field of `config` that is outside its declared range."""
    errors = []
    choices = choices_of(type(config))
    for item in fields(config):
        low, high = item.metadata.get("low"), item.metadata.get("high")
        value = getattr(config, item.name)
        if low is not None and value < low:
            errors.append(f"{item.name} is {value}, but must be at least {low}.")
        if high is not None and value > high:
            errors.append(f"{item.name} is {value}, but must be at most {high}.")
        if item.name in choices and value not in choices[item.name]:
            errors.append(f"{item.name} is {value}, but must be one of {', '.join(choices[item.name])}.")
    return errors
