"""Operators that may take long: at once from scripts and in background, with progress and Esc in a window."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import bpy
from bpy.types import Context, Event

from ..changes import Walk
from ..fall_record import recorded
from ..refusal import RefusedError
from ..texts import text

SLICE = 0.05
Job = Generator[float, None, Any]


class LongJob:
    """A mixin: `job` gives a generator of shares done (0 to 1) that changes no data-block before it ends."""

    # Whom it works on, for the last sentence: while the window stays alive, another object may become the active one.
    who = ""
    _job: Job | None = None
    _timer: Any = None
    _recorded: tuple[tuple[int, int], ...] = ()

    def job(self, context: Context) -> Job:
        """The work; refusals are raised before the first step."""
        raise NotImplementedError

    def done(self, result: Any) -> str:
        """The sentence to show for what the work returned."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """All of it, now."""
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        try:
            job = self.job(context)
            while True:
                manager.progress_update(next(job))
        except StopIteration as end:
            return self._finished(end.value)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        finally:
            manager.progress_end()

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """In slices between which the window stays alive."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._recorded = recorded()
        try:
            self._job = self.job(context)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """One slice for each tick of the timer; Esc ends it."""
        if event.type == "ESC":
            self._end(context)
            self.report({"INFO"}, text("cancelled"))
            return {"CANCELLED"}
        if event.type != "TIMER" or bpy.app.is_job_running("RENDER"):
            # While physics has a body, an undo or another file would take it away in the middle of a step.
            return {"RUNNING_MODAL"} if Walk.physics else {"PASS_THROUGH"}
        try:
            share = self._slice()
        except StopIteration as end:
            self._end(context)
            if "UNDO" not in self.bl_options and self._recorded != recorded():
                # It computed frames, which is no step to undo, and recorded falls, which is one.
                bpy.ops.ed.undo_push(message=self.bl_label)
            return self._finished(end.value)
        except RefusedError as refusal:
            self._end(context)
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        except Exception:
            self._end(context)
            raise
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(f"{self.bl_label}: {share:.0%}. Esc cancels.")
        return {"RUNNING_MODAL"}

    def cancel(self, context: Context) -> None:
        """Blender ends it: another file is opened, the window is closed."""
        self._end(context)

    def _slice(self) -> float:
        until = perf_counter() + SLICE
        share = next(self._job)
        while perf_counter() < until:
            share = next(self._job)
        return share

    def _end(self, context: Context) -> None:
        """Timer, pointer and status line as they were; the work is dropped wherever it was."""
        if self._job is None:
            return
        self._job.close()
        manager = context.window_manager
        manager.event_timer_remove(self._timer)
        manager.progress_end()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        self._job = self._timer = None

    def _finished(self, result: Any) -> set[str]:
        self.report({"INFO"}, self.done(result))
        return {"FINISHED"}
