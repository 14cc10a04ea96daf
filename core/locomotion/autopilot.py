"""The autopilot: it presses the buttons that a person would, to bring a body to a goal through any level.

It looks for a way (`way_search`) in slices, a tick each, and then follows its legs: it steers to the next place, runs
where there is room to, and goes up when area awareness says so. Where a move does not come off, it looks for another
way without it. What it remembers is flat: the few legs of its way. What it works out of the world, cells and searches,
follows from that world alone and from what is remembered; it is kept beside, and worked out again when it is not there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import dist, hypot
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

from mathutils import Vector

from ..control.capsule_memory import CapsuleMemory
from ..control.config import ControlConfig
from ..control.intent import NO_PAD, Inputs, Pad, Place, Travel
from ..control.movement import MovementConfig
from ..space.copying import copier
from ..space.rigid import Triple
from ..world.cells import Body, Cells
from ..world.probe import DOWN
from ..world.world import World
from .following import Following, Now, follow, towards
from .links import Mover
from .memory import StateMemory
from .way_search import Failed, Leg, Search, blocked_key, failed_key

if TYPE_CHECKING:
    from .config import ParkourConfig

MOST_LEGS, MOST_FAILED = 12, 6
"""So much is remembered: the next legs of a way, and the last moves that did not come off."""
KEPT = 4
"""So many searches are kept."""
NO_GOAL = "The autopilot has no goal: choose a target object."
THINKING = "It looks for a way."
NO_WAY = "There is no way to the goal that it can go: it is as near as it gets."
BLOCKED = "Something is in the way to the goal: it is as near as it gets."
TOO_FAR = "It found no way to the goal as far as it looked: it is as near as it has seen."
AIRBORNE_GOAL = 3.0
"""A goal's floor is looked for so far under it, metres."""


@dataclass(slots=True)
class AutopilotMemory:
    """What the autopilot remembers: numbers, world space.

    `goal` is where the way leads (None: nowhere yet), `start` where the search or the last leg began, `speed` how fast
    it could be then, `slices` how far the search has come (0: none is on). `legs` are the parts of the way that are
    left, `more` says that it goes on behind them, `ends` why it ends where it does ("": at the goal). `failed` are
    moves that are not tried again. `leg`: how far it is with the first leg.
    """

    goal: Triple | None = None
    start: Triple = (0.0, 0.0, 0.0)
    slices: int = 0
    speed: float = 0.0
    legs: tuple[Leg, ...] = ()
    more: bool = False
    ends: str = ""
    failed: tuple[Failed, ...] = ()
    leg: Following = field(default_factory=Following)

    def copy(self) -> AutopilotMemory:
        """An independent copy."""
        copied = _copied(self)
        copied.leg = self.leg.copy()
        return copied


_copied = copier(AutopilotMemory)


