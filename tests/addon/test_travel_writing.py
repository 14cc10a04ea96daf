"""A character's way through the world is written on the object, on the root bone, or nowhere."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.armatures import (
    WALKER,
    BonePlan,
    build_armature,
    evaluated,
    ground_transform,
    random_pose,
    read_armature,
)
from support.written_poses import (
    ON_ITS_FACE,
    TURNED,
    rows_of,
    shown_error,
    writer_for,
)
from surefoot.core.rig.pose import Ground


@pytest.mark.parametrize("scale", [0.01, 1.0])
@pytest.mark.parametrize("mode", ["QUATERNION", "YXZ", "AXIS_ANGLE"])
def test_object_travel_puts_the_character_on_its_ground_against_parent_and_delta(scale, mode):
    rig = build_armature(WALKER, turn=ON_ITS_FACE, scale=scale)
    parent = bpy.data.objects.new("Cart", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.rotation_euler = (3.0, -2.0, 1.0), (0.3, 0.1, 2.0)
    rig.parent = parent
    rig.matrix_parent_inverse = Matrix.Translation((0.5, 0.0, 0.0)) @ Matrix.Rotation(0.4, 4, "X")
    rig.rotation_mode = mode
    rig.delta_location = (0.2, 0.3, 0.4)
    rig.delta_rotation_quaternion = Quaternion((0.0, 0.0, 1.0), 0.3)
    rig.delta_rotation_euler = (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    reading = read_armature(rig, turn=ON_ITS_FACE, scale=scale)
    writer = writer_for(rig, reading, travel="OBJECT")
    ground = Ground(4.0, -7.0, 0.25, 2.5)
    pose = random_pose(reading.rig.skeleton, 3, located=("pelvis",), ground=ground)
    parent.location.x += 2.0
    bpy.context.view_layer.update()
    writer.apply(rig, writer.row(pose, None, writer.travel_frame(evaluated(rig))))
    assert shown_error(rig, reading, pose, ground) < 1e-5
    assert rig.rotation_mode == mode
    assert tuple(rig.scale) == pytest.approx((scale,) * 3)


def test_a_kilometre_from_the_origin_the_object_is_placed_to_the_last_bit():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    writer = writer_for(rig, reading, travel="OBJECT")
    ground = Ground(1234.56789, -987.654321, 12.3456789, 0.7)
    writer.apply(rig, writer.row(random_pose(reading.rig.skeleton, 3, ground=ground), None))
    assert tuple(rig.location) == tuple(float(np.float32(value)) for value in ground[:3])


def test_an_object_in_eulers_turns_two_and_a_half_times_without_a_step():
    rig = build_armature(WALKER)
    rig.rotation_mode = "XYZ"
    reading = read_armature(rig)
    writer = writer_for(rig, reading, (), (), travel="OBJECT")
    headings = np.radians(np.arange(0.0, 901.0, 15.0))
    poses = [random_pose(reading.rig.skeleton, 1, ground=Ground(0.0, 0.0, 0.0, heading)) for heading in headings]
    yaw = rows_of(writer, poses)[:, -1]
    assert yaw == pytest.approx(headings, abs=1e-4)


@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_root_bone_travel_moves_all_bones_and_leaves_the_object(scale):
    detached = BonePlan("foot", "", (0.1, 0, 0.08), (0.1, -0.2, 0.02))
    rig = build_armature((*WALKER, detached), turn=ON_ITS_FACE, scale=scale)
    start = ground_transform(Ground(2.0, 1.0, 0.5, 0.6))
    rig.matrix_world = start @ rig.matrix_world
    bpy.context.view_layer.update()
    kept = rig.matrix_world.copy()
    reading = read_armature(rig, turn=ON_ITS_FACE, scale=scale)
    turned, located = (*TURNED, "foot"), ("pelvis", "foot")
    writer = writer_for(rig, reading, turned, located, travel="ROOT_BONE")
    ground = Ground(-4.0, 3.0, 1.0, 2.8)
    pose = random_pose(reading.rig.skeleton, 5, turned=turned, located=located, ground=ground)
    writer.apply(rig, writer.row(pose, None))
    assert shown_error(rig, reading, pose, ground) < 1e-5
    assert rig.matrix_world == kept


def test_root_bone_travel_without_a_root_bone_is_refused_in_words():
    rig = build_armature((WALKER[1]._replace(parent=""),))
    with pytest.raises(ValueError, match="no root bone"):
        writer_for(rig, read_armature(rig), ("pelvis",), (), travel="ROOT_BONE")


def test_in_place_writes_no_travel():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    writer = writer_for(rig, reading)
    near, far = (random_pose(reading.rig.skeleton, 1, ground=Ground(x, 0.0, 0.0, 0.0)) for x in (0.0, 9.0))
    assert writer.row(near, None).tobytes() == writer.row(far, None).tobytes()


@pytest.mark.parametrize("relative", [False, True])
def test_object_travel_is_right_against_a_moving_parent_bone(relative):
    rig = build_armature(WALKER)
    carrier = build_armature(WALKER, name="Carrier")
    carrier.data.bones["chest"].use_relative_parent = relative
    carrier.pose.bones["pelvis"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    carrier.location = (1.0, 2.0, 3.0)
    rig.parent, rig.parent_type, rig.parent_bone = carrier, "BONE", "chest"
    rig.matrix_parent_inverse = Matrix.Translation((0.1, 0.2, 0.3))
    bpy.context.view_layer.update()
    reading = read_armature(rig)
    writer = writer_for(rig, reading, travel="OBJECT")
    ground = Ground(4.0, -7.0, 0.25, 2.5)
    pose = random_pose(reading.rig.skeleton, 3, ground=ground)
    writer.apply(rig, writer.row(pose, None, writer.travel_frame(evaluated(rig))))
    assert shown_error(rig, reading, pose, ground) < 1e-5


def test_a_constraint_on_the_travelling_object_is_said():
    rig = build_armature(WALKER)
    rig.constraints.new("LIMIT_LOCATION").name = "Floor"
    problems = writer_for(rig, read_armature(rig), travel="OBJECT").problems
    assert [(problem.bone, "Floor" in problem.reason) for problem in problems] == [("", True)]
    assert writer_for(rig, read_armature(rig), travel="ROOT_BONE").problems == []


def test_an_object_parented_to_a_vertex_is_refused_with_a_remedy():
    rig = build_armature(WALKER)
    mesh = bpy.data.meshes.new("Cart")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    rig.parent = bpy.data.objects.new("Cart", mesh)
    rig.parent_type = "VERTEX"
    problems = writer_for(rig, read_armature(rig), travel="OBJECT").problems
    assert any(problem.blocking and "vertex" in problem.reason for problem in problems)
