"""A character over flat ground that is hit while it stands or walks: the core and physics in turns, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, sin
from random import Random

from surefoot.addon.physics_colliders import Colliders, Solid
from surefoot.addon.physics_run import Hit, PhysicsRun
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.fall_row import FallRow, fall_between
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.fall_presets import falls
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.placed import world_matrix
from surefoot.core.rig.pose import PoseFrame
from surefoot.core.rig.rig import Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat

FLOOR = Colliders((Solid(0, "STILL", "BOX", (0.0, 0.0, -1.0), (1.0, 0.0, 0.0, 0.0), (200.0, 200.0, 2.0), is_ground=True),))


@dataclass
class Fallen:
    """What came of it: rows and frames from the hit on, where the first solid was meant to be then, and where it was."""

    rows: list[FallRow] = field(default_factory=list)
    frames: list[PoseFrame] = field(default_factory=list)
    aims: list[tuple[float, ...]] = field(default_factory=list)
    start: tuple[float, ...] = ()
    events: list[tuple[int, str]] = field(default_factory=list)
    steps: int = 0

    def has(self, event: str) -> bool:
        """True if this event was told."""
        return any(name == event for _, name in self.events)

    @property
    def moved(self) -> float:
        """How far the first solid got from where it was to be if nothing had hit it, metres in the plan."""
        return max((hypot(row.bodies[0] - aim[0], row.bodies[1] - aim[1]) for row, aim in zip(self.rows, self.aims, strict=False) if row.bodies), default=0.0)


def character_of(rig: Rig, plan: RagdollPlan, **config: object) -> Character:
    """A character that falls with these solids."""
    return Character(rig, CharacterConfig(ragdoll=plan, **config))


class Stage:
    """One character on the floor, at frames."""

    def __init__(self, rig: Rig, plan: RagdollPlan, fps: float, speed: float = 0.0, heading: float = 0.0) -> None:
        self.plan, self.fps, self.speed = plan, fps, speed
        self.character, self.world = character_of(rig, plan), Flat()
        self.inputs = Inputs(speed=speed)
        self.memory = self.character.start(Place(0.0, 0.0, 0.0, heading), self.inputs, self.world)

    def bodies(self, memory: Memory) -> tuple[float, ...]:
        """Where its own motion has its solids."""
        frame = self.character.wanted(memory, self.inputs)
        return bodies_of(self.plan, EditedPose.of_frame(self.character.rig.skeleton, frame), world_matrix(frame.ground))

    def on(self, memory: Memory, before: FallRow | None, row: FallRow | None) -> None:
        """A frame on, from one row to the next."""
        ticks = ticks_per_frame(self.fps)
        for k in range(ticks):
            inputs = replace(self.inputs, fall=fall_between(before, row, (k + 1) / ticks))
            self.character.tick(memory, inputs, self.world, 1.0 / (self.fps * ticks))

    def hit(self, hits: dict[int, list[Hit]], seconds: float, warm: float = 0.5, config: object = None, limp: bool = False) -> Fallen:
        """What comes of hits, by frames after `warm` seconds."""
        active = config or falls("USUAL").active
        told = Fallen()
        before = self.bodies(self.memory)
        for _ in range(max(1, round(warm * self.fps))):
            before = self.bodies(self.memory)
            self.on(self.memory, None, None)
        free = self.memory.copy()
        now, row, run = self.bodies(self.memory), None, None
        told.start = now
        with PhysicsRun(self.plan, active, self.fps, colliders=FLOOR) as run:
            run.begin(before, now, 1.0 / self.fps)
            run.limp = limp
            for n in range(round(seconds * self.fps)):
                ahead = self.memory.copy()
                self.on(ahead, row, row)
                before, row = row, run.frame(now, self.bodies(ahead), hits.get(n, ()))
                self.on(self.memory, before, row)
                now = self.bodies(self.memory)
                self.on(free, None, None)
                told.aims.append(self.bodies(free))
                told.rows.append(row)
                told.frames.append(self.character.pose(self.memory, self.inputs))
                told.events += [(n, event) for event in row.events]
                if not row.bodies or (row.state == "ANIMATED" and n > 1):
                    break
        return told


def anywhere(rng: Random, speed: float) -> tuple[float, float, float]:
    """A level velocity in any direction."""
    way = rng.uniform(-pi, pi)
    return speed * cos(way), speed * sin(way), 0.0
