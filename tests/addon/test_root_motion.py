"""Root motion: travel comes onto a carrier, goes back, is taken out; the body stays where it was."""

from __future__ import annotations

from math import pi, radians, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.moved_rigs import PERSON, Y_UP, act, curve, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
BODY = ("pelvis", "head", "hand.L", "toe.R")
AXES = {"": (None, 1.0), "Y up, 0.01": (Y_UP, 0.01), "100 times": (None, 100.0), "Y up": (Y_UP, 1.0)}


def walking(rig: bpy.types.Object, count: int = 60, *, turn=None, scale: float = 1.0, sway: float = 0.0, yaw=None):
    """A walk along -Y with an uneven speed and a bounce of 6 cm, all on the pelvis; two strides."""
    times = np.arange(count, dtype=np.float64)

    def place(t: float) -> tuple[float, float, float]:
        return sway * sin(2 * pi * t / 30), -0.05 * t - 0.02 * sin(2 * pi * t / 15), 0.95 + 0.03 * sin(2 * pi * t / 15)

    moves = moved_about(place, yaw or (lambda t: 0.05 * sin(2 * pi * t / 30)), PELVIS, times)
    swing = [Matrix.Translation(PELVIS) @ Matrix.Rotation(0.5 * sin(2 * pi * t / 30), 4, "X") for t in times]
    down = Matrix.Translation([-number for number in PELVIS])
    thigh = [m @ s @ down for m, s in zip(moves, swing, strict=True)]
    return act(rig, {"pelvis": moves, "thigh.L": thigh}, turn=turn, scale=scale)


@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("carrier", ["ROOT_BONE", "OBJECT"])
def test_extracted_the_body_stays_where_it_was_on_every_frame(carrier: str, axes: str):
    from surefoot.addon.root_motion import root_extract

    turn, scale = AXES[axes]
    rig = person(turn=turn, scale=scale)
    walking(rig, turn=turn, scale=scale)
    frames = range(1, 61)
    before = worlds(rig, BODY, frames)
    result = root_extract(rig, carrier=carrier)
    assert result.notes == ()
    assert np.abs(points(worlds(rig, BODY, frames)) - points(before)).max() < 1e-4
    carried = worlds(rig, ["root"], frames)[:, 0, :3, 3]
    travelled = (before[-1, 0, :3, 3] - before[0, 0, :3, 3]) * [1, 1, 0]
    assert carried[-1] - carried[0] == pytest.approx(travelled, abs=1e-4)
    assert np.abs(carried[:, 2]).max() < 1e-5


def test_the_root_is_keyed_linearly_on_every_sampled_frame():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig)
    root_extract(rig)
    keyed = curve(rig, 'pose.bones["root"].location', 1)
    assert [key.co.x for key in keyed.keyframe_points] == list(range(1, 61))
    assert {key.interpolation for key in keyed.keyframe_points} == {"LINEAR"}


def test_the_pelvis_keeps_its_bounce_and_the_root_stays_on_the_floor():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig)
    root_extract(rig)
    found = worlds(rig, ["pelvis", "root"], range(1, 61))[..., :3, 3]
    assert np.ptp(found[:, 0, 2]) == pytest.approx(0.06, abs=1e-3)
    assert np.abs(found[:, 1, 2]).max() < 1e-6
    relative = found[:, 0] - found[:, 1]
    assert np.ptp(relative[:, :2], axis=0).max() < 1e-4


def test_smoothed_the_root_goes_evenly_and_the_sway_stays_on_the_pelvis():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    walking(rig, sway=0.04)
    before = worlds(rig, BODY, range(1, 61))
    root_extract(rig, smooth=True, smooth_seconds=30 / 24)
    found = worlds(rig, [*BODY, "root"], range(1, 61))
    assert np.abs(points(found[:, :-1]) - points(before)).max() < 1e-4
    root, pelvis = found[:, -1, :3, 3], found[:, 0, :3, 3]
    assert np.ptp(root[:, 0]) < 2 * 0.005
    assert np.ptp((pelvis - root)[:, 0]) == pytest.approx(0.08, abs=0.01)


def test_two_and_a_half_turns_are_one_even_curve_to_900_degrees():
    from surefoot.addon.root_motion import root_extract

    rig = person()
    rig.pose.bones["root"].rotation_mode = "XYZ"
    walking(rig, 121, yaw=lambda t: radians(900.0) * t / 120)
    before = worlds(rig, BODY, range(1, 122))
    root_extract(rig)
    yaw = curve(rig, 'pose.bones["root"].rotation_euler', 2)
    values = np.degrees([key.co.y for key in yaw.keyframe_points])
    assert values[-1] - values[0] == pytest.approx(900.0, abs=0.01)
    assert np.diff(values).min() > 0.0
    assert np.diff(values).max() < 30.0
    assert np.abs(points(worlds(rig, BODY, range(1, 122))) - points(before)).max() < 1e-4


