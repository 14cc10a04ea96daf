"""Animation that Blender keeps and does not play is told by a bake, and left as it is."""

from __future__ import annotations

import bpy
import numpy as np
from support.stage import add_face, add_ground, add_person, channel_values, key
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.saved_state import channelbag_of, curves_of

FACE = 'pose.bones["face"].rotation_euler'
NOWHERE = [('pose.bones["Gone"].rotation_euler', k) for k in range(3)]


def person_with_a_face() -> bpy.types.Object:
    add_ground()
    rig = add_person()
    add_face(rig)
    rig.pose.bones["face"].rotation_mode = "XYZ"
    key(rig, FACE, {1: 0.0, 20: 0.5}, index=0)
    return rig


def curve(rig: bpy.types.Object, path: str, index: int, keys: int = 1) -> None:
    """A curve in the rig's Action, whether it leads anywhere or not."""
    animation = rig.animation_data
    made = channelbag_of(animation.action, animation.action_slot).fcurves.new(path, index=index)
    for k in range(keys):
        made.keyframe_points.insert(1.0 + k, 0.0)


def paths(rig: bpy.types.Object) -> set[tuple[str, int]]:
    animation = rig.animation_data
    return {(item.data_path, item.array_index) for item in curves_of(animation.action, animation.action_slot)}


def test_curves_of_the_former_action_that_move_nothing_are_counted_named_and_kept():
    rig = person_with_a_face()
    dead = [*NOWHERE, ("location", 7), ('["frown"]', 0)]
    for path, index in dead:
        curve(rig, path, index)
    curve(rig, FACE, 1, keys=0)
    (note,) = bake(rig, BakeOptions(1, 20, tolerance=0.001)).notes
    assert note.startswith("Curves of the former Action that move nothing")
    assert ": 6. " in note
    assert 'pose.bones["Gone"].rotation_euler[0]' in note
    assert note.endswith("and 1 more.")
    assert {*dead, (FACE, 0), (FACE, 1)} <= paths(rig)


def test_of_curves_that_all_move_something_nothing_is_said():
    rig = person_with_a_face()
    curve(rig, '["smile"]', 0)
    assert bake(rig, BakeOptions(1, 20)).notes == ()


def add_track(rig: bpy.types.Object) -> bpy.types.NlaTrack:
    """A track with a strip of an Action that only moves the face."""
    animation = rig.animation_data
    action = animation.action
    animation.action = None
    track = animation.nla_tracks.new()
    track.name = "Faces"
    track.strips.new("Face", 1, action)
    return track


def is_played(rig: bpy.types.Object) -> bool:
    bpy.context.scene.frame_set(2)
    before = channel_values(rig)
    bpy.context.scene.frame_set(18)
    return bool(np.abs(channel_values(rig) - before)[:3].max() > 0.1)


def test_a_solo_track_that_hides_the_bake_is_named_in_its_answer():
    rig = person_with_a_face()
    track = add_track(rig)
    track.is_solo = True
    (note,) = bake(rig, BakeOptions(1, 20)).notes
    assert "The NLA track Faces is solo" in note
    assert not is_played(rig)
    track.is_solo = False
    assert is_played(rig)


def test_an_influence_of_nothing_is_named_in_the_answer():
    rig = person_with_a_face()
    add_track(rig)
    rig.animation_data.action_influence = 0.0
    (note,) = bake(rig, BakeOptions(1, 20)).notes
    assert "influence of 0" in note
    assert not is_played(rig)


def test_a_solo_track_hides_nothing_where_the_nla_is_switched_off():
    rig = person_with_a_face()
    add_track(rig).is_solo = True
    rig.animation_data.use_nla = False
    assert bake(rig, BakeOptions(1, 20)).notes == ()
    assert is_played(rig)
