"""No bone of a move is jolted: how fast each turns in the world changes by no more than a body can in a frame.

What a limb is to do from one frame to the next may jump, where it is taken out of something, takes hold or lands. Each
bone follows the pose that is asked for, to the bit where it can; where that would jolt it, it speeds up and slows down
as quickly as it may and so comes a little later.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import Ground
from ..rig.rig import Rig
from ..space.inertialization import rotation_offset, with_offset
from ..space.vectors import triple
from .moves_memory import NONE, MovesMemory

UP = Vector((0.0, 0.0, 1.0))
# A bone's angular velocity changes by at most so much a second (radians a second, for a 0.9 m leg): 5.4 in a frame at
# 60 of them.
MOST = 325.0
# What lags is closed in on by this share of what could be stopped again.
EASES = 0.5
# Back in a gait a body is held so for the first of these times, seconds; it is let go of over the second.
HELD, LOOSENS = 0.08, 0.12
# A bone that lags by less (radians) lags not.
OVER = 1e-5


class Settler:
    """The turned bones of one rig, parents first. Immutable: what changes is in a MovesMemory."""

    def __init__(self, rig: Rig, bones: Sequence[int]) -> None:
        self.bones = tuple(sorted(bones))
        self.tempo = (rig.leg_length / 0.9) ** 0.5

    def follow(self, pose: EditedPose, memory: MovesMemory, ground: Ground, dt: float, *, base: bool) -> None:
        """Let each bone follow what is posed; `base` where nothing but the base motion is asked for."""
        heading = Quaternion(UP, ground.heading)
        asked = [heading @ pose.turn(i) for i in self.bones]
        memory.since = memory.since + dt if base else 0.0
        if dt <= 0.0 or not memory.turned:
            self._begin(memory, asked)
            return
        most = self._most(memory.since, dt)
        back, lag = heading.inverted(), 0.0
        turned: list[float] = []
        spun: list[float] = []
        for k, (i, goal) in enumerate(zip(self.bones, asked, strict=True)):
            was, aimed = (Quaternion(row[4 * k : 4 * k + 4]) for row in (memory.turned, memory.aimed))
            speed = Vector(memory.spun[3 * k : 3 * k + 3])
            now, left = _next(was, speed, aimed, goal, most, dt)
            if left > OVER:
                pose.set_turn(i, back @ now)
                lag = max(lag, left)
            elif lag:
                pose.set_turn(i, back @ goal)
            turned.extend(now)
            spun.extend(Vector(rotation_offset(now, was)) / dt)
        memory.turned, memory.spun, memory.lags = tuple(turned), tuple(spun), lag
        memory.aimed = tuple(value for turn in asked for value in turn)

    def watch(self, pose: EditedPose, memory: MovesMemory, ground: Ground, dt: float) -> None:
        """Remember a pose that is left as it is."""
        heading = Quaternion(UP, ground.heading)
        asked = [heading @ pose.turn(i) for i in self.bones]
        if dt <= 0.0 or not memory.turned:
            self._begin(memory, asked)
            return
        spun: list[float] = []
        for k, now in enumerate(asked):
            spun.extend(Vector(rotation_offset(now, Quaternion(memory.turned[4 * k : 4 * k + 4]))) / dt)
        memory.turned = memory.aimed = tuple(value for turn in asked for value in turn)
        memory.spun, memory.lags = tuple(spun), 0.0

    @staticmethod
    def _begin(memory: MovesMemory, asked: Sequence[Quaternion]) -> None:
        memory.turned = memory.aimed = tuple(value for turn in asked for value in turn)
        memory.spun, memory.lags = (0.0,) * (3 * len(asked)), 0.0

    def _most(self, since: float, dt: float) -> float:
        """By how much an angular velocity may change within a frame."""
        free = max(0.0, since - HELD * self.tempo) / (LOOSENS * self.tempo)
        return MOST / self.tempo * dt / max(1e-6, 1.0 - free) ** 2 if free < 1.0 else 1e9


def _next(
    was: Quaternion, speed: Vector, aimed: Quaternion, goal: Quaternion, most: float, dt: float
) -> tuple[Quaternion, float]:
    """Where a bone is that was at `was` and turns with `speed`, of one that is to be at `goal`, and how far it lags."""
    exact = Vector(rotation_offset(goal, was)) / dt
    if (exact - speed).length <= most:
        return goal, 0.0
    behind, goes = Vector(rotation_offset(aimed, was)), Vector(rotation_offset(goal, aimed)) / dt
    if behind.length > 0.0:
        # As fast as it can be stopped again.
        closes = min(behind.length / dt, sqrt(2.0 * EASES * most / dt * behind.length))
        goes = goes + behind * (closes / behind.length)
    change = goes - speed
    if change.length > most:
        change *= most / change.length
    now = with_offset(was, triple((speed + change) * dt)).normalized()
    return now, Vector(rotation_offset(goal, now)).length
