"""How a body without legs makes its way: the head draws a track on the ground, and all that follows keeps to it.

The body never slips sideways: each of its points goes where the one before it was. Its windings are therefore the
head's: it swings to both sides of its course on a serpenoid curve (see windings). A course is bent at most so much: the
head follows the travel as if on a line of twice its least radius, so that corners become bends, an about-turn a loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, copysign, cos, hypot, pi, sin
from typing import NamedTuple

from mathutils import Vector

from ..control.intent import Place, Travel
from ..rig.rig import LongBody, Rig
from ..space.angles import facing, heading_of, left_of, turn_between, wrapped
from ..space.copying import copier
from ..space.curves import share_of
from ..space.dampers import damp
from ..space.rigid import Triple
from ..world.probe import DOWN
from ..world.world import Anchor, Hit, Line, World
from .lying import STEEPEST
from .memory import FootMemory
from .shape import BodyShape
from .slither_config import SlitherConfig
from .step import Predict
from .windings import Windings

# Lengths of the body: between two marks of the track, the least radius of the course, and how much track is kept.
MARK, RADIUS, KEPT = 0.01, 0.06, 1.05
LINE = 2.0 * RADIUS
"""How far the head is behind the travel: nothing beyond that is out of reach of a course of this radius."""
# The windings are full from this speed on (lengths of the body a second), and half changed after so much way.
FULL_AT, CHANGES_IN = 0.25, 0.1
# How much faster than the travel the head may catch up with it, and the least speed of that, lengths a second; how fast
# its speed changes at least, lengths a second per second, and the share of the line within which it always stops.
CATCHES_UP, LEAST_PACE, SPEEDS_UP, BRAKES, STOPS_IN = 1.5, 0.1, 4.0, 2.0, 0.7
# Places ahead of the head where the ground is felt, marks between them.
FEELS, FEELS_EVERY = 9, 2
# How far up and down the ground of the next mark may be, legs of the size that stands for one.
UP, DOWNWARD = 0.39, 0.9
EDGE = 5
# Steps of the head in a tick at most; past about thirty marks a tick they grow longer.
MOST_STEPS = 32


class Mark(NamedTuple):
    """A place of the track: world, its ground's height, how that rises to the left per metre, and how far along it is.

    `anchor` holds it on ground that moves.
    """

    x: float
    y: float
    z: float
    lean: float
    along: float
    anchor: Anchor | None = None


@dataclass(slots=True)
class SlitherMemory:
    """What a body without legs remembers. `head` is the mark below its head, `trail` those behind it, oldest first.

    x, y, course: the middle of the windings beside the head, and where it goes; `pace` is its speed there, metres a
    second. `lead` is where the travel was, `led` the speed of that as the head catches up with it; `swing` how much of
    the windings there is, `phase` where in one the head is (grows by 1 a winding). `ahead` are the distances from the
    head and the heights of the ground before it.
    """

    x: float
    y: float
    course: float
    lead: tuple[float, float]
    head: Mark
    pace: float = 0.0
    led: float = 0.0
    swing: float = 0.0
    phase: float = 0.0
    ahead: tuple[tuple[float, float], ...] = ()
    trail: list[Mark] = field(default_factory=list)
    gait: str = "SLITHER"
    feet: list[FootMemory] = field(default_factory=list)
    events: tuple[tuple[str, str], ...] = ()

    def copy(self) -> SlitherMemory:
        """An independent copy (marks never change, so they are shared)."""
        other = _copied(self)
        other.trail, other.feet = self.trail[:], self.feet[:]
        return other


_copied = copier(SlitherMemory)


class SlitherGait:
    """The way of one body without legs. Immutable: what changes is in a SlitherMemory."""

    def __init__(self, rig: Rig, config: SlitherConfig) -> None:
        if rig.long_body is None:
            raise ValueError("This rig has no legs to walk on, and no long body to crawl with.")
        self.body: LongBody = rig.long_body
        self.config = config
        self.length = sum(self.body.lengths)
        self.shape = BodyShape((), rig.leg_length)
        self.patterns: dict[str, None] = {}
        self.windings = Windings(config.winding, config.wavelength * self.length)
        nose = self.body.joints[0]
        self.nose = (nose.x, nose.y)
        self.up, self.down = UP * rig.leg_length, DOWNWARD * rig.leg_length
        self.mark, self.line = MARK * self.length, LINE * self.length

    def pattern_of(self, _memory: SlitherMemory) -> None:
        """No legs, no pattern."""
        return

    def from_origin(self, place: Place) -> Place:
        """Where the travel is while the body lies as at rest with its origin at `place`: before the nose."""
        return self._moved(place, 1.0)

    def origin_of(self, place: Place) -> Place:
        """The other way round: where model space stands while the travel is at `place`."""
        return self._moved(place, -1.0)

    def _moved(self, place: Place, way: float) -> Place:
        (fx, fy), (lx, ly) = facing(place.heading), left_of(place.heading)
        ahead, beside = way * (self.line - self.nose[1]), way * self.nose[0]
        return place._replace(x=place.x + fx * ahead + lx * beside, y=place.y + fy * ahead + ly * beside)

    def start(self, travel: Travel, world: World, _gait: str = "AUTO") -> SlitherMemory:
        """Lying still, straight behind the place of the travel."""
        x, y, z, heading = travel.place
        fx, fy = facing(heading)
        memory = SlitherMemory(
            x=x - fx * self.line,
            y=y - fy * self.line,
            course=heading,
            lead=(x, y),
            head=Mark(x, y, z, 0.0, 0.0),
        )
        self._lie_straight(memory, world)
        return memory

    def _lie_straight(self, memory: SlitherMemory, world: World) -> None:
        """The track of a body that came straight on so far; it is felt from the travel's place back."""
        fx, fy = facing(memory.course)
        before = memory.head
        memory.head = before = self._felt(world, memory.x, memory.y, before, memory.course)
        count = ceil(KEPT / MARK)
        for k in range(1, count + 1):
            back = k * self.mark
            before = self._felt(world, memory.x - fx * back, memory.y - fy * back, before, memory.course)
            memory.trail.append(before._replace(along=-back))
        memory.trail.reverse()
        self._feel_ahead(memory, world)

    def tick(
        self,
        memory: SlitherMemory,
        travel: Travel,
        _predict: Predict,
        world: World,
        dt: float,
        _gait: str = "AUTO",
    ) -> None:
        """One tick: the head goes on towards the travel, and marks its track."""
        memory.events = ()
        if travel.jumped:
            self._start_anew(memory, travel, world)
            return
        rode = self._ride(memory, world)
        vx, vy, _ = travel.velocity
        speed = hypot(vx, vy)
        memory.led = max(speed, memory.led - BRAKES * self.length * dt)
        went = self._go_on(memory, travel.place, world, dt)
        if went or rode:
            self._feel_ahead(memory, world)

    def _start_anew(self, memory: SlitherMemory, travel: Travel, world: World) -> None:
        fresh = self.start(travel, world)
        for name in ("x", "y", "course", "lead", "head", "trail", "ahead", "pace", "led", "swing", "phase"):
            setattr(memory, name, getattr(fresh, name))
        memory.events = (("JUMP", ""),)

    def _go_on(self, memory: SlitherMemory, place: Place, world: World, dt: float) -> bool:
        """Follow the travel to its place now, in steps that are short beside the marks; True if the head moved."""
        ax, ay = memory.lead
        least, most = self._paces(memory, dt)
        way = max(hypot(place.x - ax, place.y - ay), min(most * dt, self._left(memory, place.x, place.y)))
        count = min(max(1, ceil(way / self.mark)), MOST_STEPS)
        went, each = 0.0, dt / count
        for k in range(1, count + 1):
            lx, ly = ax + (place.x - ax) * k / count, ay + (place.y - ay) * k / count
            step = max(min(self._left(memory, lx, ly), most * k * each - went), least * k * each - went)
            if step > 1e-6 * self.line:
                went += step
                self._step(memory, heading_of(lx - memory.x, ly - memory.y), step, step / each, world)
        memory.lead, memory.pace = (place.x, place.y), went / dt
        return went > 0.0

    def _paces(self, memory: SlitherMemory, dt: float) -> tuple[float, float]:
        """The least and the largest speed of the head in this tick: it neither stops dead nor starts with a jump."""
        pace = memory.pace
        brake = max(BRAKES * self.length, 0.5 * pace * pace / (STOPS_IN * self.line))
        most = CATCHES_UP * max(memory.led, LEAST_PACE * self.length)
        return max(0.0, pace - brake * dt), min(most, pace + SPEEDS_UP * self.length * dt)

    def _left(self, memory: SlitherMemory, x: float, y: float) -> float:
        """How much further from the head than the line is long a place is."""
        return max(0.0, hypot(x - memory.x, y - memory.y) - self.line)

    def _step(self, memory: SlitherMemory, goal: float, step: float, speed: float, world: World) -> None:
        """The head goes on by one step on the arc that leads to what is on its line at a heading, and winds.

        Where the line is slack, or what is on it behind, the arc is as tight as any may be. Source: R. C. Coulter,
        "Implementation of the Pure Pursuit Path Tracking Algorithm" (1992).
        """
        aside = turn_between(memory.course, goal)
        tight = sin(aside) if abs(aside) < 0.5 * pi else copysign(1.0, aside)
        turn = copysign(min(abs(tight) * step / (RADIUS * self.length), abs(aside)), aside)
        fx, fy = facing(memory.course + 0.5 * turn)
        memory.x, memory.y = memory.x + fx * step, memory.y + fy * step
        memory.course = wrapped(memory.course + turn)
        # As tight as it can, it turns without windings.
        full = share_of(speed, 0.0, FULL_AT * self.length) * (1.0 - abs(tight))
        memory.swing = damp(memory.swing, full, CHANGES_IN * self.length, step)
        memory.phase += step / self.windings.period
        beside = memory.swing * self.windings.beside(memory.phase)
        lx, ly = left_of(memory.course)
        last = memory.head
        x, y = memory.x + lx * beside, memory.y + ly * beside
        felt = self._felt(world, x, y, last, memory.course)
        along = last.along + hypot(x - last.x, y - last.y)
        memory.head = felt._replace(along=along)
        if abs(felt.z - last.z) > STEEPEST * (along - last.along):
            memory.trail += self._at_edge(world, last, memory.head, memory.course)
        while along - memory.trail[-1].along >= self.mark:
            memory.trail.append(self._between(world, last, memory.head, memory.trail[-1].along + self.mark))
            if along - memory.trail[1].along >= KEPT * self.length:
                del memory.trail[0]
        while along - memory.trail[1].along >= KEPT * self.length:
            del memory.trail[0]

    def _between(self, world: World, a: Mark, b: Mark, along: float) -> Mark:
        """The mark on the way from `a` to `b` that is so far along the track."""
        share = min(max((along - a.along) / (b.along - a.along), 0.0), 1.0)
        x, y, z = (p + (q - p) * share for p, q in zip(a[:3], b[:3], strict=True))
        if b.anchor is not None:
            hit = world.cast_ray(Vector((x, y, z + self.up)), DOWN, self.up + self.down)
            return Mark(x, y, z, b.lean, along, None if hit is None else world.anchor(hit))
        return Mark(x, y, z, a.lean + (b.lean - a.lean) * share, along)

    def _at_edge(self, world: World, a: Mark, b: Mark, heading: float) -> list[Mark]:
        """The marks on both sides of an edge between two places on ground of different height."""
        low, high = self._edge(world, a[:3], b[:3])
        found = []
        for share, side in ((low, a), (high, b)):
            x, y = a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
            felt = self._felt(world, x, y, side, heading)
            found.append(felt._replace(along=a.along + (b.along - a.along) * share))
        return found

    def _edge(self, world: World, a: Triple, b: Triple) -> tuple[float, float]:
        """The shares of the way from `a` to `b` between which the ground's height steps from the one's to the other's.

        `EDGE` halvings of a way as long as a mark find it to a millimetre for a body of a few metres.
        """
        near, far = 0.0, 1.0
        top, middle = max(a[2], b[2]) + self.up, 0.5 * (a[2] + b[2])
        for _ in range(EDGE):
            share = 0.5 * (near + far)
            z = world.height_below(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, top, self.up + self.down)
            if z is not None and (z > middle) == (b[2] > middle):
                far = share
            else:
                near = share
        return near, far

    def _felt(self, world: World, x: float, y: float, before: Mark, heading: float) -> Mark:
        """A mark at x, y: on the ground near the height of the one before, or as high as that where there is none."""
        hit = world.cast_ray(Vector((x, y, before.z + self.up)), DOWN, self.up + self.down)
        if hit is None:
            return Mark(x, y, before.z, 0.0, before.along)
        anchor = world.anchor(hit) if world.moves(hit.surface) else None
        return Mark(x, y, hit.position.z, _lean(hit, heading), before.along, anchor)

    def _feel_ahead(self, memory: SlitherMemory, world: World) -> None:
        """The ground before the head, at places that stay where they are while the head comes nearer."""
        head, apart = memory.head, FEELS_EVERY * self.mark
        fx, fy = facing(memory.course)
        back = -(head.along % apart)
        ways = (tuple(range(1, FEELS + 1)),)
        x, y = head.x + fx * back, head.y + fy * back
        found = world.heights_along(Line(x, y, head.z, fx * apart, fy * apart, ways, self.up, self.up + self.down))
        before, ahead = (0.0, head.z), []
        for k, height in enumerate(found, start=1):
            now = (back + k * apart, before[1] if height is None else height)
            if abs(now[1] - before[1]) > STEEPEST * (now[0] - before[0]):
                a, b = ((head.x + fx * way, head.y + fy * way, z) for way, z in (before, now))
                for share, z in zip(self._edge(world, a, b), (before[1], now[1]), strict=True):
                    ahead.append((before[0] + (now[0] - before[0]) * share, z))
            ahead.append(now)
            before = now
        memory.ahead = tuple(ahead)

    def _ride(self, memory: SlitherMemory, world: World) -> bool:
        """Each mark goes with the ground that it lies on, the head with its own; True if any did."""
        rode = False
        for k, mark in enumerate(memory.trail):
            if mark.anchor is not None:
                memory.trail[k] = _ridden(mark, world)
                rode = True
        head = memory.head
        if head.anchor is not None:
            memory.head = now = _ridden(head, world)
            turn = world.turn_of(head.anchor.surface)
            dx, dy = memory.x - head.x, memory.y - head.y
            c, s = cos(turn), sin(turn)
            memory.x, memory.y = now.x + c * dx - s * dy, now.y + s * dx + c * dy
            lx, ly = memory.lead[0] - head.x, memory.lead[1] - head.y
            memory.lead = (now.x + c * lx - s * ly, now.y + s * lx + c * ly)
            memory.course = wrapped(memory.course + turn)
            rode = True
        return rode


def _ridden(mark: Mark, world: World) -> Mark:
    """The mark where its ground has taken it; where that is gone, it lies there from now on."""
    hit = world.locate(mark.anchor) if mark.anchor is not None else None
    if hit is None:
        return mark._replace(anchor=None)
    x, y, z = hit.position
    return mark._replace(x=x, y=y, z=z)


def _lean(hit: Hit, heading: float) -> float:
    """How much the ground rises per metre to the left of a heading, at most one to one."""
    lx, ly = left_of(heading)
    nx, ny, nz = hit.normal
    return min(max(-(nx * lx + ny * ly) / max(nz, 1e-3), -1.0), 1.0)
