"""A character's bodies in the user's own rigid body world, on request: what it falls against is pushed.

They are passive, hang on the rig's bones, and lie in one collection that goes without a trace. Nothing else of the
user's world is touched; what they push is simulated anew by Blender as soon as the timeline is played from its start.
"""

from __future__ import annotations

import bpy
from bpy.types import Collection, Mesh, Object
from mathutils import Matrix, Quaternion

from ..core.ragdoll.plan import Body
from .ragdoll_plan import Built, built_of
from .refusal import RefusedError, layer_of, why_not_character
from .simulate import scene_of
from .texts import text

MARK = "surefoot_pushing_body"
"""A custom property on what is ours; everything else in the collection is somebody's."""


def has_colliders(obj: Object) -> bool:
    """True while a character pushes the scene's rigid bodies this way."""
    return obj.surefoot.fall_colliders is not None


def add_colliders(obj: Object) -> Collection:
    """Put a character's bodies into the rigid body world of its scene; those of before go."""
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    scene = scene_of(obj)
    world = scene.rigidbody_world
    if world is None or not world.enabled or world.collection is None:
        raise RefusedError(text("push_no_world", name=obj.name))
    if world.point_cache.is_baked:
        raise RefusedError(text("push_baked", name=obj.name))
    built = built_of(obj, scene)
    remove_colliders(obj)
    home = bpy.data.collections.new(text("fall_colliders_name", name=obj.name))
    scene.collection.children.link(home)
    bodies = [_on_bone(obj, built, body) for body in built.plan.bodies]
    for body in bodies:
        home.objects.link(body)
        world.collection.objects.link(body)
    # Only an evaluation makes a body of what is in the world's collection.
    layer_of(scene).update()
    for body, shape in zip(bodies, (body.shape for body in built.plan.bodies), strict=True):
        _set_up(body, shape)
    obj.surefoot.fall_colliders = home
    return home


def remove_colliders(obj: Object) -> int:
    """Take them out of the file again, with their collection; how many there were."""
    home = obj.surefoot.fall_colliders
    obj.surefoot.fall_colliders = None
    return 0 if home is None else _remove(home)


def _remove(home: Collection) -> int:
    found = [item for item in home.all_objects if MARK in item]
    meshes = [item.data for item in found]
    for item in found:
        bpy.data.objects.remove(item, do_unlink=True)
    bpy.data.batch_remove([mesh for mesh in meshes if isinstance(mesh, Mesh) and mesh.users == 0])
    if not (home.objects or home.children):
        bpy.data.collections.remove(home)
    return len(found)


def _on_bone(obj: Object, built: Built, body: Body) -> Object:
    """A mesh of two corners, whose box is the body's, on the bone that the body stands for."""
    x, y, z = (0.5 * size for size in body.size)
    mesh = bpy.data.meshes.new(body.role)
    mesh.from_pydata([(-x, -y, -z), (x, y, z)], [], [])
    made = bpy.data.objects.new(f"{obj.name} {body.role}", mesh)
    made[MARK] = body.role
    made.hide_render = made.hide_select = True
    made.display_type = "BOUNDS"
    bone = obj.data.bones.get(built.reading.rig.skeleton.bones[body.bones[len(body.bones) // 2]].name)
    made.parent, made.parent_type, made.parent_bone = obj, "BONE", bone.name
    made.matrix_parent_inverse = Matrix()
    rest = Matrix.LocRotScale(body.rest.origin, Quaternion(body.rest.turn), None)
    end = bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0))
    made.matrix_basis = end.inverted() @ built.reading.canonical.inverted() @ rest
    return made


def _set_up(obj: Object, shape: str) -> None:
    body = obj.rigid_body
    body.type, body.kinematic, body.collision_shape = "PASSIVE", True, shape
    body.use_margin, body.collision_margin, body.friction = True, 0.0, 1.0
    body.collision_collections = (True,) * len(body.collision_collections)
