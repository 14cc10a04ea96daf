"""The test grounds answer exactly: each expected number is worked out from the shape's own description."""

from math import cos, hypot, pi, radians, sin, sqrt, tan

import pytest
from mathutils import Vector
from surefoot.core.world.solids import Blocks, Empty, Flat, Gap, Hills, Hole, Moving, Ramp, Solid, Stairs, Union

DOWN = Vector((0.0, 0.0, -1.0))
SOLIDS = {
    "flat": Flat(0.25),
    "ramp": Ramp(radians(20.0), heading=0.7),
    "stairs": Stairs(heading=radians(90.0)),
    "hills": Hills(),
    "blocks": Blocks(seed=3),
    "hole": Hole(0.0, 0.0, 1.0, 1.0),
    "union": Union(Flat(), Stairs()),
    "turned": Moving(Stairs(), lambda _: (1.0, 2.0, 0.5, 0.8)),
}


@pytest.fixture(params=SOLIDS, ids=str)
def solid(request) -> Solid:
    return SOLIDS[request.param]


def spots() -> list[tuple[float, float]]:
    return [(0.37 * i - 2.11, 0.53 * j - 3.07) for i in range(9) for j in range(9)]


def test_a_ray_straight_down_meets_the_height(solid):
    for x, y in spots():
        hit, height = solid.cast_ray(Vector((x, y, 9.0)), DOWN, 50.0), solid.height(x, y)
        assert (hit is None) == (height is None)
        if hit is not None:
            assert hit.position.z == pytest.approx(height, abs=2e-6)
            assert hit.distance == pytest.approx(9.0 - height, abs=2e-6)
            assert hit.normal.z > 0.0


def test_an_oblique_ray_ends_on_the_surface_and_faces_its_asker(solid):
    way = Vector((0.3, -0.4, -0.6)).normalized()
    for x, y in spots():
        hit = solid.cast_ray(Vector((x, y, 4.0)), way, 50.0)
        if hit is not None:
            assert solid.nearest(hit.position, 1.0).distance < 2e-5
            assert hit.normal.length == pytest.approx(1.0, abs=1e-6)
            assert hit.normal.dot(way) < 0.0


def test_a_sphere_stops_with_its_centre_one_radius_off(solid):
    way = Vector((0.2, 0.1, -0.9)).normalized()
    for x, y in spots():
        start = Vector((x, y, 3.0))
        hit = solid.cast_sphere(start, way, 20.0, 0.1)
        if hit is not None:
            centre = start + way * hit.distance
            assert (centre - hit.position).length == pytest.approx(0.1, abs=2e-5)
            assert solid.nearest(centre, 1.0).distance == pytest.approx(0.1, abs=2e-5)


def test_stairs_rise_by_one_step_a_tread_and_stay_level_after_the_last():
    stairs = Stairs(rise=0.17, tread=0.30, count=3, heading=radians(90.0), start=1.0)
    heights = [stairs.height(x, 5.0) for x in (0.99, 1.01, 1.29, 1.31, 1.61, 9.0)]
    assert heights == pytest.approx([0.0, 0.17, 0.17, 0.34, 0.51, 0.51])


def test_stairs_with_a_landing_lead_back_down():
    stairs = Stairs(rise=0.2, tread=0.3, count=2, start=0.0, landing=1.0)
    heights = [stairs.height(0.0, -s) for s in (0.1, 0.5, 1.2, 1.4, 1.8)]
    assert heights == pytest.approx([0.2, 0.4, 0.4, 0.2, 0.0])


def test_a_riser_stops_a_level_ray():
    hit = Stairs(start=1.0).cast_ray(Vector((0.0, 0.0, 0.1)), Vector((0.0, -1.0, 0.0)), 5.0)
    assert hit.distance == pytest.approx(1.0)
    assert tuple(hit.normal) == pytest.approx((0.0, 1.0, 0.0))


def test_a_sphere_rests_on_the_edge_of_a_tread():
    # Its centre 5 cm before the edge: sqrt(0.1^2 - 0.05^2) above the edge's height.
    hit = Stairs(rise=0.17, start=1.0).cast_sphere(Vector((0.0, -0.95, 1.0)), DOWN, 5.0, 0.1)
    assert 1.0 - hit.distance == pytest.approx(0.17 + sqrt(0.1**2 - 0.05**2), abs=1e-6)
    assert tuple(hit.position) == pytest.approx((0.0, -1.0, 0.17), abs=1e-6)


def test_a_ramp_rises_along_its_heading():
    ramp = Ramp(radians(20.0), heading=radians(30.0), start=1.0, length=2.0)
    for s, height in ((0.5, 0.0), (2.0, tan(radians(20.0))), (9.0, 2.0 * tan(radians(20.0)))):
        assert ramp.height(s * sin(radians(30.0)), -s * cos(radians(30.0))) == pytest.approx(height)


