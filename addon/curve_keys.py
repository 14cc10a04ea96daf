"""All that a curve's keys hold, read and written in bulk: to cut, shift and copy curves with nothing lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.motion.key_cutting import CURVED, STEP, STRAIGHT, Keys, cut_after, cut_before, keys_from
from .key_writing import INTERPOLATION_NUMBERS

NUMBERS = ("interpolation", "easing", "type", "handle_left_type", "handle_right_type")
SHAPES = ("amplitude", "period", "back")
FREE = 0
KINDS = {
    INTERPOLATION_NUMBERS["CONSTANT"]: STEP,
    INTERPOLATION_NUMBERS["LINEAR"]: STRAIGHT,
    INTERPOLATION_NUMBERS["BEZIER"]: CURVED,
}


@dataclass(frozen=True)
class CurveKeys:
    """The keys of a curve: places and handles (K, 2), enumerations by number and shapes of easings, (K,) each."""

    points: np.ndarray
    left: np.ndarray
    right: np.ndarray
    more: dict[str, np.ndarray]

    @property
    def eased(self) -> bool:
        """Whether any key goes on to the next by an easing that cannot be cut."""
        return bool(set(self.more["interpolation"][:-1].tolist()) - set(KINDS))

    def retimed(self, scale: float, about: float, shift: float = 0.0) -> CurveKeys:
        """Times scaled about one of them, then shifted."""

        def moved(rows: np.ndarray) -> np.ndarray:
            return np.column_stack([about + (rows[:, 0] - about) * scale + shift, rows[:, 1]])

        return replace(self, points=moved(self.points), left=moved(self.left), right=moved(self.right))

    def times(self, factor: float) -> CurveKeys:
        """Values multiplied."""
        both = [1.0, factor]
        return replace(self, points=self.points * both, left=self.left * both, right=self.right * both)

    def cut(self, first: float, last: float) -> CurveKeys:
        """What lies between two times, going as before."""
        kinds = np.array([KINDS.get(kind, STRAIGHT) for kind in self.more["interpolation"].tolist()])
        keys: Keys = cut_after(cut_before(keys_from(self.points, self.left, self.right, kinds), first), last)
        more = {name: values[keys.source].copy() for name, values in self.more.items()}
        for name in ("handle_left_type", "handle_right_type"):
            more[name][keys.free] = FREE
        return CurveKeys(keys.points, keys.left, keys.right, more)


def read_keys(curve: Any) -> CurveKeys:
    """All keys of a curve."""
    points, count = curve.keyframe_points, len(curve.keyframe_points)

    def pairs(name: str) -> np.ndarray:
        flat = np.empty(count * 2, dtype=np.float32)
        points.foreach_get(name, flat)
        return flat.reshape(-1, 2).astype(np.float64)

    more = {}
    for names, kind in ((NUMBERS, np.int32), (SHAPES, np.float32)):
        for name in names:
            more[name] = np.empty(count, dtype=kind)
            points.foreach_get(name, more[name])
    return CurveKeys(pairs("co"), pairs("handle_left"), pairs("handle_right"), more)


def put_keys(curve: Any, keys: CurveKeys) -> None:
    """These keys and no others on a curve."""
    points = curve.keyframe_points
    points.clear()
    points.add(len(keys.points))
    for name, rows in (("co", keys.points), ("handle_left", keys.left), ("handle_right", keys.right)):
        points.foreach_set(name, rows.astype(np.float32).ravel())
    for name, values in keys.more.items():
        points.foreach_set(name, values)
    curve.update()
