"""The walking capsule against what mechanics and its settings say, in closed form."""

from __future__ import annotations

from math import cos, hypot, pi, radians, sin, sqrt

import pytest
from support.body import RATES, Body
from surefoot.core.control.capsule_memory import Wish
from surefoot.core.control.movement import MovementConfig
from surefoot.core.world.compound import Empty, Moving, Union
from surefoot.core.world.extruded import Flat, Gap, Ramp, Stairs
from surefoot.core.world.rooms import Block, Box
from surefoot.core.world.terrain import Hills

WALK = 1.4
AHEAD = (0.0, -WALK)
RADIUS, PADDING, GRAVITY = 0.35, 0.02, 18.0
SLOPES = range(5, 80, 5)
LIMIT = 45


def rest_height(angle: float) -> float:
    """How high the lowest point of a sphere is over the ground of a ramp straight below its middle."""
    return RADIUS * (1.0 / cos(angle) - 1.0)


@pytest.mark.parametrize("rate", RATES)
def test_a_free_fall_goes_half_g_t_squared_at_any_rate(rate: int):
    body = Body(Empty(), rate=rate, aloft=True).go(2.0)
    assert body.z == pytest.approx(-0.5 * GRAVITY * 2.0**2, abs=1e-9)
    assert body.memory.velocity[2] == pytest.approx(-GRAVITY * 2.0, abs=1e-9)
    assert set(body.states) == {"IN_AIR"}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("gravity", "speed"), [(18.0, 8.0), (24.0, 5.5)])
def test_a_jump_is_on_its_parabola_at_every_tick_and_lands_where_it_left(rate: int, gravity: float, speed: float):
    body = Body(Flat(), rate=rate, config=MovementConfig(gravity=gravity, jump_speed=speed)).jump()
    while body.memory.state != "ON_GROUND":
        time = body.time
        assert body.z == pytest.approx(speed * time - 0.5 * gravity * time**2, abs=1e-6)
        body.tick()
    assert body.time == pytest.approx(2.0 * speed / gravity, abs=1.0 / rate)
    assert body.feet == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_a_jump_by_height_reaches_it_under_the_gravity_of_the_earth():
    body = Body(Flat(), rate=600, config=MovementConfig(gravity=9.81, jump_height=0.45)).jump()
    top = 0.0
    while body.memory.state != "ON_GROUND":
        top = max(top, body.z)
        body.tick()
    assert top == pytest.approx(0.45, abs=1e-4)


@pytest.mark.parametrize("slope", [slope for slope in SLOPES if slope <= LIMIT])
def test_it_stands_still_on_every_slope_up_to_the_limit(slope: int):
    body = Body(Ramp(radians(slope)), (0.0, 0.0, rest_height(radians(slope))))
    start = body.feet
    body.go(10.0)
    assert body.feet == start
    assert set(body.states) == {"ON_GROUND"}


@pytest.mark.parametrize("slope", [slope for slope in SLOPES if slope > LIMIT])
@pytest.mark.parametrize("rate", RATES)
def test_a_slope_steeper_than_the_limit_slides_as_gravity_predicts(slope: int, rate: int):
    angle = radians(slope)
    body = Body(Ramp(angle), (0.0, 0.0, rest_height(angle)), rate).go(1.0)
    way = 0.5 * GRAVITY * sin(angle)
    assert body.feet == pytest.approx((0.0, way * cos(angle), rest_height(angle) - way * sin(angle)), abs=2e-3)
    assert set(body.states[1:]) == {"ON_STEEP_GROUND"}


@pytest.mark.parametrize("slope", [slope for slope in SLOPES if slope <= LIMIT])
@pytest.mark.parametrize("rate", RATES)
def test_its_speed_counts_along_the_slope_up_and_down(slope: int, rate: int):
    angle = radians(slope)
    for side in (1.0, -1.0):
        body = Body(Ramp(angle), (0.0, 0.0, rest_height(angle)), rate).go(1.0, (0.0, -WALK * side))
        way = (-WALK * cos(angle) * side, rest_height(angle) + WALK * sin(angle) * side)
        assert (body.y, body.z) == pytest.approx(way, abs=1e-4)
        assert set(body.states) == {"ON_GROUND"}


