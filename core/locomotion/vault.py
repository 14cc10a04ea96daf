"""Over something thin and hip-high: on a parabola that clears both of its edges, with the run kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..control.intent import Travel
from ..layers.request import Contact, Move
from ..space.curves import arch_over, share_of, smoothstep
from ..space.rigid import Triple
from ..space.settings import setting
from ..space.triples import dot, minus, plus, scaled
from ..world.surroundings import Surroundings
from ..world.world import World
from .handing import Carry, anchored, came_aside, carry_of, handed_back, placed, square
from .memory import StateMemory, StateName
from .state import Step

if TYPE_CHECKING:
    from .config import ParkourConfig

UP: Triple = (0.0, 0.0, 1.0)
DRIFTS = 0.05
"""A body that comes so little aside, of its speed, comes straight."""

LEADS = 1.0
"""Over both hands the shoulders are ahead of the feet by so much, in `hand_aside`."""
CLOSE = 0.1
"""By so much of a block's height the feet of its pose would stay over its top then."""
DIPS = (0.4, 0.6)
"""Up to the first share of a vault by both hands the body comes down to the top, from the second on it leaves it."""


@dataclass(frozen=True, slots=True)
class VaultConfig:
    """A vault's numbers."""

    shortest: float = setting(
        0.35, "How long a vault takes at least, however fast it was run into", unit="s", low=0.05, high=5.0
    )
    longest: float = setting(
        0.8, "How long it takes at most, as from standing. Long ones float", unit="s", low=0.05, high=5.0
    )
    keeps: float = setting(
        0.9, "The share of its speed that it has left behind the vault. At 0 it lands and stands", low=0.0, high=1.0
    )
    one_hand: float = setting(
        0.5, "Up to so long a top is vaulted with one hand, a longer one with both", unit="m", low=0.0, high=5.0
    )
    hand_from: float = setting(0.3, "From which share of the vault on a hand is planted", low=0.0, high=1.0)
    hand_to: float = setting(0.6, "To which share of the vault it is", low=0.0, high=1.0)
    hand_reaches: float = setting(
        0.25, "The share of the vault over which a hand reaches for the top. Short ones jerk the arm", low=0.01,
        high=0.5,
    )  # fmt: skip
    hand_fades: float = setting(0.1, "The share of the vault over which it leaves the top", low=0.01, high=0.5)
    hand_in: float = setting(
        0.1, "How far from both edges of the top it is planted at least, where there is room", unit="m", low=0.0,
        high=2.0,
    )  # fmt: skip
    hand_aside: float = setting(0.25, "How far to the side of the middle it is planted", unit="m", low=0.0, high=2.0)


