"""Products of vectors of three: mathutils' cross also takes two dimensions, which gives its answer no one type."""

from __future__ import annotations

from mathutils import Vector


def cross(a: Vector, b: Vector) -> Vector:
    """The vector square to both, by the right hand."""
    return a.cross(b)
