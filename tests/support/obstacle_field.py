"""A walled terrain full of things to walk into, as bare triangles: the same for every run of one seed.

Blocks, walls, thin sheets, ramps, stairs, cones, cylinders, balls, low roofs, corners between two walls, doubled faces,
missing faces, faces turned over and scraps that share edges as no solid does.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, radians, sin, tan
from random import Random
from typing import NamedTuple

import numpy as np
from support.mesh_judge import Judge

SIZE = 12.0
"""Half the length of the walled ground, metres."""
CELLS = 48
COUNT = 40
CLEAR = 1.2
"""Nothing is nearer to the middle than this, metres."""

Mesh = tuple[np.ndarray, np.ndarray]
"""Corners (m, 3) and triangles (n, 3) as their numbers."""


class Thing(NamedTuple):
    """One mesh of the field; `closed`: it has an inside."""

    kind: str
    corners: np.ndarray
    faces: np.ndarray
    closed: bool


def ground_height(x: float, y: float) -> float:
    """The terrain's height before it is cut into triangles."""
    return 0.12 * sin(1.3 * x) * cos(1.1 * y)


def field(seed: int) -> list[Thing]:
    """The terrain, its four walls, and what stands on it."""
    chance = Random(seed)
    things = [_terrain()]
    for side in (-1.0, 1.0):
        for size, place in (
            ((1.0, 26.0, 8.0), (side * (SIZE + 0.5), 0.0)),
            ((26.0, 1.0, 8.0), (0.0, side * (SIZE + 0.5))),
        ):
            things.append(Thing("BOUND", *_moved(_box(*size), 0.0, 0.0, (*place, -1.0)), True))
    kinds = list(KINDS)
    for k in range(COUNT):
        kind = kinds[k % len(kinds)]
        for mesh, closed in KINDS[kind](chance):
            x, y = chance.uniform(-SIZE + 1.0, SIZE - 1.0), chance.uniform(-SIZE + 1.0, SIZE - 1.0)
            tilt = chance.uniform(-0.15, 0.15) if kind in TILTED else 0.0
            place = (x, y, ground_height(x, y) - chance.choice((0.0, 0.05, 0.2)))
            corners, faces = _moved(mesh, chance.uniform(0.0, 2.0 * pi), tilt, place)
            if float(np.hypot(corners[:, 0], corners[:, 1]).min()) > CLEAR:
                things.append(Thing(kind, corners, faces, closed))
    return [thing for thing in things if not _covers_the_middle(thing)]


def ring_of(kind: str, seed: int, count: int = 12, radius: float = 3.0) -> list[Thing]:
    """The terrain with things of one kind all around, each across the way to it."""
    chance, things = Random(seed), [_terrain()]
    for k in range(count):
        angle = 2.0 * pi * k / count
        x, y = radius * cos(angle), radius * sin(angle)
        for mesh, closed in KINDS[kind](chance):
            corners, faces = _moved(mesh, angle + 0.5 * pi, 0.0, (x, y, ground_height(x, y) - 0.1))
            things.append(Thing(kind, corners, faces, closed))
    return [thing for thing in things if not _covers_the_middle(thing)]


def judge_of(things: list[Thing]) -> Judge:
    """The judge of a field."""
    triangles = np.concatenate([thing.corners[thing.faces] for thing in things])
    owners = [np.full(len(thing.faces), k if thing.closed else -1) for k, thing in enumerate(things)]
    return Judge(triangles, np.concatenate(owners))


def _covers_the_middle(thing: Thing) -> bool:
    if thing.kind in {"TERRAIN", "BOUND"}:
        return False
    judge = Judge(thing.corners[thing.faces], np.full(len(thing.faces), 0 if thing.closed else -1))
    return judge.depth((0.0, 0.0, 0.05), 2.0, 0.5) > 0.0 or judge.is_enclosed((0.0, 0.0, 1.0))


def _terrain() -> Thing:
    line = np.linspace(-SIZE - 1.0, SIZE + 1.0, CELLS + 1)
    corners = np.array([(x, y, ground_height(x, y)) for y in line for x in line])
    k = np.arange(CELLS)
    first = (k[:, None] * (CELLS + 1) + k).ravel()
    row = CELLS + 1
    faces = np.concatenate(
        [np.stack([first, first + 1, first + row + 1], 1), np.stack([first, first + row + 1, first + row], 1)]
    )
    return Thing("TERRAIN", corners, faces, False)


