"""The pitch of a foot: down from its heel, flat, up over its ball, and level again in the air."""

from __future__ import annotations

from math import inf

from mathutils import Quaternion, Vector

from ..space.curves import smoothstep
from .foot import FootGeometry
from .memory import FootMemory
from .patterns import Pattern
from .performed import PerformedFoot
from .roll_off import RollOff, rolled_off
from .stride import LIFT_OFF_BEND

# The ball of a flat foot and its rotation, in model space.
Known = tuple[Vector, Quaternion]

# Past this share of a stance the heel may lift.
HEEL_FREE = 0.35
FLAT_AT = 0.16
# In the last part of a stance, from this share on, the calf pushes the heel up to a share of the gait's heel lift.
PUSH_FROM, PUSH = 0.6, 1.0
# An ankle bends the shin over the sole by about 46 degrees; then the heel comes up, within this share of the stance.
FLEXION, FLEXION_SHARE = 0.8, 0.2
# No ankle lifts its heel by more than this, radians: on a foot whose ankle is over its toe joint it would be no help.
MOST_FLEXED = 1.25
ROLL_MARGIN = 0.2
TRAILING = 0.35
LEVEL_FROM, LEVEL_AT = 0.5, 0.85
FLICK_PEAK = 0.4**2 * 0.6**3


def landed_pitch(foot: FootMemory, share: float) -> float:
    """The pitch of a foot that came down on its heel, or going backward on its toes, at this share of its stance: flat
    soon.
    """
    return foot.lift_pitch * (1.0 - smoothstep(share / FLAT_AT)) if foot.lift_pitch != 0.0 else 0.0


def heel_free(foot: FootMemory) -> float:
    """How much pitch a foot in the air may have: one that left with its ball over an edge was flat until then."""
    return smoothstep(foot.progress / TRAILING) if foot.hold.hangs == "BALL" else 1.0


def pitch_now(
    geometry: FootGeometry,
    foot: FootMemory,
    pattern: Pattern,
    hip: Vector,
    known: Known,
    reach: float,
    performed: PerformedFoot | None = None,
    *,
    now: bool,
) -> float:
    """The pitch that a foot will have under a hip, as far as a leg of `reach` metres makes it roll; `now`: with a foot
    in the air where it is, else where it lands.
    """
    share = foot.phase / foot.timing[1] if foot.planted else 0.0
    if foot.planted:
        pitch = landed_pitch(foot, share) if performed is None else _performed(performed, foot, share)
    else:
        pitch = foot.pitch if now else min(foot.pitch, 0.0)
    if not geometry.rolls:
        return pitch
    if now and not foot.planted and foot.progress < TRAILING:
        most = (pattern.heel_lift + ROLL_MARGIN) * heel_free(foot)
    elif share > HEEL_FREE and foot.hold.hangs != "BALL":
        most = pattern.heel_lift
    else:
        return pitch
    return max(pitch, geometry.pitch_to_reach(hip, *known, reach, most))


def roll_foot(
    geometry: FootGeometry,
    foot: FootMemory,
    pattern: Pattern,
    hip: Vector,
    known: Known,
    reaches: tuple[float, float],
    coming: RollOff,
    dt: float,
) -> None:
    """Pitch a planted foot: down from its heel, flat, then up over the ball as far as leg and ankle ask, and as far as
    the calf pushes. A runner's heel rises for the lift-off that is `coming`.

    The leg is to be no longer than the first of its `reaches` (metres), as far as its ankle turns quickly enough for
    that, but never longer than the second.
    """
    share, before = min(1.0, foot.phase / foot.timing[1]), foot.pitch
    if geometry.rolls:
        pitch = landed_pitch(foot, share)
        most = pattern.heel_lift + ROLL_MARGIN
        # A ball that hangs over an edge is nothing to roll over.
        if foot.hold.hangs != "BALL":
            if coming.hips:
                rises = rolled_off(geometry, coming, known, share, reaches[0], (pattern.heel_lift, most))
                pitch = max(pitch, min(rises, max(0.0, before) + coming.quickest * dt))
            if share > HEEL_FREE:
                top = _turned(before, coming.quickest, dt)
                pitch = max(pitch, _reached(geometry, hip, known, reaches, most, top))
            if share > HEEL_FREE and not coming.hips:
                flexed = geometry.pitch_to_flex(hip, *known, FLEXION, min(most, MOST_FLEXED))
                flexed *= smoothstep((share - HEEL_FREE) / FLEXION_SHARE)
                pitch = max(pitch, flexed, _pushed(geometry, pattern, share) * coming.push)
        foot.pitch = pitch
    _rolled(geometry, foot, before, hip, known, dt)


def _turned(pitch: float, quickest: float, seconds: float) -> float:
    """How far up a heel gets from this pitch in a time."""
    return max(0.0, pitch) + quickest * seconds if quickest < inf else inf


