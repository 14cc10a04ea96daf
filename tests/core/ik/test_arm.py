"""What an arm is told by: where its elbow points, how its hand turns, what its palm is, who helps it."""

import math

import pytest
from mathutils import Matrix, Quaternion, Vector
from support.layered import understood
from support.rigs import person_skeleton
from surefoot.core.ik.elbow import Trunk, elbow_angle, raised_clear, within
from surefoot.core.ik.palm import Touch
from surefoot.core.ik.stretch import lean, turn_nearer
from surefoot.core.ik.wrist import bent_wrist, forearm_twist
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Bone, Skeleton

NO_TURN = Quaternion()
AHEAD, DOWN = Vector((0.0, -1.0, 0.0)), Vector((0.0, 0.0, -1.0))


def arm(line, elbow):
    """Shoulder, elbow, hand: along `line`, the elbow off it towards `elbow`."""
    line, elbow = Vector(line).normalized(), Vector(elbow)
    off = (elbow - line * elbow.dot(line)).normalized()
    return [Vector(), line * 0.25 + off * 0.1, line * 0.5]


def angle(joints, side=1.0, carrier=NO_TURN):
    found = elbow_angle(joints, carrier, side)
    return None if found is None else math.degrees(found)


@pytest.mark.parametrize(
    ("line", "elbow"),
    [
        ((0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),  # ahead: below
        ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),  # hanging: behind
        ((0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),  # raised: ahead
        ((1.0, 0.0, 0.0), (0.0, 0.3, -1.0)),  # out: below, a little behind
    ],
)
def test_an_elbow_that_hangs_is_near_its_zero_whichever_way_the_arm_reaches(line, elbow):
    assert angle(arm(line, elbow)) == pytest.approx(0.0, abs=25.0)


def test_the_angle_grows_outwards_on_both_sides():
    for side in (1.0, -1.0):
        hanging, raised = angle(arm(AHEAD, DOWN), side), angle(arm(AHEAD, (side, 0.0, 0.0)), side)
        assert raised - hanging == pytest.approx(90.0, abs=1e-3)


def test_the_angle_is_the_bodys_and_turns_with_it():
    turn = Quaternion((0.3, 0.5, 0.8), 1.1)
    joints = arm((0.2, -0.9, -0.1), (0.4, 0.0, -1.0))
    moved = [turn @ joint + Vector((3.0, 2.0, 1.0)) for joint in joints]
    assert angle(moved, carrier=turn) == pytest.approx(angle(joints), abs=1e-3)


@pytest.mark.parametrize(
    "joints", [arm(AHEAD, DOWN)[:1] * 3, [Vector(), AHEAD * 0.3, AHEAD * 0.6]], ids=["none", "straight"]
)
def test_an_arm_without_an_elbow_to_see_has_no_angle(joints):
    assert elbow_angle(joints, NO_TURN, 1.0) is None


def test_an_angle_is_held_between_its_limits_and_the_opposite_goes_to_their_middle():
    low, high = math.radians(-10.0), math.radians(70.0)
    held = [
        math.degrees(within(math.radians(degrees), low, high)) for degrees in (0.0, 40.0, -30.0, 90.0, 360.0 + 20.0)
    ]
    assert held == pytest.approx([0.0, 40.0, -10.0, 70.0, 20.0])
    assert math.degrees(within(math.radians(210.0), low, high)) == pytest.approx(30.0)
    way = [within(math.radians(degrees), low, high) for degrees in range(-180, 181)]
    assert max(abs(b - a) for a, b in zip(way, way[1:], strict=False)) < math.radians(1.6)


def test_a_trunk_is_left_beside_it_or_in_front_and_never_behind():
    trunk = Trunk.beside(Vector((0.17, 0.0, 1.4)))
    assert trunk.outside(Vector((0.2, 0.1, 1.1)), 1.0) > 1.0
    assert trunk.outside(Vector((0.0, -0.2, 1.1)), 1.0) > 1.0
    assert trunk.outside(Vector((0.1, 0.0, 1.1)), 1.0) < 1.0
    assert trunk.outside(Vector((0.0, 0.4, 1.1)), 1.0) < 1.0
    # The other side is through the body.
    assert trunk.outside(Vector((-0.4, 0.0, 1.1)), 1.0) < 1.0
    assert trunk.outside(Vector((-0.2, 0.1, 1.1)), -1.0) > 1.0


def test_an_elbow_is_raised_to_the_first_angle_that_is_out():
    assert raised_clear(0.2, 1.2, lambda at: 0.5 + at) == pytest.approx(0.5, abs=1e-3)
    assert raised_clear(0.7, 1.2, lambda at: 0.5 + at) == 0.7
    # None is out: it goes to where that is nearest, the less the farther it is, and stays where it is hopeless.
    nearly = raised_clear(0.0, 1.0, lambda at: 0.98 - 4.0 * (at - 0.4) ** 2)
    assert 0.38 < nearly < 0.4
    assert raised_clear(0.0, 1.0, lambda at: 0.2 * at) == 0.0


def test_no_elbow_jumps_as_a_way_out_opens_or_closes():
    """What is outside sinks and rises as a whole, for curves that rise, dip, and rise at their far end only."""
    for curve in (lambda at: at, lambda at: (at - 0.5) ** 2, lambda at: -((at - 0.3) ** 2), lambda at: 0.3 * at**4):
        for rise in (0.5, 1.0, 2.0):
            way = [
                raised_clear(0.0, 1.0, lambda at, k=k, rise=rise, curve=curve: 0.002 * k + rise * curve(at))
                for k in range(601)
            ]
            assert max(abs(b - a) for a, b in zip(way, way[1:], strict=False)) < 0.06


def test_a_wrist_is_bent_within_its_limit_and_turned_about_the_forearm_freely():
    carried = Quaternion((0.2, 0.5, 0.7), 0.8)
    bend = Quaternion((1.0, 0.0, 0.0), math.radians(90.0))
    asked = bent_wrist(carried, bend @ carried, DOWN, math.radians(60.0))
    assert math.degrees(asked.rotation_difference(carried).angle) == pytest.approx(60.0, abs=1e-2)
    turn = Quaternion((0.0, 0.0, 1.0), math.radians(90.0))
    asked = bent_wrist(carried, turn @ carried, DOWN, math.radians(60.0))
    assert math.degrees(asked.rotation_difference(turn @ carried).angle) == pytest.approx(0.0, abs=0.05)
    half = Quaternion((1.0, 0.0, 0.0), math.pi)
    asked = bent_wrist(carried, half @ carried, DOWN, math.radians(60.0))
    assert math.degrees(asked.rotation_difference(carried).angle) == pytest.approx(0.0, abs=0.1)


def test_the_forearm_takes_half_of_the_hands_turn_about_it():
    turn = Quaternion((0.0, 0.0, -1.0), math.radians(80.0))
    twist = forearm_twist(NO_TURN, turn, DOWN)
    assert math.degrees(twist.angle) == pytest.approx(40.0, abs=1e-3)
    assert twist.axis.dot(DOWN) == pytest.approx(1.0, abs=1e-5)


def test_a_shoulder_turns_just_so_far_that_the_arm_reaches():
    pivot, joint, goal = Vector(), Vector((0.15, 0.0, 0.0)), Vector((0.4, -0.5, 0.1))
    axis, found = turn_nearer(pivot, joint, goal, 0.55)
    assert (goal - Quaternion(axis, found) @ joint).length == pytest.approx(0.55, abs=1e-6)
    assert turn_nearer(pivot, joint, goal, 0.6)[1] == 0.0
    # What no turn reaches is turned to.
    axis, found = turn_nearer(pivot, joint, goal, 0.1)
    assert (Quaternion(axis, found) @ joint).angle(goal) < 1e-3
    assert turn_nearer(pivot, pivot, goal, 0.1)[1] == turn_nearer(pivot, joint, joint * 9.0, 0.1)[1] == 0.0


def test_a_spine_leans_just_so_far_that_the_arm_reaches():
    rig = understood(person_skeleton())
    spine = tuple(rig.skeleton.index[name] for name in ("spine.001", "spine.002", "chest"))
    arm_bone, goal = rig.arms[1].bones[0], Vector((-0.4, -0.7, 1.3))
    before = (goal - rig.skeleton.bones[arm_bone].head).length
    for reach in (before + 0.03, before - 0.02, before - 0.07):
        pose = EditedPose.rest(rig.skeleton)
        found = lean(pose, spine, arm_bone, goal, reach, math.radians(40.0))
        assert 0.0 <= found < math.radians(40.0)
        assert (goal - pose.head(arm_bone)).length == pytest.approx(min(reach, before), abs=2e-3)
    pose = EditedPose.rest(rig.skeleton)
    assert lean(pose, spine, arm_bone, goal, 0.1, math.radians(15.0)) == pytest.approx(math.radians(15.0))
    assert lean(pose, spine, arm_bone, goal, 9.0, math.radians(15.0)) == 0.0


def test_a_hand_that_is_one_bone_has_its_palm_amid_it_facing_the_body():
    rig = understood(person_skeleton())
    for arm_of in rig.arms:
        touch, bone = Touch.of_hand(rig, arm_of, 0.5), rig.skeleton.bones[arm_of.hand]
        point = bone.rest @ touch.point
        assert (point - bone.head.lerp(bone.tail, 0.5)).length == pytest.approx(0.075 * bone.length, abs=1e-4)
        normal = bone.rest.to_quaternion() @ touch.normal
        assert normal.x * (-1.0 if arm_of.side == "L" else 1.0) > 0.6
        assert abs(normal.dot((bone.tail - bone.head).normalized())) < 1e-5


def test_a_hand_with_fingers_lies_as_they_do():
    """A level palm tilted 30 degrees about the fingers: the normal is that of the row of fingers, not of the bone."""
    skeleton = person_skeleton("T")
    bones, hand = list(skeleton.bones), skeleton.index["hand.L"]
    wrist = bones[hand].head
    tilt = Quaternion((1.0, 0.0, 0.0), math.radians(30.0))
    for k in range(4):
        base = wrist + Vector((0.09, 0.0, 0.0)) + tilt @ Vector((0.0, -0.03 + 0.02 * k, 0.0))
        parent = hand
        for part in range(3):
            rest = Vector((0.0, 1.0, 0.0)).rotation_difference(Vector((1.0, 0.0, 0.0))).to_matrix().to_4x4()
            rest.translation = base + Vector((0.03 * part, 0.0, 0.0))
            bones.append(Bone(f"finger{k}.{part}.L", parent, rest, 0.03))
            parent = len(bones) - 1
    rig = understood(Skeleton(tuple(bones)))
    left = next(arm_of for arm_of in rig.arms if arm_of.side == "L")
    touch = Touch.of_hand(rig, left, 0.5)
    normal = rig.skeleton.bones[left.hand].rest.to_quaternion() @ touch.normal
    assert normal.angle(tilt @ DOWN) < math.radians(6.0)


def test_a_hand_whose_bone_says_nothing_goes_on_as_the_forearm():
    skeleton = person_skeleton("T")
    bones, hand = list(skeleton.bones), skeleton.index["hand.L"]
    rest = Matrix.Rotation(math.radians(90.0), 4, "X")
    rest.translation = bones[hand].head
    bones[hand] = Bone("hand.L", bones[hand].parent, rest, 0.05)
    rig = understood(Skeleton(tuple(bones)))
    left = next(arm_of for arm_of in rig.arms if arm_of.side == "L")
    touch = Touch.of_hand(rig, left, 0.5)
    fingers = rest.to_quaternion() @ touch.lying.inverted() @ AHEAD
    forearm = bones[hand].head - bones[skeleton.index["forearm.L"]].head
    assert fingers.angle(forearm) < math.radians(1.0)
