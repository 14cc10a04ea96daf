"""Falls that are not recorded are computed before a render in background begins: nobody is there to press Simulate."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.types import Scene

from .fall_live import may_have_fallen
from .roster import roster
from .simulate import fill_steps, finished


@persistent
def on_render_init(scene: Scene, _argument: Any = None) -> None:
    """Compute what is missing, up to the end of the range."""
    if not bpy.app.background:
        return
    for obj in roster.previewed(scene):
        if may_have_fallen(obj):
            finished(fill_steps(obj, max(scene.frame_end, scene.frame_current)))


def register() -> None:
    """Listen to renders, once."""
    unregister()
    bpy.app.handlers.render_init.append(on_render_init)


def unregister() -> None:
    """Listen no more."""
    listed = bpy.app.handlers.render_init
    for old in [item for item in listed if _is_ours(item)]:
        listed.remove(old)


def _is_ours(item: Any) -> bool:
    return getattr(item, "__module__", "") == __name__ and getattr(item, "__name__", "") == on_render_init.__name__
