"""What is known to be over a limit, in which number and by how much: `over_limit.toml` beside this file.

A cell that is not listed holds every limit. A listed one may not get worse than the ledger says, and the ledger is the
list of what is still to do: a line goes when its cell holds.
"""

from __future__ import annotations

import os
import tomllib
from functools import lru_cache
from pathlib import Path

from support.verdict import Finding

LEDGER = Path(__file__).with_name("over_limit.toml")
# Builds of mathutils round differently, and steps follow thresholds: the same walk differs by this share of a limit.
BETWEEN_BUILDS = 0.25


@lru_cache(maxsize=1)
def known() -> dict[str, dict[str, float]]:
    """By the cell's name and the kind of number: how many times its limit the worst number of that kind is."""
    return dict(tomllib.loads(LEDGER.read_text(encoding="utf-8"))["cells"])


def worse(cell: str, rows: list[Finding]) -> list[str]:
    """The findings of a cell that hold neither their limit nor what the ledger admits for their kind, as sentences.

    With SUREFOOT_LEDGER set to a file, every cell that is over a limit adds its line there.
    """
    over = [row for row in rows if not row.holds]
    if over and "SUREFOOT_LEDGER" in os.environ:
        with Path(os.environ["SUREFOOT_LEDGER"]).open("a", encoding="utf-8") as file:
            file.write(_line(cell, over))
    allowed = known().get(cell, {})
    return [str(row) for row in over if not row.excess <= allowed.get(_kind(row), -BETWEEN_BUILDS) + BETWEEN_BUILDS]


def _kind(row: Finding) -> str:
    """What was measured, without the leg's role."""
    first, _, rest = row.what.partition(" ")
    return rest if "." in first else row.what


def _line(cell: str, over: list[Finding]) -> str:
    worst: dict[str, Finding] = {}
    for row in sorted(over, key=lambda row: row.excess):
        worst[_kind(row)] = row
    kinds = ", ".join(f'"{kind}" = {row.excess:.2f}' for kind, row in worst.items())
    return f'"{cell}" = {{ {kinds} }}  # {"; ".join(map(str, worst.values()))}\n'
