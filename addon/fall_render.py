"""Falls that are not recorded are computed before a render in background begins: nobody is there to press Simulate."""

from __future__ import annotations

import bpy

from .changes import hints
from .fall_live import may_have_fallen
from .roster import roster
from .simulate import fill_steps, finished


def compute_falls() -> None:
    """Compute what is missing, up to the end of each scene's range."""
    if not bpy.app.background:
        return
    for scene in list(bpy.data.scenes):
        for obj in roster.previewed(scene):
            if may_have_fallen(obj):
                finished(fill_steps(obj, max(scene.frame_end, scene.frame_current)))


def register() -> None:
    """Be asked before a render, once."""
    hints.before_render[:] = [compute_falls]


def unregister() -> None:
    """Be asked no more."""
    hints.before_render.clear()
