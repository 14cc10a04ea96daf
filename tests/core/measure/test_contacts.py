from dataclasses import replace

import numpy as np
import pytest
from support.walkers import DOG, RUN, Walker, with_foot
from surefoot.core.measure import contacts as measure
from surefoot.core.measure.contacts import Span, clipped, disagreement, disagreement_within, find_contacts, spans_of
from surefoot.core.measure.track import FootTrack, Track

GAITS = {"walk": Walker(), "heel off": Walker(heel_off=0.6), "run": RUN, "dog": DOG}


def one_foot(places, ground=0.0, fps=24.0):
    """A track of one point foot."""
    places = np.asarray(places, dtype=float)
    flat = np.full(len(places), ground)
    joints = np.stack([places + [0, 0, 0.9], places + [0, -0.05, 0.5], places], axis=1)
    foot = FootTrack("foot", places, places, flat, flat, joints)
    return Track(fps, np.arange(1.0, len(places) + 1.0), (foot,), places + [0, 0, 0.9], np.zeros(len(places)), 0.9)


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
@pytest.mark.parametrize("walker", GAITS.values(), ids=GAITS)
def test_the_found_contacts_agree_with_the_plan_within_a_tenth_of_the_stance(walker, fps):
    walker = replace(walker, fps=fps)
    found, planned = find_contacts(walker.track()), walker.contacts()
    for role in planned:
        assert disagreement(planned[role].foot, found[role].foot) <= 0.10
        assert len(found[role].foot) == len(planned[role].foot)


def test_a_foot_that_glides_at_sole_height_or_hangs_in_the_air_is_not_down():
    glide = np.arange(20)[:, None] * [0.0, -1.0 / 24.0, 0.0]
    places = np.concatenate([np.zeros((20, 3)), glide + [0, -1.0 / 24.0, 0], np.tile([0.0, -0.9, 0.5], (20, 1))])
    (span,) = find_contacts(one_foot(places))["foot"].foot
    assert span.start == 1.0
    assert span.end == pytest.approx(20.0, abs=1.0)


@pytest.mark.parametrize(("landing", "lifting"), [(12.0, 40.0), (12.3, 40.6), (12.9, 40.1)])
def test_an_evenly_braked_foot_lands_between_frames_where_it_does(landing, lifting):
    frames = np.arange(1.0, 61.0)
    moved = 0.05 * np.maximum(0.0, frames - lifting) ** 2 - 0.05 * np.maximum(0.0, landing - frames) ** 2
    (span,) = find_contacts(one_foot(moved[:, None] * [0.0, -1.0, 0.0]))["foot"].foot
    assert span == pytest.approx((landing, lifting), abs=0.05)


def test_a_captured_foot_that_creeps_is_down_all_the_same():
    places = np.arange(48)[:, None] * [0.0, 0.12 / 24.0, 0.0]
    assert find_contacts(one_foot(places))["foot"].foot == (Span(1.0, 48.0),)


def test_a_gap_of_one_frame_is_closed_and_a_contact_of_one_frame_dropped():
    places = np.zeros((48, 3))
    places[20, 2] = 0.035
    assert len(find_contacts(one_foot(places, fps=60.0))["foot"].foot) == 1
    places[:, 2] = 0.3
    places[20, 2] = 0.0
    assert find_contacts(one_foot(places, fps=60.0))["foot"].foot == ()


def test_a_foot_over_no_ground_is_not_down():
    assert find_contacts(one_foot(np.zeros((10, 3)), ground=np.nan))["foot"].foot == ()


def test_a_foot_that_rides_moving_ground_is_down():
    riding = np.arange(48)[:, None] * [1.0 / 24.0, 0.0, 0.0]
    track = one_foot(riding)
    assert find_contacts(track)["foot"].foot == ()
    still = np.zeros((48, 3))
    assert find_contacts(with_foot(track, heel_local=still, ball_local=still))["foot"].foot == (Span(1.0, 48.0),)


def test_heights_and_speeds_scale_with_the_leg():
    places = np.arange(48)[:, None] * [0.0, 0.03 / 24.0, 0.0] + [0.0, 0.0, 0.015]
    large = one_foot(places)
    assert find_contacts(large)["foot"].foot
    assert not find_contacts(replace(large, leg_length=0.09))["foot"].foot


def test_flags_become_spans_that_reach_half_way_to_their_neighbours():
    frames = np.arange(10.0, 16.0)
    assert spans_of(frames, np.array([1, 1, 0, 1, 1, 0], dtype=bool)) == (Span(10.0, 11.5), Span(12.5, 14.5))
    assert spans_of(frames, np.zeros(6, dtype=bool)) == ()


def test_disagreement_is_the_time_that_only_one_of_both_knows_over_the_planned():
    planned = [Span(0.0, 10.0), Span(20.0, 30.0)]
    assert disagreement(planned, planned) == 0.0
    assert disagreement(planned, [Span(1.0, 10.0), Span(20.0, 31.0)]) == pytest.approx(2.0 / 20.0)
    assert disagreement(planned, []) == 1.0
    assert disagreement([], []) == 0.0
    assert disagreement([], [Span(0.0, 1.0)]) == np.inf


def test_spans_are_clipped_to_a_window_and_those_outside_are_gone():
    assert clipped([Span(0.0, 4.0), Span(6.0, 12.0), Span(20.0, 21.0)], Span(3.0, 10.0)) == (
        Span(3.0, 4.0),
        Span(6.0, 10.0),
    )


def test_contacts_that_a_window_cuts_do_not_count_for_its_disagreement():
    """The first one begins within a frame of the window: nobody can say when. The second is a frame too long."""
    planned, found = [Span(0.5, 5.0), Span(10.0, 20.0)], [Span(2.0, 5.0), Span(10.0, 21.0)]
    assert disagreement_within(planned, found, Span(0.0, 30.0)) == pytest.approx(1.0 / 10.0)
    assert np.isnan(disagreement_within([Span(0.5, 5.0)], found, Span(0.0, 30.0)))


@pytest.mark.parametrize("share", [0.1, 0.35, 0.6])
@pytest.mark.parametrize("frames", [4, 6])
def test_an_edge_between_two_frames_is_found_in_short_swings_too(share: float, frames: int):
    """A foot that leaves rest at `share` of a frame, on a smooth step of a few frames' length."""
    times = np.clip((np.arange(40.0) - 10.0 - share) / frames, 0.0, 1.0)
    places = (times**2 * (3.0 - 2.0 * times))[:, None] * [0.0, -0.6, 0.0]
    first = find_contacts(one_foot(places))["foot"].foot[0]
    assert first.end == pytest.approx(11.0 + share, abs=0.05)


def test_a_single_frame_has_no_contacts():
    assert find_contacts(one_foot(np.zeros((1, 3))))["foot"].foot == ()


def test_a_track_refuses_arrays_that_do_not_fit_its_frames():
    track = one_foot(np.zeros((5, 3)))
    with pytest.raises(ValueError, match="foot heel has 4 rows for 5 frames"):
        with_foot(track, heel=np.zeros((4, 3)))
    with pytest.raises(ValueError, match="rise by one"):
        replace(track, frames=np.arange(0.0, 10.0, 2.0))


def test_whole_frames_at_a_spans_very_ends_are_inside():
    assert measure.inside(np.arange(5.0), Span(1.0, 3.0)).tolist() == [False, True, True, True, False]
