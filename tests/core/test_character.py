"""A rig that walks: how it begins, what it says of settings that do not fit it, which bones it poses."""

from dataclasses import replace
from math import dist, pi

import numpy as np
import pytest
from mathutils import Vector
from support.grid import rig_of
from support.walk import walk
from surefoot.core.character import Character, CharacterConfig, driven_bones
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.control.path import path_line
from surefoot.core.rig.pose import model_matrices
from surefoot.core.rig.rig import Problem
from surefoot.core.world.solids import Flat, Ramp

WHO = ("person", "dog", "spider", "hexapod")
HERE = Place(0.0, 0.0, 0.0, 0.0)
DT = 1.0 / 60.0


def test_a_rig_without_legs_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="no legs"):
        Character(replace(rig_of("person"), legs=()), CharacterConfig())


def test_a_rig_that_set_up_could_not_use_is_refused_with_set_up_s_own_sentence():
    problem = Problem("thigh.L", "It has no length.", "Give it one.", blocking=True)
    with pytest.raises(ValueError, match=r"thigh.L: It has no length. Give it one."):
        Character(replace(rig_of("person"), problems=(problem,)), CharacterConfig())


def test_a_problem_that_does_not_block_does_not():
    problem = Problem("arm.L", "It is short.", "Let it be.")
    assert Character(replace(rig_of("person"), problems=(problem,)), CharacterConfig()).problems == ()


@pytest.mark.parametrize(
    ("who", "gait"), [("person", "TROT"), ("person", "TRIPOD"), ("dog", "RUN"), ("spider", "TROT")]
)
def test_a_gait_that_is_not_for_so_many_legs_is_said_and_others_are_named(who: str, gait: str):
    (problem,) = Character(rig_of(who), CharacterConfig(gait=gait)).problems
    assert f"{gait.title()} is not made for {len(rig_of(who).legs)} legs" in problem.reason
    assert "Walk" in problem.remedy or "Wave" in problem.remedy
    assert not problem.blocking


def test_a_gait_that_does_not_fit_is_walked_by_speed_instead():
    run = walk(rig_of("person"), Flat(), 1.0, 1.0, config=CharacterConfig(gait="TROT"))
    assert {memory.gait.gait for memory in run.memories} == {"WALK"}


@pytest.mark.parametrize("name", ["trot", "TROT"])
def test_a_gait_is_taken_by_its_preset_s_name(name: str):
    run = walk(rig_of("dog"), Flat(), 1.0, 0.5, config=CharacterConfig(gait="PRESET", gait_preset=name))
    assert run.memories[-1].gait.gait == "TROT"
    assert run.character.problems == ()


@pytest.mark.parametrize("name", ["", "moonwalk"])
def test_a_preset_that_is_not_there_is_said(name: str):
    (problem,) = Character(rig_of("dog"), CharacterConfig(gait="PRESET", gait_preset=name)).problems
    assert (name.upper() or "(none)") in problem.reason


@pytest.mark.parametrize("who", WHO)
def test_at_the_first_frame_it_stands_where_it_was_put(who: str):
    place = Place(3.0, -2.0, 0.0, 1.0)
    character = Character(rig_of(who), CharacterConfig())
    frame = character.pose(character.start(place, Inputs(speed=2.0), Flat()))
    assert (frame.ground.x, frame.ground.y, frame.ground.heading) == (3.0, -2.0, 1.0)
    assert frame.ground.z + rig_of(who).floor == pytest.approx(0.0, abs=1e-6)
    assert all(foot.planted for foot in frame.feet)
    assert frame.events == ()


@pytest.mark.parametrize("who", WHO)
def test_standing_on_level_ground_lowers_the_hips_by_2_percent_of_a_leg_at_most(who: str):
    rig = rig_of(who)
    character = Character(rig, CharacterConfig())
    frame = character.pose(character.start(HERE, Inputs(), Flat()))
    matrices = model_matrices(rig.skeleton, frame)
    for leg in rig.legs:
        sunk = leg.hip.z - matrices[leg.bones[0]].to_translation().z
        assert -0.001 <= sunk <= 0.02 * rig.leg_length


