"""What set-up understood of a skeleton: legs, body, roles, soles, and what it did not understand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mathutils import Vector

from .skeleton import Skeleton

Side = Literal["L", "R", "M"]
Stance = Literal["PLANTIGRADE", "DIGITIGRADE", "POINT"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that set-up could not understand, said so that a person can act on it."""

    bone: str
    reason: str
    remedy: str
    blocking: bool = False

    def __str__(self) -> str:
        place = f"{self.bone}: " if self.bone else ""
        return f"{place}{self.reason} {self.remedy}"


@dataclass(frozen=True, slots=True)
class Sole:
    """What of a foot can touch the ground, at rest, in model space.

    heel and ball are the two ends; a point foot has both in one place. Each moves with its bone. `toe` is the
    front end of the toes, which stay on the ground while the heel lifts about the ball (equal to ball where the
    foot has no toe bone of its own).
    """

    heel: Vector
    ball: Vector
    toe: Vector
    heel_bone: int
    ball_bone: int
    source: Literal["MESH", "BONES"]


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg. `bones` are the segments that the solver bends, hip first; `joints` has one place more, and its
    last is the tip that a foot hangs on: the ankle of a person, the hoof or paw joint of a dog, the claw of a spider.

    `foot` is the bone laid on the ground (-1: a point foot, the tip itself is the sole); `toes` are the bones that
    stay flat while the heel lifts. `order` counts pairs from the front, 0 first. `detached` says that the foot is
    no child of the last segment (it hangs under the root), so that its location is written too. `helpers` are bones
    between the segments that follow them (twist, split limbs) and stay at rest.
    """

    role: str
    side: Side
    order: int
    stance: Stance
    bones: tuple[int, ...]
    joints: tuple[Vector, ...]
    foot: int
    toes: tuple[int, ...]
    sole: Sole
    detached: bool = False
    helpers: tuple[int, ...] = ()

    @property
    def hip(self) -> Vector:
        """The joint that the leg hangs on, at rest."""
        return self.joints[0]

    @property
    def tip(self) -> Vector:
        """The last joint, at rest."""
        return self.joints[-1]

    @property
    def lengths(self) -> tuple[float, ...]:
        """The segments' lengths, hip first."""
        return tuple((b - a).length for a, b in zip(self.joints, self.joints[1:], strict=False))

    @property
    def chain(self) -> tuple[Vector, ...]:
        """The joints that a solver bends, at rest: a point foot ends where it touches, not where its bone does."""
        return (*self.joints[:-1], self.sole.ball) if self.stance == "POINT" else self.joints


@dataclass(frozen=True, slots=True)
class Arm:
    """A hanging arm: shoulder (or -1), then upper arm, forearm, hand (-1 where missing)."""

    side: Side
    shoulder: int
    bones: tuple[int, ...]
    hand: int


@dataclass(frozen=True, slots=True)
class LongBody:
    """The whole body of a rig without legs. `bones` from the head to the tip of the tail; `joints` has one place more:
    each bone's two ends at rest, the nose first.
    """

    bones: tuple[int, ...]
    joints: tuple[Vector, ...]

    @property
    def lengths(self) -> tuple[float, ...]:
        """The bones' lengths from joint to joint, the head's first."""
        return tuple((b - a).length for a, b in zip(self.joints, self.joints[1:], strict=False))


@dataclass(frozen=True)
class Rig:
    """A skeleton with its parts named. Model space: metres, Z up, facing -Y; `floor` is the rest pose's ground.

    `body` is the bone that carries all legs (its location is written); `root` the bone that can carry travel (-1:
    none). `roles` maps each role to bone names, in order from the body outward. `leg_length` is the rest height of
    the (highest) hips over the floor.

    A rig without legs has a `long_body` if it can move at all. Its `body` is then the topmost bone of that, its
    `leg_length` the share of its length that stands for a leg wherever sizes are compared, and its `head` -1 where the
    head carries all the rest. It has no `tails` (nothing of it hangs), though a role of that name.
    """

    skeleton: Skeleton
    legs: tuple[Leg, ...]
    body: int
    root: int
    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int
    tails: tuple[tuple[int, ...], ...]
    arms: tuple[Arm, ...]
    roles: dict[str, tuple[str, ...]]
    convention: str
    floor: float
    leg_length: float
    problems: tuple[Problem, ...] = field(default=())
    long_body: LongBody | None = None

    def leg(self, role: str) -> Leg:
        """The leg with this role."""
        for leg in self.legs:
            if leg.role == role:
                return leg
        raise KeyError(f"No leg has the role {role!r}; there are {[item.role for item in self.legs]}.")
