"""Reading a motion: what Blender shows of an armature, or of empties, whatever animates it; and the file as it was."""

from __future__ import annotations

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.file_contents import contents, differences
from support.motions import person, read_heads, swing
from support.stage import add_person, key


def shown_heads(rig: bpy.types.Object, frames: list[float]) -> np.ndarray:
    """Every bone's head in the world as Blender shows it, (F, bones, 3)."""
    scene, rows = bpy.context.scene, []
    for frame in frames:
        scene.frame_set(int(frame // 1), subframe=frame % 1.0)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        rows.append([shown.matrix_world @ bone.head for bone in shown.pose.bones])
    return np.array(rows)


def is_as_shown(rig: bpy.types.Object, frames: list[float], within: float = 2e-5) -> None:
    """What is read puts every joint where Blender shows it."""
    from surefoot.addon.motion_source import read_motion

    motion = read_motion(rig)
    assert len(motion.clip) == len(frames)
    assert (motion.frame_start, motion.frame_end) == (frames[0], frames[-1])
    wanted = shown_heads(rig, frames)
    size = max(1.0, float(np.abs(wanted).max()))
    assert np.abs(read_heads(motion.clip, [bone.name for bone in rig.pose.bones]) - wanted).max() < within * size
    turns = motion.clip.moved[..., :3, :3]
    assert np.abs(np.swapaxes(turns, -1, -2) @ turns - np.identity(3)).max() < 1e-4
    assert np.linalg.det(turns).min() > 0.99


FRAMES = [float(frame) for frame in range(1, 22)]


def test_an_action_is_read_as_it_is_shown():
    is_as_shown(swing(person(location=(2.0, -1.0, 0.5), rotation_euler=(0.0, 0.0, 0.7))), FRAMES)


def test_bones_without_keys_keep_the_pose_that_they_are_in():
    rig = swing(person())
    rig.pose.bones["upper_arm.L"].rotation_mode = "XYZ"
    rig.pose.bones["upper_arm.L"].rotation_euler = (0.2, 0.9, -0.4)
    is_as_shown(rig, FRAMES)


def test_a_constraint_counts():
    rig = swing(person())
    item = rig.pose.bones["forearm.R"].constraints.new("COPY_ROTATION")
    item.target, item.subtarget = rig, "thigh.L"
    is_as_shown(rig, FRAMES)


def test_a_driver_counts():
    rig = swing(person())
    rig.pose.bones["head"].rotation_mode = "XYZ"
    rig.pose.bones["head"].driver_add("rotation_euler", 2).driver.expression = "frame * 0.05"
    is_as_shown(rig, FRAMES)


def test_the_object_s_own_motion_counts():
    rig = swing(person())
    key(rig, "location", {1: 0.0, 21: 4.0}, index=1)
    is_as_shown(rig, FRAMES)


def test_a_parent_s_motion_counts_also_alone():
    rig, carrier = person(), bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(carrier)
    rig.parent = carrier
    carrier.scale = (2.0, 2.0, 2.0)
    carrier.rotation_euler.z = 0.4
    key(carrier, "location", {1: 0.0, 21: 4.0}, index=0)
    is_as_shown(rig, FRAMES)
    is_as_shown(swing(rig), FRAMES)


def test_nla_strips_are_read_where_there_is_no_action():
    rig = swing(person())
    action = rig.animation_data.action
    strip = rig.animation_data.nla_tracks.new().strips.new("Swing", 31, action)
    strip.scale = 2.0
    rig.animation_data.action = None
    is_as_shown(rig, [float(frame) for frame in range(31, 72)])


def test_a_muted_strip_is_no_motion():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    rig = swing(person())
    track = rig.animation_data.nla_tracks.new()
    track.strips.new("Swing", 31, rig.animation_data.action)
    track.mute = True
    rig.animation_data.action = None
    with pytest.raises(RefusedError, match="no motion"):
        read_motion(rig)


def test_what_follows_another_armature_is_read_over_that_one_s_frames():
    source, rig = swing(person("Other")), person()
    for name in ("thigh.L", "upper_arm.R"):
        item = rig.pose.bones[name].constraints.new("COPY_ROTATION")
        item.target, item.subtarget = source, name
    is_as_shown(rig, FRAMES)


@pytest.mark.parametrize("scale", [0.01, 100.0], ids=str)
def test_an_object_may_be_scaled_and_turned_as_importers_leave_it(scale: float):
    rig = swing(person())
    turn = Matrix.Rotation(pi / 2.0, 4, "X")
    rig.data.transform(turn.inverted() @ Matrix.Scale(1.0 / scale, 4))
    rig.matrix_world = turn @ Matrix.Scale(scale, 4)
    bpy.context.view_layer.update()
    is_as_shown(rig, FRAMES)


def test_a_mirrored_object_is_read_as_the_figure_that_is_seen():
    from surefoot.addon.motion_source import read_motion

    rig = swing(person(scale=(-1.0, 1.0, 1.0)))
    is_as_shown(rig, FRAMES)
    found = read_motion(rig).clip.rig
    # Its bone of the left leg is seen on the right.
    names = {leg.side: found.skeleton.bones[leg.bones[0]].name for leg in found.legs}
    assert names == {"L": "thigh.R", "R": "thigh.L"}


def test_a_mirrored_bone_keeps_its_joints_and_is_said():
    from surefoot.addon.motion_source import read_motion

    rig = swing(person())
    rig.pose.bones["upper_arm.R"].scale = (-1.0, -1.0, -1.0)
    is_as_shown(rig, FRAMES)
    assert "upper_arm.R" in " ".join(read_motion(rig).problems)


def test_a_stretched_bone_keeps_its_joints_and_is_said():
    from surefoot.addon.motion_source import read_motion

    rig = swing(person())
    rig.pose.bones["thigh.L"].scale = (1.0, 1.3, 1.0)
    is_as_shown(rig, FRAMES)
    assert "thigh.L" in " ".join(read_motion(rig).problems)


def test_a_scale_along_one_axis_is_refused_with_that_axis():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    with pytest.raises(RefusedError, match=r"differently along Z"):
        read_motion(swing(person(scale=(1.0, 1.0, 1.2))))


def test_a_scale_that_differs_by_rounding_is_taken():
    is_as_shown(swing(person(scale=(0.547929, 0.5479291, 0.5479289))), FRAMES)


def test_a_rest_pose_that_lies_and_is_stood_up_by_its_root_stands():
    from surefoot.addon.motion_source import read_motion

    straight = read_motion(swing(person("Straight")))
    rig = swing(person())
    rig.data.transform(Matrix.Rotation(-pi / 2.0, 4, "X"))
    root = rig.pose.bones["root"]
    root.matrix = Matrix.Rotation(pi / 2.0, 4, "X") @ root.bone.matrix_local
    bpy.context.view_layer.update()
    is_as_shown(rig, FRAMES)
    lying = read_motion(rig)
    assert [leg.role for leg in lying.clip.rig.legs] == [leg.role for leg in straight.clip.rig.legs]
    assert np.abs(lying.clip.moved - straight.clip.moved).max() < 1e-5
    assert lying.start == pytest.approx(straight.start, abs=1e-6)


def test_a_figure_that_lies_all_along_is_stood_up_and_that_is_said():
    from surefoot.addon.motion_source import read_motion

    straight = read_motion(swing(person("Straight")))
    rig = swing(person())
    rig.data.transform(Matrix.Rotation(-pi / 2.0, 4, "X"))
    bpy.context.view_layer.update()
    motion = read_motion(rig)
    assert "its file's axes" in " ".join(motion.problems)
    assert np.abs(motion.clip.moved - straight.clip.moved).max() < 1e-5


def test_another_action_is_read_without_being_assigned():
    from surefoot.addon.motion_source import read_motion

    rig = swing(person())
    action = rig.animation_data.action
    shown = read_motion(rig)
    rig.animation_data.action = None
    for bone in rig.pose.bones:
        bone.matrix_basis.identity()
    motion = read_motion(rig, action)
    assert np.abs(motion.clip.moved - shown.clip.moved).max() < 1e-5
    assert (motion.action, motion.slot) == (action.name, action.slots[0].identifier)
    assert rig.animation_data.action is None


def test_a_range_of_frames_is_taken_as_given():
    from surefoot.addon.motion_source import read_motion

    motion = read_motion(swing(person()), frame_range=(5.0, 9.0))
    assert (len(motion.clip), motion.frame_start, motion.frame_end) == (5, 5.0, 9.0)


def test_the_rate_is_the_scene_s():
    from surefoot.addon.motion_source import read_motion

    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.001
    assert read_motion(swing(person())).fps == pytest.approx(29.97, abs=1e-3)


def test_curves_that_lead_nowhere_are_ignored_and_counted():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.saved_state import channelbag_of

    rig = swing(person())
    animation = rig.animation_data
    bag = channelbag_of(animation.action, animation.action_slot)
    clean = read_motion(rig).clip
    for name in ("gone", "lost", "left"):
        bag.fcurves.new(f'pose.bones["{name}"].location', index=0).keyframe_points.insert(1.0, 3.0)
    bag.fcurves.new("location", index=7).keyframe_points.insert(1.0, 3.0)
    bag.fcurves.new('pose.bones["head"].location', index=1)
    motion = read_motion(rig)
    assert "ignored: 5" in " ".join(motion.problems)
    assert np.abs(motion.clip.moved - clean.moved).max() < 1e-6
    assert len(bag.fcurves) == 5 + 4 * 4 + 3


@pytest.mark.parametrize("case", ["no data", "no action", "no slot", "another rig's action"])
def test_an_armature_without_a_motion_is_told_what_to_assign(case: str):
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    rig = person()
    said = "assign an Action"
    if case != "no data":
        rig.animation_data_create()
    if case in {"no slot", "another rig's action"}:
        action = swing(person("Other")).animation_data.action
        rig.animation_data.action = action
        said = "Choose a slot"
        if case == "no slot":
            action.slots.remove(action.slots[0])
    if case == "another rig's action" and rig.animation_data.action_slot is not None:
        pytest.skip("this Blender chooses a slot by itself")
    with pytest.raises(RefusedError, match=said):
        read_motion(rig)


def test_tweak_mode_is_refused():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    rig = swing(person())
    animation = rig.animation_data
    track = animation.nla_tracks.new()
    track.strips.new("Swing", 101, animation.action)
    animation.action = None
    track.is_solo = False
    animation.nla_tracks.active = track
    track.strips[0].select = True
    animation.use_tweak_mode = True
    assert animation.use_tweak_mode
    with pytest.raises(RefusedError, match="tweak mode"):
        read_motion(rig)


def test_a_preview_is_no_motion_yet():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    rig = add_person()
    rig.surefoot.preview = True
    with pytest.raises(RefusedError, match="Bake it, or switch Preview off"):
        read_motion(rig)


def test_an_absurd_number_of_frames_is_refused_before_any_is_read():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    with pytest.raises(RefusedError, match="moves over 999999 frames"):
        read_motion(swing(person(), 1, 1_000_000))


def test_nothing_in_the_file_is_changed():
    from surefoot.addon.motion_source import read_motion

    rig, carrier = swing(person()), bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(carrier)
    rig.parent = carrier
    key(carrier, "location", {1: 0.0, 21: 4.0}, index=0)
    rig.pose.bones["head"].rotation_mode = "XYZ"
    rig.pose.bones["head"].driver_add("rotation_euler", 2).driver.expression = "frame * 0.05"
    bpy.context.scene.frame_set(13)
    rig.pose.bones["shin.L"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    before = contents()
    read_motion(rig)
    assert differences(before, contents()) == []
