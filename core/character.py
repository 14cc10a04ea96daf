"""One character: what set-up understood, its settings, and its memory from tick to tick."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .actions.acting import ActMemory
from .actions.rise_takes import RiseTake
from .activities import AGENT_LOOK, Activities
from .base_motion import base_motion, unfitting_gait
from .control.bodied import stand_bodied
from .control.capsule_memory import CapsuleMemory
from .control.clinging import Grip
from .control.config import ControlConfig
from .control.directors import DIRECTORS, DirectorMemory
from .control.intent import DirectorName, Inputs, Place, Travel
from .control.movement import MovementConfig
from .control.point import stand
from .control.pushing import pusher_after
from .control.sound_inputs import sound
from .falling_body import Falling
from .falling_memory import FallConfig, FallMemory
from .from_clip import ClipConfig, ClipMemory, FromClip, start_from_clip
from .from_rig import FollowConfig, FollowMemory, FromRig, SourceRig, start_from_rig
from .gait.config import GaitConfig
from .gait.memory import GaitMemory
from .gait.posing import PoseReport
from .gait.slither import SlitherMemory
from .gait.slither_config import SlitherConfig
from .gait.style import StyleConfig
from .layers.adjustment import NO_ADJUSTMENT, Adjustment, AdjustmentLaid
from .layers.layer import LayerSettings, Moment
from .layers.moves import MovePoser
from .layers.moves_clips import MoveClip
from .layers.moves_memory import MovesMemory
from .layers.request import NOTHING_ASKED, Request
from .layers.stack import Stack, copied
from .locomotion.autopilot import Autopilot, AutopilotMemory
from .locomotion.config import ParkourConfig
from .locomotion.machine import request_of
from .locomotion.memory import StateMemory
from .motion.clip_pose import ClipPoses
from .move_presets import moves
from .on_surfaces import in_scene, start_clinging, too_few_legs
from .parkour_presets import USUAL, parkour
from .ragdoll.plan import RagdollPlan
from .rig.edited_pose import EditedPose
from .rig.placed import world_matrix
from .rig.pose import PoseFrame
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
Base = Literal["GAIT", "CLIP", "RIG"]
BodyName = Literal["POINT", "CAPSULE"]
NO_INPUTS = Inputs()
NO_SHAPE = Problem(
    "", "Parkour is for a body with a shape that walks on floors.", "It does none; choose Capsule under Body."
)
NO_CLIP = Problem("", "There is no clip to play as the base motion.", "It walks instead; choose an Action under Clip.")


@dataclass(frozen=True, slots=True)
class CharacterConfig:
    """All settings of a character that hold for a whole run. What may change from frame to frame is in Inputs."""

    director: DirectorName = setting(
        "AHEAD",
        "Who says where to go: ahead, a path, a target, a mover, a route, a person, an agent, or an autopilot",
    )
    base: Base = setting(
        "GAIT", "What makes the basic motion: steps that are planned, a clip that is played, or a rig that is followed"
    )
    surfaces: Surfaces = setting(
        "FLOOR",
        "What it walks on: floors, or WALLS and ceilings too, over corners and edges; for four legs and more. On WALLS "
        "it climbs all that it meets and never falls; paths, targets and movers lead it as far as the surface goes "
        "their way, by their direction along it",
    )
    body: BodyName = setting(
        "POINT",
        "What moves through the level: a point that goes as told, or a body with a shape that walls stop, that steps "
        "onto stairs, rides and falls",
    )
    push_bodies: bool = setting(
        False,
        "A body with a shape pushes the scene's rigid bodies, as hard as its strength lets it; heavier ones are walls",
    )
    parkour: bool = setting(
        False,
        "Read the level: vault, climb, hang, slide and roll as what is ahead lets it; for a body with a shape. Go Up "
        "is the press for it",
    )
    parkour_preset: str = setting(USUAL, "The numbers of its parkour, by their name")
    gait: GaitName = setting("AUTO", "The gait; AUTO takes it by speed and leg length, PRESET from its name")
    gait_preset: str = setting("", "The name of the gait while gait is PRESET; AUTO is walked if there is none")
    style: StyleConfig = field(default_factory=StyleConfig)
    steps: GaitConfig = field(default_factory=GaitConfig)
    slither: SlitherConfig = field(default_factory=SlitherConfig)
    control: ControlConfig = field(default_factory=ControlConfig)
    movement: MovementConfig = field(default_factory=MovementConfig)
    play: ClipConfig = field(default_factory=ClipConfig)
    clip_poses: ClipPoses | None = setting(None, "The clip that is played while base is CLIP; without one it walks")
    follow: FollowConfig = field(default_factory=FollowConfig)
    source_rig: SourceRig | None = setting(None, "The rig that is followed while base is RIG; without one it stands")
    fall: FallConfig = field(default_factory=FallConfig)
    ragdoll: RagdollPlan | None = setting(None, "Its solids and joints; without them it only flinches and steps")
    adjustment: Adjustment = setting(NO_ADJUSTMENT, "A correction of the pose that lies under all that it does")
    rise_takes: tuple[RiseTake, ...] = setting((), "Clips of getting up; where none fits it gets up by itself")
    move_clips: tuple[MoveClip, ...] = setting((), "Clips for moves that no gait has, each with the move that it is of")
    layers: tuple[LayerSettings, ...] = setting((), "The changes to the pose after the base motion, in their order")


@dataclass(slots=True)
class Memory:
    """Everything that changes: numbers and tuples only. `ticks` counts from the start.

    Of a body that clings, travel and gait are told in the frame of its `grip`. Of one that plays a clip `clip` is where
    in it, of one that follows a rig `follow` what it has seen of that; then the gait plans nothing. `layers` are the
    memories of the pose layers, one each in the order of the settings; they change once a frame. `capsule` is the
    body's shape, of one that has one, `act` what one does that an agent directs, `state` what it is doing where it
    reads the level, and `moves` what was shown of that; it changes once a frame too. `pilot` is the way of one that an
    autopilot directs, `fall` what hits and physics have done to one that they have.
    """

    ticks: int
    travel: Travel
    director: DirectorMemory
    gait: GaitMemory | SlitherMemory
    reason: str = ""
    grip: Grip | None = None
    layers: list[Any] = field(default_factory=list)
    clip: ClipMemory | None = None
    follow: FollowMemory | None = None
    capsule: CapsuleMemory | None = None
    act: ActMemory | None = None
    state: StateMemory | None = None
    moves: MovesMemory | None = None
    pilot: AutopilotMemory | None = None
    fall: FallMemory | None = None

    def copy(self) -> Memory:
        """An independent copy, to go back to."""
        grip = None if self.grip is None else self.grip.copy()
        travel, director, gait = _copied_travel(self.travel), self.director.copy(), self.gait.copy()
        clip = None if self.clip is None else self.clip.copy()
        follow = None if self.follow is None else self.follow.copy()
        capsule = None if self.capsule is None else self.capsule.copy()
        act = None if self.act is None else self.act.copy()
        state = None if self.state is None else self.state.copy()
        shown = None if self.moves is None else self.moves.copy()
        pilot = None if self.pilot is None else self.pilot.copy()
        fall = None if self.fall is None else self.fall.copy()
        parts = (grip, copied(self.layers), clip, follow, capsule, act, state, shown, pilot, fall)
        return Memory(self.ticks, travel, director, gait, self.reason, *parts)


_copied_travel = copier(Travel)


class Character:
    """A rig that walks or slithers. Immutable; ticks change only the Memory that they are given."""

    def __init__(self, rig: Rig, config: CharacterConfig) -> None:
        self.rig = rig
        self.config = config
        self.motion = motion = base_motion(rig, config)
        self.gait, self.poser, self.control = motion.gait, motion.poser, motion.control
        played = config.clip_poses if config.base == "CLIP" else None
        self.clip = None if played is None else FromClip(rig, config.play, played)
        self.follows = FromRig(rig, config.follow, config.source_rig) if config.base == "RIG" else None
        self.preset, self.clings = motion.preset, motion.clings and self.played is None
        self.adjustment = AdjustmentLaid(rig, config.adjustment)
        acts = config.director == "AGENT" and self.played is None and not self.clings and rig.legs
        self.activities = Activities(rig) if acts else None
        looks = self.activities is not None and rig.head >= 0
        self.stack = Stack(rig, (*config.layers, AGENT_LOOK) if looks else config.layers)
        self.movement = motion.movement if self.played is None else None
        self.pushes = self.movement is not None and config.push_bodies
        reads = config.parkour and self.movement is not None
        self.parkour: ParkourConfig | None = parkour(config.parkour_preset).sized(rig.leg_length) if reads else None
        pilots = config.director == "AUTOPILOT" and self.played is None and not self.clings
        self.autopilot = self._autopilot() if pilots else None
        self.moves = MovePoser(rig, moves(), self.adjustment, config.move_clips) if reads else None
        self.falling = Falling(rig, config.fall, config.ragdoll, config.rise_takes, clings=self.clings)

    def _autopilot(self) -> Autopilot:
        numbers = self.parkour or parkour(self.config.parkour_preset).sized(self.rig.leg_length)
        return Autopilot(self.movement, numbers, self.control, reads=self.parkour is not None)

    @property
    def layered(self) -> bool:
        """True where a frame's pose is more than what follows from the memory alone: something lies over it."""
        return len(self.stack) > 0 or self.parkour is not None

    @property
    def played(self) -> FromClip | FromRig | None:
        """What moves it where no gait does."""
        return self.follows if self.clip is None else self.clip

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What of the settings cannot be had by this rig, in sentences."""
        walls = self.config.surfaces == "WALLS" and self.played is None
        few = too_few_legs(len(self.rig.legs)) if walls and not self.clings else ()
        few = (*few, *self.adjustment.problems, *self.stack.problems, *self.gait_problems(self.config.gait))
        if self.moves is not None:
            few = (*few, *self.moves.problems)
        elif self.config.parkour:
            few = (*few, NO_SHAPE)
        if self.played is not None:
            few = (*few, *self.played.problems)
        return few if self.config.base == "GAIT" or self.played is not None else (*few, NO_CLIP)

    def gait_problems(self, gait: str) -> tuple[Problem, ...]:
        """Why this rig cannot go in a gait of the settings or of the inputs; none if it can, or goes in none."""
        if self.played is not None:
            return ()
        return unfitting_gait(self.rig, self.motion, self.preset if gait == "PRESET" else gait)

    def gait_at(self, inputs: Inputs) -> str:
        """The gait that is asked for at a moment: the one of the inputs where they name one, else the settings'."""
        name = inputs.gait or self.config.gait
        return self.preset if name == "PRESET" else name

    def start(self, place: Place, inputs: Inputs, world: World) -> Memory:
        """Standing at the first frame, where the director begins."""
        inputs = sound(inputs)
        director = DirectorMemory()
        if self.follows is not None:
            follow, still, at = start_from_rig(self.follows, place, inputs)
            travel = stand(at, self.control, world)
            return Memory(0, travel, director, still, layers=self.stack.start(), follow=follow)
        if self.clip is not None and self.clip.carries:
            return self._play(self.clip, director, place, inputs, world)
        begin = DIRECTORS[self.config.director].start(director, inputs, self.gait.from_origin(place))
        if self.clings:
            travel, grip, seen = start_clinging(begin, self.control, world)
            gait = self.gait.start(travel, seen, self.gait_at(inputs))
            return Memory(0, travel, director, gait, grip.reason, grip, self.stack.start())
        if self.clip is not None:
            return self._play(self.clip, director, begin, inputs, world)
        travel, capsule = stand(begin, self.control, world), None
        if self.movement is not None:
            travel, capsule = stand_bodied(begin, self.control, self.movement, world)
        gait = self.gait.start(travel, world, self.gait_at(inputs))
        act = None if self.activities is None else ActMemory()
        state = None if self.parkour is None else StateMemory()
        shown = None if self.moves is None else self.moves.start()
        layers, pilot = self.stack.start(), None if self.autopilot is None else AutopilotMemory()
        return Memory(0, travel, director, gait, "", None, layers, None, None, capsule, act, state, shown, pilot)

    def _play(self, base: FromClip, director: DirectorMemory, place: Place, inputs: Inputs, world: World) -> Memory:
        """At the first frame of a clip."""
        clip, gait, begin = start_from_clip(base, place, inputs)
        return Memory(0, stand(begin, self.control, world), director, gait, layers=self.stack.start(), clip=clip)

    def tick(self, memory: Memory, inputs: Inputs, world: World, dt: float) -> None:
        """One tick of `dt` seconds; `inputs` and `world` are at its end. The page that says how is tick.py."""
        run_tick(self, memory, inputs, world, dt)

    def lean(self, memory: Memory, world: World, dt: float) -> None:
        """At the end of a whole frame: what it pushes rigid bodies with has to be `dt` seconds later."""
        if self.pushes and memory.capsule is not None and self.movement is not None:
            memory.capsule.pusher = pusher_after(memory.capsule, self.movement, world, dt)

    def frame(
        self, memory: Memory, inputs: Inputs, world: World, dt: float, request: Request = NOTHING_ASKED
    ) -> PoseFrame:
        """The pose of a whole frame, `dt` seconds after the one before (0 at the start), with all layers on it.

        `request` is what is asked of them; without one it is what the state asks that the body is in.
        Their memories go on by one frame: ask once a frame, after its last tick.
        """
        if not self.layered and (memory.fall is None or not memory.fall.look):
            return self.pose(memory, inputs)
        if request is NOTHING_ASKED and memory.state is not None and self.parkour is not None:
            request = request_of(memory.state, memory.travel, self.parkour, world)
        base = self.pose(memory, inputs)
        pose, wishes = EditedPose.of_frame(self.rig.skeleton, base), inputs.layers
        moment = self._moment(memory, base, world, dt)
        if self.moves is not None and memory.moves is not None:
            aloft = memory.travel.aloft
            self.moves.apply(
                pose, memory.moves, request.move, base.ground, base.feet, moment.dt, aloft=aloft, world=world
            )
        if self.activities is not None and memory.act is not None:
            if len(memory.layers) > len(self.config.layers):
                place, count = memory.travel.place, len(memory.layers)
                wishes = self.activities.wishes(wishes, count, inputs.agent, memory.act, place)
            if request is NOTHING_ASKED:
                request = self.activities.acting.request(memory.act)
        if memory.fall is not None:
            request = self.falling.asked(memory.fall, request)
        self.stack.apply(pose, memory.layers, moment, wishes, request)
        if memory.fall is not None:
            self.falling.lay_over(pose, memory.fall, moment)
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
            self._phase(memory),
            placed=self.played is None,
        )

    def _phase(self, memory: Memory) -> float | None:
        if self.clip is not None and memory.clip is not None:
            return self.clip.phase(memory.clip)
        if self.follows is not None:
            return None
        return memory.gait.phase % 1.0

    def pose(self, memory: Memory, inputs: Inputs = NO_INPUTS) -> PoseFrame:
        """The base pose at this moment with its adjustment, before any layer. Only a rig that is followed is looked for
        in the inputs.
        """
        return self.pose_and_report(memory, inputs)[0]

    def pose_and_report(self, memory: Memory, inputs: Inputs = NO_INPUTS) -> tuple[PoseFrame, PoseReport]:
        """The base pose at this moment, and what of it could not be reached."""
        frame, report = self.own_pose(memory, inputs)
        return (frame if memory.fall is None else self.falling.posed(frame, memory.fall)), report

    def rises(self, memory: Memory) -> bool:
        """Whether it is getting up."""
        return memory.fall is not None and memory.fall.rise is not None

    def wanted(self, memory: Memory, inputs: Inputs = NO_INPUTS) -> PoseFrame:
        """The pose that its own motion has at this moment: what physics is to drive the body to."""
        frame = self.own_pose(memory, inputs)[0]
        return frame if memory.fall is None else self.falling.gazing(frame, memory.fall)

    def own_pose(self, memory: Memory, inputs: Inputs = NO_INPUTS) -> tuple[PoseFrame, PoseReport]:
        """The base pose without what hits and physics make of it, and what of it could not be reached."""
        if self.follows is not None and memory.follow is not None:
            frame = self.follows.pose(memory.follow, inputs, memory.travel, memory.gait.events)
            report = PoseReport((), ())
        elif self.clip is not None and memory.clip is not None:
            frame, report = self.clip.pose(memory.clip, memory.travel, memory.gait.events), PoseReport((), ())
        else:
            frame, report = self.poser.pose(memory.gait, memory.travel, self.gait.pattern_of(memory.gait))
            if self.activities is not None and memory.act is not None:
                frame = self.activities.laid(frame, memory.act)
        if memory.fall is not None:
            frame = self.falling.braced(frame, memory.fall)
        if self.adjustment:
            pose = EditedPose.of_frame(self.rig.skeleton, frame)
            self.adjustment.lay(pose, keep_feet=True)
            frame = pose.frame(frame.ground, frame.feet, frame.events)
        return (frame if memory.grip is None else in_scene(frame, memory.grip.frame)), report


def driven_bones(character: Character) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The skeleton's bones whose rotation, and those whose location, this character's poses set."""
    rotated, located = (character.poser if character.played is None else character.played).driven()
    acts, falls = character.activities, character.config.ragdoll is not None
    plain = not len(character.stack) and not character.adjustment and acts is None and character.moves is None
    if plain and not falls:
        return rotated, located
    turned, moved = character.stack.driven()
    if acts is not None:
        own = acts.poses.driven()
        turned, moved = turned | own[0], moved | own[1]
    turned, moved = turned | character.adjustment.bones, moved | character.adjustment.moved
    if character.moves is not None:
        own_turned, own_moved = character.moves.driven()
        turned, moved = turned.union(own_turned), moved.union(own_moved)
    if falls:
        fallen_turned, fallen_moved = character.falling.driven()
        turned, moved = turned | fallen_turned, moved | fallen_moved
    return tuple(sorted(turned.union(rotated))), tuple(sorted(moved.union(located)))
