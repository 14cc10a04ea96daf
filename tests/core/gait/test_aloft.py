"""A body in the air and just before and after: it pushes itself off, flies, lands and goes on."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np
import pytest
from mathutils import Vector
from support.flights import FPS, RUNS, WALKS, Run, drop, fly, jump
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Pad, Place
from surefoot.core.control.movement import MovementConfig
from surefoot.core.gait.config import GaitConfig
from surefoot.core.measure.switches import bone_speeds
from surefoot.core.world.extruded import Flat, Gap
from surefoot.core.world.probe import DOWN

EVERYONE = ("person", "dog", "horse", "bird", "spider")
FLIGHTS = [
    *((jump, who, speed) for who in EVERYONE for speed in (0.0, RUNS)),
    *((drop, who, 1.5) for who in EVERYONE),
    (drop, "person", 6.0),
]


def named(value: object) -> str:
    return value.__name__ if callable(value) else str(value)


def height_of(run: Run, k: int, bone: str) -> float:
    return run.pose(k).head(bone)[2]


def test_it_gives_way_first_while_its_feet_stay_then_it_is_off_the_ground_with_its_toes_down():
    run = jump("person")
    off = run.took_off
    rest = height_of(run, off - 1, "spine.001")
    heights = [height_of(run, off + k, "spine.001") for k in range(12)]
    assert min(heights[:4]) < rest - 0.01
    assert heights[11] > rest + 0.2
    for foot in run.memories[off + 3].gait.feet:
        # The travel is 0.4 m up by then: feet push last.
        assert foot.planted
        assert foot.ball == run.memories[off - 1].gait.feet[0 if foot.ball[0] > 0.0 else 1].ball
    leaves = next(k for k in range(off, off + 20) if not run.memories[k].gait.feet[0].planted)
    assert run.memories[leaves].gait.feet[0].pitch > 0.5
    assert run.memories[leaves].travel.place.z > 0.5


def test_standing_it_swings_both_arms_up_with_the_jump():
    run = jump("person")
    top = run.pose(run.after(0.44, run.took_off))
    for side in "LR":
        assert top.head(f"hand.{side}")[2] > top.head(f"upper_arm.{side}")[2] + 0.25


def test_in_a_running_jump_a_knee_goes_up_ahead_the_other_leg_stays_behind_and_the_opposite_arm_is_forward():
    run = jump("person", RUNS)
    lead = run.memories[run.took_off].gait.flight.lead
    leads, trails = ("L", "R") if lead == 0 else ("R", "L")
    top = run.pose(run.after(0.35, run.took_off))
    assert top.seen(f"shin.{leads}")[1] < top.seen(f"thigh.{leads}")[1] - 0.3
    assert top.seen(f"shin.{leads}")[2] > top.seen(f"shin.{trails}")[2] + 0.2
    assert top.seen(f"foot.{trails}")[1] > top.seen(f"thigh.{trails}")[1] + 0.2
    assert top.seen(f"hand.{trails}")[1] < top.seen(f"hand.{leads}")[1] - 0.15


def test_the_leg_that_was_in_the_air_leads_and_the_other_pushes():
    run = jump("person", RUNS)
    feet = run.memories[run.took_off - 1].gait.feet
    lead = run.memories[run.took_off].gait.flight.lead
    assert [foot.planted for foot in feet].count(True) == 1
    assert not feet[lead].planted


def test_in_a_fall_arms_go_out_the_head_looks_down_and_feet_are_level_in_time():
    run = drop("person", 3.0)
    start, end = run.pose(run.took_off), run.pose(run.landed - 1)
    for side in "LR":
        assert abs(end.seen(f"hand.{side}")[0]) > abs(start.seen(f"hand.{side}")[0]) + 0.15
    assert (end.turned("head") @ Vector((0.0, -1.0, 0.0))).z < -0.25
    for foot in run.memories[run.landed - 1].gait.feet:
        assert abs(foot.pitch) < 0.12


def test_arms_go_round_in_long_falls_only():
    goes = []
    for run in (jump("person"), drop("person", 12.0)):
        # In the last fifth of a second left and right arm go their own ways, or not.
        pairs = [run.memories[k].gait.body.bearing[1:3] for k in range(run.landed - 12, run.landed)]
        goes.append(max(abs(left - right) for left, right in pairs))
    assert goes[0] < 0.1
    assert goes[1] > 0.4


def test_a_short_drop_is_no_flight():
    run = drop("person", 0.75)
    if any(memory.travel.aloft for memory in run.memories):
        flights = [memory.gait.flight for memory in run.memories if memory.travel.aloft]
        assert max(flight.share for flight in flights) < 0.5
    shares = [memory.gait.flight.share for memory in drop("person", 3.0).memories if memory.travel.aloft]
    assert max(shares) > 0.9


@pytest.mark.parametrize("who", ["dog", "horse"])
def test_four_legs_tuck_the_front_feet_then_reach_with_them_first_nose_up_and_nose_down(who: str):
    run = jump(who, RUNS)
    leg = run.character.rig.leg_length
    up, down = run.after(0.25, run.took_off), run.landed - 2

    def feet(k: int) -> list[tuple[float, float]]:
        x, y, z, _ = run.memories[k].travel.place
        return [(foot.ball[1] - y, foot.ball[2] - z) for foot in run.memories[k].gait.feet]

    rises, falls = feet(up), feet(down)
    rest = [shape.ball for shape in run.character.gait.shape.legs]
    assert min(rises[0][1], rises[1][1]) > max(rises[2][1], rises[3][1]) + 0.2 * leg
    assert max(falls[0][1], falls[1][1]) < min(falls[2][1], falls[3][1]) - 0.1 * leg
    for k in (0, 1):
        assert falls[k][0] < rest[k][1] - 0.1 * leg
    noses = [(run.pose(k).turned("pelvis") @ Vector((0.0, -1.0, 0.0))).z for k in (up, down)]
    assert noses[0] > 0.1
    assert noses[1] < -0.1


def test_a_bird_spreads_its_wings_in_the_air_and_folds_them_again():
    run = jump("bird")
    wings = [run.character.rig.skeleton.index[f"wing.001.{side}"] for side in "LR"]
    air = run.after(0.5, run.took_off)
    for k, least, most in ((run.took_off - 1, 0.0, 1e-9), (air, 0.5, 1.6), (len(run.frames) - 1, 0.0, 0.05)):
        for wing in wings:
            turned = 2.0 * np.arccos(min(1.0, abs(run.frames[k].rotations[wing][0])))
            assert least <= turned <= most
    tips = [run.pose(air).seen(f"wing.002.{side}")[0] for side in "LR"]
    assert tips[0] == pytest.approx(-tips[1], abs=0.02)
    assert tips[0] > 0.1


def test_a_bird_without_a_shape_keeps_its_wings_to_itself():
    character = Character(jump("bird").character.rig, CharacterConfig())
    rotated, _ = character.poser.driven()
    assert not {i for arm in character.rig.arms for i in arm.bones} & set(rotated)


def test_a_landing_bends_the_trunk_brings_the_arms_forward_and_is_over_within_a_second():
    run = drop("person", 1.5)
    deepest = max(range(run.landed, run.landed + 30), key=lambda k: run.memories[k].gait.body.squat)
    assert 0.05 < (deepest - run.landed) / FPS < 0.3
    down, later = run.pose(deepest), run.memories[run.landed + 60].gait
    assert (down.turned("chest") @ Vector((0.0, 0.0, 1.0))).y < -0.15
    assert down.seen("hand.L")[1] < down.seen("upper_arm.L")[1] - 0.1
    assert later.body.squat < 0.02


def test_it_gives_way_no_faster_than_it_came_down():
    for height in (1.0, 2.0, 3.0):
        run = drop("person", height)
        fell = run.memories[run.landed].travel.impact
        assert max(memory.gait.body.squat_speed for memory in run.memories[run.landed :]) < 0.75 * fell


def test_a_heavy_landing_stops_the_run_near_the_ground_and_then_it_runs_on():
    run = drop("person", 5.0, RUNS)
    landed, hold = run.landed, MovementConfig().landing_hold
    assert run.memories[landed].travel.impact > MovementConfig().heavy_landing
    low = run.after(hold, landed) - 1
    assert hypot(*run.memories[low].travel.velocity) < 0.15
    posed = run.pose(low)
    ground = run.memories[low].travel.place.z
    assert min(posed.head(f"hand.{side}")[2] for side in "LR") - ground < 0.35
    assert posed.head("spine.001")[2] - ground < 0.65
    assert hypot(*run.memories[-1].travel.velocity) == pytest.approx(RUNS * sqrt(run.size), rel=1e-3)
    assert run.memories[-1].travel.held == 0.0


def test_what_is_heavy_is_a_setting():
    light = drop("person", 5.0, RUNS, MovementConfig(heavy_landing=50.0))
    assert max(memory.travel.held for memory in light.memories) == 0.0
    speeds = [hypot(*memory.travel.velocity) for memory in light.memories[light.landed + 1 :]]
    assert min(speeds) > 0.9 * RUNS


def test_a_running_landing_goes_straight_on_with_the_other_foot_still_in_the_air():
    run = jump("person", RUNS)
    feet = run.memories[run.landed].gait.feet
    lead = run.memories[run.landed].gait.flight.lead
    assert feet[lead].planted
    assert not feet[1 - lead].planted
    down = [k for k in range(run.landed, run.landed + 25) if run.memories[k].gait.feet[1 - lead].planted]
    ahead = -(run.memories[down[0]].gait.feet[1 - lead].ball[1] - feet[lead].ball[1])
    assert ahead > 0.5
    assert hypot(*run.memories[run.landed + 1].travel.velocity) > 0.95 * RUNS


@pytest.mark.parametrize(("flight", "who", "how"), FLIGHTS, ids=named)
def test_no_foot_goes_into_the_ground_and_none_that_stands_slides(flight, who: str, how: float):
    run = flight(who, how)
    deep, slid, before = 0.0, 0.0, {}
    for k in range(max(0, run.took_off - 6), min(len(run.frames), run.landed + 30)):
        posed = run.pose(k)
        for leg, footing in zip(run.character.rig.legs, run.frames[k].feet, strict=True):
            sole = leg.sole
            heel, ball = posed.carried(sole.heel_bone, sole.heel), posed.carried(sole.ball_bone, sole.ball)
            for point in (heel, ball):
                hit = run.world.cast_ray(Vector(point) + Vector((0.0, 0.0, 0.2 * run.size)), DOWN, 0.2 * run.size)
                deep = max(deep, hit.position.z - point[2] if hit is not None else 0.0)
            was = before.get(leg.role)
            if was is not None and footing.planted and footing.ball_down and was[1]:
                slid = max(slid, hypot(*(ball[:2] - was[0])))
            before[leg.role] = (ball[:2], footing.planted and footing.ball_down)
    assert deep < 0.02 * run.size
    assert slid < 1e-4


@pytest.mark.parametrize("speed", [0.0, RUNS])
def test_knees_never_bend_the_other_way(speed: float):
    run = jump("person", speed)
    for k in range(len(run.frames)):
        posed = run.pose(k)
        for side in "LR":
            hip, knee, ankle = (posed.seen(f"{name}.{side}") for name in ("thigh", "shin", "foot"))
            # The knee is on the front of the line from hip to ankle: to the front of a body that may be anywhere.
            line = (ankle - hip) / np.linalg.norm(ankle - hip)
            off = (knee - hip) - line * ((knee - hip) @ line)
            front = np.array((0.0, line[2], -line[1]))
            assert off @ front > -1e-3


@pytest.mark.parametrize("who", EVERYONE)
def test_in_the_air_no_bone_changes_its_speed_suddenly(who: str):
    """Between the push and the touch of a jump, radians a second from frame to frame; walking goes up to forty."""
    run = jump(who)
    speeds = bone_speeds(np.array([frame.rotations for frame in run.frames]), FPS)
    inside = speeds[run.after(0.25, run.took_off) : run.landed - 2]
    assert np.abs(np.diff(inside, axis=0)).max() < 6.0


@pytest.mark.parametrize("who", ["person", "dog", "horse", "spider"])
def test_the_switch_to_the_air_and_back_is_no_harsher_than_a_jump_of_that_speed_needs(who: str):
    run = jump(who)
    speeds = bone_speeds(np.array([frame.rotations for frame in run.frames]), FPS)
    steps = np.abs(np.diff(speeds, axis=0)).max(axis=1)
    leg, rise = run.character.rig.leg_length, run.memories[run.took_off].gait.flight.jump
    # What a knee of a bent leg turns by where its body is stopped in one frame.
    needed = rise / (0.25 * leg)
    assert steps[run.took_off - 2 : run.landed + 6].max() < needed


def test_after_a_landing_everything_of_it_is_forgotten():
    run = jump("person")
    last = run.memories[-1].gait
    assert jump("person").memories[run.landed + 10].gait.flight is not None
    later = fly("person", Flat(), lambda t: Pad(jump=0.2 <= t < 0.4), 6.0, WALKS).memories[-1].gait
    assert later.flight is None
    assert later.body.bearing == ()
    assert all(foot.carry_speed == () for foot in last.feet)


def test_it_is_foreseen_when_it_lands():
    run = jump("person")
    for k in range(run.took_off, run.landed):
        assert run.memories[k].travel.lands_in == pytest.approx((run.landed - k) / FPS, abs=1.5 / FPS)


def test_over_a_bottomless_gap_nothing_is_foreseen_and_it_does_not_get_ready():
    run = fly("person", Gap(300.0, start=1.0), lambda _: Pad(0.0, -1.0), 2.5)
    last = run.memories[-1]
    assert last.travel.aloft
    assert last.travel.lands_in == np.inf
    assert last.gait.flight.near == pytest.approx(0.0, abs=1e-6)


def test_settings_keep_arms_at_the_sides_legs_as_they_stand_and_knees_straight():
    plain, still = jump("person"), jump("person", 0.0, GaitConfig(flight_arms=0.0, flight_legs=0.0, landing_give=0.0))
    air = plain.after(0.44, plain.took_off)
    low, high = still.pose(air), plain.pose(air)
    for side in "LR":
        assert low.head(f"hand.{side}")[2] < low.head(f"upper_arm.{side}")[2] - 0.2
        assert low.seen(f"foot.{side}")[2] < high.seen(f"foot.{side}")[2] - 0.05
    deepest = [max(memory.gait.body.squat for memory in run.memories[run.landed :]) for run in (still, plain)]
    assert deepest[0] < 0.5 * deepest[1]


@pytest.mark.parametrize("who", ["person", "dog"])
def test_a_jump_is_the_same_to_the_bit_every_time_and_from_a_copy(who: str):
    rig = jump(who).character.rig
    character, world = Character(rig, CharacterConfig(body="CAPSULE", director="INPUT")), Flat()
    one, other = (character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(2.0), world) for _ in range(2))
    for number in range(150):
        inputs = Inputs(2.0, pad=Pad(0.0, -1.0, jump=40 <= number < 44))
        character.tick(one, inputs, world, 1.0 / 60.0)
        character.tick(other, inputs, world, 1.0 / 60.0)
        if number in (41, 60, 95):
            other = other.copy()
    assert one == other
