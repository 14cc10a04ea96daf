"""What a whole record of falls depends on beside the frames themselves: the body, its numbers, what it can touch."""

from __future__ import annotations

from dataclasses import fields

from bpy.types import Scene

from ..core.fall_presets import falls
from .fall_digest import digest_of
from .fall_record import VERSION
from .fall_surroundings import bodies_digest
from .members import Member
from .scene_world import SceneWorld

APART = frozenset({"source_rig", "move_clips", "layers"})
"""What of a Config is told by the frames that follow from it."""


def head_of(member: Member, scene: Scene, world: SceneWorld) -> bytes:
    """The digest of it, the same in every session."""
    performer, render = member.performer, scene.render
    config = performer.config
    numbers = [getattr(config, item.name) for item in fields(config) if item.name not in APART]
    gravity = tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)
    time = (render.fps, float(render.fps_base), performer.reading.metres)
    told = falls(config.fall.fall_numbers)
    return digest_of(VERSION, numbers, told, gravity, time, world.content(), bodies_digest(scene))
