"""Trim and resample: the same motion at the same moments, all curves of an Action together."""

from __future__ import annotations

from math import pi, radians, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.moved_rigs import PERSON, act, curve, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
NAMES = [plan.name for plan in PERSON]


def moving(rig: bpy.types.Object, count: int = 49) -> bpy.types.Action:
    """A body that goes and turns, sampled; a face and a smile drawn by a few keys, and a switch that steps."""
    times = np.arange(float(count))
    moves = moved_about(lambda t: (0.0, -0.05 * t, 0.95 + 0.03 * sin(t / 2)), lambda t: 0.06 * t, PELVIS, times)
    down = Matrix.Translation([-v for v in PELVIS])
    swings = [Matrix.Rotation(0.6 * sin(2 * pi * t / 24), 4, "X") for t in times]
    thighs = [m @ Matrix.Translation(PELVIS) @ s @ down for m, s in zip(moves, swings, strict=True)]
    action = act(rig, {"pelvis": moves, "thigh.L": thighs})
    rig["smile"], rig["switch"] = 0.0, 0
    for frame, value in ((3, 0.0), (20, 1.0), (44, 0.25)):
        rig["smile"] = value
        rig.keyframe_insert('["smile"]', frame=frame)
    for frame, value in ((1, 0), (25, 1)):
        rig["switch"] = value
        rig.keyframe_insert('["switch"]', frame=frame)
    return action


def said(rig: bpy.types.Object, path: str, frames: list[float]) -> list[float]:
    return [curve(rig, path).evaluate(frame) for frame in frames]


def test_trimmed_all_curves_say_what_they_said_and_nothing_is_left_outside():
    from surefoot.addon.retime import trim

    rig = person()
    source = moving(rig)
    source.pose_markers.new("in").frame = 20
    source.pose_markers.new("out").frame = 2
    frames = list(np.linspace(10.5, 40.0, 30))
    before, smiles = worlds(rig, NAMES, frames), said(rig, '["smile"]', frames)
    trim(rig, frame_start=10.5, frame_end=40.0)
    assert np.abs(worlds(rig, NAMES, frames) - before).max() < 1e-4
    assert said(rig, '["smile"]', frames) == pytest.approx(smiles, abs=1e-4)
    action = rig.animation_data.action
    assert action.frame_range[:] == (10.5, 40.0)
    assert [marker.name for marker in action.pose_markers] == ["in"]
    assert {key.interpolation for key in curve(rig, '["smile"]').keyframe_points} == {"BEZIER"}


def test_trimmed_and_moved_all_begins_where_it_is_put():
    from surefoot.addon.retime import trim

    rig = person()
    moving(rig)
    before, smiles = worlds(rig, NAMES, range(10, 41)), said(rig, '["smile"]', list(range(10, 41)))
    trim(rig, frame_start=10, frame_end=40, move_to=101)
    assert np.abs(worlds(rig, NAMES, range(101, 132)) - before).max() < 1e-4
    assert said(rig, '["smile"]', list(range(101, 132))) == pytest.approx(smiles, abs=1e-4)


def test_a_curve_with_a_modifier_is_keyed_as_it_was_shown():
    from surefoot.addon.retime import trim

    rig = person()
    moving(rig)
    noise = curve(rig, '["smile"]').modifiers.new("NOISE")
    noise.scale, noise.strength = 2.0, 1.0
    frames = list(range(10, 41))
    smiles = said(rig, '["smile"]', frames)
    result = trim(rig, frame_start=10, frame_end=40)
    assert said(rig, '["smile"]', frames) == pytest.approx(smiles, abs=1e-5)
    assert any("keyed frame by frame" in note for note in result.notes)


