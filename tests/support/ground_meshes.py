"""Test grounds as meshes of the scene, for a character that stands somewhere and faces some way.

Each is made along -Y from the origin, as the grounds of the core are, and then put under the character. Lengths are
for a leg of 0.9 m and scale with the leg.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, cos, inf, pi, radians, tan

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

RISER, TREAD = 0.17, 0.3
HILL, WAVE, CELL = 0.3, 4.0, 0.05
ABOVE = 50.0
SAMPLES, EDGE = 16, 2.5
"""Places along a sole, and the rise per metre between two of them that is an edge and no slope."""

Profile = Sequence[tuple[float, float]]


class Fall:
    """What lies under a place, by a ray from far above: a foot that is under a tread finds the tread over it.

    A quad that is no plane lies as Blender draws it: by the mesh's triangles, not as a tree of polygons would.
    """

    def __init__(self, grounds: Sequence[bpy.types.Object]) -> None:
        depsgraph = bpy.context.evaluated_depsgraph_get()
        points: list[Vector] = []
        faces: list[tuple[int, ...]] = []
        for ground in grounds:
            shown = ground.evaluated_get(depsgraph)
            first = len(points)
            points += [shown.matrix_world @ vertex.co for vertex in shown.data.vertices]
            faces += [tuple(first + i for i in triangle.vertices) for triangle in shown.data.loop_triangles]
        self._tree = BVHTree.FromPolygons(points, faces)
        self._top = max(point.z for point in points) + ABOVE

    def height(self, place: Sequence[float]) -> float:
        """The height of the highest face over or under a place; not a number where there is none."""
        hit = self._tree.ray_cast(Vector((place[0], place[1], self._top)), Vector((0.0, 0.0, -1.0)))[0]
        return float("nan") if hit is None else hit.z

    def under_sole(self, heel: np.ndarray, ball: np.ndarray) -> tuple[float, float]:
        """Heights under heel and ball, (3,) each; NaN for an end that hangs in the air over an edge of a tread."""
        under = [self.height(heel), self.height(ball)]
        apart = float(np.linalg.norm((ball - heel)[:2]))
        if apart < 1e-6:
            return under[0], under[1]
        line = [self.height(heel + (ball - heel) * share) for share in np.linspace(0.0, 1.0, SAMPLES)]
        falls = np.abs(np.diff(line))
        if falls.max() > EDGE * apart / (SAMPLES - 1):
            over = [heel[2] - under[0], ball[2] - under[1]]
            end = int(over[1] > over[0])
            if over[end] > 0.5 * falls.max():
                under[end] = float("nan")
        return under[0], under[1]


@dataclass(frozen=True)
class Terrain:
    """A ground for a walk of `way` metres. `place` puts it under the character.

    Stairs begin `stairs` metres ahead and have this many `steps`; within `margin` of their ends a body is not wholly on
    them.
    """

    kind: str
    scale: float
    place: Matrix
    stairs: float
    steps: int
    margin: float
    way: float

    @property
    def ends(self) -> float:
        """How far the ground reaches from its origin."""
        return self.way + 3.0

    def add(self) -> bpy.types.Object:
        """The mesh, in the present scene."""
        points, faces = MAKERS[self.kind](self)
        mesh = bpy.data.meshes.new(f"Ground {self.kind}")
        mesh.from_pydata(points, [], faces)
        mesh.update()
        ground = bpy.data.objects.new(mesh.name, mesh)
        bpy.context.scene.collection.objects.link(ground)
        ground.matrix_world = self.place
        bpy.context.view_layer.update()
        return ground

    def way_along(self, places: np.ndarray) -> np.ndarray:
        """Metres along the ground for places on the way, (F, 3) to (F,): NaN where stairs begin and end.

        The way itself is straight, so that a body's sway does not count. On stairs it leads over the noses.
        """
        s, beside, _ = self._local(places)
        low, high = self._even()
        fine = np.linspace(min(0.0, s.min()), max(s.max(), 1e-3), 4001)
        steps = np.diff(fine) * np.sqrt(1.0 + self._rise(0.5 * (fine[1:] + fine[:-1]), float(np.mean(beside))) ** 2)
        way = np.interp(s, fine, np.append(0.0, np.cumsum(steps)))
        return np.where((s >= low) & (s <= high), way, np.nan)

    def own_way(self, places: np.ndarray) -> np.ndarray:
        """Metres that the places themselves go, ahead and up: (F, 3) to (F,)."""
        s, _, z = self._local(places)
        return np.append(0.0, np.cumsum(np.hypot(np.diff(s), np.diff(z))))

    def _local(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How far ahead, to the left and up of the ground's origin."""
        inverse = np.array(self.place.inverted())
        local = places @ inverse[:3, :3].T + inverse[:3, 3]
        return -local[:, 1], local[:, 0], local[:, 2]

    def _even(self) -> tuple[float, float]:
        """From where to where the ground under a whole body is as `_rise` says."""
        if not self.kind.startswith("stairs"):
            return -inf, inf
        return self.stairs + self.margin, self.stairs + (self.steps - 1) * TREAD * self.scale - self.margin

    def _rise(self, s: np.ndarray, beside: float) -> np.ndarray:
        if self.kind == "hills":
            wave = 2.0 * pi / (WAVE * self.scale)
            return HILL * self.scale * wave * cos(wave * beside) * -np.sin(wave * s)
        slopes = {"up 20": tan(radians(20.0)), "down 20": tan(radians(20.0)), "stairs up": RISER / TREAD}
        return np.full(len(s), slopes.get(self.kind, RISER / TREAD if self.kind == "stairs down" else 0.0))


