"""Frame N is the same however it is reached, and what the preview writes over comes back."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.stage import (
    add_face,
    add_ground,
    add_person,
    channel_values,
    key,
    original_values,
    place_of,
    pose_at,
    previewed_person,
    shown_pose,
)
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of

LAST = 40


def recorded(rig: bpy.types.Object, frames: range) -> dict[int, np.ndarray]:
    return {frame: pose_at(rig, frame) for frame in frames}


def forget() -> None:
    """Empty every cache, as after loading the file."""
    performers.clear()


def test_a_frame_is_the_same_to_the_bit_played_jumped_to_backward_and_at_random():
    rig = previewed_person()
    played = recorded(rig, range(1, LAST + 1))
    for order in (range(LAST, 0, -1), [LAST, 3, 17, 17, 1, 29]):
        for frame in order:
            assert np.array_equal(pose_at(rig, frame), played[frame]), frame
    frames = list(range(1, LAST + 1))
    random.Random(4).shuffle(frames)
    forget()
    for frame in frames:
        assert np.array_equal(pose_at(rig, frame), played[frame]), frame


def test_a_walk_goes_along_the_facing_at_the_speed_of_the_settings():
    rig = previewed_person()
    rig.surefoot.speed = 1.2
    pose_at(rig, 25)
    start = place_of(rig)
    pose_at(rig, 73)
    way = place_of(rig) - start
    assert way.y == pytest.approx(-1.2 * 48 / 24, rel=0.01)
    assert abs(way.x) < 0.02


def test_before_its_start_frame_the_start_pose_is_shown():
    rig = previewed_person()
    rig.surefoot.frame_start = 10
    standing = pose_at(rig, 10)
    assert np.array_equal(pose_at(rig, 1), standing)
    assert np.array_equal(pose_at(rig, -20), standing)
    assert not np.array_equal(pose_at(rig, 20), standing)


def test_a_sub_frame_is_between_its_frames_channel_by_channel():
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    before = channel_values(rig)
    bpy.context.scene.frame_set(21)
    after = channel_values(rig)
    bpy.context.scene.frame_set(20, subframe=0.25)
    assert np.abs(channel_values(rig) - (before + 0.25 * (after - before))).max() < 1e-6
    assert np.abs(after - before).max() > 0.01


def test_a_changed_setting_is_seen_and_the_same_setting_again_gives_the_same_motion():
    rig = previewed_person()
    slow = pose_at(rig, LAST)
    rig.surefoot.speed = 0.7
    assert not np.array_equal(pose_at(rig, LAST), slow)
    rig.surefoot.property_unset("speed")
    assert np.array_equal(pose_at(rig, LAST), slow)


def test_a_keyed_speed_is_taken_from_its_own_frames_also_on_a_cold_jump():
    rig = previewed_person()
    key(rig, "surefoot.speed", {1: 0.5, 30: 2.0})
    played = recorded(rig, range(1, LAST + 1))[LAST]
    forget()
    bpy.context.scene.frame_set(1)
    assert np.array_equal(pose_at(rig, LAST), played)
    assert -place_of(rig).y > 1.0


def test_an_edited_speed_curve_drops_only_the_frames_after_the_edit():
    rig = previewed_person()
    key(rig, "surefoot.speed", {1: 1.0, 20: 1.0, 40: 1.0})
    early, late = pose_at(rig, 15), pose_at(rig, LAST)
    key(rig, "surefoot.speed", {40: 2.0})
    bpy.context.view_layer.update()
    cache = performers.get(rig.session_uid).cache
    bpy.context.scene.frame_set(15)
    assert cache.reach == 20
    assert np.array_equal(pose_at(rig, 15), early)
    assert not np.array_equal(pose_at(rig, LAST), late)


def test_switching_off_puts_back_the_pose_that_was_there():
    add_ground()
    rig = add_person()
    rig.pose.bones["head"].rotation_quaternion = (0.9, 0.1, 0.2, 0.0)
    rig.location = (1.0, 2.0, 0.0)
    before = original_values(rig)
    rig.surefoot.preview = True
    pose_at(rig, LAST)
    assert original_values(rig) != before
    rig.surefoot.preview = False
    assert original_values(rig) == before


def test_a_saved_file_holds_the_pose_that_was_there_and_the_preview_goes_on(tmp_path: Path):
    add_ground()
    rig = add_person()
    before = original_values(rig)
    rig.surefoot.preview = True
    shown = pose_at(rig, LAST)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert np.array_equal(shown_pose(rig), shown)
    with bpy.data.libraries.load(str(shutil.copy(path, tmp_path / "copy.blend"))) as (_, target):
        target.objects = [rig.name]
    assert original_values(target.objects[0]) == before


def test_a_scene_evaluated_while_it_is_saved_leaves_the_pose_that_was_there(tmp_path: Path):
    """A window draws the file's thumbnail between `save_pre` and the writing; an Action put back is an edit then."""
    add_ground()
    rig = add_person()
    key(rig, 'pose.bones["thigh.L"].rotation_quaternion', {1: 0.0, 40: 0.4}, index=1)
    bpy.context.scene.frame_set(LAST)
    before = original_values(rig)
    rig.surefoot.preview = True
    shown = pose_at(rig, LAST)
    path = tmp_path / "walk.blend"

    def draw_thumbnail(_path: str) -> None:
        bpy.context.scene.update_tag()
        bpy.context.view_layer.update()

    bpy.app.handlers.save_pre.append(draw_thumbnail)
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
    finally:
        bpy.app.handlers.save_pre.remove(draw_thumbnail)
    assert np.array_equal(shown_pose(rig), shown)
    with bpy.data.libraries.load(str(shutil.copy(path, tmp_path / "copy.blend"))) as (_, target):
        target.objects = [rig.name]
    assert original_values(target.objects[0]) == before


