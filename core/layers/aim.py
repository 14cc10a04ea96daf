"""Aim: a chain of bones turns so that an axis of its last one points at a target: an arm, a weapon, a spine, a tail."""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, degrees, log, pi, radians, tau
from typing import Literal

from mathutils import Quaternion, Vector

from ..control.intent import LayerInput
from ..ik.aim import ACROSS, TurnedChain, settle, shared, summed
from ..ik.swing import aim as arc
from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.copying import copier
from ..space.curves import share_of, smoothstep
from ..space.dampers import kept_share
from ..space.settings import setting
from .aim_chain import named_chain
from .layer import Moment
from .pursuit import chase, fade, given_up, own_change
from .targets import SeenPlace, Sight, Triple, seen_at, sight_of

Axis = Literal["FACING", "X", "Y", "Z", "-X", "-Y", "-Z"]
FACING = Vector((0.0, -1.0, 0.0))
# A target that is nearer to the first joint than these shares of the way from there to the last one is aimed at more and
# more, and at last, by the last bone alone.
NEAR_BY = 1.5, 1.0
# Nearer to the last joint than this share of the leg there is no direction to aim in.
NEAR = 0.01
# A rest pose's axis that is this much against the facing (the cosine) is behind, as a tail is.
BEHIND = -0.5
# Seconds in which what the chain does on the whole comes half of the way to what it does: steps swing it, and do not
# count.
ON_THE_WHOLE = 1.0
# What is opposite to the pose has no way round: from here on it is turned to less and less, radians.
OPPOSITE = radians(160.0)
# An aim is off its target from this angle on: too near, it cannot be met.
OFF = radians(0.5)
NONE: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class AimConfig:
    """Settings of an aim layer."""

    first: str = setting(
        "",
        "What aims: a role (arm.L, arm.R, spine, neck, tail) or the first bone of a chain, nearest the body; empty "
        "takes the right arm, else the neck with its head, else the spine",
    )
    last: str = setting(
        "", "The bone whose axis points at the target, a weapon held in the hand for one; empty takes the role's last"
    )
    axis: Axis = setting(
        "Y",
        "The last bone's axis that points at the target; Y is along the bone, FACING the way the body faces at rest",
    )
    balance: float = setting(
        -1.0,
        "Where in the chain the turn is made: -1 all at its first bone, as an arm that keeps its elbow, 0 evenly, "
        "1 all at its last",
        low=-1.0,
        high=1.0,
    )
    limit: float = setting(
        radians(100.0),
        "How far it turns away from what the pose does; a target further round is aimed at as far as that",
        unit="deg",
        low=0.0,
        high=pi,
    )
    give_up: float = setting(
        radians(150.0),
        "A target further round than this is let go: from the body's front, and from where the chain points on the "
        "whole. What points backward at rest, as a tail does, may aim behind",
        unit="deg",
        low=0.0,
        high=pi,
    )
    chase: float = setting(
        log(2.0) / 8.0,
        "Seconds in which it makes half of the way to a target that moved; at 0 it is there at once",
        low=0.0,
        high=2.0,
    )
    fade: float = setting(
        log(2.0) / 4.0, "Seconds in which it half turns to a first target, or half lets go", low=0.0, high=4.0
    )
    turn_speed: float = setting(
        radians(360.0), "The highest speed of the turn, degrees a second", unit="deg", low=radians(10.0), high=4.0 * tau
    )


@dataclass(slots=True)
class AimMemory:
    """What an aim remembers, model space: where its target is, how far (radians, as a rotation's vector) and how fast
    the chain is off it, how far round the target was (-1: nothing was), and whether it is given up. `whole` is where
    the pose points on the whole, `wrist` how much of the turn the last bone makes by itself for what is near.
    """

    seen: SeenPlace | None = None
    aim: Triple = NONE
    offset: Triple = NONE
    speed: Triple = NONE
    fade: float = 0.0
    fade_speed: float = 0.0
    far: float = -1.0
    whole: Triple = NONE
    wrist: float = 0.0
    dropped: bool = False
    reason: str = ""

    def copy(self) -> AimMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(AimMemory)


