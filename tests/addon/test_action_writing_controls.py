"""A clip written on the controls of a generated Rigify rig: the bones that deform follow it, no others are keyed."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from support.real_clips import load_clip
from support.retargeting import about_point, still_clip, wild_clip
from support.rigify_rigs import generated_rig, overridden_rig
from support.stage import add_person
from support.written_clips import played, reading_of, values_of, written

HANDS_AND_FEET = ("foot", "toe", "hand")


def limb_clip(reading, frames=60, seed=1):
    """A wandering clip in which knees and elbows fold as they do: about their hinges."""
    return wild_clip(reading.rig, frames, amount=0.25, seed=seed)


def off(shown, clip, *, root):
    """How far each bone's two ends are from where the clip has them, at worst, metres."""
    found = {}
    for i, bone in enumerate(clip.rig.skeleton.bones):
        if i != root:
            ends = [shown.place(i, point) - clip.place(i, point) for point in (bone.head, bone.tail)]
            found[bone.name] = float(np.linalg.norm(ends, axis=-1).max())
    return found


def keyed_bones(rig):
    return {path.split('"')[1] for path, _ in values_of(rig) if path.startswith("pose.bones")}


@pytest.mark.parametrize("travel", ["PELVIS", "ROOT_BONE", "OBJECT"])
@pytest.mark.parametrize("limbs", ["AUTO", "FK", "IK"])
def test_the_body_follows_the_clip_whoever_carries_it_and_whichever_controls_are_asked_for(travel, limbs):
    bpy.context.scene.render.fps = 60
    rig = generated_rig("human")
    reading = reading_of(rig)
    clip = limb_clip(reading)
    written(rig, reading, clip, travel=travel, limbs=limbs)
    found = off(played(rig, reading, range(1, 61)), clip, root=reading.rig.root)
    assert max(found.values()) < (1e-4 if limbs == "FK" else 0.02)
    assert max(value for name, value in found.items() if any(part in name for part in HANDS_AND_FEET)) < 0.001
    bones = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    shown = [name for name in found if name.startswith("ORG-") and "DEF-" + name[4:] in bones]
    assert len(shown) > 16
    for name in shown:
        assert (bones["DEF-" + name[4:]].head - bones[name].head).length < 1e-4, name


@pytest.mark.parametrize("limbs", ["FK", "IK"])
@pytest.mark.parametrize("kind", ["wolf", "horse", "cat", "bird"])
def test_animals_follow_a_clip_on_fk_controls_and_on_ik_ones(kind, limbs):
    bpy.context.scene.render.fps = 60
    rig = generated_rig(kind)
    reading = reading_of(rig)
    clip = limb_clip(reading, 20)
    written(rig, reading, clip, travel="PELVIS", limbs=limbs)
    assert max(off(played(rig, reading, range(1, 21)), clip, root=reading.rig.root).values()) < 0.001


@pytest.mark.parametrize("limbs", ["AUTO", "IK"])
def test_a_real_walk_on_a_human_keeps_hands_and_feet_to_the_millimetre(limbs):
    from surefoot.core.retarget.retarget import retarget_clip

    source = load_clip("Walk1")
    if source is None:
        pytest.skip("The walk was not sampled: run tests/support/real_clips.py.")
    bpy.context.scene.render.fps = round(source.fps)
    rig = generated_rig("human")
    reading = reading_of(rig)
    done = retarget_clip(replace(source, moved=source.moved[::3]), reading.rig)
    clip = replace(done.clip, fps=source.fps)
    written(rig, reading, clip, done.driven, limbs=limbs)
    found = off(played(rig, reading, range(1, len(clip) + 1)), clip, root=reading.rig.root)
    assert max(found.values()) < 0.02
    assert max(value for name, value in found.items() if any(part in name for part in HANDS_AND_FEET)) < 0.001


