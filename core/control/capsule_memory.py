"""What a walking capsule is told and what it remembers."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple

from ..space.copying import copier
from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.world import Anchor, World
from .floor import Rest

GroundState = Literal["ON_GROUND", "ON_STEEP_GROUND", "NOT_SUPPORTED", "IN_AIR"]
"""Standing; on ground too steep to stand; touching something that does not carry; touching nothing."""
STILL: Triple = (0.0, 0.0, 0.0)
UP: Triple = (0.0, 0.0, 1.0)
LONG_AGO = 1e9
TOUCHING = 1e-4
ENTERS = 5e-4
"""How deep a motion may bring it into something, metres: what floors are found to."""
DEEP = 3.0
"""How deep in something a body that was put there finds out, metres."""
RECOVERS_IN = 1.0 / 60.0
"""The time that the share of recovery is for, seconds."""
PASSES = 4
"""So often is looked again what is touched where a motion ends."""
LONGEST = 0.5
"""A motion is cut into parts of so many radii, so that nothing thin is jumped over."""


class Wish(NamedTuple):
    """What a body wants in a tick: a velocity in the plan (world, m/s), a jump on the press, to be crouched.

    `added` is what else moves it (m/s): wind, a current. `aim` is where a jump goes in the plan, None: as it runs.
    """

    velocity: tuple[float, float] = (0.0, 0.0)
    jump: bool = False
    crouch: bool = False
    added: Triple = STILL
    aim: tuple[float, float] | None = None


@dataclass(slots=True)
class CapsuleMemory:
    """The body between two ticks: plain numbers, world space.

    `feet` is its lowest point. `velocity` takes part in the motion of what it stands on, `flat` is how
    fast it went along the floor. `normal` is the floor's,
    `floor` the height of what it touched there; `support` the place on moving ground that carries it, `support_at`
    where that was, `rode` and `turn` how far it carried and turned it in the last tick. `height` is the capsule's,
    `shown` follows it. `aloft`: seconds since it stood; `asked`: seconds since a jump was asked for; `take_off`: the
    speed in the plan that it left the ground with; `risen`: it left it by a jump. `buried`: it stands in something
    solid, as where it was put. `room`: how far it may go the way that it wants, metres, or if it `slides` along a wall
    (its level normal; 0, 0: it does not), how far towards that. `loose`: what it stands on moves and does not carry it.
    `wished`: the velocity in the plan that it wanted last; `pusher`: where the feet of what pushes rigid bodies for it
    are a frame on, `back` how much further back its feet land meanwhile. `held`: for how long a heavy landing still
    holds it, seconds.
    """

    feet: Triple
    height: float
    shown: float
    velocity: Triple = STILL
    flat: tuple[float, float] = (0.0, 0.0)
    state: GroundState = "IN_AIR"
    normal: Triple = UP
    floor: float = 0.0
    support: Anchor | None = None
    support_at: Triple = STILL
    aloft: float = 0.0
    asked: float = LONG_AGO
    take_off: float = 0.0
    risen: bool = False
    turn: float = 0.0
    rode: Triple = STILL
    buried: bool = False
    room: float = inf
    slides: tuple[float, float] = (0.0, 0.0)
    loose: bool = False
    wished: tuple[float, float] = (0.0, 0.0)
    pusher: Triple = STILL
    back: float = 0.0
    held: float = 0.0

    def copy(self) -> CapsuleMemory:
        """An independent copy."""
        return _copied(self)

    def reach(self, near: float) -> float:
        """How far surfaces are looked for: further as long as it is inside of something."""
        return DEEP if self.buried else near

    def stand(self, rest: Rest, world: World, carrier_mass: float) -> None:
        """Be on the floor that was found; it carries who stands on it if it moves, and is no lighter than this."""
        hit = rest.hit
        moves = world.moves(hit.surface)
        loose = world.loose(hit.surface)
        carries = moves and (loose is None or loose.mass >= carrier_mass)
        self.feet, self.state, self.risen = rest.feet, "ON_GROUND", False
        self.normal, self.floor = rest.normal or UP, hit.position.z
        self.support, self.loose = world.anchor(hit) if carries else None, moves and not carries
        self.support_at = triple(hit.position)


_copied = copier(CapsuleMemory)


def recovered(depth: float, share: float, dt: float) -> float:
    """How far out of something a body comes in a tick that comes out of a share of it in a sixtieth of a second."""
    return float(depth * (1.0 - (1.0 - share) ** (dt / RECOVERS_IN)))
