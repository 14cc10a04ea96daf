"""What a written clip puts in each bone's channels: in its own mode, on from key to key, nothing locked or driven."""

from __future__ import annotations

from math import degrees, radians

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.retargeting import about_point, still_clip, wild_clip
from support.stage import add_person
from support.written_clips import farthest, played, reading_of, values_of, written

AS_SHOWN = 3e-5
MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")


@pytest.fixture
def rig():
    bpy.context.scene.render.fps = 60
    return add_person()


def turning(rig, reading, name, vectors):
    """A clip in which nothing but one bone turns, with all that hangs on it, by rotation vectors (F, 3)."""
    clip, skeleton = still_clip(reading.rig, len(vectors)), reading.rig.skeleton
    i = skeleton.index[name]
    turn = about_point(vectors, np.array(skeleton.bones[i].head))
    for j in (i, *skeleton.descendants(i)):
        clip.moved[:, j] = turn
    return clip


def path_of(name, channel):
    return f'pose.bones["{name}"].{channel}'


def curve(rig, name, channel):
    """The values of all components of a bone's channel, (keys, components)."""
    found = values_of(rig)
    return np.stack([found[key][:, 1] for key in sorted(found) if key[0] == path_of(name, channel)], axis=1)


def test_each_bone_is_written_in_its_own_mode_and_older_actions_play_as_before(rig):
    reading = reading_of(rig)
    old = wild_clip(reading.rig, 20, seed=5)
    for bone, mode in zip(rig.pose.bones, MODES * 3, strict=False):
        bone.rotation_mode = mode
    modes = [bone.rotation_mode for bone in rig.pose.bones]
    former = bpy.data.actions[written(rig, reading, old, keep=None).action]
    before = played(rig, reading, range(1, 21))
    clip = wild_clip(reading.rig, 30, amount=1.5)
    written(rig, reading, clip, keep=None)
    assert [bone.rotation_mode for bone in rig.pose.bones] == modes
    assert farthest(played(rig, reading, range(1, 31)), clip) < AS_SHOWN
    rig.animation_data.action = former
    rig.animation_data.action_slot = former.slots[0]
    assert farthest(played(rig, reading, range(1, 21)), before) == 0.0


@pytest.mark.parametrize("step", [1, 2])
def test_neighbouring_quaternion_keys_lie_on_one_side_and_between_them_is_the_way(rig, step):
    reading = reading_of(rig)
    spin = np.outer(np.linspace(0.0, 4.0 * np.pi, 97), [0.2, 1.0, 0.1]) / np.linalg.norm([0.2, 1.0, 0.1])
    for name in ("pelvis", "upper_arm.L"):
        rig.pose.bones[name].rotation_mode = "QUATERNION"
        written(rig, reading, turning(rig, reading, name, spin), step=step, travel="PELVIS")
        rows = curve(rig, name, "rotation_quaternion")
        assert np.sum(rows[1:] * rows[:-1], axis=1).min() > 0.0
        halves = 0.5 * (spin[:-1:step] + spin[step::step])
        wanted = turning(rig, reading, name, halves)
        shown = played(rig, reading, np.arange(1.0 + 0.5 * step, 97.0, step))
        i = reading.rig.skeleton.index[name]
        for seen, meant in zip(shown.rotation(i), wanted.rotation(i), strict=True):
            assert degrees(np.arccos(min(0.5 * (np.trace(seen.T @ meant) - 1.0), 1.0))) < 3.0


