"""Look-at: chest, neck and head turn to a target so that the head faces it, within what a neck does; eyes go first.

The turn goes from where the pose has the head to the target, so it replaces the pose's own sway of the head instead of
adding to it. Yaw and pitch are taken against the chest's facing, held upright.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, degrees, log, pi, radians, tau
from typing import Literal

from mathutils import Quaternion, Vector

from ..control.intent import LayerInput
from ..ik.aim import AGREED, ROUNDS, Angles, angles_of, better, between
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from ..space.copying import copier
from ..space.curves import share_of, smoothstep
from ..space.settings import setting
from .eyes import AT_REST, EyeMemory, EyePair
from .layer import Moment
from .lead import NO_LEAD, LeadMemory, led, turn_ahead, way_ahead
from .look_chain import Bounds, LookChain, View, bounds_of, look_chain
from .pursuit import AGAIN, chase, fade, given_up, own_change
from .targets import SeenPlace, Sight, Triple, seen_at, sight_of

# A target that passes behind the back changes sides this much past the middle.
BEHIND = radians(20.0)
# Nearer to the eyes than this share of the leg there is no direction to look in.
NEAR = 0.03
# Over and under the pose's limits yaw counts less and less: straight above there is none.
STEEP, OVERHEAD = radians(65.0), radians(88.0)
AHEAD = Angles(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class LookAtConfig:
    """Settings of a look-at layer."""

    bounds: Literal["BODY", "SET"] = setting(
        "BODY",
        "How far the head turns and which bones turn: as suits the BODY, by its legs and the length of its neck, or as "
        "SET below",
    )
    yaw: float = setting(
        radians(75.0),
        "With SET: how far the head turns to either side of the chest's facing; a person's neck does about 75 degrees",
        unit="deg",
        low=0.0,
        high=pi,
    )
    up: float = setting(radians(29.0), "With SET: how far the head looks up", unit="deg", low=0.0, high=radians(89.0))
    down: float = setting(
        radians(40.0), "With SET: how far the head looks down", unit="deg", low=0.0, high=radians(89.0)
    )
    give_up: float = setting(
        radians(110.0),
        "With SET: a target further round than this is let go, and the head comes back to the front; half a turn lets "
        "it look over a shoulder for as long as the target stays behind",
        unit="deg",
        low=0.0,
        high=pi,
    )
    chest: float = setting(
        0.2, "With SET: the chest's share of the turn; on four legs it carries legs and never turns", low=0.0, high=1.0
    )
    neck: float = setting(1.0 / 3.0, "With SET: the neck's share of what the chest leaves", low=0.0, high=1.0)
    chase: float = setting(
        log(2.0) / 8.0,
        "Seconds in which the head makes half of the way to a target that moved; at 0 it is there at once",
        low=0.0,
        high=2.0,
    )
    fade: float = setting(
        log(2.0) / 4.0, "Seconds in which it half turns to a first target, or half lets go", low=0.0, high=4.0
    )
    turn_speed: float = setting(
        radians(180.0), "The highest speed of the head, degrees a second", unit="deg", low=radians(10.0), high=4.0 * tau
    )
    idle: Literal["AHEAD", "POSE"] = setting(
        "AHEAD", "Without a target: the head leads the body into its turns (AHEAD), or is left as the POSE has it"
    )
    lead: float = setting(
        0.4, "Without a target: how many seconds ahead in a turn the head looks; at 0 it faces along", low=0.0, high=2.0
    )
    eyes: bool = setting(True, "Eyes, where the rig has bones for them, turn to the target before the head does")


@dataclass(slots=True)
class LookAtMemory:
    """What a look-at remembers. Angles are radians against the chest's facing.

    `aim` is where the target is (held within limits), `offset` and `speed` how far the head is from that and how fast
    it turns. `side` is the side on which the target is behind the shoulders, `far` how far round it was (-1: nothing
    was), `dropped` while it is given up. `shift` is how far the turn moved the eyes, model space.
    """

    seen: SeenPlace | None = None
    aim: Angles = AHEAD
    offset: Angles = AHEAD
    speed: Angles = AHEAD
    fade: float = 0.0
    fade_speed: float = 0.0
    side: float = 0.0
    far: float = -1.0
    shift: Triple = (0.0, 0.0, 0.0)
    dropped: bool = False
    lead: LeadMemory = NO_LEAD
    eyes: EyeMemory = AT_REST
    reason: str = ""

    def copy(self) -> LookAtMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(LookAtMemory)


class LookAt:
    """The look-at of one rig."""

    def __init__(self, rig: Rig, config: LookAtConfig, own: frozenset[int] | None = None) -> None:
        self.rig = rig
        self.config = config
        chosen = Bounds(config.yaw, config.up, config.down, config.give_up, config.chest, config.neck, config.neck)
        self.bounds = bounds_of(rig) if config.bounds == "BODY" else chosen
        self.chain = look_chain(rig, self.bounds, own)
        self.leg = max(rig.leg_length, 1e-3)
        self.near = NEAR * self.leg
        self.eyes = EyePair(self.chain, self.near) if self.chain and self.chain.eyes and config.eyes else None
        self.problems: tuple[Problem, ...] = ()
        if self.chain is None:
            reason = "This rig has no head that was found, so it cannot look at anything."
            self.problems = (Problem("", reason, "Give a bone the role head in the rig's settings."),)

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The chain's bones and the eyes; no locations."""
        if self.chain is None:
            return (), ()
        eyes = [eye.bone for eye in self.chain.eyes] if self.eyes else []
        return tuple(sorted({*self.chain.bones, *eyes})), ()

    def within(self, bones: frozenset[int]) -> LookAt:
        """The same that turns none but these bones: what the others do not turn, the head does."""
        return LookAt(self.rig, self.config, bones)

    def start(self) -> LookAtMemory:
        """Nothing seen yet."""
        return LookAtMemory()

    def apply(self, pose: EditedPose, memory: LookAtMemory, moment: Moment, wish: LayerInput) -> None:
        """Turn the head to the target."""
        chain = self.chain
        if chain is None:
            return
        memory.reason = ""
        self._lead(pose, chain, memory, moment, on=wish.on and wish.spot is None)
        spot = wish.spot if wish.on else None
        sight = None if spot is None else sight_of(spot, memory.seen, moment)
        held, before = False, memory.fade
        if sight is not None or memory.fade > 0.0:
            held = self._head(pose, chain, memory, moment, sight)
        if self.eyes is not None:
            left = min(1.0, memory.fade / before) if before > 0.0 else 0.0
            memory.eyes = self.eyes.turn(pose, memory.eyes, moment, sight if held else None, left)
        memory.seen = seen_at(spot, sight) if held and spot is not None and sight is not None else None

    def _lead(self, pose: EditedPose, chain: LookChain, memory: LookAtMemory, moment: Moment, *, on: bool) -> None:
        """Look where the body goes while there is nothing else to look at."""
        goal = 0.0
        if on and self.config.idle == "AHEAD":
            goal = way_ahead(moment, self.config.lead, self.bounds.yaw, self.leg)
        if goal == 0.0 and memory.lead == NO_LEAD:
            return
        memory.lead = led(memory.lead, goal, moment.dt)
        if memory.lead != NO_LEAD:
            turn_ahead(pose, chain, memory.lead)

    def _head(
        self, pose: EditedPose, chain: LookChain, memory: LookAtMemory, moment: Moment, sight: Sight | None
    ) -> bool:
        """Turn chest, neck and head; True while the target is held."""
        view = chain.view(pose)
        held = self._chase(view, memory, moment, sight)
        turns = self._turns(view, memory)
        if held and sight is not None:
            turns = self._settled(view, memory, sight.place, turns)
        if memory.fade > 0.0:
            chain.turn(pose, turns)
        return held

    def _settled(self, view: View, memory: LookAtMemory, place: Vector, turns: list[Quaternion]) -> list[Quaternion]:
        """The turns with which the target is where it is looked for, seen from where they take the eyes."""
        before = None
        for _ in range(ROUNDS):
            eye = view.chain.moved_end(turns)
            memory.shift = (eye - view.chain.end).to_tuple()
            seen = self._angles(view, eye, place, memory.side)
            if seen is None:
                break
            found, tried = self._within(seen), memory.aim
            memory.aim = self._within(better(tried, found, before))
            if max(abs(found.yaw - tried.yaw), abs(found.pitch - tried.pitch)) < AGREED:
                break
            before = tried, found
            turns = self._turns(view, memory)
        return turns

    def _turns(self, view: View, memory: LookAtMemory) -> list[Quaternion]:
        """What each bone turns by from where the pose has the head, as far as it is faded in."""
        share, now, (yaw, pitch), (more, higher) = memory.fade, view.facing.start, memory.aim, memory.offset
        yaw, pitch = self._within(Angles(yaw + more, pitch + higher))
        return view.turns(Angles(now.yaw + (yaw - now.yaw) * share, now.pitch + (pitch - now.pitch) * share))

    def _chase(self, view: View, memory: LookAtMemory, moment: Moment, sight: Sight | None) -> bool:
        """Bring memory to this frame: where the target is and how far the head is behind; True while it is held."""
        dt, change = moment.dt, AHEAD
        eye = view.chain.end + Vector(memory.shift) if memory.fade > 0.0 else view.chain.end
        held, since = (False, dt) if sight is None else self._holds(view, memory, sight.place, dt)
        if since < dt:
            self._go_on(view, memory, AHEAD, dt - since, held=not held)
        if sight is None:
            memory.far = -1.0
        elif held:
            change = self._meet(view, eye, memory, sight)
        self._go_on(view, memory, change, since, held=held)
        return held

    def _go_on(self, view: View, memory: LookAtMemory, change: Angles, dt: float, *, held: bool) -> None:
        """Let `dt` pass while the target is held, or is not."""
        if held and memory.fade >= 1.0 and change == memory.offset == memory.speed == AHEAD:
            return
        most, halflife = self.config.turn_speed, self.config.chase
        (yaw, pitch), speed = chase(memory.offset, memory.speed, change, halflife, most, dt)
        memory.offset, memory.speed = Angles(yaw, pitch), Angles(*speed)
        angle = between(view.facing.start, Angles(memory.aim.yaw + yaw, memory.aim.pitch + pitch))
        memory.fade, memory.fade_speed = fade(
            memory.fade, memory.fade_speed, on=held, angle=angle, halflife=self.config.fade, most=most, dt=dt
        )

    def _meet(self, view: View, eye: Vector, memory: LookAtMemory, sight: Sight) -> Angles:
        """Take the target's new place as the aim; how far it itself went round since the frame before."""
        was, seen = memory.aim, self._angles(view, eye, sight.place, memory.side)
        if seen is None:
            return AHEAD
        aim = memory.aim = self._within(seen)
        if memory.fade <= 0.0:
            memory.offset = memory.speed = AHEAD
            return AHEAD
        if sight.in_scene is None or sight.beside is None:
            self._take_again(view, memory, was)
            return AHEAD
        if sight.place in (sight.in_scene, sight.beside):
            return AHEAD
        found = (self._angles(view, eye, place, memory.side) for place in (sight.in_scene, sight.beside))
        scene, body = (aim if angles is None else self._within(angles) for angles in found)
        yaw, pitch = (own_change(a - b, a - c) for a, b, c in zip(aim, scene, body, strict=True))
        return Angles(yaw, pitch)

    def _take_again(self, view: View, memory: LookAtMemory, was: Angles) -> None:
        """Turn to another target, or to this one again, from where the head is on its way back from what it `was` at.

        It goes straight there: half faded, its way would first lead on towards the side that it came from.
        """
        fade, now = memory.fade, view.facing.start
        offsets, speeds = [], []
        for k in (0, 1):
            looked = was[k] + memory.offset[k] - now[k]
            offsets.append(now[k] + fade * looked - memory.aim[k])
            speeds.append(fade * memory.speed[k] + memory.fade_speed * looked)
        memory.offset, memory.speed = Angles(*offsets), Angles(*speeds)
        memory.fade, memory.fade_speed = 1.0, 0.0

    def _holds(self, view: View, memory: LookAtMemory, place: Vector, dt: float) -> tuple[bool, float]:
        """True while the target is not too far round, and for how long of this frame that is so, seconds.

        It is judged from where the pose has the eyes: where they go must not decide whether they go.
        """
        found = self._angles(view, view.chain.end, place, memory.side)
        if found is None:
            memory.reason = "The target is where the eyes are, so there is no direction to look in."
            return memory.fade > 0.0 and not memory.dropped, dt
        far, limit = abs(found.yaw), self.bounds.give_up
        limit = limit if limit < pi - AGAIN else 2.0 * pi
        memory.dropped, since = given_up(memory.dropped, far, memory.far, limit, dt)
        memory.far = far
        memory.side = copysign(1.0, found.yaw) if far > 0.5 * pi and not memory.dropped else 0.0
        if memory.dropped:
            memory.reason = f"The target is too far round to look at ({degrees(far):.0f} degrees)."
        return not memory.dropped, since

    def _angles(self, view: View, eye: Vector, place: Vector, side: float) -> Angles | None:
        """Where a place is seen from an eye; past the back it stays for a while on the side that it came from."""
        line = view.inverse @ (place - eye)
        if line.length < self.near:
            return None
        yaw, pitch = angles_of(line)
        if yaw * side < 0.0 and abs(yaw) > pi - BEHIND:
            yaw += side * tau
        if abs(pitch) > STEEP:
            limit = max(STEEP, self.bounds.up if pitch > 0.0 else self.bounds.down)
            yaw *= 1.0 - smoothstep(share_of(abs(pitch), limit, OVERHEAD))
        return Angles(yaw, pitch)

    def _within(self, angles: Angles) -> Angles:
        """Angles held within the limits."""
        (yaw, pitch), bounds = angles, self.bounds
        if -bounds.yaw <= yaw <= bounds.yaw and -bounds.down <= pitch <= bounds.up:
            return angles
        return Angles(min(bounds.yaw, max(-bounds.yaw, yaw)), min(bounds.up, max(-bounds.down, pitch)))
