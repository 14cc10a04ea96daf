"""Keys that are edited from a frame on: what is known of a character before it holds.

Where ground moves, inputs cannot be compared frame by frame, and an edited curve voids all; a take, or an order, would
have to be computed anew from its beginning, further than a timeline does while it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bpy.types import Object

from .changes import hints
from .pad import PAD
from .performers import performers
from .saved_state import curves_of
from .simulate import scene_of
from .timeline import settle

WATCHED = ("gait", "sent", *PAD)
"""The settings that may be keyed this way: which of them are is a matter of the whole run."""


@contextmanager
def edits_from(obj: Object, frame: int, goal: Object | None = None, *, at_once: bool = False) -> Iterator[None]:
    """Edit keys of a character from a frame on, or of its goal, if that was its goal before. What is known from there
    on is forgotten when a frame is shown next, or `at_once`.
    """
    scene, were = scene_of(obj), _kept(obj)
    settle(scene)
    curves, touched = hints.curves, dict(hints.objects)
    yield
    action = obj.animation_data.action
    action.update_tag()
    settle(scene)
    performer = performers.get(obj.session_uid)
    alone = action.users - action.use_fake_user == 1
    if performer is None or not alone or _kept(obj) != were:
        return
    hints.curves = curves
    if goal is not None and goal.session_uid not in touched:
        hints.objects.pop(goal.session_uid, None)
    if at_once:
        performer.cache.drop_from(frame)
    else:
        hints.stale[obj.session_uid] = min(frame, hints.stale.get(obj.session_uid, frame))


def _kept(obj: Object) -> tuple[Object | None, list[bool]]:
    """The goal, and which of the settings have a curve."""
    animation = obj.animation_data
    curves = curves_of(animation.action, animation.action_slot) if animation is not None else ()
    paths = {curve.data_path for curve in curves}
    return obj.surefoot.goal, [f"surefoot.{name}" in paths for name in WATCHED]
