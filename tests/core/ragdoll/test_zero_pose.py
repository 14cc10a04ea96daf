"""The zero pose that limits count from means the same on every rig, whatever its rest pose."""

from math import degrees, radians, sqrt

import pytest
from mathutils import Quaternion, Vector
from support.ragdolls import OURS, our_plan, plan_of, rolled, turned
from support.rigs import person_skeleton
from surefoot.core.ragdoll.limits import joint_angles

Z = Vector((0.0, 0.0, 1.0))


def rests():
    """A person's rest poses: as it ships, in T, with arms down, straight, with bent knees, with rolled bones."""
    usual = person_skeleton()
    down, sitting = usual, usual
    for side, sign in (("L", 1.0), ("R", -1.0)):
        down = turned(down, f"upper_arm.{side}", Quaternion((0.0, 1.0, 0.0), radians(22.0 * sign)))
        sitting = turned(sitting, f"thigh.{side}", Quaternion((1.0, 0.0, 0.0), radians(-25.0)))
        sitting = turned(sitting, f"shin.{side}", Quaternion((1.0, 0.0, 0.0), radians(40.0)))
        sitting = turned(sitting, f"foot.{side}", Quaternion((1.0, 0.0, 0.0), radians(-15.0)))
    return {
        "A": usual,
        "T": person_skeleton(arms="T"),
        "down": down,
        "straight": person_skeleton(legs="STRAIGHT"),
        "bent": sitting,
        "rolled": rolled(usual, 0.8),
    }


def angles_at_rest(plan, role):
    body = plan.bodies[plan.place_of(role)]
    parent = plan.bodies[body.parent]
    angles = joint_angles(body, parent, Quaternion(body.rest.turn), Quaternion(parent.rest.turn))
    return tuple(map(degrees, angles))


@pytest.mark.parametrize("rest", rests())
def test_legs_hang_arms_are_half_raised_and_feet_are_level(rest: str):
    plan = plan_of(rests()[rest])
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for role, along in (
            (f"thigh.{side}", (0.0, 0.0, -1.0)),
            (f"shin.{side}", (0.0, 0.0, -1.0)),
            (f"upper_arm.{side}", (sign * sqrt(0.5), 0.0, -sqrt(0.5))),
            (f"forearm.{side}", (sign * sqrt(0.5), 0.0, -sqrt(0.5))),
        ):
            assert tuple(Quaternion(plan.bodies[plan.place_of(role)].zero.turn) @ Z) == pytest.approx(along, abs=1e-4)
        foot = Quaternion(plan.bodies[plan.place_of(f"foot.{side}")].zero.turn)
        assert (foot @ Vector((0.0, 1.0, 0.0))).z == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("rest", rests())
def test_hinges_flex_about_the_axis_to_the_left_or_right(rest: str):
    plan = plan_of(rests()[rest])
    for role, across in (("thigh.L", -1.0), ("shin.L", 1.0), ("foot.L", 1.0), ("spine", 1.0), ("head", 1.0)):
        x = Quaternion(plan.bodies[plan.place_of(role)].joint.frame.turn) @ Vector((1.0, 0.0, 0.0))
        assert across * x.x > 0.94


def test_the_parents_joint_and_the_childs_are_one_in_the_zero_pose():
    for who in OURS:
        plan = our_plan(who)
        for body in plan.bodies[1:]:
            at_rest = body.rest.to_scene(body.zero.from_scene(body.joint.frame.origin))
            parent = plan.bodies[body.parent]
            carried = parent.zero.to_scene(parent.rest.from_scene(at_rest))
            assert carried == pytest.approx(body.joint.frame.origin, abs=1e-5 * max(1.0, plan.height))


def test_a_t_pose_has_its_upper_arms_45_degrees_over_zero_and_hanging_ones_under_it():
    raised = angles_at_rest(plan_of(rests()["T"]), "upper_arm.L")
    # The rest's arm leans back by two degrees.
    assert raised == pytest.approx((0.0, -45.0, 0.0), abs=3.0)
    assert angles_at_rest(plan_of(rests()["down"]), "upper_arm.L")[1] == pytest.approx(37.0, abs=2.0)
    right = angles_at_rest(plan_of(rests()["T"]), "upper_arm.R")
    assert right == pytest.approx((raised[0], -raised[1], -raised[2]), abs=0.1)


@pytest.mark.parametrize(("rest", "knee"), [("A", 4.1), ("straight", 0.0), ("bent", 44.1)])
def test_a_knee_is_flexed_by_as_much_as_it_is_bent_at_rest(rest: str, knee: float):
    assert angles_at_rest(plan_of(rests()[rest]), "shin.L") == pytest.approx((knee, 0.0, 0.0), abs=1.0)


@pytest.mark.parametrize(
    ("role", "bend"), [("front_shin.L", 41.0), ("hind_shin.L", 62.0), ("front_metatarsal.R", 16.0)]
)
def test_an_animals_leg_is_straight_in_zero_and_flexed_as_it_rests(role: str, bend: float):
    assert angles_at_rest(our_plan("dog"), role) == pytest.approx((bend, 0.0, 0.0), abs=1.0)


def test_a_dogs_trunk_neck_tail_and_hips_are_in_zero_as_they_rest():
    plan = our_plan("dog")
    for role in ("spine", "chest", "neck", "head", "tail", "hind_thigh.L", "front_blade.R", "front_thigh.R"):
        assert angles_at_rest(plan, role) == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
