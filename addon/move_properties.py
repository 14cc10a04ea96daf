"""The Actions of a character for moves that no gait has, one each: settings that are declared by hand."""

from __future__ import annotations

import bpy
from bpy import props
from bpy.types import PropertyGroup

from .config_properties import OVERRIDE
from .declared import declared, pointer

MOVE_CLIPS = {
    "vault": ("VAULT", "Vault"),
    "climb_low": ("CLIMB LOW", "Climb, Low"),
    "climb_high": ("CLIMB HIGH", "Climb, High"),
    "hang": ("HANG", "Hang"),
    "shimmy_left": ("SHIMMY LEFT", "Shimmy Left"),
    "shimmy_right": ("SHIMMY RIGHT", "Shimmy Right"),
    "leap_left": ("LEAP LEFT", "Leap Left"),
    "leap_right": ("LEAP RIGHT", "Leap Right"),
    "leap_up": ("LEAP UP", "Leap Up"),
    "jump_back": ("JUMP_BACK", "Jump Back"),
    "wall_run_left": ("WALL_RUN LEFT", "Wall Run, Wall Left"),
    "wall_run_right": ("WALL_RUN RIGHT", "Wall Run, Wall Right"),
    "wall_jump_left": ("WALL_JUMP LEFT", "Wall Jump, Wall Left"),
    "wall_jump_right": ("WALL_JUMP RIGHT", "Wall Jump, Wall Right"),
    "slide": ("SLIDE", "Slide"),
    "roll": ("ROLL", "Roll"),
}
"""By property: what a clip is of as the core has it, a move or one of its variants; and its name in the panel."""


class SUREFOOT_PG_moves(PropertyGroup):
    """The Actions of a character's moves."""

    __annotations__ = {
        "by_name": declared(
            props.BoolProperty,
            "Find by Name",
            "Where no Action is chosen, take one that is called as the usual animation libraries call it (SafetyVault, "
            "ClimbUp_1m, Hang_Idle ...) and moves this armature; else the move has a pose of its own",
            default=True,
        ),
        **{
            name: pointer(
                bpy.types.Action,
                title,
                "The Action that is posed by how much of this move is done, its way up and down taken out; empty: one "
                "found by its name, else a pose of its own",
            )
            for name, (_, title) in MOVE_CLIPS.items()
        },
    }


MOVES_OWN = {
    "moves": props.PointerProperty(
        type=SUREFOOT_PG_moves, name="Moves", description="Actions for moves that no gait has", override=OVERRIDE
    ),
}


def register() -> None:
    """Declare the group."""
    bpy.utils.register_class(SUREFOOT_PG_moves)


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_class(SUREFOOT_PG_moves)
