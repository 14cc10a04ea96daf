"""The bodies that physics has of a character: as its rig was read for it, with what a person changed of them."""

from __future__ import annotations

from typing import Any

from bpy.types import Object

from ..core.motion.clip_pose import ClipPoses
from ..core.ragdoll.fit import holding_clip
from ..core.ragdoll.make_plan import PlanError, make_plan
from ..core.ragdoll.plan import RagdollPlan
from .fall_wishes import may_fall
from .ragdoll_properties import edits_of, plan_config_of, plan_settings_of
from .whole_skin import skin_key, whole_skin


class Kept:
    """The last plan of each character, by identity, with the reading, the skin and the changes that it was made of."""

    plans: dict[int, tuple[Any, Any, RagdollPlan | None]]


Kept.plans = {}


def plan_for(obj: Object, reading: Any, clip: ClipPoses | None = None) -> RagdollPlan | None:
    """The plan of a character whose rig is understood; None for one that nothing can hit, and where there is none.

    Its joints go as far as the clip takes them that it plays.
    """
    if not has_bodies(obj):
        return None
    key = (skin_key(obj), *plan_key(obj), "" if clip is None else clip.digest)
    known = Kept.plans.get(obj.session_uid)
    if known is None or known[0] is not reading or known[1] != key:
        known = Kept.plans[obj.session_uid] = (reading, key, _made(obj, reading, clip))
    return known[2]


def plan_key(obj: Object) -> tuple[Any, ...]:
    """What decides, beside rig and skin, which bodies a character has; empty for one that nothing can hit."""
    return plan_settings_of(obj) if has_bodies(obj) else ()


def has_bodies(obj: Object) -> bool:
    """True for a character that may fall, or has."""
    return may_fall(obj) or bool(obj.surefoot.fall_record)


def _made(obj: Object, reading: Any, clip: ClipPoses | None) -> RagdollPlan | None:
    skin = whole_skin(obj, reading.rig.skeleton.index, reading.canonical)
    edits = edits_of(obj)
    try:
        plan = make_plan(reading.rig, skin, plan_config_of(obj), edits)
    except PlanError:
        return None
    return plan if clip is None else holding_clip(plan, clip, {edit.role for edit in edits if edit.low is not None})


def forget_plans() -> None:
    """Another file: nothing of it holds."""
    Kept.plans.clear()


def unregister() -> None:
    """Leave nothing behind."""
    forget_plans()
