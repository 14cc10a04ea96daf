"""The small geometry of one foot: where its tip, heel and ball are while it stands, rolls up or stands on its heel."""

from dataclasses import replace
from itertools import pairwise
from math import acos, atan2, cos, pi, radians, sin

import pytest
from mathutils import Quaternion, Vector
from support.grid import rig_of
from surefoot.core.gait.foot import FootGeometry, roll_axis, rotation_at
from surefoot.core.gait.shape import make_legs, shape_of

UP = Vector((0.0, 0.0, 1.0))
PERSON = shape_of(rig_of("person")).legs[0]
POINT = make_legs(4, 0.8, 0.3, 0.5).legs[0]
TURNS = [
    pytest.param(Quaternion(), id="at rest"),
    pytest.param(rotation_at(0.7, (0.0, 0.0, 1.0)), id="turned"),
    pytest.param(rotation_at(-2.0, tuple(Vector((0.2, -0.3, 1.0)).normalized())), id="on a slope"),
]
SPOT = Vector((3.0, -4.0, 0.5))


def close(a: Vector, b: Vector) -> bool:
    """Equal within single precision."""
    return (a - b).length < 2e-6


def test_a_foot_of_heading_0_on_level_ground_is_as_at_rest():
    assert rotation_at(0.0, (0.0, 0.0, 1.0)) == Quaternion()


def test_a_heading_of_90_degrees_turns_the_front_from_minus_y_to_plus_x():
    assert close(rotation_at(radians(90.0), (0.0, 0.0, 1.0)) @ Vector((0.0, -1.0, 0.0)), Vector((1.0, 0.0, 0.0)))


@pytest.mark.parametrize("heading", [0.0, 1.0, -3.0])
def test_a_sole_lies_on_its_ground(heading: float):
    normal = Vector((0.3, -0.2, 1.0)).normalized()
    assert close(rotation_at(heading, tuple(normal)) @ UP, normal)


def test_a_slope_turns_a_foot_by_the_shortest_way_so_that_it_keeps_its_heading():
    turn = rotation_at(0.0, (0.0, sin(0.3), cos(0.3)))
    ahead = turn @ Vector((0.0, -1.0, 0.0))
    assert close(ahead, Vector((0.0, -cos(0.3), sin(0.3))))


@pytest.mark.parametrize("rotation", TURNS)
def test_a_flat_foot_has_tip_heel_and_ball_where_they_are_at_rest(rotation: Quaternion):
    foot, ball = FootGeometry(PERSON), Vector(PERSON.ball)
    for place, rest in (
        (foot.tip(SPOT, rotation, 0.0), PERSON.tip),
        (foot.heel_place(SPOT, rotation, 0.0), PERSON.heel),
        (foot.ball_place(SPOT, rotation, 0.0), PERSON.ball),
    ):
        assert close(place, SPOT + rotation @ (Vector(rest) - ball))


@pytest.mark.parametrize("rotation", TURNS)
@pytest.mark.parametrize("pitch", [0.1, 0.6, 1.2])
def test_a_lifted_heel_turns_tip_and_heel_about_the_pivot_and_leaves_the_ball(rotation: Quaternion, pitch: float):
    foot = FootGeometry(PERSON)
    pivot = SPOT + rotation @ (Vector(PERSON.pivot) - Vector(PERSON.ball))
    assert close(foot.ball_place(SPOT, rotation, pitch), SPOT)
    for place, rest in (
        (foot.tip(SPOT, rotation, pitch), PERSON.tip),
        (foot.heel_place(SPOT, rotation, pitch), PERSON.heel),
    ):
        arm = Quaternion(roll_axis(PERSON), pitch) @ (Vector(rest) - Vector(PERSON.pivot))
        assert close(place, pivot + rotation @ arm)
    assert (rotation.inverted() @ (foot.heel_place(SPOT, rotation, pitch) - SPOT)).z > 0.0


