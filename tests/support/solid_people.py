"""Plans of ragdolls made by hand, for machines that need a body but no rig."""

from __future__ import annotations

from math import cos, sin

from surefoot.core.ragdoll.plan import Body, Joint, RagdollPlan
from surefoot.core.space.rigid import NO_TURN, Frame

# Role, limb, parent, share of the mass, where its middle is: a person of 1.75 m and 75 kg.
PERSON = (
    ("pelvis", "body", -1, 0.112, (0.0, 0.0, 0.95)),
    ("spine", "body", 0, 0.163, (0.0, 0.0, 1.12)),
    ("chest", "body", 1, 0.159, (0.0, 0.0, 1.33)),
    ("head", "head", 2, 0.069, (0.0, 0.0, 1.62)),
    ("upper_arm.L", "arm.L", 2, 0.027, (0.22, 0.0, 1.3)),
    ("forearm.L", "arm.L", 4, 0.016, (0.22, 0.0, 1.03)),
    ("hand.L", "arm.L", 5, 0.006, (0.22, 0.0, 0.82)),
    ("upper_arm.R", "arm.R", 2, 0.027, (-0.22, 0.0, 1.3)),
    ("forearm.R", "arm.R", 7, 0.016, (-0.22, 0.0, 1.03)),
    ("hand.R", "arm.R", 8, 0.006, (-0.22, 0.0, 0.82)),
    ("thigh.L", "leg.L", 0, 0.142, (0.1, 0.0, 0.7)),
    ("shin.L", "leg.L", 10, 0.043, (0.1, 0.0, 0.3)),
    ("foot.L", "leg.L", 11, 0.014, (0.1, -0.06, 0.04)),
    ("thigh.R", "leg.R", 0, 0.142, (-0.1, 0.0, 0.7)),
    ("shin.R", "leg.R", 13, 0.043, (-0.1, 0.0, 0.3)),
    ("foot.R", "leg.R", 14, 0.014, (-0.1, -0.06, 0.04)),
)
MASS, HEIGHT = 75.0, 1.75
JOINT = Joint(Frame((0.0, 0.0, 0.0), NO_TURN), (-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), 0.3)


def solid_person(scale: float = 1.0) -> RagdollPlan:
    """A person's sixteen bodies, so many times as large."""
    bodies = []
    for i, (role, limb, parent, share, (x, y, z)) in enumerate(PERSON):
        at = Frame((x * scale, y * scale, z * scale), NO_TURN)
        size = (0.1 * scale, 0.1 * scale, 0.2 * scale)
        joint = JOINT if parent >= 0 else None
        bodies.append(Body(role, limb, (i,), parent, "BOX", size, share * MASS, at, at, joint))
    return RagdollPlan(tuple(bodies), (0,), (), HEIGHT * scale, sum(body.mass for body in bodies))


def at_rest(plan: RagdollPlan) -> tuple[float, ...]:
    """Where its bodies are at rest, seven numbers each."""
    return tuple(number for body in plan.bodies for number in (*body.rest.origin, *body.rest.turn))


def moved(bodies: tuple[float, ...], places: tuple[int, ...], by: tuple[float, float, float]) -> tuple[float, ...]:
    """Some of the bodies elsewhere."""
    found = list(bodies)
    for i in places:
        for k in range(3):
            found[7 * i + k] += by[k]
    return tuple(found)


def tipped(angle: float) -> tuple[float, ...]:
    """A person's whole body turned about its pelvis, to its left."""
    rest = at_rest(solid_person())
    found, (x0, _, z0) = [], rest[:3]
    c, s = cos(angle), sin(angle)
    for i in range(len(PERSON)):
        x, y, z = rest[7 * i : 7 * i + 3]
        x, z = x - x0, z - z0
        found += [x0 + c * x + s * z, y, z0 - s * x + c * z, cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0]
    return tuple(found)
