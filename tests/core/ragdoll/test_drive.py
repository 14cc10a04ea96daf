"""The forces that drive a hit body towards its motion: how fast, and how strong at most."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import pytest
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.drive import (
    Drive,
    follows,
    hold_upright,
    joint_torque,
    pull,
    relative_velocity,
    turn_vector,
)
from surefoot.core.space.rigid import NO_TURN, Turn, after, turned

CONFIG = ActiveConfig()
STILL = (0.0, 0.0, 0.0)
MASS = 75.0
CAP = 0.5 * MASS * 9.81
FULL = Drive("ACTIVE", (), 1.0, inf)
SHOVED = Drive("ACTIVE", (), 0.25, CAP)


def about(axis: tuple[float, float, float], angle: float) -> Turn:
    """A turn."""
    s = sin(0.5 * angle)
    return cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]


@pytest.mark.parametrize("angle", [0.0, 1e-7, 0.3, -2.0, 3.1])
def test_a_turn_is_its_axis_times_its_angle(angle: float):
    assert turn_vector(about((0.0, 0.6, 0.8), angle)) == pytest.approx((0.0, 0.6 * angle, 0.8 * angle), abs=1e-9)


def test_the_long_way_round_is_taken_the_short_way():
    assert turn_vector(about((1.0, 0.0, 0.0), 1.5 * pi)) == pytest.approx((-0.5 * pi, 0.0, 0.0))


def test_a_joint_that_is_where_it_belongs_turns_as_its_motion_does():
    parent, wanted = about((0.0, 0.0, 1.0), 0.7), about((1.0, 0.0, 0.0), 0.4)
    found = relative_velocity(parent, after(parent, wanted), wanted, (0.1, 0.2, 0.3), 60.0)
    assert found == pytest.approx((0.1, 0.2, 0.3), abs=1e-9)


def test_a_joint_makes_up_its_gain_s_share_of_what_it_is_off_each_second_in_the_world():
    parent, wanted = about((0.0, 0.0, 1.0), 0.5 * pi), about((1.0, 0.0, 0.0), 0.4)
    found = relative_velocity(parent, after(parent, about((1.0, 0.0, 0.0), 0.1)), wanted, STILL, 60.0)
    # Its flexion about X lies along Y in the world, as its parent is turned.
    assert found == pytest.approx((0.0, 60.0 * 0.3, 0.0), abs=1e-9)


def test_turning_by_what_is_told_for_as_long_as_the_gain_says_brings_it_there():
    parent, child, wanted = about((0.0, 1.0, 0.0), 1.0), about((0.6, 0.0, 0.8), 2.0), about((0.0, 0.6, 0.8), -1.0)
    x, y, z = relative_velocity(parent, child, wanted, STILL, 60.0)
    angle = hypot(x, y, z) / 60.0
    there = after(about((x / angle / 60.0, y / angle / 60.0, z / angle / 60.0), angle), child)
    goal = after(parent, wanted)
    assert turned(there, (1.0, 2.0, 3.0)) == pytest.approx(turned(goal, (1.0, 2.0, 3.0)), abs=1e-9)


def test_a_joint_turns_with_its_torque_for_each_kilogram_and_resists_when_it_is_limp():
    assert joint_torque(1.0, 0.3, 10.0, CONFIG) == 400.0
    assert joint_torque(0.15, 0.3, 10.0, CONFIG) == pytest.approx(60.0)
    assert joint_torque(0.0, 0.3, 10.0, CONFIG) == 3.0


def test_a_limp_joint_only_resists_and_there_is_no_step_on_the_way_there():
    assert follows(1.0, 0.3, CONFIG) == follows(0.3 / 40.0, 0.3, CONFIG) == 1.0
    assert follows(0.15 / 40.0, 0.3, CONFIG) == pytest.approx(0.5)
    assert follows(0.0, 0.3, CONFIG) == 0.0
    assert follows(0.0, 0.0, CONFIG) == 1.0


def test_the_pelvis_is_brought_to_its_motion_with_all_force_in_full_balance():
    found = pull((0.01, -0.02, 0.03), (0.5, 0.0, 0.0), STILL, FULL, 1.0, MASS, CONFIG)
    assert found.velocity == pytest.approx((0.9, -0.8, 1.2))
    assert found.limits == (60.0 * MASS,) * 3


def test_force_falls_with_the_assist():
    found = pull((0.01, 0.0, 0.0), STILL, STILL, FULL._replace(assist=0.25), 1.0, MASS, CONFIG)
    assert found.limits == (15.0 * MASS,) * 3


@pytest.mark.parametrize("heading", [0.0, 0.3, 0.25 * pi, 1.5, 2.5, -2.0])
def test_while_balance_is_lost_the_level_axes_together_push_with_no_more_than_the_limit(heading: float):
    offset = (0.2 * cos(heading), 0.2 * sin(heading), 0.1)
    found = pull(offset, STILL, (0.3, -0.4, 0.0), SHOVED, 1.0, MASS, CONFIG)
    assert hypot(*found.limits[:2]) == pytest.approx(CAP)
    assert min(found.limits) >= 0.0


def test_the_limit_lies_along_the_change_of_speed_that_is_wanted():
    found = pull((0.03, 0.0, 0.0), STILL, (0.0, 0.9, 0.0), SHOVED, 1.0, MASS, CONFIG)
    # Wanted is 1.2 along X, and 0.9 of Y are to be stopped: three, four, five.
    assert found.limits[:2] == pytest.approx((0.8 * CAP, 0.6 * CAP))


def test_a_body_that_wants_no_change_gets_the_same_of_both_axes():
    found = pull(STILL, STILL, STILL, SHOVED, 1.0, MASS, CONFIG)
    assert found.limits[:2] == pytest.approx((CAP / 2.0**0.5,) * 2)


def test_upward_the_limit_does_not_hold():
    found = pull((0.0, 0.0, 0.1), STILL, STILL, SHOVED, 1.0, MASS, CONFIG)
    assert found.limits[2] == 60.0 * MASS * 0.25


def test_two_bodies_that_are_held_share_the_limit():
    one = pull((0.2, 0.1, 0.0), STILL, STILL, SHOVED, 0.5, MASS, CONFIG)
    assert 2.0 * hypot(*one.limits[:2]) == pytest.approx(CAP)


def test_an_assist_that_is_weaker_than_the_limit_is_not_raised_to_it():
    found = pull((0.2, 0.1, 0.0), STILL, STILL, SHOVED._replace(assist=0.01), 1.0, MASS, CONFIG)
    assert found.limits == (0.6 * MASS,) * 3


def test_a_trunk_turns_back_upright_with_a_torque_by_its_mass_its_size_and_the_assist():
    turning, torque = hold_upright(about((1.0, 0.0, 0.0), 0.1), NO_TURN, (0.0, 0.0, 0.5), SHOVED, MASS, 1.0, CONFIG)
    assert turning == pytest.approx((-4.0, 0.0, 0.5))
    assert torque == pytest.approx(26.7 * 75.0 * 0.25)
    assert hold_upright(NO_TURN, NO_TURN, STILL, SHOVED, MASS, 2.0, CONFIG)[1] == pytest.approx(2.0 * torque)


@pytest.mark.parametrize("name", ["assist_gain", "assist_force", "assist_torque", "joint_torque"])
def test_every_number_of_the_drive_counts(name: str):
    def told(config: ActiveConfig) -> tuple:
        return (
            pull((0.2, 0.1, 0.0), STILL, STILL, FULL, 1.0, MASS, config),
            hold_upright(about((1.0, 0.0, 0.0), 0.1), NO_TURN, STILL, FULL, MASS, 1.0, config),
            joint_torque(0.5, 0.0, 1.0, config),
        )

    assert told(ActiveConfig(**{name: 7.0})) != told(CONFIG)
