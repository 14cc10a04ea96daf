"""Getting up by key poses, where no take fits: a preset's table, and a rig brought through it.

A table is one of a way to lie: key poses by role as moves have them (see moves_keys), how long they take, which hands
and feet stay where they push and when, and up to where a body that is on its way already may enter. Its LEFT is also
its RIGHT, mirrored. How quickly bones turn is bounded: where keys ask for more, they take longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, get_args

from ..layers.moves_body import BodyOfKeys
from ..layers.moves_keys import Curve, MoveKeys, move_from
from ..rig.edited_pose import EditedPose
from ..space.inertialization import rotation_offset
from .rise_config import RiseStyle

KeysOf = Literal["PRONE", "SUPINE", "SIDE"]
OWN = ("lies", "style", "seconds", "enter", "holds")
# Of the way through all keys so many steps are looked at; no bone turns faster in the world (radians a second).
STEPS, FASTEST = 60, 6.0
LIMBS = {"arm_L": "hand.L", "arm_R": "hand.R", "leg_L": "foot.L", "leg_R": "foot.R"}
EVERY = 0.04


class HoldSpan(NamedTuple):
    """A hand or a foot, by its role, that stays where it is from one time to another; `lasts`: to the end and on."""

    limb: str
    start: float
    end: float
    lasts: bool = False


class Source(Protocol):
    """What a body rises by. Times are its own, seconds."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def lies(self) -> str:
        """The side that is down when it begins."""

    @property
    def style(self) -> RiseStyle:
        """How it gets up."""

    @property
    def is_take(self) -> bool:
        """True for a take, False for what a body does by itself."""

    @property
    def seconds(self) -> float:
        """When the body stands."""

    @property
    def begins(self) -> tuple[float, ...]:
        """The times at which a body may enter, the first one first."""

    @property
    def holds(self) -> tuple[HoldSpan, ...]:
        """What is planted when."""

    def lay(self, pose: EditedPose, time: float) -> None:
        """Bring a pose to a time, model space: over the place where the body will stand, on level ground."""


@dataclass(frozen=True)
class RiseTable:
    """The key poses of one way to lie. `holds` are by limb: shares of the whole. `keys` are its LEFT and its RIGHT.
    `clips` are the names that libraries of animations have for it.
    """

    name: str
    lies: KeysOf
    style: RiseStyle
    seconds: float
    enter: float
    keys: Mapping[str, MoveKeys]
    holds: tuple[tuple[str, float, float], ...]
    clips: tuple[str, ...] = ()


def rise_from(table: Mapping[str, Any], place: str) -> RiseTable:
    """A preset's table as a way to get up. ValueError names what is wrong with it, and where."""
    move = move_from({key: value for key, value in table.items() if key not in OWN}, place)
    lies: Any = table.get("lies")
    style: Any = table.get("style", "ORDINARY")
    for key, value, known in (("lies", lies, get_args(KeysOf)), ("style", style, get_args(RiseStyle))):
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"{place}: {key} must be one of {', '.join(known)}.")
    seconds = _number(table.get("seconds"), f"{place}: seconds", 20.0)
    enter = _number(table.get("enter", 0.0), f"{place}: enter", 0.9)
    if set(move.keys) != {"LEFT", "RIGHT"}:
        raise ValueError(f"{place}: poses must be of the variant LEFT; RIGHT is its mirror image.")
    rows = table.get("holds", [])
    if not isinstance(rows, list):
        raise ValueError(f"{place}: holds must be a list of tables.")
    holds = tuple(_hold(row, f"{place}: holds {number}") for number, row in enumerate(rows, 1))
    names = tuple(name for some in move.clips.values() for name in some)
    return RiseTable(move.name, lies, style, seconds, enter, move.keys, holds, names)


def _hold(row: Any, place: str) -> tuple[str, float, float]:
    if not isinstance(row, dict) or set(row) != {"limb", "start", "end"}:
        raise ValueError(f"{place} must say limb, start and end.")
    if not isinstance(row["limb"], str) or row["limb"] not in LIMBS:
        raise ValueError(f"{place}: limb must be one of {', '.join(LIMBS)}.")
    start, end = (_number(row[key], f"{place}: {key}", 1.0) for key in ("start", "end"))
    if start >= end:
        raise ValueError(f"{place}: start must come before end.")
    return row["limb"], start, end


def _number(value: Any, place: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= most:
        raise ValueError(f"{place} must be a number from 0 to {most:g}.")
    return float(value)


class KeySource:
    """One side of a table on one rig. Immutable."""

    is_take = False

    def __init__(self, body: BodyOfKeys, table: RiseTable, side: str, tempo: float) -> None:
        self.body, self.table, self.side = body, table, side
        self.keys = table.keys[side]
        self.name = f"{table.name} {side}"
        self.lies = side if table.lies == "SIDE" else table.lies
        self.style: RiseStyle = table.style
        self.nominal = table.seconds * tempo
        self.fastest = FASTEST / tempo

    @cached_property
    def pace(self) -> Curve:
        """The share of the keys by the time, seconds: as told, but no bone turns faster than it may."""
        pose = EditedPose.rest(self.body.rig.skeleton)
        rotated = self.body.driven()[0]
        before, time, keys = None, 0.0, []
        for k in range(STEPS + 1):
            self.body.pose(pose, self.keys.at(k / STEPS))
            now = [pose.turn(i) for i in rotated]
            if before is not None:
                most = max(sum(x * x for x in rotation_offset(b, a)) ** 0.5 for a, b in zip(before, now, strict=True))
                time += max(self.nominal / STEPS, most / self.fastest)
            keys.append((time, k / STEPS))
            before = now
        return Curve.through(keys, loops=False)

    @property
    def seconds(self) -> float:
        """When the body stands."""
        return self.pace.times[-1]

    def _time(self, share: float) -> float:
        k = min(int(share * STEPS), STEPS - 1)
        a, b = self.pace.times[k], self.pace.times[k + 1]
        return a + (b - a) * (share * STEPS - k)

    @cached_property
    def begins(self) -> tuple[float, ...]:
        """The times at which a body may enter, the first one first."""
        count = round(self.table.enter / EVERY)
        return tuple(self._time(k * EVERY) for k in range(count + 1))

    @cached_property
    def holds(self) -> tuple[HoldSpan, ...]:
        """What is planted when."""
        found = []
        for limb, start, end in self.table.holds:
            own = limb if self.side == "LEFT" else limb[:-1] + {"L": "R", "R": "L"}[limb[-1]]
            found.append(HoldSpan(LIMBS[own], self._time(start), self._time(end), end >= 1.0))
        return tuple(found)

    def lay(self, pose: EditedPose, time: float) -> None:
        """Bring a pose to a time."""
        self.body.pose(pose, self.keys.at(self.pace.at(time)))
