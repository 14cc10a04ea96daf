"""Long jobs in a window: whichever way one ends, timer, pointer, status line and file are as they were."""

from __future__ import annotations

from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.stage import channel_values, previewed_person
from surefoot.addon.bake import BakeOptions, bake_steps
from surefoot.addon.operators import long_job
from surefoot.addon.operators.bake import SUREFOOT_OT_bake
from surefoot.addon.operators.simulate import SUREFOOT_OT_simulate
from surefoot.addon.refusal import RefusedError


class Window:
    """What a job asks of a window's context, written down."""

    def __init__(self) -> None:
        self.timers: list[object] = []
        self.progress = 0
        self.status: str | None = None
        self.window_manager = self.workspace = self
        self.window = self.scene = SimpleNamespace()

    def event_timer_add(self, _seconds: float, window: object) -> object:
        assert window is self.window
        self.timers.append(object())
        return self.timers[-1]

    def event_timer_remove(self, timer: object) -> None:
        self.timers.remove(timer)

    def progress_begin(self, _low: float, _high: float) -> None:
        self.progress += 1

    def progress_end(self) -> None:
        self.progress -= 1

    def progress_update(self, _share: float) -> None:
        assert self.progress == 1

    def modal_handler_add(self, _operator: object) -> None:
        """The window calls `modal` from here on."""

    def status_text_set(self, line: str | None) -> None:
        self.status = line

    def is_as_before(self) -> bool:
        return (self.timers, self.progress, self.status) == ([], 0, None)


class Counting(long_job.LongJob):
    """A job without end that can be told to fail."""

    bl_label = "Counting"

    def __init__(self) -> None:
        self.reports: list[str] = []
        self.is_closed = False
        self.failure: Exception | None = None

    def report(self, _kind: set[str], line: str) -> None:
        self.reports.append(line)

    def job(self, _context: Any) -> Generator[float, None, int]:
        try:
            while True:
                yield 0.5
                if self.failure is not None:
                    raise self.failure
        finally:
            self.is_closed = True


def event(kind: str) -> SimpleNamespace:
    return SimpleNamespace(type=kind)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    """A window, and a Blender that is not in background; each slice of a job is one step."""
    app = SimpleNamespace(background=False, is_job_running=lambda _kind: False)
    monkeypatch.setattr(long_job, "bpy", SimpleNamespace(app=app))
    monkeypatch.setattr(long_job, "SLICE", 1e-9)
    return Window()


@pytest.fixture
def job(window: Window) -> Counting:
    """A job that has begun."""
    made = Counting()
    assert made.invoke(window, event("LEFTMOUSE")) == {"RUNNING_MODAL"}
    assert made.modal(window, event("TIMER")) == {"RUNNING_MODAL"}
    assert not window.is_as_before()
    return made


def test_esc_ends_the_job_and_says_so(job: Counting, window: Window):
    assert job.modal(window, event("ESC")) == {"CANCELLED"}
    assert window.is_as_before()
    assert job.is_closed
    assert job.reports == ["Cancelled. Nothing was changed; the frames computed so far are known."]


@pytest.mark.parametrize("workspace", [True, False])
def test_a_job_that_blender_cancels_puts_everything_back_once(job: Counting, window: Window, workspace: bool):
    if not workspace:
        window.workspace, window.status = None, None
    job.cancel(window)
    job.cancel(window)
    assert window.is_as_before()
    assert job.is_closed


def test_a_job_that_fails_puts_everything_back_and_is_heard_of(job: Counting, window: Window):
    job.failure = ZeroDivisionError("no")
    with pytest.raises(ZeroDivisionError):
        job.modal(window, event("TIMER"))
        job.modal(window, event("TIMER"))
    assert window.is_as_before()


def test_what_is_refused_before_the_first_step_is_a_sentence_in_a_window_too(window: Window):
    class Refused(Counting):
        def job(self, _context: Any) -> Generator[float, None, int]:
            raise RefusedError("Hero is in Edit Mode. Leave it first.")

    made = Refused()
    assert made.invoke(window, event("LEFTMOUSE")) == {"CANCELLED"}
    assert made.reports == ["Hero is in Edit Mode. Leave it first."]
    assert window.is_as_before()


@pytest.mark.parametrize("operator", [SUREFOOT_OT_bake, SUREFOOT_OT_simulate])
def test_blender_finds_the_cancel_of_every_operator_that_may_take_long(operator: type):
    assert operator.cancel is long_job.LongJob.cancel


def test_a_bake_that_is_dropped_half_way_has_changed_nothing():
    rig = previewed_person()
    bpy.context.scene.frame_set(7)
    before = channel_values(rig).tolist()
    steps = bake_steps(rig, BakeOptions(1, 60))
    assert 0.0 < next(steps) < 1.0
    steps.close()
    assert bpy.context.scene.frame_current == 7
    assert channel_values(rig).tolist() == before
    assert len(bpy.data.actions) == 0
    assert rig.animation_data is None
    assert rig.surefoot.preview


def test_the_sentence_at_the_end_names_whom_it_began_with():
    bpy.context.view_layer.objects.active = previewed_person()
    operator = SimpleNamespace(frame_end=12, properties=SimpleNamespace(is_property_set=lambda _name: True))
    SUREFOOT_OT_simulate.job(operator, bpy.context)
    bpy.context.view_layer.objects.active = None
    assert SUREFOOT_OT_simulate.done(operator, 12) == "Person is computed up to frame 12."
