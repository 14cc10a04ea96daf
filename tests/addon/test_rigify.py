"""A pose on the controls of generated Rigify rigs: what is shown, what is left alone, what is keyed."""

from __future__ import annotations

from math import pi, radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.armatures import (
    canonical_of,
    evaluated,
    ground_transform,
    largest_difference,
    read_armature,
    world_matrices,
)
from support.rigify_rigs import generated_rig, metarig, moving_pose, overridden_rig, read_roles
from surefoot.core.rig.pose import Ground, model_matrices

KINDS = ("human", "wolf", "horse", "cat", "bird", "basic_quadruped")
MILLIMETRE = 0.001
KEPT_IN = (dict, list, tuple, set)
LEGS = {"human": 2, "wolf": 4, "horse": 4, "cat": 4, "bird": 2, "basic_quadruped": 4}


def writer_for(rig, travel="IN_PLACE", canonical=None, scale=1.0):
    from surefoot.addon.pose_writing import make_writer

    reading, roles = read_roles(rig, canonical or Matrix(), scale)
    return make_writer(rig, reading, ((), ()), travel), reading.rig.skeleton, roles


def shown_and_wanted(rig, writer, skeleton, pose, ground=None):
    writer.apply(rig, writer.row(pose, None, writer.travel_frame(evaluated(rig))))
    place = ground_transform(ground) if ground else Matrix()
    return world_matrices(rig, [b.name for b in skeleton.bones]), [place @ m for m in model_matrices(skeleton, pose)]


def turn_between(first, second):
    angle = first.to_quaternion().rotation_difference(second.to_quaternion()).angle
    return min(angle, 2.0 * pi - angle)


def checked(writer, rig):
    return writer.check(rig, bpy.context.view_layer.depsgraph)


def basis_of_all(rig):
    return {bone.name: tuple(map(tuple, bone.matrix_basis)) for bone in rig.pose.bones}


def custom_properties(rig):
    return {
        (bone.name, key): (type(value).__name__, value)
        for bone in rig.pose.bones
        for key, value in bone.items()
        if isinstance(value, (bool, int, float))
    }


@pytest.mark.parametrize("kind", KINDS)
def test_joints_come_within_a_tenth_of_a_millimetre_and_what_touches_the_ground_is_exact(kind):
    rig = generated_rig(kind)
    writer, skeleton, roles = writer_for(rig)
    contacts = {limb.bones[-1] for limb in roles.legs}
    turned = {name for limb in roles.limbs for name in limb.bones} | {roles.neck, roles.head}
    for seed in range(12):
        shown, wanted = shown_and_wanted(rig, writer, skeleton, moving_pose(skeleton, roles, seed))
        for bone, has, should in zip(skeleton.bones, shown, wanted, strict=True):
            limit = 0.01 * MILLIMETRE if bone.name in contacts else 0.1 * MILLIMETRE
            assert (has.to_translation() - should.to_translation()).length < limit, bone.name
            if bone.name in turned:
                assert turn_between(has, should) < radians(0.1), bone.name
            if bone.name in contacts:
                tip = Vector((0.0, bone.length, 0.0))
                assert (has @ tip - should @ tip).length < limit, bone.name
    assert writer.problems == []


