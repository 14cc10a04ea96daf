"""The shortest way over cells, with moves as links between them: A* that goes on in slices, and its way pulled tight.

After Hart, Nilsson and Raphael (1968). The search follows from the world, where it begins, its goal and how far it has
come: how many slices there were says all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import hypot
from typing import NamedTuple

from ..space.rigid import Triple
from ..world.cells import Cell, Cells
from .links import LegKind, Link, Mover, links_from

AXES = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
DIAGONAL = 0.5**0.5
UPWARD = 2.0
"""How much more a metre of height counts than one of the plan, where it goes as near as it can."""
LONGEST_PULL = 60
"""So many places of a way are made one straight leg at most."""


EAGER = 1.15
"""So much more the way that is left counts than the one that was gone: fewer cells are seen, for a way that may be so
much longer than the shortest.
"""


class Leg(NamedTuple):
    """A part of a way: how it is gone, where from, and where to."""

    kind: LegKind
    start: Triple
    end: Triple


Failed = tuple[str, int, int, int, int]
"""A move that did not come off: its kind, the square that it began in, and the way that it went, as -1, 0 or 1. WALK:
the square that nobody came to, and no way.
"""


def blocked_key(feet: Triple, towards: Triple, radius: float, size: float) -> Failed:
    """A spot where walking did not get on: the square just ahead of the body."""
    dx, dy = towards[0] - feet[0], towards[1] - feet[1]
    share = (radius + 0.5 * size) / max(hypot(dx, dy), 1e-9)
    return "WALK", round((feet[0] + dx * share) / size), round((feet[1] + dy * share) / size), 0, 0


def failed_key(kind: str, start: Triple, end: Triple, size: float) -> Failed:
    """How a move is known again: by where it began, about, and which way it led."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    most = max(abs(dx), abs(dy), 1e-9)
    return kind, round(start[0] / (2.0 * size)), round(start[1] / (2.0 * size)), round(dx / most), round(dy / most)


