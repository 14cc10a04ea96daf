"""The record of a character as it is played: which runs of it hold, and what it says at a frame.

A run holds as long as its body begins as it did, and every frame up to its end says what it said: the inputs, the hits,
what is limp. All of that is compared where a frame is computed anyway, so nothing is simulated to find out. Where one
does not hold any more, neither do those after it, and the character is shown as if nothing had hit it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..core.control.fall_row import FallRow
from ..core.control.intent import Inputs
from .fall_digest import digest_of
from .fall_record import Record, Run, from_text
from .fall_wishes import Wishes

UNREAD = "?"
"""In the place of a text: whatever there is has to be read."""

Why = Literal["", "INPUTS", "START", "SETTINGS"]


@dataclass
class Track:
    """`text` is what the record was read from. The first `held` runs of it hold; `why` the next one does not.

    `unmade` is the first frame known at which physics is to begin and no run does. `live` is True while frames are
    added to the record.
    """

    text: str = ""
    record: Record = field(default_factory=Record)
    held: int = 0
    why: Why = ""
    unmade: int | None = None
    live: bool = False

    @property
    def runs(self) -> list[Run]:
        """Those that hold."""
        return self.record.runs[: self.held]

    @property
    def is_stale(self) -> bool:
        """True where something recorded does not hold any more."""
        return self.held < len(self.record.runs)

    @property
    def open_end(self) -> int | None:
        """The last frame that can be shown, where what happens after it was not computed yet."""
        runs = self.runs
        return runs[-1].last if runs and runs[-1].is_open and not self.live else None

    def run_at(self, frame: int) -> Run | None:
        """The run that begins at a frame, or has it."""
        return next((run for run in self.runs if run.first <= frame <= run.last), None)

    def row_at(self, frame: int) -> FallRow | None:
        """What physics made of the body at a frame."""
        run = self.run_at(frame)
        return None if run is None or frame == run.first else run.rows[frame - run.first - 1]

    def whole(self, frame: int) -> int:
        """The frame up to which all has to be computed for a frame to be shown: to the end of its run."""
        run = None if self.live else self.run_at(frame)
        return frame if run is None or frame == run.first else run.last

    def shown(self, frame: int, reach: int | None) -> int:
        """The frame to be shown for another, with frames known up to `reach`: within a run that is not known to its end
        that at which it begins.
        """
        run = None if self.live else self.run_at(frame)
        if run is None or frame == run.first or (reach is not None and reach >= run.last):
            return frame
        return run.first

    def take(self, told: str) -> int | None:
        """Another text: its record is read. The first frame to be looked at anew, None where none is."""
        if told == self.text:
            return None
        firsts = [run.first for run in self.record.runs]
        self.text, self.record = told, from_text(told)
        firsts += [run.first for run in self.record.runs]
        self.begin_anew()
        return min(firsts, default=None)

    def begin_anew(self) -> None:
        """Nothing is compared yet: all runs may hold."""
        self.held, self.why, self.unmade = len(self.record.runs), "", None

    def refuse(self, frame: int, why: Why) -> int | None:
        """What is said at a frame is not what was: no run that goes on to it, or comes after it, holds. The first frame
        that is not what it was, None where no run was given up.
        """
        kept = next((i for i, run in enumerate(self.runs) if run.last >= frame), self.held)
        if kept == self.held:
            return None
        first = self.record.runs[kept].first
        self.held, self.why = kept, why
        return first + 1

    def compare(self, frame: int, seen: bytes) -> int | None:
        """Compare what a frame says now with what it said; as `refuse`."""
        record = self.record
        if not self.held or not record.begin <= frame <= min(record.end, self.runs[-1].last):
            return None
        return None if record.seen[frame - record.begin] == seen else self.refuse(frame, "INPUTS")

    def cut(self, frame: int) -> int | None:
        """Forget what was recorded from a frame on, and of runs that do not hold. As `refuse`."""
        dropped = self.refuse(frame, "INPUTS")
        del self.record.runs[self.held :]
        del self.record.seen[max(frame - self.record.begin, 0) :]
        self.why, self.unmade = "", None
        return dropped

    def note(self, frame: int, wishes: Wishes) -> None:
        """Keep in mind where physics is to begin and does not."""
        if wishes.begins and self.run_at(frame) is None and (self.unmade is None or frame < self.unmade):
            self.unmade = frame


def said(inputs: Inputs, wishes: Wishes, around: Any = ()) -> bytes:
    """The digest of all that a frame says, but for what physics made of it; `around` is the ground that moves, then."""
    if inputs.fall is not None or inputs.hits:
        inputs = replace(inputs, fall=None, hits=())
    # From frame to frame little changes, and each is asked more than once.
    told = (inputs, wishes, around)
    if Said.told != told:
        Said.told, Said.digest = told, digest_of(*told)
    return Said.digest


class Said:
    """What was told last, and its digest."""

    told: tuple[Any, ...] = ()
    digest = b""


def start_digest(head: bytes, snapshots: tuple[Any, ...]) -> bytes:
    """The digest of how a body begins: what the record depends on, and the last two frames as they are shown."""
    told = [(snapshot.row, tuple(snapshot.frame.ground)) for snapshot in snapshots]
    return digest_of(head, told)
