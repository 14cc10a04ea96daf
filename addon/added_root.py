"""A root bone for a rig that has none: the one thing here that changes the armature itself, and only when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Vector

from .refusal import RefusedError
from .rig_reading import Reading
from .texts import text

NAME = "Root"
SHARE_OF_HEIGHT = 0.15


def add_root_bone(obj: Object, reading: Reading) -> str:
    """Add a bone on the floor under the body, facing forward, and hang all topmost bones on it; its name.

    The rest pose, the pose and the weights of all other bones stay. Blender makes the name one that is not taken.
    """
    _check(obj, reading)
    place, ahead, up, length = _at_rest(reading)
    with _edit_mode(obj):
        bones = obj.data.edit_bones
        tops = [bone for bone in bones if bone.parent is None and bone.use_local_location]
        root = bones.new(NAME)
        root.head, root.tail = place, place + ahead * length
        root.align_roll(up)
        root.use_deform = False
        for bone in tops:
            bone.parent, bone.use_connect = root, False
        name: str = root.name
    return name


def _check(obj: Object, reading: Reading) -> None:
    armature = obj.data
    if not armature.is_editable:
        raise RefusedError(text("root_linked_armature", armature=armature.name, name=obj.name))
    if armature.users - armature.use_fake_user > 1:
        raise RefusedError(text("root_shared_armature", armature=armature.name, name=obj.name))
    rig = reading.rig
    top = ([rig.body, *rig.skeleton.ancestors(rig.body)])[-1]
    bone = armature.bones[rig.skeleton.bones[top].name]
    if not bone.use_local_location:
        raise RefusedError(text("root_not_local", bone=bone.name))


def _at_rest(reading: Reading) -> tuple[Vector, Vector, Vector, float]:
    """Where the bone begins, which ways are ahead and up, and its length, in armature space and units."""
    rig, back = reading.rig, reading.canonical.inverted()
    ends = np.array([tuple(point) for bone in rig.skeleton.bones for point in (bone.head, bone.tail)])
    height = max(float(ends[:, 2].max()) - rig.floor, 0.5 * rig.leg_length)
    body = rig.skeleton.bones[rig.body].head
    # At the object's origin, where a root bone belongs; under the body where that stands somewhere else.
    near = Vector((body.x, body.y)).length <= rig.leg_length
    place = Vector((0.0 if near else body.x, 0.0 if near else body.y, rig.floor))
    turn = back.to_3x3().normalized()
    return (
        back @ place,
        (turn @ Vector((0.0, 1.0, 0.0))).normalized(),
        (turn @ Vector((0.0, 0.0, 1.0))).normalized(),
        SHARE_OF_HEIGHT * height / reading.scale,
    )


@contextmanager
def _edit_mode(obj: Object) -> Iterator[None]:
    """The armature in Edit Mode; whoever was active, in whichever mode, is so again afterwards."""
    layer = bpy.context.view_layer
    active, mode = layer.objects.active, obj.mode
    if obj.name not in layer.objects:
        raise RefusedError(text("hidden", name=obj.name))
    if active is not None and active is not obj and active.mode != "OBJECT":
        raise RefusedError(text("root_other_mode", name=active.name))
    layer.objects.active = obj
    try:
        bpy.ops.object.mode_set(mode="EDIT")
        yield
    finally:
        bpy.ops.object.mode_set(mode=mode)
        layer.objects.active = active
