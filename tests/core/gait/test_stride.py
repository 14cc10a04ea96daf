"""How far a foot can travel under its body, and the strides that are planned from it."""

from dataclasses import replace
from math import atan, cos, dist, pi, sqrt

import pytest
from mathutils import Quaternion, Vector
from support.grid import rig_of
from surefoot.core.gait.foot import FootGeometry, rotation_at
from surefoot.core.gait.patterns import speed_at
from surefoot.core.gait.reach import course_of, heel_strike, standing_drop
from surefoot.core.gait.shape import BodyShape, LegShape, make_legs, shape_of
from surefoot.core.gait.stride import LIFT_OFF_BEND, SHORTER_DOWN, SHORTER_UP, TIGHTER, StridePlanner, wave
from surefoot.core.presets import gait_names, pattern

WHO = {"person": ("WALK", "RUN"), "dog": ("WALK", "TROT"), "spider": ("WAVE", "TRIPOD"), "hexapod": ("WAVE", "TRIPOD")}
EXTENSION = 0.985
SLOPES = (-0.36, -0.17, 0.0, 0.17, 0.36)


def planners() -> list[StridePlanner]:
    """A planner for each gait of each character."""
    return [
        StridePlanner(shape_of(rig_of(who)), pattern(gait, len(rig_of(who).legs)), EXTENSION)
        for who, gaits in WHO.items()
        for gait in gaits
    ]


