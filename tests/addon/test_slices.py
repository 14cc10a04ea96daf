"""A far jump in a viewport is ticked by a timer, a moment at a time; how the moments fall changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from support.stage import previewed_person
from surefoot.addon import timeline
from surefoot.addon.performers import performers

END = 96


@pytest.fixture(autouse=True)
def viewport(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a window: handlers fill no further than their bound."""
    monkeypatch.setattr(timeline, "bounded", lambda: True)
    monkeypatch.setattr(timeline, "PLAIN_BOUND", 10)


def ticks_of_a_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """A clock that goes on by so much each time it is read."""

    def read() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += seconds

    readings = read()
    monkeypatch.setattr(timeline, "perf_counter", lambda: next(readings))


def jumped() -> tuple[bpy.types.Object, int]:
    """A person after a jump that is too far for a handler, and how many slices it took to know the frame."""
    rig = previewed_person()
    bpy.context.scene.frame_end = END
    bpy.context.scene.frame_set(END)
    cache = performers.get(rig.session_uid).cache
    assert cache.reach < END
    slices = 0
    while cache.reach < END:
        before = cache.reach
        timeline._slice()
        slices += 1
        assert cache.reach > before
    return rig, slices


def rows(rig: bpy.types.Object) -> np.ndarray:
    cache = performers.get(rig.session_uid).cache
    return np.array([cache.get(frame).row for frame in range(1, END + 1)])


def test_a_slice_goes_on_as_long_as_there_is_time(monkeypatch: pytest.MonkeyPatch):
    ticks_of_a_clock(monkeypatch, 0.0)
    assert jumped()[1] == 1


def test_a_slice_ends_with_the_frame_in_which_its_time_is_up(monkeypatch: pytest.MonkeyPatch):
    ticks_of_a_clock(monkeypatch, timeline.SLICE_SECONDS / 7.5)
    rig, slices = jumped()
    assert slices == pytest.approx(END / 8, abs=1.0)
    assert performers.get(rig.session_uid).cache.frames == tuple(range(1, END + 1))


def test_a_slice_ticks_one_frame_at_least(monkeypatch: pytest.MonkeyPatch):
    ticks_of_a_clock(monkeypatch, 10.0)
    assert jumped()[1] == pytest.approx(END, abs=1.0)


def test_how_the_slices_fall_changes_no_frame(monkeypatch: pytest.MonkeyPatch):
    ticks_of_a_clock(monkeypatch, timeline.SLICE_SECONDS / 7.5)
    rig, _ = jumped()
    sliced = rows(rig)
    performers.clear()
    ticks_of_a_clock(monkeypatch, 0.0)
    monkeypatch.setattr(timeline, "PLAIN_BOUND", END)
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(END)
    assert np.array_equal(rows(rig), sliced)


def test_the_way_to_the_frame_is_seen_once_a_second_and_the_frame_itself_at_once(monkeypatch: pytest.MonkeyPatch):
    shown, seconds = [], 0.1
    monkeypatch.setattr(timeline, "redraw_panels", lambda: shown.append(bpy.context.scene.frame_current))
    monkeypatch.setattr(timeline.Running, "next_show", 0.0)
    ticks_of_a_clock(monkeypatch, seconds)
    rig, slices = jumped()
    # A slice reads the clock three times: as it begins, after its one frame, and to see whether to show.
    assert shown.count(END) == pytest.approx(slices * 3 * seconds, rel=0.2)
    assert rig.location.y == pytest.approx(-1.4 * (END - 1) / 24, abs=0.5)
