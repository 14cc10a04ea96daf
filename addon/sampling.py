"""Reading the evaluated feet of a rig over frames, for measuring: whoever animated it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import atan2
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ..core.measure.sole_ground import sole_ground, surface_ground
from ..core.measure.track import FootTrack, Track
from ..core.on_surfaces import LEAST_LEGS
from ..core.rig.rig import Leg, Rig
from ..core.rig.skeleton import Bone
from ..core.world.world import World
from .ground_frame import GroundFrame
from .grounds import ground_around
from .refusal import depsgraph_of
from .roster import is_character

# A foot that clings is over the surface that it is nearest to, within so many legs.
NEAR = 0.5


@dataclass(frozen=True)
class _Point:
    """A place fixed to a bone, in the bone's own space (armature units)."""

    bone: str
    local: Vector


@dataclass(frozen=True)
class _Foot:
    """One leg's sole ends and joints, each fixed to its bone."""

    role: str
    heel: _Point
    ball: _Point
    joints: tuple[_Point, ...]


class _Sample(NamedTuple):
    """One foot at one frame, world space, metres."""

    heel: np.ndarray
    ball: np.ndarray
    grounds: tuple[float, float]
    joints: np.ndarray
    heel_local: np.ndarray
    ball_local: np.ndarray
    normal: np.ndarray | None


def sampled(obj: Object, scene: Scene, reading: Any, frames: range) -> tuple[Track, np.ndarray]:
    """The rig's track over the frames, and the speed that its settings ask for at each of them, (F,).

    Steps the scene through the frames and puts its frame back. Of a character that clings, each foot is measured over
    the surface that it is nearest to.
    """
    clings = is_character(obj) and obj.surefoot.surfaces == "WALLS" and len(reading.rig.legs) >= LEAST_LEGS
    reach = NEAR * reading.rig.leg_length if clings else 0.0
    feet = [_foot(obj, reading, leg) for leg in reading.rig.legs]
    body, spot = _middle(reading.rig)
    origin = _fixed(obj, reading, body.name, spot)
    samples: list[list[_Sample]] = [[] for _ in feet]
    frames_of = [(GroundFrame(), GroundFrame()) for _ in feet]
    places, headings, speeds = [], [], []
    world = ground_around(obj, scene)
    for number in _stepping(scene, frames):
        shown = obj.evaluated_get(depsgraph_of(scene))
        world.refresh(depsgraph_of(scene), number)
        world.set_time(1.0)
        place = _placing(shown, reading.metres)
        places.append(tuple(place(origin)))
        headings.append(_heading(shown, body.name, body.rest))
        speeds.append(shown.surefoot.speed)
        for foot, found, ends in zip(feet, samples, frames_of, strict=True):
            found.append(_sample(place, foot, world, ends, reach))
    tracks = tuple(_track(foot, found) for foot, found in zip(feet, samples, strict=True))
    fps = scene.render.fps / scene.render.fps_base
    heading = np.unwrap(np.array(headings))
    track = Track(fps, np.array(frames), tracks, np.array(places), heading, reading.rig.leg_length)
    return track, np.array(speeds)


def _middle(rig: Rig) -> tuple[Bone, Vector]:
    """The bone whose way counts as the body's, and the place on it: of a body without legs where its head begins."""
    if rig.long_body is not None:
        return rig.skeleton.bones[rig.long_body.bones[0]], rig.long_body.joints[1]
    body = rig.skeleton.bones[rig.body]
    return body, body.head


def _stepping(scene: Scene, frames: range) -> Iterator[int]:
    """The scene at each frame in turn; its own frame afterwards."""
    kept = (scene.frame_current, scene.frame_subframe)
    try:
        for number in frames:
            scene.frame_set(number)
            yield number
    finally:
        scene.frame_set(kept[0], subframe=kept[1])


def _placing(shown: Object, metres: float) -> Callable[[_Point], Vector]:
    """A function from points fixed to bones to world places in metres, on the evaluated rig."""
    matrices: dict[str, Matrix] = {}

    def place(point: _Point) -> Vector:
        if point.bone not in matrices:
            matrices[point.bone] = shown.matrix_world @ shown.pose.bones[point.bone].matrix
        return matrices[point.bone] @ point.local * metres

    return place


def _heading(shown: Object, body: str, rest: Matrix) -> float:
    """Where the body faces: its turn from the rest pose, about Z."""
    now = (shown.matrix_world @ shown.pose.bones[body].matrix).to_quaternion().to_matrix()
    turn = now @ rest.to_quaternion().to_matrix().inverted()
    return atan2(turn[1][0], turn[0][0])


def _sample(
    place: Callable[[_Point], Vector], foot: _Foot, world: World, ends: tuple[GroundFrame, GroundFrame], reach: float
) -> _Sample:
    """One foot now; of one that clings, over the surface within `reach` metres (0: over the ground below)."""
    heel, ball = np.array(place(foot.heel)), np.array(place(foot.ball))
    joints = np.array([place(joint) for joint in foot.joints])
    normal = None
    if reach > 0.0:
        normal, grounds = surface_ground(world, heel, ball, joints[-2], reach)
    else:
        grounds = sole_ground(world, heel, ball)
    local = [frame.local(end, world, normal) for frame, end in zip(ends, (heel, ball), strict=True)]
    return _Sample(heel, ball, grounds, joints, *local, normal)


def _track(foot: _Foot, samples: list[_Sample]) -> FootTrack:
    grounds = np.array([sample.grounds for sample in samples])
    normals = [sample.normal for sample in samples if sample.normal is not None]
    return FootTrack(
        foot.role,
        np.array([sample.heel for sample in samples]),
        np.array([sample.ball for sample in samples]),
        grounds[:, 0],
        grounds[:, 1],
        np.array([sample.joints for sample in samples]),
        np.array([sample.heel_local for sample in samples]),
        np.array([sample.ball_local for sample in samples]),
        np.array(normals) if normals else None,
    )


def _foot(obj: Object, reading: Any, leg: Leg) -> _Foot:
    names = [bone.name for bone in reading.rig.skeleton.bones]
    sole = leg.sole
    carriers = [*leg.bones, leg.bones[-1]]
    return _Foot(
        leg.role,
        _fixed(obj, reading, names[sole.heel_bone], sole.heel),
        _fixed(obj, reading, names[sole.ball_bone], sole.ball),
        tuple(_fixed(obj, reading, names[i], joint) for i, joint in zip(carriers, leg.joints, strict=True)),
    )


def _fixed(obj: Object, reading: Any, bone: str, place: Vector) -> _Point:
    """A place of model space at rest, fixed to a bone."""
    rest = obj.data.bones[bone].matrix_local
    return _Point(bone, rest.inverted() @ reading.canonical.inverted() @ place)
