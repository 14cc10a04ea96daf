"""How far joints go: what rests, walks, runs and sits is within, and no joint goes where none does."""

from math import degrees, pi, radians

import pytest
from mathutils import Matrix, Quaternion
from support.ragdolls import OURS, our_plan, our_rig, plan_of, turned, worst_beyond
from support.rigs import person_skeleton
from support.walk import walk
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.limits import angles_of, holding, mirrored
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.world.solids import Flat


@pytest.mark.parametrize("angles", [(0.4, -0.3, 1.2), (-2.8, 1.4, 2.9), (3.0, -1.5, -3.1), (0.0, 0.0, 0.0)])
def test_angles_are_those_of_turns_about_x_then_y_then_z(angles: tuple[float, float, float]):
    x, y, z = (Quaternion(axis, angle) for axis, angle in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), angles, strict=True))
    assert angles_of(x @ y @ z) == pytest.approx(angles, abs=1e-4)


def test_a_right_joint_has_the_left_ones_limits_to_the_other_side():
    assert mirrored((-1.0, -2.0, -3.0), (4.0, 5.0, 6.0)) == ((-1.0, -5.0, -6.0), (4.0, 2.0, 3.0))


def test_limits_are_widened_to_hold_a_rest_pose_but_never_to_a_quarter_turn_aside():
    low, high = holding((0.0, -0.1, -0.1), (1.0, 0.1, 0.1), (1.5, -1.55, 0.0))
    assert high[0] == pytest.approx(1.5 + radians(3.0))
    assert low[1] == pytest.approx(-radians(85.0))
    assert low[2], high[2] == (-0.1, 0.1)


@pytest.mark.parametrize("who", OURS)
def test_the_rest_pose_is_within_the_limits(who: str):
    plan = our_plan(who)
    assert worst_beyond(plan, bodies_of(plan, EditedPose.rest(our_rig(who).skeleton), Matrix()))[0] == 0.0


@pytest.mark.parametrize(
    ("who", "speed"),
    [("person", 1.4), ("person", 6.0), ("dog", 1.2), ("dog", 6.0), ("horse", 8.0), ("spider", 0.8), ("bird", 1.5)],
)
def test_walks_and_runs_are_within_the_limits(who: str, speed: float):
    rig, plan = our_rig(who), our_plan(who)
    for frame in walk(rig, Flat(), speed, 1.5).frames[::2]:
        worst, role = worst_beyond(plan, bodies_of(plan, EditedPose.of_frame(rig.skeleton, frame), Matrix()))
        assert worst < 0.5, role


def posed(plan: RagdollPlan, turns: dict[str, tuple[tuple[int, int, int], float]]) -> tuple[float, ...]:
    """The bodies of a person with some bones turned about axes of the model (degrees)."""
    rig = our_rig("person")
    pose = EditedPose.rest(rig.skeleton)
    for name, (axis, angle) in turns.items():
        pose.turn_by(rig.skeleton.index[name], Quaternion(axis, radians(angle)))
    return bodies_of(plan, pose, Matrix())


def test_sitting_on_a_chair_is_within_the_limits():
    plan = our_plan("person")
    sitting = {}
    for side in "LR":
        sitting |= {f"thigh.{side}": ((1, 0, 0), -88.0), f"shin.{side}": ((1, 0, 0), 86.0)}
    assert worst_beyond(plan, posed(plan, sitting))[0] == 0.0


def test_a_t_pose_is_within_the_limits():
    skeleton = person_skeleton(arms="T")
    plan = plan_of(skeleton)
    pose = EditedPose.rest(skeleton)
    assert worst_beyond(plan, bodies_of(plan, pose, Matrix()))[0] == 0.0


@pytest.mark.parametrize(
    ("bone", "axis", "angle", "role"),
    [
        ("shin.L", (1, 0, 0), -20.0, "shin.L"),
        ("forearm.R", (1, 0, 0), 30.0, "forearm.R"),
        ("thigh.L", (0, 1, 0), -60.0, "thigh.L"),
        ("thigh.R", (0, 1, 0), 60.0, "thigh.R"),
        ("chest", (1, 0, 0), 40.0, "chest"),
        ("head", (1, 0, 0), 120.0, "head"),
    ],
)
def test_what_no_person_can_do_is_beyond(bone: str, axis: tuple[int, int, int], angle: float, role: str):
    worst, found = worst_beyond(our_plan("person"), posed(our_plan("person"), {bone: (axis, angle)}))
    assert found == role
    assert worst > 5.0


@pytest.mark.parametrize("who", ["person", "dog", "horse"])
def test_necks_swing_at_most_45_degrees_and_spines_25_a_bone(who: str):
    for body in our_plan(who).bodies:
        if body.limb == "head":
            assert max(map(degrees, (*body.joint.high[:2], *(-a for a in body.joint.low[:2])))) <= 45.001
        if body.role in ("spine", "chest"):
            most = max(map(abs, (*body.joint.low, *body.joint.high)))
            assert degrees(most) <= 25.001 * len(body.bones)


def test_each_kind_of_body_has_limits_of_its_own():
    person, dog = our_plan("person"), our_plan("dog")
    knee, stifle = (p.bodies[p.place_of(r)].joint for p, r in ((person, "shin.L"), (dog, "hind_shin.L")))
    assert degrees(knee.low[0]) == pytest.approx(-3.0)
    assert degrees(stifle.low[0]) > 10.0


@pytest.mark.parametrize("who", OURS)
def test_the_middle_axis_stays_inside_a_quarter_turn_and_no_limit_is_upside_down(who: str):
    for body in our_plan(who).bodies[1:]:
        low, high = body.joint.low, body.joint.high
        assert all(a <= b for a, b in zip(low, high, strict=True))
        assert max(abs(low[1]), abs(high[1])) <= 0.5 * pi


def test_an_arm_that_rests_bent_about_a_slanting_axis_still_swings_and_folds():
    skeleton = person_skeleton()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        skeleton = turned(skeleton, f"forearm.{side}", Quaternion((0.4, sign * 0.9, 0.0), radians(-25.0)))
    plan = plan_of(skeleton)
    from support.ragdolls import read

    rig = read(skeleton)
    for frame in walk(rig, Flat(), 3.5, 1.0).frames[::3]:
        worst, role = worst_beyond(plan, bodies_of(plan, EditedPose.of_frame(rig.skeleton, frame), Matrix()))
        assert worst < 0.5, role
