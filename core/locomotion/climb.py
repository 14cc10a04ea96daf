"""Onto a top: up the wall to its edge, with the hands on it, then over the edge to where there is room to stand."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from mathutils import Vector

from ..control.intent import Travel
from ..layers.request import Contact, Move
from ..space.curves import hermite, share_of, smoothstep
from ..space.rigid import Triple
from ..space.settings import setting
from ..space.triples import minus, plus, scaled
from ..world.surroundings import Surroundings
from ..world.world import World
from .handing import Carry, anchored, came_aside, carry_of, handed_back, placed, square
from .memory import StateMemory, StateName
from .state import Step

if TYPE_CHECKING:
    from .config import ParkourConfig

UP: Triple = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ClimbConfig:
    """A climb's numbers."""

    speed: float = setting(
        2.4, "How fast it goes up the wall. Slow values crawl, fast ones fly", unit="m/s", low=0.1, high=20.0
    )
    over: float = setting(0.4, "How long it takes from the edge to where it stands", unit="s", low=0.05, high=5.0)
    keeps: float = setting(
        0.9, "The share of its run that it has left on the top, as far as the way over the edge gives it", low=0.0,
        high=1.0,
    )  # fmt: skip
    by_itself: float = setting(
        1.5, "From the air, edges that are less than this over the feet are climbed without a press", unit="m",
        low=0.0, high=5.0,
    )  # fmt: skip
    low: float = setting(
        1.6, "Walls under this height are climbed as low ones: its clips and poses change there", unit="m", low=0.0,
        high=10.0,
    )  # fmt: skip
    hand_aside: float = setting(0.2, "How far from the middle each hand is on the edge", unit="m", low=0.0, high=2.0)
    hand_in: float = setting(0.06, "How far in from the edge the hands are", unit="m", low=0.0, high=2.0)
    hands_to: float = setting(0.75, "To which share of the climb the hands are on the edge", low=0.0, high=1.0)
    hand_fades: float = setting(
        0.15, "The share of the climb over which they reach for it, and leave it", low=0.01, high=0.5
    )


class Climb:
    """CLIMBING: its way are the feet's start, the wall's foot and its edge, both with room for the body, and where it
    stands.
    """

    name: StateName = "CLIMBING"

    def starts(self, step: Step) -> bool:
        """On the press where a top with room is seen; from the air while it is held, or up to a low top."""
        if step.memory.state == "HANGING":
            seen = step.look_at_hold() if step.memory.step == "UP" else None
        elif step.on_ground:
            seen = step.look(step.sensor) if step.intent.go_up and step.stands else None
        elif self._may_grab(step):
            seen = step.look("AIR")
            if not step.intent.go_up_held and seen.height >= step.config.climb.by_itself:
                return False
        else:
            return False
        if seen is None or seen.verdict != "CLIMB":
            return False
        self.begin(step, seen)
        return True

    def _may_grab(self, step: Step) -> bool:
        """In the air it steers at something, and does not rise quickly."""
        memory, rises = step.memory, step.capsule.velocity[2]
        return memory.no_grab <= 0.0 and step.wish != (0.0, 0.0) and rises <= step.config.machine.grabs_rising

    def begin(self, step: Step, seen: Surroundings) -> None:
        """Enter it, from the ground, the air or a hang."""
        memory, config, start = step.memory, step.config.climb, step.feet
        face, top, crossing = seen.face, seen.top, seen.crossing
        assert face is not None and top is not None and crossing is not None and crossing.stand is not None
        off = step.movement.radius + step.movement.padding
        foot = plus(face.begin, scaled(face.normal, -max(0.0, face.foot - off)))
        wall = plus(top.edge, scaled(face.normal, off + top.behind))
        up = max(step.config.machine.window, (wall[2] - start[2]) / config.speed, self._approach(step, foot))
        speed, heading = step.run, step.travel.place.heading
        memory.begin(self.name, up + config.over)
        memory.way = (start, foot, wall, crossing.stand.place)
        memory.speed, memory.heading, memory.normal = speed, heading, face.normal
        memory.edge, memory.height = top.edge, seen.height
        memory.phase = up / memory.lasts
        memory.anchor, memory.anchor_at = anchored(top.hit, face.normal, step.world), (*top.hit.position,)

    def _approach(self, step: Step, at: Triple) -> float:
        """How long it takes to the wall at its own pace, or at that of the climb."""
        x, y, _ = step.feet
        return hypot(at[0] - x, at[1] - y) / max(step.run, step.config.climb.speed)

    def goes(self, step: Step) -> Travel | None:
        """Up, then over; on the top the run goes on."""
        memory, window = step.memory, step.config.machine.window
        leaves, carry = self._leaves_with(memory, step.config), carry_of(memory, step.world)
        if memory.time < memory.lasts:
            return placed(step, carry.place(climb_at(memory, leaves)), square(memory, window) + carry.turn)
        feet, memory.normal = carry.place(memory.way[3]), carry.way(memory.normal)
        return handed_back(step, feet, scaled(memory.normal, -leaves), memory.time - memory.lasts)

    def _leaves_with(self, memory: StateMemory, config: ParkourConfig) -> float:
        """Its speed on the top: what is kept of its run, as far as the short way over the edge can have it."""
        x, y, _ = minus(memory.way[3], memory.way[2])
        return min(config.climb.keeps * memory.speed, 2.0 * hypot(x, y) / config.climb.over)

    def move(self, memory: StateMemory, _travel: Travel, config: ParkourConfig, world: World) -> Move:
        """Both hands on the edge until the body is over it."""
        numbers, done = config.climb, memory.progress
        # From a hang they are there already; from elsewhere the pose takes its time to come there.
        weight = 1.0 - smoothstep(share_of(done, numbers.hands_to, numbers.hands_to + numbers.hand_fades))
        nx, ny, _ = memory.normal
        middle = plus(memory.edge, (-nx * numbers.hand_in, -ny * numbers.hand_in, 0.0))
        contacts, carry = [], carry_of(memory, world)
        for limb, aside in (("hand.L", numbers.hand_aside), ("hand.R", -numbers.hand_aside)):
            spread = free_to(world, middle, plus(middle, (ny * aside, -nx * aside, 0.0)), numbers.hand_aside)
            place = carry.place(spread)
            contacts.append(Contact(limb, place, UP, weight, carry.way((-nx, -ny, 0.0))))
        contacts = [contact for contact in contacts if contact.weight > 0.0]
        contacts += self._step_on(memory, numbers, carry, world)
        variant = "LOW" if memory.height < numbers.low else "HIGH"
        return Move("CLIMB", share_shown(memory), variant, memory.height, memory.speed, tuple(contacts))

    @staticmethod
    def _step_on(memory: StateMemory, numbers: ClimbConfig, carry: Carry, world: World) -> list[Contact]:
        """The right foot, that comes up first: on the top beside the hands, until the body stands over it."""
        shown, (start, end) = share_shown(memory), STEPS
        weight = smoothstep(share_of(shown, start, start + SETS)) * (1.0 - smoothstep(share_of(shown, end - 0.1, end)))
        if weight <= 0.0:
            return []
        nx, ny, _ = memory.normal
        aside, ahead = -0.5 * numbers.hand_aside, numbers.hand_aside
        middle = plus(memory.edge, (-nx * numbers.hand_in, -ny * numbers.hand_in, 0.0))
        place = plus(memory.edge, (ny * aside - nx * ahead, -nx * aside - ny * ahead, 0.0))
        place = free_to(world, middle, place, numbers.hand_aside)
        return [Contact("foot.R", carry.place(place), UP, weight, carry.way((-nx, -ny, 0.0)))]