@pytest.mark.parametrize("slope", [slope for slope in SLOPES if slope > LIMIT])
def test_nobody_walks_up_what_is_too_steep(slope: int):
    ground = Union(Flat(), Ramp(radians(slope), start=1.0, length=3.0))
    body = Body(ground).go(4.0, (0.0, -3.0))
    assert body.z == pytest.approx(0.0, abs=0.02)
    assert body.y > -1.0


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("riser", [0.1, 0.17, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55])
def test_stairs_up_to_the_limit_are_climbed_at_walking_speed_at_any_rate(riser: float, rate: int):
    tread, count = (0.3 if riser <= 0.25 else 0.6), 5
    stairs = Stairs(riser, tread, count=count, start=1.0)
    body = Body(stairs, rate=rate).go(8.0, AHEAD, until=lambda body: body.z > riser * count - 1e-3)
    # Its middle is over the last riser then; up to a step's rim it is as quick as on the flat.
    assert body.time == pytest.approx((1.0 + tread * (count - 1)) / WALK, rel=0.05, abs=1.0 / rate)
    assert set(body.states) == {"ON_GROUND"}
    assert body.fastest <= WALK + 1e-6


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("riser", [0.56, 0.6, 0.65, 0.7])
def test_no_step_over_the_limit_is_climbed_at_any_rate(riser: float, rate: int):
    body = Body(Stairs(riser, 0.6, count=5, start=1.0), rate=rate).go(4.0, AHEAD)
    assert body.feet == pytest.approx((0.0, -1.0 + RADIUS + PADDING, 0.0), abs=1e-3)


@pytest.mark.parametrize("riser", [0.1, 0.25, 0.4, 0.55])
def test_the_time_to_the_top_of_stairs_is_the_same_at_every_rate(riser: float):
    times = []
    for rate in RATES:
        body = Body(Stairs(riser, 0.3 if riser <= 0.25 else 0.6, count=5, start=1.0), rate=rate)
        times.append(body.go(8.0, AHEAD, until=lambda body: body.z > 5 * riser - 1e-3).time)
    assert max(times) < 1.05 * min(times)


@pytest.mark.parametrize("rate", [24, 120])
def test_every_step_up_to_the_limit_is_taken_and_none_above(rate: int):
    # A hundredth of a metre at a time: nowhere in between is there one that stops it.
    for centimetres in range(2, 72, 2 if rate == 24 else 5):
        riser = 0.01 * centimetres
        body = Body(Stairs(riser, 5.0, count=1, start=0.6), rate=rate).go(1.2, AHEAD)
        assert body.z == pytest.approx(riser if centimetres <= 55 else 0.0, abs=1e-4), riser


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("drop", [0.1, 0.17, 0.3, 0.5])
def test_stairs_down_are_walked_without_a_tick_in_the_air(drop: float, rate: int):
    body = Body(Stairs(-drop, 0.5, count=4, start=1.0), rate=rate).go(4.0, AHEAD)
    assert body.feet == pytest.approx((0.0, -4.0 * WALK, -4.0 * drop), abs=1e-4)
    assert set(body.states) == {"ON_GROUND"}


@pytest.mark.parametrize("rate", RATES)
def test_over_a_drop_higher_than_it_sticks_it_falls(rate: int):
    body = Body(Stairs(-0.7, 3.0, count=1, start=1.0), rate=rate).go(3.0, AHEAD)
    # Its lowest sphere has rolled off the edge when it leaves it, no lower than by its radius.
    longest = sqrt(2.0 * 0.7 / GRAVITY)
    assert 0.5 * longest <= body.states.count("IN_AIR") / rate <= longest
    assert body.z == pytest.approx(-0.7, abs=1e-4)


@pytest.mark.parametrize("rate", [24, 60, 144])
@pytest.mark.parametrize("angle", [0, 10, 30, 60, 80, 89])
def test_along_a_wall_it_keeps_its_speed_along_it_and_gains_none(angle: int, rate: int):
    room = Box((-20.0, -5.0, 0.0), (20.0, 5.0, 4.0))
    along, into = WALK * sin(radians(angle)), WALK * cos(radians(angle))
    body = Body(room, (0.0, -4.0, 0.0), rate).go(2.0, (along, -into))
    assert body.x == pytest.approx(2.0 * along, abs=1e-4)
    assert body.y == pytest.approx(max(-4.0 - 2.0 * into, -5.0 + RADIUS + PADDING), abs=1e-4)
    assert body.fastest <= WALK + 1e-6


