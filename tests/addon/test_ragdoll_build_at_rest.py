"""Bodies that were built begin at rest where they are at rest: no limit, no overlap and no gap sets them in motion."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist, radians

import pytest
from mathutils import Matrix, Quaternion
from support.ragdoll_runs import LIES
from support.ragdolls import our_plan, our_rig, plan_of, read
from support.rigs import person_skeleton
from support.walk import walk
from surefoot.addon.physics_run import PhysicsRun
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.world.solids import Flat

FPS = 24.0
HIGH_UP = Matrix.Translation((0.0, 0.0, 3.0))


def energy(plan: RagdollPlan, before: Sequence[float], now: Sequence[float]) -> float:
    """The joules of all bodies' middles between two frames."""
    speeds = [dist(before[k : k + 3], now[k : k + 3]) * FPS for k in range(0, len(now), 7)]
    return sum(0.5 * body.mass * speed**2 for body, speed in zip(plan.bodies, speeds, strict=True))


def let_go(plan: RagdollPlan, bodies: Sequence[float]) -> float:
    """The most energy within three frames of a body that hangs still, without gravity, and is let go."""
    with PhysicsRun(plan, LIES, FPS, (0.0, 0.0, 0.0)) as run:
        run.begin(bodies, bodies, 1.0 / FPS)
        run.limp = True
        lies = [bodies, *(run.frame(bodies, bodies).bodies for _ in range(3))]
    return max(energy(plan, a, b) for a, b in pairwise(lies))


@pytest.mark.parametrize("who", ["person", "dog", "horse", "spider", "bird", "snake"])
def test_let_go_in_its_rest_pose_a_body_stays(who: str):
    plan = our_plan(who)
    assert let_go(plan, bodies_of(plan, EditedPose.rest(our_rig(who).skeleton), HIGH_UP)) < 1.0 * plan.mass / 75.0


def test_let_go_in_a_t_pose_it_stays():
    skeleton = person_skeleton(arms="T")
    plan = plan_of(skeleton)
    assert let_go(plan, bodies_of(plan, EditedPose.rest(skeleton), HIGH_UP)) < 1.0


def test_let_go_sitting_it_stays():
    rig, plan = our_rig("person"), our_plan("person")
    pose = EditedPose.rest(rig.skeleton)
    for side in "LR":
        pose.turn_by(rig.skeleton.index[f"thigh.{side}"], Quaternion((1.0, 0.0, 0.0), radians(-88.0)))
        pose.turn_by(rig.skeleton.index[f"shin.{side}"], Quaternion((1.0, 0.0, 0.0), radians(86.0)))
    assert let_go(plan, bodies_of(plan, pose, HIGH_UP)) < 1.0


@pytest.mark.parametrize(("who", "speed"), [("person", 4.0), ("dog", 5.0), ("horse", 8.0)])
def test_stopped_in_mid_run_it_stays(who: str, speed: float):
    rig, plan = our_rig(who), our_plan(who)
    for frame in walk(rig, Flat(), speed, 1.0).frames[12::6]:
        bodies = bodies_of(plan, EditedPose.of_frame(rig.skeleton, frame), HIGH_UP)
        assert let_go(plan, bodies) < 1.0 * plan.mass / 75.0


def test_a_persons_bones_that_slant_and_roll_do_not_matter():
    rig = read(person_skeleton(legs="STRAIGHT"))
    plan = plan_of(rig.skeleton)
    assert let_go(plan, bodies_of(plan, EditedPose.rest(rig.skeleton), HIGH_UP)) < 1.0
