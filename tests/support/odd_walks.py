"""A walk judged from outside, whatever the rig and its scene: how far it came, and how its feet stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.stage import add_ground, pose_at
from surefoot.addon.add_character import add_character
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of
from surefoot.addon.report import report
from surefoot.addon.setup import SetUp, setup

FROM, TO = 1, 60


@dataclass(frozen=True)
class Walked:
    """A walk over a range: how far the pelvis came (world), the largest slide, how deep and high planted soles were."""

    way: Vector
    slide: float
    below: float
    above: float
    contacts: int
    measured: dict[str, Any]


def walked(rig: bpy.types.Object, start: int = FROM, end: int = TO) -> Walked:
    """Play a range of the preview, or of the Action, and measure it."""
    scene = bpy.context.scene
    measured = report(rig, scene, start, end)
    assert failure_of(rig.session_uid) == ""
    spans = [span for foot in measured["feet"].values() for span in foot["contacts"]]
    scene.frame_set(start)
    begin = body_of(rig)
    scene.frame_set(end)
    return Walked(
        body_of(rig) - begin,
        max((foot["slide_max_m"] for foot in measured["feet"].values()), default=0.0),
        max((span["below_m"] or 0.0 for span in spans), default=0.0),
        max((span["above_m"] or 0.0 for span in spans), default=0.0),
        len(spans),
        measured,
    )


def body_of(rig: bpy.types.Object) -> Vector:
    """Where the evaluated pelvis is, world space."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return shown.matrix_world @ shown.pose.bones["pelvis"].matrix.to_translation()


def assert_walks(rig: bpy.types.Object, *, metres: float, size: float = 1.0, end: int = TO) -> Walked:
    """On level ground: so far forward, feet that neither slide, sink nor float; a leg of 0.9 m times `size`."""
    walk = walked(rig, FROM, end)
    assert walk.contacts >= 4
    assert walk.slide < 0.0005 * size
    assert walk.below < 0.003 * size
    assert walk.above < 0.008 * size
    assert Vector(walk.way[:2]).length == pytest.approx(metres, rel=0.03)
    assert abs(walk.way.z) < 0.1 * size
    return walk


def assert_bakes_as_shown(rig: bpy.types.Object, end: int = TO) -> None:
    """What the Action plays is what the preview showed."""
    frames = (FROM, end // 3, end // 2, end)
    shown = [pose_at(rig, frame) for frame in frames]
    bake(rig, BakeOptions(FROM, end))
    size = max(float(np.abs(pose[0]).max()) for pose in shown)
    for frame, pose in zip(frames, shown, strict=True):
        assert np.abs(pose_at(rig, frame) - pose).max() < 1e-5 * max(1.0, size), frame


def raw_person(at: Sequence[float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    """A person of the presets on flat ground, not set up."""
    add_ground()
    rig = add_character(bpy.context, "PERSON", Vector(at))
    bpy.context.view_layer.update()
    return rig


def change_data(rig: bpy.types.Object, change: Matrix) -> None:
    """Bones and skin through a matrix, as an import in other units or axes leaves them."""
    for child in rig.children:
        child.data.transform(change)
    rig.data.transform(change)


def start(rig: bpy.types.Object, travel: str = "OBJECT") -> SetUp:
    """Set the rig up and preview it; the set-up's result."""
    result = setup(rig, bpy.context.scene)
    rig.surefoot.travel = travel
    rig.surefoot.preview = result.ready
    return result


def problems_of(rig: bpy.types.Object) -> str:
    """All that set-up said, as one text."""
    return " ".join(line.text for line in rig.surefoot.problems)


def reason_of(rig: bpy.types.Object, frame: int) -> str:
    """Why the body does not go as asked at a frame; the panel's line."""
    snapshot = performers.get(rig.session_uid).cache.get(frame)
    return snapshot.memory.reason if snapshot is not None else ""


def link(obj: bpy.types.Object) -> bpy.types.Object:
    """The object in the scene's collection."""
    bpy.context.scene.collection.objects.link(obj)
    return obj


def add_empty(name: str, at: Sequence[float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    """An empty at a place."""
    empty = link(bpy.data.objects.new(name, None))
    empty.location = at
    return empty


def add_curve(points: Sequence[Sequence[float]] | None, *, closed: bool = False) -> bpy.types.Object:
    """A poly curve through points; without any spline for None."""
    curve = bpy.data.curves.new("Curve", "CURVE")
    curve.dimensions = "3D"
    if points is not None:
        spline = curve.splines.new("POLY")
        spline.points.add(len(points) - 1)
        for point, place in zip(spline.points, points, strict=True):
            point.co = (*place, 1.0)
        spline.use_cyclic_u = closed
    return link(bpy.data.objects.new("Curve", curve))


def add_rectangle(x: tuple[float, float], y: tuple[float, float], z: float = 0.0) -> bpy.types.Object:
    """A level rectangle of ground."""
    mesh = bpy.data.meshes.new("Piece")
    corners = [(x[0], y[0], z), (x[1], y[0], z), (x[1], y[1], z), (x[0], y[1], z)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    return link(bpy.data.objects.new("Piece", mesh))


def froude_speed(leg: float, froude: float = 0.22) -> float:
    """The walking speed that suits a leg."""
    return sqrt(froude * 9.81 * leg)
