"""Hanging: what is caught, where the body hangs, how it comes off again. Every number is that of its Config."""

from __future__ import annotations

from dataclasses import replace
from math import dist, hypot, pi, sqrt

import pytest
from support.clinger import RATES, Clinger, hung
from support.ledges import FACE, TOP, block, bowl, carried, column, faceted, rough, thin, turned, wall, yard
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

HANG = ParkourConfig().hang
MOVEMENT = MovementConfig()
OUT = MOVEMENT.radius + MOVEMENT.padding
INTO, AWAY, LEFT, RIGHT = (0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)
ANGLES = (0.0, 0.7, -2.3)
LEGS = (0.45, 1.8)


def falling(world, over: float, rate: int = 60, *, speed: float = 0.0, before: float = 0.45) -> Clinger:
    """A body in the air before the wall whose edge is so high over its feet."""
    return Clinger(world, (0.0, -before, TOP - over), rate, aloft=True, velocity=(0.0, 0.0, speed))


@pytest.mark.parametrize("rate", RATES)
def test_a_jump_at_a_high_wall_hangs_from_its_top(rate: int):
    body = Clinger(yard(wall()), (0.0, -0.4, 0.0), rate)
    body.tick(INTO, jump=True).until("HANGING", INTO, step="")
    assert body.feet == pytest.approx((0.0, FACE + OUT, TOP - HANG.below), abs=1e-5)
    assert body.heading == pytest.approx(0.0, abs=1e-6)
    body.go(1.0, INTO)
    assert set(body.places[-rate:]) == {body.feet}
    assert body.deepest == 0.0


@pytest.mark.parametrize(("over", "caught"), [(1.48, False), (1.52, True), (2.05, True), (2.33, True), (2.37, False)])
def test_it_catches_edges_between_its_lowest_and_highest(over: float, caught: bool):
    # A thin wall: what is lower than it hangs from is climbed where there is room on top.
    assert (HANG.lowest, ParkourConfig().surroundings.hang_reach) == (1.5, 2.35)
    assert (falling(yard(thin()), over).tick(INTO).state == "HANGING") is caught


@pytest.mark.parametrize("rate", RATES)
def test_it_is_pulled_in_within_its_time(rate: int):
    body = falling(yard(wall()), 1.7, rate, speed=-2.0).tick(INTO)
    assert (body.state, body.memory.step) == ("HANGING", "PULL_IN")
    ticks = 1
    while body.memory.step == "PULL_IN":
        body.tick(INTO)
        ticks += 1
    assert HANG.pull_in == 0.15
    assert HANG.pull_in <= ticks / rate < HANG.pull_in + 1.0 / rate + 1e-9
    assert body.feet[2] == pytest.approx(TOP - 2.05, abs=1e-5)


def test_what_goes_up_climbs_and_does_not_hang_while_it_is_held():
    assert falling(yard(wall()), 1.9).tick(INTO, held=True).state == "CLIMBING"
    assert falling(yard(thin()), 1.9).tick(INTO, held=True).state == "AIRBORNE"


def test_it_catches_nothing_that_it_does_not_steer_into():
    for wish in ((0.0, 0.0), LEFT, AWAY):
        assert falling(yard(thin()), 1.9).tick(wish).state == "AIRBORNE"


def test_it_catches_nothing_while_it_rises_quickly():
    rising = ParkourConfig().machine.grabs_rising
    assert falling(yard(thin()), 1.9, speed=rising + 0.1).tick(INTO).state == "AIRBORNE"
    assert falling(yard(thin()), 1.9, speed=rising - 0.1).tick(INTO).state == "HANGING"


