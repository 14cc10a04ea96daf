import math

import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector
from surefoot.core.ik.hinge import HingeSpan, LimbLimits, LimbPose, RestHinge, solve_limb, solve_limb_with
from surefoot.core.ik.swing import Reach

HIP, KNEE, ANKLE = Vector((0.1, 0.0, 0.9)), Vector((0.1, -0.05, 0.48)), Vector((0.1, 0.02, 0.08))
LENGTH = (KNEE - HIP).length + (ANKLE - KNEE).length
BASES = {
    "plain": Quaternion(),
    "rolled": Euler((0.0, math.radians(45.0), 0.0)).to_quaternion(),
    "turned": Euler((2.0, -0.4, 1.0)).to_quaternion(),
}


def pose_of(parent=None, basis=None):
    parent = parent or Matrix.Identity(4)
    turn = parent.to_quaternion() @ (basis or Quaternion())
    return LimbPose(parent @ HIP, parent @ KNEE, parent @ ANKLE, turn)


def knee_after(pose, solve):
    return pose.root + solve.root_swing @ (pose.mid - pose.root)


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
@pytest.mark.parametrize("parent", [Matrix.Identity(4), Matrix.Translation((3, 1, 2)) @ Matrix.Rotation(2.0, 4, "Y")])
def test_the_tip_reaches_its_goal_whatever_the_bones_roll(basis, parent):
    hinge = RestHinge.from_rest(HIP, KNEE, ANKLE, basis)
    pose = pose_of(parent, basis)
    goal = parent @ Vector((0.2, -0.3, 0.3))
    solve = solve_limb(pose, hinge, goal)
    assert solve.reach is Reach.EXACT
    assert (solve.tip_after(pose) - goal).length <= 1e-5 * LENGTH
    plain = solve_limb(pose_of(parent), RestHinge.from_rest(HIP, KNEE, ANKLE, Quaternion()), goal)
    assert (knee_after(pose, solve) - knee_after(pose, plain)).length < 1e-5


@pytest.mark.parametrize("tilt", [-0.6, -0.2, 0.3, 0.7])
@pytest.mark.parametrize("share", [0.75, 0.9, 0.94])
def test_a_hinge_that_is_not_square_to_the_limb_is_exact(tilt, share):
    axis = Vector((math.cos(tilt), 0.0, math.sin(tilt)))
    pose = pose_of()
    goal = HIP + Vector((0.1, -0.4, -0.9)).normalized() * (share * LENGTH)
    solve = solve_limb(pose, RestHinge.from_local_axis(axis), goal)
    assert solve.reach is Reach.EXACT
    assert (solve.tip_after(pose) - goal).length <= 1e-5 * LENGTH
    lower = Quaternion(solve.hinge_axis, solve.hinge_turn) @ (ANKLE - KNEE)
    assert lower.dot(axis) == pytest.approx((ANKLE - KNEE).dot(axis), abs=1e-6), "the hinge turns about its axis alone"


@pytest.mark.parametrize("flexion", [0.0, 0.5, 1.5, 3.0])
def test_distance_and_flexion_are_each_others_inverse(flexion):
    span = HingeSpan.measure(KNEE - HIP, ANKLE - KNEE, Vector((0.9, 0.1, 0.4)).normalized())
    assert span.flexion(span.distance(flexion)) == pytest.approx(flexion, abs=1e-6)


def test_the_law_of_cosines_gives_the_knee_of_a_square_hinge():
    upper, lower, distance = 0.45, 0.4, 0.6
    span = HingeSpan.measure(Vector((0, 0, -upper)), Vector((0, 0, -lower)), Vector((1, 0, 0)))
    inside = math.acos((upper**2 + lower**2 - distance**2) / (2.0 * upper * lower))
    assert span.flexion(distance) == pytest.approx(math.pi - inside, abs=1e-6)


def test_a_rest_too_straight_gives_no_hinge():
    for degrees, found in ((2.9, False), (3.1, True)):
        tip = KNEE + Euler((math.radians(degrees), 0.0, 0.0)).to_matrix() @ (KNEE - HIP)
        assert (RestHinge.from_rest(HIP, KNEE, tip, Quaternion()) is not None) is found


