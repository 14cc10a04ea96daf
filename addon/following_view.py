"""The view that follows a driven character: in a run along a wall it comes round to the open side."""

from __future__ import annotations

from math import acos, atan2, copysign, hypot

from mathutils import Quaternion, Vector

UP = Vector((0.0, 0.0, 1.0))
OPEN = 0.35
"""How far out from the wall the eye stands at least: the cosine of its angle to the wall's normal, in the plan."""
HALFLIFE = 0.12
"""In so many seconds it comes half of the way there."""
STRAIGHT_DOWN = 1e-3


def opened(view: Quaternion, normal: Vector | None, seconds: float) -> Quaternion:
    """A view some seconds on: turned about Z towards the side that `normal` (world) points to, where that of a wall is
    given and the eye is not on it. It keeps its tilt.
    """
    eye = view @ UP
    if normal is None or hypot(eye.x, eye.y) < STRAIGHT_DOWN or hypot(normal.x, normal.y) < STRAIGHT_DOWN:
        return view
    off = atan2(normal.x * eye.y - normal.y * eye.x, normal.x * eye.x + normal.y * eye.y)
    if abs(off) <= acos(OPEN):
        return view
    turn = copysign(acos(OPEN), off) - off
    return Quaternion(UP, turn * (1.0 - 0.5 ** (seconds / HALFLIFE))) @ view
