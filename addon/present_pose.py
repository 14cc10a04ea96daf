"""How an armature, or a hierarchy of empties, is posed at the moment: what a person set by hand."""

from __future__ import annotations

from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ..core.motion.rigid_motion import as_rigid
from ..core.rig.rig import Rig
from .motion_empties import joints_of, worlds_of


class PresentPose(NamedTuple):
    """What is shown: the object in the world, and each bone in armature space, or each empty in the world, by name.

    `metres` are those in a unit of `world`.
    """

    world: Matrix
    bones: dict[str, np.ndarray]
    metres: float

    def moved(self, rig: Rig, unrest: np.ndarray) -> np.ndarray:
        """How the bones of a rig are moved from rest in the world, (B, 4, 4), metres; `unrest` as a motion has it."""
        names = [bone.name for bone in rig.skeleton.bones]
        shown = np.array(self.world) @ np.array([self.bones[name] for name in names]) @ unrest
        shown[:, :3] *= self.metres
        return as_rigid(shown[None], np.array([tuple(bone.head) for bone in rig.skeleton.bones]))[0][0]


def present_pose(obj: Object, metres: float) -> PresentPose:
    """The pose at the shown frame, everything that acts on it included."""
    layer = bpy.context.view_layer
    layer.update()
    if obj.type != "ARMATURE":
        joints = joints_of(obj)
        places = worlds_of(joints, layer.depsgraph, metres)
        return PresentPose(Matrix.Identity(4), {joint.name: at for joint, at in zip(joints, places, strict=True)}, 1.0)
    shown = obj.evaluated_get(layer.depsgraph) if obj.name in layer.objects else obj
    bones = {bone.name: np.array(bone.matrix, dtype=np.float64) for bone in shown.pose.bones}
    return PresentPose(shown.matrix_world.copy(), bones, metres)
