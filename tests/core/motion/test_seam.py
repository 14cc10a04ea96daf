"""Seams: what is measured is what is there, and what is closed goes on as it began."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from surefoot.core.motion.root_motion import own_track, track_matrices
from surefoot.core.motion.seam import closed_turns, closed_values, seam_of, steps_on, travel_of_loop, ways_back
from surefoot.core.space.quaternions import about, multiplied, undone

COUNT = 25
TIMES = np.arange(COUNT)
ROUND = np.sin(2 * np.pi * TIMES / (COUNT - 1))


def slopes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The velocity before and after the seam, from three rows each."""
    before, after = np.diff(rows[-3:], axis=0), np.diff(rows[:3], axis=0)
    return 1.5 * before[1] - 0.5 * before[0], 1.5 * after[0] - 0.5 * after[1]


def test_a_closed_loop_is_left_as_it_is():
    assert closed_values(ROUND[:, None], 6.0, 24.0)[:, 0] == pytest.approx(ROUND, abs=0.002)
    assert closed_values(np.ones((COUNT, 2)), 6.0, 24.0) == pytest.approx(np.ones((COUNT, 2)))


def test_an_open_one_ends_as_it_begins_in_place_and_nearly_in_velocity():
    rows = ROUND + 0.2 * (TIMES / 24.0) ** 2
    closed = closed_values(rows[:, None], 8.0, 24.0)[:, 0]
    assert closed[-1] == closed[0]
    before, after = slopes(closed)
    gap = abs(np.subtract(*slopes(rows)))
    assert abs(after - before) < 0.3 * gap
    assert closed[9:16] == pytest.approx(rows[9:16])
    assert closed[0] == pytest.approx(rows[0] + 0.1)


def test_turns_are_closed_the_shorter_way_with_even_signs():
    axis = np.array([0.6, 0.0, 0.8])
    rows = about(np.tile(axis, (COUNT, 1)), 0.5 * ROUND + 0.3 * TIMES / 24.0) * np.where(TIMES % 2, 1.0, -1.0)[:, None]
    closed = closed_turns(rows, 8.0, 24.0)
    assert closed[-1] == pytest.approx(closed[0])
    assert np.sum(closed[1:] * closed[:-1], axis=-1).min() > 0.9
    turned = 2.0 * np.arccos(np.clip(np.abs(np.sum(closed * rows, axis=-1)), 0.0, 1.0))
    assert turned.max() == pytest.approx(0.15, abs=0.02)
    assert turned[9:16].max() < 1e-6


def test_a_whole_spin_in_a_round_stays_one():
    rows = about(np.tile([0.0, 0.0, 1.0], (COUNT, 1)), 2 * np.pi * TIMES / 24.0)
    closed = closed_turns(rows, 6.0, 24.0)
    steps = multiplied(closed[1:], undone(closed[:-1]))
    assert np.sum(2.0 * np.arctan2(steps[:, 3], steps[:, 0])) == pytest.approx(2 * np.pi, abs=1e-6)


def test_the_seam_is_measured_in_metres_radians_and_metres_a_second():
    places = np.zeros((COUNT, 2, 3))
    places[:, 0, 0] = 0.01 * TIMES
    places[-1, 0, 0] = 0.03
    turns = np.zeros((COUNT, 2, 4))
    turns[..., 0] = 1.0
    turns[-1, 1] = about(np.array([0.0, 1.0, 0.0]), np.array(0.2))
    seam = seam_of(places, turns, 24.0)
    assert seam.place == pytest.approx(0.03)
    assert seam.turn == pytest.approx(0.2)
    assert seam.velocity == pytest.approx((0.01 - (0.03 - 0.23)) * 24.0)


@pytest.mark.parametrize("turn", [0.0, 60.0])
def test_travel_is_told_apart_so_that_what_is_left_has_no_way(turn: float):
    angle = radians(turn) * TIMES / 24.0
    way = np.cumsum(np.exp(1j * angle)) - 1.0
    track = np.column_stack([way.real, way.imag, 0.3 * TIMES / 24.0, angle])
    even, brings = travel_of_loop(track, straight=radians(10.0), level=0.05)
    assert brings == pytest.approx(track[-1] - track[0])
    left = own_track(ways_back(even) @ track_matrices(track), np.zeros(3))
    assert left[-1] == pytest.approx(left[0], abs=1e-9)
    assert np.abs(left - left[0]).max() < 0.1


def test_small_turns_and_rises_are_none_that_were_meant():
    track = np.column_stack([TIMES, 0.0 * TIMES, 0.01 * TIMES / 24.0, radians(4.0) * TIMES / 24.0])
    _, brings = travel_of_loop(track, straight=radians(10.0), level=0.05)
    assert brings == pytest.approx([24.0, 0.0, 0.0, 0.0])


def test_a_clip_that_stops_one_frame_early_is_told_from_one_that_does_not():
    places = np.stack([ROUND, np.roll(ROUND[:-1], 5)[[*range(24), 0]], 0.3 * ROUND], axis=-1)[:, None]
    assert steps_on(places[:-1])
    assert not steps_on(places)
    assert not steps_on(places[:-3])
