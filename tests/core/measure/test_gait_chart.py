from dataclasses import replace

import numpy as np
import pytest
from support.walkers import DOG, RUN, Walker
from surefoot.core.measure.contacts import Contacts, Span, disagreement, find_contacts, found_contacts
from surefoot.core.measure.gait_chart import (
    chart,
    crossings,
    flights,
    footholds,
    gait_chart,
    landings,
    stride_frames,
)


@pytest.mark.parametrize("walker", [Walker(), RUN, DOG], ids=["walk", "run", "dog"])
def test_the_plan_gives_back_the_gait_that_it_was_made_of(walker):
    charts = chart(walker.track(), walker.contacts())
    for role, phase, _ in walker.feet:
        gait = charts[role]
        assert gait.duty_factor == pytest.approx(walker.duty)
        assert gait.phase_offset == pytest.approx(phase)
        # Steps of a pair: of a dog two a stride too, not four.
        assert gait.cadence == pytest.approx(60.0 * 2.0 / walker.stride)
        assert gait.stride == pytest.approx(walker.speed * walker.stride)


def test_a_walk_has_double_support_and_a_run_has_flight():
    walk = chart(Walker().track(), Walker().contacts())["foot.L"]
    # Two feet half a stride apart: both are down for 2 (duty - 1/2) of it, none for 2 (1/2 - duty).
    assert (walk.double_support, walk.flight) == pytest.approx((0.24, 0.0))
    run = chart(RUN.track(), RUN.contacts())["foot.L"]
    assert (run.double_support, run.flight) == pytest.approx((0.0, 0.32))


@pytest.mark.parametrize("walker", [Walker(), RUN, DOG], ids=["walk", "run", "dog"])
@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_found_contacts_give_the_duty_factor_within_a_twentieth(walker, fps):
    track = replace(walker, fps=fps).track()
    for gait in chart(track, find_contacts(track)).values():
        assert gait.duty_factor == pytest.approx(walker.duty, abs=0.05)


def test_the_first_foots_offset_is_zero_and_one_just_before_it_is_nearly_one():
    walker = Walker(feet=(("a", 0.0, 0.1), ("b", 0.98, -0.1)))
    charts = chart(walker.track(), walker.contacts())
    assert charts["a"].phase_offset == pytest.approx(0.0, abs=1e-9)
    assert charts["b"].phase_offset == pytest.approx(0.98)


def test_offsets_on_both_sides_of_the_landing_do_not_average_to_the_middle_of_the_stride():
    track = Walker().track()
    first = Contacts(tuple(Span(10.0 + 30.0 * i, 25.0 + 30.0 * i) for i in range(5)))
    second = Contacts((Span(43.0, 50.0), Span(67.0, 80.0)))
    phase = chart(track, {"foot.L": first, "foot.R": second})["foot.R"].phase_offset
    assert phase in (pytest.approx(0.0, abs=1e-6), pytest.approx(1.0, abs=1e-6))


def test_a_standing_character_has_no_stride():
    track = Walker(speed=0.0, lift=0.0).track()
    standing = {foot.role: Contacts((Span(1.0, float(track.frames[-1])),)) for foot in track.feet}
    gait = chart(track, standing)["foot.L"]
    assert (gait.strides, gait.duty_factor, gait.stride) == (0, None, None)
    assert stride_frames(track, standing) is None
    assert landings(track, standing["foot.L"]) == []


def test_a_foothold_is_the_middle_of_the_planted_sole():
    walker = Walker()
    track, planned = walker.track(), walker.contacts()["foot.L"]
    expected = [walker.stand(0.0, 0.1, n)[0] for n in range(len(planned.foot))]
    np.testing.assert_allclose(footholds(track, track.feet[0], planned), expected, atol=1e-9)


def test_a_contact_between_two_frames_has_the_nearest_frames_place():
    track = Walker().track()
    place = footholds(track, track.feet[0], Contacts((Span(10.1, 10.4),)))[0]
    np.testing.assert_allclose(place, 0.5 * (track.feet[0].heel + track.feet[0].ball)[9])


TABLE = {"leg.L": (Span(0.0, 10.0), Span(20.0, 30.0)), "leg.R": (Span(12.0, 19.0), Span(30.0, 36.5))}


def test_flights_are_what_no_contact_covers_up_to_the_windows_ends():
    expected = (Span(-2.0, 0.0), Span(10.0, 12.0), Span(19.0, 20.0), Span(36.5, 40.0))
    assert flights(TABLE, Span(-2.0, 40.0)) == expected


