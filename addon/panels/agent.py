"""What an agent wants, in the sidebar under its director."""

from __future__ import annotations

from typing import Any

from bpy.types import UILayout

from ..texts import text
from .wrapping import lines


def draw_agent(layout: UILayout, settings: Any) -> None:
    """Only what has an effect as things are."""
    agent = settings.agent
    layout.prop(agent, "enabled")
    column = layout.column()
    column.active = agent.enabled
    column.prop(agent, "moves")
    column.prop(agent, "velocity" if agent.moves == "VELOCITY" else "position")
    column.prop(agent, "turns")
    if agent.turns:
        column.prop(agent, "heading")
    column.prop(agent, "activity")
    column.prop(agent, "has_look_at")
    if agent.has_look_at:
        column.prop(agent, "look_at_object")
        if agent.look_at_object is None:
            column.prop(agent, "look_at")
    column.prop(agent, "flee_object")
    if agent.flee_object is None:
        column.prop(agent, "flee_from")
    column.prop(settings, "safe_distance")
    lines(column, text("agent_keyed"), "INFO")
