"""A long body over steps, edges and gaps: never under the ground, never too steep, as the ground where that is even."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.gait.lying import STEEPEST, eased, over_ground, rounded_over

WAYS = np.linspace(-0.2, 1.5, 171)
APART = float(WAYS[1] - WAYS[0])
STEP = np.where(WAYS < 0.5, 0.0, 0.2)


def rough(seed: int) -> np.ndarray:
    """Heights without any order."""
    return np.random.default_rng(seed).uniform(0.0, 0.3, len(WAYS))


@pytest.mark.parametrize("seed", range(5))
def test_no_height_is_under_the_ground_however_rough_it_is(seed: int):
    line = eased(WAYS, rough(seed))
    assert (line >= rough(seed) - 1e-12).all()
    assert (rounded_over(line, 6) >= line - 1e-12).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_line_is_nowhere_steeper_than_stated(seed: int):
    assert np.abs(np.diff(eased(WAYS, rough(seed)))).max() <= STEEPEST * APART + 1e-12


def test_an_even_slope_is_taken_as_it_is():
    slope = 0.4 * WAYS
    assert np.abs(eased(WAYS, slope) - slope).max() < 1e-12
    assert np.abs(rounded_over(slope, 6) - slope).max() < 1e-12


def test_the_body_comes_up_before_a_step_and_not_earlier():
    line = eased(WAYS, STEP)
    begins = float(WAYS[np.flatnonzero(line > 1e-9)[0]])
    assert begins == pytest.approx(0.5 - 0.2 / STEEPEST, abs=2.0 * APART)


def test_places_may_lie_unevenly():
    some = np.sort(np.random.default_rng(3).uniform(-0.2, 1.5, 60))
    found = eased(some, np.where(some < 0.5, 0.0, 0.2))
    brute = [max(np.where(some < 0.5, 0.0, 0.2) - STEEPEST * np.abs(some - way)) for way in some]
    assert found == pytest.approx(brute)


def test_a_straight_bone_over_a_rounded_edge_stays_over_it():
    reach = 6
    line = eased(WAYS, np.where(WAYS < 0.5, 0.2, 0.0))
    lies = rounded_over(line, reach)
    half = reach // 2
    chords = 0.5 * (lies[2 * half :] + lies[: -2 * half])
    assert (chords >= line[half:-half] - 1.5e-3).all()


def test_the_clearance_is_square_to_the_slope():
    up = over_ground(np.array([0.02]), np.array([np.tan(0.5)]), np.array([0.0]))
    assert up[0] * np.cos(0.5) == pytest.approx(0.02)
