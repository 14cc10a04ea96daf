"""A character stands, goes, and stops with its feet under it."""

from dataclasses import replace
from math import dist, hypot, pi

import numpy as np
import pytest
from support.grid import rig_of
from support.verdict import ON_GROUND
from support.walk import Walk, walk
from surefoot.core.character import CharacterConfig
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.patterns import speed_at
from surefoot.core.gait.shape import shape_of
from surefoot.core.measure.slide import contact_slide
from surefoot.core.rig.pose import model_matrices
from surefoot.core.space.curves import smoothstep
from surefoot.core.world.solids import Flat, Hills

WHO = ("person", "dog", "spider", "hexapod", "horse", "bird", "beetle")
# A beetle goes a tenth of its legs in a frame.
LARGE = tuple(who for who in WHO if who != "beetle")


def worst_slide(run: Walk) -> float:
    """The farthest that a planted sole point moves, metres for a leg of 0.9 m."""
    track, planned = run.track(), run.contacts()
    return (
        max(
            contact_slide(track, foot, planned[foot.role], span).distance
            for foot in track.feet
            for span in planned[foot.role].foot
        )
        / track.scale
    )


def largest_turn(run: Walk) -> float:
    """The largest turn of any bone from a frame to the next, radians."""
    rotations = np.array([frame.rotations for frame in run.frames])
    cosines = np.abs(np.sum(rotations[1:] * rotations[:-1], axis=-1))
    return float(2.0 * np.arccos(np.clip(cosines, 0.0, 1.0)).max())


@pytest.mark.parametrize("who", WHO)
def test_it_goes_from_standing_without_a_slide_or_a_stretch(who: str):
    rig = rig_of(who)
    run = walk(rig, Flat(), speed_at(0.15, rig.leg_length), 2.5)
    assert all(foot.planted for foot in run.frames[0].feet)
    assert worst_slide(run) <= 0.0005
    assert run.extension <= 0.995
    assert all(report.clamped == () for report in run.reports)


def to_target(who: str, ground: object = None, legs: float = 4.0) -> Walk:
    """A walk to a target `legs` leg lengths ahead and half as far to the left, and a second of standing there."""
    rig = rig_of(who)
    leg = rig.leg_length
    target = Place(0.5 * legs * leg, -legs * leg, 0.0, 0.0)
    speed = speed_at(0.15, leg)
    seconds = 1.4 * legs * leg / speed + 3.0
    config = CharacterConfig(director="TARGET", steps=GaitConfig(breath=0.0, idle_shift=0.0))
    return walk(
        rig, ground or Flat(), seconds=seconds, config=config, inputs=lambda _time: Inputs(speed, target=target)
    )


@pytest.mark.parametrize("who", LARGE)
def test_it_stops_before_its_target_with_its_feet_together(who: str):
    run = to_target(who)
    leg, last = run.rig.leg_length, run.memories[-1]
    distance = hypot(last.travel.place.x - 2.0 * leg, last.travel.place.y + 4.0 * leg)
    stop = ControlConfig().stop_distance * leg / 0.9
    assert distance == pytest.approx(stop, abs=0.03 * leg)
    assert last.travel.velocity == (0.0, 0.0, 0.0)
    assert all(foot.planted for foot in last.gait.feet)
    stepper, most = run.character.gait.stepper, run.character.config.steps.resettle
    for i, foot in enumerate(last.gait.feet):
        assert stepper.offset_of(i, foot, last.travel, run.world) <= most


@pytest.mark.parametrize("who", WHO)
def test_on_its_way_to_a_target_no_foot_slides(who: str):
    assert worst_slide(to_target(who)) <= 0.0005
    assert worst_slide(to_target(who, Hills(0.1 * rig_of(who).leg_length, 4.0))) <= 0.002


@pytest.mark.parametrize("who", WHO)
def test_once_stopped_it_is_quite_still(who: str):
    run = to_target(who)
    last = replace(run, frames=run.frames[-12:])
    assert largest_turn(last) < 0.002


@pytest.mark.parametrize("who", ["person", "dog"])
def test_it_faces_what_it_walks_to(who: str):
    run = to_target(who)
    place, leg = run.memories[-1].travel.place, run.rig.leg_length
    away = (2.0 * leg - place.x, -4.0 * leg - place.y)
    facing = (np.sin(place.heading), -np.cos(place.heading))
    assert (away[0] * facing[0] + away[1] * facing[1]) / hypot(*away) > 0.98


