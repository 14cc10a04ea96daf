"""Actions for moves that no gait has: chosen, or found by the names that animation libraries have for them."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Quaternion
from surefoot.addon import carry_over
from surefoot.addon.add_character import add_character
from surefoot.addon.move_clips import move_actions, move_clips_of, moves_key
from surefoot.addon.performers import config_of, reading_of
from surefoot.addon.setup import setup
from surefoot.core.character import Character, driven_bones


@pytest.fixture
def person():
    """A person that reads the level."""
    rig = add_character(bpy.context, "PERSON", (0.0, 0.0, 0.0))
    setup(rig)
    rig.surefoot.body, rig.surefoot.parkour = "CAPSULE", True
    return rig


def clip(rig, name, bones=None, lift=0.0):
    """An Action of one second that turns bones of a rig, and lifts its pelvis."""
    action = bpy.data.actions.new(name)
    rig.animation_data_create().action = action
    for frame, share in ((1, 0.0), (13, 1.0), (25, 0.0)):
        for bone in bones or [bone.name for bone in rig.pose.bones]:
            part = rig.pose.bones[bone]
            part.rotation_mode = "QUATERNION"
            part.rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.4 * share)
            part.keyframe_insert("rotation_quaternion", frame=frame)
        part = rig.pose.bones["pelvis"]
        part.location = (0.0, lift * share, 0.0)
        part.keyframe_insert("location", frame=frame)
    rig.animation_data.action = None
    return action


def test_an_action_that_is_called_as_a_library_calls_a_move_is_found(person):
    safety, low = clip(person, "SafetyVault"), clip(person, "Armature|ClimbUp_1m")
    assert move_actions(person) == {"VAULT": safety, "CLIMB LOW": low}


def test_one_that_moves_few_bones_of_the_armature_is_not(person):
    clip(person, "SafetyVault", ["head"])
    assert move_actions(person) == {}


def test_none_is_found_where_that_is_switched_off(person):
    clip(person, "SafetyVault")
    person.surefoot.moves.by_name = False
    assert move_actions(person) == {}


def test_one_that_is_chosen_comes_before_one_that_is_found(person):
    clip(person, "SafetyVault")
    mine = clip(person, "Mine")
    person.surefoot.moves.vault = mine
    assert move_actions(person) == {"VAULT": mine}


def test_a_body_that_does_no_such_moves_has_none(person):
    clip(person, "SafetyVault")
    person.surefoot.parkour = False
    assert move_actions(person) == {}
    assert moves_key(person) == ()


def test_a_clip_is_read_once_and_again_when_it_is_edited(person):
    action = clip(person, "SafetyVault")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    reading = reading_of(person, depsgraph)
    before = move_clips_of(person, reading)
    assert move_clips_of(person, reading)[0][1] is before[0][1]
    key = moves_key(person)
    assert key == moves_key(person)
    assert [name for name, _ in before] == ["VAULT"]
    assert config_of(person, reading).move_clips == before
    action.layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points[1].co.y += 0.1
    carry_over.Paths.forgotten += 1
    assert moves_key(person) != key


def test_the_bones_of_a_clip_are_driven(person):
    clip(person, "SafetyVault")
    reading = reading_of(person, bpy.context.evaluated_depsgraph_get())
    rotated, located = driven_bones(Character(reading.rig, config_of(person, reading)))
    names = [bone.name for bone in reading.rig.skeleton.bones]
    assert {"hand.L", "head", "toe.R"} <= {names[i] for i in rotated}
    assert "pelvis" in {names[i] for i in located}
