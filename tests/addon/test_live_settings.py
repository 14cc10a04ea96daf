"""Where a rig that follows another one goes, and what is said where it cannot follow."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.followed import action_of, keyed, lines, walking_along
from support.live import END, follow, follower, seen, walker, worlds
from support.stage import add_ground, add_person, pose_at
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.preview import failure_of
from surefoot.addon.saved_state import curves_of


@pytest.mark.parametrize("travel", ["OBJECT", "ROOT_BONE"])
def test_its_travel_goes_where_it_is_asked_to(travel: str):
    rig, _ = keyed(travel=travel)
    first, last = pose_at(rig, 1), pose_at(rig, END)
    way = np.linalg.norm((last[0] @ last[1] - first[0] @ first[1])[:2, 3])
    assert way > 1.5
    assert (np.abs(last[0] - first[0]).max() < 1e-6) == (travel == "ROOT_BONE")


def test_it_begins_where_it_stands_and_as_it_faces():
    add_ground()
    source = walker(place=(5.0, 5.0, 0.0))
    rig = add_person(place=(-2.0, 1.0, 0.0))
    rig.rotation_euler.z = 1.0
    bpy.context.view_layer.update()
    stood = np.array(rig.matrix_world)
    follow(rig, source)
    assert np.abs(pose_at(rig, 1)[0] - stood).max() < 1e-5
    way = pose_at(rig, END)[0, :2, 3] - stood[:2, 3]
    assert np.arctan2(way[0], -way[1]) == pytest.approx(1.0, abs=0.05)


def test_of_two_that_follow_each_other_none_does():
    add_ground()
    one, two = add_person(), add_person(place=(1.0, 0.0, 0.0))
    follow(one, two)
    follow(two, one)
    assert "ring" in lines(one)


@pytest.mark.parametrize("wrong", ["itself", "a lamp", "elsewhere", "nothing", "of two bones", "flat"])
def test_what_cannot_be_followed_is_said_and_throws_nothing(wrong: str):
    rig, _ = keyed()
    scene = bpy.context.scene
    if wrong == "itself":
        rig.surefoot.source = rig
    elif wrong == "a lamp":
        rig.surefoot.source = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "SUN"))
        scene.collection.objects.link(rig.surefoot.source)
    elif wrong == "elsewhere":
        source = rig.surefoot.source
        for collection in source.users_collection:
            collection.objects.unlink(source)
    elif wrong == "nothing":
        rig.surefoot.source = None
    elif wrong == "of two bones":
        data = bpy.data.armatures.new("Stick")
        rig.surefoot.source = bpy.data.objects.new("Stick", data)
        scene.collection.objects.link(rig.surefoot.source)
    else:
        rig.surefoot.source.scale = (1.0, 1.0, 0.0)
    bpy.context.view_layer.update()
    said = {
        "itself": "follow itself",
        "a lamp": "no armature",
        "elsewhere": "not in the scene",
        "nothing": "no rig to follow",
        "of two bones": "no bones",
        "flat": "scale of zero",
    }[wrong]
    assert said in lines(rig)
    assert failure_of(rig.session_uid) == ""
    still = pose_at(rig, 20)
    assert np.isfinite(still).all()
    assert still.tobytes() == pose_at(rig, 33).tobytes()


def test_another_family_is_said():
    add_ground()
    source = add_person("DOG")
    rig = follower(source)
    assert "larger bones follow" in lines(rig) or "no leg" in lines(rig)
    assert np.isfinite(pose_at(rig, 20)).all()


def test_a_source_that_is_deleted_while_it_is_followed():
    rig, _ = keyed()
    pose_at(rig, 20)
    bpy.data.objects.remove(bpy.data.objects["Source"])
    assert np.isfinite(pose_at(rig, 21)).all()
    assert "no rig to follow" in lines(rig)


def test_after_a_reload_it_is_as_it_was(tmp_path):
    rig, _ = walking_along()
    before = seen(rig, (1, 20, 40))
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert seen(bpy.data.objects["Follower"], (40, 20, 1)) == before


def test_a_step_that_is_undone_is_as_if_it_had_not_been():
    bpy.ops.ed.undo_push(message="Start")
    keyed()
    bpy.ops.ed.undo_push(message="Follows")
    before = seen(bpy.data.objects["Follower"], (1, 10))
    source = bpy.data.objects["Source"]
    source.pose.bones["upper_arm.L"].rotation_quaternion = (0.7, 0.7, 0.0, 0.0)
    source.pose.bones["upper_arm.L"].keyframe_insert("rotation_quaternion", frame=10)
    bpy.ops.ed.undo_push(message="Keyed")
    assert seen(bpy.data.objects["Follower"], (10,)) != {10: before[10]}
    bpy.ops.ed.undo()
    assert seen(bpy.data.objects["Follower"], (1, 10)) == before


def test_the_source_stays_as_it_is():
    rig, _ = keyed()
    source = bpy.data.objects["Source"]
    keys = [len(curve.keyframe_points) for curve in curves_of(*action_of(source))]
    before = worlds(source, (1, 20))
    bake(rig, BakeOptions(1, END))
    assert [len(curve.keyframe_points) for curve in curves_of(*action_of(source))] == keys
    assert np.abs(worlds(source, (1, 20)) - before).max() == 0.0


def test_when_the_extension_goes_the_pose_that_was_there_is_back(extension):
    add_ground()
    source = walker()
    rig = add_person(place=(2.0, 0.0, 0.0))
    before = np.array(rig.matrix_world), [tuple(bone.rotation_quaternion) for bone in rig.pose.bones]
    follow(rig, source)
    pose_at(rig, 30)
    extension.unregister()
    try:
        assert np.abs(np.array(rig.matrix_basis) - before[0]).max() < 1e-6
        assert [tuple(bone.rotation_quaternion) for bone in rig.pose.bones] == before[1]
    finally:
        extension.register()
