"""What somebody touched since it was last looked at: hints by `session_uid`, gathered cheaply, judged by values later."""

from __future__ import annotations

from collections.abc import Callable

import bpy


class Hints:
    """Marks set by property callbacks and by the depsgraph; the timeline takes them before it fills or shows."""

    def __init__(self) -> None:
        self._settings: dict[int, None] = {}
        self.scene = False
        self.inputs = False
        self.rests = False
        self.cast = True
        self.listeners: list[Callable[[], None]] = []

    def settings_of(self, uid: int) -> None:
        """A setting of this character was changed by its property callback."""
        self._settings[uid] = None
        self.listen()

    def take_settings(self) -> tuple[int, ...]:
        """The characters whose settings changed, once."""
        taken = tuple(self._settings)
        self._settings.clear()
        return taken

    def everything(self) -> None:
        """A file was loaded, or something that nobody announced in detail: look at all again."""
        self.scene = self.inputs = self.rests = self.cast = True

    def listen(self) -> None:
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
