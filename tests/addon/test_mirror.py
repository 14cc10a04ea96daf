"""Mirrored Actions: the body's other half does it, on any rest, roll and mode, and twice mirrored is as before."""

from __future__ import annotations

from math import pi, radians, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.armatures import BonePlan, build_armature
from support.moved_rigs import PERSON, Y_UP, act, curve, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
ACROSS = np.diag([-1.0, 1.0, 1.0, 1.0])
# The same person, its right side rolled in other ways than its left.
ROLLED = tuple(plan._replace(roll=plan.roll + 0.9) if plan.name.endswith(".R") else plan for plan in PERSON)


def leaning(rig: bpy.types.Object, count: int = 25, turn: Quaternion | None = None, scale: float = 1.0):
    """Something without any symmetry: a curved way, and turns of both sides that have nothing in common."""
    times = np.arange(float(count))
    moves = moved_about(
        lambda t: (0.1 * t / 24 + 0.03 * sin(t / 3), -0.04 * t, 0.95 + 0.02 * sin(t)), lambda t: 0.02 * t, PELVIS, times
    )
    bones = {"pelvis": moves}
    turned = (("thigh.L", "X", 0.6), ("upper_arm.L", "Y", 0.8), ("forearm.L", "Z", 0.7), ("upper_arm.R", "X", 0.3))
    for name, axis, size in turned:
        above = bones["upper_arm.L"] if name == "forearm.L" else moves
        head = Matrix.Translation(next(plan.head for plan in PERSON if plan.name == name))
        swings = [head @ Matrix.Rotation(size * sin(t / 4 + size), 4, axis) @ head.inverted() for t in times]
        bones[name] = [m @ swing for m, swing in zip(above, swings, strict=True)]
    return act(rig, bones, turn=turn, scale=scale)


def image(name: str) -> str:
    """The name of the other side's bone."""
    swapped = {".L": ".R", ".R": ".L"}
    return name[:-2] + swapped.get(name[-2:], name[-2:])


def mirrored_worlds(found: np.ndarray, names: list[str]) -> np.ndarray:
    """Joints (F, bones, 3) in the mirror, each in the place of its image."""
    order = [names.index(image(name)) for name in names]
    return found[:, order][..., :3, 3] * [-1.0, 1.0, 1.0]


@pytest.mark.parametrize("space", [(None, 1.0), (Y_UP, 0.01)], ids=["plain", "Y up, 0.01"])
@pytest.mark.parametrize("plans", [PERSON, ROLLED], ids=["mirrored rolls", "other rolls"])
@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
def test_the_image_does_what_the_other_side_did(plans: tuple[BonePlan, ...], mode: str, space: tuple):
    from surefoot.addon.mirror_motion import mirror

    turn, scale = space
    rig = build_armature(plans, turn=turn, scale=scale)
    for bone in rig.pose.bones:
        if bone.name.endswith(".R"):
            bone.rotation_mode = mode
    leaning(rig, turn=turn, scale=scale)
    names, frames = [plan.name for plan in PERSON], range(1, 26)
    before = worlds(rig, names, frames)
    mirror(rig)
    after = worlds(rig, names, frames)
    assert np.abs(after[..., :3, 3] - mirrored_worlds(before, names)).max() < 2e-5
    mirror(rig)
    assert np.abs(worlds(rig, names, frames) - before).max() < 2e-5


def test_keys_and_handles_stay_where_only_signs_change():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    arm = rig.pose.bones["upper_arm.L"]
    arm.rotation_mode = rig.pose.bones["upper_arm.R"].rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (13, 1.0), (30, 0.2)):
        arm.rotation_euler = (angle, 0.5 * angle, -angle)
        arm.keyframe_insert("rotation_euler", frame=frame)
    path = 'pose.bones["upper_arm.{}"].rotation_euler'
    before = [[(*k.co, *k.handle_right) for k in curve(rig, path.format("L"), i).keyframe_points] for i in range(3)]
    result = mirror(rig)
    assert result.notes == ()
    for i, sign in enumerate((1.0, -1.0, -1.0)):
        after = [(*k.co, *k.handle_right) for k in curve(rig, path.format("R"), i).keyframe_points]
        assert np.array(after) == pytest.approx(np.array(before[i]) * [1.0, sign, 1.0, sign], abs=1e-6)
    assert worlds(rig, ["hand.L"], [13])[0, 0] == pytest.approx(
        np.array(rig.matrix_world @ rig.data.bones["hand.L"].matrix_local), abs=1e-5
    )


def half_stepping(rig: bpy.types.Object) -> None:
    """A loop of 24 frames with travel whose sides are each other's image half a round later, and an arm on one side."""
    times = np.arange(25.0)
    moves = moved_about(lambda t: (0.02 * sin(2 * pi * t / 24), -0.05 * t, 0.95), lambda _: 0.0, PELVIS, times)
    bones = {"pelvis": moves}
    for name, phase in (("thigh.L", 0.0), ("thigh.R", pi)):
        head = Matrix.Translation(next(plan.head for plan in PERSON if plan.name == name))
        swings = [head @ Matrix.Rotation(0.5 * sin(2 * pi * t / 24 + phase), 4, "X") @ head.inverted() for t in times]
        bones[name] = [m @ swing for m, swing in zip(moves, swings, strict=True)]
    act(rig, bones)


