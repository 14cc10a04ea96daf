import math
from itertools import pairwise

import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector
from surefoot.core.ik.follow import joints_along, lay_along, turns_along

UP = Vector((0.0, 0.0, 1.0))
X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), UP


def circle(radius=1.0, count=400, far=(0.0, 0.0, 0.0)):
    return [
        (radius * math.cos(a) + far[0], radius * math.sin(a) + far[1], far[2])
        for a in np.linspace(0.0, 2.0 * math.pi, count)
    ]


def hilly(count=600):
    return [(0.02 * k, 0.6 * math.sin(0.05 * k), 0.2 * math.sin(0.031 * k)) for k in range(count)]


def from_curve(point, curve):
    """How far a point is from a line through points: numpy, float64."""
    a, b = np.array(curve[:-1]), np.array(curve[1:])
    along = b - a
    share = np.clip(((np.array(point) - a) * along).sum(1) / (along * along).sum(1), 0.0, 1.0)
    return np.linalg.norm(a + along * share[:, None] - np.array(point), axis=1).min()


@pytest.mark.parametrize("start", [0.0, 0.37, 2.0])
@pytest.mark.parametrize("curve", [circle(), hilly()], ids=["circle", "hills"])
def test_neighbouring_joints_are_exactly_one_length_apart_and_lie_on_the_curve(curve, start):
    lengths = [0.05 + 0.01 * (k % 7) for k in range(30)]
    joints = joints_along(curve, lengths, start)
    assert len(joints) == 31
    for (a, b), length in zip(pairwise(joints), lengths, strict=True):
        assert math.dist(a.place, b.place) == pytest.approx(length, abs=1e-12)
        assert from_curve(b.place, curve) < 1e-12
        assert b.along > a.along


def test_on_a_circle_every_chord_spans_its_angle():
    curve = circle(count=20001)
    joints = joints_along(curve, [0.3] * 10)
    angle = 2.0 * math.asin(0.15)
    for k, joint in enumerate(joints):
        assert joint.place == pytest.approx((math.cos(k * angle), math.sin(k * angle), 0.0), abs=1e-6)


def test_the_first_joint_is_as_far_along_as_asked():
    x, y, _ = lay_along(circle(count=20001), [0.1], start=math.pi / 2.0)[0]
    assert (x, y) == pytest.approx((0.0, 1.0), abs=1e-6)


def test_past_its_ends_the_curve_goes_straight_on():
    line = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]
    places = [tuple(joint) for joint in lay_along(line, [0.75] * 4, start=-0.5)]
    assert places == [(x, 0.0, 0.0) for x in (-0.5, 0.25, 1.0, 1.75, 2.5)]


def test_a_curve_of_one_point_goes_on_along_y_and_doubled_points_say_nothing():
    assert [tuple(v) for v in lay_along([(1.0, 2.0, 3.0)], [0.5, 0.5])] == [(1, 2, 3), (1, 2.5, 3), (1, 3, 3)]
    once = joints_along([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [0.4] * 4)
    assert joints_along([(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0), (1, 1, 0)], [0.4] * 4) == once


def test_a_curve_without_a_point_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="has no point"):
        lay_along([], [1.0])


def test_a_bone_without_length_has_both_joints_in_one_place():
    a, b, c = lay_along(hilly(), [0.0, 0.3])
    assert a == b
    assert (c - b).length == pytest.approx(0.3, abs=1e-6)


def test_a_hairpin_narrower_than_a_bone_is_cut_short_and_lengths_stay():
    pin = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.05, 0.0), (0.0, 0.05, 0.0)]
    joints = joints_along(pin, [0.3] * 4, 0.2)
    for a, b in pairwise(joints):
        assert math.dist(a.place, b.place) == pytest.approx(0.3, abs=1e-12)
        assert from_curve(b.place, pin) < 1e-12


def test_a_kilometre_out_a_chain_lies_as_it_does_at_the_origin():
    near = joints_along(circle(), [0.1] * 20)
    far = joints_along(circle(far=(1000.0, -2000.0, 50.0)), [0.1] * 20)
    for a, b in zip(near, far, strict=True):
        assert math.dist(a.place, (b.place[0] - 1000.0, b.place[1] + 2000.0, b.place[2] - 50.0)) < 1e-9


def test_a_chain_that_slides_along_a_smooth_curve_never_jumps():
    step, curve = 0.01, hilly()
    before = lay_along(curve, [0.1] * 20, 0.0)
    for k in range(1, 300):
        now = lay_along(curve, [0.1] * 20, k * step)
        assert max((a - b).length for a, b in zip(before, now, strict=True)) < 2.0 * step
        before = now


def axes(turn):
    return turn @ X, turn @ Y, turn @ Z


def test_bones_look_along_the_chain_and_their_z_looks_up():
    joints = lay_along(hilly(), [0.1] * 30)
    for turn, (a, b) in zip(turns_along(joints, UP), pairwise(joints), strict=True):
        x, y, z = axes(turn)
        assert (y - (b - a).normalized()).length < 1e-5
        assert abs(x.z) < 1e-5
        assert z.z > 0.9


def test_through_a_loop_bones_are_carried_by_small_turns_only():
    # In a loop that stands upright up says nothing at two places, and is behind the bones' backs on top.
    loop = [(0.0, y, z) for y, z, _ in circle(count=2001)]
    turns = turns_along(lay_along(loop, [0.05] * 60), Vector((1.0, 0.0, 0.0)))
    steps = [a.rotation_difference(b).angle for a, b in pairwise(turns)]
    assert max(steps) == pytest.approx(2.0 * math.asin(0.025), abs=1e-3)


def test_each_bone_can_have_its_own_up():
    joints = lay_along([(0, 0, 0), (10, 0, 0)], [0.1] * 20)
    ups = [Quaternion(X, 0.1 * k) @ UP for k in range(20)]
    for turn, up in zip(turns_along(joints, ups), ups, strict=True):
        assert (turn @ Z - up).length < 1e-5


def test_the_first_bone_starts_from_a_given_rotation():
    joints = lay_along([(0, 0, 0), (10, 0, 0)], [0.1] * 3)
    start = Quaternion(X, 0.4) @ Euler((0.0, 0.0, -math.pi / 2.0)).to_quaternion()
    turns = turns_along(joints, Vector((1.0, 0.0, 0.0)), start)
    for turn in turns:
        assert turn.rotation_difference(start).angle < 1e-3


@pytest.mark.parametrize("joints", [[(0, 0, 0), (0, 0, 0), (0, 1, 0)], [(0, 0, 0), (0, 0, 1), (0, 0, 0)]])
def test_no_length_up_along_the_bone_and_turning_back_give_rotations(joints):
    for turn in turns_along([Vector(joint) for joint in joints], UP):
        assert turn.magnitude == pytest.approx(1.0, abs=1e-5)


def test_a_turned_curve_gives_the_turned_chain():
    move = Matrix.Translation((0.4, -1.0, 0.2)) @ Euler((0.3, 0.7, -2.0)).to_matrix().to_4x4()
    curve = hilly()
    plain = lay_along(curve, [0.1] * 20, 0.3)
    moved = lay_along([move @ Vector(p) for p in curve], [0.1] * 20, 0.3)
    for a, b in zip(plain, moved, strict=True):
        assert (move @ a - b).length < 1e-4
    first = turns_along(plain, UP)
    for a, b in zip(first, turns_along(moved, move.to_3x3() @ UP), strict=True):
        assert (move.to_quaternion() @ a).rotation_difference(b).angle < 2e-3
