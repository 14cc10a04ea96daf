"""What the panel shows of a rig that is followed as the base motion."""

from __future__ import annotations

from typing import Any

from bpy.types import UILayout

from ..texts import text
from .wrapping import lines


def draw_followed(layout: UILayout, settings: Any) -> None:
    """The rig, where it begins, how far it goes, what its feet do, and what they cannot know."""
    layout.prop(settings, "source")
    if settings.source is None:
        lines(layout, text("no_source"), "ERROR")
    for name in ("source_start", "source_travel", "source_rests", "source_feet"):
        layout.prop(settings, name, text=text(name))
    if settings.source_feet != "FREE":
        layout.prop(settings, "source_release", text=text("source_release"))
        lines(layout, text("live_feet"), "INFO")
