from dataclasses import replace

import numpy as np
import pytest
from support.walkers import DOG, RUN, Walker
from surefoot.core.measure.contacts import Contacts, Span, find_contacts
from surefoot.core.measure.gait_chart import chart, footholds, landings, stride_frames


@pytest.mark.parametrize("walker", [Walker(), RUN, DOG], ids=["walk", "run", "dog"])
def test_the_plan_gives_back_the_gait_that_it_was_made_of(walker):
    charts = chart(walker.track(), walker.contacts())
    for role, phase, _ in walker.feet:
        gait = charts[role]
        assert gait.duty_factor == pytest.approx(walker.duty)
        assert gait.phase_offset == pytest.approx(phase)
        assert gait.cadence == pytest.approx(60.0 * len(walker.feet) / walker.stride)
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
