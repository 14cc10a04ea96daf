"""The rig's own Action moves what the walk does not; set aside, only the walk moves the rig and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from support.stage import add_face, add_ground, add_person, key, shown_pose
from surefoot.addon.action_aside import moved_beside, set_aside
from surefoot.addon.refusal import RefusedError

FACE = 'pose.bones["face"].rotation_quaternion'
SHIN = 'pose.bones["shin.L"].rotation_quaternion'
WALKED = 20


def attacking(*, preview: bool = True) -> bpy.types.Object:
    """A person whose Action bends a bone that no walk drives, a leg's, and a number of the rig."""
    add_ground()
    rig = add_person()
    add_face(rig)
    for path in (FACE, SHIN):
        key(rig, path, {1: 0.5, 40: 0.9}, index=1)
    rig.keyframe_insert('["smile"]', frame=1)
    rig.animation_data.action.name = "Attack"
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.preview = preview
    bpy.context.scene.frame_set(WALKED)
    return rig


def turned(rig: bpy.types.Object, bone: str) -> float:
    """How far a bone's own channels turn it, in the evaluated rig."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return float(shown.pose.bones[bone].rotation_quaternion.to_exponential_map().length)


def test_what_the_action_moves_beside_the_walk_is_counted_and_what_the_walk_drives_is_not():
    rig = attacking()
    assert moved_beside(rig) == ("Attack", 1, 1)
    key(rig, 'pose.bones["face"].location', {1: 0.0}, index=2)
    bpy.context.scene.frame_set(WALKED + 1)
    assert moved_beside(rig) == ("Attack", 1, 1)
    rig.keyframe_insert("show_name", frame=1)
    bpy.context.scene.frame_set(WALKED + 2)
    assert moved_beside(rig) == ("Attack", 1, 2)


def test_an_action_that_moves_only_what_the_walk_drives_and_our_own_bake_are_none():
    add_ground()
    rig = add_person()
    key(rig, SHIN, {1: 0.5}, index=1)
    rig.surefoot.preview = True
    assert moved_beside(rig) is None
    bpy.context.view_layer.objects.active = rig
    add_face(rig)
    bpy.ops.surefoot.bake(frame_start=1, frame_end=5)
    key(rig, FACE, {1: 0.5}, index=1)
    rig.surefoot.preview = True
    assert moved_beside(rig) is None


def test_set_aside_the_walk_goes_on_and_what_it_does_not_move_is_at_rest():
    rig = attacking()
    assert turned(rig, "face") > 0.5
    walk = shown_pose(rig)
    assert bpy.ops.surefoot.set_action_aside() == {"FINISHED"}
    bpy.context.scene.frame_set(WALKED)
    assert rig.animation_data.action is None
    assert turned(rig, "face") == 0.0
    face = 1 + rig.pose.bones.find("face")
    assert np.array_equal(np.delete(shown_pose(rig), face, axis=0), np.delete(walk, face, axis=0))
    assert moved_beside(rig) is None


def test_after_the_preview_no_bone_is_left_where_the_action_had_it():
    rig = attacking()
    set_aside(rig)
    rig.surefoot.preview = False
    bpy.context.view_layer.update()
    assert turned(rig, "shin.L") == turned(rig, "face") == 0.0


def test_without_a_preview_all_that_it_moved_goes_to_rest():
    rig = attacking(preview=False)
    assert turned(rig, "shin.L") > 0.5
    set_aside(rig)
    bpy.context.view_layer.update()
    assert turned(rig, "shin.L") == turned(rig, "face") == 0.0


def test_the_action_is_saved_with_the_file(tmp_path: Path):
    attacking()
    bpy.ops.surefoot.set_action_aside()
    path = str(tmp_path / "aside.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert [action.name for action in bpy.data.actions] == ["Attack"]
    assert bpy.data.objects["Person"].animation_data.action is None


def test_one_undo_has_the_action_play_again():
    attacking()
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.set_action_aside()
    bpy.ops.ed.undo_push(message="aside")
    bpy.ops.ed.undo()
    rig = bpy.data.objects["Person"]
    assert rig.animation_data.action.name == "Attack"
    bpy.context.scene.frame_set(WALKED + 1)
    assert turned(rig, "face") > 0.5
    assert moved_beside(rig) == ("Attack", 1, 1)


def test_where_there_is_no_action_it_says_so():
    add_ground()
    rig = add_person()
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match="Person has no Action to set aside"):
        bpy.ops.surefoot.set_action_aside()
    with pytest.raises(RefusedError, match="no Action"):
        set_aside(rig)
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.surefoot.set_action_aside()