def test_it_catches_nothing_beyond_its_reach():
    for gap, caught in ((HANG.reach - 0.02, True), (HANG.reach + 0.02, False)):
        body = falling(yard(thin()), 1.9, before=-FACE - MOVEMENT.radius - gap)
        assert (body.tick(INTO).state == "HANGING") is caught


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("rate", RATES)
def test_it_hangs_square_to_a_wall_that_stands_askew(angle: float, rate: int):
    body = hung(yard(wall(), angle=angle), rate, angle=angle)
    assert body.feet == pytest.approx((*turned(0.0, FACE + OUT, angle), TOP - HANG.below), abs=1e-5)
    assert body.heading == pytest.approx(angle, abs=1e-5)


def test_it_turns_square_from_a_slanting_approach():
    wish = turned(0.0, -1.0, 0.8)
    body = Clinger(yard(wall()), (0.0, -0.45, TOP - 1.9), heading=0.8, aloft=True).until("HANGING", wish, step="")
    assert body.heading == pytest.approx(0.0, abs=1e-6)
    assert body.largest_turn() < 0.16


@pytest.mark.parametrize("leg", LEGS)
def test_bodies_of_half_and_double_size_hang_alike(leg: float):
    scale = leg / 0.9
    body = hung(yard(Block((-9.0, -9.0, 0.0), (9.0, FACE * scale, TOP * scale))), leg=leg)
    assert body.feet == pytest.approx((0.0, (FACE + OUT) * scale, (TOP - HANG.below) * scale), abs=1e-5)


@pytest.mark.parametrize("solid", [column(1.0), column(3.0), bowl(1.5), faceted(2.0, 16), rough()])
def test_it_hangs_from_round_and_rough_walls(solid):
    body = hung(yard(solid))
    body.go(1.0, INTO)
    assert body.deepest == 0.0
    assert set(body.places[-60:]) == {body.feet}
    assert body.feet[2] == pytest.approx(TOP - HANG.below, abs=0.021)
    for limb in ("hand.L", "hand.R"):
        hand = body.contact(limb)
        assert solid.height(*hand.place[:2]) is not None or solid.near(*hand.place, 0.02) is not None
        assert solid.near(*hand.place, 0.02) is not None


@pytest.mark.parametrize("rate", RATES)
def test_it_hangs_from_a_thin_wall_that_it_cannot_climb(rate: int):
    body = hung(yard(thin()), rate)
    body.tick(INTO, go_up=True).go(0.5, INTO)
    assert body.parts[-1] == ("HANGING", "")
    assert body.feet == pytest.approx((0.0, FACE + OUT, TOP - HANG.below), abs=1e-5)
    # Why it hangs still is told.
    assert body.memory.reason.endswith(".")


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("wish", [INTO, (0.0, 0.0)])
def test_it_climbs_up_from_a_hang(rate: int, wish: tuple[float, float]):
    body = hung(yard(wall()), rate)
    assert body.tick(wish, go_up=True, held=True).state == "CLIMBING"
    body.go(2.0)
    assert body.capsule.state == "ON_GROUND"
    assert body.feet[2] == pytest.approx(TOP, abs=1e-4)


@pytest.mark.parametrize("thick", [0.1, 0.4])
@pytest.mark.parametrize("rate", RATES)
def test_it_climbs_the_beam_that_it_holds_whatever_wall_is_under_it(rate: int, thick: float):
    beam, under = block(6.0, -6.0, depth=1.2, low=TOP - thick), thin(TOP - 1.1)
    body = hung(yard(beam, under), rate)
    assert body.tick(INTO, go_up=True, held=True).state == "CLIMBING"
    assert body.memory.edge[2] == pytest.approx(TOP, abs=1e-4)
    body.go(2.0)
    assert body.capsule.state == "ON_GROUND"
    assert body.feet[2] == pytest.approx(TOP, abs=1e-4)


