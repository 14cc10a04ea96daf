"""Leaps from edge to edge: what they reach, their arc, where they end, what the hands do."""

from __future__ import annotations

from math import dist, sqrt

import pytest
from support.clinger import RATES, Clinger, hung
from support.ledges import FACE, TOP, block, carried, thin, turned, wall, yard
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.leap import on_arc
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

LEAP, HANG = ParkourConfig().leap, ParkourConfig().hang
MOVEMENT = MovementConfig()
OUT = MOVEMENT.radius + MOVEMENT.padding
BODY = 2.0 * MOVEMENT.radius
INTO, LEFT, RIGHT = (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)
BEAM = 0.2


def two(gap: float, rise: float = 0.0, width: float = 2.0):
    """A wall that ends at 0.5, and the next one after a gap."""
    return yard(block(0.5, -3.0, depth=1.0), block(0.5 + gap + width, 0.5 + gap, TOP + rise, depth=1.0))


def beam(rise: float, depth: float = 0.3, face: float = FACE):
    """A beam over a thin wall; its top is so much higher."""
    return yard(thin(), block(6.0, -6.0, TOP + rise, face=face, depth=depth, low=TOP + rise - BEAM))


def leapt(body: Clinger, wish: tuple[float, float]) -> Clinger:
    """Press, and go on until it hangs again."""
    return body.tick(wish, go_up=True).go(1.0, until=lambda b: b.state != "LEAPING")


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_it_leaps_sideways_across_a_gap_to_a_higher_edge(rate: int, side: float, angle: float):
    near, far = (0.5, 1.7) if side > 0.0 else (-0.5, -1.7)
    first = block(max(near, -3.0 * side), min(near, -3.0 * side), depth=1.0)
    second = block(max(far, 4.0 * side), min(far, 4.0 * side), TOP + 0.6, depth=1.0)
    body = hung(yard(first, second, angle=angle), rate, angle=angle)
    start = body.feet
    leapt(body, turned(side, 0.0, angle))
    assert body.state == "HANGING"
    end = turned(far + side * BODY, FACE + OUT, angle)
    assert body.feet == pytest.approx((*end, TOP + 0.6 - HANG.below), abs=0.02)
    assert body.heading == pytest.approx(angle, abs=1e-4)
    assert body.deepest == 0.0
    assert start[2] < body.feet[2]


@pytest.mark.parametrize("rate", RATES)
def test_a_leap_takes_its_time_and_goes_over_its_higher_end(rate: int):
    body = hung(two(1.0, 0.6), rate)
    start = body.feet
    body.tick(LEFT, go_up=True)
    assert (body.move.name, body.move.variant) == ("LEAP", "LEFT")
    assert (LEAP.lasts, LEAP.over) == (0.45, 0.3)
    ticks = 1
    while body.state == "LEAPING":
        share = ticks / rate / LEAP.lasts
        assert body.memory.progress == pytest.approx(share)
        expected = on_arc(start, (0.5 + 1.0 + BODY, start[1], start[2] + 0.6), share, LEAP.over)
        assert body.feet == pytest.approx(expected, abs=0.01)
        body.tick()
        ticks += 1
    assert LEAP.lasts <= ticks / rate < LEAP.lasts + 1.0 / rate + 1e-9


@pytest.mark.parametrize("rise", [1.2, 0.0, -0.9])
def test_the_arc_is_even_in_the_plan_and_a_parabola_that_peaks_over_the_higher_end(rise: float):
    start, end = (0.0, 0.0, 1.0), (2.0, 1.0, 1.0 + rise)
    places = [on_arc(start, end, k / 1000.0, LEAP.over) for k in range(1001)]
    assert places[0] == pytest.approx(start)
    assert places[-1] == pytest.approx(end)
    assert max(z for _, _, z in places) == pytest.approx(max(1.0, 1.0 + rise) + LEAP.over, abs=1e-4)
    steps = [dist(a[:2], b[:2]) for a, b in zip(places, places[1:], strict=False)]
    assert max(steps) == pytest.approx(min(steps), rel=1e-6)
    falls = [c[2] - 2.0 * b[2] + a[2] for a, b, c in zip(places, places[1:], places[2:], strict=False)]
    assert max(falls) == pytest.approx(min(falls), rel=1e-4)