def _slope(angle: float, ends: float) -> Profile:
    rise = tan(radians(angle))
    return [(-ends, -ends * rise), (0.0, 0.0), (ends, ends * rise)]


def _stairs(terrain: Terrain, sign: float) -> Profile:
    rows, z = [(-terrain.ends, 0.0)], 0.0
    for step in range(terrain.steps):
        s = terrain.stairs + step * TREAD * terrain.scale
        rows += [(s, z), (s, z + sign * RISER * terrain.scale)]
        z += sign * RISER * terrain.scale
    return [*rows, (terrain.ends + terrain.stairs + terrain.steps * TREAD * terrain.scale, z)]


def _extruded(profile: Profile, wide: float) -> tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]:
    """A strip along -Y with this (way, height); it is as wide to both sides as it has to be for a circle."""
    points = [(x, -s, z) for s, z in profile for x in (-wide, wide)]
    return points, [(2 * i + 1, 2 * i, 2 * i + 2, 2 * i + 3) for i in range(len(profile) - 1)]


def _across(angle: float, ends: float) -> tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]:
    """Rising to the left (+X) of the way."""
    rise = ends * tan(radians(angle))
    points = [(-ends, ends, -rise), (-ends, -ends, -rise), (ends, -ends, rise), (ends, ends, rise)]
    return points, [(0, 1, 2, 3)]


def _hills(scale: float, ends: float) -> tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]:
    """Crests and hollows in both directions, as wide as a walk with sprawling legs needs."""
    wave, cell = 2.0 * pi / (WAVE * scale), CELL * max(scale, 0.25)
    rows, columns = ceil(2.0 * ends / cell), ceil(max(2.0 * WAVE * scale, 3.5) / cell)
    points = []
    for row in range(rows + 1):
        y = (row - rows // 2) * cell
        for column in range(columns + 1):
            x = (column - columns // 2) * cell
            points.append((x, y, HILL * scale * cos(wave * x) * cos(wave * y)))
    faces = []
    for row in range(rows):
        for column in range(columns):
            first = row * (columns + 1) + column
            faces.append((first, first + 1, first + columns + 2, first + columns + 1))
    return points, faces


MAKERS: dict[str, Callable[[Terrain], tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]]] = {
    "flat": lambda terrain: _extruded(_slope(0.0, terrain.ends), terrain.ends),
    "up 20": lambda terrain: _extruded(_slope(20.0, terrain.ends), terrain.ends),
    "down 20": lambda terrain: _extruded(_slope(-20.0, terrain.ends), terrain.ends),
    "across 20": lambda terrain: _across(20.0, terrain.ends),
    "stairs up": lambda terrain: _extruded(_stairs(terrain, 1.0), terrain.ends),
    "stairs down": lambda terrain: _extruded(_stairs(terrain, -1.0), terrain.ends),
    "hills": lambda terrain: _hills(terrain.scale, terrain.ends),
}


def add_floor(rig: bpy.types.Object, size: float = 400.0) -> bpy.types.Object:
    """A level square under the lowest bone of a rig as it is shown."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    ends = [shown.matrix_world @ end for bone in shown.data.bones for end in (bone.head_local, bone.tail_local)]
    half = 0.5 * size
    mesh = bpy.data.meshes.new("Floor")
    mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [(0, 1, 2, 3)])
    floor = bpy.data.objects.new("Floor", mesh)
    bpy.context.scene.collection.objects.link(floor)
    floor.location = (shown.matrix_world.translation.x, shown.matrix_world.translation.y, min(end.z for end in ends))
    bpy.context.view_layer.update()
    return floor
