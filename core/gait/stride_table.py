"""Tables of how far legs go ahead of their places and behind, by slope and by how far the body is in its bob."""

from __future__ import annotations

from operator import and_
from typing import NamedTuple

Reach = tuple[float, float, float, float]
"""How far a leg goes ahead at a slope, and how much more at the next of the table; the same two for behind."""
Rooms = list[list[tuple[float, float]]]
Both = tuple[float, float]
"""How far a leg goes ahead and behind together at a slope, and how much more at the next of the table."""


class Table(NamedTuple):
    """Reaches per bob step and leg, from one slope to the next; what they are together, each once, since legs come in
    pairs, and those alone where no two legs differ; and which legs reach as the one before them.
    """

    rows: list[list[Reach]]
    different: list[list[Both]]
    alike: list[Both]
    as_before: tuple[bool, ...]

    @classmethod
    def of(cls, rows: list[list[Reach]]) -> Table:
        """The rows with what is asked of them every tick."""
        different = [list(dict.fromkeys((f + b, g + c) for f, g, b, c in row)) for row in rows]
        alike = [row[0] for row in different] if all(len(row) == 1 for row in different) else []
        pairs = (all(row[i] == row[i - 1] for row in rows) for i in range(1, len(rows[0])))
        return cls(rows, different, alike, (False, *pairs))


def mixed(first: Table, second: Table, share: float) -> Table:
    """Two tables of reaches mixed."""
    rows = [
        [
            (f + (f1 - f) * share, g + (g1 - g) * share, b + (b1 - b) * share, c + (c1 - c) * share)
            for (f, g, b, c), (f1, g1, b1, c1) in zip(row, other, strict=True)
        ]
        for row, other in zip(first.rows, second.rows, strict=True)
    ]
    as_before = tuple(map(and_, first.as_before, second.as_before))
    if first.alike and second.alike:
        pairs = zip(first.alike, second.alike, strict=True)
        alike = [(f + (f1 - f) * share, g + (g1 - g) * share) for (f, g), (f1, g1) in pairs]
        return Table(rows, [], alike, as_before)
    return Table(rows, [[(f + b, g + c) for f, g, b, c in row] for row in rows], [], as_before)
