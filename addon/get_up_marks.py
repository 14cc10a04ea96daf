"""Actions marked as get-ups of a character, and taken out of its list again.

mark_get_up(obj, action)    one more in the list, its moments found where they are not told
get_up_remove(obj, place)   one less
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.types import Action, Object

from ..core.actions.rise_moments import moments_of
from .clip_reading import clip_poses_of, first_frame_of
from .fall_properties import fall_changed
from .performers import reading_of
from .refusal import RefusedError
from .send import scene_to_change
from .texts import text


def mark_get_up(
    obj: Object,
    action: Action,
    lying: float | None = None,
    standing: float | None = None,
    style: str = "ORDINARY",
    air: tuple[float, float] | None = None,
) -> Any:
    """Let a character get up by an Action; returns its entry in the list. Frames are those of the Action.

    Where `lying` or `standing` are not told, the last frame at which the body lies still and the first at which it
    stands are found. Between the two of `air` it is off the floor.
    """
    scene_to_change(obj)
    reading = reading_of(obj, bpy.context.evaluated_depsgraph_get())
    poses = clip_poses_of(obj, reading, action)
    first = first_frame_of(obj, action)
    found = moments_of(reading.rig, poses)
    settings = obj.surefoot
    entry = settings.get_ups.add()
    entry.name, entry.action, entry.style = action.name, action, style
    entry.lying = first + found[0] if lying is None else lying
    entry.standing = first + found[1] if standing is None else standing
    if air is not None:
        entry.leaps, entry.air_from, entry.air_to = True, *air
    settings.active_get_up = len(settings.get_ups) - 1
    fall_changed(settings, None)
    return entry


def get_up_remove(obj: Object, place: int) -> None:
    """Take an Action out of the list; the Action itself stays."""
    scene_to_change(obj)
    settings = obj.surefoot
    if not 0 <= place < len(settings.get_ups):
        raise RefusedError(text("no_get_up_there", name=obj.name, place=place))
    try:
        settings.get_ups.remove(place)
    except TypeError as error:
        # In an override, what the library has can be switched off, but stays.
        raise RefusedError(text("get_up_of_library", name=obj.name)) from error
    settings.active_get_up = max(0, min(place, len(settings.get_ups) - 1))
    fall_changed(settings, None)
