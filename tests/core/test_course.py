"""Test ground as data: closed shapes of the sizes that its labels say."""

from __future__ import annotations

from collections import Counter
from math import atan2, degrees, tau

import numpy as np
import pytest
from surefoot.core.course import KINDS, Motion, Piece, Shape, course_names, pieces_of, read_course
from surefoot.core.presets import PRESETS, PresetError, read_toml

COURSE = read_course()
PIECES = {piece.label: piece for piece in COURSE}
ALL = {name: read_course(name) for name, _, _ in course_names()}
SHAPES = [
    (piece.label, k, shape) for pieces in ALL.values() for piece in pieces for k, shape in enumerate(piece.shapes)
]


def heights(piece: Piece) -> list[float]:
    return sorted({round(corner[2], 6) for shape in piece.shapes for corner in shape.corners if corner[2] >= 0.0})


@pytest.mark.parametrize(("label", "k", "shape"), SHAPES, ids=lambda value: value if isinstance(value, str) else "")
def test_every_shape_is_closed_and_its_faces_look_outward(label: str, k: int, shape: Shape):
    edges = Counter(edge for face in shape.faces for edge in zip(face, (*face[1:], face[0]), strict=True))
    assert set(edges.values()) == {1}, (label, k)
    assert all((b, a) in edges for a, b in edges), (label, k)
    corners = np.array(shape.corners)
    volume = sum(
        np.dot(corners[face[0]], np.cross(corners[face[i]], corners[face[i + 1]]))
        for face in shape.faces
        for i in range(1, len(face) - 1)
    )
    assert volume > 0.0, (label, k)


@pytest.mark.parametrize("riser", [0.10, 0.17, 0.25, 0.40, 0.55])
def test_stairs_rise_by_what_their_label_says(riser: float):
    steps = np.diff(heights(PIECES[f"Stairs {riser:.2f} m"]))
    assert steps == pytest.approx([riser] * len(steps), abs=1e-5)


@pytest.mark.parametrize("angle", [10, 20, 30, 40])
def test_ramps_rise_by_the_angle_that_their_label_says(angle: int):
    shape = PIECES[f"Ramp {angle} degrees"].shapes[0]
    top = max(corner[2] for corner in shape.corners)
    end = min(-corner[1] for corner in shape.corners if corner[2] == top)
    assert degrees(atan2(top, end)) == pytest.approx(angle)


def _span(piece: Piece, axis: int) -> tuple[float, float]:
    places = [shape.origin[axis] + corner[axis] for shape in piece.shapes for corner in shape.corners]
    return min(places), max(places)


def _apart(a: Piece, b: Piece) -> bool:
    return any(x[1] < y[0] or y[1] < x[0] for x, y in ((_span(a, axis), _span(b, axis)) for axis in (0, 1)))


@pytest.mark.parametrize("name", ALL)
def test_no_two_pieces_overlap(name: str):
    pieces = ALL[name][1:]
    assert all(_apart(a, b) for k, a in enumerate(pieces) for b in pieces[:k])


def test_every_kind_stands_in_a_course():
    said = {row["kind"] for name in ALL for row in read_toml(PRESETS / "courses" / f"{name.lower()}.toml")["piece"]}
    assert said == set(KINDS)


def test_a_course_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(PresetError, match="'moat'; there are BASIC, LANE, TRICKS"):
        read_course("moat")


def test_what_moves_is_back_where_it_was_after_its_round():
    for motion in (Motion(8.0, lift=2.0), Motion(10.0, slide=6.0)):
        assert motion.at(0.0) == pytest.approx((0.0, 0.0, 0.0, 0.0))
        assert motion.at(motion.seconds) == pytest.approx((0.0, 0.0, 0.0, 0.0), abs=1e-12)
        assert motion.at(0.5 * motion.seconds) == pytest.approx((0.0, -motion.slide, motion.lift, 0.0))
    assert Motion(8.0, turns=True).at(8.0)[3] == pytest.approx(tau)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "MOAT"}, "kind is 'MOAT'"),
        ({"label": ""}, "needs a label"),
        ({"at": [1.0]}, "at must be a list"),
        ({"riser": float("nan")}, "riser is nan"),
        ({"riser": True}, "riser is True"),
        ({"count": 1e9}, "count is"),
    ],
)
def test_a_piece_that_cannot_be_built_is_refused_with_its_place(change: dict, says: str):
    row = {"kind": "STAIRS", "label": "Stairs", "at": [0.0, 0.0], "riser": 0.2, "tread": 0.3, "count": 3, **change}
    with pytest.raises(PresetError, match="mine.toml: piece 1") as error:
        pieces_of({"version": 1, "floor": [10.0, 10.0], "piece": [row]}, "mine.toml")
    assert says in str(error.value)
