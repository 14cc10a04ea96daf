"""What is known to be over a limit, by how much: `over_limit.toml` beside this file.

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
def known() -> dict[str, float]:
    """How many times its limit the worst number of a cell is, by the cell's name."""
    return dict(tomllib.loads(LEDGER.read_text(encoding="utf-8"))["cells"])


def worse(cell: str, rows: list[Finding]) -> list[str]:
    """The findings of a cell that hold neither their limit nor what the ledger admits, as sentences.

    With SUREFOOT_LEDGER set to a file, every cell that is over a limit adds a line there: its worst number.
    """
    over = [row for row in rows if not row.holds]
    if over and "SUREFOOT_LEDGER" in os.environ:
        worst = max(over, key=lambda row: row.excess)
        with Path(os.environ["SUREFOOT_LEDGER"]).open("a", encoding="utf-8") as file:
            file.write(f'"{cell}" = {worst.excess:.2f}  # {worst}\n')
    allowed = known().get(cell, 0.0)
    return [str(row) for row in over if allowed == 0.0 or not row.excess <= allowed + BETWEEN_BUILDS]
