"""An Action as the base motion: played over the ground, and baked again."""

from __future__ import annotations

import dataclasses
from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.clip_joints import import_clip
from support.played_clips import END, play, problem_of, shown, walked
from support.rigify_rigs import generated_rig
from support.stage import add_ground, add_person, key, pose_at
from surefoot.addon import clip_reading
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.bake_record import read_record, write_record
from surefoot.addon.performers import performers
from surefoot.addon.report import report
from surefoot.addon.setup import setup


@pytest.mark.parametrize("travel", ["OBJECT", "ROOT_BONE"])
def test_a_walk_of_ours_that_is_played_and_baked_shows_the_same_poses(travel: str):
    rig = walked((1.0, -2.0, 0.0), travel)
    before, action = shown(rig), rig.animation_data.action
    play(rig, action, clip_repeat="HOLD")
    assert np.abs(shown(rig) - before).max() < 1e-4
    baked = bake(rig, BakeOptions(1, END))
    assert rig.animation_data.action != action
    assert baked.action == rig.animation_data.action.name
    assert np.abs(shown(rig) - before).max() < 1e-4


def test_its_travel_can_go_to_another_carrier():
    rig = walked(travel="OBJECT")
    before = shown(rig)
    play(rig, rig.animation_data.action, clip_repeat="HOLD", travel="ROOT_BONE")
    assert np.abs(shown(rig) - before).max() < 1e-4
    assert np.abs(np.array(rig.matrix_world) - np.identity(4)).max() < 1e-6


def test_from_another_place_it_walks_there():
    rig = walked()
    before, action = shown(rig), rig.animation_data.action
    at = Matrix.Translation((4.0, 3.0, 0.0)) @ Matrix.Rotation(1.2, 4, "Z")
    rig.animation_data.action = None
    rig.matrix_basis = at
    play(rig, action, clip_repeat="HOLD")
    assert np.abs(shown(rig) - np.array(at) @ before).max() < 2e-4


def add_slope(rise: float) -> None:
    """A plane that rises against the way of a walk along -Y."""
    mesh = bpy.data.meshes.new("Slope")
    corners = [(x, y, -rise * y) for x, y in ((-20, -20), (20, -20), (20, 20), (-20, 20))]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Slope", mesh))


def test_on_a_slope_the_body_follows_the_ground():
    rig = walked()
    before, action = shown(rig), rig.animation_data.action
    bpy.data.objects.remove(bpy.data.objects["Ground"])
    add_slope(0.2)
    play(rig, action, clip_repeat="HOLD")
    now = shown(rig)
    lift = now[..., 2, 3] - before[..., 2, 3]
    assert np.ptp(lift, axis=1).max() < 1e-4
    place = performers.get(rig.session_uid).cache
    for frame in range(1, END + 1, 9):
        ground = place.get(frame).frame.ground
        assert lift[frame - 1, 0] == pytest.approx(-0.2 * ground.y, abs=0.015)


@pytest.mark.parametrize(("fps", "frames"), [(24, 73), (60, 181)])
def test_three_seconds_of_an_action_take_three_seconds_at_its_frame_rate(fps: int, frames: int):
    """Action frames are scene frames: at 60 a second the same keys take less time, as in Blender."""
    rig = walked()
    before, action = shown(rig), rig.animation_data.action
    bpy.context.scene.render.fps = fps
    play(rig, action, clip_repeat="HOLD")
    assert np.abs(shown(rig, range(1, END + 1)) - before).max() < 1e-4
    assert pose_at(rig, frames).tobytes() == pose_at(rig, frames).tobytes()


def test_a_frame_is_the_same_however_it_is_reached():
    rig = walked()
    play(rig, rig.animation_data.action)
    played = [pose_at(rig, frame).tobytes() for frame in range(1, 60)]
    performers.clear()
    assert pose_at(rig, 41).tobytes() == played[40]
    assert pose_at(rig, 7).tobytes() == played[6]


def test_without_an_action_it_walks_and_says_what_is_missing():
    add_ground()
    rig = add_person()
    rig.surefoot.base = "CLIP"
    rig.surefoot.preview = True
    assert problem_of(rig) == ""
    assert any("no clip" in str(item) for item in performers.get(rig.session_uid).character.problems)


