"""Characters that physics has, with rows made by hand: their own pose carried off, turned over, laid down."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import radians
from typing import Any

from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.rigs import dog_skeleton, horse_skeleton, person_skeleton, snake_skeleton, spider_skeleton
from surefoot.core.character import Character, CharacterConfig, Memory, world_matrix
from surefoot.core.control.fall_row import FallRow, FallState
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.make_plan import make_plan
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.ragdoll_presets import plan_config
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.space.rigid import Triple
from surefoot.core.world.extruded import Flat

DT = 1.0 / 60.0
SKELETONS = {
    "person": person_skeleton, "dog": dog_skeleton, "horse": horse_skeleton, "spider": spider_skeleton,
    "snake": snake_skeleton,
}  # fmt: skip
Bodies = tuple[float, ...]


@lru_cache
def rig_of(kind: str) -> Rig:
    """The rig of a kind."""
    return understand(SKELETONS[kind](), read_conventions(ROOT / "presets" / "rigs")).rig


@lru_cache
def plan_of(kind: str) -> RagdollPlan:
    """Its solids."""
    return make_plan(rig_of(kind), None, plan_config())


@dataclass
class Faller:
    """A character with its memory, its inputs and all that was seen of it."""

    kind: str
    inputs: Inputs = field(default_factory=Inputs)
    world: Any = field(default_factory=Flat)
    config: CharacterConfig = field(default_factory=CharacterConfig)
    place: Place = Place(0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        given = {name: getattr(self.config, name) for name in CharacterConfig.__dataclass_fields__}
        self.plan = given["ragdoll"] = plan_of(self.kind)
        self.rig = rig_of(self.kind)
        self.character = Character(self.rig, CharacterConfig(**given))
        self.memory: Memory = self.character.start(self.place, self.inputs, self.world)

    def tick(self, row: FallRow | None = None, **others: Any) -> None:
        """One tick, with a row."""
        given = {name: getattr(self.inputs, name) for name in Inputs.__dataclass_fields__}
        self.character.tick(self.memory, Inputs(**(given | {"fall": row} | others)), self.world, DT)

    def wait(self, seconds: float) -> None:
        """Ticks of its own motion."""
        for _ in range(round(seconds / DT)):
            self.tick()

    def bodies(self) -> Bodies:
        """The solids of its own motion now."""
        return self._solids(self.character.wanted(self.memory, self.inputs))

    def shown(self) -> Bodies:
        """The solids of the pose that is shown now."""
        return self._solids(self.character.pose(self.memory, self.inputs))

    def _solids(self, frame: Any) -> Bodies:
        pose = EditedPose.of_frame(self.rig.skeleton, frame)
        return turned_over(bodies_of(self.plan, pose, world_matrix(frame.ground)), Matrix())

    def feet(self) -> list[tuple[bool, Triple]]:
        """Of each foot whether it is planted, and where it stands."""
        return [(foot.planted, foot.hold[:3]) for foot in self.memory.gait.feet]

    def steps(self) -> int:
        """How many steps it has taken."""
        return sum(foot.steps for foot in self.memory.gait.feet)


def carried(bodies: Bodies, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Bodies:
    """Solids somewhere else."""
    return turned_over(bodies, Matrix.Translation((x, y, z)))


def turned_over(bodies: Bodies, by: Matrix) -> Bodies:
    """Solids after a motion of the whole. Two signs are the same turn: the largest number of one is positive here.

    Where two numbers are as large, rounding says which; `same_signs` before a comparison that is not to the bit.
    """
    found: list[float] = []
    turn = by.to_quaternion()
    for i in range(0, len(bodies), 7):
        now = turn @ Quaternion(bodies[i + 3 : i + 7])
        found += [*(by @ Vector(bodies[i : i + 3])), *(now if max(now, key=abs) >= 0.0 else -now)]
    return tuple(found)


def same_signs(bodies: Bodies, told: Bodies) -> Bodies:
    """These solids with the sign of each turn that the others have: only then can their numbers be compared closely."""
    found = list(bodies)
    for i in range(3, len(found), 7):
        if sum(a * b for a, b in zip(found[i : i + 4], told[i : i + 4], strict=True)) < 0.0:
            found[i : i + 4] = [-number for number in found[i : i + 4]]
    return tuple(found)


def laid(bodies: Bodies, axis: str = "X", degrees: float = 90.0, height: float = 0.12) -> Bodies:
    """Solids tipped over on the spot: about X onto the back (90) or the front (-90), about Y onto a side."""
    x, y, z = bodies[:3]
    about = Matrix.Translation((x, y, height)) @ Matrix.Rotation(radians(degrees), 4, axis)
    return turned_over(bodies, about @ Matrix.Translation((-x, -y, -z)))


def row(state: FallState, bodies: Bodies = (), **others: Any) -> FallRow:
    """A row of the first run."""
    return FallRow(state, bodies=bodies, **({"begins": 1} | others))
