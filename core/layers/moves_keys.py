"""The key poses of a move as a preset's table, and the smooth way through them.

A move has one or more sets of keys, each for some of its variants. A key stands at a share of the move
and names what it sets, group by group; what a key leaves out goes on its way between the keys that do name it. The way
through the keys of a number is the monotone cubic of F. Fritsch and R. Carlson ("Monotone Piecewise Cubic
Interpolation", 1980): it has no corner, it never goes past a key, and it rests at every turning point.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, radians
from typing import Any

from ..space.curves import hermite

VERSION = 1
MOST_KEYS = 64
SHIFT, SHARE, ANGLE, ROUND = (-2.0, 2.0), (0.0, 1.0), (-200.0, 200.0), (-720.0, 720.0)

# Of each group what can be set. `up`, `ahead`, `side` (to the left) are shares of the leg; `hold` is how much of what a
# state has a limb touch is let be; all else are degrees.
BODY: dict[str, tuple[float, float]] = {
    "up": SHIFT, "ahead": SHIFT, "side": SHIFT, "pitch": ROUND, "roll": ROUND, "yaw": ROUND
}  # fmt: skip
TRUNK = dict.fromkeys(("bend", "tilt", "twist"), ANGLE)
HEAD = dict.fromkeys(("nod", "tilt", "turn"), ANGLE)
ARM = {**dict.fromkeys(("raise", "out", "turn", "elbow", "wrist", "shrug", "hook"), ANGLE), "hold": SHARE}
LEG = {**dict.fromkeys(("raise", "out", "turn", "knee", "foot", "toe"), ANGLE), "hold": SHARE}
GROUPS = {"body": BODY, "trunk": TRUNK, "head": HEAD, "arm": ARM, "leg": LEG}
SIDED = ("arm", "leg")
# What changes its sign in the mirror: the rest of a limb is told from its own side.
MIRRORED = {"body": ("side", "roll", "yaw"), "trunk": ("tilt", "twist"), "head": ("tilt", "turn")}
WHOLE = ("up", "hold")
EVERY_VARIANT = "ANY"

# Every group with every number of it, as it is where no key says otherwise.
EVERY = tuple(
    (name, {key: 1.0 if key in WHOLE else 0.0 for key in names})
    for group, names in GROUPS.items()
    for name in ([f"{group}_L", f"{group}_R"] if group in SIDED else [group])
)

KeyPose = dict[str, dict[str, float]]
"""Every group (`body`, `arm_L` ...) with every number of it: shares of the leg, and radians."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One number over a move: times, values and slopes at its keys. `loops`: what is after 1 is what was after 0."""

    times: tuple[float, ...]
    values: tuple[float, ...]
    slopes: tuple[float, ...]

    @classmethod
    def through(cls, keys: Sequence[tuple[float, float]], *, loops: bool) -> Curve:
        """The curve through keys in the order of their times."""
        if loops:
            # One round before and one after give the ends the slopes that the middle has.
            keys = [(t + k, v) for k in (-1, 0, 1) for t, v in keys]
        times, values = tuple(t for t, _ in keys), tuple(v for _, v in keys)
        return cls(times, values, _slopes(times, values))

    def negated(self) -> Curve:
        """The same with the other sign."""
        return Curve(self.times, tuple(-v for v in self.values), tuple(-s for s in self.slopes))

    def at(self, time: float) -> float:
        """The value at a time; before the first key and after the last one it stays."""
        times, values = self.times, self.values
        k = bisect_right(times, time) - 1
        if k < 0:
            return values[0]
        if k >= len(times) - 1:
            return values[-1]
        span = times[k + 1] - times[k]
        slopes = self.slopes
        return hermite(values[k], slopes[k] * span, values[k + 1], slopes[k + 1] * span, (time - times[k]) / span)


def _slopes(times: Sequence[float], values: Sequence[float]) -> tuple[float, ...]:
    """The slope at each key: none at the ends and where the values turn, else the weighted harmonic mean."""
    slopes = [0.0] * len(times)
    for k in range(1, len(times) - 1):
        before, after = times[k] - times[k - 1], times[k + 1] - times[k]
        left, right = (values[k] - values[k - 1]) / before, (values[k + 1] - values[k]) / after
        if left * right > 0.0:
            first, second = 2.0 * after + before, after + 2.0 * before
            slopes[k] = (first + second) / (first / left + second / right)
    return tuple(slopes)


@dataclass(frozen=True, slots=True)
class MoveKeys:
    """One set of keys: its curves by group and name. `floor`: it goes over the floor that the body stands on."""

    curves: Mapping[tuple[str, str], Curve]
    loops: bool = False
    floor: bool = False

    def at(self, progress: float) -> KeyPose:
        """The pose at a share of the move, or at a phase of its round."""
        time = progress % 1.0 if self.loops else progress
        pose = {group: dict(names) for group, names in EVERY}
        for (group, name), curve in self.curves.items():
            pose[group][name] = curve.at(time)
        return pose

    def mirrored(self) -> MoveKeys:
        """The same on the other side."""
        curves = {}
        for (group, name), curve in self.curves.items():
            other = group[:-1] + {"L": "R", "R": "L"}[group[-1]] if group[:-2] in SIDED else group
            turns = name in MIRRORED.get(group, ())
            curves[other, name] = curve.negated() if turns else curve
        return MoveKeys(curves, self.loops, self.floor)


