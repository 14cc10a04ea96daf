"""What lies in a step comes up out of that before it goes anywhere: how soon is found by a look ahead as a rise begins.

Whatever is kept over a floor with steps is so over a board that is laid over them (see rise_floor), and a body that
lies on treads lies under that: by and by it comes up. A hand beside a riser would go into that meanwhile. So where
something would go deeper into the ground than it lay, its limb comes up the sooner, or the trunk with all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from mathutils import Matrix, Vector

from ..rig.edited_pose import EditedPose
from ..space.curves import smootherstep
from ..world.world import World
from .rise_memory import RiseMemory
from .rise_points import BodyPoints

# What lies in a step is out of it after this share of the time in which the body is led in; where that is too late it
# is after that share of it, so often.
UPS, SOONER, TIMES = 0.5, 0.55, 4
# So many moments are looked at, of this share of that time; nothing may go deeper into the ground by so many legs.
LOOKS, SPAN, DEEPER = 12, 0.6, 0.003
# A ground is looked for so far over a point, and so deep, in legs.
OVER, DEPTH = 1.0, 3.0

PoseAt = Callable[[float], EditedPose]
Deep = Callable[[Vector], float]
"""How deep a place (model space) is in the ground, metres."""


class Outward:
    """How the points of one rig come up. Immutable."""

    def __init__(self, points: BodyPoints, size: float) -> None:
        self.points, self.size = points.every(), size
        groups = [0] * len(points.trunk)
        for k, role in enumerate(points.ends, 1):
            groups += [k] * (len(points.middles[role]) + len(points.ends[role]) + len(points.skins[role]))
        self.groups = (*groups, *([0] * (len(self.points) - len(groups))))
        self.count = 1 + len(points.ends)

    def left(self, memory: RiseMemory) -> tuple[float, ...]:
        """How far each point may lie under where it is kept yet, metres."""
        whole = 1.0 - smootherstep(memory.time / memory.blend)
        rest = [1.0 - smootherstep(memory.time / (share * memory.blend)) for share in memory.outs]
        if not rest:
            return tuple(value * whole for value in memory.spare)
        return tuple(value * rest[group] for value, group in zip(memory.spare, self.groups, strict=True))

    def told(self, memory: RiseMemory, deep: Deep, at: PoseAt) -> tuple[float, ...]:
        """After which shares of the time in which it is led in the trunk and the limbs are out, each as soon as it has
        to; none on a floor that is a plane. `at` gives the pose at a time.
        """
        if not memory.floor.grid:
            return ()
        memory.outs = (UPS,) * self.count
        lay = self._depths(deep, at(0.0), range(len(self.points)))
        for _ in range(TIMES):
            pressed = self._pressed(memory, deep, at, lay)
            if not pressed:
                break
            shares = enumerate(memory.outs)
            memory.outs = tuple(share * SOONER if group in pressed else share for group, share in shares)
        return memory.outs

    def _pressed(self, memory: RiseMemory, deep: Deep, at: PoseAt, lay: dict[int, float]) -> set[int]:
        """The groups of points of which one goes deeper into the ground than it lay."""
        pressed: set[int] = set()
        for k in range(1, LOOKS + 1):
            # What is over the board is over the ground.
            low = [i for i, value in enumerate(memory.spare) if value > 0.0 and self.groups[i] not in pressed]
            depths = self._depths(deep, at(SPAN * memory.blend * k / LOOKS), low)
            pressed |= {self.groups[i] for i, depth in depths.items() if depth > lay[i] + DEEPER * self.size}
        return pressed

    def _depths(self, deep: Deep, pose: EditedPose, points: Collection[int]) -> dict[int, float]:
        """How deep points are in the ground, metres (0: they are over it)."""
        return {i: deep(pose.moved(self.points[i].bone) @ self.points[i].at) for i in points}


def depth_in(world: World, to_world: Matrix, size: float) -> Deep:
    """How deep a place is in the ground of a world, for model space that stands `to_world` and a leg of a size."""

    def deep(place: Vector) -> float:
        x, y, z = to_world @ place
        ground = world.height_below(x, y, z + OVER * size, DEPTH * size)
        return 0.0 if ground is None else max(0.0, ground - z)

    return deep
