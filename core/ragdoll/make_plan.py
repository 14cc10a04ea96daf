"""A body's plan from an understood rig: which solids, how heavy, how they hang together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from mathutils import Quaternion, Vector

from ..rig.rest_vertices import RestVertices
from ..rig.rig import Rig
from ..space.rigid import Frame, Triple
from .edits import BodyEdit, edited_joint, edited_solid, edits_by_role
from .joints import LEFT, axes, elbow_room, joint_turn, trunk_line, zero_turns
from .limits import holding, joint_angles, mirrored, of_bones, wider
from .overlaps import lying, meet_in_stride, overlap
from .parts import Part, parts_beside, parts_hanging, parts_of
from .plan import Body, Joint, RagdollPlan
from .proportions import BodyKind, PlanNumbers, kind_of, shared_mass, whole_mass
from .skin_points import skin_points
from .solids import LEAST, part_points, solid_of

# Solids nearer than this share of the height are taken for touching.
TOUCHING = 0.003
# A person's height as a multiple of the leg: what a body without height, a snake's, is measured by.
PER_LEG = 1.75 / 0.92


class PlanError(ValueError):
    """A rig of which no plan can be made, with the reason."""


def make_plan(rig: Rig, skin: RestVertices | None, config: PlanNumbers, edits: Sequence[BodyEdit] = ()) -> RagdollPlan:
    """The plan of a rig; `skin` is all of its skin at rest (model space), or None where it has none.

    What was not understood is in the plan's notes. Raises PlanError for a rig without any bone that has a length.
    """
    kind = config.kinds[kind_of(rig)]
    by_role = edits_by_role(edits)
    height = body_height(rig, skin)
    parts = parts_of(rig)
    parts += parts_beside(rig, parts, skin)
    parts = _kept([*parts, *(parts_hanging(rig, parts) if config.chains else ())], by_role, height)
    if not parts:
        raise PlanError("No bone of this rig is long enough to be a body; give it bones with a length.")
    order = _in_order(rig, parts)
    parts = [parts[k] for k in order]
    parents = _parents(rig, parts)
    turns = zero_turns(rig, parts, parents)
    bodies = _bodies(rig, skin, parts, parents, turns, kind, by_role, height)
    bodies = _with_mass(bodies, parts, kind, config, by_role, height)
    carrier = rig.body if rig.body >= 0 else parts[0].bones[0]
    return RagdollPlan(
        bodies=tuple(bodies),
        held=_held(rig, parts),
        apart=_apart(bodies, height),
        height=height,
        mass=sum(body.mass for body in bodies),
        notes=_notes(kind, by_role, parts),
        carrier=carrier,
        placed=_placed(rig, parts, parents, carrier),
        skin=skin_points(rig, skin),
    )


def body_height(rig: Rig, skin: RestVertices | None) -> float:
    """How tall a body stands over the floor of its rest pose, metres; of a long body what stands for it."""
    if rig.long_body is not None and not rig.legs:
        return max(PER_LEG * rig.leg_length, 1e-6)
    if skin is not None and len(skin.points):
        top = float(np.percentile(skin.points[:, 2], 99.9))
    else:
        top = max((max(bone.head.z, bone.tail.z) for bone in rig.skeleton.bones), default=0.0)
    low = rig.floor if rig.legs else min((min(b.head.z, b.tail.z) for b in rig.skeleton.bones), default=0.0)
    return max(top - low, rig.leg_length, 1e-6)


def _kept(parts: Sequence[Part], edits: dict[str, BodyEdit], height: float) -> list[Part]:
    """Without those that are switched off or too short to be anything; the first one always stays."""
    return [
        part
        for k, part in enumerate(parts)
        if k == 0 or (not (part.role in edits and edits[part.role].off) and part.along.length >= LEAST * height)
    ]


def _in_order(rig: Rig, parts: Sequence[Part]) -> list[int]:
    """The first part, then the others so that each comes after what it hangs on: as their bones do."""
    rest = sorted(range(1, len(parts)), key=lambda k: (parts[k].bones[0], k))
    loose = [k for k in rest if _is_detached(rig, parts[k])]
    return [0, *(k for k in rest if k not in loose), *loose]


def _is_detached(rig: Rig, part: Part) -> bool:
    return part.leg >= 0 and rig.legs[part.leg].detached and part.bones == (rig.legs[part.leg].foot,)


def _parents(rig: Rig, parts: Sequence[Part]) -> list[int]:
    """The place of each part's parent: the nearest above its bones, of a loose foot the leg's last segment."""
    own = {i: k for k, part in enumerate(parts) for i in part.bones}
    parents = [-1]
    for k, part in enumerate(parts[1:], start=1):
        above = next((own[i] for i in rig.skeleton.ancestors(part.bones[0]) if own.get(i, k) != k), 0)
        if _is_detached(rig, part):
            above = next((j for j in reversed(range(k)) if parts[j].leg == part.leg), above)
        parents.append(above)
    return parents


def _placed(rig: Rig, parts: Sequence[Part], parents: Sequence[int], carrier: int) -> tuple[int, ...]:
    """The parts whose bones hang neither on their parent's bones nor on the carrier."""
    found = []
    for k, (part, parent) in enumerate(zip(parts, parents, strict=True)):
        above = set(rig.skeleton.ancestors(part.bones[0]))
        if parent >= 0 and not above & {*parts[parent].bones, *((carrier,) if parent == 0 else ())}:
            found.append(k)
    return tuple(found)


