"""A body on a wall plans as if its wall were the ground."""

from math import pi, radians

import pytest
from mathutils import Quaternion, Vector
from surefoot.core.control.intent import Place, Travel
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.gait import ProceduralGait
from surefoot.core.gait.shape import make_legs
from surefoot.core.presets import auto_gait, gait_names, pattern
from surefoot.core.world.solids import Flat, Ramp
from surefoot.core.world.turned import Turned

DOWN = Vector((0.0, 0.0, -1.0))


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 180.0])
def test_a_ray_straight_down_in_the_turned_frame_meets_the_plane_that_the_frame_stands_on(angle: float):
    turn = Quaternion((1.0, 0.0, 0.0), radians(angle))
    # The scene's ground is turned with the frame: a ramp as steep as the frame is tilted, through the origin.
    world = Turned(Flat(), turn, turn @ Vector((0.0, 0.0, 0.5)) - Vector((0.0, 0.0, (turn @ Vector((0, 0, 0.5))).z)))
    hit = world.cast_ray(world.from_scene(Vector((0.3, 0.4, 2.0))), world._back @ DOWN, 5.0)
    assert world.to_scene(hit.position).z == pytest.approx(0.0, abs=1e-5)
    assert (world.rotation @ hit.normal - Vector((0.0, 0.0, 1.0))).length < 1e-5


@pytest.mark.parametrize("turned", [False, True])
def test_the_height_below_a_place_is_where_a_ray_straight_down_arrives(turned: bool):
    ramp = Ramp(radians(20.0))
    world = Turned(ramp, Quaternion((1.0, 0.0, 0.0), 0.3), Vector((0.1, 0.2, 0.3))) if turned else ramp
    hit = world.cast_ray(Vector((0.3, 0.4, 2.0)), DOWN, 5.0)
    assert world.height_below(0.3, 0.4, 2.0, 5.0) == hit.position.z
    assert world.height_below(0.3, 0.4, 2.0, hit.distance + 1e-4) == hit.position.z
    assert world.height_below(0.3, 0.4, 2.0, hit.distance - 1e-4) is None


def test_places_go_to_the_scene_and_back():
    world = Turned(Flat(), Quaternion((0.6, 0.8, 0.0), 1.1), Vector((1.0, 2.0, 3.0)))
    point = Vector((0.3, -0.7, 1.9))
    assert (world.from_scene(world.to_scene(point)) - point).length < 1e-6


def test_an_anchor_made_in_the_turned_frame_is_found_again_there():
    world = Turned(Ramp(radians(20.0)), Quaternion((1.0, 0.0, 0.0), radians(-20.0)), Vector((0.0, 0.0, 0.0)))
    hit = world.cast_ray(Vector((0.2, -0.3, 1.0)), DOWN, 3.0)
    found = world.locate(world.anchor(hit))
    assert (found.position - hit.position).length < 1e-6
    assert not world.moves(hit.surface)


def _steps(world: object, legs: int = 8, seconds: float = 2.0) -> list[tuple[float, float, float]]:
    """The balls of all feet of a made body that walks straight on for a while, tick by tick."""
    shape = make_legs(legs, 0.6, 0.8, 0.3)
    patterns = {name: item for name in gait_names() if (item := pattern(name, legs)) is not None}
    gait = ProceduralGait(shape, GaitConfig(), patterns, auto_gait(legs))
    travel = Travel(Place(0.0, 0.0, 0.0, 0.0), velocity=(0.0, -0.4, 0.0))
    memory, dt, balls = gait.start(travel, world), 1.0 / 60.0, []
    for n in range(round(seconds / dt)):
        travel = Travel(Place(0.0, -0.4 * (n + 1) * dt, 0.0, 0.0), velocity=(0.0, -0.4, 0.0))
        here = travel.place

        def predict(time: float, here: Place = here) -> Place:
            return here._replace(y=here.y - 0.4 * time)

        gait.tick(memory, travel, predict, world, dt)
        balls += [foot.ball for foot in memory.feet]
    return balls


def test_a_spider_walks_on_a_wall_as_on_the_floor():
    # A steep ramp as a wall: seen from a frame turned by the same angle it is a floor at z = 0.
    wall = Turned(Ramp(radians(60.0)), Quaternion((1.0, 0.0, 0.0), radians(-60.0)), Vector((0.0, 0.0, 0.0)))
    on_floor, on_wall = _steps(Flat()), _steps(wall)
    worst = max(abs(a - b) for one, two in zip(on_floor, on_wall, strict=True) for a, b in zip(one, two, strict=True))
    assert worst < 1e-4


def test_a_turn_about_the_scene_s_up_is_a_turn_the_other_way_under_a_ceiling():
    class Turntable(Flat):
        def turn_of(self, _surface: int) -> float:
            return 0.1

    assert Turned(Turntable(), Quaternion((1.0, 0.0, 0.0), pi), Vector()).turn_of(0) == pytest.approx(-0.1, abs=1e-6)
