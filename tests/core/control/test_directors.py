"""Each director sends the body where its words say, and predicts where the body then is."""

from dataclasses import replace
from math import atan2, cos, hypot, pi, radians, sin

import pytest
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.directors import DIRECTORS, DirectorMemory, decide
from surefoot.core.control.intent import Inputs, PathLine, Place, Travel
from surefoot.core.control.path import length_of, nearest_length, path_line, place_on
from surefoot.core.control.point import move, stand
from surefoot.core.world.solids import Flat, Hills, Ramp, Solid

CONFIG = ControlConfig()
DT = 1.0 / 60.0
ORIGIN = Place(0.0, 0.0, 0.0, 0.0)
LEVEL = Flat()


def circle(radius: float, count: int = 720) -> PathLine:
    angles = [2.0 * pi * k / count for k in range(count)]
    return path_line([(radius * cos(a), radius * sin(a), 0.0) for a in angles], closed=True)


def bend() -> PathLine:
    """5 m straight, a quarter turn of 1 m radius, 3 m straight (pains A10)."""
    straight = [(0.0, -0.05 * k, 0.0) for k in range(100)]
    turn = [(1.0 - cos(a), -5.0 - sin(a), 0.0) for a in (pi / 2 * k / 60 for k in range(61))]
    return path_line([*straight, *turn, (4.0, -6.0, 0.0)])


class Walk:
    """A director and a body on a ground."""

    def __init__(self, name, inputs, place=ORIGIN, world: Solid = LEVEL) -> None:
        self.name, self.inputs, self.world, self.config = name, inputs, world, CONFIG
        self.memory = DirectorMemory()
        self.travel = stand(DIRECTORS[name].start(self.memory, inputs, place), CONFIG, world)
        self.intent = None

    def tick(self) -> Travel:
        self.intent = decide(self.name, self.memory, self.inputs, self.travel, self.config, DT)
        self.travel = move(self.travel, self.intent, self.config, self.world, DT)
        return self.travel

    def run(self, seconds: float) -> list[Travel]:
        return [self.tick() for _ in range(round(seconds / DT))]

    def predict(self, seconds: float) -> Place:
        return DIRECTORS[self.name].predict(self.memory, self.inputs, self.travel, self.config, seconds)


def test_ahead_goes_straight_on_along_the_facing():
    walk = Walk("AHEAD", Inputs(speed=1.4), Place(0.0, 0.0, 0.0, radians(60.0)))
    walk.run(3.0)
    assert atan2(walk.travel.place.y, walk.travel.place.x) == pytest.approx(radians(-30.0))
    assert walk.travel.place.heading == pytest.approx(radians(60.0))


def test_ahead_with_a_negative_speed_walks_backward():
    walk = Walk("AHEAD", Inputs(speed=-0.5))
    walk.run(2.0)
    assert walk.travel.place.y > 0.8
    assert walk.travel.place.heading == 0.0


@pytest.mark.parametrize("path", [circle(2.0), bend()], ids=["circle", "bend"])
def test_on_a_path_the_body_is_on_the_curve_and_speeds_up_as_fast_as_it_may(path):
    walk = Walk("PATH", Inputs(speed=1.4, path=path))
    gone = 0.0
    for k in range(1, 300):
        place = walk.tick().place
        gone += min(1.4, CONFIG.acceleration * k * DT) * DT
        on_curve = place_on(path, gone)
        assert (place.x, place.y) == pytest.approx(on_curve[:2], abs=1e-9)
        assert cos(place.heading - on_curve.heading) == pytest.approx(1.0, abs=2e-3)


def test_a_path_is_walked_in_length_over_speed_and_half_the_time_of_starting_and_stopping():
    path = bend()
    walk = Walk("PATH", Inputs(speed=1.0, path=path))
    ticks = walk.run(12.0)
    arrival = next(k for k, t in enumerate(ticks, 1) if hypot(t.place.x - 4.0, t.place.y + 6.0) < 1e-9)
    assert length_of(path) == pytest.approx(8.0 + pi / 2, abs=1e-3)
    ramps = 0.5 * (1.0 / CONFIG.acceleration + 1.0 / CONFIG.deceleration)
    assert arrival * DT == pytest.approx(8.0 + pi / 2 + ramps, abs=2 * DT)
    assert walk.intent.reason == "The path ends here."
    assert ticks[-1].velocity == (0.0, 0.0, 0.0)