@pytest.mark.parametrize("rate", RATES)
def test_in_a_corner_it_comes_to_rest_at_once_and_for_ever(rate: int):
    body = Body(Box((-5.0, -5.0, 0.0), (5.0, 5.0, 4.0)), (4.0, -4.0, 0.0), rate).go(2.0, (1.4, -1.0))
    at = body.feet
    assert at == pytest.approx((5.0 - RADIUS - PADDING, -5.0 + RADIUS + PADDING, 0.0), abs=1e-4)
    body.go(2.0, (1.4, -1.0))
    assert body.feet == pytest.approx(at, abs=1e-9)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("half", [25, 45, 60])
def test_in_corners_of_any_angle_it_rests_as_near_to_both_walls_as_it_keeps_from_them(half: int, rate: int):
    a = radians(half)
    right = Moving(Block((0.0, -0.5, -1.0), (20.0, 0.0, 3.0)), lambda _: (0.0, 0.0, 0.0, 0.5 * pi - a))
    left = Moving(Block((0.0, 0.0, -1.0), (20.0, 0.5, 3.0)), lambda _: (0.0, 0.0, 0.0, 0.5 * pi + a))
    body = Body(Union(Flat(), right, left), (0.0, 2.5, 0.0), rate).go(3.0, (0.2, -WALK))
    assert body.feet == pytest.approx((0.0, (RADIUS + PADDING) / sin(a), 0.0), abs=1e-3)
    assert body.fastest <= hypot(0.2, WALK) + 1e-6
    at = body.feet
    assert body.go(2.0, (-0.2, -WALK)).feet == pytest.approx(at, abs=1e-3)


def test_around_the_corner_of_a_block_it_slides_on():
    body = Body(Union(Flat(), Block((-1.0, -3.0, -1.0), (1.0, -2.0, 3.0)))).go(5.0, (0.4, -WALK))
    assert body.y < -3.5
    assert body.fastest <= hypot(0.4, WALK) + 1e-6


def test_in_a_wedge_of_two_steep_slabs_it_lies_still_on_both():
    wedge = Union(Ramp(radians(60.0)), Ramp(radians(60.0), heading=pi))
    body = Body(wedge, (0.0, 0.3, 3.0), aloft=True).go(3.0)
    assert body.feet == pytest.approx((0.0, 0.0, rest_height(radians(60.0))), abs=1e-4)
    body.go(1.0)
    assert body.memory.velocity == (0.0, 0.0, 0.0)
    assert body.memory.state == "ON_GROUND"


def test_a_ceiling_ends_the_rise_and_does_not_hold():
    body = Body(Union(Flat(), Block((-5.0, -5.0, 2.2), (5.0, 5.0, 4.0)))).jump()
    top = 0.0
    while body.memory.state != "ON_GROUND":
        top = max(top, body.z)
        body.tick()
    assert top == pytest.approx(2.2 - 1.8, abs=1e-3)
    # Up at 8 m/s as far as the ceiling, then down from rest.
    up = (8.0 - sqrt(8.0**2 - 2.0 * GRAVITY * 0.4)) / GRAVITY
    assert body.time == pytest.approx(up + sqrt(2.0 * 0.4 / GRAVITY), abs=2.0 / 60.0)


def test_nobody_jumps_twice_nor_while_crouched_nor_on_what_is_too_steep():
    body = Body(Flat()).jump()
    rises = body.memory.velocity[2]
    body.jump()
    assert body.memory.velocity[2] < rises
    crouched = Body(Flat()).go(0.2, crouch=True)
    crouched.tick(Wish(jump=True, crouch=True))
    crouched.go(0.1, crouch=True)
    assert crouched.z == 0.0
    steep = Body(Ramp(radians(60.0)), (0.0, 0.0, rest_height(radians(60.0)))).go(0.5)
    falls = steep.memory.velocity[2]
    steep.jump()
    assert steep.memory.velocity[2] < falls


@pytest.mark.parametrize(("late", "jumps"), [(0.1, True), (0.2, False)])
def test_just_after_an_edge_it_may_still_jump(late: float, jumps: bool):
    body = Body(Gap(10.0, start=1.0), rate=120).go(4.0, (0.0, -3.0), until=lambda body: body.memory.state == "IN_AIR")
    body.go(late, (0.0, -3.0)).jump((0.0, -3.0))
    assert (body.memory.velocity[2] > 0.0) == jumps


