"""Test ground as data: pieces with labels, each a few solid shapes, some of them moving.

From one preset come the meshes of a scene and the solids of a test. World space, metres; ahead is -Y.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, radians, sin, tan, tau
from typing import Any, NamedTuple

from .presets import PRESETS, PresetError, read_toml

COURSE_VERSION = 1
WIDTH = 2.0
"""How wide a piece is, metres."""
THICK = 0.5
"""How deep in the floor solid pieces stand: no seam is left between them."""
ROUND = 48
MOST_PIECES = 200

Point = tuple[float, float, float]


class Motion(NamedTuple):
    """How a shape moves: up by `lift` and back, along -Y by `slide` and back, or once round, in so many seconds."""

    seconds: float
    lift: float = 0.0
    slide: float = 0.0
    turns: bool = False

    def at(self, time: float) -> tuple[float, float, float, float]:
        """x, y, z and turn about Z at a time: from rest, evenly round or as a cosine there and back."""
        share = 0.5 - 0.5 * cos(tau * time / self.seconds)
        return 0.0, -self.slide * share, self.lift * share, tau * time / self.seconds if self.turns else 0.0


class Shape(NamedTuple):
    """A closed shape: its corners about its origin, and its faces, seen from outside counter-clockwise."""

    origin: Point
    corners: tuple[Point, ...]
    faces: tuple[tuple[int, ...], ...]
    motion: Motion | None = None


class Piece(NamedTuple):
    """A part of the course: what stands on its label, where that lies (the middle of its near edge), its shapes."""

    label: str
    at: Point
    shapes: tuple[Shape, ...]


def read_course(name: str = "basic") -> list[Piece]:
    """The pieces of a course that ships, its floor first."""
    names = [known for known, _, _ in course_names()]
    if name.upper() not in names:
        raise PresetError(f"There is no course called {name!r}; there are {', '.join(names)}.")
    path = PRESETS / "courses" / f"{name.lower()}.toml"
    return pieces_of(read_toml(path), path.name)


@lru_cache(maxsize=1)
def course_names() -> tuple[tuple[str, str, str], ...]:
    """All courses that ship, the first one first: name, title, what they are."""
    found = []
    for path in sorted((PRESETS / "courses").glob("*.toml")):
        table = read_toml(path)
        pieces_of(table, path.name)
        said = [table.get(key) for key in ("name", "title", "about")]
        if not all(isinstance(value, str) and value for value in said) or said[0] != path.stem.upper():
            raise PresetError(f"{path.name}: needs a name, which is that of the file, a title and what it is about.")
        found.append((str(said[0]), str(said[1]), str(said[2])))
    return tuple(found)


def pieces_of(table: dict[str, Any], name: str) -> list[Piece]:
    """The pieces of a course's table; a PresetError names the piece and what it lacks."""
    if table.get("version") != COURSE_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {COURSE_VERSION}.")
    rows = table.get("piece")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_PIECES:
        raise PresetError(f"{name}: needs between 1 and {MOST_PIECES} tables called piece.")
    width, length = _numbers(table, "floor", 2, f"{name}: floor")
    floor = prism(
        (0.0, 0.0, 0.0),
        [(-0.5 * length, -THICK), (0.5 * length, -THICK), (0.5 * length, 0.0), (-0.5 * length, 0.0)],
        width,
    )
    return [
        Piece("", (0.0, 0.0, 0.0), (floor,)),
        *(_piece(row, f"{name}: piece {k + 1}") for k, row in enumerate(rows)),
    ]


def _piece(row: Any, place: str) -> Piece:
    if not isinstance(row, dict):
        raise PresetError(f"{place}: must be a table.")
    kind, label = row.get("kind"), row.get("label")
    if not isinstance(kind, str) or kind not in KINDS:
        raise PresetError(f"{place}: kind is {kind!r}, but must be one of {', '.join(KINDS)}.")
    if not isinstance(label, str) or not label:
        raise PresetError(f"{place}: needs a label.")
    x, y = _numbers(row, "at", 2, place, low=-1000.0)
    return Piece(label, (x, y, 0.0), tuple(KINDS[kind]((x, y, 0.0), row, place)))