@pytest.mark.parametrize("rate", RATES)
def test_crouching_lets_go_with_a_small_push_and_catches_nothing_for_a_while(rate: int):
    body = hung(yard(thin()), rate)
    start = body.feet
    body.tick(INTO, crouch=True)
    assert body.state == "AIRBORNE"
    assert body.memory.no_grab == pytest.approx(HANG.no_grab)
    assert HANG.no_grab == 0.4
    ticks = 1
    while body.state == "AIRBORNE" and ticks < rate:
        body.tick(INTO)
        ticks += 1
    # It steers back into the wall all the while, and falls past the edge before it may catch it.
    assert body.feet[2] < start[2] - 0.5 * MOVEMENT.gravity * (HANG.no_grab - 1.0 / rate) ** 2
    assert ("HANGING", "") not in body.parts[body.parts.index(("AIRBORNE", "")) + 1 :]


def test_letting_go_pushes_off_the_wall():
    body = hung(yard(thin()), 240)
    body.tick(crouch=True)
    assert body.capsule.velocity[:2] == pytest.approx((0.0, HANG.push), abs=1e-6)


def test_nobody_jumps_in_the_air_after_letting_go():
    body = hung(yard(thin()))
    body.tick(crouch=True)
    body.tick(jump=True)
    assert body.capsule.velocity[2] < 0.0


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("angle", ANGLES)
def test_it_jumps_back_off_a_hang_and_faces_away(rate: int, angle: float):
    body = hung(yard(wall(), angle=angle), rate, angle=angle)
    feet, away = body.feet, turned(*AWAY, angle)
    body.tick(away, go_up=True)
    assert (HANG.back_out, HANG.back_up) == (3.5, 0.8)
    out = turned(0.0, HANG.back_out, angle)
    up = HANG.back_up * MOVEMENT.take_off - MOVEMENT.gravity / rate
    assert body.capsule.velocity == pytest.approx((*out, up), abs=1e-4)
    assert body.move.name == "JUMP_BACK"
    body.go(HANG.no_grab, away)
    ticks = 1 + round(HANG.no_grab * rate)
    assert dist(body.feet[:2], feet[:2]) == pytest.approx(HANG.back_out * ticks / rate, abs=1e-3)
    assert abs(body.heading - angle) % (2.0 * pi) == pytest.approx(pi, abs=1e-5)
    assert "HANGING" not in [state for state, _ in body.states[-ticks:]]


def test_it_turns_away_without_a_flip():
    body = hung(yard(wall()))
    begun = len(body.headings)
    body.tick(AWAY, go_up=True).go(0.4, AWAY)
    turns = [b - a for a, b in zip(body.headings[begun - 1 :], body.headings[begun:], strict=False)]
    turns = [abs((turn + pi) % (2.0 * pi) - pi) * 60.0 for turn in turns]
    assert max(abs(b - a) for a, b in zip([0.0, *turns], turns, strict=False)) < 6.0


def test_hands_are_on_the_edge_and_feet_on_the_wall():
    body = hung(yard(wall()))
    for limb, x in (("hand.L", 0.5 * HANG.hands), ("hand.R", -0.5 * HANG.hands)):
        hand = body.contact(limb)
        assert hand.place == pytest.approx((x, FACE, TOP), abs=1e-5)
        assert (hand.normal, hand.weight) == (pytest.approx((0.0, 0.0, 1.0)), 1.0)
        assert hand.along == pytest.approx((0.0, -1.0, 0.0), abs=1e-6)
    for limb in ("foot.L", "foot.R"):
        foot = body.contact(limb)
        assert foot.place[1] == pytest.approx(FACE, abs=1e-5)
        assert body.feet[2] < foot.place[2] < body.feet[2] + 0.6
        assert foot.normal == pytest.approx((0.0, 1.0, 0.0), abs=1e-5)
    assert body.contact("hand.L").place[0] > 0.0 > body.contact("hand.R").place[0]


def test_feet_dangle_under_a_beam():
    body = hung(yard(block(6.0, -6.0, depth=0.3, low=TOP - 0.3)))
    assert body.feet == pytest.approx((0.0, FACE + OUT, TOP - HANG.below), abs=1e-5)
    assert [c.limb for c in body.move.contacts] == ["hand.L", "hand.R"]


