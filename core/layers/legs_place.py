"""Where one foot of a clip belongs on the ground under it: as high over it as over the clip's floor, and laid on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atan2, hypot, sqrt

from mathutils import Quaternion, Vector

from ..rig.pose import Footing
from ..space.curves import share_of, smoothstep
from ..space.dampers import kept_share
from ..space.vectors import cross
from .legs_feet import FootParts, PosedFoot
from .legs_ground import (
    UP,
    Sight,
    Under,
    beyond_rim,
    ground_under,
    laid_on,
    limited,
    slope_of_sole,
    towards,
)
from .legs_hold import find_contact, leaving, shift_now, stands_on_heel, turn_now
from .legs_landing import Coming, find_landing
from .legs_memory import Flat, FootMemory
from .legs_under import grounds

# How fast a foot is laid on the ground (rise per metre, a second), for a 0.9 m leg.
LAYING = 5.0
# A foot is laid on the ground less and less between these heights (shares of the leg).
LOW, HIGH = 0.15, 0.4
# The halflife, seconds for a 0.9 m leg, in which a foot that was drawn nearer for want of reach goes back to the pose.
DRAWN = 0.05
# To where it is known to come down it goes at least by so much of what is left over the time that is left.
IN_TIME = 2.0
# A foot that is lower (metres) and slower (m/s) than this is about to come down; it steps off a rim so quickly (m/s).
LANDS, COMING, OFF_RIM = 0.2, 2.5, 3.0
# A foot that came down is held as soon as the clip has it slower than this (m/s, for a 0.9 m leg).
STILL = 0.25
# So high over the ground (metres, for a 0.9 m leg) a foot in the air is square off it, and upright over it.
SQUARE = (0.03, 0.09)
# A rise per metre under this is none.
LEVEL = 1e-6
# Of a foot across two slopes: so far (metres, for a 0.9 m leg) an end is lifted that stands, so high it is up; the
# share of what an end slides that the other one takes over; and by what share less a heel is lifted that would slide a
# metre for every metre of that.
STANDS, LIFTED, SHARED, PRESSED = 0.01, (0.05, 0.1), 0.33, 1.2


@dataclass(slots=True)
class Goal:
    """Where a foot goes, model space: the end of the sole that it turns about, and the leg's tip.

    `tilt` is the foot's turn from the pose, `rolled` what lifts the heel on top of that, by `roll` radians. `slope` is
    the ground's under the foot, `stands` the place there that the foot stands over (its height counts for nothing),
    `risen` how far it was taken up since. `coming` is where a foot in the air will come down, where that is known.
    """

    pivot: Vector
    tip: Vector
    tilt: Quaternion
    slope: Flat
    stands: Vector
    rolled: Quaternion = field(default_factory=Quaternion)
    roll: float = 0.0
    risen: float = 0.0
    coming: Coming | None = None

    def move(self, by: Vector) -> None:
        """Take the foot along the ground (`by` is level), up and down with it."""
        way = Vector((by.x, by.y, self.slope[0] * by.x + self.slope[1] * by.y))
        self.pivot, self.tip, self.stands = self.pivot + way, self.tip + way, self.stands + way
        self.risen += way.z


def place_foot(sight: Sight, parts: FootParts, foot: PosedFoot, memory: FootMemory) -> Goal:
    """One foot's goal; its memory goes on by a frame."""
    lifts = (foot.heel.z - sight.floor, foot.ball.z - sight.floor)
    velocities = _velocities(sight, foot, memory)
    was_down = memory.down
    planned = next((each for each in sight.moment.feet if each.role == parts.leg.role), None)
    _touch(sight, planned, memory, lifts, velocities)
    coming = find_landing(sight, parts, memory, planned)
    if was_down and memory.down and memory.pinned is None and velocities is not None:
        _shorten(sight, memory, velocities[0 if memory.on_heel else 1])
    shift = _shift(sight, foot, memory, coming, was_down=was_down)
    probed = (foot.heel + shift, foot.ball + shift)
    under = grounds(sight, memory, probed, velocities, coming)
    if parts.lies and not memory.down and velocities is not None and not sight.airborne and coming is None:
        _step_off_rim(sight, memory, probed, lifts, velocities, under)
    tilt = _tilt(sight, parts, memory, probed, lifts, under)
    if parts.lies:
        memory.turned = turn_now(memory, _heading(sight, foot), sight.release, hold=sight.hold)
        tilt = tilt @ Quaternion(UP, memory.turned)
    anew = stands_on_heel(memory, lifts, sight.scale) != memory.on_heel
    place, base = _stand(foot, memory, shift, tilt, lifts, sight.scale, was_down=was_down, anew=anew)
    if parts.lies and not sight.airborne:
        along, pressed = _across(sight, tilt, lifts, under)
        place = place + along
        if pressed:
            tilt, lifts = _rolled_back(foot, tilt, pressed), (lifts[0] - pressed, lifts[1])
    goal = _raised(sight, foot, memory, (place, base, tilt), lifts, (probed, under))
    still = memory.down and _is_still(sight, memory, velocities)
    if anew or (memory.down and (not was_down or (still and memory.pinned is None))):
        keep(sight, foot, memory, goal, pinned=still or memory.pinned is not None)
    goal.coming = coming
    return goal


