"""Round walls have exact answers."""

from __future__ import annotations

from math import hypot, sqrt

import pytest
from mathutils import Vector
from surefoot.core.world.rings import Ring

RING = Ring(1.0, 2.0, 3.0, 4.0, (0.0, 5.0))


def cast(x, y, z, dx, dy, dz, distance=100.0):
    return RING.cast_ray(Vector((x, y, z)), Vector((dx, dy, dz)), distance)


def test_from_outside_a_ray_meets_the_outer_wall_and_from_the_yard_the_inner_one():
    hit = cast(1.0, -8.0, 1.0, 0.0, 1.0, 0.0)
    assert (hit.distance, hit.normal[:]) == (pytest.approx(6.0), pytest.approx((0.0, -1.0, 0.0)))
    hit = cast(1.0, 2.0, 1.0, 0.6, 0.8, 0.0)
    assert (hit.distance, hit.normal[:]) == (pytest.approx(3.0), pytest.approx((-0.6, -0.8, 0.0)))


def test_a_ray_down_meets_the_top_only_over_the_wall():
    assert cast(4.5, 2.0, 9.0, 0.0, 0.0, -1.0).position.z == pytest.approx(5.0)
    assert cast(1.0, 2.0, 9.0, 0.0, 0.0, -1.0) is None


def test_a_ray_over_the_top_passes():
    assert cast(1.0, -8.0, 5.1, 0.0, 1.0, 0.0) is None


def test_a_ray_from_within_the_wall_is_behind_its_faces():
    assert cast(4.5, 2.0, 1.0, 0.0, 0.0, 1.0).back
    assert not cast(1.0, 2.0, 1.0, 1.0, 0.0, 0.0).back


@pytest.mark.parametrize(
    ("place", "gap"),
    [
        ((1.0, 2.0, 1.0), 3.0),
        ((7.0, 2.0, 1.0), 2.0),
        ((4.6, 2.0, 2.5), 0.4),
        ((4.5, 2.0, 6.0), 1.0),
        ((5.0 + 3.0, 2.0, 9.0), 5.0),
        ((1.0, 2.0, 9.0), 5.0),
    ],
)
def test_the_nearest_place_is_that_of_wall_top_or_rim(place, gap):
    hit = RING.nearest(Vector(place), 100.0)
    assert hit.distance == pytest.approx(gap, abs=1e-6)
    assert (Vector(place) - hit.position).length == pytest.approx(gap, abs=1e-5)
    out = hypot(hit.position.x - 1.0, hit.position.y - 2.0)
    assert 3.0 - 1e-5 <= out <= 4.0 + 1e-5


def test_a_column_has_no_inner_wall():
    column = Ring(0.0, 0.0, 0.0, 2.0, (0.0, 1.0))
    assert column.nearest(Vector((0.0, 0.0, 0.5)), 9.0).distance == pytest.approx(0.5)
    assert column.height(0.0, 0.0) == 1.0


def test_a_sphere_touches_a_column_where_it_is_tangent():
    column = Ring(0.0, 0.0, 0.0, 2.0, (0.0, 9.0))
    hit = column.cast_sphere(Vector((1.0, -9.0, 3.0)), Vector((0.0, 1.0, 0.0)), 20.0, 0.5)
    assert hit.distance == pytest.approx(9.0 - sqrt(2.5**2 - 1.0), abs=1e-4)
