"""Writing a clip changes nothing but what the clip moves: other bones, older Actions, the scene, the file."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from support.file_contents import contents, differences
from support.retargeting import wild_clip
from support.stage import add_person
from support.written_clips import farthest, played, reading_of, values_of, written

AS_SHOWN = 3e-5
HEAD = 'pose.bones["head"].'


@pytest.fixture
def rig():
    bpy.context.scene.render.fps = 60
    return add_person()


def keyed_head(rig):
    """An Action of the head's with a modifier, handles of its own and a group, and a property that nobody knows."""
    rig["mood"] = 0.0
    head = rig.pose.bones["head"]
    head.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (12, 0.5), (30, -0.2)):
        head.rotation_euler.x = angle
        head.keyframe_insert("rotation_euler", index=0, frame=frame)
        rig["mood"] = angle
        rig.keyframe_insert('["mood"]', frame=frame)
    from surefoot.addon.saved_state import curves_of

    curves = curves_of(rig.animation_data.action, rig.animation_data.action_slot)
    curve = next(item for item in curves if "head" in item.data_path)
    curve.modifiers.new("NOISE").strength = 0.02
    point = curve.keyframe_points[1]
    point.handle_left_type = point.handle_right_type = "FREE"
    point.handle_right = (15.0, 0.9)
    bpy.context.view_layer.update()
    return rig.animation_data.action


def all_but(reading, *names):
    return [i for i, bone in enumerate(reading.rig.skeleton.bones) if bone.name not in names]


def described(action):
    """All of an Action's curves: keys, handles, modifiers, group."""
    from surefoot.addon.saved_state import curves_of

    return {
        (curve.data_path, curve.array_index): (
            [(*key.co, *key.handle_left, *key.handle_right, key.interpolation) for key in curve.keyframe_points],
            [(item.type, getattr(item, "strength", 0.0)) for item in curve.modifiers],
            curve.group.name if curve.group else "",
            curve.extrapolation,
        )
        for curve in curves_of(action, action.slots[0])
    }


def test_bones_that_are_not_moved_keep_their_animation_with_modifiers_handles_and_groups(rig):
    former = keyed_head(rig)
    before = described(former)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 30)
    done = written(rig, reading, clip, all_but(reading, "head"))
    after = described(bpy.data.actions[done.action])
    assert before.items() <= after.items()
    assert not [key for key in after if key[0].startswith(HEAD) and key not in before]
    assert described(former) == before
    assert any("head" in note and "keep" in note for note in done.notes)


def test_the_former_action_outlives_the_files_next_save(rig):
    former = keyed_head(rig)
    former.use_fake_user = False
    reading = reading_of(rig)
    written(rig, reading, wild_clip(reading.rig, 5))
    assert former.use_fake_user or former.users > 0
    assert rig.animation_data.action != former


def test_an_action_that_is_not_assigned_waits_in_the_file(rig):
    former = keyed_head(rig)
    reading = reading_of(rig)
    done = written(rig, reading, wild_clip(reading.rig, 5), assign=False, name="Walk_Person")
    assert done.action == "Walk_Person"
    assert rig.animation_data.action == former
    waiting = bpy.data.actions["Walk_Person"]
    assert waiting.use_fake_user
    rig.animation_data.action = waiting
    rig.animation_data.action_slot = rig.animation_data.action_suitable_slots[0]
    assert farthest(played(rig, reading, range(1, 6)), wild_clip(reading.rig, 5)) < AS_SHOWN


def test_the_curves_of_another_action_can_be_kept_or_none(rig):
    former = keyed_head(rig)
    other = bpy.data.actions.new("Other")
    rig.animation_data.action = other
    reading = reading_of(rig)
    clip, bones = wild_clip(reading.rig, 5), all_but(reading, "head")
    assert (HEAD + "rotation_euler", 0) not in described(bpy.data.actions[written(rig, reading, clip, bones).action])
    kept = written(rig, reading, clip, bones, keep=former, assign=False)
    assert described(bpy.data.actions[kept.action])[HEAD + "rotation_euler", 0] == described(former)[
        HEAD + "rotation_euler", 0
    ]
    rig.animation_data.action = former
    rig.animation_data.action_slot = former.slots[0]
    none = written(rig, reading, clip, bones, keep=None)
    assert not [key for key in described(bpy.data.actions[none.action]) if key[0].startswith(HEAD)]