def test_a_contact_within_another_and_two_that_meet_leave_no_flight():
    table = {"a": (Span(0.0, 20.0),), "b": (Span(5.0, 9.0), Span(20.0, 31.0))}
    assert flights(table, Span(1.0, 30.0)) == ()


def test_where_nothing_is_known_of_any_foot_there_is_no_flight():
    assert flights({"leg.L": (), "leg.R": ()}, Span(1.0, 30.0)) == ()


def test_a_run_flies_for_its_share_of_the_time_and_nowhere_in_a_walk():
    found = gait_chart(RUN.track(), RUN.contacts())
    assert found.walk_flights == ()
    inner = [span.length for span in found.flights if span.end < found.window.end]
    assert inner == pytest.approx([(0.5 - RUN.duty) * RUN.stride * RUN.fps] * len(inner))
    assert len(inner) > 5


def test_a_flight_between_strides_of_long_stance_is_a_fault_of_that_walk_by_frame():
    # Both feet stand 14 of 20 frames, but at the same time: for 6 frames of each stride nobody stands.
    hop = tuple(Span(20.0 * k, 20.0 * k + 14.0) for k in range(6))
    contacts = {"foot.L": Contacts(hop), "foot.R": Contacts(hop)}
    found = gait_chart(Walker(seconds=3.3).track(), contacts)
    assert found.walk_flights == found.flights == tuple(Span(20.0 * k + 14.0, 20.0 * k + 20.0) for k in range(5))


def test_feet_that_change_sides_cross_between_the_frames_where_their_line_does():
    track = Walker(seconds=3.0).track()
    left, right = track.feet
    beside = np.full(len(track.frames), 0.1)
    beside[10:20] = -0.1
    moved = [replace(left, heel=_set_x(left.heel, beside), ball=_set_x(left.ball, beside)), right]
    moved[1] = replace(right, heel=_set_x(right.heel, 0.0), ball=_set_x(right.ball, 0.0))
    # Frames are numbered from 1: the tenth and the last of them with the foot over are frames 11 and 20.
    assert crossings(replace(track, feet=tuple(moved))) == {"foot": (Span(10.5, 20.5),)}


def test_crossing_is_seen_along_the_heading_not_along_an_axis():
    circle = Walker(radius=3.0, seconds=8.0)
    assert crossings(circle.track()) == {}
    swapped = replace(circle, feet=(("foot.L", 0.0, -0.1), ("foot.R", 0.5, 0.1))).track()
    assert crossings(swapped) == {"foot": (Span(swapped.frames[0], swapped.frames[-1]),)}


@pytest.mark.parametrize("walker", [Walker(), RUN, DOG], ids=["walk", "run", "dog"])
def test_over_no_ground_each_stance_is_found_once_in_the_tracks_own_frames(walker):
    track = walker.track()
    feet = [replace(foot, heel=foot.heel + UP, ball=foot.ball + UP, **blind(foot)) for foot in track.feet]
    found = found_contacts(replace(track, feet=tuple(feet), frames=track.frames + 100.0))
    for role, planned in walker.contacts().items():
        middles = [0.5 * (span.start + span.end) + 100.0 for span in planned.foot if span.length > 5.0]
        assert [sum(a <= middle <= b for a, b in found[role].foot) for middle in middles] == [1] * len(middles)


@pytest.mark.parametrize("walker", [Walker(), RUN, DOG], ids=["walk", "run", "dog"])
def test_over_known_ground_what_nobody_planned_is_found_as_over_none_and_agrees_with_its_stances(walker):
    track, planned = walker.track(), walker.contacts()
    found = found_contacts(track)
    hanging = [replace(foot, heel=foot.heel + UP, ball=foot.ball + UP) for foot in track.feet]
    for role, contacts in found_contacts(replace(track, feet=tuple(hanging))).items():
        assert contacts == found[role]
        assert disagreement(planned[role].foot, contacts.foot) <= 0.15
        assert len(contacts.foot) == len(planned[role].foot)


def test_a_foot_without_a_partner_crosses_none():
    lone = replace(Walker().track(), feet=Walker().track().feet[:1])
    assert crossings(lone) == {}


UP = np.array([0.0, 0.0, 0.7])


def blind(foot):
    """Grounds of a foot that nothing is under."""
    return {name: np.full(len(foot.heel), np.nan) for name in ("heel_ground", "ball_ground")}


def _set_x(points, values):
    moved = points.copy()
    moved[:, 0] = values
    return moved
