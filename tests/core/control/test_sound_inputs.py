"""Broken keys and drivers say nothing, and nobody is moved faster than a body can look."""

from __future__ import annotations

from math import inf, nan

import pytest
from surefoot.core.control.intent import AgentWish, Inputs, Pad, Place, RouteSpot
from surefoot.core.control.sound_inputs import FASTEST, sound

HERE = Place(1.0, 2.0, 3.0, 0.5)
NOWHERE = Place(1.0, nan, 3.0, 0.5)


def test_what_is_sound_stays_the_very_same():
    inputs = Inputs(speed=1.4, target=HERE, pad=Pad(0.5, -1.0, jump=True), route=(RouteSpot(HERE),), agent=AgentWish())
    assert sound(inputs) is inputs


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (Inputs(speed=nan), Inputs(speed=0.0)),
        (Inputs(speed=inf), Inputs(speed=0.0)),
        (Inputs(speed=1e30), Inputs(speed=FASTEST)),
        (Inputs(added=(nan, 1.0, -1e30)), Inputs(added=(0.0, 1.0, -FASTEST))),
        (Inputs(pad=Pad(nan, 1.0, jump=True)), Inputs(pad=Pad(0.0, 1.0, jump=True))),
        (Inputs(target=NOWHERE), Inputs()),
        (Inputs(mover=NOWHERE, moved_to=NOWHERE), Inputs()),
        (Inputs(goal=RouteSpot(NOWHERE)), Inputs()),
        (Inputs(route=(RouteSpot(HERE), RouteSpot(HERE, wait=inf))), Inputs(route=(RouteSpot(HERE),))),
        (Inputs(agent=AgentWish(velocity=(nan, 0.0))), Inputs()),
        (Inputs(agent=AgentWish(velocity=(1e20, 0.0))), Inputs()),
        (Inputs(agent=AgentWish(flee_from=NOWHERE)), Inputs()),
    ],
)
def test_what_is_no_number_is_not_said(broken: Inputs, said: Inputs):
    assert sound(broken) == said