def test_at_the_open_end_of_a_path_the_body_slows_down_no_faster_than_it_may():
    walk = Walk("PATH", Inputs(speed=2.0, path=bend()))
    speeds = [hypot(*t.velocity) for t in walk.run(8.0)]
    steps = [after - before for before, after in zip(speeds, speeds[1:], strict=False)]
    assert speeds[-1] == 0.0
    assert max(steps) == pytest.approx(CONFIG.acceleration * DT)
    assert -min(steps) < 1.1 * CONFIG.deceleration * DT


def test_a_path_shorter_than_its_ramps_is_walked_to_its_end():
    path = path_line([(0.0, 0.0, 0.0), (0.0, -0.5, 0.0)])
    walk = Walk("PATH", Inputs(speed=1.4, path=path))
    assert max(hypot(*t.velocity) for t in walk.run(2.0)) < 1.3
    assert walk.travel.place.y == pytest.approx(-0.5, abs=1e-9)
    assert walk.travel.velocity == (0.0, 0.0, 0.0)


def test_a_keyed_speed_moves_by_arc_length():
    walk = Walk("PATH", Inputs(speed=0.0, path=circle(2.0)))
    for k in range(120):
        walk.inputs = replace(walk.inputs, speed=k / 60.0)
        walk.tick()
    assert walk.memory.along == pytest.approx(sum(k / 60.0 * DT for k in range(120)))


def test_a_closed_path_goes_round():
    path = circle(2.0)
    walk = Walk("PATH", Inputs(speed=2.0, path=path))
    walk.run(10.0)
    start = 0.5 * 2.0 * 2.0 / CONFIG.acceleration
    assert walk.memory.along == pytest.approx(20.0 - start - length_of(path), abs=2.0 * DT)
    assert not walk.travel.jumped


def test_on_a_ramp_a_path_drawn_level_is_walked_at_the_speed_along_the_ground():
    path = path_line([(0.0, 0.0, 5.0), (0.0, -20.0, 5.0)])
    walk = Walk("PATH", Inputs(speed=1.4, path=path), world=Ramp(radians(20.0)))
    start = walk.run(1.0)[-1]
    end = walk.run(5.0)[-1]
    assert start.place.y - end.place.y == pytest.approx(1.4 * 5.0 * cos(radians(20.0)), rel=1e-4)
    assert end.place.z == pytest.approx(-end.place.y * sin(radians(20.0)) / cos(radians(20.0)), abs=1e-3)
    assert hypot(*end.velocity) == pytest.approx(1.4)


def test_at_a_sharp_corner_the_body_turns_no_faster_than_its_turn_rate():
    path = path_line([(0.0, 0.0, 0.0), (0.0, -2.0, 0.0), (2.0, -2.0, 0.0)])
    rates = [abs(t.turn_rate) for t in Walk("PATH", Inputs(speed=1.0, path=path)).run(3.5)]
    assert max(rates) == pytest.approx(CONFIG.turn_rate)


@pytest.mark.parametrize("points", [[], [(1.0, 2.0, 3.0)], [(1.0, 2.0, 3.0), (1.0, 2.0, 3.0)]])
def test_a_path_without_length_lets_the_body_stand_and_says_why(points):
    walk = Walk("PATH", Inputs(speed=1.4, path=path_line(points)), Place(0.3, 0.4, 0.0, 0.5))
    walk.run(0.5)
    assert walk.travel.place == Place(0.3, 0.4, 0.0, 0.5)
    assert "at least two points" in walk.intent.reason
    assert walk.predict(1.0) == walk.travel.place


@pytest.mark.parametrize("name", ["PATH", "TARGET", "MOVER"])
def test_without_its_object_a_director_lets_the_body_stand_and_says_why(name):
    walk = Walk(name, Inputs(speed=1.4), Place(0.3, 0.4, 0.0, 0.5))
    walk.run(0.5)
    assert walk.travel.place == Place(0.3, 0.4, 0.0, 0.5)
    assert "choose" in walk.intent.reason
    assert walk.predict(1.0) == walk.travel.place


