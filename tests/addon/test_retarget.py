"""Retargeting in Blender: rest poses, facing, units, travel and time, on rigs that are built here."""

from __future__ import annotations

from math import pi, radians
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.file_contents import contents, differences
from support.motions import (
    arms_to,
    bare,
    curves_of,
    degrees_between,
    direction,
    edit_rest,
    joints_at,
    rest_bytes,
    swing,
    turn_rest,
    walk,
)
from support.stage import key

ARMS = [(f"{a}.{s}", f"{b}.{s}") for s in "LR" for a, b in (("upper_arm", "forearm"), ("forearm", "hand"))]
LIMBS = ("thigh", "shin", "foot", "toe", "shoulder", "upper_arm", "forearm", "hand")
LEGS = [(f"{a}.{s}", f"{b}.{s}") for s in "LR" for a, b in (("thigh", "shin"), ("shin", "foot"))]


def moved(source: bpy.types.Object, target: bpy.types.Object, **options: Any) -> Any:
    from surefoot.addon.retarget import RetargetOptions, retarget

    return retarget(source, target, RetargetOptions(**options))


def rest_keyed(rig: bpy.types.Object, last: int = 10) -> bpy.types.Object:
    """A source that stays at rest."""
    for frame in (1, last):
        rig.pose.bones["pelvis"].keyframe_insert("location", frame=frame)
    return rig


# Rest poses.


def test_a_t_pose_stays_one_on_a_target_that_rests_in_an_a_pose():
    source, target = rest_keyed(arms_to(bare("Mocap"), 0.0)), arms_to(bare("Hero"), radians(-45.0))
    before = rest_bytes(source), rest_bytes(target)
    moved(source, target)
    shown = joints_at(target, 5)
    for first, last in ARMS:
        aside = np.array([1.0 if ".L" in first else -1.0, 0.0, 0.0])
        assert degrees_between(direction(shown, first, last), aside) < 1.0
    assert (rest_bytes(source), rest_bytes(target)) == before


def test_what_the_source_does_is_shown_by_the_target_limb_for_limb():
    source, target = swing(bare("Mocap")), arms_to(bare("Hero"), radians(-20.0))
    moved(source, target, config=free())
    for frame in (1, 11, 21):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        for first, last in (*ARMS, *LEGS):
            assert degrees_between(direction(theirs, first, last), direction(ours, first, last)) < 1.0


def test_bones_with_other_rolls_rest_where_the_source_rests():
    source, target = rest_keyed(bare("Mocap")), bare("Hero")

    def roll(bones: Any) -> None:
        for k, bone in enumerate(bones):
            bone.roll += (0.8, -1.6, 3.0)[k % 3]

    edit_rest(target, roll)
    moved(source, target, config=free())
    bpy.context.scene.frame_set(5)
    shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    for bone in shown.pose.bones:
        assert np.abs(np.array(bone.matrix_basis) - np.identity(4)).max() < 2e-5, bone.name


def test_leg_bones_with_other_axes_take_the_legs_to_the_same_places():
    source, clean, odd = swing(bare("Mocap")), bare("Clean"), bare("Odd")

    def other_axes(bones: Any) -> None:
        for name, roll in (("thigh.L", pi / 2), ("shin.L", pi / 2), ("thigh.R", pi), ("shin.R", -pi / 2)):
            bones[name].roll += roll

    edit_rest(odd, other_axes)
    moved(source, clean)
    moved(source, odd)
    for frame in (1, 11, 21):
        first, second = joints_at(clean, frame), joints_at(odd, frame)
        for name in ("shin.L", "foot.L", "toe.L", "shin.R", "foot.R", "toe.R"):
            assert np.abs(first[name] - second[name]).max() < 1e-3


def free() -> Any:
    """Feet where the joints' directions put them."""
    from surefoot.core.retarget.config import RetargetConfig

    return RetargetConfig(feet="FREE")


def test_equal_names_with_other_rests_are_converted_and_said():
    source, target = swing(bare("Mocap")), bare("Hero")
    for side, sign in (("L", 1.0), ("R", -1.0)):
        turn_rest(target, f"upper_arm.{side}", Matrix.Rotation(sign * radians(30.0), 4, "Y"))
    result = moved(source, target, config=free())
    said = " ".join(result.notes)
    assert "by 30 degrees" in said
    assert "rest differently" in said
    for frame in (1, 11, 21):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        for name in ("forearm.L", "hand.L", "forearm.R", "hand.R", "foot.L", "head"):
            assert np.abs(theirs[name] - ours[name]).max() < 1e-3