@pytest.mark.parametrize(("gap", "reached"), [(1.65, True), (1.75, False)])
def test_the_next_edge_begins_within_its_reach(gap: float, reached: bool):
    assert LEAP.far == 2.2
    assert (leapt(hung(two(gap)), LEFT).feet[0] > 1.0) is reached


@pytest.mark.parametrize(("rise", "reached"), [(1.27, True), (1.33, False), (-0.97, True), (-1.03, False)])
def test_the_next_edge_is_neither_too_high_nor_too_low(rise: float, reached: bool):
    assert (LEAP.higher, LEAP.lower) == (1.3, 1.0)
    body = hung(two(0.8, rise))
    assert (body.tick(LEFT, go_up=True).state == "LEAPING") is reached


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("face", "reached"), [(-0.3, True), (0.3, True), (-0.4, False), (0.4, False)])
def test_the_next_edge_may_be_before_or_behind_the_face_of_the_wall(face: float, reached: bool, rate: int):
    assert LEAP.give == 0.35
    # Nobody climbs the first one.
    body = hung(yard(block(0.5, -3.0, depth=0.1), block(4.0, 1.5, face=FACE + face, depth=1.0)), rate)
    leapt(body, LEFT)
    assert (body.feet[1] == pytest.approx(FACE + face + OUT, abs=1e-3)) is reached
    assert body.state == "HANGING"
    assert body.deepest < 0.02


def test_it_lands_in_the_middle_of_an_edge_that_is_narrower_than_two_bodies():
    body = leapt(hung(two(0.8, width=0.6)), LEFT)
    assert body.state == "HANGING"
    assert body.feet[0] == pytest.approx(0.5 + 0.8 + 0.3, abs=0.02)


def test_what_shimmying_covers_is_no_target():
    # The wall goes on, a hand's width higher; the next edge is behind it.
    steps = (block(0.5, -3.0, depth=1.0), block(1.0, 0.5, TOP + 0.1, depth=1.0), block(3.5, 1.6, depth=1.0))
    body = leapt(hung(yard(*steps)), LEFT)
    assert body.feet[0] == pytest.approx(1.6 + BODY, abs=0.02)


def test_a_top_that_steps_up_is_leapt_onto():
    body = leapt(hung(yard(block(0.5, -3.0, depth=1.0), block(4.0, 0.5, TOP + 0.5, depth=1.0))), LEFT)
    assert body.feet == pytest.approx((0.5 + BODY, FACE + OUT, TOP + 0.5 - HANG.below), abs=0.02)


def test_it_takes_the_nearest_of_two():
    more = (block(0.5, -3.0, depth=1.0), block(1.5, 1.0, depth=1.0), block(2.5, 2.0, depth=1.0))
    assert leapt(hung(yard(*more)), LEFT).feet[0] == pytest.approx(1.25, abs=0.02)


def test_pillars_with_gaps_are_leapt_along_one_after_the_other():
    pillars = [block(0.4 + 1.4 * k, -0.4 + 1.4 * k, TOP + 0.3 * k, depth=0.8) for k in range(4)]
    body = hung(yard(*pillars))
    for k in range(1, 4):
        leapt(body, LEFT)
        assert body.feet == pytest.approx((1.4 * k, FACE + OUT, TOP + 0.3 * k - HANG.below), abs=0.02)
        body.go(0.2)
    assert body.deepest == 0.0


def test_without_room_there_is_no_leap():
    target = block(4.0, 1.3, depth=1.0)
    in_the_way = block(1.2, 1.0, TOP + 3.0, face=2.0)
    below_the_target = block(4.0, 1.3, TOP - 1.0, face=1.0)
    for wrong in (in_the_way, below_the_target):
        body = hung(yard(block(0.5, -3.0, depth=0.1), target, wrong))
        assert body.tick(LEFT, go_up=True).state == "HANGING"


