"""Bodies for the demo's Rigify rigs, so that they can be seen: tubes over their deform bones, from data files."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path

import bpy


def dress(rig: bpy.types.Object, body_file: str, package: str) -> bpy.types.Object:
    """A body for a generated rig, skinned to its DEF bones; `package` is the installed extension's module name."""
    blueprint = import_module(f"{package}.core.rig.blueprint")
    data = tomllib.loads((Path(__file__).with_name("demo_data") / body_file).read_text(encoding="utf-8"))
    data["bones"] = [
        {"name": bone.name, "head": list(bone.head_local), "tail": list(bone.tail_local), "z": [0.31, 0.67, 0.23]}
        for bone in rig.data.bones
        if bone.use_deform and blueprint.mirrored(bone.name, to_left=True) == bone.name
    ]
    plan = blueprint.blueprint_from(data, body_file)
    mesh = import_module(f"{package}.core.rig.body_mesh").build_body(plan)
    body = import_module(f"{package}.addon.add_character").body_object(plan, mesh)
    rig.users_collection[0].objects.link(body)
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    return body
