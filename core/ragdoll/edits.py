"""What a person changes of a body's plan: size, weight, shape, limits, one body at a time, by its role."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mathutils import Quaternion, Vector

from ..space.rigid import Triple
from .limits import mirrored
from .plan import Joint, Shape
from .solids import Solid

PLAIN: Triple = (1.0, 1.0, 1.0)
NOWHERE: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class BodyEdit:
    """Changes to the body of one role; what is at its default leaves it as it is understood.

    `size` are factors along the body's own axes, `offset` shifts it along them (metres of the rig), `mass` is a factor.
    `low` and `high` (radians of X, Y, Z from the zero pose) and `friction` take the place of the kind's; `off` leaves
    the body out, and its bones go along with what they hang on.
    """

    role: str
    size: Triple = PLAIN
    offset: Triple = NOWHERE
    mass: float = 1.0
    shape: Shape | None = None
    low: Triple | None = None
    high: Triple | None = None
    friction: float | None = None
    off: bool = False


def edits_by_role(edits: Iterable[BodyEdit]) -> dict[str, BodyEdit]:
    """The edits by role; of two for one role the last counts."""
    return {edit.role: edit for edit in edits}


def edited_solid(solid: Solid, edit: BodyEdit | None, turn: Quaternion, least: float) -> Solid:
    """A solid (its axes at rest are `turn`) after an edit; no length under `least`."""
    if edit is None:
        return solid
    size = Vector([max(length * factor, least) for length, factor in zip(solid.size, edit.size, strict=True)])
    shape = edit.shape or solid.shape
    if shape == "CAPSULE":
        size.z = max(size.z, size.x, size.y)
    return Solid(shape, size, solid.middle + turn @ Vector(edit.offset))


def edited_joint(joint: Joint, edit: BodyEdit | None) -> Joint:
    """A joint after an edit. Limits are told as they are, not of the left side."""
    if edit is None:
        return joint
    low, high = edit.low or joint.low, edit.high or joint.high
    return Joint(joint.frame, low, high, joint.friction if edit.friction is None else edit.friction)


def mirror_edit(edit: BodyEdit) -> BodyEdit | None:
    """The same change on the other side; None for a body in the middle."""
    other = other_side(edit.role)
    if not other:
        return None
    low, high = edit.low, edit.high
    if low is not None and high is not None:
        low, high = mirrored(low, high)
    x, y, z = edit.offset
    return BodyEdit(other, edit.size, (-x, y, z), edit.mass, edit.shape, low, high, edit.friction, edit.off)


def other_side(role: str) -> str:
    """The role on the other side; empty for one in the middle."""
    sides = {".L": ".R", ".R": ".L"}
    return role[:-2] + sides[role[-2:]] if role[-2:] in sides else ""
