"""Whoever directs a body, it is hit, staggers, falls, gets up and goes on, and is never carried off at once."""

from __future__ import annotations

from math import hypot

import pytest
from support.falling import Faller, carried, laid, row
from surefoot.core.character import CharacterConfig
from surefoot.core.control.fall_row import Blow
from surefoot.core.control.intent import AgentWish, Inputs, Pad, Place, RouteSpot
from surefoot.core.control.path import path_line

DIRECTED = {
    "AHEAD": Inputs(speed=1.2),
    "PATH": Inputs(speed=1.2, path=path_line([(0.0, 0.0, 0.0), (3.0, -3.0, 0.0), (9.0, -9.0, 0.0)], closed=False)),
    "TARGET": Inputs(speed=1.2, target=Place(3.0, -8.0, 0.0, 0.0)),
    "MOVER": Inputs(mover=Place(0.0, 0.0, 0.0, 0.0)),
    "ROUTE": Inputs(speed=1.2, route=(RouteSpot(Place(2.0, -2.0, 0.0, 0.0)), RouteSpot(Place(-2.0, -6.0, 0.0, 0.0)))),
    "INPUT": Inputs(speed=1.2, pad=Pad(0.0, -1.0)),
    "AGENT": Inputs(speed=1.2, agent=AgentWish(velocity=(0.5, -1.0))),
    "AUTOPILOT": Inputs(speed=1.2, target=Place(3.0, -8.0, 0.0, 0.0)),
}
MOST = 0.06
"""Metres in a tick: 3.6 m/s."""


@pytest.mark.parametrize(
    ("director", "body"), [*((name, "POINT") for name in DIRECTED), ("PATH", "CAPSULE"), ("AUTOPILOT", "CAPSULE")]
)
def test_it_goes_through_a_fall_and_on(director: str, body: str):
    faller = Faller("person", DIRECTED[director], config=CharacterConfig(director=director, body=body))
    faller.wait(0.7)
    seen = [faller.memory.travel.place]

    def go(*rows: object, **others: object) -> None:
        for each in rows:
            faller.tick(each, **others)
            seen.append(faller.memory.travel.place)

    go(None, hits=(Blow((0.8, 0.2, 0.0)),))
    go(*[None] * 40)
    begin = faller.bodies()
    go(*[row("ACTIVE", carried(begin, 0.008 * k, -0.01 * k)) for k in range(40)])
    go(*[row("FALLEN", laid(carried(begin, 0.32, -0.4)))] * 10)
    place = seen[-1]
    go(row("GETTING_UP"))
    assert hypot(seen[-1].x - place.x, seen[-1].y - place.y) < 0.5
    del seen[:-1]
    while faller.character.rises(faller.memory):
        go(row("GETTING_UP"))
    go(*[None] * 240)
    assert faller.memory.fall is None
    assert max(hypot(b.x - a.x, b.y - a.y) for a, b in zip(seen, seen[1:], strict=False)) < MOST
    # A mover that stands is come back to; all others have gone on.
    went = hypot(seen[-1].x - seen[0].x, seen[-1].y - seen[0].y)
    assert seen[-1] == Place(0.0, 0.0, 0.0, 0.0) if director == "MOVER" else went > 1.5
