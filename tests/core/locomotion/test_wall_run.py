"""Running along walls and jumping off them. Every number is that of its Config."""

from __future__ import annotations

from math import atan2, cos, dist, hypot, radians, sin, sqrt
from typing import Any

import pytest
from support import ledges
from support.clinger import RATES, Clinger
from support.ledges import turned
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.space.angles import turn_between
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rings import Ring
from surefoot.core.world.rooms import Block
from surefoot.core.world.solid import Solid

RUN = ParkourConfig().wall_run
MOVEMENT = MovementConfig()
OUT = MOVEMENT.radius + MOVEMENT.padding
SIDE = 0.7
"""How far from the middle of the body the wall is at the start."""
AHEAD = (0.0, -1.0)
SPEED = 5.0
ANGLES = (0.0, 0.7, -2.3)


def beside(side: float = -1.0, length: float = 40.0, top: float = 12.0, low: float = 0.0) -> Block:
    """A wall along the way, to the right (-1) or the left of a body that goes along -Y."""
    near, far = side * SIDE, side * (SIDE + 1.0)
    return Block((min(near, far), -length, low), (max(near, far), 40.0, top))


def yard(*solids: Solid, angle: float = 0.0) -> Solid:
    return Union(Flat(), *(ledges.Turned(solid, angle) if angle else solid for solid in solids))


def flying(
    world: Solid, rate: int = 60, *, speed: float = SPEED, over: float = 0.6, angle: float = 0.0, slant: float = 0.0,
    up: float = 0.0, leg: float = 0.9, x: float = 0.0, movement: MovementConfig | None = None,
) -> Clinger:  # fmt: skip
    """A body in the air beside the wall, that has jumped, on its way along it or (`slant`) to the side."""
    way = turned(*AHEAD, angle + slant)
    pace = speed * sqrt(leg / 0.9)
    return Clinger(
        world, (*turned(x, 0.0, angle), over), rate, leg, heading=angle + slant, aloft=True,
        velocity=(way[0] * pace, way[1] * pace, up), movement=movement,
    )  # fmt: skip


def running(world: Solid, rate: int = 60, angle: float = 0.0, **more: Any) -> Clinger:
    """A body that has just begun to run on the wall."""
    body = flying(world, rate, angle=angle, **more).tick(turned(*AHEAD, angle))
    assert body.state == "WALL_RUNNING"
    return body


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("side", "name", "angle"), [(-1.0, "RIGHT", 0.0), (1.0, "LEFT", 0.0), (-1.0, "RIGHT", -2.3)])
def test_jumping_along_a_wall_runs_on_it(rate: int, side: float, name: str, angle: float):
    way = turned(*AHEAD, angle)
    body = Clinger(yard(beside(side), angle=angle), (0.0, 0.0, 0.0), rate, heading=angle)
    body.go(0.8, way, SPEED).tick(way, SPEED, jump=True).go(0.5, way, SPEED)
    assert body.state == "WALL_RUNNING"
    assert (body.move.name, body.move.variant) == ("WALL_RUN", name)
    local = turned(*body.feet[:2], -angle)
    assert local[0] == pytest.approx(side * (SIDE - OUT), abs=0.01)
    assert turn_between(angle, body.heading) == pytest.approx(0.0, abs=1e-4)
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
def test_it_runs_at_the_speed_it_came_with_in_an_arc_of_its_own_gravity(rate: int):
    body = flying(yard(beside()), rate, up=3.0)
    # Under 9.81 m/s2 a jump as high as its own takes off so fast.
    jumps = MOVEMENT.take_off**2 / (2.0 * MOVEMENT.gravity)
    lift = RUN.lift * sqrt(2.0 * 9.81 * jumps)
    assert (RUN.gravity, RUN.lift, RUN.longest) == (7.0, 0.7, 1.1)
    ticks = 0
    while not ticks or body.state == "WALL_RUNNING":
        body.tick(AHEAD)
        ticks += 1
        time = ticks / rate
        if body.state == "WALL_RUNNING":
            assert body.feet[1] == pytest.approx(-SPEED * time, abs=1e-3)
            assert body.feet[2] == pytest.approx(0.6 + lift * time - 0.5 * RUN.gravity * time**2, abs=1e-6)
    assert RUN.longest - 1e-9 <= ticks / rate <= RUN.longest + 1.0 / rate + 1e-9
    assert body.feet[1] == pytest.approx(-SPEED * ticks / rate, abs=1e-3)


