"""A rig that follows another one in the timeline: the same frame however it is reached, and what is baked is that."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.followed import SOURCES, is_read_plainly, keyed, on_the_nla, walking_along
from support.live import END, apart, follow, follower, seen, walker, wave, worlds
from support.rigify_rigs import generated_rig
from support.stage import add_ground, add_person, pose_at
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.layers import layer_add, look_at
from surefoot.addon.live_source import live_sources
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of
from surefoot.addon.setup import setup

PLAYED = range(1, END + 1)


@pytest.mark.parametrize("source", SOURCES, ids=lambda item: item.__name__)
def test_a_frame_is_the_same_however_it_is_reached(source):
    rig, plain = source()
    played = seen(rig, PLAYED)
    assert failure_of(rig.session_uid) == ""
    assert len(set(played.values())) > 10
    assert is_read_plainly(rig) == plain
    performers.clear()
    live_sources.clear()
    assert seen(rig, (41,)) == {41: played[41]}
    assert seen(rig, (7, 30, 29, 28, 2)) == {frame: played[frame] for frame in (7, 30, 29, 28, 2)}


@pytest.mark.parametrize("source", SOURCES, ids=lambda item: item.__name__)
def test_what_is_baked_is_what_was_seen(source):
    rig, _ = source()
    before = worlds(rig, PLAYED)
    baked = bake(rig, BakeOptions(1, END))
    assert rig.animation_data.action.name == baked.action
    metres, turned = apart(worlds(rig, PLAYED), before)
    assert metres < 1e-5
    assert turned < 0.2


@pytest.mark.parametrize("source", [keyed, walking_along, on_the_nla], ids=lambda item: item.__name__)
def test_a_copy_shows_the_same_as_its_source(source):
    rig, _ = source(source_feet="FREE", source_start="BESIDE")
    shown = worlds(rig, PLAYED)
    other = worlds(bpy.data.objects["Source"], PLAYED)
    carried = [i for i, bone in enumerate(rig.pose.bones) if bone.name != "root"]
    assert np.abs(shown - other)[:, carried].max() < 1e-4


def test_held_feet_of_a_copy_of_a_walker_stand_where_its_do():
    rig, _ = walking_along(source_start="BESIDE")
    shown, other = worlds(rig, PLAYED), worlds(bpy.data.objects["Source"], PLAYED)
    feet = [i for i, bone in enumerate(rig.pose.bones) if bone.name.startswith("foot")]
    assert np.abs(shown - other)[:, feet, :3, 3].max() < 0.005


def test_a_generated_rigify_rig_follows_and_is_baked_on_its_controls():
    rig = generated_rig("human")
    add_ground()
    source = walker()
    setup(rig)
    follow(rig, source)
    played = seen(rig, range(1, 25))
    assert failure_of(rig.session_uid) == ""
    performers.clear()
    live_sources.clear()
    assert seen(rig, (18, 5)) == {18: played[18], 5: played[5]}
    deforming = [i for i, bone in enumerate(rig.pose.bones) if bone.name.startswith("DEF-")]
    before = worlds(rig, range(1, 25))
    bake(rig, BakeOptions(1, 24))
    metres, turned = apart(worlds(rig, range(1, 25))[:, deforming], before[:, deforming])
    assert metres < 1e-3
    assert turned < 0.2


def test_a_generated_rigify_rig_is_followed():
    source = generated_rig("human")
    add_ground()
    source.name = "Source"
    setup(source)
    source.surefoot.preview = True
    bake(source, BakeOptions(1, 24))
    rig = follower(source, source_start="BESIDE")
    assert not is_read_plainly(rig)
    played = seen(rig, range(1, 25))
    assert len(set(played.values())) > 20
    pairs = ((rig, "pelvis"), (source, "DEF-spine"))
    places = [worlds(item, (1, 24))[:, item.pose.bones.find(name), :2, 3] for item, name in pairs]
    ways = [np.linalg.norm(place[1] - place[0]) for place in places]
    performer = performers.get(rig.session_uid)
    assert ways[0] == pytest.approx(ways[1] * performer.character.follows.scaling.ratio, rel=0.03)
    performers.clear()
    assert seen(rig, (20,)) == {20: played[20]}


def test_a_source_that_is_linked_from_another_file_is_followed(tmp_path):
    add_ground()
    walker()
    path = str(tmp_path / "source.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    add_ground()
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = [name for name in there.objects if name == "Source"]
    source = here.objects[0]
    bpy.context.scene.collection.objects.link(source)
    rig = follower(source)
    played = seen(rig, PLAYED)
    assert len(set(played.values())) > 20
    performers.clear()
    live_sources.clear()
    assert seen(rig, (33, 9)) == {33: played[33], 9: played[9]}


def add_steps(rise: float = 0.12, depth: float = 0.35) -> bpy.types.Object:
    """Steps that go up against the way of a walk along -Y."""
    mesh, corners, faces = bpy.data.meshes.new("Steps"), [], []
    for k in range(12):
        start = len(corners)
        y, z = -0.7 - k * depth, k * rise
        corners += [(x, y - dy, z + dz) for dy, dz in ((0.0, 0.0), (0.0, rise), (depth, rise)) for x in (-3.0, 3.0)]
        faces += [(start, start + 1, start + 3, start + 2), (start + 2, start + 3, start + 5, start + 4)]
    mesh.from_pydata(corners, [], faces)
    steps = bpy.data.objects.new("Steps", mesh)
    bpy.context.scene.collection.objects.link(steps)
    return steps


def test_with_legs_on_ground_it_climbs_steps_that_its_source_knows_nothing_of():
    rig, _ = keyed()
    add_steps()
    layer_add(rig, "LEGS")
    look_at(rig, bpy.data.objects["Ground"])
    played = seen(rig, PLAYED)
    lowest = []
    for frame in PLAYED:
        pose = pose_at(rig, frame)
        places = pose[0] @ pose[1:]
        feet = [i for i, bone in enumerate(rig.pose.bones) if bone.name.startswith("foot")]
        lowest.append(min(places[i][2, 3] for i in feet))
    # It is 0.12 m to a step and 1.4 m of walk in a second: two steps and more of them are under it by the end.
    assert lowest[-1] - lowest[0] > 0.3
    performers.clear()
    assert seen(rig, (40,)) == {40: played[40]}


def test_between_two_frames_it_is_between_them():
    rig, _ = keyed()
    one, half, two = (pose_at(rig, *when)[0, :3, 3] for when in ((10,), (10, 0.5), (11,)))
    assert half == pytest.approx(0.5 * (one + two), abs=1e-6)


def test_it_goes_on_as_its_source_does_where_the_keys_end():
    rig, _ = keyed()
    rows = worlds(rig, (END, END + 40, END + 41))
    carried = [i for i, bone in enumerate(rig.pose.bones) if bone.name != "root"]
    assert np.abs(rows[2] - rows[1])[carried].max() < 1e-4
    assert np.abs(rows[1] - rows[0])[carried].max() < 0.1


def test_a_key_that_is_changed_changes_the_frames_from_there_on():
    rig, _ = keyed()
    before = seen(rig, PLAYED)
    source = bpy.data.objects["Source"]
    source.pose.bones["upper_arm.L"].rotation_quaternion = (0.7, 0.7, 0.0, 0.0)
    source.pose.bones["upper_arm.L"].keyframe_insert("rotation_quaternion", frame=30)
    bpy.context.view_layer.update()
    assert pose_at(rig, 20).tobytes() == before[20]
    assert pose_at(rig, 30).tobytes() != before[30]


def test_a_bone_that_nothing_animates_is_followed_as_somebody_poses_it():
    rig, _ = keyed()
    source = add_person()
    source.name = "Posed"
    follow(rig, source)
    before = pose_at(rig, 5)
    source.pose.bones["forearm.L"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    bpy.context.view_layer.update()
    i = 1 + rig.pose.bones.find("hand.L")
    assert np.abs(pose_at(rig, 5)[i] - before[i]).max() > 0.05


def test_another_rest_pose_of_the_source_is_read_anew():
    rig, _ = keyed()
    before = pose_at(rig, 20)
    source = bpy.data.objects["Source"]
    bpy.context.view_layer.objects.active = source
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in source.data.edit_bones:
        if bone.name.startswith(("upper_arm", "forearm", "hand")):
            bone.roll += 0.7
    bpy.ops.object.mode_set(mode="OBJECT")
    after = pose_at(rig, 20)
    assert np.isfinite(after).all()
    assert after.tobytes() != before.tobytes()


def test_motion_on_the_object_counts():
    """The source's object goes 4 m forward while its pelvis bobs: so far goes what follows it."""
    add_ground()
    source = add_person()
    source.name = "Source"
    pelvis = source.pose.bones["pelvis"]
    for frame in range(1, 49):
        source.location = (0.0, -4.0 * (frame - 1) / 47.0, 0.0)
        source.keyframe_insert("location", frame=frame)
        pelvis.location = (0.0, 0.01 * (frame % 2), 0.0)
        pelvis.keyframe_insert("location", frame=frame)
    rig = follower(source)
    way = pose_at(rig, 48)[0, :3, 3] - pose_at(rig, 1)[0, :3, 3]
    assert np.linalg.norm(way[:2]) == pytest.approx(4.0, abs=0.05)


@pytest.mark.parametrize("size", [0.01, 100.0])
def test_a_source_in_other_units_is_followed_with_steps_that_fit(size: float):
    add_ground()
    source = walker(travel="ROOT_BONE")
    rig = follower(source)
    before = worlds(rig, (1, 20, 40))
    source.scale = (size, size, size)
    bpy.context.view_layer.update()
    assert np.abs(worlds(rig, (1, 20, 40)) - before).max() < 2e-3


def test_a_mirrored_source_is_followed_the_other_way_round():
    add_ground()
    source = walker(travel="ROOT_BONE")
    wave(source, "upper_arm.L")
    rig = follower(source)
    places = [rig.pose.bones.find(name) for name in ("hand.L", "hand.R")]
    before = worlds(rig, (20,))[0, places, :3, 3]
    source.scale = (-1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    after = worlds(rig, (20,))[0, places, :3, 3]
    assert after[::-1] * [-1.0, 1.0, 1.0] == pytest.approx(before, abs=0.03)
