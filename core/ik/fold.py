"""Legs of any number of segments that fold as their rest pose folds: dog, horse, bird, insect.

Every interior joint keeps its rest axis and its share: joint k bends by fold * rest_bend_k, its sign included, so
that a zig-zag stays one (+ - +) and no joint passes straight. One number, the fold, is left; it follows from the
distance between root and tip, which falls steadily from fold 0 (straight) to the greatest fold. It is found by a
bracketed secant (the Illinois rule) on a table measured at set-up: a fixed number of steps, the same every time.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from mathutils import Quaternion, Vector

from ..space.vectors import cross
from .hinge import MAX_FLEXION, bend_axis
from .swing import TOLERANCE

# A leg whose joints bend by less than 10 degrees in sum does not show how it folds.
MIN_TOTAL_BEND = math.radians(10.0)
SAMPLES = 48
MAX_STEPS = 12


@dataclass(frozen=True, slots=True)
class FoldRest:
    """How a leg folds, in its rest space.

    segments: one vector each, hip first. axes, bends, offsets: one each interior joint, where the joint turns from
    rest by fold * bend - offset (radians) about its unit axis; offset is the bend that the rest already has. folds,
    spans: the table of folds and the root-tip distances that they give (metres), falling.
    """

    segments: tuple[Vector, ...]
    axes: tuple[Vector, ...]
    bends: tuple[float, ...]
    offsets: tuple[float, ...]
    folds: tuple[float, ...]
    spans: tuple[float, ...]
    upward: tuple[tuple[Vector, float, float, Vector], ...] = field(init=False)
    rising: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Of each joint, the last one first, axis, bend, offset and the segment above; the spans as they rise."""
        joints = zip(self.axes, self.bends, self.offsets, self.segments[:-1], strict=True)
        object.__setattr__(self, "upward", tuple(joints)[::-1])
        object.__setattr__(self, "rising", tuple(-span for span in self.spans))

    @classmethod
    def from_rest(cls, joints: Sequence[Vector], default_axis: Vector, *, zigzag: bool = True) -> FoldRest:
        """Measure the fold of rest `joints` (one more than segments).

        A rest that is too straight folds evenly about `default_axis` (its positive turn flexes the first joint);
        with `zigzag` each further joint bends against the one before.
        """
        segments = tuple(b - a for a, b in zip(joints, joints[1:], strict=False))
        axes, bends = [], []
        for upper, lower in zip(segments, segments[1:], strict=False):
            axis = bend_axis(upper, lower, least=0.0)
            axes.append(default_axis.copy() if axis is None else axis)
            bends.append(0.0 if axis is None else math.atan2(cross(upper, lower).length, upper.dot(lower)))
        offsets = bends
        if sum(bends) < MIN_TOTAL_BEND:
            axes = [default_axis * (-1.0 if zigzag and k % 2 else 1.0) for k in range(len(bends))]
            bends, offsets = [1.0] * len(bends), [0.0] * len(bends)
        untabled = cls(segments, tuple(axes), tuple(bends), tuple(offsets), (), ())
        return cls(segments, tuple(axes), tuple(bends), tuple(offsets), *_table(untabled))

    def turns(self, fold: float) -> list[Quaternion]:
        """Each segment's rotation from rest at a fold (the first one's is none), in rest space."""
        turned: Quaternion | None = None
        rotations = [Quaternion()]
        for axis, bend, offset in zip(self.axes, self.bends, self.offsets, strict=True):
            turn = Quaternion(axis, fold * bend - offset)
            turned = turn if turned is None else turned @ turn
            rotations.append(turned)
        return rotations

    def end(self, fold: float) -> Vector:
        """The vector from root to tip at a fold, in rest space."""
        # From the tip up: each joint turns all that hangs from it.
        tip = self.segments[-1]
        for axis, bend, offset, segment in self.upward:
            tip = segment + Quaternion(axis, fold * bend - offset) @ tip
        return tip

    def fold(self, distance: float) -> float:
        """The fold at which the tip is `distance` from the root, or the nearest that the leg can do."""
        return self.folded(distance)[0]

    def folded(self, distance: float) -> tuple[float, Vector]:
        """That fold, and the vector from root to tip that it gives, in rest space."""
        spans, folds = self.spans, self.folds
        if distance >= spans[0]:
            return folds[0], self.end(folds[0])
        if distance <= spans[-1]:
            return folds[-1], self.end(folds[-1])
        i = bisect.bisect_left(self.rising, -distance)
        low, high = folds[i - 1], folds[i]
        over, under = spans[i - 1] - distance, spans[i] - distance
        tolerance = 0.1 * TOLERANCE * spans[0]
        fold, end, side = low, self.segments[0], 0
        for _ in range(MAX_STEPS):
            fold = (low * under - high * over) / (under - over)
            end = self.end(fold)
            error = end.length - distance
            if -tolerance <= error <= tolerance:
                break
            if error > 0.0:
                low, over = fold, error
                under *= 0.5 if side > 0 else 1.0
                side = 1
            else:
                high, under = fold, error
                over *= 0.5 if side < 0 else 1.0
                side = -1
        return fold, end


def _table(rest: FoldRest) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Folds from 0 to where a joint is fully flexed or the leg stops getting shorter, and their distances."""
    most = max(rest.bends, default=0.0)
    if most < TOLERANCE:
        return (0.0,), (rest.end(0.0).length,)
    folds, spans = [0.0], [rest.end(0.0).length]
    for step in range(1, SAMPLES + 1):
        fold = MAX_FLEXION / most * step / SAMPLES
        span = rest.end(fold).length
        if span >= spans[-1]:
            # Residual bends of a nearly straight rest may make fold 0 a little shorter than the first steps.
            if len(folds) > 1:
                break
            folds, spans = [fold], [span]
            continue
        folds.append(fold)
        spans.append(span)
    return tuple(folds), tuple(spans)