@pytest.mark.parametrize("order", MODES[1:-1])
def test_euler_angles_pass_the_pole_without_a_jump(rig, order):
    reading = reading_of(rig)
    name = "upper_arm.L"
    rig.pose.bones[name].rotation_mode = order
    i = reading.rig.skeleton.index[name]
    rest = np.array(reading.rig.skeleton.bones[i].rest)[:3, :3]
    share = np.linspace(0.0, 1.0, 61)
    first, middle, last = ("XYZ".index(letter) for letter in order)
    clip = still_clip(reading.rig, 61)
    for f, s in enumerate(share):
        # Through 90 degrees about the middle axis at exactly the thirtieth frame, while it twists.
        turn = Quaternion(np.eye(3)[last], 0.8 * s) @ Quaternion(np.eye(3)[middle], np.pi * s)
        turn = turn @ Quaternion(np.eye(3)[first], radians(200.0) * s)
        local = rest @ np.array(turn.to_matrix()) @ rest.T
        head = np.array(reading.rig.skeleton.bones[i].head)
        for j in (i, *reading.rig.skeleton.descendants(i)):
            clip.moved[f, j, :3, :3] = local
            clip.moved[f, j, :3, 3] = head - local @ head
    written(rig, reading, clip)
    rows = curve(rig, name, "rotation_euler")
    assert np.abs(np.diff(rows, axis=0)).max() < radians(30.0)
    assert farthest(played(rig, reading, range(1, 62)), clip) < 1e-4


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE"])
@pytest.mark.parametrize("carrier", ["root", "object"])
def test_yaw_goes_on_past_half_turns(rig, mode, carrier):
    reading = reading_of(rig)
    holder = rig.pose.bones["root"] if carrier == "root" else rig
    holder.rotation_mode = mode
    clip = still_clip(reading.rig, 200)
    yaw = np.linspace(0.0, 5.0 * np.pi, 200)
    clip.moved[:] = about_point(np.outer(yaw, [0.0, 0.0, 1.0]), np.zeros(3))[:, None]
    clip.moved[..., 1, 3] -= 0.01 * np.arange(200)[:, None]
    written(rig, reading, clip, travel="ROOT_BONE" if carrier == "root" else "OBJECT")
    found = values_of(rig)
    start = path_of("root", "rotation_") if carrier == "root" else "rotation_"
    rows = np.stack([found[key][:, 1] for key in sorted(found) if key[0].startswith(start)], axis=1)
    if mode == "QUATERNION":
        assert np.sum(rows[1:] * rows[:-1], axis=1).min() > 0.9
    else:
        turned = np.abs(rows[-1] - rows[0]).max()
        assert degrees(turned) == pytest.approx(900.0, abs=8.0)
        assert degrees(np.abs(np.diff(rows, axis=0)).max()) < 30.0


def test_locked_channels_are_neither_changed_nor_keyed_and_the_loss_is_said(rig):
    shin = rig.pose.bones["shin.L"]
    shin.rotation_mode = "XYZ"
    shin.lock_rotation = (False, True, True)
    shin.rotation_euler = (0.0, 0.1, -0.2)
    thigh = rig.pose.bones["thigh.R"]
    thigh.rotation_mode = "QUATERNION"
    thigh.lock_rotation, thigh.lock_rotation_w = (False, True, False), True
    rig.pose.bones["pelvis"].lock_location = (True, False, False)
    bpy.context.view_layer.update()
    reading = reading_of(rig)
    done = written(rig, reading, wild_clip(reading.rig, 20), travel="PELVIS")
    keyed = values_of(rig).keys()
    assert {i for path, i in keyed if path == path_of("shin.L", "rotation_euler")} == {0}
    assert {i for path, i in keyed if path == path_of("thigh.R", "rotation_quaternion")} == {1, 3}
    assert {i for path, i in keyed if path == path_of("pelvis", "location")} == {1, 2}
    bpy.context.scene.frame_set(7)
    assert tuple(shin.rotation_euler)[1:] == (pytest.approx(0.1), pytest.approx(-0.2))
    notes = [note for note in done.notes if "locked" in note.lower()]
    assert {note.split(":")[0] for note in notes} == {"shin.L", "thigh.R", "pelvis"}
    assert all("degrees" in note and "cm" in note for note in notes)


