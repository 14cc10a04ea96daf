import math
from itertools import pairwise

import pytest
from mathutils import Euler, Quaternion, Vector
from support.chains_of_points import direction, targets
from support.tails import hooked, tailed
from surefoot.core.ik.ccd import Cone
from surefoot.core.ik.chain import Effort
from surefoot.core.ik.chain_bones import (
    BoneChain,
    bones_between,
    joints_of,
    lay_bones,
    lay_joints,
    solve_bones,
    tip_after,
)
from surefoot.core.ik.follow import lay_along
from surefoot.core.ik.swing import Reach
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Bone, Skeleton

MILLIMETRE = 1e-3


def tail_of(skeleton):
    return tuple(i for i, bone in enumerate(skeleton.bones) if bone.name.startswith("tail"))


def posed(skeleton):
    """A pose in which the body is turned and moved, and the tail waves aside."""
    pose = EditedPose.rest(skeleton)
    pose.set_basis(0, Euler((0.2, -0.3, 0.8)).to_quaternion(), Vector((0.05, -0.1, 0.02)))
    for k, i in enumerate(tail_of(skeleton)):
        pose.set_basis(i, Euler((0.02, 0.01, 0.1 * math.cos(0.7 * k))).to_quaternion())
    return pose


def solvers(count):
    return {
        "FABRIK": BoneChain(tuple(range(1, count + 1)), Effort(6)),
        "CCD": BoneChain(
            tuple(range(1, count + 1)), Effort(48), (Cone(3.0, 0.5), *[Cone(8.0 / count, 0.3)] * (count - 1))
        ),
    }


def apart(a, b):
    """The angle between two rotations."""
    return 2.0 * math.acos(min(1.0, abs(a.dot(b))))


def goals(pose, seed, count, low=0.2):
    root = pose.head(1)
    return [root + Vector(target) for target in targets(seed, count, low)]


@pytest.mark.parametrize("solver", ["FABRIK", "CCD"])
@pytest.mark.parametrize("gap", [0.0, 0.02])
@pytest.mark.parametrize("count", [3, 8, 20])
def test_a_tail_comes_to_its_target_with_rotations_alone(count, gap, solver):
    skeleton = tailed(hooked(count), gap=gap if count < 20 else gap / 4.0)
    chain = solvers(count)[solver]
    for goal in goals(posed(skeleton), seed=count, count=20):
        pose = posed(skeleton)
        before, base = joints_of(pose, chain.bones), pose.held()
        answer = solve_bones(pose, chain, goal)
        assert pose.held() == base
        lay_bones(pose, chain.bones, answer.turns)
        after = joints_of(pose, chain.bones)
        assert (after[-1] - goal).length < MILLIMETRE
        assert after[0] == before[0]
        assert pose.locations == base[1]
        assert pose.rotations[0] is base[0][0]
        assert pose.rotations[-1] is base[0][-1]
        for (a, b), (c, d) in zip(pairwise(before), pairwise(after), strict=True):
            assert (b - a).length == pytest.approx((d - c).length, abs=1e-5)
        for place, point in zip(after, answer.points, strict=True):
            assert (place - Vector(point)).length < 1e-4


def test_the_tip_is_known_before_anything_is_written():
    pose = posed(tailed(hooked(8)))
    chain = solvers(8)["FABRIK"]
    goal = goals(pose, 1, 1)[0]
    tip = tip_after(pose, chain, goal)
    lay_bones(pose, chain.bones, solve_bones(pose, chain, goal).turns)
    assert (pose.tail(chain.bones[-1]) - tip).length < 1e-5


@pytest.mark.parametrize("solver", ["FABRIK", "CCD"])
def test_joints_do_not_depend_on_how_bones_are_rolled(solver):
    chain = solvers(8)[solver]
    found = []
    for rolls in ((0.0,), (0.8, -1.5, 3.0), (math.pi / 2.0,)):
        pose = EditedPose.rest(tailed(hooked(8), rolls))
        lay_bones(pose, chain.bones, solve_bones(pose, chain, Vector((0.3, 0.7, 0.9))).turns)
        found.append(joints_of(pose, chain.bones))
    for other in found[1:]:
        assert max((a - b).length for a, b in zip(found[0], other, strict=True)) < 1e-3


@pytest.mark.parametrize("solver", ["FABRIK", "CCD"])
def test_a_tail_that_is_where_it_should_be_keeps_its_curl(solver):
    pose = posed(tailed(hooked(12, curl=4.0)))
    chain = solvers(12)[solver]
    answer = solve_bones(pose, chain, pose.tail(12))
    for i, turn in zip(chain.bones, answer.turns, strict=True):
        assert apart(turn, pose.turn(i)) < 2e-3


