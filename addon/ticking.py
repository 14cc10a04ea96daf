"""One frame of one character: its memory from the frame before, ticked on."""

from __future__ import annotations

from typing import Any

from ..core.control.intent import Inputs
from ..core.tick import ticks_per_frame
from .frame_cache import Snapshot
from .inputs import lerp_inputs
from .members import Member
from .scenery import Scenery


def ticked(scenery: Scenery, member: Member, before: Snapshot, inputs: Inputs) -> Any:
    """A copy of the memory of the frame before, ticked through the entered frame; what happened is told once."""
    memory, world = before.memory.copy(), scenery.world(member)
    ticks = ticks_per_frame(scenery.fps)
    events: list[tuple[str, str]] = []
    for tick in range(1, ticks + 1):
        share = tick / ticks
        world.set_time(share)
        frame_inputs = lerp_inputs(before.inputs, inputs, share)
        member.performer.character.tick(memory, frame_inputs, world, 1.0 / (scenery.fps * ticks))
        events += memory.gait.events
    # What happens in a frame is told once, whichever of its ticks saw it.
    memory.gait.events = tuple(dict.fromkeys(events))
    return memory
