"""A body as physics sees it: solids, their masses, the joints between them and how far those go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..space.rigid import Frame, Triple
from .skin_points import SkinPoint

Shape = Literal["BOX", "CAPSULE"]


@dataclass(frozen=True, slots=True)
class Joint:
    """How a body hangs on its parent.

    `frame` is where the joint is in the zero pose, model space: Z along the child (its twist), X the axis of flexion,
    positive where it flexes, Y the rest. `low` and `high` (radians, of X, Y, Z) are how far the child may turn against
    its parent from the zero pose, as Rx(x) Ry(y) Rz(z) in that frame; Y stays inside 90 degrees. `friction` is the
    torque that a limp joint resists with, newton metres for each kilogram of the heavier of the two.
    """

    frame: Frame
    low: Triple
    high: Triple
    friction: float


@dataclass(frozen=True, slots=True)
class Body:
    """One solid. `role` names it, in the words of roles (`pelvis`, `chest`, `thigh.L`, `front_shin.R`).

    `bones` are the skeleton's bones that it stands for, from the joint outward; several (a spine, a neck, a tail) share
    its bend. What hangs on those and has no body of its own goes along as it is posed. `parent` is the place of its
    parent in the plan (-1: the one that carries all), always before it. `size` are the whole lengths along its own
    axes, metres (a CAPSULE lies along Z, its caps within). `rest` and `zero` are where its middle is in the rest pose
    and in the zero pose, model space; its axes are the same in both as seen from its bone. `limb` names what it is
    handed over with (`body`, `head`, `arm.L`, `leg.R`, `front_leg.L`, `tail`).
    """

    role: str
    limb: str
    bones: tuple[int, ...]
    parent: int
    shape: Shape
    size: Triple
    mass: float
    rest: Frame
    zero: Frame
    joint: Joint | None


@dataclass(frozen=True, slots=True)
class RagdollPlan:
    """All bodies, parents first; the first carries all. Model space: metres, Z up, facing -Y.

    `held` are the places of the bodies that the assist holds on to: the pelvis, on four legs the chest too. `apart` are
    pairs of bodies that touch or overlap where nothing is wrong and so do not collide, beside neighbours, which never
    do. `height` is how tall the body stands, for what is measured by size. `notes` say what was not understood, in
    sentences. `carrier` is the bone whose place is written for the first body, `placed` are the bodies whose bones do
    not hang on their parent's (feet under a root), so that their places are written too. `skin` are the outermost
    points of the skin, by which what lies is kept over a floor.
    """

    bodies: tuple[Body, ...]
    held: tuple[int, ...]
    apart: tuple[tuple[int, int], ...]
    height: float
    mass: float
    notes: tuple[str, ...] = ()
    carrier: int = -1
    placed: tuple[int, ...] = ()
    skin: tuple[SkinPoint, ...] = ()

    def place_of(self, role: str) -> int:
        """Where the body of a role is in the plan; -1 where it has none."""
        return next((i for i, body in enumerate(self.bodies) if body.role == role), -1)
