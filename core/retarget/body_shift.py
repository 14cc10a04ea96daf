"""Where the body goes so that feet which are held stay within the reach of their legs: down, or towards the foot.

Who stands comes down; whose leg lies rather than stands, as of somebody who sits with his feet before him, is pulled
along the floor, for there is no way down. Both smoothly in time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..ik.hinge import MAX_FLEXION
from ..motion.clip import Clip
from ..motion.planted import REFERENCE_LEG
from ..space.quaternions import dots, lengths
from .foot_moves import UNMOVED, FootPlan

# The body goes and comes back within so long, seconds for a 0.9 m leg.
WITHIN = 0.15
# A leg that is flatter than the first (cosine to the vertical) brings the body along the floor alone, one steeper than
# the second straight down; the flatter ones are of bodies that stand on legs which they spread.
SITS, SPREADS = (0.35, 0.7), (0.15, 0.4)
# Hips that are less over their foot than the first (shares of the leg length) sit, over the second they stand.
LOW, HIGH = 0.35, 0.65
# Feet that ask for different ways, and what smoothing takes away, are asked again so many times.
ROUNDS = 5


def body_shift(clip: Clip, plans: Sequence[FootPlan]) -> np.ndarray:
    """How the body is shifted at each frame, (F, 3), so that no held foot asks for a straighter leg than there is."""
    shift = np.zeros((len(clip), 3))
    scale = clip.rig.leg_length / REFERENCE_LEG
    half = max(1, round(WITHIN * math.sqrt(scale) * clip.fps))
    for _ in range(ROUNDS):
        need = np.zeros((len(clip), 3))
        for plan in plans:
            need += _missing(plan, shift + need, clip.rig.leg_length)
        if not need.any():
            break
        shift += _over_time(need, half)
    return shift


def _missing(plan: FootPlan, shift: np.ndarray, leg_length: float) -> np.ndarray:
    """How far one leg's hip has to go further to reach its held foot, or away from one that is too near, (F, 3)."""
    least = UNMOVED * leg_length / REFERENCE_LEG
    way = plan.ankle - plan.limbs.root - shift
    distance, shortest = lengths(way), _folded(plan)
    near = distance < shortest - least
    rows = np.flatnonzero(plan.held & (near | (distance > plan.longest + least)))
    need = np.zeros_like(way)
    if not len(rows):
        return need
    way, distance, near = way[rows], distance[rows], near[rows]
    wanted = np.where(near, shortest[rows], plan.longest[rows])
    flat = way * [1.0, 1.0, 0.0]
    flat /= np.maximum(lengths(flat)[..., None], 1e-9)
    steep, high = -way[:, 2] / np.maximum(distance, 1e-9), _eased(-way[:, 2] / leg_length, LOW, HIGH)
    steep = (_eased(steep, *SITS) + high * (_eased(steep, *SPREADS) - _eased(steep, *SITS)))[:, None]
    line = steep * [0.0, 0.0, -1.0] + (1.0 - steep) * flat
    line /= np.maximum(lengths(line)[..., None], 1e-9)
    along = dots(way, line)
    root = np.sqrt(np.maximum(0.0, along**2 - distance**2 + wanted**2))
    need[rows] = line * np.where(near, np.minimum(0.0, along - root), np.maximum(0.0, along - root))[:, None]
    return need


def _folded(plan: FootPlan) -> np.ndarray:
    """How near a leg's ankle gets to its hip, (F,)."""
    upper = np.linalg.norm(plan.limbs.mid - plan.limbs.root, axis=-1)
    lower = np.linalg.norm(plan.limbs.tip - plan.limbs.mid, axis=-1)
    folded = np.sqrt(upper**2 + lower**2 + 2.0 * math.cos(MAX_FLEXION) * upper * lower)
    return np.minimum(folded, np.linalg.norm(plan.limbs.tip - plan.limbs.root, axis=-1))


def _eased(values: np.ndarray, low: float, high: float) -> np.ndarray:
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    return np.asarray(share * share * (3.0 - 2.0 * share))


def _over_time(need: np.ndarray, half: int) -> np.ndarray:
    """Smoothly as far as is needed at every frame, (F, 3), along each axis either way."""
    padded = np.pad(need, ((2 * half, 2 * half), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)
    widest = np.maximum(windows.max(axis=-1), 0.0) + np.minimum(windows.min(axis=-1), 0.0)
    weights = np.hanning(2 * half + 3)[1:-1]
    weights /= weights.sum()
    return np.stack([np.convolve(each, weights, mode="valid") for each in widest.T], axis=-1)
