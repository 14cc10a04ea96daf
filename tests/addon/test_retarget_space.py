"""Retargeting between rigs of other axes, units, places and facings, and who carries the travel."""

from __future__ import annotations

from math import pi, radians
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.motions import (
    bare,
    curves_of,
    direction,
    edit_rest,
    joints_at,
    rest_bytes,
    swing,
    walk,
)
from support.retargeted import ARMS, free, moved, rest_keyed
from support.stage import key


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


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
@pytest.mark.parametrize(
    ("carrier", "scale"), [("OBJECT", (-1.0, 1.0, 1.0)), ("ROOT_BONE", (1.0, -1.0, 1.0)), ("PELVIS", (-2.0, 2.0, 2.0))]
)
def test_a_mirrored_target_is_seen_to_move_as_one_that_is_not(carrier: str, scale: tuple[float, ...], mode: str):
    source, size = swing(bare("Mocap")), abs(scale[0])
    straight, mirrored = bare("Straight", scale=(size, size, size)), bare("Mirrored", scale=scale)
    if scale[1] < 0.0:
        # Mirrored from front to back it is one that faces the other way.
        straight.rotation_euler.z = pi
        bpy.context.view_layer.update()
    for bone in mirrored.pose.bones:
        bone.rotation_mode = mode
        bone.bone.use_local_location = bone.name != "pelvis"
    rest = rest_bytes(mirrored)
    first, second = (moved(source, target, travel=carrier) for target in (straight, mirrored))
    assert second.ratio == pytest.approx(first.ratio, rel=1e-4)
    assert rest_bytes(mirrored) == rest
    assert tuple(mirrored.scale) == scale
    for frame in (1, 8, 21):
        ours, shown = joints_at(straight, frame), joints_at(mirrored, frame)
        for name, place in ours.items():
            image = shown[name.translate(str.maketrans("LR", "RL"))]
            assert np.abs(place - image).max() < 1e-4 * size, (frame, name)


def test_a_mirrored_target_is_read_again_as_it_was_moved():
    from surefoot.addon.motion_source import read_motion

    source, target = walk(bare("Mocap")), bare("Hero", scale=(-1.0, 1.0, 1.0))
    moved(source, target, config=free())
    theirs, ours = read_motion(source).clip, read_motion(target).clip
    for leg, other in zip(theirs.rig.legs, ours.rig.legs, strict=True):
        assert leg.role == other.role
        assert np.abs(theirs.joints(leg) - ours.joints(other)).max() < 1e-5


def test_a_target_that_its_negative_scale_puts_on_its_head_is_refused_with_the_remedy():
    from surefoot.addon.refusal import RefusedError

    with pytest.raises(RefusedError, match=r"does not stand on its feet.*Apply the scale of Hero"):
        moved(swing(bare("Mocap")), bare("Hero", scale=(-1.0, -1.0, -1.0)))


@pytest.mark.parametrize("names", ["named", "nameless"])
@pytest.mark.parametrize(
    ("axis", "angle", "carrier"), [("X", 90.0, "OBJECT"), ("X", -90.0, "ROOT_BONE"), ("Y", 90.0, "PELVIS")]
)
def test_a_target_that_lies_at_rest_stands_up_and_moves_as_one_that_stands(
    axis: str, angle: float, carrier: str, names: str
):
    source, straight, laid = swing(bare("Mocap")), bare("Straight"), bare("Laid")
    laid.data.transform(Matrix.Rotation(radians(angle), 4, axis))
    new = {bone.name: f"q{k:03d}" if names == "nameless" else bone.name for k, bone in enumerate(laid.data.bones)}
    for old, name in new.items():
        laid.data.bones[old].name = name
    laid.location, laid.rotation_euler.z = (1.0, 2.0, 3.0), radians(40.0)
    bpy.context.view_layer.update()
    rest = rest_bytes(laid)
    moved(source, straight, travel="PELVIS", config=free())
    moved(source, laid, travel=carrier, config=free())
    assert rest_bytes(laid) == rest
    theirs, ours = joints_at(straight, 1), joints_at(laid, 1)
    turn = facing_turn(theirs, {old: ours[name] for old, name in new.items()})
    # The root bone, over which the body stands up, lies on.
    del new["root"]
    for frame in (1, 8, 21):
        theirs, shown = joints_at(straight, frame), joints_at(laid, frame)
        for old, name in new.items():
            assert shown[name][2] - theirs[old][2] == pytest.approx(3.0, abs=1e-4), (frame, old)
            way = turn @ (theirs[old] - theirs["pelvis"])
            assert np.abs(shown[name] - shown[new["pelvis"]] - way).max() < 1e-4, (frame, old)


@pytest.mark.parametrize("rest", ["MIRRORED", "LYING"])
def test_a_mirrored_or_lying_target_goes_over_the_source_s_way_and_knows_poses_that_are_alike(rest: str):
    source, target = swing(bare("Mocap")), bare("Hero", scale=(-1.0 if rest == "MIRRORED" else 1.0, 1.0, 1.0))
    if rest == "LYING":
        target.data.transform(Matrix.Rotation(pi / 2.0, 4, "X"))
    source.location, source.rotation_euler.z = (0.0, 2.0, 0.0), radians(-25.0)
    target.location, target.rotation_euler.z = (1.0, 0.0, 0.0), radians(35.0)
    bpy.context.view_layer.update()
    moved(source, target, place="SOURCE", config=free())
    first = {frame: joints_at(target, frame) for frame in (1, 11, 21)}
    for frame, shown in first.items():
        assert np.abs(shown["pelvis"] - joints_at(source, frame)["pelvis"]).max() < 2e-3
    bpy.context.scene.frame_set(1)
    moved(source, target, place="SOURCE", config=free(), reference="CURRENT_POSE")
    for frame, shown in first.items():
        again = joints_at(target, frame)
        assert max(np.abs(again[name] - place).max() for name, place in shown.items()) < 1e-4


def facing_turn(theirs: dict[str, np.ndarray], ours: dict[str, np.ndarray]) -> np.ndarray:
    """The turn about Z from one body's left to the other's, (3, 3)."""
    headings = [np.arctan2(way[1], way[0]) for way in (each["thigh.L"] - each["thigh.R"] for each in (theirs, ours))]
    return np.array(Matrix.Rotation(float(headings[1] - headings[0]), 3, "Z"))


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
