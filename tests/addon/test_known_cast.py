"""While nothing is touched a scene's cast is the one found last; whatever is touched is seen at the next frame."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon import timeline
from surefoot.addon.keyed_values import setting_is_animated
from surefoot.addon.performers import performers
from surefoot.addon.simulate import needed_cast


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The frames at which the cast was put together anew."""
    frames: list[int] = []
    cast_of = timeline.cast_of

    def noted(scene: bpy.types.Scene, **arguments: object) -> object:
        frames.append(scene.frame_current)
        return cast_of(scene, **arguments)

    monkeypatch.setattr(timeline, "cast_of", noted)
    return frames


def test_a_frame_of_an_untouched_scene_does_not_put_the_cast_together_again(looks: list[int]):
    rig = previewed_person()
    pose_at(rig, 5)
    looks.clear()
    for frame in (6, 7, 8, 3, 30):
        pose_at(rig, frame)
    assert looks == []


def test_a_setting_that_changed_without_a_callback_is_seen_at_the_next_frame():
    rig = previewed_person()
    wanted = pose_at(rig, 11)
    rig.surefoot.speed = 0.7
    slow = pose_at(rig, 10)
    rig.surefoot.property_unset("speed")
    assert np.array_equal(pose_at(rig, 11), wanted)
    assert not np.array_equal(pose_at(rig, 10), slow)


def test_a_driver_of_a_setting_is_seen_though_it_takes_the_place_of_another():
    rig = previewed_person()
    rig.driver_add("color", 0)
    pose_at(rig, 10)
    assert not setting_is_animated(rig, "surefoot.speed")
    rig.driver_remove("color", 0)
    rig.driver_add("surefoot.speed").driver.expression = "0.7"
    pose_at(rig, 11)
    assert setting_is_animated(rig, "surefoot.speed")


def test_a_driver_that_is_led_to_a_setting_is_seen():
    rig = previewed_person()
    for index in (0, 1):
        rig.driver_add("color", index)
    pose_at(rig, 10)
    assert not setting_is_animated(rig, "surefoot.speed")
    rig.animation_data.drivers[0].data_path = "surefoot.speed"
    pose_at(rig, 11)
    assert setting_is_animated(rig, "surefoot.speed")


def test_a_mode_of_the_objects_rotation_that_changes_on_the_way_is_taken_up():
    rig = previewed_person()
    pose_at(rig, 10)
    before = performers.get(rig.session_uid)
    rig.rotation_mode = "QUATERNION"
    pose_at(rig, 11)
    assert performers.get(rig.session_uid) is not before


def test_what_is_hung_on_a_character_on_the_way_leads_from_the_next_frame_on():
    add_ground()
    leader, follower = add_person(), add_person(place=(0.0, 4.0, 0.0))
    lamp = bpy.data.objects.new("Lamp", None)
    bpy.context.scene.collection.objects.link(lamp)
    follower.surefoot.director, follower.surefoot.target = "TARGET", lamp
    for rig in (leader, follower):
        rig.surefoot.preview = True
    pose_at(follower, 10)
    scene = bpy.context.scene
    assert [member.leader for member in timeline.ready_cast(scene)] == [None, None]
    lamp.parent = leader
    pose_at(follower, 11)
    leaders = {member.obj.name: member.leader for member in timeline.ready_cast(scene)}
    assert leaders == {leader.name: None, follower.name: (leader.session_uid, False)}


def test_a_character_that_failed_is_looked_at_again_until_it_walks(looks: list[int]):
    rig = previewed_person()
    pose_at(rig, 5)
    performers.get(rig.session_uid).failed = "It fell into a hole."
    looks.clear()
    pose_at(rig, 6)
    assert looks == [6]
    assert [line.text for line in rig.surefoot.problems if line.passing] == ["It fell into a hole."]


def test_an_edit_that_simulate_saw_first_counts_at_the_next_frame_all_the_same(looks: list[int]):
    rig = previewed_person()
    pose_at(rig, 5)
    looks.clear()
    rig.surefoot.frame_start = -20
    needed_cast(bpy.context.scene, rig)
    pose_at(rig, -10)
    assert looks == [-10]
    assert performers.get(rig.session_uid).cache.frames == tuple(range(-20, -9))
    bpy.data.objects["Ground"].location.z = 0.1
    bpy.context.view_layer.update()
    needed_cast(bpy.context.scene, rig)
    looks.clear()
    pose_at(rig, -9)
    assert looks == [-9]
