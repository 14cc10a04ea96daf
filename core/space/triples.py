"""Vectors as three plain floats: in double precision, and quicker in long chains than objects."""

from __future__ import annotations

from math import hypot

from .rigid import Triple

NOTHING = 1e-12
"""A vector shorter than this has no direction."""


def unit(v: Triple, instead: Triple) -> Triple:
    """A vector at length 1, or another where it has none."""
    length = hypot(*v)
    return scaled(v, 1.0 / length) if length > NOTHING else instead


def square_to(v: Triple, line: Triple) -> Triple:
    """What of a vector is square to a unit vector."""
    return minus(v, scaled(line, dot(v, line)))


def dot(a: Triple, b: Triple) -> float:
    """The product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def product(a: Triple, b: Triple) -> Triple:
    """The vector square to both, by the right hand."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def plus(a: Triple, b: Triple) -> Triple:
    """Two vectors after one another."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Triple, b: Triple) -> Triple:
    """From the second to the first."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(v: Triple, k: float) -> Triple:
    """A vector times a number."""
    return v[0] * k, v[1] * k, v[2] * k
