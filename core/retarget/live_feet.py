"""Feet of a live retarget: nothing is known of the frames to come, so all follows from what was.

A source's heel or ball is down while it is low over the height at which its foot came to rest last, and slow, with a
hysteresis for both. The target's foot then stays where it landed, or moves about there as the source's does: it comes
to that within a ramp, and what the hold has kept when the foot leaves is given up in its own time. How high a foot is
follows the source's in the air too, scaled, so that nothing has to be made up for when it comes down.

All places are in the plan of the source as it is scaled to the target; heights over the floor that both stand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, copysign, cos, hypot, radians, sin, sqrt
from typing import NamedTuple

from ..motion.planted import CAPTURED, REFERENCE_LEG
from ..rig.rig import Leg, Rig
from ..space.angles import turn_between
from ..space.copying import copier
from ..space.curves import share_of, smoothstep
from ..space.dampers import damp, kept_share
from .transfer import OTHER_UNITS

# Seconds for a 0.9 m leg: a foot that lands comes to its hold in RAMP; one that rests this long has a floor under it,
# on the floor that is known, and elsewhere: at the top of a jump nothing rests as long.
RAMP, RESTS, RESTS_HIGH = 0.06, 0.1, 0.22
# A foot that comes slower than this in all directions (m/s, for a 0.9 m leg) rests.
RESTING_SPEED = 0.3
# Its floor is taken to be there with the first halflife, seconds; where the heel is up and the ball comes up with the
# other: it may be about to leave. Metres, for a 0.9 m leg: what is less off the floor than the first is that floor,
# what is more than the other is another one.
SETTLES, LEAVES, SAME_FLOOR, OTHER_FLOOR = 0.05, 0.5, 0.04, 0.07
# How quickly a foot that is down comes to its height, and leaves it again: halflives in seconds, for a 0.9 m leg.
PRESSING = 0.03
# Metres for a 0.9 m leg: of what a foot that is down is over its level, all is taken off up to the first, nothing from
# the other on.
PRESSED, NOT_PRESSED = 0.006, 0.024
# A foot that is down is held while it goes slower than the first (m/s, for a 0.9 m leg); at the other one it leaves.
HELD_SPEED, LEAVING_SPEED = 0.25, 0.6
# The end of a foot that is lower by this (metres, for a 0.9 m leg) says how high it is.
LOWER = 0.02
# A hold takes a foot at most so far along the way and across it, in legs, and turns it at most so far.
ALONG, ACROSS, MOST_TURN = 0.3, 0.2, radians(20.0)
# A foot this high (in legs) over its floor is in the air, whatever the floor is: its height is the pose's own again.
LOW, HIGH = 0.35, 0.6

Pair = tuple[float, float]
Triple = tuple[float, float, float]


class Ends(NamedTuple):
    """Heel and ball of a foot."""

    heel: Triple
    ball: Triple


class Stand(NamedTuple):
    """What one foot of a source does at a frame: its ends (world, metres), and which is down where that is known."""

    ends: Ends
    down: tuple[bool, bool] | None = None


@dataclass(slots=True)
class FootMemory:
    """What is remembered of one foot.

    `ends` are the source's last ones, `level` the height at which its foot rests, `still` how long it has rested.
    `held`: 0 for nothing, 1 for the heel, 2 for the ball, `pivot` the one that was held last: about it the foot turns.
    `pin` is where what is held is, `own` where the pose has it. `shift`
    and `turned` are what the foot is moved and turned by now, `faded` what they were when it was let go. `since` counts
    from its last landing or lift-off, `landed` from its last landing, `stride` is the time between the last two.
    `pressed` is how much of its height over the level each end has given up. Seconds, metres, radians.
    """

    ends: Ends | None = None
    level: float = 0.0
    still: float = 0.0
    heel_down: bool = False
    ball_down: bool = False
    held: int = 0
    pivot: int = 2
    pin: Pair = (0.0, 0.0)
    own: Pair = (0.0, 0.0)
    heading: float | None = None
    shift: Pair = (0.0, 0.0)
    turned: float = 0.0
    faded: Triple = (0.0, 0.0, 0.0)
    since: float = 0.0
    landed: float = 0.0
    stride: float = 0.0
    pressed: Pair = (0.0, 0.0)

    @property
    def down(self) -> bool:
        """Whether any of it is down."""
        return self.heel_down or self.ball_down

    def copy(self) -> FootMemory:
        """An independent copy: all that is in it is replaced, never changed."""
        return _copied(self)


_copied = copier(FootMemory)


@dataclass(frozen=True, slots=True)
class LiveFoot:
    """A foot of a target and the source's that it follows. `ratio`: how much larger the target is; `keeps`: whether it
    stays where it landed, else it moves about there as the source's; `release`: seconds, for a 0.9 m leg.
    """

    theirs: Leg
    ours: Leg
    source: Rig
    target: Rig
    ratio: float
    keeps: bool
    release: float

    @property
    def tempo(self) -> float:
        """How long the source's times are against those of a 0.9 m leg."""
        return sqrt(size_of(self.source, self.target) / REFERENCE_LEG)

    @property
    def pace(self) -> float:
        """How fast it goes against a 0.9 m leg, in its own units."""
        return self.tempo * self.source.leg_length / size_of(self.source, self.target)

    def lifts(self, ends: Ends, floor: float) -> Pair:
        """How high the source's heel and ball are over a floor, as seen from their rest."""
        sole = self.theirs.sole
        return (
            ends.heel[2] - floor - (sole.heel.z - self.source.floor),
            ends.ball[2] - floor - (sole.ball.z - self.source.floor),
        )

    def find(self, memory: FootMemory, stand: Stand, floor: float, dt: float) -> Pair:
        """Which end is down now; and how firmly each stands, from 0 to 1: one that gets quick is on its way.

        `dt` is 0 at a first frame: nothing is known of speeds, and what is low is down.
        """
        was = memory.down
        firm = self._contacts(memory, stand, floor, dt)
        memory.ends = stand.ends
        memory.since, memory.landed = memory.since + dt, memory.landed + dt
        if memory.down != was:
            memory.since = 0.0
            if memory.down:
                memory.stride, memory.landed = memory.landed, 0.0
        kept = kept_share(PRESSING * self.tempo, dt) if dt > 0.0 else 0.0
        (heel, ball), heel_goal, ball_goal = memory.pressed, float(memory.heel_down), float(memory.ball_down)
        heel, ball = heel_goal + (heel - heel_goal) * kept, ball_goal + (ball - ball_goal) * kept
        memory.pressed = (min(heel, firm[0]), min(ball, firm[1]))
        return firm

    def _contacts(self, memory: FootMemory, stand: Stand, floor: float, dt: float) -> Pair:
        scale, tempo, pace = self.source.leg_length / REFERENCE_LEG, self.tempo, self.pace
        before = memory.ends
        if before is None or dt <= 0.0:
            memory.level = floor
            lifts = self.lifts(stand.ends, floor)
            known = stand.down or tuple(lift <= CAPTURED.landing_height * scale for lift in lifts)
            memory.heel_down, memory.ball_down = known
            return 1.0, 1.0
        along, whole = zip(*(_speeds(a, b, dt) for a, b in zip(before, stand.ends, strict=True)), strict=True)
        if stand.down is not None:
            memory.heel_down, memory.ball_down = stand.down
            memory.level = floor
            return 1.0, 1.0
        lifts = self.lifts(stand.ends, floor)
        low = 0 if lifts[0] < lifts[1] else 1
        memory.still = memory.still + dt if whole[low] <= RESTING_SPEED * pace else 0.0
        higher = floor + lifts[low] - memory.level
        same = abs(higher) <= SAME_FLOOR * scale
        if memory.still >= (RESTS if same else RESTS_HIGH) * tempo:
            flat = abs(lifts[1] - lifts[0]) <= LOWER * scale
            halflife = LEAVES if same and higher > 0.0 and not flat else SETTLES
            memory.level = damp(memory.level, floor + lifts[low], halflife * tempo, dt)
        down = []
        for lift, speed, was in zip(lifts, along, (memory.heel_down, memory.ball_down), strict=True):
            height = (CAPTURED.lifting_height if was else CAPTURED.landing_height) * scale
            fastest = (CAPTURED.lifting_speed if was else CAPTURED.landing_speed) * pace
            down.append(lift - (memory.level - floor) <= height and speed <= fastest)
        memory.heel_down, memory.ball_down = down
        leaving = [smoothstep(share_of(speed, HELD_SPEED * pace, LEAVING_SPEED * pace)) for speed in whole]
        return 1.0 - leaving[0], 1.0 - leaving[1]

    def hold(self, memory: FootMemory, own: Ends, moved: Sequence[Pair], firm: Pair, facing: Pair) -> None:
        """What the foot is moved and turned by now. `own` are the target's ends as posed (in the plan of the way),
        `moved` how far the source's went since the last frame, as scaled, `firm` how firmly they stand; `facing` is
        where the body faces.
        """
        held = 2 if memory.ball_down else 1 if memory.heel_down else 0
        point = (0.0, 0.0) if not held else (own[held - 1][0], own[held - 1][1])
        if held and held != memory.held:
            memory.pin = self._taken(memory, own, held)
        elif held:
            share = firm[held - 1] * smoothstep(share_of(memory.since, 0.0, RAMP * self.tempo))
            theirs = (0.0, 0.0) if self.keeps else moved[held - 1]
            step = [
                (1.0 - share) * (now - was) + share * by for now, was, by in zip(point, memory.own, theirs, strict=True)
            ]
            memory.pin = (memory.pin[0] + step[0], memory.pin[1] + step[1])
        if held:
            memory.own, memory.pivot = point, held
            memory.turned = self._turn(memory, _heading(own))
            memory.shift = self._bounded((memory.pin[0] - point[0], memory.pin[1] - point[1]), facing)
            memory.pin = (point[0] + memory.shift[0], point[1] + memory.shift[1])
            memory.faded = (*memory.shift, memory.turned)
        else:
            memory.heading = None
            release = self.release * sqrt(self.target.leg_length / REFERENCE_LEG)
            left = 1.0 - smoothstep(share_of(memory.since, 0.0, release)) if release > 0.0 else 0.0
            x, y, turned = memory.faded
            memory.shift, memory.turned = (x * left, y * left), turned * left
        memory.held = held

    @staticmethod
    def _taken(memory: FootMemory, own: Ends, held: int) -> Pair:
        """Where an end is that is held from now on: as the foot is moved and turned already, about the other end."""
        pivot, end = own[memory.pivot - 1], own[held - 1]
        c, s = cos(memory.turned), sin(memory.turned)
        x, y = end[0] - pivot[0], end[1] - pivot[1]
        return pivot[0] + c * x - s * y + memory.shift[0], pivot[1] + s * x + c * y + memory.shift[1]

    def _turn(self, memory: FootMemory, heading: float | None) -> float:
        """A foot that is flat keeps its heading: about heel or ball alone it turns as it is posed."""
        if heading is None or not (self.keeps and memory.heel_down and memory.ball_down):
            memory.heading = None
            return memory.turned
        if memory.heading is None:
            memory.heading = heading + memory.turned
        turned = turn_between(heading, memory.heading)
        if abs(turned) > MOST_TURN:
            turned = copysign(MOST_TURN, turned)
            memory.heading = heading + turned
        return turned

    def _bounded(self, shift: Pair, facing: Pair) -> Pair:
        """A shift that is at most so far along the facing and across it."""
        fx, fy = facing
        along, across = shift[0] * fx + shift[1] * fy, shift[1] * fx - shift[0] * fy
        most, widest = ALONG * self.target.leg_length, ACROSS * self.target.leg_length
        if abs(along) <= most and abs(across) <= widest:
            return shift
        along, across = min(most, max(-most, along)), min(widest, max(-widest, across))
        return along * fx - across * fy, along * fy + across * fx

    def rise(self, memory: FootMemory, own: Ends, floor: float) -> float:
        """How much higher a foot has to be than its ends `own` are posed (model space), so that the lower one is where
        it belongs, and none under the floor. `floor` is the height that the source stands on.
        """
        if memory.ends is None:
            return 0.0
        lifts = self.lifts(memory.ends, floor)
        level, scale = memory.level - floor, self.source.leg_length / REFERENCE_LEG
        # What is so little off the floor is how that was captured; what is more is a step.
        stands = level * smoothstep(share_of(abs(level), SAME_FLOOR * scale, OTHER_FLOOR * scale))
        sole, missing, under = self.ours.sole, [], []
        for lift, rest, end, pressed in zip(lifts, (sole.heel.z, sole.ball.z), own, memory.pressed, strict=True):
            over = lift - level
            over *= 1.0 - pressed * (1.0 - smoothstep(share_of(abs(over), PRESSED * scale, NOT_PRESSED * scale)))
            missing.append(rest + self.ratio * (stands + over) - end[2])
            under.append(rest + self.ratio * stands - end[2])
        share = smoothstep(share_of(lifts[1] - lifts[0], -LOWER * scale, LOWER * scale))
        by = max(share * missing[0] + (1.0 - share) * missing[1], *under)
        high = (min(lifts) - level) / self.source.leg_length
        return by * (1.0 - smoothstep(share_of(high, LOW, HIGH)))


def size_of(source: Rig, target: Rig) -> float:
    """The length of a source's legs in metres: as it says, or the target's where that is so unlike that it must be in
    other units.
    """
    ratio = target.leg_length / max(source.leg_length, 1e-9)
    return max(source.leg_length if 1.0 / OTHER_UNITS <= ratio <= OTHER_UNITS else target.leg_length, 1e-9)


def _speeds(before: Triple, now: Triple, dt: float) -> Pair:
    """How fast a point went along the ground, and in all directions."""
    flat = hypot(now[0] - before[0], now[1] - before[1])
    return flat / dt, hypot(flat, now[2] - before[2]) / dt


def _heading(own: Ends) -> float | None:
    """Where a foot points, in the plan; None for one that is a point."""
    x, y = own.ball[0] - own.heel[0], own.ball[1] - own.heel[1]
    return atan2(x, -y) if hypot(x, y) > 1e-6 else None
