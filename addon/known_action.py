"""Actions by what a person says: a name, or what is playing."""

from __future__ import annotations

import bpy
from bpy.types import Action, Object

from .refusal import RefusedError
from .texts import text


def known_action(name: str) -> Action | None:
    """An Action of the file by its name ("": none); a refusal where there is none of that name."""
    if not name:
        return None
    found = bpy.data.actions.get(name)
    if found is None:
        raise RefusedError(text("gait_unknown_action", action=name))
    return found


def played_action(obj: Object | None) -> Action | None:
    """The Action that an object plays now."""
    animation = obj.animation_data if obj is not None else None
    return animation.action if animation is not None else None
