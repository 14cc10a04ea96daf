"""A gait's memory told in another frame: the frame of a body that clings moves, and what stands in the scene stays."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, sin

from ..space.rigid import Frame, Triple, Turn, after, between, turned, undone
from .foot import Foothold
from .footsteps import UPRIGHT
from .memory import GaitMemory


def retold(memory: GaitMemory, was: Frame, now: Frame, here: Triple, sticks_out: float) -> None:
    """Tell a gait's memory in the frame as it is now: what stands in the scene stays there.

    Where a foot is meant to be, and where the body will be, count along the unrolled surface, which has not changed.
    `here` is the body's place in the new frame: a frame that rises with the surface does not take the body along at
    once.
    """
    memory.body.least_heave = sticks_out
    if was == now:
        return
    memory.body.heave -= was.from_scene(now.to_scene(here))[2]
    turn = after(undone(now.turn), was.turn)
    ox, oy, oz = now.from_scene(was.origin)

    def moved(p: Triple) -> Triple:
        x, y, z = turned(turn, p)
        return x + ox, y + oy, z + oz

    for foot in memory.feet:
        foot.hold = _retold_foothold(foot.hold, turn, moved)
        if foot.target is not None:
            foot.target = _retold_foothold(foot.target, turn, moved)
        foot.ball, foot.rotation = moved(foot.ball), after(turn, foot.rotation)
        foot.carry, foot.measured_at = turned(turn, foot.carry), moved(foot.measured_at)
        if foot.way.up is not None:
            foot.way = foot.way._replace(up=turned(turn, foot.way.up))


def _retold_foothold(hold: Foothold, turn: Turn, moved: Callable[[Triple], Triple]) -> Foothold:
    normal = turned(turn, hold.normal)
    half = 0.5 * hold.heading
    stands = after(between(UPRIGHT, hold.normal), (cos(half), 0.0, 0.0, sin(half)))
    # The same turn of the foot, as a heading under its new normal: what is left over is about the upright.
    w, _, _, z = after(undone(between(UPRIGHT, normal)), after(turn, stands))
    px, py, pz = moved(hold[:3])
    offset, under = turned(turn, hold.offset), turned(turn, hold.under)
    return hold._replace(x=px, y=py, z=pz, heading=2.0 * atan2(z, w), normal=normal, offset=offset, under=under)