@dataclass(frozen=True, slots=True)
class MoveTable:
    """A move with all its sets of keys, by variant; the first is its default.

    `clips` are the names that libraries of animations have for it, by variant (empty: of all variants).
    """

    name: str
    keys: Mapping[str, MoveKeys]
    clips: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, variant: str) -> MoveKeys:
        """The keys of a variant; of one that has none of its own those of the first."""
        return self.keys.get(variant) or next(iter(self.keys.values()))


def move_from(table: Mapping[str, Any], place: str) -> MoveTable:
    """A preset's table as a move. ValueError names what is wrong with it, and where."""
    if table.get("version") != VERSION:
        raise ValueError(f"{place}: version {table.get('version')!r} is not {VERSION}.")
    _known(table, ("version", "name", "text", "clips", "poses"), place)
    for key in ("name", "text"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise ValueError(f"{place}: needs a {key}.")
    rows = _rows(table.get("poses"), f"{place}: poses")
    keys: dict[str, MoveKeys] = {}
    for number, row in enumerate(rows, 1):
        _add(keys, row, f"{place}: poses {number}")
    for variant, found in list(keys.items()):
        other = variant.replace("LEFT", "RIGHT")
        if other != variant:
            keys.setdefault(other, found.mirrored())
    return MoveTable(table["name"], keys, _clips(table.get("clips", {}), f"{place}: clips"))


def _clips(table: Any, place: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict):
        raise ValueError(f"{place} must be a table of lists of names.")
    for variant, names in table.items():
        if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
            raise ValueError(f"{place}.{variant} must be a list of names.")
    return {"" if variant == EVERY_VARIANT else variant: tuple(names) for variant, names in table.items()}


def _add(keys: dict[str, MoveKeys], row: Mapping[str, Any], place: str) -> None:
    _known(row, ("variants", "loops", "floor", "keys"), place)
    variants, loops, floor = row.get("variants", [""]), row.get("loops", False), row.get("floor", False)
    if not isinstance(variants, list) or not variants or not all(isinstance(name, str) for name in variants):
        raise ValueError(f"{place}: variants must be a list of names.")
    if not isinstance(loops, bool) or not isinstance(floor, bool):
        raise ValueError(f"{place}: loops and floor must be true or false.")
    curves = _curves(_rows(row.get("keys"), f"{place}: keys"), f"{place}: keys", loops=loops)
    found = MoveKeys(curves, loops, floor)
    for variant in variants:
        if variant in keys:
            raise ValueError(f"{place}: {variant or 'the move'} has keys already.")
        keys[variant] = found


def _curves(rows: Sequence[Mapping[str, Any]], place: str, *, loops: bool) -> dict[tuple[str, str], Curve]:
    """All numbers' curves. `arms = {...}` sets both, `arm_L` its own."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    last = -1.0
    for number, row in enumerate(rows, 1):
        here = f"{place} {number}"
        time = _number(row.get("at"), (0.0, 1.0), f"{here}: at")
        if time <= last or (loops and time >= 1.0):
            raise ValueError(f"{here}: at must grow from key to key, and stay under 1 in a round.")
        last = time
        for group, values in row.items():
            for name, own in _sides(group, here):
                for key, value in _set(values, own, f"{here}: {group}").items():
                    found.setdefault((name, key), []).append((time, value))
    return {key: Curve.through(keys, loops=loops) for key, keys in found.items()}


def _sides(group: str, place: str) -> list[tuple[str, str]]:
    """The groups that a word of a key means, with whose names they have."""
    if group == "at":
        return []
    if group in GROUPS and group not in SIDED:
        return [(group, group)]
    if group.endswith("s") and group[:-1] in SIDED:
        return [(f"{group[:-1]}_{side}", group[:-1]) for side in "LR"]
    if group[:-2] in SIDED and group[-2:] in ("_L", "_R"):
        return [(group, group[:-2])]
    raise ValueError(f"{place}: {group!r} is not known.")


def _set(values: Any, group: str, place: str) -> dict[str, float]:
    if not isinstance(values, dict) or not values:
        raise ValueError(f"{place} must be a table of numbers.")
    names = GROUPS[group]
    _known(values, tuple(names), place)
    found = {key: _number(value, names[key], f"{place}.{key}") for key, value in values.items()}
    return {key: value if names[key] in (SHIFT, SHARE) else radians(value) for key, value in found.items()}


def _rows(value: Any, place: str) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value):
        raise ValueError(f"{place} must be a list of tables.")
    if len(value) > MOST_KEYS:
        raise ValueError(f"{place} has {len(value)} tables; {MOST_KEYS} are the most.")
    return value


def _known(table: Mapping[str, Any], names: Sequence[str], place: str) -> None:
    unknown = sorted(str(key) for key in table if key not in names)
    if unknown:
        raise ValueError(f"{place}: {unknown[0]!r} is not known; there are {', '.join(names)}.")


def _number(value: Any, limits: tuple[float, float], place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{place} must be a number.")
    if not limits[0] <= value <= limits[1]:
        raise ValueError(f"{place} is {value:g}; it must lie between {limits[0]:g} and {limits[1]:g}.")
    return float(value)