def test_a_bone_with_a_driver_is_left_alone_and_named(rig):
    reading = reading_of(rig)
    driver = rig.pose.bones["forearm.L"].driver_add("rotation_quaternion", 1)
    driver.driver.expression = "0.3"
    done = written(rig, reading, wild_clip(reading.rig, 20))
    assert not [path for path, _ in values_of(rig) if path.startswith('pose.bones["forearm.L"]')]
    assert any(note.startswith("forearm.L") and "driver" in note for note in done.notes)
    bpy.context.scene.frame_set(9)
    assert rig.animation_data.drivers[0].driver.expression == "0.3"
    assert rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["forearm.L"].rotation_quaternion[
        1
    ] == pytest.approx(0.3)


def test_only_the_body_is_moved_from_its_place_and_nothing_is_scaled(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 30)
    for travel, located in (("PELVIS", {"pelvis"}), ("OBJECT", {"pelvis"}), ("ROOT_BONE", {"root", "pelvis"})):
        written(rig, reading, clip, travel=travel)
        paths = {path for path, _ in values_of(rig) if path.startswith("pose.")}
        assert {path.split('"')[1] for path in paths if path.endswith(".location")} == located
        assert not [path for path in paths if path.endswith(".scale")]
    shown = played(rig, reading, range(1, 31))
    for i, bone in enumerate(reading.rig.skeleton.bones):
        lengths = np.linalg.norm(shown.place(i, bone.tail) - shown.place(i, bone.head), axis=-1)
        assert lengths == pytest.approx(bone.length, abs=1e-5)


def test_a_clip_that_moves_other_bones_from_their_places_gives_those_locations(rig):
    reading = reading_of(rig)
    clip = still_clip(reading.rig, 20)
    i = reading.rig.skeleton.index["upper_arm.L"]
    clip.moved[:, [i, *reading.rig.skeleton.descendants(i)], 2, 3] += np.linspace(0.0, 0.05, 20)[:, None]
    written(rig, reading, clip, travel="PELVIS")
    assert path_of("upper_arm.L", "location") in {path for path, _ in values_of(rig)}
    assert path_of("forearm.L", "location") not in {path for path, _ in values_of(rig)}
    assert farthest(played(rig, reading, range(1, 21)), clip) < AS_SHOWN


@pytest.mark.parametrize("local", [True, False])
def test_a_bone_that_does_not_turn_with_its_parent_ends_where_the_clip_has_it(rig, local):
    for name in ("head", "upper_arm.L", "thigh.R"):
        rig.data.bones[name].use_inherit_rotation = False
    for name in ("upper_arm.L", "thigh.R", "pelvis", "root"):
        rig.data.bones[name].use_local_location = local
    bpy.context.view_layer.update()
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    for name in ("upper_arm.L", "thigh.R"):
        i = reading.rig.skeleton.index[name]
        shift = 0.1 * np.sin(np.arange(20)[:, None] + [0.0, 1.0, 2.0])
        for j in (i, *reading.rig.skeleton.descendants(i)):
            clip.moved[:, j, :3, 3] += shift
    for travel in ("PELVIS", "ROOT_BONE", "OBJECT"):
        written(rig, reading, clip, travel=travel)
        assert farthest(played(rig, reading, range(1, 21)), clip) < AS_SHOWN, travel


@pytest.mark.parametrize(
    "name", ['arm "big".L', "c:\\hand", "leg[0]", "\N{BONE} bone \N{GRINNING FACE}", "\u53f3\u8155", "a.b/c:d"]
)
def test_bones_with_any_name_are_driven_by_their_curves(rig, name):
    rig.data.bones["forearm.L"].name = name
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    done = written(rig, reading, clip)
    assert done.notes == ()
    action = rig.animation_data.action
    from surefoot.addon.saved_state import curves_of

    for item in curves_of(action, action.slots[0]):
        assert item.is_valid, item.data_path
    assert farthest(played(rig, reading, range(1, 21)), clip) < AS_SHOWN


def test_an_object_in_any_rotation_mode_carries_the_travel(rig):
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 20)
    for mode in MODES:
        rig.rotation_mode = mode
        written(rig, reading, clip, travel="OBJECT")
        assert farthest(played(rig, reading, range(1, 21)), clip) < AS_SHOWN, mode
