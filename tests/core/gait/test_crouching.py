"""A body with a shape that crouches, goes on crouched and stands up again."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from mathutils import Vector
from support.flights import FPS, WALKS, Run, crouch, fly
from surefoot.core.control.intent import Pad
from surefoot.core.measure.switches import bone_speeds
from surefoot.core.world.extruded import Flat

EVERYONE = ("person", "dog", "horse", "bird", "spider")
LOW = 1.4
"""Seconds at which it is all down."""


def frame_at(run: Run, seconds: float) -> int:
    return run.after(seconds, 0)


@pytest.mark.parametrize("who", EVERYONE)
def test_it_is_lower_as_long_as_it_is_asked_for_and_stands_up_again(who: str):
    run = crouch(who)
    leg = run.character.rig.leg_length
    before, low, after = (run.memories[frame_at(run, t)] for t in (0.25, LOW, 2.55))
    assert before.gait.body.squat == 0.0
    assert low.gait.body.squat > 0.3 * leg
    # The legs give half of what the shape is lower by, the back the rest; but no leg folds further than it can.
    most = run.character.gait.body.folds.most
    assert low.gait.body.squat == pytest.approx(min(most, 0.5 * low.travel.lower), rel=0.03)
    assert after.gait.body.squat < 0.02 * leg


@pytest.mark.parametrize("who", EVERYONE)
def test_feet_stay_where_they_are_while_it_crouches_and_stands_up(who: str):
    run = crouch(who)
    balls = np.array([[foot.ball for foot in memory.gait.feet] for memory in run.memories])
    assert np.abs(balls - balls[0]).max() < 1e-6
    for k in (frame_at(run, 0.6), frame_at(run, LOW), frame_at(run, 1.9)):
        posed = run.pose(k)
        for leg, ball in zip(run.character.rig.legs, balls[k], strict=True):
            # What is asked for is what is posed: the sole's ball is there.
            assert posed.carried(leg.sole.ball_bone, leg.sole.ball) == pytest.approx(ball, abs=0.004 * run.size)


@pytest.mark.parametrize("who", EVERYONE)
def test_crouching_and_standing_up_are_smooth(who: str):
    run = crouch(who)
    speeds = bone_speeds(np.array([frame.rotations for frame in run.frames]), FPS)
    assert np.abs(np.diff(speeds, axis=0)).max() < 6.0


def test_a_crouched_person_bends_forward_with_hands_before_the_knees_and_a_level_head():
    run = crouch("person")
    low = run.pose(frame_at(run, LOW))
    assert (low.turned("chest") @ Vector((0.0, 0.0, 1.0))).y < -0.5
    assert abs((low.turned("head") @ Vector((0.0, -1.0, 0.0))).z) < 0.25
    for side in "LR":
        assert low.seen(f"hand.{side}")[1] < low.seen(f"upper_arm.{side}")[1] - 0.1
        assert low.seen(f"hand.{side}")[2] > 0.1
    # Its head is about as high as its shape is.
    top = low.seen("head")[2]
    assert top < 1.25 * run.memories[frame_at(run, LOW)].capsule.shown


def test_a_bird_does_not_tip_over_its_legs():
    run = crouch("bird")
    start, low = (run.pose(frame_at(run, t)).turned("chest") @ Vector((0.0, -1.0, 0.0)) for t in (0.2, LOW))
    assert low.z > start.z - 0.3


@pytest.mark.parametrize("who", ["person", "dog", "horse"])
def test_going_crouched_takes_shorter_and_more_steps_than_going_upright_at_that_speed(who: str):
    low = crouch(who, WALKS)
    upright = fly(who, Flat(), lambda _: Pad(0.0, -0.5), 1.6, WALKS)
    k = frame_at(low, LOW)
    speeds = [hypot(*run.memories[frame_at(run, LOW)].travel.velocity) for run in (low, upright)]
    assert speeds[0] == pytest.approx(speeds[1], rel=0.02)
    assert low.memories[k].gait.cycle < 0.85 * upright.memories[frame_at(upright, LOW)].gait.cycle


@pytest.mark.parametrize("who", ["person", "dog", "horse", "bird"])
def test_no_planted_foot_slides_and_none_is_under_the_ground_on_the_way(who: str):
    run = crouch(who, WALKS)
    before: dict[str, tuple[np.ndarray, bool]] = {}
    for k in range(0, len(run.frames), 2):
        posed = run.pose(k)
        for leg, footing in zip(run.character.rig.legs, run.frames[k].feet, strict=True):
            ball = posed.carried(leg.sole.ball_bone, leg.sole.ball)
            assert ball[2] > -0.01 * run.size
            down = footing.planted and footing.ball_down
            was = before.get(leg.role)
            if was is not None and down and was[1]:
                assert np.linalg.norm(ball[:2] - was[0][:2]) < 0.002 * run.size
            before[leg.role] = (ball, down and footing.elapsed > 1.5 / FPS)


def test_a_stalking_dog_carries_its_head_lower_than_its_legs_alone_would():
    run = crouch("dog", WALKS)
    start, low = (frame_at(run, t) for t in (0.25, LOW))
    sank = run.pose(start).seen("pelvis")[2] - run.pose(low).seen("pelvis")[2]
    head = run.pose(start).seen("head")[2] - run.pose(low).seen("head")[2]
    assert head > sank + 0.02