class Autopilot:
    """The autopilot of one character. What it keeps of a world is no memory: it follows from that."""

    def __init__(
        self, movement: MovementConfig | None, config: ParkourConfig, control: ControlConfig, *, reads: bool
    ) -> None:
        self.movement, self.config, self.control, self.reads = movement, config, control, reads
        self._world: ReferenceType[World] | None = None
        self._signature = 0
        self._cells: Cells | None = None
        self._searches: dict[tuple[object, ...], Search] = {}

    def press(
        self, memory: AutopilotMemory, inputs: Inputs, travel: Travel, capsule: CapsuleMemory | None,
        state: StateMemory | None, world: World, dt: float,
    ) -> tuple[Pad, str]:  # fmt: skip
        """What it presses in this tick, and why it does not get on."""
        goal = inputs.target if inputs.goal is None else inputs.goal.place
        if goal is None:
            memory.goal, memory.legs = None, ()
            return NO_PAD, NO_GOAL
        if self.movement is None or capsule is None:
            return self._straight(goal[:3], travel, inputs.speed, world, dt), ""
        if inputs.moved_to is not None:
            memory.goal, memory.legs, memory.slices = None, (), 0
        mover = Mover(self.movement, self.config, inputs.speed * self.control.steering.sprint_factor, self.reads)
        floor = self._floor_under(goal, world)
        stands = capsule.state == "ON_GROUND"
        if memory.goal is None or dist(memory.goal, floor) > self.config.autopilot.follows:
            memory.failed = ()
            if not stands:
                memory.goal = memory.goal or floor
            else:
                self._begin(memory, floor, capsule.feet, mover)
        if memory.slices > 0:
            if not stands:
                return NO_PAD, THINKING
            self._think(memory, mover, world)
            if memory.slices > 0:
                return NO_PAD, THINKING
        if not memory.legs:
            return self._at_end(memory, floor, capsule, mover)
        return self._go(memory, mover, capsule, state, world, inputs.speed, dt), ""

    def _floor_under(self, goal: Place, world: World) -> Triple:
        """The floor that a goal stands on or hangs over."""
        x, y, z, _ = goal
        size = self.control.scale
        hit = world.cast_ray(Vector((x, y, z + 0.5 * size)), DOWN, AIRBORNE_GOAL * size)
        return (x, y, z) if hit is None else (x, y, float(hit.position.z))

    def _begin(self, memory: AutopilotMemory, goal: Triple, feet: Triple, mover: Mover) -> None:
        memory.goal, memory.start, memory.slices, memory.legs = goal, feet, 1, ()
        memory.speed, memory.more, memory.ends = mover.speed, False, ""
        memory.leg = Following()

    def _think(self, memory: AutopilotMemory, mover: Mover, world: World) -> None:
        """One slice more; at its end there is a way."""
        numbers = self.config.autopilot
        search = self._search(memory, replace(mover, speed=memory.speed), world)
        while search.slices < memory.slices and search.state == "SEEKS":
            search.go_on(round(numbers.cells_a_tick))
        if search.state == "SEEKS" or search.slices > memory.slices:
            memory.slices += 1
            return
        legs = search.way(MOST_LEGS + 1)
        memory.slices, memory.legs, memory.more = 0, legs[:MOST_LEGS], len(legs) > MOST_LEGS
        memory.ends = {"THERE": "", "STRAIGHT": "", "MUCH": TOO_FAR}.get(search.state, NO_WAY)

    def _search(self, memory: AutopilotMemory, mover: Mover, world: World) -> Search:
        assert memory.goal is not None
        assert self.movement is not None
        known = None if self._world is None else self._world()
        if known is not world or self._signature != world.signature() or self._cells is None:
            self._world, self._signature = ref(world), world.signature()
            self._cells, self._searches = cells_for(self.movement, self.config, world), {}
        key = (memory.start, memory.goal, memory.speed, memory.failed)
        if key not in self._searches:
            while len(self._searches) >= KEPT:
                del self._searches[next(iter(self._searches))]
            most = round(self.config.autopilot.most_cells)
            self._searches[key] = Search(self._cells, mover, memory.start, memory.goal, most, memory.failed)
        return self._searches[key]

    def _at_end(self, memory: AutopilotMemory, floor: Triple, capsule: CapsuleMemory, mover: Mover) -> tuple[Pad, str]:
        """The way has come to its end: at the goal, or where it goes on after another look; so it does where something
        has carried it away.
        """
        carried = dist(capsule.feet, memory.start) > self.config.autopilot.follows
        if (memory.more or carried) and capsule.state == "ON_GROUND":
            self._begin(memory, floor, capsule.feet, mover)
            return NO_PAD, THINKING
        return NO_PAD, memory.ends

    def _go(
        self, memory: AutopilotMemory, mover: Mover, capsule: CapsuleMemory, state: StateMemory | None, world: World,
        speed: float, dt: float,
    ) -> Pad:  # fmt: skip
        """One tick along the first leg; the next one follows where it ends, another way where it fails."""
        assert memory.goal is not None
        last = len(memory.legs) == 1 and not memory.more
        here = Now(capsule, state, world, self.control, speed, dt, last)
        after = memory.legs[1] if len(memory.legs) > 1 else None
        pad, told = follow(memory.leg, memory.legs[0], after, mover, here)
        if told == "DONE":
            x, y, _ = memory.goal
            if last and hypot(x - capsule.feet[0], y - capsule.feet[1]) > 2.0 * self.config.autopilot.there:
                memory.ends = memory.ends or BLOCKED
            memory.legs, memory.leg, memory.start = memory.legs[1:], Following(), capsule.feet
        elif told == "FAILED":
            first, size = memory.legs[0], self.config.autopilot.cell
            key = failed_key(first.kind, first.start, first.end, size)
            if first.kind == "WALK":
                key = blocked_key(capsule.feet, first.end, mover.movement.radius, size)
            memory.failed = (*memory.failed, key)[-MOST_FAILED:]
            self._begin(memory, memory.goal, capsule.feet, mover)
        return pad

    def _straight(self, goal: Triple, travel: Travel, speed: float, world: World, dt: float) -> Pad:
        """A point goes straight: nothing is in its way."""
        here = travel.place[:3]
        if dist(goal[:2], here[:2]) <= self.config.autopilot.there:
            return NO_PAD
        now = Now(CapsuleMemory(here, 0.0, 0.0), None, world, self.control, speed, dt, last=True)
        return towards(goal, here, now, speed)


def cells_for(movement: MovementConfig, config: ParkourConfig, world: World) -> Cells:
    """The cells of a world for a body."""
    height = movement.height(crouched=False)
    body = Body(movement.radius, height, movement.highest_step, movement.stick, movement.upright)
    return Cells(world, body, config.autopilot.cell)
