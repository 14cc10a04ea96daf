"""The angle between shin and foot: an ankle that folds up looks like a person that kneels down the stairs."""

from math import degrees, pi, radians

import pytest
from support.grid import GROUNDS, rig_of
from support.walk import walk
from surefoot.core.rig.pose import model_matrices

LEAST = radians(35.0)


def ankle(rig, frame) -> float:
    """The least angle between shin and foot over the legs, radians."""
    models = model_matrices(rig.skeleton, frame)
    angles = []
    for leg in rig.legs:
        knee, tip = models[leg.bones[1]].to_translation(), models[leg.foot].to_translation()
        angles.append((knee - tip).angle(models[leg.foot].col[1].to_3d()))
    return min(angles)


@pytest.mark.parametrize("speed", [0.8, 1.1, 1.4])
@pytest.mark.parametrize("ground", ["stairs down", "down 20"])
def test_on_the_way_down_the_heel_comes_up_before_the_ankle_folds(ground: str, speed: float):
    rig = rig_of("person")
    run = walk(rig, GROUNDS[ground](1.0, 1.5), speed, 7.0)
    least = min(ankle(rig, frame) for frame in run.frames)
    assert LEAST < least < pi / 2, degrees(least)
