"""How a setting is declared that is no field of a Config: overridable, and whoever waits hears that it changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpy import props

from .changes import hints
from .config_properties import OVERRIDE


def settings_changed(_settings: Any, _context: Any) -> None:
    """A property callback: only announce; what it means is found by comparing values."""
    hints.announce()


def declared(kind: Callable[..., Any], name: str, text: str, *, keyed: bool = False, **more: Any) -> Any:
    """A setting of a kind of Blender property; only where it is `keyed` it can be animated."""
    options = {"ANIMATABLE"} if keyed else set()
    options |= set(more.pop("options", ()))
    return kind(name=name, description=text, options=options, override=OVERRIDE, update=settings_changed, **more)


def enum(items: tuple[Any, ...], name: str, text: str, *, keyed: bool = False) -> Any:
    """A choice with fixed numbers."""
    full = [item if len(item) == 5 else (*item[:3], "NONE", item[3]) for item in items]
    return declared(props.EnumProperty, name, text, keyed=keyed, items=full)


def pointer(kind: type, name: str, text: str, poll: Any = None) -> Any:
    """A reference to another data-block, remapped by Blender when things are duplicated."""
    extra = {"poll": poll} if poll else {}
    return props.PointerProperty(
        type=kind, name=name, description=text, override=OVERRIDE, update=settings_changed, **extra
    )


def pressed(name: str, text: str) -> Any:
    """A switch that is keyed: what a person holds down."""
    return declared(props.BoolProperty, name, text, keyed=True)


def pushed(name: str, text: str) -> Any:
    """A number from -1 to 1 that is keyed: how far a stick is pushed."""
    return declared(props.FloatProperty, name, text, keyed=True, min=-1.0, max=1.0)
