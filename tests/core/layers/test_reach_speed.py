"""How fast a hand that reaches turns its arm: on ways past the shoulder, and after what flies through the chest."""

from __future__ import annotations

from math import degrees

import pytest
from support.layered import understood
from support.reaching import reach, rotation_between, spot_at
from support.rigs import person_skeleton
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.reach import ReachConfig
from surefoot.core.rig.rig import Rig

NEAR = 0.002


@pytest.fixture(scope="module")
def person() -> Rig:
    return understood(person_skeleton())


# Over the head, far aside, low and far, and near before the face: straight ways there lead past the shoulder.
PAST_THE_SHOULDER = [(-0.2, -0.1, 2.6), (-1.2, -0.2, 1.9), (-0.5, -1.1, 0.9), (-0.05, -0.25, 1.7), (0.3, -0.5, 2.4)]


@pytest.mark.parametrize("place", PAST_THE_SHOULDER)
def test_on_its_way_past_the_shoulder_the_upper_arm_turns_no_faster_than_an_arm_does(person, place):
    """400 degrees a second are 17 in a frame at 24 fps; shoulder and spine may add theirs."""
    done = reach(person, ReachConfig(), lambda t, g: LayerInput(1.0, 0.25 <= t < 1.6, spot_at(g, place)), 3.5)
    turns = [pose.rotations[person.arms[1].bones[0]] for pose in done.poses]
    assert max(degrees(rotation_between(a, b)) for a, b in zip(turns, turns[1:], strict=False)) < 16.8
    whole = [pose.turn(person.arms[1].bones[0]) for pose in done.poses]
    assert max(degrees(rotation_between(a, b)) for a, b in zip(whole, whole[1:], strict=False)) < 28.0
    assert done.poses[-1].rotations == done.bases[-1].rotations


@pytest.mark.parametrize("height", [1.2, 1.3, 1.4])
def test_a_ball_that_flies_through_the_chest_does_not_throw_the_arm_about(person, height):
    def through(time, ground):
        return LayerInput(1.0, True, spot_at(ground, (-0.1, -0.8 + 1.5 * time, height)))

    done = reach(person, ReachConfig(), through, 1.1)
    turns = [pose.turn(person.arms[1].bones[0]) for pose in done.poses]
    assert max(degrees(rotation_between(a, b)) for a, b in zip(turns, turns[1:], strict=False)) < 20.0


def test_what_the_arm_lags_behind_it_catches_up_with(person):
    done = reach(person, ReachConfig(), lambda t, g: LayerInput(1.0, t >= 0.25, spot_at(g, (-0.2, -0.2, 1.85))), 2.5)
    assert done.errors()[-1] <= NEAR