@pytest.mark.parametrize("rate", RATES)
def test_a_run_goes_up_about_a_metre_and_comes_down_along_a_wall_of_four_metres(rate: int):
    body = Clinger(yard(beside(top=4.0, length=30.0)), (0.0, 0.0, 0.0), rate)
    body.go(0.8, AHEAD, 6.0).tick(AHEAD, 6.0, jump=True).go(0.5, AHEAD, 6.0, until=lambda b: b.state == "WALL_RUNNING")
    before, begun = body.places[-2][2], body.ticks - 1
    body.go(2.0, AHEAD, 6.0, until=lambda b: b.state != "WALL_RUNNING")
    assert (body.ticks - begun) / rate == pytest.approx(RUN.longest, abs=1.0 / rate + 1e-9)
    heights = [z - before for _, _, z in body.places[begun:]]
    assert 0.8 < max(heights) < 1.3
    assert heights[-1] < 0.5 * max(heights)


@pytest.mark.parametrize(("jump", "ends"), [(8.0, False), (12.0, True)])
def test_a_head_over_the_top_of_the_wall_ends_no_run_and_hips_over_it_do(jump: float, ends: bool):
    top = 0.6 + RUN.head + 0.7
    body = running(yard(beside(top=top)), up=3.0, movement=MovementConfig(jump_speed=jump))
    body.go(0.9, AHEAD)
    assert max(z for _, _, z in body.places) + RUN.head > top
    assert (body.state != "WALL_RUNNING") is ends


def test_a_wall_that_it_has_left_lifts_it_no_second_time_until_it_has_stood():
    body = running(yard(beside()), 60, up=3.0, over=2.0).go(0.3, AHEAD)
    body.tick(AHEAD, crouch=True).until("WALL_RUNNING", AHEAD)
    rises = body.memory.way[1][0]
    assert rises < 0.0
    body.until("GROUNDED", AHEAD)
    body.go(0.5, AHEAD).tick(AHEAD, jump=True).until("WALL_RUNNING", AHEAD)
    assert body.memory.way[1][0] > 3.0


def test_who_walked_off_an_edge_has_no_take_off_to_rise_with():
    body = flying(yard(beside()), up=-1.0, over=3.0)
    body.capsule.risen = False
    body.tick(AHEAD)
    assert body.state == "WALL_RUNNING"
    assert body.feet[2] == pytest.approx(3.0 - 1.0 / 60.0 - 0.5 * RUN.gravity / 3600.0, abs=1e-6)


@pytest.mark.parametrize(("speed", "runs"), [(3.95, False), (4.05, True)])
def test_a_slow_jump_next_to_a_wall_is_no_wall_run(speed: float, runs: bool):
    assert RUN.slowest == 4.0
    assert (flying(yard(beside()), speed=speed).tick(AHEAD, speed).state == "WALL_RUNNING") is runs


@pytest.mark.parametrize(("slant", "runs"), [(-58.0, True), (-62.0, False), (0.0, True), (15.0, False)])
def test_it_runs_along_a_wall_not_into_it_nor_off_it(slant: float, runs: bool):
    # The wall is to the right; a turn to the right leads into it.
    assert RUN.parallel == radians(60.0)
    body = flying(yard(beside()), slant=radians(slant))
    assert (body.tick(turned(*AHEAD, radians(slant))).state == "WALL_RUNNING") is runs


@pytest.mark.parametrize(("gap", "runs"), [(0.43, True), (0.47, False)])
def test_the_wall_is_within_reach_of_its_side(gap: float, runs: bool):
    assert RUN.reach == 0.45
    body = flying(yard(beside()), x=MOVEMENT.radius + gap - SIDE)
    assert (body.tick(AHEAD).state == "WALL_RUNNING") is runs


@pytest.mark.parametrize(("over", "runs"), [(0.34, False), (0.36, True)])
def test_it_is_off_the_ground(over: float, runs: bool):
    assert RUN.off_ground == 0.35
    assert (flying(yard(beside()), over=over).tick(AHEAD).state == "WALL_RUNNING") is runs


def test_a_wall_that_is_not_there_at_the_hips_and_the_head_is_no_wall():
    assert flying(yard(beside(top=0.6 + RUN.head - 0.05))).tick(AHEAD).state != "WALL_RUNNING"
    assert flying(yard(beside(top=0.6 + RUN.head + 0.05))).tick(AHEAD).state == "WALL_RUNNING"
    assert flying(yard(beside(low=0.6 + RUN.hips + 0.05))).tick(AHEAD).state != "WALL_RUNNING"


