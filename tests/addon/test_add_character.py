"""Add > Armature > Surefoot builds the presets' characters in the scene."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.rigs import CHARACTERS, blueprint
from surefoot.addon.add_character import add_character, characters
from surefoot.addon.refusal import RefusedError
from surefoot.core.rig.body_mesh import build_body

PRESETS = sorted(path.stem.upper() for path in CHARACTERS.glob("*.toml"))
PLACE = Vector((1.0, -2.0, 0.5))
ROLL = 5e-5  # radians: what Blender loses where it turns a roll near a half turn back into axes


def add(preset: str) -> bpy.types.Object:
    return add_character(bpy.context, preset, PLACE)


def test_there_is_a_character_for_each_preset_file():
    assert sorted(characters()) == PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_bones_rest_as_the_preset_says(preset: str):
    armature = add(preset)
    skeleton = blueprint(preset.lower()).skeleton()
    assert {bone.name for bone in armature.data.bones} == set(skeleton.index)
    for wanted in skeleton.bones:
        bone = armature.data.bones[wanted.name]
        parent = skeleton.bones[wanted.parent].name if wanted.parent >= 0 else ""
        assert np.abs(np.array(bone.matrix_local) - np.array(wanted.rest)).max() < ROLL, bone.name
        assert (bone.parent.name if bone.parent else "") == parent
        assert (bone.use_connect, bone.use_deform) == (wanted.connected, wanted.deform)


@pytest.mark.parametrize("preset", PRESETS)
def test_at_rest_the_skinned_body_stands_on_the_ground_at_the_place(preset: str):
    armature = add(preset)
    (body,) = armature.children
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    skinned = np.array([tuple(body.matrix_world @ vertex.co) for vertex in evaluated.data.vertices])
    wanted = build_body(blueprint(preset.lower())).vertices + np.array(PLACE)
    assert np.abs(skinned - wanted).max() < 1e-5
    assert skinned[:, 2].min() == pytest.approx(PLACE.z, abs=1e-6)


def test_a_bent_knee_takes_the_shin_along_and_leaves_the_pelvis():
    armature = add("PERSON")
    (body,) = armature.children
    armature.pose.bones["shin.L"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    bpy.context.view_layer.update()
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    moved = np.array([(v.co - w.co).length for v, w in zip(evaluated.data.vertices, body.data.vertices, strict=True)])
    foot = [v.index for v in body.data.vertices if v.co.x > 0.0 and v.co.z < 0.1]
    above = [v.index for v in body.data.vertices if v.co.z > 0.8 or v.co.x < 0.0]
    assert moved[foot].min() > 0.3
    assert moved[above].max() < 1e-6


def test_the_new_armature_is_active_and_the_only_one_selected():
    first = add("DOG")
    second = add("DOG")
    assert bpy.context.view_layer.objects.active == second
    assert bpy.context.selected_objects == [second]
    assert first.name == "Dog"
    assert second.name == "Dog.001"


def test_a_second_character_of_the_kind_shares_the_colours_unless_they_were_changed():
    add("DOG")
    count = len(bpy.data.materials)
    add("DOG")
    assert len(bpy.data.materials) == count
    bpy.data.materials["Dog coat"].diffuse_color = (0.0, 0.0, 1.0, 1.0)
    third = add("DOG")
    assert "Dog coat.001" in third.children[0].data.materials


def test_in_another_mode_it_is_refused_with_a_remedy_and_nothing_is_added():
    add("PERSON")
    bpy.ops.object.mode_set(mode="POSE")
    count = len(bpy.data.objects)
    with pytest.raises(RefusedError, match="Object Mode"):
        add("DOG")
    assert len(bpy.data.objects) == count


def test_an_unknown_character_is_refused_with_those_that_there_are():
    with pytest.raises(RefusedError, match="'CENTAUR'; there are .*PERSON"):
        add("CENTAUR")


def test_the_operator_adds_at_the_location_and_one_undo_takes_all_of_it_back():
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.surefoot.add_character(preset="SPIDER", location=PLACE) == {"FINISHED"}
    assert bpy.data.objects["Spider"].location == PLACE
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert not bpy.data.objects
    assert not bpy.data.armatures


@pytest.mark.parametrize("preset", PRESETS)
def test_a_character_is_added_with_the_speed_and_the_settings_of_its_preset(preset: str):
    settings = add(preset).surefoot
    wanted = blueprint(preset.lower())
    assert settings.speed == pytest.approx(wanted.speed)
    assert {name: getattr(settings, name) for name in wanted.settings} == pytest.approx(wanted.settings)


def test_a_bird_bobs_its_head_and_a_person_does_not():
    assert add("BIRD").surefoot.head_bob == 1.0
    assert add("PERSON").surefoot.head_bob == 0.0
