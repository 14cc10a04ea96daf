"""How a leg follows its foot: the ankle from what is held, and where it would be out of reach, a foot that rolls.

No leg gets straighter than the clip has it at that frame. Where a hold would need that, a foot that stands on its heel
or its ball alone rolls about it until the ankle is near enough, as real ones do; what a flat foot misses, the body
comes down by, smoothly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..ik.leg import rest_of
from ..ik.limbs_array import LimbArrays, bring_tips
from ..motion.clip import Clip
from ..motion.planted import REFERENCE_LEG
from ..rig.rig import Leg
from ..space.quaternions import about, arcs, components, crossed, dots, lengths, multiplied, to_matrices, turned
from .holds import FootShift, held_runs, spread
from .parts import mover_of

# What moves by less than this, metres for a 0.9 m leg, is not moved: clips come in single precision.
UNMOVED = 3e-6
# What of its segments a leg reaches at most by the slack that it is given, and a bent one.
NEARLY_STRAIGHT, BENT = 0.995, 0.85
UP = np.array([0.0, 0.0, 1.0])
NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])


class Leeway(NamedTuple):
    """What a leg may do to reach a hold: stretch by a share of its length, open its knee by an angle (radians) while it
    stays bent all the same, and the most that its foot rolls, radians.
    """

    stretch: float
    opens: float
    roll: float


HELD = Leeway(0.0, 0.0, math.radians(20.0))
"""Of a clip whose own feet are held."""
LED = Leeway(0.03, math.radians(21.0), math.radians(28.0))
"""Of a body of other proportions than the one that it follows."""


class FootPlan(NamedTuple):
    """A leg and where its foot shall be: joints as they stand, the new ankle (F, 3), the turns of foot and toes (F, 4),
    and the joint that the toes hang on, (F, 3). `longest`: how far the ankle may be from the hip, (F,). `held`: frames
    at which heel or ball is held.
    """

    leg: Leg
    limbs: LimbArrays
    ankle: np.ndarray
    turn: np.ndarray
    toe_turn: np.ndarray
    toe_joint: np.ndarray
    longest: np.ndarray
    held: np.ndarray


def plan_foot(
    clip: Clip,
    leg: Leg,
    points: tuple[np.ndarray, np.ndarray],
    shift: FootShift,
    ramp: float,
    leeway: Leeway,
) -> FootPlan:
    """Where a foot goes whose heel and ball (`points`) are to be moved so. ramp: frames in which rolling fades."""
    joints = clip.joints(leg)
    root, mid, ankle = joints[:, 0], joints[:, 1], joints[:, -1]
    axis = clip.rotation(leg.bones[0]) @ np.array(rest_of(clip.rig, leg).axis, dtype=np.float64)
    limbs = LimbArrays(root, mid, ankle, axis)
    held = shift.on_heel | shift.on_ball
    own = lengths(ankle - root)
    full = lengths(mid - root) + lengths(ankle - mid)
    longest = np.maximum(own, np.minimum((1.0 + leeway.stretch) * own, NEARLY_STRAIGHT * full))
    longest = np.maximum(longest, np.minimum(_opened(limbs, own, leeway.opens), BENT * full))
    turn = np.zeros((len(clip), 4))
    turn[:, 0] = 1.0
    toe = _toe_joint(clip, leg, points[1])
    if leg.foot < 0 or float(lengths(points[1] - points[0]).min()) < 1e-6:
        return FootPlan(leg, limbs, ankle + shift.ball, turn, turn, toe, longest, held)
    scale = clip.rig.leg_length / REFERENCE_LEG
    foot, wanted = points[1] - points[0], points[1] + shift.ball - points[0] - shift.heel
    moves = np.abs(wanted - foot).max(axis=-1) > UNMOVED * scale
    turn[moves] = arcs(_unit(foot[moves]), _unit(wanted[moves]), UP)

    def brought(point: np.ndarray) -> np.ndarray:
        by_heel = points[0] + shift.heel + turned(turn, point - points[0])
        by_ball = points[1] + shift.ball + turned(turn, point - points[1])
        return np.asarray(by_heel + shift.pivot[:, None] * (by_ball - by_heel))

    # An ankle or heel that is not moved stays to the last digit.
    goal = np.where((moves | (np.abs(shift.heel).max(axis=-1) > 0.0))[:, None], brought(ankle), ankle)
    flat = shift.on_heel & shift.on_ball
    heel = brought(points[0])
    on_heel = _rolled(goal, heel, root, longest, shift.on_heel & ~flat, flat, ramp, leeway.roll)
    goal = _about_point(on_heel, goal, heel)
    joint = _about_point(on_heel, brought(toe), heel)
    on_ball = _rolled(goal, joint, root, longest, shift.on_ball & ~flat, flat, ramp, leeway.roll)
    goal = _about_point(on_ball, goal, joint)
    toe_turn = multiplied(on_heel, turn)
    return FootPlan(leg, limbs, goal, multiplied(on_ball, toe_turn), toe_turn, toe, longest, held)


def _opened(limbs: LimbArrays, own: np.ndarray, angle: float) -> np.ndarray:
    """How far a limb's tip is from its root (F,) once its middle joint is opened by an angle, which is less than that
    to its being straight.
    """
    if angle <= 0.0:
        return own
    upper, lower = lengths(limbs.mid - limbs.root), lengths(limbs.tip - limbs.mid)
    product = np.maximum(2.0 * upper * lower, 1e-12)
    bent = np.arccos(np.clip((own**2 - upper**2 - lower**2) / product, -1.0, 1.0))
    return np.sqrt(np.maximum(0.0, upper**2 + lower**2 + product * np.cos(np.maximum(0.0, bent - angle))))


def apply(clip: Clip, plans: Sequence[FootPlan], shift: np.ndarray) -> None:
    """Shift a clip's body (F, 3) and bring its legs to their goals, in place; what does not move stays to the bit."""
    brought = [part for plan in plans for part in _brought(clip, plan, shift)]
    frames = np.flatnonzero(shift.any(axis=-1))
    if len(frames):
        span, mover = slice(int(frames[0]), int(frames[-1]) + 1), mover_of(clip.rig)
        for i in (mover, *clip.rig.skeleton.below[mover]):
            clip.moved[span, i, :3, 3] += shift[span]
    for rows, bone, motion in brought:
        clip.moved[rows, bone] = motion


