"""Build one of the characters that ship: an armature and its skinned body, from a preset of plain data."""

from __future__ import annotations

from functools import lru_cache
from math import radians
from pathlib import Path

import bpy
from bpy.types import Context, Material, Mesh, Object
from mathutils import Matrix, Vector

from ..core.rig.blueprint import Blueprint, read_blueprint
from ..core.rig.body_mesh import BodyMesh, build_body
from .refusal import RefusedError
from .scene_units import metres_per_unit
from .texts import text

CHARACTERS = Path(__file__).resolve().parent.parent / "presets" / "characters"
SHARP = radians(50.0)


@lru_cache(maxsize=1)
def characters() -> dict[str, Blueprint]:
    """The characters that ship, by preset name in capitals (`PERSON`), in the order of their files."""
    return {path.stem.upper(): read_blueprint(path) for path in sorted(CHARACTERS.glob("*.toml"))}


def add_character(context: Context, preset: str, location: Vector) -> Object:
    """Add the character to the scene and make it active; the armature, which stands at `location` facing -Y."""
    known = characters()
    if preset not in known:
        raise RefusedError(text("no_such_character", name=preset, known=", ".join(known)))
    if context.mode != "OBJECT":
        raise RefusedError(text("object_mode"))
    blueprint = known[preset]
    armature = _armature(context, blueprint)
    armature.location = location
    body = body_object(blueprint, build_body(blueprint))
    armature.users_collection[0].objects.link(body)
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    armature.surefoot.speed = blueprint.speed
    for name, value in blueprint.settings.items():
        setattr(armature.surefoot, name, value)
    units = Matrix.Scale(1.0 / metres_per_unit(context.scene), 4)
    for data in (armature.data, body.data) if units != Matrix() else ():
        data.transform(units)
    return armature


def _armature(context: Context, blueprint: Blueprint) -> Object:
    data = bpy.data.armatures.new(blueprint.name)
    data.display_type = "WIRE"
    armature = bpy.data.objects.new(blueprint.name, data)
    # The bones lie within the body: in Pose Mode they could be neither seen nor picked.
    armature.show_in_front = True
    context.collection.objects.link(armature)
    for other in context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for spec in blueprint.bones:
        bone = data.edit_bones.new(spec.name)
        bone.head, bone.tail = spec.head, spec.tail
        bone.align_roll(spec.z)
        bone.use_deform = spec.deform
        if spec.parent:
            bone.parent = data.edit_bones[spec.parent]
            bone.use_connect = spec.connected
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def body_object(blueprint: Blueprint, shape: BodyMesh) -> Object:
    """The body's mesh as an object with its materials and vertex groups, not yet in any collection."""
    mesh = bpy.data.meshes.new(f"{blueprint.name} body")
    mesh.from_pydata(shape.vertices.tolist(), [], shape.faces)
    order = {name: i for i, name in enumerate(blueprint.colors)}
    for name, color in blueprint.colors.items():
        mesh.materials.append(_material(f"{blueprint.name} {name}", color))
    mesh.polygons.foreach_set("material_index", [order[name] for name in shape.colors])
    _smooth(mesh)
    body = bpy.data.objects.new(mesh.name, mesh)
    for name, (indices, weights) in shape.weights.items():
        group = body.vertex_groups.new(name=name)
        for index, weight in zip(indices.tolist(), weights.tolist(), strict=True):
            group.add((index,), weight, "REPLACE")
    return body


def _smooth(mesh: Mesh) -> None:
    """Smooth shading, but the edges of soles stay sharp."""
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=SHARP)
    mesh.validate()
    mesh.update()


def _material(name: str, color: tuple[float, float, float]) -> Material:
    """The colour for viewport and render; a second character of the kind shares it while nobody changed it."""
    known = bpy.data.materials.get(name)
    if known is not None and known.library is None and tuple(known.diffuse_color[:3]) == _stored(color):
        return known
    material = bpy.data.materials.new(name)
    material.diffuse_color = (*color, 1.0)
    material.roughness = 0.7
    if material.node_tree is None:  # up to 4.5; later a material always has nodes
        material.use_nodes = True
    surface = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    surface.inputs["Base Color"].default_value = (*color, 1.0)
    surface.inputs["Roughness"].default_value = 0.7
    return material


def _stored(color: tuple[float, float, float]) -> tuple[float, float, float]:
    """The colour as Blender's single precision keeps it."""
    return tuple(Vector(color))
