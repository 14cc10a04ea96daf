"""What a layer is: one change to the pose after the base motion, with its settings, its memory and its one frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from mathutils import Matrix

from ..control.intent import LayerInput
from ..rig.edited_pose import EditedPose
from ..rig.pose import Footing, Ground
from ..rig.rig import Problem, Rig
from ..world.world import World

Stage = Literal["BLEND", "LEGS", "LOOK", "REACH", "SECONDARY"]
STAGES: tuple[Stage, ...] = ("BLEND", "LEGS", "LOOK", "REACH", "SECONDARY")
"""The order of the stack: each works on what those before it left."""

Targets = Literal["NONE", "PLACE", "SPOT"]
"""What a layer takes from the scene: nothing, a place, or a place with a rotation."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame as a layer sees it.

    `dt` is the time since the frame before, seconds; 0 at the first frame and after a jump, where everything is as if
    it had always been so. `ground` places model space in the world, `to_world` and `to_model` are the same as matrices.
    `velocity` is the body's, world space, metres a second; `turn_rate` radians a second. `airborne` while nothing is
    underfoot. `phase` is the gait's, from 0 to 1 over a stride, from the first foot's landing on; None without a gait.
    `placed` where the base motion has put the feet on the ground by itself, as a gait does and a clip does not.
    """

    dt: float
    ground: Ground
    to_world: Matrix
    to_model: Matrix
    world: World
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn_rate: float = 0.0
    airborne: bool = False
    feet: tuple[Footing, ...] = ()
    phase: float | None = None
    placed: bool = False


class LayerMemory(Protocol):
    """What a layer remembers from frame to frame: a flat dataclass of numbers, tuples and vectors.

    `reason` is a sentence for the panel where the layer cannot do as asked at this frame, else empty.
    """

    reason: str

    def copy(self) -> Any:
        """An independent copy, to go back to."""


class Layer(Protocol):
    """One layer of one character: immutable, built once from rig and settings.

    `problems` are what it cannot do on this rig, in sentences. A layer never throws for bad luck: a target out of
    reach, a straight or folded chain, a zero-length bone or no ground have defined results.
    """

    problems: tuple[Problem, ...]

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones whose rotation, and those whose location, it may set."""

    def start(self) -> Any:
        """A memory that has seen nothing yet."""

    def apply(self, pose: EditedPose, memory: Any, moment: Moment, wish: LayerInput) -> None:
        """Change the pose, and the memory in place, for one frame.

        Only driven bones are touched. The stack takes care of mask and weight; a kind that `weighs` itself makes only
        `wish.weight` of its change.
        """


@runtime_checkable
class Narrowed(Protocol):
    """A layer that reaches its aim with fewer bones, where a mask leaves it no more."""

    def within(self, bones: frozenset[int]) -> Layer:
        """The same layer that moves none but these bones."""


@runtime_checkable
class Replacing(Protocol):
    """A layer that puts a motion of its own in the place of the base motion."""

    def replaced(self, memory: Any) -> float:
        """How much of what it drives was its own at this frame, from 0 to 1."""


class LayerKind(NamedTuple):
    """An entry of the registry: all that panel, scripts and stack need to know of a kind of layer."""

    kind: str
    title: str
    about: str
    stage: Stage
    config: type
    make: Callable[[Rig, Any], Layer]
    targets: Targets = "NONE"
    weighs: bool = False
    icon: str = "MODIFIER"
    uses: tuple[str, ...] = ()
    """What else of the scene it takes: `action`, an Action; `progress`, where in it."""


@dataclass(frozen=True, slots=True)
class LayerSettings:
    """One layer as a character's settings have it: its kind, which roles it may move ("" : all), its own settings."""

    kind: str
    settings: Any
    mask: str = ""
