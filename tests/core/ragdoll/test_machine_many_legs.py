"""What the state machine makes of bodies on more than two legs."""

from __future__ import annotations

import pytest
from support.ragdolls import our_plan
from support.solid_people import at_rest, moved
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.machine import ActiveRagdoll

DT = 1.0 / 120.0
CONFIG = ActiveConfig()


@pytest.mark.parametrize(("who", "leg", "share"), [("dog", "hind_thigh.L", 0.5), ("spider", "thigh1.L", 0.25)])
def test_of_many_legs_each_holds_the_less_from_a_hit_until_its_motion_has_it_back(who: str, leg: str, share: float):
    ragdoll = ActiveRagdoll(our_plan(who), CONFIG)
    memory, at = ragdoll.start(), our_plan(who).place_of(leg)
    assert set(ragdoll.drive(memory).strengths) == {1.0}
    ragdoll.hit(memory, 0, (0.1, 0.0, 0.0))
    ragdoll.update(memory, 0.2, (), ())
    memory.balance, memory.strengths = 1.0, (1.0,) * len(memory.strengths)
    assert ragdoll.drive(memory).strengths[at] == share
    assert ragdoll.drive(memory).strengths[0] == 1.0


def test_a_chest_on_legs_of_its_own_that_sinks_is_a_fall_as_a_pelvis_is():
    plan = our_plan("dog")
    ragdoll, rest, chest = ActiveRagdoll(plan, CONFIG), at_rest(plan), plan.place_of("chest")
    for share, state in ((0.99, "ACTIVE"), (1.01, "FALLEN")):
        memory = ragdoll.start()
        ragdoll.hit(memory, chest, (2.0, 0.0, 0.0))
        sunk = moved(rest, (chest,), (0.0, 0.0, -CONFIG.fall_drop * CONFIG.sized(plan.height) * share))
        assert ragdoll.update(memory, DT, sunk, rest).state == state
