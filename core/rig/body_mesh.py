"""The skinned body of a Blueprint: each shape a closed tube over its rings, weighted to the bones it lies on."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
from mathutils import Vector

from .blueprint import Blueprint, BoneSpec, RingSpec, ShapeSpec

# A round end is these rings: how far out of the end's depth, and how much of its size is left there.
CAP = tuple((sin(angle), cos(angle)) for angle in (pi / 6, pi / 3))


@dataclass(frozen=True)
class BodyMesh:
    """A mesh in model space: vertices (n, 3), faces as vertex indices (outward by the right hand), a colour name a
    face, and for each bone its weighted vertices with their weights. Weights of a vertex add up to 1.
    """

    vertices: np.ndarray
    faces: tuple[tuple[int, ...], ...]
    colors: tuple[str, ...]
    weights: dict[str, tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, slots=True)
class _Section:
    """A ring in place: its centre, its two half axes, the way along the tube, and its bones' shares."""

    centre: Vector
    width: Vector
    depth: Vector
    along: Vector
    ring: RingSpec
    shares: dict[str, float]


def build_body(blueprint: Blueprint) -> BodyMesh:
    """The whole body; the same Blueprint gives the same numbers."""
    bones = {bone.name: bone for bone in blueprint.bones}
    vertices: list[np.ndarray] = []
    faces: list[tuple[int, ...]] = []
    colors: list[str] = []
    shares: dict[str, tuple[list[int], list[float]]] = {}
    start = 0
    for shape in blueprint.shapes:
        sections = _with_caps(_sections(shape, bones))
        points = _points(shape, sections)
        vertices.append(points)
        for face, color in _faces(shape.sides, sections):
            faces.append(tuple(start + i for i in face))
            colors.append(color)
        for i, name, share in _vertex_shares(shape.sides, sections):
            indices, values = shares.setdefault(name, ([], []))
            indices.append(start + i)
            values.append(share)
        start += len(points)
    weights = {name: (np.array(i, dtype=np.int64), np.array(w)) for name, (i, w) in shares.items()}
    return BodyMesh(np.concatenate(vertices), tuple(faces), tuple(colors), weights)


def _sections(shape: ShapeSpec, bones: dict[str, BoneSpec]) -> list[_Section]:
    """The rings in place, each square to the mean way of the tube there."""
    centres = []
    for ring in shape.rings:
        head, tail = Vector(bones[ring.bone].head), Vector(bones[ring.bone].tail)
        centres.append(head.lerp(tail, ring.at) + Vector(ring.offset))
    order = list(dict.fromkeys(ring.bone for ring in shape.rings))
    sections = []
    for i, ring in enumerate(shape.rings):
        before = centres[i] - centres[i - 1] if i > 0 else centres[1] - centres[0]
        after = centres[i + 1] - centres[i] if i + 1 < len(centres) else before
        along = (before.normalized() + after.normalized()).normalized()
        depth = along.cross(Vector(shape.across)).normalized()
        width = depth.cross(along)
        shares = _shares(ring, shape.blend, order, bones)
        sections.append(_Section(centres[i], width * ring.size[0], depth * ring.size[1], along, ring, shares))
    return sections


def _shares(ring: RingSpec, blend: float, order: list[str], bones: dict[str, BoneSpec]) -> dict[str, float]:
    """How the ring's bone and its neighbour in the tube share it: half and half at the joint, smooth over `blend`."""
    i = order.index(ring.bone)
    near_head, near_tail = ring.at / blend, (1.0 - ring.at) / blend
    if i > 0 and bones[ring.bone].tail == bones[order[i - 1]].head:
        near_head, near_tail = near_tail, near_head  # the tube runs along this chain from its end
    elif i + 1 < len(order) and i == 0 and bones[ring.bone].head == bones[order[1]].tail:
        near_head, near_tail = near_tail, near_head
    if near_head < 1.0 and i > 0:
        own = _half_to_one(near_head)
        return {ring.bone: own, order[i - 1]: 1.0 - own}
    if near_tail < 1.0 and i + 1 < len(order):
        own = _half_to_one(near_tail)
        return {ring.bone: own, order[i + 1]: 1.0 - own}
    return {ring.bone: 1.0}


def _half_to_one(t: float) -> float:
    t = min(max(t, 0.0), 1.0)
    return 0.5 + 0.5 * t * t * (3.0 - 2.0 * t)


def _with_caps(sections: list[_Section]) -> list[_Section]:
    """The same tube with round ends, as deep as the end ring's smaller half axis."""
    first, last = sections[0], sections[-1]
    head = [_capped(first, -1.0, out, left) for out, left in reversed(CAP)]
    return head + sections + [_capped(last, 1.0, out, left) for out, left in CAP]


def _capped(end: _Section, way: float, out: float, left: float) -> _Section:
    deep = min(end.width.length, end.depth.length)
    centre = end.centre + end.along * (way * deep * out)
    return _Section(centre, end.width * left, end.depth * left, end.along, end.ring, end.shares)


def _points(shape: ShapeSpec, sections: list[_Section]) -> np.ndarray:
    """All points of a tube: the first pole, the rings, the last pole."""
    turns = (np.arange(shape.sides) + 0.5) * (2 * pi / shape.sides)
    rows = [_pole(sections, 0, -1.0)]
    for section in sections:
        power = 1.0 / (1.0 + 4.0 * section.ring.square)
        across, deep = (np.sign(wave) * np.abs(wave) ** power for wave in (np.cos(turns), np.sin(turns)))
        rows.append(
            np.array(section.centre)
            + across[:, None] * np.array(section.width)
            + deep[:, None] * np.array(section.depth)
        )
    rows.append(_pole(sections, -1, 1.0))
    points = np.concatenate(rows)
    if shape.floor:
        points[:, 2] = np.maximum(points[:, 2], 0.0)
    return points


def _pole(sections: list[_Section], which: int, way: float) -> np.ndarray:
    section = sections[which]
    inner = sections[len(CAP) if which == 0 else -1 - len(CAP)]
    deep = min(inner.width.length, inner.depth.length)
    return np.array([inner.centre + section.along * (way * deep)])


def _faces(sides: int, sections: list[_Section]) -> list[tuple[tuple[int, ...], str]]:
    """Each face with its colour; indices count from the tube's first pole."""
    faces: list[tuple[tuple[int, ...], str]] = []
    last = 1 + sides * len(sections)
    for j in range(sides):
        k = (j + 1) % sides
        faces.append(((0, 1 + k, 1 + j), sections[0].ring.color))
        for i in range(len(sections) - 1):
            low, high = 1 + i * sides, 1 + (i + 1) * sides
            faces.append(((low + j, low + k, high + k, high + j), sections[i].ring.color))
        low = last - sides
        faces.append(((low + j, low + k, last), sections[-1].ring.color))
    return faces


def _vertex_shares(sides: int, sections: list[_Section]) -> list[tuple[int, str, float]]:
    """(vertex, bone, share) over a tube, the poles with their end's shares."""
    owners = [sections[0], *(section for section in sections for _ in range(sides)), sections[-1]]
    return [(i, name, share) for i, section in enumerate(owners) for name, share in section.shares.items()]
