"""A curve object's first spline as points to walk along, in the curve's own space."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import bpy
from mathutils import Vector
from mathutils.geometry import interpolate_bezier

SPACING = 0.05
"""Sought distance of points on smooth pieces, in the curve's own units, within PIECES."""
PIECES = (8, 256)


def curve_points(ob: bpy.types.Object) -> tuple[list[Vector], bool]:
    """(points, closed) of an evaluated curve object; nothing for one that is empty or no curve.

    What modifiers make of the curve counts, unless it is drawn as a tube or ribbon: then its own spline does.
    """
    curve = ob.data
    if not isinstance(curve, bpy.types.Curve) or len(curve.splines) == 0:
        return [], False
    spline = curve.splines[0]
    closed = bool(spline.use_cyclic_u)
    if any(modifier.show_viewport for modifier in ob.modifiers) and _is_line(curve):
        return _line_points(ob), closed
    if spline.type == "BEZIER":
        return _bezier_points(spline), closed
    if spline.type == "NURBS":
        return _nurbs_points(spline), closed
    return [point.co.to_3d() for point in spline.points], closed


def _is_line(curve: bpy.types.Curve) -> bool:
    flat_filled = curve.dimensions == "2D" and str(curve.fill_mode) != "NONE"
    return not (curve.bevel_depth or curve.extrude or curve.bevel_object or flat_filled)


def _line_points(ob: bpy.types.Object) -> list[Vector]:
    """The vertices of the first line of the curve's evaluated mesh, in order."""
    mesh = ob.to_mesh()
    try:
        linked = {(min(edge.vertices), max(edge.vertices)) for edge in mesh.edges}
        points: list[Vector] = []
        for k, vertex in enumerate(mesh.vertices):
            if k and (k - 1, k) not in linked:
                break
            points.append(vertex.co.copy())
        return points
    finally:
        ob.to_mesh_clear()


def _count(a: Vector, b: Vector, c: Vector, d: Vector) -> int:
    """How many points a piece with these control points gets."""
    length = (b - a).length + (c - b).length + (d - c).length
    return min(max(ceil(length / SPACING), PIECES[0]), PIECES[1])


def _bezier_points(spline: bpy.types.Spline) -> list[Vector]:
    knots = list(spline.bezier_points)
    pairs = list(zip(knots, knots[1:], strict=False))
    if spline.use_cyclic_u and len(knots) > 1:
        pairs.append((knots[-1], knots[0]))
    points = [knots[0].co.copy()] if knots else []
    for start, end in pairs:
        control = (start.co, start.handle_right, end.handle_left, end.co)
        points.extend(interpolate_bezier(*control, _count(*control) + 1)[1:])
    return points


def _nurbs_points(spline: bpy.types.Spline) -> list[Vector]:
    """A spline's own curve by de Boor's rule, on Blender's uniform, endpoint or cyclic knots."""
    control = [point.co.copy() for point in spline.points]
    order = min(spline.order_u, len(control))
    if order < 2:
        return [point.to_3d() for point in control]
    if spline.use_cyclic_u:
        control += control[: order - 1]
    count = len(control)
    if spline.use_endpoint_u and not spline.use_cyclic_u:
        inner = count - order
        knots = [0.0] * order + [float(k) for k in range(1, inner + 1)] + [float(inner + 1)] * order
    else:
        knots = [float(k) for k in range(count + order)]
    # Weighted control points: x, y, z times the weight, and the weight.
    rational = [Vector((p.x * p.w, p.y * p.w, p.z * p.w, p.w)) for p in control]
    points: list[Vector] = []
    for span in range(order - 1, count):
        low, high = knots[span], knots[span + 1]
        if high <= low:
            continue
        local = [p.to_3d() for p in control[span - order + 1 : span + 1]]
        length = sum((b - a).length for a, b in zip(local, local[1:], strict=False)) / (order - 1)
        steps = min(max(ceil(length / SPACING), PIECES[0]), PIECES[1])
        first = 1 if points else 0
        points += [
            _de_boor(rational, knots, order, span, low + (high - low) * k / steps) for k in range(first, steps + 1)
        ]
    return points


def _de_boor(control: Sequence[Vector], knots: Sequence[float], order: int, span: int, at: float) -> Vector:
    work = [control[span - order + 1 + k].copy() for k in range(order)]
    for level in range(1, order):
        for k in range(order - 1, level - 1, -1):
            i = span - order + 1 + k
            share = (at - knots[i]) / (knots[i + order - level] - knots[i])
            work[k] = work[k - 1] * (1.0 - share) + work[k] * share
    x, y, z, w = work[order - 1]
    return Vector((x / w, y / w, z / w))
