"""What a body that gets up remembers: how it lay, where it will stand, what it plants its hands and feet on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..space.copying import copier
from ..space.rigid import NO_TURN, Triple, Turn
from ..world.world import Anchor
from .rise_config import RiseStyle
from .rise_floor import Floor

Row = tuple[float, ...]
PACED = 1.0 / 30.0


class Planted(NamedTuple):
    """A hand or a foot that stays where it is between two times of the source, seconds.

    `place` and `normal` are of the floor there, in the frame in which the body rises, `along` is where the fingers of a
    hand point on it, `free` when the limb left its last place. One that lasts to the end goes on to where the body that
    stands has its foot. `turn` is how a hand is turned in the source as it is planted: by the shorter way from there it
    is turned to how it lies. On an `uneven` floor it goes down to its place from over that, and up from it.
    """

    limb: str
    start: float
    end: float
    place: Triple
    normal: Triple
    along: Triple
    free: float = -1.0
    lasts: bool = False
    turn: Turn = NO_TURN
    uneven: bool = False


class Bridge(NamedTuple):
    """A limb, by the role of its end, that goes from how it is at one time to how it is at another (by how long ago the
    rise began, seconds) and leaves out what is between. Half-way its end is brought up by `lift`, metres.
    """

    limb: str
    start: float
    end: float
    lift: float = 0.0


class Frame(NamedTuple):
    """Where a body rises: its floor at the place where it will stand, and its heading then; world, plain floats."""

    x: float
    y: float
    z: float
    heading: float


@dataclass(slots=True)
class RiseMemory:
    """`source` is the take or the key poses that it rises by, `entered` the time of it at which it began and `clock`
    that at which it is; `time` is how long ago it began, `blend` how long it is led in (seconds). `seconds` is when
    the source ends.

    `pace` are how fast all that goes, by how long ago it began (PACED seconds apart; empty: as fast as time does): no
    bone turns faster than it may. `bridges` lead limbs over where they would jump.

    `turns` are the basis rotations of all bones as it lay (four numbers each), `moved` the basis locations of those
    that had one, each after its bone. `at` and `turn` are the middle of its hips and the body's turn from rest, in the
    frame in which it rises; that rides on `anchor`. `normal` is the floor's there, `floor` its heights; `spare` says of
    each point that is kept over it how far it lay under where it is kept, `outs` after which share of the time in which
    the body is led in the trunk and each limb are out of there (empty: after all of it).
    """

    source: int = -1
    style: RiseStyle = "ORDINARY"
    lies: str = ""
    entered: float = 0.0
    clock: float = 0.0
    time: float = 0.0
    blend: float = 0.0
    seconds: float = 0.0
    distance: float = 0.0
    frame: Frame = Frame(0.0, 0.0, 0.0, 0.0)
    anchor: Anchor | None = None
    off: Triple = (0.0, 0.0, 0.0)
    turns: Row = ()
    moved: Row = ()
    at: Triple = (0.0, 0.0, 0.0)
    turn: Turn = NO_TURN
    normal: Triple = (0.0, 0.0, 1.0)
    floor: Floor = Floor()
    spare: Row = ()
    outs: Row = ()
    holds: tuple[Planted, ...] = ()
    pace: Row = ()
    bridges: tuple[Bridge, ...] = ()
    told: str = ""

    @property
    def led(self) -> float:
        """The time of the source at which the body is led in."""
        return self.entered + 0.5 * self.blend

    def copy(self) -> RiseMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(RiseMemory)


def led(time: float, blend: float) -> float:
    """How far the source's clock has come: slowly while the body is led in, then as time does."""
    if time >= blend:
        return time - 0.5 * blend
    u = max(0.0, time / blend)
    return blend * (u * u * u - 0.5 * u * u * u * u)
