"""How high a body rides over feet that stand: as high as its legs carry it where they point as the source's do.

Hips at the source's scaled height suit legs of its proportions alone. Where the foot is a larger part of a leg, or the
thigh of its length, the same directions give another height, and a foot brought to the floor regardless would bend
the knee all through a clip. So the body rises and sinks by what its standing feet are off the floor. In a flight it
goes over from one to the other, and the lower the hips are the less it is changed: who lies, lies on his body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..motion.clip import Clip
from ..motion.planted import REFERENCE_LEG
from ..motion.spans import Contacts
from ..motion.travel import hips_centre
from ..rig.rig import Leg
from .holds import Points, contact_rows
from .parts import carried_with_body

# Within so long a body gets from what one foot asks to what the next does, seconds for a 0.9 m leg.
PASSING = 0.2
# A sole point so near its floor (shares of the leg length) counts where none stands, as of feet that glide, and so
# little that it says nothing beside one that does.
LOW, LITTLE = 0.025, 1e-3
# Hips lower than the first over the floor (shares of the leg length) sit or lie, higher than the second they are borne
# by the feet alone, also of who crouches.
SITS, CROUCHES = 0.17, 0.34


def stand_on_feet(clip: Clip, feet: Sequence[tuple[Leg, Points, Contacts]], floor: float) -> None:
    """Put the body, in place, as high as its standing feet ask.

    feet: legs, how high (F,) heel and ball are meant to be, and when they stand. floor: the height of the ground.
    """
    asked, weight = np.zeros(len(clip)), np.zeros(len(clip))
    half = max(1, round(PASSING * math.sqrt(clip.rig.leg_length / REFERENCE_LEG) * clip.fps))
    window = np.hanning(2 * half + 3)[1:-1]
    for leg, meant, contacts in feet:
        off, share = _off(clip, leg, meant, contacts, floor)
        share *= smoothed(share, window)
        asked += share * off
        weight += share
    if not weight.any():
        return
    known = np.flatnonzero(weight > 0.0)
    rise = np.interp(np.arange(len(clip)), known, asked[known] / weight[known])
    rise = smoothed(rise * borne_by_feet(clip, floor)[1], window)
    for i in carried_with_body(clip.rig):
        clip.moved[:, i, 2, 3] += rise


def borne_by_feet(clip: Clip, floor: float) -> tuple[np.ndarray, np.ndarray]:
    """How high the hips are over the floor, shares of the leg length, and by what share the feet bear them, (F,)."""
    high = (hips_centre(clip)[:, 2] - floor) / max(clip.rig.leg_length, 1e-9)
    share = np.clip((high - SITS) / (CROUCHES - SITS), 0.0, 1.0)
    return high, share * share * (3.0 - 2.0 * share)


def _off(clip: Clip, leg: Leg, meant: Points, contacts: Contacts, floor: float) -> tuple[np.ndarray, np.ndarray]:
    """How far a foot's standing points are under where they are meant to be, on the mean, and how much that counts,
    (F,) each.
    """
    off, weight = np.zeros(len(clip)), np.zeros(len(clip))
    points = ((clip.heel(leg), leg.sole.heel), (clip.ball(leg), leg.sole.ball))
    for (places, rest), high, spans in zip(points, meant, (contacts.heel, contacts.ball), strict=True):
        low = high - floor - (rest.z - clip.rig.floor) <= LOW * clip.rig.leg_length
        share = np.where(contact_rows(spans or (), len(clip)), 1.0, np.where(low, LITTLE, 0.0))
        off += share * (high - places[:, 2])
        weight += share
    return off / np.maximum(weight, LITTLE), np.minimum(weight, 1.0)


def smoothed(values: np.ndarray, window: np.ndarray) -> np.ndarray:
    """A weighted mean over the frames around each, those beyond the ends as the ends are, (F,)."""
    padded = np.pad(values, len(window) // 2, mode="edge")
    return np.asarray(np.convolve(padded, window / window.sum(), mode="valid"))
