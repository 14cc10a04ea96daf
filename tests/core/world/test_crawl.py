"""Trails along surfaces: how far, on which faces, and the normal around a place."""

from __future__ import annotations

from math import pi, sqrt

import pytest
from mathutils import Vector
from surefoot.core.world.crawl import Feeler, crawl, mean_normal, touched
from surefoot.core.world.solids import Box, Flat, Pipe

FEELER = Feeler(0.1, 0.05, 0.1)
UP, SOUTH = Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
ROOM, BLOCK = Box((-1.0, -1.0, 0.0), (1.0, 1.0, 2.0)), Box((-1.0, -1.0, -2.0), (1.0, 1.0, 0.0))


def test_on_one_face_a_trail_is_straight_and_as_long_as_asked():
    trail = crawl(Flat(), Vector(), UP, SOUTH, 0.73, FEELER)
    assert trail.length == pytest.approx(0.73, abs=1e-9)
    assert tuple(trail.position) == pytest.approx((0.0, -0.73, 0.0), abs=1e-6)
    assert len(trail.pieces) == 1


def test_up_a_wall_a_trail_is_as_long_as_on_the_floor_and_meets_the_wall_where_it_stands():
    trail = crawl(ROOM, Vector(), UP, SOUTH, 1.5, FEELER)
    assert tuple(trail.position) == pytest.approx((0.0, -1.0, 0.5), abs=1e-5)
    assert [piece.start for piece in trail.pieces] == pytest.approx([0.0, 1.0], abs=1e-6)
    assert tuple(trail.normal) == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)
    assert tuple(trail.direction) == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)


def test_over_an_edge_a_trail_goes_down_the_other_face():
    trail = crawl(BLOCK, Vector(), UP, SOUTH, 1.5, FEELER)
    assert tuple(trail.position) == pytest.approx((0.0, -1.0, -0.5), abs=1e-5)
    assert tuple(trail.normal) == pytest.approx((0.0, -1.0, 0.0), abs=1e-6)
    assert touched(BLOCK, trail, FEELER) is not None


def test_aslant_over_an_edge_a_trail_keeps_its_angle_to_it():
    trail = crawl(BLOCK, Vector(), UP, Vector((0.6, -0.8, 0.0)), 1.5, FEELER)
    assert tuple(trail.position) == pytest.approx((0.9, -1.0, -0.2), abs=1e-5)
    assert tuple(trail.direction) == pytest.approx((0.6, 0.0, -0.8), abs=1e-6)


def test_half_round_a_pipe_a_trail_is_at_its_top():
    trail = crawl(Pipe(1.5), Vector(), UP, SOUTH, pi * 1.5, FEELER)
    assert tuple(trail.position) == pytest.approx((0.0, 0.0, 3.0), abs=0.02)
    assert tuple(trail.normal) == pytest.approx((0.0, 0.0, -1.0), abs=0.02)


def test_where_the_surface_ends_a_trail_is_shorter_than_asked():
    class Sheet(Flat):
        def ray(self, ray):
            found = super().ray(ray)
            return found if found is not None and abs(found.y) <= 1.0 else None

    trail = crawl(Sheet(), Vector(), UP, SOUTH, 2.0, FEELER)
    assert 0.85 <= trail.length <= 1.0


def test_right_in_a_corner_the_mean_normal_is_halfway_between_the_faces():
    edge = Vector((0.0, -0.9999, 0.0))
    trails = [crawl(ROOM, edge, UP, way, 0.6, FEELER) for way in (SOUTH, -SOUTH)]
    assert tuple(mean_normal(trails, 0.6)) == pytest.approx((0.0, sqrt(0.5), sqrt(0.5)), abs=2e-3)


def test_the_mean_normal_turns_evenly_as_a_corner_is_passed():
    places = [Vector((0.0, -0.3 - 0.01 * k, 0.0)) for k in range(70)]
    normals = [
        mean_normal([crawl(ROOM, place, UP, way, 0.6, FEELER) for way in (SOUTH, -SOUTH)], 0.6) for place in places
    ]
    turns = [a.angle(b) for a, b in zip(normals, normals[1:], strict=False)]
    assert max(turns) <= 2.0 * (pi / 2.0) * 0.01 / 1.2 * 1.6
