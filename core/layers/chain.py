"""A tail, a neck, a trunk or a tentacle that brings its tip to a target.

The chain starts each frame from the motion below and from how it was bent the frame before: its own curl and wag stay,
and the side that it bends to does not swap. A target that jumps is swung over to along a circle about the root, and
taken hold of and let go of in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, hypot, isfinite
from typing import Literal

from mathutils import Quaternion, Vector

from ..control.intent import LayerInput
from ..ik.ccd import Cone
from ..ik.chain import Effort
from ..ik.chain_bones import BoneChain, bones_between, joints_of, lay_bones, solve_bones, widened
from ..ik.swing import aim, soft_distance
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from ..space.copying import copier
from ..space.curves import share_of
from ..space.dampers import LN2, kept_share
from ..space.inertialization import Row, rotation_offset, sprung, with_offset
from ..space.rigid import Triple
from ..space.settings import setting
from ..space.vectors import triple
from .layer import Moment
from .masks import nearer

Solver = Literal["FABRIK", "CCD"]
Side = Literal["ANY", "UP", "DOWN", "FRONT", "BACK", "LEFT", "RIGHT"]
SIDES: dict[Side, Triple] = {
    "UP": (0.0, 0.0, 1.0),
    "DOWN": (0.0, 0.0, -1.0),
    "FRONT": (0.0, -1.0, 0.0),
    "BACK": (0.0, 1.0, 0.0),
    "LEFT": (1.0, 0.0, 0.0),
    "RIGHT": (-1.0, 0.0, 0.0),
}
NOTHING: Row = (0.0, 0.0, 0.0, 0.0)
NO_TURN = Quaternion().freeze()
# Turns under this (radians) do not show; a chain that was let go and bends no more than that is left to the motion.
OVER = 1e-4
# A tip nearer to its root than this share of the length has no direction.
CLOSED = 1e-4
# How a chain bends depends on the way that it took: at few frames a second it goes in steps of about this, seconds.
STEP = 1.0 / 60.0
# What a tip has to miss by to be told: metres, and a share of the length.
MISSED, MISSED_SHARE = 0.01, 0.01
# A neck of fewer bones bends too sharply to be brought to a target unasked: the head would hang off the shoulders.
LONG_NECK = 3
# How near to its target a tip is brought: a share of the chain's length, and at most metres.
NEAR_SHARE, NEAR = 1e-4, 5e-4


@dataclass(frozen=True, slots=True)
class ChainConfig:
    """Which chain, and how it is brought to its target."""

    chain: str = setting(
        "",
        "The role of the chain, such as tail, tail2 or neck (with the head); empty takes the tail, else a neck of "
        "three bones or more",
    )
    first_bone: str = setting("", "The first bone of a chain of your own; with the last bone it goes before the role")
    last_bone: str = setting("", "The last bone of a chain of your own, whose tip comes to the target")
    solver: Solver = setting(
        "FABRIK", "FABRIK lets the chain bend freely; CCD keeps each joint within its limits, and may stay short for it"
    )
    keep_shape: float = setting(
        0.9,
        "How much the chain moves as a whole and keeps its curl (FABRIK only); at 0 the tip leads and bends most",
        low=0.0,
        high=1.0,
    )
    bulge: Side = setting("ANY", "Which way the chain bulges (FABRIK only); ANY keeps the side that the motion has")
    inner: float = setting(0.0, "The tip comes no nearer to the root than this share of the length", low=0.0, high=0.9)
    outer: float = setting(1.0, "The tip goes no farther than this share of the length", low=0.1, high=1.0)
    softness: float = setting(
        0.05, "The last share of the way out that is eased; at 0 the chain snaps straight", low=0.0, high=0.5
    )
    base_swing: float = setting(
        1.5707963, "How far the first joint leans from rest (CCD only)", unit="deg", low=0.0, high=3.1415927
    )
    swing: float = setting(
        0.7853982, "How far every other joint leans from rest (CCD only)", unit="deg", low=0.0, high=3.1415927
    )
    twist: float = setting(
        0.3490659, "How far a joint turns about its own bone (CCD only)", unit="deg", low=0.0, high=3.1415927
    )
    iterations: int = setting(
        8, "Sweeps of the solver at most; more come nearer within tight limits and cost more", low=1, high=64
    )
    ease: float = setting(
        0.12,
        "How fast it takes hold, lets go and follows a jump; at 0 the tip jumps along",
        unit="s",
        low=0.0,
        high=5.0,
    )
    quickest: float = setting(
        8.0,
        "The speed up to which it follows at once, chain lengths a second; what is faster is a jump",
        low=0.1,
        high=100.0,
    )
    recover: float = setting(
        0.5,
        "How fast the shape of the motion below comes back into the chain; at 0 it is bent anew each frame, and may "
        "swap the side that it bends to",
        unit="s",
        low=0.0,
        high=10.0,
    )


@dataclass(slots=True)
class ChainMemory:
    """What a chain remembers: where it was to go, what is left of jumps, and how each bone was turned from the motion.

    `goal` is relative to the chain's root, model space, None before the first frame. `offset` is a turn (axis times
    angle) and a distance (metres) that are added to it while they die out at `rates` a second. `turns` are in each
    bone's rest frame under its parent. `let_go` is how long ago it was let go, seconds. `below` is how the motion below
    turned the bones at the frame before.
    """

    reason: str = ""
    goal: Triple | None = None
    offset: Row = NOTHING
    rates: Row = NOTHING
    turns: tuple[Quaternion, ...] = ()
    let_go: float = 0.0
    below: tuple[Quaternion, ...] = ()

    def copy(self) -> ChainMemory:
        """An independent copy, to go back to."""
        return _copied(self)


_copied = copier(ChainMemory)


class ChainLayer:
    """A chain of one rig that reaches for a spot. Immutable."""

    def __init__(self, rig: Rig, config: ChainConfig) -> None:
        self.bones, self.problems = chain_bones(rig, config)
        self.config = config
        skeleton = rig.skeleton
        joints = joints_of(EditedPose.rest(skeleton), self.bones) if self.bones else []
        self.length = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
        if self.bones and self.length <= 0.0:
            name = skeleton.bones[self.bones[0]].name
            self.problems = (Problem(name, "The chain has no length.", "Choose bones that lie one after another."),)
            self.bones = ()
        limits: tuple[Cone, ...] = ()
        if config.solver == "CCD":
            limits = (Cone(config.base_swing, config.twist),) + (Cone(config.swing, config.twist),) * (
                len(self.bones) - 1
            )
        self.chain = BoneChain(
            self.bones,
            Effort(config.iterations, min(NEAR_SHARE * self.length, NEAR)),
            limits,
            keep=1.0 if limits else config.keep_shape,
            pole=SIDES.get(config.bulge),
        )
        self.name = skeleton.bones[self.bones[-1]].name if self.bones else ""

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The chain's bones turn; none is moved."""
        return self.bones, ()

    def start(self) -> ChainMemory:
        """A memory that has seen nothing yet."""
        return ChainMemory()

    def apply(self, pose: EditedPose, memory: ChainMemory, moment: Moment, wish: LayerInput) -> None:
        """Bend the chain to where its target is, or was on its way from; let go, it comes back to the motion below."""
        memory.reason = ""
        if not self.bones:
            return
        below = [pose.rotations[i] for i in self.bones]
        root = pose.head(self.bones[0])
        asked = self._asked(moment, wish, root)
        if asked is None:
            self._let_go(pose, memory, below, moment.dt)
            return
        memory.let_go = 0.0
        chain = widened(pose, self.chain) if self.chain.limits else self.chain
        wanted = self._bounded(asked)
        if moment.dt <= 0.0:
            memory.goal, memory.offset, memory.rates, memory.turns = wanted, NOTHING, NOTHING, ()
            memory.below = tuple(below)
        steps = max(1, ceil(moment.dt / STEP - 0.1)) if self.config.recover > 0.0 else 1
        before, goal, dt, error = memory.below or below, memory.goal or wanted, moment.dt / steps, 0.0
        for step in range(1, steps + 1):
            base, part = below, step / steps
            if step < steps:
                base = [nearer(a, b, part) for a, b in zip(before, below, strict=True)]
            error = self._step(pose, memory, chain, base, between(goal, wanted, part), dt)
        memory.below = tuple(below)
        self._report(memory, error + abs(hypot(*asked) - hypot(*wanted)))

    def _step(
        self,
        pose: EditedPose,
        memory: ChainMemory,
        chain: BoneChain,
        below: Sequence[Quaternion],
        goal: Triple,
        dt: float,
    ) -> float:
        """Bend on from how the chain was bent before; how far its tip is from where it is to be now, metres."""
        memory.turns = recalled(memory.turns, kept_share(self.config.recover, dt) if dt > 0.0 else 0.0)
        self._lay(pose, memory.turns, below)
        root = pose.head(self.bones[0])
        if dt > 0.0:
            self._follow(memory, triple(pose.tail(self.bones[-1]) - root), goal, dt)
        answer = solve_bones(pose, chain, root + Vector(self._shown(memory)))
        lay_bones(pose, self.bones, answer.turns)
        pairs = zip(self.bones, below, strict=True)
        memory.turns = tuple([pose.rotations[i] @ rotation.inverted() for i, rotation in pairs])
        return answer.error

    def _let_go(self, pose: EditedPose, memory: ChainMemory, below: Sequence[Quaternion], dt: float) -> None:
        """Come back to the motion below from a standstill, as on a spring; then leave it to itself."""
        kept = 0.0
        if dt > 0.0 and self.config.ease > 0.0:
            rate = 2.0 * LN2 / self.config.ease
            kept = exp(-rate * dt) * (1.0 + rate * (memory.let_go + dt)) / (1.0 + rate * memory.let_go)
        memory.goal, memory.offset, memory.rates, memory.below = None, NOTHING, NOTHING, ()
        memory.turns = recalled(memory.turns, kept)
        memory.let_go = memory.let_go + dt if memory.turns else 0.0
        self._lay(pose, memory.turns, below)

    def _lay(self, pose: EditedPose, turns: Sequence[Quaternion], below: Sequence[Quaternion]) -> None:
        """The motion below with these turns on it; none leave it as it is."""
        for k, (i, rotation) in enumerate(zip(self.bones, below, strict=True)):
            pose.set_basis(i, turns[k] @ rotation if turns else rotation, pose.locations.get(i))

    def _report(self, memory: ChainMemory, missing: float) -> None:
        """Say how much the tip misses its target by, metres, where it does."""
        if missing > max(MISSED, MISSED_SHARE * self.length):
            memory.reason = f"The tip of {self.name} is {100.0 * missing:.0f} cm short of its target."

    def _asked(self, moment: Moment, wish: LayerInput, root: Vector) -> Triple | None:
        """The target relative to the chain's root, model space; None while it is to let go, or has none."""
        if not wish.on or wish.spot is None or not all(map(isfinite, wish.spot[:3])):
            return None
        return triple(moment.to_model @ Vector(wish.spot[:3]) - root)

    def _bounded(self, asked: Triple) -> Triple:
        """The target, or as near to it as the chain may come."""
        config, distance = self.config, hypot(*asked)
        allowed = soft_distance(distance, config.outer * self.length, config.softness)
        allowed = max(allowed, min(config.inner, config.outer) * self.length)
        share = allowed / distance if distance > CLOSED * self.length else 1.0
        return asked[0] * share, asked[1] * share, asked[2] * share

    def _follow(self, memory: ChainMemory, tip: Triple, wanted: Triple, dt: float) -> None:
        """Go on to a goal, first of all from where the tip is.

        A way that is more than the chain can follow is a jump, and dies out as an offset; so is the first one.
        """
        most = 0.0 if memory.goal is None else self.config.quickest * dt
        *turn, far = memory.offset
        was, now = Vector(memory.goal or tip), Vector(wanted)
        if min(was.length, now.length) > CLOSED * self.length:
            way = aim(now.normalized(), was.normalized(), Vector((0.0, 0.0, 1.0)))
            back = nearer(NO_TURN, way, 1.0 - followed(hypot(*rotation_offset(way, NO_TURN)), most))
            if back != NO_TURN:
                turn = list(rotation_offset(with_offset(back, (turn[0], turn[1], turn[2])), NO_TURN))
        step = now.length - was.length
        far -= step * (1.0 - followed(abs(step), most * self.length))
        offset = (turn[0], turn[1], turn[2], far)
        memory.offset, memory.rates = sprung(offset, memory.rates, self.config.ease, dt)
        memory.goal = wanted

    def _shown(self, memory: ChainMemory) -> Triple:
        """The goal with what is left of jumps, relative to the chain's root."""
        x, y, z, far = memory.offset
        goal = Vector(memory.goal or (0.0, 0.0, 0.0))
        distance = goal.length
        if distance <= CLOSED * self.length:
            goal, distance = Vector((0.0, 0.0, CLOSED * self.length)), CLOSED * self.length
        turned = with_offset(NO_TURN, (x, y, z)) @ goal
        return triple(turned * (max(distance + far, 0.0) / distance))


