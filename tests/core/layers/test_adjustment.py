"""The pose adjustment: laid exactly once, under everything, feet where they were."""

from __future__ import annotations

from math import radians

import pytest
from mathutils import Quaternion, Vector
from support.layered import BODIES
from surefoot.core.character import Character, CharacterConfig, driven_bones
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.layers.adjustment import VERSION, Adjustment, AdjustmentLaid, adjustment_from
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig
from surefoot.core.world.solids import Flat

HERE = Place(0.0, 0.0, 0.0, 0.0)


def turned(axis: tuple[float, float, float], degrees: float) -> tuple[float, float, float, float]:
    turn = Quaternion(axis, radians(degrees))
    return turn.w, turn.x, turn.y, turn.z


@pytest.fixture
def person() -> Rig:
    return BODIES["person"]().rig


def name(rig: Rig, i: int) -> str:
    return rig.skeleton.bones[i].name


def walked(rig: Rig, adjustment: Adjustment, frames: int = 40) -> tuple[Character, list[EditedPose]]:
    character = Character(rig, CharacterConfig(adjustment=adjustment))
    inputs, world = Inputs(speed=1.3), Flat()
    memory = character.start(HERE, inputs, world)
    poses = []
    for _ in range(frames):
        character.tick(memory, inputs, world, 1.0 / 60.0)
        poses.append(EditedPose.of_frame(rig.skeleton, character.pose(memory)))
    return character, poses


def test_it_turns_a_bone_by_just_so_much_in_the_frame_of_its_parent(person: Rig):
    chest = person.spine[-1]
    turn = Quaternion((1.0, 0.0, 0.0), radians(10.0))
    adjustment = Adjustment(((name(person, chest), tuple(turn)),))
    _, plain = walked(person, Adjustment())
    _, adjusted = walked(person, adjustment)
    parent = person.skeleton.bones[chest].parent
    for before, after in zip(plain, adjusted, strict=True):
        assert after.model(parent) == before.model(parent)
        wanted = before.turn(parent) @ turn @ before.turn(parent).inverted() @ before.turn(chest)
        assert after.turn(chest).rotation_difference(wanted).angle < 1e-5


def test_asking_for_the_pose_twice_lays_it_once(person: Rig):
    adjustment = Adjustment(((name(person, person.head), turned((1.0, 0.0, 0.0), 12.0)),))
    character = Character(person, CharacterConfig(adjustment=adjustment))
    memory = character.start(HERE, Inputs(), Flat())
    one, two = character.pose(memory), character.frame(memory, Inputs(), Flat(), 0.0)
    assert one.rotations.tolist() == two.rotations.tolist()
    assert one.rotations.tolist() == character.pose(memory).rotations.tolist()


def test_a_moved_pelvis_leaves_planned_feet_where_they_are(person: Rig):
    down = Adjustment(((name(person, person.body), turned((0.0, 0.0, 1.0), 8.0)),), (0.01, 0.0, -0.03))
    _, plain = walked(person, Adjustment())
    _, adjusted = walked(person, down)
    for before, after in zip(plain, adjusted, strict=True):
        assert (after.head(person.body) - before.head(person.body) - Vector(down.move)).length < 1e-5
        for leg in person.legs:
            assert (after.head(leg.foot) - before.head(leg.foot)).length < 1e-5
            assert after.turn(leg.foot).rotation_difference(before.turn(leg.foot)).angle < 1e-4


def test_nothing_to_lay_changes_nothing_to_the_bit(person: Rig):
    _, plain = walked(person, Adjustment())
    _, same = walked(person, Adjustment(((name(person, person.head), (1.0, 0.0, 0.0, 0.0)),)))
    assert [pose.rotations for pose in plain] == [pose.rotations for pose in same]