@pytest.mark.parametrize(("early", "jumps"), [(0.1, True), (0.25, False)])
def test_just_before_it_lands_a_jump_may_be_asked_for(early: float, jumps: bool):
    body = Body(Flat(), (0.0, 0.0, 2.0), 120, aloft=True)
    body.go(sqrt(2.0 * 2.0 / GRAVITY) - early).jump().go(early + 0.05)
    assert (body.memory.velocity[2] > 0.0) == jumps


def test_a_wish_in_the_air_corrects_the_flight_and_no_more():
    body = Body(Empty(), aloft=True).go(0.2, (10.0, 0.0))
    assert body.memory.velocity[0] == pytest.approx(5.0 * 0.2)
    body.go(1.0, (10.0, 0.0))
    assert body.memory.velocity[0] == pytest.approx(1.6)
    runner = Body(Flat()).go(0.5, (4.0, 0.0)).jump((4.0, 0.0)).go(0.3, (10.0, 0.0))
    assert runner.memory.velocity[0] == pytest.approx(4.0)


@pytest.mark.parametrize("rate", RATES)
def test_a_lift_carries_it_up_and_down_without_a_tick_in_the_air(rate: int):
    lift = Moving(Block((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0)), lambda t: (0.0, 0.0, 1.5 * sin(2.0 * t), 0.0))
    body = Body(lift, rate=rate)
    for _ in range(6 * rate):
        body.go(1.0 / rate, (0.2 if body.time < 1.0 else 0.0, 0.0))
        assert body.z == pytest.approx(1.5 * sin(2.0 * body.time), abs=1e-5)
    assert set(body.states) == {"ON_GROUND"}


@pytest.mark.parametrize("rate", RATES)
def test_on_a_turntable_it_goes_round_with_it(rate: int):
    table = Moving(Block((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0)), lambda t: (0.0, 0.0, 0.0, 2.0 * pi * t))
    body, turned = Body(table, (9.0, 0.0, 0.0), rate), 0.0
    for _ in range(10 * rate):
        body.tick()
        turned += body.memory.turn
        place = (9.0 * cos(2.0 * pi * body.time), 9.0 * sin(2.0 * pi * body.time), 0.0)
        assert body.feet == pytest.approx(place, abs=1e-3)
    assert turned == pytest.approx(20.0 * pi)


def test_it_leaves_a_platform_with_its_velocity():
    ground = Union(Flat(-50.0), Moving(Block((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0)), lambda t: (3.0 * t, 0.0, 0.0, 0.0)))
    body = Body(ground).go(0.5).jump()
    assert body.memory.velocity[0] == pytest.approx(3.0, abs=1e-4)
    body.go(0.3)
    assert body.x == pytest.approx(3.0 * body.time, abs=1e-3)


def test_from_one_platform_it_is_handed_to_the_next():
    first = Moving(Block((-2.0, -1.0, -1.0), (2.0, 1.0, 0.0)), lambda _: (0.0, 0.0, 0.0, 0.0))
    second = Moving(Block((-2.0, -9.0, -1.0), (2.0, -1.0, 0.0)), lambda t: (0.5 * t, 0.0, 0.0, 0.0))
    body = Body(Union(first, second)).go(1.5, AHEAD)
    assert body.y < -1.5
    x, time = body.x, body.time
    body.go(1.0)
    assert body.x - x == pytest.approx(0.5 * (body.time - time), abs=1e-3)
    assert set(body.states) == {"ON_GROUND"}


@pytest.mark.parametrize("x", [0.2, 0.5, 0.8, 1.1, 1.3])
def test_put_into_a_wall_it_comes_out_of_it_and_stays_out(x: float):
    body = Body(Union(Flat(), Block((-1.0, -4.0, -1.0), (1.0, 4.0, 3.0))), (x, 0.0, 0.0)).go(1.0)
    assert body.feet == pytest.approx((1.0 + RADIUS + PADDING, 0.0, 0.0), abs=2e-3)


def test_it_comes_out_of_a_wall_by_half_of_what_is_left_in_a_sixtieth_of_a_second():
    depths = []
    body = Body(Union(Flat(), Block((-1.0, -4.0, -1.0), (1.0, 4.0, 3.0))), (1.1, 0.0, 0.0))
    for _ in range(4):
        depths.append(1.0 + RADIUS - body.x)
        body.tick()
    assert [b / a for a, b in zip(depths, depths[1:], strict=False)] == pytest.approx([0.5, 0.5, 0.5], abs=0.02)