@pytest.mark.parametrize("rate", RATES)
def test_it_climbs_instead_where_there_is_nothing_to_the_side(rate: int):
    assert hung(yard(wall()), rate).tick(LEFT, go_up=True, held=True).state == "CLIMBING"


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("wish", [INTO, (0.0, 0.0)])
def test_it_leaps_up_to_an_edge_above(rate: int, wish: tuple[float, float]):
    body = hung(beam(0.9), rate)
    leapt(body, wish)
    assert body.state == "HANGING"
    assert body.feet == pytest.approx((0.0, FACE + OUT, TOP + 0.9 - HANG.below), abs=1e-4)
    assert max(z for _, _, z in body.places) <= TOP + 0.9 - HANG.below + LEAP.over + 1e-4
    assert body.deepest == 0.0


@pytest.mark.parametrize(("rise", "reached"), [(1.27, True), (1.33, False)])
def test_an_edge_above_is_at_most_so_high(rise: float, reached: bool):
    assert (hung(beam(rise)).tick(INTO, go_up=True).state == "LEAPING") is reached


def test_it_climbs_rather_than_leaps_up_where_there_is_room_on_top():
    body = hung(yard(wall(), block(6.0, -6.0, TOP + 1.2, depth=0.3, face=FACE - 3.5)))
    assert body.tick(INTO, go_up=True, held=True).state == "CLIMBING"


def test_a_wish_that_is_kept_around_a_corner_leaps_along_the_way_that_it_keeps():
    first = block(1.0, -3.0, depth=1.2)
    body = hung(yard(first, block(1.0, -3.0, face=FACE - 2.2, depth=2.0)))
    body.go(4.0, LEFT, until=lambda b: b.memory.step == "CORNER").go(0.5, LEFT)
    # The same wish leads straight out of the new wall now.
    leapt(body, LEFT)
    assert body.state == "HANGING"
    assert body.feet[1] == pytest.approx(FACE - 2.2 - BODY, abs=0.02)


def test_a_beam_that_stands_out_over_the_head_is_not_leapt_through():
    assert hung(beam(0.9, face=FACE + 0.3)).tick(INTO, go_up=True).state == "HANGING"


def test_hands_leave_the_old_edge_and_reach_for_the_new_one_at_the_end():
    assert LEAP.hands == 0.4
    body = hung(two(1.0, 0.6), 240)
    body.tick(LEFT, go_up=True)
    seen = []
    while body.state == "LEAPING":
        hand = body.contact("hand.L")
        seen.append((body.memory.progress, hand))
        body.tick()
    assert all(hand is None for done, hand in seen if 0.2 < done < 0.59)
    reaching = [(done, hand) for done, hand in seen if done > 0.61]
    assert all(hand.place == pytest.approx((2.2 + 0.2, FACE, TOP + 0.6), abs=0.02) for _, hand in reaching)
    weights = [hand.weight for _, hand in reaching]
    assert weights == sorted(weights)
    assert weights[-1] > 0.95


@pytest.mark.parametrize("leg", [0.45, 1.8])
def test_half_and_double_sizes_leap_alike(leg: float):
    s = leg / 0.9
    first = Block((-3.0 * s, -2.0 * s, 0.0), (0.5 * s, FACE * s, TOP * s))
    second = Block((1.7 * s, -2.0 * s, 0.0), (4.0 * s, FACE * s, (TOP + 0.6) * s))
    body = hung(yard(first, second), leg=leg)
    body.tick(LEFT, go_up=True)
    begun = body.ticks
    body.go(2.0, until=lambda b: b.state != "LEAPING")
    assert body.feet[0] == pytest.approx((1.7 + BODY) * s, abs=0.02 * s)
    assert body.ticks - begun == pytest.approx(LEAP.lasts * sqrt(s) * 60, abs=1.0)
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
def test_it_lands_on_an_edge_that_moves(rate: int):
    second = carried(block(4.0, 1.5, depth=1.0), lambda time: (0.0, 0.0, 0.3 * time, 0.0))
    body = leapt(hung(Union(Flat(), block(0.5, -3.0, depth=1.0), second), rate), LEFT)
    assert body.state == "HANGING"
    assert body.feet[2] == pytest.approx(TOP + 0.3 * body.time - HANG.below, abs=1e-3)
