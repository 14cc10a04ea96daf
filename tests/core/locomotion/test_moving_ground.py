"""Vaults and climbs while what they lead onto moves and turns under them: they come down where it is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import cos, sin

import pytest
from mathutils import Vector
from support.runner import AHEAD, Runner
from surefoot.core.control.intent import Pad
from surefoot.core.locomotion.machine import request_of
from surefoot.core.world.compound import Moving, Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block
from surefoot.core.world.world import World

Placed = tuple[float, float, float, float]
STILL: Placed = (0.0, 0.0, 0.0, 0.0)
MOTIONS: dict[str, Callable[[float], Placed]] = {
    "aside": lambda t: (-t, 0.0, 0.0, 0.0),
    "off": lambda t: (0.0, -t, 0.0, 0.0),
    "nearer": lambda t: (0.0, 0.4 * t, 0.0, 0.0),
    "up": lambda t: (0.0, 0.0, 0.5 * t, 0.0),
    "turning": lambda t: (0.0, 0.0, 0.0, 0.6 * t),
    "all": lambda t: (0.5 * sin(2.0 * t), 0.3 * sin(3.0 * t), 0.2 * sin(2.5 * t), -0.4 * sin(1.7 * t)),
}
RATES = (15, 60)
FLOOR = Block((-30.0, -40.0, -1.0), (30.0, 30.0, 0.0))
FENCE = Block((-30.0, -1.3, -0.5), (30.0, -1.2, 0.9))
LEDGE = Block((-6.0, -12.0, -3.0), (6.0, -1.2, 1.4))


class Stage:
    """Solids that begin to move when it is said that they do."""

    def __init__(self, motion: Callable[[float], Placed]) -> None:
        self.motion, self.begun = motion, float("inf")

    def at(self, time: float) -> Placed:
        """Where they are."""
        return STILL if time < self.begun else self.motion(time - self.begun)

    def moving(self, *solids: Block) -> list[Moving]:
        """They, moving."""
        return [Moving(solid, self.at) for solid in solids]

    def own(self, place: tuple[float, float, float], time: float) -> tuple[float, float, float]:
        """A place in their frame."""
        x, y, z, heading = self.at(time)
        dx, dy, c, s = place[0] - x, place[1] - y, cos(heading), sin(heading)
        return c * dx + s * dy, -s * dx + c * dy, place[2] - z


def moved(stage: Stage, world: World, state: str, fps: int) -> Runner:
    """A run at it; as the press comes, it begins to move. Ends with the move."""
    runner = Runner(world, fps=fps)

    def pad(one: Runner) -> Pad:
        go = one.capsule.feet[1] < -0.6
        stage.begun = min(stage.begun, one.time if go else float("inf"))
        return AHEAD._replace(go_up=go)

    runner.go(3.0, pad, until=lambda one: state in one.states and one.memory.state != state)
    assert runner.moves == [state]
    return runner


def depth(runner: Runner) -> float:
    """How deep the capsule is in something."""
    (x, y, z), radius, height = runner.capsule.feet, runner.movement.radius, runner.capsule.height
    deepest = 0.0
    for k in range(8):
        hit = runner.world.nearest(Vector((x, y, z + radius + (height - 2.0 * radius) * k / 7.0)), 2.0 * radius)
        if hit is not None:
            deepest = max(deepest, radius + hit.distance if hit.back else radius - hit.distance)
    return deepest


def worlds(stage: Stage) -> dict[str, tuple[World, str]]:
    """What moves, and the state that leads onto it."""
    return {
        "a fence with its floor": (Union(*stage.moving(FLOOR, FENCE)), "VAULTING"),
        "a ledge": (Union(Flat(), *stage.moving(LEDGE)), "CLIMBING"),
        "a ledge with its floor": (Union(*stage.moving(FLOOR, LEDGE)), "CLIMBING"),
    }


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("kind", worlds(Stage(lambda _: STILL)))
def test_it_ends_where_it_would_have_on_what_stands_turned_with_it(kind: str, motion: str, fps: int):
    ends = []
    for move in (MOTIONS[motion], lambda _: STILL):
        stage = Stage(move)
        world, state = worlds(stage)[kind]
        runner = moved(stage, world, state, fps)
        # The tick in which it came down.
        last = next(b for a, b in pairwise(runner.seen) if a.state == state != b.state)
        ends.append((*stage.own(last.feet, last.time), last.heading - stage.at(last.time)[3]))
        assert runner.capsule.state == "ON_GROUND"
        assert depth(runner) < 0.02
    # Of the tick in which it comes down it walks the rest.
    assert ends[0] == pytest.approx(ends[1], abs=0.05)


def test_hands_turn_with_what_they_are_on():
    stage = Stage(MOTIONS["turning"])
    runner = Runner(worlds(stage)["a ledge"][0])
    runner.go(3.0, lambda one: AHEAD._replace(go_up=one.capsule.feet[1] < -0.6), until=lambda r: bool(r.moves))
    stage.begun = runner.time
    runner.go(0.25, AHEAD)
    assert runner.memory.state == "CLIMBING"
    move = request_of(runner.memory, runner.travel, runner.config, runner.world).move
    assert move is not None
    hands = [contact for contact in move.contacts if contact.limb.startswith("hand")]
    assert len(hands) == 2
    for hand in hands:
        x, y, z = stage.own(hand.place, runner.time)
        assert -1.3 < y < -1.2
        assert z == pytest.approx(1.4, abs=1e-4)
    left, right = (stage.own(hand.place, runner.time) for hand in hands)
    assert left[1] == pytest.approx(right[1], abs=1e-3)
