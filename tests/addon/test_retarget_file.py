"""Retargeting: the frames of its Action, and the file it is in."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from support.file_contents import contents, differences
from support.motions import (
    bare,
    curves_of,
    rest_bytes,
    swing,
)
from support.retargeted import moved, rest_keyed


def test_keys_lie_on_the_source_s_frames_and_none_beside_them():
    source, target = swing(bare("Mocap"), 5, 25), bare("Hero")
    result = moved(source, target)
    assert (result.frames, result.frame_start) == (21, 5.0)
    moving = [keys for keys in curves_of(target).values() if len(keys) > 1]
    assert all(np.array_equal(keys[:, 0], np.arange(5.0, 26.0)) for keys in moving)
    assert len(moving) > 40


def test_a_step_keeps_the_last_frame():
    source, target = swing(bare("Mocap"), 1, 26), bare("Hero")
    moved(source, target, step=2)
    moving = [keys for keys in curves_of(target).values() if len(keys) > 1]
    assert all(keys[:, 0].tolist() == [*range(1, 26, 2), 26] for keys in moving)


def test_a_range_takes_those_frames_alone():
    source, target = swing(bare("Mocap")), bare("Hero")
    assert moved(source, target, frame_range=(5.0, None)).frames == 17
    assert moved(source, target, frame_range=(5.0, 9.0)).frames == 5


def test_a_clip_longer_than_the_scene_is_moved_whole_and_the_scene_stays():
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end, scene.use_preview_range = 24, 10, 90, True
    scene.frame_set(33)
    source, target = swing(bare("Mocap"), 1, 400), bare("Hero")
    before = (scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end, scene.frame_current)
    assert moved(source, target).frames == 400
    assert (
        scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end, scene.frame_current
    ) == before  # fmt: skip


def test_nothing_but_the_new_action_is_new():
    source, target = swing(bare("Mocap")), bare("Hero")
    bpy.context.scene.frame_set(7)
    bones = rest_bytes(source), rest_bytes(target)
    before = contents()
    result = moved(source, target, assign=False)
    after = contents()
    assert [key_ for key_ in after if key_ not in before] == [("actions", result.action)]
    assert (rest_bytes(source), rest_bytes(target)) == bones
    del after["actions", result.action]
    assert differences(before, after) == []


def test_the_result_stays_with_its_action():
    from surefoot.addon.retarget_result import kept_result

    source, target = swing(bare("Mocap")), bare("Hero")
    result = moved(source, target)
    assert result.action == f"{source.animation_data.action.name}_Hero"
    kept = kept_result(target.animation_data.action)
    assert kept == result.as_dict()
    assert kept["slide_after"] == result.slide_after
    assert kept_result(source.animation_data.action) is None
    target.animation_data.action["surefoot_retarget"] = "spoiled"
    assert kept_result(target.animation_data.action) is None


def test_corrections_of_both_rigs_count():
    source, target = swing(bare("Mocap")), bare("Hero")
    line = target.surefoot.corrections.add()
    line.role, line.bone = "head", "neck"
    result = moved(source, target)
    assert next(pair.target for pair in result.matched if pair.role == "head") == ("neck",)


def test_a_preview_of_the_target_ends_and_that_is_said():
    from surefoot.addon.setup import setup

    source, target = swing(bare("Mocap")), bare("Hero")
    setup(target, bpy.context.scene)
    target.surefoot.preview = True
    result = moved(source, target)
    assert not target.surefoot.preview
    assert "preview of Hero was switched off" in " ".join(result.notes)


@pytest.mark.parametrize(("source", "said"), [(None, "no source"), ("Hero", "its own source")], ids=str)
def test_a_pair_that_is_none_is_refused(source: str | None, said: str):
    from surefoot.addon.refusal import RefusedError

    target = bare("Hero")
    with pytest.raises(RefusedError, match=said):
        moved(target if source else None, target)


def test_rigs_in_excluded_collections_are_moved_all_the_same():
    source, target = swing(bare("Mocap")), bare("Hero")
    away = bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(away)
    for rig in (source, target):
        away.objects.link(rig)
        bpy.context.scene.collection.objects.unlink(rig)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    result = moved(source, target, reference="CURRENT_POSE")
    assert result.frames == 21
    assert target.animation_data.action.name == result.action


def test_a_linked_source_is_read_where_it_is(tmp_path: Path):
    swing(bare("Mocap"))
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.objects = [name for name in there.objects if name == "Mocap"]
    source, target = here.objects[0], bare("Hero")
    bpy.context.scene.collection.objects.link(source)
    bpy.context.view_layer.update()
    result = moved(source, target)
    assert result.coverage == (20, 20)
    assert source.library is not None
    bpy.data.libraries.remove(source.library)


def test_one_frame_is_a_pose():
    source, target = rest_keyed(bare("Mocap"), 1), bare("Hero")
    source.pose.bones["head"].rotation_mode = "XYZ"
    source.pose.bones["head"].rotation_euler.y = 0.5
    assert moved(source, target).frames == 1
    bpy.context.scene.frame_set(1)
    shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert shown.pose.bones["head"].matrix_basis.to_quaternion().angle == pytest.approx(0.5, abs=1e-3)


def test_a_key_that_is_no_number_is_refused_with_its_bone():
    from surefoot.addon.refusal import RefusedError
    from surefoot.addon.saved_state import curves_of as fcurves

    source, target = swing(bare("Mocap")), bare("Hero")
    animation = source.animation_data
    for curve in fcurves(animation.action, animation.action_slot):
        if "thigh.L" in curve.data_path:
            curve.keyframe_points[-1].co.y = float("nan")
    before = contents()
    with pytest.raises(RefusedError, match=r"thigh\.L has no place"):
        moved(source, target)
    assert [key_ for key_ in contents() if key_ not in before] == []
