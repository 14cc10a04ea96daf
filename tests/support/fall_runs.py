"""A character on flat ground that is hit while it stands or walks: the core and physics in turns, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, sin
from random import Random

from support.ragdolls import our_plan, our_rig
from surefoot.addon.physics_colliders import Colliders, Solid
from surefoot.addon.physics_run import Hit, PhysicsRun
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.fall_row import FallRow, fall_between
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.fall_presets import falls
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.placed import world_matrix
from surefoot.core.rig.rig import Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat

TURN = (1.0, 0.0, 0.0, 0.0)
FLOOR = Solid(0, "STILL", "BOX", (0.0, 0.0, -1.0), TURN, size=(200.0, 200.0, 2.0), is_ground=True)
UP = 0.82
"""A head is up at so much of the height that it was at: a person's at 1.4 m."""


@dataclass
class Fallen:
    """What came of it, from the hit on.

    `rows` are physics' rows; `meant` where its own motion had the solids that it was driven to, and `free` where they
    would be if nothing had hit it; `feet` which feet stood. `start` is where they were as physics took over.
    """

    start: tuple[float, ...]
    rows: list[FallRow] = field(default_factory=list)
    meant: list[tuple[float, ...]] = field(default_factory=list)
    free: list[tuple[float, ...]] = field(default_factory=list)
    feet: list[tuple[bool, ...]] = field(default_factory=list)

    def has(self, event: str) -> bool:
        """True if this event was told."""
        return any(event in row.events for row in self.rows)

    def stays_up(self, head: int) -> bool:
        """True if it did not fall, and its head is as high as it was, or nearly, as it ends."""
        last = [row for row in self.rows if row.bodies][-1]
        return not self.has("fell") and last.bodies[7 * head + 2] > UP * self.start[7 * head + 2]

    @property
    def moved(self) -> float:
        """How far the first solid got from where it would be, metres in the plan."""
        pairs = [(row.bodies, free) for row, free in zip(self.rows, self.free, strict=True) if row.bodies]
        return max(hypot(body[0] - free[0], body[1] - free[1]) for body, free in pairs)

    @property
    def steps(self) -> int:
        """How often a foot was put down."""
        return sum(
            now and not was
            for before, after in zip(self.feet, self.feet[1:], strict=False)
            for was, now in zip(before, after, strict=True)
        )


def ours(who: str) -> tuple[Rig, RagdollPlan]:
    """One of the characters that ship, and its solids."""
    return our_rig(who), our_plan(who)


class Stage:
    """One character on the floor at frames of one rate, in any of its places in a stride."""

    def __init__(
        self, rig: Rig, plan: RagdollPlan, fps: float, *, speed: float = 0.0, heading: float = 0.0, warm: float = 0.5
    ) -> None:
        self.plan, self.fps = plan, fps
        self.character, self.world = Character(rig, CharacterConfig(ragdoll=plan)), Flat()
        self.inputs = Inputs(speed=speed)
        self.memory = self.character.start(Place(0.0, 0.0, 0.0, heading), self.inputs, self.world)
        self.before = self.bodies(self.memory)
        for _ in range(max(1, round(warm * fps))):
            self.before = self.bodies(self.memory)
            self.on(self.memory, None, None)

    def bodies(self, memory: Memory) -> tuple[float, ...]:
        """Where its own motion has its solids."""
        frame = self.character.wanted(memory, self.inputs)
        pose = EditedPose.of_frame(self.character.rig.skeleton, frame)
        return bodies_of(self.plan, pose, world_matrix(frame.ground))

    def on(self, memory: Memory, before: FallRow | None, row: FallRow | None) -> None:
        """A frame on, from one row to the next."""
        ticks = ticks_per_frame(self.fps)
        for k in range(ticks):
            inputs = replace(self.inputs, fall=fall_between(before, row, (k + 1) / ticks))
            self.character.tick(memory, inputs, self.world, 1.0 / (self.fps * ticks))

    def hit(
        self,
        hits: Mapping[int, Sequence[Hit]],
        seconds: float = 3.0,
        *,
        config: ActiveConfig | None = None,
        steps: bool = True,
        limp: bool = False,
    ) -> Fallen:
        """What comes of hits, by frames from now on. Without `steps` its feet stay where they are."""
        now, row, free = self.bodies(self.memory), None, self.memory.copy()
        told = Fallen(now)
        with PhysicsRun(self.plan, config or falls("USUAL").active, self.fps, colliders=Colliders((FLOOR,))) as run:
            run.begin(self.before, now, 1.0 / self.fps)
            run.limp = limp
            for n in range(round(seconds * self.fps)):
                ahead = self.memory.copy()
                self.on(ahead, row, row)
                before, row = row, run.frame(now, self.bodies(ahead) if steps else now, hits.get(n, ()))
                self._tell(told, ahead, row, free)
                self.on(self.memory, before, row)
                now = self.bodies(self.memory) if steps else now
                if not row.bodies or "recovered" in row.events:
                    break
        return told

    def _tell(self, told: Fallen, ahead: Memory, row: FallRow, free: Memory) -> None:
        told.rows.append(row)
        told.meant.append(self.bodies(ahead))
        self.on(free, None, None)
        told.free.append(self.bodies(free))
        told.feet.append(tuple(foot.planted for foot in self.character.wanted(ahead, self.inputs).feet))


def shoved(
    rig: Rig, plan: RagdollPlan, speed: float, seed: int, fps: float, going: float = 0.0, seconds: float = 3.0
) -> Fallen:
    """A shove of the trunk from any side, at any place in a stride."""
    rng = Random(seed)
    stage = Stage(rig, plan, fps, speed=going, heading=rng.uniform(-pi, pi), warm=0.5 + rng.random())
    body = rng.choice([i for i, item in enumerate(plan.bodies) if item.limb == "body"])
    return stage.hit({0: [(body, anywhere(rng, speed))]}, seconds)


def anywhere(rng: Random, speed: float) -> tuple[float, float, float]:
    """A level velocity in any direction."""
    way = rng.uniform(-pi, pi)
    return speed * cos(way), speed * sin(way), 0.0
