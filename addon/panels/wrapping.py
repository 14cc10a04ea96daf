"""Sentences in panels: Blender's labels do not wrap, so they are broken where the panel ends."""

from __future__ import annotations

from collections.abc import Callable

import blf
import bpy
from bpy.types import UILayout

FONT = 0
# What of a region's width is not text, in pixels at a scale of 1: tabs, margins, the box, the icon.
MARGINS = 96.0
NARROWEST = 80.0
USUAL = 280.0
LINE_HEIGHT = 0.75


def wrapped(sentence: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """The sentence in lines not wider than `room`; a word that is wider alone has a line of its own."""
    found: list[str] = []
    for word in sentence.split():
        longer = f"{found[-1]} {word}" if found else word
        if found and width_of(longer) <= room:
            found[-1] = longer
        else:
            found.append(word)
    return found


def lines(layout: UILayout, sentence: str, icon: str = "NONE") -> None:
    """A sentence on as many lines as it needs in the region that is drawn, the icon before the first."""
    column = layout.column(align=True)
    column.scale_y = LINE_HEIGHT
    for number, line in enumerate(wrapped(sentence, _room(), _width_of)):
        column.label(text=line, icon=icon if number == 0 or icon == "NONE" else "BLANK1")


def _room() -> float:
    region, scale = bpy.context.region, _scale()
    width = region.width if region is not None else USUAL * scale
    return max(width - MARGINS * scale, NARROWEST * scale)


def _width_of(line: str) -> float:
    style = bpy.context.preferences.ui_styles[0].widget
    blf.size(FONT, style.points * _scale())
    return blf.dimensions(FONT, line)[0]


def _scale() -> float:
    return bpy.context.preferences.system.ui_scale