class Aim:
    """The aim of one chain."""

    def __init__(self, rig: Rig, config: AimConfig, own: frozenset[int] | None = None) -> None:
        self.rig = rig
        self.config = config
        self.bones, self.problems = named_chain(rig, config.first, config.last)
        if own is not None and own.issuperset(self.bones[-1:]):
            self.bones = tuple(i for i in self.bones if i in own)
        self.near = NEAR * max(rig.leg_length, 1e-3)
        self.parts = _parts(len(self.bones), config.balance)
        self.axis = _axis(rig, self.bones[-1], config.axis) if self.bones else FACING
        rest = rig.skeleton.bones[self.bones[-1]].rest.to_quaternion() @ self.axis if self.bones else FACING
        self.backward = rest.dot(FACING) < BEHIND

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The chain's bones; no locations."""
        return tuple(sorted(self.bones)), ()

    def within(self, bones: frozenset[int]) -> Aim:
        """The same that turns none but these bones, and still points where it should if the last is among them."""
        return Aim(self.rig, self.config, bones)

    def start(self) -> AimMemory:
        """Nothing seen yet."""
        return AimMemory()

    def apply(self, pose: EditedPose, memory: AimMemory, moment: Moment, wish: LayerInput) -> None:
        """Turn the chain to the target."""
        memory.reason = ""
        spot = wish.spot if wish.on else None
        if not self.bones or (spot is None and memory.fade <= 0.0):
            memory.seen, memory.whole = None, NONE
            return
        sight = None if spot is None else sight_of(spot, memory.seen, moment)
        last = pose.model(self.bones[-1])
        now = last.to_quaternion() @ self.axis
        chain = TurnedChain([pose.head(i) for i in self.bones], last.to_translation())
        if sight is not None:
            memory.wrist = _wrist(chain, sight.place)
        held = self._chase(chain, now, memory, sight, moment.dt)
        turn = self._turn(now, memory)
        if held and sight is not None:
            turn = self._settled(chain, now, memory, sight.place)
        if memory.fade > 0.0:
            before = [pose.turn(i) for i in self.bones]
            for i, share, was in zip(self.bones, self._shared(turn, memory), before, strict=True):
                pose.set_turn(i, share @ was)
        memory.seen = seen_at(spot, sight) if held and spot is not None and sight is not None else None

    def _chase(self, chain: TurnedChain, now: Vector, memory: AimMemory, sight: Sight | None, dt: float) -> bool:
        """Bring memory to this frame; True while the target is held."""
        change = NONE
        end = chain.moved_end(self._shared(self._turn(now, memory), memory)) if memory.fade > 0.0 else chain.end
        held, since = (False, dt) if sight is None else self._holds(chain, now, memory, sight.place, dt)
        if since < dt:
            self._go_on(now, memory, NONE, dt - since, held=not held)
        if sight is None:
            memory.far = -1.0
        elif held:
            change = self._meet(end, now, memory, sight)
        self._go_on(now, memory, change, since, held=held)
        return held

    def _go_on(self, now: Vector, memory: AimMemory, change: Triple, dt: float, *, held: bool) -> None:
        """Let `dt` pass while the target is held, or is not."""
        if held and memory.fade >= 1.0 and change == memory.offset == memory.speed == NONE:
            return
        most, halflife = self.config.turn_speed, self.config.chase
        (x, y, z), (u, v, w) = chase(memory.offset, memory.speed, change, halflife, most, dt)
        memory.offset, memory.speed = (x, y, z), (u, v, w)
        angle = now.angle(_off(memory), 0.0)
        memory.fade, memory.fade_speed = fade(
            memory.fade, memory.fade_speed, on=held, angle=angle, halflife=self.config.fade, most=most, dt=dt
        )

    def _meet(self, end: Vector, now: Vector, memory: AimMemory, sight: Sight) -> Triple:
        """Take the target's new place as the aim; by which turn it itself went on since the frame before."""
        pointed = _off(memory)
        goal = self._goal(sight.place - end, now)
        if goal is None:
            return NONE
        memory.aim = goal.to_tuple()
        if memory.fade <= 0.0:
            memory.offset = memory.speed = NONE
            return NONE
        if sight.in_scene is None or sight.beside is None:
            memory.offset = _vector(arc(goal, pointed, ACROSS))
            return NONE
        if sight.place in (sight.in_scene, sight.beside):
            return NONE
        was = (self._goal(place - end, now) or goal for place in (sight.in_scene, sight.beside))
        scene, body = (_vector(arc(before, goal, ACROSS)) for before in was)
        x, y, z = (own_change(a, b) for a, b in zip(scene, body, strict=True))
        return x, y, z

    def _holds(
        self, chain: TurnedChain, now: Vector, memory: AimMemory, place: Vector, dt: float
    ) -> tuple[bool, float]:
        """True while the target is not too far round, and for how long of this frame, seconds.

        It is judged by the body's front and by what the chain does on the whole: an arm that swings as the body walks
        must not take a target and let it go with each step.
        """
        before = Vector(memory.whole)
        whole = before.lerp(now, 1.0 - kept_share(ON_THE_WHOLE, dt)) if dt > 0.0 and before.length > 0.0 else now
        memory.whole = whole.to_tuple()
        if (place - chain.end).length < self.near:
            memory.reason = "The target is where the aim begins, so there is no direction to aim in."
            return memory.fade > 0.0 and not memory.dropped, dt
        line = place - chain.first
        far = max(whole.angle(line, 0.0), 0.0 if self.backward else FACING.angle(line, 0.0))
        memory.dropped, since = given_up(memory.dropped, far, memory.far, self.config.give_up, dt)
        memory.far = far
        if memory.dropped:
            memory.reason = f"The target is too far round to aim at ({degrees(far):.0f} degrees)."
        return not memory.dropped, since

    def _goal(self, line: Vector, now: Vector) -> Vector | None:
        """The direction to aim in: along a line, but not further round than the limit; None for no line."""
        if line.length < self.near:
            return None
        goal, limit = line.normalized(), self.config.limit
        angle = acos(min(1.0, max(-1.0, now.dot(goal))))
        if angle > limit:
            limit *= 1.0 - smoothstep(share_of(angle, OPPOSITE, pi))
            goal = Quaternion().slerp(arc(now, goal, ACROSS), limit / angle) @ now
        return goal

    def _turn(self, now: Vector, memory: AimMemory) -> Quaternion:
        """The turn from where the pose points, as far as it is faded in."""
        turn = arc(now, _off(memory), ACROSS)
        return turn if memory.fade >= 1.0 else Quaternion().slerp(turn, memory.fade)

    def _shared(self, turn: Quaternion, memory: AimMemory) -> list[Quaternion]:
        """What each bone turns by: more and more of it the last one, the nearer the target is."""
        kept = 1.0 - memory.wrist
        return shared(turn, (*(part * kept for part in self.parts[:-1]), *self.parts[-1:]))

    def _settled(self, chain: TurnedChain, now: Vector, memory: AimMemory, place: Vector) -> Quaternion:
        """The turn with which the target is in line with the axis, from where the turn takes the last joint."""

        def found(tried: Vector) -> Vector:
            memory.aim = tried.to_tuple()
            return self._goal(place - chain.moved_end(self._shared(self._turn(now, memory), memory)), now) or tried

        aimed, off = settle(found, Vector(memory.aim))
        if off > OFF:
            aimed, off = settle(found, self._as_one(chain, now, place))
        memory.aim = aimed.to_tuple()
        if off > OFF:
            memory.reason = "The target is too near to be aimed at."
        return self._turn(now, memory)

    def _as_one(self, chain: TurnedChain, now: Vector, place: Vector) -> Vector:
        """Where the axis points if the chain turns as one about its first joint, until the target is on the axis."""
        arm, line = chain.end - chain.first, place - chain.first
        along = arm.dot(now)
        room = along * along - arm.length_squared + line.length_squared
        reached = arm + now * (max(room, 0.0) ** 0.5 - along)
        if min(reached.length, line.length) < self.near:
            return now
        return self._goal(arc(reached.normalized(), line.normalized(), ACROSS) @ now, now) or now