def _shift(sight: Sight, foot: PosedFoot, memory: FootMemory, coming: Coming | None, *, was_down: bool) -> Vector:
    """How far the foot is now from where the pose has it, along the ground, model space."""
    if was_down and not memory.down:
        _let_go(sight, memory)
    elif not memory.down:
        memory.free += sight.dt
        kept = kept_share(DRAWN * sqrt(sight.scale), sight.dt)
        ux, uy = sight.uphill
        if coming is not None and memory.aim is not None:
            ux, uy = memory.aim
            kept = min(kept, 1.0 - min(1.0, IN_TIME * sight.dt / max(coming.time, sight.dt)))
        memory.drawn = (ux + (memory.drawn[0] - ux) * kept, uy + (memory.drawn[1] - uy) * kept)
    pivot = sight.moment.to_world @ foot.end(on_heel=memory.on_heel)
    memory.shift = shift_now(memory, pivot, sight.moment, sight.release, sight.bounds, landing=not was_down)
    if not was_down:
        # In the air, and where it comes down: nearer than the pose has it, as far as its leg is too short.
        memory.shift = (memory.shift[0] + memory.drawn[0], memory.shift[1] + memory.drawn[1])
        memory.drawn = (0.0, 0.0) if memory.down else memory.drawn
    return sight.inward @ Vector((*memory.shift, 0.0))


def _shorten(sight: Sight, memory: FootMemory, velocity: Vector) -> None:
    """A foot that stands and is not held slides as far along a slope as along the clip's floor: less, seen from above.

    `velocity` is how the pose takes the end along that it turns about, world space.
    """
    rise = hypot(*memory.rise)
    if rise <= LEVEL:
        return
    up = sight.inward.transposed() @ Vector((*memory.rise, 0.0)) / rise
    along = (velocity.x - memory.carried[0]) * up.x + (velocity.y - memory.carried[1]) * up.y
    less = along * sight.dt * (1.0 - 1.0 / sqrt(1.0 + rise * rise))
    memory.shift = (memory.shift[0] - up.x * less, memory.shift[1] - up.y * less)


def _stand(
    foot: PosedFoot,
    memory: FootMemory,
    shift: Vector,
    tilt: Quaternion,
    lifts: Flat,
    scale: float,
    *,
    was_down: bool,
    anew: bool,
) -> tuple[Vector, Vector]:
    """The place of the end that the foot turns about, and the spot on the ground that it stands over.

    A foot that stands is lifted square to how it lies, and comes down and leaves so. If it turns about the other end
    from now on, what was placed about the one stays where it is.
    """
    upright = _lean(tilt)
    pivot, lift = foot.end(on_heel=memory.on_heel), lifts[0 if memory.on_heel else 1]
    leans = lift * (1.0 if was_down and memory.down else _nearness(lift, scale))
    place = pivot + shift + upright * leans
    if anew:
        memory.on_heel = not memory.on_heel
        place = place + tilt @ (foot.end(on_heel=memory.on_heel) - pivot)
        lift = lifts[0 if memory.on_heel else 1]
        leans = lift * _nearness(lift, scale)
    if memory.down:
        memory.lifted = leans = lift
    return place, place - upright * leans


