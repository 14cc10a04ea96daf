import math

import numpy as np
import pytest
from surefoot.core.measure.contacts import Span
from surefoot.core.measure.pops import extensions, joint_angles, knee_pops, pop_at_edges


def leg(bends, length=0.45):
    """Hip, knee, ankle over frames: the shin bent back by each of `bends` (radians), facing -Y."""
    bends = np.asarray(bends, dtype=float)
    zero = np.zeros_like(bends)
    knee = np.stack([zero, zero, zero - length], axis=-1)
    ankle = knee + length * np.stack([zero, np.sin(bends), -np.cos(bends)], axis=-1)
    return np.stack([np.zeros_like(knee), knee, ankle], axis=1)


def test_the_joint_angle_is_the_bend_from_straight():
    np.testing.assert_allclose(joint_angles(leg([0.0, 0.3, 2.5]))[:, 0], [0.0, 0.3, 2.5], atol=1e-12)


def test_steps_are_told_apart_by_where_they_are():
    frames = np.arange(1.0, 21.0)
    bends = np.full(20, 0.5)
    bends[2:] += 0.03  # from frame 2 to 3, in swing
    bends[9:] += 0.20  # from frame 9 to 10, at the landing
    bends[14:] += 0.01  # from frame 14 to 15, in stance
    pops = knee_pops(frames, leg(bends), (Span(9.4, 18.0),))
    assert pops == pytest.approx((0.20, 0.03, 0.01, 0.20))


@pytest.mark.parametrize("edge", [9.0, 9.5, 10.0])
def test_an_edge_on_a_frame_counts_the_steps_on_both_its_sides(edge):
    bends = np.full(20, 0.5)
    bends[9:] += 0.20
    assert knee_pops(np.arange(1.0, 21.0), leg(bends), (Span(edge, 18.0),)).at_edges == pytest.approx(0.20)


def test_the_ends_of_the_take_are_no_edges():
    bends = np.full(20, 0.5)
    bends[1:] += 0.2
    pops = knee_pops(np.arange(1.0, 21.0), leg(bends), (Span(1.0, 20.0),))
    assert (pops.at_edges, pops.in_stance) == pytest.approx((0.0, 0.2))


def test_a_leg_that_only_moves_fast_does_not_pop():
    """A beetle's knees turn by 40 degrees from frame to frame, in the middle of a swing as much as at its ends."""
    bends = np.full(20, 0.5)
    bends[3:] += 0.70  # from frame 3 to 4, in swing
    bends[9:] += 0.60  # from frame 9 to 10, at the landing
    assert pop_at_edges(np.arange(1.0, 21.0), leg(bends), (Span(9.4, 18.0),)) == 0.0
    bends[9:] += 0.20
    assert pop_at_edges(np.arange(1.0, 21.0), leg(bends), (Span(9.4, 18.0),)) == pytest.approx(0.10)


def test_no_pop_is_told_where_swings_are_too_short_to_compare_with():
    bends = np.full(20, 0.5)
    bends[9:] += 0.60
    assert np.isnan(pop_at_edges(np.arange(1.0, 21.0), leg(bends), (Span(1.0, 8.5), Span(9.8, 20.0))))
    assert pop_at_edges(np.arange(1.0, 21.0), leg(np.full(20, 0.5)), (Span(1.0, 8.5), Span(9.8, 20.0))) == 0.0


def test_one_frame_and_a_leg_without_a_knee_cannot_pop():
    assert knee_pops(np.array([1.0]), leg([0.5]), ()).largest == 0.0
    assert knee_pops(np.array([1.0, 2.0]), leg([0.5, 0.9])[:, ::2], ()).largest == 0.0


def test_extension_is_the_reach_over_the_lengths():
    np.testing.assert_allclose(extensions(leg([0.0, math.pi / 2, math.pi])), [1.0, math.sqrt(0.5), 0.0], atol=1e-12)
    assert extensions(np.zeros((2, 3, 3))).tolist() == [0.0, 0.0]
