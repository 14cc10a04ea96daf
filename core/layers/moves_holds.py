"""What hands and feet of a move hold, frame by frame: each takes hold and lets go in its own time, and is followed.

A state may say that a limb touches from one frame to the next, or that it touches elsewhere: here it becomes a share
that grows and falls no faster than a limb comes and goes, and a place that is caught up with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot, inf
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import Ground
from ..rig.rig import Rig
from ..space.curves import share_of, smoothstep
from ..space.dampers import kept_share
from ..space.inertialization import Fade, fade, fade_now, faded, sprung
from ..space.rigid import Triple
from .moves_carry import FADES
from .moves_keys import KeyPose
from .moves_limbs import Limbs
from .moves_memory import NONE, Held, MovesMemory
from .moves_touching import Goal, lying
from .request import Contact, Move

UP: Triple = (0.0, 0.0, 1.0)
# A limb takes hold, and lets go, within these times, seconds for a 0.9 m leg.
TAKES, LEAVES = 0.25, 0.12
# A weight goes from nothing to all in this time at least, that of a foot which does not stride in the second (seconds).
WEIGHS, LANDS = 0.06, 0.2
# In strides a state's own weight is what eases (seconds).
STRIDES = 0.07
# In a quick move it is no more than this share of it, and no less than so much.
OF_MOVE, QUICKEST = 0.22, 0.08
# A place whose velocity changes by more than this within a frame (metres a second, for a 0.9 m leg) has jumped: its
# limb catches up, by half in this time (seconds).
JUMPS, CATCHES = 2.5, 0.035
# What a limb drew the body by that has let go has half died out after so long, seconds for a 0.9 m leg.
LETS = 0.06
# A hand or foot that is farther from its place than the first share of the leg is swung there by its key pose first: it
# takes hold by so much more slowly from the second on.
NEARBY, OFF, SLOWEST = 0.25, 0.8, 0.2
# One that an edge comes to, as in flight, has no time for that.
HURRIES = 0.9

# A hand that is hooked over an edge by so much (radians) hangs.
HOOKED = 1.0

Stood = Mapping[str, tuple[Vector, Quaternion]]
"""Where the base motion has feet that come back to the ground: places and turns, model space."""


class Moment(NamedTuple):
    """A frame as limbs see it. `keys` is the key pose of a move, None without one, and `lasts` how long that takes,
    seconds; `strides` where it goes round and round on its feet; `done` when nothing dies out.
    """

    ground: Ground
    dt: float
    move: Move | None
    keys: KeyPose | None
    base: Stood
    done: bool
    lasts: float = inf
    strides: bool = False


class Holds:
    """The holds of one rig's limbs. Immutable: what changes is in a MovesMemory."""

    def __init__(self, rig: Rig, limbs: Limbs) -> None:
        self.limbs = limbs
        self.size = rig.leg_length / 0.9
        self.leg = rig.leg_length
        self.tempo = self.size**0.5

    def update(self, pose: EditedPose, memory: MovesMemory, now: Moment) -> None:
        """Let each limb take hold or let go, in its own time, and follow places that jump."""
        wanted = {} if now.move is None or now.keys is None else {c.limb: c for c in now.move.contacts}
        before = {held.limb: held for held in memory.holds}
        went = _three([a - b for a, b in zip(now.ground[:3], memory.stood, strict=True)])
        holds, slowest = [], SLOWEST if now.lasts < inf or now.strides else HURRIES
        for limb in self.limbs.known:
            contact, was = wanted.get(limb), before.get(limb)
            if contact is None and limb in now.base:
                if now.done and (was is None or was.share >= 1.0 - 1e-6):
                    continue
                contact = Contact(limb, self._in_world(now.base[limb][0], now.ground), UP)
            group = "arm" if limb.startswith("hand") else "leg"
            own = {} if now.keys is None else now.keys.get(f"{group}_{limb[-1]}", {})
            weight = 0.0 if contact is None else min(1.0, max(0.0, contact.weight)) * own.get("hold", 1.0)
            contact = contact if own.get("hold", 1.0) > 0.0 else None
            far = 0.0
            if contact is not None and limb not in now.base and now.dt > 0.0:
                far = self._far(pose, memory, limb, contact, now.ground)
            # Feet that come back to the ground come there while the last move's pose dies out.
            takes = FADES * self.tempo if now.base else STRIDES if now.strides else self._takes(now.lasts)
            holding = self._taken(was, contact is not None, takes, now.dt * (1.0 - (1.0 - slowest) * far))
            if holding is not None:
                if was is not None and now.dt > 0.0:
                    weighs = WEIGHS if now.strides or self.limbs.known[limb].is_hand else LANDS
                    most = now.dt / (weighs * self.tempo)
                    weight = min(was.weight + most, max(was.weight - most, weight))
                row = self._followed(was, contact, limb, weight, own.get("hook", 0.0), went, now.dt)
                holds.append(row._replace(hold=holding))
        memory.holds = tuple(holds)

    def _takes(self, lasts: float) -> float:
        """How long a limb takes to have hold in a move that takes so long, seconds."""
        return min(TAKES * self.tempo, max(QUICKEST * self.tempo, OF_MOVE * lasts))

    def _taken(self, was: Held | None, wanted: bool, takes: float, dt: float) -> Fade | None:
        """How a limb takes hold or lets go, as what is left of its way to it; None for one that has let go."""
        goal = 1.0 if wanted else 0.0
        if dt <= 0.0:
            return Fade(0.0, 0.0, 0.0) if wanted else None
        if was is None:
            return faded(fade(-goal, 0.0, takes), dt) if wanted else None
        hold = was.hold
        if wanted != was.wanted:
            left, speed = fade_now(hold)
            left += (1.0 if was.wanted else 0.0) - goal
            hold = fade(left, speed, takes if wanted else LEAVES * self.tempo)
        hold = faded(hold, dt)
        return None if not wanted and hold.elapsed >= hold.seconds else hold

    def _far(self, pose: EditedPose, memory: MovesMemory, limb: str, contact: Contact, ground: Ground) -> float:
        """How far a limb is from a place by the carried key pose: from 0, nearby, to 1, quite elsewhere."""
        own = self._in_world(self.limbs.known[limb].place(pose), ground)
        pairs = zip(own, memory.drawn, contact.place, strict=True)
        away = Vector(tuple(a + b - c for a, b, c in pairs)).length
        return smoothstep(share_of(away, NEARBY * self.leg, OFF * self.leg))

    @staticmethod
    def _in_world(place: Vector, ground: Ground) -> Triple:
        x, y, z = Quaternion(UP, ground.heading) @ place
        return ground.x + x, ground.y + y, ground.z + z

    def _followed(
        self, was: Held | None, contact: Contact | None, limb: str, weight: float, hook: float, went: Triple, dt: float
    ) -> Held:
        """What a limb holds now: the place that is asked for, and what is left of its jumps."""
        if contact is None:
            assert was is not None
            return self._left(was, went, dt)
        place = contact.place
        if was is None or dt <= 0.0:
            return Held(limb, weight, place, contact.normal, contact.along, True, hook)
        offset, speed = was.offset, was.offset_speed
        if any(offset):
            offset, speed = sprung(offset, speed, CATCHES * self.tempo, dt)  # type: ignore[assignment]
        velocity: Triple | None = _three([(b - a) / dt for a, b in zip(was.place, place, strict=True)])
        if was.velocity is not None:
            off = [a + v * dt - b for a, v, b in zip(was.place, was.velocity, place, strict=True)]
            if hypot(*off) > JUMPS * self.tempo * dt:
                # How fast it goes on after a jump is seen in the next frame.
                offset, velocity = _three([a + b for a, b in zip(offset, off, strict=True)]), None
        if max(map(abs, offset)) < 1e-5:
            offset, speed = NONE, NONE
        # A surface that turns under a hand, as at a corner, turns the hand in its own time.
        kept = kept_share(CATCHES * self.tempo, dt)
        normal, along = (
            _three([a + (b - a) * kept for a, b in zip(new, old, strict=True)])
            for new, old in ((contact.normal, was.normal), (contact.along, was.along))
        )
        hook += (was.hook - hook) * kept
        return Held(limb, weight, place, normal, along, True, hook, offset, speed, velocity)

    def _left(self, was: Held, went: Triple, dt: float) -> Held:
        """A limb that lets go: it stays behind less and less, and soon goes with the body."""
        if dt <= 0.0:
            return was._replace(wanted=False)
        kept = kept_share(CATCHES * self.tempo, dt)
        # What it held stood still or went with a surface: seen from the body it went back as fast as that came on.
        behind = was.behind * kept if not was.wanted else kept
        place = _three([a + (1.0 - behind) * b for a, b in zip(was.place, went, strict=True)])
        return was._replace(wanted=False, place=place, behind=behind)

    def goals(self, pose: EditedPose, memory: MovesMemory, ground: Ground, base: Stood) -> list[Goal]:
        """Where each limb belongs that holds something, as far as it is in reach."""
        return self.limbs.near(pose, [self._goal(pose, held, ground, base) for held in memory.holds])

    def _goal(self, pose: EditedPose, held: Held, ground: Ground, base: Stood) -> Goal:
        share = held.share
        if held.limb in base:
            # Only its height: where it goes along the ground follows from the legs that are carried.
            place, turn = base[held.limb]
            own = self.limbs.known[held.limb].place(pose)
            return Goal(held.limb, Vector((own.x, own.y, place.z)), turn, share, held.wanted)
        back = Quaternion(UP, -ground.heading)
        away = zip(held.place, held.offset, ground[:3], strict=True)
        to = back @ Vector(tuple(a + b - c for a, b, c in away))
        limb = self.limbs.known[held.limb]
        lies = lying(limb, pose, back @ Vector(held.normal), back @ Vector(held.along), held.hook)
        hangs = min(1.0, held.hook / HOOKED)
        return Goal(held.limb, to, lies, share, held.wanted, lies is not None, hangs)

    def draw(self, pose: EditedPose, memory: MovesMemory, goals: Sequence[Goal], ground: Ground, dt: float) -> None:
        """Bring the body within reach of what holds; what a limb drew that lets go dies out in its own time."""
        heading = Quaternion(UP, ground.heading)
        now = heading @ self.limbs.missing(pose, goals)
        before, drawing = Vector(memory.drawn), sum(goal.draws for goal in goals)
        if dt > 0.0:
            left, speed = sprung(memory.let, memory.let_speed, LETS * self.tempo, dt)
            if drawing < memory.drawing:
                left, speed = tuple(Vector(left) + before - now), tuple(Vector(speed) + Vector(memory.drawn_speed))
            memory.drawn_speed = _three((now - before) / dt)
            over = max(map(abs, left)) <= 1e-6
            memory.let, memory.let_speed = (NONE, NONE) if over else (_three(left), _three(speed))
        else:
            memory.let = memory.let_speed = memory.drawn_speed = NONE
        memory.drawn, memory.drawing = _three(now), drawing
        self.limbs.shift(pose, heading.inverted() @ (now + Vector(memory.let)))


def _three(values: Sequence[float] | Vector) -> Triple:
    x, y, z = values
    return x, y, z