def test_a_bone_that_is_not_there_is_one_sentence_and_the_rest_is_laid(person: Rig):
    head = name(person, person.head)
    adjustment = Adjustment((("Beak", turned((1.0, 0.0, 0.0), 30.0)), (head, turned((1.0, 0.0, 0.0), 12.0))))
    character, adjusted = walked(person, adjustment)
    _, only = walked(person, replace_turns(adjustment, head))
    assert [str(item) for item in character.problems if "Beak" in str(item)] == [
        "Beak: The pose adjustment names Beak, which this rig does not have. "
        "All else of it is laid; take the adjustment from the pose again to be rid of these."
    ]
    assert [pose.rotations for pose in adjusted] == [pose.rotations for pose in only]


def replace_turns(adjustment: Adjustment, *names: str) -> Adjustment:
    return adjustment._replace(turns=tuple(item for item in adjustment.turns if item[0] in names))


def test_of_a_newer_version_nothing_is_laid_and_it_says_so(person: Rig):
    newer = Adjustment(((name(person, person.head), turned((1.0, 0.0, 0.0), 12.0)),), (0.0, 0.0, 0.1), VERSION + 1)
    character, adjusted = walked(person, newer)
    _, plain = walked(person, Adjustment())
    assert f"version {VERSION + 1}" in str(character.problems[0])
    assert [pose.rotations for pose in adjusted] == [pose.rotations for pose in plain]


def test_a_turn_without_length_is_none(person: Rig):
    laid = AdjustmentLaid(person, Adjustment(((name(person, person.head), (0.0, 0.0, 0.0, 0.0)),)))
    assert not laid


def test_its_bones_are_among_those_that_are_written(person: Rig):
    finger = next(i for i, bone in enumerate(person.skeleton.bones) if "hand" in bone.name)
    adjustment = Adjustment(((name(person, finger), turned((1.0, 0.0, 0.0), 12.0)),))
    assert finger in driven_bones(Character(person, CharacterConfig(adjustment=adjustment)))[0]


def test_what_a_person_changed_on_a_pose_is_taken_and_laid_gives_that_pose(person: Rig):
    before = BODIES["person"]().pose(5)
    after = EditedPose(person.skeleton, list(before.rotations), dict(before.locations))
    for i in (person.spine[-1], person.head):
        after.turn_by(i, Quaternion((1.0, 0.3, 0.0), 0.2))
    after.set_model(person.body, shifted(after.model(person.body), (0.0, 0.01, -0.02)))
    taken = adjustment_from(person.skeleton, person.body, before, after)
    again = EditedPose(person.skeleton, list(before.rotations), dict(before.locations))
    AdjustmentLaid(person, taken).lay(again, keep_feet=False)
    for i in range(len(person.skeleton)):
        assert again.turn(i).rotation_difference(after.turn(i)).angle < 1e-4
        assert (again.head(i) - after.head(i)).length < 1e-5
    assert {bone for bone, _ in taken.turns} == {name(person, person.spine[-1]), name(person, person.head)}


def shifted(matrix, shift):
    moved = matrix.copy()
    moved.translation += Vector(shift)
    return moved


def test_taken_on_top_of_one_that_is_there_it_replaces_it(person: Rig):
    """Laid, changed by hand, taken again: one adjustment that does both, not one that is laid twice."""
    first = Adjustment(((name(person, person.head), turned((1.0, 0.0, 0.0), 10.0)),))
    own = BODIES["person"]().pose(3)
    before = EditedPose(person.skeleton, list(own.rotations), dict(own.locations))
    AdjustmentLaid(person, first).lay(before, keep_feet=False)
    after = EditedPose(person.skeleton, list(before.rotations), dict(before.locations))
    after.turn_by(person.head, Quaternion((0.0, 0.0, 1.0), 0.3))
    both = adjustment_from(person.skeleton, person.body, before, after, first)
    AdjustmentLaid(person, both).lay(own, keep_feet=False)
    assert own.turn(person.head).rotation_difference(after.turn(person.head)).angle < 1e-4
