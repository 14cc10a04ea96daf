"""All of the skin of an armature at rest, as far as a body's solids need it: at most so many vertices, evenly taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from bpy.types import Armature, Object
from mathutils import Matrix

from ..core.rig.rest_vertices import RestVertices
from .rest_skin import LEAST_WEIGHT, _bone_of, _points, _skins

# Of more vertices than this every second, third and so on is read.
MOST_VERTICES = 12_000


def whole_skin(armature_object: Object, index: Mapping[str, int], upright: Matrix) -> RestVertices | None:
    """The rest vertices of all meshes that this armature moves; None if it moves none.

    `index` maps bone names to the skeleton's bones, `upright` maps armature space to model space.
    """
    skins = list(_skins(armature_object))
    total = sum(len(mesh.data.vertices) for mesh, _ in skins)
    step = max(1, -(-total // MOST_VERTICES))
    rows = [row for mesh, matrix in skins for row in _rows(mesh, upright @ matrix, step, index, armature_object.data)]
    if not rows:
        return None
    table = np.array(rows, dtype=np.float64)
    return RestVertices(table[:, :3], table[:, 3].astype(np.int64), table[:, 4])


def skin_key(armature_object: Object) -> tuple[tuple[str, int, tuple[float, ...]], ...]:
    """What tells that a skin is another one: its meshes, how many vertices they have, and where they lie."""
    return tuple(
        (mesh.name, len(mesh.data.vertices), tuple(round(value, 5) for row in matrix for value in row))
        for mesh, matrix in _skins(armature_object)
    )


def _rows(
    mesh: Object, matrix: Matrix, step: int, index: Mapping[str, int], armature: Armature
) -> Iterator[tuple[float, float, float, int, float]]:
    """(x, y, z, bone, weight) of each vertex and each bone that moves it."""
    points = _points(mesh, matrix)
    vertices = range(0, len(points), step)
    if mesh.parent_type == "BONE" and mesh.parent_bone:
        bone = index.get(mesh.parent_bone, -1)
        for i in vertices if bone >= 0 else ():
            yield (*points[i].tolist(), bone, 1.0)
        return
    deforming = {bone.name for bone in armature.bones if bone.use_deform}
    bones = {group.index: _bone_of(group.name, index) for group in mesh.vertex_groups if group.name in deforming}
    data = mesh.data.vertices
    for i in vertices:
        entries = [(bones[entry.group], entry.weight) for entry in data[i].groups if entry.group in bones]
        total = sum(weight for _, weight in entries)
        for bone, weight in entries:
            if bone >= 0 and weight >= LEAST_WEIGHT * total > 0.0:
                yield (*points[i].tolist(), bone, weight / total)
