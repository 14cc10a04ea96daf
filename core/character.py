"""One character: what set-up understood, its settings, and its memory from tick to tick."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mathutils import Matrix, Quaternion, Vector

from .control.clinging import Grip
from .control.config import ControlConfig
from .control.directors import DIRECTORS, DirectorMemory
from .control.intent import DirectorName, Inputs, Place, Travel
from .control.point import stand
from .gait.clinging import ClingingGait
from .gait.config import GaitConfig
from .gait.gait import ProceduralGait
from .gait.memory import GaitMemory
from .gait.posing import Poser, PoseReport
from .gait.shape import shape_of
from .gait.style import StyleConfig, styled, styled_steps, widened
from .layers.adjustment import NO_ADJUSTMENT, Adjustment, AdjustmentLaid
from .layers.layer import LayerSettings, Moment
from .layers.request import NOTHING_ASKED, Request
from .layers.stack import Stack, copied
from .on_surfaces import LEAST_LEGS, in_scene, span_of, start_clinging, too_few_legs
from .presets import auto_gait, gait_identifier, gait_names, gait_title, own_gait_names, pattern
from .rig.edited_pose import EditedPose
from .rig.pose import Ground, PoseFrame
from .rig.rig import Problem, Rig
from .space.copying import copier
from .space.rigid import turned as rotated
from .space.settings import setting
from .tick import tick as run_tick
from .world.world import World

GaitName = Literal[
    "AUTO", "WALK", "RUN", "SPRINT", "SNEAK", "MARCH", "LIMP",
    "TROT", "PACE", "CANTER", "GALLOP", "BOUND", "PRONK", "TRIPOD", "WAVE", "PRESET",
]  # fmt: skip
Surfaces = Literal["FLOOR", "WALLS"]
UP = Vector((0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class CharacterConfig:
    """All settings of a character that hold for a whole run. What may change from frame to frame is in Inputs."""

    director: DirectorName = setting("AHEAD", "Who says where to go: straight ahead, a path, a target, or a mover")
    surfaces: Surfaces = setting(
        "FLOOR",
        "What it walks on: floors, or WALLS and ceilings too, over corners and edges; for four legs and more. On WALLS "
        "it climbs all that it meets and never falls; paths, targets and movers lead it as far as the surface goes "
        "their way, by their direction along it",
    )
    gait: GaitName = setting("AUTO", "The gait; AUTO takes it by speed and leg length, PRESET from its name")
    gait_preset: str = setting("", "The name of the gait while gait is PRESET; AUTO is walked if there is none")
    style: StyleConfig = field(default_factory=StyleConfig)
    steps: GaitConfig = field(default_factory=GaitConfig)
    control: ControlConfig = field(default_factory=ControlConfig)
    adjustment: Adjustment = setting(NO_ADJUSTMENT, "A correction of the pose that lies under all that it does")
    layers: tuple[LayerSettings, ...] = setting((), "The changes to the pose after the base motion, in their order")


@dataclass(slots=True)
class Memory:
    """Everything that changes: numbers and tuples only. `ticks` counts from the start.

    Of a body that clings, travel and gait are told in the frame of its `grip`. `layers` are the memories of the pose
    layers, one each in the order of the settings; they change once a frame.
    """

    ticks: int
    travel: Travel
    director: DirectorMemory
    gait: GaitMemory
    reason: str = ""
    grip: Grip | None = None
    layers: list[Any] = field(default_factory=list)

    def copy(self) -> Memory:
        """An independent copy, to go back to."""
        grip = None if self.grip is None else self.grip.copy()
        travel, director, gait = _copied_travel(self.travel), self.director.copy(), self.gait.copy()
        return Memory(self.ticks, travel, director, gait, self.reason, grip, copied(self.layers))


_copied_travel = copier(Travel)


class Character:
    """A rig that walks. Immutable; ticks change only the Memory that they are given."""

    def __init__(self, rig: Rig, config: CharacterConfig) -> None:
        blocking = [problem for problem in rig.problems if problem.blocking]
        if blocking or not rig.legs:
            raise ValueError(str(blocking[0]) if blocking else "This rig has no legs to walk on.")
        self.rig = rig
        self.config = config
        count = len(rig.legs)
        names = gait_names()
        preset = gait_identifier(config.gait_preset)
        if config.gait == "PRESET" and preset in own_gait_names():
            names = (*names, preset)
        on_toes = all(leg.stance != "PLANTIGRADE" for leg in rig.legs)
        found = {name: pattern(name, count, on_toes=on_toes) for name in names}
        style = config.style
        patterns = {name: styled(item, style, count) for name, item in found.items() if item is not None}
        shape = widened(shape_of(rig), style)
        steps = styled_steps(config.steps, style)
        self.clings = config.surfaces == "WALLS" and count >= LEAST_LEGS
        span = span_of(rig, shape.span) if self.clings else shape.span
        self.control = replace(config.control, leg=rig.leg_length, span=span)
        gait = ClingingGait if self.clings else ProceduralGait
        self.gait = gait(shape, steps, patterns, auto_gait(count), style)
        self.poser = Poser(rig, steps, self.gait.body)
        self.adjustment = AdjustmentLaid(rig, config.adjustment)
        self.stack = Stack(rig, config.layers)
        self.gait_name = preset if config.gait == "PRESET" else config.gait

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What of the settings cannot be had by this rig, in sentences."""
        few = too_few_legs(len(self.rig.legs)) if self.config.surfaces == "WALLS" and not self.clings else ()
        few = (*few, *self.adjustment.problems, *self.stack.problems)
        if self.gait_name == "AUTO" or self.gait_name in self.gait.patterns:
            return few
        fitting = ", ".join(map(gait_title, self.gait.patterns))
        gait = gait_title(self.gait_name) or "(none)"
        reason = f"The gait {gait} is not made for {len(self.rig.legs)} legs."
        if self.gait_name not in (*gait_names(), *own_gait_names()):
            reason = f"There is no gait {gait} on this computer."
        return (*few, Problem("", reason, f"It walks by speed instead; choose one of {fitting}."),)

    def start(self, place: Place, inputs: Inputs, world: World) -> Memory:
        """Standing at the first frame, where the director begins."""
        director = DirectorMemory()
        begin = DIRECTORS[self.config.director].start(director, inputs, place)
        if self.clings:
            travel, grip, seen = start_clinging(begin, self.control, world)
            gait = self.gait.start(travel, seen, self.gait_name)
            return Memory(0, travel, director, gait, grip.reason, grip, self.stack.start())
        travel = stand(begin, self.control, world)
        gait = self.gait.start(travel, world, self.gait_name)
        return Memory(0, travel, director, gait, layers=self.stack.start())

    def tick(self, memory: Memory, inputs: Inputs, world: World, dt: float) -> None:
        """One tick of `dt` seconds; `inputs` and `world` are at its end. The page that says how is tick.py."""
        run_tick(self, memory, inputs, world, dt)

    def frame(
        self, memory: Memory, inputs: Inputs, world: World, dt: float, request: Request = NOTHING_ASKED
    ) -> PoseFrame:
        """The pose of a whole frame, `dt` seconds after the one before (0 at the start), with all layers on it.

        `request` is what the state that the body is in asks of them.
        Their memories go on by one frame: ask once a frame, after its last tick.
        """
        if not len(self.stack):
            return self.pose(memory)
        base = self.pose(memory)
        pose = EditedPose.of_frame(self.rig.skeleton, base)
        self.stack.apply(pose, memory.layers, self._moment(memory, base, world, dt), inputs.layers, request)
        return pose.frame(base.ground, base.feet, base.events)

    def _moment(self, memory: Memory, base: PoseFrame, world: World, dt: float) -> Moment:
        to_world = world_matrix(base.ground)
        travel = memory.travel
        velocity = travel.velocity if memory.grip is None else rotated(memory.grip.frame.turn, travel.velocity)
        return Moment(
            0.0 if travel.jumped else dt,
            base.ground,
            to_world,
            to_world.inverted(),
            world,
            velocity,
            travel.turn_rate,
            not travel.ground,
            base.feet,
            memory.gait.phase % 1.0,
        )

    def pose(self, memory: Memory) -> PoseFrame:
        """The base pose at this moment with its adjustment, before any layer."""
        return self.pose_and_report(memory)[0]

    def pose_and_report(self, memory: Memory) -> tuple[PoseFrame, PoseReport]:
        """The base pose at this moment, and what of it could not be reached."""
        frame, report = self.poser.pose(memory.gait, memory.travel, self.gait.pattern_of(memory.gait))
        if self.adjustment:
            pose = EditedPose.of_frame(self.rig.skeleton, frame)
            self.adjustment.lay(pose, keep_feet=True)
            frame = pose.frame(frame.ground, frame.feet, frame.events)
        return (frame if memory.grip is None else in_scene(frame, memory.grip.frame)), report


def world_matrix(ground: Ground) -> Matrix:
    """Where model space stands in the world."""
    turn = Quaternion(UP, ground.heading)
    if ground.tilt is not None:
        turn = Quaternion(ground.tilt) @ turn
    matrix = turn.to_matrix().to_4x4()
    matrix.translation = Vector(ground[:3])
    return matrix


def driven_bones(character: Character) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The skeleton's bones whose rotation, and those whose location, this character's poses set."""
    rotated, located = character.poser.driven()
    if not len(character.stack) and not character.adjustment:
        return rotated, located
    turned, moved = character.stack.driven()
    turned, moved = turned | character.adjustment.bones, moved | character.adjustment.moved
    return tuple(sorted(turned.union(rotated))), tuple(sorted(moved.union(located)))
