"""The mapping on an object as a person edits it: lines of role and bone, and lines of pairs with its source."""

from __future__ import annotations

from bpy import props
from bpy.types import Object, PropertyGroup

from ..core.retarget.mapping import Pair
from ..core.rig.corrections import TRUNK_ROLES
from .config_properties import OVERRIDE


class SUREFOOT_PG_pair(PropertyGroup):
    """A bone of this armature and the bone of its source that it follows."""

    __annotations__ = {
        "target": props.StringProperty(
            name="Bone", description="The bone of this armature", options=set(), override=OVERRIDE
        ),
        "source": props.StringProperty(
            name="Source Bone",
            description="The source's bone that it follows; without one it stays at rest under its parent",
            options=set(),
            override=OVERRIDE,
        ),
    }


def role_lines(obj: Object) -> dict[str, str]:
    """The roles that a person named bones for."""
    return {line.role: line.bone for line in obj.surefoot.corrections if line.role and line.bone}


def set_role(obj: Object, role: str, bone: str) -> None:
    """Name a bone for a role; empty, the role is again as it is understood.

    A bone of a limb has one role, so another one is taken off it; of the trunk one bone may be pelvis and body.
    """
    lines = obj.surefoot.corrections
    for place in reversed(range(len(lines))):
        known = lines[place]
        if known.role == role or (bone and known.bone == bone and not {role, known.role} <= set(TRUNK_ROLES)):
            lines.remove(place)
    if bone:
        line = lines.add()
        line.role, line.bone = role, bone
    obj.surefoot.active_correction = max(0, len(lines) - 1)


def pair_lines(obj: Object) -> tuple[Pair, ...]:
    """The pairs that a person set, for the source that the object names."""
    return tuple(Pair(line.target, line.source) for line in obj.surefoot.pairs if line.target)


def set_pair(obj: Object, target: str, source: str) -> None:
    """Have a bone follow a bone of the source; without one, stay at rest."""
    lines = obj.surefoot.pairs
    line = next((each for each in lines if each.target == target), None) or lines.add()
    line.target, line.source = target, source


def clear_pair(obj: Object, target: str) -> None:
    """A bone follows what is matched by itself again."""
    lines = obj.surefoot.pairs
    for place in reversed(range(len(lines))):
        if lines[place].target == target:
            lines.remove(place)
