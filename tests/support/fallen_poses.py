"""Bodies that physics has thrown and that have come to lie: on which ground, and where their solids are, as text.

Recorded where there is Blender (`benchmarks/fallen_poses.py`), read where there is none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import asin, atan2, degrees
from pathlib import Path

from mathutils import Matrix, Quaternion, Vector
from support.lying import Lying
from surefoot.core.actions.lying import Trunk
from surefoot.core.ragdoll.balance import place_in, top_of_trunk, turn_in
from surefoot.core.ragdoll.bodies_pose import posed_by
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig
from surefoot.core.world.extruded import Extruded, Flat, Ramp, Stairs

SIDES = ("PRONE", "LEFT", "SUPINE", "RIGHT")
UNSURE = 15.0
"""Degrees: so near to half-way between two sides either of them is right."""
ON_END = 60.0
"""Degrees: whose trunk is up, or down, by more than this lies on no side; any is right."""


@dataclass(frozen=True)
class FallenPose:
    """One body that lies. `angle` is the slope's (radians); `bodies` are seven numbers a solid, world."""

    who: str
    ground: str
    angle: float
    seed: int
    bodies: tuple[float, ...]

    @property
    def world(self) -> Extruded:
        """What it lies on."""
        return ground_of(self.ground, self.angle)


def ground_of(kind: str, angle: float = 0.0) -> Extruded:
    """Level ground, a slope, or stairs of ten steps."""
    return {"flat": Flat(), "slope": Ramp(angle), "stairs": Stairs()}[kind]


def written(pose: FallenPose) -> str:
    """One pose as a line of text."""
    return json.dumps(
        {"who": pose.who, "ground": pose.ground, "angle": pose.angle, "seed": pose.seed, "bodies": pose.bodies}
    )


def read(path: Path) -> list[FallenPose]:
    """All poses of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [FallenPose(r["who"], r["ground"], r["angle"], r["seed"], tuple(r["bodies"])) for r in rows]


def lying_of(rig: Rig, plan: RagdollPlan, pose: FallenPose) -> Lying:
    """The rig's pose with its solids where they are told, its model space on the ground under its pelvis."""
    x, y, z = place_in(pose.bodies, 0)
    to_world = Matrix.Translation((x, y, pose.world.height_below(x, y, z + 1.0, 100.0) or 0.0))
    posed = EditedPose.rest(rig.skeleton)
    posed_by(plan, posed, to_world, pose.bodies)
    return Lying(posed, to_world, "/".join(right_sides(rig, plan, pose)))


def right_sides(rig: Rig, plan: RagdollPlan, pose: FallenPose) -> tuple[str, ...]:
    """The sides that this body lies on, by how its trunk's first and last solids are rolled against the ground: one,
    two where it is about half-way between them, all where it is on end.
    """
    trunk, ends = Trunk.of(rig), (0, top_of_trunk(plan))
    turns = [Quaternion(turn_in(pose.bodies, i)) @ Quaternion(plan.bodies[i].rest.turn).inverted() for i in ends]
    along, front, left = (
        sum((turn @ axis for turn in turns), Vector()).normalized() for axis in (trunk.along, trunk.front, trunk.left)
    )
    normal = _normal(pose, ends)
    if abs(degrees(asin(max(-1.0, min(1.0, along.dot(normal)))))) > ON_END:
        return SIDES
    # From prone on by a quarter of a turn each: left side, back, right side.
    rolled = degrees(atan2(-left.dot(normal), -front.dot(normal)))
    return tuple(side for k, side in enumerate(SIDES) if abs(_wrapped(rolled - 90.0 * k)) <= 45.0 + UNSURE)


def _wrapped(angle: float) -> float:
    return (angle + 180.0) % 360.0 - 180.0


def _normal(pose: FallenPose, ends: tuple[int, int]) -> Vector:
    """The normal of the ground that it lies on; of stairs that of the line over their edges, where it lies on them."""
    if pose.ground == "flat":
        return Vector((0.0, 0.0, 1.0))
    if pose.ground == "slope":
        return Quaternion((1.0, 0.0, 0.0), -pose.angle) @ Vector((0.0, 0.0, 1.0))
    # What it lies on is between the heights under its ends.
    places = [Vector(place_in(pose.bodies, i)) for i in ends]
    heights = [pose.world.height_below(p.x, p.y, p.z + 0.5, 100.0) or 0.0 for p in places]
    way = (places[1] - places[0]).xy.length
    if way < 0.1:
        return Vector((0.0, 0.0, 1.0))
    flat = (places[1] - places[0]).to_2d().normalized()
    steep = min(0.6, max(-0.6, (heights[1] - heights[0]) / way))
    return Vector((-flat.x * steep, -flat.y * steep, 1.0)).normalized()
