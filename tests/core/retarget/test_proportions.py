"""Bodies of other proportions: how high they ride, how their feet tilt, where they go to keep a foot in reach."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.performers import clip_of
from support.retargeting import direction_errors, laid_leg, posed_at_rest, rig_of_skeleton, still_clip, with_legs
from support.rigs import person_skeleton
from surefoot.core.motion.at_rate import at_rate
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.spans import Contacts, Span
from surefoot.core.retarget.clean_feet import clean_feet
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.foot_moves import LED, plan_foot
from surefoot.core.retarget.foot_pitch import fitted_pitch
from surefoot.core.retarget.holds import FootShift
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.rig import Leg
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.space.quaternions import about, turned

FREE, FOLLOW = RetargetConfig(feet="FREE"), RetargetConfig(feet="FOLLOW")
PERSON = rig_of_skeleton(person_skeleton())


def walk() -> Clip:
    clip = clip_of("person")
    return replace(clip, moved=clip.moved[: round(3.0 * clip.fps)])


@pytest.mark.parametrize(("thigh", "shin"), [(0.8, 1.2), (1.2, 0.8), (0.6, 0.6)])
def test_a_body_rides_as_high_as_its_standing_legs_carry_it_in_the_sources_directions(thigh, shin):
    target = rig_of_skeleton(with_legs(person_skeleton(), thigh, shin))
    done = retarget_clip(walk(), target, FOLLOW)
    assert direction_errors(walk(), done.clip).mean() <= 2.0


def test_hips_go_over_standing_feet_as_the_targets_own_legs_and_feet_carry_them():
    target = rig_of_skeleton(with_feet(person_skeleton(), 0.5))
    done = retarget_clip(walk(), target)
    assert direction_errors(walk(), done.clip).mean() <= 3.2
    # Nothing jerks for it: the speed changes in a frame by little of itself.
    speeds = np.linalg.norm(np.diff(done.clip.body()[:, :2], axis=0), axis=-1)
    assert np.abs(np.diff(speeds)).max() <= 0.03 * speeds.mean()


def test_a_foot_on_its_heel_with_its_toes_up_keeps_its_pitch_where_it_is_shorter():
    clip = still_clip(PERSON, 60)
    leg, pitch = PERSON.legs[0], math.radians(15.0)
    heel = np.array(leg.sole.heel)
    turn = np.eye(4)
    turn[:3, :3] = np.array(Matrix.Rotation(-pitch, 3, "X"))
    turn[:3, 3] = heel - turn[:3, :3] @ heel
    feet = [leg.foot, *PERSON.skeleton.below[leg.foot]]
    clip.moved[:, feet] = turn
    laid_leg(clip, leg, clip.place(leg.foot, leg.tip))
    assert clip.ball(leg)[0, 2] >= 0.04
    for factor in (0.3, 1.0):
        done = retarget_clip(clip, rig_of_skeleton(with_feet(person_skeleton(), factor)))
        ours = done.clip.rig.legs[0]
        line = done.clip.ball(ours)[30] - done.clip.heel(ours)[30]
        assert done.clip.heel(ours)[30, 2] == pytest.approx(0.0, abs=2e-3)
        assert math.asin(line[2] / np.linalg.norm(line)) == pytest.approx(pitch, abs=math.radians(1.0)), factor


@pytest.mark.parametrize("fps", [60.0, 120.0])
@pytest.mark.parametrize(("legs", "feet"), [(0.7, 1.0), (0.8, 1.4), (0.6, 0.7)])
def test_a_clean_up_after_a_retarget_finds_feet_that_stand(legs, feet, fps):
    target = rig_of_skeleton(with_feet(with_legs(person_skeleton(), legs, legs), feet))
    done = retarget_clip(at_rate(walk(), fps), target)
    # On the target's own contacts, which may be a little longer than the source's: at any rate, by its own limits.
    report = clean_feet(done.clip)[1]
    assert max(foot.slide_before for foot in report.feet) <= 0.0025


def with_feet(skeleton: Skeleton, factor: float) -> Skeleton:
    """A person whose feet are so many times as long ahead of the ankle."""
    bones = list(skeleton.bones)
    for side in "LR":
        foot, toe = skeleton.index[f"foot.{side}"], skeleton.index[f"toe.{side}"]
        ahead = Vector((0.0, (factor - 1.0) * (bones[toe].head.y - bones[foot].head.y), 0.0))
        bones[toe] = replace(bones[toe], rest=Matrix.Translation(ahead) @ bones[toe].rest, connected=False)
    return Skeleton(tuple(bones))


def test_a_foot_that_is_longer_ahead_of_its_ankle_lifts_its_heel_by_less():
    longer = rig_of_skeleton(with_feet(person_skeleton(), 1.5))
    theirs, ours = PERSON.legs[0], longer.legs[0]
    reaches = [float((leg.sole.ball - leg.tip).to_2d().length) for leg in (theirs, ours)]
    assert reaches[1] > 1.3 * reaches[0]
    for leg in (theirs, ours):
        line, side = sole_axes(leg)
        turns = about(side, np.radians(np.array([0.0, 10.0, 20.0, 30.0])))
        tilts = [np.arcsin(turned(each, line)[:, 2]) for each in (turns, fitted_pitch(turns, theirs, leg))]
        assert tilts[0].min() == pytest.approx(math.radians(-30.0), abs=1e-6)
        share = 1.0 if leg is theirs else reaches[0] / reaches[1]
        assert tilts[1] == pytest.approx(share * tilts[0], abs=1e-6)


def sole_axes(leg: Leg) -> tuple[np.ndarray, np.ndarray]:
    """The level unit vectors along a sole, and to its side, such that turning about that raises the heel."""
    line = np.array(leg.sole.ball - leg.sole.heel, dtype=np.float64) * [1.0, 1.0, 0.0]
    line /= np.linalg.norm(line)
    return line, np.array([-line[1], line[0], 0.0])


def test_a_foot_on_the_tip_of_its_toes_keeps_its_pitch_however_long_it_is():
    longer = rig_of_skeleton(with_feet(person_skeleton(), 1.5))
    _, side = sole_axes(longer.legs[0])
    upright = about(side, np.array([0.5 * math.pi]))
    assert np.abs(fitted_pitch(upright, PERSON.legs[0], longer.legs[0]) - upright).max() <= 1e-6


def sitting(back: float) -> Clip:
    """Somebody who sits with bent knees, feet before him on the floor, while his hips slide back."""
    clip = still_clip(PERSON, 60)
    low = PERSON.legs[0].hip.z - 0.12
    clip.moved[:, 1:, 2, 3] -= low
    clip.moved[:, 1:, 1, 3] += back * np.linspace(0.0, 1.0, 60)[:, None]
    for leg in PERSON.legs:
        feet = [leg.foot, *PERSON.skeleton.below[leg.foot]]
        clip.moved[:, feet] = np.eye(4)
        clip.moved[:, feet, 1, 3] = -0.55
        laid_leg(clip, leg, clip.place(leg.foot, leg.tip))
    return clip


def test_who_sits_is_pulled_along_the_floor_to_a_foot_that_is_held_and_not_through_it():
    clip = sitting(0.0)
    # The whole of him slides by 6 cm: held feet stay behind, out of reach of legs that get no straighter.
    moved = clip.moved.copy()
    moved[:, :, 1, 3] += np.linspace(0.0, 0.06, 60)[:, None]
    whole = (Span(0.0, 59.0),)
    cleaned, report = clean_feet(replace(clip, moved=moved), contacts=[Contacts(whole, whole, whole)] * 2)
    assert all(foot.slide_before >= 0.02 for foot in report.feet)
    assert all(foot.slide_after <= 1e-3 and foot.unreached <= 1e-3 for foot in report.feet)
    shift = cleaned.body() - replace(clip, moved=moved).body()
    assert np.abs(shift[:, 1]).max() >= 0.01
    assert np.abs(shift[:, 2]).max() <= 0.25 * np.abs(shift[:, 1]).max()


@pytest.mark.parametrize("share", [0.3, 0.45, 0.6])
def test_a_folded_knee_opens_for_a_led_foot_by_the_same_angle_however_far_it_is_folded(share):
    clip, leg = still_clip(PERSON, 2), PERSON.legs[0]
    full = sum(leg.lengths)
    laid_leg(clip, leg, np.tile(np.array(leg.hip) - [0.0, 0.0, share * full], (2, 1)))
    assert math.degrees(bend(leg, share * full) - bend(leg, led_to(clip, leg))) == pytest.approx(21.0, abs=0.1)


def test_a_knee_that_is_hardly_bent_opens_for_a_led_foot_to_a_good_bend_at_most():
    clip, leg = still_clip(PERSON, 2), PERSON.legs[0]
    full = sum(leg.lengths)
    laid_leg(clip, leg, np.tile(np.array(leg.hip) - [0.0, 0.0, 0.8 * full], (2, 1)))
    assert led_to(clip, leg) == pytest.approx(0.85 * full, abs=1e-3)


def led_to(clip: Clip, leg: Leg) -> float:
    """How far from its hip the ankle of a led foot may be."""
    points, still, held = (clip.heel(leg), clip.ball(leg)), np.zeros((len(clip), 3)), np.ones(len(clip), dtype=bool)
    shift = FootShift(still, still, np.ones(len(clip)), held, held)
    return float(plan_foot(clip, leg, points, shift, 7.0, LED).longest[0])


def bend(leg: Leg, distance: float) -> float:
    """By how much a knee is bent where hip and ankle are so far apart, radians."""
    upper, lower = leg.lengths[:2]
    return math.acos((distance**2 - upper**2 - lower**2) / (2.0 * upper * lower))


def test_backs_whose_joints_lie_a_little_elsewhere_at_rest_are_upright_alike():
    leaning = posed_at_rest(person_skeleton(), {"spine.001": ("X", 0.12), "neck": ("X", -0.12)})
    target = rig_of_skeleton(leaning)
    done = retarget_clip(still_clip(PERSON), target, FREE)
    turns = done.channels.rotations[0, list(target.spine)]
    assert np.degrees(2.0 * np.arccos(np.clip(np.abs(turns[:, 0]), 0.0, 1.0))).max() <= 0.1


def test_a_back_that_rests_bent_far_over_is_straightened_where_the_sources_is_straight():
    bent = posed_at_rest(person_skeleton(), {"spine.001": ("X", 0.6), "neck": ("X", -0.6)})
    target = rig_of_skeleton(bent)
    done = retarget_clip(still_clip(PERSON), target, FREE)

    def line(clip: Clip) -> np.ndarray:
        rig = clip.rig
        start = clip.place(rig.spine[0], rig.skeleton.bones[rig.spine[0]].head)
        between = clip.place(rig.spine[-1], rig.skeleton.bones[rig.neck[0]].head) - start
        return between / np.linalg.norm(between, axis=-1, keepdims=True)

    assert np.abs(line(done.clip) - line(still_clip(PERSON))).max() <= 1e-5
