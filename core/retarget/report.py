"""What a retarget did, what it could not, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..motion.clip import Clip
from ..motion.spans import Contacts
from ..rig.rig import Problem, Rig
from .clean_feet import FeetReport
from .rest_matching import Matched, Matching, Stayed

# A target of whose larger bones fewer follow (share) looks as if nothing had been moved.
ENOUGH = 0.8


class RetargetError(ValueError):
    """A clip that cannot be moved; says why and what helps."""


@dataclass(frozen=True)
class RetargetReport:
    """What was done: bones matched, bones that stayed at rest and why, source bones that lead nothing.

    followed: how many of the target's larger bones (body, back, neck, head, limbs) follow, of how many. ratio: how the
    target's legs compare with the source's. travel: how its way over the ground does. floor: the height (world, metres)
    that the target stands on. feet: what was done to the feet; None where they were left, or there was nothing to do it
    with. problems: what a person should see. mapping: the saved mapping that was used; empty without one.
    """

    matched: tuple[Matched, ...]
    stayed: tuple[Stayed, ...]
    unused: tuple[str, ...]
    followed: tuple[int, int]
    ratio: float
    travel: float
    floor: float
    feet: FeetReport | None
    problems: tuple[Problem, ...]
    mapping: str = ""


def refuse_unusable(clip: Clip) -> None:
    """Raise where a clip has no frames, no bones, or places that are no numbers."""
    if not len(clip) or not len(clip.rig.skeleton):
        raise RetargetError("The source has no frames or no bones; choose an armature with an Action that moves it.")
    wrong = ~np.isfinite(clip.moved).all(axis=(2, 3))
    if wrong.any():
        frame, bone = (int(k) for k in np.argwhere(wrong)[0])
        name = clip.rig.skeleton.bones[bone].name
        raise RetargetError(f"{name} has no place at frame {frame} of the source; look for broken keys there.")


def larger_bones(rig: Rig) -> tuple[int, ...]:
    """Body, back, neck, head and limbs, without toes, fingers and tails."""
    found = [rig.body, rig.pelvis, *rig.spine, *rig.neck, rig.head]
    for leg in rig.legs:
        found += [*leg.bones, leg.foot]
    for arm in rig.arms:
        found += [arm.shoulder, *arm.bones, arm.hand]
    return tuple(dict.fromkeys(i for i in found if i >= 0))


def problems_of(matching: Matching, contacts: Sequence[Contacts], *, plants: bool) -> tuple[Problem, ...]:
    """What a person should see before the result is trusted."""
    found = []
    source, target = matching.source, matching.target
    bones = larger_bones(target)
    still = [target.skeleton.bones[i].name for i in bones if i not in matching.follows]
    if not bones or len(still) > (1.0 - ENOUGH) * len(bones):
        reason = f"Only {len(bones) - len(still)} of {len(bones)} larger bones follow; these stay: {', '.join(still)}."
        found.append(Problem("", reason, "Name the roles of these bones in both rigs' set-up."))
    if plants and not source.legs:
        reason = "The source has no legs that were understood, so no foot can be planted."
        found.append(Problem("", reason, "Name its legs in its set-up, or leave feet free."))
    elif plants and not any(each.foot for each in contacts):
        reason = "No foot of the source ever stands, so none was planted."
        found.append(Problem("", reason, "Leave feet free, or look at the scale of the source."))
    return tuple(found)
