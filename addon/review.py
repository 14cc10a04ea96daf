"""Looking at a rig again: what was added since set-up that changes, locks or overrides what is written."""

from __future__ import annotations

from bpy.types import Object, Scene

from ..core.character import driven_bones
from .filling import Walk
from .performers import Performer, rig_key, travel_of
from .pose_writing import make_writer
from .problems import list_problems
from .refusal import layer_of


def review(obj: Object, performer: Performer, scene: Scene) -> None:
    """List the rig's problems anew if it is not the one that the list was made for. Not for frame handlers."""
    seen = seen_key(obj)
    if obj.surefoot.seen == seen:
        return
    reading, character = performer.reading, performer.character
    writer = make_writer(obj, reading, driven_bones(character), travel_of(obj, reading.rig))
    # A control rig is tried in a few poses: the handler that hears of them must not show the preview meanwhile.
    outer, Walk.busy = Walk.busy, True
    try:
        found = writer.check(obj, layer_of(scene).depsgraph)
    finally:
        Walk.busy = outer
    list_problems(obj, [*reading.problems, *writer.problems, *found], seen)


def seen_key(obj: Object) -> str:
    """What the list of problems depends on: all that is read of the rig, and which constraints act on its bones."""
    acting = [
        (bone.name, item.name)
        for bone in obj.pose.bones
        for item in bone.constraints
        if not item.mute and item.influence > 0.0
    ]
    return f"{rig_key(obj)} {acting}" if acting else rig_key(obj)
