"""What a person should know of a retarget besides its report: rests that differ, and why feet were not held."""

from __future__ import annotations

from math import degrees

from ..core.motion.clip import Clip
from ..core.retarget.config import RetargetConfig
from ..core.retarget.grounded import grounded
from ..core.retarget.retarget import Retargeted
from ..core.rig.rig import Rig
from .texts import text

# Two rigs are one by their names if this share of the smaller one's bones are in both.
SAME_NAMES = 0.6
OTHER_REST = 1.0  # degrees
STILL = 0.005  # shares of the leg length: more than a held foot slides


def notes_of(source: Clip, done: Retargeted, config: RetargetConfig) -> list[str]:
    """Sentences; `source` is the clip that was moved."""
    found = [other_rests(source.rig, done.clip.rig), *_feet(source, done, config)]
    return [note for note in found if note]


def other_rests(source: Rig, target: Rig) -> str:
    """That bones of equal names rest differently, so that copied keys would be wrong; empty where they do not."""
    theirs, ours = source.skeleton, target.skeleton
    both = [bone for bone in ours.bones if bone.name in theirs.index]
    if not both or len(both) < SAME_NAMES * min(len(theirs), len(ours)):
        return ""
    turns = {}
    for bone in both:
        other = theirs.bones[theirs.index[bone.name]]
        turns[bone.name] = degrees(other.rest.to_quaternion().rotation_difference(bone.rest.to_quaternion()).angle)
    turned = {name: min(angle, 360.0 - angle) for name, angle in turns.items()}
    apart = {name: angle for name, angle in turned.items() if angle > OTHER_REST}
    if not apart:
        return ""
    most = max(apart, key=lambda name: (apart[name], name))
    return text("retarget_other_rests", count=len(apart), bone=most, degrees=apart[most])


def _feet(source: Clip, done: Retargeted, config: RetargetConfig) -> list[str]:
    """Why feet were not held, as far as the report does not say so."""
    target = done.clip.rig
    if config.feet == "FREE":
        return [text("retarget_feet_free")]
    if not target.legs:
        return [text("retarget_no_legs")]
    known = {leg.role for leg in source.rig.legs}
    without = [leg.role for leg in target.legs if leg.role not in known]
    found = [text("retarget_no_role", names=", ".join(without))] if without and known else []
    feet = done.report.feet
    slides = max((foot.slide_after for foot in feet.feet), default=0.0) if feet is not None else 0.0
    if config.feet == "HOLD" and slides > STILL * target.leg_length and not grounded(source).even:
        found.append(text("retarget_uneven"))
    return found