def test_it_must_still_hold_the_run():
    for wish in ((0.0, 0.0), (0.0, 1.0)):
        assert flying(yard(beside())).tick(wish).state != "WALL_RUNNING"


def test_a_fast_fall_slides_past():
    assert flying(yard(beside()), over=6.0, up=-RUN.falling - 0.1).tick(AHEAD).state != "WALL_RUNNING"
    assert flying(yard(beside()), over=6.0, up=-RUN.falling + 0.1).tick(AHEAD).state == "WALL_RUNNING"


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("angle", ANGLES[:2])
def test_a_wall_jump_kicks_off_the_wall(rate: int, angle: float):
    ahead = turned(*AHEAD, angle)
    body = running(yard(beside(), angle=angle), rate, angle, up=3.0).go(0.3, ahead)
    body.tick(go_up=True)
    assert (RUN.jump_out, RUN.jump_up, RUN.kept, RUN.no_wall) == (4.5, 0.85, 0.8, 0.35)
    out = turned(RUN.jump_out, -RUN.kept * SPEED, angle)
    up = RUN.jump_up * MOVEMENT.take_off - MOVEMENT.gravity / rate
    assert body.capsule.velocity == pytest.approx((*out, up), abs=1e-3)
    assert body.memory.no_wall == pytest.approx(RUN.no_wall)
    assert (body.move.name, body.move.variant) == ("WALL_JUMP", "RIGHT")
    body.go(RUN.turn, ahead)
    # It has faced along its flight.
    faced = max(turn_between(angle, heading) for heading in body.headings)
    assert faced == pytest.approx(atan2(RUN.jump_out, RUN.kept * SPEED), abs=0.02)


@pytest.mark.parametrize("rate", RATES)
def test_the_same_wall_does_not_take_it_again_at_once(rate: int):
    body = running(yard(beside()), rate, up=3.0).go(0.2, AHEAD)
    body.tick(AHEAD, crouch=True)
    assert body.state == "AIRBORNE"
    ticks = 1
    while body.state == "AIRBORNE" and ticks < 2 * rate:
        body.tick(AHEAD)
        ticks += 1
    assert body.state == "WALL_RUNNING"
    assert RUN.no_wall <= ticks / rate <= RUN.no_wall + 2.0 / rate + 1e-9


@pytest.mark.parametrize("rate", RATES)
def test_another_wall_takes_it_at_once_so_that_runs_chain(rate: int):
    lane = yard(beside(-1.0), Block((1.5, -40.0, 0.0), (2.5, 40.0, 12.0)))
    body = running(lane, rate, up=3.0).go(0.3, AHEAD)
    body.tick(AHEAD, go_up=True)
    begun = body.ticks
    body.go(0.34, AHEAD, until=lambda b: b.state == "WALL_RUNNING")
    assert body.state == "WALL_RUNNING"
    assert (body.ticks - begun) / rate < RUN.no_wall
    assert body.memory.side == 1.0
    body.go(0.2, AHEAD).tick(AHEAD, go_up=True).go(0.34, AHEAD, until=lambda b: b.state == "WALL_RUNNING")
    assert (body.state, body.memory.side) == ("WALL_RUNNING", -1.0)
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("crouch", [True, False])
def test_letting_go_of_the_run_or_crouching_drops_off(rate: int, crouch: bool):
    body = running(yard(beside()), rate, up=3.0).go(0.3, AHEAD)
    body.tick(AHEAD if crouch else (0.0, 0.0), crouch=crouch)
    assert body.state == "AIRBORNE"


@pytest.mark.parametrize("rate", RATES)
def test_it_flies_on_where_the_wall_ends(rate: int):
    body = running(yard(beside(length=3.0)), rate, up=3.0)
    body.go(1.0, AHEAD, until=lambda b: b.state != "WALL_RUNNING")
    assert body.state == "AIRBORNE"
    assert body.feet[1] == pytest.approx(-3.0, abs=SPEED / rate + 0.05)
    assert body.capsule.velocity[:2] == pytest.approx((0.0, -SPEED), abs=0.05)


@pytest.mark.parametrize("rate", RATES)
def test_something_in_the_way_stops_the_run(rate: int):
    body = running(yard(beside(), Block((-2.0, -5.0, 0.0), (2.0, -4.0, 12.0))), rate, up=3.0)
    body.go(1.0, AHEAD, until=lambda b: b.state != "WALL_RUNNING")
    assert body.state == "AIRBORNE"
    body.go(0.3, AHEAD)
    assert body.feet[1] >= -4.0 + MOVEMENT.radius - 1e-3
    assert body.deepest == 0.0


