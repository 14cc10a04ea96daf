"""Solids and limits as lines: as large as what they stand for."""

from math import dist, radians

import pytest
from surefoot.core.ragdoll.plan import Joint
from surefoot.core.ragdoll.wires import limit_wire, solid_wire
from surefoot.core.space.rigid import NO_TURN, Frame

HERE = Frame((0.0, 0.0, 0.0), NO_TURN)


@pytest.mark.parametrize(("shape", "size"), [("BOX", (1.0, 2.0, 3.0)), ("CAPSULE", (0.4, 0.4, 1.0))])
def test_a_solids_outline_is_as_large_as_it_is(shape, size):
    wire = solid_wire(shape, size)
    for k in range(3):
        values = [point[k] for point in wire.points]
        assert (min(values), max(values)) == pytest.approx((-0.5 * size[k], 0.5 * size[k]))
    assert all(0 <= end < len(wire.points) for edge in wire.edges for end in edge)


def test_a_box_has_the_twelve_edges_of_one():
    wire = solid_wire("BOX", (1.0, 2.0, 3.0))
    lengths = sorted(round(dist(wire.points[a], wire.points[b]), 6) for a, b in wire.edges)
    assert lengths == [1.0] * 4 + [2.0] * 4 + [3.0] * 4


def test_a_hinge_is_an_arc_from_its_least_to_its_most_flexion():
    joint = Joint(HERE, (0.0, 0.0, 0.0), (radians(90.0), 0.0, 0.0), 0.3)
    points = limit_wire(joint, 2.0).points
    assert any(point == pytest.approx((0.0, 0.0, 2.0), abs=1e-6) for point in points)
    assert any(point == pytest.approx((0.0, -2.0, 0.0), abs=1e-6) for point in points)
    assert max(dist(point, (0.0, 0.0, 0.0)) for point in points) == pytest.approx(2.0)


def test_a_ball_joint_is_an_outline_that_reaches_its_corners():
    joint = Joint(HERE, (radians(-30.0), radians(-40.0), 0.0), (radians(60.0), radians(40.0), 0.0), 0.3)
    points = limit_wire(joint, 1.0).points
    # A turn of 40 degrees about Y alone brings Z to the side by its sine.
    assert max(point[0] for point in points) == pytest.approx(0.6428, abs=1e-3)
    assert min(point[1] for point in points) == pytest.approx(-0.866, abs=1e-3)
