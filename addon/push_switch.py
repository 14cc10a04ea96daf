"""What happens when pushing is switched: what pushes is made with the frame that is shown, or taken away."""

from __future__ import annotations

import bpy
from bpy.types import Object

from . import pushers
from .body_properties import Pushing
from .timeline import show_frame


def pushing_switched(obj: Object) -> None:
    """Pushing was switched on or off for a character."""
    scene = bpy.context.scene
    if not obj.surefoot.push_bodies:
        pushers.remove(obj)
    elif obj.surefoot.preview and scene is not None:
        show_frame(scene)


def register() -> None:
    """Listen to the setting."""
    Pushing.switched = pushing_switched


def unregister() -> None:
    """Do not any more."""
    Pushing.switched = None
