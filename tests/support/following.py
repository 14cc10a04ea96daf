"""Characters that follow a clip of another rig as if it were a rig in the scene, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from surefoot.core.character import Character, CharacterConfig, Memory, world_matrix
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.control.source_pose import SourcePose, between
from surefoot.core.from_rig import FollowConfig, SourceRig
from surefoot.core.motion.clip import Clip
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import PoseFrame
from surefoot.core.rig.rig import Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat
from surefoot.core.world.world import World

ORIGIN = (0.0, 0.0, 0.0, 0.0)
HERE = Place(0.0, 0.0, 0.0, 0.0)


@dataclass
class Followed:
    """What came of it: the poses, the clip that they are, and the memory of each frame."""

    character: Character
    frames: list[PoseFrame]
    memories: list[Memory]
    clip: Clip


def config_of(source: Rig, **changes: object) -> CharacterConfig:
    """A character that follows a rig; `layers` are its layers, all else settings of following."""
    layers = changes.pop("layers", ())
    return CharacterConfig(
        base="RIG", follow=FollowConfig(**changes), source_rig=SourceRig(source, "source"), layers=layers
    )


def poses_of(clip: Clip, stand: tuple[float, float, float, float] = ORIGIN) -> list[SourcePose]:
    """A clip's frames as a source's."""
    return [SourcePose(moved.copy(), stand) for moved in clip.moved]


def follow(
    clip: Clip,
    target: Rig,
    place: Place = HERE,
    world: World | None = None,
    poses: Sequence[SourcePose | None] | None = None,
    **changes: object,
) -> Followed:
    """A target that follows a clip at the clip's own frame rate."""
    world = world or Flat()
    character = Character(target, config_of(clip.rig, **changes))
    return run(character, poses_of(clip) if poses is None else poses, clip.fps, place, world)


def run(
    character: Character,
    poses: Sequence[SourcePose | None],
    fps: float,
    place: Place = HERE,
    world: World | None = None,
) -> Followed:
    """A character that follows these poses, one a frame."""
    world = world or Flat()
    inputs = [Inputs(source=pose) for pose in poses]
    memory = character.start(place, inputs[0], world)
    frames, memories = [character.frame(memory, inputs[0], world, 0.0)], [memory.copy()]
    ticks = ticks_per_frame(fps)
    for before, after in zip(inputs, inputs[1:], strict=False):
        for k in range(1, ticks + 1):
            now = after if k == ticks else Inputs(source=between(before.source, after.source, k / ticks))
            character.tick(memory, now, world, 1.0 / (fps * ticks))
        frames.append(character.frame(memory, after, world, 1.0 / fps))
        memories.append(memory.copy())
    return Followed(character, frames, memories, clip_of_frames(character.rig, frames, fps))


def clip_of_frames(rig: Rig, frames: Sequence[PoseFrame], fps: float) -> Clip:
    """Poses as a clip."""
    rows = []
    for frame in frames:
        pose, at = EditedPose.of_frame(rig.skeleton, frame), world_matrix(frame.ground)
        rows.append([np.array(at @ pose.moved(i), dtype=np.float64) for i in range(len(rig.skeleton))])
    return Clip(rig, fps, np.array(rows))


def farthest(one: Clip, two: Clip, bones: Sequence[int] | None = None) -> float:
    """How far bones' ends are from where they are in another clip of the rig, at most, metres."""
    bones = range(len(one.rig.skeleton)) if bones is None else bones
    known = one.rig.skeleton.bones
    both = [known[i].head for i in bones], [known[i].tail for i in bones]
    apart = [
        np.abs(one.place(i, point) - two.place(i, point)).max()
        for points in both
        for i, point in zip(bones, points, strict=True)
    ]
    return float(max(apart))


def turned_about(clip: Clip, place: Place) -> Clip:
    """A clip moved as a whole: its origin to a place, its facing to the place's heading."""
    c, s = np.cos(place.heading), np.sin(place.heading)
    at = np.array([[c, -s, 0, place.x], [s, c, 0, place.y], [0, 0, 1, place.z], [0, 0, 0, 1.0]])
    return Clip(clip.rig, clip.fps, at @ clip.moved)


def at_rate(clip: Clip, fps: float) -> Clip:
    """Every so many frames of a clip."""
    step = round(clip.fps / fps)
    return Clip(clip.rig, clip.fps / step, clip.moved[::step])


QUARTER = 0.5 * pi
