"""A character to build: bones and body shapes read from a preset file into plain, checked data.

A preset states only the middle and the left half (`.L`); the right half is its mirror. Every number is model space:
metres, Z up, facing -Y, left is +X. `z` is the direction that the bone's Z axis leans to; it is chosen so that X is
the joint's hinge, and the same way for a whole limb.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathutils import Matrix, Vector

from .skeleton import Bone, Skeleton

VERSION = 1
MAX_BYTES = 200_000
MAX_BONES = 500
MAX_RINGS = 2000
MAX_REACH = 100.0

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class BoneSpec:
    """One bone at rest: its ends, the way it bends, and whether it moves the body mesh."""

    name: str
    parent: str
    head: Triple
    tail: Triple
    z: Triple
    connected: bool
    deform: bool

    @property
    def rest(self) -> Matrix:
        """The bone's model matrix, with Blender's axes: Y along the bone, Z as near to `z` as that allows."""
        y = (Vector(self.tail) - Vector(self.head)).normalized()
        x = y.cross(Vector(self.z)).normalized()
        z = x.cross(y)
        matrix = Matrix((x, y, z)).transposed().to_4x4()
        matrix.translation = Vector(self.head)
        return matrix


@dataclass(frozen=True, slots=True)
class RingSpec:
    """One cross-section of a body shape: on a bone at a share of its length, moved by `offset` (model space).

    `size` is half the width and half the depth, `square` 0 for an ellipse to 1 for a box.
    """

    bone: str
    at: float
    offset: Triple
    size: tuple[float, float]
    square: float
    color: str


@dataclass(frozen=True, slots=True)
class ShapeSpec:
    """A tube over rings, closed round at both ends. `across` is the direction of the rings' width.

    `floor` presses what lies under z = 0 flat, which makes a sole. `blend` is the share of a bone's length over
    which a joint's two bones share the skin.
    """

    name: str
    sides: int
    across: Triple
    floor: bool
    blend: float
    rings: tuple[RingSpec, ...]


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A whole character as its preset states it, both halves. `speed` and `settings` are what it walks with at first:
    numbers by the names of the character's settings.
    """

    name: str
    text: str
    speed: float
    colors: dict[str, Triple]
    bones: tuple[BoneSpec, ...]
    shapes: tuple[ShapeSpec, ...]
    settings: dict[str, float]

    def skeleton(self) -> Skeleton:
        """The rest pose as the core sees it."""
        index = {bone.name: i for i, bone in enumerate(self.bones)}
        return Skeleton(
            tuple(
                Bone(
                    name=spec.name,
                    parent=index.get(spec.parent, -1),
                    rest=spec.rest,
                    length=(Vector(spec.tail) - Vector(spec.head)).length,
                    connected=spec.connected,
                    deform=spec.deform,
                )
                for spec in self.bones
            )
        )


def read_blueprint(path: Path) -> Blueprint:
    """Read and check a character preset; a bad one is refused with the place and the reason (ValueError)."""
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path.name} is larger than {MAX_BYTES} bytes. Is it a character preset?")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} is not readable as TOML: {error}.") from error
    return blueprint_from(data, path.name)