def _nearness(lift: float, scale: float) -> float:
    """How much a foot in the air that is so high over its floor is placed square off the slope, and not upright."""
    return 1.0 - smoothstep(share_of(abs(lift), *(each * scale for each in SQUARE)))


def _lean(tilt: Quaternion) -> Vector:
    """How far along the ground a foot goes for every metre that it is over it: square off the slope, not upright."""
    upright = tilt @ UP
    return upright * upright.z


def _across(sight: Sight, tilt: Quaternion, lifts: Flat, under: tuple[Under, Under]) -> tuple[Vector, float]:
    """How far a foot whose two ends stand on different slopes goes along, and by how much less its heel is lifted.

    Across the foot of a slope it lies on neither: an end that the clip lifts a little goes off square to the sole, and
    so along its own ground. Both ends share what that is. One that is up asks for nothing.
    """
    along, most, small, off = Vector(), STANDS * sight.scale, [0.0, 0.0], 0.0
    for k, (lift, end) in enumerate(zip(lifts, under, strict=True)):
        stands = 1.0 - smoothstep(share_of(abs(lift), *(each * sight.scale for each in LIFTED)))
        if stands > 0.0 and end.hit is not None:
            slid = _lean(tilt) - _lean(laid_on(end.slope))
            small[k] = max(-most, min(most, lift)) * stands
            along = along - slid * (SHARED * small[k])
            off = max(off, slid.xy.length)
    return Vector((along.x, along.y, 0.0)), min(1.0, PRESSED * off) * (small[0] - small[1])


def _rolled_back(foot: PosedFoot, tilt: Quaternion, by: float) -> Quaternion:
    """How a foot is laid whose heel is so much lower over its ball than the pose has it, metres."""
    sole = foot.ball - foot.heel
    flat = Vector((sole.x, sole.y, 0.0))
    if flat.length <= 1e-6:
        return tilt
    axis = tilt @ cross(UP, flat).normalized()
    return Quaternion(axis, -by / sole.length) @ tilt


def _step_off_rim(
    sight: Sight,
    memory: FootMemory,
    probed: tuple[Vector, Vector],
    lifts: Flat,
    velocities: tuple[Vector, Vector],
    under: tuple[Under, Under],
) -> None:
    """A foot that is about to come down over an edge goes to where enough of it stands."""
    slowest = min(velocity.xy.length for velocity in velocities)
    if min(lifts) > LANDS * sight.scale or slowest > COMING * sqrt(sight.scale):
        return
    heights = [each.height + lift for each, lift in zip(under, lifts, strict=True)]
    way = beyond_rim(sight.moment, probed, under, on_heel=heights[0] > heights[1])
    most = OFF_RIM * sqrt(sight.scale) * sight.dt
    if way.length > most:
        way = way * (most / way.length)
    drawn = sight.inward.transposed() @ way
    memory.drawn = (memory.drawn[0] + drawn.x, memory.drawn[1] + drawn.y)


def _let_go(sight: Sight, memory: FootMemory) -> None:
    """A foot leaves the ground: from here on it is left, in time, to where the pose has it."""
    upright = memory.lifted * (1.0 - _nearness(memory.lifted, sight.scale))
    leaning = sight.inward.transposed() @ _lean(laid_on(memory.slope)) * upright
    memory.shift = (memory.shift[0] + leaning.x, memory.shift[1] + leaning.y)
    memory.faded, memory.free, memory.lifted = (*memory.shift, memory.turned), 0.0, 0.0
    memory.pinned = memory.anchor = None


