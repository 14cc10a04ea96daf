"""What has to come up over a floor: asked quickly, and plainly."""

from __future__ import annotations

from pathlib import Path

import pytest
import support.fallen_poses
from support.fallen_poses import lying_of, read
from support.ragdolls import our_plan, our_rig
from surefoot.core.actions.rise_floor import felt
from surefoot.core.rise_presets import rising

POSES = read(Path(support.fallen_poses.__file__).parent / "fallen.jsonl")


@pytest.mark.parametrize("pose", POSES, ids=lambda pose: f"{pose.who} {pose.ground} {pose.seed}")
def test_the_deepest_of_points_is_found_as_if_each_were_asked(pose):
    rig, plan = our_rig(pose.who), our_plan(pose.who)
    keeper = rising(rig, skin=plan.skin).shown.keeper
    body = lying_of(rig, plan, pose)
    x, y, z = body.to_world.translation
    floor = felt(pose.world, (x, y, z, 0.0), rig.leg_length, -1.0)
    spare = keeper.spare(body.pose, floor)
    none = (0.0,) * len(spare)
    asked = 0
    for points in (keeper.points.trunk, *keeper.points.middles.values(), *keeper.all_ends.values()):
        for ground in (floor, floor.lowered((-0.05, 0.1, 0.0), 0.5)):
            plain = max([0.0, *(keeper._need(body.pose, ground, point, 0.0) for point in points)])
            assert keeper._most(body.pose, ground, points, none) == pytest.approx(plain, abs=1e-5)
            asked += plain > 0.0
        assert keeper._most(body.pose, floor, points, spare) == pytest.approx(0.0, abs=1e-5)
    assert asked
