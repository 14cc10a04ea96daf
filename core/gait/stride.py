"""How far each foot can travel under the body, and from that the stride: cycle, landing place, bob.

A leg lands in front of its rest place and lifts off behind it. How far in front and behind is a matter of plain
geometry: the hip's height at that moment, the leg's length, the foot's roll and the slope. The stride never asks for
more, so a planted foot is in reach by construction, and the body sinks and rises just as far as the stride needs.
"""

from __future__ import annotations

from math import cos, dist, floor, inf, pi, sin, sqrt
from typing import NamedTuple

from ..space.curves import share_of
from .foot import FootGeometry
from .patterns import GRAVITY, Pattern, speed_at
from .reach import Course, farthest, heel_strike, outrun, standing_drop, toe_strike
from .shape import BodyShape
from .stride_table import Rooms, Table, mixed

BOB_STEPS = 4
SLOPE_BIN = 0.05
# Sink per rise, as a share of the leg, and the most of it.
SLOPE_SINK, MOST_SLOPE_SINK = 0.15, 0.1
# No reach makes a cycle shorter than this share of the gait's fastest: from there on, strain shows.
HASTIEST = 0.7
# Legs that rest folded to this share of their length have no room to sink.
LEAST_FOLD = 0.35
# A stride that reach makes shorter than this share of the gait's own is limited, and keeps this much more bend.
LIMITED, TIGHTER = 0.95, 0.0145
# Rough ground takes so many metres of travel per metre: from a body that lies along its feet in a walk, from one on two
# legs, from one that bounces on more. At most it leaves this share of the room.
ROUGH_COST, UPRIGHT_COST, BOUNCING_COST, LEAST_ROOM = 1.2, 0.9, 0.6, 0.5
# A leg that rolls over its foot leaves the ground bent by this share of its length more than it may stretch.
LIFT_OFF_BEND = 0.02
# A performance says nothing of slopes from this one on, and of ground that is rougher than this share of a leg.
UNEVEN = 0.2
# How much further than worked out a performer's strides may reach: a body that rides its own way gets further.
BEYOND = 1.15
# Downhill a leg lands bent by this share of its length more, all of it from this slope on: a straight knee under a body
# that comes down on it would give way at once.
SOFT_LANDING, STEEP_DOWN = 0.04, 0.22
# What a slope brings nearer to the hip is not used for longer steps, but the less the steeper: a share per unit slope.
SHORTER_UP, SHORTER_DOWN = 0.5, 0.8

# A body on four straight legs is lowered by no more than this share of them for its strides.
MOST_GIVEN = 0.035
# A walking one stays tall: it is lowered by less, and with its bob, whose lowest counts by so much, it sinks by no more
# than the second share. Its chest goes lower, by a share of the way between the girdles, where the front legs are the
# shorter ones, and with the bob it tips the trunk by no more than the second of these.
GIVEN_WALKING, WALKS_TALL, BOB_COUNTS = 0.016, 0.042, 0.85
MOST_CHEST, TIPS, CHEST_STEPS, ALIKE = 0.025, 0.058, 10, 1e-3
# A spine that stretches carries hips so much of the way with feet that land, and with those that leave.
FLEXED_AHEAD, FLEXED_BEHIND = 0.7, 0.4
# Feet that stand for a smaller share of the cycle than this are outrun by their body when they leave.
# Before they land they are ahead of where they land, and half as much of that is kept free.
TRAILS_FROM, OVERSHOT = 0.5, 0.5

# A leg goes sideways by no more than this share of its length to either side of its place.
SIDESTEP = 0.19

class Stride(NamedTuple):
    """One cycle as planned: seconds, metres that a foot travels under the body, sink of the body's wave.

    `lower` is how far the body is lowered, `chest` how much further over its front legs.
    `landing` is, per leg, how far in front of its rest place (along the travel) a foot lands. `limited` says that
    reach made the stride shorter than the gait wanted.
    """

    cycle: float
    travel: float
    bob: float
    lower: float
    chest: float
    landing: tuple[float, ...]
    limited: bool


