"""The demo's ground: for each character a lane with hills, stairs up and a ramp down, in steps made for its legs."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin, tan

import bpy

# A course for hips 0.9 m over the ground, in metres; a lane scales it by the character's own height.
FLAT = 1.6
HILLS, HILL_LENGTH, HILL_HEIGHT = 5.0, 2.5, 0.16
STEPS, RISER, TREAD = 4, 0.17, 0.30
LANDING = 0.9
RAMP = radians(12.0)
COLUMNS = 6
COLORS = ((0.66, 0.68, 0.60, 1.0), (0.52, 0.55, 0.47, 1.0))


@dataclass(frozen=True, slots=True)
class Lane:
    """Where a lane lies and how large its course is: `scale` is hip height by 0.9 m."""

    name: str
    x: float
    width: float
    scale: float
    length: float


def add_lane(scene: bpy.types.Scene, lane: Lane) -> bpy.types.Object:
    """The lane as a mesh of chequered squares, from behind the start (y = 0) towards -Y."""
    rows = _rows(lane)
    vertices, faces, parity = [], [], []
    for along, height, roll in rows:
        for column in range(COLUMNS + 1):
            aside = (column / COLUMNS - 0.5) * lane.width
            vertices.append((lane.x + aside, -along, height + roll * sin(2.2 * aside / lane.scale)))
    for row in range(len(rows) - 1):
        for column in range(COLUMNS):
            first = row * (COLUMNS + 1) + column
            faces.append((first, first + 1, first + COLUMNS + 2, first + COLUMNS + 1))
            parity.append((row // 2 + column) % 2)
    mesh = bpy.data.meshes.new(f"Ground {lane.name}")
    mesh.from_pydata(vertices, [], [tuple(reversed(face)) for face in faces])
    for index in (0, 1):
        mesh.materials.append(_material(index))
    mesh.polygons.foreach_set("material_index", parity)
    mesh.update()
    ground = bpy.data.objects.new(mesh.name, mesh)
    scene.collection.objects.link(ground)
    return ground


def course_length(scale: float) -> float:
    """How far a character has to go to have crossed hills, stairs and ramp."""
    return scale * (FLAT + HILLS + STEPS * TREAD + LANDING + STEPS * RISER / tan(RAMP))


def landmarks(scale: float) -> tuple[float, float, float, float]:
    """How far from the start the middle of the flat, the first hill, the stairs and the ramp are."""
    stairs = FLAT + HILLS
    ramp = stairs + STEPS * TREAD + LANDING
    ways = (0.6 * FLAT, FLAT + 0.5 * HILL_LENGTH, stairs + 0.5 * STEPS * TREAD, ramp + 0.5 * STEPS * RISER / tan(RAMP))
    return tuple(scale * way for way in ways)


def _rows(lane: Lane) -> list[tuple[float, float, float]]:
    """Cross-lines of the lane, from back to front: way along it, height, and how far it rolls from side to side."""
    k = lane.scale
    step = 0.125 * k
    rows = [(-1.5 + i * step, 0.0, 0.0) for i in range(int((1.5 + FLAT * k) / step))]
    for i in range(int(HILLS * k / step) + 1):
        way = i * step / k
        rise = HILL_HEIGHT * (1.0 - cos(2 * pi * way / HILL_LENGTH)) / 2.0
        rows.append((FLAT * k + way * k, rise * k, 0.25 * rise * k))
    along, height = (FLAT + HILLS) * k, 0.0
    for _ in range(STEPS):
        rows += [(along, height, 0.0), (along, height + RISER * k, 0.0)]
        along, height = along + TREAD * k, height + RISER * k
    foot = along + LANDING * k + STEPS * RISER * k / tan(RAMP)
    rows += _straight(along, height, along + LANDING * k, height, step)
    rows += _straight(along + LANDING * k, height, foot, 0.0, step)
    return rows + _straight(foot, 0.0, max(lane.length, foot + 1.0), 0.0, step)


def _straight(start: float, low: float, end: float, high: float, step: float) -> list[tuple[float, float, float]]:
    count = max(1, round((end - start) / step))
    return [(start + (end - start) * i / count, low + (high - low) * i / count, 0.0) for i in range(count + 1)]


def _material(index: int) -> bpy.types.Material:
    name = f"Ground {index + 1}"
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = COLORS[index]
    return material
