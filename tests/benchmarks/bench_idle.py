"""What Surefoot takes of a file that does not use it, and of a panel that is drawn."""

from __future__ import annotations

import statistics

import bpy
from support.bench_stage import HandlerClock, hills, milliseconds, walker


class Pen:
    """A layout that draws nothing: it answers to whatever a panel calls, so that a panel's own cost can be timed."""

    def __getattr__(self, name: str) -> object:
        return self._drawn

    def _drawn(self, *_arguments: object, **_settings: object) -> Pen:
        return self


class Drawn:
    """Stands in for a panel while it is drawn."""

    def __init__(self) -> None:
        self.layout = Pen()


def bench_nobody_walks() -> dict[str, float]:
    """All handlers of a frame in a file without a character: at most 100 us."""
    hills()
    for k in range(300):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(f"Empty {k}", None))
    with HandlerClock() as clock:
        times = clock.frames(range(1, 300))
    return {"handlers without a character, us a frame (at most 100)": statistics.median(times) * 1000.0}


def bench_panels() -> dict[str, float]:
    """All panels of the tab drawn once for a character: under a millisecond (Blender's own drawing left out)."""
    from surefoot.addon.panels import sidebar

    hills()
    walker("Rigify human")
    panels = sidebar.PANELS

    def draw_all() -> None:
        for panel in panels:
            if panel.poll(bpy.context):
                panel.draw(Drawn(), bpy.context)

    return {"all panels drawn, us (under 1,000)": milliseconds(draw_all, 200) * 1000.0}
