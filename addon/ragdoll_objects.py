"""The bodies of an armature as wire meshes on its bones, to look at: one collection, gone again without a trace."""

from __future__ import annotations

import bpy
from bpy.types import Collection, Mesh, Object, Scene
from mathutils import Matrix, Quaternion

from ..core.ragdoll.plan import Body
from ..core.ragdoll.wires import solid_wire
from .ragdoll_plan import built_of
from .refusal import RefusedError
from .texts import text

MARK = "surefoot_body"
"""A custom property on what is ours; everything else in the collection is somebody's."""


def show_bodies(obj: Object, scene: Scene | None = None) -> Collection:
    """Put each body into the scene as a wire mesh on its bone; those of before go."""
    if not obj.is_editable:
        raise RefusedError(text("ragdoll_linked", name=obj.name))
    scene = scene or bpy.context.scene
    built = built_of(obj, scene)
    hide_bodies(obj)
    collection = bpy.data.collections.new(text("ragdoll_collection", name=obj.name))
    scene.collection.children.link(collection)
    to_armature = built.reading.canonical.inverted()
    for body in built.plan.bodies:
        bone = obj.data.bones.get(built.reading.rig.skeleton.bones[body.bones[len(body.bones) // 2]].name)
        shown = bpy.data.objects.new(f"{obj.name} {body.role}", _mesh(body))
        shown[MARK] = body.role
        collection.objects.link(shown)
        shown.display_type = "WIRE"
        shown.hide_render = True
        shown.show_in_front = True
        # A child of the armature would be read as its skin.
        follow = shown.constraints.new("CHILD_OF")
        follow.target, follow.subtarget, follow.inverse_matrix = obj, bone.name, Matrix()
        shown.matrix_basis = bone.matrix_local.inverted() @ to_armature @ _rest(body)
    obj.surefoot.ragdoll_collection = collection
    return collection


def hide_bodies(obj: Object) -> int:
    """Remove those meshes and their collection; how many there were. What else was put there stays in the scene."""
    collection = obj.surefoot.ragdoll_collection
    if collection is None:
        return 0
    shown = [item for item in collection.all_objects if MARK in item]
    meshes = [item.data for item in shown]
    bpy.data.batch_remove(shown)
    bpy.data.batch_remove([mesh for mesh in meshes if mesh.users == 0])
    for parent in (*(scene.collection for scene in bpy.data.scenes), *bpy.data.collections):
        if collection.name in parent.children and parent.children[collection.name] == collection:
            for other in [item for item in collection.objects if item.name not in parent.objects]:
                parent.objects.link(other)
    bpy.data.collections.remove(collection)
    return len(shown)


def _mesh(body: Body) -> Mesh:
    wire = solid_wire(body.shape, body.size)
    mesh = bpy.data.meshes.new(body.role)
    mesh.from_pydata(wire.points, wire.edges, [])
    return mesh


def _rest(body: Body) -> Matrix:
    matrix = Quaternion(body.rest.turn).to_matrix().to_4x4()
    matrix.translation = body.rest.origin
    return matrix
