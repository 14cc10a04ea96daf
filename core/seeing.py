"""What a character sees ahead at a frame, as it is drawn: the look that a press would take there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .control.intent import Inputs, Intent
from .locomotion.state import Step, stance_of
from .world.surroundings import Surroundings, look
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory


def seen_ahead(character: Character, memory: Memory, inputs: Inputs, world: World) -> Surroundings | None:
    """The surroundings with all that was asked for them; None for a character that does not read the level.

    It changes nothing: the memory is that of a whole frame, the world is at that frame.
    """
    capsule, state, movement, config = memory.capsule, memory.state, character.movement, character.parkour
    if capsule is None or state is None or movement is None or config is None:
        return None
    pad, travel = inputs.pad, memory.travel
    wish = (pad.x, pad.y) if pad.x or pad.y else None
    intent = Intent(travel.velocity[:2], travel.place.heading, sprint=pad.sprint and not pad.crouch, wish=wish)
    step = Step(intent, travel, capsule, state, character.control, movement, config, world, 0.0)
    return look(world, stance_of(step), step.sensor, config.surroundings, keep=True)
