"""A body that gets up, frame by frame, and what is measured of that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import degrees
from typing import Any

from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.lying import Lying
from support.rigs import blueprint
from surefoot.core.actions.rise_memory import RiseMemory
from surefoot.core.actions.rising import Rising
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import PoseFrame
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.rise_presets import rising
from surefoot.core.space.inertialization import rotation_offset
from surefoot.core.world.world import World

UP = Vector((0.0, 0.0, 1.0))
FPS = 30
LONGEST = 12.0


@lru_cache
def rig_of(who: str) -> Rig:
    """The rig of a character that ships."""
    return understand(blueprint(who).skeleton(), read_conventions(ROOT / "presets" / "rigs")).rig


@lru_cache
def riser(who: str) -> Rising:
    """What gets it up."""
    return rising(rig_of(who))


@dataclass
class Shot:
    """One frame: the pose, where its model space stands, and what was remembered."""

    pose: EditedPose
    at: Matrix
    memory: RiseMemory
    frame: PoseFrame


def standing(rig: Rig, place: Place, world: World) -> PoseFrame:
    """A body that stands at a place by its gait."""
    character = Character(rig, CharacterConfig())
    return character.pose(character.start(place, Inputs(), world))


def matrix_of(frame: PoseFrame) -> Matrix:
    """Where a frame's model space stands."""
    x, y, z, heading = frame.ground[:4]
    return Matrix.Translation((x, y, z)) @ Quaternion(UP, heading).to_matrix().to_4x4()


def filmed(rise: Rising, lying: Lying, world: Any, style: str | None = None, fps: int = FPS) -> list[Shot]:
    """All frames from the lying pose until it stands."""
    ticks = 2 if fps < 40 else 1
    memory = rise.start(lying.pose, lying.to_world, world, style)
    stands = standing(rise.rig, rise.place(memory), world)
    shots = []
    while len(shots) < LONGEST * fps:
        frame = rise.pose(memory, stands)
        shots.append(Shot(EditedPose.of_frame(rise.rig.skeleton, frame), matrix_of(frame), memory.copy(), frame))
        if rise.done(memory):
            break
        for _ in range(ticks):
            rise.tick(memory, world, 1.0 / fps / ticks)
    return shots


def bones_of(rig: Rig) -> tuple[int, ...]:
    """The body with all that hangs on it."""
    return (rig.body, *rig.skeleton.below[rig.body])


def start_gap(rise: Rising, lying: Lying, shot: Shot) -> float:
    """How far the first frame's joints and ends are from the lying pose's, metres."""
    gap = 0.0
    for i in bones_of(rise.rig):
        a, b = lying.to_world @ lying.pose.model(i), shot.at @ shot.pose.model(i)
        tip = Vector((0.0, rise.rig.skeleton.bones[i].length, 0.0))
        gap = max(gap, (a.translation - b.translation).length, (a @ tip - b @ tip).length)
    return gap


def fastest(rise: Rising, shots: list[Shot]) -> float:
    """How far a bone turns from one frame to the next at most, degrees, in the world."""
    most, before = 0.0, None
    for shot in shots:
        now = [(shot.at @ shot.pose.model(i)).to_quaternion() for i in bones_of(rise.rig)]
        if before is not None:
            most = max(most, *(Vector(rotation_offset(a, b)).length for a, b in zip(before, now, strict=True)))
        before = now
    return degrees(most)


def farthest(rise: Rising, shots: list[Shot]) -> float:
    """How far a joint goes from one frame to the next at most, metres."""
    most, before = 0.0, None
    for shot in shots:
        now = [shot.at @ shot.pose.head(i) for i in bones_of(rise.rig)]
        if before is not None:
            most = max(most, *((a - b).length for a, b in zip(before, now, strict=True)))
        before = now
    return most


def depth(rise: Rising, shots: list[Shot], world: World) -> float:
    """How far a joint, a hand, a sole or the middle of a part of the trunk is under the ground at most, metres."""
    most = 0.0
    for shot in shots:
        for point in rise.points.every():
            at = shot.at @ (shot.pose.moved(point.bone) @ point.at)
            ground = world.height_below(at.x, at.y, 50.0, 100.0)
            most = max(most, (0.0 if ground is None else ground) - at.z)
    return most


def slide(rise: Rising, shots: list[Shot]) -> float:
    """How far a hand or a foot that is planted leaves the place where it was first, metres."""
    most = 0.0
    first: dict[tuple[str, float], Vector] = {}
    for shot in shots:
        memory = shot.memory
        moment, holds = rise.shown.moment(memory, 1.0), rise.shown.holds
        for planted in memory.holds:
            steps = planted.lasts and memory.clock >= moment.steps
            if steps or rise.done(memory) or holds.share(planted, moment, memory.led) < 1.0:
                continue
            at = shot.at @ holds.contact(shot.pose, planted.limb)
            most = max(most, (at - first.setdefault((planted.limb, planted.start), at)).length)
    return most
