"""The point body: its speed counts along the ground, its limits hold, and moving ground carries it."""

from math import cos, hypot, pi, radians, sin, sqrt, tan

import pytest
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Intent, Place, Travel
from surefoot.core.control.point import move, stand
from surefoot.core.world.solids import Empty, Extruded, Flat, Hills, Moving, Ramp, Solid, Stairs

CONFIG = ControlConfig()
DT = 1.0 / 60.0


def ahead(travel: Travel, speed: float) -> Intent:
    heading = travel.place.heading
    return Intent((sin(heading) * speed, -cos(heading) * speed), heading)


def walk(world: Solid, travel: Travel, speed: float, seconds: float, config: ControlConfig = CONFIG) -> list[Travel]:
    """The body after each tick of walking straight on."""
    ticks = []
    for _ in range(round(seconds / DT)):
        travel = move(travel, ahead(travel, speed), config, world, DT)
        ticks.append(travel)
    return ticks


def length_over(world: Solid, ticks: list[Travel]) -> float:
    """The way over the ground itself, measured in steps of a centimetre or less of plan."""
    points = [(t.place.x, t.place.y, world.height(t.place.x, t.place.y)) for t in ticks]
    return sum(hypot(x1 - x0, y1 - y0, z1 - z0) for (x0, y0, z0), (x1, y1, z1) in zip(points, points[1:], strict=False))


def test_a_body_on_flat_ground_goes_speed_times_time():
    ticks = walk(Flat(), Travel(Place(0.0, 0.0, 0.0, radians(90.0)), velocity=(1.4, 0.0, 0.0)), 1.4, 600.0)
    # Ten minutes: what adds up is kept in double precision.
    assert ticks[-1].place.x == pytest.approx(840.0, abs=1e-6)
    assert ticks[-1].place.y == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("angle", [-20.0, -10.0, 10.0, 20.0])
def test_on_a_ramp_the_speed_counts_along_the_slope(angle):
    world = Ramp(radians(angle))
    ticks = walk(world, stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, world), 1.4, 3.0)[60:]
    seconds = (len(ticks) - 1) * DT
    assert ticks[-1].place.y - ticks[0].place.y == pytest.approx(-1.4 * cos(radians(angle)) * seconds, rel=1e-4)
    assert ticks[-1].slope == pytest.approx(tan(radians(angle)), abs=1e-4)
    assert hypot(*ticks[-1].velocity) == pytest.approx(1.4)


def test_across_a_ramp_the_plan_speed_is_the_speed():
    world = Ramp(radians(20.0), heading=radians(90.0))
    travel = stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, world)
    ticks = walk(world, travel, 1.4, 2.0)
    assert ticks[-1].place.y - ticks[59].place.y == pytest.approx(-1.4, rel=1e-4)
    assert ticks[-1].cross_slope == pytest.approx(tan(radians(20.0)), abs=1e-4)


@pytest.mark.parametrize("heading", [0.0, 0.5, 2.2])
@pytest.mark.parametrize("speed", [0.8, 1.4])
def test_over_hills_the_speed_along_the_ground_is_within_1_percent(heading, speed):
    world = Hills(amplitude=0.3, wavelength=4.0)
    ticks = walk(world, stand(Place(0.3, 0.2, 0.0, heading), CONFIG, world), speed, 14.0)[60:]
    seconds = (len(ticks) - 1) * DT
    assert length_over(world, ticks) / (speed * seconds) == pytest.approx(1.0, abs=0.01)
    assert max(abs(t.place.z - world.height(t.place.x, t.place.y)) for t in ticks) < 0.03


@pytest.mark.parametrize("rise", [0.17, -0.17])
@pytest.mark.parametrize("speed", [0.5, 1.4])
def test_on_stairs_the_speed_along_their_slope_is_within_1_percent(rise, speed):
    world = Stairs(rise=rise, tread=0.30, count=80, start=1.0)
    ticks = walk(world, stand(Place(0.0, -3.0, -1.4 if rise < 0 else 1.4, 0.0), CONFIG, world), speed, 9.0)
    # From tread to tread: whole treads in plan, each with its rise.
    plan = ticks[120].place.y - ticks[-1].place.y
    seconds = (len(ticks) - 121) * DT
    assert plan * sqrt(1.0 + (0.17 / 0.30) ** 2) / seconds == pytest.approx(speed, rel=0.01)


def test_on_stairs_the_body_does_not_feel_the_single_treads():
    world = Stairs(rise=0.17, tread=0.30, count=80, start=1.0)
    ticks = walk(world, stand(Place(0.0, -3.0, 1.4, 0.0), CONFIG, world), 1.0, 6.0)[60:]
    heights = [t.place.z for t in ticks]
    steps = [(b - a) / DT for a, b in zip(heights, heights[1:], strict=False)]
    # 1 m/s along a slope of 0.17 in 0.30 rises 0.493 m/s on average; a felt tread would be a jump of 10 m/s.
    assert sum(steps) / len(steps) == pytest.approx(0.17 / hypot(0.17, 0.30), rel=0.01)
    assert max(steps) < 0.75
    assert min(steps) > 0.25


def test_acceleration_and_deceleration_are_limited():
    world = Flat()
    ticks = walk(world, stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, world), 1.4, 1.0)
    speeds = [hypot(*t.velocity) for t in ticks]
    assert speeds[:5] == pytest.approx([CONFIG.acceleration * DT * k for k in range(1, 6)])
    assert speeds[-1] == pytest.approx(1.4)
    slower = walk(world, ticks[-1], 0.0, 1.0)
    assert hypot(*slower[0].velocity) == pytest.approx(1.4 - CONFIG.deceleration * DT)
    assert slower[-1].velocity == (0.0, 0.0, 0.0)


