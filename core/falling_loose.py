"""What hangs on a body without one of its own (ears, toes) is turned off the floor on which physics has that body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Matrix, Vector

from .actions.rise_clear import BENDS, bend_up
from .actions.rise_points import HANGS, Point, is_thin
from .ragdoll.plan import RagdollPlan
from .rig.edited_pose import EditedPose
from .rig.rig import Rig
from .world.world import World

UP = Vector((0.0, 0.0, 1.0))
# What is under the floor by less (metres) is not turned.
LEAST = 1e-4
# How deep a floor is looked for, in legs.
DEPTH = 2.0


class Hanging(NamedTuple):
    """The skin of a bone without a body, and the place of the body in the plan that carries it."""

    carrier: int
    points: tuple[Point, ...]


class Loose:
    """All that hangs on the bodies of one rig, outward from them. Immutable."""

    def __init__(self, rig: Rig, plan: RagdollPlan | None) -> None:
        self.rig = rig
        self.depth = DEPTH * rig.leg_length
        self.hanging = () if plan is None else _hanging(rig, plan)
        self.carriers = tuple(sorted({each.carrier for each in self.hanging}))

    def floors(self, bodies: Sequence[float], world: World) -> tuple[float, ...]:
        """The floor's height (world) under each of `carriers`, where `bodies` are (seven numbers each)."""
        found = []
        for k in self.carriers:
            x, y, z = bodies[7 * k : 7 * k + 3]
            ground = world.height_below(x, y, z, self.depth)
            found.append(z - self.depth if ground is None else ground)
        return tuple(found)

    def lift(self, pose: EditedPose, to_world: Matrix, floors: Sequence[float]) -> None:
        """Turn what would be under these floors up; `to_world` (a rigid motion) is where the model space stands."""
        if len(floors) != len(self.carriers):
            return
        levels = dict(zip(self.carriers, floors, strict=True))
        up = to_world.to_quaternion().inverted() @ UP
        for each in self.hanging:
            for _ in range(BENDS):
                moved = to_world @ pose.moved(each.points[0].bone)
                needs = [levels[each.carrier] - (moved @ point.at).z for point in each.points]
                if max(needs) <= LEAST:
                    break
                bend_up(pose, each.points, needs, up)


def _hanging(rig: Rig, plan: RagdollPlan) -> tuple[Hanging, ...]:
    carries = {bone: k for k, body in enumerate(plan.bodies) for bone in body.bones}
    worn: dict[int, list[Point]] = {}
    for bone, at in plan.skin:
        if bone not in carries:
            worn.setdefault(bone, []).append(Point(bone, Vector(at), 0.0))
    toes = {bone for leg in rig.legs for bone in leg.toes}
    found = []
    for bone, points in sorted(worn.items()):
        carrier = next((carries[i] for i in rig.skeleton.ancestors(bone) if i in carries), -1)
        if carrier >= 0 and (bone in toes or is_thin(points, HANGS * rig.leg_length)):
            found.append(Hanging(carrier, tuple(points)))
    return tuple(found)
