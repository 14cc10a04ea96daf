from dataclasses import replace

import numpy as np
import pytest
from support.walkers import Walker, with_foot
from surefoot.core.measure.clearance import contact_clearance, swing_clearances, swing_depth
from surefoot.core.measure.contacts import Contacts, Span, find_contacts
from surefoot.core.measure.track import FootTrack

CONTACT = Contacts((Span(10.0, 20.0),), (Span(10.0, 15.0),), (Span(10.0, 20.0),))


def standing(**changes):
    track = Walker(speed=0.0, lift=0.0, seconds=39 / 30.0).track()
    return with_foot(track, **changes)


def clearance(track):
    return contact_clearance(track, track.feet[0], CONTACT, CONTACT.foot[0])


def lifted(rows, height, base=None):
    places = (standing().feet[0].heel if base is None else base).copy()
    places[rows, 2] += height
    return places


def test_the_deepest_point_below_and_the_highest_planted_one_above_are_found():
    heel = lifted(slice(10, 12), -0.002)
    heel[13, 2] = 0.005
    assert clearance(standing(heel=heel)) == pytest.approx((0.002, 0.005))


def test_a_lifted_heel_is_not_above_but_may_be_below():
    assert clearance(standing(heel=lifted(slice(16, 19), 0.05))) == (0.0, 0.0)
    assert clearance(standing(heel=lifted(slice(16, 19), -0.004))).below == pytest.approx(0.004)


def test_what_is_outside_the_contact_does_not_count_for_it():
    track = standing(heel=lifted(slice(30, 33), -0.03))
    assert clearance(track).below == 0.0


@pytest.mark.parametrize("point", ["heel", "ball"])
@pytest.mark.parametrize(("ground", "beyond"), [(-0.17, True), (-0.08, False), (0.0, False)])
def test_a_point_beyond_a_treads_edge_is_not_above_the_tread(point, ground, beyond):
    lower = np.full(40, ground)
    track = standing(heel_ground=lower) if point == "heel" else standing(ball_ground=lower)
    assert np.linalg.norm((track.feet[0].heel - track.feet[0].ball)[0]) == pytest.approx(0.2)
    assert track.feet[0].beyond_edge(point).all() == beyond
    assert clearance(track).above == pytest.approx(0.0 if beyond else -ground)


def test_a_heel_that_lies_on_a_steep_slope_is_beyond_no_edge():
    low = np.full(40, -0.15)
    track = standing(heel=lifted(slice(None), -0.15 + 0.004), heel_ground=low)
    assert clearance(track).above == pytest.approx(0.004)


def test_over_no_ground_nothing_is_above_or_below():
    nothing = np.full(40, np.nan)
    assert clearance(standing(heel_ground=nothing, ball_ground=nothing)) == (0.0, 0.0)


def test_a_point_foot_has_no_edge_under_it():
    foot = standing().feet[0]
    point = standing(ball=foot.heel, ball_ground=foot.heel_ground).feet[0]
    assert not np.any(point.beyond_edge("heel") | point.beyond_edge("ball"))


def test_a_swings_clearance_is_the_least_of_its_middle_half():
    walker = Walker(fps=240.0, lift=0.06)
    track, planned = walker.track(), walker.contacts()["foot.L"]
    clearances = swing_clearances(track, track.feet[0], planned)
    assert len(clearances) == len(planned.foot) - 1
    # The lift is 6 cm times sin^2, which is one half at a quarter of the swing.
    assert clearances[0] == pytest.approx(0.03, abs=0.0015)


def test_a_swing_that_cuts_through_a_step_is_found_as_deep_as_it_does():
    """A step of 4 cm all along the way of a foot that is lifted by 6 cm times sin^2."""
    walker = Walker(fps=240.0, lift=0.06)
    track, planned = walker.track(), walker.contacts()["foot.L"]
    foot = track.feet[0]
    step = np.where(np.minimum(foot.clearance("heel"), foot.clearance("ball")) > 1e-4, 0.04, 0.0)
    over = replace(foot, heel_ground=foot.heel_ground + step, ball_ground=foot.ball_ground + step)
    assert swing_depth(track, foot, planned) == 0.0
    assert swing_depth(track, over, planned) == pytest.approx(0.04, abs=0.002)


def on_a_wall(away: float) -> FootTrack:
    """A point foot on a wall that faces +X at x = 2, held so far from it, then in the air."""
    rows = np.zeros((40, 3))
    rows[:, 0], rows[:, 2] = 2.0 + away, 1.5
    rows[25:, 0] += 0.1
    rows[25:, 2] += np.arange(15) * 0.1
    ground = np.full(40, 2.0)
    joints = np.stack([rows + (0.5, 0.0, 0.5), rows + (0.3, 0.0, 0.0), rows], axis=1)
    return FootTrack("leg.L", rows, rows, ground, ground, joints, normals=np.tile((1.0, 0.0, 0.0), (40, 1)))


@pytest.mark.parametrize(("away", "below", "above"), [(0.003, 0.0, 0.003), (-0.002, 0.002, 0.0)])
def test_on_a_wall_heights_are_along_its_normal(away: float, below: float, above: float):
    foot = on_a_wall(away)
    track = replace(standing(), feet=(foot,))
    assert contact_clearance(track, foot, CONTACT, CONTACT.foot[0]) == pytest.approx((below, above))
    assert foot.ground_places("ball")[:, 0] == pytest.approx(np.full(40, 2.0))


def test_on_a_wall_a_foot_is_found_down_until_it_leaves_the_wall():
    foot = on_a_wall(0.001)
    (span,) = find_contacts(replace(standing(), feet=(foot,)))["leg.L"].foot
    assert span.start == 1.0
    assert span.end == pytest.approx(25.0, abs=0.5)