@pytest.mark.parametrize("fps", [30.0, 60000.0 / 1001.0, 60.0, 120.0, 10.0])
def test_resampled_the_motion_is_the_same_at_the_same_seconds(fps: float):
    from surefoot.addon.retime import resample

    rig = person()
    moving(rig)
    result = resample(rig, fps=fps)
    keyed = curve(rig, 'pose.bones["pelvis"].rotation_quaternion', 3).keyframe_points
    seconds = np.array([key.co.x - 1.0 for key in keyed]) / 24.0
    assert np.abs(seconds - np.arange(len(keyed)) / fps).max() < 2e-7
    assert result.frames == len(keyed) == int(48 / 24.0 * fps + 1e-6) + 1
    assert {key.interpolation for key in keyed} == {"LINEAR"}
    rest = rig.data.bones["pelvis"].matrix_local.to_quaternion()
    for key in list(keyed)[:: max(1, len(keyed) // 12)]:
        t = key.co.x - 1.0
        whole, share = int(t // 1), t % 1
        a, b = (Matrix.Rotation(0.06 * (whole + k), 4, "Z").to_quaternion() for k in (0, 1))
        shown = Matrix(worlds(rig, ["pelvis"], [key.co.x])[0, 0]).to_quaternion()
        off = (a.slerp(b, share) @ rest).conjugated() @ shown
        assert 2.0 * np.linalg.norm(off[1:]) < 1e-4


def test_what_is_drawn_by_few_keys_keeps_them_and_steps_stay_steps():
    from surefoot.addon.retime import resample

    rig = person()
    moving(rig)
    before = [(key.co.x, key.interpolation) for key in curve(rig, '["switch"]').keyframe_points]
    resample(rig, fps=60.0)
    assert [(key.co.x, key.interpolation) for key in curve(rig, '["switch"]').keyframe_points] == before
    assert len(curve(rig, '["smile"]').keyframe_points) == 3


def test_a_capture_at_another_rate_goes_at_its_own_speed_with_all_that_belongs_to_it():
    from surefoot.addon.retime import resample

    rig = person()
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
    source = moving(rig)
    source.pose_markers.new("half").frame = 25
    rate = 30 / 1.001
    before = worlds(rig, NAMES, range(1, 50, 4))
    smiles = said(rig, '["smile"]', list(range(1, 50, 4)))
    resample(rig, source_fps=120.0, fps=30.0)
    frames = [1.0 + k / 30.0 * rate for k in range(13)]
    keyed = [key.co.x for key in curve(rig, 'pose.bones["pelvis"].location', 1).keyframe_points]
    assert keyed == pytest.approx(frames, abs=1e-5)
    assert np.abs(worlds(rig, NAMES, frames) - before).max() < 1e-4
    assert said(rig, '["smile"]', frames) == pytest.approx(smiles, abs=1e-4)
    assert rig.animation_data.action.pose_markers["half"].frame == round(1.0 + 24.0 / 120.0 * rate)


def test_signs_that_flip_and_angles_that_jump_do_not_whip_between_samples():
    from surefoot.addon.key_writing import write_keys
    from surefoot.addon.pose_channels import Channel
    from surefoot.addon.retime import resample
    from surefoot.addon.saved_state import channelbag_of

    rig = person()
    action = moving(rig)
    bag = channelbag_of(action, rig.animation_data.action_slot)
    frames = np.arange(1.0, 50.0)
    head, hand = 'pose.bones["head"].rotation_quaternion', 'pose.bones["hand.L"].rotation_euler'
    rig.pose.bones["hand.L"].rotation_mode = "XYZ"
    angles = radians(15.0) * (frames - 1)
    turns = np.array([tuple(Quaternion((0, 1, 0), a)) for a in angles]) * np.where(frames % 2, 1.0, -1.0)[:, None]
    write_keys(bag, [Channel(head, i, "head") for i in range(4)], frames, turns)
    wrapped = np.column_stack([0.0 * angles, (angles + pi) % (2 * pi) - pi, 0.0 * angles])
    write_keys(bag, [Channel(hand, i, "hand.L") for i in range(3)], frames, wrapped)
    resample(rig, fps=60.0)
    rows = np.array([[key.co.y for key in curve(rig, head, i).keyframe_points] for i in (0, 2)])
    assert np.sum(rows[:, 1:] * rows[:, :-1], axis=0).min() > 0.9
    yaw = [key.co.y for key in curve(rig, hand, 1).keyframe_points]
    assert np.abs(np.diff(yaw)).max() < radians(7.0)


def test_turns_drawn_by_two_keys_keep_their_turns():
    from surefoot.addon.retime import resample

    rig = person()
    moving(rig)
    hand = rig.pose.bones["hand.L"]
    hand.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (49, radians(900.0))):
        hand.rotation_euler.y = angle
        hand.keyframe_insert("rotation_euler", index=1, frame=frame)
    resample(rig, fps=30.0)
    keyed = curve(rig, 'pose.bones["hand.L"].rotation_euler', 1).keyframe_points
    assert keyed[-1].co.y - keyed[0].co.y == pytest.approx(radians(900.0), abs=1e-4)


def test_trimmed_first_or_last_the_loop_is_the_same():
    from surefoot.addon.retime import resample, trim

    rig = person()
    source = moving(rig)
    trim(rig, frame_start=9, frame_end=33)
    resample(rig, fps=48.0)
    one = points(worlds(rig, NAMES, range(9, 34)))
    rig.animation_data.action = source
    resample(rig, fps=48.0)
    trim(rig, frame_start=9, frame_end=33)
    assert np.abs(points(worlds(rig, NAMES, range(9, 34))) - one).max() < 1e-5
