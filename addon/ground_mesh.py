"""Meshes as search trees: read once per shape, shared by everything that has that shape."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

SMALL = 20_000
"""Triangles up to which a mesh is read into numbers (and still ones are merged); larger ones Blender reads itself."""

Fingerprint = tuple[int, int, int, int]


def fingerprint(mesh: bpy.types.Mesh) -> Fingerprint:
    """What tells one shape from another: counts, and checksums of the places and of the corners."""
    places = vertex_places(mesh)
    corners = np.empty(len(mesh.loops), np.int32)
    of_corners = mesh.attributes.get(".corner_vert")
    if of_corners is None:
        mesh.loops.foreach_get("vertex_index", corners)
    elif len(corners):
        of_corners.data.foreach_get("value", corners)
    return len(mesh.vertices), len(mesh.polygons), zlib.crc32(places), zlib.crc32(corners)


def vertex_places(mesh: bpy.types.Mesh) -> np.ndarray:
    """The vertices' places, (3 n,) float32. Of a mesh that is being edited the fast way, by attribute, has none."""
    places = np.empty(len(mesh.vertices) * 3, np.float32)
    by_attribute = mesh.attributes.get("position")
    if by_attribute is None:
        mesh.vertices.foreach_get("co", places)
    else:
        by_attribute.data.foreach_get("vector", places)
    return places


@dataclass(frozen=True)
class Triangles:
    """A mesh in numbers: vertex places (vertices, 3) and corner indices (triangles, 3)."""

    places: np.ndarray
    corners: np.ndarray

    def moved(self, matrix: Matrix) -> Triangles:
        """The same triangles after a transform."""
        m = np.array(matrix, dtype=np.float64)
        return Triangles(self.places @ m[:3, :3].T + m[:3, 3], self.corners)

    def tree(self) -> BVHTree:
        """A search tree whose face numbers are the triangles'."""
        return BVHTree.FromPolygons(self.places.tolist(), self.corners.tolist(), all_triangles=True)

    def corner_places(self, triangle: int) -> tuple[Vector, Vector, Vector]:
        """The places of a triangle's corners."""
        a, b, c = self.places[self.corners[triangle]].tolist()
        return Vector(a), Vector(b), Vector(c)


def triangles_of(mesh: bpy.types.Mesh) -> Triangles:
    """The mesh's triangles."""
    places = vertex_places(mesh)
    corners = np.empty(len(mesh.loop_triangles) * 3, np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    return Triangles(places.reshape(-1, 3).astype(np.float64), corners.reshape(-1, 3))


def triangle_count(mesh: bpy.types.Mesh) -> int:
    """How many triangles the mesh has."""
    return len(mesh.loops) - 2 * len(mesh.polygons)


def large_tree(mesh: bpy.types.Mesh, stretch: Matrix) -> BVHTree:
    """A search tree of a large mesh after a transform, read by Blender itself."""
    copy = bmesh.new()
    try:
        copy.from_mesh(mesh, face_normals=False, vertex_normals=False)
        copy.transform(stretch)
        return BVHTree.FromBMesh(copy)
    finally:
        copy.free()
