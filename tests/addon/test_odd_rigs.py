"""Rigs as files have them: scaled, turned, parented, bones of no length, odd names, locks, drivers, constraints."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.armatures import BonePlan, build_armature
from support.odd_walks import (
    add_empty,
    assert_bakes_as_shown,
    assert_walks,
    body_of,
    change_data,
    froude_speed,
    problems_of,
    raw_person,
    start,
    walked,
)
from support.stage import add_ground, key
from surefoot.addon.setup import setup

GONE = 1.4 * 59 / 24 - 0.5 * 1.4 * 1.4 / 2.5
"""How far 59 frames take a person that starts from standing."""


@pytest.mark.parametrize("travel", ["OBJECT", "AUTO"])
@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_bones_in_other_units_under_a_scaled_object_walk_the_same_metres(scale: float, travel: str):
    rig = raw_person()
    change_data(rig, Matrix.Scale(1.0 / scale, 4))
    rig.scale = (scale,) * 3
    assert start(rig, travel).ready
    assert_walks(rig, metres=GONE)
    assert_bakes_as_shown(rig)


@pytest.mark.parametrize("size", [0.1, 100.0])
def test_a_dwarf_and_a_giant_walk_at_the_speed_of_their_legs(size: float):
    rig = raw_person()
    bpy.data.objects["Ground"].scale = (100.0,) * 3
    rig.scale = (size,) * 3
    start(rig)
    rig.surefoot.speed = froude_speed(0.9 * size)
    end = 60 if size < 1.0 else 600
    walk = walked(rig, 1, end)
    assert walk.slide < 0.0005 * size
    assert walk.below < 0.003 * size
    assert walk.above < 0.008 * size
    assert walk.contacts >= 4
    assert_bakes_as_shown(rig)


@pytest.mark.parametrize(
    ("scale", "words"),
    [((-1, 1, 1), "mirrored by a negative scale"), ((-1, -1, -1), "mirrored"), ((1, 1, 1.2), "differently along Z")],
)
def test_a_mirroring_or_uneven_scale_is_refused_with_the_remedy_and_nothing_is_written(scale, words: str):
    rig = raw_person()
    rig.scale = scale
    before = [tuple(bone.rotation_quaternion) for bone in rig.pose.bones]
    assert not start(rig).ready
    assert words in problems_of(rig)
    assert "Apply the scale" in problems_of(rig)
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match="cannot walk yet"):
        bpy.ops.surefoot.bake(frame_start=1, frame_end=10)
    assert [tuple(bone.rotation_quaternion) for bone in rig.pose.bones] == before
    assert rig.animation_data is None


@pytest.mark.parametrize(("yaw", "scale"), [(0.0, 1.0), (120.0, 2.0)])
def test_bones_that_lie_under_an_object_turned_upright_walk_upright_along_its_facing(yaw: float, scale: float):
    rig = raw_person()
    change_data(rig, Matrix.Rotation(radians(-90.0), 4, "X") @ Matrix.Scale(1.0 / scale, 4))
    rig.rotation_euler = (radians(90.0), 0.0, radians(yaw))
    rig.scale = (scale,) * 3
    start(rig)
    walk = assert_walks(rig, metres=GONE)
    ahead = Matrix.Rotation(radians(yaw), 3, "Z") @ Vector((0.0, -1.0, 0.0))
    assert walk.way.normalized().dot(ahead) > 0.998
    assert_bakes_as_shown(rig)


@pytest.mark.parametrize("travel", ["OBJECT", "ROOT_BONE"])
def test_under_a_moving_parent_the_feet_still_stand_in_the_world(travel: str):
    rig = raw_person()
    rig.parent = add_empty("Carrier")
    key(rig.parent, "location", {1: 0.0, 60: 2.0}, index=0)
    start(rig, travel)
    walk = assert_walks(rig, metres=GONE)
    assert abs(walk.way.x) < 0.05
    assert_bakes_as_shown(rig)


@pytest.mark.parametrize("travel", ["OBJECT", "AUTO"])
def test_the_scale_of_a_parent_counts_as_the_object_s_own(travel: str):
    rig = raw_person()
    change_data(rig, Matrix.Scale(100.0, 4))
    rig.parent = add_empty("Import")
    rig.parent.scale = (0.01,) * 3
    start(rig, travel)
    assert_walks(rig, metres=GONE)


def test_an_uneven_scale_of_a_parent_is_refused():
    rig = raw_person()
    rig.parent = add_empty("Import")
    rig.parent.scale = (1.0, 2.0, 1.0)
    assert not start(rig).ready
    assert "differently along Y" in problems_of(rig)


def test_a_child_of_constraint_on_the_object_is_said_and_root_travel_goes_on():
    rig = raw_person()
    rig.constraints.new("CHILD_OF").target = add_empty("Hand", (1.0, 0.0, 0.0))
    rig.surefoot.travel = "OBJECT"
    setup(rig)
    assert "Child Of" in problems_of(rig)
    start(rig, "AUTO")
    assert_walks(rig, metres=GONE)


def edit(rig: bpy.types.Object, change) -> None:
    """Run `change` on the edit bones."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    change(rig.data.edit_bones)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_bones_of_no_length_beside_the_legs_and_within_them_change_nothing():
    def add(bones) -> None:
        for name, parent in (("nub", "head"), ("helper", "shin.L"), ("loose", "")):
            bone = bones.new(name)
            bone.head = bones[parent].tail if parent else (0.0, 0.0, 0.0)
            bone.tail, bone.parent = bone.head + Vector((0.0, 1e-5, 0.0)), bones.get(parent)
        for side in "LR":
            bone = bones.new(f"link.{side}")
            bone.head = bones[f"shin.{side}"].head
            bone.tail, bone.parent = bone.head + Vector((0.0, 0.0, 1e-5)), bones[f"thigh.{side}"]
            bones[f"shin.{side}"].use_connect = False
            bones[f"shin.{side}"].parent = bone
            bones[f"toe.{side}"].tail = bones[f"toe.{side}"].head + Vector((0.0, -1e-5, 0.0))

    rig = raw_person()
    edit(rig, add)
    assert rig.data.bones["nub"].length < 2e-5
    start(rig)
    assert_walks(rig, metres=GONE)


