"""Frame rates, negative frames, remapped time, sub-frames, unit scales; Actions and strips of every kind."""

from __future__ import annotations

from math import pi
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.odd_walks import (
    add_curve,
    add_empty,
    assert_bakes_as_shown,
    assert_walks,
    body_of,
    walked,
)
from support.stage import add_face, add_ground, add_person, channel_values, key, pose_at, previewed_person
from surefoot.addon.add_character import add_character
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.report import report
from surefoot.addon.saved_state import channelbag_of, curves_of
from surefoot.addon.setup import remove, setup, teleport

GONE = 1.4 * 59 / 24 - 0.5 * 1.4 * 1.4 / 2.5
THIGH = 'pose.bones["thigh.L"].rotation_quaternion'


def play_rate(fps: int, base: float) -> float:
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = fps, base
    return fps / base


@pytest.mark.parametrize(
    ("fps", "base"), [(24, 1.001), (25, 1.0), (30, 1.001), (60, 1.0), (120, 1.0), (120, 4.0)], ids=str
)
def test_a_second_is_a_second_at_any_frame_rate(fps: int, base: float):
    rig = previewed_person()
    rate = play_rate(fps, base)
    seconds = 59 / rate
    walk = walked(rig, 1, 60) if seconds > 2.0 else walked(rig, 1, round(2.5 * rate))
    assert walk.slide < 0.0005
    assert walk.measured["fps"] == pytest.approx(rate)
    first, last = round(rate), round(2.0 * rate)
    bpy.context.scene.frame_set(first)
    begin = body_of(rig)
    bpy.context.scene.frame_set(last)
    assert (body_of(rig) - begin).length / ((last - first) / rate) == pytest.approx(1.4, rel=0.01)
    assert_bakes_as_shown(rig, last)


def test_one_frame_a_second_still_walks():
    rig = previewed_person()
    play_rate(1, 1.0)
    bpy.context.scene.frame_set(10)
    assert -body_of(rig).y == pytest.approx(1.4 * 9 - 0.5 * 1.4 * 1.4 / 2.5, rel=0.03)


@pytest.mark.parametrize("name", ["speed", "turn_rate"])
def test_a_setting_that_a_script_makes_no_number_hangs_nothing(name: str):
    rig = previewed_person()
    setattr(rig.surefoot, name, float("nan"))
    bpy.context.scene.frame_set(5)
    cache = performers.get(rig.session_uid).cache
    known = cache.get(5)
    bpy.context.scene.frame_set(5)
    assert cache.get(5) is known
    assert_bakes_as_shown(rig, 10)


def test_negative_frames_walk_bake_and_report_like_any_others():
    rig = previewed_person()
    rig.surefoot.frame_start = -50
    walk = walked(rig, -50, 9)
    assert walk.way.length == pytest.approx(GONE, rel=0.03)
    shown = pose_at(rig, -20)
    bake(rig, BakeOptions(-50, 9))
    assert np.abs(pose_at(rig, -20) - shown).max() < 1e-5
    assert {tuple(curve.range()) for curve in curves_of(*action_of(rig))} == {(-50.0, 9.0)}
    assert walked(rig, -50, 9).contacts == walk.contacts


def action_of(rig: bpy.types.Object) -> tuple[Any, Any]:
    return rig.animation_data.action, rig.animation_data.action_slot


def test_under_remapped_time_the_bake_still_plays_what_the_preview_showed():
    rig = previewed_person()
    bpy.context.scene.render.frame_map_new = 200
    assert_walks(rig, metres=GONE)
    assert_bakes_as_shown(rig)
    assert [curve.range()[1] for curve in curves_of(*action_of(rig))][0] == 30.0


def test_a_sub_frame_asks_for_one_frame_more_and_moves_nothing_else():
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    bpy.context.scene.frame_set(20, subframe=0.25)
    assert len(performers.get(rig.session_uid).cache) == 21
    bpy.context.scene.frame_set(-3, subframe=0.5)
    assert len(performers.get(rig.session_uid).cache) == 21
    assert body_of(rig).y == pytest.approx(0.0, abs=0.05)


def test_a_driven_speed_is_that_of_each_frame_however_it_is_reached():
    rig = previewed_person()
    rig.driver_add("surefoot.speed").driver.expression = "0.5 + frame * 0.01"
    played = [pose_at(rig, number) for number in range(1, 41)][-1]
    performers.clear()
    bpy.context.scene.frame_set(1)
    assert np.array_equal(pose_at(rig, 40), played)
    expected = sum((0.5 + 0.01 * frame) / 24 for frame in range(2, 41))
    assert -body_of(rig).y == pytest.approx(expected, rel=0.06)
    rig.driver_remove("surefoot.speed")


# units


