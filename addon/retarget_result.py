"""What a retarget did, as it is told to people, kept on the new Action and handed to scripts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from bpy.types import Action

from ..core.retarget.clean_feet import FootReport
from ..core.retarget.rest_matching import Matched, Stayed
from .texts import text

KEY = "surefoot_retarget"
VERSION = 1


@dataclass(frozen=True)
class RetargetResult:
    """A retarget that was done.

    action: the new Action's name; frames: how many samples it has. matched: pairs of the target's and the source's
    bones, by role; stayed: bones at rest under their parents, with the reason; unused: the source's bones that lead
    nothing. coverage: how many of the target's larger bones follow, of how many. feet: each foot's contacts and slides.
    slide_before: the farthest that a sole point slides while it stands (metres) as the joints' directions put it,
    slide_after: as it is written; None where no foot was planted. notes: what to know; problems: what to look at.
    """

    action: str
    source: str
    target: str
    source_action: str
    frames: int
    frame_start: float
    fps: float
    matched: tuple[Matched, ...]
    stayed: tuple[Stayed, ...]
    unused: tuple[str, ...]
    coverage: tuple[int, int]
    ratio: float
    feet: tuple[FootReport, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def slide_before(self) -> float | None:
        """The largest slide before feet were planted, metres; None where none was."""
        return max((foot.slide_before for foot in self.feet if foot.contacts), default=None)

    @property
    def slide_after(self) -> float | None:
        """The largest slide that is left, metres; None where no foot was planted."""
        return max((foot.slide_after for foot in self.feet if foot.contacts), default=None)

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values: metres, seconds."""
        found = asdict(self)
        found["matched"] = [item._asdict() for item in self.matched]
        found["stayed"] = [item._asdict() for item in self.stayed]
        found |= {"version": VERSION, "slide_before": self.slide_before, "slide_after": self.slide_after}
        return json.loads(json.dumps(found))


def told(result: RetargetResult) -> str:
    """The result in a line or two: the Action, how much follows, how far feet slide."""
    follow, of = result.coverage
    done = text(
        "retargeted", name=result.target, action=result.action, frames=result.frames, follow=follow, of=of
    )
    before, after = result.slide_before, result.slide_after
    if before is None or after is None:
        return done
    return done + " " + text("retarget_slide", before=before * 1000.0, after=after * 1000.0)


def keep_result(action: Action, result: RetargetResult) -> None:
    """Put the result on its Action, where it stays as long as that does."""
    action[KEY] = json.dumps(result.as_dict(), separators=(",", ":"))


class Kept:
    """The result that was read last, since a panel asks at every redraw."""

    said = ""
    result: dict[str, Any] | None = None


def kept_result(action: Action | None) -> dict[str, Any] | None:
    """The result of an Action that a retarget made, as `as_dict` gave it; None for any other."""
    said = action.get(KEY) if action is not None else None
    if not isinstance(said, str):
        return None
    if said != Kept.said:
        Kept.said, Kept.result = said, _read(said)
    return Kept.result


def _read(said: str) -> dict[str, Any] | None:
    try:
        found = json.loads(said)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("version") == VERSION else None
