import math
from dataclasses import replace

import numpy as np
import pytest
from support.walkers import DOG, RUN, Walker
from surefoot.core.measure.contacts import Contacts
from surefoot.core.measure.track import Track
from surefoot.core.measure.travel import path_error, speed_error, travelled

CIRCLE = Walker(radius=2.0, seconds=9.0)


def path_of(walker, beside=0.0):
    return np.array(
        [walker.at(float(s), beside)[0] for s in np.linspace(-2.0, walker.speed * walker.seconds + 2.0, 3000)]
    )


@pytest.mark.parametrize("walker", [Walker(), RUN, DOG, CIRCLE], ids=["walk", "run", "dog", "circle"])
@pytest.mark.parametrize("wrong", [1.0, 1.02, 0.5])
def test_the_speed_error_is_travelled_against_asked_however_the_body_bobs_and_sways(walker, wrong):
    track = walker.track()
    error = speed_error(track, walker.contacts(), walker.speed * wrong)
    assert error == pytest.approx(1.0 / wrong - 1.0, abs=1e-3)


def test_travel_up_a_slope_is_measured_along_the_slope():
    track = Walker().track()
    climbing = track.body.copy()
    climbing[:, 2] += -climbing[:, 1] * math.tan(math.radians(20.0))
    error = speed_error(replace(track, body=climbing), Walker().contacts(), 1.3 / math.cos(math.radians(20.0)))
    assert error == pytest.approx(0.0, abs=1e-3)


def test_an_asked_speed_that_changes_is_averaged_over_the_same_frames():
    walker = Walker()
    asked = np.full(len(walker.track().frames), walker.speed)
    asked[:5] = 9.0
    _, start, _ = travelled(walker.track(), walker.contacts())
    assert start > 5.0
    assert speed_error(walker.track(), walker.contacts(), asked) == pytest.approx(0.0, abs=1e-3)


def test_without_a_whole_stride_the_whole_range_counts():
    walker = Walker(bob=0.0, seconds=1.0)
    track = walker.track()
    nothing = {role: Contacts(()) for role, *_ in walker.feet}
    distance, start, end = travelled(track, nothing)
    assert (start, end) == (1.0, 31.0)
    assert distance == pytest.approx(1.3, rel=1e-3)


def test_nothing_asked_has_no_error_and_one_frame_has_no_speed():
    walker = Walker()
    assert speed_error(walker.track(), walker.contacts(), 0.0) is None
    single = replace(walker, seconds=0.0).track()
    assert speed_error(single, {role: Contacts(()) for role, *_ in walker.feet}, 1.0) is None


@pytest.mark.parametrize("walker", [Walker(), CIRCLE], ids=["straight", "circle"])
@pytest.mark.parametrize("beside", [0.0, 0.05, -0.2])
def test_the_path_error_is_how_far_the_footprints_run_beside_the_path(walker, beside):
    error = path_error(walker.track(), walker.contacts(), path_of(walker, beside))
    assert error == pytest.approx(abs(beside), abs=1e-3)


def test_four_feet_are_averaged_over_one_landing_of_each():
    assert path_error(DOG.track(), DOG.contacts(), path_of(DOG)) == pytest.approx(0.0, abs=1e-3)


def test_too_few_footprints_have_no_path_error():
    walker = Walker()
    assert path_error(walker.track(), {role: Contacts(()) for role, *_ in walker.feet}, path_of(walker)) is None


def test_feet_that_land_together_are_averaged_one_with_the_other():
    """A trot's diagonal pairs land in one moment: which of them is counted first must not matter."""
    feet = [(role, phase, beside) for (role, _, beside), phase in zip(DOG.feet, (0.0, 0.5, 0.5, 0.0), strict=True)]
    trot = replace(DOG, feet=tuple(feet), radius=2.0, seconds=9.0)
    assert path_error(trot.track(), trot.contacts(), path_of(trot)) == pytest.approx(0.0, abs=1e-3)


def without_feet(radius: float) -> Track:
    """A body without feet that winds by 8 cm to both sides of a circle, at 0.6 m/s for 8 s."""
    times = np.arange(193) / 24.0
    turn = 0.6 * times / radius
    out = radius + 0.08 * np.sin(2.0 * np.pi * times / 1.4)
    body = np.stack([radius - out * np.cos(turn), -out * np.sin(turn), np.zeros(len(times))], axis=-1)
    return Track(24.0, 1.0 + np.arange(len(times)), (), body, turn, 0.45)


@pytest.mark.parametrize("radius", [1.5, 1e4], ids=["circle", "straight"])
def test_the_speed_of_a_body_without_feet_is_that_along_its_way_without_its_windings(radius):
    assert speed_error(without_feet(radius), {}, 0.6) == pytest.approx(0.0, abs=0.05)


def test_the_path_error_of_a_body_without_feet_is_its_own():
    turns = np.linspace(0.0, 2.0 * np.pi, 721)
    circle = np.stack([1.5 - 1.5 * np.cos(turns), -1.5 * np.sin(turns)], axis=-1)
    assert path_error(without_feet(1.5), {}, circle) == pytest.approx(0.08, abs=1e-3)


def test_a_body_that_starts_before_its_path_is_not_beside_it():
    straight = without_feet(1e4)
    line = np.array([(0.0, -1.0), (0.0, -4.0)])
    assert path_error(straight, {}, line) == pytest.approx(0.08, abs=1e-3)
    assert path_error(straight, {}, line + (0.0, 20.0)) is None
