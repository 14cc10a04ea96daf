"""What somebody touched since it was last looked at: hints, gathered cheaply; values decide later what they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import bpy


class Walk:
    """`busy` while the timeline is walked, or an Action is sampled: our own handlers stand aside then. `physics` counts
    the bodies that physics has.
    """

    busy = False
    physics = 0


@dataclass
class Hints:
    """Marks set by property callbacks and by the depsgraph; the timeline takes them before it fills or shows.

    cast: objects came or went; scene: objects were linked, hidden or shown; rigs: a rest pose may have changed;
    curves: an Action was edited; objects: identities of objects that were moved or reshaped, in order. `taken` counts
    how often any of the last four were taken, `undone` how often a step was undone or redone, or a file loaded. `ours`
    are identities of objects that only we move, and none stands on. `stale` says from which frame on keys of a
    character were edited, by its identity; `falls` are characters of whose falling something was set; `before_undo` is
    called before a step is undone, `before_render` before a render begins.
    """

    cast: bool = True
    scene: bool = True
    rigs: bool = False
    curves: bool = False
    objects: dict[int, None] = field(default_factory=dict)
    taken: int = 0
    ours: set[int] = field(default_factory=set)
    stale: dict[int, int] = field(default_factory=dict)
    falls: dict[int, None] = field(default_factory=dict)
    undone: int = 0
    before_undo: list[Callable[[], None]] = field(default_factory=list)
    before_render: list[Callable[[], None]] = field(default_factory=list)
    listeners: list[Callable[[], None]] = field(default_factory=list)

    def any_edit(self) -> bool:
        """True where something was touched that a character may depend on."""
        return self.scene or self.rigs or self.curves or bool(self.objects) or bool(self.stale or self.falls)

    def everything(self) -> None:
        """A file was loaded or a step undone: look at all again."""
        self.cast = self.scene = self.rigs = self.curves = True

    def announce(self) -> None:
        """Tell who waits for work (the timer that fills in slices)."""
        for listener in self.listeners:
            listener()


hints = Hints()


def redraw_panels() -> None:
    """Ask the 3D views to draw their panels and overlays again; nothing in background."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