@pytest.mark.parametrize("rotation", TURNS)
def test_a_foot_that_lands_on_its_heel_turns_about_it(rotation: Quaternion):
    foot, pitch = FootGeometry(PERSON), -0.3
    heel = SPOT + rotation @ (Vector(PERSON.heel) - Vector(PERSON.ball))
    assert close(foot.heel_place(SPOT, rotation, pitch), heel)
    arm = Quaternion(roll_axis(PERSON), pitch) @ (Vector(PERSON.ball) - Vector(PERSON.heel))
    assert close(foot.ball_place(SPOT, rotation, pitch), heel + rotation @ arm)
    assert (rotation.inverted() @ (foot.ball_place(SPOT, rotation, pitch) - SPOT)).z > 0.0


@pytest.mark.parametrize("rotation", TURNS)
@pytest.mark.parametrize("pitch", [-0.4, 0.0, 0.5, 1.0])
def test_a_foot_keeps_its_size_however_it_rolls(rotation: Quaternion, pitch: float):
    foot = FootGeometry(PERSON)
    tip, heel = foot.tip(SPOT, rotation, pitch), foot.heel_place(SPOT, rotation, pitch)
    assert (tip - heel).length == pytest.approx((Vector(PERSON.tip) - Vector(PERSON.heel)).length, abs=2e-6)


def test_rolling_goes_on_without_a_step_from_heel_to_flat_to_ball():
    foot = FootGeometry(PERSON)
    before, after = (foot.tip(SPOT, Quaternion(), pitch) for pitch in (-1e-5, 1e-5))
    assert (before - after).length < 1e-5


def test_a_point_foot_does_not_roll():
    foot = FootGeometry(POINT)
    for pitch in (-0.5, 0.5):
        assert close(foot.tip(SPOT, Quaternion(), pitch), SPOT + Vector(POINT.tip) - Vector(POINT.ball))
        assert close(foot.ball_place(SPOT, Quaternion(), pitch), SPOT)
    assert foot.pitch_to_reach(SPOT + UP * 9.0, SPOT, Quaternion(), 0.1, 1.0) == 0.0


LIMIT = radians(80.0)


def reached_by_trial(foot: FootGeometry, hip: Vector, rotation: Quaternion, reach: float) -> float | None:
    """The least roll within reach by trying ten thousand of them; None where there is none."""
    for step in range(10001):
        pitch = LIMIT * step / 10000
        if (foot.tip(SPOT, rotation, pitch) - hip).length <= reach:
            return pitch
    return None


@pytest.mark.parametrize("rotation", TURNS)
@pytest.mark.parametrize("behind", [0.0, 0.2, 0.35, 0.5])
@pytest.mark.parametrize("reach", [0.86, 0.9, 0.95])
def test_the_roll_that_reaches_is_the_least_of_all_that_do(rotation: Quaternion, behind: float, reach: float):
    foot = FootGeometry(PERSON)
    hip = SPOT + rotation @ (Vector((-0.02, 0.08 - behind, 0.92)))
    tried = reached_by_trial(foot, hip, rotation, reach)
    pitch = foot.pitch_to_reach(hip, SPOT, rotation, reach, LIMIT)
    if tried is not None:
        assert pitch == pytest.approx(tried, abs=LIMIT / 10000 + 1e-4)
    else:
        length = (foot.tip(SPOT, rotation, pitch) - hip).length
        assert length == pytest.approx(
            min((foot.tip(SPOT, rotation, LIMIT * k / 2000) - hip).length for k in range(2001)), abs=1e-4
        )


def test_a_leg_within_reach_needs_no_roll():
    foot = FootGeometry(PERSON)
    assert foot.pitch_to_reach(foot.tip(SPOT, Quaternion(), 0.0) + UP * 0.5, SPOT, Quaternion(), 0.8, LIMIT) == 0.0