@pytest.mark.parametrize(("x", "y"), [(0.0, -6.0), (5.0, 3.0), (-4.0, 0.0), (0.3, 1.2)])
def test_a_target_is_reached_from_any_side_facing_it_and_without_overshoot(x, y):
    walk = Walk("TARGET", Inputs(speed=1.4, target=Place(x, y, 0.0, 0.0)))
    distances = [hypot(t.place.x - x, t.place.y - y) for t in walk.run(12.0)]
    assert distances[-1] == pytest.approx(CONFIG.stop_distance, abs=0.03)
    assert min(distances) > CONFIG.stop_distance - 0.02
    assert walk.travel.velocity == (0.0, 0.0, 0.0)
    place = walk.travel.place
    assert atan2(x - place.x, -(y - place.y)) == pytest.approx(place.heading, abs=radians(3.0))


def test_a_target_that_hardly_moves_is_not_followed():
    walk = Walk("TARGET", Inputs(speed=1.4, target=Place(0.0, -3.0, 0.0, 0.0)))
    rest = walk.run(6.0)[-1].place
    walk.inputs = replace(walk.inputs, target=Place(0.0, -3.2, 0.0, 0.0))
    assert walk.run(1.0)[-1].place == rest
    walk.inputs = replace(walk.inputs, target=Place(0.0, -3.5, 0.0, 0.0))
    assert walk.run(3.0)[-1].place.y == pytest.approx(-3.5 + CONFIG.stop_distance, abs=0.03)


def test_a_target_that_jumps_is_told_once_and_the_feet_stay():
    walk = Walk("TARGET", Inputs(speed=1.4, target=Place(0.0, -9.0, 0.0, 0.0)))
    walk.run(1.0)
    walk.inputs = replace(walk.inputs, target=Place(0.0, -12.0, 0.0, 0.0))
    told = [(walk.tick().jumped, walk.intent.event) for _ in range(6)]
    assert told == [(False, "TARGET_JUMP")] + [(False, "")] * 5


def test_a_mover_is_followed_exactly_with_its_speed():
    walk = Walk("MOVER", Inputs(mover=Place(0.0, 0.0, 0.0, 0.0)), world=Flat(0.05))
    for k in range(1, 61):
        walk.inputs = Inputs(mover=Place(0.02 * k, -0.01 * k, 0.0, 0.01 * k))
        walk.tick()
        assert walk.travel.place == Place(0.02 * k, -0.01 * k, pytest.approx(0.05), 0.01 * k)
    assert walk.travel.velocity == pytest.approx((1.2, -0.6, 0.0))
    assert walk.travel.turn_rate == pytest.approx(0.6)


def test_a_mover_s_speed_counts_along_the_slope():
    walk = Walk("MOVER", Inputs(mover=Place(0.0, 0.0, 0.0, 0.0)), world=Ramp(radians(20.0)))
    for k in range(1, 61):
        walk.inputs = Inputs(mover=Place(0.0, -0.01 * k, 0.01 * k * sin(radians(20.0)), 0.0))
        walk.tick()
    assert hypot(*walk.travel.velocity) == pytest.approx(0.6 / cos(radians(20.0)), rel=1e-5)


def test_a_mover_that_jumps_takes_the_body_there_and_says_so_once():
    walk = Walk("MOVER", Inputs(mover=Place(0.0, 0.0, 0.0, 0.0)))
    walk.inputs = Inputs(mover=Place(3.0, 4.0, 0.0, 1.0))
    ticks = walk.run(0.1)
    assert [t.jumped for t in ticks] == [True] + [False] * 5
    assert ticks[0].place == Place(3.0, 4.0, 0.0, 1.0)
    assert all(t.velocity == (0.0, 0.0, 0.0) for t in ticks)


@pytest.mark.parametrize("name", list(DIRECTORS))
def test_a_teleport_goes_before_what_the_director_wants(name):
    walk = Walk(name, Inputs(speed=1.0, path=circle(2.0), target=Place(9.0, 0.0, 0.0, 0.0)))
    walk.inputs = replace(walk.inputs, moved_to=Place(0.0, 2.0, 0.0, 0.7))
    assert walk.tick().place == Place(0.0, 2.0, 0.0, 0.7)
    assert walk.travel.jumped
    if name == "PATH":
        assert walk.memory.along == pytest.approx(pi, abs=1e-3)