def _reached(
    geometry: FootGeometry, hip: Vector, known: Known, reaches: tuple[float, float], most: float, top: float
) -> float:
    """The pitch that keeps a leg within the first of its reaches, but no more than `top` for what the second allows."""
    pitch = geometry.pitch_to_reach(hip, *known, reaches[0], most)
    return pitch if pitch <= top else max(top, geometry.pitch_to_reach(hip, *known, reaches[1], most))


def roll_as_performed(
    geometry: FootGeometry,
    foot: FootMemory,
    performed: PerformedFoot,
    hip: Vector,
    known: Known,
    reach: float,
    dt: float,
) -> None:
    """Pitch a planted foot as the performer did, and up over the ball as far as the leg asks."""
    share, before = foot.phase / foot.timing[1], foot.pitch
    if geometry.rolls:
        foot.pitch = _performed(performed, foot, share)
        if share > HEEL_FREE and foot.hold.hangs != "BALL":
            most = max(*performed.stance_pitch, 0.0) + ROLL_MARGIN
            foot.pitch = max(foot.pitch, geometry.pitch_to_reach(hip, *known, reach, most))
    _rolled(geometry, foot, before, hip, known, dt)


def _rolled(geometry: FootGeometry, foot: FootMemory, before: float, hip: Vector, known: Known, dt: float) -> None:
    """What follows from a planted foot's new pitch."""
    foot.lift_rate = (foot.pitch - before) / dt if dt > 0.0 else 0.0
    foot.toe_pitch = min(foot.pitch, 0.0)
    foot.extension = (geometry.tip(*known, foot.pitch) - hip).length / geometry.length


def _performed(performed: PerformedFoot, foot: FootMemory, share: float) -> float:
    """The performer's pitch of a planted foot; a ball that hangs over an edge is nothing to roll over."""
    pitch = performed.standing_pitch(share, foot.lift_pitch)
    return min(pitch, 0.0) if foot.hold.hangs == "BALL" else pitch


def _pushed(geometry: FootGeometry, pattern: Pattern, share: float) -> float:
    """How far a calf in full stride pushes the heel up at this share of the stance: only feet with a heel have one."""
    if not geometry.shinned:
        return 0.0
    most = min(PUSH * pattern.heel_lift, geometry.pushed)
    return most * max(0.0, (share - PUSH_FROM) / (1.0 - PUSH_FROM)) ** 3


def trail_foot(
    geometry: FootGeometry,
    foot: FootMemory,
    pattern: Pattern,
    hip: Vector,
    known: Known,
    cap: float,
    quickest: float,
    *,
    runner: bool,
) -> None:
    """Pitch a foot in the air: its heel is as high as the leg behind the body and the ankle ask; in time it is level.

    `cap` is the share of its length that the leg may stretch to, `quickest` the rate (radians a second) at which it may
    pitch for that since it left: a walker's for what it is bent more than that, a runner's for all. A foot on a
    performer's way has its pitch from there.
    """
    if foot.way.shape is not None:
        return
    most, free = pattern.heel_lift + ROLL_MARGIN, heel_free(foot)
    if foot.progress < TRAILING:
        top = _turned(foot.lift_pitch, quickest, foot.elapsed)
        reach, limit = (cap - LIFT_OFF_BEND) * geometry.length, most * free
        if runner:
            pitch = geometry.pitch_to_reach(hip, *known, reach, min(limit, top))
        else:
            pitch = _reached(geometry, hip, known, (reach, cap * geometry.length), limit, top)
        foot.pitch = max(foot.pitch, pitch)
    left = free * (1.0 - smoothstep((foot.progress - LEVEL_FROM) / (LEVEL_AT - LEVEL_FROM)))
    flexed = geometry.pitch_to_flex(hip, *known, FLEXION, min(most, MOST_FLEXED)) if left > 0.0 else 0.0
    foot.pitch += left * max(0.0, flexed - max(foot.pitch, 0.0))


def flick_foot(foot: FootMemory) -> None:
    """Bend a foot in the air back at its last joint, as paws and hooves do: most before the middle, not any more when
    it lands.
    """
    s = foot.progress
    more = foot.flick * s * s * (1.0 - s) ** 3 / FLICK_PEAK
    foot.pitch += more
    foot.toe_pitch += more


def fold_foot(geometry: FootGeometry, foot: FootMemory, hip: Vector, known: Known) -> None:
    """Pull the toes of a foot up that is lifted over an edge, before its leg would have to fold further than it does.

    The knee would be at its end, and the foot would not come as high as its way is: it would cut the edge.
    """
    if foot.way.edge > 0.0 and foot.pitch > 0.0 and geometry.shortest > 0.0:
        foot.pitch = geometry.pitch_to_fold(hip, *known, foot.pitch)
