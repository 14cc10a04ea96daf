"""What becomes of a character that is shoved: it staggers, steps and stays up, or falls; a sample of what
benchmarks/falls.py runs over many seeds.
"""

from __future__ import annotations

from dataclasses import replace
from math import degrees, dist, pi, sqrt

import numpy as np
import pytest
from support.fall_runs import FLOOR, Fallen, Stage, ours, shoved
from surefoot.addon.physics_colliders import Colliders
from surefoot.addon.physics_run import PhysicsRun
from surefoot.core.fall_presets import falls
from surefoot.core.ragdoll.limits import pose_angles
from surefoot.core.space.rigid import Frame, after

WHO = ("person", "dog", "horse", "spider")
WALKS = {"person": 1.4, "dog": 1.0, "horse": 1.5, "spider": 0.4}
HALF = sqrt(0.5)
HANDS, NEAR, WORST = 3.0, 0.02, 0.04
"""How far joints (degrees) and places (metres) may be off their motion: at the 95th percentile, and at the worst."""


def head_of(who: str) -> int:
    return ours(who)[1].place_of("head")


@pytest.mark.parametrize("who", WHO)
def test_shoved_by_a_metre_a_second_it_gives_way_steps_and_stays_up(who) -> None:
    run = shoved(*ours(who), 1.0, 3, 24.0)
    assert run.moved > 0.08
    assert run.steps >= 1
    assert run.stays_up(head_of(who))


def test_shoved_as_it_walks_it_walks_on() -> None:
    run = shoved(*ours("person"), 1.0, 1, 30.0, 1.4)
    assert run.stays_up(head_of("person"))
    assert run.has("recovered")


@pytest.mark.parametrize("who", WHO)
def test_shoved_by_four_it_falls(who) -> None:
    run = shoved(*ours(who), 4.0, 2, 24.0, seconds=1.2)
    assert run.has("fell")
    assert not run.stays_up(head_of(who))


@pytest.mark.parametrize("heading", [0.0, 0.5 * pi, 1.4, 4.9])
@pytest.mark.parametrize("who", WHO)
def test_without_anything_that_holds_it_and_without_steps_a_metre_a_second_fells_it(who, heading) -> None:
    rig, plan = ours(who)
    alone = replace(falls("USUAL").active, assist_force=0.0, assist_torque=0.0)
    run = Stage(rig, plan, 24.0, heading=heading).hit({0: [(0, (1.0, 0.0, 0.0))]}, config=alone, steps=False)
    assert run.has("fell")


def test_hits_in_mid_stagger_add_up() -> None:
    rig, plan = ours("person")
    hit = [(0, (2.5, 0.0, 0.0))]
    once = Stage(rig, plan, 24.0).hit({0: hit}, 2.0)
    twice = Stage(rig, plan, 24.0).hit({0: hit, 3: hit}, 2.0)
    assert not once.has("fell")
    assert twice.has("fell")


def test_a_fallen_body_lies_still_and_then_gets_up() -> None:
    run = Stage(*ours("person"), 24.0).hit({0: [(0, (0.0, 4.0, 0.0))]}, 8.0)
    states = list(dict.fromkeys(row.state for row in run.rows))
    assert states == ["ACTIVE", "FALLEN", "GETTING_UP"]
    assert run.rows[-1].bodies == ()


@pytest.mark.parametrize("turn", [(HALF, 0.0, 0.0, HALF), (HALF, 0.0, HALF, 0.0), (HALF, HALF, 0.0, 0.0)])
@pytest.mark.parametrize("who", ["horse", "spider"])
def test_a_body_turned_by_a_right_angle_is_held_as_any_other(who, turn) -> None:
    plan = ours(who)[1]
    whole = Frame((0.0, 0.0, 5.0), turn)
    frames = [(whole.to_scene(body.zero.origin), after(turn, body.zero.turn)) for body in plan.bodies]
    now = tuple(n for origin, own in frames for n in (*origin, *own))
    with PhysicsRun(plan, falls("USUAL").active, 24.0) as run:
        run.begin(now, now, 1.0 / 24.0)
        rows = [run.frame(now, now) for _ in range(5)]
    assert dist(rows[-1].bodies[:3], now[:3]) < NEAR


@pytest.mark.parametrize("who", WHO)
def test_nothing_hits_it_and_it_is_where_its_walk_is(who) -> None:
    rig, plan = ours(who)
    stage = Stage(rig, plan, 24.0, speed=WALKS[who], warm=1.5)
    now, angles, places = stage.bodies(stage.memory), [], []
    with PhysicsRun(plan, falls("USUAL").active, 24.0, colliders=Colliders((FLOOR,))) as run:
        run.begin(stage.before, now, 1.0 / 24.0)
        for _ in range(30):
            stage.on(stage.memory, None, None)
            then = stage.bodies(stage.memory)
            row, now = run.frame(now, then), then
            places += [dist(row.bodies[k : k + 3], then[k : k + 3]) for k in range(0, len(then), 7)]
            pairs = zip(pose_angles(plan, row.bodies), pose_angles(plan, then), strict=True)
            angles += [degrees(abs(a - b)) for one, other in pairs if one for a, b in zip(one, other, strict=True)]
    assert np.percentile(angles, 95) < HANDS
    assert np.percentile(places, 95) < NEAR
    assert max(places) < WORST


def test_the_same_shove_twice_is_equal_to_the_bit() -> None:
    def run() -> Fallen:
        return shoved(*ours("person"), 2.0, 4, 24.0)

    assert run().rows == run().rows
