"""What physics made of a character as an input of its frame; and hits that are answered without physics."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

from bpy.types import Scene

from ..core.control.fall_row import Blow
from ..core.control.intent import Inputs
from .fall_track import said
from .fall_wishes import NO_WISHES, Wishes
from .members import Member
from .scene_world import SceneWorld

SMALL = 0.4
"""Hits that give less, metres a second, are flinched from: nobody steps for them."""


def why_no_physics(scene: Scene) -> str:
    """The key of the sentence why physics cannot be had in a scene; empty where it can.

    Bodies that are baked cannot answer to a character: what it would push would not move.
    """
    world = scene.rigidbody_world
    return "fall_baked" if world is not None and world.point_cache.is_baked else ""


def is_small(hit: Blow) -> bool:
    """True for a hit that nobody steps for."""
    return hypot(*hit.velocity) < SMALL


def around_at(world: SceneWorld, number: int) -> Any:
    """The ground that moves at a frame, as plain values; None where the world is at another one."""
    if not world.is_moving:
        return ()
    return world.moving_content() if world.frame == number else None


def with_fall(member: Member, scene: Scene, number: int, inputs: Inputs, wishes: Wishes, around: Any = ()) -> Inputs:
    """The inputs of a frame with what was recorded of it, as far as that holds. Without what is `around` (None) that
    cannot be told, and is not asked.
    """
    track = member.performer.fall
    if wishes is NO_WISHES and not track.record.runs:
        return inputs
    asked = track.held and around is not None
    dropped = track.compare(number, said(inputs, wishes, around)) if asked else None
    if dropped is not None:
        member.performer.cache.drop_from(dropped)
    row = track.row_at(number)
    if row is not None:
        return replace(inputs, fall=row)
    if not wishes.begins or track.run_at(number) is not None:
        return inputs
    small = not wishes.is_limp and all(map(is_small, wishes.hits))
    if small or (wishes.hits and why_no_physics(scene)):
        return replace(inputs, hits=wishes.hits)
    track.note(number, wishes)
    return inputs
