"""Vaulting: how long, how high, how fast; from which angle; and that it ends on the floor with its run."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians, sin

import pytest
from support.runner import AHEAD, Runner, past, pressing
from support.surroundings import box, on_floor, turned
from surefoot.core.control.intent import Pad
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.machine import request_of
from surefoot.core.locomotion.memory import StateMemory
from surefoot.core.locomotion.vault import VaultConfig, hand_in
from surefoot.core.world.compound import Moving, Union
from surefoot.core.world.rooms import Block
from surefoot.core.world.sensing import SurroundingsConfig

FENCE = on_floor(box(1.0, 0.1, gap=1.2))
IN_REACH = past(-0.6)


def vaulted(world=FENCE, *, speed: float = 3.0, fps: int = 60, when=IN_REACH, pad: Pad = AHEAD, **more) -> Runner:
    runner = Runner(world, speed=speed, fps=fps, **more).go(0.9 + 1.5 / speed, pressing(when, pad))
    assert runner.moves == ["VAULTING"]
    return runner


def test_a_press_before_a_fence_vaults_it_and_the_run_goes_on_behind_it():
    runner = vaulted()
    assert runner.capsule.feet[1] < -2.5
    assert runner.capsule.feet[2] == pytest.approx(0.0, abs=1e-6)
    assert runner.memory.state == "GROUNDED"


def test_in_the_tick_of_its_landing_it_stands_on_ground():
    # Slow ones last 0.8 s: a whole number of these ticks, so that nothing of the last one is walked.
    runner = Runner(FENCE, speed=0.5, fps=60)
    runner.go(4.0, pressing(IN_REACH), until=lambda one: "VAULTING" in one.states and one.memory.state != "VAULTING")
    assert "VAULTING" in runner.states
    assert runner.travel.ground
    assert not runner.travel.aloft


def lasted(runner: Runner) -> float:
    return len(runner.of("VAULTING")) * runner.dt


@pytest.mark.parametrize(("speed", "seconds"), [(0.5, 0.8), (1.2, 0.8), (8.0, 0.35)])
def test_slow_ones_take_point_eight_seconds_and_fast_ones_point_three_five(speed: float, seconds: float):
    assert lasted(vaulted(speed=speed, when=past(-0.6))) == pytest.approx(seconds, abs=0.02)


def test_between_them_a_vault_takes_as_long_as_its_run_does_over_it():
    runner = vaulted(speed=3.0)
    way = runner.memory.way[3][1] - runner.memory.way[0][1]
    assert 0.35 < lasted(runner) < 0.8
    assert lasted(runner) == pytest.approx(-way / 3.0, abs=0.02)


def test_its_speed_along_the_ground_is_constant_over_the_fence():
    paces = [hypot(*one.velocity[:2]) for one in vaulted().of("VAULTING")]
    assert max(paces) - min(paces) < 1e-6


@pytest.mark.parametrize("speed", [1.5, 3.0, 3.9])
def test_ninety_percent_of_its_speed_are_left_behind_it(speed: float):
    runner = Runner(FENCE, speed=speed, fps=120)
    runner.go(2.0, pressing(IN_REACH), until=lambda one: "VAULTING" in one.states and one.memory.state != "VAULTING")
    # Of the tick in which it lands only the rest is walked, at the same speed.
    assert runner.memory.speed == pytest.approx(speed, rel=1e-3)
    assert hypot(*runner.capsule.flat) == pytest.approx(0.9 * speed, rel=1e-3)


@pytest.mark.parametrize("depth", [0.1, 0.5, 1.0])
def test_its_way_is_a_parabola_that_clears_both_edges_by_no_more_than_it_must(depth: float):
    runner = vaulted(on_floor(box(1.0, depth, gap=1.2)), fps=120)
    over = [one.feet for one in runner.of("VAULTING")]
    near, far = -1.2, -1.2 - depth
    above = [z for _, y, z in over if far <= y <= near]
    assert min(above) >= 1.0
    # One of the edges is what says how high it goes: there it passes by 5 cm.
    way = runner.memory.way
    assert min(above) <= 1.05 + 0.08
    rises = [b[2] - a[2] for a, b in zip(over, over[1:], strict=False)]
    bends = [b - a for a, b in zip(rises, rises[1:], strict=False)]
    assert max(bends) - min(bends) < 1e-6
    assert way[3][2] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("degrees", [0.0, 20.0, 45.0])
def test_within_point_two_seconds_it_is_square_to_the_fence_from_whatever_angle(degrees: float):
    angle = radians(degrees)
    fence = on_floor(box(1.0, 0.1, gap=1.2, width=40.0))
    runner = Runner(fence, heading=angle, fps=120)
    runner.go(3.0, pressing(past(-0.6), Pad(sin(angle), -cos(angle))), until=lambda one: one.memory.state == "VAULTING")
    runner.go(0.25, Pad(sin(angle), -cos(angle)))
    over = runner.of("VAULTING")
    assert len(over) * runner.dt > 0.25
    after = [one for one in over if one.time - over[0].time >= 0.2]
    assert [one.heading for one in after] == pytest.approx([0.0] * len(after), abs=1e-6)
    assert [one.velocity[0] for one in after] == pytest.approx([0.0] * len(after), abs=1e-6)
    # It turns, it does not snap.
    turns = [abs(b.heading - a.heading) / runner.dt for a, b in zip(over, over[1:], strict=False)]
    assert max(turns) < 2.0 * angle / 0.2 + 1e-6


def test_a_vault_that_ends_on_lower_floor_stands_on_it():
    lower = Union(Block((-9.0, -1.2, -3.0), (9.0, 9.0, 0.0)), Block((-9.0, -30.0, -3.0), (9.0, -1.2, -0.7)))
    runner = vaulted(Union(lower, box(1.0, 0.1, gap=1.2)))
    assert runner.capsule.feet[2] == pytest.approx(-0.7, abs=1e-6)
    assert not any(one.state == "AIRBORNE" for one in runner.seen)


def test_from_standing_it_vaults_too_and_stands_behind_it():
    runner = Runner(on_floor(box(1.0, 0.1, gap=0.6)))
    runner.go(2.0, Pad(go_up=True))
    assert runner.moves == ["VAULTING"]
    assert runner.capsule.feet[1] < -0.8
    assert runner.pace == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("heading", [0.7, 2.4, -1.9])
def test_a_turned_fence_is_vaulted_alike(heading: float):
    world = on_floor(turned(box(1.0, 0.1, gap=1.2), heading))
    pad = Pad(sin(heading), -cos(heading))
    runner = Runner(world, heading=heading, fps=120)
    runner.go(2.0, pressing(lambda one: hypot(*one.capsule.feet[:2]) > 0.6, pad))
    straight = Runner(FENCE, fps=120).go(2.0, pressing(past(-0.6)))
    assert runner.moves == ["VAULTING"]
    assert hypot(*runner.capsule.feet[:2]) == pytest.approx(hypot(*straight.capsule.feet[:2]), abs=1e-3)


def test_on_a_moving_floor_it_vaults_what_rides_along_and_lands_on_it():
    def placed(t: float) -> tuple[float, float, float, float]:
        return 1.5 * t, 0.0, 0.2 * t, 0.0

    train = Moving(Block((-3.0, -20.0, -1.0), (3.0, 3.0, 0.0)), placed)
    fence = Moving(Block((-3.0, -1.3, -0.5), (3.0, -1.2, 1.0)), placed)
    runner = Runner(Union(train, fence), fps=60).go(1.5, pressing(past(-0.6)))
    assert runner.moves == ["VAULTING"]
    assert runner.capsule.feet[0] == pytest.approx(1.5 * runner.time, abs=0.02)
    assert runner.capsule.feet[2] == pytest.approx(0.2 * runner.time, abs=1e-3)


# What it asks of the pose.


def planted(world, fps: int = 120) -> list[tuple[float, tuple[str, ...], str]]:
    """Of each tick of a vault: its progress, the hands that are fully planted, its variant."""
    runner, told = Runner(world, fps=fps), []

    def watch(one: Runner) -> Pad:
        move = request_of(one.memory, one.travel, one.config, one.world).move
        if move is not None:
            hands = tuple(contact.limb for contact in move.contacts if contact.weight > 0.999)
            told.append((move.progress, hands, move.variant))
            for contact in move.contacts:
                assert contact.place[2] == pytest.approx(1.0)
                assert contact.normal == (0.0, 0.0, 1.0)
        return AHEAD._replace(go_up=one.capsule.feet[1] < -0.6)

    runner.go(1.2, watch)
    assert told
    return told


def test_a_hand_is_planted_on_the_top_from_thirty_to_sixty_percent_of_it():
    told = planted(FENCE)
    down = [progress for progress, hands, _ in told if hands]
    assert min(down) == pytest.approx(0.3, abs=0.02)
    assert max(down) == pytest.approx(0.6, abs=0.02)
    assert {hands for _, hands, _ in told} == {(), ("hand.L",)}
    assert {variant for *_, variant in told} == {"LEFT"}


def test_over_a_long_top_it_goes_with_both_hands():
    told = planted(on_floor(box(1.0, 0.7, gap=1.2)))
    assert {hands for _, hands, _ in told} == {(), ("hand.L", "hand.R")}
    assert {variant for *_, variant in told} == {"TUCK"}


def test_the_numbers_of_a_preset_are_what_it_does():
    numbers = VaultConfig(shortest=1.5, longest=1.5, keeps=0.5)
    config = replace(ParkourConfig(), vault=numbers, surroundings=SurroundingsConfig(clears=0.4))
    runner = Runner(FENCE, fps=120, config=config)
    runner.go(3.0, pressing(IN_REACH), until=lambda one: "VAULTING" in one.states and one.memory.state != "VAULTING")
    assert lasted(runner) == pytest.approx(1.5, abs=0.01)
    assert hypot(*runner.capsule.flat) == pytest.approx(1.5, rel=1e-3)
    assert min(one.feet[2] for one in runner.of("VAULTING") if -1.3 <= one.feet[1] <= -1.2) >= 1.39


@pytest.mark.parametrize(("degrees", "variant"), [(40.0, "RIGHT"), (-40.0, "LEFT")])
def test_the_hand_is_planted_that_is_nearer_as_it_comes_and_on_its_own_side(degrees: float, variant: str):
    angle = radians(degrees)
    pad, told = Pad(sin(angle), -cos(angle)), []

    def watch(one: Runner) -> Pad:
        move = request_of(one.memory, one.travel, one.config, one.world).move
        if move is not None:
            told.append((move, one.memory.edge))
        return pad._replace(go_up=one.capsule.feet[1] < -0.6)

    Runner(on_floor(box(1.0, 0.1, gap=1.2, width=40.0)), heading=angle).go(1.4, watch)
    assert {move.variant for move, _ in told} == {variant}
    sides = {contact.place[0] - edge[0] for move, edge in told for contact in move.contacts}
    # Facing -Y its left is +X.
    assert all(side > 0.2 for side in sides) if variant == "LEFT" else all(side < -0.2 for side in sides)
    assert sides


@pytest.mark.parametrize(("depth", "variant"), [(0.4, "LEFT"), (0.6, "TUCK")])
def test_up_to_half_a_metre_of_top_one_hand_will_do(depth: float, variant: str):
    assert {variant for *_, variant in planted(on_floor(box(1.0, depth, gap=1.2)))} == {variant}


def test_a_hand_is_planted_where_the_preset_says():
    config = replace(ParkourConfig(), vault=VaultConfig(hand_from=0.2, hand_to=0.8, hand_in=0.02, hand_aside=0.4))
    runner, told = Runner(FENCE, fps=120, config=config), []

    def watch(one: Runner) -> Pad:
        move = request_of(one.memory, one.travel, one.config, one.world).move
        if move is not None and move.contacts and move.contacts[0].weight > 0.999:
            told.append((one.memory.progress, move.contacts[0].place))
        return AHEAD._replace(go_up=one.capsule.feet[1] < -0.6)

    runner.go(1.2, watch)
    assert told[0][0] == pytest.approx(0.2, abs=0.02)
    assert told[-1][0] == pytest.approx(0.8, abs=0.02)
    assert told[0][1][::2] == pytest.approx((0.4, 1.0), abs=1e-5)


@pytest.mark.parametrize(("edges", "inward"), [((-0.3, -1.3), 0.9), ((-2.0, -2.8), 0.1), ((-1.0, -1.06), 0.03)])
def test_a_hand_keeps_from_the_edges_of_a_top_as_far_as_there_is_room(edges: tuple[float, float], inward: float):
    near, far = edges
    memory = StateMemory(way=((0.0, 0.0, 0.0), (0.0, near, 1.0), (0.0, far, 1.0), (0.0, -3.0, 0.0)))
    memory.normal = (0.0, 1.0, 0.0)
    assert hand_in(memory, VaultConfig()) == pytest.approx(inward)


def test_it_comes_down_as_from_the_height_of_the_top_and_says_before_when_it_will():
    impacts, told = [], []

    def watch(one: Runner) -> Pad:
        impacts.append(one.travel.impact)
        if one.memory.state == "VAULTING":
            told.append(one.memory.lasts - one.memory.time - one.travel.lands_in)
        return AHEAD._replace(go_up=one.capsule.feet[1] < -0.6)

    Runner(FENCE).go(1.4, watch)
    # From 1 m with 18 m/s2: 6 m/s, which legs take; a long vault's parabola has nothing to do with it.
    assert max(impacts) == pytest.approx(6.0, rel=0.01)
    assert told == pytest.approx([0.0] * len(told), abs=1e-9)


def test_on_a_long_top_both_hands_are_planted_under_the_shoulders_that_lean_ahead_of_the_feet():
    runner = Runner(on_floor(box(1.0, 0.8, gap=1.2)), fps=120)
    runner.go(1.0, pressing(IN_REACH), until=lambda one: one.memory.progress > 0.45)
    move = request_of(runner.memory, runner.travel, runner.config, runner.world).move
    for contact in move.contacts:
        assert contact.place[1] == pytest.approx(runner.capsule.feet[1] - VaultConfig().hand_aside, abs=0.06)
        assert -2.0 < contact.place[1] < -1.2