def blueprint_from(data: dict[str, Any], source: str) -> Blueprint:
    """A checked Blueprint from a preset's parsed contents; `source` names the file in refusals."""
    top = _Table(data, source, {"version", "name", "text", "speed", "colors", "bones", "shapes", "settings"})
    if top.integer("version", 1, 10_000) != VERSION:
        raise ValueError(f"{source}: version is {data['version']}, but this Surefoot reads version {VERSION}.")
    settings = {
        str(key): _checked(value, f"{source}, setting {key}", -1e6, 1e6)
        for key, value in (top.table("settings") if "settings" in data else {}).items()
    }
    colors = {
        str(key): _triple(value, f"{source}, color {key}", 0.0, 1.0) for key, value in top.table("colors").items()
    }
    bones = _bones(top.tables("bones", MAX_BONES // 2), source)
    shapes = _shapes(top.tables("shapes", MAX_BONES), source, bones, colors)
    return Blueprint(
        name=top.string("name"),
        text=top.string("text"),
        speed=top.number("speed", 0.0, 20.0),
        colors=colors,
        bones=tuple(bones.values()),
        shapes=shapes,
        settings=settings,
    )


def mirrored(name: str, *, to_left: bool = False) -> str:
    """The right-hand name of a left-hand one (or the other way round); other names stay. `.L` may have a number."""
    old, new = (".R", ".L") if to_left else (".L", ".R")
    if name.endswith(old):
        return name[:-2] + new
    return name.replace(f"{old}.", f"{new}.", 1)


def _bones(tables: list[dict[str, Any]], source: str) -> dict[str, BoneSpec]:
    bones: dict[str, BoneSpec] = {}
    for table in tables:
        spec = _bone(table, source, bones)
        for twin in (spec,) if mirrored(spec.name) == spec.name else (spec, _mirror_bone(spec)):
            if twin.name in bones:
                raise ValueError(f"{source}: bone {twin.name!r} is there twice (only the left half is written).")
            bones[twin.name] = twin
    if not bones:
        raise ValueError(f"{source}: there are no bones.")
    return bones


def _bone(data: dict[str, Any], source: str, known: dict[str, BoneSpec]) -> BoneSpec:
    name = str(data.get("name", ""))
    table = _Table(data, f"{source}, bone {name}", {"name", "parent", "head", "tail", "z", "deform"})
    table.string("name")
    parent = str(data.get("parent", ""))
    if parent and parent not in known:
        raise ValueError(f"{source}, bone {name}: its parent {parent!r} is not above it in the list.")
    connected = "head" not in data
    if connected and not parent:
        raise ValueError(f"{source}, bone {name}: give a head, or a parent to start from.")
    head = known[parent].tail if connected else table.triple("head")
    spec = BoneSpec(
        name=name,
        parent=parent,
        head=head,
        tail=table.triple("tail"),
        z=table.triple("z"),
        connected=connected,
        deform=bool(data.get("deform", True)),
    )
    along = Vector(spec.tail) - Vector(spec.head)
    if along.length < 1e-3:
        raise ValueError(f"{source}, bone {name}: it is shorter than 1 mm.")
    if along.normalized().cross(Vector(spec.z)).length < 1e-2:
        raise ValueError(f"{source}, bone {name}: z must not be zero or lie along the bone.")
    return spec


def _mirror_bone(spec: BoneSpec) -> BoneSpec:
    return BoneSpec(
        name=mirrored(spec.name),
        parent=mirrored(spec.parent),
        head=_flip(spec.head),
        tail=_flip(spec.tail),
        z=_flip(spec.z),
        connected=spec.connected,
        deform=spec.deform,
    )


def _shapes(
    tables: list[dict[str, Any]], source: str, bones: dict[str, BoneSpec], colors: dict[str, Triple]
) -> tuple[ShapeSpec, ...]:
    shapes = []
    for table in tables:
        spec = _shape(table, source, bones, colors)
        shapes.append(spec)
        if mirrored(spec.name) != spec.name:
            shapes.append(_mirror_shape(spec))
    if sum(len(shape.rings) for shape in shapes) > MAX_RINGS:
        raise ValueError(f"{source}: there are more than {MAX_RINGS} rings.")
    return tuple(shapes)


def _shape(data: dict[str, Any], source: str, bones: dict[str, BoneSpec], colors: dict[str, Triple]) -> ShapeSpec:
    place = f"{source}, shape {data.get('name', '')}"
    table = _Table(data, place, {"name", "color", "sides", "across", "floor", "blend", "square", "rings"})
    color, square = table.string("color"), table.number("square", 0.0, 1.0, 0.0)
    rings = []
    for i, item in enumerate(table.tables("rings", MAX_RINGS)):
        ring = _Table(item, f"{place}, ring {i + 1}", {"bone", "at", "offset", "size", "square", "color"})
        color = ring.string("color", color)
        spec = RingSpec(
            bone=ring.string("bone"),
            at=ring.number("at", -2.0, 3.0),
            offset=ring.triple("offset", (0.0, 0.0, 0.0)),
            size=ring.pair("size", 1e-4, 10.0),
            square=ring.number("square", 0.0, 1.0, square),
            color=color,
        )
        if spec.bone not in bones or not bones[spec.bone].deform:
            raise ValueError(f"{ring.place}: there is no deforming bone {spec.bone!r}.")
        if spec.color not in colors:
            raise ValueError(f"{ring.place}: there is no color {spec.color!r}.")
        rings.append(spec)
    if len(rings) < 2:
        raise ValueError(f"{place}: a shape needs two rings or more.")
    return ShapeSpec(
        name=table.string("name"),
        sides=table.integer("sides", 3, 64),
        across=table.triple("across", (1.0, 0.0, 0.0)),
        floor=bool(data.get("floor", False)),
        blend=table.number("blend", 0.01, 0.5, 0.25),
        rings=tuple(rings),
    )


def _mirror_shape(spec: ShapeSpec) -> ShapeSpec:
    rings = tuple(RingSpec(mirrored(r.bone), r.at, _flip(r.offset), r.size, r.square, r.color) for r in spec.rings)
    return ShapeSpec(mirrored(spec.name), spec.sides, _flip(spec.across), spec.floor, spec.blend, rings)


def _flip(value: Triple) -> Triple:
    return (-value[0] if value[0] else 0.0, value[1], value[2])


def _triple(value: object, place: str, low: float, high: float) -> Triple:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(f"{place}: it must be three numbers, not {value!r}.")
    x, y, z = (_checked(item, place, low, high) for item in value)
    return (x, y, z)


def _checked(value: object, place: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{place}: {value!r} is not a number.")
    if not low <= value <= high:
        raise ValueError(f"{place}: {value} is outside {low} to {high}.")
    return float(value)


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of a preset, read key by key: each refusal says the place, the key and what was wrong."""

    data: dict[str, Any]
    place: str
    allowed: set[str]

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.data) - self.allowed):
            raise ValueError(f"{self.place}: {unknown[0]!r} means nothing here; known are {sorted(self.allowed)}.")

    def _value(self, key: str, default: object) -> Any:
        if key in self.data:
            return self.data[key]
        if default is None:
            raise ValueError(f"{self.place}: {key} is missing.")
        return default

    def string(self, key: str, default: str | None = None) -> str:
        value = self._value(key, default)
        if not isinstance(value, str) or not 0 < len(value.encode()) < 512:
            raise ValueError(f"{self.place}: {key} must be a short text.")
        if key in {"name", "bone"} and len(value.encode()) > 63:
            raise ValueError(f"{self.place}: {key} is longer than Blender's 63 bytes.")
        return value

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        return _checked(self._value(key, default), f"{self.place}, {key}", low, high)

    def integer(self, key: str, low: int, high: int) -> int:
        value = self._value(key, None)
        if not isinstance(value, int):
            raise ValueError(f"{self.place}, {key}: {value!r} is not a whole number.")
        return int(_checked(value, f"{self.place}, {key}", low, high))

    def pair(self, key: str, low: float, high: float) -> tuple[float, float]:
        value = self._value(key, None)
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(f"{self.place}, {key}: it must be two numbers, not {value!r}.")
        first, second = (_checked(item, f"{self.place}, {key}", low, high) for item in value)
        return (first, second)

    def triple(self, key: str, default: Triple | None = None) -> Triple:
        value = self._value(key, list(default) if default is not None else None)
        return _triple(value, f"{self.place}, {key}", -MAX_REACH, MAX_REACH)

    def table(self, key: str) -> dict[str, Any]:
        value = self._value(key, None)
        if not isinstance(value, dict):
            raise ValueError(f"{self.place}: {key} must be a table.")
        return value

    def tables(self, key: str, most: int) -> list[dict[str, Any]]:
        value = self._value(key, None)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise ValueError(f"{self.place}: {key} must be a list of tables.")
        if len(value) > most:
            raise ValueError(f"{self.place}: {key} has {len(value)} entries, more than {most}.")
        return value
