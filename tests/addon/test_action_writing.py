"""A clip written as an Action plays as the clip, whoever carries its travel, wherever and however the rig stands."""

from __future__ import annotations

from math import pi, radians

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from support.retargeting import still_clip, wild_clip
from support.stage import add_person
from support.written_clips import farthest, played, reading_of, values_of, written

CARRIERS = ("PELVIS", "ROOT_BONE", "OBJECT")
# Blender's own rest poses are out of square by 5e-5: no rotation shows a clip any nearer.
AS_SHOWN = 3e-5


@pytest.fixture
def rig():
    bpy.context.scene.render.fps = 60
    return add_person()


@pytest.mark.parametrize("travel", CARRIERS)
def test_the_action_plays_as_the_clip(rig, travel):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 40)
    done = written(rig, reading, clip, travel=travel)
    assert (done.frames, done.notes) == (40, ())
    assert rig.animation_data.action.name == done.action
    assert farthest(played(rig, reading, range(1, 41)), clip) < AS_SHOWN


@pytest.mark.parametrize("travel", CARRIERS)
def test_what_was_sampled_is_written_and_sampled_again_the_same(rig, travel):
    reading = reading_of(rig)
    written(rig, reading, wild_clip(reading.rig, 40), travel=travel)
    first = played(rig, reading, range(1, 41))
    written(rig, reading, first, travel=travel, space="WORLD")
    assert farthest(played(rig, reading, range(1, 41)), first) < 1e-5


@pytest.mark.parametrize("yaw", [-88.0, 179.0])
@pytest.mark.parametrize("travel", ["PELVIS", "ROOT_BONE"])
def test_how_the_object_is_turned_in_the_scene_does_not_touch_its_bones(rig, travel, yaw):
    clip = wild_clip(reading_of(rig).rig, 30)
    written(rig, reading_of(rig), clip, travel=travel)
    straight = values_of(rig)
    rig.rotation_euler = (0.0, 0.0, radians(yaw))
    rig.location = (3.0, -2.0, 0.0)
    bpy.context.view_layer.update()
    written(rig, reading_of(rig), clip, travel=travel)
    turned = values_of(rig)
    assert straight.keys() == turned.keys()
    assert max(np.abs(straight[key] - turned[key]).max() for key in straight) < 1e-4


@pytest.mark.parametrize("travel", CARRIERS)
@pytest.mark.parametrize(
    ("turn", "scale"), [((0.0, 0.0, 0.0), 100.0), ((pi / 2.0, 0.0, 0.0), 0.01), ((0.0, -pi / 2.0, 2.0), 0.547929)]
)
def test_a_rig_turned_and_scaled_on_its_object_moves_alike_in_metres(rig, travel, turn, scale):
    clip = wild_clip(reading_of(rig).rig, 20)
    stand = (Euler(turn).to_matrix() * scale).to_4x4()
    rig.data.transform(stand.inverted())
    rig.matrix_world = stand
    bpy.context.view_layer.update()
    reading = reading_of(rig)
    ours = type(clip)(reading.rig, clip.fps, clip.moved)
    written(rig, reading, ours, travel=travel)
    assert rig.scale[0] == pytest.approx(scale)
    assert farthest(played(rig, reading, range(1, 21)), ours) < 1e-4