def test_a_turn_keeps_its_limits_and_ends_on_the_facing():
    world, travel = Flat(), stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, Flat())
    rates = [0.0]
    for _ in range(180):
        travel = move(travel, Intent((0.0, 0.0), radians(170.0)), CONFIG, world, DT)
        rates.append(travel.turn_rate)
        assert travel.place.heading <= radians(170.0) + 1e-9
    assert travel.place.heading == pytest.approx(radians(170.0), abs=1e-12)
    assert max(rates) == pytest.approx(CONFIG.turn_rate)
    changes = [abs(b - a) for a, b in zip(rates, rates[1:], strict=False)]
    assert max(changes) <= 2.0 * CONFIG.turn_acceleration * DT + 1e-9


def test_a_turn_takes_the_short_way_past_a_half_turn():
    travel = stand(Place(0.0, 0.0, 0.0, radians(170.0)), CONFIG, Flat())
    travel = move(travel, Intent((0.0, 0.0), radians(-170.0)), CONFIG, Flat(), DT)
    assert travel.turn_rate > 0.0


def test_a_rising_lift_takes_the_body_along():
    lift = Moving(Flat(), lambda t: (0.0, 0.0, t, 0.0))
    travel = stand(Place(1.0, 2.0, 0.0, 0.0), CONFIG, lift)
    for k in range(1, 601):
        lift.set_time(k * DT)
        travel = move(travel, ahead(travel, 0.0), CONFIG, lift, DT)
        assert travel.place.z == pytest.approx(k * DT, abs=1e-5)
    assert travel.place[:2] == (1.0, 2.0)


def test_a_turntable_turns_the_body_place_and_heading():
    table = Moving(Flat(), lambda t: (0.0, 0.0, 0.0, radians(30.0) * t))
    travel = stand(Place(1.5, 0.0, 0.0, 0.3), CONFIG, table)
    for k in range(1, 601):
        table.set_time(k * DT)
        travel = move(travel, ahead(travel, 0.0), CONFIG, table, DT)
    turned = radians(300.0)
    assert travel.place[:2] == pytest.approx((1.5 * cos(turned), 1.5 * sin(turned)), abs=1e-5)
    assert cos(travel.place.heading) == pytest.approx(cos(0.3 + turned), abs=1e-9)
    assert travel.velocity == (0.0, 0.0, 0.0)


def test_on_a_moving_belt_the_speed_is_relative_to_the_belt():
    belt = Moving(Flat(), lambda t: (0.7 * t, 0.0, 0.0, 0.0))
    travel = Travel(Place(0.0, 0.0, 0.0, 0.0), velocity=(0.0, -1.4, 0.0))
    for k in range(1, 61):
        belt.set_time(k * DT)
        travel = move(travel, ahead(travel, 1.4), CONFIG, belt, DT)
    # The first tick only finds the belt.
    assert travel.place[:3] == pytest.approx((0.7 * 59 * DT, -1.4, 0.0), abs=1e-4)
    assert travel.velocity == pytest.approx((0.0, -1.4, 0.0))


def test_without_ground_the_height_is_kept_and_said():
    world = Extruded([(-99.0, 0.2, 1.0, 0.2)])
    ticks = walk(world, stand(Place(0.0, 0.0, 0.2, 0.0), CONFIG, world), 1.4, 4.0)
    assert ticks[0].ground
    assert not ticks[-1].ground
    assert ticks[-1].place.z == pytest.approx(0.2, abs=1e-6)
    assert ticks[-1].place.y < -4.0


def test_a_body_over_nothing_at_all_stands_where_it_was_put():
    assert stand(Place(1.0, 2.0, 3.0, 0.4), CONFIG, Empty()) == Travel(Place(1.0, 2.0, 3.0, 0.4), ground=False)


@pytest.mark.parametrize("height", [-7.0, 0.0, 12.0])
def test_a_body_is_put_on_the_ground_below_it_or_above_it(height):
    assert stand(Place(0.0, 0.0, height, 0.0), CONFIG, Flat(0.5)).place.z == pytest.approx(0.5)


def test_a_carried_body_takes_place_and_heading_as_they_are_and_height_from_the_ground():
    travel = stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, Flat(0.1))
    carried = move(travel, Intent((1.0, 0.0), 0.5, carried=Place(0.02, 0.01, 0.0, 0.5)), CONFIG, Flat(0.1), DT)
    assert carried.place == Place(0.02, 0.01, pytest.approx(0.1), 0.5)
    assert carried.turn_rate == pytest.approx(0.5 / DT)
    assert not carried.jumped


def test_a_jump_puts_the_body_down_anew():
    travel = stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, Flat())
    jump = Intent((0.0, 0.0), pi, carried=Place(5.0, 6.0, 3.0, pi), jumped=True)
    landed = move(travel, jump, CONFIG, Flat(), DT)
    assert (landed.place, landed.jumped) == (Place(5.0, 6.0, 0.0, pi), True)


def test_places_are_plain_floats():
    travel = walk(Hills(), stand(Place(0.0, 0.0, 0.0, 0.0), CONFIG, Hills()), 1.0, 0.1)[-1]
    assert [type(v) for v in (*travel.place, *travel.velocity)] == [float] * 7


def test_a_smaller_leg_finds_only_smaller_steps():
    cat = ControlConfig(leg=0.2)
    travel = walk(Stairs(rise=0.3, count=1), stand(Place(0.0, 0.0, 0.0, 0.0), cat, Flat()), 0.5, 4.0, cat)[-1]
    assert travel.place.z == pytest.approx(0.0, abs=1e-6)