def test_hands_come_nearer_on_a_pillar_that_is_narrower_than_they_are_apart():
    body = hung(yard(block(0.12, -0.12, depth=0.3)))
    for limb in ("hand.L", "hand.R"):
        assert abs(body.contact(limb).place[0]) <= 0.12
    assert body.contact("hand.L").place[0] > 0.0 > body.contact("hand.R").place[0]


def test_near_the_end_of_a_wall_it_hangs_where_both_hands_have_hold():
    body = hung(yard(block(0.05, -6.0)))
    assert body.contact("hand.L").place == pytest.approx((0.05, FACE, TOP), abs=0.01)
    assert body.feet[0] == pytest.approx(0.05 - 0.5 * HANG.hands, abs=0.01)


def test_it_does_not_hang_where_it_has_no_room():
    floor = block(6.0, -6.0, TOP - 1.5, face=1.0, depth=1.9, low=TOP - 1.9)
    assert falling(yard(thin(), floor), 1.9).tick(INTO).state != "HANGING"


@pytest.mark.parametrize("rate", RATES)
def test_it_rides_an_edge_that_moves_and_turns(rate: int):
    def placement(time: float) -> tuple[float, float, float, float]:
        return 0.4 * time, 0.0, 0.3 * time, 0.2 * time

    body = hung(Union(Flat(), carried(wall(), placement)), rate)
    for _ in range(2 * rate):
        body.tick()
        x, y, z, angle = placement(body.time)
        local = turned(body.feet[0] - x, body.feet[1] - y, -angle)
        assert local[1] == pytest.approx(FACE + OUT, abs=1e-4)
        assert body.feet[2] - z == pytest.approx(TOP - HANG.below, abs=1e-4)
        assert body.heading == pytest.approx(angle, abs=1e-4)
    assert body.state == "HANGING"


def test_who_lets_go_of_what_moves_keeps_its_velocity():
    body = hung(Union(Flat(), carried(wall(), lambda time: (1.5 * time, 0.0, 0.0, 0.0))))
    body.go(0.3).tick(crouch=True)
    assert body.capsule.velocity[0] == pytest.approx(1.5, abs=1e-3)


def test_what_comes_down_on_a_body_that_hangs_makes_it_let_go():
    lid = carried(Block((-1.0, FACE, 0.0), (1.0, 1.0, 1.0)), lambda time: (0.0, 0.0, 6.0 - time, 0.0))
    body = hung(Union(Flat(), wall(), lid))
    body.go(4.0, until=lambda b: b.state != "HANGING")
    assert body.state == "AIRBORNE"


def test_every_number_goes_with_the_size():
    half = ParkourConfig().sized(0.225).hang
    assert half.below == pytest.approx(0.25 * HANG.below)
    assert half.pull_in == pytest.approx(0.5 * HANG.pull_in)
    assert half.shimmy == pytest.approx(0.5 * HANG.shimmy)
    assert half.back_up == HANG.back_up
    body = hung(yard(Block((-9.0, -9.0, 0.0), (9.0, 2.0 * FACE, 2.0 * TOP))), leg=1.8)
    body.tick(AWAY, go_up=True)
    assert hypot(*body.capsule.velocity[:2]) == pytest.approx(sqrt(2.0) * HANG.back_out, rel=1e-3)


def test_its_settings_are_followed():
    config = replace(ParkourConfig(), hang=replace(HANG, below=1.9, pull_in=0.5))
    body = Clinger(yard(wall()), (0.0, -0.45, TOP - 1.9), config=config, aloft=True).tick(INTO)
    body.go(0.4, INTO)
    assert body.memory.step == "PULL_IN"
    body.go(0.2, INTO)
    assert body.feet[2] == pytest.approx(TOP - 1.9, abs=1e-5)
