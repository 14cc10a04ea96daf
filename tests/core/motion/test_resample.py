"""Other rates: exact times however long a clip is, turns on the shorter way, ends that are not passed."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.motion.resample import places_at, sampling, turns_at
from surefoot.core.space.quaternions import about


@pytest.mark.parametrize("target", [24.0, 30.0, 60000.0 / 1001.0, 60.0, 120.0, 7.3])
def test_sample_k_is_at_k_over_the_rate_to_the_last_bit(target: float):
    plan = sampling(1.0, 1.0 + 24.0 * 600.0, source=24.0, target=target, scene=24.0)
    k = np.arange(len(plan.times))
    assert np.abs((plan.times - 1.0) / 24.0 - k / target).max() < 1e-9
    assert np.abs((plan.frames - 1.0) / 24.0 - k / target).max() < 1e-9
    assert plan.times[-1] <= 1.0 + 24.0 * 600.0
    assert 0.0 <= plan.rest < 1.0 / target


def test_whole_steps_reach_the_last_frame():
    plan = sampling(1.0, 49.0, source=24.0, target=30.0, scene=24.0)
    assert len(plan.times) == 61
    assert plan.times[-1] == 49.0
    assert plan.rest == pytest.approx(0.0, abs=1e-12)


def test_a_clip_of_120_a_second_plays_at_its_own_speed_in_a_scene_of_24():
    plan = sampling(1.0, 241.0, source=120.0, target=30.0, scene=24.0)
    assert len(plan.times) == 61
    assert plan.times[:3].tolist() == [1.0, 5.0, 9.0]
    assert plan.frames[-1] == pytest.approx(1.0 + 2.0 * 24.0)


def test_a_turn_between_two_samples_is_on_the_great_arc():
    axis = np.array([0.0, 0.6, 0.8])
    known = about(axis, np.array([0.0, 1.0])) * [[1.0], [-1.0]]
    found = turns_at(known, np.array([3.0, 5.0]), np.array([3.0, 3.5, 5.0, 9.0]))
    wanted = about(axis, np.array([0.0, 0.25, 1.0, 1.0]))
    assert np.abs(np.sum(found * wanted, axis=-1)) == pytest.approx(np.ones(4), abs=1e-12)
    assert np.sum(found[1:] * found[:-1], axis=-1).min() > 0.0


def test_several_bones_at_once_and_one_sample_alone():
    rows = about(np.tile([0.0, 0.0, 1.0], (2, 3, 1)), np.array([[0.0, 0.1, 0.2], [0.4, 0.5, 0.6]]))
    middle = turns_at(rows, np.array([0.0, 1.0]), np.array([0.5]))
    assert 2.0 * np.arctan2(middle[0, :, 3], middle[0, :, 0]) == pytest.approx([0.2, 0.3, 0.4])
    assert turns_at(rows[:1], np.array([0.0]), np.array([0.0, 2.0])).shape == (2, 3, 4)


def test_places_are_on_straight_lines():
    found = places_at(np.array([[0.0, 0.0], [2.0, 4.0]]), np.array([1.0, 3.0]), np.array([0.0, 1.5, 4.0]))
    assert found.tolist() == [[0.0, 0.0], [0.5, 1.0], [2.0, 4.0]]


def test_a_rate_of_nothing_is_refused():
    with pytest.raises(ValueError, match="more than no frames"):
        sampling(1.0, 2.0, source=24.0, target=0.0, scene=24.0)
