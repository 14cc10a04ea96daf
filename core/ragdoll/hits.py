"""What a hit does before physics has it: how far along the joints it is felt, and which body gets how much of it."""

from __future__ import annotations

from collections.abc import Sequence

from ..space.rigid import Triple
from ..space.triples import scaled
from .config import ActiveConfig
from .plan import RagdollPlan

TRUNK, ARM, LEG, HEAD = "body", "arm", "leg", "head"


def joints_between(plan: RagdollPlan) -> tuple[tuple[int, ...], ...]:
    """How many joints lie between each two bodies."""
    count = len(plan.bodies)
    found: list[list[int]] = []
    for i, body in enumerate(plan.bodies):
        # Parents come first: whatever is known of the parent is known of the child, one joint further.
        row = [found[body.parent][j] + 1 for j in range(i)] if body.parent >= 0 else []
        found.append(row + [0])
        for j in range(i):
            found[j].append(row[j] if row else count)
    return tuple(tuple(row) for row in found)


def is_trunk(plan: RagdollPlan, i: int) -> bool:
    """Whether a body is of the trunk."""
    return i == 0 or plan.bodies[i].limb == TRUNK


def out_on_limb(plan: RagdollPlan) -> tuple[int, ...]:
    """How many joints each body is out from the trunk: 0 what is of it, 1 a thigh, an upper arm or the head."""
    found: list[int] = []
    for i, body in enumerate(plan.bodies):
        found.append(0 if is_trunk(plan, i) else found[body.parent] + 1)
    return tuple(found)


def hanging(plan: RagdollPlan) -> tuple[float, ...]:
    """The mass that hangs on each body's joint: its own and that of all that is further out, kilograms."""
    masses = [body.mass for body in plan.bodies]
    for i in range(len(masses) - 1, 0, -1):
        if plan.bodies[i].parent >= 0:
            masses[plan.bodies[i].parent] += masses[i]
    return tuple(masses)


def is_of(limb: str, kind: str) -> bool:
    """Whether a limb's name is of a kind: `front_leg.L` is a leg, `arm.R` an arm."""
    name = limb.split(".", 1)[0]
    return name == kind or name.endswith(f"_{kind}") or name.rstrip("0123456789") == kind


def weakened(
    strengths: Sequence[float], distances: Sequence[int], speed: float, config: ActiveConfig
) -> tuple[float, ...]:
    """Strengths after a hit of so many m/s: `distances` are the joints from the body that is hit to each one."""
    lost, share, least = config.hit_weakening * speed, config.neighbour_share, config.least_strength
    return tuple(
        min(strength, max(least, strength - lost * share**away))
        for strength, away in zip(strengths, distances, strict=True)
    )


def balance_lost(out: int, speed: float, config: ActiveConfig) -> float:
    """The balance that a hit of so many m/s takes, on a body so many joints out from the trunk (a head is trunk)."""
    return config.balance_loss * speed * config.limb_share**out


def shoved(plan: RagdollPlan, body: int, velocity: Triple, config: ActiveConfig) -> tuple[Triple, ...]:
    """The change of speed of each body, world m/s, that a shove of one of them by a velocity is.

    On trunk or head: trunk, head and arms all of it, thighs, shins less, feet nothing; the rest as much as what it
    hangs on. On a limb: what is of it from there on all of it, every joint towards the trunk and beyond a share.
    """
    out, bodies = out_on_limb(plan), plan.bodies
    if is_trunk(plan, body) or is_of(bodies[body].limb, HEAD):
        legs = (1.0, config.hit_thigh, config.hit_shin, 0.0)
        shares = [legs[min(out[i], 3)] if is_of(b.limb, LEG) else 1.0 for i, b in enumerate(bodies)]
        return tuple(scaled(velocity, share) for share in shares)
    distances, further = joints_between(plan)[body], {body}
    for i, each in enumerate(bodies):
        if each.parent in further:
            further.add(i)
    shares = [1.0 if i in further else config.neighbour_share ** distances[i] for i in range(len(bodies))]
    return tuple(scaled(velocity, share) for share in shares)