def test_what_an_earlier_clip_moved_and_this_one_does_not_goes_back_to_rest(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    written(rig, reading, clip)
    bpy.context.scene.frame_set(11)
    arm = [bone.name for bone in rig.pose.bones if "arm.L" in bone.name or "hand.L" in bone.name]
    written(rig, reading, clip, all_but(reading, *arm))
    bpy.context.scene.frame_set(15)
    for name in arm:
        assert np.abs(np.array(rig.pose.bones[name].matrix_basis) - np.identity(4)).max() < 1e-6


@pytest.mark.parametrize("by", ["curves", "pose"])
def test_bones_between_moved_ones_that_are_turned_themselves_are_made_up_for(rig, by):
    helper = rig.pose.bones["spine.002"]
    helper.rotation_mode = "QUATERNION"
    for frame, angle in ((1, 0.1), (20, 0.6)):
        helper.rotation_quaternion = (np.cos(angle), 0.0, np.sin(angle), 0.0)
        if by == "curves":
            helper.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.context.scene.frame_set(1)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    written(rig, reading, clip, all_but(reading, "spine.002"))
    shown = played(rig, reading, range(1, 21))
    index = reading.rig.skeleton.index
    for name in ("chest", "head", "hand.L", "pelvis", "foot.R"):
        assert np.abs(shown.rotation(index[name]) - clip.rotation(index[name])).max() < AS_SHOWN, name
    assert np.abs(shown.rotation(index["spine.002"]) - clip.rotation(index["spine.002"])).max() > 0.05


def test_bones_that_another_program_stretched_and_moved_are_held_at_rest(rig):
    thigh = rig.pose.bones["thigh.L"]
    thigh.scale = (1.0, 1.3, 1.0)
    thigh.location = (0.1, 0.0, 0.0)
    thigh.keyframe_insert("scale", frame=1)
    thigh.keyframe_insert("location", frame=1)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 10)
    written(rig, reading, clip)
    assert farthest(played(rig, reading, range(1, 11)), clip) < AS_SHOWN
    for channel in ("scale", "location"):
        assert len(values_of(rig)[f'pose.bones["thigh.L"].{channel}', 0]) == 1


def test_curves_that_lead_nowhere_stay_and_are_counted(rig):
    keyed_head(rig)
    from surefoot.addon.saved_state import channelbag_of

    bag = channelbag_of(rig.animation_data.action, rig.animation_data.action_slot)
    lost = [('pose.bones["gone"].location', 0), ('pose.bones["gone"].location', 1), (HEAD + "location", 7)]
    for path, index in lost:
        bag.fcurves.new(path, index=index).keyframe_points.insert(1.0, 0.0)
    reading = reading_of(rig)
    done = written(rig, reading, wild_clip(reading.rig, 5), all_but(reading, "head"))
    assert any("keys): 3." in note and "gone" in note for note in done.notes)
    assert set(lost) <= values_of(rig).keys()


def test_tweak_mode_is_refused_with_its_reason_and_nothing_is_made(rig):
    from surefoot.addon.refusal import RefusedError

    former = keyed_head(rig)
    reading = reading_of(rig)
    animation = rig.animation_data
    track = animation.nla_tracks.new()
    strip = track.strips.new("Head", 101, former)
    animation.action = None
    track.select = strip.select = True
    animation.use_tweak_mode = True
    assert animation.use_tweak_mode
    count = len(bpy.data.actions)
    with pytest.raises(RefusedError, match="tweak mode"):
        written(rig, reading, wild_clip(reading.rig, 5))
    assert len(bpy.data.actions) == count
    animation.use_tweak_mode = False


def test_an_action_that_the_nla_mixes_with_its_tracks_is_said(rig):
    former = keyed_head(rig)
    animation = rig.animation_data
    animation.nla_tracks.new().strips.new("Head", 1, former)
    animation.action = None
    reading = reading_of(rig)
    assert written(rig, reading, wild_clip(reading.rig, 5)).notes == ()
    animation.action_blend_type = "ADD"
    assert any("Add" in note for note in written(rig, reading, wild_clip(reading.rig, 5)).notes)
    animation.action_blend_type, animation.action_influence = "REPLACE", 0.5
    assert any("0.5" in note for note in written(rig, reading, wild_clip(reading.rig, 5)).notes)


def test_nothing_else_in_the_file_changes(rig):
    reading = reading_of(rig)
    bpy.context.scene.frame_set(1)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.use_preview_range = 10, 90, True
    bystander = add_person()
    bystander.location.x = 5.0
    bpy.context.view_layer.update()
    before = contents()
    done = written(rig, reading, wild_clip(reading.rig, 10), assign=False)
    changed = differences(before, contents())
    assert not [line for line in changed if done.action not in line], changed[:5]


def test_one_step_back_undoes_it(rig):
    reading = reading_of(rig)
    former = keyed_head(rig).name
    name = rig.name
    bpy.ops.ed.undo_push(message="before")
    written(rig, reading, wild_clip(reading.rig, 10))
    bpy.ops.ed.undo_push(message="written")
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].animation_data.action.name == former
    assert len(bpy.data.actions) == 1


@pytest.mark.parametrize("selected", [(), ("rig",), ("rig", "other")])
def test_what_is_selected_does_not_matter(rig, selected):
    other = add_person()
    for obj in bpy.context.view_layer.objects:
        obj.select_set(False)
    for item in selected:
        (rig if item == "rig" else other).select_set(True)
    bpy.context.view_layer.objects.active = other
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 10)
    written(rig, reading, clip)
    assert farthest(played(rig, reading, range(1, 11)), clip) < AS_SHOWN
    assert other.animation_data is None


def test_a_previewed_characters_preview_ends_and_its_rig_plays_the_clip(rig):
    from surefoot.addon.setup import setup

    setup(rig)
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(20)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 30)
    written(rig, reading, clip, travel="PELVIS")
    assert not rig.surefoot.preview
    assert farthest(played(rig, reading, range(1, 31)), clip) < AS_SHOWN


def test_an_action_of_ours_written_beside_is_no_bake_any_more(rig):
    from surefoot.addon.bake_record import KEY

    reading = reading_of(rig)
    former = keyed_head(rig)
    former[KEY] = "{}"
    done = written(rig, reading, replace(wild_clip(reading.rig, 5)), all_but(reading, "head"))
    assert KEY not in bpy.data.actions[done.action]
    assert KEY in former
