"""Where a body goes along the ground, so that feet which stand need not slide under it.

The hips travel over planted feet by as much as thighs, shins and feet of the source's shares say, in every step and
between sitting and standing. On other shares the same directions move the feet instead; a foot brought back alone would
take its leg far from where it points. So the body is shifted by what its standing feet are off, on the mean. Where
somebody sits he stays, and there his feet have their places.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..motion.clip import Clip
from ..motion.planted import REFERENCE_LEG
from ..rig.rig import Leg
from .body_height import borne_by_feet, smoothed
from .clean_feet import Leader
from .holds import contact_rows, ranked
from .parts import carried_with_body

# Within so long a body gets from what one foot asks to what the next does, seconds for a 0.9 m leg.
PASSING = 0.15
# A contact in which the hips come lower over the floor than this (share of the leg length) is one of who crouches.
UPRIGHT = 0.6


def stay_over_feet(clip: Clip, feet: Sequence[tuple[Leg, Leader]], floor: float, *, steps: bool) -> None:
    """Shift the body, in place, along the ground by what its standing feet move otherwise than those they follow.

    feet: legs and what leads them. floor: the height of the ground. steps: also of who is upright; not where the way is
    one that the legs do not make.
    """
    asked, weight = np.zeros((len(clip), 2)), np.zeros(len(clip))
    half = max(1, round(PASSING * math.sqrt(clip.rig.leg_length / REFERENCE_LEG) * clip.fps))
    window = np.hanning(2 * half + 3)[1:-1]
    high, borne = borne_by_feet(clip, floor)
    for leg, leader in feet:
        spans = (leader.contacts.heel, leader.contacts.ball)
        for ours, theirs, some in zip((clip.heel(leg), clip.ball(leg)), leader.points, spans, strict=True):
            slid = (ours - leader.ratio * theirs)[:, :2]
            for span in some or ():
                share = contact_rows((span,), len(clip)).astype(np.float64)
                rows = np.flatnonzero(share)
                share *= smoothed(share, window)
                weight += share
                if len(rows) and (steps or high[rows].min() < UPRIGHT):
                    asked[rows] += share[rows, None] * _off(slid[rows], borne[rows])
    if not asked.any():
        return
    known = np.flatnonzero(weight > 0.0)
    along = [np.interp(np.arange(len(clip)), known, each[known] / weight[known]) for each in asked.T]
    shift = np.stack([smoothed(each * borne, window) for each in along], axis=-1)
    for i in carried_with_body(clip.rig):
        clip.moved[:, i, :2, 3] += shift


def _off(slid: np.ndarray, borne: np.ndarray) -> np.ndarray:
    """What brings a standing point back, (n, 2), to its place at those frames, if any, at which the body sits."""
    sits = borne < 0.5
    return np.asarray(ranked(slid[sits] if sits.any() else slid) - slid)
