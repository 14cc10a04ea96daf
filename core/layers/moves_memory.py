"""What the poses of moves remember from frame to frame: what was shown, what of a cut is left, what limbs hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..space.copying import copier
from ..space.inertialization import Fade, fade_now
from ..space.rigid import Triple

Row = tuple[float, ...]
NONE: Triple = (0.0, 0.0, 0.0)


class Held(NamedTuple):
    """What one limb holds: its role, with which weight (0 to 1), where (world), how the thing lies there.

    `wanted` while it is to hold: it draws the body within reach then. `offset` and `offset_speed` are what is left of
    the place's last jump, `velocity` how fast it moves (None: it has just jumped), world space. `behind` is how much of
    the body's way a limb that lets go still stays behind, `hold` what is left of its way to hold on, or to let go.
    """

    limb: str
    weight: float
    place: Triple
    normal: Triple
    along: Triple
    wanted: bool = True
    hook: float = 0.0
    offset: Triple = NONE
    offset_speed: Triple = NONE
    velocity: Triple | None = NONE
    behind: float = 1.0
    hold: Fade = Fade(0.0, 0.0, 0.0)

    @property
    def share(self) -> float:
        """How much it has hold now, from 0 to 1."""
        return self.weight * min(1.0, max(0.0, (1.0 if self.wanted else 0.0) + fade_now(self.hold)[0]))


class Cleared(NamedTuple):
    """A limb that is kept out of something: how far its end is moved (world) and its middle turned, and how fast."""

    limb: str
    out: Triple
    speed: Triple
    swing: float
    swing_speed: float


NOWHERE = Cleared("", NONE, NONE, 0.0, 0.0)


@dataclass(slots=True)
class MovesMemory:
    """Rows of the bones that moves turn: four numbers each of a rotation, three of a turn or a speed.

    `shown` and `before` are the last two frames, `dt` apart, `at` and `was` where the body then was, seen from the feet
    along the world's axes; `stood` is where those were and `rise` how fast they rose, `landed` by how much less fast
    they came down in the frame of a cut.
    `source` and `source_at` are what a cut leads to, in the frame of the cut and only there. `offsets` and `speeds` are
    what was left of it when it began to die out, `shift` and `shift_speed` the same of the body's place, `elapsed` how
    long ago, `fades` how long it takes; they are empty where nothing is left. `move` names what is shown, `progress` is
    how much of it was done. `holds` are the limbs that hold, or still let go. `drawn` is how far they draw the body
    (world), `drawing` how many do, `drawn_speed` how fast that changes, `let` and `let_speed` what is left of what
    those drew that have let go. `cleared` are limbs that something is in the way of.
    `turned` are the rotations of the turned bones as they were shown at last, `went` how fast they turned, `spun` how
    fast they would have if nothing had pushed them, `aimed` what was asked of them (world); `lags` is how far one lags
    behind that at most (radians), `since` how long ago the last change was, `nears` how much of it limbs are kept near
    their places then.
    """

    move: str = ""
    shown: Row = ()
    before: Row = ()
    at: Triple = NONE
    was: Triple = NONE
    dt: float = 0.0
    stood: Triple = NONE
    rise: float = 0.0
    landed: float = 0.0
    source: Row = ()
    source_at: Triple = NONE
    offsets: Row = ()
    speeds: Row = ()
    shift: Triple = NONE
    shift_speed: Triple = NONE
    elapsed: float = 0.0
    fades: float = 0.0
    progress: float = 0.0
    holds: tuple[Held, ...] = ()
    drawn: Triple = NONE
    drawn_speed: Triple = NONE
    drawing: int = 0
    let: Triple = NONE
    let_speed: Triple = NONE
    cleared: tuple[Cleared, ...] = ()
    turned: Row = ()
    spun: Row = ()
    went: Row = ()
    aimed: Row = ()
    lags: float = 0.0
    since: float = 0.0
    nears: float = 0.0

    def copy(self) -> MovesMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(MovesMemory)