@pytest.mark.parametrize("rotation", TURNS)
@pytest.mark.parametrize("ahead", [-0.2, 0.0, 0.2])
@pytest.mark.parametrize("height", [0.35, 0.45, 0.55])
@pytest.mark.parametrize("pitch", [0.3, 0.8, 1.3])
def test_a_foot_under_a_folded_leg_is_rolled_as_far_as_the_leg_folds(
    rotation: Quaternion, ahead: float, height: float, pitch: float
):
    """The greatest of ten thousand rolls up to which none brings the tip too near to the hip."""
    foot = FootGeometry(replace(PERSON, shortest=0.35))
    hip = SPOT + rotation @ Vector((-0.02, 0.08 + ahead, height))
    steps = [pitch * k / 10000 for k in range(10001)]
    near = [t for t in steps if (foot.tip(SPOT, rotation, t) - hip).length < foot.shortest]
    rolled = foot.pitch_to_fold(hip, SPOT, rotation, pitch)
    if (foot.tip(SPOT, rotation, pitch) - hip).length >= foot.shortest:
        assert rolled == pitch
    else:
        assert rolled == pytest.approx(near[0], abs=2e-4)


def test_a_leg_of_two_segments_is_as_short_as_its_folded_knee_has_it():
    rig = rig_of("person")
    upper, lower = ((b - a).length for a, b in pairwise(rig.legs[0].chain))
    assert abs(upper - lower) < shape_of(rig).legs[0].shortest < 0.3 * (upper + lower)


def test_a_hip_far_out_of_reach_rolls_the_foot_as_far_as_it_may():
    foot = FootGeometry(PERSON)
    hip = SPOT + Vector((0.0, -5.0, 5.0))
    assert foot.pitch_to_reach(hip, SPOT, Quaternion(), 0.9, 0.4) == pytest.approx(0.4)


def test_the_roll_axis_is_across_the_foot_and_a_positive_turn_lifts_the_heel():
    axis = roll_axis(PERSON)
    along = Vector(PERSON.heel) - Vector(PERSON.ball)
    assert axis.dot(along) == pytest.approx(0.0, abs=1e-6)
    assert (Quaternion(axis, pi / 6.0) @ along).z > 0.0


def lean(leg, hip: Vector, pitch: float) -> float:
    """How far the shin leans over the sole with thigh and shin equally long, the foot at the origin, not turned."""
    way = hip - FootGeometry(leg).tip(Vector(), Quaternion(), pitch)
    forward = Vector((sin(leg.toe_out), -cos(leg.toe_out), 0.0))
    return atan2(way.dot(forward), way.z) + acos(way.length / leg.length) - pitch


def test_a_shin_that_leans_too_far_lifts_the_heel_just_as_far_as_it_has_to():
    hip = Vector((0.0, -0.45, 0.55))
    assert lean(PERSON, hip, 0.0) > 0.8
    pitch = FootGeometry(PERSON).pitch_to_flex(hip, Vector(), Quaternion(), 0.8, 2.0)
    assert lean(PERSON, hip, pitch) == pytest.approx(0.8, abs=0.01)


def test_under_a_shin_that_leans_less_the_heel_stays_down():
    assert FootGeometry(PERSON).pitch_to_flex(Vector((0.0, 0.0, 0.85)), Vector(), Quaternion(), 0.8, 2.0) == 0.0


def test_a_heel_lifts_no_further_than_its_limit_for_a_shin():
    pitch = FootGeometry(PERSON).pitch_to_flex(Vector((0.0, -0.45, 0.55)), Vector(), Quaternion(), 0.1, 0.3)
    assert pitch == pytest.approx(0.3)


def test_a_point_foot_has_no_shin_to_lean_over_it():
    assert FootGeometry(POINT).pitch_to_flex(Vector((0.0, -0.4, 0.2)), Vector(), Quaternion(), 0.1, 2.0) == 0.0


def test_a_hip_that_comes_up_over_the_foot_lets_the_heel_down_evenly():
    """Where a little roll adds to the lean, the roll that is enough ends all at once; what is asked for does not."""
    geometry, hips = FootGeometry(PERSON), [Vector((0.0, -0.32, 0.60 + 0.001 * k)) for k in range(250)]
    pitches = [geometry.pitch_to_flex(hip, Vector(), Quaternion(), 0.8, 1.2) for hip in hips]
    assert pitches[0] > 0.3
    assert pitches[-1] == 0.0
    assert max(abs(b - a) for a, b in zip(pitches, pitches[1:], strict=False)) < radians(2.0)