def test_equal_rigs_get_the_same_motion_and_nothing_is_said_of_rests():
    source, target = swing(bare("Mocap")), bare("Hero")
    result = moved(source, target, config=free(), travel="PELVIS")
    assert result.notes == (free_said(),)
    for frame in (1, 11, 21):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        assert max(np.abs(theirs[name] - ours[name]).max() for name in theirs) < 1e-4


def free_said() -> str:
    from surefoot.addon.texts import text

    return text("retarget_feet_free")


def test_poses_that_were_set_to_be_alike_are_taken_as_such():
    source, target = swing(bare("Mocap")), bare("Hero")
    bpy.context.scene.frame_set(15)
    hand = {"upper_arm.L": (0.4, 0.2, 0.9), "thigh.R": (-0.5, 0.1, 0.2), "head": (0.1, 0.6, 0.0)}
    for name, angles in hand.items():
        target.pose.bones[name].rotation_mode = "XYZ"
        target.pose.bones[name].rotation_euler = angles
    bpy.context.view_layer.update()
    wanted = {bone.name: bone.matrix.to_quaternion() for bone in target.pose.bones}
    moved(source, target, reference="CURRENT_POSE", config=free())
    bpy.context.scene.frame_set(15)
    shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    for name, turn in wanted.items():
        off = turn.rotation_difference(shown.pose.bones[name].matrix.to_quaternion()).angle
        assert min(off, 2.0 * pi - off) < radians(0.1), name
    # A later frame differs by what the source does meanwhile.
    change = source_turn(source, "upper_arm.R", 21) @ source_turn(source, "upper_arm.R", 15).inverted()
    bpy.context.scene.frame_set(21)
    after = target.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["upper_arm.R"].matrix.to_quaternion()
    assert (change @ wanted["upper_arm.R"]).rotation_difference(after).angle < radians(0.2)


def source_turn(rig: bpy.types.Object, name: str, frame: int) -> Quaternion:
    bpy.context.scene.frame_set(frame)
    return rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name].matrix.to_quaternion()


# Facing, axes, units.


@pytest.mark.parametrize("yaw", [-88.0, 179.0], ids=str)
def test_the_target_s_own_facing_does_not_touch_its_bones(yaw: float):
    source, straight, turned = swing(bare("Mocap")), bare("Straight"), bare("Turned")
    turned.rotation_euler.z = radians(yaw)
    bpy.context.view_layer.update()
    moved(source, straight)
    moved(source, turned)
    first, second = curves_of(straight), curves_of(turned)
    assert set(first) == set(second)
    assert all(np.abs(first[path] - second[path]).max() < 1e-4 for path in first)
    # So it goes along its own facing.
    places = [joints_at(rig, 21)["pelvis"] - joints_at(rig, 1)["pelvis"] for rig in (straight, turned)]
    assert np.abs(np.array(Matrix.Rotation(radians(yaw), 3, "Z") @ Vector(places[0])) - places[1]).max() < 1e-4


@pytest.mark.parametrize(("theirs", "ours"), [(0.01, 1.0), (1.0, 0.01), (100.0, 0.01)], ids=str)
def test_an_object_s_scale_and_axes_change_nothing_in_the_world(theirs: float, ours: float):
    plain = bare("Plain")
    moved(swing(bare("Source")), plain)
    source, target = in_units(swing(bare("Mocap")), theirs), in_units(bare("Hero"), ours)
    moved(source, target)
    for frame in (1, 11, 21):
        first, second = joints_at(plain, frame), joints_at(target, frame)
        assert max(np.abs(first[name] - second[name]).max() for name in first) < 1e-3


def in_units(rig: bpy.types.Object, scale: float) -> bpy.types.Object:
    """The same rig in the world with bones in other units and Y up, as importers leave it."""
    turn = Matrix.Rotation(pi / 2.0, 4, "X")
    rig.data.transform(turn.inverted() @ Matrix.Scale(1.0 / scale, 4))
    if rig.animation_data is not None:
        from surefoot.addon.saved_state import curves_of as fcurves

        for curve in fcurves(rig.animation_data.action, rig.animation_data.action_slot):
            if curve.data_path.endswith("location"):
                for point in curve.keyframe_points:
                    point.co.y /= scale
    rig.matrix_world = turn @ Matrix.Scale(scale, 4)
    bpy.context.view_layer.update()
    return rig