def test_in_place_the_director_leads_it_and_feet_keep_pace():
    """The walk goes at 1.4 m/s; led at 0.7 it takes twice as long over the same strides."""
    rig = walked()
    action = rig.animation_data.action
    play(rig, action, clip_travel="DIRECTOR", clip_repeat="LOOP", clip_start=1.5, speed=0.7)
    y = [pose_at(rig, frame)[0, 1, 3] for frame in (49, 97)]
    assert y[1] - y[0] == pytest.approx(-1.4, abs=0.02)
    cache = performers.get(rig.session_uid).cache
    assert cache.get(97).memory.clip.time - cache.get(49).memory.clip.time == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("preview", [True, False])
def test_an_action_that_moves_the_object_begins_where_it_does_whatever_frame_is_shown(preview: bool):
    """Keyed by hand: the object goes 3 m in 50 frames and turns, the pelvis bobs."""
    add_ground()
    rig = add_person()
    rig.surefoot.travel = "OBJECT"
    pelvis = rig.pose.bones["pelvis"]
    for frame in range(1, 51, 7):
        rig.location, rig.rotation_euler = (1.0, -3.0 * (frame - 1) / 49.0, 0.0), (0.0, 0.0, 0.01 * frame)
        pelvis.location = (0.0, 0.02 * (frame % 2), 0.0)
        pelvis.rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.01 * frame)
        for name in ("location", "rotation_euler"):
            rig.keyframe_insert(name, frame=frame)
        pelvis.keyframe_insert("location", frame=frame)
        pelvis.keyframe_insert("rotation_quaternion", frame=frame)
    before, action = shown(rig, range(1, 51)), rig.animation_data.action
    bpy.context.scene.frame_set(30)
    play(rig, action, clip_repeat="HOLD")
    if preview:
        assert np.abs(shown(rig, range(1, 51)) - before).max() < 2e-4
        bpy.context.scene.frame_set(30)
    rig.surefoot.preview = preview
    bake(rig, BakeOptions(1, 50))
    assert np.abs(shown(rig, range(1, 51)) - before).max() < 2e-4


def test_a_bake_that_replaces_the_last_one_leaves_the_clip_alone():
    rig = walked()
    before, action = shown(rig), rig.animation_data.action
    keys = [tuple(point.co) for curve in clip_reading.channelbag_of(action, action.slots[0]).fcurves
            for point in curve.keyframe_points]  # fmt: skip
    play(rig, action, clip_rate=2.0, clip_repeat="HOLD")
    bake(rig, BakeOptions(1, END, replace=True))
    assert rig.animation_data.action != action
    after = [tuple(point.co) for curve in clip_reading.channelbag_of(action, action.slots[0]).fcurves
             for point in curve.keyframe_points]  # fmt: skip
    assert after == keys
    assert np.abs(shown(rig)[:30] - before[:60:2]).max() < 1e-4
    second = rig.animation_data.action
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, END, replace=True))
    assert rig.animation_data.action == second


def test_a_clip_that_carries_the_body_needs_no_director():
    rig = walked()
    before, action = shown(rig), rig.animation_data.action
    play(rig, action, clip_repeat="HOLD", director="PATH")
    assert np.abs(shown(rig) - before).max() < 1e-4
    assert problem_of(rig) == ""
    assert [line.text for line in rig.surefoot.problems] == []
    rig.surefoot.clip_travel = "DIRECTOR"
    bpy.context.scene.frame_set(3)
    assert "no path to follow" in rig.surefoot.problems[0].text


def test_a_scaled_and_turned_rig_plays_its_own_bake():
    add_ground()
    rig = add_person(place=(2.0, 1.0, 0.0))
    rig.scale = (0.6, 0.6, 0.6)
    rig.rotation_euler = (0.0, 0.0, 2.0)
    setup(rig)
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, END))
    before = shown(rig)
    play(rig, rig.animation_data.action, clip_repeat="HOLD")
    assert np.abs(shown(rig) - before).max() < 1e-4


def test_contacts_of_a_clip_are_known_to_the_bake():
    """Found from places alone, they are where the walk had planned them, to two frames."""
    rig = walked()
    action = rig.animation_data.action
    planned = read_record(action).contacts
    play(rig, action, clip_repeat="HOLD")
    bake(rig, BakeOptions(1, END))
    found = read_record(rig.animation_data.action).contacts
    for role, contacts in planned.items():
        assert len(found[role].foot) == len(contacts.foot)
        for one, two in zip(found[role].foot, contacts.foot, strict=True):
            assert (one.start, one.end) == pytest.approx((two.start, two.end), abs=2.5)


