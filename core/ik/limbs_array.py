"""Two-segment limbs over whole arrays, in double precision: what `hinge` and `posed` do one frame at a time.

A limb of more segments counts as two here: its first one, and the rest of it as it stands. All arrays broadcast over
their leading axes, written (F,) below; every step is an array over frames, none looks at a former frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..space.quaternions import about, arcs, crossed, dots, lengths, multiplied, square_to, turned
from .hinge import MAX_FLEXION
from .posed import CLEAR_BEND, FAINT_BEND, LEAST_BEND, SETTLING_BEND
from .swing import TOLERANCE

EXACT, CLAMPED, DEGENERATE = 0, 1, 2
"""The verdicts of `swing.Reach` as they stand in an array."""


class LimbArrays(NamedTuple):
    """Limbs as they stand, metres, one space: their joints (F, 3) and the hinge's axis (F, 3), a unit vector about
    which a positive turn of the lower segment flexes.
    """

    root: np.ndarray
    mid: np.ndarray
    tip: np.ndarray
    axis: np.ndarray


class LimbTurns(NamedTuple):
    """What turns the upper and the lower segment, (F, 4) each, in front of the turns that they have; (F,) verdicts."""

    upper: np.ndarray
    lower: np.ndarray
    reach: np.ndarray


def solve_limbs(
    limbs: LimbArrays,
    goal: np.ndarray,
    least: np.ndarray | float = 0.0,
    greatest: np.ndarray | float = MAX_FLEXION,
    softness: float = 0.0,
) -> LimbTurns:
    """Bring each tip to its goal (F, 3): the hinge in closed form, then the whole limb by the smallest swing.

    The same as `hinge.solve_limb_with` for each frame; least and greatest are flexions, radians.
    """
    upper, lower = limbs.mid - limbs.root, limbs.tip - limbs.mid
    total = lengths(upper) + lengths(lower)
    span = _Span.measure(upper, lower, limbs.axis)
    to_goal = goal - limbs.root
    distance = lengths(to_goal)
    wanted = _soft(distance, span.distance(least), softness)
    flexion = np.clip(span.flexion(wanted), least, greatest)
    turn = span.straight + flexion
    end = upper + turned(about(limbs.axis, turn), lower)
    line = limbs.tip - limbs.root
    line = np.where((lengths(line) > TOLERANCE * total)[..., None], line, end)
    nowhere = np.minimum(np.minimum(lengths(line), lengths(end)), distance) <= TOLERANCE * total
    swing = multiplied(
        arcs(_unit(line), _unit(to_goal), limbs.axis),
        arcs(_unit(end), _unit(line), limbs.axis),
    )
    swing = np.where(nowhere[..., None], [1.0, 0.0, 0.0, 0.0], swing)
    exact = np.abs(span.distance(flexion) - distance) <= TOLERANCE * total
    reach = np.where(nowhere | ~span.bends, DEGENERATE, np.where(exact, EXACT, CLAMPED))
    return LimbTurns(swing, multiplied(swing, about(limbs.axis, turn)), reach)


def bring_tips(limbs: LimbArrays, goal: np.ndarray, longest: np.ndarray | float, side: float = 1.0) -> LimbTurns:
    """Bring the tips of limbs that are posed already to their goals (F, 3), with as little change as can be.

    The same as `posed.bring_tip` for two segments: each is bent about the axis that it is bent about as it stands, and
    about the hinge's own axis as far as it is nearly straight and is bent further; segments keep their turns about
    themselves. No tip gets farther from its root than `longest` (F,), metres. side: 1 for a left limb, -1 for a right.
    """
    upper, lower = limbs.mid - limbs.root, limbs.tip - limbs.mid
    total = lengths(upper) + lengths(lower)
    line = limbs.tip - limbs.root
    across = crossed(upper, lower)
    bend = np.arctan2(lengths(across), dots(upper, lower))
    known = bend > LEAST_BEND
    along = _unit(np.where((lengths(line) > TOLERANCE * total)[..., None], line, upper))
    axis = np.where(known[..., None], _unit(across), square_to(along, limbs.axis))
    span = _Span.measure(upper, lower, axis)
    to_goal = goal - limbs.root
    distance = np.minimum(lengths(to_goal), longest)
    flexion = np.minimum(MAX_FLEXION, span.flexion(distance))
    bent = about(axis, span.straight + flexion)
    end = upper + turned(bent, lower)
    unclear = 1.0 - _smooth((bend - FAINT_BEND) / (CLEAR_BEND - FAINT_BEND))
    further = _smooth((flexion - bend) / SETTLING_BEND)
    angle = _about(along, axis, limbs.axis)
    angle = np.where(side * angle < -0.5 * np.pi, angle + side * 2.0 * np.pi, angle)
    settled = about(along, np.where(known, unclear * further * angle, 0.0))
    whole = multiplied(settled, arcs(_unit(end), along, axis))
    nowhere = np.minimum(lengths(to_goal), lengths(end)) <= TOLERANCE * total
    swing = np.where(nowhere[..., None], [1.0, 0.0, 0.0, 0.0], arcs(along, _unit(to_goal), limbs.axis))
    whole = np.where(nowhere[..., None], [1.0, 0.0, 0.0, 0.0], whole)
    # The middle settles, not the segments' own turns about themselves.
    first = arcs(_unit(upper), _unit(turned(whole, upper)), axis)
    second = arcs(_unit(lower), _unit(turned(multiplied(whole, bent), lower)), axis)
    exact = np.abs(lengths(end) - lengths(to_goal)) <= TOLERANCE * total
    reach = np.where(nowhere | ~span.bends, DEGENERATE, np.where(exact, EXACT, CLAMPED))
    return LimbTurns(multiplied(swing, first), multiplied(swing, second), reach)


class _Span(NamedTuple):
    """`hinge.HingeSpan` over arrays."""

    offset: np.ndarray
    swing: np.ndarray
    straight: np.ndarray

    @classmethod
    def measure(cls, upper: np.ndarray, lower: np.ndarray, axis: np.ndarray) -> _Span:
        along = dots(upper, axis) * dots(lower, axis)
        cosine, sine = dots(upper, lower) - along, dots(upper, crossed(axis, lower))
        offset = dots(upper, upper) + dots(lower, lower) + 2.0 * along
        return cls(offset, 2.0 * np.hypot(cosine, sine), np.arctan2(sine, cosine))

    @property
    def bends(self) -> np.ndarray:
        return np.asarray(self.swing > TOLERANCE * self.offset)

    def distance(self, flexion: np.ndarray | float) -> np.ndarray:
        return np.sqrt(np.maximum(0.0, self.offset + self.swing * np.cos(flexion)))

    def flexion(self, distance: np.ndarray) -> np.ndarray:
        swing = np.where(self.bends, self.swing, 1.0)
        cosine = np.clip((distance * distance - self.offset) / swing, -1.0, 1.0)
        return np.where(self.bends, np.arccos(cosine), 0.0)


def _soft(distance: np.ndarray, limit: np.ndarray, softness: float) -> np.ndarray:
    """`swing.soft_distance` over arrays."""
    if softness <= 0.0:
        return np.minimum(distance, limit)
    start = limit * (1.0 - softness)
    zone = limit - start
    return np.where(
        distance <= start, distance, start + zone * (1.0 - np.exp(np.minimum(0.0, start - distance) / zone))
    )


def _smooth(share: np.ndarray) -> np.ndarray:
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _about(line: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The angle about unit vectors from one direction to another as seen along them; 0 where `end` lies along."""
    across = end - line * dots(end, line)[..., None]
    angle = np.arctan2(dots(line, crossed(start, across)), dots(start, across))
    return np.where(lengths(across) > LEAST_BEND, angle, 0.0)


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = lengths(vectors)[..., None]
    return np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), [0.0, 0.0, -1.0])
