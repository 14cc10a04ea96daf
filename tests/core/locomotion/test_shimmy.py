"""Along an edge and around its corners: how fast, where it ends, what the hands do."""

from __future__ import annotations

from math import cos, degrees, dist, hypot, pi, sin, sqrt

import pytest
from support.clinger import RATES, Clinger, hung
from support.ledges import FACE, TOP, block, bowl, carried, column, faceted, rough, thin, turned, wall, yard
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.space.angles import turn_between
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

HANG = ParkourConfig().hang
MOVEMENT = MovementConfig()
OUT = MOVEMENT.radius + MOVEMENT.padding
HALF = 0.5 * HANG.hands
LOST = 0.5 * HANG.shimmy * HANG.shimmy_start
"""What the start of a shimmy costs of the way, metres."""
INTO, LEFT, RIGHT = (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)


def along(body: Clinger, side: float) -> tuple[float, float]:
    """The direction along the wall that the body faces."""
    return side * cos(body.heading), side * sin(body.heading)


def follow(body: Clinger, seconds: float, side: float = 1.0) -> Clinger:
    """Go along the wall, steered along it wherever it leads."""
    for _ in range(round(seconds * body.rate)):
        body.tick(along(body, side))
    return body


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("angle", "side"), [(0.0, 1.0), (0.7, -1.0), (-2.3, 1.0)])
def test_it_goes_along_the_edge_at_its_speed(rate: int, angle: float, side: float):
    body = hung(yard(wall(), angle=angle), rate, angle=angle)
    start = body.feet
    body.go(2.0, turned(side, 0.0, angle))
    assert HANG.shimmy == 1.1
    ticks = round(2.0 * rate)
    way = turned(side * (HANG.shimmy * ticks / rate - LOST), 0.0, angle)
    assert body.feet == pytest.approx((start[0] + way[0], start[1] + way[1], start[2]), abs=1e-3)
    assert body.heading == pytest.approx(angle, abs=1e-4)
    assert (body.move.name, body.move.variant) == ("SHIMMY", "LEFT" if side > 0.0 else "RIGHT")


def test_only_the_part_of_the_wish_along_the_wall_counts():
    body = hung(yard(wall()))
    body.go(0.5, (1.0, -1.0))
    before = body.feet[0]
    body.go(1.0, (1.0, -1.0))
    assert body.feet[0] - before == pytest.approx(HANG.shimmy / sqrt(2.0), abs=1e-3)


def test_it_stops_within_its_time_when_nothing_is_asked():
    body = hung(yard(wall()), 120)
    body.go(1.0, LEFT)
    before = body.feet[0]
    body.go(1.0)
    assert body.feet[0] - before == pytest.approx(LOST, abs=1e-3)
    assert set(body.places[-60:]) == {body.feet}


