"""A rig that follows another one in the timeline: the same frame however it is reached, and what is baked is that."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.live import END, apart, follow, follower, seen, walker, wave, worlds
from support.rigify_rigs import generated_rig
from support.stage import add_ground, add_person, pose_at
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.layers import layer_add, look_at
from surefoot.addon.live_source import live_sources
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of
from surefoot.addon.saved_state import curves_of
from surefoot.addon.scenery import has_plain_inputs
from surefoot.addon.setup import setup
from surefoot.addon.timeline import ready_cast

PLAYED = range(1, END + 1)


def lines(rig: bpy.types.Object) -> str:
    bpy.context.scene.frame_set(2)
    bpy.context.scene.frame_set(1)
    return " ".join(line.text for line in rig.surefoot.problems)


def action_of(rig: bpy.types.Object) -> tuple[bpy.types.Action, bpy.types.ActionSlot]:
    return rig.animation_data.action, rig.animation_data.action_slot


def is_read_plainly(rig: bpy.types.Object) -> bool:
    """Whether no frame has to be evaluated to know what it follows."""
    member = next(item for item in ready_cast(bpy.context.scene) if item.obj == rig)
    return has_plain_inputs(member, bpy.context.scene)


# Sources of every kind: each gives the follower, and whether curves alone say how its source moves.


def keyed(**settings):
    add_ground()
    return follower(walker(), **settings), True


def on_the_nla(**settings):
    add_ground()
    source = walker()
    track = source.animation_data.nla_tracks.new()
    track.strips.new("Walk", 1, source.animation_data.action)
    source.animation_data.action = None
    return follower(source, **settings), False


def parented(**settings):
    add_ground()
    source = walker()
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    source.parent = holder
    for frame, y in ((1, 0.0), (END, -1.0)):
        holder.location.y = y
        holder.keyframe_insert("location", frame=frame)
    return follower(source, **settings), False


def constrained(**settings):
    add_ground()
    source, goal = walker(), bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.location = (1.0, -20.0, 1.0)
    bone = source.pose.bones["head"].constraints.new("DAMPED_TRACK")
    bone.target = goal
    return follower(source, **settings), False


def walking_along(**settings):
    """The source is itself a character that walks in its preview."""
    add_ground()
    source = add_person()
    source.name = "Source"
    source.surefoot.preview = True
    return follower(source, **settings), True


def at_the_hand_of_a_walker(**settings):
    """The source is an armature that is parented to a character in its preview."""
    add_ground()
    leader = add_person(place=(3.0, 0.0, 0.0))
    leader.name = "Leader"
    leader.surefoot.preview = True
    source = add_person()
    source.name = "Source"
    wave(source)
    source.parent = leader
    return follower(source, **settings), False


def of_empties(**settings):
    add_ground()
    source = add_person()
    top, known = None, {}
    for bone in source.data.bones:
        joint = known[bone.name] = bpy.data.objects.new(bone.name, None)
        bpy.context.scene.collection.objects.link(joint)
        joint.parent = known[bone.parent.name] if bone.parent else None
        above = bone.parent.matrix_local.to_translation() if bone.parent else (0.0, 0.0, 0.0)
        joint.location = bone.matrix_local.to_translation() - Matrix.Translation(above).to_translation()
        top = top or joint
    for frame in (1, 12, 24):
        known["upper_arm.L"].rotation_euler = (0.0, 0.03 * frame, 0.0)
        known["upper_arm.L"].keyframe_insert("rotation_euler", frame=frame)
        known["pelvis"].location.y = -0.03 * frame
        known["pelvis"].keyframe_insert("location", frame=frame)
    bpy.data.objects.remove(source)
    return follower(top, **settings), True


SOURCES = (keyed, on_the_nla, parented, constrained, walking_along, at_the_hand_of_a_walker, of_empties)


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