def keep(sight: Sight, foot: PosedFoot, memory: FootMemory, goal: Goal, *, pinned: bool) -> None:
    """Remember the goal as where the foot is: while it is down it stays, `pinned` there if feet are held."""
    shift = sight.inward.transposed() @ (goal.stands - foot.end(on_heel=memory.on_heel))
    memory.shift = (shift.x, shift.y)
    memory.ground = (memory.ground[0] + goal.risen, memory.ground[1] + goal.risen)
    goal.risen = 0.0
    if not memory.down:
        memory.faded, memory.free = (*memory.shift, memory.turned), 0.0
    elif pinned and sight.hold:
        place = sight.moment.to_world @ goal.stands
        memory.pinned, memory.anchor = (place.x, place.y), None
        hit = ground_under(sight.moment, sight.plane, goal.stands, goal.pivot.z, sight.probe).hit
        if hit is not None and sight.moment.world.moves(hit.surface):
            memory.anchor = sight.moment.world.anchor(hit)


def _heading(sight: Sight, foot: PosedFoot) -> float:
    """Where the pose has the foot head, world space, radians about the upright."""
    sole = sight.moment.to_world.to_3x3() @ (foot.ball - foot.heel)
    return atan2(sole.y, sole.x)


def _is_still(sight: Sight, memory: FootMemory, velocities: tuple[Vector, Vector] | None) -> bool:
    """Whether the end that a foot stands on has come to rest, so that it can be held there."""
    if velocities is None:
        return True
    velocity = velocities[0 if memory.on_heel else 1]
    return hypot(velocity.x - memory.carried[0], velocity.y - memory.carried[1]) <= STILL * sqrt(sight.scale)


def _velocities(sight: Sight, foot: PosedFoot, memory: FootMemory) -> tuple[Vector, Vector] | None:
    """How fast the pose takes heel and ball along, world space; None where that is not known."""
    heel, ball = (sight.moment.to_world @ end for end in (foot.heel, foot.ball))
    before = memory.heel, memory.ball
    memory.heel, memory.ball = heel.to_tuple(), ball.to_tuple()
    if before[0] is None or before[1] is None or sight.dt <= 0.0:
        return None
    return (heel - Vector(before[0])) / sight.dt, (ball - Vector(before[1])) / sight.dt


def _touch(
    sight: Sight, planned: Footing | None, memory: FootMemory, lifts: Flat, velocities: tuple[Vector, Vector] | None
) -> None:
    """Whether heel and ball are down, over ground that may itself move."""
    if sight.airborne:
        memory.heel_down = memory.ball_down = False
        memory.leaving = 0.0
        return
    speeds = (0.0, 0.0)
    if velocities is not None:
        gx, gy = memory.carried
        speeds = (
            hypot(velocities[0].x - gx, velocities[0].y - gy),
            hypot(velocities[1].x - gx, velocities[1].y - gy),
        )
    lifts = (lifts[0] - max(0.0, memory.level[0]), lifts[1] - max(0.0, memory.level[1]))
    find_contact(memory, lifts, speeds, planned, sight.scale, known=velocities is not None)
    memory.leaving = leaving(memory, lifts[1], speeds[1], sight.scale)


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
    place, base, tilt = laid
    pivot = foot.end(on_heel=memory.on_heel)
    height = -1.0e9
    for end, lift, ground, probed, under in zip(
        (foot.heel, foot.ball), lifts, memory.ground, seen[0], seen[1], strict=True
    ):
        arm = tilt @ (end - pivot)
        x, y = place.x + arm.x, place.y + arm.y
        there = ground - sight.moment.ground.z + under.slope[0] * (x - probed.x) + under.slope[1] * (y - probed.y)
        height = max(height, there + lift - arm.z)
    place = Vector((place.x, place.y, height))
    slope = seen[1][0 if memory.on_heel else 1].slope
    return Goal(place, place + tilt @ (foot.tip - pivot), tilt, slope, base)
