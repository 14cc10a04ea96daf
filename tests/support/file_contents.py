"""All that a file holds, as plain values: every property of every data-block, by what Blender itself says it has."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any

import bpy

# What belongs to the window or to evaluation and not to the file's contents.
NOT_CONTENTS = frozenset({"all_ids", "window_managers", "screens", "workspaces"})
RUN_TIME = frozenset({
    "rna_type", "session_uid", "is_evaluated", "is_updated", "is_updated_data", "tag", "preview", "depsgraph",
    "original", "is_runtime_data", "is_visible", "particle_edit",
})  # fmt: skip
# Of a mesh, what its vertices and attributes say already.
DERIVED = frozenset({
    "loops", "edges", "loop_triangles", "loop_triangle_polygons", "polygons", "corner_normals", "polygon_normals",
    "vertex_normals",
})  # fmt: skip

Contents = dict[tuple[str, str], dict[str, Any]]


def contents() -> Contents:
    """(collection, name) of every data-block to the values of all its properties by their paths.

    Read twice, since reading alone makes Blender store some attributes of a mesh in another way.
    """
    _all_values()
    return _all_values()


def _all_values() -> Contents:
    found: Contents = {}
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION" and prop.identifier not in NOT_CONTENTS:
            for block in getattr(bpy.data, prop.identifier):
                found[prop.identifier, block.name_full] = dict(_values(block, "", set()))
    return found


def differences(before: Contents, after: Contents) -> list[str]:
    """What is not the same, as lines: `objects/Cube/location was ... and is ...`."""
    lines = [f"{'/'.join(item)} is gone" for item in before if item not in after]
    lines += [f"{'/'.join(item)} is new" for item in after if item not in before]
    for item, values in before.items():
        now = after.get(item, values)
        for path in sorted({*values, *now}):
            was, is_now = values.get(path, "nothing"), now.get(path, "nothing")
            if was != is_now:
                lines.append(f"{'/'.join(item)}/{path} was {was} and is {is_now}")
    return lines


def _values(struct: Any, path: str, seen: set[tuple[str, int]]) -> Iterator[tuple[str, Any]]:
    """The values of a struct and of all that it owns; what it only refers to is told by its name."""
    key = (struct.bl_rna.identifier, struct.as_pointer())
    if key in seen:
        return
    seen.add(key)
    for prop in struct.bl_rna.properties:
        name = prop.identifier
        if name in RUN_TIME and (name != "preview" or prop.type != "BOOLEAN"):
            continue
        if name in DERIVED and isinstance(struct, bpy.types.Mesh):
            continue
        if name == "users" and struct.is_embedded_data:
            continue
        value, here = getattr(struct, name), f"{path}.{name}" if path else name
        if prop.type == "POINTER":
            yield from _pointed(value, here, seen)
        elif prop.type == "COLLECTION":
            yield f"{here}.length", len(value)
            for i, item in enumerate(value):
                yield from _pointed(item, f"{here}[{i}]", seen)
        else:
            yield here, _plain(value)


def _pointed(value: Any, path: str, seen: set[tuple[str, int]]) -> Iterator[tuple[str, Any]]:
    if value is None:
        yield path, None
    elif isinstance(value, bpy.types.ID) and value.name_full in getattr(bpy.data, _home(value), ()):
        yield path, (type(value).__name__, value.name_full)
    else:
        yield from _values(value, path, seen)


def _home(block: bpy.types.ID) -> str:
    """The collection of bpy.data that holds blocks of this kind."""
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION" and isinstance(block, getattr(bpy.types, prop.fixed_type.identifier)):
            return prop.identifier
    return ""


def _plain(value: Any) -> Any:
    if isinstance(value, float) and isnan(value):
        return "not a number"
    if isinstance(value, set):
        return sorted(value)
    if hasattr(value, "__len__") and not isinstance(value, str | bytes):
        return tuple(_plain(item) for item in value)
    return value
