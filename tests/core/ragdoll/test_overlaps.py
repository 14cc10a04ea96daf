"""Solids that touch, by cases whose answer is plain."""

from math import radians

import pytest
from mathutils import Quaternion
from surefoot.core.ragdoll.overlaps import lying, overlap
from surefoot.core.space.rigid import NO_TURN, Frame

CUBE = (1.0, 1.0, 1.0)
ROD = (0.2, 0.2, 2.0)


def at(x, y, z, turn=NO_TURN):
    return Frame((x, y, z), turn)


def about(axis, angle):
    return tuple(Quaternion(axis, radians(angle)))


@pytest.mark.parametrize(
    ("a", "b", "touch"),
    [
        (("BOX", CUBE, at(0, 0, 0)), ("BOX", CUBE, at(0.99, 0, 0)), True),
        (("BOX", CUBE, at(0, 0, 0)), ("BOX", CUBE, at(1.01, 0, 0)), False),
        # Turned by 45 degrees its edge reaches 0.707 m out.
        (("BOX", CUBE, at(0, 0, 0)), ("BOX", CUBE, at(1.2, 0, 0, about((0, 0, 1), 45.0))), True),
        (("BOX", CUBE, at(0, 0, 0)), ("BOX", CUBE, at(1.22, 0, 0, about((0, 0, 1), 45.0))), False),
        (("CAPSULE", ROD, at(0, 0, 0)), ("CAPSULE", ROD, at(0.19, 0, 0)), True),
        (("CAPSULE", ROD, at(0, 0, 0)), ("CAPSULE", ROD, at(0.21, 0, 0)), False),
        (("CAPSULE", ROD, at(0, 0, 0)), ("CAPSULE", ROD, at(0.19, 0, 0, about((1, 0, 0), 90.0))), True),
        (("CAPSULE", ROD, at(0, 0, 0)), ("CAPSULE", ROD, at(0, 0, 2.01)), False),
        (("CAPSULE", ROD, at(0, 0, 0)), ("BOX", CUBE, at(0.59, 0, 0)), True),
        (("CAPSULE", ROD, at(0, 0, 0)), ("BOX", CUBE, at(0.61, 0, 0)), False),
        (("CAPSULE", ROD, at(0, 0, 0)), ("BOX", CUBE, at(0, 0, 1.49)), True),
        (("CAPSULE", ROD, at(0, 0, 0)), ("BOX", CUBE, at(9, 0, 0)), False),
    ],
)
def test_two_solids_touch_or_do_not(a, b, touch):
    assert overlap(lying(*a), lying(*b), 0.0) is touch
    assert overlap(lying(*b), lying(*a), 0.0) is touch


def test_a_margin_counts_what_is_nearly_touching():
    solids = [lying("BOX", CUBE, at(x, 0, 0)) for x in (0.0, 1.01)]
    assert overlap(*solids, 0.02)
