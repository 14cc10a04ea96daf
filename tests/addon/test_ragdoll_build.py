"""Building bodies in Blender: from any object, wherever it stands and whatever its bones do, with lines to change."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.rigify_rigs import generated_rig, overridden_rig
from surefoot.addon.add_character import add_character
from surefoot.addon.ragdoll_overlay import bones_of
from surefoot.addon.ragdoll_plan import built_of, plan_of, ragdoll_build, shown_pose
from surefoot.addon.ragdoll_properties import edits_of, set_edit
from surefoot.addon.refusal import RefusedError
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.edits import BodyEdit


def person(where=(0.0, 0.0, 0.0)):
    return add_character(bpy.context, "PERSON", Vector(where))


def same(plan, other, within=1e-4):
    """Two plans with the same bodies of the same sizes in the same places."""
    assert {body.role for body in plan.bodies} == {body.role for body in other.bodies}
    for body in plan.bodies:
        twin = other.bodies[other.place_of(body.role)]
        assert body.size == pytest.approx(twin.size, rel=0.01, abs=within)
        assert body.rest.origin == pytest.approx(twin.rest.origin, abs=within)


def shown_places(obj):
    """Where the bodies are in the world, Blender units, and how tall the body is there."""
    built = built_of(obj)
    reading = built.reading
    pose = shown_pose(obj, reading.rig, reading.canonical, bones_of(built.plan))
    numbers = bodies_of(built.plan, pose, Matrix())
    to_scene = obj.matrix_world @ reading.canonical.inverted()
    return built.plan, [to_scene @ Vector(numbers[k : k + 3]) for k in range(0, len(numbers), 7)]


def test_the_button_lists_every_body_and_says_how_many_and_how_heavy():
    obj = person()
    assert bpy.ops.surefoot.ragdoll_build() == {"FINISHED"}
    plan = plan_of(obj)
    assert [line.name for line in obj.surefoot.ragdoll_bodies] == [body.role for body in plan.bodies]
    shin = obj.surefoot.ragdoll_bodies["shin.L"]
    assert tuple(shin.high) == pytest.approx(plan.bodies[plan.place_of("shin.L")].joint.high, abs=1e-6)
    assert edits_of(obj) == ()


def test_nothing_else_in_the_file_changes():
    obj = person()
    before = {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "collections", "scenes", "actions")}
    matrices = [bone.matrix_basis.copy() for bone in obj.pose.bones]
    bpy.ops.surefoot.ragdoll_build()
    assert {name: len(getattr(bpy.data, name)) for name in before} == before
    assert [bone.matrix_basis for bone in obj.pose.bones] == matrices


def test_the_skin_is_measured():
    obj = person()
    skinned = plan_of(obj)
    for mesh in [item for item in bpy.data.objects if item.type == "MESH"]:
        bpy.data.objects.remove(mesh)
    bare = plan_of(obj)
    thigh = skinned.place_of("thigh.L")
    assert 0.116 < skinned.bodies[thigh].size[0] < 0.206
    assert bare.bodies[thigh].size[0] != pytest.approx(skinned.bodies[thigh].size[0], rel=0.01)


@pytest.mark.parametrize("scale", [0.01, 3.0, 100.0])
def test_an_object_of_any_scale_has_the_bodies_of_its_size(scale: float):
    usual = plan_of(person())
    obj = person()
    obj.scale = (scale,) * 3
    bpy.context.view_layer.update()
    plan = plan_of(obj)
    for body, twin in zip(plan.bodies, usual.bodies, strict=True):
        assert body.size == pytest.approx([scale * length for length in twin.size], rel=0.01)
    assert plan.mass == pytest.approx(usual.mass * scale**3, rel=0.01)


def test_a_rig_of_a_hundredth_under_a_parent_of_two_has_its_bodies_on_its_bones():
    obj = person()
    obj.scale = (0.01,) * 3
    above = bpy.data.objects.new("Above", None)
    bpy.context.collection.objects.link(above)
    above.scale = (2.0,) * 3
    obj.parent = above
    bpy.context.view_layer.update()
    plan, places = shown_places(obj)
    shin = plan.place_of("shin.L")
    bone = obj.pose.bones["shin.L"]
    middle = obj.matrix_world @ ((bone.head + bone.tail) * 0.5)
    assert (places[shin] - middle).length < 0.01 * 1.75 * 0.02
    assert plan.height == pytest.approx(1.774 * 0.02, rel=0.01)
    assert tuple(obj.scale) == pytest.approx((0.01,) * 3)


def test_a_turned_object_has_the_same_bodies():
    usual = plan_of(person())
    for turn in ((0.0, 0.0, 1.0), (radians(90.0), 0.0, 0.4)):
        obj = person()
        obj.rotation_euler = turn
        if turn[0]:
            # The data lies as imports have it, and the object stands it up.
            undo = Matrix.Rotation(-turn[0], 4, "X")
            for data in (obj.data, next(item.data for item in obj.children if item.type == "MESH")):
                data.transform(undo)
        bpy.context.view_layer.update()
        same(plan_of(obj), usual, 1e-3)


def test_a_mirrored_object_has_bodies_too():
    usual = plan_of(person())
    obj = person()
    obj.scale = (-1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    same(plan_of(obj), usual, 2e-3)


def test_a_pose_and_constraints_and_an_action_do_not_matter():
    obj = person()
    usual = plan_of(obj)
    obj.pose.bones["thigh.L"].rotation_mode = "XYZ"
    obj.pose.bones["thigh.L"].rotation_euler = (1.0, 0.2, 0.3)
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.collection.objects.link(goal)
    goal.location = (3.0, 0.0, 2.0)
    constraint = obj.pose.bones["forearm.L"].constraints.new("IK")
    constraint.target = goal
    bpy.context.view_layer.update()
    same(ragdoll_build(obj), usual)


def test_bodies_are_drawn_where_the_pose_has_them():
    obj = person((2.0, 1.0, 0.0))
    obj.pose.bones["thigh.L"].rotation_mode = "XYZ"
    obj.pose.bones["thigh.L"].rotation_euler = (-0.8, 0.0, 0.0)
    bpy.context.view_layer.update()
    plan, places = shown_places(obj)
    for role in ("thigh.L", "shin.L", "foot.L", "thigh.R"):
        bone = obj.pose.bones[role]
        middle = obj.matrix_world @ ((bone.head + bone.tail) * 0.5)
        assert (places[plan.place_of(role)] - middle).length < (0.06 if "foot" in role else 0.01)


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_a_generated_control_rig_has_bodies_on_its_role_bones(kind: str):
    obj = generated_rig(kind)
    plan = plan_of(obj)
    assert len(plan.bodies) == {"human": 16, "wolf": 27}[kind]
    assert plan.notes == ()


def test_an_overridden_rig_gets_lines_and_a_linked_one_only_a_plan():
    obj = overridden_rig("human")
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.surefoot.ragdoll_build() == {"FINISHED"}
    assert len(obj.surefoot.ragdoll_bodies) == 16
    linked = obj.override_library.reference
    assert len(ragdoll_build(linked).bodies) == 16
    assert len(linked.surefoot.ragdoll_bodies) == 0


def test_changes_on_an_overridden_rig_are_kept_in_the_file(tmp_path: Path):
    obj = overridden_rig("human")
    ragdoll_build(obj)
    obj.surefoot.ragdoll_bodies["head"].mass = 2.0
    name = obj.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "override.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "override.blend"))
    obj = next(item for item in bpy.data.objects if item.name == name and item.override_library is not None)
    assert [(edit.role, edit.mass) for edit in edits_of(obj)] == [("head", 2.0)]
    assert len(obj.surefoot.ragdoll_bodies) == 16


def test_what_is_changed_in_a_line_is_in_the_plan_and_stays_when_built_again():
    obj = person()
    ragdoll_build(obj)
    head = obj.surefoot.ragdoll_bodies["head"]
    head.mass, head.shape, head.own_limits = 2.0, "BOX", True
    head.low, head.high = (-0.1, -0.2, -0.3), (0.1, 0.2, 0.3)
    bpy.ops.surefoot.ragdoll_build()
    body = plan_of(obj).bodies[plan_of(obj).place_of("head")]
    assert body.shape == "BOX"
    assert body.joint.high == pytest.approx((0.1, 0.2, 0.3))
    assert body.mass == pytest.approx(2.0 * 0.069 / 0.9995 * 75.0 * (1.774 / 1.75) ** 3, rel=0.02)


def test_a_body_that_is_left_out_keeps_its_line():
    obj = person()
    ragdoll_build(obj)
    obj.surefoot.ragdoll_bodies["hand.L"].off = True
    plan = ragdoll_build(obj)
    assert plan.place_of("hand.L") == -1
    assert "hand.L" in obj.surefoot.ragdoll_bodies
    obj.surefoot.ragdoll_bodies["hand.L"].off = False
    assert plan_of(obj).place_of("hand.L") > 0


def test_another_rest_pose_makes_another_plan():
    obj = person()
    before = plan_of(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["shin.L"].tail.z += 0.02
    bpy.ops.object.mode_set(mode="OBJECT")
    assert plan_of(obj) != before


def test_mirror_gives_the_other_side_the_same_change():
    obj = person()
    ragdoll_build(obj)
    set_edit(obj, BodyEdit("thigh.L", size=(1.3, 1.0, 1.0), low=(-0.5, -0.4, -0.3), high=(1.0, 0.2, 0.1)))
    assert bpy.ops.surefoot.ragdoll_mirror(role="thigh.L") == {"FINISHED"}
    (other,) = (edit for edit in edits_of(obj) if edit.role == "thigh.R")
    assert other.size == pytest.approx((1.3, 1.0, 1.0))
    assert other.low == pytest.approx((-0.5, -0.2, -0.1))
    assert other.high == pytest.approx((1.0, 0.4, 0.3))
    assert bpy.ops.surefoot.ragdoll_reset(role="thigh.R") == {"FINISHED"}
    assert {edit.role for edit in edits_of(obj)} == {"thigh.L"}


def test_a_whole_side_is_mirrored_at_once():
    obj = person()
    ragdoll_build(obj)
    for role in ("thigh.L", "hand.L"):
        set_edit(obj, BodyEdit(role, mass=1.5))
    bpy.ops.surefoot.ragdoll_mirror(role="thigh.L", all=True)
    assert {edit.role for edit in edits_of(obj)} == {"thigh.L", "hand.L", "thigh.R", "hand.R"}


def test_a_body_in_the_middle_has_no_other_side():
    person()
    bpy.ops.surefoot.ragdoll_build()
    with pytest.raises(RuntimeError, match="no other side"):
        bpy.ops.surefoot.ragdoll_mirror(role="chest")


def test_a_rig_that_is_not_understood_is_built_with_a_note():
    data = bpy.data.armatures.new("Thing")
    obj = bpy.data.objects.new("Thing", data)
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for k in range(3):
        bone = data.edit_bones.new(f"part {k}")
        bone.head, bone.tail = (0.1 * k, 0.0, 0.5 * k), (0.2 * k, 0.1, 0.5 * k + 0.4)
        if k:
            bone.parent = data.edit_bones[f"part {k - 1}"]
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "not understood" in ragdoll_build(obj).notes[0]


def test_an_armature_without_bones_is_refused_with_a_sentence():
    obj = bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty"))
    bpy.context.collection.objects.link(obj)
    with pytest.raises(RefusedError, match="Empty has no bodies"):
        plan_of(obj)


def test_removing_a_character_takes_its_bodies_lines_along():
    obj = person()
    bpy.ops.surefoot.setup()
    ragdoll_build(obj)
    bpy.ops.surefoot.remove()
    assert len(obj.surefoot.ragdoll_bodies) == 0


def test_lines_survive_saving_and_loading(tmp_path: Path):
    obj = person()
    ragdoll_build(obj)
    obj.surefoot.ragdoll_bodies["head"].mass = 1.7
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "bodies.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "bodies.blend"))
    obj = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert edits_of(obj)[0].mass == pytest.approx(1.7)
    plan = plan_of(obj)
    assert np.isfinite([x for body in plan.bodies for x in body.rest.origin]).all()