def _number(row: dict[str, Any], key: str, place: str, low: float = 1e-3, high: float = 1000.0) -> float:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise PresetError(f"{place}: {key} is {value!r}, but must be a number from {low:g} to {high:g}.")
    return float(value)


def _numbers(row: dict[str, Any], key: str, count: int, place: str, low: float = 1e-3) -> list[float]:
    """So many numbers (0: any, at least one)."""
    values = row.get(key)
    if not isinstance(values, list) or not values or (count and len(values) != count) or len(values) > MOST_PIECES:
        raise PresetError(f"{place}: {key} must be a list of {count or 'some'} numbers.")
    return [_number({key: value}, key, place, low) for value in values]


def prism(origin: Point, profile: list[tuple[float, float]], width: float, motion: Motion | None = None) -> Shape:
    """A profile (ahead, up), counter-clockwise seen from +X, pulled across to both sides."""
    count, half = len(profile), 0.5 * width
    corners = [(side, -ahead, up) for side in (-half, half) for ahead, up in profile]
    left, right = tuple(range(count)), tuple(range(2 * count - 1, count - 1, -1))
    sides = tuple((k, count + k, count + (k + 1) % count, (k + 1) % count) for k in range(count))
    return Shape(origin, tuple(corners), (left, right, *sides), motion)


def _block(at: Point, near: float, far: float, low: float, high: float, width: float = WIDTH) -> Shape:
    return prism(at, [(near, low), (far, low), (far, high), (near, high)], width)


