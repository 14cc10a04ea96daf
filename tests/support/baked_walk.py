"""A walk that was baked, measured from the evaluated bones alone: neither preview nor handlers nor our World help.

The sole points are those that set-up found, carried by their own evaluated bones (a Rigify rig's ORG and DEF bones,
not its controls). What lies under them is asked of the evaluated ground meshes by rays from far above.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import acos, atan2, ceil, degrees, pi
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.bake_record import read_record
from surefoot.addon.performers import performers
from surefoot.addon.setup import setup
from surefoot.core.control.config import ControlConfig
from surefoot.core.gait.patterns import Pattern, speed_at
from surefoot.core.gait.shape import shape_of
from surefoot.core.measure.contacts import Contacts, find_contacts
from surefoot.core.measure.track import FootTrack, Track
from surefoot.core.measure.travel import path_error
from surefoot.core.presets import pattern
from surefoot.core.rig.rig import Leg, Rig
from surefoot.core.tick import ticks_per_frame

from .ground_meshes import TREAD, Fall, Terrain
from .walk import shows_swings

FPS = 24
# At 24 frames a second a whole stride of shorter legs is over in 4 to 6 frames, and no duty factor can be told.
SMALL_LEG, SMALL_FPS = 0.27, 60
STRIDES = 2.2


@dataclass(frozen=True)
class Course:
    """How a rig walks: gait, Froude number, ground."""

    gait: str
    froude: float
    ground: str

    def __str__(self) -> str:
        return f"{self.gait.lower()} {self.froude:g} {self.ground}"


@dataclass(frozen=True)
class BakedWalk:
    """A baked walk without its start: what was planned, and what the evaluated bones did.

    `trunk` is the most that the trunk was off its rest direction (degrees), `pelvis` its height over the body's
    ground as a share of its rest height, (F,), `limited` True while a leg is in a limited stride, (F, legs).
    """

    rig: Rig
    terrain: Terrain
    pattern: Pattern
    speed: float
    track: Track
    planned: Mapping[str, Contacts]
    found: Mapping[str, Contacts]
    trunk: float
    pelvis: np.ndarray
    limited: np.ndarray


def bake_walk(obj: bpy.types.Object, course: Course, sunk: float = 0.0) -> BakedWalk:
    """Set a rig up, let it walk a course, bake it, and measure the bake; with the ground raised by `sunk` metres."""
    scene = bpy.context.scene
    setup(obj, scene)
    reading = reading_of(obj)
    rig = reading.rig
    fps = FPS if rig.leg_length > SMALL_LEG else SMALL_FPS
    scale, speed = rig.leg_length / 0.9, speed_at(course.froude, rig.leg_length)
    gait = pattern(course.gait, len(rig.legs))
    gait = gait.with_duty(gait.duty_at(course.froude))
    shape = shape_of(rig)
    cycle, margin = gait.cycle(speed, shape.stature), 0.5 * max(rig.leg_length, shape.span)
    settling = speed / ControlConfig().acceleration + 2.0 * cycle + 0.2
    steps = max(9, ceil((STRIDES * cycle * speed + 2.0 * margin) / (TREAD * scale)))
    least = {"stairs up": 1.4 * steps * TREAD, "stairs down": 1.4 * steps * TREAD, "hills": 4.8}
    measured = max(STRIDES * cycle, least.get(course.ground, 0.0) * scale / speed)
    stairs, way = speed * (settling - 0.5 * cycle), speed * (settling + measured)
    terrain = Terrain(course.ground, scale, _under(reading), stairs, steps, margin, way)
    ground = terrain.add()
    settings = obj.surefoot
    settings.director, settings.gait, settings.speed = "AHEAD", course.gait, speed
    frames, planned = _baked(obj, fps, settling, measured)
    if not shows_swings({role: each.within(frames[0], frames[-1]) for role, each in planned.items()}):
        # The same walk with a frame at each of its ticks; of small legs, whose frames are ticks, one of twice as many.
        frames, planned = _baked(obj, fps * max(2, ticks_per_frame(fps)), settling, measured)
    ground.location.z += sunk
    cache = performers.get(obj.session_uid).cache
    feet = [cache.get(frame).memory.gait.feet for frame in frames]
    limited = np.array([[foot.limited for foot in row] for row in feet])
    track, trunk, pelvis = sampled(obj, reading, [ground], frames)
    return BakedWalk(rig, terrain, gait, speed, track, planned, find_contacts(track), trunk, pelvis, limited)


def _baked(
    obj: bpy.types.Object, fps: int, settling: float, measured: float
) -> tuple[range, Mapping[str, Contacts]]:
    """Bake the walk from frame 1 on: the frames that are measured, and the contacts that were planned."""
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = fps, 1.0
    obj.surefoot.preview = True
    frames = range(1 + round(settling * fps), 2 + round((settling + measured) * fps))
    bake(obj, BakeOptions(1, frames[-1]))
    return frames, read_record(obj.animation_data.action).contacts


def bake_path(obj: bpy.types.Object, gait: str, froude: float, radius: float) -> float:
    """Bake a walk on level ground along a circle: how far the line of footprints is from it, metres."""
    scene = bpy.context.scene
    setup(obj, scene)
    reading = reading_of(obj)
    rig = reading.rig
    fps = FPS if rig.leg_length > SMALL_LEG else SMALL_FPS
    scene.render.fps, scene.render.fps_base = fps, 1.0
    speed = speed_at(froude, rig.leg_length)
    cycle = pattern(gait, len(rig.legs)).cycle(speed, shape_of(rig).stature)
    ground = Terrain("flat", 1.0, _under(reading), 0.0, 0, 0.0, 4.0 * radius).add()
    bpy.ops.curve.primitive_bezier_circle_add(radius=radius, location=(radius, 0.0, 0.0))
    settings = obj.surefoot
    settings.director, settings.path, settings.gait, settings.speed = "PATH", bpy.context.object, gait, speed
    settings.preview = True
    settling = speed / ControlConfig().acceleration + 2.0 * cycle + 0.2
    last = 1 + round((settling + min(2.0 * pi * radius / speed, 8.0 * cycle)) * fps)
    bake(obj, BakeOptions(1, last))
    track, _, _ = sampled(obj, reading, [ground], range(1 + round(settling * fps), last + 1))
    contacts = read_record(obj.animation_data.action).contacts
    inner = {
        role: Contacts(tuple(span for span in item.foot if track.frames[0] <= span.start and span.end <= last))
        for role, item in contacts.items()
    }
    error = path_error(track, inner, circle(radius))
    assert error is not None
    return error


def sampled(
    obj: bpy.types.Object, reading: Any, grounds: Sequence[bpy.types.Object], frames: range
) -> tuple[Track, float, np.ndarray]:
    """The track of what is shown, the trunk's most lean (degrees), the pelvis' height as a share of rest's, (F,)."""
    assert not obj.surefoot.preview
    scene, rig = bpy.context.scene, reading.rig
    fall = Fall(grounds)
    names = [bone.name for bone in rig.skeleton.bones]
    points = [_points(obj, reading, names, leg) for leg in rig.legs]
    trunk = _Trunk(obj, reading, names)
    rows: list[list[np.ndarray]] = [[] for _ in rig.legs]
    bodies, headings = [], []
    for number in frames:
        scene.frame_set(number)
        shown = _Shown(obj)
        for row, leg in zip(rows, points, strict=True):
            row.append(np.array([shown.place(*point) for point in leg]))
        bodies.append(shown.place(*trunk.body))
        headings.append(trunk.look(shown))
    feet = tuple(_foot(leg.role, np.array(row), fall) for leg, row in zip(rig.legs, rows, strict=True))
    track = Track(
        fps=scene.render.fps / scene.render.fps_base,
        frames=np.array(frames, dtype=float),
        feet=feet,
        body=np.array(bodies),
        heading=np.unwrap(headings),
        leg_length=rig.leg_length,
    )
    pelvis = np.array([place[2] - fall.height(place) for place in trunk.pelvis_places]) / trunk.pelvis_height
    return track, trunk.lean, pelvis


