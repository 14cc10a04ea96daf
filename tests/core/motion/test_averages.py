"""A track without what repeats in it: exact for whole strides, also at the ends, and no overshoot where one stops."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.motion.averages import goes_on_evenly, way_without_strides, without_strides

STRIDE = 30.0
FRAMES = np.arange(91.0)
SWAY = 0.04 * np.sin(2 * np.pi * FRAMES / STRIDE) + 0.01 * np.cos(6 * np.pi * FRAMES / STRIDE)


def test_a_way_with_sway_becomes_straight_up_to_its_ends():
    smooth = without_strides(0.05 * FRAMES + SWAY, STRIDE)
    assert np.abs(np.diff(smooth, 2)).max() < 1e-4
    assert smooth[-1] - smooth[0] == pytest.approx(0.05 * 90, rel=0.01)


def test_a_stride_between_two_frames_is_averaged_as_exactly():
    sway = 0.04 * np.sin(2 * np.pi * FRAMES / 28.6)
    assert np.abs(without_strides(sway, 28.6)).max() < 0.04 * 0.02


def test_a_straight_line_stays_one():
    line = np.stack([0.3 * FRAMES, 2.0 - FRAMES], axis=-1)
    for ends in ((True, True), (False, True), (False, False)):
        assert without_strides(line, STRIDE, ends) == pytest.approx(line, abs=1e-12)


def test_towards_an_end_that_stops_nothing_is_overshot():
    stops = np.minimum(FRAMES, 60.0)
    assert without_strides(stops, STRIDE, (False, False)).max() <= 60.0
    assert without_strides(stops, STRIDE, (False, False))[[0, -1]].tolist() == [0.0, 60.0]


def test_one_that_walks_on_goes_on_and_one_that_stops_does_not():
    way = np.stack([0.05 * FRAMES, SWAY], axis=-1)
    assert goes_on_evenly(way, STRIDE, 0.1) == (True, True)
    stops = np.stack([0.05 * np.minimum(FRAMES, 75.0), SWAY], axis=-1)
    assert goes_on_evenly(stops, STRIDE, 0.1) == (True, False)
    assert goes_on_evenly(stops[::-1], STRIDE, 0.1) == (False, True)


def test_a_way_in_a_bend_stays_in_it_up_to_its_ends():
    angle = 0.01 * FRAMES
    places = np.column_stack([3.0 * np.cos(angle), 3.0 * np.sin(angle), 0.0 * angle])
    smooth, heading = way_without_strides(places, angle, STRIDE)
    assert heading == pytest.approx(angle, abs=1e-9)
    assert np.linalg.norm(smooth, axis=-1) == pytest.approx(np.full(91, 3.0), abs=0.02)
    assert np.unwrap(np.arctan2(smooth[:, 1], smooth[:, 0])) == pytest.approx(angle, abs=1e-3)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_frames_are_taken_as_they_are_or_averaged_without_complaint(count: int):
    rows = np.arange(float(count))
    assert without_strides(rows, 10.0) == pytest.approx(rows)
    assert goes_on_evenly(np.zeros((count, 2)), 10.0, 0.1) in {(False, False), (True, True)}