@pytest.mark.parametrize("leg", [0.45, 1.8])
def test_half_and_double_sizes_go_with_the_root_of_their_size(leg: float):
    scale = leg / 0.9
    body = hung(yard(Block((-20.0, -9.0, 0.0), (20.0, FACE * scale, TOP * scale))), leg=leg)
    body.go(0.5, LEFT)
    before = body.feet[0]
    body.go(1.0, LEFT)
    assert body.feet[0] - before == pytest.approx(HANG.shimmy * sqrt(scale), rel=1e-3)
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
def test_it_stops_where_the_edge_ends(rate: int):
    # A thin plank: its end is too narrow to go around.
    body = hung(yard(block(1.0, -6.0, depth=0.1)), rate)
    body.go(3.0, LEFT)
    assert body.parts[-1] == ("HANGING", "")
    assert body.feet[0] == pytest.approx(1.0 - HALF, abs=0.025)
    assert body.contact("hand.L").place[0] <= 1.0
    assert set(body.places[-rate // 2 :]) == {body.feet}


@pytest.mark.parametrize("rate", (15, 60))
@pytest.mark.parametrize(("rise", "goes"), [(0.13, True), (-0.13, True), (0.17, False), (-0.17, False)])
def test_it_stops_where_the_top_steps_up_or_down(rate: int, rise: float, goes: bool):
    assert HANG.step == 0.15
    body = hung(yard(block(1.0, -6.0), block(6.0, 1.0, TOP + rise)), rate)
    body.go(2.5, LEFT)
    if goes:
        assert body.feet[0] > 2.0
        assert body.feet[2] == pytest.approx(TOP + rise - HANG.below, abs=1e-4)
    else:
        assert body.feet[0] == pytest.approx(1.0 - HALF, abs=0.025)
        assert body.parts[-1] == ("HANGING", "")
    assert body.deepest == 0.0


def test_a_step_in_the_top_lifts_it_evenly():
    body = hung(yard(block(1.0, -6.0), block(6.0, 1.0, TOP + 0.13)), 120)
    body.go(0.5, LEFT)
    begun = len(body.places)
    body.go(1.5, LEFT)
    rises = [b[2] - a[2] for a, b in zip(body.places[begun:], body.places[begun + 1 :], strict=False)]
    assert max(rises) < 0.2 * 0.13
    assert min(rises) > -1e-6


@pytest.mark.parametrize("rate", RATES)
def test_it_stops_at_a_side_wall_that_is_higher(rate: int):
    body = hung(yard(wall(), block(2.0, 1.0, TOP + 2.0, face=3.0)), rate)
    body.go(2.0, LEFT)
    assert body.parts[-1] == ("HANGING", "")
    assert 1.0 - OUT - 1e-4 <= body.feet[0] <= 1.0 - MOVEMENT.radius
    assert body.deepest == 0.0
    assert set(body.places[-rate // 2 :]) == {body.feet}


def test_it_stops_where_the_body_does_not_fit():
    # A shelf under the edge that leaves the hands room, not the legs.
    body = hung(yard(thin(), block(3.0, 1.0, TOP - 1.0, face=2.0, depth=2.95)))
    body.go(2.5, LEFT)
    assert body.feet[0] < 1.0 - MOVEMENT.radius + 1e-3
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_it_goes_around_an_outside_corner_and_on_with_the_same_wish(rate: int, side: float):
    body = hung(yard(block(1.0, -1.0, depth=3.0)), rate)
    body.go(4.0, (side, 0.0), until=lambda b: b.memory.step == "CORNER")
    begun = body.ticks
    assert body.move.name == "CORNER"
    assert body.move.variant == ("OUTSIDE_LEFT" if side > 0.0 else "OUTSIDE_RIGHT")
    body.go(1.0, (side, 0.0), until=lambda b: b.memory.step == "")
    assert HANG.corner == 0.3
    assert body.ticks - begun == pytest.approx(HANG.corner * rate, abs=1.0)
    assert turn_between(0.0, body.heading) == pytest.approx(-side * 0.5 * pi, abs=1e-4)
    assert body.feet[0] == pytest.approx(side * (1.0 + OUT), abs=1e-4)
    before = body.feet
    # The same wish leads straight out of the new wall; it goes on along the ledge.
    body.go(0.5, (side, 0.0))
    assert before[1] - body.feet[1] == pytest.approx(HANG.shimmy * round(0.5 * rate) / rate, abs=0.06)
    assert body.deepest == 0.0


def test_another_wish_after_a_corner_counts_for_itself():
    body = hung(yard(block(1.0, -1.0, depth=6.0)))
    body.go(4.0, LEFT, until=lambda b: b.memory.step == "CORNER").go(0.5, LEFT)
    before = body.feet[1]
    body.go(0.3)
    stood = body.feet[1]
    assert stood == pytest.approx(before - LOST, abs=1e-3)
    body.go(0.3, LEFT)
    # Let go of, the wish is what it is: out of the wall, along none.
    assert body.feet[1] == pytest.approx(stood, abs=1e-3)
    body.go(0.5, (0.0, -1.0))
    assert body.feet[1] < stood - 0.3


@pytest.mark.parametrize("rate", (15, 60))
def test_it_goes_all_around_a_block_with_one_wish(rate: int):
    body = hung(yard(block(1.0, -1.0, depth=2.0)), rate)
    turn = 0.0
    for _ in range(round(9.0 * rate)):
        before = body.heading
        body.tick(LEFT)
        turn += turn_between(before, body.heading)
    assert turn < -2.0 * pi
    assert body.deepest == 0.0
    assert {state for state, _ in body.states[-rate:]} == {"HANGING"}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_it_goes_into_an_inside_corner(rate: int, side: float):
    other = block(3.0, 1.0, face=3.0) if side > 0.0 else block(-1.0, -3.0, face=3.0)
    body = hung(yard(wall(), other), rate)
    body.go(3.0, (side, 0.0), until=lambda b: b.memory.step == "CORNER")
    assert body.move.variant == ("INSIDE_LEFT" if side > 0.0 else "INSIDE_RIGHT")
    body.go(1.0, (side, 0.0), until=lambda b: b.memory.step == "")
    assert turn_between(0.0, body.heading) == pytest.approx(side * 0.5 * pi, abs=1e-4)
    assert body.feet[0] == pytest.approx(side * (1.0 - OUT), abs=1e-3)
    before = body.feet[1]
    body.go(0.5, (side, 0.0))
    assert body.feet[1] - before == pytest.approx(HANG.shimmy * round(0.5 * rate) / rate, abs=0.06)
    assert body.deepest == 0.0


@pytest.mark.parametrize("rise", [0.2, -0.2])
def test_a_corner_whose_top_is_higher_or_lower_is_an_end(rise: float):
    body = hung(yard(wall(), block(3.0, 1.0, TOP + rise, face=3.0)))
    body.go(2.0, LEFT)
    assert "CORNER" not in {step for _, step in body.states}
    assert body.deepest == 0.0


@pytest.mark.parametrize("sides", [6, 8])
def test_it_goes_around_corners_that_are_no_right_angles(sides: int):
    body = follow(hung(yard(faceted(2.0, sides)), 30), 6.0)
    assert "CORNER" in {step for _, step in body.states}
    turns = {round(degrees(body.headings[k]), 1) for k in range(-5, 0)}
    assert len(turns) <= 5
    assert abs(turn_between(0.0, body.heading)) > 1.0
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(
    ("solid", "radius", "bend"), [(column(2.0), 2.0, -1.0), (bowl(2.0), 2.0, 1.0), (column(1.0), 1.0, -1.0)]
)
def test_it_follows_a_curved_wall(rate: int, solid, radius: float, bend: float):
    body = follow(hung(yard(solid), rate), 2.0)
    angle = bend * (HANG.shimmy * round(2.0 * rate) / rate - LOST) / radius
    # It has turned with the wall but for the little that it takes up later.
    assert turn_between(0.0, body.heading) == pytest.approx(angle, abs=0.09)
    middle = FACE - radius * -bend
    assert hypot(body.feet[0], body.feet[1] - middle) == pytest.approx(radius - bend * OUT, abs=0.01)
    assert body.deepest == 0.0
    assert body.feet[2] == pytest.approx(TOP - HANG.below, abs=1e-4)


@pytest.mark.parametrize("solid", [faceted(2.0, 16), rough(), column(1.0)])
@pytest.mark.parametrize("rate", [24, 120])
def test_it_does_not_jitter_along_uneven_walls(solid, rate: int):
    body = hung(yard(solid), rate)
    begun = len(body.places)
    follow(body, 1.8)
    # As it starts, and no worse: 11 m/s2 for a tick, and what half a stone's step gives.
    assert body.largest_kick(begun - 1) < 1.0
    assert body.largest_turn(begun - 1) * rate < 3.0
    assert body.deepest == 0.0


def test_stones_that_stand_out_far_push_it_out_before_it_is_in_them():
    body = hung(yard(rough(uneven=0.05)))
    begun = len(body.places)
    follow(body, 1.8)
    assert body.deepest < 0.02
    assert body.largest_kick(begun - 1) < 1.5


def test_hands_go_one_after_the_other_and_hold_still_while_they_hold():
    body = hung(yard(wall()), 120)
    body.go(0.5, LEFT)
    held: dict[str, list[tuple[float, float]]] = {"hand.L": [], "hand.R": []}
    for _ in range(120):
        body.tick(LEFT)
        lifted = [limb for limb in held if body.contact(limb).weight < 1.0 - 1e-9]
        assert len(lifted) <= 1
        for limb, seen in held.items():
            hand = body.contact(limb)
            if hand.weight >= 1.0 - 1e-9:
                assert hand.place[1:] == pytest.approx((FACE, TOP), abs=1e-5)
                seen.append((body.memory.phase, hand.place[0]))
    for seen in held.values():
        still = [abs(b[1] - a[1]) for a, b in zip(seen, seen[1:], strict=False) if 0.0 < b[0] - a[0] < 0.05]
        assert max(still) < 1e-4
    assert body.contact("hand.L").place[0] > body.contact("hand.R").place[0]


def test_hands_stay_on_the_edge_around_corners():
    solid = block(1.0, -1.0, depth=2.0)
    body = hung(yard(solid), 24)
    for _ in range(144):
        body.tick(LEFT)
        for limb in ("hand.L", "hand.R"):
            hand = body.contact(limb)
            if hand.weight >= 1.0 - 1e-9:
                near = solid.near(*hand.place, 0.5)
                assert near.distance < 0.02
                assert abs(hand.place[2] - TOP) < 0.02


@pytest.mark.parametrize("rate", RATES)
def test_it_goes_along_an_edge_that_moves(rate: int):
    def placement(time: float) -> tuple[float, float, float, float]:
        return 0.0, 0.3 * time, 0.2 * time, 0.15 * time

    body = hung(Union(Flat(), carried(block(1.0, -1.0, depth=3.0), placement)), rate)
    for _ in range(3 * rate):
        body.tick(along(body, 1.0))
        assert body.state == "HANGING"
    x, y, z, angle = placement(body.time)
    local = turned(body.feet[0] - x, body.feet[1] - y, -angle)
    assert local[0] == pytest.approx(1.0 + OUT, abs=2e-3)
    assert body.feet[2] - z == pytest.approx(TOP - HANG.below, abs=1e-3)


def test_all_rates_end_at_the_same_place():
    ends = [hung(yard(block(1.0, -1.0, depth=6.0)), rate).go(4.0, LEFT).feet for rate in RATES]
    assert max(dist(end, ends[2]) for end in ends) < 0.05
