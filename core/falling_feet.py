"""Feet that stand where physics has left them: when a body is its motion's again, the plan takes up what there is."""

from __future__ import annotations

from math import atan2, cos, dist, hypot, sin
from typing import TYPE_CHECKING

from mathutils import Quaternion, Vector

from .gait.foot import rotation_at
from .gait.frame import slope_vector
from .gait.memory import FootMemory, GaitMemory
from .ragdoll.balance import place_in, turn_in
from .ragdoll.plan import RagdollPlan
from .rig.rig import Leg
from .space.rigid import Frame, Triple, after, undone
from .space.vectors import quadruple
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory

FAR = 0.2
"""A foot that physics has so many legs from where it is meant to stand is left to its next step."""
LIFTED = 0.05
"""So is one that is so many legs over its ground."""


def take_up_feet(
    character: Character, memory: Memory, plan: RagdollPlan, bodies: tuple[float, ...], world: World
) -> tuple[int, ...]:
    """Let planted feet stand where `bodies` have them, so that none slides to where it was planned. Those that do."""
    if not isinstance(memory.gait, GaitMemory) or len(memory.gait.feet) != len(character.rig.legs):
        return ()
    taken = []
    for i, (leg, foot) in enumerate(zip(character.rig.legs, memory.gait.feet, strict=True)):
        place = _body_of(plan, leg)
        if not foot.planted or not foot.hold.grounded or place < 0:
            continue
        if _take_up(character, memory, i, foot, _stands(character, plan, bodies, place, i), world):
            taken.append(i)
    return tuple(taken)


def _body_of(plan: RagdollPlan, leg: Leg) -> int:
    """The solid of a leg's foot; -1 where it has none."""
    bone = leg.foot if leg.foot >= 0 else leg.bones[-1]
    return next((k for k, body in enumerate(plan.bodies) if bone in body.bones), -1)


def _stands(character: Character, plan: RagdollPlan, bodies: tuple[float, ...], k: int, i: int) -> tuple[Triple, float]:
    """Where the ball of a foot is, world, and the heading of the foot."""
    x, y, z = character.gait.shape.legs[i].ball
    rest, turn = plan.bodies[k].rest, turn_in(bodies, k)
    ball = Frame(place_in(bodies, k), turn).to_scene(rest.from_scene((x, y, z + character.rig.floor)))
    moved = Quaternion(after(turn, undone(rest.turn)))
    way = moved @ Vector((0.0, -1.0, 0.0))
    return ball, atan2(way.x, -way.y)


def _take_up(
    character: Character, memory: Memory, i: int, foot: FootMemory, stands: tuple[Triple, float], world: World
) -> bool:
    """Whether it stands where physics has it from now on."""
    (x, y, z), heading = stands
    gait, travel, leg_length = character.gait, memory.travel, character.rig.leg_length
    near = hypot(x - foot.hold.x, y - foot.hold.y) < FAR * leg_length
    if not near or abs(z - foot.hold.z) > LIFTED * leg_length:
        return False
    leg, place = gait.shape.legs[i], travel.place._replace(heading=heading)
    c, s = cos(heading), sin(heading)
    shift = (x - place.x - c * leg.ball[0] + s * leg.ball[1], y - place.y - s * leg.ball[0] - c * leg.ball[1])
    hold = gait.finder.find(world, leg, place, shift, slope_vector(travel), foot.hold)
    if not hold.grounded or dist(hold[:3], (x, y, z)) > FAR * leg_length:
        return False
    foot.hold, foot.ball = hold, hold[:3]
    foot.rotation = quadruple(rotation_at(hold.heading, hold.normal))
    return True
