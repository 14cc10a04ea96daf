"""Rigs that walk in Blender's tests, each added to the present scene by its name."""

from __future__ import annotations

from pathlib import Path

import bpy
from mathutils import Vector
from surefoot.addon.add_character import add_character

from .real_rigs import import_file
from .rigify_rigs import generated_rig

OURS = ("person", "dog", "spider", "horse", "bird", "beetle")
RIGIFY = ("rigify human", "rigify wolf", "rigify horse", "rigify cat", "rigify bird")
FILES = (
    "quaternius_Male_Suit.fbx",
    "khronos_CesiumMan.gltf",
    "mh_default_163bones.glb",
    "mesh2motion_spider.glb",
    "quaternius_Velociraptor.fbx",
)


def add_rig(name: str, shared_data: Path | None = None) -> bpy.types.Object:
    """Ours by preset, Rigify's by kind, others by their file's name in the shared folder."""
    if name in OURS:
        return add_character(bpy.context, name.upper(), Vector((0.0, 0.0, 0.0)))
    if name in RIGIFY:
        return generated_rig(name.removeprefix("rigify "))
    return import_rigs(next(shared_data.rglob(name)))[0]


def import_rigs(path: Path) -> list[bpy.types.Object]:
    """All armatures that Blender's importer makes of a file, as it leaves them: scaled, turned, animated."""
    before = set(bpy.data.objects)
    import_file(path)
    return [obj for obj in bpy.data.objects if obj not in before and obj.type == "ARMATURE"]