def _brought(clip: Clip, plan: FootPlan, body: np.ndarray) -> Iterator[tuple[np.ndarray, int, np.ndarray]]:
    """How the bones of one leg move at the frames at which they do."""
    leg, scale = plan.leg, clip.rig.leg_length / REFERENCE_LEG
    shift = np.abs(plan.ankle - plan.limbs.tip).max(axis=-1)
    rows = ((shift > UNMOVED * scale) | (plan.turn[:, 0] != 1.0) | body.any(axis=-1)).nonzero()[0]
    if not len(rows):
        return
    root, mid, tip, axis = (values[rows] for values in plan.limbs)
    limbs = LimbArrays(root + body[rows], mid + body[rows], tip + body[rows], axis)
    side = -1.0 if leg.side == "R" else 1.0
    turns = bring_tips(limbs, plan.ankle[rows], plan.longest[rows], side)
    new_mid = limbs.root + turned(turns.upper, mid - root)
    new_tip = new_mid + turned(turns.lower, tip - mid)
    turn, joint = plan.turn[rows], plan.toe_joint[rows]
    upper, lower, foot, toes = _groups(clip, leg)
    for group, motion in (
        (upper, (turns.upper, root, limbs.root)),
        (lower, (turns.lower, mid, new_mid)),
        (foot, (turn, tip, new_tip)),
        (toes, (plan.toe_turn[rows], joint, new_tip + turned(turn, joint - tip))),
    ):
        carry = _carry(*motion) if group else None
        for bone in group:
            yield rows, bone, carry @ clip.moved[rows, bone]


def _groups(clip: Clip, leg: Leg) -> tuple[list[int], ...]:
    """All bones of a leg by what they move with: its first segment, the rest of it, the foot, the toes."""
    below = clip.rig.skeleton.below
    upper, lower, foot = ({i, *below[i]} if i >= 0 else set() for i in (*(*leg.bones, -1)[:2], leg.foot))
    toes = {j for i in leg.toes for j in (i, *below[i])}
    return tuple(sorted(some) for some in (upper - lower - foot - toes, lower - foot - toes, foot - toes, toes))


def _toe_joint(clip: Clip, leg: Leg, ball: np.ndarray) -> np.ndarray:
    """What a foot rolls about on its ball: the joint of its toes, or the ball itself."""
    return clip.place(leg.toes[0], clip.rig.skeleton.bones[leg.toes[0]].head) if leg.toes else ball


def _rolled(
    ankle: np.ndarray,
    pivot: np.ndarray,
    root: np.ndarray,
    longest: np.ndarray,
    alone: np.ndarray,
    flat: np.ndarray,
    ramp: float,
    most: float,
) -> np.ndarray:
    """The turns (F, 4) about a pivot that bring the ankle as near to the hip as the leg is long.

    alone: frames at which the foot stands on this pivot only. most: the largest turn. Beside frames at which it stands
    flat it rolls less, and after the last frame on it the roll fades.
    """
    still = components(4, (len(ankle),))
    still[:] = NO_TURN
    if not alone.any():
        return still
    arm, to_root = ankle - pivot, root - pivot
    radius, distance = lengths(arm), lengths(to_root)
    across = crossed(arm, to_root)
    now = np.arctan2(lengths(across), dots(arm, to_root))
    product = np.maximum(2.0 * radius * distance, 1e-12)
    wanted = np.arccos(np.clip((radius**2 + distance**2 - longest**2) / product, -1.0, 1.0))
    angle = np.minimum(np.clip(now - wanted, 0.0, None), most * _away(flat, ramp))
    angle = np.where(alone & (angle > 1e-9), angle, 0.0)
    if not angle.any():
        return still
    turns = spread(held_runs(alone, _unit(across) * angle[:, None]), len(ankle), ramp)
    size = lengths(turns)
    turns[flat], size[flat] = 0.0, 0.0
    return about(_unit(turns), size)


def _away(flat: np.ndarray, ramp: float) -> np.ndarray:
    """0 at frames that are flat, 1 where the next one is more than a ramp away, smoothly between, (F,)."""
    frames = flat.nonzero()[0]
    if not len(frames):
        return np.ones(len(flat))
    here = np.arange(len(flat))
    after = np.searchsorted(frames, here)
    before = np.abs(here - frames[np.maximum(after - 1, 0)])
    share = np.minimum(before, np.abs(frames[np.minimum(after, len(frames) - 1)] - here)) / max(ramp, 1.0)
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(share * share * (3.0 - 2.0 * share))


def _about_point(turns: np.ndarray, places: np.ndarray, pivot: np.ndarray) -> np.ndarray:
    still = turns[:, 0] == 1.0
    return np.where(still[:, None], places, pivot + turned(turns, places - pivot))


def _carry(turn: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The rigid motions (n, 4, 4) that turn about a point and bring it elsewhere."""
    motion = np.zeros((len(turn), 4, 4))
    motion[:, :3, :3] = to_matrices(turn)
    motion[:, :3, 3] = new - turned(turn, old)
    motion[:, 3, 3] = 1.0
    return motion


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = lengths(vectors)[..., None]
    return np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), UP)