@pytest.mark.parametrize("who", WHO)
def test_only_driven_bones_are_posed(who: str):
    rig = rig_of(who)
    run = walk(rig, Ramp(0.15), 0.8, 2.0)
    rotated, located = driven_bones(run.character)
    others = [i for i in range(len(rig.skeleton)) if i not in rotated]
    unmoved = [i for i in range(len(rig.skeleton)) if i not in located]
    for frame in run.frames:
        assert np.array_equal(frame.rotations[others], np.tile([1.0, 0.0, 0.0, 0.0], (len(others), 1)))
        assert not frame.locations[unmoved].any()


@pytest.mark.parametrize("who", WHO)
def test_every_leg_and_the_body_are_driven(who: str):
    rig = rig_of(who)
    rotated, located = driven_bones(Character(rig, CharacterConfig()))
    assert rig.body in rotated
    assert rig.body in located
    assert all(bone in rotated for leg in rig.legs for bone in leg.bones)


def test_a_path_begins_at_its_start():
    path = path_line([(5.0, 1.0, 0.0), (9.0, 1.0, 0.0)])
    character = Character(rig_of("person"), CharacterConfig(director="PATH"))
    place = character.start(HERE, Inputs(speed=1.0, path=path), Flat()).travel.place
    assert place[:3] == pytest.approx((5.0, 1.0, 0.0), abs=1e-6)
    assert place.heading == pytest.approx(pi / 2.0)


def test_a_mover_begins_where_it_is():
    character = Character(rig_of("dog"), CharacterConfig(director="MOVER"))
    place = character.start(HERE, Inputs(mover=Place(1.0, 2.0, 0.0, 0.5)), Flat()).travel.place
    assert place == pytest.approx((1.0, 2.0, 0.0, 0.5))


@pytest.mark.parametrize("director", ["AHEAD", "PATH", "TARGET", "MOVER"])
def test_a_teleport_puts_the_feet_there_with_an_event_whoever_directs(director: str):
    path = path_line([(0.0, 0.0, 0.0), (0.0, -9.0, 0.0)])
    there = Place(4.0, 5.0, 0.0, 2.0)
    inputs = Inputs(speed=1.0, path=path, target=Place(0.0, -9.0, 0.0, 0.0), mover=HERE)
    character, world = Character(rig_of("person"), CharacterConfig(director=director)), Flat()
    memory = character.start(HERE, inputs, world)
    for _ in range(40):
        character.tick(memory, inputs, world, DT)
    character.tick(memory, replace(inputs, moved_to=there), world, DT)
    assert memory.travel.place == pytest.approx(there)
    assert ("JUMP", "") in memory.gait.events
    assert all(foot.planted for foot in memory.gait.feet)
    middle = sum((Vector(foot.ball) for foot in memory.gait.feet), Vector()) / 2.0
    assert (middle.xy - Vector(there[:2])).length < 0.3


@pytest.mark.parametrize("who", WHO)
def test_its_problems_and_poses_leave_the_character_as_it_was(who: str):
    character = Character(rig_of(who), CharacterConfig())
    memory = character.start(HERE, Inputs(speed=1.0), Flat())
    one, two = character.pose(memory), character.pose(memory)
    assert one.rotations.tobytes() == two.rotations.tobytes()
    assert one.feet == two.feet


def test_a_report_says_which_leg_could_not_reach_its_goal():
    """A hand-made memory: the left foot is ten metres away."""
    character, world = Character(rig_of("person"), CharacterConfig()), Flat()
    memory = character.start(HERE, Inputs(), world)
    memory.gait.feet[0].ball = (0.0, -10.0, 0.0)
    report = character.pose_and_report(memory)[1]
    assert report.clamped == ("leg.L",)
    assert max(report.extensions) <= 0.9951


def test_a_gait_of_the_inputs_holds_as_long_as_they_name_it_and_a_foot_goes_on_from_where_it_is():
    character = Character(rig_of("person"), CharacterConfig(gait="WALK"))
    world = Flat()
    memory = character.start(HERE, Inputs(speed=2.0), world)
    gaits = []
    for gait in ("", "RUN", "", "TROT"):
        for _ in range(60):
            before = [foot.ball for foot in memory.gait.feet]
            character.tick(memory, Inputs(speed=2.0, gait=gait), world, DT)
            assert max(dist(a, foot.ball) for a, foot in zip(before, memory.gait.feet, strict=True)) < 0.2
        gaits.append(memory.gait.gait)
    # A trot is not for two legs: they go by speed, and walk at a Froude number of 0.44.
    assert gaits == ["WALK", "RUN", "WALK", "WALK"]