def test_a_target_that_is_turned_and_scaled_stays_upright_and_goes_along_its_facing():
    source, target = walk(bare("Mocap")), bare("Hero")
    target.data.transform(Matrix.Rotation(-pi / 2.0, 4, "X"))
    target.matrix_world = (
        Matrix.Rotation(radians(120.0), 4, "Z") @ Matrix.Rotation(pi / 2.0, 4, "X") @ Matrix.Scale(2.0, 4)
    )
    bpy.context.view_layer.update()
    result = moved(source, target)
    assert result.ratio == pytest.approx(2.0, rel=1e-3)
    first, last = joints_at(target, 10), joints_at(target, 45)
    assert direction(last, "pelvis", "head")[2] > 0.98
    theirs = joints_at(source, 45)["pelvis"] - joints_at(source, 10)["pelvis"]
    wanted = 2.0 * np.array(Matrix.Rotation(radians(120.0), 3, "Z") @ Vector(theirs))
    assert np.abs((last["pelvis"] - first["pelvis"])[:2] - wanted[:2]).max() < 0.02


def test_a_mirrored_source_moves_the_other_arm():
    source, mirrored = swing(bare("Mocap")), swing(bare("Mirrored", scale=(-1.0, 1.0, 1.0)))
    straight, target = bare("Straight"), bare("Hero")
    moved(source, straight)
    moved(mirrored, target)
    first, second = joints_at(straight, 21), joints_at(target, 21)
    for name in ("forearm", "hand", "shin", "foot"):
        for one, other in (("L", "R"), ("R", "L")):
            image = first[f"{name}.{one}"] * [-1.0, 1.0, 1.0]
            assert np.abs(image - second[f"{name}.{other}"]).max() < 2e-3


def test_a_mirrored_target_is_refused_with_the_remedy():
    from surefoot.addon.refusal import RefusedError

    with pytest.raises(RefusedError, match="mirrored by a negative scale"):
        moved(swing(bare("Mocap")), bare("Hero", scale=(-1.0, 1.0, 1.0)))


# Travel.


@pytest.mark.parametrize("carrier", ["OBJECT", "ROOT_BONE", "PELVIS"])
def test_the_object_s_own_travel_arrives_on_the_carrier_that_is_chosen(carrier: str):
    source, target = rest_keyed(bare("Mocap"), 25), bare("Hero", scale=(0.5, 0.5, 0.5))
    key(source, "location", {1: 0.0, 25: -4.0}, index=1)
    moved(source, target, travel=carrier)
    first, last = joints_at(target, 1), joints_at(target, 25)
    assert (last["pelvis"] - first["pelvis"])[1] == pytest.approx(-2.0, rel=0.01)
    object_moves = any(path == "location" for path, _ in curves_of(target))
    root_moves = np.ptp(curves_of(target).get(('pose.bones["root"].location', 1), np.zeros((1, 2)))[:, 1]) > 1.0
    assert (object_moves, root_moves) == (carrier == "OBJECT", carrier == "ROOT_BONE")


def test_heights_come_from_rest_and_floor_and_not_from_how_far_it_goes():
    heights = []
    for distance in (0.08, 3.0):
        source, target = bare(f"Mocap{distance}"), bare(f"Hero{distance}", scale=(1.5, 1.5, 1.5))
        for frame in range(1, 31):
            crouch(source, 0.7 * np.sin(pi * (frame - 1) / 29.0), frame)
            source.location.y = -distance * (frame - 1) / 29.0
            source.keyframe_insert("location", frame=frame)
        moved(source, target, config=free())
        heights.append([joints_at(target, frame)["pelvis"][2] for frame in (1, 8, 15, 30)])
    assert np.abs(np.array(heights[0]) - heights[1]).max() < 5e-3
    assert heights[0][0] == pytest.approx(1.5 * 0.93, abs=0.02)


