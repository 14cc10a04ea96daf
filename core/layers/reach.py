"""A hand or a foot on a thing: it goes to a target, holds on to it as both move, and lets go.

How much it holds is a number between 0 and 1 that eases there and back, and times the layer's weight it is the share
of the way from where the base motion has the hand to the target: a straight way, seen from the body. A target that is
held is held exactly, however it moves; one that jumps leaves an offset behind, from the target, that dies out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

from mathutils import Quaternion, Vector

from ..control.intent import LayerInput, Spot
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from ..space.copying import copier
from ..space.dampers import spring
from ..space.inertialization import Triple, rotation_offset, sprung, with_offset
from ..space.vectors import triple
from .layer import Moment
from .masks import nearer
from .reach_bounds import ReachBounds
from .reaching import ReachConfig, ReachingArm, ReachingLeg, limbs_of

NONE: Triple = (0.0, 0.0, 0.0)
Turns = tuple[tuple[float, float, float, float], ...]
# A target whose velocity changes by more than this within a frame (metres a second, for a leg of 0.9 m) has jumped,
# and one that turns faster than this (radians a second) has been turned over.
JUMP, FLIP = 5.0, 12.0
# From here on a hold is whole, and under its opposite there is none.
WHOLE = 1.0 - 1e-4
# No bone of a limb is turned by more than this (radians a second) from frame to frame, the first one and the others: a
# hand whose way leads past its shoulder lags behind a little there.
FASTEST = radians(400.0), radians(800.0)
# An offset under this (metres, radians) is none.
OVER = 1e-6
# A hand that misses its target by more than this share of the leg's length says so: 5 mm for a person.
MISSED = 0.0055


@dataclass(slots=True)
class ReachMemory:
    """How much it holds, how fast that changes, what is wanted; the target as last seen and its velocity; and what is
    left of its jumps: offsets of its place and its turn, world space. `dropped` while the target is out of all reach,
    `kept` where it was for the body (model space) when it was let go. `shown` is how its bones were turned (basis) at
    the frame before, while it changes any.
    """

    reason: str = ""
    hold: float = 0.0
    hold_speed: float = 0.0
    wanted: float = 0.0
    spot: Spot | None = None
    velocity: Triple | None = None
    offset: Triple = NONE
    offset_speed: Triple = NONE
    turn_offset: Triple = NONE
    turn_speed: Triple = NONE
    dropped: bool = False
    kept: Triple = NONE
    shown: Turns | None = None

    def copy(self) -> ReachMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(ReachMemory)


class Reach:
    """The layer of one hand or foot."""

    def __init__(self, rig: Rig, config: ReachConfig) -> None:
        self.config = config
        self.size = rig.leg_length
        known = limbs_of(rig)
        self.name = config.limb.strip() or suited_limb(rig)
        found = known.get(self.name)
        self.limb: ReachingArm | ReachingLeg | None = None
        self.bounds: ReachBounds | None = None
        self.problems: tuple[Problem, ...] = ()
        if found is None:
            what = repr(self.name) if self.name else "arm and no leg"
            reason = f"There is no {what} on this rig to reach with."
            remedy = f"Choose one of {', '.join(known)}." if known else "It needs an arm or a leg of its own."
            self.problems = (Problem("", reason, remedy),)
        else:
            self.limb = found(config)
            self.bounds = ReachBounds.of(self.limb, EditedPose.rest(rig.skeleton), config)

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The limb's bones, and what of shoulder and spine may help it."""
        return ((), ()) if self.limb is None else (self.limb.turned, self.limb.moved)

    def start(self) -> ReachMemory:
        """Holding nothing."""
        return ReachMemory()

    def apply(self, pose: EditedPose, memory: ReachMemory, moment: Moment, wish: LayerInput) -> None:
        """Bring the limb a share of the way to the target, by weight and by how much it holds."""
        memory.reason = ""
        if self.limb is None:
            return
        self._see(memory, wish.spot, moment.dt)
        holds = wish.on and wish.spot is not None
        if holds:
            self._judge(pose, memory, moment)
        self._take(memory, holds and not memory.dropped, moment.dt)
        if wish.on and wish.spot is None:
            memory.reason = f"{self.name} has nothing to reach for. Give the layer a target."
        before = pose.rotations[:]
        share = wish.weight * memory.hold
        if share <= 0.0 or memory.spot is None:
            self._slow_down(pose, memory, before, moment.dt, reaches=False)
            return
        place, turn = _in_model(memory, memory.spot, moment)
        if memory.dropped:
            place = Vector(memory.kept)
        missing = self.limb.reach(pose, place, turn, share)
        self._slow_down(pose, memory, before, moment.dt, reaches=True)
        if not memory.reason and missing > MISSED * self.size:
            what = "foot" if isinstance(self.limb, ReachingLeg) else "hand"
            memory.reason = f"The {what} does not reach: {100.0 * missing:.0f} cm are missing ({self.name})."

    def _slow_down(
        self, pose: EditedPose, memory: ReachMemory, base: Sequence[Quaternion], dt: float, *, reaches: bool
    ) -> None:
        """Turn the bones no faster than an arm is; what it lags behind is caught up with in the frames that follow.

        `base` are the rotations before it reached for anything.
        """
        if self.limb is None or (memory.shown is None and not reaches):
            return
        bones = self.limb.turned
        wanted = [pose.rotations[i] for i in bones]
        caught = True
        if dt > 0.0:
            last = [base[i] for i in bones] if memory.shown is None else [Quaternion(turn) for turn in memory.shown]
            most = [FASTEST[i in self.limb.limb.bones[1:] or i == self.limb.touch.bone] for i in bones]
            angles = [Vector(rotation_offset(a, b)).length for a, b in zip(last, wanted, strict=True)]
            speed = max(angle / each for angle, each in zip(angles, most, strict=True))
            if speed > dt:
                caught, share = False, dt / speed
                for i, a, b in zip(bones, last, wanted, strict=True):
                    pose.set_basis(i, nearer(a, b, share), pose.locations.get(i))
        shown = tuple((q.w, q.x, q.y, q.z) for q in (pose.rotations[i] for i in bones))
        memory.shown = shown if reaches or not caught else None

    def _judge(self, pose: EditedPose, memory: ReachMemory, moment: Moment) -> None:
        """Let a target go that is out of all reach, and take it again when it has come back.

        The hand leaves it from where it was for the body: it does not go on after it behind the back.
        """
        if memory.spot is None or self.bounds is None:
            return
        place, _ = _in_model(memory, memory.spot, moment)
        where = self.bounds.dropped(pose, place, before=memory.dropped)
        if where and not memory.dropped:
            memory.kept = triple(place)
        elif memory.dropped and not where and memory.hold > 1.0 - WHOLE:
            away = moment.to_model.to_quaternion().inverted() @ (Vector(memory.kept) - place)
            memory.offset = triple(Vector(memory.offset) + away)
        memory.dropped = bool(where)
        if where:
            memory.reason = f"The target is {where}, so {self.name} lets it go."

    def _see(self, memory: ReachMemory, spot: Spot | None, dt: float) -> None:
        """Keep the target, and what is left of its jumps."""
        halflife = self.config.ease
        if dt <= 0.0:
            memory.velocity = None
            memory.offset = memory.offset_speed = memory.turn_offset = memory.turn_speed = NONE
            memory.spot = spot or memory.spot
            return
        memory.offset, memory.offset_speed = _less(memory.offset, memory.offset_speed, halflife, dt)
        memory.turn_offset, memory.turn_speed = _less(memory.turn_offset, memory.turn_speed, halflife, dt)
        if spot is None:
            memory.velocity = None
            return
        before = memory.spot
        memory.spot = spot
        if before is None or memory.hold <= 1.0 - WHOLE:
            memory.velocity = None
            memory.offset = memory.offset_speed = memory.turn_offset = memory.turn_speed = NONE
            return
        self._compare(memory, before, spot, dt)

    def _compare(self, memory: ReachMemory, before: Spot, spot: Spot, dt: float) -> None:
        """Leave an offset behind where the target is not where it was going."""
        speed = Vector(memory.velocity or NONE)
        moved = (spot.x - before.x, spot.y - before.y, spot.z - before.z)
        off = speed * dt - Vector(moved)
        now, last = Quaternion(spot.turn), Quaternion(before.turn)
        if Vector(rotation_offset(last, now)).length > FLIP * dt:
            memory.turn_offset = rotation_offset(with_offset(last, memory.turn_offset), now)
        if off.length > JUMP * dt * self.size / 0.9:
            memory.offset = triple(Vector(memory.offset) + off)
        else:
            memory.velocity = triple(Vector(moved) / dt)

    def _take(self, memory: ReachMemory, holds: bool, dt: float) -> None:
        """Ease into a hold or out of it; all at once where nothing was before.

        What is wished at a frame holds from there on, so that it comes alike at any number of frames a second.
        """
        goal = memory.wanted
        memory.wanted = 1.0 if holds else 0.0
        if dt <= 0.0 or self.config.ease <= 0.0:
            memory.hold, memory.hold_speed = memory.wanted, 0.0
            return
        hold, speed = spring(memory.hold, memory.hold_speed, goal, self.config.ease, dt)
        if abs(hold - goal) < 1.0 - WHOLE:
            hold, speed = goal, 0.0
        memory.hold, memory.hold_speed = min(1.0, max(0.0, hold)), speed


def suited_limb(rig: Rig) -> str:
    """The limb that reaches where none is named: the right hand, else the foremost right foot; empty for none."""
    known = limbs_of(rig)
    named = ["hand.R", *(name for name in known if name.endswith(".R")), *known]
    return next((name for name in named if name in known), "")


def _less(offset: Triple, speed: Triple, halflife: float, dt: float) -> tuple[Triple, Triple]:
    """What is left of an offset, and its speed."""
    if offset == NONE:
        return NONE, NONE
    (x, y, z), (u, v, w) = sprung(offset, speed, halflife, dt)
    return ((x, y, z), (u, v, w)) if max(abs(x), abs(y), abs(z)) > OVER else (NONE, NONE)


def _in_model(memory: ReachMemory, spot: Spot, moment: Moment) -> tuple[Vector, Quaternion]:
    """The target as shown, in model space. Differences first: places in the world may be far from its origin."""
    ground = moment.ground
    away = Vector((spot.x - ground.x, spot.y - ground.y, spot.z - ground.z)) + Vector(memory.offset)
    turn = moment.to_model.to_quaternion()
    return turn @ away, turn @ with_offset(Quaternion(spot.turn), memory.turn_offset)
