"""What a body does where it stands: eat, drink, sniff, rest, attack, be on the alert; how much of each there is now.

All of it is weights that come and go like critically damped springs and one clock, so that nothing begins or ends
with a jolt, whatever is asked for when. `acted_pose` makes the pose of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin, sqrt

from ..control.intent import AgentWish, Intent, Travel
from ..layers.request import NOTHING_ASKED, Request
from ..space.copying import copier
from ..space.dampers import damp, spring
from ..world.world import World
from .config import ActivityConfig

HEADS_DOWN = ("EAT", "DRINK", "SNIFF")
KINDS = (*HEADS_DOWN, "REST", "ALERT")
REST, ALERT = KINDS.index("REST"), KINDS.index("ALERT")
STILL = 1e-3
"""A body that goes slower than this, m/s for a 0.9 m leg, stands."""
SNIFFS_TO = 0.45
"""Up to this share of the speed at Froude 1 a body sniffs while it walks."""
OVER = 1e-4
UP = 0.04
"""A body has got up when no more than this is left of its rest."""
KNEELS, BOWS = 0.75, 0.3
"""One that kneels to bow bows when so much of its kneeling is done, and rises when so much of its bow is left."""
LATE = 0.5
"""What folds last comes later by this share of the time of a rest."""
GROUND_HALFLIFE = 0.08
FEELS = 1.0
"""Ground under a mouth counts up to so many legs above and below the body's."""


@dataclass(slots=True)
class ActMemory:
    """`weights` and `speeds` are of KINDS; `late` is the second half of a rest, what folds last. `time` is the clock
    of all rhythms, seconds, `lunge` how long ago a lunge began (-1: none is on). `dip` is how much higher the ground
    under the lowered mouth is than under the body, metres.
    """

    weights: tuple[float, ...] = (0.0,) * len(KINDS)
    speeds: tuple[float, ...] = (0.0,) * len(KINDS)
    late: float = 0.0
    late_speed: float = 0.0
    time: float = 0.0
    lunge: float = -1.0
    dip: float = 0.0

    def copy(self) -> ActMemory:
        """An independent copy."""
        return _copied(self)

    @property
    def rests(self) -> float:
        """How much of a rest there is at all."""
        return max(self.weights[REST], self.late)

    @property
    def down(self) -> float:
        """How far the head is down."""
        return sum(self.weights[: len(HEADS_DOWN)])

    @property
    def acts(self) -> bool:
        """True while anything changes the pose."""
        return self.lunge >= 0.0 or self.late > 0.0 or any(self.weights)


_copied = copier(ActMemory)


