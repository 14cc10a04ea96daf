"""The state machine of a body that physics has: animated, active, fallen, getting up.

ANIMATED --hit--> ACTIVE --steady for a while--> ANIMATED (recovered)
                    `--off balance--> FALLEN (fell) --still, and a delay--> GETTING_UP --stands--> ANIMATED (stood_up)

A hit weakens the joints around it and takes balance; both come back in time. Physics asks once a step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, inf, sqrt

from ..control.fall_row import FallState
from ..space.copying import copier
from ..space.rigid import Triple
from ..space.triples import minus, scaled
from .balance import Bodies, Off, away_of, drop_of, middle_of, speed_between, tilt_of, top_of_trunk
from .config import ActiveConfig
from .drive import Drive
from .hits import ARM, HEAD, LEG, balance_lost, is_of, joints_between, out_on_limb, weakened
from .plan import RagdollPlan

GRAVITY = 9.81
TWO = 2.0
"""The strength of legs is meant for so many."""
GIANT = 2.0
"""So many times as tall as a person a body is a giant."""
JUST = 1e-9
"""What is added up step by step may lack this much."""


@dataclass(slots=True)
class ActiveMemory:
    """Between two steps.

    `since`: seconds in the state; `winded`: for how long yet no balance comes back; `calm`: for how long it is steady,
    or lies still; `waits`: how long it has lain calm. `faded` are strengths and assist as it fell, `braces` whether its
    arms go ahead of that. `before` and `meant` are bodies and targets of the last step. `unsaid` are events that no
    step has told yet.
    """

    state: FallState = "ANIMATED"
    since: float = 0.0
    strengths: tuple[float, ...] = ()
    balance: float = 1.0
    winded: float = 0.0
    calm: float = 0.0
    waits: float = 0.0
    faded: tuple[float, ...] = ()
    braces: bool = False
    before: tuple[float, ...] = ()
    meant: tuple[float, ...] = ()
    push: Triple = (0.0, 0.0, 0.0)
    unsaid: tuple[str, ...] = field(default=())

    def copy(self) -> ActiveMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(ActiveMemory)


class ActiveRagdoll:
    """The machine of one plan. Immutable; what changes is in an ActiveMemory."""

    def __init__(
        self, plan: RagdollPlan, config: ActiveConfig, gravity: float = GRAVITY, *, gets_up: bool = True
    ) -> None:
        """`gravity` (m/s2) says what the body weighs. One that does not get up lies where it fell."""
        self.plan, self.config, self.gets_up = plan, config, gets_up
        self.size = config.sized(plan.height)
        # A giant falls the more slowly, by the root of its size, and is pushed by as much less.
        self.pace = sqrt(max(1.0, self.size / GIANT))
        self.weight = plan.mass * gravity
        self.distances, self.top = joints_between(plan), top_of_trunk(plan)
        self.out = tuple(
            0 if is_of(body.limb, HEAD) else out for body, out in zip(plan.bodies, out_on_limb(plan), strict=True)
        )
        self.legs = tuple(is_of(body.limb, LEG) for body in plan.bodies)
        # Of many legs each has the less to carry: hit, none of them holds more than one of two would.
        self.carries = min(1.0, TWO / max(1, len({body.limb for body in plan.bodies if is_of(body.limb, LEG)})))
        self.arms = tuple(is_of(body.limb, ARM) for body in plan.bodies)

    def start(self) -> ActiveMemory:
        """All of its strength, and no physics."""
        return ActiveMemory(strengths=(1.0,) * len(self.plan.bodies))

    def hit(self, memory: ActiveMemory, body: int, velocity: Triple) -> None:
        """One body is hit with a velocity, world, m/s. What was hit before adds up; a rising body is floored again."""
        speed, config = hypot(*velocity) / self.pace, self.config
        if not 0.0 < speed < inf:
            return
        memory.calm = memory.waits = 0.0
        memory.unsaid += ("hit",)
        if memory.state == "FALLEN":
            return
        memory.strengths = weakened(memory.strengths, self.distances[body], speed, config)
        memory.balance = max(0.0, memory.balance - balance_lost(self.out[body], speed, config))
        if memory.balance <= 0.0:
            memory.winded = config.winded_seconds * self.pace
        if memory.state == "ANIMATED":
            self._enter(memory, "ACTIVE")
        elif memory.state == "GETTING_UP" and speed >= config.floors_at:
            self._fall(memory)

    def limp(self, memory: ActiveMemory) -> None:
        """Let go of it: it falls from here, whatever its balance, and nothing holds it or braces its arms."""
        if memory.state != "FALLEN":
            self._fall(memory)
        memory.faded, memory.braces = (*memory.faded[:-1], 0.0), False

    def stood_up(self, memory: ActiveMemory) -> None:
        """It stands again: what raised it is done."""
        memory.balance = 1.0
        self._enter(memory, "ANIMATED")
        memory.unsaid += ("stood_up",)

    def update(self, memory: ActiveMemory, dt: float, bodies: Bodies, targets: Bodies) -> Drive:
        """One step of physics, `dt` seconds, has moved the bodies; how they are driven in the next one.

        `bodies` are where they are and `targets` where the motion has them, seven numbers each. Empty ones say that
        physics has nothing: then only time goes on.
        """
        memory.since += dt
        if memory.state in ("ACTIVE", "FALLEN") and bodies:
            speed = self._beyond(memory, bodies, targets, dt)
            if memory.state == "ACTIVE":
                self._keep_balance(memory, self._off(bodies, targets, speed), dt)
            else:
                self._lie(memory, bodies, dt)
            memory.before, memory.meant = tuple(bodies), tuple(targets)
        events, memory.unsaid = memory.unsaid, ()
        return self.drive(memory)._replace(events=events)

    def drive(self, memory: ActiveMemory) -> Drive:
        """How it is driven as it is now, without any event."""
        strengths, assist, sideways = memory.strengths, 0.0, inf
        if memory.state in ("ANIMATED", "ACTIVE"):
            legs = min(1.0, self.config.legs_left + memory.balance)
            legs *= self.carries if memory.state == "ACTIVE" else 1.0
            strengths = tuple(s * legs if leg else s for s, leg in zip(strengths, self.legs, strict=True))
            assist = memory.balance**2
            sideways = self.config.sideways_share * self.weight if memory.balance < 1.0 else inf
        elif memory.state == "FALLEN":
            *_, assist = memory.faded
            assist *= _left(memory, self.config.fade_seconds)
            sideways = self.config.sideways_share * self.weight
        return Drive(memory.state, strengths, assist, sideways, memory.since, (), memory.push)

    def _beyond(self, memory: ActiveMemory, bodies: Bodies, targets: Bodies, dt: float) -> float:
        """How fast its centre of mass goes beyond its motion, m/s; remembers which way."""
        speed = 0.0
        if memory.before and dt > 0.0:
            own = minus(middle_of(self.plan, bodies), middle_of(self.plan, memory.before))
            meant = minus(middle_of(self.plan, targets), middle_of(self.plan, memory.meant))
            x, y, z = scaled(minus(own, meant), 1.0 / dt)
            memory.push, speed = (x, y, 0.0), hypot(x, y, z)
        return speed

    def _off(self, bodies: Bodies, targets: Bodies, speed: float) -> Off:
        """How far off its motion it is."""
        tilt = tilt_of(bodies, targets, self.top)
        return Off(tilt, drop_of(bodies, targets, self.plan.held or (0,)), away_of(bodies, targets), speed)

    def _keep_balance(self, memory: ActiveMemory, off: Off, dt: float) -> None:
        """Strength and balance come back; too far off it falls, near for long enough it is its motion's again."""
        config = self.config
        memory.strengths = tuple(_back(s, config.strength_recovery * dt / self.pace) for s in memory.strengths)
        if memory.winded > JUST:
            memory.winded -= dt
        else:
            memory.balance = _back(memory.balance, config.balance_recovery * dt / self.pace)
        if off.tilt > config.fall_tilt or off.drop > config.fall_drop * self.size:
            self._fall(memory)
            return
        whole = memory.balance >= 1.0 and min(memory.strengths) >= 1.0
        near = off.tilt <= config.steady_tilt and max(off.away, abs(off.drop)) <= config.steady_away * self.size
        memory.calm = memory.calm + dt if whole and near and off.speed <= config.steady_speed else 0.0
        if memory.calm > 0.0 and memory.calm >= config.calm_seconds - JUST:
            self._enter(memory, "ANIMATED")
            memory.unsaid += ("recovered",)

    def _lie(self, memory: ActiveMemory, bodies: Bodies, dt: float) -> None:
        """It goes limp, comes to rest, lies a while."""
        config, limp = self.config, self.config.limp_strength
        left, braced = _left(memory, config.fade_seconds), 0.0
        if memory.braces:
            braced = config.arms_strength * _left(memory, config.arms_seconds)
        memory.strengths = tuple(
            max(limp + (was - limp) * left, min(was, braced) if arm else 0.0)
            for was, arm in zip(memory.faded[:-1], self.arms, strict=True)
        )
        still = memory.since >= config.least_fallen - JUST and bool(memory.before)
        still = still and speed_between(self.plan, memory.before, bodies, dt) <= config.still_speed
        memory.calm = memory.calm + dt if still else 0.0
        memory.waits = memory.waits + dt if memory.calm >= config.calm_seconds - JUST and still else 0.0
        if self.gets_up and memory.waits > 0.0 and memory.waits - dt >= config.get_up_delay - JUST:
            self._enter(memory, "GETTING_UP")

    def _fall(self, memory: ActiveMemory) -> None:
        assist = memory.balance**2 if memory.state != "GETTING_UP" else 0.0
        memory.faded = (*memory.strengths, assist)
        memory.balance, memory.braces = 0.0, True
        self._enter(memory, "FALLEN")
        memory.unsaid += ("fell",)

    def _enter(self, memory: ActiveMemory, state: FallState) -> None:
        memory.state, memory.since, memory.calm, memory.waits = state, 0.0, 0.0, 0.0
        if state in ("ANIMATED", "GETTING_UP"):
            memory.strengths = (1.0,) * len(self.plan.bodies)
            memory.before, memory.meant, memory.push = (), (), (0.0, 0.0, 0.0)


def _back(share: float, by: float) -> float:
    """What has come back of a share that was lost."""
    share += by
    return share if share < 1.0 - JUST else 1.0


def _left(memory: ActiveMemory, seconds: float) -> float:
    """What share of so many seconds since it fell is left."""
    return max(0.0, 1.0 - memory.since / seconds) if seconds > 0.0 else 0.0
