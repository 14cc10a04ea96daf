"""Which solids touch or overlap: boxes and capsules, close enough to tell neighbours by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from mathutils import Quaternion

from ..space.rigid import Frame, Triple
from .plan import Body, Shape

# In so many places along its line a capsule is compared with a box.
PLACES = 17
FRONT, HIND, THIGH = "front_leg", "hind_leg", "thigh"


class Lying(NamedTuple):
    """A solid where it lies: its middle, its axes as columns (3, 3), half its lengths; `radius` 0 for a box.

    Of a capsule the half lengths are those of its line.
    """

    middle: np.ndarray
    axes: np.ndarray
    half: np.ndarray
    radius: float


def lying(shape: Shape, size: Triple, frame: Frame) -> Lying:
    """A solid in a frame."""
    axes = np.array(Quaternion(frame.turn).to_matrix())
    if shape == "BOX":
        return Lying(np.array(frame.origin), axes, 0.5 * np.array(size), 0.0)
    radius = 0.5 * max(size[0], size[1])
    return Lying(np.array(frame.origin), axes, np.array((0.0, 0.0, max(0.0, 0.5 * size[2] - radius))), radius)


def overlap(a: Lying, b: Lying, margin: float) -> bool:
    """True where two solids are nearer than `margin`."""
    reach = float(np.linalg.norm(a.half) + np.linalg.norm(b.half)) + a.radius + b.radius + margin
    if float(np.linalg.norm(a.middle - b.middle)) > reach:
        return False
    if a.radius > 0.0 and b.radius > 0.0:
        return _between_lines(a, b) < a.radius + b.radius + margin
    if a.radius > 0.0 or b.radius > 0.0:
        line, box = (a, b) if a.radius > 0.0 else (b, a)
        return _line_to_box(line, box) < line.radius + margin
    return _boxes(a, b, margin)


def _between_lines(a: Lying, b: Lying) -> float:
    """The distance of two capsules' lines, by points along one of them."""
    along = np.linspace(-1.0, 1.0, PLACES)[:, None] * a.half[2] * a.axes[:, 2] + a.middle
    axis, half = b.axes[:, 2], b.half[2]
    away = along - b.middle
    shares = np.clip(away @ axis, -half, half)
    return float(np.linalg.norm(away - shares[:, None] * axis, axis=1).min())


def _line_to_box(line: Lying, box: Lying) -> float:
    along = np.linspace(-1.0, 1.0, PLACES)[:, None] * line.half[2] * line.axes[:, 2] + line.middle
    local = np.abs((along - box.middle) @ box.axes)
    return float(np.linalg.norm(np.maximum(local - box.half, 0.0), axis=1).min())


def _boxes(a: Lying, b: Lying, margin: float) -> bool:
    """Separating axes: the faces of both, and the products of their edges (Gottschalk and others 1996)."""
    edges = [np.cross(p, q) for p in a.axes.T for q in b.axes.T]
    between = b.middle - a.middle
    for axis in (*a.axes.T, *b.axes.T, *edges):
        length = float(np.linalg.norm(axis))
        if length < 1e-6:
            continue
        reach = float(np.abs(axis @ a.axes) @ a.half + np.abs(axis @ b.axes) @ b.half) / length
        if abs(float(axis @ between)) / length > reach + margin:
            return False
    return True


def meet_in_stride(bodies: Sequence[Body]) -> set[tuple[int, int]]:
    """The pairs that any stride brings together, since solids are wider than what they stand for: a hind leg that steps
    into its side's front print meets that leg from the shin down, and a leg that folds lays its shin to the trunk.
    """
    below = {i for i, body in enumerate(bodies) if body.parent >= 0 and THIGH in bodies[body.parent].role}
    for i, body in enumerate(bodies):
        if body.parent in below:
            below.add(i)
    found = set()
    for i in sorted(below):
        limb, _, side = bodies[i].limb.partition(".")
        if limb == HIND:
            found |= {(min(i, j), max(i, j)) for j in below if bodies[j].limb == f"{FRONT}.{side}"}
        if THIGH in bodies[bodies[i].parent].role:
            trunk = bodies[i].parent
            while bodies[trunk].limb == bodies[i].limb and bodies[trunk].parent >= 0:
                trunk = bodies[trunk].parent
            found.add((trunk, i))
    return found
