"""A body in the air: it pulls its legs up while it rises and reaches for the ground while it falls."""

from __future__ import annotations

from math import hypot, tanh
from typing import TYPE_CHECKING

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from ..space.dampers import damp, kept_share, spring
from ..space.vectors import quadruple, triple
from .foot import UP, rotation_at
from .frame import split_velocity
from .give_way import give_way
from .memory import FootMemory, GaitMemory

if TYPE_CHECKING:
    from .body import BodyMotion

# Shares of the leg: how high the feet are pulled up, how far they part in a running jump.
TUCKED, PARTED = 0.3, 0.3
# The speed up or down (m/s, for a 0.9 m leg) over which legs go from tucked to reaching, and the one ahead at which
# they part all the way.
TURNS_AT, FULL_PART = 2.0, 4.0
# The heel is up by this angle while the feet hang (radians), and by this much more when they have just left.
HANGS, PUSHED = 0.25, 0.5
# What foot and body were when they left the ground has half faded after so long, and a lean, seconds for a 0.9 m leg.
FOOT_FADES, BODY_FADES, LEAN_FADES = 0.07, 0.06, 0.12
UPRIGHT = (0.0, 0.0, 1.0)


class AloftMotion:
    """Feet and body of one shape while it is in the air. Immutable: what changes is in a GaitMemory."""

    def __init__(self, motion: BodyMotion) -> None:
        self.motion = motion
        self.shape = motion.shape

    def tick(self, memory: GaitMemory, travel: Travel, dt: float) -> None:
        """One tick in the air."""
        first = not memory.aloft
        memory.aloft, memory.stepping, memory.rest = True, False, 0.0
        memory.events = (("TAKE_OFF", ""),) if first else ()
        rise = 0.5 + 0.5 * tanh(travel.velocity[2] / (TURNS_AT * self.shape.tempo))
        self._body(memory, travel, dt)
        place, turn = travel.place, Quaternion(UP, travel.place.heading)
        for i, foot in enumerate(memory.feet):
            at = Vector(place[:3]) + turn @ self._goal(i, travel, rise)
            if first:
                foot.elapsed, foot.lift_pitch, foot.carry = 0.0, foot.pitch, triple(Vector(foot.ball) - at)
            self._hang(foot, at, place.heading, rise, dt)

    def _goal(self, i: int, travel: Travel, rise: float) -> Vector:
        """Where the ball of a foot hangs, model space: under its hip, one foot ahead of the other in a running jump."""
        leg, size = self.shape.legs[i], self.shape.leg_length
        ahead = split_velocity(travel)[0] * hypot(travel.velocity[0], travel.velocity[1])
        parts = rise * min(1.0, max(0.0, ahead / (FULL_PART * self.shape.tempo)))
        side = 1.0 if i % 2 == 0 else -1.0
        x, y, z = leg.ball
        return Vector((x, y - PARTED * size * parts * side, z + TUCKED * size * rise))

    def _hang(self, foot: FootMemory, at: Vector, heading: float, rise: float, dt: float) -> None:
        halflife = FOOT_FADES * self.shape.tempo
        kept = kept_share(halflife, dt)
        x, y, z = (part * kept for part in foot.carry)
        foot.carry, foot.ball = (x, y, z), (at.x + x, at.y + y, at.z + z)
        foot.rotation = quadruple(rotation_at(heading, UPRIGHT).slerp(Quaternion(foot.rotation), kept))
        foot.pitch = damp(foot.pitch, HANGS + PUSHED * rise, halflife, dt)
        foot.toe_pitch = damp(foot.toe_pitch, 0.0, halflife, dt)
        foot.hold = foot.hold._replace(heading=heading, grounded=False, anchor=None)
        foot.planted, foot.target, foot.frozen, foot.need = False, None, False, 0.0
        foot.elapsed += dt

    def _body(self, memory: GaitMemory, travel: Travel, dt: float) -> None:
        """Upright, without what gait and ground did to it."""
        body, tempo = memory.body, self.shape.tempo
        kept = kept_share(BODY_FADES * tempo, dt)
        was = (Vector(body.offset), Quaternion(body.rotation))
        for name in ("effort", "bob", "twist", "heave", "pitch", "roll", "bank"):
            setattr(body, name, getattr(body, name) * kept)
        body.heave_speed = body.pitch_speed = body.roll_speed = body.bank_speed = 0.0
        body.lower = self.motion.standing + (body.lower - self.motion.standing) * kept
        body.drops = tuple(drop * kept for drop in body.drops)
        body.drop_speeds = (0.0,) * len(body.drops)
        body.lean, body.lean_speed = spring(body.lean, body.lean_speed, 0.0, LEAN_FADES * tempo, dt)
        give_way(memory, travel, self.shape.leg_length, tempo, dt)
        self.motion.hover(body, was, kept)
