"""The skin of an armature at rest, as far as soles need it: the lowest vertices and the bones that move them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import bpy
import numpy as np
from mathutils import Matrix

from ..core.rig.rest_vertices import RestVertices

# Only vertices within this share of the skin's height over its lowest point are read, and at most so many.
LOW_SHARE = 0.3
MOST_VERTICES = 20_000
LEAST_WEIGHT = 0.05


def low_vertices(armature_object: bpy.types.Object, index: Mapping[str, int], upright: Matrix) -> RestVertices | None:
    """The low rest vertices of all meshes that this armature moves; None if it moves none.

    `index` maps bone names to the skeleton's bones, `upright` maps armature space to model space.
    """
    skins = [
        (mesh, points) for mesh, matrix in _skins(armature_object) if len(points := _points(mesh, upright @ matrix))
    ]
    if not skins:
        return None
    heights = np.concatenate([points[:, 2] for _, points in skins])
    limit = float(heights.min() + LOW_SHARE * np.ptp(heights))
    if len(heights) > MOST_VERTICES:
        limit = min(limit, float(np.partition(heights, MOST_VERTICES)[MOST_VERTICES]))
    rows: list[tuple[float, float, float, int, float]] = []
    for mesh, points in skins:
        rows.extend(_rows(mesh, points, limit, index, armature_object.data))
    if not rows:
        return None
    table = np.array(rows, dtype=np.float64)
    return RestVertices(table[:, :3], table[:, 3].astype(np.int64), table[:, 4])


def _skins(armature_object: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, Matrix]]:
    """Each mesh that the armature moves, with the matrix that maps it to armature space at rest."""
    to_armature = armature_object.matrix_world.inverted_safe()
    for obj in sorted(bpy.data.objects, key=lambda item: (item.library is not None, item.name)):
        if obj.type != "MESH":
            continue
        skinned = any(m.type == "ARMATURE" and m.object == armature_object for m in obj.modifiers)
        if skinned or (obj.parent == armature_object and obj.parent_type == "ARMATURE"):
            yield obj, to_armature @ obj.matrix_world
        elif obj.parent == armature_object and obj.parent_type == "BONE":
            bone = armature_object.data.bones.get(obj.parent_bone)
            if bone is not None:
                tail = bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0))
                yield obj, tail @ obj.matrix_parent_inverse @ obj.matrix_basis


def _points(obj: bpy.types.Object, matrix: Matrix) -> np.ndarray:
    vertices = obj.data.vertices
    flat = np.empty(3 * len(vertices), dtype=np.float32)
    vertices.foreach_get("co", flat)
    turn = np.array(matrix, dtype=np.float64)
    return flat.reshape(-1, 3) @ turn[:3, :3].T + turn[:3, 3]


def _rows(
    obj: bpy.types.Object, points: np.ndarray, limit: float, index: Mapping[str, int], armature: bpy.types.Armature
) -> Iterator[tuple[float, float, float, int, float]]:
    """(x, y, z, bone, weight) of each low vertex and each bone that moves it."""
    low = np.flatnonzero(points[:, 2] <= limit)
    if obj.parent_type == "BONE" and obj.parent_bone:
        bone = index.get(obj.parent_bone, -1)
        for i in low.tolist() if bone >= 0 else ():
            yield (*points[i].tolist(), bone, 1.0)
        return
    deforming = {bone.name for bone in armature.bones if bone.use_deform}
    bones = {group.index: _bone_of(group.name, index) for group in obj.vertex_groups if group.name in deforming}
    vertices = obj.data.vertices
    for i in low.tolist():
        entries = [(bones[entry.group], entry.weight) for entry in vertices[i].groups if entry.group in bones]
        total = sum(weight for _, weight in entries)  # the modifier shares out what is there
        for bone, weight in entries:
            if bone >= 0 and total > 0.0 and weight >= LEAST_WEIGHT * total:
                yield (*points[i].tolist(), bone, weight / total)


def _bone_of(group: str, index: Mapping[str, int]) -> int:
    """The skeleton's bone for a vertex group; of a generated rig the bone whose place a deform bone takes."""
    if group in index:
        return index[group]
    base = re.sub(r"\.\d{3}$", "", group.removeprefix("DEF-"))
    return next((index[name] for name in (f"ORG-{base}", f"DEF-{base}") if name in index), -1)
