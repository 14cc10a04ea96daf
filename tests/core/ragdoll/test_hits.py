"""Which body gets how much of a shove, and how far along the joints it is felt."""

from __future__ import annotations

import pytest
from support.solid_people import solid_person
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.hits import hanging, is_of, joints_between, out_on_limb, shoved

PLAN = solid_person()
CONFIG = ActiveConfig()


def at(role: str) -> int:
    """Where a role's body is in the plan."""
    return PLAN.place_of(role)


@pytest.mark.parametrize(
    ("one", "other", "joints"),
    [
        ("pelvis", "pelvis", 0), ("pelvis", "chest", 2), ("chest", "head", 1), ("hand.L", "hand.R", 6),
        ("hand.L", "foot.R", 8), ("thigh.L", "thigh.R", 2),
    ],
)  # fmt: skip
def test_joints_are_counted_along_the_body_and_the_same_both_ways(one: str, other: str, joints: int):
    found = joints_between(PLAN)
    assert found[at(one)][at(other)] == found[at(other)][at(one)] == joints


def test_trunks_are_nowhere_out_and_limbs_as_far_as_their_joints():
    out, roles = out_on_limb(PLAN), ("pelvis", "chest", "head", "upper_arm.R", "hand.R", "foot.L")
    assert [out[at(role)] for role in roles] == [0, 0, 1, 1, 3, 3]


@pytest.mark.parametrize(
    ("limb", "kind", "found"),
    [
        ("arm.L", "arm", True), ("front_leg.L", "leg", True), ("leg3.R", "leg", True), ("leg", "leg", True),
        ("body", "leg", False), ("forearm", "arm", False), ("tail", "leg", False),
    ],
)  # fmt: skip
def test_limbs_are_known_by_their_names(limb: str, kind: str, found: bool):
    assert is_of(limb, kind) is found


@pytest.mark.parametrize("part", ["pelvis", "chest", "head"])
def test_a_shove_of_the_trunk_moves_trunk_head_and_arms_and_less_and_less_of_the_legs(part: str):
    found = shoved(PLAN, at(part), (2.0, 0.0, 0.0), CONFIG)
    speeds = {body.role: v[0] for body, v in zip(PLAN.bodies, found, strict=True)}
    assert {speeds[role] for role in ("pelvis", "spine", "chest", "head", "upper_arm.L", "hand.R")} == {2.0}
    assert (speeds["thigh.L"], speeds["shin.L"], speeds["foot.L"]) == (1.2, 0.5, 0.0)


def test_a_shove_of_an_arm_moves_what_is_of_it_from_there_on_and_the_rest_by_shares():
    found = shoved(PLAN, at("forearm.L"), (0.0, 0.0, 4.0), CONFIG)
    speeds = {body.role: v[2] for body, v in zip(PLAN.bodies, found, strict=True)}
    assert (speeds["hand.L"], speeds["forearm.L"], speeds["upper_arm.L"], speeds["chest"]) == (4.0, 4.0, 2.0, 1.0)


def test_what_hangs_on_a_joint_is_its_body_and_all_that_is_further_out():
    masses = hanging(PLAN)
    assert masses[0] == pytest.approx(PLAN.mass)
    assert masses[at("forearm.L")] == pytest.approx((0.016 + 0.006) * 75.0)
    assert masses[at("foot.R")] == pytest.approx(0.014 * 75.0)


@pytest.mark.parametrize(("name", "role"), [("hit_thigh", "thigh.R"), ("hit_shin", "shin.L")])
def test_the_shares_of_legs_are_settings(name: str, role: str):
    found = shoved(PLAN, 0, (1.0, 0.0, 0.0), ActiveConfig(**{name: 0.9}))
    assert found[at(role)] == (0.9, 0.0, 0.0)


def test_a_shove_keeps_its_direction():
    assert shoved(PLAN, 0, (1.0, -2.0, 3.0), CONFIG)[2] == (1.0, -2.0, 3.0)