def test_a_clip_is_reported_by_what_its_feet_do_shown_or_baked():
    """Not by what was found in it beforehand: the same numbers as of the Action that it is."""
    rig = walked()
    action = rig.animation_data.action
    record = read_record(action)
    write_record(action, dataclasses.replace(record, planned=False))
    scene = bpy.context.scene
    expected = report(rig, scene, 10, 60)["feet"]
    play(rig, action, clip_repeat="HOLD")
    shown_feet = report(rig, scene, 10, 60)["feet"]
    bake(rig, BakeOptions(1, END))
    baked_feet = report(rig, scene, 10, 60)["feet"]
    for role, foot in expected.items():
        for other in (shown_feet[role], baked_feet[role]):
            assert [contact["planned"] for contact in other["contacts"]] == [False] * len(foot["contacts"])
            assert other["slide_max_m"] == pytest.approx(foot["slide_max_m"], abs=1e-4)


def test_its_progress_can_be_keyed():
    rig = walked()
    before, action = shown(rig), rig.animation_data.action
    rig.animation_data.action = None
    rig.matrix_basis = Matrix()
    play(rig, action, clip_timing="PROGRESS")
    key(rig, "surefoot.clip_progress", {1: 1.0, END: 0.0})
    now = shown(rig)
    assert np.abs(now[1:-1] - before[::-1][1:-1]).max() < 2e-4
    cache = performers.get(rig.session_uid).cache
    assert cache.get(37).inputs.progress == pytest.approx(0.5)


@pytest.mark.parametrize("kind", ["human", "wolf"])
def test_a_generated_rigify_rig_plays_its_own_bake(kind: str):
    """Every bone that deforms, within a tenth of a millimetre; it is read as Blender evaluates its controls."""
    add_ground()
    rig = generated_rig(kind)
    setup(rig)
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 40))
    names = [bone.name for bone in rig.pose.bones if bone.name.startswith("DEF-")]

    def places() -> np.ndarray:
        rows = []
        for frame in range(1, 41, 3):
            bpy.context.scene.frame_set(frame)
            shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
            rows.append([(shown.matrix_world @ shown.pose.bones[name].matrix).translation for name in names])
        return np.array(rows)

    before = places()
    play(rig, rig.animation_data.action, clip_repeat="HOLD")
    assert np.abs(places() - before).max() < 1e-4


CLIPS = {
    "mocap_cmu/cmu_007_03.bvh": 0.01,
    "mocap_o3de/Walk1.bvh": 1.0,
    "mocap_o3de/Run1.bvh": 1.0,
    "mocap_deepmimic/humanoid3d_roll.bvh": 0.01,
    "mocap_deepmimic/humanoid3d_getup_faceup.bvh": 0.01,
}


@pytest.mark.parametrize("file", CLIPS)
def test_a_captured_clip_is_played_and_baked_as_it_is(file: str, shared_data: Path):
    """Within a hundredth of a millimetre, walking, running, rolling over and getting up."""
    rig, frames = import_clip(shared_data / file, CLIPS[file])
    frames = range(frames.start, min(frames.stop, frames.start + 200))
    add_ground(200.0)
    before, action = shown(rig, frames), rig.animation_data.action
    setup(rig)
    play(rig, action, clip_repeat="HOLD", frame_start=frames.start)
    bake(rig, BakeOptions(frames.start, frames.stop - 1))
    assert rig.animation_data.action != action
    apart = np.abs(shown(rig, frames) - before)
    assert apart[..., :3, 3].max() < 1e-5
    assert apart.max() < 2e-5


def test_a_spin_stays_a_spin_on_a_euler_bone():
    """Two and a half turns on a root in XYZ: the baked heading goes on to 900 degrees without a jump."""
    add_ground()
    rig = add_person()
    rig.surefoot.travel = "ROOT_BONE"
    root = rig.pose.bones[0]
    root.rotation_mode = "XYZ"
    for frame in range(1, 101):
        root.rotation_euler = (0.0, radians(900.0 * (frame - 1) / 99.0), 0.0)
        root.keyframe_insert("rotation_euler", frame=frame)
    action = rig.animation_data.action
    play(rig, action, clip_repeat="HOLD", travel="ROOT_BONE")
    bake(rig, BakeOptions(1, 100))
    bag = clip_reading.channelbag_of(rig.animation_data.action, rig.animation_data.action.slots[0])
    curves = [bag.fcurves.find(root.path_from_id("rotation_euler"), index=i) for i in range(3)]
    rows = np.array([[curve.evaluate(frame) for curve in curves] for frame in range(1, 101)])
    assert np.degrees(np.abs(np.diff(rows, axis=0))).max() < 30.0
    assert np.degrees(np.ptp(rows, axis=0)).max() == pytest.approx(900.0, abs=2.0)
