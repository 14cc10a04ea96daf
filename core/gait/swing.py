"""The way of a foot through the air: from where it left to where it will stand, over what is between."""

from __future__ import annotations

from mathutils import Quaternion, Vector

from ..space.curves import hermite, smootherstep, smoothstep
from ..world.world import World
from .foot import Foothold
from .footsteps import FootholdFinder
from .memory import FootMemory

# Where along the swing the ground is asked: dense at the ends, where an arc is low and a riser hits the toe.
SAMPLES = (0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85)
PITCH_SETTLED = 0.85
RISE_DONE = 0.6
EAGER = 0.82


def along(s: float) -> float:
    """The share of the way covered at swing progress `s`: at rest at both ends, quicker to leave than to arrive.

    A toe that left slowly would be outrun by its own body, and the leg would have to stretch behind.
    """
    return smoothstep(s**EAGER) if s > 0.0 else 0.0


def climbed(s: float, rise: float) -> float:
    """The share of the height difference covered: early on the way up, late on the way down, clear of the edge."""
    return smoothstep(s / RISE_DONE) if rise > 0.0 else smoothstep((s - 1.0 + RISE_DONE) / RISE_DONE)


def arch(s: float) -> float:
    """The swing's arc: 0 with no speed at both ends, 1 in the middle."""
    return 16.0 * s * s * (1.0 - s) * (1.0 - s)


def ball_on_way(start: Foothold, end: Foothold, s: float, arc: float) -> tuple[float, float, float]:
    """The ball of the sole at swing progress `s`, world."""
    share, rise = along(s), end.z - start.z
    return (
        start.x + (end.x - start.x) * share,
        start.y + (end.y - start.y) * share,
        start.z + rise * climbed(s, rise) + arc * arch(s),
    )


def arc_over(world: World, finder: FootholdFinder, start: Foothold, end: Foothold, least: float) -> float:
    """The height of an arc that clears the ground between two footholds by at least a third of `least`."""
    arc = least
    dx, dy, rise = end.x - start.x, end.y - start.y, end.z - start.z
    if dx * dx + dy * dy < (0.2 * least) ** 2:
        return arc
    level = abs(rise) < 0.05 * least
    for s in SAMPLES[1::2] if level else SAMPLES:
        share = along(s)
        base = start.z + rise * climbed(s, rise)
        hit = finder.probe(world, start.x + dx * share, start.y + dy * share, max(base, start.z, end.z))
        if hit is not None:
            over = hit.position.z + least / 3.0 - base
            arc = max(arc, over / arch(s))
    return min(arc, 4.0 * least + abs(rise))


def swing_foot(foot: FootMemory, end_rotation: Quaternion, start_rotation: Quaternion, landing_pitch: float,
               duration: float) -> None:
    """Move a foot to its place on the way at its present progress. `duration` is the swing's, seconds."""
    s, target = foot.progress, foot.target
    if target is None:
        raise ValueError("A foot in swing has no target.")
    foot.ball = ball_on_way(foot.hold, target, s, foot.arc)
    foot.rotation = tuple(start_rotation.slerp(end_rotation, smootherstep(s)))
    if s < PITCH_SETTLED:
        rate = foot.lift_rate * duration * PITCH_SETTLED
        most = 2.0 * foot.lift_pitch + 0.3
        rate = min(max(rate, -most), most)
        foot.pitch = hermite(foot.lift_pitch, rate, landing_pitch, 0.0, s / PITCH_SETTLED)
    else:
        foot.pitch = landing_pitch
    foot.toe_pitch = foot.pitch * smoothstep(s / RISE_DONE) if foot.pitch > 0.0 else foot.pitch