@pytest.mark.parametrize("carrier", ["ROOT_BONE", "OBJECT"])
def test_put_back_the_motion_is_the_one_before(carrier: str):
    from surefoot.addon.root_motion import root_extract, root_put_back

    rig = person()
    rig.location, rig.rotation_quaternion = (1.0, 2.0, 0.0), Quaternion((0, 0, 1), 0.7)
    walking(rig)
    frames = range(1, 61)
    names = [plan.name for plan in PERSON]
    before, stood = worlds(rig, names, frames), rig.matrix_world.copy()
    channels = [curve(rig, 'pose.bones["pelvis"].location', i) for i in range(3)]
    values = np.array([[key.co.y for key in item.keyframe_points] for item in channels])
    root_extract(rig, carrier=carrier, axes=frozenset({"X", "Y", "Z", "YAW"}))
    assert np.ptp(worlds(rig, ["pelvis"], frames)[:, 0, :3, 3], axis=0)[2] == pytest.approx(0.06, abs=1e-3)
    root_put_back(rig, carrier=carrier, axes=frozenset({"X", "Y", "Z", "YAW"}))
    assert np.abs(worlds(rig, names, frames) - before).max() < 1e-5
    assert np.abs(np.array(rig.matrix_world) - np.array(stood)).max() < 1e-5
    channels = [curve(rig, 'pose.bones["pelvis"].location', i) for i in range(3)]
    assert np.abs(np.array([[key.co.y for key in item.keyframe_points] for item in channels]) - values).max() < 1e-5


def test_travel_on_the_object_comes_in_one_piece_onto_the_root_bone_by_way_of_the_pelvis():
    from surefoot.addon.root_motion import root_extract, root_put_back

    rig = person()
    bob = moved_about(lambda t: (0, 0, 0.95 + 0.02 * sin(t)), lambda _: 0.0, PELVIS, np.arange(49.0))
    action = act(rig, {"pelvis": bob})
    from surefoot.addon.key_writing import write_keys
    from surefoot.addon.pose_channels import Channel
    from surefoot.addon.saved_state import channelbag_of

    bag = channelbag_of(action, rig.animation_data.action_slot)
    write_keys(bag, [Channel("location", 1, "")], np.array([1.0, 49.0]), np.array([[0.0], [-4.0]]))
    before = worlds(rig, BODY, range(1, 50))
    root_put_back(rig, carrier="OBJECT")
    assert np.abs(points(worlds(rig, BODY, range(1, 50))) - points(before)).max() < 1e-4
    assert np.abs(np.array(rig.matrix_world.translation)).max() < 1e-6
    root_extract(rig, carrier="ROOT_BONE")
    found = worlds(rig, [*BODY, "root"], range(1, 50))
    assert np.abs(points(found[:, :-1]) - points(before)).max() < 1e-4
    assert found[-1, -1, 1, 3] == pytest.approx(-4.0, abs=1e-4)


def idle(rig: bpy.types.Object, count: int = 97):
    """A body that sways by 5 cm to each side, ending at another phase than it began, over feet that stay."""
    from support.moved_rigs import standing

    return standing(rig, lambda t: (0.05 * sin(2 * pi * t / 64), 0.0, -0.06), count)


def test_an_idle_that_sways_over_its_feet_is_unchanged_in_place():
    from surefoot.addon.root_motion import in_place

    rig = person()
    idle(rig)
    names, frames = ["pelvis", "foot.L", "foot.R"], range(1, 98)
    before = worlds(rig, names, frames)
    assert np.ptp(before[:, 1, :3, 3], axis=0).max() < 1e-5
    in_place(rig)
    after = worlds(rig, names, frames)
    assert np.ptp(after[:, 1:, :3, 3], axis=0).max() < 0.002
    assert np.ptp(after[:, 0, 0, 3]) == pytest.approx(0.1, abs=0.002)


def test_in_place_a_walk_stays_near_its_start_and_keeps_bounce_and_sway():
    from surefoot.addon.root_motion import in_place, root_extract

    rig = person()
    walking(rig, 121, sway=0.04)
    extracted = rig.animation_data.action
    for first in (False, True):
        rig.animation_data.action = extracted
        if first:
            root_extract(rig)
        in_place(rig)
        found = worlds(rig, ["pelvis", "root"], range(1, 122))[..., :3, 3]
        assert np.ptp(found[:, 0, 1]) < 0.25
        assert np.ptp(found[:, 0, 0]) == pytest.approx(0.08, abs=0.02)
        assert np.ptp(found[:, 0, 2]) == pytest.approx(0.06, abs=1e-3)
        assert np.ptp(found[:, 1], axis=0).max() < 1e-5
