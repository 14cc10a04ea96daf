"""The trend of real clips: it goes where feet go, and nowhere where nobody travels."""

from __future__ import annotations

import numpy as np
import pytest
from support.real_clips import load_clip
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.loops import rest_middle
from surefoot.core.motion.support import Support, support_of


def read(name: str) -> tuple[Clip, Support, np.ndarray]:
    """A clip, its trend, and its body's way, (F, 3)."""
    clip = load_clip(name)
    if clip is None:
        pytest.skip(f"The clip {name} was not sampled from the shared data.")
    return clip, support_of(clip), clip.place(clip.rig.body, rest_middle(clip))


# How far a body gets from its trend, in legs: a run leans far into its bends.
NEAR = {"Walk1": 0.25, "cmu_12_01": 0.25, "WalkTurns1": 0.25, "Jog1": 0.35, "Run1": 0.65}


@pytest.mark.parametrize("name", NEAR)
def test_a_body_stays_near_the_trend_that_it_travels_along(name: str):
    clip, support, body = read(name)
    assert np.ptp(body[:, :2], axis=0).max() > 1.5
    assert np.ptp((body - support.track[:, :3])[:, :2], axis=0).max() < NEAR[name] * clip.rig.leg_length


@pytest.mark.parametrize("name", ["Walk1", "cmu_12_01", "WalkTurns1", "Jog1", "Run1", "jump", "cmu_001_01"])
def test_on_level_ground_the_trend_is_level(name: str):
    _, support, _ = read(name)
    assert np.ptp(support.track[:, 2]) == 0.0


def test_a_jump_onto_a_box_and_down_lifts_the_trend_by_its_height():
    _, support, _ = read("Jumps1")
    assert np.ptp(support.track[:, 2]) == pytest.approx(0.48, abs=0.02)


@pytest.mark.parametrize("name", ["get_up", "idle", "fox_walk", "horse_trot", "human_walk"])
def test_what_does_not_travel_has_no_trend(name: str):
    _, support, _ = read(name)
    assert np.ptp(support.track[:, :2], axis=0).max() < 1e-3


def test_a_loop_goes_evenly():
    _, support, _ = read("stealthy_walk")
    assert support.closed
    assert np.abs(np.diff(support.track[:, :2], 2, axis=0)).max() < 1e-9
