"""A gait from a performance: the straight steady strides of any clip, averaged to curves over one shared clock.

Everything is relative to a point that goes along the travel at the stride's even speed, in the heading of the travel,
and in shares of the leg length, so that a rig of another size or build can take it up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, sin

import numpy as np

from ..rig.rig import Arm, Leg
from .clip import Clip
from .contacts import Soles, find_clip_contacts, find_spot_contacts
from .gait_curves import SAMPLES, ArmCurves, Curve, FootCurves, GaitCurves
from .spans import Contacts
from .strides import Stride, steady, whole_strides
from .travel import closed_loop, hips_centre, rounds, set_going, stance_velocity, stays_on_the_spot, treadmill

# Of a stance, the middle in which a foot lies flat.
FLAT_FROM, FLAT_TO = 0.3, 0.6
# On the spot, feet are trusted to stand still on even ground if so many of the low sole points go back together.
EVEN_SHARE = 0.7


class NoGaitError(ValueError):
    """A clip that holds no gait; the text says what was looked for and not found."""


@dataclass(frozen=True)
class GaitBake:
    """What came of a clip. `spread` are the standard deviations over the strides: period (s), speed (m/s), duty, and
    the largest one of any curve of a foot or the body (leg lengths) and of a foot's pitch (radians).
    """

    curves: GaitCurves
    strides: int
    looped: bool
    on_the_spot: bool
    spread: dict[str, float]


@dataclass(frozen=True)
class _Sampled:
    """One stride: feet (legs, 4, S), body (8, S), arms (2, 3, S) or None; where and how long each foot stands."""

    feet: np.ndarray
    body: np.ndarray
    arms: np.ndarray | None
    height: float
    offsets: np.ndarray
    duties: np.ndarray


def bake_gait(clip: Clip) -> GaitBake:
    """The gait of a clip, or a NoGaitError in a sentence."""
    if not clip.rig.legs:
        raise NoGaitError("It has no legs that were understood. Name them by hand in the panel Rig.")
    loop = closed_loop(clip)
    whole = rounds(loop) if loop is not None else clip
    spot = stays_on_the_spot(whole)
    for going, contacts in _on_the_spot(whole) if spot else ((whole, _contacts(whole)),):
        strides = _strides(going, contacts)
        if loop is not None:
            # The middle round has whole contacts on both sides of its seams.
            length = len(loop) - 1
            strides = [s for s in strides if length - 0.5 <= s.start < 2 * length - 0.5]
        if strides:
            break
    if not strides:
        raise NoGaitError(
            "No straight steady stride is in it, in which every foot lands once. "
            "Choose a clip, or frames of it, that goes straight on at an even speed for two strides."
        )
    samples = [_sample(going, stride) for stride in strides]
    curves, spread = _curves(going, strides, samples), _spread(going, strides, samples)
    return GaitBake(curves, len(strides), loop is not None, spot, spread)


def _on_the_spot(clip: Clip) -> Iterator[tuple[Clip, list[Contacts]]]:
    """A clip on the spot set going, with its contacts: as if feet stood still, if many do, then as if they slid."""
    ground = treadmill(clip)
    if ground is None:
        raise NoGaitError(
            "It stays on the spot, and no foot goes backward under it as a standing foot would. "
            "Choose a clip that walks."
        )
    if ground.share >= EVEN_SHARE:
        going = set_going(clip, ground.velocity)
        yield going, _contacts(going)
    soles = _soles(clip)
    contacts = find_spot_contacts(soles, clip.fps, clip.rig.leg_length, ground.velocity)
    yield set_going(clip, stance_velocity(soles, contacts, ground.velocity, clip.fps)), contacts


def _contacts(clip: Clip) -> list[Contacts]:
    return find_clip_contacts(_soles(clip), clip.fps, clip.rig.leg_length)


def _soles(clip: Clip) -> list[Soles]:
    return [Soles(clip.heel(leg), clip.ball(leg)) for leg in clip.rig.legs]


def reference_leg(legs: Sequence[Leg]) -> int:
    """The leg that starts the clock: the left one, of several pairs the hindmost."""
    left = [k for k, leg in enumerate(legs) if leg.side == "L"] or [0]
    return max(left, key=lambda k: legs[k].order)


def _strides(clip: Clip, contacts: Sequence[Contacts]) -> list[Stride]:
    centre = hips_centre(clip)
    ahead = clip.rotation(clip.rig.body) @ np.array([0.0, -1.0, 0.0])
    facing = np.unwrap(np.arctan2(ahead[:, 0], -ahead[:, 1]))
    found = whole_strides(contacts, reference_leg(clip.rig.legs), centre, clip.fps)
    return steady(found, centre, facing, clip.rig.leg_length)


def _sample(clip: Clip, stride: Stride) -> _Sampled:
    rig, leg_length = clip.rig, clip.rig.leg_length
    first, last = max(0, int(stride.start) - 1), min(len(clip), int(stride.end) + 3)
    part = Clip(rig, clip.fps, clip.moved[first:last])
    times = stride.start - first + stride.length * np.arange(SAMPLES) / SAMPLES
    ahead = np.array([sin(stride.heading), -cos(stride.heading), 0.0])
    left = np.array([cos(stride.heading), sin(stride.heading), 0.0])
    turn = np.stack([left, -ahead, [0.0, 0.0, 1.0]])  # world to heading: rows are model x, y, z
    centre = _over(hips_centre(part), times)
    gone = stride.speed * (times - times[0]) / clip.fps
    middle = np.mean(centre - gone[:, None] * ahead, axis=0)
    even = middle + gone[:, None] * ahead
    balls = [clip.ball(leg) for leg in rig.legs]
    levels = [_stand(ball[:, 2], stride, k) for k, ball in enumerate(balls)]
    floor = float(np.mean([_floor(clip, leg, stride, k) for k, leg in enumerate(rig.legs)]))
    rest = np.mean([tuple(leg.hip) for leg in rig.legs], axis=0)
    feet = []
    for k, leg in enumerate(rig.legs):
        pitch = _foot_pitch(part, leg) - _flat_pitch(clip, leg, stride, k)
        ball, pitch = _over(_laid_ball(part, leg, pitch), times), _over(pitch[:, None], times)[:, 0]
        away, home = ball - even, np.array(leg.sole.ball) - rest
        along, aside = away @ ahead + home[1], away @ left - home[0]
        feet.append([(ball[:, 2] - levels[k]) / leg_length, along / leg_length, aside / leg_length, pitch])
    off = centre - even
    pelvis = _turns(turn @ part.rotation(rig.body), times)
    chest = _turns(turn @ part.rotation(rig.spine[-1] if rig.spine else rig.body), times)
    body = [off[:, 2], off @ left, off @ ahead]
    height = (float(middle[2]) - floor) / leg_length
    return _Sampled(
        feet=np.array(feet),
        body=np.array([*(row / leg_length for row in body), *pelvis, chest[2], chest[0]]),
        arms=_arms(part, times, turn),
        height=height,
        offsets=np.array([stride.phase(span.start) for span in stride.contacts]),
        duties=np.array([span.length / stride.length for span in stride.contacts]),
    )


def _laid_ball(clip: Clip, leg: Leg, pitch: np.ndarray) -> np.ndarray:
    """The ball's places, (F, 3); while the toes are up, those that it has once the foot lies down about its heel."""
    ball, heel = clip.ball(leg), clip.heel(leg)
    way = np.array(leg.sole.ball) - np.array(leg.sole.heel)
    level = (ball - heel) * [1.0, 1.0, 0.0]
    length = np.linalg.norm(level, axis=-1, keepdims=True)
    laid = heel + level / np.maximum(length, 1e-9) * hypot(way[0], way[1]) + [0.0, 0.0, way[2]]
    return np.where((pitch < 0.0)[:, None] & (length > 1e-9), laid, ball)