def reading_of(obj: bpy.types.Object) -> Any:
    """What set-up read of a rig."""
    from surefoot.addon import performers as built

    return built.reading_of(obj, bpy.context.evaluated_depsgraph_get())


class _Shown:
    """The evaluated rig at the present frame."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())

    def bone(self, name: str) -> Matrix:
        """A bone's world matrix."""
        return self._shown.matrix_world @ self._shown.pose.bones[name].matrix

    def place(self, bone: str, local: Vector) -> tuple[float, float, float]:
        """Where a point of a bone's own space is."""
        return tuple(self.bone(bone) @ local)


class _Trunk:
    """Body, pelvis and lean of the trunk, from evaluated bones."""

    def __init__(self, obj: bpy.types.Object, reading: Any, names: list[str]) -> None:
        rig = reading.rig
        pelvis = rig.pelvis if rig.pelvis >= 0 else rig.body
        bones = rig.skeleton.bones
        self.body = _fixed(obj, reading, names[rig.body], bones[rig.body].head)
        self._pelvis = _fixed(obj, reading, names[pelvis], bones[pelvis].head)
        self.pelvis_height = bones[pelvis].head.z - rig.floor
        self.pelvis_places: list[tuple[float, float, float]] = []
        ends = [i for i in (rig.body, rig.neck[0] if rig.neck else -1, rig.head) if i >= 0]
        self._low, self._high = ends[0], ends[1] if len(ends) > 1 else ends[0]
        self._ends = [_fixed(obj, reading, names[i], bones[i].head) for i in (self._low, self._high)]
        self._rest = bones[self._high].head - bones[self._low].head
        self._upright = self._rest.length < 1e-6
        if self._upright:
            tip = bones[self._low].head + Vector((0.0, 0.0, rig.leg_length))
            self._ends[1] = _fixed(obj, reading, names[self._low], tip)
            self._rest = Vector((0.0, 0.0, 1.0))
        self._facing = [
            _fixed(obj, reading, names[rig.body], bones[rig.body].head + way)
            for way in (Vector((0.0, 0.0, 0.0)), Vector((0.0, -rig.leg_length, 0.0)))
        ]
        self._ways: list[Vector] = []
        self._headings: list[float] = []

    @property
    def lean(self) -> float:
        """The most that the trunk was off its rest direction, degrees, on a straight course: that the pelvis turns to
        either side with the steps is no lean, so its mean heading is what the trunk is seen from.
        """
        turn = Matrix.Rotation(-float(np.mean(np.unwrap(self._headings))), 3, "Z")
        rest = self._rest.normalized()
        return max(degrees(acos(min(1.0, (turn @ way).dot(rest)))) for way in self._ways)

    def look(self, shown: _Shown) -> float:
        """Note this frame; the heading of the body, radians, 0 for -Y."""
        self.pelvis_places.append(shown.place(*self._pelvis))
        here, ahead = (Vector(shown.place(*point)) for point in self._facing)
        heading = atan2(ahead.x - here.x, here.y - ahead.y)
        low, high = (Vector(shown.place(*point)) for point in self._ends)
        self._ways.append((high - low).normalized())
        self._headings.append(heading)
        return heading


