"""Clips that repeat and clips that walk on the spot, made into clips that travel: all else sees but one kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..rig.rig import Rig
from .clip import Clip
from .contacts import Soles
from .planted import CAPTURED, REFERENCE_LEG
from .spans import Contacts

# Shares of the leg length: how far places beside the body may be apart for two poses to be the same one, and how far
# the hips of a clip on the spot may get.
SAME_POSE, ON_THE_SPOT = 0.02, 0.25
LONGEST_LOOP = 6.0  # seconds
ROUNDS = 3
# Of a loop that stops one frame early, the step across the seam in those beside it.
TIGHT_SEAM, LOOSE_SEAM = 1.5, 1.75
# A treadmill's speed is that of so many low sole points, within this share of it and so many metres a second.
ENOUGH_STANCE, SPEED_SPREAD, SPEED_NOISE = 0.15, 0.15, 0.05
LEAST_SPEED = 0.1  # metres a second for a 0.9 m leg: below it nobody walks
MOST_VELOCITIES = 1500


def hips_centre(clip: Clip) -> np.ndarray:
    """The middle of all hips, (F, 3)."""
    return np.mean([clip.place(leg.bones[0], leg.hip) for leg in clip.rig.legs], axis=0)


def closed_loop(clip: Clip) -> Clip | None:
    """A clip whose last frame is the first one again; None where it is no loop.

    Most loops end on a copy of their first frame; some stop one frame before it, and then it is added.
    """
    if len(clip) < 4 or len(clip) / clip.fps > LONGEST_LOOP:
        return None
    beside = clip.moved[:, :, :3, 3] + np.einsum("fbij,bj->fbi", clip.moved[:, :, :3, :3], _heads(clip))
    beside = (beside - beside[:, clip.rig.body : clip.rig.body + 1])[:, not_left_behind(clip.rig)]
    steps = np.linalg.norm(np.diff(beside, axis=0), axis=-1).max(axis=-1)
    seam = float(np.linalg.norm(beside[-1] - beside[0], axis=-1).max())
    if steps.max() < SAME_POSE * clip.rig.leg_length:
        return None
    if seam <= SAME_POSE * clip.rig.leg_length:
        return clip
    if seam > (LOOSE_SEAM * float(steps.max()) if stays_on_the_spot(clip) else TIGHT_SEAM * float(np.median(steps))):
        return None
    speed = (hips_centre(clip)[-1] - hips_centre(clip)[0]) / (len(clip) - 1)
    return replace(clip, moved=np.concatenate([clip.moved, _shifted(clip.moved[:1], speed * len(clip))]))


def not_left_behind(rig: Rig) -> list[int]:
    """The bones whose places beside the body say how it is posed: not those over it, which may stay where it began."""
    over = set(rig.skeleton.ancestors(rig.body)) if rig.body >= 0 else set()
    return [i for i in range(len(rig.skeleton)) if i not in over]


def rounds(clip: Clip) -> Clip:
    """A closed loop, three rounds of it one after the other, each going on from where the last one ended."""
    centre = hips_centre(clip)
    travel = (centre[-1] - centre[0]) * [1.0, 1.0, 0.0]
    parts = [_shifted(clip.moved[:-1], k * travel) for k in range(ROUNDS)]
    return replace(clip, moved=np.concatenate([*parts, _shifted(clip.moved[:1], ROUNDS * travel)]))


def stays_on_the_spot(clip: Clip) -> bool:
    """Whether the hips end where they began and never got far."""
    centre = hips_centre(clip)[:, :2]
    return bool(np.ptp(centre, axis=0).max() <= ON_THE_SPOT * clip.rig.leg_length)


def set_going(clip: Clip, velocity: tuple[float, float]) -> Clip:
    """A clip on the spot over ground that goes with `velocity` (m/s), made to stand on ground that does not."""
    shifts = np.arange(len(clip))[:, None] / clip.fps * np.array([-velocity[0], -velocity[1], 0.0])
    return replace(clip, moved=_shifted(clip.moved, shifts))


class Treadmill(NamedTuple):
    """The velocity of the ground under a clip on the spot (m/s), and the share of all low sole points that has it."""

    velocity: tuple[float, float]
    share: float


def treadmill(clip: Clip) -> Treadmill | None:
    """The one velocity that low sole points share; None where they share none."""
    scale = clip.rig.leg_length / REFERENCE_LEG
    low: list[np.ndarray] = []
    for leg in clip.rig.legs:
        for places in (clip.heel(leg), clip.ball(leg)):
            middles, moves = 0.5 * (places[1:, 2] + places[:-1, 2]), np.diff(places, axis=0) * clip.fps
            level = float(np.percentile(places[:, 2], 3.0)) + CAPTURED.lifting_height * scale
            low.append(moves[middles <= level, :2])
    velocities = np.concatenate(low)
    if not len(velocities):
        return None
    velocities = velocities[:: max(1, math.ceil(len(velocities) / MOST_VELOCITIES))]
    speeds = np.linalg.norm(velocities, axis=-1)
    apart = np.linalg.norm(velocities[:, None] - velocities[None], axis=-1)
    near = apart <= SPEED_NOISE * math.sqrt(scale) + SPEED_SPREAD * speeds[:, None]
    counts = near.sum(axis=1) * (speeds >= LEAST_SPEED * math.sqrt(scale))
    best = int(np.argmax(counts))
    # Who stands and spreads or shuffles a foot goes over no moving ground: more of what is low stands than goes.
    standing = int((speeds <= SPEED_NOISE * math.sqrt(scale)).sum())
    if counts[best] < max(ENOUGH_STANCE * len(velocities), standing):
        return None
    mean = np.median(velocities[near[best]], axis=0)
    return Treadmill((float(mean[0]), float(mean[1])), float(counts[best]) / len(velocities))


def stance_velocity(
    feet: Sequence[Soles], contacts: Sequence[Contacts], velocity: tuple[float, float], fps: float
) -> tuple[float, float]:
    """The ground's velocity by what all feet go while they are down: the median over the feet, along `velocity`.

    A foot that is animated by hand does not go evenly, and no two do alike. What a whole stance covers is also what the
    legs can reach.
    """
    speed = math.hypot(*velocity)
    along = np.array([velocity[0] / speed, velocity[1] / speed])
    speeds = []
    for foot, both in zip(feet, contacts, strict=True):
        gone = seconds = 0.0
        path = (0.5 * (foot.heel + foot.ball))[:, :2] @ along
        for span in both.foot:
            a, b = math.ceil(span.start), math.floor(span.end)
            gone += float(path[b] - path[a])
            seconds += (b - a) / fps
        if seconds > 0.0:
            speeds.append(gone / seconds)
    mean = float(np.median(speeds)) if speeds else speed
    return float(along[0]) * mean, float(along[1]) * mean


def _heads(clip: Clip) -> np.ndarray:
    return np.array([tuple(bone.head) for bone in clip.rig.skeleton.bones])


def _shifted(moved: np.ndarray, shift: Sequence[float] | np.ndarray) -> np.ndarray:
    """The same motion elsewhere; `shift` is (3,) or (F, 3)."""
    result = moved.copy(order="K")
    result[:, :, :3, 3] += np.asarray(shift)[..., None, :]
    return result
