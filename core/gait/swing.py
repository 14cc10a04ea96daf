"""A foot in the air: on its way, turned and pitched for where it will stand."""

from __future__ import annotations

from mathutils import Quaternion

from ..space.curves import hermite, smootherstep, smoothstep
from ..space.vectors import quadruple
from .memory import FootMemory
from .performed import at_share
from .way import along, ball_on_way, carried_share

PITCH_SETTLED = 0.85
# A performed swing begins with the pitch that the foot left with, for this share of it.
PITCH_CARRIED = 0.5
# A toe that was bent on the ground is straight again from this share of the swing on.
TOE_FREE, TOE_BENDS = 0.7, 0.7
# A foot that left over its toes pitches on for a moment, by no less and no more than these times what it had.
LEAST_FOLLOW, MOST_FOLLOW = 2.0, 3.0
# A share of its pitch at lift-off that is less is none to go back from.
LEAST_LEFT = 0.25


def way_now(foot: FootMemory) -> tuple[float, float, float]:
    """The ball of a foot in the air at its present progress, world: on its way, with what is left of an earlier aim."""
    if foot.target is None:
        return foot.ball
    x, y, z = ball_on_way(foot.hold, foot.target, foot.progress, foot.way)
    left = carried_share(foot.progress, foot.carry_from)
    return x + foot.carry[0] * left, y + foot.carry[1] * left, z + foot.carry[2] * left


def keep_on(foot: FootMemory, before: tuple[float, float, float]) -> None:
    """After a change of aim, go on from where the foot was (`before`, world): the difference fades until it lands."""
    foot.carry = (0.0, 0.0, 0.0)
    now = way_now(foot)
    foot.carry = (before[0] - now[0], before[1] - now[1], before[2] - now[2])
    foot.carry_from = foot.progress


def pitch_before(pitch: float, s: float, landing_pitch: float, *, runner: bool) -> float:
    """The pitch that a foot would have left with which has this one at swing progress `s`."""
    t = min(1.0, s / PITCH_SETTLED)
    left = hermite(1.0, 0.0 if runner else LEAST_FOLLOW, 0.0, 0.0, t)
    return (pitch - landing_pitch * smoothstep(t)) / max(LEAST_LEFT, left)


def swing_foot(
    foot: FootMemory,
    end_rotation: Quaternion,
    start_rotation: Quaternion,
    landing_pitch: float,
    *,
    runs: bool = False,
) -> None:
    """Move a foot to its place on the way at its present progress. On a performer's way it pitches as the performer
    did, and lands with the pitch that is asked for. A runner's (`runs`) pitches on as it left.
    """
    s, target = foot.progress, foot.target
    if target is None:
        raise ValueError("A foot in swing has no target.")
    foot.ball = way_now(foot)
    # It turns as it goes on: its way was measured for a heel that does.
    turned = along(s, foot.way.leave, foot.way.arrive) if foot.way.shape is None else smootherstep(s)
    foot.rotation = quadruple(start_rotation.slerp(end_rotation, turned))
    if foot.way.shape is not None:
        pitches = foot.way.shape[3]
        left = (foot.lift_pitch - pitches[0]) * (1.0 - smoothstep(s / PITCH_CARRIED))
        landing = (landing_pitch - pitches[-1]) * smoothstep((s - PITCH_CARRIED) / (1.0 - PITCH_CARRIED))
        foot.pitch = at_share(pitches, s) + left + landing
    elif s < PITCH_SETTLED:
        rate = foot.lift_rate * PITCH_SETTLED
        most = rate if runs else MOST_FOLLOW * foot.lift_pitch + 0.3
        rate = min(max(rate, LEAST_FOLLOW * foot.lift_pitch), most)
        foot.pitch = hermite(foot.lift_pitch, rate, landing_pitch, 0.0, s / PITCH_SETTLED)
    else:
        foot.pitch = landing_pitch
    foot.toe_pitch = foot.pitch * smoothstep(s / TOE_FREE) if foot.pitch > 0.0 else foot.pitch
    if landing_pitch > 0.0 and s > TOE_BENDS:
        # It lands on its toes: they are flat by then.
        foot.toe_pitch *= 1.0 - smoothstep((s - TOE_BENDS) / (1.0 - TOE_BENDS))
