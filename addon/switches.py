"""A control rig's switches: custom properties and IK numbers of bones that decide how its controls act.

Written typed (an integer property refuses a float) and only where they differ, so that a frame costs a few reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import bpy

Value = bool | int | float


class Switch(NamedTuple):
    """One switch and the value it needs. `path` follows the bone: `["IK_FK"]`, or a built-in number's name."""

    bone: str
    path: str
    value: Value

    @property
    def data_path(self) -> str:
        """Blender's path from the object."""
        bone = f'pose.bones["{bpy.utils.escape_identifier(self.bone)}"]'
        return bone + self.path if self.path.startswith("[") else f"{bone}.{self.path}"


def custom(bone: str, key: str, value: Value) -> Switch:
    """A switch that is a custom property."""
    return Switch(bone, f'["{bpy.utils.escape_identifier(key)}"]', value)


def value_of(armature_object: bpy.types.Object, switch: Switch) -> Value | None:
    """What the switch is set to; None where it is gone."""
    bone = armature_object.pose.bones.get(switch.bone)
    if bone is None:
        return None
    if switch.path.startswith("["):
        return bone.get(_key(switch))
    return getattr(bone, switch.path)


def set_switches(armature_object: bpy.types.Object, switches: Iterable[Switch]) -> None:
    """Give each switch its value in the type it has; those that are gone or right already are left."""
    for switch in switches:
        now = value_of(armature_object, switch)
        if now is None or now == switch.value:
            continue
        bone = armature_object.pose.bones[switch.bone]
        if switch.path.startswith("["):
            bone[_key(switch)] = type(now)(switch.value)
        else:
            setattr(bone, switch.path, switch.value)


def are_set(armature_object: bpy.types.Object, switches: Iterable[Switch]) -> bool:
    """True where every switch that is there has its value."""
    return all(value_of(armature_object, switch) in {None, switch.value} for switch in switches)


def captured(armature_object: bpy.types.Object, switches: Iterable[Switch]) -> tuple[Switch, ...]:
    """The same switches with the values they have now."""
    found = ((switch, value_of(armature_object, switch)) for switch in switches)
    return tuple(switch._replace(value=value) for switch, value in found if value is not None)


def _key(switch: Switch) -> str:
    return bpy.utils.unescape_identifier(switch.path[2:-2])
