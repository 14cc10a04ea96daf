"""Animation that Blender keeps but does not play: an Action behind a solo track, curves that lead nowhere."""

from __future__ import annotations

from collections.abc import Sequence

from bpy.types import FCurve, Object

from .texts import text

NAMED = 5


def why_not_played(obj: Object) -> str:
    """Why an Action on this object shows nothing, or not as it is, in a sentence; empty if it does."""
    animation = obj.animation_data
    if animation is None or not animation.use_nla:
        return ""
    solo = next((track.name for track in animation.nla_tracks if track.is_solo), "")
    if solo:
        return text("solo_track", track=solo, name=obj.name)
    if animation.nla_tracks and animation.action_influence == 0.0:
        return text("no_influence", name=obj.name)
    if animation.nla_tracks and (animation.action_influence < 1.0 or animation.action_blend_type != "REPLACE"):
        blend = animation.bl_rna.properties["action_blend_type"].enum_items[animation.action_blend_type].name
        return text("mixed_action", name=obj.name, blend=blend, influence=f"{animation.action_influence:.2g}")
    return ""


def unplayed_curves(obj: Object, curves: Sequence[FCurve], said: str = "unplayed_curves") -> str:
    """How many of the curves move nothing, and which, in the sentence that is `said`; empty if all lead somewhere."""
    found = [f"{curve.data_path}[{curve.array_index}]" for curve in curves if not _leads_somewhere(obj, curve)]
    if not found:
        return ""
    more = [text("and_more", count=len(found) - NAMED)] if len(found) > NAMED else []
    return text(said, count=len(found), names=", ".join(found[:NAMED] + more))


def _leads_somewhere(obj: Object, curve: FCurve) -> bool:
    if curve.is_empty:
        return False
    try:
        value = obj.path_resolve(curve.data_path)
    except ValueError:
        return False
    # Blender takes any index for what is no array.
    return isinstance(value, str) or not hasattr(value, "__len__") or curve.array_index < len(value)
