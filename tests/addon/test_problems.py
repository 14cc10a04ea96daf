"""What keeps a character from going as asked stands in its list of problems, as long as it is so and no longer."""

from __future__ import annotations

import bpy
import pytest
from support.odd_walks import add_curve, add_empty, problems_of
from support.rigify_rigs import generated_rig
from support.stage import add_ground, add_person, place_of, previewed_person
from surefoot.addon import timeline
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.refusal import RefusedError
from surefoot.addon.saved_state import channelbag_of
from surefoot.addon.setup import setup


def bakes(rig: bpy.types.Object) -> tuple[str, ...]:
    """The notes of a short bake."""
    return bake(rig, BakeOptions(1, 5)).notes


# what is followed


@pytest.mark.parametrize(
    ("director", "words"),
    [("TARGET", "Person has no target to go to"), ("PATH", "Person has no path to follow")],
)
def test_what_is_followed_and_deleted_is_listed_and_refuses_the_bake_until_another_is_chosen(director: str, words: str):
    def followed() -> bpy.types.Object:
        return add_empty("Goal", (0.0, -9.0, 0.0)) if director == "TARGET" else add_curve([(0, 0, 0), (0, -9, 0)])

    rig = previewed_person()
    rig.surefoot.director = director
    rig.surefoot.target = rig.surefoot.path = followed()
    bpy.context.scene.frame_set(30)
    assert problems_of(rig) == ""
    bpy.data.objects.remove(getattr(rig.surefoot, director.lower()))
    bpy.context.scene.frame_set(31)
    assert problems_of(rig).startswith(words)
    with pytest.raises(RefusedError, match=words):
        bakes(rig)
    assert rig.animation_data is None
    rig.surefoot.target = rig.surefoot.path = followed()
    bpy.context.scene.frame_set(32)
    assert problems_of(rig) == ""
    assert bakes(rig) == ()


def test_a_target_deleted_with_x_is_out_of_the_scene_and_named():
    rig = previewed_person()
    goal = add_empty("Goal", (0.0, -9.0, 0.0))
    rig.surefoot.director, rig.surefoot.target = "TARGET", goal
    bpy.context.scene.frame_set(30)
    with bpy.context.temp_override(selected_objects=[goal], object=goal, active_object=goal):
        bpy.ops.object.delete(use_global=False)
    bpy.context.scene.frame_set(31)
    assert "follows Goal, which is not in the scene Scene" in problems_of(rig)
    with pytest.raises(RefusedError, match="Goal"):
        bakes(rig)


def test_a_mover_deleted_that_leaves_nothing_to_follow_is_listed_and_refuses_the_bake():
    rig = previewed_person()
    rig.surefoot.director, rig.surefoot.mover = "MOVER", add_empty("Cart")
    bpy.context.scene.frame_set(10)
    assert problems_of(rig) == ""
    bpy.data.objects.remove(rig.surefoot.mover)
    bpy.context.scene.frame_set(11)
    assert "the mover was deleted or never chosen" in problems_of(rig)
    with pytest.raises(RefusedError, match="mover was deleted"):
        bakes(rig)


def test_each_of_a_ring_lists_it_and_no_longer_once_it_is_open():
    add_ground()
    rigs = [add_person(place=(2.0 * k, 0.0, 0.0)) for k in range(2)]
    for k, rig in enumerate(rigs):
        rig.surefoot.director, rig.surefoot.target = "TARGET", rigs[1 - k]
        rig.surefoot.preview = True
    bpy.context.scene.frame_set(20)
    said = "Person, Person.001 follow each other in a ring. Choose another target or mover for one of them."
    assert [problems_of(rig) for rig in rigs] == [said, said]
    rigs[0].surefoot.director = "AHEAD"
    bpy.context.scene.frame_set(21)
    assert [problems_of(rig) for rig in rigs] == ["", ""]
    assert place_of(rigs[0]).y < -0.3


def test_undo_brings_the_list_back_as_it_was_and_the_next_frame_puts_it_right():
    rig = previewed_person()
    rig.surefoot.director = "TARGET"
    bpy.context.scene.frame_set(2)
    bpy.ops.ed.undo_push(message="without a target")
    name = rig.name
    rig.surefoot.director = "AHEAD"
    bpy.context.scene.frame_set(3)
    assert problems_of(rig) == ""
    bpy.ops.ed.undo_push(message="ahead")
    bpy.ops.ed.undo()
    rig = bpy.data.objects[name]
    bpy.context.scene.frame_set(4)
    assert "has no target to go to" in problems_of(rig)
    bpy.ops.ed.redo()
    rig = bpy.data.objects[name]
    bpy.context.scene.frame_set(5)
    assert problems_of(rig) == ""


# what the rig has no use for

UNFIT = "The gait Trot is not made for 2 legs. It walks by speed instead; choose one of "


def test_a_gait_that_is_not_made_for_the_legs_is_listed_and_blocks_nothing_until_another_is_chosen():
    rig = previewed_person()
    rig.surefoot.gait = "TROT"
    bpy.context.scene.frame_set(30)
    (line,) = rig.surefoot.problems
    assert line.text.startswith(UNFIT)
    assert (line.passing, line.blocking) == (True, False)
    assert place_of(rig).y < -0.5
    rig.surefoot.gait = "WALK"
    bpy.context.scene.frame_set(31)
    assert problems_of(rig) == ""