def test_no_bone_turns_about_its_length():
    pose = posed(tailed(hooked(12)))
    chain = solvers(12)["FABRIK"]
    rotations = [pose.frame_of(i).to_quaternion().inverted() @ pose.turn(i) for i in chain.bones]
    lay_bones(pose, chain.bones, solve_bones(pose, chain, Vector((0.4, 0.5, 0.9))).turns)
    for i, before in zip(chain.bones, rotations, strict=True):
        turn = before.inverted() @ pose.rotations[i]
        assert abs(turn.to_axis_angle()[0].y * turn.angle) < 0.02 + 0.1 * (i == 1)


def test_two_chains_are_solved_the_same_alone_and_together():
    skeleton = tailed(hooked(12))
    goal, chain = Vector((0.3, 0.7, 0.9)), solvers(12)["FABRIK"]
    other = BoneChain((len(skeleton) - 1,), Effort())
    found = []
    for order in ((chain,), (chain, other), (other, chain)):
        pose = posed(skeleton)
        for item in order:
            lay_bones(pose, item.bones, solve_bones(pose, item, goal).turns)
        found.append([tuple(pose.rotations[i]) for i in chain.bones])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("pole", [(0.0, 0.0, -1.0), (1.0, 0.0, 0.0)])
def test_a_pole_turns_with_what_carries_the_chain(pole):
    pose = posed(tailed(hooked(8, curl=0.5)))
    chain = BoneChain(tuple(range(1, 9)), Effort(), pole=pole)
    goal = pose.head(1) + pose.moved(0).to_quaternion() @ Vector((0.0, 0.6, 0.0))
    points = [Vector(point) for point in solve_bones(pose, chain, goal).points]
    line = (points[-1] - points[0]).normalized()
    middle = sum(points, Vector()) / len(points) - points[0]
    aside = (middle - line * middle.dot(line)).normalized()
    assert aside.dot(pose.moved(0).to_quaternion() @ Vector(pole)) > 0.95


def test_out_of_reach_it_points_there_and_tells_how_much_is_missing():
    pose = posed(tailed(hooked(8)))
    answer = solve_bones(pose, solvers(8)["FABRIK"], pose.head(1) + Vector((0.0, 0.0, 1.5)))
    assert answer.reach is Reach.CLAMPED
    assert answer.error == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("solver", ["FABRIK", "CCD"])
def test_a_target_that_is_no_number_leaves_the_pose(solver):
    pose = posed(tailed(hooked(8)))
    answer = solve_bones(pose, solvers(8)[solver], Vector((math.nan, 0.0, 0.0)))
    assert answer.reach is Reach.DEGENERATE
    for i, turn in zip(range(1, 9), answer.turns, strict=True):
        assert apart(turn, pose.turn(i)) < 1e-3


def test_a_chain_without_length_stays():
    body = tailed(hooked(1)).bones[0]
    pose = EditedPose.rest(Skeleton((body, Bone("tail", 0, body.rest, 0.0))))
    answer = solve_bones(pose, BoneChain((1,), Effort()), Vector((0.0, 1.0, 1.0)))
    assert answer.reach is Reach.DEGENERATE
    assert answer.turns == (pose.turn(1),)


def test_the_bones_between_two_are_those_from_one_down_to_the_other():
    skeleton = tailed(hooked(6))
    index = skeleton.index
    assert bones_between(skeleton, index["tail.002"], index["tail.005"]) == (2, 3, 4, 5)
    assert bones_between(skeleton, 3, 3) == (3,)
    assert bones_between(skeleton, index["tail.005"], index["tail.002"]) == ()
    assert bones_between(skeleton, index["bell"], index["tail.006"]) == ()


def test_bones_lie_like_the_joints_that_they_are_given():
    pose = posed(tailed(hooked(8)))
    bones = tuple(range(1, 9))
    spin = Quaternion(Vector(direction_of_chance()), 0.8)
    joints = [spin @ joint for joint in joints_of(pose, bones)]
    root = pose.head(1)
    lay_joints(pose, bones, joints)
    for place, wanted in zip(joints_of(pose, bones), joints, strict=True):
        assert (place - root - (wanted - joints[0])).length < 1e-4


def test_a_tail_lies_along_a_curve_that_begins_at_its_root():
    skeleton = tailed(hooked(12), gap=0.01)
    pose = posed(skeleton)
    bones = tuple(range(1, 13))
    root = pose.head(1)
    curve = [root + Vector((0.3 * math.sin(4.0 * k / 100.0), k / 100.0, 0.1 * k / 100.0)) for k in range(150)]
    lengths = [(b - a).length for a, b in pairwise(joints_of(pose, bones))]
    wanted = lay_along(curve, lengths)
    lay_joints(pose, bones, wanted)
    for place, joint in zip(joints_of(pose, bones), wanted, strict=True):
        assert (place - joint).length < 1e-4


def direction_of_chance():
    import random

    return direction(random.Random(3))
