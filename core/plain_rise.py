"""A body that gets up by being blended from how it lies to how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, sqrt

from mathutils import Matrix, Quaternion, Vector

from .control.intent import Place
from .rig.edited_pose import EditedPose
from .rig.pose import PoseFrame
from .rig.rig import Rig
from .rig.placed import world_matrix
from .space.copying import copier
from .space.curves import smootherstep
from .world.world import World

SECONDS = 1.6


@dataclass(slots=True)
class PlainRiseMemory:
    """How long it rises, where it will stand, and how it lay: basis turns, basis places with their bones, the body."""

    time: float = 0.0
    place: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    turns: tuple[float, ...] = ()
    moved: tuple[float, ...] = ()
    body: tuple[float, ...] = ()

    def copy(self) -> PlainRiseMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(PlainRiseMemory)


class PlainRise:
    """The same for one rig. Immutable."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.seconds = SECONDS * sqrt(rig.leg_length / 0.9)

    def start(self, lying: EditedPose, to_world: Matrix, world: World, style: str) -> PlainRiseMemory:
        """Begin to get up from a pose; `to_world` is where its model space stands."""
        at = to_world @ lying.model(self.rig.body)
        x, y, z = at.translation
        ahead = at.to_quaternion() @ self.rig.skeleton.bones[self.rig.body].rest.to_quaternion().inverted()
        way = ahead @ Vector((0.0, -1.0, 0.0))
        heading = atan2(way.x, -way.y) if way.x or way.y else 0.0
        floor = world.height_below(x, y, z, 2.0 * self.rig.leg_length)
        memory = PlainRiseMemory(place=(x, y, z if floor is None else floor, heading))
        memory.turns = tuple(value for turn in lying.rotations for value in turn)
        memory.moved = tuple(value for i, place in sorted(lying.locations.items()) for value in (float(i), *place))
        memory.body = (*at.translation, *at.to_quaternion())
        return memory

    def tick(self, memory: PlainRiseMemory, world: World, dt: float) -> None:
        """One tick."""
        memory.time += dt

    def done(self, memory: PlainRiseMemory) -> bool:
        """True once it stands."""
        return memory.time >= self.seconds

    def place(self, memory: PlainRiseMemory) -> Place:
        """Where it will stand."""
        return Place(*memory.place)

    def pose(self, memory: PlainRiseMemory, standing: PoseFrame) -> PoseFrame:
        """The pose now, for that of the body as it stands."""
        share, body = smootherstep(memory.time / self.seconds), self.rig.body
        pose = EditedPose.of_frame(self.rig.skeleton, standing)
        back = world_matrix(standing.ground).inverted()
        lay = Matrix.LocRotScale(Vector(memory.body[:3]), Quaternion(memory.body[3:]), None)
        stood, lies, goal = pose.model(body).copy(), back @ lay, Matrix()
        turn = lies.to_quaternion().slerp(stood.to_quaternion(), share)
        goal = Matrix.LocRotScale(lies.translation.lerp(stood.translation, share), turn, None)
        for i, turned in enumerate(list(pose.rotations)):
            was = Quaternion(memory.turns[4 * i : 4 * i + 4])
            was = was if was.dot(turned) >= 0.0 else -was
            pose.set_basis(i, was.slerp(turned, share), pose.locations.get(i))
        pose.set_model(body, goal)
        return pose.frame(standing.ground, standing.feet, standing.events)