def test_after_a_reload_the_same_frame_shows_the_same_pose(tmp_path: Path):
    rig = previewed_person()
    shown = pose_at(rig, LAST)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = bpy.context.scene.objects["Person"]
    assert again.surefoot.preview
    assert np.array_equal(shown_pose(again), shown)
    assert np.array_equal(pose_at(again, 7), pose_at(again, 7))


def test_an_action_of_driven_channels_only_is_set_aside_and_comes_back():
    add_ground()
    rig = add_person()
    key(rig, 'pose.bones["thigh.L"].rotation_quaternion', {1: 0.0, 40: 0.4}, index=1)
    action, slot = rig.animation_data.action, rig.animation_data.action_slot.identifier
    rig.surefoot.preview = True
    assert rig.animation_data.action is None
    assert action.users == 1
    rig.surefoot.preview = False
    assert rig.animation_data.action == action
    assert rig.animation_data.action_slot.identifier == slot


def test_a_key_on_something_else_keeps_playing_and_the_walk_is_shown_over_the_action():
    rig = previewed_person()
    rig.surefoot.preview = False
    add_face(rig)
    rig.surefoot.preview = True
    wanted = pose_at(rig, 30)
    rig.surefoot.preview = False
    key(rig, 'pose.bones["thigh.L"].rotation_quaternion', {1: 0.0, 40: 0.4}, index=1)
    key(rig, 'pose.bones["face"].scale', {1: 1.0, 40: 3.0}, index=0)
    rig.surefoot.preview = True
    assert rig.animation_data.action is not None
    bpy.context.scene.frame_set(30)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert shown.pose.bones["face"].scale[0] == pytest.approx(1.0 + 2.0 * 29 / 39, abs=1e-5)
    names = ["object", *(bone.name for bone in shown.pose.bones)]
    walked = [i for i, name in enumerate(names) if name != "face"]
    assert np.array_equal(shown_pose(rig)[walked], wanted[walked])


def test_moving_the_rig_by_hand_moves_the_whole_walk():
    rig = previewed_person()
    here = pose_at(rig, 20)
    rig.location.x += 5.0
    bpy.context.view_layer.update()
    there = pose_at(rig, 20)
    shift = Matrix(there[0]).to_translation() - Matrix(here[0]).to_translation()
    assert tuple(shift) == pytest.approx((5.0, 0.0, 0.0), abs=1e-4)
    assert Matrix(pose_at(rig, 1)[0]).to_translation().x == pytest.approx(5.0, abs=1e-4)
    rig.surefoot.preview = False
    assert tuple(rig.location) == pytest.approx((5.0, 0.0, 0.0), abs=1e-5)


