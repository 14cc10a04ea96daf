"""Where one foot of a clip belongs on the ground under it: as high over it as over the clip's floor, and laid on it."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..space.curves import share_of
from ..world.probe import GroundProbe
from .layer import Moment
from .legs_feet import FootParts, PosedFoot
from .legs_ground import Plane, Under, ground_under, highest_ahead, laid_on, limited, slope_of_sole, towards
from .legs_hold import find_contact, shift_now, stands_on_heel
from .legs_memory import Flat, FootMemory

# How fast a foot goes up and down to ground that lies off the slope under the body (m/s), and is laid on it (rise per
# metre, a second); both for a 0.9 m leg.
CLIMB, LAYING = 2.5, 5.0
# A foot is laid on the ground less and less between these heights (shares of the leg).
LOW, HIGH = 0.15, 0.4
# A foot that moves slower than this (m/s, for a 0.9 m leg) is not on its way.
LEAST_SPEED = 0.5
# A foot that came down is held as soon as the clip has it slower than this (m/s, for a 0.9 m leg).
STILL = 0.15


class Sight(NamedTuple):
    """What all feet share at a frame.

    `inward` turns the world's axes to the model's. `floor` is the height in model space that the pose stands on,
    `dt` 0 where all is as if it had always been so. `bounds` are metres along and across the travel.
    """

    moment: Moment
    inward: Matrix
    plane: Plane
    floor: float
    scale: float
    probe: GroundProbe
    dt: float
    airborne: bool
    landed: bool
    most_tilt: float
    release: float
    bounds: Flat
    hold: bool


@dataclass(slots=True)
class Goal:
    """Where a foot goes, model space: the end of the sole that it turns about, and the leg's tip.

    `tilt` is the foot's turn from the pose, `roll` how far the heel is lifted on top of that (radians). `slope` is the
    ground's under the foot, `shift` how far it is along the ground from where the pose has it.
    """

    pivot: Vector
    tip: Vector
    tilt: Quaternion
    slope: Flat
    shift: Vector
    roll: float = 0.0

    def move(self, by: Vector) -> None:
        """Take the foot along the ground (`by` is level), up and down with it."""
        way = Vector((by.x, by.y, self.slope[0] * by.x + self.slope[1] * by.y))
        self.pivot, self.tip, self.shift = self.pivot + way, self.tip + way, self.shift + by


def place_foot(sight: Sight, parts: FootParts, foot: PosedFoot, memory: FootMemory) -> Goal:
    """One foot's goal; its memory goes on by a frame."""
    lifts = (foot.heel.z - sight.floor, foot.ball.z - sight.floor)
    velocities = _velocities(sight, foot, memory)
    was_down = memory.down
    _touch(sight, parts, memory, lifts, velocities)
    if was_down and not memory.down:
        memory.pinned, memory.anchor, memory.faded, memory.free = None, None, memory.shift, 0.0
    elif not memory.down:
        memory.free += sight.dt
    pivot = foot.end(on_heel=memory.on_heel)
    memory.shift = shift_now(memory, sight.moment.to_world @ pivot, sight.moment, sight.release, sight.bounds)
    shift = sight.inward @ Vector((*memory.shift, 0.0))
    probed = (foot.heel + shift, foot.ball + shift)
    under = _grounds(sight, memory, probed, velocities)
    tilt = _tilt(sight, parts, memory, probed, lifts, under)
    on_heel = stands_on_heel(memory, lifts, sight.scale)
    turns_anew = on_heel != memory.on_heel
    if turns_anew:
        # What was placed about one end is now placed about the other, and stays where it is.
        other = foot.end(on_heel=on_heel)
        arm = other - pivot
        more = tilt @ arm - arm
        shift = shift + Vector((more.x, more.y, 0.0))
        pivot, memory.on_heel = other, on_heel
    goal = _raised(sight, foot, memory, (pivot, shift, tilt), lifts, (probed, under))
    if turns_anew or (memory.down and memory.pinned is None and _is_still(sight, memory, velocities)):
        keep(sight, memory, goal)
    return goal


def keep(sight: Sight, memory: FootMemory, goal: Goal) -> None:
    """Remember the goal as where the foot is: held there while it is down, else left in time."""
    shift = sight.inward.transposed() @ goal.shift
    memory.shift = (shift.x, shift.y)
    if not memory.down:
        memory.faded, memory.free = memory.shift, 0.0
    elif sight.hold:
        place = sight.moment.to_world @ goal.pivot
        memory.pinned, memory.anchor = (place.x, place.y), None
        hit = ground_under(sight.moment, sight.plane, goal.pivot.x, goal.pivot.y, sight.probe).hit
        if hit is not None and sight.moment.world.moves(hit.surface):
            memory.anchor = sight.moment.world.anchor(hit)


def _is_still(sight: Sight, memory: FootMemory, velocities: tuple[Flat, Flat] | None) -> bool:
    """Whether the end that a foot stands on has come to rest, so that it can be held there."""
    if velocities is None:
        return True
    vx, vy = velocities[0 if memory.on_heel else 1]
    return hypot(vx - memory.carried[0], vy - memory.carried[1]) <= STILL * sqrt(sight.scale)


