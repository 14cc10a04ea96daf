"""How high a body rides over feet that stand: as high as its legs carry it where they point as the source's do.

Hips at the source's scaled height suit legs of its proportions alone. Where the foot is a larger part of a leg, or the
thigh of its length, the same directions give another height, and a foot brought to the floor regardless would bend
the knee all through a clip. So the body rises and sinks by what its standing feet are off the floor. In a flight it
goes over from one to the other, and the lower the hips are the less it is changed: who lies, lies on his body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

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
# Hips so high over the floor (shares of the leg length) stand on their feet; half as high they do not at all.
STANDS = 0.6


def stand_on_feet(clip: Clip, feet: Sequence[tuple[Leg, Points, Contacts]], floor: float) -> Clip:
    """The clip with its body as high as its standing feet ask.

    feet: legs, how high (F,) heel and ball are meant to be, and when they stand. floor: the height of the ground.
    """
    asked, weight = np.zeros(len(clip)), np.zeros(len(clip))
    half = max(1, round(PASSING * math.sqrt(clip.rig.leg_length / REFERENCE_LEG) * clip.fps))
    window = np.hanning(2 * half + 3)[1:-1]
    for leg, meant, contacts in feet:
        off, down = _off(clip, leg, meant, contacts)
        count = _smooth(down.astype(np.float64), window)
        share = np.where(down, count, 0.0)
        asked += share * off
        weight += share
    if not weight.any():
        return clip
    known = np.flatnonzero(weight > 0.0)
    rise = np.interp(np.arange(len(clip)), known, asked[known] / weight[known])
    high = (hips_centre(clip)[:, 2] - floor) / max(clip.rig.leg_length, 1e-9)
    share = np.clip(2.0 * high / STANDS - 1.0, 0.0, 1.0)
    rise = _smooth(rise * share * share * (3.0 - 2.0 * share), window)
    moved = clip.moved.copy()
    moved[:, carried_with_body(clip.rig), 2, 3] += rise[:, None]
    return replace(clip, moved=moved)


def _off(clip: Clip, leg: Leg, meant: Points, contacts: Contacts) -> tuple[np.ndarray, np.ndarray]:
    """How far a foot's standing points are under where they are meant to be, on the mean, (F,), and when any stands."""
    places = (clip.heel(leg)[:, 2], clip.ball(leg)[:, 2])
    stands = [contact_rows(spans or (), len(clip)) for spans in (contacts.heel, contacts.ball)]
    count = stands[0].astype(np.int64) + stands[1]
    off = sum(np.where(each, high - place, 0.0) for each, high, place in zip(stands, meant, places, strict=True))
    return np.asarray(off / np.maximum(count, 1)), count > 0


def _smooth(values: np.ndarray, window: np.ndarray) -> np.ndarray:
    """A weighted mean over the frames around each, those beyond the ends as the ends are, (F,)."""
    padded = np.pad(values, len(window) // 2, mode="edge")
    return np.asarray(np.convolve(padded, window / window.sum(), mode="valid"))