def _over(rows: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Rows (F, C) at fractional frames, by a line between two, (S, C)."""
    frames = np.arange(len(rows))
    return np.stack([np.interp(times, frames, column) for column in rows.T], axis=-1)


def _turns(rotations: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pitch, list and yaw of turns from rest: yaw about up, after list about ahead, after pitch about the side."""
    pitch = np.arctan2(rotations[:, 2, 1], rotations[:, 2, 2])
    roll = np.arcsin(np.clip(-rotations[:, 2, 0], -1.0, 1.0))
    yaw = np.unwrap(np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0]))
    rows = _over(np.stack([np.unwrap(pitch), roll, yaw], axis=-1), times)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _stand(heights: np.ndarray, stride: Stride, k: int) -> float:
    """The height at which a point stands in its contact."""
    span = stride.contacts[k]
    return float(np.median(heights[int(np.ceil(span.start)) : int(span.end) + 1]))


def _floor(clip: Clip, leg: Leg, stride: Stride, k: int) -> float:
    """The floor as the leg has it: its rest pose under the tip, where that is while the foot lies flat.

    A captured sole is not where the rest pose has it; what a knee bends depends on where its leg ends.
    """
    tip = _flat_part(clip, stride, k).joints(leg)[:, -1, 2]
    return float(np.median(tip)) - (leg.tip.z - clip.rig.floor)


def _foot_pitch(clip: Clip, leg: Leg) -> np.ndarray:
    """How far a foot's heel is up against rest, radians, (F,); nothing where it has no sole of its own."""
    way = np.array(leg.sole.ball) - np.array(leg.sole.heel)
    if leg.foot < 0 or hypot(way[0], way[1]) < 1e-6:
        return np.zeros(len(clip))
    now = clip.rotation(leg.foot) @ way
    level = np.hypot(now[:, 0], now[:, 1])
    # A foot that points up past the vertical keeps turning: the side that it is on tells.
    across = np.array([-way[1], way[0], 0.0]) / hypot(way[0], way[1])
    side = clip.rotation(leg.foot) @ across
    upright = np.where(np.abs(side[:, 2]) > 0.9, 1.0, level)
    return np.asarray(np.arctan2(-now[:, 2], upright) - np.arctan2(-way[2], hypot(way[0], way[1])))


