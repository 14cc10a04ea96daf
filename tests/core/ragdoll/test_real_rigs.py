"""Bodies of every rig of the shared data and of Rigify: a plan, sane sizes, a rest within limits, exact both ways."""

import os
from functools import lru_cache
from pathlib import Path

import pytest
from mathutils import Matrix
from support.extension import ROOT
from support.ragdolls import CONVENTIONS, random_pose, worst_beyond
from support.real_rigs import is_complete, load_rigs
from surefoot.core.ragdoll.bodies_pose import bodies_of, posed_by
from surefoot.core.ragdoll.make_plan import make_plan
from surefoot.core.ragdoll_presets import plan_config
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.understand import understand

SHARED_DATA = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
# Each of these skeletons is in many files.
ALIKE = ("cmu_0", "humanoid3d_", "Walk1", "Run", "Jog", "Jumps", "Circles", "Turn", "Pushes", "Mixed", "Acceleration1")


@lru_cache(maxsize=1)
def rigs():
    """All dumped rigs, of many alike files one."""
    if not SHARED_DATA.is_dir() or not is_complete(SHARED_DATA):
        pytest.skip("No dumped rigs: run tests/support/real_rigs.py in a Blender Python, with the shared data beside.")
    found, kinds = {}, set()
    for name, rig in load_rigs().items():
        kind = next((start for start in ALIKE if name.startswith(start)), name)
        if kind not in kinds:
            kinds.add(kind)
            found[name] = understand(rig.skeleton, CONVENTIONS, rig.vertices).rig
    return found


def test_every_rig_has_a_plan_of_sane_bodies():
    for name, rig in rigs().items():
        plan = make_plan(rig, None, plan_config())
        assert 6 <= len(plan.bodies) <= 60, name
        assert min(min(body.size) for body in plan.bodies) >= 0.0099 * plan.height, name
        assert max(max(body.size) for body in plan.bodies) <= 1.2 * max(plan.height, 3.0 * rig.leg_length), name


def test_every_person_has_the_bodies_of_one():
    for name, rig in rigs().items():
        if len(rig.legs) == 2 and len(rig.arms) == 2 and not rig.tails:
            roles = {body.role for body in make_plan(rig, None, plan_config()).bodies}
            assert {"pelvis", "chest", "thigh.L", "shin.R", "foot.L", "upper_arm.R", "forearm.L"} <= roles, name


def test_every_rest_pose_is_within_its_limits():
    for name, rig in rigs().items():
        plan = make_plan(rig, None, plan_config())
        assert worst_beyond(plan, bodies_of(plan, EditedPose.rest(rig.skeleton), Matrix()))[0] < 0.01, name


def test_every_rig_s_poses_are_exact_both_ways():
    for name, rig in rigs().items():
        plan = make_plan(rig, None, plan_config())
        wanted = bodies_of(plan, random_pose(rig, plan, 1), Matrix())
        pose = random_pose(rig, plan, 2)
        posed_by(plan, pose, Matrix(), wanted)
        found = bodies_of(plan, pose, Matrix())
        for k in range(0, len(found), 7):
            assert found[k : k + 3] == pytest.approx(wanted[k : k + 3], abs=1e-5 * max(1.0, plan.height)), name
            dot = sum(a * b for a, b in zip(found[k + 3 : k + 7], wanted[k + 3 : k + 7], strict=True))
            assert abs(dot) == pytest.approx(1.0, abs=1e-5), name