def test_half_a_cycle_later_an_even_gait_is_its_own_image():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    rig.pose.bones["thigh.L"].rotation_mode = "XYZ"
    half_stepping(rig)
    names = ["pelvis", "thigh.L", "thigh.R", "shin.L", "shin.R", "head"]
    before = points(worlds(rig, names, range(1, 26)))
    mirror(rig, half_cycle=True)
    assert np.abs(points(worlds(rig, names, range(1, 26))) - before).max() < 1e-4


def test_half_a_cycle_later_the_right_side_does_what_the_left_one_did_in_its_own_mode():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    rig.pose.bones["thigh.L"].rotation_mode = "XYZ"
    half_stepping(rig)
    before = worlds(rig, ["shin.L"], range(1, 26))[:, 0]
    mirror(rig, half_cycle=True)
    assert rig.pose.bones["thigh.R"].rotation_mode == "QUATERNION"
    after = worlds(rig, ["shin.R"], range(1, 13))[:, 0]
    rest = [np.array(rig.data.bones[f"shin.{side}"].matrix_local.to_3x3()) for side in "LR"]
    across = np.diag([-1.0, 1.0, 1.0])
    turned = across @ before[12:24, :3, :3] @ rest[0].T @ across
    off = np.swapaxes(turned, 1, 2) @ (after[:, :3, :3] @ rest[1].T)
    angles = np.arccos(np.clip(0.5 * (np.trace(off, axis1=1, axis2=2) - 1.0), -1.0, 1.0))
    assert angles.max() < radians(0.5)


def test_of_what_is_no_loop_the_jump_is_said():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    leaning(rig, 14)
    assert any("no loop" in note for note in mirror(rig, half_cycle=True).notes)


def test_travel_on_the_object_goes_to_the_other_side_of_where_it_began():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    for frame, place, yaw in ((1, (1.0, 2.0, 0.0), radians(90.0)), (21, (3.0, 2.5, 0.1), radians(120.0))):
        rig.location, rig.rotation_quaternion = place, Quaternion((0, 0, 1), yaw)
        rig.keyframe_insert("location", frame=frame)
        rig.keyframe_insert("rotation_quaternion", frame=frame)
    rig.pose.bones["upper_arm.L"].keyframe_insert("location", frame=1)
    mirror(rig)
    bpy.context.scene.frame_set(21)
    # It faced +X at first, so that the plane is that of X and Z through (1, 2).
    assert rig.matrix_world.translation.to_tuple(4) == (3.0, 1.5, 0.1)
    assert np.degrees(rig.matrix_world.to_euler().z) == pytest.approx(60.0, abs=1e-3)


def test_switches_change_sides_and_what_is_no_bone_s_stays():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    half_stepping(rig)
    for side, value in (("L", 1.0), ("R", 0.25)):
        hand = rig.pose.bones[f"hand.{side}"]
        hand["grip"] = value
        hand.keyframe_insert('["grip"]', frame=1)
    rig["smile"] = 0.5
    rig.keyframe_insert('["smile"]', frame=3)
    mirror(rig)
    grips = [curve(rig, f'pose.bones["hand.{side}"]["grip"]').evaluate(1) for side in "LR"]
    assert grips == [0.25, 1.0]
    assert curve(rig, '["smile"]').evaluate(3) == 0.5


def test_a_bone_without_an_image_keeps_its_motion_and_is_named():
    from surefoot.addon.mirror_motion import mirror

    rig = build_armature((*PERSON, BonePlan("sword.R", "hand.R", (-0.8, 0, 1.37), (-1.4, 0, 1.4))))
    half_stepping(rig)
    sword = rig.pose.bones["sword.R"]
    for frame, angle in ((1, 0.0), (20, 0.5)):
        sword.rotation_quaternion = Quaternion((1, 0, 0), angle)
        sword.keyframe_insert("rotation_quaternion", frame=frame)
    result = mirror(rig)
    assert any("sword.R" in note for note in result.notes)
    assert curve(rig, 'pose.bones["sword.R"].rotation_quaternion', 1).evaluate(20) == pytest.approx(sin(0.25))


def test_locked_channels_of_the_image_are_not_keyed():
    from surefoot.addon.mirror_motion import mirror

    rig = person()
    arm = rig.pose.bones["upper_arm.L"]
    arm.keyframe_insert("location", frame=1)
    arm.location = (0.1, 0.2, 0.3)
    arm.keyframe_insert("location", frame=10)
    rig.pose.bones["upper_arm.R"].lock_location[1] = True
    result = mirror(rig)
    assert curve(rig, 'pose.bones["upper_arm.R"].location', 1) is None
    assert curve(rig, 'pose.bones["upper_arm.R"].location', 2).evaluate(10) == pytest.approx(0.3)
    assert any("upper_arm.R" in note for note in result.notes)


def test_a_body_without_limbs_winds_to_the_other_side():
    from support.stage import add_person
    from surefoot.addon.mirror_motion import mirror

    rig = add_person("SNAKE")
    rig.animation_data_clear()
    names = [bone.name for bone in rig.pose.bones]
    for i, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = Quaternion((0.2, 0.1, 1.0), 0.1 * sin(i))
        bone.keyframe_insert("rotation_quaternion", frame=1)
    before = worlds(rig, names, [1])
    mirror(rig)
    assert np.abs(before[0, :, 0, 3]).max() > 0.01
    assert worlds(rig, names, [1])[..., :3, 3] == pytest.approx(mirrored_worlds(before, names), abs=1e-5)


def test_an_armature_in_edit_mode_is_refused():
    from surefoot.addon.mirror_motion import mirror
    from surefoot.addon.refusal import RefusedError

    rig = person()
    half_stepping(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RefusedError, match="Edit Mode"):
        mirror(rig)
