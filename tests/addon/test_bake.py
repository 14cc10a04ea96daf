"""Bake: an ordinary Action that plays what the preview showed, and nothing else in the file changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.stage import add_face, add_ground, add_person, channel_values, key, previewed_person, shown_pose
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.bake_record import read_record
from surefoot.addon.refusal import RefusedError
from surefoot.addon.saved_state import curves_of

FRAMES = range(1, 41)


def previewed(rig: bpy.types.Object) -> list[np.ndarray]:
    values = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        values.append(channel_values(rig))
    return values


def baked_curves(rig: bpy.types.Object) -> dict[tuple[str, int], bpy.types.FCurve]:
    animation = rig.animation_data
    return {(c.data_path, c.array_index): c for c in curves_of(animation.action, animation.action_slot)}


def keys_of(curve: bpy.types.FCurve) -> list[float]:
    return [point.co[0] for point in curve.keyframe_points]


def plain_values(block: Any) -> list[Any]:
    """Every number, text and reference of a data-block, without run-time numbers of evaluation."""
    values = []
    for prop in block.bl_rna.properties:
        if prop.type == "COLLECTION" or prop.identifier in {"session_uid", "is_evaluated", "tag", "preview"}:
            continue
        value = getattr(block, prop.identifier)
        if prop.type == "POINTER":
            value = getattr(value, "name", None)
        elif hasattr(value, "__len__") and not isinstance(value, str):
            value = [tuple(item) if hasattr(item, "__len__") else item for item in value]
        values.append((prop.identifier, value))
    return values


@pytest.mark.parametrize("travel", ["OBJECT", "ROOT_BONE"])
def test_every_channel_of_the_bake_plays_what_the_preview_showed(travel: str):
    rig = previewed_person()
    rig.surefoot.travel = travel
    wanted = previewed(rig)
    bake(rig, BakeOptions(1, 40))
    assert not rig.surefoot.preview
    for frame, values in zip(FRAMES, wanted, strict=True):
        bpy.context.scene.frame_set(frame)
        assert np.abs(channel_values(rig) - values).max() <= 1e-5, frame


def test_the_other_travel_carries_the_same_walk():
    rig = previewed_person()
    bpy.context.scene.frame_set(35)
    wanted = shown_pose(rig)
    bake(rig, BakeOptions(1, 40, travel="ROOT_BONE"))
    bpy.context.scene.frame_set(35)
    got = shown_pose(rig)
    assert np.abs(got[0] - np.identity(4)).max() < 1e-6
    assert np.abs(got[0] @ got[1:] - wanted[0] @ wanted[1:]).max() < 1e-4


def test_the_operator_bakes_a_new_action_named_after_the_rig_and_switches_the_preview_off():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.surefoot.bake(frame_start=5, frame_end=15) == {"FINISHED"}
    assert rig.name in rig.animation_data.action.name
    assert rig.animation_data.action_slot is not None
    assert all(keys_of(curve) == list(range(5, 16)) for curve in baked_curves(rig).values())
    assert not rig.surefoot.preview


def test_a_step_keys_every_nth_frame_and_the_last():
    rig = previewed_person()
    bake(rig, BakeOptions(1, 40, step=4))
    assert keys_of(next(iter(baked_curves(rig).values()))) == [*range(1, 40, 4), 40]


def test_fewer_keys_stay_within_the_stated_error():
    rig = previewed_person()
    wanted = previewed(rig)
    full = bake(rig, BakeOptions(1, 40)).keys
    rig.surefoot.preview = True
    reduced = bake(rig, BakeOptions(1, 40, tolerance=0.002))
    assert reduced.keys < 0.6 * full
    for frame, values in zip(FRAMES, wanted, strict=True):
        bpy.context.scene.frame_set(frame)
        assert np.abs(channel_values(rig) - values).max() <= 0.0021, frame


def test_the_range_and_fps_and_frame_of_the_scene_stay():
    rig = previewed_person()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 3, 33, 25
    scene.frame_set(7)
    bake(rig, BakeOptions(1, 60))
    assert (scene.frame_start, scene.frame_end, scene.render.fps, scene.frame_current) == (3, 33, 25, 7)


def test_curves_that_are_not_driven_are_copied_with_modifiers_handles_and_groups():
    add_ground()
    rig = add_person()
    add_face(rig)
    key(rig, 'pose.bones["face"].scale', {1: 1.0, 40: 1.5}, index=2)
    curve = baked_curves(rig)[('pose.bones["face"].scale', 2)]
    curve.keyframe_points[0].interpolation = "BEZIER"
    curve.keyframe_points[0].handle_right_type = "FREE"
    curve.keyframe_points[0].handle_right = (9.0, 1.4)
    curve.modifiers.new("CYCLES")
    former, group = rig.animation_data.action, curve.group.name
    bake(rig, BakeOptions(1, 40))
    assert rig.animation_data.action != former
    copied = baked_curves(rig)[('pose.bones["face"].scale', 2)]
    assert tuple(copied.keyframe_points[0].handle_right) == pytest.approx((9.0, 1.4))
    assert [item.type for item in copied.modifiers] == ["CYCLES"]
    assert copied.group.name == group
    assert len(curves_of(former, former.slots[0])) == 1


def test_a_second_bake_makes_a_new_action_or_replaces_our_own():
    rig = previewed_person()
    bake(rig, BakeOptions(1, 10))
    first = rig.animation_data.action
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 12))
    second = rig.animation_data.action
    assert second != first
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 14, replace=True))
    assert rig.animation_data.action == second
    assert keys_of(next(iter(baked_curves(rig).values()))) == list(range(1, 15))


def test_previewed_again_after_a_bake_the_walk_starts_where_it_did():
    rig = previewed_person()
    wanted = previewed(rig)
    bake(rig, BakeOptions(1, 40))
    bpy.context.scene.frame_set(30)
    rig.surefoot.preview = True
    assert all(np.array_equal(first, second) for first, second in zip(previewed(rig), wanted, strict=True))


def test_baked_again_with_another_travel_the_old_travel_is_gone():
    rig = previewed_person()
    bake(rig, BakeOptions(1, 30))
    assert ("location", 1) in baked_curves(rig)
    rig.surefoot.travel = "ROOT_BONE"
    bake(rig, BakeOptions(1, 30))
    assert ("location", 1) not in baked_curves(rig)


def test_the_action_knows_the_planned_contacts():
    rig = previewed_person()
    bake(rig, BakeOptions(1, 60, markers=True))
    action = rig.animation_data.action
    record = read_record(action)
    assert sorted(record.contacts) == ["leg.L", "leg.R"]
    spans = record.contacts["leg.L"].foot
    assert len(spans) >= 2
    assert all(first.end < second.start for first, second in zip(spans, spans[1:], strict=False))
    landings = [marker.frame for marker in action.pose_markers if marker.name == "leg.L lands"]
    assert len(landings) == len(spans)


def test_one_undo_takes_the_bake_back_and_leaves_every_other_data_block_as_it_was():
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    bpy.context.view_layer.objects.active = rig
    kinds = ("objects", "armatures", "meshes", "scenes", "actions")
    blocks = [(kind, block.name) for kind in kinds for block in getattr(bpy.data, kind)]
    before = {item: plain_values(getattr(bpy.data, item[0])[item[1]]) for item in blocks}
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.bake("EXEC_DEFAULT", True, frame_start=1, frame_end=30)
    assert len(bpy.data.actions) == 1
    bpy.ops.ed.undo()
    assert len(bpy.data.actions) == 0
    assert {item: plain_values(getattr(bpy.data, item[0])[item[1]]) for item in blocks} == before


def test_the_action_that_a_bake_takes_the_place_of_is_saved_with_the_file(tmp_path: Path):
    rig = previewed_person()
    key(rig, 'pose.bones["thigh.L"].rotation_quaternion', {1: 0.2}, index=1)
    former = rig.animation_data.action.name
    bake(rig, BakeOptions(1, 5))
    assert rig.animation_data.action.name != former
    assert not rig.animation_data.action.use_fake_user
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert former in bpy.data.actions


def test_nla_strips_and_other_actions_stay():
    add_ground()
    rig = add_person()
    key(rig, 'pose.bones["head"].rotation_quaternion', {1: 0.0, 40: 0.3}, index=1)
    pushed = rig.animation_data.action
    track = rig.animation_data.nla_tracks.new()
    track.strips.new("Pushed", 1, pushed)
    rig.animation_data.action = None
    bake(rig, BakeOptions(1, 20))
    assert [strip.action for strip in rig.animation_data.nla_tracks[0].strips] == [pushed]
    assert len(curves_of(pushed, pushed.slots[0])) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (BakeOptions(10, 5), "before the first"),
        (BakeOptions(1, 5, step=0), "at least one"),
    ],
)
def test_a_bad_range_is_refused_in_a_sentence(options: BakeOptions, words: str):
    rig = previewed_person()
    with pytest.raises(RefusedError, match=words):
        bake(rig, options)
    assert rig.surefoot.preview
    assert len(bpy.data.actions) == 0


def test_in_nla_tweak_mode_it_is_refused():
    add_ground()
    rig = add_person()
    key(rig, 'pose.bones["head"].rotation_quaternion', {1: 0.0, 40: 0.3}, index=1)
    track = rig.animation_data.nla_tracks.new()
    strip = track.strips.new("Strip", 1, rig.animation_data.action)
    rig.animation_data.action = None
    track.select = strip.select = True
    rig.animation_data.use_tweak_mode = True
    with pytest.raises(RefusedError, match="tweak mode"):
        bake(rig, BakeOptions(1, 20))


def test_a_bake_that_another_one_takes_the_place_of_is_not_lost_at_the_next_save():
    rig = previewed_person()
    first = bpy.data.actions[bake(rig, BakeOptions(1, 5)).action]
    rig.surefoot.preview = True
    second = bpy.data.actions[bake(rig, BakeOptions(1, 10)).action]
    assert rig.animation_data.action == second != first
    assert first.users > 0
