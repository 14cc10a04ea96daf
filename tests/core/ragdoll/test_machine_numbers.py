"""Every number of the state machine changes what it says."""

from __future__ import annotations

import pytest
from support.solid_people import at_rest, moved, solid_person, tipped
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.machine import ActiveRagdoll
from surefoot.core.ragdoll.plan import RagdollPlan

DT = 1.0 / 120.0
CONFIG = ActiveConfig()
PLAN = solid_person()
REST = at_rest(PLAN)
CHEST = PLAN.place_of("chest")
EVERY = tuple(range(len(PLAN.bodies)))
CHANGES = {
    "hit_weakening": 0.5,
    "neighbour_share": 0.1,
    "least_strength": 0.6,
    "balance_loss": 0.1,
    "legs_left": 0.6,
    "strength_recovery": 0.3,
    "balance_recovery": 0.3,
    "winded_seconds": 0.1,
    "fall_tilt": 0.4,
    "fall_drop": 0.03,
    "steady_tilt": 0.01,
    "steady_away": 0.01,
    "steady_speed": 0.01,
    "still_speed": 5.0,
    "calm_seconds": 0.2,
    "least_fallen": 2.0,
    "get_up_delay": 0.3,
    "fade_seconds": 0.1,
    "limp_strength": 0.3,
    "arms_strength": 0.6,
    "arms_seconds": 0.6,
    "sideways_share": 0.25,
}


def told(plan: RagdollPlan, config: ActiveConfig) -> list:
    """All that a machine says of one hit that sways and recovers, then one that falls, lies and rises."""
    ragdoll = ActiveRagdoll(plan, config)
    memory = ragdoll.start()
    ragdoll.hit(memory, CHEST, (5.0, 0.0, 0.0))
    said = []
    for step in range(500):
        sway = max(0.0, 0.5 - 0.002 * step)
        at = moved(tipped(sway), EVERY, (0.2 * sway, 0.0, -sway / 9.0))
        said.append(ragdoll.update(memory, DT, at, REST))
    ragdoll.hit(memory, CHEST, (5.0, 0.0, 0.0))
    for step in range(700):
        slide = 0.5 * DT * min(step, 120)
        said.append(ragdoll.update(memory, DT, moved(tipped(1.5), EVERY, (slide, 0.0, 0.0)), REST))
    return said


@pytest.mark.parametrize("name", CHANGES)
def test_every_number_of_the_machine_counts(name: str):
    assert told(PLAN, ActiveConfig(**{name: CHANGES[name]})) != told(PLAN, CONFIG)


def test_how_much_balance_a_limb_takes_is_a_number_too():
    ragdoll = ActiveRagdoll(PLAN, ActiveConfig(limb_share=1.0))
    memory = ragdoll.start()
    ragdoll.hit(memory, PLAN.place_of("hand.L"), (2.0, 0.0, 0.0))
    assert memory.balance == 0.5


def test_how_hard_a_hit_floors_what_gets_up_is_a_number_too():
    ragdoll = ActiveRagdoll(PLAN, ActiveConfig(floors_at=10.0, calm_seconds=0.0, get_up_delay=0.0, least_fallen=0.0))
    memory = ragdoll.start()
    ragdoll.limp(memory)
    for _ in range(3):
        ragdoll.update(memory, DT, REST, REST)
    assert memory.state == "GETTING_UP"
    ragdoll.hit(memory, CHEST, (9.0, 0.0, 0.0))
    assert memory.state == "GETTING_UP"
