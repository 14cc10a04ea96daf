"""Jumps of a limb, found ahead and bridged: where an arm or a leg would be turned over from one moment to the next.

A limb that is kept over a floor may have two ways to be, and change from one to the other at once, as a hand that is
raised past its shoulder. It then goes from how it is a little before to how it is a little after, and leaves out what
is between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import acos, radians, sin

from mathutils import Quaternion, Vector

from ..layers.masks import nearer
from ..rig.edited_pose import EditedPose
from ..space.curves import share_of, smoothstep
from .rise_choice import angle
from .rise_memory import Bridge

# What turns by more in a moment is looked into, and is a jump where it still turns by more than the second in a part of
# that (radians); the moment is halved so often.
LOOKED, JUMPS, HALVED = radians(12.0), radians(8.0), 4
# A bridge takes so long for a radian on each side of its jump, and at least so long, seconds; no rise has more.
LASTS, LEAST, MOST = 0.16, 0.07, 24

PoseAt = Callable[[float], EditedPose]


def jumps(
    at: PoseAt, times: tuple[float, float], poses: tuple[EditedPose, EditedPose], limbs: Mapping[str, Sequence[int]]
) -> list[Bridge]:
    """The bridges over what jumps between two poses; `times` are theirs, by how long ago it began, seconds."""
    found = []
    middles: dict[float, EditedPose] = {}
    for role, bones in limbs.items():
        turn = _turn(*poses, bones)
        if turn < LOOKED:
            continue
        low, (a, b), span = times[0], poses, times[1] - times[0]
        for _ in range(HALVED):
            span *= 0.5
            # Limbs turn at the same time: they are looked at in the same poses.
            if low + span not in middles:
                middles[low + span] = at(low + span)
            middle = middles[low + span]
            first, last = _turn(a, middle, bones), _turn(middle, b, bones)
            if first >= last:
                b = middle
            else:
                a, low = middle, low + span
            if max(first, last) <= JUMPS:
                break
        own = _turn(a, b, bones)
        if own > JUMPS:
            side = max(LEAST, LASTS * own)
            found.append(Bridge(role, low - side, low + side))
    return found


def merged(bridges: Sequence[Bridge]) -> tuple[Bridge, ...]:
    """Bridges of the same limb that touch made one, in the order of limbs and times; no more than a memory holds."""
    found: list[Bridge] = []
    for each in sorted(bridges):
        if found and found[-1].limb == each.limb and each.start <= found[-1].end:
            found[-1] = found[-1]._replace(end=max(found[-1].end, each.end))
        else:
            found.append(each)
    return tuple(found[:MOST])


def bridge(
    pose: EditedPose,
    time: float,
    bridges: Sequence[Bridge],
    at: PoseAt,
    limbs: Mapping[str, Sequence[int]],
    known: dict[float, EditedPose],
) -> None:
    """Bring the limbs of a pose that are on a bridge onto it; `known` keeps the poses at the ends of bridges."""
    for each in bridges:
        if not each.start < time < each.end:
            continue
        for end in (each.start, each.end):
            if end not in known:
                known[end] = at(end)
        before, after = known[each.start], known[each.end]
        share = smoothstep(share_of(time, each.start, each.end))
        for i in limbs[each.limb]:
            place = None
            if i in before.locations or i in after.locations:
                place = before.locations.get(i, Vector()).lerp(after.locations.get(i, Vector()), share)
            pose.set_basis(i, nearer(before.rotations[i], after.rotations[i], share), place)


def bump(share: float) -> float:
    """How much of its lift a bridge has: nothing at both ends, all of it half-way."""
    return 16.0 * share * share * (1.0 - share) * (1.0 - share)


def on_the_way(one: Quaternion, first: Quaternion, other: Quaternion, share: float) -> Quaternion:
    """A share of the way from one rotation to another, the way round that was the shorter one to its `first`."""
    first = first if one.dot(first) >= 0.0 else -first
    other = other if first.dot(other) >= 0.0 else -other
    between = acos(max(-1.0, min(1.0, one.dot(other))))
    if between < 1e-4 or sin(between) < 1e-4:
        return nearer(one, other, share)
    return (one * sin((1.0 - share) * between) + other * sin(share * between)) * (1.0 / sin(between))


def _turn(one: EditedPose, other: EditedPose, bones: Sequence[int]) -> float:
    """How far the most turned of some bones is turned from one pose to another, radians."""
    return max((angle(one.rotations[i], other.rotations[i]) for i in bones), default=0.0)
