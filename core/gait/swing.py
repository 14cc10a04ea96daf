"""The way of a foot through the air: from where it left to where it will stand, over what is between."""

from __future__ import annotations

from math import inf

from mathutils import Quaternion, Vector

from ..space.curves import hermite, smootherstep, smoothstep
from ..space.vectors import quadruple
from ..world.world import World
from .foot import Foothold
from .memory import FootMemory

# Where along the swing the ground is asked; on level ground between level footholds every fifth place is enough.
SAMPLES = tuple(0.06 + 0.88 * k / 21 for k in range(22))
PITCH_SETTLED = 0.85
RISE_DONE, DROP_FROM = 0.3, 0.3
# From this much of an edge on, a foot that goes down has the arc that is over the edge soon.
EDGE_IS_CLEAR = 0.125
EAGER = 0.95
# A change of aim has faded at this share of the swing.
CARRIED_UNTIL = 0.95
ARCH_PEAK = (4.0 / 7.0) ** 2 * (3.0 / 7.0) ** 1.5


def along(s: float) -> float:
    """The share of the way covered at swing progress `s`: at rest at both ends, quicker to leave than to arrive.

    A toe that left slowly would be outrun by its own body, and the leg would have to stretch behind.
    """
    return smoothstep(s**EAGER) if s > 0.0 else 0.0


def climbed(s: float, rise: float, edge: float) -> float:
    """The share of the height difference covered: with the way over a slope (`edge` 0); early on the way up and late
    on the way down where there is an edge between (1)."""
    even = along(s)
    if edge <= 0.0:
        return even
    clear = smoothstep(s / RISE_DONE) if rise > 0.0 else smoothstep((s - DROP_FROM) / (1.0 - DROP_FROM))
    return even + (clear - even) * edge


def arch(s: float, rise: float, edge: float) -> float:
    """The swing's arc: 0 with no speed at both ends, 1 a little past the middle; it comes down later than it rose.

    On the way down over an edge it is the other way round. The edge that is in the way is the one that the foot stood
    on: an arc that rises late has to be far higher to be over it, and folds the leg against its hip.
    """
    if not 0.0 < s < 1.0:
        return 0.0
    late = s * s * (1.0 - s) ** 1.5 / ARCH_PEAK
    if rise >= 0.0 or edge <= 0.0:
        return late
    early = s**1.5 * (1.0 - s) ** 2 / ARCH_PEAK
    return late + (early - late) * min(1.0, edge / EDGE_IS_CLEAR)


def ball_on_way(start: Foothold, end: Foothold, s: float, arc: float, edge: float) -> tuple[float, float, float]:
    """The ball of the sole at swing progress `s`, world."""
    share, rise = along(s), end.z - start.z
    return (
        start.x + (end.x - start.x) * share,
        start.y + (end.y - start.y) * share,
        start.z + rise * climbed(s, rise, edge) + arc * arch(s, rise, edge),
    )


def arc_over(
    world: World, start: Foothold, end: Foothold, least: float, highest: float, sole: tuple[float, float]
) -> tuple[float, float]:
    """The height of an arc that clears the ground between two footholds by a third of `least`, and how much of an edge
    is between them (0 to 1).

    No higher than `highest` and half of the rise: past that a leg would fold up against its hip. `sole` is the way from
    ball to heel (world x, y): the heel has to pass what the ball has passed. Each stretch between two samples counts
    with the higher of its ends, so that no edge is stepped through.
    """
    arc = least
    dx, dy, rise = end.x - start.x, end.y - start.y, end.z - start.z
    if dx * dx + dy * dy < (0.2 * least) ** 2:
        return arc, 0.0
    level = abs(rise) < 0.05 * least and not _blocked(world, start, end, least / 3.0, sole)
    samples = SAMPLES[::5] if level else SAMPLES
    most = min(4.0 * least, highest) + 0.5 * abs(rise)
    top = max(start.z, end.z) + most
    heights = []
    for s in samples:
        share = along(s)
        x, y = start.x + dx * share, start.y + dy * share
        heights.append(max(_height(world, x, y, top, most), _height(world, x + sole[0], y + sole[1], top, most)))
    over = max(h - start.z - rise * along(s) for s, h in zip(samples, heights, strict=True))
    edge = min(1.0, max(0.0, (over - least / 3.0) / max(0.5 * abs(rise), least)))
    for k, s in enumerate(samples):
        if 0.2 < s < 0.8:
            ground = max(heights[max(0, k - 1) : k + 2])
            arc = max(arc, (ground + least / 3.0 - start.z - rise * climbed(s, rise, edge)) / arch(s, rise, edge))
    return min(arc, most), edge


def _blocked(world: World, start: Foothold, end: Foothold, height: float, sole: tuple[float, float]) -> bool:
    """True where something stands up between the heel's start and the ball's end: a plank is thin between samples."""
    heel = Vector((start.x + sole[0], start.y + sole[1], start.z + height))
    way = Vector((end.x, end.y, end.z + height)) - heel
    return world.cast_ray(heel, way.normalized(), way.length) is not None


def _height(world: World, x: float, y: float, top: float, depth: float) -> float:
    """The height of whatever is on the way, steep or not; nothing deeper than the footholds matters."""
    height = world.height_below(x, y, top, 3.0 * depth)
    return -inf if height is None else height


def way_now(foot: FootMemory) -> tuple[float, float, float]:
    """The ball of a foot in the air at its present progress, world: on its way, with what is left of an earlier aim."""
    if foot.target is None:
        return foot.ball
    x, y, z = ball_on_way(foot.hold, foot.target, foot.progress, foot.arc, foot.edge)
    left = 1.0 - smoothstep((foot.progress - foot.carry_from) / max(CARRIED_UNTIL - foot.carry_from, 1e-6))
    return x + foot.carry[0] * left, y + foot.carry[1] * left, z + foot.carry[2] * left


def keep_on(foot: FootMemory, before: tuple[float, float, float]) -> None:
    """After a change of aim, go on from where the foot was (`before`, world): the difference fades until it lands."""
    foot.carry = (0.0, 0.0, 0.0)
    now = way_now(foot)
    foot.carry = (before[0] - now[0], before[1] - now[1], before[2] - now[2])
    foot.carry_from = foot.progress


def swing_foot(
    foot: FootMemory, end_rotation: Quaternion, start_rotation: Quaternion, landing_pitch: float, duration: float
) -> None:
    """Move a foot to its place on the way at its present progress. `duration` is the swing's, seconds."""
    s, target = foot.progress, foot.target
    if target is None:
        raise ValueError("A foot in swing has no target.")
    foot.ball = way_now(foot)
    foot.rotation = quadruple(start_rotation.slerp(end_rotation, smootherstep(s)))
    if s < PITCH_SETTLED:
        rate = foot.lift_rate * duration * PITCH_SETTLED
        most = 2.0 * foot.lift_pitch + 0.3
        rate = min(max(rate, -most), most)
        foot.pitch = hermite(foot.lift_pitch, rate, landing_pitch, 0.0, s / PITCH_SETTLED)
    else:
        foot.pitch = landing_pitch
    foot.toe_pitch = foot.pitch * smoothstep(s / RISE_DONE) if foot.pitch > 0.0 else foot.pitch