def crouch(rig: bpy.types.Object, bend: float, frame: int) -> None:
    """Thighs forward by an angle and shins back, so that the ankles stay under the hips, which come down."""
    turns = (("thigh", bend), ("shin", -2.0 * bend), ("foot", bend))
    body = rig.pose.bones["pelvis"]
    body.location = (0.0, 0.0, 0.0)
    for side in "LR":
        for name, angle in turns:
            bone = rig.pose.bones[f"{name}.{side}"]
            across = bone.bone.matrix_local.to_3x3().inverted() @ Vector((-1.0, 0.0, 0.0))
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Quaternion(across, angle)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.context.view_layer.update()
    standing = rig.data.bones["foot.L"].head_local.z
    lift = standing - rig.pose.bones["foot.L"].head.z
    body.location = body.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, 0.0, lift))
    body.keyframe_insert("location", frame=frame)


def test_a_source_that_stands_elsewhere_and_on_another_floor_leaves_the_target_where_it_stands():
    source, target = walk(bare("Mocap")), bare("Hero", location=(1.0, 2.0, 0.5))
    empty = bpy.data.objects.new("Stage", None)
    bpy.context.scene.collection.objects.link(empty)
    source.parent = empty
    empty.location, empty.rotation_euler.z = (10.0, -3.0, 2.0), 1.0
    bpy.context.view_layer.update()
    moved(source, target)
    soles = [min(joints_at(target, frame)[name][2] for name in ("toe.L.tail", "toe.R.tail")) for frame in range(1, 49)]
    standing = float(np.median(soles))
    rest = target.data.bones["toe.L"].tail_local.z + 0.5
    assert standing == pytest.approx(rest, abs=0.012)
    way = joints_at(target, 48)["pelvis"] - joints_at(target, 1)["pelvis"]
    assert abs(way[0]) < 0.1
    assert way[1] < -0.5


def test_over_the_source_it_goes_the_source_s_own_way():
    source, target = walk(bare("Mocap", location=(4.0, 1.0, 0.0))), bare("Hero", location=(-3.0, 0.0, 0.0))
    source.rotation_euler.z = 0.0
    moved(source, target, place="SOURCE")
    for frame in (1, 20, 48):
        assert np.abs(joints_at(source, frame)["pelvis"] - joints_at(target, frame)["pelvis"]).max() < 0.02


def test_only_rotations_are_written_and_the_body_s_place():
    source, target = walk(bare("Mocap")), bare("Hero")

    def longer(bones: Any) -> None:
        for side in "LR":
            for name in ("upper_arm", "forearm"):
                bone = bones[f"{name}.{side}"]
                bone.tail = bone.head + 1.3 * (bone.tail - bone.head)
            bones[f"forearm.{side}"].head = bones[f"upper_arm.{side}"].tail

    edit_rest(target, longer)
    moved(source, target)
    paths = {path.rpartition(".")[2] for path, _ in curves_of(target)}
    assert "scale" not in paths
    located = {path for path, _ in curves_of(target) if path.endswith("location")}
    assert located <= {'pose.bones["root"].location', 'pose.bones["pelvis"].location'}
    shown = joints_at(target, 30)
    for name, end in ARMS:
        rest = target.data.bones
        length = (rest[end].head_local - rest[name].head_local).length
        assert np.linalg.norm(shown[end] - shown[name]) == pytest.approx(length, abs=1e-5)


# Feet.


def test_feet_that_stand_on_the_source_stand_on_legs_of_another_length():
    source, target = walk(bare("Mocap"), frames=72), bare("Hero")

    def shorter(bones: Any) -> None:
        for bone in list(bones):
            bone.use_connect = False
        for side in "LR":
            hip = bones[f"thigh.{side}"].head.copy()
            for name in ("thigh", "shin"):
                bone = bones[f"{name}.{side}"]
                for end in ("head", "tail"):
                    point = getattr(bone, end).copy()
                    point.z = hip.z + 0.6667 * (point.z - hip.z)
                    setattr(bone, end, point)
            lift = bones[f"shin.{side}"].tail - bones[f"foot.{side}"].head
            for name in ("foot", "toe"):
                bones[f"{name}.{side}"].head += lift
                bones[f"{name}.{side}"].tail += lift

    edit_rest(target, shorter)
    result = moved(source, target)
    assert result.slide_before > 0.02
    assert result.slide_after < 0.003
    assert result.slide_after < 0.2 * result.slide_before
    theirs, ours = (joints_at(rig, 60)["pelvis"] - joints_at(rig, 10)["pelvis"] for rig in (source, target))
    assert ours[1] / theirs[1] == pytest.approx(result.ratio, rel=0.01)