class Acting:
    """The activities of one body, over time. Immutable: what changes is in an ActMemory."""

    def __init__(self, config: ActivityConfig, leg: float, mouth: tuple[float, float]) -> None:
        """`leg` in metres; `mouth` is where the lowered mouth is, metres ahead of the body and to its left."""
        self.config = config
        self.leg = leg
        self.tempo = sqrt(leg / 0.9)
        self.mouth = mouth

    def held(self, memory: ActMemory, intent: Intent, travel: Travel) -> Intent:
        """What is left of an intent: who lies has to get up before it goes or turns."""
        if memory.rests <= UP or intent.carried is not None:
            return intent
        return intent._replace(velocity=(0.0, 0.0), facing=travel.place.heading, jump=False)

    def tick(
        self, memory: ActMemory, wish: AgentWish | None, wanted: Intent, travel: Travel, world: World, dt: float
    ) -> None:
        """One tick. `wanted` is the intent before it was held back."""
        activity = wish.activity if wish is not None and wish.enabled else "NONE"
        speed = hypot(*travel.velocity)
        still = speed <= STILL * self.tempo and not travel.aloft
        goes = intent_goes(wanted)
        if travel.jumped:
            self._at_once(memory)
        self._lunge(memory, attacks=activity == "ATTACK" and still and not goes, dt=dt)
        self._weigh(memory, activity, stands=still and not goes, slow=self._slow(speed, travel), dt=dt)
        memory.time = memory.time + dt if memory.acts else 0.0
        if memory.down > 0.0:
            self._feel(memory, travel, world, dt)
        elif memory.dip != 0.0:
            memory.dip = 0.0

    def request(self, memory: ActMemory) -> Request:
        """What of the layers is to let go: a head at the ground, or in a lunge, looks at nothing."""
        busy = memory.down > BOWS or memory.lunge >= 0.0
        return Request(let_go=("LOOK_AT",)) if busy else NOTHING_ASKED

    def _slow(self, speed: float, travel: Travel) -> bool:
        return speed <= SNIFFS_TO * sqrt(9.81 * self.leg) and not travel.aloft

    def _at_once(self, memory: ActMemory) -> None:
        """After a jump to elsewhere nothing is left of what was done before."""
        fresh = ActMemory()
        for name in ActMemory.__slots__:
            setattr(memory, name, getattr(fresh, name))

    def _lunge(self, memory: ActMemory, *, attacks: bool, dt: float) -> None:
        """A lunge that has begun is ended; the next begins in its time."""
        lunge = self.config.lunge
        if memory.lunge >= 0.0:
            memory.lunge += dt
            last = lunge.seconds if not attacks else max(lunge.seconds, lunge.every)
            if memory.lunge >= last * self.tempo:
                memory.lunge = 0.0 if attacks else -1.0
        elif attacks and memory.rests <= UP and memory.down <= BOWS:
            memory.lunge = 0.0

    def _weigh(self, memory: ActMemory, activity: str, *, stands: bool, slow: bool, dt: float) -> None:
        config = self.config
        kneels = config.bow.kneel
        bows = activity in HEADS_DOWN and (stands or (activity == "SNIFF" and slow and not kneels))
        rest = 1.0 if activity == "REST" and stands else 0.0
        if kneels:
            rest = max(rest, kneels if bows or memory.down > BOWS else 0.0)
            bows = bows and memory.late >= KNEELS * kneels
        elif memory.rests > BOWS:
            bows = False
        goals = [1.0 if bows and kind == activity else 0.0 for kind in HEADS_DOWN]
        goals += [rest, 1.0 if activity == "ALERT" else 0.0]
        soon, slowly = config.head_time * self.tempo, config.rest_time * self.tempo
        weights, speeds = [], []
        for kind, weight, speed, goal in zip(KINDS, memory.weights, memory.speeds, goals, strict=True):
            now, rate = spring(weight, speed, goal, slowly if kind == "REST" else soon, dt)
            faded = goal == 0.0 and now < OVER and rate <= 0.0
            weights.append(0.0 if faded else now)
            speeds.append(0.0 if faded else rate)
        memory.weights, memory.speeds = tuple(weights), tuple(speeds)
        late = LATE * slowly if config.rest.first else 0.25 * slowly
        memory.late, memory.late_speed = spring(memory.late, memory.late_speed, memory.weights[REST], late, dt)
        if memory.weights[REST] == 0.0 and memory.late < OVER:
            memory.late = memory.late_speed = 0.0

    def _feel(self, memory: ActMemory, travel: Travel, world: World, dt: float) -> None:
        """Feel the ground where the mouth comes down."""
        x, y, z, heading = travel.place
        ahead, left = self.mouth
        c, s = cos(heading), sin(heading)
        at = (x + s * ahead + c * left, y - c * ahead + s * left)
        far = FEELS * self.leg
        height = world.height_below(*at, z + far, 2.0 * far)
        goal = height - z if height is not None else 0.0
        halflife = GROUND_HALFLIFE * self.tempo if memory.down > 0.05 else 0.0
        memory.dip = damp(memory.dip, goal, halflife, dt)


def intent_goes(intent: Intent) -> bool:
    """True for an intent that wants to get somewhere."""
    return hypot(*intent.velocity) > STILL
