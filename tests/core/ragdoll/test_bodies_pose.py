"""A pose as bodies and bodies as a pose: exact both ways, by weights, with bends shared."""

from dataclasses import replace

import pytest
from mathutils import Matrix, Quaternion, Vector
from support.ragdolls import OURS, our_plan, our_rig, random_pose, read
from support.rigs import person_skeleton
from surefoot.core.ragdoll.bodies_pose import bodies_of, posed_by
from surefoot.core.ragdoll.make_plan import make_plan
from surefoot.core.ragdoll_presets import plan_config
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Skeleton

TO_WORLD = Matrix.Translation((3.0, -2.0, 0.5)) @ Matrix.Rotation(1.1, 4, "Z")


def copy(pose):
    return EditedPose(pose.skeleton, list(pose.rotations), dict(pose.locations))


def farthest(a, b):
    """The largest difference of two poses' model matrices."""
    bones = range(len(a.skeleton))
    return max(
        abs(x - y)
        for i in bones
        for p, q in zip(a.model(i), b.model(i), strict=True)
        for x, y in zip(p, q, strict=True)
    )


def apart(bodies, others):
    """The largest difference of places, and of turns, whatever their sign."""
    places, turns = 0.0, 0.0
    for k in range(0, len(bodies), 7):
        places = max(places, *(abs(x - y) for x, y in zip(bodies[k : k + 3], others[k : k + 3], strict=True)))
        a, b = bodies[k + 3 : k + 7], others[k + 3 : k + 7]
        sign = 1.0 if sum(x * y for x, y in zip(a, b, strict=True)) >= 0.0 else -1.0
        turns = max(turns, *(abs(x - sign * y) for x, y in zip(a, b, strict=True)))
    return places, turns


@pytest.mark.parametrize("who", OURS)
def test_at_rest_bodies_lie_as_the_plan_says(who):
    rig, plan = our_rig(who), our_plan(who)
    told = tuple(x for body in plan.bodies for x in (*body.rest.origin, *body.rest.turn))
    assert max(apart(bodies_of(plan, EditedPose.rest(rig.skeleton), Matrix()), told)) < 1e-5


@pytest.mark.parametrize("who", OURS)
def test_a_pose_given_its_own_bodies_stays_as_it_is(who):
    rig, plan = our_rig(who), our_plan(who)
    for seed in range(3):
        pose = random_pose(rig, plan, seed)
        same = copy(pose)
        posed_by(plan, same, TO_WORLD, bodies_of(plan, pose, TO_WORLD))
        assert farthest(same, pose) < 1e-5


@pytest.mark.parametrize("who", OURS)
def test_any_pose_given_other_bodies_has_those_bodies(who):
    rig, plan = our_rig(who), our_plan(who)
    for seed in range(3):
        wanted = bodies_of(plan, random_pose(rig, plan, seed), TO_WORLD)
        pose = random_pose(rig, plan, seed + 50)
        posed_by(plan, pose, TO_WORLD, wanted)
        assert max(apart(bodies_of(plan, pose, TO_WORLD), wanted)) < 1e-5


@pytest.mark.parametrize("who", ["person", "dog", "spider"])
def test_bones_that_a_body_stands_for_alone_are_turned_exactly(who):
    rig, plan = our_rig(who), our_plan(who)
    one, other = random_pose(rig, plan, 1), random_pose(rig, plan, 2)
    posed_by(plan, other, Matrix(), bodies_of(plan, one, Matrix()))
    for body in plan.bodies:
        if len(body.bones) == 1:
            assert abs(other.turn(body.bones[0]).dot(one.turn(body.bones[0]))) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("who", ["person", "dog", "horse"])
def test_bodies_are_joined_without_a_gap_in_any_pose(who):
    rig, plan = our_rig(who), our_plan(who)
    numbers = bodies_of(plan, random_pose(rig, plan, 4, 0.5), TO_WORLD)
    for k, body in enumerate(plan.bodies):
        if body.joint is None:
            continue
        ends = []
        for place, of in ((k, body), (body.parent, plan.bodies[body.parent])):
            turn, middle = (
                Quaternion(numbers[7 * place + 3 : 7 * place + 7]),
                Vector(numbers[7 * place : 7 * place + 3]),
            )
            ends.append(middle + turn @ Vector(of.zero.from_scene(body.joint.frame.origin)))
        assert (ends[0] - ends[1]).length < 1e-5 * max(1.0, plan.height)


def test_the_carrying_bone_goes_where_the_first_body_is():
    rig, plan = our_rig("person"), our_plan("person")
    pose = EditedPose.rest(rig.skeleton)
    bodies = list(bodies_of(plan, pose, Matrix()))
    for k in range(0, len(bodies), 7):
        bodies[k] += 0.7
        bodies[k + 2] -= 0.4
    posed_by(plan, pose, Matrix(), bodies)
    moved = pose.head(plan.carrier) - rig.skeleton.bones[plan.carrier].head
    assert tuple(moved) == pytest.approx((0.7, 0.0, -0.4), abs=1e-5)


