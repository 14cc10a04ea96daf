"""Actions by which a character gets up: marked, found by their names, told with their moments, and taken out again."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Quaternion
from support.drawn_panels import drawn
from surefoot.addon.add_character import add_character
from surefoot.addon.get_up_marks import get_up_remove, mark_get_up
from surefoot.addon.get_ups import rise_key, rise_takes_of
from surefoot.addon.hits import shove
from surefoot.addon.panels import get_ups as panel
from surefoot.addon.performers import config_of, reading_of
from surefoot.addon.refusal import RefusedError
from surefoot.addon.setup import setup

LIES, STANDS, LAST = 11, 41, 51


@pytest.fixture
def person():
    """A person that something hits."""
    rig = add_character(bpy.context, "PERSON", (0.0, 0.0, 0.0))
    setup(rig)
    shove(rig, (0.0, 1.0, 0.0), frame=5)
    return rig


def action_of_getting_up(rig, name="Mine"):
    """An Action that lies on its front until frame 11 and stands from 41 on."""
    action = bpy.data.actions.new(name)
    rig.animation_data_create().action = action
    for frame, share in ((1, 0.0), (LIES, 0.0), (STANDS, 1.0), (LAST, 1.0)):
        for bone in rig.pose.bones:
            bone.rotation_mode = "QUATERNION"
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        pelvis = rig.pose.bones["pelvis"]
        pelvis.rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 1.5 * (1.0 - share))
        pelvis.location = (0.0, -0.8 * (1.0 - share), 0.0)
        pelvis.keyframe_insert("rotation_quaternion", frame=frame)
        pelvis.keyframe_insert("location", frame=frame)
    for curve in action.layers[0].strips[0].channelbags[0].fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    rig.animation_data.action = None
    for bone in rig.pose.bones:
        bone.matrix_basis.identity()
    return action


def takes(rig):
    return rise_takes_of(rig, reading_of(rig, bpy.context.evaluated_depsgraph_get()))


def test_a_marked_action_is_a_take_with_the_moments_that_were_found(person):
    mark_get_up(person, action_of_getting_up(person))
    (take,) = takes(person)
    assert take.name == "Mine"
    # It stirs two frames after it begins to move, and stands when its last tenth is done.
    assert take.lying + 1.0 == pytest.approx(LIES, abs=3.0)
    assert take.standing + 1.0 == pytest.approx(STANDS, abs=3.0)


def test_moments_that_are_told_are_those_of_the_action(person):
    mark_get_up(person, action_of_getting_up(person), 6.0, 45.0, "QUICK", (20.0, 25.0))
    (take,) = takes(person)
    assert (take.lying, take.standing, take.style, take.air) == (5.0, 44.0, "QUICK", (19.0, 24.0))


def test_one_that_is_switched_off_and_one_without_action_are_none(person):
    mark_get_up(person, action_of_getting_up(person)).on = False
    person.surefoot.get_ups.add()
    assert takes(person) == ()


def test_an_action_that_is_called_as_libraries_call_it_is_found(person):
    action_of_getting_up(person, "Armature|GetUp_Front")
    assert [take.name for take in takes(person)] == ["Armature|GetUp_Front"]
    person.surefoot.get_ups_by_name = False
    assert takes(person) == ()


def test_a_character_that_nothing_hits_has_none(person):
    mark_get_up(person, action_of_getting_up(person))
    person.surefoot.hits.clear()
    assert takes(person) == ()
    assert rise_key(person) == ()


def test_the_core_gets_them_with_the_settings(person):
    mark_get_up(person, action_of_getting_up(person))
    reading = reading_of(person, bpy.context.evaluated_depsgraph_get())
    assert [take.name for take in config_of(person, reading).rise_takes] == ["Mine"]


def test_another_moment_is_another_key(person):
    entry = mark_get_up(person, action_of_getting_up(person))
    before = rise_key(person)
    entry.standing += 1.0
    assert rise_key(person) != before


def test_an_action_of_another_armature_is_refused_by_name(person):
    other = bpy.data.objects.new("Other", bpy.data.armatures.new("Other"))
    bpy.context.collection.objects.link(other)
    action = bpy.data.actions.new("Elsewhere")
    other.animation_data_create().action = action
    other.keyframe_insert("location", frame=1)
    with pytest.raises(RefusedError, match="Elsewhere"):
        mark_get_up(person, action)
    assert not person.surefoot.get_ups


def test_one_is_taken_out_of_the_list_and_the_action_stays(person):
    action = action_of_getting_up(person)
    mark_get_up(person, action)
    get_up_remove(person, 0)
    assert not person.surefoot.get_ups
    assert bpy.data.actions.get("Mine") is action
    with pytest.raises(RefusedError, match="no get-up number 0"):
        get_up_remove(person, 0)


def test_the_operators_do_the_same_for_the_action_that_is_played(person):
    bpy.context.view_layer.objects.active = person
    person.animation_data_create().action = action_of_getting_up(person)
    assert bpy.ops.surefoot.get_up_mark(style="QUICK") == {"FINISHED"}
    assert [(entry.action.name, entry.style) for entry in person.surefoot.get_ups] == [("Mine", "QUICK")]
    assert bpy.ops.surefoot.get_up_remove() == {"FINISHED"}
    assert not person.surefoot.get_ups


def test_the_panel_shows_the_moments_of_the_chosen_one(person):
    bpy.context.view_layer.objects.active = person
    mark_get_up(person, action_of_getting_up(person))
    assert {"lying", "standing", "leaps"} <= set(drawn(panel.SUREFOOT_PT_get_ups)["props"])