@dataclass(slots=True)
class Search:
    """One search. `state` is SEEKS until it is THERE, has seen ALL that it gets to, or as MUCH as it may;
    STRAIGHT where nothing is in the way. Without `links` it only walks."""

    cells: Cells
    mover: Mover
    start: Triple
    goal: Triple
    most: int
    failed: tuple[Failed, ...] = ()
    links: bool = True
    state: str = "SEEKS"
    seen: int = 0
    slices: int = 0
    _open: list[tuple[float, int, Cell]] = field(default_factory=list)
    _cost: dict[Cell, float] = field(default_factory=dict)
    _place: dict[Cell, Triple] = field(default_factory=dict)
    _from: dict[Cell, tuple[Cell, LegKind]] = field(default_factory=dict)
    _done: set[Cell] = field(default_factory=set)
    _count: int = 0
    _last: Cell | None = None
    _nearest: float = 1e30

    def __post_init__(self) -> None:
        found = self.cells.near(self.start)
        if found is None:
            self.state = "ALL"
            return
        if self._straight(self.start, self.goal):
            self.state = "STRAIGHT"
            return
        cell, place = found
        self._cost[cell], self._place[cell] = 0.0, place
        self._push(cell, 0.0)

    def go_on(self, count: int) -> None:
        """One slice: so many more cells."""
        self.slices += 1
        for _ in range(count):
            if self.state != "SEEKS":
                return
            self._one()

    def _one(self) -> None:
        while self._open:
            _, _, cell = heappop(self._open)
            if cell not in self._done:
                break
        else:
            self.state = "ALL"
            return
        if self.seen >= self.most:
            self.state = "MUCH"
            return
        self.seen += 1
        self._done.add(cell)
        place = self._place[cell]
        near = self._to_goal(place) + UPWARD * abs(place[2] - self.goal[2])
        if near < self._nearest:
            self._nearest, self._last = near, cell
        if self._is_goal(place):
            self._last, self.state = cell, "THERE"
            return
        self._expand(cell, place)

    def _is_goal(self, place: Triple) -> bool:
        size = self.cells.size
        return (
            abs(place[0] - self.goal[0]) <= size
            and abs(place[1] - self.goal[1]) <= size
            and abs(place[2] - self.goal[2]) <= self.cells.body.step
        )

    def _expand(self, cell: Cell, place: Triple) -> None:
        walked = {}
        for di, dj in (*AXES, *DIAGONALS):
            there = None if self._is_blocked(cell.i + di, cell.j + dj) else self.cells.step(place, cell, di, dj)
            walked[di, dj] = there is not None
            if there is not None:
                self._reach(cell, there, "WALK", hypot(there[0] - place[0], there[1] - place[1]))
        for di, dj in AXES if self.links else ():
            if not walked[di, dj]:
                self._move(cell, place, (float(di), float(dj)))
        for di, dj in DIAGONALS if self.links else ():
            if not (walked[di, dj] or walked[di, 0] or walked[0, dj]):
                self._move(cell, place, (di * DIAGONAL, dj * DIAGONAL))

    def _is_blocked(self, i: int, j: int) -> bool:
        """True beside a square that nobody came to."""
        return any(key[0] == "WALK" and abs(key[1] - i) <= 1 and abs(key[2] - j) <= 1 for key in self.failed)

    def _straight(self, start: Triple, end: Triple) -> bool:
        """True where a straight way is free, and does not lead over such a square."""
        way, size = hypot(end[0] - start[0], end[1] - start[1]), self.cells.size
        for kind, i, j, _, _ in self.failed if way > 0.0 else ():
            x, y = i * size - start[0], j * size - start[1]
            dx, dy = (end[0] - start[0]) / way, (end[1] - start[1]) / way
            along, aside = x * dx + y * dy, abs(y * dx - x * dy)
            if kind == "WALK" and -size <= along <= way + size and aside <= 1.5 * size:
                return False
        return self.cells.straight(start, end)

    def _move(self, cell: Cell, place: Triple, ahead: tuple[float, float]) -> None:
        for link in links_from(self.cells, self.mover, place, ahead):
            if not self._has_failed(link, place):
                self._reach(cell, link.end, link.kind, link.cost)

    def _has_failed(self, link: Link, place: Triple) -> bool:
        return bool(self.failed) and failed_key(link.kind, place, link.end, self.cells.size) in self.failed

    def _reach(self, cell: Cell, place: Triple, kind: LegKind, cost: float) -> None:
        there = self.cells.cell_of(place)
        total = self._cost[cell] + cost
        if there in self._done or total >= self._cost.get(there, 1e30):
            return
        self._cost[there], self._place[there], self._from[there] = total, place, (cell, kind)
        self._push(there, total)

    def _push(self, cell: Cell, cost: float) -> None:
        self._count += 1
        heappush(self._open, (cost + EAGER * self._to_goal(self._place[cell]), self._count, cell))

    def _to_goal(self, place: Triple) -> float:
        return hypot(place[0] - self.goal[0], place[1] - self.goal[1])

    def way(self, most: int) -> tuple[Leg, ...]:
        """The way found, or that to the nearest place to the goal: at most so many legs."""
        if self.state == "STRAIGHT":
            return (Leg("WALK", self.start, self.goal),)
        if self._last is None:
            return ()
        cell = self._last
        places, kinds = [self._place[cell]], []
        while cell in self._from:
            cell, kind = self._from[cell]
            places.append(self._place[cell])
            kinds.append(kind)
        places.reverse()
        kinds.reverse()
        if self.state == "THERE" and self._straight(places[-1], self.goal):
            places, kinds = [*places, self.goal], [*kinds, "WALK"]
        return self._pulled(places, kinds)[:most]

    def _pulled(self, places: list[Triple], kinds: list[LegKind]) -> tuple[Leg, ...]:
        """Straight legs where nothing is in the way: from each place to the furthest that is walked to straight."""
        legs, k = [], 0
        while k < len(kinds):
            if kinds[k] != "WALK":
                legs.append(Leg(kinds[k], places[k], places[k + 1]))
                k += 1
                continue
            end = k + 1
            while end < len(kinds) and kinds[end] == "WALK" and end - k < LONGEST_PULL:
                end += 1
            while end > k + 1 and not self._straight(places[k], places[end]):
                end -= 1
            legs.append(Leg("WALK", places[k], places[end]))
            k = end
        return tuple(legs)