def test_fingers_and_toes_and_shoulders_keep_their_own_pose():
    rig, plan = our_rig("person"), our_plan("person")
    pose = random_pose(rig, plan, 3)
    free = [rig.skeleton.index[name] for name in ("toe.L", "toe.R", "shoulder.L", "shoulder.R", "root")]
    before = [pose.rotations[i].copy() for i in free]
    posed_by(plan, pose, Matrix(), bodies_of(plan, random_pose(rig, plan, 9), Matrix()))
    assert [pose.rotations[i] for i in free] == before


def test_a_bend_of_one_spine_body_is_shared_by_its_bones():
    rig, plan = our_rig("person"), our_plan("person")
    spine = plan.bodies[plan.place_of("spine")]
    assert len(spine.bones) == 2
    bent = EditedPose.rest(rig.skeleton)
    # All of 30 degrees between the pelvis and the chest: half at the spine body.
    chest = plan.bodies[plan.place_of("chest")].bones[0]
    for bone, angle in ((spine.bones[0], 0.2618), (spine.bones[1], 0.0), (chest, 0.2618)):
        bent.turn_by(bone, Quaternion((1.0, 0.0, 0.0), angle))
    pose = EditedPose.rest(rig.skeleton)
    posed_by(plan, pose, Matrix(), bodies_of(plan, bent, Matrix()))
    turns = [pose.rotations[bone].angle for bone in (*spine.bones, chest)]
    assert turns == pytest.approx([0.5236 / 3.0] * 3, abs=1e-3)
    assert sum(turns) == pytest.approx(0.5236, abs=1e-3)


def test_without_weight_a_pose_stays_as_it_is_to_the_bit():
    rig, plan = our_rig("dog"), our_plan("dog")
    pose = random_pose(rig, plan, 1)
    same = copy(pose)
    posed_by(plan, same, TO_WORLD, bodies_of(plan, random_pose(rig, plan, 2), TO_WORLD), [0.0] * len(plan.bodies))
    assert same.rotations == pose.rotations
    assert same.locations == pose.locations


def test_a_limb_alone_is_taken_where_only_it_has_weight():
    rig, plan = our_rig("person"), our_plan("person")
    pose, other = random_pose(rig, plan, 1), random_pose(rig, plan, 2)
    weights = [1.0 if body.limb == "arm.L" else 0.0 for body in plan.bodies]
    taken = copy(pose)
    posed_by(plan, taken, Matrix(), bodies_of(plan, other, Matrix()), weights)
    arm = [rig.skeleton.index[name] for name in ("upper_arm.L", "forearm.L", "hand.L")]
    for i in range(len(rig.skeleton)):
        if i in arm:
            assert abs(taken.turn(i).dot(other.turn(i))) == pytest.approx(1.0, abs=1e-5)
        else:
            assert taken.rotations[i] == pose.rotations[i]


def test_what_is_not_taken_keeps_its_joints_and_goes_along():
    rig, plan = our_rig("person"), our_plan("person")
    pose, other = random_pose(rig, plan, 1), random_pose(rig, plan, 2)
    weights = [0.0 if body.limb == "arm.R" else 1.0 for body in plan.bodies]
    taken = copy(pose)
    posed_by(plan, taken, Matrix(), bodies_of(plan, other, Matrix()), weights)
    for name in ("upper_arm.R", "forearm.R", "hand.R"):
        assert taken.rotations[rig.skeleton.index[name]] == pose.rotations[rig.skeleton.index[name]]


def test_half_the_weight_turns_a_joint_half_way():
    rig, plan = our_rig("person"), our_plan("person")
    shin = plan.place_of("shin.L")
    bent = EditedPose.rest(rig.skeleton)
    bent.turn_by(rig.skeleton.index["shin.L"], Quaternion((1.0, 0.0, 0.0), 1.0))
    pose = EditedPose.rest(rig.skeleton)
    weights = [0.5 if k == shin else 0.0 for k in range(len(plan.bodies))]
    posed_by(plan, pose, Matrix(), bodies_of(plan, bent, Matrix()), weights)
    assert pose.rotations[rig.skeleton.index["shin.L"]].angle == pytest.approx(0.5, abs=1e-5)


def test_a_loose_foot_is_turned_and_placed():
    skeleton = person_skeleton()
    bones = list(skeleton.bones)
    for side in "LR":
        at = skeleton.index[f"foot.{side}"]
        bones[at] = replace(bones[at], parent=skeleton.index["root"])
    rig = read(Skeleton(tuple(bones)))
    plan = make_plan(rig, None, plan_config())
    other = random_pose(rig, plan, 1)
    foot = rig.skeleton.index["foot.L"]
    other.set_basis(foot, other.rotations[foot], Vector((0.1, 0.2, 0.3)))
    pose = EditedPose.rest(rig.skeleton)
    posed_by(plan, pose, TO_WORLD, bodies_of(plan, other, TO_WORLD))
    assert (pose.head(foot) - other.head(foot)).length < 1e-5
    assert abs(pose.turn(foot).dot(other.turn(foot))) == pytest.approx(1.0, abs=1e-5)
