"""Products of vectors of three: mathutils' cross also takes two dimensions, which gives its answer no one type."""

from __future__ import annotations

from mathutils import Quaternion, Vector


def cross(a: Vector, b: Vector) -> Vector:
    """The vector square to both, by the right hand."""
    return a.cross(b)


def triple(vector: Vector) -> tuple[float, float, float]:
    """A vector as plain floats, for a Memory."""
    return vector.to_tuple()


def quadruple(rotation: Quaternion) -> tuple[float, float, float, float]:
    """A quaternion as plain floats (w, x, y, z), for a Memory."""
    return rotation[:]  # type: ignore[return-value]