def _stairs(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    riser, tread = _number(row, "riser", place), _number(row, "tread", place)
    count = int(_number(row, "count", place, 1.0, 100.0))
    steps = [(tread * k, riser * (k + up)) for k in range(count) for up in (0, 1)]
    # A landing as long as three steps, so that there is room to stand.
    end = tread * (count + 2)
    return [prism(at, [(0.0, -THICK), (end, -THICK), (end, riser * count), *reversed(steps)], WIDTH)]


def _ramp(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    angle, length = radians(_number(row, "angle", place, 1.0, 89.0)), _number(row, "length", place)
    top, end = length * sin(angle), length * cos(angle)
    foot = (-THICK / tan(angle), -THICK)
    return [prism(at, [foot, (end + WIDTH, -THICK), (end + WIDTH, top), (end, top)], WIDTH)]


def _kerbs(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    length, apart = _number(row, "length", place), _number(row, "apart", place)
    heights = _numbers(row, "heights", 0, place)
    return [_block(at, apart * k, apart * k + length, -THICK, height) for k, height in enumerate(heights)]


def _tunnel(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    clear, length, wall = (_number(row, key, place) for key in ("clear", "length", "wall"))
    x, y, z = at
    sides = [
        _block((x + side * 0.5 * (WIDTH + wall), y, z), 0.0, length, -THICK, clear + wall, wall) for side in (-1.0, 1.0)
    ]
    return [*sides, _block(at, 0.0, length, clear, clear + wall, WIDTH)]


def _column(at: Point, plan: list[tuple[float, float]], low: float, high: float) -> Shape:
    """A plan (to the left, ahead), counter-clockwise seen from above, pulled up from one height to another."""
    count = len(plan)
    corners = [(left, -ahead, up) for up in (low, high) for left, ahead in plan]
    sides = tuple((k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count))
    faces = (tuple(range(count - 1, -1, -1)), tuple(range(count, 2 * count)), *sides)
    return Shape(at, tuple(corners), faces)


def _solid(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    """A fence, a block, a ledge, a wall: as wide, as long and as high as told, on the floor or from `bottom` up."""
    width, length = _numbers(row, "size", 2, place)
    bottom = _number(row, "bottom", place) if "bottom" in row else -THICK
    return [_block(at, 0.0, length, bottom, _number(row, "top", place), width)]


def _pillars(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    """Pillars side by side, from right to left as one comes to them, each with its top, so far apart."""
    (width, length), gap = _numbers(row, "size", 2, place), _number(row, "gap", place)
    x, y, z = at
    tops = _numbers(row, "tops", 0, place)
    first = x - 0.5 * (len(tops) - 1) * (width + gap)
    return [_block((first + k * (width + gap), y, z), 0.0, length, -THICK, top, width) for k, top in enumerate(tops)]


def _beamed(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    """A thin wall, and over it a beam with its face over the wall's: between a `bottom` and a `beam` height."""
    width, thick = _numbers(row, "size", 2, place)
    top, bottom, beam, deep = (_number(row, key, place) for key in ("top", "bottom", "beam", "deep"))
    return [_block(at, 0.0, thick, -THICK, top, width), _block(at, 0.0, deep, bottom, beam, width)]


def _nook(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    """A wall with a wing at each end, towards one who comes to it: two inside and four outside corners."""
    width, length = _numbers(row, "size", 2, place)
    wing, thick, top = (_number(row, key, place) for key in ("wing", "thick", "top"))
    if 2.0 * thick >= width or wing >= length:
        raise PresetError(f"{place}: its wings leave no room between them, or are as long as the whole.")
    half = 0.5 * width
    inner = half - thick
    plan = [
        (-half, 0.0), (-half, length), (half, length), (half, 0.0), (inner, 0.0), (inner, wing), (-inner, wing),
        (-inner, 0.0),
    ]  # fmt: skip
    return [_column(at, plan, -THICK, top)]


def _gaps(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    height, length = _number(row, "height", place), _number(row, "length", place)
    steps = max(1, round(height / 0.2))
    stairs = _stairs(at, {"riser": height / steps, "tread": 0.3, "count": steps}, place)
    ahead, shapes = 0.3 * (steps + 2), list(stairs)
    for gap in _numbers(row, "gaps", 0, place):
        ahead += gap
        shapes.append(_block(at, ahead, ahead + length, -THICK, height))
        ahead += length
    return shapes


def _motion(row: dict[str, Any], place: str, *, turns: bool = False) -> Motion:
    lift, slide = (_number(row, key, place) if key in row else 0.0 for key in ("lift", "slide"))
    return Motion(_number(row, "seconds", place, 0.1), lift, slide, turns)


def _slab(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    width, length, thick = _numbers(row, "size", 3, place)
    top = _number(row, "top", place)
    profile = [(0.0, top - thick), (length, top - thick), (length, top), (0.0, top)]
    return [prism(at, profile, width, _motion(row, place))]


def _disc(at: Point, row: dict[str, Any], place: str) -> list[Shape]:
    radius, top = _number(row, "radius", place), _number(row, "top", place)
    rim = [(radius * cos(tau * k / ROUND), radius * sin(tau * k / ROUND)) for k in range(ROUND)]
    corners = [(x, y, z) for z in (0.0, top) for x, y in rim]
    sides = tuple((k, (k + 1) % ROUND, ROUND + (k + 1) % ROUND, ROUND + k) for k in range(ROUND))
    faces = (tuple(reversed(range(ROUND))), tuple(range(ROUND, 2 * ROUND)), *sides)
    origin = (at[0], at[1] - radius, at[2])
    return [Shape(origin, tuple(corners), faces, _motion(row, place, turns=True))]


KINDS: dict[str, Callable[[Point, dict[str, Any], str], list[Shape]]] = {
    "STAIRS": _stairs,
    "RAMP": _ramp,
    "KERBS": _kerbs,
    "TUNNEL": _tunnel,
    "GAPS": _gaps,
    "SLAB": _slab,
    "DISC": _disc,
    "BLOCK": _solid,
    "PILLARS": _pillars,
    "BEAMED": _beamed,
    "NOOK": _nook,
}