def free_to(world: World, start: Triple, place: Triple, wide: float) -> Triple:
    """A place on a top, or as near to it as something lets come that stands there, from a place where nothing does;
    `wide` is half of what the hands are apart.
    """
    way = Vector(minus(place, start))
    length, over = way.length, Vector((0.0, 0.0, OVER * wide))
    if length <= 0.0:
        return place
    hit = world.cast_ray(Vector(start) + over, way / length, length + BESIDE * wide)
    if hit is None or hit.back:
        return place
    left = max(0.0, (hit.position - over - Vector(start)).length - BESIDE * wide)
    return plus(start, scaled((way.x, way.y, way.z), min(1.0, left / length)))


OVER, BESIDE = 0.3, 0.5
"""So far over a top it is looked along it, and so far a hand or a foot stays beside what stands there, in `wide`."""

AT_EDGE = 0.6
"""The share of a climb, as its poses have it, at which the feet are at the height of the edge."""

STEPS, SETS = (0.5, 0.92), 0.18
"""Between these shares of it a foot is set on the top, over so much of it, and left again."""


def share_shown(memory: StateMemory) -> float:
    """How much of a climb is done as its poses count it: so much up to the edge, whatever its height, the rest over."""
    done, up = memory.progress, memory.phase
    if done < up:
        return AT_EDGE * done / up
    return AT_EDGE + (1.0 - AT_EDGE) * (share_of(done, up, 1.0) if up < 1.0 else 1.0)


def climb_at(memory: StateMemory, leaves: float) -> Triple:
    """Where the feet are at the memory's time: to the wall and up, then over the edge, ending at a speed."""
    start, foot, wall, stand = memory.way
    up = memory.phase * memory.lasts
    if memory.time < up:
        near = came_aside(memory, up)
        rise = smoothstep(memory.time / up)
        # To the foot of the wall first, then in with it as it leans.
        return (
            start[0] + (foot[0] - start[0]) * near + (wall[0] - foot[0]) * rise,
            start[1] + (foot[1] - start[1]) * near + (wall[1] - foot[1]) * rise,
            start[2] + (wall[2] - start[2]) * rise,
        )
    over = memory.lasts - up
    share = (memory.time - up) / over
    length = hypot(stand[0] - wall[0], stand[1] - wall[1])
    along = hermite(0.0, 0.0, 1.0, leaves * over / length if length > 0.0 else 0.0, share)
    return (
        wall[0] + (stand[0] - wall[0]) * along,
        wall[1] + (stand[1] - wall[1]) * along,
        wall[2] + (stand[2] - wall[2]) * along,
    )