@pytest.mark.parametrize("seconds", [0.1, 0.4, 0.8])
@pytest.mark.parametrize(
    ("name", "inputs", "after"),
    [
        ("AHEAD", Inputs(speed=1.4), 0.0),
        ("AHEAD", Inputs(speed=1.4), 2.0),
        ("PATH", Inputs(speed=1.4, path=circle(2.0)), 0.0),
        ("PATH", Inputs(speed=1.4, path=circle(2.0)), 1.0),
        ("PATH", Inputs(speed=1.0, path=bend()), 9.2),
        ("PATH", Inputs(speed=1.0, path=bend()), 9.8),
        ("TARGET", Inputs(speed=1.4, target=Place(0.0, -9.0, 0.0, 0.0)), 0.5),
        ("TARGET", Inputs(speed=1.4, target=Place(0.0, -9.0, 0.0, 0.0)), 5.5),
    ],
)
def test_a_prediction_is_where_the_body_then_is(name, inputs, after, seconds):
    walk = Walk(name, inputs)
    walk.run(after)
    ahead = walk.predict(seconds)
    walk.run(seconds)
    assert hypot(ahead.x - walk.travel.place.x, ahead.y - walk.travel.place.y) < 0.06 * seconds + 0.03


def test_a_prediction_on_a_ramp_has_the_ramp_s_height():
    walk = Walk("AHEAD", Inputs(speed=1.4), world=Ramp(radians(20.0)))
    walk.run(1.0)
    ahead = walk.predict(0.5)
    assert ahead.z == pytest.approx(-ahead.y * sin(radians(20.0)) / cos(radians(20.0)), abs=1e-3)


def test_a_body_too_near_to_an_open_end_to_brake_is_predicted_at_that_end():
    walk = Walk("PATH", Inputs(speed=1.2, path=path_line([(0.0, 0.0, 0.0), (0.0, -2.0, 0.0)])))
    walk.memory.along, walk.memory.pace = 1.99, 1.2
    assert tuple(walk.predict(0.5)) == pytest.approx((0.0, -2.0, 0.0, 0.0))


def test_a_mover_on_a_bend_is_predicted_along_its_arc():
    def spot(t: float) -> Place:
        return Place(2.0 - 2.0 * cos(0.5 * t), -2.0 * sin(0.5 * t), 0.0, 0.5 * t)

    walk = Walk("MOVER", Inputs(mover=spot(0.0)))
    for k in range(1, 61):
        walk.inputs = Inputs(mover=spot(k * DT))
        walk.tick()
    ahead, then = walk.predict(0.8), spot(1.8)
    assert ahead[:2] == pytest.approx(then[:2], abs=0.01)
    assert ahead.heading == pytest.approx(then.heading, abs=0.01)


def test_a_copied_memory_goes_its_own_way():
    memory = DirectorMemory(along=1.0, seen=Place(1.0, 2.0, 3.0, 4.0))
    copy = memory.copy()
    copy.along, copy.seen = 2.0, None
    assert memory == DirectorMemory(along=1.0, seen=Place(1.0, 2.0, 3.0, 4.0))


def test_the_nearest_length_of_a_place_on_the_curve_is_its_own():
    path = bend()
    for s in (0.0, 2.3, 5.7, 8.1, length_of(path)):
        x, y, _, _ = place_on(path, s)
        assert nearest_length(path, x, y) == pytest.approx(s, abs=1e-6)


def test_on_a_straight_piece_away_from_its_corners_the_heading_is_the_piece_s():
    path = path_line([(0.0, 0.0, 0.0), (0.0, -2.0, 0.0), (2.0, -2.0, 0.0)])
    headings = [place_on(path, s).heading for s in (0.0, 1.0, 1.7, 2.0, 2.3, 4.0)]
    assert headings == pytest.approx([0.0, 0.0, 0.0, pi / 4, pi / 2, pi / 2])


def test_doubled_points_are_dropped_and_a_closed_path_ends_where_it_began():
    path = path_line([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 2.0), (1.0, 1.0, 0.0)], closed=True)
    assert path.points == ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    assert path.lengths == pytest.approx((0.0, 1.0, 2.0, 2.0 + 2.0**0.5))


def test_over_hills_a_path_keeps_the_speed_along_the_ground():
    world = Hills()
    walk = Walk("PATH", Inputs(speed=1.4, path=path_line([(0.3, 0.0, 0.0), (0.3, -40.0, 0.0)])), world=world)
    places = [t.place for t in walk.run(22.0)[120:]]
    way = sum(
        hypot(b.x - a.x, b.y - a.y, world.height(b.x, b.y) - world.height(a.x, a.y))
        for a, b in zip(places, places[1:], strict=False)
    )
    assert way / (1.4 * (len(places) - 1) * DT) == pytest.approx(1.0, abs=0.01)