def test_the_role_bends_a_knee_forward_and_an_elbow_back():
    down, forward = Vector((0.0, 0.0, -1.0)), Vector((0.0, -1.0, 0.0))
    pose = LimbPose(HIP, HIP + down * 0.4, HIP + down * 0.8, Quaternion())
    for bend in (forward, -forward):
        solve = solve_limb(pose, RestHinge.from_role(down, bend, Quaternion()), HIP + down * 0.6)
        assert (knee_after(pose, solve) - pose.root).dot(bend) > 0.2
    assert RestHinge.from_role(down, down, Quaternion()).axis.length == pytest.approx(1.0)


def test_an_axis_of_no_length_is_refused_with_the_remedy():
    with pytest.raises(ValueError, match="give the direction"):
        RestHinge.from_local_axis(Vector((0.0, 0.0, 0.0)))


@pytest.mark.parametrize(("distance", "expected"), [(0.1, 100.0), (0.84, 20.0)])
def test_flexion_stays_within_its_limits_on_the_same_side(distance, expected):
    pose, hinge = pose_of(), RestHinge.from_rest(HIP, KNEE, ANKLE, Quaternion())
    limits = LimbLimits(least=math.radians(20.0), greatest=math.radians(100.0))
    goal = HIP + Vector((0.0, -0.2, -1.0)).normalized() * distance
    solve = solve_limb_with(pose, hinge, goal, limits)
    lower = Quaternion(solve.hinge_axis, solve.hinge_turn) @ (ANKLE - KNEE)
    flexion = math.atan2((KNEE - HIP).cross(lower).dot(solve.hinge_axis), (KNEE - HIP).dot(lower))
    assert solve.reach is Reach.CLAMPED
    assert math.degrees(flexion) == pytest.approx(expected, abs=1e-3)
    assert (solve.tip_after(pose) - HIP).normalized().dot((goal - HIP).normalized()) > 1.0 - 1e-6


def test_a_pose_bent_to_the_wrong_side_is_bent_back():
    hinge = RestHinge.from_rest(HIP, KNEE, ANKLE, Quaternion())
    wrong = LimbPose(HIP, HIP + Vector((0.0, 0.1, -0.4)), HIP + Vector((0.0, 0.0, -0.8)), Quaternion())
    goal = HIP + Vector((0.0, 0.0, -0.7))
    solve = solve_limb(wrong, hinge, goal)
    assert (solve.tip_after(wrong) - goal).length <= 1e-5
    assert knee_after(wrong, solve).y < HIP.y - 0.1


def test_a_goal_at_the_root_is_degenerate_and_keeps_the_limb_where_it_is():
    pose = pose_of()
    solve = solve_limb(pose, RestHinge.from_rest(HIP, KNEE, ANKLE, Quaternion()), HIP)
    assert (solve.reach, solve.root_swing) == (Reach.DEGENERATE, Quaternion())
    assert np.isfinite(np.array(solve.tip_after(pose))).all()


def test_a_lower_segment_without_length_is_degenerate_and_points_at_its_goal():
    pose = LimbPose(HIP, KNEE, KNEE, Quaternion())
    solve = solve_limb(pose, RestHinge.from_local_axis(Vector((1.0, 0.0, 0.0))), HIP + Vector((0.0, -1.0, 0.0)))
    assert solve.reach is Reach.DEGENERATE
    assert (solve.tip_after(pose) - HIP).normalized().dot(Vector((0.0, -1.0, 0.0))) > 1.0 - 1e-6


@pytest.mark.parametrize("towards", [(0.0, -1.0, 0.0), (0.7, -0.7, 0.0), (1.0, 0.2, 0.0)])
def test_the_middle_joint_heads_where_it_is_told(towards):
    pose, hinge = pose_of(), RestHinge.from_rest(HIP, KNEE, ANKLE, Quaternion())
    goal = HIP + Vector((0.0, 0.0, -0.7))
    solve = solve_limb_with(pose, hinge, goal, LimbLimits(), Vector(towards))
    offset = knee_after(pose, solve) - HIP
    offset.z = 0.0
    assert (solve.tip_after(pose) - goal).length <= 1e-5
    assert offset.normalized().dot(Vector(towards).normalized()) > 0.999
