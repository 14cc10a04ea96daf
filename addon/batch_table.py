"""What came of many motions: a row each, as a table for people and as a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .refusal import RefusedError
from .texts import text

COLUMNS = (
    "source", "action", "frames", "fps", "bones_following", "bones", "slide_before_mm", "slide_after_mm", "reason",
    "notes",
)  # fmt: skip


@dataclass(frozen=True)
class BatchRow:
    """One motion. source: an Action's name, or a file's and, where that has several, its Action's.

    action: the new Action's name, "" where there is none; `reason` says why then. coverage: how many of the target's
    larger bones follow, of how many. slides in metres, None where no foot was planted. notes: in sentences.
    """

    source: str
    action: str = ""
    frames: int = 0
    fps: float = 0.0
    coverage: tuple[int, int] = (0, 0)
    slide_before: float | None = None
    slide_after: float | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class BatchResult:
    """All motions in their order; `cancelled` says that Esc came before the last one."""

    target: str
    rows: tuple[BatchRow, ...]
    cancelled: bool = False

    @property
    def done(self) -> tuple[BatchRow, ...]:
        """The rows with a new Action."""
        return tuple(row for row in self.rows if row.action)

    @property
    def failed(self) -> tuple[BatchRow, ...]:
        """The rows without one, each with its reason."""
        return tuple(row for row in self.rows if not row.action)


def table(result: BatchResult) -> list[str]:
    """One line a motion, in columns."""
    width = max((len(row.source) for row in result.rows), default=0)
    return [f"{row.source:<{width}}  {told_row(row)}" for row in result.rows]


def told_row(row: BatchRow) -> str:
    """What came of a motion, without its name."""
    if not row.action:
        return row.reason
    follow, of = row.coverage
    said = text("batch_row", action=row.action, frames=row.frames, follow=follow, of=of)
    if row.slide_before is None or row.slide_after is None:
        return said
    return said + " " + text("batch_row_feet", before=1000.0 * row.slide_before, after=1000.0 * row.slide_after)


def told_batch(result: BatchResult) -> str:
    """All of it in a sentence."""
    key = "batch_cancelled" if result.cancelled else "batch_done"
    return text(key, target=result.target, done=len(result.done), count=len(result.rows), failed=len(result.failed))


def check_csv(path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done for it."""
    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error


def write_csv(path: Path, rows: Sequence[BatchRow]) -> None:
    """The rows as a table that spreadsheets read: UTF-8, a header, slides in millimetres."""
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(map(_cells, rows))
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error


def _cells(row: BatchRow) -> list[object]:
    slides = ["" if slide is None else f"{1000.0 * slide:.3f}" for slide in (row.slide_before, row.slide_after)]
    rate = f"{row.fps:.6g}" if row.fps else ""
    return [row.source, row.action, row.frames, rate, *row.coverage, *slides, row.reason, " ".join(row.notes)]
