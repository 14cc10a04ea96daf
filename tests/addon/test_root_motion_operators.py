"""The operators: a new Action beside the old one, options, undo, refusals in sentences."""

from __future__ import annotations

from math import pi, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.moved_rigs import act, moved_about, person, worlds

PELVIS = (0.0, 0.0, 0.95)
ALL = ("root_extract", "in_place", "remove_lift", "straighten_heading", "join_loop", "mirror", "trim", "resample")


def walker() -> bpy.types.Object:
    """A person that goes, active, with a face that something else moves and a smile that is keyed by hand."""
    rig = person()
    times = np.arange(25.0)
    moves = moved_about(
        lambda t: (0.0, -0.05 * t, 0.95 + 0.03 * sin(2 * pi * t / 12)), lambda _: 0.0, PELVIS, times
    )
    down = Matrix.Translation([-v for v in PELVIS])
    turns = [Matrix.Translation(PELVIS) @ Matrix.Rotation(0.4 * sin(2 * pi * t / 24), 4, "X") @ down for t in times]
    swings = [m @ turn for m, turn in zip(moves, turns, strict=True)]
    act(rig, {"pelvis": moves, "thigh.L": swings})
    rig["smile"] = 0.0
    for frame, value in ((3, 0.0), (11, 1.0), (20, 0.25)):
        rig["smile"] = value
        rig.keyframe_insert('["smile"]', frame=frame)
    face = rig.pose.bones["face"]
    for frame, value in ((1, 0.0), (14, 0.1)):
        face.location.x = value
        face.keyframe_insert("location", index=0, frame=frame)
    bpy.context.view_layer.objects.active = rig
    return rig


def keys(rig: bpy.types.Object, path: str) -> list[tuple[float, ...]]:
    """All that the keys of a curve hold."""
    from surefoot.addon.saved_state import curves_of

    curve = next(c for c in curves_of(rig.animation_data.action, rig.animation_data.action_slot) if c.data_path == path)
    return [(*k.co, *k.handle_left, *k.handle_right, k.interpolation) for k in curve.keyframe_points]


@pytest.mark.parametrize("name", ALL)
def test_each_makes_a_new_action_beside_the_old_one(name: str):
    rig = walker()
    old = rig.animation_data.action
    before = keys(rig, '["smile"]')
    assert getattr(bpy.ops.surefoot, name)() == {"FINISHED"}
    new = rig.animation_data.action
    assert new != old
    assert new.name.startswith("Clip ")
    assert rig.animation_data.action_slot is not None
    assert keys(rig, '["smile"]') == before
    rig.animation_data.action = old
    assert keys(rig, '["smile"]') == before


@pytest.mark.parametrize("name", ["root_extract", "in_place", "straighten_heading"])
def test_bones_below_the_body_keep_their_own_keys(name: str):
    rig = walker()
    paths = ['pose.bones["face"].location', 'pose.bones["thigh.L"].rotation_quaternion']
    before = [keys(rig, path) for path in paths]
    getattr(bpy.ops.surefoot, name)()
    assert [keys(rig, path) for path in paths] == before


def test_replacing_the_result_takes_the_old_ones_place_wherever_it_is_used():
    rig = walker()
    count = len(bpy.data.actions)
    track = rig.animation_data.nla_tracks.new()
    track.strips.new("walk", 50, rig.animation_data.action)
    track.mute = True
    bpy.ops.surefoot.in_place(replace=True)
    assert len(bpy.data.actions) == count
    assert rig.animation_data.action.name == "Clip"
    assert track.strips[0].action == rig.animation_data.action
    assert np.ptp(worlds(rig, ["pelvis"], range(1, 26))[:, 0, 1, 3]) < 0.1


def test_one_undo_takes_it_back():
    rig = walker()
    name = rig.name
    bpy.ops.ed.undo_push()
    bpy.ops.surefoot.root_extract()
    bpy.ops.ed.undo_push()
    assert "Clip Root Motion" in bpy.data.actions
    bpy.ops.ed.undo()
    assert "Clip Root Motion" not in bpy.data.actions
    assert bpy.data.objects[name].animation_data.action.name == "Clip"


