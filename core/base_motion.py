"""What moves a rig from tick to tick, by what it has: legs that step, or one long body that slithers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from .control.config import ControlConfig
from .control.movement import MovementConfig
from .gait.clinging import ClingingGait
from .gait.gait import ProceduralGait
from .gait.posing import Poser
from .gait.shape import shape_of
from .gait.slither import SlitherGait
from .gait.slither_posing import SlitherPoser
from .gait.style import styled, styled_steps, widened
from .gait.walls import Walls
from .on_surfaces import LEAST_LEGS, span_of
from .presets import auto_gait, gait_identifier, gait_names, gait_title, own_gait_names, pattern
from .rig.rig import Problem, Rig

if TYPE_CHECKING:
    from .character import CharacterConfig


class BaseMotion(NamedTuple):
    """Of one character: what plans its motion and what poses it, its limits of travel, and the gait that its PRESET is.

    Both kinds of `gait` answer `start`, `tick`, `pattern_of`, `from_origin` and have a `shape` and `patterns`, both
    kinds of `poser` answer `pose` and `driven`. `clings` is whether it walks on walls, `movement` has the numbers of a
    body with a shape.
    """

    gait: Any
    poser: Any
    control: ControlConfig
    preset: str
    clings: bool = False
    movement: MovementConfig | None = None


def base_motion(rig: Rig, config: CharacterConfig) -> BaseMotion:
    """The base motion of a rig with these settings; a ValueError where nothing can move it."""
    blocking = [problem for problem in rig.problems if problem.blocking]
    if blocking or not (rig.legs or rig.long_body):
        raise ValueError(str(blocking[0]) if blocking else "This rig has no legs to walk on, and no long body.")
    return _stepping(rig, config) if rig.legs else _slithering(rig, config)


def _stepping(rig: Rig, config: CharacterConfig) -> BaseMotion:
    count, preset = len(rig.legs), gait_identifier(config.gait_preset)
    names = (*gait_names(), preset) if preset in own_gait_names() else gait_names()
    on_toes = all(leg.stance != "PLANTIGRADE" for leg in rig.legs)
    found = {name: pattern(name, count, on_toes=on_toes) for name in names}
    style = config.style
    patterns = {name: styled(item, style, count) for name, item in found.items() if item is not None}
    shape = widened(shape_of(rig), style)
    steps = styled_steps(config.steps, style)
    clings = config.surfaces == "WALLS" and count >= LEAST_LEGS
    span = span_of(rig, shape.span) if clings else shape.span
    movement = _movement(rig, config) if config.body == "CAPSULE" and not clings else None
    parts = (shape, steps, patterns, auto_gait(count), style)
    gait = ClingingGait(*parts) if clings else ProceduralGait(*parts, Walls(movement))
    control = replace(config.control, leg=rig.leg_length, span=span)
    poser = Poser(rig, steps, gait.body, flies=config.body == "CAPSULE")
    return BaseMotion(gait, poser, control, preset, clings, movement)


def _movement(rig: Rig, config: CharacterConfig) -> MovementConfig:
    """The numbers of a body with a shape for legs of this length; one that pushes nothing has no strength."""
    movement = config.movement.sized(rig.leg_length)
    return movement if config.push_bodies else replace(movement, strength=0.0)


def _slithering(rig: Rig, config: CharacterConfig) -> BaseMotion:
    gait = SlitherGait(rig, config.slither)
    control = replace(config.control, leg=rig.leg_length, span=rig.leg_length)
    return BaseMotion(gait, SlitherPoser(rig, gait, config.slither), control, gait_identifier(config.gait_preset))


def unfitting_gait(rig: Rig, motion: BaseMotion, name: str) -> tuple[Problem, ...]:
    """The sentence for a gait that is not made for this rig, or is not there."""
    patterns = motion.gait.patterns
    if name == "AUTO" or name in patterns:
        return ()
    gait = gait_title(name) or "(none)"
    if rig.long_body is not None:
        reason = f"The gait {gait} is made for legs; this rig has none."
        return (Problem("", reason, "It slithers, whatever the gait; set Gait to Auto."),)
    fitting = ", ".join(map(gait_title, patterns))
    reason = f"The gait {gait} is not made for {len(rig.legs)} legs."
    if name not in (*gait_names(), *own_gait_names()):
        reason = f"There is no gait {gait} on this computer."
    return (Problem("", reason, f"It walks by speed instead; choose one of {fitting}."),)