def test_a_target_that_goes_on_is_followed_again():
    rig = rig_of("person")

    def inputs(time: float) -> Inputs:
        return Inputs(1.2, target=Place(0.0, -3.0 - 3.0 * smoothstep(time - 6.0), 0.0, 0.0))

    run = walk(rig, Flat(), seconds=12.0, config=CharacterConfig(director="TARGET"), inputs=inputs)
    assert run.memories[-1].travel.place.y == pytest.approx(-5.4, abs=0.05)
    assert worst_slide(run) <= 0.0005


def keyed(time: float) -> Place:
    """An animator's mover: stands, goes, stands and turns by 120 degrees, goes on that way, stands; all eased."""
    y = -2.0 * smoothstep((time - 1.0) / 2.5)
    heading = 2.0 * pi / 3.0 * smoothstep((time - 4.0) / 2.0)
    way = 1.6 * smoothstep((time - 7.0) / 2.5)
    return Place(np.sin(heading) * way, y - np.cos(heading) * way, 0.0, heading)


@pytest.mark.parametrize("who", ["person", "dog", "hexapod"])
def test_a_hand_keyed_mover_is_followed_to_the_place_and_turn(who: str):
    run = walk(
        rig_of(who),
        Flat(),
        seconds=10.0,
        config=CharacterConfig(director="MOVER"),
        inputs=lambda time: Inputs(mover=keyed(time)),
    )
    for n, frame in enumerate(run.frames):
        wanted = keyed(n / 24.0)
        assert (frame.ground.x, frame.ground.y, frame.ground.heading) == pytest.approx(
            (wanted.x, wanted.y, wanted.heading), abs=1e-6
        )
    assert worst_slide(run) <= 0.0005


@pytest.mark.parametrize("who", ["person", "dog", "hexapod"])
def test_feet_follow_a_turn_on_the_spot(who: str):
    run = walk(
        rig_of(who),
        Flat(),
        seconds=11.0,
        config=CharacterConfig(director="MOVER"),
        inputs=lambda time: Inputs(mover=keyed(min(time, 7.0))),
    )
    last = run.memories[-1]
    turning = run.memories[4 * 24 :]
    for i in range(len(run.rig.legs)):
        planted = [memory.gait.feet[i].planted for memory in turning]
        assert any(after and not before for before, after in zip(planted, planted[1:], strict=False))
    stepper, most = run.character.gait.stepper, run.character.config.steps.resettle
    for i, foot in enumerate(last.gait.feet):
        assert stepper.offset_of(i, foot, last.travel, run.world) <= most


@pytest.mark.parametrize("who", ["person", "dog", "hexapod"])
def test_while_the_mover_stands_no_foot_moves(who: str):
    run = walk(
        rig_of(who),
        Flat(),
        seconds=1.0,
        config=CharacterConfig(director="MOVER"),
        inputs=lambda time: Inputs(mover=keyed(time)),
    )
    for before, after in zip(run.memories, run.memories[1:], strict=False):
        assert all(dist(a.ball, b.ball) == 0.0 for a, b in zip(before.gait.feet, after.gait.feet, strict=True))


@pytest.mark.parametrize("who", ["person", "dog"])
def test_the_speed_keyed_from_0_to_2_metres_a_second_and_back_changes_the_gait_by_itself(who: str):
    rig = rig_of(who)
    top = max(2.0, speed_at(0.6, rig.leg_length))
    run = walk(
        rig,
        Flat(),
        seconds=12.0,
        inputs=lambda time: Inputs(speed=top * max(0.0, 1.0 - abs(time - 5.0) / 5.0)),
    )
    gaits = [memory.gait.gait for memory in run.memories]
    assert gaits[0] == gaits[-1] == "WALK"
    assert len(set(gaits)) == 2
    assert worst_slide(run) <= 0.0005
    assert run.memories[-1].travel.velocity == (0.0, 0.0, 0.0)
    assert all(foot.planted for foot in run.memories[-1].gait.feet)


@pytest.mark.parametrize("who", WHO)
def test_a_standing_sole_is_on_the_ground(who: str):
    rig = rig_of(who)
    run = walk(rig, Flat(), 0.0, 0.2)
    for foot in run.track().feet:
        for point in ("heel", "ball"):
            assert np.abs(foot.clearance(point)).max() < ON_GROUND * rig.leg_length / 0.9 * 3.0


@pytest.mark.parametrize("who", LARGE)
def test_the_pelvis_does_not_jerk_when_it_starts_or_stops(who: str):
    """Its height changes by less than 4 percent of a leg from a frame to the next."""
    run = to_target(who)
    body = run.rig.body
    heights = [model_matrices(run.rig.skeleton, frame)[body].to_translation().z for frame in run.frames]
    assert np.abs(np.diff(heights)).max() < 0.04 * shape_of(run.rig).stature