def test_left_free_it_is_said_that_no_foot_was_planted():
    result = moved(walk(bare("Mocap")), bare("Hero"), config=free())
    assert (result.slide_before, result.slide_after) == (None, None)
    assert free_said() in result.notes


def test_a_target_without_legs_is_told_that_none_was_planted():
    target = bare("Hero")

    def legless(bones: Any) -> None:
        for name in [bone.name for bone in bones if bone.name.partition(".")[0] in LIMBS]:
            bones.remove(bones[name])

    edit_rest(target, legless)
    result = moved(walk(bare("Mocap")), target)
    assert "no foot was planted" in " ".join(result.notes)


def test_a_source_without_legs_says_why_no_foot_was_planted():
    source = swing(bare("Mocap"))

    def legless(bones: Any) -> None:
        for name in [bone.name for bone in bones if bone.name.partition(".")[0] in LIMBS]:
            bones.remove(bones[name])

    edit_rest(source, legless)
    assert "no foot can be planted" in " ".join(moved(source, bare("Hero")).problems)


# Bones.


def test_what_does_not_follow_is_counted_and_named():
    source, target = swing(bare("Mocap")), bare("Hero")

    def armless(bones: Any) -> None:
        for name in [bone.name for bone in bones if bone.name.partition(".")[0] in {"upper_arm", "forearm", "hand"}]:
            bones.remove(bones[name])

    edit_rest(source, armless)
    result = moved(source, target)
    follow, of = result.coverage
    said = " ".join(result.problems)
    assert of - follow >= 6
    assert f"Only {follow} of {of}" in said
    assert all(name in said for name in ("upper_arm.L", "forearm.R", "hand.L"))
    assert {"upper_arm.L", "forearm.R", "hand.L"} <= {item.bone for item in result.stayed}


def test_a_tail_keeps_its_own_animation():
    source, target = swing(bare("Mocap")), bare("Hero")

    def add_tail(bones: Any) -> None:
        above = bones["pelvis"]
        for k in range(3):
            bone = bones.new(f"tail.{k:03d}")
            bone.head, bone.tail = (0.0, 0.1 + 0.15 * k, 0.95), (0.0, 0.25 + 0.15 * k, 0.95)
            bone.parent, above = above, bone

    edit_rest(target, add_tail)
    target.pose.bones["tail.001"].rotation_mode = "XYZ"
    key(target, 'pose.bones["tail.001"].rotation_euler', {1: 0.0, 15: 1.0}, index=0)
    before = {path: keys for path, keys in curves_of(target).items() if "tail" in path[0]}
    moved(source, target)
    after = {path: keys for path, keys in curves_of(target).items() if "tail" in path[0]}
    assert before
    assert set(after) == set(before)
    assert all(np.array_equal(after[path], before[path]) for path in before)


def test_bones_between_joints_change_nothing_below_them():
    source, plain, twisted = swing(bare("Mocap")), bare("Plain"), bare("Hero")

    def twist(bones: Any) -> None:
        for name, below in (("thigh", "shin"), ("upper_arm", "forearm")):
            for side in "LR":
                bone, child = bones[f"{name}.{side}"], bones[f"{below}.{side}"]
                child.use_connect = False
                half = bones.new(f"{name}_twist.{side}")
                half.head, half.tail = bone.head.lerp(bone.tail, 0.5), bone.tail
                half.parent, child.parent = bone, half

    edit_rest(twisted, twist)
    moved(source, plain)
    moved(source, twisted)
    for frame in (1, 11, 21):
        first, second = joints_at(plain, frame), joints_at(twisted, frame)
        assert max(np.abs(first[name] - second[name]).max() for name in first) < 1e-3


@pytest.mark.parametrize("rename", ["mixamorig:{}", "mixamorig7:{}", "Char01|{}", "ns:sub:{}", "{}.001"])
def test_prefixes_and_numbers_in_names_change_nothing(rename: str):
    source, target = swing(bare("Mocap")), bare("Hero")
    plain = moved(source, target)
    first = joints_at(target, 17)
    named = swing(bare("Named"))
    for bone in named.data.bones:
        bone.name = rename.format(bone.name)
    second = bare("Other")
    result = moved(named, second)
    assert result.coverage == plain.coverage
    assert max(np.abs(first[name] - at).max() for name, at in joints_at(second, 17).items()) < 1e-4