def _moved(mesh: Mesh, yaw: float, tilt: float, place: tuple[float, float, float]) -> Mesh:
    """Tilted about X, turned about Z, put somewhere."""
    c, s, u, v = cos(yaw), sin(yaw), cos(tilt), sin(tilt)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    turn = turn @ np.array([[1.0, 0.0, 0.0], [0.0, u, -v], [0.0, v, u]])
    # Blender keeps places in single precision: the judge sees the same.
    return (mesh[0] @ turn.T + np.array(place)).astype(np.float32).astype(np.float64), mesh[1]


def _quads(rows: list[tuple[int, int, int, int]]) -> np.ndarray:
    return np.array([part for a, b, c, d in rows for part in ((a, b, c), (a, c, d))])


def _box(x: float, y: float, z: float) -> Mesh:
    """A box on the ground around its middle."""
    corners = [(i * x, j * y, k * z) for k in (0.0, 1.0) for j in (-0.5, 0.5) for i in (-0.5, 0.5)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)]
    return np.array(corners), _quads(faces)


def _lathe(profile: list[tuple[float, float]], count: int) -> Mesh:
    """(radius, height) from bottom to top, turned about Z; the ends are closed by their middles."""
    corners = [
        (r * cos(2.0 * pi * k / count), r * sin(2.0 * pi * k / count), z) for r, z in profile for k in range(count)
    ]
    rings, faces = len(profile), []
    for i in range(rings - 1):
        for k in range(count):
            a, b = i * count + k, i * count + (k + 1) % count
            faces += [(a, b, b + count), (a, b + count, a + count)]
    corners += [(0.0, 0.0, profile[0][1]), (0.0, 0.0, profile[-1][1])]
    low, high = len(corners) - 2, len(corners) - 1
    for k in range(count):
        after = (k + 1) % count
        faces += [(low, after, k), (high, (rings - 1) * count + k, (rings - 1) * count + after)]
    return np.array(corners), np.array(faces)


def _steps(riser: float, tread: float, count: int, width: float) -> Mesh:
    """Stairs as one closed shape, a column under each tread."""
    corners: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int, int]] = []

    def quad(*places: tuple[float, float, float]) -> None:
        first = len(corners)
        corners.extend(places)
        faces.append((first, first + 1, first + 2, first + 3))

    h, end = 0.5 * width, count * tread
    for k in range(count):
        a, b, low, top = k * tread, (k + 1) * tread, k * riser, (k + 1) * riser
        quad((-h, a, low), (h, a, low), (h, a, top), (-h, a, top))
        quad((-h, a, top), (h, a, top), (h, b, top), (-h, b, top))
        quad((h, a, 0.0), (h, b, 0.0), (h, b, top), (h, a, top))
        quad((-h, b, 0.0), (-h, a, 0.0), (-h, a, top), (-h, b, top))
    top = count * riser
    quad((h, end, 0.0), (-h, end, 0.0), (-h, end, top), (h, end, top))
    quad((-h, 0.0, 0.0), (-h, end, 0.0), (h, end, 0.0), (h, 0.0, 0.0))
    return np.array(corners), _quads(faces)


def _wedge(angle: float, length: float, width: float) -> Mesh:
    """A ramp with an upright back."""
    h, top = 0.5 * width, length * tan(angle)
    corners = [(-h, 0, 0), (h, 0, 0), (h, length, 0), (-h, length, 0), (h, length, top), (-h, length, top)]
    faces = [(0, 1, 4), (0, 4, 5), (0, 3, 2), (0, 2, 1), (1, 2, 4), (0, 5, 3), (3, 5, 4), (3, 4, 2)]
    return np.array(corners, dtype=float), np.array(faces)


def _sheet(width: float, height: float, lean: float) -> Mesh:
    """A single face that stands, or leans."""
    h, y, z = 0.5 * width, height * sin(lean), height * cos(lean)
    return np.array([(-h, 0.0, 0.0), (h, 0.0, 0.0), (h, y, z), (-h, y, z)]), _quads([(0, 1, 2, 3)])


def _joined(*meshes: Mesh) -> Mesh:
    corners, faces, first = [], [], 0
    for own, triangles in meshes:
        corners.append(own)
        faces.append(triangles + first)
        first += len(own)
    return np.concatenate(corners), np.concatenate(faces)