@pytest.mark.parametrize("rate", RATES)
def test_landing_keeps_the_run_going_on_the_ground(rate: int):
    config = MovementConfig(jump_speed=3.0)
    body = Clinger(
        yard(beside()), (0.0, 0.0, 0.4), rate, aloft=True, velocity=(0.0, -SPEED, 1.0), movement=config
    ).tick(AHEAD)
    assert body.state == "WALL_RUNNING"
    body.go(1.05, AHEAD, until=lambda b: b.state != "WALL_RUNNING")
    body.go(2.0 / rate, AHEAD)
    assert body.capsule.state == "ON_GROUND"
    assert hypot(*body.capsule.flat) == pytest.approx(SPEED, abs=0.1)
    assert body.feet[2] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("inner", "outer", "x"), [(0.0, 6.0, -SIDE - 6.0), (6.0, 7.0, -SIDE + 6.0)])
def test_it_follows_a_wall_that_bends(rate: int, inner: float, outer: float, x: float):
    radius = 6.0
    body = running(yard(Ring(x, 0.0, inner, outer, (0.0, 12.0))), rate, up=3.0)
    while body.state == "WALL_RUNNING" and body.memory.time < 0.9:
        way = (sin(body.heading), -cos(body.heading))
        body.tick(way)
    assert body.state == "WALL_RUNNING"
    gone = radius + OUT if inner == 0.0 else radius - OUT
    assert hypot(body.feet[0] - x, body.feet[1]) == pytest.approx(gone, abs=0.02)
    assert abs(body.heading) == pytest.approx(SPEED * body.memory.time / gone, rel=0.03)
    assert body.deepest == 0.0


def test_a_wall_of_flat_faces_turns_it_evenly():
    body = running(yard(_polygon()), 120, up=3.0)
    begun = len(body.headings)
    while body.state == "WALL_RUNNING" and body.memory.time < 1.0:
        body.tick((sin(body.heading), -cos(body.heading)))
    assert body.state == "WALL_RUNNING"
    assert abs(body.heading) > 0.5
    assert body.largest_turn(begun) * 120.0 < 3.0
    assert body.deepest == 0.0


def _polygon() -> Solid:
    plates = ledges.faceted(6.0, 32, 12.0).solids
    return Union(*(ledges.Turned(p.solid, p.placement(0.0)[3], (-SIDE - 6.0, 0.0, 0.0)) for p in plates))


@pytest.mark.parametrize("leg", [0.45, 1.8])
def test_half_and_double_sizes_run_alike(leg: float):
    s = leg / 0.9
    world = yard(Block(((-SIDE - 1.0) * s, -80.0, 0.0), (-SIDE * s, 40.0, 12.0 * s)))
    body = running(world, leg=leg, over=0.6 * s, up=3.0)
    body.go(0.5, AHEAD)
    assert body.feet[0] == pytest.approx((OUT - SIDE) * s, abs=0.01 * s)
    assert -body.feet[1] == pytest.approx(SPEED * sqrt(s) * 31.0 / 60.0, rel=1e-3)
    assert body.deepest == 0.0
    slow = flying(world, leg=leg, over=0.6 * s, speed=3.9).tick(AHEAD, 3.9)
    assert slow.state != "WALL_RUNNING"


@pytest.mark.parametrize("rate", [60, 120])
def test_feet_step_on_the_wall_and_hold_while_they_stand(rate: int):
    body = running(yard(beside()), rate, up=3.0)
    seen: dict[str, list[tuple[int, tuple[float, float, float]]]] = {"foot.L": [], "foot.R": []}
    while body.state == "WALL_RUNNING":
        contacts = body.move.contacts
        assert len(contacts) <= 1
        for foot in contacts:
            assert foot.place[0] == pytest.approx(-SIDE, abs=1e-5)
            assert foot.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)
            seen[foot.limb].append((body.ticks, foot.place))
        body.tick(AHEAD)
    for stood in seen.values():
        assert len(stood) > 5
        still = [dist(a[1], b[1]) for a, b in zip(stood, stood[1:], strict=False) if b[0] - a[0] == 1]
        assert max(still) < 0.01


def test_it_comes_to_the_wall_evenly():
    body = running(yard(beside()), 120, up=3.0)
    body.go(0.5, AHEAD)
    ways = [b[0] - a[0] for a, b in zip(body.places, body.places[1:], strict=False)]
    assert max(map(abs, ways)) * 120.0 < 5.0
    assert max(ways) < 1e-6