def test_a_bake_says_in_its_answer_that_the_gait_is_not_made_for_the_legs():
    add_ground()
    rig = add_person()
    rig.surefoot.gait = "TROT"
    (note,) = bakes(rig)
    assert note.startswith(UNFIT)
    assert problems_of(rig) == note
    rig.surefoot.gait = "WALK"
    assert bakes(rig) == ()
    assert problems_of(rig) == ""


def test_what_is_found_in_the_rig_later_leaves_the_line_of_the_gait_where_it_is():
    rig = previewed_person()
    rig.surefoot.gait = "TROT"
    bpy.context.scene.frame_set(2)
    lock(rig)
    found = bakes(rig)
    assert sorted(found) == sorted(line.text for line in rig.surefoot.problems)
    assert len(found) == 2


def test_set_up_answers_that_the_gait_is_not_made_for_the_legs_and_is_ready():
    add_ground()
    rig = add_person()
    rig.surefoot.gait = "TROT"
    answer = setup(rig, bpy.context.scene)
    assert answer.ready
    assert [problem.startswith(UNFIT) for problem in answer.problems] == [True]
    assert problems_of(rig) == answer.problems[0]


# what came after set-up


def constrain(rig: bpy.types.Object) -> None:
    item = rig.pose.bones["shin.L"].constraints.new("COPY_ROTATION")
    item.target, item.subtarget = rig, "head"


def drive(rig: bpy.types.Object) -> None:
    rig.pose.bones["shin.L"].driver_add("rotation_quaternion", 1)


def lock(rig: bpy.types.Object) -> None:
    rig.pose.bones["shin.L"].lock_rotation[0] = True


AFTER_SET_UP = [
    (constrain, "shin.L: The constraint 'Copy Rotation' changes what is written"),
    (drive, "shin.L: A driver sets channels"),
    (lock, "shin.L: Locked channels"),
]


@pytest.mark.parametrize(("add", "words"), AFTER_SET_UP)
def test_what_was_added_to_a_driven_bone_after_set_up_is_listed_when_the_preview_starts_again(add, words: str):
    rig = previewed_person()
    rig.surefoot.preview = False
    add(rig)
    rig.surefoot.preview = True
    assert problems_of(rig).startswith(words)


@pytest.mark.parametrize("previewed", [True, False])
@pytest.mark.parametrize(("add", "words"), AFTER_SET_UP)
def test_what_was_added_to_a_driven_bone_after_set_up_is_listed_by_a_bake_and_in_its_answer(
    add, words: str, previewed: bool
):
    rig = previewed_person()
    rig.surefoot.preview = previewed
    add(rig)
    (note,) = bakes(rig)
    assert note.startswith(words)
    assert problems_of(rig) == note


@pytest.mark.parametrize(("add", "words"), [AFTER_SET_UP[0], AFTER_SET_UP[2]])
def test_in_a_window_what_was_added_while_it_is_previewed_is_listed_without_being_asked_for(
    add, words: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(timeline, "bounded", lambda: True)
    rig = previewed_person()
    bpy.context.scene.frame_set(3)
    add(rig)
    rig.data.update_tag()
    bpy.context.view_layer.update()
    timeline._slice()
    assert problems_of(rig).startswith(words)


def test_a_bake_says_what_to_know_of_it_as_a_warning(capfd: pytest.CaptureFixture[str]):
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    lock(rig)
    bpy.ops.surefoot.bake(frame_start=1, frame_end=5)
    assert "Warning: shin.L: Locked channels" in capfd.readouterr().out


@pytest.mark.parametrize(("add", "words"), AFTER_SET_UP)
def test_what_was_taken_away_again_leaves_the_list(add, words: str):
    rig = previewed_person()
    add(rig)
    assert len(bakes(rig)) == 1
    bone = rig.pose.bones["shin.L"]
    bone.lock_rotation[0] = False
    bone.driver_remove("rotation_quaternion")
    for item in bone.constraints:
        item.mute = True
    rig.surefoot.preview = True
    assert problems_of(rig) == ""


def test_a_muted_driver_leaves_its_bone_to_the_walk():
    rig = previewed_person()
    drive(rig)
    rig.animation_data.drivers[0].mute = True
    setup(rig, bpy.context.scene)
    assert problems_of(rig) == ""
    assert bakes(rig) == ()
    action = rig.animation_data.action
    bag = channelbag_of(action, action.slots[0])
    assert bag.fcurves.find('pose.bones["shin.L"].rotation_quaternion', index=1) is not None


def test_a_constraint_that_was_added_to_a_control_of_a_generated_rig_is_listed_and_in_the_bake_s_answer():
    add_ground()
    rig = generated_rig("human")
    setup(rig, bpy.context.scene)
    bpy.context.scene.frame_set(3)
    before = {line.text for line in rig.surefoot.problems}
    item = rig.pose.bones["foot_ik.L"].constraints.new("LIMIT_LOCATION")
    item.use_min_z, item.min_z = True, 0.3
    notes = bakes(rig)
    new = [line.text for line in rig.surefoot.problems if line.text not in before]
    assert new
    assert all(line.split(":")[0].endswith(".L") for line in new)
    assert set(new) <= set(notes)
