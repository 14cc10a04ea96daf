"""The body's spheres, and the directions that a bone beside one may not take."""

from math import acos, asin, cos, degrees, pi, radians, sin

import pytest
from mathutils import Quaternion, Vector
from support.rigs import beetle_skeleton, dog_skeleton, horse_skeleton, person_skeleton, spider_skeleton
from support.springs import rig_of
from surefoot.core.layers.spheres import (
    Cone,
    blocked_by,
    blocked_under,
    body_spheres,
    clear_of,
    clearance,
    kept_out,
)

X, Y, Z = (Vector(axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def tilted(degree, about=Z, start=Y):
    return Quaternion(about, radians(degree)) @ start


def test_a_bone_at_the_rim_of_the_cone_touches_the_sphere_along_its_side():
    cone = blocked_by(Vector((0.0, 1.0, 0.0)), 2.0, 0.3)
    assert cone.spread == pytest.approx(asin(0.3))
    tail = Quaternion(Z, cone.spread) @ Y * 2.0
    assert clearance(Vector(), tail, Vector((0, 1, 0))) == pytest.approx(0.3, abs=1e-6)


def test_a_bone_that_ends_beside_the_sphere_touches_it_with_its_end():
    cone = blocked_by(Vector((0.0, 1.0, 0.0)), 0.8, 0.3)
    tail = Quaternion(Z, cone.spread) @ Y * 0.8
    assert (tail - Vector((0, 1, 0))).length == pytest.approx(0.3, abs=1e-6)
    assert clearance(Vector(), tail, Vector((0, 1, 0))) == pytest.approx(0.3, abs=1e-6)


def test_between_side_and_end_the_cone_is_one():
    # The bone is as long as the tangent: both rules say the same.
    length = (1.0 - 0.09) ** 0.5
    beside, end = (blocked_by(Vector((0, 1, 0)), length + more, 0.3).spread for more in (1e-6, -1e-6))
    assert beside == pytest.approx(end, abs=1e-4)


@pytest.mark.parametrize(
    ("distance", "length"), [(1.31, 1.0), (0.1, 1.0), (1.0, 0.0), (0.0, 1.0)], ids=["far", "inside", "no bone", "in it"]
)
def test_out_of_reach_or_inside_there_is_no_cone(distance, length):
    assert blocked_by(Vector((0.0, distance, 0.0)), length, 0.3) is None


def test_a_joint_on_the_sphere_lets_the_bone_point_away_from_it_and_along_it():
    cone = blocked_by(Vector((0.0, 0.3 - 1e-4, 0.0)), 1.0, 0.3)
    assert cone.spread == pytest.approx(0.5 * pi, abs=0.05)


def test_the_ground_blocks_all_that_dips_into_it():
    cone = blocked_under(Z, 0.5, 1.0)
    assert cone.axis == -Z
    assert cone.spread == pytest.approx(acos(0.5))
    assert blocked_under(Z, 1.0, 1.0) is None


def test_a_bone_in_the_cone_goes_out_the_nearest_way_and_one_outside_is_left_alone():
    cone = Cone(Y, radians(30.0))
    along, out = kept_out(cone, tilted(20.0), None)
    assert tuple(along) == pytest.approx(tuple(tilted(30.0)), abs=1e-6)
    assert tuple(out) == pytest.approx(tuple(tilted(120.0)), abs=1e-6)
    assert kept_out(cone, tilted(31.0), None) is None


def test_a_bone_that_came_past_the_middle_goes_back_to_where_it_came_from():
    along, _ = kept_out(Cone(Y, radians(30.0)), tilted(-10.0), tilted(40.0))
    assert tuple(along) == pytest.approx(tuple(tilted(30.0)), abs=1e-6)


@pytest.mark.parametrize("far", [31.0, 60.0, 120.0])
def test_a_bone_that_went_right_through_is_held_on_the_side_that_it_came_from(far):
    along, _ = kept_out(Cone(Y, radians(30.0)), tilted(-far), tilted(40.0))
    assert tuple(along) == pytest.approx(tuple(tilted(30.0)), abs=1e-5)


def test_a_bone_that_only_grazed_the_cone_lies_at_its_rim_where_it_came_nearest():
    a, b = Quaternion(Z, 0.4) @ (Quaternion(X, 0.45) @ Y), Quaternion(Z, -0.4) @ (Quaternion(X, 0.45) @ Y)
    cone = Cone(Y, 0.5)
    assert a.dot(Y) < cos(0.5) > b.dot(Y)
    along, _ = kept_out(cone, b, a)
    assert along.dot(Y) == pytest.approx(cos(0.5), abs=1e-6)
    assert along.z > 0.9 * sin(0.5)


def test_right_on_the_axis_there_is_a_way_out_too():
    along, out = kept_out(Cone(Y, 0.5), Y, None)
    assert along.dot(Y) == pytest.approx(cos(0.5), abs=1e-6)
    assert abs(along.dot(out)) < 1e-6


@pytest.mark.parametrize("start", range(-50, 130, 12))
def test_out_of_cones_that_overlap_is_out_of_all_of_them(start):
    cones = [(Cone(tilted(0.0), radians(40.0)), None), (Cone(tilted(50.0), radians(30.0)), None)]
    along, ways = clear_of(cones, tilted(start))
    angle = degrees(acos(max(-1.0, min(1.0, along.dot(Y)))))
    assert all(along.dot(cone.axis) <= cos(cone.spread) + 1e-5 for cone, _ in cones)
    if -40.0 < start < 80.0:
        assert ways
        assert angle < 100.0
    else:
        assert tuple(along) == tuple(tilted(start))


@pytest.mark.parametrize("skeleton", [person_skeleton, dog_skeleton, horse_skeleton, beetle_skeleton, spider_skeleton])
def test_spheres_lie_within_the_body_and_are_as_large_as_its_parts(skeleton):
    rig = rig_of(skeleton())
    spheres = body_spheres(rig)
    assert {rig.head, rig.pelvis} - {-1} <= {sphere.bone for sphere in spheres}
    for sphere in spheres:
        bone = rig.skeleton.bones[sphere.bone]
        assert clearance(bone.head, bone.tail, sphere.center) < 0.05 * rig.leg_length
        assert 0.01 * rig.leg_length < sphere.radius < 0.3 * rig.leg_length


def test_a_person_s_spheres_are_alike_on_both_sides():
    spheres = body_spheres(rig_of(person_skeleton()))
    rows = {tuple(round(n, 5) for n in (*sphere.center, sphere.radius)) for sphere in spheres}
    assert rows == {(0.0 - x if x else x, y, z, r) for x, y, z, r in rows}
    assert len(rows) == 10
