"""Turns shared by a chain: exact at its end, with the roll that the pose has."""

import math
from math import degrees, radians

import pytest
from mathutils import Quaternion, Vector
from surefoot.core.ik.aim import (
    UP,
    Angles,
    Facing,
    TurnedChain,
    angles_of,
    between,
    direction_of,
    level,
    nodding,
    settle,
    shared,
    summed,
)

FRAMES = {"upright": Quaternion(), "turned": Quaternion((0.3, 0.5, -0.2, 0.7)).normalized()}
FORWARD = Vector((0.0, -1.0, 0.0))


def angles(yaw, pitch):
    return Angles(radians(yaw), radians(pitch))


@pytest.mark.parametrize(
    ("direction", "yaw", "pitch"),
    [((0, -1, 0), 0, 0), ((1, 0, 0), 90, 0), ((-2, 0, 0), -90, 0), ((0, -1, 1), 0, 45), ((0, 0, -3), 0, -90)],
)
def test_yaw_is_to_the_left_and_pitch_is_up(direction, yaw, pitch):
    found = angles_of(Vector(direction))
    assert (degrees(found.yaw), degrees(found.pitch)) == pytest.approx((yaw, pitch), abs=1e-5)


@pytest.mark.parametrize("yaw", [-170, -60, 0, 75])
@pytest.mark.parametrize("pitch", [-80, -20, 0, 50])
def test_a_direction_has_the_angles_that_it_was_made_from(yaw, pitch):
    assert angles_of(direction_of(angles(yaw, pitch))) == pytest.approx(angles(yaw, pitch), abs=1e-5)


def test_the_angle_between_two_directions_is_that_of_their_vectors():
    one, two = angles(-40, 30), angles(65, -20)
    assert between(one, two) == pytest.approx(direction_of(one).angle(direction_of(two)), abs=1e-6)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("start", [(0, 0), (60, 10), (-150, -30), (20, 75), (10, -90), (180, 0)])
@pytest.mark.parametrize("end", [(0, 0), (75, 29), (-75, -40), (100, -80)])
def test_a_turn_brings_one_direction_exactly_over_another(frame, start, end):
    turn = Facing(frame, angles(*start)).turn(angles(*end))
    turned = turn @ (frame @ direction_of(angles(*start)))
    assert degrees(turned.angle(frame @ direction_of(angles(*end)), 0.0)) < 0.05


@pytest.mark.parametrize("end", [(75, 29), (-75, -40), (60, 0)])
def test_a_level_head_stays_level_wherever_it_looks(end):
    ears = Facing(Quaternion(), angles(0, 0)).turn(angles(*end)) @ Vector((1.0, 0.0, 0.0))
    assert degrees(math.asin(ears.z)) == pytest.approx(0.0, abs=1e-3)


def test_a_turn_passes_straight_down_without_a_jump():
    turns = [Facing(Quaternion(), angles(yaw, -89.5)).turn(angles(0, 0)) for yaw in range(0, 360, 5)]
    assert max(degrees(a.rotation_difference(b).angle) for a, b in zip(turns, turns[1:], strict=False)) < 1.0


def test_each_bone_makes_its_part_of_a_turn_and_the_last_all_of_it():
    turn = Quaternion(UP, radians(60.0))
    turns = shared(turn, summed((0.2, 0.3, 0.5)))
    assert [degrees(t.angle) for t in turns] == pytest.approx([12.0, 30.0, 60.0], abs=1e-3)


def test_a_long_neck_is_lowered_by_all_of_a_nod_and_by_a_part_of_the_yaw():
    neck, head = nodding(Facing(Quaternion(), angles(0, 0)), angles(60, -40), (0.5, 1.0), (1.0, 1.0))
    assert angles_of(neck @ FORWARD) == pytest.approx(angles(30, -40), abs=1e-5)
    assert angles_of(head @ FORWARD) == pytest.approx(angles(60, -40), abs=1e-5)


def test_the_end_of_a_chain_goes_where_its_bones_take_it():
    turn = Quaternion(UP, radians(90.0))
    chain = TurnedChain([Vector((0, 0, 0)), Vector((0, -1, 0))], Vector((0, -2, 0)))
    half = math.sqrt(0.5)
    assert chain.moved_end(shared(turn, (0.5, 1.0)))[:] == pytest.approx((half + 1.0, -half, 0.0), abs=1e-6)


@pytest.mark.parametrize(
    ("shares", "parts"), [((1, 1, 2), (0.25, 0.5, 1.0)), ((0, 0), (0.5, 1.0)), ((3,), (1.0,)), ((0, 1), (0.0, 1.0))]
)
def test_parts_count_shares_up_to_the_whole(shares, parts):
    assert summed(shares) == pytest.approx(parts)


@pytest.mark.parametrize("lean", [0, 20, 39])
def test_a_frame_that_leans_a_little_is_brought_upright(lean):
    upright = level(Quaternion((1.0, 0.3, 0.0), radians(lean)), radians(40.0))
    assert degrees((upright @ UP).angle(UP, 0.0)) < 0.05


def test_a_frame_that_lies_is_brought_up_by_no_more_than_allowed():
    upright = level(Quaternion((1.0, 0.0, 0.0), radians(90.0)), radians(40.0))
    assert degrees((upright @ UP).angle(UP)) == pytest.approx(50.0, abs=0.01)


def test_a_frame_upside_down_has_a_defined_result():
    upright = level(Quaternion((0.0, 1.0, 0.0), math.pi), radians(40.0))
    assert all(math.isfinite(number) for number in upright)


@pytest.mark.parametrize("reach", [0.1, 0.5, 0.9])
def test_a_direction_is_found_although_looking_there_moves_the_eye(reach):
    target = Vector((0.8, -0.6, 0.1))
    aimed, off = settle(lambda tried: (target - reach * tried).normalized(), FORWARD)
    assert off < 3e-4
    assert degrees((target - reach * aimed).angle(aimed)) < 0.05


def test_where_no_direction_can_be_found_the_best_is_taken():
    aimed, off = settle(lambda tried: -tried, FORWARD)
    assert aimed.length == pytest.approx(1.0, abs=1e-5)
    assert off > 1.0
