"""What a character is told by hand: read from its settings as they are shown, or from their keys at any frame."""

from __future__ import annotations

import bpy

from ..core.control.intent import NO_PAD, Pad
from .keyed_values import keyed_value
from .roster import director_of

PAD = ("input_x", "input_y", "input_jump", "input_crouch", "input_sprint", "input_go_up")
"""The settings that a pad is made of, in the order of its fields."""


def shown_pad(ob: bpy.types.Object, evaluated: bpy.types.Object) -> Pad:
    """The pad of the frame that the evaluated object is of; nothing is pressed for a director that does not ask."""
    if director_of(ob) != "INPUT":
        return NO_PAD
    settings = evaluated.surefoot
    return Pad(*(getattr(settings, name) for name in PAD))


def keyed_pad(ob: bpy.types.Object, at: float) -> Pad:
    """The pad at a time of the object's curves."""
    if director_of(ob) != "INPUT":
        return NO_PAD
    x, y, *pressed = (keyed_value(ob, f"surefoot.{name}", 0, at, float(getattr(ob.surefoot, name))) for name in PAD)
    return Pad(x, y, *(value >= 0.5 for value in pressed))


def lerp_pad(before: Pad, after: Pad, share: float) -> Pad:
    """Between two frames: what is pushed goes over, what is pressed is until the next frame."""
    x, y = (a + (b - a) * share for a, b in zip(before[:2], after[:2], strict=True))
    return before._replace(x=x, y=y)