def _velocities(sight: Sight, foot: PosedFoot, memory: FootMemory) -> tuple[Flat, Flat] | None:
    """How fast the pose takes heel and ball along, world space; None where that is not known."""
    heel, ball = (sight.moment.to_world @ end for end in (foot.heel, foot.ball))
    before = memory.heel, memory.ball
    memory.heel, memory.ball = heel.to_tuple(), ball.to_tuple()
    if before[0] is None or before[1] is None or sight.dt <= 0.0:
        return None
    return (
        ((heel.x - before[0][0]) / sight.dt, (heel.y - before[0][1]) / sight.dt),
        ((ball.x - before[1][0]) / sight.dt, (ball.y - before[1][1]) / sight.dt),
    )


def _touch(
    sight: Sight, parts: FootParts, memory: FootMemory, lifts: Flat, velocities: tuple[Flat, Flat] | None
) -> None:
    """Whether heel and ball are down, over ground that may itself move."""
    if sight.airborne:
        memory.heel_down = memory.ball_down = False
        return
    planned = next((foot for foot in sight.moment.feet if foot.role == parts.leg.role), None)
    speeds = (0.0, 0.0)
    if velocities is not None:
        gx, gy = memory.carried
        speeds = (
            hypot(velocities[0][0] - gx, velocities[0][1] - gy),
            hypot(velocities[1][0] - gx, velocities[1][1] - gy),
        )
    lifts = (lifts[0] - max(0.0, memory.level[0]), lifts[1] - max(0.0, memory.level[1]))
    find_contact(memory, lifts, speeds, planned, sight.scale, known=velocities is not None)


def _grounds(
    sight: Sight, memory: FootMemory, probed: tuple[Vector, Vector], velocities: tuple[Flat, Flat] | None
) -> tuple[Under, Under]:
    """The ground that heel and ball keep to: that under them, gone to no faster than a foot climbs.

    A foot on its way begins to climb before it is there.
    """
    tempo = sqrt(sight.scale)
    found, heights, over = [], [], []
    for k, place in enumerate(probed):
        x, y = place.x, place.y
        level = sight.plane.at(x, y)
        under = Under(level, sight.plane.slope, None)
        if not sight.airborne:
            under = ground_under(sight.moment, sight.plane, x, y, sight.probe)
        wanted = under.height - level
        if velocities is not None and not memory.down and not sight.airborne:
            way = sight.inward @ Vector((*velocities[k], 0.0))
            if way.length >= LEAST_SPEED * tempo:
                ahead = highest_ahead(sight.moment, sight.plane, (x, y), (way.x, way.y), sight.probe)
                wanted = max([wanted, *(rise - CLIMB * tempo * time for time, rise in ahead)])
        if velocities is not None:
            was = memory.ground[k] - level if sight.landed else memory.over[k]
            step = CLIMB * tempo * sight.dt
            wanted = min(was + step, max(was - step, wanted))
        over.append(wanted)
        heights.append(level + wanted)
        found.append(under)
    memory.over, memory.ground = (over[0], over[1]), (heights[0], heights[1])
    hit = found[0 if memory.on_heel else 1].hit
    memory.carried = (0.0, 0.0) if hit is None else (hit.velocity.x, hit.velocity.y)
    return found[0], found[1]


def _tilt(
    sight: Sight,
    parts: FootParts,
    memory: FootMemory,
    probed: tuple[Vector, Vector],
    lifts: Flat,
    under: tuple[Under, Under],
) -> Quaternion:
    """How the foot is laid on the ground: at most so steeply, and not from one frame to the next."""
    if not parts.lies:
        return Quaternion()
    wanted = (0.0, 0.0)
    if not sight.airborne:
        on_heel = memory.ground[0] + lifts[0] > memory.ground[1] + lifts[1]
        wanted = limited(slope_of_sole(*probed, under, on_heel=on_heel), sight.most_tilt)
        share = 1.0 - share_of(min(lifts), LOW * parts.reach, HIGH * parts.reach)
        wanted = (wanted[0] * share, wanted[1] * share)
    if memory.heel is not None and sight.dt > 0.0:
        wanted = towards(memory.slope, wanted, LAYING / sqrt(sight.scale) * sight.dt)
    memory.slope = wanted
    return laid_on(wanted)


def _raised(
    sight: Sight,
    foot: PosedFoot,
    memory: FootMemory,
    laid: tuple[Vector, Vector, Quaternion],
    lifts: Flat,
    seen: tuple[tuple[Vector, Vector], tuple[Under, Under]],
) -> Goal:
    """The foot as high as both of its ends ask for: neither of them nearer to its ground than to the clip's floor."""
    pivot, shift, tilt = laid
    place = pivot + shift
    height = -1.0e9
    for end, lift, ground, probed, under in zip(
        (foot.heel, foot.ball), lifts, memory.ground, seen[0], seen[1], strict=True
    ):
        arm = tilt @ (end - pivot)
        x, y = place.x + arm.x, place.y + arm.y
        there = ground + under.slope[0] * (x - probed.x) + under.slope[1] * (y - probed.y)
        height = max(height, there + lift - arm.z)
    place.z = height
    slope = seen[1][0 if memory.on_heel else 1].slope
    return Goal(place, place + tilt @ (foot.tip - pivot), tilt, slope, shift)
