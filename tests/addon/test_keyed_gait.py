"""A gait that is keyed: which one holds is a question of the frame, not of what is shown."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.odd_walks import problems_of
from support.stage import add_ground, add_person, key, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers
from surefoot.addon.saved_state import curves_of

SWITCH, LAST = 40, 80


def key_gaits(rig: bpy.types.Object, gaits: dict[int, str]) -> None:
    for frame, gait in gaits.items():
        rig.surefoot.gait = gait
        rig.keyframe_insert("surefoot.gait", frame=frame)


def person_with_keyed_gait() -> bpy.types.Object:
    """Walks from frame 1 on and runs from SWITCH on, at 2 m/s."""
    rig = previewed_person()
    rig.surefoot.speed = 2.0
    key_gaits(rig, {1: "WALK", SWITCH: "RUN"})
    return rig


def gait_at(rig: bpy.types.Object, frame: int) -> str:
    return performers.get(rig.session_uid).cache.get(frame).memory.gait.gait


def test_a_key_of_the_gait_holds_until_the_next_one():
    rig = person_with_keyed_gait()
    bpy.context.scene.frame_set(LAST)
    assert [gait_at(rig, frame) for frame in (1, SWITCH - 1, SWITCH, LAST)] == ["WALK", "WALK", "RUN", "RUN"]


def test_a_jump_over_the_key_shows_what_playing_shows():
    rig = person_with_keyed_gait()
    played = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, SWITCH + 3, 10, SWITCH - 1):
        assert np.array_equal(pose_at(rig, frame), played[frame])


def test_showing_a_frame_of_another_gait_keeps_all_that_is_known():
    rig = person_with_keyed_gait()
    bpy.context.scene.frame_set(LAST)
    known = performers.get(rig.session_uid).cache.get(LAST)
    for frame in (10, LAST, 20):
        bpy.context.scene.frame_set(frame)
    assert performers.get(rig.session_uid).cache.get(LAST) is known


def test_a_key_that_is_moved_changes_what_comes_after_it():
    rig = person_with_keyed_gait()
    bpy.context.scene.frame_set(LAST)
    animation = rig.animation_data
    (curve,) = curves_of(animation.action, animation.action_slot)
    curve.keyframe_points[1].co.x = SWITCH + 20
    curve.update()
    bpy.context.scene.frame_set(LAST)
    assert (gait_at(rig, SWITCH + 19), gait_at(rig, SWITCH + 20)) == ("WALK", "RUN")


def test_keyed_gait_and_speed_go_together_and_bake_as_they_are_shown():
    rig = person_with_keyed_gait()
    key(rig, "surefoot.speed", {1: 1.2, SWITCH: 3.0})
    shown = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1, 7)}
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in shown.items():
        assert np.abs(pose_at(rig, frame) - pose).max() < 1e-4


def test_a_gait_in_an_nla_strip_is_read_by_walking_the_frames():
    rig = person_with_keyed_gait()
    animation = rig.animation_data
    track = animation.nla_tracks.new()
    strip = track.strips.new("keys", 1, animation.action)
    strip.action_slot = animation.action_slot
    animation.action = None
    bpy.context.scene.frame_set(LAST)
    assert [gait_at(rig, frame) for frame in (SWITCH - 1, SWITCH, LAST)] == ["WALK", "RUN", "RUN"]


@pytest.mark.parametrize("gait", ["TROT", "RUN"])
def test_without_keys_the_gait_is_the_settings_and_is_told_where_it_does_not_fit(gait: str):
    add_ground()
    rig = add_person()
    rig.surefoot.gait = gait
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(10)
    assert performers.get(rig.session_uid).cache.get(10).inputs.gait == ""
    assert ("Trot is not made for 2 legs" in problems_of(rig)) == (gait == "TROT")


def test_a_keyed_gait_that_does_not_fit_is_listed_and_said_by_a_bake():
    rig = person_with_keyed_gait()
    key_gaits(rig, {SWITCH: "TROT"})
    bpy.context.scene.frame_set(SWITCH - 10)
    assert "Trot is not made for 2 legs" in problems_of(rig)
    (note,) = bake(rig, BakeOptions(1, 5)).notes
    assert "Trot is not made for 2 legs" in note
