"""What the poses of moves remember from frame to frame: what was shown, what of a cut is left, what limbs hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..space.copying import copier
from ..space.rigid import Triple

Row = tuple[float, ...]
NONE: Triple = (0.0, 0.0, 0.0)


class Held(NamedTuple):
    """What one limb holds: its role, how much it has hold (0 to 1), where (world), how the thing lies there.

    `wanted` while it is to hold: it draws the body within reach then. `offset` and `offset_speed` are what is left of
    the place's last jump, world space. `behind` is how much of the body's way a limb that lets go still stays behind.
    """

    limb: str
    share: float
    place: Triple
    normal: Triple
    along: Triple
    wanted: bool = True
    hook: float = 0.0
    offset: Triple = NONE
    offset_speed: Triple = NONE
    behind: float = 1.0


@dataclass(slots=True)
class MovesMemory:
    """Rows of the bones that moves turn: four numbers each of a rotation, three of a turn or a speed.

    `shown` and `before` are the last two frames, `dt` apart, `at` and `was` where the body then was, seen from the feet
    along the world's axes; `stood` is where those were and `rise` how fast they rose, `landed` by how much less fast
    they came down in the frame of a cut.
    `source` and `source_at` are what a cut leads to, in the frame of the cut and only there. `offsets` and `speeds` are
    what was left of it when it began to die out, `shift` and `shift_speed` the same of the body's place, `elapsed` how
    long ago, `fades` how long it takes; they are empty where nothing is left. `move` names what is shown, `progress` is
    how much of it was done; `holds` are the limbs that hold, or
    still let go.
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

    def copy(self) -> MovesMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(MovesMemory)