def wave(pattern: Pattern, phase: float) -> float:
    """How low the body is in its wave over one pair of legs: 0 highest, 1 lowest; `phase` of the pair's left leg."""
    if pattern.wave == "PENDULUM":
        return 0.5 + 0.5 * cos(4.0 * pi * (phase - 0.01))
    return 0.5 + 0.5 * cos(4.0 * pi * (phase - pattern.duty / 2.0))


def pair_wave(pattern: Pattern, leg: int, phase: float) -> float:
    """How low the body is over the pair of a leg at a phase of the clock: 0 where it lands, 1 lowest.

    Over a pair that lands nearly at once the body dips once a cycle, as on a spring, and then flies: a parabola that
    goes on at the speed with which the spring lets go. There it is higher than where it lands: less than 0.
    """
    beat = pattern.beats[leg]
    if beat is None:
        return wave(pattern, phase - pattern.offsets[leg])
    start, length = beat
    free = 1.0 - length
    dip = 1.0 / (1.0 + pi * free / (4.0 * length))
    since = (phase - start) % 1.0
    if since < length:
        return dip * sin(pi * since / length)
    flown = (since - length) / free
    return -(1.0 - dip) * 4.0 * flown * (1.0 - flown)


class StridePlanner:
    """Strides of one body in one gait. Tables are worked out once per slope and shared between ticks."""

    def __init__(
        self, shape: BodyShape, pattern: Pattern, extension: float, bob_scale: float = 1.0, spine: float = 0.0
    ) -> None:
        """`spine` is how much of the gait's flexion the spine does: hips go along with their feet by that."""
        self.shape = shape
        self.pattern = pattern
        self.extension = extension
        folded = min(dist(leg.hip, leg.tip) / leg.length for leg in shape.legs)
        room = share_of(folded, LEAST_FOLD, LEAST_FOLD + 0.3)
        self.bob_limit = pattern.bob * shape.leg_length * bob_scale * room
        self.lower = standing_drop(shape, extension) + pattern.lower * shape.leg_length * room
        upright = shape.pairs == 1
        self._half_width = max(abs(leg.ball[0]) for leg in shape.legs) if upright else 0.0
        self._trail = 0.0 if upright else max(0.0, outrun(pattern.duty) - outrun(TRAILS_FROM))
        springs = pattern.wave == "SPRING"
        self._rough_cost = UPRIGHT_COST if upright else BOUNCING_COST if springs else ROUGH_COST
        flexed = pattern.flex * spine
        self._flexed = 0.5 * (shape.spine.stretch(-flexed, 0.0) if shape.spine is not None else 0.0)
        self._feet = [FootGeometry(leg) for leg in shape.legs]
        self.chest = 0.0
        self._known_rooms: dict[tuple[int, Course, bool, float], Rooms] = {}
        self._tables: dict[tuple[int, Course, bool, float], Table] = {}
        self._parts = [pattern.part(i) for i in range(len(shape.legs))]
        self._give_way(extension)

    def _give_way(self, extension: float) -> None:
        """Lower a body on four legs that stand straight, by a little: their strides would be half of any animal's."""
        pattern, stature, leg_length = self.pattern, self.shape.stature, self.shape.leg_length
        if self.shape.pairs != 2:
            return
        slow, fast = pattern.froude_range
        speed = speed_at(sqrt(max(slow, 0.02) * fast), stature)
        wanted = pattern.duty * pattern.cycle(speed, stature) * speed
        walks, unlowered = pattern.wave == "PENDULUM", self.lower
        if walks:
            self._lower_chest(wanted, extension)
        given = (GIVEN_WALKING if walks else MOST_GIVEN) * leg_length
        while self.lower < unlowered + given:
            if min(self._level_rooms(extension)) >= wanted:
                return
            self.lower += 0.1 * given
            if walks:
                tall = WALKS_TALL * leg_length - (self.lower - unlowered)
                self.bob_limit = min(self.bob_limit, tall / BOB_COUNTS)

    def _lower_chest(self, wanted: float, extension: float) -> None:
        """Lower the front girdle for as long as its legs are those that keep the stride from what is wanted."""
        hips = [leg.hip[1] for leg in self.shape.legs]
        long = 0.5 * abs(hips[0] + hips[1] - hips[2] - hips[3])
        for step in range(1, CHEST_STEPS + 1):
            front, hind = self._level_rooms(extension)
            if front >= min(wanted, hind) - ALIKE * self.shape.leg_length:
                return
            self.chest = MOST_CHEST * long * step / CHEST_STEPS
            # One girdle is lowest while the other is highest: the trunk tips by both together.
            self.bob_limit = min(self.bob_limit, TIPS * long - self.chest)

    def _level_rooms(self, extension: float) -> tuple[float, float]:
        """How far feet of the front and of the hind pair can travel on level ground."""
        front, hind = (sum(self._leg_room(i, BOB_STEPS, 0.0, "AHEAD", True, extension)) for i in (0, 2))
        return front, hind

    def plan(
        self,
        speed: float,
        slope: float,
        *,
        course: Course = "AHEAD",
        rough: float = 0.0,
        cross: float = 0.0,
        hanging: float = 0.0,
        longest: float = inf,
        pace: tuple[float, float] | None = None,
    ) -> Stride:
        """The stride at `speed` (m/s along the ground) on ground that rises by `slope` per metre of travel.

        `rough` is how far footholds are off that slope, metres: on rough ground steps are shorter and quicker. `cross`
        is the rise per metre to the left of the travel: a body that stays upright sinks for its lower leg. `hanging` (0
        to 1) is how much of the room behind is lost that a foot has by rolling over its ball. The cycle is no longer
        than `longest` seconds; `pace` is the gait's own cycle at this speed and its stance share, where they are known.
        """
        pattern, leg_length = self.pattern, self.shape.stature
        free, duty = pace or (pattern.cycle(speed, leg_length), pattern.duty)
        cycle = min(free, longest)
        horizontal = speed / sqrt(1.0 + slope * slope)
        wanted, full = duty * cycle * horizontal, duty * free * horizontal
        table, share, room = self._room(slope, course, hanging, self.extension)
        level, travel = self._fit(full, room, 0.0)
        possible, known = travel, 0.0
        if pattern.performed is not None:
            known = min(self._as_performed(duty, slope, rough), BEYOND * possible)
            possible = max(possible, min(full, known))
        limited = possible < LIMITED * full
        tight = share_of(full - possible, 0.0, (1.0 - LIMITED) * full) if full > 0.0 else 0.0
        if tight > 0.0:
            # What reach cuts short is not stretched to the last as well.
            tighter, _, narrower = self._room(slope, course, hanging, self.extension - TIGHTER)
            table = tighter if tight >= 1.0 else mixed(table, tighter, tight)
            room = [wide + (narrow - wide) * tight for wide, narrow in zip(room, narrower, strict=True)]
        trail = self._trail * horizontal * cycle
        if trail > 0.0:
            room = [max(item - (1.0 + OVERSHOT) * trail, LEAST_ROOM * item) for item in room]
        if wanted != full or rough != 0.0 or tight > 0.0 or trail > 0.0:
            level, travel = self._fit(wanted, room, rough)
        if known > travel:
            travel = max(travel, min(wanted, known))
        if travel < wanted - 1e-9 and horizontal > 1e-9:
            fastest = HASTIEST * pattern.cycle_fast * 2.0 * pi * sqrt(leg_length / GRAVITY)
            cycle = max(travel / (duty * horizontal), fastest)
        landing = self._landings(travel, level, table, share, trail)
        bob = self.bob_limit * level / BOB_STEPS
        lower = self._lower(slope) + self._half_width * abs(cross)
        return Stride(cycle, travel, bob, lower, self.chest, landing, limited)

    def _as_performed(self, duty: float, slope: float, rough: float) -> float:
        """How far a foot travels under a body that goes as its performer did: on even ground that needs no working out,
        and the less is known of it the steeper or rougher it is.
        """
        if self.pattern.performed is None:
            return 0.0
        even = max(0.0, 1.0 - abs(slope) / UNEVEN - rough / (UNEVEN * self.shape.stature))
        return duty * self.pattern.performed.stride * self.shape.stature * even

    def _room(self, slope: float, course: Course, hanging: float, extension: float) -> tuple[Table, float, list[float]]:
        """Each leg's reaches around this slope per bob step, how far the slope is between their two, and what the
        shortest of them leaves for a stride.
        """
        position = slope / SLOPE_BIN
        low = floor(position)
        share = position - low
        table = self._table(low, course, True, extension)
        if hanging > 0.0:
            table = mixed(table, self._table(low, course, False, extension), hanging)
        if share < 1e-9:
            share = 0.0
        if self.pattern.stances:
            # Legs that stand for shorter shares travel less far.
            room = [
                min(
                    (f + g * share + b + c * share) / own
                    for (f, g, b, c), own in zip(row, self.pattern.stances, strict=True)
                )
                for row in table.rows
            ]
        elif table.alike:
            room = [both + more * share for both, more in table.alike]
        else:
            room = [min([both + more * share for both, more in row]) for row in table.different]
        return table, share, room

    def _landings(self, travel: float, level: float, table: Table, share: float, trail: float) -> tuple[float, ...]:
        """Where each leg lands in a stride of so much travel, at a level of the bob: so that it can trail after it."""
        low, part = _split(level)
        landings: list[float] = []
        parts, known = self._parts, 0.0
        rows = zip(table.rows[low], table.rows[low + 1], table.as_before, parts, strict=True)
        for (f0, g0, b0, c0), (f1, g1, b1, c1), as_before, stands in rows:
            # Legs come in pairs: what was just worked out for the left one is the right one's too.
            if as_before and stands == known:
                landings.append(landings[-1])
                continue
            known = stands
            front, back = f0 + g0 * share, b0 + c0 * share
            front += (f1 + g1 * share - front) * part
            back += (b1 + c1 * share - back) * part
            reaches = front - OVERSHOT * trail, back - trail
            landings.append(_landing(travel * stands, self.pattern.ahead, *reaches))
        return tuple(landings)

    def _fit(self, wanted: float, room: list[float], rough: float) -> tuple[float, float]:
        """How much of the bob the stride takes, and how far it then goes."""
        if rough != 0.0:
            cost = self._rough_cost * rough
            room = [item - cost if item - cost > LEAST_ROOM * item else LEAST_ROOM * item for item in room]
        level = self._level(room, wanted)
        reached = _mix(room, level)
        return level, reached if reached < wanted else wanted

    def _lower(self, slope: float) -> float:
        """How far the body is lowered: on a slope the lower leg needs room."""
        return self.lower + self.shape.leg_length * min(SLOPE_SINK * abs(slope), MOST_SLOPE_SINK)

    def _level(self, room: list[float], wanted: float) -> float:
        """How much of the bob is used, 0 to BOB_STEPS: all of a spring's, of a pendulum's what the stride needs."""
        if self.pattern.wave == "SPRING":
            return float(BOB_STEPS) * min(1.0, wanted / (0.3 * self.shape.leg_length))
        natural = BOB_STEPS * min(1.0, wanted / self.shape.leg_length)
        if room[0] >= wanted:
            return 0.5 * natural
        for i in range(BOB_STEPS):
            if room[i + 1] >= wanted:
                needed = i + (wanted - room[i]) / (room[i + 1] - room[i])
                return max(needed, 0.5 * natural)
        return float(BOB_STEPS)

    def _table(self, slope_bin: int, course: Course, rolls: bool, extension: float) -> Table:
        """The table from one slope to the next."""
        key = (slope_bin, course, rolls, extension)
        table = self._tables.get(key)
        if table is None:
            first = self._rooms(slope_bin, course, rolls, extension)
            second = self._rooms(slope_bin + 1, course, rolls, extension)
            rows = [
                [(f, g - f, b, c - b) for (f, b), (g, c) in zip(one, two, strict=True)]
                for one, two in zip(first, second, strict=True)
            ]
            table = self._tables[key] = Table.of(rows)
        return table

    def _rooms(self, slope_bin: int, course: Course, rolls: bool, extension: float) -> Rooms:
        """(front, back) room per bob step and leg, at one slope."""
        key = (slope_bin, course, rolls, extension)
        if key not in self._known_rooms:
            slope = slope_bin * SLOPE_BIN
            self._known_rooms[key] = [
                [self._leg_room(i, step, slope, course, rolls, extension) for i in range(len(self._feet))]
                for step in range(BOB_STEPS + 1)
            ]
        return self._known_rooms[key]

    def _leg_room(
        self, i: int, step: int, slope: float, course: Course, rolls: bool, extension: float
    ) -> tuple[float, float]:
        leg, pattern = self.shape.legs[i], self.pattern
        bob = self.bob_limit * step / BOB_STEPS
        lower = self._lower(slope) + (self.chest if leg.order == 0 else 0.0)
        landing_sink = lift_sink = lower
        if pattern.beats[i] is None:
            landing_sink += bob * wave(pattern, 0.0)
            lift_sink += bob * wave(pattern, pattern.duty)
        geometry, cap = self._feet[i], leg.cap(extension)
        reach = cap * leg.length
        soft = reach - SOFT_LANDING * leg.length * min(1.0, max(0.0, -slope / STEEP_DOWN))
        lift_reach = (cap - LIFT_OFF_BEND) * leg.length if leg.rolls else reach
        # Legs that roll over their feet stand under their hips: for them it makes next to no difference.
        lies = self.shape.pairs > 1 and not leg.rolls
        if course == "ASIDE":
            sink = max(landing_sink, lift_sink)
            most = SIDESTEP * leg.length
            front = back = min(most, *(farthest(geometry, leg, sink, 0.0, 0.0, soft, (x, 0.0)) for x in (1.0, -1.0)))
        elif course == "BACK":
            front = farthest(geometry, leg, landing_sink, -slope, toe_strike(leg), soft, (0.0, 1.0), lies=lies)
            back = farthest(geometry, leg, lift_sink, -slope, 0.0, lift_reach, (0.0, -1.0), lies=lies)
        else:
            roll = pattern.heel_lift if leg.rolls and rolls else 0.0
            strike = -heel_strike(leg, pattern)
            front = farthest(geometry, leg, landing_sink, slope, strike, soft, (0.0, -1.0), lies=lies)
            back = farthest(geometry, leg, lift_sink, slope, roll, lift_reach, (0.0, 1.0), lies=lies)
            front, back = front + FLEXED_AHEAD * self._flexed, back + FLEXED_BEHIND * self._flexed
        if slope != 0.0:
            # What is higher than on level ground is in reach for longer, but the leg folds under the body for it.
            level = self._rooms(0, course, rolls, extension)[step][i]
            if slope > 0.0:
                front = min(front, level[0] * max(0.0, 1.0 - SHORTER_UP * slope))
            else:
                back = min(back, level[1] * max(0.0, 1.0 + SHORTER_DOWN * slope))
        return front, back


def _landing(travel: float, ahead: float, front: float, back: float) -> float:
    """Where a foot lands before its rest place: a share of the travel, less where the reach is behind, more where it is
    ahead.
    """
    return max(min(ahead * travel, front), travel - back)


def _split(level: float) -> tuple[int, float]:
    low = int(level)
    if low >= BOB_STEPS:
        low = BOB_STEPS - 1
    return low, level - low


def _mix(values: list[float], level: float) -> float:
    low, share = _split(level)
    return values[low] + (values[low + 1] - values[low]) * share
