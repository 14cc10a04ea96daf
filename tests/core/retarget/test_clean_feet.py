"""Feet that are held where they stand: still, on one height, without a jump, and once for all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.performers import SPEEDS, clip_of, on_the_spot
from support.retargeting import rig_of_skeleton, still_clip
from support.rigs import person_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.spans import Contacts, Span
from surefoot.core.retarget.clean_feet import clean_feet, contacts_of, floor_of
from surefoot.core.retarget.feet_config import CleanFeetConfig
from surefoot.core.retarget.grounded import grounded
from surefoot.core.retarget.held_contacts import lengthened_contacts

PERSON = rig_of_skeleton(person_skeleton())
DRIFT = 0.12  # metres a second along the ground, under the speed over which a foot counts as moving


def drifting(clip: Clip, speed: float = DRIFT, rise: float = 0.0) -> Clip:
    """The same motion carried aside evenly, so that every foot that stands slides; `rise` goes up, too."""
    moved = clip.moved.copy()
    seconds = np.arange(len(clip)) / clip.fps
    moved[:, :, :3, 3] += np.multiply.outer(seconds, [speed, 0.0, rise])[:, None]
    return replace(clip, moved=moved)


def extension(clip: Clip, leg) -> np.ndarray:
    places = clip.joints(leg)
    return np.linalg.norm(places[:, -1] - places[:, 0], axis=-1)


def knee(clip: Clip, leg) -> np.ndarray:
    places = clip.joints(leg)
    a, b = places[:, 1] - places[:, 0], places[:, 2] - places[:, 1]
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


def shortened(clip: Clip, seconds: float = 3.0) -> Clip:
    return replace(clip, moved=clip.moved[: round(seconds * clip.fps)])


@pytest.fixture(scope="module")
def walk() -> Clip:
    return shortened(clip_of("person"))


def test_feet_that_slide_stand(walk):
    clip = drifting(walk)
    cleaned, report = clean_feet(clip)
    assert len(cleaned) == len(clip)
    for foot in report.feet:
        assert foot.contacts >= 4
        assert foot.slide_before >= 0.02
        assert foot.slide_after <= 0.003
        assert foot.slide_after <= foot.slide_before / 5.0


def test_contacts_stay_where_they_were(walk):
    clip = drifting(walk)
    before, after = contacts_of(clip), contacts_of(clean_feet(clip)[0])
    for a, b in zip(before, after, strict=True):
        assert len(a.foot) == len(b.foot)
        for first, second in zip(a.foot, b.foot, strict=True):
            assert abs(first.start - second.start) <= 2.0
            assert abs(first.end - second.end) <= 2.0


def test_a_second_run_changes_nothing(walk):
    once, _ = clean_feet(drifting(walk))
    twice, report = clean_feet(once)
    assert np.abs(twice.moved - once.moved).max() <= 1e-5
    assert report.lowered <= 1e-6


def test_feet_that_are_held_already_are_left_to_the_bit():
    clip = still_clip(PERSON, 40)
    cleaned, report = clean_feet(clip)
    assert all(foot.contacts == 2 for foot in report.feet)
    np.testing.assert_array_equal(cleaned.moved, clip.moved)


def test_the_swing_is_unchanged_away_from_the_ramps(walk):
    clip = drifting(walk)
    config = CleanFeetConfig(ramp=0.05)
    cleaned, report = clean_feet(clip, config)
    contacts = contacts_of(clip)
    free = np.ones(len(clip), dtype=bool)
    frames = np.arange(len(clip))
    margin = config.ramp * clip.fps + 1.0
    for span in (span for each in contacts for span in each.foot):
        free &= (frames < span.start - margin) | (frames > span.end + margin)
    for k, leg in enumerate(clip.rig.legs):
        own = np.ones(len(clip), dtype=bool)
        for span in contacts[k].foot:
            own &= (frames < span.start - margin) | (frames > span.end + margin)
        assert own.sum() >= 10
        # The foot's way is the clip's own, though the body may be lower.
        assert np.abs(cleaned.moved[own, leg.foot] - clip.moved[own, leg.foot]).max() <= report.lowered + 1e-9


def test_no_leg_gets_straighter_than_the_clip_has_it(walk):
    clip = drifting(walk, 0.25)
    cleaned, _ = clean_feet(clip)
    for leg in clip.rig.legs:
        assert (extension(cleaned, leg) <= extension(clip, leg) + 1e-6).all()


def test_the_knee_pops_no_more_than_before(walk):
    clip = drifting(walk)
    cleaned, _ = clean_feet(clip)
    for leg in clip.rig.legs:
        steps = [np.abs(np.diff(knee(each, leg))).max() for each in (clip, cleaned)]
        assert steps[1] <= steps[0] + 1.0


def test_bones_keep_their_places_under_their_parents(walk):
    clip = drifting(walk)
    cleaned, _ = clean_feet(clip)
    for i, bone in enumerate(clip.rig.skeleton.bones):
        if bone.parent >= 0 and i != clip.rig.body:
            apart = cleaned.place(i, bone.head) - cleaned.place(bone.parent, bone.head)
            assert np.abs(apart).max() <= 1e-6, bone.name


def test_in_push_off_the_ball_stays_and_the_ankle_rises_about_it(walk):
    clip = drifting(walk)
    cleaned, _ = clean_feet(clip)
    seen = 0
    for leg, each in zip(clip.rig.legs, contacts_of(clip), strict=True):
        heels = each.of("heel") or ()
        for span in each.of("ball") or ():
            lifted = max((heel.end for heel in heels if heel.end < span.end), default=None)
            if lifted is None or span.start > lifted or span.end - lifted < 4.0:
                continue
            rows = slice(int(lifted) + 1, int(span.end))
            seen += 1
            assert np.ptp(cleaned.ball(leg)[rows, :2], axis=0).max() <= 0.002
            ankle = cleaned.joints(leg)[rows, -1, 2]
            assert ankle[-1] - ankle[0] >= 0.02
    assert seen >= 4


def test_the_floor_is_found_and_its_drift_named(walk):
    risen = drifting(walk, 0.0, 0.02)
    _, report = clean_feet(risen)
    _, level = clean_feet(walk)
    assert abs(level.drift) <= 0.005
    assert abs(level.floor) <= 0.005
    seconds = len(walk) / walk.fps
    assert report.drift == pytest.approx(0.02 * seconds, abs=0.35 * 0.02 * seconds)
    assert floor_of(risen, contacts_of(risen)) == pytest.approx(report.floor)


def test_heights_are_left_where_that_is_asked_for(walk):
    clip = drifting(walk, DRIFT, 0.01)
    cleaned, _ = clean_feet(clip, CleanFeetConfig(heights="FREE"))
    for leg, each in zip(clip.rig.legs, contacts_of(clip), strict=True):
        for span in each.of("ball") or ():
            rows = slice(int(span.start) + 1, int(span.end))
            assert np.abs(cleaned.ball(leg)[rows, 2] - clip.ball(leg)[rows, 2]).max() <= 0.004


@pytest.mark.parametrize("who", ["dog", "spider"])
def test_paws_and_claws_are_held_too(who):
    clip = drifting(shortened(clip_of(who), 2.0), 0.06)
    cleaned, report = clean_feet(clip)
    assert np.isfinite(cleaned.moved).all()
    assert max(foot.slide_after for foot in report.feet) <= max(foot.slide_before for foot in report.feet) / 4.0


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_clip_of_hardly_any_frames_is_no_exception(count):
    clip = still_clip(PERSON, count) if count else Clip(PERSON, 60.0, np.zeros((0, len(PERSON.skeleton), 4, 4)))
    cleaned, _ = clean_feet(clip)
    np.testing.assert_array_equal(cleaned.moved, clip.moved)


@pytest.mark.parametrize("who", ["person", "dog"])
def test_feet_of_a_clip_on_the_spot_go_with_the_ground_under_it(who):
    clip = on_the_spot(shortened(clip_of(who)), SPEEDS[who])
    wobbly = clip.moved.copy()
    wobbly[:, :, 0, 3] += 0.02 * np.sin(np.arange(len(clip)) / clip.fps * 3.0)[:, None]
    clip = replace(clip, moved=wobbly)
    cleaned, report = clean_feet(clip)
    assert all(foot.contacts >= 2 for foot in report.feet)
    assert max(foot.slide_after for foot in report.feet) <= 0.5 * max(foot.slide_before for foot in report.feet)
    # It still walks on the spot.
    assert np.abs(cleaned.body() - clip.body())[:, :2].max() <= 1e-6
    again, _ = clean_feet(cleaned)
    assert np.abs(again.moved - cleaned.moved).max() <= 1e-5


def test_who_stands_and_then_spreads_the_feet_walks_on_no_moving_ground():
    clip = still_clip(PERSON, 30)
    aside = np.maximum(np.arange(30) - 20.0, 0.0) * 0.9 / clip.fps
    for leg, sign in zip(PERSON.legs, (1.0, -1.0), strict=True):
        clip.moved[:, [leg.bones[0], *PERSON.skeleton.below[leg.bones[0]]], 0, 3] += sign * aside[:, None]
    ground = grounded(clip)
    assert ground.velocity is None
    assert [each.foot[0].start for each in ground.contacts] == [0.0, 0.0]
    assert [each.foot[0].end for each in ground.contacts] == pytest.approx([20.0, 20.0], abs=2.0)


def test_a_loop_stays_one(walk):
    period = round(1.1 * walk.fps)
    whole = on_the_spot(clip_of("person"), SPEEDS["person"])
    best = min(range(period // 2, 2 * period), key=lambda k: np.abs(whole.moved[k] - whole.moved[0]).max())
    loop = replace(whole, moved=np.concatenate([whole.moved[:best], whole.moved[:1]]))
    sway = 0.03 * np.sin(2.0 * np.pi * np.arange(len(loop)) / (len(loop) - 1))
    loop.moved[:, :, 0, 3] += sway[:, None]
    cleaned, report = clean_feet(loop)
    assert all(foot.contacts >= 2 for foot in report.feet)
    assert np.abs(cleaned.moved - loop.moved).max() >= 1e-3
    assert np.abs(cleaned.moved[-1] - cleaned.moved[0]).max() <= 1e-4


def test_feet_that_are_not_chosen_are_left_where_they_were(walk):
    clip = drifting(walk)
    cleaned, report = clean_feet(clip, feet={"leg.L"})
    assert report.feet[0].slide_after <= 0.003
    assert report.feet[1].contacts == 0
    right = clip.rig.legs[1]
    assert np.abs(cleaned.heel(right) - clip.heel(right)).max() <= 1e-9
    untouched, _ = clean_feet(clip, feet=set())
    np.testing.assert_array_equal(untouched.moved, clip.moved)


def lengthened(known, found, own=(), most=5.0):
    """A heel's contacts as they are held, of those of the source, of those found where they are, and of the body's."""
    spans = (tuple(Span(*each) for each in some) for some in (known, found, own))
    known, found, own = (Contacts(some, some, ()) for some in spans)
    return [tuple(span) for span in lengthened_contacts(known, found, own, most).heel]


def test_a_contact_is_held_as_far_as_it_is_found_within_a_bound():
    assert lengthened([(10.0, 20.0)], [(8.0, 40.0)]) == [(8.0, 25.0)]
    assert lengthened([(10.0, 20.0)], [(12.0, 18.0)]) == [(10.0, 20.0)]


def test_contacts_that_are_found_to_be_one_are_held_as_one():
    assert lengthened([(10.0, 20.0), (28.0, 40.0)], [(10.0, 40.0)]) == [(10.0, 40.0)]
    assert lengthened([(10.0, 20.0), (50.0, 60.0)], [(10.0, 60.0)]) == [(10.0, 25.0), (45.0, 60.0)]


def test_what_the_body_itself_stands_in_beside_a_contact_is_held_as_far_as_that_is_not():
    assert lengthened([(20.0, 30.0)], [(18.0, 30.0)], [(12.0, 20.0)]) == [(12.0, 18.0), (18.0, 30.0)]
    assert lengthened([(20.0, 30.0)], [(20.0, 30.0)], [(12.0, 22.0), (40.0, 50.0)]) == [(20.0, 30.0), (40.0, 50.0)]