def point_body(hip_height: float = 0.5, length: float = 0.55) -> BodyShape:
    """Four straight point legs, hips over their feet."""

    def leg(i: int) -> LegShape:
        x, y = (0.15, -0.15)[i % 2], (-0.4, 0.4)[i // 2]
        foot = (x, y, 0.0)
        return LegShape(
            role=f"leg{i}",
            side="LR"[i % 2],
            order=i // 2,
            stance="POINT",
            hip=(x, y, hip_height),
            tip=foot,
            pivot=foot,
            heel=foot,
            ball=foot,
            length=length,
            toe_out=0.0,
            rolls=False,
        )

    return BodyShape(tuple(leg(i) for i in range(4)), hip_height)


def test_a_body_whose_legs_are_bent_enough_stands_at_its_rest_height():
    assert standing_drop(point_body(0.5, 0.55), EXTENSION) == 0.0


@pytest.mark.parametrize("extension", [0.9, 0.95, 0.99])
def test_a_straight_leg_stands_lower_by_just_what_it_must_bend(extension: float):
    assert standing_drop(point_body(0.5, 0.5), extension) == pytest.approx(0.5 - extension * 0.5)


def test_legs_that_sprawl_sink_by_pythagoras():
    shape = make_legs(8, 0.8, 0.6, 0.3)
    wide = BodyShape(tuple(sprawling(leg, 0.2) for leg in shape.legs), shape.leg_length)
    length = wide.legs[0].length
    expected = 0.3 - sqrt((0.9 * length) ** 2 - 0.2**2)
    assert standing_drop(wide, 0.9) == pytest.approx(expected)


def sprawling(leg: LegShape, out: float) -> LegShape:
    """The same leg with its foot `out` metres further from the body."""
    x, y, z = leg.ball
    foot = (x + (out if leg.side == "L" else -out), y, z)
    return replace(leg, tip=foot, pivot=foot, heel=foot, ball=foot, length=sqrt(0.3**2 + out**2))


@pytest.mark.parametrize("name", [name for name in gait_names() if pattern(name, 4)])
def test_a_wave_of_the_body_runs_twice_in_a_cycle_between_highest_and_lowest(name: str):
    gait = pattern(name, 4)
    heights = [wave(gait, step / 1000.0) for step in range(1000)]
    assert min(heights) == pytest.approx(0.0, abs=1e-4)
    assert max(heights) == pytest.approx(1.0, abs=1e-4)
    assert heights[:500] == pytest.approx(heights[500:])


def test_a_walker_is_highest_over_its_standing_leg_and_a_runner_lowest():
    walk, run = pattern("WALK", 2), pattern("RUN", 2)
    walk = walk.with_duty(walk.duty_at(0.22))
    assert wave(walk, walk.duty / 2.0) < 0.1
    assert wave(run, run.duty / 2.0) == pytest.approx(1.0)


def test_the_room_of_a_point_foot_on_level_ground_is_that_of_a_right_triangle():
    """Hip `h` up after its sink, leg `r` long: sqrt(r^2 - h^2) to each side. A stride cut short keeps a margin."""
    shape = point_body(0.5, 0.55)
    gait = replace(pattern("TROT", 4), duty=0.5)
    planner = StridePlanner(shape, gait, 0.9)
    fast = planner.plan(10.0, 0.0)
    reach = shape.legs[0].cap(0.9 - TIGHTER) * 0.55
    lands = 0.5 - planner.lower - fast.bob * wave(gait, 0.0)
    leaves = 0.5 - planner.lower - fast.bob * wave(gait, gait.duty)
    room = sqrt(reach**2 - lands**2) + sqrt(reach**2 - leaves**2)
    assert fast.limited
    assert fast.travel == pytest.approx(room, abs=1e-6)


@pytest.mark.parametrize("planner", planners(), ids=lambda p: f"{len(p.shape.legs)} legs {p.pattern.name.lower()}")
@pytest.mark.parametrize("slope", SLOPES)
def test_a_planned_foot_is_in_reach_where_it_lands_and_where_it_leaves(planner: StridePlanner, slope: float):
    gait = planner.pattern
    rotation = rotation_at(0.0, tuple(Vector((0.0, slope, 1.0)).normalized()))
    for number in (0.03, 0.07, 0.22, 0.5, 1.0):
        stride = planner.plan(speed_at(number, planner.shape.leg_length), slope)
        for leg, ahead in zip(planner.shape.legs, stride.landing, strict=True):
            lands = stride.lower + stride.bob * wave(gait, 0.0)
            leaves = stride.lower + stride.bob * wave(gait, gait.duty)
            pitch, roll = -heel_strike(leg, gait), gait.heel_lift if leg.rolls else 0.0
            reach = leg.cap(EXTENSION) + 0.002
            lies, bend = planner.shape.pairs > 1 and not leg.rolls, LIFT_OFF_BEND if leg.rolls else 0.0
            assert stretch(leg, rotation, ahead, slope, lands, pitch, lies=lies) <= reach
            assert stretch(leg, rotation, ahead - stride.travel, slope, leaves, roll, lies=lies) <= reach - bend


def stretch(
    leg: LegShape, rotation: Quaternion, ahead: float, slope: float, sink: float, pitch: float, *, lies: bool = False
) -> float:
    """The leg's length, as a share of its whole, with its foot `ahead` of its rest place on a slope, along which the
    body `lies` or not.
    """
    out = (leg.hip[1] - leg.ball[1]) * (cos(atan(slope)) if lies else 1.0)
    ball = Vector((leg.ball[0], leg.hip[1] - out - ahead, leg.ball[2] + slope * (ahead + out)))
    turn = rotation if leg.rolls else Quaternion()
    hip = Vector(leg.hip) - Vector((0.0, 0.0, sink))
    if leg.blade is not None:
        hip += leg.blade.shift(leg.blade.turn(hip, ball))
    return (FootGeometry(leg).tip(ball, turn, pitch) - hip).length / leg.length


@pytest.mark.parametrize("planner", planners(), ids=lambda p: f"{len(p.shape.legs)} legs {p.pattern.name.lower()}")
@pytest.mark.parametrize("slope", SLOPES)
def test_a_foot_travels_as_far_as_the_body_goes_in_its_stance(planner: StridePlanner, slope: float):
    """The identity that keeps feet from sliding: travel = duty * cycle * horizontal speed, limited or not."""
    fastest = 0.7 * planner.pattern.cycle_fast * 2.0 * pi * sqrt(planner.shape.stature / 9.81)
    for number in (0.03, 0.07, 0.22, 0.5, 2.0):
        speed = speed_at(number, planner.shape.leg_length)
        stride = planner.plan(speed, slope)
        if stride.cycle > fastest + 1e-9:
            horizontal = speed / sqrt(1.0 + slope * slope)
            assert stride.travel == pytest.approx(planner.pattern.duty * stride.cycle * horizontal, rel=1e-6)


@pytest.mark.parametrize("who", ["person", "dog"])
def test_a_stride_that_the_legs_cannot_make_is_shortened_and_says_so(who: str):
    """A stride of 1.6 legs, asked for by the gait, is more than they reach."""
    shape = shape_of(rig_of(who))
    gait = replace(pattern("WALK", len(shape.legs)), stride_scale=1.6, stride_factor=6.0, cycle_slow=5.0)
    speed = speed_at(0.3, shape.leg_length)
    wanted = gait.duty * gait.cycle(speed, shape.leg_length) * speed
    stride = StridePlanner(shape, gait, EXTENSION).plan(speed, 0.0)
    assert wanted > 1.5 * shape.leg_length
    assert stride.limited
    assert stride.travel < wanted


@pytest.mark.parametrize("who", ["person", "dog"])
def test_a_stride_cut_short_stretches_no_leg_over_98_percent(who: str):
    shape = shape_of(rig_of(who))
    gait = replace(pattern("WALK", len(shape.legs)), stride_scale=1.6, stride_factor=6.0, cycle_slow=5.0)
    stride = StridePlanner(shape, gait, EXTENSION).plan(speed_at(0.3, shape.leg_length), 0.0)
    for leg, ahead in zip(shape.legs, stride.landing, strict=True):
        lower = stride.lower + (stride.chest if leg.order == 0 else 0.0)
        lands, leaves = (lower + stride.bob * wave(gait, phase) for phase in (0.0, gait.duty))
        assert stretch(leg, Quaternion(), ahead, 0.0, lands, -heel_strike(leg, gait)) <= 0.98
        roll = gait.heel_lift if leg.rolls else 0.0
        assert stretch(leg, Quaternion(), ahead - stride.travel, 0.0, leaves, roll) <= 0.98


@pytest.mark.parametrize("planner", planners(), ids=lambda p: f"{len(p.shape.legs)} legs {p.pattern.name.lower()}")
def test_a_slow_stride_on_level_ground_is_not_limited_and_lands_the_gait_s_share_ahead(planner: StridePlanner):
    stride = planner.plan(speed_at(0.01, planner.shape.leg_length), 0.0)
    assert not stride.limited
    assert stride.landing == pytest.approx([planner.pattern.ahead * stride.travel] * len(stride.landing))


@pytest.mark.parametrize("planner", planners(), ids=lambda p: f"{len(p.shape.legs)} legs {p.pattern.name.lower()}")
def test_a_stride_changes_evenly_with_the_slope(planner: StridePlanner):
    """Strides are planned each tick on a slope that changes: no step of more than 3 percent of a leg in a hundredth."""
    speed = speed_at(0.22, planner.shape.leg_length)
    travels = [planner.plan(speed, 0.01 * k).travel for k in range(-40, 41)]
    assert max(abs(b - a) for a, b in zip(travels, travels[1:], strict=False)) < 0.03 * planner.shape.leg_length


def test_walking_backward_a_foot_lands_behind_as_far_as_its_toes_reach_and_leaves_ahead_from_a_flat_sole():
    planner = StridePlanner(shape_of(rig_of("person")), pattern("WALK", 2), EXTENSION)
    back, ahead = planner.plan(1.0, 0.0, course="BACK"), planner.plan(1.0, 0.0)
    assert 0.0 < back.travel < ahead.travel
    assert back.landing[0] == back.landing[1] < back.travel


def test_a_body_that_goes_within_45_degrees_of_its_facing_goes_ahead_and_of_its_back_backward():
    assert [course_of(ahead, 1.0) for ahead in (1.0, 0.71, 0.69, 0.0, -0.69, -0.71, -1.0)] == [
        "AHEAD", "AHEAD", "ASIDE", "ASIDE", "ASIDE", "BACK", "BACK",
    ]  # fmt: skip
    assert course_of(0.0, 0.0) == "AHEAD"


def test_a_body_sinks_on_a_slope_whichever_way_it_goes():
    planner = StridePlanner(shape_of(rig_of("dog")), pattern("WALK", 4), EXTENSION)
    level, up, down = (planner.plan(1.0, slope).lower for slope in (0.0, 0.3, -0.3))
    assert up == down > level


@pytest.mark.parametrize("who", ["spider", "hexapod", "beetle"])
@pytest.mark.parametrize("slope", [-0.567, -0.36, 0.36, 0.567])
def test_legs_that_sprawl_far_ahead_keep_their_stride_on_the_slope_of_stairs(who: str, slope: float):
    """The body lies along the slope, and its feet with it: what they stand ahead or behind costs no reach."""
    shape = shape_of(rig_of(who))
    planner = StridePlanner(shape, pattern("TRIPOD", len(shape.legs)), EXTENSION)
    speed = speed_at(0.3, shape.leg_length)
    assert planner.plan(speed, slope).cycle == pytest.approx(planner.plan(speed, 0.0).cycle, rel=1e-6)


def test_strides_are_alike_at_all_sizes():
    """Ten times the leg at the same Froude number: ten times the travel, the root of ten times the cycle."""
    small, large = make_legs(4, 0.8, 0.3, 0.5), make_legs(4, 8.0, 3.0, 5.0)
    gait = pattern("WALK", 4)
    one, ten = (
        StridePlanner(shape, gait, EXTENSION).plan(speed_at(0.22, shape.leg_length), 0.1) for shape in (small, large)
    )
    assert ten.travel / one.travel == pytest.approx(10.0, rel=1e-4)
    assert ten.cycle / one.cycle == pytest.approx(sqrt(10.0), rel=1e-4)
    assert ten.landing == pytest.approx([10.0 * ahead for ahead in one.landing], rel=1e-4)


def test_the_rest_leg_of_the_person_is_not_asked_to_stretch_further_than_it_can():
    leg = shape_of(rig_of("person")).legs[0]
    assert dist(leg.hip, leg.tip) / leg.length < 1.0
    assert leg.cap(EXTENSION) <= EXTENSION


def test_a_pendulum_s_wave_is_highest_at_the_same_place_in_both_halves():
    gait = pattern("WALK", 2)
    assert wave(gait, 0.28) == pytest.approx(wave(gait, 0.78))
    assert wave(gait, 0.1) == pytest.approx(0.5 + 0.5 * cos(4.0 * pi * 0.09))


@pytest.mark.parametrize("slope", [0.2, 0.4, 0.6])
def test_on_a_slope_no_leg_uses_what_comes_nearer_for_longer_steps(slope: float):
    """Behind a body on the way down, before one on the way up, a foot is nearer than on level ground, by a share of the
    slope. The strides ask for more than there is room.
    """
    shape = shape_of(rig_of("person"))
    gait = replace(pattern("WALK", 2), stride_scale=1.6, stride_factor=6.0, cycle_slow=5.0)
    planner = StridePlanner(shape, gait, EXTENSION)
    level, up, down = (planner.plan(speed_at(0.3, shape.leg_length), k) for k in (0.0, slope, -slope))
    behind, ahead = level.travel - level.landing[0], level.landing[0]
    assert down.travel - down.landing[0] <= behind * (1.0 - SHORTER_DOWN * slope) + 1e-6
    assert up.landing[0] <= ahead * (1.0 - SHORTER_UP * slope) + 1e-6


def test_a_ball_that_hangs_shortens_the_stride_by_the_roll_that_is_lost():
    shape = shape_of(rig_of("person"))
    gait = pattern("WALK", 2)
    speed = speed_at(0.3, shape.leg_length)
    travels = [StridePlanner(shape, gait, EXTENSION).plan(speed, 0.0, hanging=k).travel for k in (0.0, 0.5, 1.0)]
    rigid = StridePlanner(shape, replace(gait, heel_lift=0.0), EXTENSION).plan(speed, 0.0)
    assert travels[0] > travels[1] > travels[2]
    assert travels[2] == pytest.approx(rigid.travel, abs=1e-9)


def test_a_cycle_is_no_longer_than_it_may_be_and_a_stride_that_is_is_not_limited_by_that():
    shape = shape_of(rig_of("person"))
    stride = StridePlanner(shape, pattern("WALK", 2), EXTENSION).plan(0.8, 0.0, longest=0.6)
    assert stride.cycle == 0.6
    assert stride.travel == pytest.approx(pattern("WALK", 2).duty * 0.6 * 0.8)
    assert not stride.limited
