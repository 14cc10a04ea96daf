"""What a person changes of the bodies that physics has: kept on the armature object, one line for each body."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import bpy
from bpy import props
from bpy.types import Object, PropertyGroup

from ..core.ragdoll.edits import BodyEdit
from ..core.ragdoll.plan import RagdollPlan
from ..core.ragdoll.proportions import PlanNumbers
from ..core.ragdoll_presets import plan_config
from .config_properties import OVERRIDE
from .declared import pointer
from .fall_properties import fall_changed

TEXTS = {item.name: item.metadata.get("text", "") for item in fields(PlanNumbers)}
SHAPES = (
    ("AUTO", "By Role", "A box for trunk, hands and feet, a capsule for the rest", 0),
    ("BOX", "Box", "A box, which lies flat", 1),
    ("CAPSULE", "Capsule", "A capsule along the bone, which rolls", 2),
)
ANGLE = {"subtype": "EULER", "unit": "ROTATION", "size": 3, "min": -3.14160, "max": 3.14160}


def _changing(kind: Any, name: str, text: str, **more: Any) -> Any:
    """A setting by which a record of a fall goes stale."""
    return kind(name=name, description=text, options=set(), override=OVERRIDE, update=fall_changed, **more)


class SUREFOOT_PG_ragdoll_body(PropertyGroup):
    """One body: its role is its name. What is at its default leaves it as it is understood."""

    __annotations__ = {
        "size": _changing(
            props.FloatVectorProperty,
            "Size",
            "Factors of the size: across, in depth, along the bone",
            size=3,
            default=(1.0, 1.0, 1.0),
            min=0.05,
            max=20.0,
            soft_min=0.2,
            soft_max=5.0,
        ),
        "offset": _changing(
            props.FloatVectorProperty,
            "Offset (m)",
            "Moves the body along its own axes, metres: across, in depth, along the bone",
            size=3,
            precision=3,
        ),
        "mass": _changing(
            props.FloatProperty,
            "Mass Factor",
            "Makes this body lighter or heavier than its share",
            default=1.0,
            min=0.01,
            max=100.0,
            soft_min=0.1,
            soft_max=10.0,
        ),
        "shape": _changing(props.EnumProperty, "Shape", "What the body is in physics", items=SHAPES),
        "own_limits": _changing(
            props.BoolProperty, "Own Limits", "Use the limits below in place of those of this body's role"
        ),
        "low": _changing(
            props.FloatVectorProperty,
            "Least",
            "How far the joint goes back: against its flexion, to one side, in twist. From straight limbs and half "
            "raised arms; of animals' hips, shoulders and trunks from the rest pose",
            **ANGLE,
        ),
        "high": _changing(
            props.FloatVectorProperty,
            "Most",
            "How far the joint goes: in flexion, to the other side, in twist",
            **ANGLE,
        ),
        "friction": _changing(
            props.FloatProperty,
            "Friction",
            "Torque that a limp joint resists with, N m for each kilogram of the heavier body; below 0: by the role",
            default=-1.0,
            min=-1.0,
            max=10.0,
            precision=2,
        ),
        "off": _changing(props.BoolProperty, "Left Out", "No body: its bones go along with what they hang on"),
    }


RAGDOLL_OWN = {
    "ragdoll_bodies": props.CollectionProperty(
        type=SUREFOOT_PG_ragdoll_body,
        name="Bodies",
        description="The bodies of the ragdoll, by role, and what is changed of them",
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    ),
    "active_ragdoll_body": props.IntProperty(
        name="Active Body", description="The chosen body", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "ragdoll_collection": pointer(
        bpy.types.Collection, "Body Objects", "The collection that holds the bodies as objects, while they are shown so"
    ),
    "ragdoll_mass": _changing(props.FloatProperty, "Mass (kg)", TEXTS["mass"], min=0.0, max=1e6, soft_max=1000.0),
    "ragdoll_chains": _changing(props.BoolProperty, "Hanging Chains", TEXTS["chains"]),
    "ragdoll_show": props.BoolProperty(
        name="Show Bodies",
        description="Draw the bodies into the 3D view, and how far the chosen one's joint goes",
        options=set(),
        override=OVERRIDE,
    ),
    "ragdoll_show_limits": props.BoolProperty(
        name="All Limits",
        description="Draw how far every joint goes, not only the chosen one's",
        options=set(),
        override=OVERRIDE,
    ),
}


def plan_config_of(obj: Object) -> PlanNumbers:
    """What an armature's plan is made with."""
    settings = obj.surefoot
    return plan_config(settings.ragdoll_mass, chains=settings.ragdoll_chains)


def plan_settings_of(obj: Object) -> tuple[float, bool, tuple[BodyEdit, ...]]:
    """All that is set of an armature's bodies, to be compared."""
    return obj.surefoot.ragdoll_mass, obj.surefoot.ragdoll_chains, edits_of(obj)


def edits_of(obj: Object) -> tuple[BodyEdit, ...]:
    """What is changed of an armature's bodies; lines at their defaults say nothing."""
    found = (edit_of(line) for line in obj.surefoot.ragdoll_bodies)
    return tuple(edit for edit in found if edit != BodyEdit(edit.role))


def edit_of(line: Any) -> BodyEdit:
    """One line as the core knows it."""
    own = line.own_limits
    return BodyEdit(
        role=line.name,
        size=tuple(line.size),
        offset=tuple(line.offset),
        mass=line.mass,
        shape=None if line.shape == "AUTO" else line.shape,
        low=tuple(map(min, line.low, line.high)) if own else None,
        high=tuple(map(max, line.low, line.high)) if own else None,
        friction=line.friction if line.friction >= 0.0 else None,
        off=line.off,
    )


def set_edit(obj: Object, edit: BodyEdit) -> None:
    """Write a change into the line of its body; a body without a line gets one."""
    lines = obj.surefoot.ragdoll_bodies
    line = lines.get(edit.role)
    if line is None:
        line = lines.add()
        line.name = edit.role
    line.size, line.offset, line.mass, line.off = edit.size, edit.offset, edit.mass, edit.off
    line.shape = edit.shape or "AUTO"
    line.own_limits = edit.low is not None and edit.high is not None
    if edit.low is not None and edit.high is not None:
        line.low, line.high = edit.low, edit.high
    line.friction = -1.0 if edit.friction is None else edit.friction


def list_bodies(obj: Object, plan: RagdollPlan) -> None:
    """Give every body of a plan a line, in its order, with its limits to go on from; what is changed stays.

    Lines of bodies that the rig does not have go, unless something is set in them.
    """
    lines = obj.surefoot.ragdoll_bodies
    roles = [body.role for body in plan.bodies]
    changed = {edit.role for edit in edits_of(obj)}
    for k in reversed(range(len(lines))):
        if lines[k].name not in roles and lines[k].name not in changed:
            lines.remove(k)
    for place, body in enumerate(plan.bodies):
        k = lines.find(body.role)
        if k < 0:
            lines.add().name = body.role
            k = len(lines) - 1
        if k != place:
            lines.move(k, place)
        line = lines[place]
        if body.joint is not None and not line.own_limits:
            line.low, line.high = body.joint.low, body.joint.high


def register() -> None:
    """Declare the group, before the settings that hold lines of it."""
    bpy.utils.register_class(SUREFOOT_PG_ragdoll_body)


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_class(SUREFOOT_PG_ragdoll_body)