def test_a_ramp_s_normal_leans_back_by_its_angle():
    hit = Ramp(radians(20.0)).cast_ray(Vector((0.3, 0.4, 5.0)), DOWN, 10.0)
    assert tuple(hit.normal) == pytest.approx((0.0, sin(radians(20.0)), cos(radians(20.0))), abs=1e-6)


def test_hills_reach_their_amplitude_over_half_a_wavelength():
    hills = Hills(amplitude=0.3, wavelength=4.0)
    assert [hills.height(0.0, y) for y in (0.0, 1.0, 2.0)] == pytest.approx([0.3, 0.0, -0.3])


def test_a_hill_s_normal_is_square_to_its_slope():
    hills, step = Hills(), 1e-5
    hit = hills.cast_ray(Vector((0.4, 0.7, 5.0)), DOWN, 10.0)
    gx = (hills.height(0.4 + step, 0.7) - hills.height(0.4 - step, 0.7)) / (2 * step)
    gy = (hills.height(0.4, 0.7 + step) - hills.height(0.4, 0.7 - step)) / (2 * step)
    length = sqrt(gx * gx + gy * gy + 1.0)
    assert tuple(hit.normal) == pytest.approx((-gx / length, -gy / length, 1.0 / length), abs=1e-6)


def test_a_level_ray_at_half_height_crosses_a_hill_where_the_cosine_is_a_half():
    hit = Hills(0.3, 4.0).cast_ray(Vector((0.0, -2.0, 0.15)), Vector((0.0, 1.0, 0.0)), 5.0)
    assert hit.position.y == pytest.approx(-4.0 / 6.0, abs=1e-5)


def test_blocks_are_the_same_for_the_same_seed_and_within_their_range():
    tops = [Blocks(seed=7, high=0.2).height(x, y) for x, y in spots()]
    assert tops == [Blocks(seed=7, high=0.2).height(x, y) for x, y in spots()]
    assert all(0.0 <= top <= 0.2 for top in tops)
    assert len(set(tops)) > 10


def test_a_ray_falls_through_a_gap_a_hole_and_nothing():
    assert Gap(width=0.5, start=1.0).cast_ray(Vector((0.0, -1.2, 1.0)), DOWN, 99.0) is None
    assert Hole(0.0, 0.0, 1.0, 2.0).cast_ray(Vector((0.4, 0.9, 1.0)), DOWN, 99.0) is None
    assert Empty().cast_ray(Vector((0.0, 0.0, 1.0)), DOWN, 99.0) is None


def test_a_small_sphere_does_not_fall_through_a_narrow_gap():
    # Both edges 1 cm off: the centre rests sqrt(3^2 - 1^2) cm above them.
    hit = Gap(width=0.02, start=1.0).cast_sphere(Vector((0.0, -1.01, 1.0)), DOWN, 5.0, 0.03)
    assert 1.0 - hit.distance == pytest.approx(sqrt(0.03**2 - 0.01**2), abs=1e-6)


def test_a_capsule_fits_where_it_touches_nothing():
    stairs = Stairs(rise=0.5, tread=0.3, count=1, start=1.0)
    assert stairs.capsule_fits(Vector((0.0, -0.6, 0.35)), Vector((0.0, -0.6, 1.5)), 0.3)
    assert not stairs.capsule_fits(Vector((0.0, -0.8, 0.35)), Vector((0.0, -0.8, 1.5)), 0.3)
    assert not stairs.capsule_fits(Vector((0.0, -3.0, 0.4)), Vector((0.0, -3.0, 1.0)), 0.05)


def test_an_anchor_rides_a_turntable():
    table = Moving(Flat(), lambda t: (0.0, 0.0, 0.1 * t, radians(30.0) * t))
    anchor = table.anchor(table.cast_ray(Vector((1.0, 0.0, 1.0)), DOWN, 5.0))
    table.set_time(2.0)
    hit = table.locate(anchor)
    assert tuple(hit.position) == pytest.approx((cos(pi / 3), sin(pi / 3), 0.2), abs=1e-6)
    assert hypot(hit.velocity.x, hit.velocity.y) == pytest.approx(radians(30.0), rel=1e-5)
    assert hit.velocity.z == pytest.approx(0.1, rel=1e-5)
    assert table.turn_of(0) == pytest.approx(radians(60.0))


def test_a_union_tells_its_solids_apart():
    world = Union(Flat(), Moving(Stairs(start=1.0), lambda t: (0.0, 0.0, t, 0.0)))
    world.set_time(0.5)
    before, over = (world.cast_ray(Vector((0.0, y, 5.0)), DOWN, 9.0) for y in (9.0, -1.1))
    assert (before.surface, before.position.z) == (1, pytest.approx(0.5))
    assert (over.surface, over.position.z) == (1, pytest.approx(0.67))
    assert over.velocity.z == pytest.approx(1.0, rel=1e-5)
    assert world.locate(world.anchor(over)).position == over.position