def _under(reading: Any) -> Matrix:
    """Puts a ground made along -Y from the origin under where the rig stands, along where it faces."""
    start = reading.start
    stands = Matrix.Translation((start.x, start.y, start.z + reading.rig.floor))
    return stands @ Matrix.Rotation(start.heading, 4, "Z")


def _points(obj: bpy.types.Object, reading: Any, names: list[str], leg: Leg) -> list[tuple[str, Vector]]:
    """Heel, ball, then the joints from hip to tip, each as a bone and a point in its space.

    A point foot has no joint where it touches; the place itself ends the leg.
    """
    sole, carriers = leg.sole, [*leg.bones, leg.bones[-1]]
    return [
        _fixed(obj, reading, names[sole.heel_bone], sole.heel),
        _fixed(obj, reading, names[sole.ball_bone], sole.ball),
        *(_fixed(obj, reading, names[i], joint) for i, joint in zip(carriers, leg.chain, strict=True)),
    ]


def _fixed(obj: bpy.types.Object, reading: Any, bone: str, place: Vector) -> tuple[str, Vector]:
    """A place of the rest pose (model space) as a bone and a point in the bone's own space."""
    rest = obj.data.bones[bone].matrix_local
    return bone, rest.inverted() @ (reading.canonical.inverted() @ place)


def _foot(role: str, places: np.ndarray, fall: Fall) -> FootTrack:
    heel, ball = places[:, 0], places[:, 1]
    grounds = np.array([fall.under_sole(*ends) for ends in zip(heel, ball, strict=True)])
    assert not np.isnan(grounds).all(axis=1).any(), f"{role} leaves the ground mesh."
    return FootTrack(role, heel, ball, grounds[:, 0], grounds[:, 1], places[:, 2:])


def circle(radius: float, count: int = 720) -> np.ndarray:
    """A closed polyline about (radius, 0), from the origin, to the left of -Y: (count + 1, 2)."""
    angles = np.linspace(0.0, 2.0 * pi, count + 1)
    return np.stack([radius * (1.0 - np.cos(angles)), -radius * np.sin(angles)], axis=-1)