def test_a_duplicate_walks_for_itself():
    rig = previewed_person()
    alone = pose_at(rig, 30)
    bpy.context.scene.frame_set(10)
    copy = rig.copy()
    copy.location.x += 5.0
    bpy.context.scene.collection.objects.link(copy)
    copy.surefoot.speed = 0.6
    both = pose_at(rig, 30)
    assert np.array_equal(both, alone)
    assert place_of(copy).x == pytest.approx(5.0, abs=0.02)
    assert -place_of(copy).y < 0.6 * -place_of(rig).y
    bpy.data.objects.remove(rig)
    assert place_of(copy).x == pytest.approx(5.0, abs=0.02)
    pose_at(copy, 31)
    assert not failure_of(copy.session_uid)


def test_deleting_the_armature_and_undoing_goes_on_as_before():
    rig = previewed_person()
    shown = pose_at(rig, 30)
    name = rig.name
    bpy.ops.ed.undo_push(message="before")
    bpy.data.objects.remove(rig)
    bpy.ops.ed.undo_push(message="deleted")
    bpy.context.scene.frame_set(31)
    bpy.ops.ed.undo()
    again = bpy.context.scene.objects[name]
    assert np.array_equal(pose_at(again, 30), shown)


def test_two_that_follow_each_other_are_refused_by_their_names():
    add_ground()
    one, two = add_person(), add_person(place=(3.0, 0.0, 0.0))
    for rig, other in ((one, two), (two, one)):
        rig.surefoot.director = "TARGET"
        rig.surefoot.target = other
        rig.surefoot.preview = True
    bpy.context.scene.frame_set(5)
    for rig in (one, two):
        assert one.name in failure_of(rig.session_uid)
        assert two.name in failure_of(rig.session_uid)


def test_a_follower_goes_to_where_its_leader_is_at_the_same_frame_whatever_the_order():
    add_ground()
    leader, follower = add_person(), add_person(place=(0.0, 4.0, 0.0))
    follower.name = "A follower"
    follower.surefoot.director = "TARGET"
    follower.surefoot.target = leader
    leader.surefoot.speed = 0.8
    follower.surefoot.speed = 1.2
    for rig in (leader, follower):
        rig.surefoot.preview = True
    played = recorded(follower, range(1, 61))
    forget()
    assert np.array_equal(pose_at(follower, 60), played[60])
    gap = place_of(follower).y - place_of(leader).y
    assert 0.0 < gap < 4.0


def test_a_character_belongs_to_one_scene():
    rig = previewed_person()
    shown = pose_at(rig, 20)
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(rig)
    other.frame_set(3)
    assert np.array_equal(shown_pose(rig), shown)


def test_a_teleport_puts_it_elsewhere_from_its_frame_on():
    from surefoot.addon.setup import teleport

    rig = previewed_person()
    early = pose_at(rig, 19)
    teleport(rig, 20, (7.0, 3.0, 0.0), 0.0)
    assert np.array_equal(pose_at(rig, 19), early)
    pose_at(rig, 20)
    assert place_of(rig).x == pytest.approx(7.0, abs=0.1)
    assert place_of(rig).y == pytest.approx(3.0, abs=0.2)


def test_removing_a_character_leaves_nothing():
    add_ground()
    rig = add_person()
    before = original_values(rig)
    actions = len(bpy.data.actions)
    rig.surefoot.preview = True
    pose_at(rig, LAST)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.remove()
    assert original_values(rig) == before
    assert rig.surefoot.version == 0
    names = [prop.identifier for prop in rig.surefoot.bl_rna.properties if prop.identifier != "rna_type"]
    assert not [name for name in names if rig.surefoot.is_property_set(name)]
    assert performers.get(rig.session_uid) is None
    assert len(bpy.data.actions) == actions
