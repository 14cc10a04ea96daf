"""No bone of a move is jolted: how fast each turns in the world changes by no more than a body can in a frame.

What a limb is to do from one frame to the next may jump, where it is taken out of something, takes hold or lands. Each
bone follows the pose that is asked for, to the bit where it can; where that would jolt it, it speeds up and slows down
as quickly as it may and so comes a little later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN, Ground
from ..rig.rig import Rig
from ..space.inertialization import rotation_offset, with_offset
from ..space.vectors import triple
from .masks import nearer
from .moves_memory import MovesMemory

UP = Vector((0.0, 0.0, 1.0))
# A bone's angular velocity changes by at most so much a second (radians a second, for a 0.9 m leg): 5.25 in a frame at
# 60 of them.
MOST = 315.0
# Held to the utmost they may change by this times that: just under 6.
WHOLE = 1.05
# What lags is closed in on by this share of what could be stopped again.
EASES = 0.7
# Back in a gait a body is held so for the first of these times, seconds; it is let go of over the second.
HELD, LOOSENS = 0.075, 0.12
# What lags comes back with at most so much more than that, however loose all else is.
CALM = 1.6
# So often a change is brought within both of its bounds.
TIMES = 3
# A bone that lags by less (radians) lags not.
OVER = 1e-5


class Asked(NamedTuple):
    """What a frame asks of bones. `cut` where it is another move than before, `left` what is left of it (seconds);
    `looser` by how much more may change in its middle. `base` where only the base motion is asked for. `held` says how
    much each bone holds on to something: it lies there as that does, whatever its limb's other bones lag by.
    """

    ground: Ground
    dt: float
    cut: bool
    base: bool
    left: float = inf
    looser: float = 1.0
    held: Mapping[int, float] = {}


class Settler:
    """The turned bones of one rig, parents first. Immutable: what changes is in a MovesMemory."""

    def __init__(self, rig: Rig, bones: Sequence[int]) -> None:
        self.bones = tuple(sorted(bones))
        ranks = {i: k for k, i in enumerate(self.bones)}
        above = [next((ranks[j] for j in rig.skeleton.ancestors(i) if j in ranks), -1) for i in self.bones]
        self.above = tuple(above)
        self.tempo = (rig.leg_length / 0.9) ** 0.5

    def follow(self, pose: EditedPose, memory: MovesMemory, now: Asked) -> dict[int, float]:
        """Let each bone follow what is posed. Returns by how much each lags that does (radians)."""
        heading = Quaternion(UP, now.ground.heading)
        asked = [heading @ pose.turn(i) for i in self.bones]
        memory.since = 0.0 if now.cut else memory.since + now.dt
        before, memory.aimed = memory.aimed, tuple(value for turn in asked for value in turn)
        memory.lags = 0.0
        lags: dict[int, float] = {}
        if now.dt <= 0.0 or not memory.turned:
            return lags
        most, back = self._most(memory.since, now), heading.inverted()
        calm = min(most, CALM * MOST / self.tempo * now.dt)
        changes, turns = [Vector()], list(asked)
        # At a change it goes on as it went, even if something has pushed it just then.
        speeds = memory.went if now.cut else memory.spun
        goals: list[float] = []
        for k, (i, above) in enumerate(zip(self.bones, self.above, strict=True)):
            # What lags takes along what hangs on it: joints stay as they are bent.
            goal = turns[above] @ (asked[above].inverted() @ asked[k]) if above >= 0 and memory.lags else asked[k]
            if i in now.held:
                goal = nearer(goal, asked[k], now.held[i])
            was, aimed = (Quaternion(row[4 * k : 4 * k + 4]) for row in (memory.turned, before))
            speed = Vector(speeds[3 * k : 3 * k + 3])
            turns[k], left = _next(was, speed, aimed, goal, (most, calm, changes[above + 1]), now.dt)
            changes.append(Vector(rotation_offset(turns[k], was)) / now.dt - speed)
            goals.extend(goal)
            if left > OVER or memory.lags:
                pose.set_turn(i, back @ turns[k])
                memory.lags = max(memory.lags, left)
                lags[i] = left
        memory.aimed = tuple(goals)
        return lags

    def steady(self, pose: EditedPose, memory: MovesMemory, now: Asked) -> bool:
        """Near a change no bone is jolted by what was done to what it followed with. True where one had been."""
        if now.dt <= 0.0 or not memory.turned or not self.is_held(memory.since, now):
            return False
        heading = Quaternion(UP, now.ground.heading)
        most, back = WHOLE * MOST / self.tempo * now.dt, heading.inverted()
        # Before any is turned: a bone that is takes no other along.
        shown = [heading @ pose.turn(i) for i in self.bones]
        late, went, spins = False, [Vector()], [Vector()]
        turned = [NO_TURN]
        for k, (i, asked, above) in enumerate(zip(self.bones, shown, self.above, strict=True)):
            turn, was = asked, Quaternion(memory.turned[4 * k : 4 * k + 4])
            speed = Vector(memory.went[3 * k : 3 * k + 3])
            change = Vector(rotation_offset(turn, was)) / now.dt - speed
            # What it turns by over the bone that it hangs on is turned with that one.
            carried = spins[above + 1] + turned[above + 1] @ (speed - went[above + 1]) - speed
            if change.length > most or (change - carried).length > most:
                change = _within_both(change, carried, most)
                turn = with_offset(was, triple((speed + change) * now.dt)).normalized()
                late = True
            went.append(speed)
            spins.append(speed + change)
            turned.append(turn @ was.inverted())
            if late:
                pose.set_turn(i, back @ turn)
        return late

    def is_held(self, since: float, now: Asked) -> bool:
        """True so near to a change that bones may speed up by the least only."""
        return min(since, now.left) <= HELD * self.tempo

    def turns(self, pose: EditedPose, ground: Ground) -> list[Quaternion]:
        """How the bones are turned, in the world."""
        heading = Quaternion(UP, ground.heading)
        return [heading @ pose.turn(i) for i in self.bones]

    def remember(
        self,
        pose: EditedPose,
        memory: MovesMemory,
        ground: Ground,
        dt: float,
        settled: Sequence[Quaternion] | None = None,
    ) -> None:
        """Keep how the bones are turned that are shown, and how fast they turn.

        `settled` is how they were turned before they were brought out of something: a bone goes on from where it is
        then, but not as fast as it was brought there.
        """
        shown = self.turns(pose, ground)
        spun: list[float] = []
        went: list[float] = []
        most = MOST / self.tempo * dt
        for k, turn in enumerate(shown if dt > 0.0 and memory.turned else ()):
            was = Quaternion(memory.turned[4 * k : 4 * k + 4])
            speed = Vector(rotation_offset(turn, was)) / dt
            went.extend(speed)
            if settled is not None:
                own = Vector(rotation_offset(settled[k], was)) / dt
                speed = own + _within(speed - own, most)
            spun.extend(speed)
        memory.spun = tuple(spun) or (0.0,) * (3 * len(shown))
        memory.went = tuple(went) or memory.spun
        memory.turned = tuple(value for turn in shown for value in turn)
        memory.aimed = memory.aimed if memory.lags else memory.turned

    def _most(self, since: float, now: Asked) -> float:
        """By how much an angular velocity may change within a frame: little at a change, more in between."""
        away = min(since, now.left) - HELD * self.tempo
        free = min(1.0, max(0.0, away) / (LOOSENS * self.tempo))
        if now.base and free >= 1.0:
            return 1e9
        most = MOST / self.tempo * now.dt
        return most / max(1e-6, 1.0 - free) ** 2 if now.base else most * (1.0 + (now.looser - 1.0) * free)


def _next(
    was: Quaternion, speed: Vector, aimed: Quaternion, goal: Quaternion, may: tuple[float, float, Vector], dt: float
) -> tuple[Quaternion, float]:
    """Where a bone is that was at `was` and turns with `speed`, of one that is to be at `goal`, and how far it lags.

    `may` is by how much its velocity may change, in the world and over the change of the bone that it hangs on; by how
    much while it lags; and how much that bone's has changed.
    """
    most, calm, carried = may
    behind, goes = Vector(rotation_offset(aimed, was)), Vector(rotation_offset(goal, aimed)) / dt
    change, may_change = Vector(rotation_offset(goal, was)) / dt - speed, calm if behind.length > OVER else most
    # It is there where it can be, if it comes there no faster than it can be stopped then.
    stops = behind.length <= EASES * calm * dt
    if stops and change.length <= may_change and (change - carried).length <= may_change:
        return goal, 0.0
    if behind.length > 0.0:
        # As fast as it can be stopped again over what is left when this frame is over.
        slows = EASES * calm
        closes = sqrt(slows * slows + 2.0 * slows / dt * behind.length) - slows
        goes = goes + behind * (min(behind.length / dt, closes) / behind.length)
    change = goes - speed
    change = _within_both(change, carried, most)
    now = with_offset(was, triple((speed + change) * dt)).normalized()
    return now, Vector(rotation_offset(goal, now)).length


def _within_both(change: Vector, carried: Vector, most: float) -> Vector:
    """A change brought within what is the most in the world, and over the one of the bone that it hangs on."""
    for _ in range(TIMES):
        change = carried + _within(change - carried, most)
        change = _within(change, most)
    return change


def _within(change: Vector, most: float) -> Vector:
    return change * (most / change.length) if change.length > most else change
