"""What is behind the back, across the chest or far away is let go, in its own time, and taken again when it is back."""

from __future__ import annotations

from math import degrees, hypot, pi

import numpy as np
import pytest
from support.layered import understood
from support.reaching import reach, rotation_between, spot_at, stand_and_reach
from support.rigs import dog_skeleton, person_skeleton
from surefoot.core.control.intent import LayerInput, Spot
from surefoot.core.layers.reach import ReachConfig
from surefoot.core.rig.rig import Rig

PASSED = Spot(0.5, -1.8, 1.1)
BESIDE = Spot(-0.45, -2.3, 1.1)


@pytest.fixture(scope="module")
def person() -> Rig:
    return understood(person_skeleton())


def walked_past(person, spot, fps=24.0, config=None):
    return reach(person, config or ReachConfig(), lambda _t, _g: LayerInput(1.0, True, spot), 4.0, fps, speed=1.4)


@pytest.mark.parametrize(
    ("place", "where"),
    [
        ((-0.2, 0.5, 1.3), "behind the shoulder"),
        ((0.6, -0.1, 1.3), "too far across the chest"),
        ((0.3, 0.3, 1.1), "too far across the chest"),
        ((-0.2, -2.5, 1.3), "too far away"),
    ],
)
def test_what_no_arm_goes_to_is_let_go_and_said(person, place, where):
    done = stand_and_reach(person, ReachConfig(), place)
    assert done.reasons == [f"The target is {where}, so hand.R lets it go."]
    assert done.poses[0].rotations == done.bases[0].rotations


def test_a_left_hand_has_the_same_bounds_on_its_side(person):
    done = stand_and_reach(person, ReachConfig(limb="hand.L"), (-0.6, -0.1, 1.3))
    assert "across the chest" in done.reasons[0]
    assert stand_and_reach(person, ReachConfig(limb="hand.L"), (0.5, -0.1, 1.3)).reasons == [""]


@pytest.mark.parametrize("place", [(0.08, -0.2, 1.3), (-0.2, -0.1, 1.95), (-0.6, 0.0, 1.4), (-0.35, 0.15, 1.0)])
def test_heart_overhead_aside_and_beside_the_hip_are_in_bounds(person, place):
    done = stand_and_reach(person, ReachConfig(), place)
    assert done.holds == [1.0]
    assert "lets it go" not in done.reasons[0]


def test_half_a_turn_never_lets_go(person):
    done = stand_and_reach(person, ReachConfig(give_up=pi), (-0.2, 0.5, 1.3))
    assert done.holds == [1.0]


def test_a_dog_s_paw_lets_go_what_is_too_far_away():
    done = stand_and_reach(understood(dog_skeleton()), ReachConfig(), (-0.1, -3.0, 0.5))
    assert done.reasons == ["The target is too far away, so front_foot.R lets it go."]


@pytest.mark.parametrize("spot", [PASSED, BESIDE])
def test_what_a_walker_passes_is_let_go_once_and_for_all(person, spot):
    done = walked_past(person, spot)
    gone = ["lets it go" in reason for reason in done.reasons]
    taken = gone.index(False)
    assert sum(a != b for a, b in zip(gone[taken:], gone[taken + 1 :], strict=False)) == 1
    assert done.holds[-1] == 0.0
    assert done.poses[-1].rotations == done.bases[-1].rotations


@pytest.mark.parametrize("spot", [PASSED, BESIDE])
def test_from_where_it_is_let_go_the_arm_comes_back_step_by_step(person, spot):
    done = walked_past(person, spot)
    taken = next(n for n, reason in enumerate(done.reasons) if "lets it go" not in reason)
    gone = taken + next(n for n, reason in enumerate(done.reasons[taken:]) if "lets it go" in reason)
    upper = [pose.turn(person.arms[1].bones[0]) for pose in done.poses[gone:]]
    steps = [degrees(rotation_between(a, b)) for a, b in zip(upper, upper[1:], strict=False)]
    assert max(steps) < 20.0
    assert (np.diff(done.holds[gone + 1 :]) <= 0.0).all()


def test_the_arm_stays_out_of_the_chest_beside_what_is_passed_on_the_other_side(person):
    """Half of the chest is 17 cm wide and 12 cm deep."""
    for _, elbow, wrist in walked_past(person, PASSED).joints():
        for place in (elbow, elbow.lerp(wrist, 0.5), wrist):
            assert hypot(place.x / 0.17, place.y / 0.12) > 1.0


def test_at_a_bound_a_target_is_taken_again_only_when_it_has_come_back_by_fifteen_degrees(person):
    """A thing that goes with the body to and fro about the bound, by less than that."""

    def wish(time, ground):
        aside = 0.9 + 0.05 * np.sin(9.0 * time) if time > 0.5 else 0.4
        return LayerInput(1.0, True, spot_at(ground, (-0.17 + 0.7 * aside, -0.6, 1.4)))

    done = reach(person, ReachConfig(), wish, 4.0)
    gone = ["lets it go" in reason for reason in done.reasons]
    assert sum(a != b for a, b in zip(gone, gone[1:], strict=False)) <= 1


def test_what_comes_back_is_taken_again(person):
    def wish(time, ground):
        place = (-0.3, -0.4, 1.2) if time < 1.0 or time > 2.5 else (-0.2, 0.5, 1.3)
        return LayerInput(1.0, True, spot_at(ground, place))

    done = reach(person, ReachConfig(), wish, 5.0, 60.0)
    assert done.errors()[59] <= 0.002
    assert done.holds[140] < 0.05
    assert done.errors()[-1] <= 0.002
    steps = np.linalg.norm(np.diff(done.touching(), axis=0), axis=-1)
    assert steps.max() < 0.06
