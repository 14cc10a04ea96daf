"""A bake changes the rig's Action and nothing else; one undo takes even that back. Compared by Blender's own list."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Vector
from support.file_contents import Contents, contents, differences
from support.rigify_rigs import generated_rig
from support.stage import add_ground, key
from surefoot.addon.add_character import add_character
from surefoot.addon.setup import setup


def a_busy_file() -> None:
    """Ground, a lamp with an Action, a cube with a material, a second rig with an Action and an NLA strip, markers."""
    add_ground()
    bpy.ops.object.light_add(location=(3.0, 0.0, 4.0))
    lamp = bpy.context.object
    lamp.keyframe_insert("location", frame=1)
    lamp.location.z = 6.0
    lamp.keyframe_insert("location", frame=60)
    bpy.ops.mesh.primitive_cube_add(location=(20.0, 20.0, 1.0))
    cube = bpy.context.object
    cube.data.materials.append(bpy.data.materials.new("Paint"))
    cube.constraints.new("TRACK_TO").target = lamp
    cube["note"] = 3
    dog = add_character(bpy.context, "DOG", Vector((5.0, 0.0, 0.0)))
    key(dog, 'pose.bones["head"].rotation_quaternion', {1: 0.0, 40: 0.3}, index=1)
    dog.animation_data.nla_tracks.new().strips.new("Nod", 1, dog.animation_data.action)
    dog.animation_data.action = None
    bpy.context.scene.timeline_markers.new("here", frame=12)
    cube.select_set(True)


def a_person_in_it() -> bpy.types.Object:
    rig = add_character(bpy.context, "PERSON", Vector((0.0, 0.0, 0.0)))
    key(rig, 'pose.bones["head"].scale', {1: 1.0, 40: 1.5}, index=2)
    rig.animation_data.nla_tracks.new().strips.new("Kept", 100, rig.animation_data.action)
    return rig


def a_rigify_human_in_it() -> bpy.types.Object:
    return generated_rig("human")


@pytest.fixture(params=[a_person_in_it, pytest.param(a_rigify_human_in_it, marks=pytest.mark.grid)])
def rig(request) -> bpy.types.Object:
    a_busy_file()
    found = request.param()
    setup(found, bpy.context.scene)
    found.surefoot.preview = True
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 3, 70, 25
    scene.frame_set(20)
    bpy.context.view_layer.objects.active = found
    return found


def without(found: Contents, rig: bpy.types.Object) -> Contents:
    """The contents without the rig's own object, which the bake is about."""
    return {item: values for item, values in found.items() if item != ("objects", rig.name_full)}


def test_a_bake_adds_one_action_and_changes_no_other_data_block(rig: bpy.types.Object):
    before, former = without(contents(), rig), rig.animation_data and rig.animation_data.action
    bpy.ops.surefoot.bake(frame_start=1, frame_end=30)
    expected = [f"actions/{rig.animation_data.action.name_full} is new"]
    if former:
        expected.append(f"actions/{former.name_full}/users was {former.users + 1} and is {former.users}")
    assert differences(before, without(contents(), rig)) == expected


def test_a_bake_changes_of_its_rig_only_what_the_preview_and_the_action_are(rig: bpy.types.Object):
    item = ("objects", rig.name_full)
    before = {item: contents()[item]}
    bpy.ops.surefoot.bake(frame_start=1, frame_end=30)
    changed = {line.split("/", 2)[2].split(" was ")[0] for line in differences(before, {item: contents()[item]})}
    kept = {"nla_tracks", "constraints", "modifiers", "scale", "lock_", "select", "hide", "parent", "custom_shape"}
    of_others = [path for path in changed if not path.startswith("animation_data.action")]
    assert [path for path in of_others if any(word in path for word in kept)] == []
    assert "animation_data.action" in changed
    assert "surefoot.preview" in changed


def test_after_one_undo_every_data_block_is_as_it_was(rig: bpy.types.Object):
    before = contents()
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.bake("EXEC_DEFAULT", True, frame_start=1, frame_end=30)
    bpy.ops.ed.undo()
    assert differences(before, contents()) == []