def test_every_leg_is_found_with_its_kind_and_side():
    from surefoot.addon.rigify import role_skeleton

    for kind in KINDS:
        roles = role_skeleton(generated_rig(kind))
        assert len(roles.legs) == LEGS[kind]
        assert sorted(leg.side for leg in roles.legs) == sorted("LR" * (LEGS[kind] // 2))
    assert [leg.kind for leg in role_skeleton(generated_rig("wolf")).legs] == ["REAR_PAW"] * 2 + ["FRONT_PAW"] * 2


def test_a_wolfs_thigh_rides_the_first_spine_bone_though_it_is_a_child_of_the_second():
    from surefoot.addon.rigify import role_skeleton

    rig = generated_rig("wolf")
    roles = role_skeleton(rig)
    carrier = {bone.name: bone.carrier for bone in roles.bones}
    assert rig.data.bones["ORG-thigh.L"].parent.name == "ORG-spine.005"
    assert carrier["ORG-thigh.L"] == "DEF-spine.004" == roles.spine[0]


def test_limbs_that_hang_half_way_at_the_pivot_make_one_body_of_it():
    from surefoot.addon.rigify import role_skeleton

    assert role_skeleton(generated_rig("bird")).merged == {"spine_fk.004": "DEF-spine.003"}
    assert role_skeleton(generated_rig("human")).merged == {}


def test_carriers_come_before_what_they_carry():
    from surefoot.addon.rigify import role_skeleton

    for kind in KINDS:
        seen = {""}
        for bone in role_skeleton(generated_rig(kind)).bones:
            assert bone.carrier in seen
            seen.add(bone.name)


def test_a_metarig_and_a_plain_armature_are_no_generated_rigs():
    from surefoot.addon.rigify import role_skeleton

    assert role_skeleton(metarig("basic_human")) is None


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_a_library_override_is_posed_and_given_back_like_any_other(kind):
    rig = overridden_rig(kind)
    writer, skeleton, roles = writer_for(rig)
    before = (basis_of_all(rig), custom_properties(rig))
    saved = writer.capture(rig)
    shown, wanted = shown_and_wanted(rig, writer, skeleton, moving_pose(skeleton, roles, 3))
    places = [(a.to_translation() - b.to_translation()).length for a, b in zip(shown, wanted, strict=True)]
    assert max(places) < 0.1 * MILLIMETRE
    writer.restore(rig, saved)
    assert (basis_of_all(rig), custom_properties(rig)) == before


def test_the_heel_rises_about_the_ball_while_the_contact_control_stays():
    rig = generated_rig("human")
    writer, skeleton, roles = writer_for(rig)
    standing = moving_pose(skeleton, roles, 0)
    standing.rotations[:] = (1.0, 0.0, 0.0, 0.0)
    standing.locations[:] = 0.0
    models = model_matrices(skeleton, standing)
    foot, toe = skeleton.index["ORG-foot.L"], skeleton.index["ORG-toe.L"]
    controls = [i for i, channel in enumerate(writer.channels) if channel.group == "foot_ik.L"]
    heel = [i for i, channel in enumerate(writer.channels) if channel.group == "foot_heel_ik.L"]
    flat = writer.row(standing, None)
    lifted = moving_pose(skeleton, roles, 0)
    lifted.rotations[:], lifted.locations[:] = standing.rotations, standing.locations
    angle = radians(25.0)
    about_x = Matrix.Rotation(angle, 4, "X")
    ball = Matrix.Translation(models[toe].to_translation())
    raised = ball @ about_x @ ball.inverted() @ models[foot]
    parent = models[skeleton.bones[foot].parent]
    basis = (parent @ skeleton.rest_local[foot]).inverted() @ raised
    lifted.rotations[foot] = tuple(basis.to_quaternion())
    lifted.locations[foot] = basis.to_translation()
    toe_basis = (raised @ skeleton.rest_local[toe]).inverted() @ models[toe]
    lifted.rotations[toe] = tuple(toe_basis.to_quaternion())
    row = writer.row(lifted, flat)
    assert row[controls] == pytest.approx(flat[controls], abs=2e-5)
    assert row[heel] == pytest.approx([angle, 0.0, 0.0], abs=1e-4)
    writer.apply(rig, row)
    has = world_matrices(rig, ["ORG-toe.L"])[0]
    assert largest_difference([has], [models[toe]]) < 2e-5


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_bones_and_switches_that_are_not_ours_keep_their_values_to_the_bit(kind):
    rig = generated_rig(kind)
    rig.pose.bones["head"].scale = (1.1, 1.0, 1.0)
    writer, skeleton, roles = writer_for(rig)
    ours = {channel.group for channel in writer.channels}
    before, numbers = basis_of_all(rig), custom_properties(rig)
    for seed in range(3):
        writer.apply(rig, writer.row(moving_pose(skeleton, roles, seed), None))
    after = basis_of_all(rig)
    assert {name for name in before if before[name] != after[name]} <= ours
    set_by_us = {(switch.bone, switch.path[2:-2]) for switch in writer.switches}
    changed = {key for key, value in custom_properties(rig).items() if numbers[key] != value}
    assert changed <= set_by_us
    assert not any(name.startswith(("MCH-", "ORG-", "DEF-")) for name in ours)


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_switches_set_otherwise_are_put_right_in_their_own_type_and_given_back(kind):
    rig = generated_rig(kind)
    for bone in rig.pose.bones:
        if "IK_FK" in bone:
            bone["IK_FK"], bone["FK_limb_follow"], bone["pole_vector"], bone["IK_parent"] = 0.5, 1.0, False, 2
    rig.pose.bones["torso"]["neck_follow"] = 0.25
    before, pose_before = custom_properties(rig), basis_of_all(rig)
    writer, skeleton, roles = writer_for(rig)
    saved = writer.capture(rig)
    pose = moving_pose(skeleton, roles, 4)
    shown, wanted = shown_and_wanted(rig, writer, skeleton, pose)
    contacts = [skeleton.index[leg.bones[-1]] for leg in roles.legs]
    assert largest_difference([shown[i] for i in contacts], [wanted[i] for i in contacts]) < 1e-5
    assert {key: kinds[0] for key, kinds in custom_properties(rig).items()} == {k: v[0] for k, v in before.items()}
    writer.restore(rig, saved)
    assert custom_properties(rig) == before
    assert basis_of_all(rig) == pose_before
    assert {bone.ik_stretch for bone in rig.pose.bones if bone.name.startswith("MCH-shin_ik")} == {np.float32(0.1)}
    assert not any(bone.lock_ik_y for bone in rig.pose.bones if bone.name.startswith("MCH-foot_ik3"))


def test_shown_asks_for_the_switches_too():
    rig = generated_rig("human")
    writer, skeleton, roles = writer_for(rig)
    row = writer.row(moving_pose(skeleton, roles, 1), None)
    writer.apply(rig, row)
    assert writer.shown(evaluated(rig), row)
    rig.pose.bones["thigh_parent.L"]["IK_FK"] = 1.0
    rig.update_tag(refresh={"OBJECT"})
    assert not writer.shown(evaluated(rig), row)


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_the_played_bake_shows_what_the_preview_showed(kind):
    rig = generated_rig(kind)
    writer, skeleton, roles = writer_for(rig, "OBJECT")
    names = [bone.name for bone in rig.data.bones if bone.name.startswith(("DEF-", "ORG-"))]
    rows, previews, previous = [], [], None
    for seed in range(5):
        pose = moving_pose(skeleton, roles, seed, Ground(0.3 * seed, 0.0, 0.1, 0.2 * seed))
        previous = writer.row(pose, previous)
        rows.append(previous)
        writer.apply(rig, previous)
        previews.append(world_matrices(rig, names))
    action = bpy.data.actions.new("Walk")
    slot = action.slots.new("OBJECT", rig.name)
    channelbag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    frames = np.arange(1, 6)
    writer.write_keys(channelbag, frames, np.array(rows))
    for bone in rig.pose.bones:
        if "IK_FK" in bone:
            bone["IK_FK"], bone["pole_vector"] = 1.0, False
        if bone.ik_stretch == 0.0 and bone.name.startswith("MCH-"):
            bone.ik_stretch = 0.1
        if bone.name.startswith("MCH-foot_ik3"):
            bone.lock_ik_y = False
    rig.animation_data.action = action
    rig.animation_data.action_slot = slot
    for frame in (3, 1, 5, 2, 4):
        bpy.context.scene.frame_set(frame)
        assert writer.shown(evaluated(rig), rows[frame - 1])
        assert largest_difference(world_matrices(rig, names), previews[frame - 1]) < 1e-5
    assert all(curve.is_valid for curve in channelbag.fcurves)
    assert {(curve.data_path, curve.array_index) for curve in channelbag.fcurves} == writer.owned


@pytest.mark.parametrize("travel", ["OBJECT", "ROOT_BONE"])
def test_travel_carries_the_whole_rig(travel):
    rig = generated_rig("human")
    canonical = canonical_of(None, 0.5)
    rig.rotation_mode = "QUATERNION"
    rig.matrix_world = Matrix.Translation((1.0, 2.0, 0.0)) @ canonical
    bpy.context.view_layer.update()
    writer, skeleton, roles = writer_for(rig, travel, canonical, 0.5)
    ground = Ground(-3.0, 4.0, 0.5, 2.0)
    shown, wanted = shown_and_wanted(rig, writer, skeleton, moving_pose(skeleton, roles, 2, ground), ground)
    for bone, has, should in zip(skeleton.bones, shown, wanted, strict=True):
        if bone.name != "root" or travel == "ROOT_BONE":
            assert (has.to_translation() - should.to_translation()).length < 0.1 * MILLIMETRE, bone.name
    moved = (rig.matrix_world.translation - Vector((1.0, 2.0, 0.0))).length > 0.1
    assert moved == (travel == "OBJECT")


def test_a_rig_turned_on_its_object_is_posed_where_the_core_has_it():
    rig = generated_rig("human")
    canonical = canonical_of(Quaternion((0.0, 0.0, 1.0), pi / 2), 1.0)
    rig.matrix_world = canonical
    bpy.context.view_layer.update()
    writer, skeleton, roles = writer_for(rig, "IN_PLACE", canonical)
    shown, wanted = shown_and_wanted(rig, writer, skeleton, moving_pose(skeleton, roles, 2))
    places = [(a.to_translation() - b.to_translation()).length for a, b in zip(shown, wanted, strict=True)]
    assert max(places) < 0.1 * MILLIMETRE


def test_the_pole_stays_on_its_side_and_moves_smoothly_through_a_straight_knee():
    rig = generated_rig("human")
    writer, skeleton, roles = writer_for(rig)
    thigh, shin = skeleton.index["ORG-thigh.L"], skeleton.index["ORG-shin.L"]
    channels = [
        i for i, c in enumerate(writer.channels) if c.group == "thigh_ik_target.L" and c.data_path.endswith("location")
    ]
    straight = -(skeleton.rest_local[shin].to_3x3() @ Vector((0.0, 1.0, 0.0))).yz.angle_signed(Vector((1.0, 0.0)))
    places, previous = [], None
    for step in np.linspace(0.0, 1.0, 41):
        pose = moving_pose(skeleton, roles, 0)
        pose.rotations[:], pose.locations[:] = (1.0, 0.0, 0.0, 0.0), 0.0
        pose.rotations[thigh] = tuple(Quaternion((1.0, 0.0, 0.0), radians(-20.0 * step)))
        pose.rotations[shin] = tuple(Quaternion((1.0, 0.0, 0.0), straight * (1.0 - step) + radians(60.0) * step))
        previous = writer.row(pose, previous)
        places.append(previous[channels])
        writer.apply(rig, previous)
        pole = world_matrices(rig, ["thigh_ik_target.L"])[0].to_translation()
        models = model_matrices(skeleton, pose)
        hip = models[thigh].to_translation()
        ankle = models[skeleton.index["ORG-foot.L"]].to_translation()
        along = (ankle - hip).normalized()
        ahead = (pole - hip) - along * (pole - hip).dot(along)
        assert ahead.y < -0.5 * ahead.length
        assert ahead.length > 0.49 * sum(skeleton.bones[i].length for i in (thigh, shin))
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert steps.max() < 0.2 * sum(skeleton.bones[i].length for i in (thigh, shin))


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_the_self_check_finds_nothing_on_a_clean_rig_and_leaves_all_as_it_was(kind):
    rig = generated_rig(kind)
    rig.pose.bones["head"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    rig.location = (1.0, 2.0, 3.0)
    writer, _, _ = writer_for(rig, "OBJECT")
    before = (basis_of_all(rig), custom_properties(rig), tuple(rig.location))
    assert checked(writer, rig) == []
    assert (basis_of_all(rig), custom_properties(rig), tuple(rig.location)) == before


def test_the_self_check_names_what_a_moved_tweak_carries_away():
    rig = generated_rig("human")
    rig.pose.bones["tweak_spine.003"].location = (0.05, 0.0, 0.0)
    writer, _, _ = writer_for(rig)
    named = {problem.bone for problem in checked(writer, rig)}
    assert "ORG-upper_arm.L" in named
    assert "ORG-thigh.L" not in named


def test_a_rig_that_is_not_evaluated_is_said_to_be_untested_and_left_alone():
    rig = generated_rig("human")
    writer, _, _ = writer_for(rig)
    rig.hide_viewport = True
    bpy.context.view_layer.update()
    before = basis_of_all(rig)
    assert ["not evaluated" in problem.reason for problem in checked(writer, rig)] == [True]
    assert basis_of_all(rig) == before


def test_a_generated_rig_without_spine_controls_is_refused_with_a_remedy():
    from surefoot.addon.pose_writing import make_writer

    rig = generated_rig("human")
    rig.data.bones["spine_fk"].name = "renamed"
    problems = make_writer(rig, read_armature(rig), ((), ()), "OBJECT").problems
    assert ["FK Controls" in problem.remedy for problem in problems if problem.blocking] == [True]


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_a_writer_keeps_no_blender_data(kind):
    rig = generated_rig(kind)
    writer, skeleton, roles = writer_for(rig)
    writer.apply(rig, writer.row(moving_pose(skeleton, roles, 0), None))
    waiting, seen = [writer], set()
    while waiting:
        item = waiting.pop()
        assert not isinstance(item, (bpy.types.bpy_struct, bpy.types.bpy_prop_collection))
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, KEPT_IN):
            waiting += item.values() if isinstance(item, dict) else item
        elif type(item).__module__.startswith("surefoot"):
            names = (*getattr(item, "__dict__", ()), *getattr(item, "__slots__", ()))
            waiting += [getattr(item, name) for name in names]
    assert len(seen) > 100


def test_a_reading_of_the_real_reader_gets_the_controls():
    from surefoot.addon.pose_writing import make_writer
    from surefoot.addon.rig_reading import read_rig
    from surefoot.addon.rigify import RigifyWriter

    rig = generated_rig("wolf")
    reading = read_rig(rig)
    assert isinstance(make_writer(rig, reading, ((), ()), "ROOT_BONE"), RigifyWriter)
