import numpy as np
import pytest
from support.walkers import Walker, with_foot
from surefoot.core.measure.contacts import Contacts, Span
from surefoot.core.measure.slide import contact_slide, planted, point_slide


def first_contact(track, **points):
    """The slide of a contact in frames 10 to 20 of the first foot."""
    contacts = Contacts((Span(10.0, 20.0),), **points)
    return contact_slide(track, track.feet[0], contacts, contacts.foot[0])


def standing(frames=40):
    """A foot at rest on flat ground."""
    return Walker(speed=0.0, lift=0.0, seconds=(frames - 1) / 30.0).track()


@pytest.mark.parametrize("slid", [0.0, 0.0004, 0.02])
def test_the_slide_is_how_far_the_sole_moves_while_it_is_down(slid):
    walker = Walker(slide=slid, fps=120.0)
    track, planned = walker.track(), walker.contacts()["foot.L"]
    span = planned.foot[1]
    slide = contact_slide(track, track.feet[0], planned, span)
    frames = np.floor(span.end) - np.ceil(span.start)
    assert slide.distance == pytest.approx(slid * frames / span.length, abs=1e-9)
    assert slide.speed_median == pytest.approx(slid * 120.0 / span.length, abs=1e-9)


def test_going_there_and_back_is_a_slide_of_the_way_there():
    there = np.concatenate([np.linspace(0, 0.01, 6), np.linspace(0.008, 0.0, 5)])
    slide = point_slide(there[:, None] * [0.6, 0.8, 0.0], fps=24.0)
    assert slide.distance == pytest.approx(0.01)
    assert slide.speed_median == pytest.approx(0.002 * 24.0)


def test_the_speeds_are_median_and_95th_percentile():
    steps = np.arange(101.0)
    places = np.concatenate([[0.0], np.cumsum(steps)])[:, None] * [1.0, 0.0, 0.0]
    assert point_slide(places, fps=2.0)[1:] == pytest.approx((100.0, 190.0))


def test_motion_up_and_down_over_flat_ground_is_no_slide():
    track = standing()
    bobbing = track.feet[0].heel + np.sin(np.arange(40.0))[:, None] * [0.0, 0.0, 0.003]
    assert first_contact(with_foot(track, heel=bobbing)).distance == pytest.approx(0.0, abs=1e-12)


def test_motion_up_a_ramp_is_measured_along_the_ramp():
    track = standing()
    y = np.linspace(0.0, 0.039, 40)
    climbing = np.stack([0 * y, y, y], axis=-1)
    moved = with_foot(track, heel=climbing, ball=climbing, heel_ground=y, ball_ground=y)
    assert first_contact(moved).distance == pytest.approx(0.010 * np.sqrt(2.0))


def test_on_moving_ground_the_slide_is_that_within_its_frame():
    track = standing()
    riding = track.feet[0].heel + np.arange(40.0)[:, None] * [0.1, 0.0, 0.0]
    local = np.arange(40.0)[:, None] * [0.0001, 0.0, 0.0]
    moved = with_foot(track, heel=riding, ball=riding)
    assert first_contact(moved).distance == pytest.approx(1.0)
    assert first_contact(with_foot(moved, heel_local=local, ball_local=local)).distance == pytest.approx(0.001)


def test_a_heel_on_the_very_edge_of_a_tread_does_not_slide_down_the_riser():
    track = standing()
    flickering = np.where(np.arange(40) % 2 == 0, 0.0, -0.17)
    held = (Span(10.0, 20.0),)
    assert first_contact(with_foot(track, heel_ground=flickering), heel=held, ball=held).distance == 0.0


def test_a_heel_that_has_lifted_may_move():
    track = standing()
    heel = track.feet[0].heel.copy()
    heel[16:] += [0.0, 0.05, 0.06]
    assert first_contact(with_foot(track, heel=heel)).distance == 0.0


def test_a_heel_that_the_plan_holds_down_may_not_move_however_high_it_is():
    track = standing()
    heel = track.feet[0].heel.copy()
    heel[15:] += [0.0, 0.05, 0.06]
    held = first_contact(with_foot(track, heel=heel), heel=(Span(10.0, 20.0),), ball=(Span(10.0, 20.0),))
    assert held.distance == pytest.approx(0.05)


def test_a_point_lifted_and_low_again_within_a_contact_is_down_all_the_time():
    track = standing()
    heel = track.feet[0].heel.copy()
    heel[12:14, 2] = 0.1
    track = with_foot(track, heel=heel)
    contacts = Contacts((Span(10.0, 20.0),))
    assert planted(track, track.feet[0], contacts, contacts.foot[0], "heel").sum() == 11


def test_a_contact_between_two_frames_has_no_slide():
    track = standing()
    contacts = Contacts((Span(10.2, 10.8),))
    assert contact_slide(track, track.feet[0], contacts, contacts.foot[0]) == (0.0, 0.0, 0.0)


def test_a_very_long_contact_gives_the_same_distance():
    angles = np.linspace(0.0, 2.0 * np.pi, 2001)
    circle = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=-1)
    assert point_slide(circle, fps=24.0).distance == pytest.approx(2.0, rel=1e-3)