def recalled(turns: Sequence[Quaternion], kept: float) -> tuple[Quaternion, ...]:
    """What is left of turns; none where nothing of them shows any more."""
    left = tuple([nearer(NO_TURN, turn, kept) for turn in turns]) if kept > 0.0 else ()
    return left if any(hypot(turn.x, turn.y, turn.z) > 0.5 * OVER for turn in left) else ()


def followed(step: float, most: float) -> float:
    """The share of a step that is followed at once: all of it up to `most`, nothing of twice as much."""
    return 1.0 - share_of(step, most, 2.0 * most)


def between(a: Triple, b: Triple, share: float) -> Triple:
    """A place a share of the way from one to another."""
    return tuple([x + (y - x) * share for x, y in zip(a, b, strict=True)])  # type: ignore[return-value]


def chain_bones(rig: Rig, config: ChainConfig) -> tuple[tuple[int, ...], tuple[Problem, ...]]:
    """The bones of the chain that the settings name, root first, and what is wrong with them."""
    skeleton = rig.skeleton
    if config.first_bone or config.last_bone:
        for name in (config.first_bone, config.last_bone):
            if name not in skeleton.index:
                reason = f"The chain's bone {name!r} is not in this rig." if name else "The chain has only one end."
                return (), (Problem(name, reason, "Name its first and its last bone."),)
        bones = bones_between(skeleton, skeleton.index[config.first_bone], skeleton.index[config.last_bone])
        if not bones:
            reason = f"It does not hang on {config.first_bone}, so that there is no chain between them."
            return (), (Problem(config.last_bone, reason, "Name a first bone that carries the last one."),)
        return bones, ()
    neck = (*rig.neck, *((rig.head,) if rig.head >= 0 else ()))
    if not config.chain:
        bones = rig.tails[0] if rig.tails else neck if len(rig.neck) >= LONG_NECK else ()
    elif config.chain == "neck":
        bones = neck
    else:
        bones = tuple(skeleton.index[name] for name in rig.roles.get(config.chain, ()))
    if bones and all(skeleton.bones[b].parent == a for a, b in zip(bones, bones[1:], strict=False)):
        return tuple(bones), ()
    whole = bones_between(skeleton, bones[0], bones[-1]) if bones else ()
    if whole:
        return whole, ()
    missing = f"has no {config.chain}" if config.chain else "has neither a tail nor a long neck"
    return (), (Problem("", f"This rig {missing}, so that its chain layer moves nothing.", REMEDY),)


REMEDY = "Name the first and the last bone of a chain, or take the layer away."
