"""Meshes as physics takes them best: what is a box as a box, what is a flat floor as a thick one, the rest as it is.

A box is met from inside too, a mesh only at its faces: what is quick, and small, gets through those.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import bmesh
import numpy as np
from mathutils import Matrix

from ..core.space.rigid import Triple, Turn
from .ground_mesh import Triangles

EXACT = 1e-4
"""What counts as square, flat and the same, as a share of the whole."""
LEVEL = 0.5
"""A flat thing whose normal goes up so far is a floor."""
BOX_CORNERS, BOX_FACES = 8, 12
MOST_PIECES, MOST_FACES = 200, 20_000
LEAST_HULL = 4


class Box(NamedTuple):
    """A box: its middle, its own axes (rows) and its lengths along those."""

    place: np.ndarray
    axes: np.ndarray
    size: np.ndarray


def pieces(triangles: Triangles) -> list[Triangles]:
    """The parts of a mesh that hang together; all as one where there are very many, or it is a terrain."""
    corners = triangles.corners
    if len(corners) <= BOX_FACES or len(corners) > MOST_FACES:
        return [triangles]
    label = np.arange(len(triangles.places))
    while True:
        least = label[corners].min(axis=1)
        lower = label.copy()
        np.minimum.at(lower, corners.ravel(), np.repeat(least, 3))
        lower = lower[lower]
        if (lower == label).all():
            break
        label = lower
    of_face = label[corners[:, 0]]
    found = np.unique(of_face)
    if len(found) > MOST_PIECES:
        return [triangles]
    return [_with_own_places(triangles.places, corners[of_face == one]) for one in found]


def near(triangles: Triangles, middle: np.ndarray, far: float) -> Triangles:
    """The faces that are not further away than this in the plan."""
    faces = triangles.places[triangles.corners][:, :, :2] - middle[:2]
    keeps = ((faces.min(axis=1) <= far) & (faces.max(axis=1) >= -far)).all(axis=1)
    return triangles if keeps.all() else _with_own_places(triangles.places, triangles.corners[keeps])


def is_closed(triangles: Triangles) -> bool:
    """True where no edge has only one face: what is inside of it is told from what is outside."""
    return not len(_rim(triangles.corners))


def facing_up(triangles: Triangles) -> Triangles:
    """An open mesh with no face downward: ground counts from above, whichever way its faces were made."""
    faces = triangles.places[triangles.corners]
    down = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])[:, 2] < 0.0
    corners = triangles.corners.copy()
    corners[down] = corners[down][:, ::-1]
    return Triangles(triangles.places, corners)


def box_of(triangles: Triangles) -> Box | None:
    """The mesh as a box, None where it is none."""
    places = _different(triangles.places)
    if len(places) != BOX_CORNERS or len(triangles.corners) != BOX_FACES:
        return None
    ways = places[1:] - places[0]
    size = float(np.ptp(places, axis=0).max())
    for three in combinations(range(BOX_CORNERS - 1), 3):
        edges = ways[list(three)]
        lengths = np.linalg.norm(edges, axis=1)
        square = abs(edges @ edges.T - np.diag(lengths**2)).max() <= EXACT * size * size
        if square and lengths.min() > EXACT * size and _has_corners(ways, edges, EXACT * size):
            return Box(places[0] + edges.sum(axis=0) / 2.0, _right_handed(edges / lengths[:, None]), lengths)
    return None


def floor_of(triangles: Triangles, thick: float) -> Box | None:
    """A flat rectangle, however divided, as a box of some thickness below it; None where it is none, or stands."""
    faces = triangles.places[triangles.corners]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    if not areas.sum() > 0.0:
        return None
    normal = normals[areas.argmax()] / areas.max()
    normal = normal if normal[2] >= 0.0 else -normal
    middle = triangles.places.mean(axis=0)
    size = float(np.ptp(triangles.places, axis=0).max())
    if normal[2] < LEVEL or abs((triangles.places - middle) @ normal).max() > EXACT * size:
        return None
    rim = triangles.places[_rim(triangles.corners)]
    edges = rim[:, 1] - rim[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    if not lengths.any():
        return None
    along = edges[lengths.argmax()] / lengths.max()
    axes = np.array((along, np.cross(normal, along), normal))
    own = (triangles.places - middle) @ axes.T
    low, high = own.min(axis=0), own.max(axis=0)
    sides = (high - low)[:2]
    if abs(sides.prod() - areas.sum() / 2.0) > EXACT * size * size:
        return None
    centre = middle + axes.T @ np.array((*(low + high)[:2] / 2.0, -thick / 2.0))
    return Box(centre, axes, np.array((*sides, thick)))


def hull_of(places: np.ndarray) -> Triangles | None:
    """The convex hull of places, None where they lie in a plane."""
    hull = bmesh.new()
    try:
        vertices = [hull.verts.new(place) for place in places.tolist()]
        made = bmesh.ops.convex_hull(hull, input=vertices, use_existing_faces=False)
        faces = [item for item in made["geom"] if isinstance(item, bmesh.types.BMFace)]
        corners = [vertex.co[:] for face in faces for vertex in face.verts]
    finally:
        hull.free()
    if len(faces) < LEAST_HULL:
        return None
    found, renamed = np.unique(np.array(corners, np.float64), axis=0, return_inverse=True)
    return Triangles(found, renamed.reshape(-1, 3))


def turn_of(axes: np.ndarray) -> Turn:
    """The turn that brings x, y, z to these axes (rows, right-handed)."""
    w, x, y, z = Matrix(axes.T.tolist()).to_quaternion()
    return w, x, y, z


def triple(numbers: np.ndarray) -> Triple:
    """Three plain floats."""
    x, y, z = numbers.tolist()
    return x, y, z


def _rim(corners: np.ndarray) -> np.ndarray:
    """The edges that only one face has, as pairs of vertices."""
    edges = np.concatenate((corners[:, :2], corners[:, 1:], corners[:, ::2])).astype(np.int64)
    most = int(corners.max()) + 1
    # One number tells an edge: sorting those is ten times as quick as sorting pairs.
    found, counts = np.unique(edges.min(axis=1) * most + edges.max(axis=1), return_counts=True)
    once = found[counts == 1]
    return np.stack((once // most, once % most), axis=1)


def _has_corners(ways: np.ndarray, edges: np.ndarray, close: float) -> bool:
    """Whether all corners of a box are there, seen from one of them."""
    a, b, c = edges
    wanted = np.array((a, b, c, a + b, b + c, c + a, a + b + c))
    return bool((np.linalg.norm(wanted[:, None] - ways[None], axis=2).min(axis=1) <= close).all())


def _right_handed(axes: np.ndarray) -> np.ndarray:
    return axes if np.linalg.det(axes) > 0.0 else axes * np.array(((-1.0,), (1.0,), (1.0,)))


def _different(places: np.ndarray) -> np.ndarray:
    """The places without those that are there twice."""
    if len(places) > 2 * BOX_FACES * 3:
        return places
    close = EXACT * max(float(np.ptp(places, axis=0).max()), 1e-12)
    found: list[np.ndarray] = []
    for place in places:
        if all(abs(place - other).max() > close for other in found):
            found.append(place)
    return np.array(found)


def _with_own_places(places: np.ndarray, corners: np.ndarray) -> Triangles:
    used, renamed = np.unique(corners, return_inverse=True)
    return Triangles(places[used], renamed.reshape(-1, 3))
