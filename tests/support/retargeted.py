"""One rig's motion put on another in a test, and which joints its limbs have."""

from __future__ import annotations

from typing import Any

import bpy
from surefoot.addon.retarget import RetargetOptions, retarget
from surefoot.addon.texts import text
from surefoot.core.retarget.config import RetargetConfig

ARMS = [(f"{a}.{s}", f"{b}.{s}") for s in "LR" for a, b in (("upper_arm", "forearm"), ("forearm", "hand"))]
LIMBS = ("thigh", "shin", "foot", "toe", "shoulder", "upper_arm", "forearm", "hand")
LEGS = [(f"{a}.{s}", f"{b}.{s}") for s in "LR" for a, b in (("thigh", "shin"), ("shin", "foot"))]


def moved(source: bpy.types.Object, target: bpy.types.Object, **options: Any) -> Any:
    return retarget(source, target, RetargetOptions(**options))


def rest_keyed(rig: bpy.types.Object, last: int = 10) -> bpy.types.Object:
    """A source that stays at rest."""
    for frame in (1, last):
        rig.pose.bones["pelvis"].keyframe_insert("location", frame=frame)
    return rig


def free() -> Any:
    """Feet where the joints' directions put them."""
    return RetargetConfig(feet="FREE")


def free_said() -> str:
    return text("retarget_feet_free")