@pytest.mark.parametrize("travel", CARRIERS)
def test_a_mirrored_object_shows_the_clip_mirrored_with_the_same_channels(rig, travel):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    rig.scale = (-1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    written(rig, reading, clip, travel=travel)
    shown = played(rig, reading, range(1, 21))
    for i, bone in enumerate(reading.rig.skeleton.bones[1:], 1):
        mirrored = clip.place(i, bone.head) * [-1.0, 1.0, 1.0]
        assert np.abs(shown.place(i, bone.head) - mirrored).max() < 1e-4


def test_travel_goes_on_from_where_the_object_stands_with_deltas_and_under_parents(rig):
    hook = bpy.data.objects.new("Hook", None)
    bpy.context.scene.collection.objects.link(hook)
    hook.matrix_world = Matrix.LocRotScale((1.0, 2.0, 0.5), Euler((0.0, 0.0, 1.0)), (2.0, 2.0, 2.0))
    rig.parent = hook
    rig.matrix_parent_inverse = Matrix.Translation((0.3, 0.0, 0.0))
    rig.delta_location = (0.1, 0.2, 0.0)
    rig.delta_rotation_euler = (0.0, 0.0, 0.7)
    rig.rotation_euler = (0.0, 0.0, -0.4)
    bpy.context.view_layer.update()
    reading = reading_of(rig)
    stood = np.array(rig.matrix_world @ reading.canonical.inverted())
    clip = wild_clip(reading.rig, 20)
    written(rig, reading, clip, travel="OBJECT")
    assert tuple(rig.delta_location) == pytest.approx((0.1, 0.2, 0.0))
    wanted = type(clip)(reading.rig, clip.fps, stood @ clip.moved)
    assert farthest(played(rig, reading, range(1, 21)), wanted) < 1e-4


def test_in_the_scenes_world_the_place_of_the_object_is_taken_out(rig):
    rig.location, rig.rotation_euler = (3.0, -1.0, 0.0), (0.0, 0.0, 2.0)
    bpy.context.view_layer.update()
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    for travel in CARRIERS:
        written(rig, reading, clip, travel=travel, space="WORLD")
        assert farthest(played(rig, reading, range(1, 21)), clip) < 1e-4, travel


def test_a_scene_in_other_units_moves_as_many_metres(rig):
    from surefoot.addon.rig_reading import read_rig

    bpy.context.scene.unit_settings.scale_length = 0.01
    rig.scale = (100.0, 100.0, 100.0)
    bpy.context.view_layer.update()
    reading = read_rig(rig, bpy.context.evaluated_depsgraph_get(), metres=0.01)
    clip = wild_clip(reading.rig, 20)
    for travel in CARRIERS:
        written(rig, reading, clip, travel=travel)
        assert farthest(played(rig, reading, range(1, 21)), clip) < 1e-4, travel


def test_written_over_and_over_the_object_begins_where_it_was_set_down(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    clip.moved[..., 0, 3] += 2.0
    for _ in range(3):
        written(rig, reading, clip, travel="OBJECT")
    assert farthest(played(rig, reading, range(1, 21)), clip) < 1e-4


def test_the_root_bone_carries_the_ground_and_the_pelvis_keeps_its_bounce(rig):
    reading = reading_of(rig)
    clip = still_clip(reading.rig, 120)
    times = np.arange(120) / 60.0
    clip.moved[:, 1:, 1, 3] -= 1.4 * times[:, None]
    clip.moved[:, 1:, 0, 3] += 0.04 * np.sin(2.0 * pi * times)[:, None]
    clip.moved[:, 1:, 2, 3] += 0.03 * np.sin(4.0 * pi * times)[:, None]
    written(rig, reading, clip, travel="AUTO")
    shown = played(rig, reading, range(1, 121))
    assert farthest(shown, clip) < AS_SHOWN
    root = shown.moved[:, reading.rig.root, :3, 3]
    assert np.abs(root[:, 2]).max() < 1e-6
    assert root[-1, 1] - root[0, 1] == pytest.approx(-1.4 * times[-1], abs=0.02)
    assert np.ptp(root[:, 0]) < 0.01


def test_an_idle_in_place_keeps_its_sway_and_its_feet(rig):
    reading = reading_of(rig)
    clip = still_clip(reading.rig, 180)
    feet = {i for leg in reading.rig.legs for i in (*leg.bones, leg.foot, *leg.toes)}
    sway = 0.05 * np.sin(np.arange(180) / 60.0 * pi)
    body = [i for i in range(1, len(reading.rig.skeleton)) if i not in feet]
    clip.moved[:, body, 0, 3] += sway[:, None]
    clip.moved[..., 0, 3] += 4.0
    written(rig, reading, clip, travel="IN_PLACE", driven=[reading.rig.body, *sorted(feet)])
    shown = played(rig, reading, range(1, 181))
    pelvis, foot = reading.rig.body, reading.rig.legs[0].foot
    assert np.ptp(shown.place(pelvis, reading.rig.skeleton.bones[pelvis].head)[:, 0]) == pytest.approx(0.1, abs=1e-3)
    assert np.abs(shown.moved[:, pelvis, 0, 3]).max() < 0.065
    assert np.ptp(shown.place(foot, reading.rig.skeleton.bones[foot].head), axis=0).max() < 0.002


def test_a_walk_in_place_stays_over_its_object(rig):
    reading = reading_of(rig)
    clip = still_clip(reading.rig, 120)
    clip.moved[:, :, 1, 3] -= 1.4 * (np.arange(120) / 60.0)[:, None]
    written(rig, reading, clip, travel="IN_PLACE")
    shown = played(rig, reading, range(1, 121))
    assert np.abs(shown.moved[:, reading.rig.body, :2, 3]).max() < 0.01
    assert tuple(rig.location) == (0.0, 0.0, 0.0)


def test_a_way_that_is_given_is_what_the_carrier_does(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    way = np.tile(np.identity(4), (20, 1, 1))
    way[:, 2, 3] = np.linspace(0.0, 1.0, 20)
    written(rig, reading, clip, travel="ROOT_BONE", way=way)
    shown = played(rig, reading, range(1, 21))
    assert np.abs(shown.moved[:, reading.rig.root] - way).max() < 1e-6
    assert farthest(shown, clip) < AS_SHOWN


def test_a_rig_without_a_root_bone_refuses_it_as_carrier_and_leaves_the_travel_on_the_body(rig):
    from surefoot.addon.refusal import RefusedError

    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.remove(rig.data.edit_bones["root"])
    bpy.ops.object.mode_set(mode="OBJECT")
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    with pytest.raises(RefusedError, match="no root bone"):
        written(rig, reading, clip, travel="ROOT_BONE")
    assert len(bpy.data.actions) == 0
    written(rig, reading, clip)
    assert farthest(played(rig, reading, range(1, 21)), clip, first=0) < AS_SHOWN


@pytest.mark.parametrize(("fps", "base"), [(24, 1.0), (24, 1.001), (30, 1.0), (60, 1.0)])
def test_a_clip_takes_its_own_time_in_any_scene(rig, fps, base):
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, base
    before = (scene.frame_start, scene.frame_end, scene.frame_current)
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 61)
    written(rig, reading, clip, frame_start=10.25)
    curve = min(curves_of(rig), key=lambda curve: curve.data_path)
    times = np.array([point.co.x for point in curve.keyframe_points])
    assert len(times) == 61
    assert times[0] == pytest.approx(10.25)
    assert (times[-1] - times[0]) / (fps / base) == pytest.approx(1.0, abs=1e-5)
    frames = 10.25 + np.array([0, 30, 60]) * fps / base / 60.0
    assert farthest(played(rig, reading, frames), type(clip)(reading.rig, 60.0, clip.moved[[0, 30, 60]])) < 1e-3
    scene.frame_set(before[2])
    assert (scene.frame_start, scene.frame_end, scene.frame_current) == before
    assert (scene.render.fps, scene.render.fps_base) == (fps, pytest.approx(base))


def curves_of(rig):
    from surefoot.addon.saved_state import curves_of

    return curves_of(rig.animation_data.action, rig.animation_data.action_slot)


def test_keys_are_put_where_a_remapped_scene_looks_for_them(rig):
    render = bpy.context.scene.render
    render.frame_map_old, render.frame_map_new = 100, 50
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    written(rig, reading, clip, frame_start=5.0)
    assert farthest(played(rig, reading, range(5, 25)), clip) < AS_SHOWN


def test_every_second_frame_is_keyed_and_the_last_one_always(rig):
    reading = reading_of(rig)
    for count, keyed in ((25, list(range(1, 26, 2))), (24, [*range(1, 24, 2), 24])):
        clip = wild_clip(reading.rig, count)
        written(rig, reading, clip, step=2)
        for curve in curves_of(rig):
            assert [point.co.x for point in curve.keyframe_points] == keyed
        assert farthest(played(rig, reading, [count]), type(clip)(reading.rig, 60.0, clip.moved[-1:])) < AS_SHOWN


def test_one_frame_is_a_pose(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 1)
    for travel in (*CARRIERS, "IN_PLACE"):
        assert written(rig, reading, clip, travel=travel).frames == 1
    written(rig, reading, clip, travel="OBJECT")
    assert farthest(played(rig, reading, [1]), clip) < AS_SHOWN


def test_what_cannot_be_written_is_refused_and_nothing_is_made(rig):
    from surefoot.addon.refusal import RefusedError

    reading = reading_of(rig)
    empty = type(wild_clip(reading.rig, 1))(reading.rig, 60.0, np.zeros((0, len(reading.rig.skeleton), 4, 4)))
    with pytest.raises(RefusedError, match="no frames"):
        written(rig, reading, empty)
    broken = wild_clip(reading.rig, 10)
    broken.moved[4, 7, 0, 3] = np.nan
    with pytest.raises(RefusedError, match=r"upper_arm|shoulder.*frame 4"):
        written(rig, reading, broken)
    with pytest.raises(RefusedError, match="step"):
        written(rig, reading, wild_clip(reading.rig, 10), step=0)
    assert len(bpy.data.actions) == 0


def test_few_keys_stay_within_the_tolerance(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 60)
    whole = written(rig, reading, clip).keys
    few = written(rig, reading, clip, tolerance=1e-3).keys
    assert few < 0.6 * whole
    assert farthest(played(rig, reading, range(1, 61)), clip) < 0.02
