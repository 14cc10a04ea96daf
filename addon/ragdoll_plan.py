"""The plan of an armature's bodies, from its rest pose, its skin and what a person changed; kept while it holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy
from bpy.types import Object, Scene
from mathutils import Matrix

from ..core.ragdoll.make_plan import PlanError, make_plan
from ..core.ragdoll.plan import RagdollPlan
from ..core.rig.edited_pose import EditedPose
from ..core.rig.rig import Rig
from .performers import performers, reading_of, rig_key
from .ragdoll_properties import edits_of, list_bodies, plan_config_of, plan_settings_of
from .refusal import RefusedError, depsgraph_of, layer_of, why_not_measured
from .rig_reading import Reading
from .scene_units import metres_per_unit
from .target_reading import target_reading
from .texts import text
from .whole_skin import skin_key, whole_skin


class Built(NamedTuple):
    """A plan, and the reading that it was made of."""

    plan: RagdollPlan
    reading: Reading


class Kept:
    """The last plan of each armature, by identity, with what it was made of: what is cheap to ask, and the skin."""

    plans: dict[int, tuple[Any, Any, Built]]


Kept.plans = {}


def plan_of(obj: Object, scene: Scene | None = None) -> RagdollPlan:
    """The bodies of an armature as it rests, in model space; a refusal where there are none.

    Only the rest pose, the rest skin and the settings are read: poses, constraints and Actions do not matter, and
    linked armatures are as good as others.
    """
    return built_of(obj, scene).plan


def built_of(obj: Object, scene: Scene | None = None) -> Built:
    """The plan and the reading that it belongs to, made anew where rest pose, skin, mapping or changes differ."""
    reason = why_not_measured(obj)
    if reason:
        raise RefusedError(reason)
    scene = scene or bpy.context.scene
    if obj.pose is None:
        layer_of(scene).update()
    if obj.pose is None:
        raise RefusedError(text("not_in_scene", name=obj.name, scene=scene.name))
    key, skin = _key(obj, scene), skin_key(obj)
    known = Kept.plans.get(obj.session_uid)
    if known is None or known[:2] != (key, skin):
        known = key, skin, _built(obj, scene)
        Kept.plans[obj.session_uid] = known
    return known[2]


def shown_of(obj: Object, scene: Scene) -> Built | None:
    """The same for a panel or an overlay, which ask at every redraw: the skin is not looked at again.

    None where there is no plan.
    """
    known = Kept.plans.get(obj.session_uid)
    if known is not None and known[0] == _key(obj, scene):
        return known[2]
    try:
        return built_of(obj, scene)
    except RefusedError:
        return None


def _key(obj: Object, scene: Scene) -> tuple[Any, ...]:
    return rig_key(obj), metres_per_unit(scene), plan_settings_of(obj)


def _built(obj: Object, scene: Scene) -> Built:
    reading = reading_for_bodies(obj, scene)
    skin = whole_skin(obj, reading.rig.skeleton.index, reading.canonical)
    try:
        plan = make_plan(reading.rig, skin, plan_config_of(obj), edits_of(obj))
    except PlanError as error:
        raise RefusedError(text("ragdoll_no_plan", name=obj.name, reason=str(error))) from error
    return Built(plan, reading)


def reading_for_bodies(obj: Object, scene: Scene) -> Reading:
    """An armature as understood: of a running character as it was, of a mirrored one as it is seen."""
    performer = performers.get(obj.session_uid)
    if performer is not None and performer.rig_key == rig_key(obj):
        reading: Reading = performer.reading
        return reading
    if obj.matrix_world.determinant() < 0.0:
        return target_reading(obj, metres_per_unit(scene)).reading
    found: Reading = reading_of(obj, depsgraph_of(scene))
    return found


def ragdoll_build(obj: Object, scene: Scene | None = None) -> RagdollPlan:
    """Make or refresh an armature's bodies, and give each a line in `object.surefoot.ragdoll_bodies`.

    What is changed there stays. Of a linked armature without an override there are no lines to write.
    """
    Kept.plans.pop(obj.session_uid, None)
    plan = plan_of(obj, scene)
    if obj.is_editable:
        if obj.override_library is not None and obj.override_library.is_system_override:
            obj.override_library.is_system_override = False  # what is added to another one is not kept
        list_bodies(obj, plan)
    return plan


def shown_pose(obj: Object, rig: Rig, canonical: Matrix, bones: tuple[int, ...]) -> EditedPose:
    """Some bones as the armature shows them now, model space; parents must come before children in `bones`."""
    pose = EditedPose.rest(rig.skeleton)
    turn = canonical.to_quaternion()
    scale = canonical.median_scale
    for i in bones:
        bone = obj.pose.bones.get(rig.skeleton.bones[i].name)
        if bone is not None:
            matrix = (turn @ bone.matrix.to_quaternion()).to_matrix().to_4x4()
            matrix.translation = turn @ bone.matrix.translation * scale
            pose.set_model(i, matrix)
    return pose


def unregister() -> None:
    """Leave nothing behind."""
    Kept.plans.clear()
