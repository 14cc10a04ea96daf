"""What a driven body is told, and how it reads the level: settings that are declared by hand."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from bpy import props

from ..core.character import CharacterConfig
from ..core.parkour_presets import USUAL, parkour_tables
from .config_properties import OVERRIDE
from .declared import declared, pressed, pushed, settings_changed

TEXTS = {item.name: item.metadata.get("text", "") for item in fields(CharacterConfig)}


def known_parkour(_settings: Any, _context: Any, typed: str) -> list[str]:
    """The presets that the numbers of parkour can be of."""
    return [name for name in parkour_tables() if typed.upper() in name]


PARKOUR_OWN = {
    "input_x": pushed("X", "Where to go while the director is Input: how much along X of the world. Can be keyed"),
    "input_y": pushed("Y", "How much along Y of the world. The length of both, up to 1, is a share of the speed"),
    "input_jump": pressed("Jump", "Jump when this goes on, from the ground; for a body with a shape. Can be keyed"),
    "input_crouch": pressed("Crouch", "Crouch, at a lower speed; for a body with a shape. Can be keyed"),
    "input_sprint": pressed("Sprint", "Go faster by the sprint factor. Can be keyed"),
    "input_go_up": pressed(
        "Go Up", "Vault, climb or jump when this goes on, as what is ahead lets it; with Parkour. Can be keyed"
    ),
    "parkour": declared(props.BoolProperty, "Parkour", TEXTS["parkour"]),
    "surroundings": props.BoolProperty(
        name="Show Surroundings",
        description="Draw what the body sees ahead into the 3D view, while the preview is on: rays, faces, tops, room, "
        "and what it could do there, or why it cannot",
        options=set(),
        override=OVERRIDE,
    ),
    "parkour_preset": props.StringProperty(
        name="Parkour Numbers",
        description=TEXTS["parkour_preset"],
        default=USUAL,
        search=known_parkour,
        options=set(),
        override=OVERRIDE,
        update=settings_changed,
    ),
}
