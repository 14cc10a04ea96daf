"""A control rig's switches: custom properties and IK settings of bones that decide how its controls act.

Written typed (an integer property refuses a float) and only where they differ, so that a frame costs a few reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import bpy

Value = bool | int | float


class Switch(NamedTuple):
    """One switch and the value it needs. `path` follows the bone: `["IK_FK"]`, or a built-in setting's name."""

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
    return next(iter(_values(armature_object, (switch,))))


def set_switches(armature_object: bpy.types.Object, switches: Sequence[Switch]) -> None:
    """Give each switch its value in the type it has; those that are gone or right already are left."""
    for switch, now in zip(switches, _values(armature_object, switches), strict=True):
        if now is None or now == switch.value:
            continue
        bone = armature_object.pose.bones[switch.bone]
        if switch.path.startswith("["):
            bone[_key(switch.path)] = type(now)(switch.value)
        else:
            setattr(bone, switch.path, switch.value)


def are_set(armature_object: bpy.types.Object, switches: Sequence[Switch]) -> bool:
    """True where every switch that is there has its value."""
    values = _values(armature_object, switches)
    return all(now is None or now == switch.value for switch, now in zip(switches, values, strict=True))


def captured(armature_object: bpy.types.Object, switches: Sequence[Switch]) -> tuple[Switch, ...]:
    """The same switches with the values they have now."""
    values = _values(armature_object, switches)
    pairs = zip(switches, values, strict=True)
    return tuple(switch._replace(value=now) for switch, now in pairs if now is not None)


def _values(armature_object: bpy.types.Object, switches: Sequence[Switch]) -> Iterator[Value | None]:
    """Each switch's value now; a bone is looked up once for the switches in a row that it owns."""
    bones = armature_object.pose.bones
    name, bone = "", None
    for switch in switches:
        if switch.bone != name:
            name, bone = switch.bone, bones.get(switch.bone)
        if bone is None:
            yield None
        elif switch.path[0] == "[":
            yield bone.get(_key(switch.path))
        else:
            yield getattr(bone, switch.path)


@lru_cache(maxsize=256)
def _key(path: str) -> str:
    return bpy.utils.unescape_identifier(path[2:-2])
