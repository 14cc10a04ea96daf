"""Retargeting between control rigs, from empties, onto legs that stretch, and beside what a person has keyed."""

from __future__ import annotations

import re
from math import pi, radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.empties import hierarchy
from support.motions import (
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
from support.retargeted import free, moved
from support.rigify_rigs import generated_rig

SEGMENTS = (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot"))


def of_deform(joints: dict[str, np.ndarray], first: str, last: str, side: str) -> np.ndarray:
    """The direction of a segment of a generated rig, by the bones that move its skin."""
    return direction(joints, f"ORG-{first}.{side}", f"ORG-{last}.{side}")


@pytest.mark.parametrize("limbs", ["AUTO", "FK", "IK"])
def test_from_controls_to_controls_limbs_point_alike_and_no_other_bone_is_keyed(limbs: str):
    from surefoot.addon.retarget import retarget

    walker, source, target = walk(bare("Mocap")), generated_rig("human"), generated_rig("human")
    source.name, target.name = "First", "Second"
    retarget(walker, source)
    result = moved(source, target, limbs=limbs)
    assert result.coverage[0] == result.coverage[1]
    keyed = {path.split('"')[1] for path, _ in curves_of(target) if path.startswith("pose.bones")}
    assert not [name for name in keyed if name.startswith(("DEF-", "ORG-", "MCH-thigh", "MCH-upper"))]
    off = []
    for frame in (5, 17, 29, 41):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        for side in "LR":
            off += [
                degrees_between(of_deform(theirs, *segment, side), of_deform(ours, *segment, side))
                for segment in SEGMENTS
            ]
    assert max(off) < 0.05


@pytest.mark.parametrize("limbs", ["AUTO", "FK", "IK"])
@pytest.mark.parametrize(
    ("carrier", "scale"), [("OBJECT", (-1.0, 1.0, 1.0)), ("ROOT_BONE", (1.0, -1.0, 1.0)), ("PELVIS", (-2.0, 2.0, 2.0))]
)
def test_a_mirrored_control_rig_is_seen_to_move_as_one_that_is_not(carrier: str, scale: tuple[float, ...], limbs: str):
    source, straight, mirrored = walk(bare("Mocap")), generated_rig("human"), generated_rig("human")
    size = abs(scale[0])
    straight.scale, mirrored.scale = (size, size, size), scale
    if scale[1] < 0.0:
        # Mirrored from front to back it is one that faces the other way.
        straight.rotation_euler.z = pi
    bpy.context.view_layer.update()
    rest = rest_bytes(mirrored)
    first, second = (moved(source, rig, travel=carrier, limbs=limbs) for rig in (straight, mirrored))
    assert second.ratio == pytest.approx(first.ratio, rel=1e-4)
    assert (rest_bytes(mirrored), tuple(mirrored.scale)) == (rest, scale)
    for frame in (5, 17, 29, 41):
        ours, shown = joints_at(straight, frame), joints_at(mirrored, frame)
        for name, place in ours.items():
            if name.startswith("DEF-"):
                image = shown[re.sub(r"\.([LR])\b", lambda side: "." + {"L": "R", "R": "L"}[side[1]], name)]
                assert np.abs(place - image).max() < 1e-3 * size, (frame, name)


def test_empties_lead_a_person_as_far_as_they_go_with_the_leg_that_they_lift():
    target = bare("Hero")
    joints = hierarchy()
    result = moved(joints[0], target, config=free())
    assert result.coverage[0] >= 0.8 * result.coverage[1]
    theirs, ours = {}, {}
    for frame in (1, 21):
        ours[frame] = joints_at(target, frame)
        theirs[frame] = {obj.name: np.array(obj.matrix_world.translation) for obj in joints}
    way = ours[21]["pelvis"] - ours[1]["pelvis"]
    assert way[1] == pytest.approx(-1.5 * result.ratio, rel=0.02)
    lifted = theirs[21]["LeftLeg"] - theirs[21]["LeftUpLeg"]
    lifted /= np.linalg.norm(lifted)
    assert degrees_between(direction(ours[21], "thigh.L", "shin.L"), lifted) < 1.0
    for bone in ("thigh.R", "shin.R"):
        end = "shin.R" if bone == "thigh.R" else "foot.R"
        assert degrees_between(direction(ours[21], bone, end), direction(ours[1], bone, end)) < 0.1


def test_a_leg_that_stretches_by_itself_is_named_and_all_else_follows_at_its_own_length():
    source, target = swing(bare("Mocap")), bare("Hero")
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    shin = target.pose.bones["shin.R"]
    foot = np.array(target.matrix_world @ shin.tail)
    knee = np.array(target.matrix_world @ shin.head)
    goal.location = knee + 1.3 * (foot - knee)
    stretch = shin.constraints.new("STRETCH_TO")
    stretch.target, stretch.rest_length = goal, shin.bone.length
    bpy.context.view_layer.update()
    result = moved(source, target, config=free())
    assert any(note.startswith("shin.R") for note in result.notes), result.notes
    assert {path.rpartition(".")[2] for path, _ in curves_of(target)} <= {
        "location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle",
    }  # fmt: skip
    shown = joints_at(target, 21)
    for name, end in (("thigh.R", "shin.R"), ("thigh.L", "shin.L"), ("shin.L", "foot.L"), ("upper_arm.R", "forearm.R")):
        bones = target.data.bones
        length = (bones[end].head_local - bones[name].head_local).length
        assert np.linalg.norm(shown[end] - shown[name]) == pytest.approx(length, abs=1e-5)
    assert (stretch.mute, stretch.influence, list(shin.constraints)) == (False, 1.0, [stretch])


def test_keys_that_a_person_set_are_those_alone_after_two_retargets():
    source, target = swing(bare("Mocap")), bare("Hero")
    pelvis = target.pose.bones["pelvis"]
    for frame, height in ((1, 0.0), (60, 0.3)):
        pelvis.location.y = height
        pelvis.keyframe_insert("location", frame=frame)
    own = target.animation_data.action
    own.name = "Own"
    before = curves_of(target)
    moved(source, target)
    moved(source, target)
    assert target.animation_data.action != own
    target.animation_data.action = own
    target.animation_data.action_slot = own.slots[0]
    after = curves_of(target)
    assert set(after) == set(before) == {('pose.bones["pelvis"].location', i) for i in range(3)}
    assert all(np.array_equal(after[path], before[path]) for path in before)
    assert [tuple(after[path][:, 0]) for path in after] == [(1.0, 60.0)] * 3


def test_feet_that_rest_turned_out_and_rolled_stand_without_going_sideways():
    from surefoot.addon.motion_source import read_motion
    from surefoot.core.motion.spans import inside
    from surefoot.core.retarget.clean_feet import contacts_of

    def turned_out(name: str) -> bpy.types.Object:
        rig = bare(name)
        for side, sign in (("L", 1.0), ("R", -1.0)):
            turn_rest(rig, f"foot.{side}", Matrix.Rotation(sign * radians(20.0), 4, "Z"))

        def roll(bones: bpy.types.ArmatureEditBones) -> None:
            for bone in bones:
                bone.roll += radians(35.0) if bone.name.startswith(("foot", "toe")) else 0.0

        return edit_rest(rig, roll)

    # Once made by the gait itself, once taken over from feet that rest straight.
    own, target = walk(turned_out("Own"), frames=72), turned_out("Hero")
    moved(walk(bare("Mocap"), frames=72), target)
    for rig in (own, target):
        clip = read_motion(rig).clip
        steps = 0
        for leg, contacts in zip(clip.rig.legs, contacts_of(clip), strict=True):
            ball = clip.ball(leg)
            for span in contacts.of("ball") or ():
                standing = ball[inside(np.arange(len(clip)), span)]
                steps += 1
                assert np.ptp(standing[1:-1, 0]) < 0.001, (rig.name, leg.role)
        assert steps >= 4


@pytest.mark.parametrize("limbs", ["FK", "IK"])
def test_a_batch_keys_the_controls_that_are_asked_for(limbs: str):
    target = generated_rig("human")
    target.name = "Hero"
    source = swing(bare("Mocap"))
    source.animation_data.action.name = "Swing"
    bpy.ops.surefoot.retarget_batch(source="Mocap", target="Hero", actions="Swing", limbs=limbs)
    target.animation_data_create().action = bpy.data.actions["Swing_Hero"]
    target.animation_data.action_slot = bpy.data.actions["Swing_Hero"].slots[0]
    keyed = {path.split('"')[1] for path, _ in curves_of(target) if path.startswith("pose.bones")}
    assert ("thigh_fk.L" in keyed, "foot_ik.L" in keyed) == (limbs == "FK", limbs == "IK")