def test_the_action_that_is_named_is_changed_though_another_plays():
    rig = walker()
    named = rig.animation_data.action
    rig.animation_data.action = bpy.data.actions.new("Other")
    bpy.ops.surefoot.in_place(action=named.name)
    assert rig.animation_data.action.name == "Clip In Place"


def no_action(rig: bpy.types.Object) -> None:
    rig.animation_data_clear()


def only_strips(rig: bpy.types.Object) -> None:
    action = rig.animation_data.action
    rig.animation_data.nla_tracks.new().strips.new("walk", 1, action)
    rig.animation_data.action = None


def empty_action(rig: bpy.types.Object) -> None:
    rig.animation_data.action = bpy.data.actions.new("Empty")


def tweaked(rig: bpy.types.Object) -> None:
    only_strips(rig)
    rig.animation_data.nla_tracks[0].strips[0].select = True
    rig.animation_data.nla_tracks.active = rig.animation_data.nla_tracks[0]
    rig.animation_data.use_tweak_mode = True


def rootless(rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.remove(rig.data.edit_bones["root"])
    bpy.ops.object.mode_set(mode="OBJECT")


REFUSED = {
    "no Action": (no_action, "in_place", {}, "has no Action to change"),
    "strips": (only_strips, "in_place", {}, "animated by NLA strips alone"),
    "empty": (empty_action, "in_place", {}, "moves no bone"),
    "tweak mode": (tweaked, "in_place", {}, "tweak mode"),
    "no root": (rootless, "root_extract", {"carrier": "ROOT_BONE"}, "has no root bone"),
    "nothing to put back": (lambda _: None, "root_put_back", {}, "does not move"),
    "no axis": (lambda _: None, "in_place", {"axes": set()}, "No axis"),
    "range": (lambda _: None, "trim", {"frame_start": 30.0}, "are no part of the Action"),
    "short": (lambda _: None, "join_loop", {"frame_end": 3.0}, "a loop needs at least"),
    "unknown": (lambda _: None, "mirror", {"action": "Gone"}, "no Action Gone"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_done_is_said_and_nothing_is_made(case: str):
    change, name, options, said = REFUSED[case]
    rig = walker()
    change(rig)
    count = len(bpy.data.actions)
    with pytest.raises(RuntimeError, match=said):
        getattr(bpy.ops.surefoot, name)(**options)
    assert len(bpy.data.actions) == count


def test_a_linked_armature_and_a_missing_one_are_refused_before():
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="Select an armature first"):
        bpy.ops.surefoot.mirror()


@pytest.mark.parametrize("name", ALL)
def test_nothing_else_in_the_file_is_changed(name: str):
    from support.file_contents import contents, differences

    rig = walker()
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_create().action = bpy.data.actions.new("Another")
    rig.pose.bones["hand.R"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    hand = rig.pose.bones["hand.R"].rotation_quaternion.copy()
    bpy.context.scene.frame_set(7)
    before = contents()
    getattr(bpy.ops.surefoot, name)()
    new = rig.animation_data.action.name
    allowed = (f"actions/{new} is new", "actions/Clip/use_fake_user was", "objects/Person/")
    assert [line for line in differences(before, contents()) if not line.startswith(allowed)] == []
    assert rig.pose.bones["hand.R"].rotation_quaternion == hand


def test_slots_of_other_things_stay_with_the_old_action():
    rig = walker()
    old = rig.animation_data.action
    prop = bpy.data.objects.new("Prop", None)
    slot = old.slots.new("OBJECT", "Prop")
    prop.animation_data_create().action = old
    prop.animation_data.action_slot = slot
    prop.keyframe_insert("location", frame=3)
    bpy.ops.surefoot.trim(frame_start=5.0)
    new = rig.animation_data.action
    assert [item.name_display for item in new.slots] == ["Person"]
    assert len(old.slots) == 2
    assert prop.animation_data.action == old
