"""A person's body as physics sees it, made by hand, and poses of it by the angles of its joints: no rig is needed."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin, sqrt
from random import Random
from typing import NamedTuple

from mathutils import Matrix, Vector
from surefoot.core.ragdoll.plan import Body, Joint, RagdollPlan
from surefoot.core.space.rigid import NO_TURN, Frame, Triple, Turn, after, turned, undone

HALF = sqrt(0.5)
DOWN, UP, AHEAD = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)
OUT_L, OUT_R = (HALF, 0.0, -HALF), (-HALF, 0.0, -HALF)
FRICTION = 0.3
Angles = Mapping[str, Triple]


class Part(NamedTuple):
    """A solid of the person: from a joint along a direction, as long as it is, with the axis that it flexes about."""

    role: str
    limb: str
    parent: str
    share: float
    shape: str
    joint: Triple
    along: Triple
    flexes: Triple
    size: Triple
    start: float
    low: Triple
    high: Triple


X, MINUS_X = (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)

MIDDLE = (
    Part("pelvis", "body", "", 0.112, "BOX", (0, 0, 0.87), UP, X, (0.30, 0.20, 0.17), 0.0, (0, 0, 0), (0, 0, 0)),
    Part("spine", "body", "pelvis", 0.163, "BOX", (0, 0, 1.04), UP, X, (0.28, 0.18, 0.17), 0.0, (-15, -18, -18),
         (35, 18, 18)),
    Part("chest", "body", "spine", 0.159, "BOX", (0, 0, 1.21), UP, X, (0.30, 0.20, 0.26), 0.0, (-15, -18, -18),
         (35, 18, 18)),
    Part("head", "head", "chest", 0.069, "CAPSULE", (0, 0, 1.47), UP, X, (0.18, 0.18, 0.26), 0.02, (-45, -35, -60),
         (45, 35, 60)),
)  # fmt: skip
LEFT = (
    Part("upper_arm", "arm", "chest", 0.027, "CAPSULE", (0.19, 0, 1.42), OUT_L, MINUS_X, (0.09, 0.09, 0.29), 0.0,
         (-60, -60, -80), (170, 50, 80)),
    Part("forearm", "arm", "upper_arm", 0.016, "CAPSULE", (0.19 + 0.29 * HALF, 0, 1.42 - 0.29 * HALF), OUT_L, MINUS_X,
         (0.07, 0.07, 0.26), 0.0, (-3, -2, -5), (145, 2, 5)),
    Part("hand", "arm", "forearm", 0.006, "BOX", (0.19 + 0.55 * HALF, 0, 1.42 - 0.55 * HALF), OUT_L, MINUS_X,
         (0.04, 0.09, 0.17), 0.0, (-60, -25, -60), (60, 25, 60)),
    Part("thigh", "leg", "pelvis", 0.142, "CAPSULE", (0.09, 0, 0.92), DOWN, MINUS_X, (0.14, 0.14, 0.42), 0.0,
         (-25, -40, -40), (120, 30, 40)),
    Part("shin", "leg", "thigh", 0.043, "CAPSULE", (0.09, 0, 0.50), DOWN, X, (0.10, 0.10, 0.42), 0.0, (-3, -2, -5),
         (150, 2, 5)),
    Part("foot", "leg", "shin", 0.014, "BOX", (0.09, 0, 0.08), AHEAD, X, (0.09, 0.07, 0.25), -0.06, (-25, -20, -10),
         (45, 20, 10)),
)  # fmt: skip


def person(height: float = 1.75, mass: float = 75.0) -> RagdollPlan:
    """A person of 16 solids in the zero pose: upright, arms out by 45 degrees."""
    parts = [*MIDDLE]
    for part in LEFT:
        parts += [_of_side(part, "L"), _of_side(_mirrored(part), "R")]
    order = [part.role for part in parts]
    parents = [order.index(part.parent) if part.parent else -1 for part in parts]
    size = height / 1.75
    bodies = tuple(_body(part, parent, size, mass) for part, parent in zip(parts, parents, strict=True))
    return RagdollPlan(bodies, (0,), (), height, mass)


def _of_side(part: Part, side: str) -> Part:
    parent = part.parent if part.parent in {"pelvis", "chest"} else f"{part.parent}.{side}"
    return part._replace(role=f"{part.role}.{side}", limb=f"{part.limb}.{side}", parent=parent)


def _mirrored(part: Part) -> Part:
    """On the other side what turns about Y and Z turns the other way."""
    (x, y, z), (ax, ay, az), low, high = part.joint, part.along, part.low, part.high
    return part._replace(
        joint=(-x, y, z), along=(-ax, ay, az), low=(low[0], -high[1], -high[2]), high=(high[0], -low[1], -low[2])
    )


def _body(part: Part, parent: int, size: float, mass: float) -> Body:
    along = Vector(part.along)
    flexes = Vector(part.flexes)
    flexes = (flexes - along * flexes.dot(along)).normalized()
    turn: Turn = Matrix((flexes, along.cross(flexes), along)).transposed().to_quaternion()[:]
    low, high = (tuple(map(radians, limit)) for limit in (part.low, part.high))
    at = Vector(part.joint) + along * (part.start + 0.5 * part.size[2])
    if part.role.startswith("foot"):
        at.z = 0.5 * part.size[1]
    frame = Frame(tuple(at * size), turn)
    joint = Joint(Frame(tuple(n * size for n in part.joint), turn), low, high, FRICTION) if parent >= 0 else None
    lengths = tuple(n * size for n in part.size)
    return Body(part.role, part.limb, (), parent, part.shape, lengths, mass * part.share / TOTAL, frame, frame, joint)


TOTAL = sum(part.share for part in MIDDLE) + 2.0 * sum(part.share for part in LEFT)


def posed(plan: RagdollPlan, pelvis: Frame, angles: Angles) -> tuple[float, ...]:
    """The bodies of a pose: where the pelvis' middle is and how it is turned from the zero pose, and each joint's three
    angles (radians) by its role.
    """
    frames: list[Frame] = []
    for body in plan.bodies:
        zero = body.zero
        if body.joint is None:
            frames.append(Frame(pelvis.origin, after(pelvis.turn, zero.turn)))
            continue
        above, rest = frames[body.parent], plan.bodies[body.parent].zero
        joint = body.joint.frame
        in_joint = Frame(joint.from_scene(zero.origin), after(undone(joint.turn), zero.turn))
        bent = turn_of(angles.get(body.role, (0.0, 0.0, 0.0)))
        at_rest = Frame(rest.from_scene(joint.origin), after(undone(rest.turn), joint.turn))
        here = Frame(above.to_scene(at_rest.origin), after(after(above.turn, at_rest.turn), bent))
        frames.append(Frame(here.to_scene(in_joint.origin), after(here.turn, in_joint.turn)))
    return tuple(n for frame in frames for n in (*frame.origin, *frame.turn))


def turn_of(angles: Triple) -> Turn:
    """Rx(x) Ry(y) Rz(z)."""
    x, y, z = (0.5 * angle for angle in angles)
    return after(after((cos(x), sin(x), 0.0, 0.0), (cos(y), 0.0, sin(y), 0.0)), (cos(z), 0.0, 0.0, sin(z)))


def standing(
    plan: RagdollPlan, heading: float = 0.0, place: Triple = (0.0, 0.0, 0.0), bent: float = 0.12
) -> tuple[float, ...]:
    """Upright at ease: arms hang, knees are bent by twice `bent` (radians), soles lie flat at the height of `place`."""
    turn = (cos(0.5 * heading), 0.0, 0.0, sin(0.5 * heading))
    angles = {"upper_arm.L": (0.0, 0.6, 0.0), "upper_arm.R": (0.0, -0.6, 0.0)}
    for side in "LR":
        angles |= {f"thigh.{side}": (bent, 0.0, 0.0), f"shin.{side}": (2.0 * bent, 0.0, 0.0)}
        angles |= {f"foot.{side}": (-bent, 0.0, 0.0), f"forearm.{side}": (0.25, 0.0, 0.0)}
    bodies = posed(plan, Frame(plan.bodies[0].zero.origin, NO_TURN), angles)
    frames = [frame_of(bodies, i) for i in range(len(plan.bodies))]
    feet = [frames[plan.place_of(f"foot.{side}")] for side in "LR"]
    rests = [plan.bodies[plan.place_of(f"foot.{side}")].zero for side in "LR"]
    # The feet stay under the body where they are in the zero pose.
    dy = sum(rest.origin[1] - foot.origin[1] for rest, foot in zip(rests, feet, strict=True)) / 2.0
    dz = rests[0].origin[2] - feet[0].origin[2]
    whole = Frame(place, turn)
    moved = [(whole.to_scene((f.origin[0], f.origin[1] + dy, f.origin[2] + dz)), after(turn, f.turn)) for f in frames]
    return tuple(n for origin, own in moved for n in (*origin, *own))


def random_pose(plan: RagdollPlan, rng: Random, share: float = 1.0) -> dict[str, Triple]:
    """Angles of all joints, anywhere within so much of their limits."""
    return {
        body.role: tuple(
            share * rng.uniform(low, high) for low, high in zip(body.joint.low, body.joint.high, strict=True)
        )
        for body in plan.bodies
        if body.joint is not None
    }


def frame_of(bodies: tuple[float, ...], i: int) -> Frame:
    """Where one of the bodies is."""
    return Frame(bodies[7 * i : 7 * i + 3], bodies[7 * i + 3 : 7 * i + 7])


def joint_angles(plan: RagdollPlan, bodies: tuple[float, ...], i: int) -> Triple:
    """The three angles of body `i` against its parent, radians."""
    body = plan.bodies[i]
    joint = body.joint.frame
    above = after(after(frame_of(bodies, body.parent).turn, undone(plan.bodies[body.parent].zero.turn)), joint.turn)
    own = after(after(frame_of(bodies, i).turn, undone(body.zero.turn)), joint.turn)
    return angles_of(after(undone(above), own))


def angles_of(turn: Turn) -> Triple:
    """x, y, z of Rx(x) Ry(y) Rz(z), with y within 90 degrees."""
    from math import asin, atan2

    w, x, y, z = turn
    r02 = 2.0 * (x * z + w * y)
    r12, r22 = 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
    r01, r00 = 2.0 * (x * y - w * z), 1.0 - 2.0 * (y * y + z * z)
    return atan2(-r12, r22), asin(max(-1.0, min(1.0, r02))), atan2(-r01, r00)


def gap(plan: RagdollPlan, bodies: tuple[float, ...], i: int) -> float:
    """How far body `i`'s joint is open, metres: its place as seen from both bodies."""
    body = plan.bodies[i]
    at = body.joint.frame.origin
    mine = frame_of(bodies, i).to_scene(body.zero.from_scene(at))
    theirs = frame_of(bodies, body.parent).to_scene(plan.bodies[body.parent].zero.from_scene(at))
    return sqrt(sum((a - b) ** 2 for a, b in zip(mine, theirs, strict=True)))


def widest_gap(plan: RagdollPlan, bodies: tuple[float, ...]) -> float:
    """How far the widest joint is open, metres."""
    return max(gap(plan, bodies, i) for i, body in enumerate(plan.bodies) if body.joint is not None)


def lowest(plan: RagdollPlan, bodies: tuple[float, ...]) -> float:
    """The lowest point of all solids, metres."""
    return min(_lowest_of(body, frame_of(bodies, i)) for i, body in enumerate(plan.bodies))


def _lowest_of(body: Body, frame: Frame) -> float:
    half = [0.5 * n for n in body.size]
    axes = [turned(frame.turn, axis)[2] for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    if body.shape == "CAPSULE":
        radius = max(half[0], half[1])
        return frame.origin[2] - abs(axes[2]) * (half[2] - radius) - radius
    return frame.origin[2] - sum(abs(axis) * n for axis, n in zip(axes, half, strict=True))


def still() -> Frame:
    """No move at all."""
    return Frame((0.0, 0.0, 0.0), NO_TURN)
