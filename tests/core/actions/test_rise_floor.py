"""The floor under a body that gets up: nothing of it is under the floor itself, and over stairs it is a slope."""

from __future__ import annotations

from math import cos, radians, sin
from random import Random

import pytest
from surefoot.core.actions.rise_floor import Floor, felt
from surefoot.core.world.solids import Flat, Ramp, Stairs

LEG = 0.9
PLACE, HEADING = (0.2, -2.6), 0.4


def framed(world: object) -> tuple[float, float, float, float]:
    """A place on a floor, as a body has it that rises there."""
    return (*PLACE, world.height_below(*PLACE, 50.0, 100.0), HEADING)


def over(floor: Floor, world: object, frame: tuple[float, float, float, float], count: int = 4000) -> list[float]:
    """How far a floor is over the world's at so many places about a frame, metres."""
    rng, (x, y, z, heading) = Random(1), frame
    c, s = cos(heading), sin(heading)
    found = []
    for _ in range(count):
        u, v = rng.uniform(-1.3 * LEG, 1.3 * LEG), rng.uniform(-1.3 * LEG, 1.3 * LEG)
        found.append(floor.height(u, v) + z - world.height_below(x + c * u - s * v, y + s * u + c * v, 50.0, 100.0))
    return found


@pytest.mark.parametrize("world", [Flat(), Ramp(radians(20.0), start=-50.0)], ids=["flat", "slope"])
def test_a_plane_is_a_plane(world):
    frame = framed(world)
    floor = felt(world, frame, LEG, -1.0)
    assert not floor.grid
    assert max(map(abs, over(floor, world, frame))) < 1e-4


def test_over_stairs_it_is_nowhere_under_them_and_rises_evenly():
    world = Stairs()
    frame = framed(world)
    floor = felt(world, frame, LEG, -1.0)
    off = over(floor, world, frame)
    assert min(off) > -1e-6
    # No higher over a tread than the next one, and a little for the places that were felt.
    assert max(off) < 0.17 + 0.06
    steps = [floor.height(0.0, 0.01 * k + 0.01) - floor.height(0.0, 0.01 * k) for k in range(-100, 100)]
    assert max(map(abs, steps)) < 0.012


def test_what_is_planted_goes_down_to_its_place():
    floor = felt(Stairs(), framed(Stairs()), LEG, -1.0)
    place = (0.1, 0.2, -0.3)
    low = floor.lowered((place[2], 0.0, 0.0), 1.0)
    assert low.height(*place[:2]) == pytest.approx(place[2])
    half = floor.lowered((place[2], 0.0, 0.0), 0.5)
    assert half.height(*place[:2]) == pytest.approx(0.5 * (floor.height(*place[:2]) + place[2]))