def _flat_pitch(clip: Clip, leg: Leg, stride: Stride, k: int) -> float:
    return float(np.median(_foot_pitch(_flat_part(clip, stride, k), leg)))


def _flat_part(clip: Clip, stride: Stride, k: int) -> Clip:
    """The frames in which a foot lies flat."""
    span = stride.contacts[k]
    a, b = span.start + FLAT_FROM * span.length, span.start + FLAT_TO * span.length
    return Clip(clip.rig, clip.fps, clip.moved[int(a) : int(b) + 2])


def _arms(clip: Clip, times: np.ndarray, turn: np.ndarray) -> np.ndarray | None:
    """Swing, out and elbow of the left and the right arm, (2, 3, S)."""
    sides: dict[str, Arm] = {arm.side: arm for arm in clip.rig.arms if len(arm.bones) >= 2}
    if not {"L", "R"} <= sides.keys():
        return None
    return np.array([_arm(clip, sides[side], times, turn, sign) for side, sign in (("L", 1.0), ("R", -1.0))])


def _arm(clip: Clip, arm: Arm, times: np.ndarray, turn: np.ndarray, sign: float) -> list[np.ndarray]:
    joints = clip.arm_joints(arm)
    upper, lower = (joints[:, 1] - joints[:, 0]) @ turn.T, (joints[:, 2] - joints[:, 1]) @ turn.T
    upper /= np.linalg.norm(upper, axis=-1, keepdims=True)
    swing = np.arctan2(-upper[:, 1], -upper[:, 2])
    out = np.arcsin(np.clip(sign * upper[:, 0], -1.0, 1.0))
    elbow = np.arctan2(np.linalg.norm(np.cross(upper, lower), axis=-1), (upper * lower).sum(axis=-1))
    rows = _over(np.stack([np.unwrap(swing), out, elbow], axis=-1), times)
    return list(rows.T)


def _curves(clip: Clip, strides: Sequence[Stride], samples: Sequence[_Sampled]) -> GaitCurves:
    legs, leg_length = clip.rig.legs, clip.rig.leg_length
    feet = np.mean([s.feet for s in samples], axis=0)
    body = np.mean([s.body for s in samples], axis=0)
    swings = [s.arms for s in samples if s.arms is not None]
    arms = np.mean(swings, axis=0) if len(swings) == len(samples) else None
    offsets = _mean_phases(np.array([s.offsets for s in samples]))
    duties = np.mean([s.duties for s in samples], axis=0)
    rest = float(np.mean([leg.hip.z for leg in legs])) - clip.rig.floor
    return GaitCurves(
        period=float(np.mean([s.length for s in strides])) / clip.fps,
        speed=float(np.mean([s.speed for s in strides])) / leg_length,
        leg_length=leg_length,
        hip_height=float(np.mean([s.height for s in samples])),
        rest_height=rest / leg_length,
        feet=tuple(
            FootCurves(float(offsets[k]), float(duties[k]), *(_curve(row) for row in feet[k])) for k in range(len(legs))
        ),
        bob=_curve(body[0]),
        sway=_curve(body[1]),
        surge=_curve(body[2]),
        pitch=_curve(body[3]),
        list=_curve(body[4]),
        yaw=_curve(body[5]),
        chest_yaw=_curve(body[6]),
        chest_lean=_curve(body[7]),
        arms=None if arms is None else (ArmCurves(*map(_curve, arms[0])), ArmCurves(*map(_curve, arms[1]))),
    )


def _curve(row: np.ndarray) -> Curve:
    return tuple(float(value) for value in row)


def _mean_phases(phases: np.ndarray) -> np.ndarray:
    """The mean of phases on their circle, (strides, feet) to (feet,)."""
    mean = np.angle(np.exp(2j * np.pi * phases).mean(axis=0)) / (2.0 * np.pi) % 1.0
    return np.where(mean > 1.0 - 1e-9, 0.0, mean)


def _spread(clip: Clip, strides: Sequence[Stride], samples: Sequence[_Sampled]) -> dict[str, float]:
    feet = np.std([s.feet for s in samples], axis=0)
    body = np.std([s.body for s in samples], axis=0)
    return {
        "period": float(np.std([s.length for s in strides])) / clip.fps,
        "speed": float(np.std([s.speed for s in strides])),
        "duty": float(np.std([s.duties for s in samples], axis=0).max()),
        "lengths": float(max(feet[:, :3].max(), body[:3].max())),
        "pitch": float(feet[:, 3].max()),
    }