def _bodies(
    rig: Rig,
    skin: RestVertices | None,
    parts: Sequence[Part],
    parents: Sequence[int],
    turns: Sequence[Quaternion],
    kind: BodyKind,
    edits: dict[str, BodyEdit],
    height: float,
) -> list[Body]:
    points = part_points(rig, parts, skin)
    joints = _zero_joints(parts, parents, turns)
    bodies: list[Body] = []
    for k, part in enumerate(parts):
        parent = parents[k]
        before = parts[parent] if parent >= 0 else None
        above = turns[parent] if parent >= 0 else Quaternion()
        frame = joint_turn(rig, part, before, turns[k], above) if parent >= 0 else axes(trunk_line(rig, part), LEFT)
        at_rest = turns[k].inverted() @ frame
        edit = edits.get(part.role)
        solid = edited_solid(solid_of(rig, part, at_rest, points[k], height), edit, at_rest, LEAST * height)
        rest = Frame(_triple(solid.middle), _turn(at_rest))
        zero = Frame(_triple(joints[k] + turns[k] @ (solid.middle - part.head)), _turn(frame))
        body = Body(part.role, part.limb, part.bones, parent, solid.shape, _triple(solid.size), 0.0, rest, zero, None)
        if parent >= 0:
            joint = _joint(body, part, bodies[parent], Frame(_triple(joints[k]), _turn(frame)), kind, edit)
            body = _with(body, joint=joint)
        bodies.append(body)
    return bodies


def _zero_joints(parts: Sequence[Part], parents: Sequence[int], turns: Sequence[Quaternion]) -> list[Vector]:
    """Where each part's joint is in the zero pose: carried by its parent; the first one's stays."""
    places: list[Vector] = []
    for part, parent in zip(parts, parents, strict=True):
        if parent < 0:
            places.append(part.head.copy())
        else:
            places.append(places[parent] + turns[parent] @ (part.head - parts[parent].head))
    return places


def _joint(body: Body, part: Part, parent: Body, frame: Frame, kind: BodyKind, edit: BodyEdit | None) -> Joint:
    """The joint with limits by role, mirrored on the right, wide enough for the rest pose, and then as edited."""
    row = kind.row(part.part)
    low, high = mirrored(row.low, row.high) if part.side == "R" else (row.low, row.high)
    if part.part in ("spine", "chest"):
        low, high = of_bones(low, high, len(part.bones))
    if part.arm >= 0 and part.segment == 1:
        room = elbow_room(part, Quaternion(frame.turn))
        low, high = wider(low, high, max(-room[0], room[1]))
    loose = Joint(frame, low, high, row.friction)
    rest = joint_angles(_with(body, joint=loose), parent, Quaternion(body.rest.turn), Quaternion(parent.rest.turn))
    return edited_joint(Joint(frame, *holding(low, high, rest), row.friction), edit)


def _with(body: Body, *, joint: Joint | None = None, mass: float | None = None) -> Body:
    return Body(
        body.role,
        body.limb,
        body.bones,
        body.parent,
        body.shape,
        body.size,
        body.mass if mass is None else mass,
        body.rest,
        body.zero,
        joint if joint is not None else body.joint,
    )


def _with_mass(
    bodies: Sequence[Body],
    parts: Sequence[Part],
    kind: BodyKind,
    config: PlanNumbers,
    edits: dict[str, BodyEdit],
    height: float,
) -> list[Body]:
    whole = whole_mass(kind, config, height)
    bulk = [prod(body.size) / max(prod(bodies[0].size), 1e-12) for body in bodies]
    shares = shared_mass(
        kind,
        [
            (part.part, part.limb, part.along.length, size if part.part == "any" and kind.name != "any" else 0.0)
            for part, size in zip(parts, bulk, strict=True)
        ],
        whole,
    )
    factors = [edits[body.role].mass if body.role in edits else 1.0 for body in bodies]
    return [_with(body, mass=share * factor) for body, share, factor in zip(bodies, shares, factors, strict=True)]


def _held(rig: Rig, parts: Sequence[Part]) -> tuple[int, ...]:
    """The pelvis, and on four and more legs what carries the first of them."""
    if len(rig.legs) <= 2:
        return (0,)
    chest = next((k for k, part in enumerate(parts) if part.role == "chest"), 0)
    return (0, chest) if chest else (0,)


def _apart(bodies: Sequence[Body], height: float) -> tuple[tuple[int, int], ...]:
    """The pairs that touch at rest, in the zero pose or in a stride and are no neighbours."""
    found = meet_in_stride(bodies)
    for where in ("rest", "zero"):
        solids = [lying(body.shape, body.size, getattr(body, where)) for body in bodies]
        for j in range(len(bodies)):
            for i in range(j):
                if bodies[j].parent != i and overlap(solids[i], solids[j], TOUCHING * height):
                    found.add((i, j))
    return tuple(sorted(found))


def _notes(kind: BodyKind, edits: dict[str, BodyEdit], parts: Sequence[Part]) -> tuple[str, ...]:
    notes = []
    if kind.name == "any":
        notes.append(
            "What the bones of this rig are is not understood: its longest are bodies, and all joints go equally far. "
            "Name bones for roles in the mapping, or set the limits in the list."
        )
    roles = {part.role for part in parts}
    lost = [role for role, edit in edits.items() if role not in roles and not edit.off]
    if lost:
        notes.append(f"There is no body called {', '.join(lost)} on this rig; what is set for it has no effect.")
    return tuple(notes)


def _triple(v: Vector) -> Triple:
    return float(v.x), float(v.y), float(v.z)


def _turn(q: Quaternion) -> tuple[float, float, float, float]:
    return float(q.w), float(q.x), float(q.y), float(q.z)
