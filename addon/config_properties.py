"""From a Config's fields to Blender properties and back: one text serves code, preset and tooltip."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from math import isfinite
from typing import Any

from bpy import props

from ..core.space.settings import choices_of

OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_UNITS = {"deg": ("ANGLE", "ROTATION"), "rad": ("ANGLE", "ROTATION")}
# Settings are in metres whatever the scene's unit scale is; Blender would show the numbers multiplied by it.
_SAID = {"m": "m", "s": "s", "Hz": "Hz", "m/s": "m/s", "m/s2": "m/s²", "kg": "kg"}


def default_of(item: Field[Any]) -> Any:
    """A field's default value."""
    if item.default is not MISSING:
        return item.default
    if item.default_factory is not MISSING:
        return item.default_factory()
    raise ValueError(f"The field {item.name!r} has no default, so that no property can be made of it.")


def label(name: str) -> str:
    """A field's name as the panel shows it."""
    return name.replace("_", " ").title()


def properties_of(config: type, skip: frozenset[str], update: Any) -> dict[str, Any]:
    """One Blender property for each number, switch or text of a Config; nested Configs are laid flat.

    `skip` names the fields that are declared by hand; a field that says no text is none that a person sets.
    Such settings hold for the whole run, hence not animatable.
    """
    made: dict[str, Any] = {}
    choices = choices_of(config)
    for item in fields(config):
        if item.name in skip:
            continue
        default = default_of(item)
        if is_dataclass(default):
            nested = properties_of(type(default), skip, update)
            twice = set(made) & set(nested)
            if twice:
                raise ValueError(f"Two settings are both called {sorted(twice)[0]!r}; rename one of them.")
            made |= nested
            continue
        prop = _property(item, default, update, choices.get(item.name, ())) if item.metadata.get("text") else None
        if prop is not None:
            made[item.name] = prop
    return made


def _property(item: Field[Any], default: Any, update: Any, choices: tuple[str, ...]) -> Any:
    common = {
        "name": label(item.name),
        "description": item.metadata.get("text", ""),
        "options": set(),
        "override": OVERRIDE,
        "update": update,
    }
    if isinstance(default, bool):
        return props.BoolProperty(default=default, **common)
    if isinstance(default, int):
        return props.IntProperty(default=default, **_limits(item), **common)
    if isinstance(default, float):
        subtype, unit = _UNITS.get(item.metadata.get("unit", ""), ("NONE", "NONE"))
        said = _SAID.get(item.metadata.get("unit", ""))
        if said:
            common["name"] += f" ({said})"
        return props.FloatProperty(default=default, subtype=subtype, unit=unit, precision=3, **_limits(item), **common)
    if choices:
        items = [(choice, label(choice.lower()), "") for choice in choices]
        return props.EnumProperty(items=items, default=default, **common)
    if isinstance(default, str):
        return props.StringProperty(default=default, **common)
    return None


def _limits(item: Field[Any]) -> dict[str, Any]:
    """The declared range as soft and hard limits: outside of it the core gives no promise."""
    low, high = item.metadata.get("low"), item.metadata.get("high")
    limits: dict[str, Any] = {}
    if low is not None:
        limits |= {"min": low, "soft_min": low}
    if high is not None:
        limits |= {"max": high, "soft_max": high}
    return limits


def config_from(config: type, settings: Any, given: dict[str, Any]) -> Any:
    """The Config that a property group states; `given` are the values of the fields declared by hand."""
    values: dict[str, Any] = {}
    for item in fields(config):
        default = default_of(item)
        if item.name in given:
            values[item.name] = given[item.name]
        elif is_dataclass(default):
            values[item.name] = config_from(type(default), settings, given)
        elif hasattr(settings, item.name):
            value = type(default)(getattr(settings, item.name))
            # Only a script can set what is no number; nothing would walk with it.
            values[item.name] = default if isinstance(value, float) and not isfinite(value) else value
    return config(**values)