class Vault:
    """VAULTING: its way are the feet's start, both edges of the top, and the landing; `phase` is how high it rises."""

    name: StateName = "VAULTING"

    def starts(self, step: Step) -> bool:
        """On the press, where a vault is seen."""
        if not step.intent.go_up or not step.stands or step.memory.state == "HANGING":
            return False
        seen = step.look(step.sensor)
        if seen.verdict != "VAULT":
            return False
        self._begin(step, seen)
        return True

    def _begin(self, step: Step, seen: Surroundings) -> None:
        memory, config, start = step.memory, step.config.vault, step.feet
        face, top, crossing = seen.face, seen.top, seen.crossing
        assert face is not None and top is not None and crossing is not None and crossing.landing is not None
        landing = crossing.landing.place
        ahead = scaled(face.normal, -1.0)
        length, speed = dot(minus(landing, start), ahead), step.run
        lasts = length / speed if speed * config.longest > length else config.longest
        memory.begin(self.name, max(config.shortest, lasts))
        far = (crossing.far[0], crossing.far[1], crossing.crest)
        memory.way = (start, (top.edge[0], top.edge[1], max(top.edge[2], crossing.crest)), far, landing)
        memory.speed, memory.normal, memory.edge, memory.height = speed, face.normal, top.edge, seen.height
        memory.heading = step.travel.place.heading
        drift = step.flat[0] * -face.normal[1] + step.flat[1] * face.normal[0]
        # The hand on the side that is nearer to it as it comes; the left one where neither is.
        memory.side = -1.0 if drift < -DRIFTS * speed else 1.0
        memory.step = "TUCK" if crossing.depth > config.one_hand else "SPEED"
        memory.phase = rise_over(memory.way, ahead, step.config.surroundings.clears)
        memory.anchor, memory.anchor_at = anchored(crossing.landing.hit, face.normal, step.world), landing

    def goes(self, step: Step) -> Travel | None:
        """Along the parabola; behind it the run goes on."""
        memory, config = step.memory, step.config
        window, carry = min(config.machine.window, memory.lasts), carry_of(memory, step.world)
        if memory.time < memory.lasts:
            place = vault_at(memory, memory.time, window)
            left = memory.lasts - memory.time
            return placed(step, carry.place(place), square(memory, window) + carry.turn, left)
        feet, memory.normal = carry.place(memory.way[3]), carry.way(memory.normal)
        velocity = scaled(memory.normal, -config.vault.keeps * memory.speed)
        falls = max(0.0, memory.way[2][2] - memory.way[3][2])
        return handed_back(step, feet, velocity, memory.time - memory.lasts, falls)

    def move(self, memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Move:
        """A hand on the top, or both, while the body goes over it."""
        numbers, done = config.vault, memory.progress
        left, right = memory.side > 0.0 or memory.step == "TUCK", memory.side < 0.0 or memory.step == "TUCK"
        weight = smoothstep(share_of(done, numbers.hand_from - numbers.hand_reaches, numbers.hand_from))
        weight *= 1.0 - smoothstep(share_of(done, numbers.hand_to, numbers.hand_to + numbers.hand_fades))
        contacts, carry = [], carry_of(memory, world)
        nx, ny, _ = memory.normal
        inward = hand_in(memory, numbers)
        middle = plus(memory.edge, (-nx * inward, -ny * inward, 0.0))
        for limb, side, used in (("hand.L", 1.0, left), ("hand.R", -1.0, right)):
            if used and weight > 0.0:
                aside = side * numbers.hand_aside
                place = plus(middle, (ny * aside, -nx * aside, 0.0))
                contacts.append(Contact(limb, carry.place(place), UP, weight, carry.way((-nx, -ny, 0.0))))
        variant = "TUCK" if memory.step == "TUCK" else "LEFT" if left else "RIGHT"
        down = dips(memory, carry, travel) if variant == "TUCK" else 0.0
        return Move("VAULT", done, variant, memory.height, memory.speed, tuple(contacts), (0.0, 0.0, -down))


def dips(memory: StateMemory, carry: Carry, travel: Travel) -> float:
    """How far under its parabola a body is shown that presses itself over a top with both hands: just over that, its
    legs under it. The parabola is that of feet that hang down.
    """
    _, _, top = carry.place(memory.way[1])
    over = max(0.0, travel.place.z - top - CLOSE * memory.height)
    return over * smoothstep(memory.progress / DIPS[0]) * (1.0 - smoothstep(share_of(memory.progress, DIPS[1], 1.0)))


def hand_in(memory: StateMemory, numbers: VaultConfig) -> float:
    """How far in from the edge a hand is planted: under the shoulders in the middle of its time, as far as the top goes
    on there.
    """
    start, near, far, landing = memory.way
    ahead = scaled(memory.normal, -1.0)
    gap, depth, length = (dot(minus(b, a), ahead) for a, b in ((start, near), (near, far), (start, landing)))
    wanted = 0.5 * (numbers.hand_from + numbers.hand_to) * length - gap
    if memory.step == "TUCK":
        wanted += LEADS * numbers.hand_aside
    least = min(numbers.hand_in, 0.5 * depth)
    return min(max(wanted, least), max(least, depth - numbers.hand_in))


def rise_over(way: tuple[Triple, ...], ahead: Triple, clears: float) -> float:
    """How high a parabola rises over the line from start to landing so that it clears both edges of a top."""
    start, near, far, landing = way
    along = [dot(minus(place, start), ahead) for place in way]
    edges = ((along[1], near[2] + clears), (along[2], far[2] + clears))
    return arch_over(along[3], (start[2], landing[2]), edges)


def vault_at(memory: StateMemory, time: float, window: float) -> Triple:
    """Where the feet are at a time of the vault: evenly ahead, aside until it is square, on a parabola up and down."""
    start, _, _, landing = memory.way
    ahead, share = scaled(memory.normal, -1.0), time / memory.lasts
    way = minus(landing, start)
    straight = scaled(ahead, dot(way, ahead))
    aside = (way[0] - straight[0], way[1] - straight[1])
    over = came_aside(memory, window)
    return (
        start[0] + straight[0] * share + aside[0] * over,
        start[1] + straight[1] * share + aside[1] * over,
        start[2] + way[2] * share + 4.0 * memory.phase * share * (1.0 - share),
    )