def world_of(scale: float, director: str, travel: str) -> tuple[list[np.ndarray], dict[str, Any]]:
    """The same scene in units of `scale` metres: places at some frames in metres with turns, and the report."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", scale
    key(add_ground(40.0 / scale), "location", {1: 0.0, 60: 0.5 / scale}, index=2)
    rig = add_character(bpy.context, "PERSON", Vector((1.0, 2.0, 0.0)) / scale)
    setup(rig, scene)
    settings = rig.surefoot
    settings.travel, settings.director = travel, director
    settings.path = add_curve([(1.0 / scale, 2.0 / scale, 0.0), (1.0 / scale, -6.0 / scale, 0.0)])
    settings.target = settings.mover = add_empty("Goal")
    key(settings.mover, "location", {1: 0.0, 60: -3.0 / scale}, index=1)
    teleport(rig, 50, (3.0 / scale, 3.0 / scale, 0.0), pi / 3)
    poses = []
    for frame in (1, 13, 30, 47, 55):
        pose = pose_at(rig, frame)
        poses.append(np.array([(pose[0] @ bone)[:3, 3] * scale for bone in pose[1:]]))
    return poses, report(rig, scene, 1, 48)


@pytest.mark.parametrize("scale", [0.01, 100.0])
@pytest.mark.parametrize(
    ("director", "travel"),
    [("AHEAD", "OBJECT"), ("AHEAD", "ROOT_BONE"), ("PATH", "OBJECT"), ("TARGET", "OBJECT"), ("MOVER", "ROOT_BONE")],
)
def test_in_a_scene_of_other_units_the_same_walk_is_walked_in_metres(scale: float, director: str, travel: str):
    metres, measured = world_of(1.0, director, travel)
    others, told = world_of(scale, director, travel)
    for pose, other in zip(metres, others, strict=True):
        assert np.abs(pose - other).max() < 0.0005
    if director in {"AHEAD", "PATH"}:
        assert told["speed_error"] == pytest.approx(measured["speed_error"], abs=1e-4)
    for role, foot in measured["feet"].items():
        assert [span["start"] for span in told["feet"][role]["contacts"]] == pytest.approx(
            [span["start"] for span in foot["contacts"]], abs=0.02
        )
        assert told["feet"][role]["stride_m"] == pytest.approx(foot["stride_m"], abs=0.001)


def test_without_a_unit_system_a_unit_is_a_metre():
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.context.scene.unit_settings.system = "NONE"
    assert_walks(previewed_person(), metres=GONE)


def test_a_changed_unit_scale_is_seen_at_the_next_frame():
    rig = previewed_person()
    in_metres = pose_at(rig, 30)
    bpy.context.scene.unit_settings.scale_length = 0.5
    assert np.abs(pose_at(rig, 30) - in_metres).max() > 0.1
    bpy.context.scene.unit_settings.scale_length = 1.0
    assert np.array_equal(pose_at(rig, 30), in_metres)


# Actions and strips


def with_strips() -> bpy.types.Object:
    """A person with a face, and two NLA tracks: one on a leg, one on the face."""
    add_ground()
    rig = add_person()
    add_face(rig)
    for path, index, value in ((THIGH, 1, 0.2), ('pose.bones["face"].location', 1, 0.5)):
        key(rig, path, {1: 0.0, 30: value}, index=index)
        action = rig.animation_data.action
        rig.animation_data.action = None
        strip = rig.animation_data.nla_tracks.new().strips.new(path, 1, action)
        strip.action_slot = strip.action_suitable_slots[0]
    return rig


def strips_of(rig: bpy.types.Object) -> list[Any]:
    return [
        (track.name, track.mute, [(strip.name, strip.frame_start, strip.frame_end, strip.action.name)])
        for track in rig.animation_data.nla_tracks
        for strip in track.strips
    ]


@pytest.mark.parametrize("mute", [False, True])
def test_over_nla_strips_the_legs_walk_the_face_plays_and_the_strips_stay(mute: bool):
    rig = with_strips()
    for track in rig.animation_data.nla_tracks:
        track.mute = mute
    before = strips_of(rig)
    rig.surefoot.preview = True
    assert_walks(rig, metres=GONE)
    bpy.context.scene.frame_set(15)
    face = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["face"].location.y
    if not mute:
        assert face == pytest.approx(0.5 * 14 / 29, abs=1e-4)
    shown = channel_values(rig)
    bake(rig, BakeOptions(1, 60))
    bpy.context.scene.frame_set(15)
    assert np.abs(channel_values(rig) - shown).max() < 1e-5
    assert strips_of(rig) == before


def test_in_tweak_mode_the_preview_goes_on_and_the_bake_says_to_leave_it():
    rig = with_strips()
    animation = rig.animation_data
    animation.nla_tracks.active = animation.nla_tracks[0]
    animation.nla_tracks[0].strips[0].select = True
    animation.use_tweak_mode = True
    assert animation.use_tweak_mode
    before = strips_of(rig)
    rig.surefoot.preview = True
    assert_walks(rig, metres=GONE)
    with pytest.raises(RefusedError, match="tweak mode"):
        bake(rig, BakeOptions(1, 20))
    assert strips_of(rig) == before


def test_curves_that_lead_nowhere_neither_stop_anything_nor_get_lost():
    add_ground()
    rig = add_person()
    key(rig, THIGH, {1: 0.0, 30: 0.3}, index=1)
    lost = [('pose.bones["gone"].location', 0), ("nonsense", 0), ('pose.bones["head"].location', 7), ('["none"]', 0)]
    bag = channelbag_of(*action_of(rig))
    for path, index in lost:
        bag.fcurves.new(path, index=index).keyframe_points.insert(1.0, 0.5)
    bag.fcurves.new('pose.bones["tail"].scale', index=1)
    rig.surefoot.preview = True
    assert_walks(rig, metres=GONE)
    bake(rig, BakeOptions(1, 60))
    kept = {(curve.data_path, curve.array_index) for curve in curves_of(*action_of(rig))}
    assert {*lost, ('pose.bones["tail"].scale', 1)} <= kept
    assert len(bag.fcurves) == 6


def test_an_action_of_another_rig_without_a_slot_for_this_one_stays_as_it_was():
    add_ground()
    rig, other = add_person(), add_person(place=(3.0, 0.0, 0.0))
    key(other, THIGH, {1: 0.0, 30: 0.3}, index=1)
    action = other.animation_data.action
    rig.animation_data_create().action = action
    assert rig.animation_data.action_slot is None
    rig.surefoot.preview = True
    assert_walks(rig, metres=GONE)
    bake(rig, BakeOptions(1, 20))
    assert [slot.identifier for slot in action.slots] == ["OBPerson.001"]
    assert rig.animation_data.action != action


def test_an_action_shared_with_another_rig_goes_on_moving_that_one():
    add_ground()
    rig, other = add_person(), add_person(place=(3.0, 0.0, 0.0))
    key(other, THIGH, {1: 0.0, 30: 0.3}, index=1)
    rig.animation_data_create().action = other.animation_data.action
    rig.animation_data.action_slot = rig.animation_data.action_suitable_slots[0]
    before = pose_at(other, 20)
    rig.surefoot.preview = True
    assert np.array_equal(pose_at(other, 20), before)
    bake(rig, BakeOptions(1, 30))
    assert np.array_equal(pose_at(other, 20), before)


# reports


def test_a_foreign_action_on_a_rig_that_is_not_set_up_is_measured_and_nothing_is_left_behind():
    rig = previewed_person()
    bake(rig, BakeOptions(-20, 40))
    del rig.animation_data.action["surefoot_bake"]
    remove(rig)
    measured = report(rig, bpy.context.scene, -20, 40)
    assert rig.surefoot.version == 0
    assert (measured["frame_start"], measured["speed_error"], measured["path_error"]) == (-20, None, None)
    spans = [span for foot in measured["feet"].values() for span in foot["contacts"]]
    assert len(spans) >= 4
    assert not any(span["planned"] for span in spans)
    assert max(span["slide_m"] for span in spans) < 0.005


def test_a_rig_without_legs_has_nothing_to_report_and_it_is_said():
    from support.armatures import BonePlan, build_armature

    rig = build_armature((BonePlan("frame", "", (0, 0, 0), (0, 0.3, 0)),))
    key(rig, "location", {1: 0.0, 9: 1.0}, index=0)
    with pytest.raises(RefusedError, match="no feet to measure"):
        report(rig, bpy.context.scene, 1, 10)


def test_what_a_frame_costs_is_told_for_what_was_computed_in_this_session():
    rig = previewed_person()
    assert 0.0 < report(rig, bpy.context.scene, 1, 20)["cost_ms"] < 1000.0
    bake(rig, BakeOptions(1, 20))
    performers.clear()
    assert report(rig, bpy.context.scene, 1, 20)["cost_ms"] is None


def test_the_report_has_the_keys_of_the_contract():
    measured = report(previewed_person(), bpy.context.scene, 1, 60)
    assert list(measured) == [
        "version", "fps", "frame_start", "frame_end", "speed_error", "path_error", "cost_ms", "feet",
    ]  # fmt: skip
    foot = measured["feet"]["leg.L"]
    assert list(foot) == [
        "contacts", "slide_max_m", "pop_deg", "duty_factor", "phase_offset", "cadence_spm", "stride_m", "flight",
        "double_support",
    ]  # fmt: skip
    assert list(foot["contacts"][0]) == [
        "start", "end", "planned", "slide_m", "slide_speed_median", "slide_speed_p95", "below_m", "above_m",
    ]  # fmt: skip