def test_a_leg_whose_shin_has_no_length_is_refused_by_its_name():
    def shorten(bones) -> None:
        for side in "LR":
            ankle = bones[f"shin.{side}"].tail.copy()
            bones[f"thigh.{side}"].tail = bones[f"shin.{side}"].head = ankle
            bones[f"shin.{side}"].tail = ankle + Vector((0.0, 0.0, -2e-5))

    rig = raw_person()
    edit(rig, shorten)
    assert not start(rig).ready
    assert "thigh.L: The leg leg.L has a segment without length" in problems_of(rig)


DOOR = (BonePlan("frame", "", (0, 0, 0), (0, 0.3, 0)), BonePlan("leaf", "frame", (0, 0, 0.3), (0, 0.3, 0.3)))


@pytest.mark.parametrize(("plans", "words"), [(DOOR, "No legs were found"), ((), "no bones")])
def test_what_has_no_legs_or_no_bones_is_set_up_with_the_reason_and_bakes_nothing(plans, words: str):
    add_ground()
    rig = build_armature(plans)
    assert not start(rig).ready
    assert words in problems_of(rig)
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(12)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.surefoot.bake(frame_start=1, frame_end=10)


def test_quotes_brackets_backslashes_emoji_and_japanese_in_bone_names_bake_as_any_others():
    rig = raw_person()
    names = {"chest": "ch'est]", "head": "頭", "thigh.L": '"thigh".L', "shin.R": "shin\\.R", "foot.L": "👣[0].L"}
    for old, new in names.items():
        rig.data.bones[old].name = new
    assert start(rig).legs == 2
    assert_walks(rig, metres=GONE)
    assert_bakes_as_shown(rig)