def _wrist(chain: TurnedChain, place: Vector) -> float:
    """How much of the turn the last bone makes by itself: a chain that turns as one cannot aim at what is within it."""
    return smoothstep(
        share_of(-(place - chain.first).length, *(-each * (chain.end - chain.first).length for each in NEAR_BY))
    )


def _off(memory: AimMemory) -> Vector:
    """Where the chain points once faded in: off its aim by what it still has to catch up."""
    offset = Vector(memory.offset)
    angle = offset.length
    return Quaternion(offset, angle) @ Vector(memory.aim) if angle > 0.0 else Vector(memory.aim)


def _vector(turn: Quaternion) -> Triple:
    """A turn as its axis times its angle."""
    return turn.to_exponential_map().to_tuple()


def _parts(count: int, balance: float) -> tuple[float, ...]:
    """Each bone's part of the turn, counted up from the first."""
    if not count:
        return ()
    shares = [(1.0 - abs(balance)) / count] * count
    shares[-1 if balance > 0.0 else 0] += abs(balance)
    return summed(shares)


def _axis(rig: Rig, bone: int, axis: Axis) -> Vector:
    """The axis that points, in the bone's own axes."""
    if axis == "FACING":
        return rig.skeleton.bones[bone].rest.to_quaternion().inverted() @ FACING
    along = Vector((float(axis[-1] == "X"), float(axis[-1] == "Y"), float(axis[-1] == "Z")))
    return -along if axis.startswith("-") else along