def test_an_arm_that_swings_through_straight_on_ik_does_not_flip_about_itself():
    bpy.context.scene.render.fps = 60
    rig = generated_rig("human")
    reading = reading_of(rig)
    clip, skeleton = still_clip(reading.rig, 90), reading.rig.skeleton
    upper, fore = skeleton.index["ORG-upper_arm.L"], skeleton.index["ORG-forearm.L"]
    elbow, hand = np.array(skeleton.bones[fore].head), np.array(skeleton.bones[fore].tail)
    line = hand - np.array(skeleton.bones[upper].head)
    # Straightened and a little beyond, about an axis that is not the elbow's own.
    side = np.cross(line, [0.0, 0.3, 1.0])
    angles = 0.35 * np.cos(np.arange(90) / 14.0) + 0.15
    turn = about_point(np.outer(angles, side / np.linalg.norm(side)), elbow)
    for i in (fore, *skeleton.descendants(fore)):
        clip.moved[:, i] = turn
    written(rig, reading, clip, limbs="IK", travel="PELVIS")
    shown = played(rig, reading, range(1, 91))
    turned = np.swapaxes(shown.rotation(upper)[:-1], 1, 2) @ shown.rotation(upper)[1:]
    steps = np.degrees(np.arccos(np.clip(0.5 * (np.trace(turned, axis1=1, axis2=2) - 1.0), -1.0, 1.0)))
    assert steps.max() < 20.0
    found = off(shown, clip, root=reading.rig.root)
    assert found["ORG-hand.L"] < 0.001
    assert found["ORG-upper_arm.L"] < 0.02


def test_a_straight_limb_is_led_from_how_it_bent_to_how_it_bends():
    from surefoot.addon.control_columns import led_folds

    turns = np.where(np.arange(60) < 30, 0.2, 1.0)
    shares = np.where(np.abs(np.arange(60) - 30) < 10, 0.0, 1.0)
    led = led_folds(np.stack([turns, shares], axis=-1)[:, None], 18.0)[:, 0]
    assert led[:20] == pytest.approx(0.2)
    assert led[40:] == pytest.approx(1.0)
    assert np.abs(np.diff(led)).max() < 0.4
    assert (np.diff(led) >= -1e-9).all()
    assert led_folds(np.zeros((5, 1, 2)), 18.0).tolist() == [[0.0]] * 5


def test_only_controls_are_keyed_and_without_the_action_the_rig_is_at_rest_again():
    rig = generated_rig("human")
    reading = reading_of(rig)
    rest = played(rig, reading, [1])
    for limbs in ("AUTO", "FK", "IK"):
        written(rig, reading, limb_clip(reading, 10), limbs=limbs)
        assert not [name for name in keyed_bones(rig) if name.startswith(("DEF-", "ORG-", "MCH-thigh", "MCH-upper"))]
    bpy.context.scene.frame_set(5)
    rig.animation_data.action = None
    for bone in rig.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.view_layer.update()
    assert np.abs(played(rig, reading, [1]).moved - rest.moved).max() < 1e-5


def test_switches_that_stood_otherwise_are_keyed_and_named():
    rig = generated_rig("human")
    reading = reading_of(rig)
    bones = rig.pose.bones
    bones["thigh_parent.L"]["IK_FK"], bones["thigh_parent.R"]["IK_FK"] = 1.0, 0.0
    done = written(rig, reading, limb_clip(reading, 10))
    keys = values_of(rig)
    assert keys['pose.bones["thigh_parent.L"]["IK_FK"]', 0][:, 1].tolist() == [0.0]
    assert keys['pose.bones["upper_arm_parent.L"]["IK_FK"]', 0][:, 1].tolist() == [1.0]
    note = next(note for note in done.notes if "witches" in note)
    assert "IK_FK = 0 (thigh_parent.L);" in note
    assert "IK_FK = 1 (upper_arm_parent.L, upper_arm_parent.R)" in note
    bpy.context.scene.frame_set(3)
    assert bones["thigh_parent.L"]["IK_FK"] == 0.0