def test_a_wall_that_comes_takes_it_along_at_its_own_speed_behind_by_what_it_recovers_late():
    speed = 0.5
    wall = Moving(Block((-1.0, -4.0, -1.0), (1.0, 4.0, 3.0)), lambda t: (speed * t, 0.0, 0.0, 0.0))
    body = Body(Union(Flat(), wall), (1.5, 0.0, 0.0)).go(3.0)
    # Half of what it lacks of its distance is made up a tick: as much is left as the wall comes nearer in one.
    lacks = 1.0 + speed * body.time + RADIUS + PADDING - body.x
    assert lacks == pytest.approx(speed / 60.0, abs=1e-4)
    assert set(body.states) == {"ON_GROUND"}


def test_in_a_tunnel_it_stays_crouched_until_there_is_room():
    body = Body(Union(Flat(), Block((-3.0, -6.0, 1.1), (3.0, -2.0, 3.0))))
    body.go(2.5, AHEAD, crouch=True)
    assert -6.0 < body.y < -2.0
    while body.y > -6.0 + RADIUS:
        assert body.memory.height == 1.0
        body.go(1.0 / 60.0, AHEAD)
    body.go(0.6, AHEAD)
    assert body.memory.height == 1.8


def test_its_visible_height_follows_without_a_pop():
    body, shown = Body(Flat()), []
    for _ in range(30):
        body.go(1.0 / 60.0, crouch=True)
        shown.append(body.memory.shown)
    assert shown[5] == pytest.approx(1.0 + 0.8 * 2.718281828 ** (-10.0 * 6.0 / 60.0), abs=1e-6)
    assert max(a - b for a, b in zip([1.8, *shown], shown, strict=False)) < 0.13


def test_with_no_wish_it_does_not_creep_off_an_edge():
    body = Body(Gap(5.0, start=1.0)).go(2.0, AHEAD, until=lambda body: body.y < -1.1)
    at = body.feet
    body.go(20.0)
    assert body.feet == at
    assert body.memory.state == "ON_GROUND"


def test_over_hills_it_never_leaves_the_ground():
    body = Body(Hills(0.3, 4.0)).go(10.0, (0.7, -1.2))
    assert set(body.states) == {"ON_GROUND"}
    assert abs(body.z - body.world.height(body.x, body.y)) < 0.06


@pytest.mark.parametrize("thickness", [0.001, 0.05])
def test_a_thin_wall_stops_a_sprint_at_any_rate(thickness: float):
    for rate in RATES:
        wall = Block((-5.0, -3.0 - thickness, -1.0), (5.0, -3.0, 3.0))
        body = Body(Union(Flat(), wall), rate=rate).go(2.0, (0.3, -9.0))
        assert body.y == pytest.approx(-3.0 + RADIUS + PADDING, abs=1e-3)
        assert body.fastest <= hypot(0.3, 9.0) + 1e-6


def test_faster_than_its_own_width_in_a_tick_it_is_stopped_by_a_thin_wall():
    body = Body(Union(Flat(), Block((-5.0, -3.01, -1.0), (5.0, -3.0, 3.0))), rate=24)
    # 1.67 m in a tick; it is 0.7 m wide.
    assert body.go(1.0, (0.0, -40.0)).y == pytest.approx(-3.0 + RADIUS + PADDING, abs=1e-3)


def test_two_runs_are_equal_to_the_bit():
    ground = Union(Hills(0.3, 4.0), Block((-1.0, -6.0, -2.0), (1.0, -3.0, 3.0)))
    runs = []
    for _ in range(2):
        body = Body(ground).go(3.0, (0.3, -1.4)).jump((0.3, -1.4)).go(3.0, (-0.2, -1.4))
        runs.append((body.feet, body.memory.velocity, tuple(body.states)))
    assert runs[0] == runs[1]


def test_a_closed_block_with_room_to_walk_about_is_a_room():
    room = Union(Flat(), Block((-5.0, -5.0, -1.0), (5.0, 5.0, 3.0)))
    body = Body(room, (0.0, 0.0, 0.0)).go(5.0, (0.0, -2.0))
    assert body.feet == pytest.approx((0.0, -(5.0 - RADIUS - PADDING), 0.0), abs=2e-3)
    assert set(body.states) == {"ON_GROUND"}