def _scraps(chance: Random) -> Mesh:
    """Fins around one upright edge, and loose triangles between them."""
    meshes = [_moved(_sheet(1.2, chance.uniform(0.3, 1.6), 0.0), k * 1.1, 0.0, (0.0, 0.0, 0.0)) for k in range(3)]
    for _ in range(6):
        corners = np.array([[chance.uniform(-0.8, 0.8), chance.uniform(-0.8, 0.8), chance.uniform(0.0, 1.5)]] * 3)
        corners += np.array([[chance.uniform(-0.5, 0.5) for _ in range(3)] for _ in range(3)])
        meshes.append((corners, np.array([(0, 1, 2)])))
    return _joined(*meshes)


def _random_box(chance: Random) -> Mesh:
    return _box(*(chance.uniform(0.3, 2.2) for _ in range(3)))


def _corner(chance: Random) -> Mesh:
    """Two walls that meet at an acute angle."""
    return _joined(
        _moved(_box(0.2, 2.0, 2.5), 0.0, 0.0, (0.0, 1.0, 0.0)),
        _moved(_sheet(2.0, 2.5, 0.0), chance.uniform(0.7, 1.4), 0.0, (0.5, 0.8, 0.0)),
    )


def _ball(chance: Random) -> Mesh:
    r, up = chance.uniform(0.2, 1.0), chance.uniform(0.0, 0.8)
    return _lathe([(r * sin(a), up - r * cos(a)) for a in (pi * k / 10 for k in range(1, 10))], 16)


def _cylinder(chance: Random) -> Mesh:
    radius = chance.uniform(0.08, 0.9)
    return _lathe([(radius, 0.0), (radius, chance.uniform(0.3, 2.5))], 20)


def _stairs(chance: Random) -> Mesh:
    return _steps(chance.uniform(0.1, 0.7), chance.uniform(0.25, 0.8), chance.randint(2, 6), chance.uniform(0.8, 2.5))


def _ramp(chance: Random) -> Mesh:
    return _wedge(radians(chance.uniform(10.0, 70.0)), chance.uniform(0.6, 2.5), chance.uniform(0.8, 2.5))


def _roof(chance: Random) -> Mesh:
    mesh = _box(chance.uniform(0.5, 2.5), chance.uniform(0.5, 2.5), 0.3)
    return _moved(mesh, 0.0, chance.uniform(-0.3, 0.3), (0.0, 0.0, chance.uniform(0.6, 2.2)))


def _doubled(chance: Random) -> Mesh:
    mesh = _random_box(chance)
    return _joined(mesh, mesh)


def _open(chance: Random) -> Mesh:
    corners, faces = _random_box(chance)
    side = chance.randrange(6)
    return corners, np.delete(faces, (2 * side, 2 * side + 1), axis=0)


def _turned_over(chance: Random) -> Mesh:
    corners, faces = _random_box(chance)
    return corners, faces[:, ::-1].copy()


KINDS: dict[str, Callable[[Random], list[tuple[Mesh, bool]]]] = {
    "BLOCK": lambda chance: [(_random_box(chance), True)],
    "WALL": lambda chance: [(_box(chance.uniform(1.0, 5.0), chance.uniform(0.05, 0.3), 2.5), True)],
    "SHEET": lambda chance: [(_sheet(chance.uniform(1.0, 4.0), chance.uniform(0.3, 2.5), 0.0), False)],
    "LEANING": lambda chance: [(_sheet(2.0, 2.5, radians(chance.uniform(-75.0, 75.0))), False)],
    "RAMP": lambda chance: [(_ramp(chance), True)],
    "STAIRS": lambda chance: [(_stairs(chance), True)],
    "CONE": lambda chance: [(_lathe([(chance.uniform(0.2, 1.0), 0.0), (0.001, chance.uniform(0.3, 1.8))], 20), True)],
    "CYLINDER": lambda chance: [(_cylinder(chance), True)],
    "BALL": lambda chance: [(_ball(chance), True)],
    "ROOF": lambda chance: [(_roof(chance), True)],
    "CORNER": lambda chance: [(_corner(chance), False)],
    "DOUBLED": lambda chance: [(_doubled(chance), False)],
    "OPEN": lambda chance: [(_open(chance), False)],
    "TURNED_OVER": lambda chance: [(_turned_over(chance), False)],
    "SCRAPS": lambda chance: [(_scraps(chance), False)],
}
TILTED = {"BLOCK", "CYLINDER", "DOUBLED", "OPEN", "TURNED_OVER", "WALL", "RAMP"}