def test_locked_channels_stay_and_the_loss_is_said():
    rig = raw_person()
    for side in "LR":
        rig.pose.bones[f"shin.{side}"].lock_rotation = (False, True, True)
        rig.pose.bones[f"shin.{side}"].rotation_quaternion.z = 0.125
    start(rig)
    bpy.context.scene.frame_set(20)
    assert rig.pose.bones["shin.L"].rotation_quaternion.z == 0.125
    assert "shin.L: Locked channels" in problems_of(rig)
    assert_bakes_as_shown(rig)
    paths = [(c.data_path, c.array_index) for c in curves(rig) if "shin.L" in c.data_path]
    assert {index for _, index in paths} <= {0, 1}


def curves(rig: bpy.types.Object) -> list:
    """The F-curves of the rig's Action."""
    from surefoot.addon.saved_state import curves_of

    return curves_of(rig.animation_data.action, rig.animation_data.action_slot)


def test_every_rotation_mode_stays_and_bakes_as_shown_and_an_old_action_still_plays():
    rig = raw_person()
    modes = ["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE", "YZX"]
    for place, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = modes[place % len(modes)]
    rig.rotation_mode = "AXIS_ANGLE"
    turned = next(bone for bone in rig.pose.bones if bone.rotation_mode == "ZXY")
    key(rig, f'pose.bones["{turned.name}"].rotation_euler', {1: 0.0, 60: 1.0}, index=0)
    old, slot = rig.animation_data.action, rig.animation_data.action_slot
    rig.animation_data.action = None
    start(rig)
    assert_walks(rig, metres=GONE)
    assert_bakes_as_shown(rig)
    assert [bone.rotation_mode for bone in rig.pose.bones] == [
        modes[place % len(modes)] for place in range(len(rig.pose.bones))
    ]
    rig.animation_data.action = old
    rig.animation_data.action_slot = slot
    bpy.context.scene.frame_set(60)
    assert turned.rotation_euler[0] == pytest.approx(1.0)


def test_a_driven_bone_with_a_driver_is_left_to_it_and_named():
    rig = raw_person()
    driver = rig.pose.bones["shin.L"].driver_add("rotation_quaternion", 1).driver
    driver.expression = "0.125"
    start(rig)
    bpy.context.scene.frame_set(20)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert shown.pose.bones["shin.L"].rotation_quaternion.x == 0.125
    assert "shin.L: A driver sets channels" in problems_of(rig)
    assert_bakes_as_shown(rig)
    assert len(rig.animation_data.drivers) == 1


def test_constraints_on_driven_bones_stay_as_they_are_and_the_active_ones_are_named():
    rig = raw_person()
    limit = rig.pose.bones["shin.L"].constraints.new("LIMIT_ROTATION")
    muted = rig.pose.bones["foot.R"].constraints.new("COPY_ROTATION")
    muted.mute = True
    child = rig.pose.bones["foot.L"].constraints.new("CHILD_OF")
    child.target, child.inverse_matrix = add_empty("Hold"), Matrix.Translation((0.0, 0.0, 0.1))
    start(rig)
    said = problems_of(rig)
    assert "shin.L: The constraint 'Limit Rotation'" in said
    assert "foot.L: The constraint 'Child Of'" in said
    assert "foot.R" not in said
    assert_bakes_as_shown(rig)
    assert [c.name for c in rig.pose.bones["shin.L"].constraints] == [limit.name]
    assert (muted.mute, limit.mute, child.mute) == (True, False, False)
    assert np.array_equal(np.array(child.inverse_matrix), np.array(Matrix.Translation((0.0, 0.0, 0.1))))


def test_a_rig_left_in_a_pose_walks_from_rest_and_gets_its_pose_back():
    rig = raw_person()
    for bone in rig.pose.bones:
        bone.rotation_quaternion = (0.9, 0.2, 0.1, 0.0)
        bone.location = (0.05, 0.0, 0.0)
    before = [(*bone.rotation_quaternion, *bone.location) for bone in rig.pose.bones]
    start(rig)
    assert_walks(rig, metres=GONE)
    rig.surefoot.preview = False
    assert [(*bone.rotation_quaternion, *bone.location) for bone in rig.pose.bones] == before
    assert body_of(rig).length < 1.5