@pytest.mark.parametrize(("limbs", "legs", "arms"), [("AUTO", 0.0, 1.0), ("FK", 1.0, 1.0), ("IK", 0.0, 0.0)])
def test_the_retarget_operator_writes_the_controls_that_are_asked_for(limbs, legs, arms):
    rig, source = generated_rig("human"), add_person()
    written(source, reading_of(source), wild_clip(reading_of(source).rig, 10, amount=0.2))
    assert bpy.ops.surefoot.retarget(source=source.name, target=rig.name, limbs=limbs) == {"FINISHED"}
    keys = values_of(rig)
    assert keys['pose.bones["thigh_parent.R"]["IK_FK"]', 0][0, 1] == legs
    assert keys['pose.bones["upper_arm_parent.R"]["IK_FK"]', 0][0, 1] == arms
    assert ("thigh_fk.R" in keyed_bones(rig)) == (legs == 1.0)
    assert ("hand_ik.R" in keyed_bones(rig)) == (arms == 0.0)


def test_controls_that_show_nothing_of_the_clip_keep_what_they_had_and_what_hangs_on_them_makes_up_for_it():
    bpy.context.scene.render.fps = 60
    rig = generated_rig("human")
    reading = reading_of(rig)
    shoulder = rig.pose.bones["shoulder.L"]
    shoulder.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (30, 0.4)):
        shoulder.rotation_euler = (angle, 0.0, angle)
        shoulder.keyframe_insert("rotation_euler", frame=frame)
    before = {path: keys for path, keys in values_of(rig).items() if "shoulder" in path[0]}
    index = reading.rig.skeleton.index
    clip = limb_clip(reading, 30)
    driven = [i for i in range(len(index)) if "shoulder" not in reading.rig.skeleton.bones[i].name]
    written(rig, reading, clip, driven)
    after = {path: keys for path, keys in values_of(rig).items() if "shoulder" in path[0]}
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[path], after[path]) for path in before)
    shown = played(rig, reading, range(1, 31))
    hand = index["ORG-hand.L"]
    assert np.abs(shown.rotation(hand) - clip.rotation(hand)).max() < 1e-4


def test_neighbouring_keys_of_controls_go_on_at_every_second_frame_too():
    rig = generated_rig("human")
    reading = reading_of(rig)
    spin = wild_clip(reading.rig, 60, amount=0.25)
    turn = np.linspace(0.0, 4.0 * np.pi, 60)
    about = np.tile(np.identity(4), (60, 1, 1))
    about[:, 0, 0] = about[:, 1, 1] = np.cos(turn)
    about[:, 1, 0], about[:, 0, 1] = np.sin(turn), -np.sin(turn)
    written(rig, reading, replace(spin, moved=about[:, None] @ spin.moved), step=2, travel="PELVIS")
    found = values_of(rig)
    for path, _ in found:
        if path.endswith("rotation_quaternion"):
            rows = np.stack([found[path, i][:, 1] for i in range(4)], axis=1)
            assert np.sum(rows[1:] * rows[:-1], axis=1).min() >= 0.0
        elif path.endswith("rotation_euler"):
            rows = np.stack([found[path, i][:, 1] for i in range(3) if (path, i) in found], axis=1)
            assert np.abs(np.diff(rows, axis=0)).max() < np.pi


def test_a_library_override_takes_an_action_like_any_other_rig():
    bpy.context.scene.render.fps = 60
    rig = overridden_rig("human")
    reading = reading_of(rig)
    clip = limb_clip(reading, 20)
    written(rig, reading, clip, limbs="FK")
    found = off(played(rig, reading, range(1, 21)), clip, root=reading.rig.root)
    assert max(found.values()) < 1e-4
    assert rig.animation_data.action.library is None


def test_a_generated_rig_without_spine_controls_is_refused_with_a_remedy(monkeypatch):
    from surefoot.addon import action_writing
    from surefoot.addon.refusal import RefusedError

    rig = generated_rig("human")
    reading = reading_of(rig)
    monkeypatch.setattr(action_writing, "is_control_rig", lambda *_: False)
    with pytest.raises(RefusedError, match="generate again"):
        written(rig, reading, limb_clip(reading, 5))
    assert rig.animation_data.action is None