def test_the_order_of_bones_changes_nothing():
    from support.armatures import BonePlan, build_armature

    model = bare("Model")
    plans = [
        BonePlan(
            bone.name, bone.parent.name if bone.parent else "", tuple(bone.head_local), tuple(bone.tail_local)
        )
        for bone in model.data.bones
    ]
    right_first = sorted(plans, key=lambda plan: (plan.name.endswith(".L"), plans.index(plan)))
    shown = []
    for order in (plans, right_first):
        source = swing(build_armature(tuple(order), name="Mocap"))
        target = bare("Hero")
        moved(source, target)
        shown.append(joints_at(target, 21))
    assert max(np.abs(shown[0][name] - shown[1][name]).max() for name in shown[0]) < 1e-4


# Time.


def test_keys_lie_on_the_source_s_frames_and_none_beside_them():
    source, target = swing(bare("Mocap"), 5, 25), bare("Hero")
    result = moved(source, target)
    assert (result.frames, result.frame_start) == (21, 5.0)
    moving = [keys for keys in curves_of(target).values() if len(keys) > 1]
    assert all(np.array_equal(keys[:, 0], np.arange(5.0, 26.0)) for keys in moving)
    assert len(moving) > 40


def test_a_step_keeps_the_last_frame():
    source, target = swing(bare("Mocap"), 1, 26), bare("Hero")
    moved(source, target, step=2)
    moving = [keys for keys in curves_of(target).values() if len(keys) > 1]
    assert all(keys[:, 0].tolist() == [*range(1, 26, 2), 26] for keys in moving)


def test_a_range_takes_those_frames_alone():
    source, target = swing(bare("Mocap")), bare("Hero")
    assert moved(source, target, frame_range=(5.0, None)).frames == 17
    assert moved(source, target, frame_range=(5.0, 9.0)).frames == 5


def test_a_clip_longer_than_the_scene_is_moved_whole_and_the_scene_stays():
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end, scene.use_preview_range = 24, 10, 90, True
    scene.frame_set(33)
    source, target = swing(bare("Mocap"), 1, 400), bare("Hero")
    before = (scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end, scene.frame_current)
    assert moved(source, target).frames == 400
    assert (
        scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end, scene.frame_current
    ) == before  # fmt: skip


# The file.


def test_nothing_but_the_new_action_is_new():
    source, target = swing(bare("Mocap")), bare("Hero")
    bpy.context.scene.frame_set(7)
    bones = rest_bytes(source), rest_bytes(target)
    before = contents()
    result = moved(source, target, assign=False)
    after = contents()
    assert [key_ for key_ in after if key_ not in before] == [("actions", result.action)]
    assert (rest_bytes(source), rest_bytes(target)) == bones
    del after["actions", result.action]
    assert differences(before, after) == []


def test_the_result_stays_with_its_action():
    from surefoot.addon.retarget_result import kept_result

    source, target = swing(bare("Mocap")), bare("Hero")
    result = moved(source, target)
    assert result.action == f"{source.animation_data.action.name}_Hero"
    kept = kept_result(target.animation_data.action)
    assert kept == result.as_dict()
    assert kept["slide_after"] == result.slide_after
    assert kept_result(source.animation_data.action) is None
    target.animation_data.action["surefoot_retarget"] = "spoiled"
    assert kept_result(target.animation_data.action) is None


def test_corrections_of_both_rigs_count():
    source, target = swing(bare("Mocap")), bare("Hero")
    line = target.surefoot.corrections.add()
    line.role, line.bone = "head", "neck"
    result = moved(source, target)
    assert next(pair.target for pair in result.matched if pair.role == "head") == ("neck",)


def test_a_preview_of_the_target_ends_and_that_is_said():
    from surefoot.addon.setup import setup

    source, target = swing(bare("Mocap")), bare("Hero")
    setup(target, bpy.context.scene)
    target.surefoot.preview = True
    result = moved(source, target)
    assert not target.surefoot.preview
    assert "preview of Hero was switched off" in " ".join(result.notes)


@pytest.mark.parametrize(("source", "said"), [(None, "no source"), ("Hero", "its own source")], ids=str)
def test_a_pair_that_is_none_is_refused(source: str | None, said: str):
    from surefoot.addon.refusal import RefusedError

    target = bare("Hero")
    with pytest.raises(RefusedError, match=said):
        moved(target if source else None, target)
