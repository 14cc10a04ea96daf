"""Rigs without legs: which bones are the body, which end is the head, and which rigs stay refused."""

from __future__ import annotations

from math import cos, pi, radians, sin

import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.rigs import dog_skeleton, rest_vertices, snake_skeleton
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rest_vertices import RestVertices
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
Row = tuple[str, str, Vector, Vector]
Point = tuple[float, float, float]


def line(points: list[Point], name: str = "b", parent: str = "") -> list[Row]:
    """Bones from point to point, each the child of the one before."""
    rows = []
    for k, (head, tail) in enumerate(zip(points, points[1:], strict=False)):
        rows.append((f"{name}{k}", parent, Vector(head), Vector(tail)))
        parent = f"{name}{k}"
    return rows


def back(count: int = 12, height: float = 0.05, start: float = 0.0, step: float = 0.1) -> list[Point]:
    """Points in a row along +Y."""
    return [(0.0, start + step * k, height) for k in range(count + 1)]


def skeleton(rows: list[Row]) -> Skeleton:
    """The rows as a skeleton; parents have to come first."""
    index = {name: i for i, (name, *_) in enumerate(rows)}
    bones = []
    for name, parent, head, tail in rows:
        rest = Vector((0.0, 1.0, 0.0)).rotation_difference(tail - head).to_matrix().to_4x4()
        rest.translation = head
        bones.append(Bone(name, index.get(parent, -1), rest, (tail - head).length))
    return Skeleton(tuple(bones))


def rig_of(rows: list[Row], **others) -> Rig:
    """What is understood of the rows."""
    return understand(skeleton(rows), CONVENTIONS, **others).rig


def body_of(rig: Rig) -> list[str]:
    """The body's bones by name, head first."""
    assert rig.long_body is not None, [str(problem) for problem in rig.problems]
    return [rig.skeleton.bones[i].name for i in rig.long_body.bones]


def name(rig: Rig, bone: int) -> str:
    return rig.skeleton.bones[bone].name if bone >= 0 else ""


def test_our_snake_is_understood_without_a_problem():
    rig = understand(snake_skeleton(), CONVENTIONS, rest_vertices("snake")).rig
    assert rig.problems == ()
    assert rig.legs == ()
    names = [f"spine.{n:03d}" for n in range(13, 0, -1)], [f"tail.{n:03d}" for n in range(1, 14)]
    assert body_of(rig) == ["head", *names[0], "body", *names[1]]
    assert (name(rig, rig.root), name(rig, rig.body), name(rig, rig.head)) == ("root", "body", "head")
    assert rig.roles["tail"] == tuple(names[1])
    assert rig.tails == ()
    assert rig.floor == 0.0
    assert rig.leg_length == pytest.approx(0.3 * 1.5, rel=1e-3)


def test_the_joints_are_the_two_ends_of_each_bone_from_the_nose_on():
    rig = rig_of(line(back(), "spine"))
    assert np.abs(np.array(rig.long_body.joints) - back()).max() < 1e-6
    assert rig.long_body.lengths == pytest.approx([0.1] * 12)


@pytest.mark.parametrize("yaw", [0.0, 90.0, -90.0, 180.0, 37.0])
def test_a_body_of_any_facing_is_turned_to_face_minus_y(yaw: float):
    rows = [("head", "", Vector((0, 0, 0.05)), Vector((0, -0.1, 0.05))), *line(back(), "spine", "head")]
    found = understand(skeleton(rows).moved(Matrix.Rotation(radians(yaw), 4, "Z")), CONVENTIONS)
    assert abs((found.turned + radians(yaw) + pi) % (2.0 * pi) - pi) < 1e-5
    joints = found.rig.long_body.joints
    assert joints[0].y < joints[-1].y
    assert max(abs(joint.x) for joint in joints) < 1e-5


@pytest.mark.parametrize("step", [0.1, -0.1], ids=["root at the head", "root at the tail"])
def test_without_names_the_end_toward_minus_y_is_the_head_and_it_is_said(step: float):
    rig = rig_of(line(back(step=step)))
    assert body_of(rig)[0] == ("b0" if step > 0.0 else "b11")
    (problem,) = rig.problems
    assert not problem.blocking
    assert problem.bone == body_of(rig)[0]
    assert "Mapping" in problem.remedy


def test_a_bone_called_head_wins_over_the_facing_and_a_tail_does_too():
    rows = line(back(), "spine")
    assert body_of(rig_of([*rows[:-1], ("head", "spine10", *rows[-1][2:])]))[0] == "head"
    tail = [("tail0", "", *rows[0][2:]), ("spine1", "tail0", *rows[1][2:]), *rows[2:]]
    assert body_of(rig_of(tail))[-1] == "tail0"


def test_a_head_set_by_hand_wins_over_all():
    rows = line(back(), "b")
    assert body_of(rig_of(rows, corrections={"head": "b11"}))[0] == "b11"
    assert rig_of(rows, corrections={"head": "b11"}).problems == ()


def test_a_jaw_or_a_tongue_is_no_part_of_the_body():
    rows = line(back(), "b")
    jaw = ("x0", "b11", Vector((0, 1.1, 0.04)), Vector((0, 1.18, 0.03)))
    eyes = [(f"x{k}", "b11", Vector((x, 1.15, 0.06)), Vector((x, 1.17, 0.06))) for k, x in ((1, 0.02), (2, -0.02))]
    assert body_of(rig_of([*rows, jaw, *eyes])) == [f"b{k}" for k in range(11, -1, -1)]
    tongue = line([(0.0, 1.2, 0.05), (0.0, 1.25, 0.05), (0.0, 1.3, 0.05)], "tongue", "b11")
    assert body_of(rig_of([*rows, *tongue]))[0] == "b11"


def test_without_names_the_end_with_the_thicker_skin_is_the_head_of_a_body_that_lies_across():
    rows = line([(0.1 * k, 0.0, 0.05) for k in range(13)])
    wide = [(k, (0.02 if k < 6 else 0.05)) for k in range(12)]
    points = np.array([(0.1 * k + 0.05, side * w, 0.0) for k, w in wide for side in (-1, 1)])
    skin = RestVertices(points, np.repeat(np.arange(12), 2), np.ones(24))
    assert body_of(rig_of(rows, vertices=skin))[0] == "b11"
    assert body_of(rig_of(rows))[0] == "b0"


@pytest.mark.parametrize("word", ["root", "Bone"])
def test_a_root_that_only_carries_the_body_is_no_part_of_it(word: str):
    rows = [(word, "", Vector((0, 0.6, 0)), Vector((0, 0.6, 0.2)))]
    ahead = [(0.0, 0.6 - 0.1 * k, 0.05) for k in range(7)]
    rig = rig_of([*rows, *line(ahead, "f", word), *line(back(6, start=0.6), "t", word)])
    assert body_of(rig) == ["f5", "f4", "f3", "f2", "f1", "f0", "t0", "t1", "t2", "t3", "t4", "t5"]
    assert name(rig, rig.root) == word


def test_a_body_that_lies_coiled_faces_as_its_head_does():
    coil = [(0.3 * cos(0.4 * k), 0.3 * sin(0.4 * k), 0.05) for k in range(15)]
    rows = line(coil, "spine")
    rows[0] = ("head", "", *rows[0][2:])
    rows[1] = ("spine1", "head", *rows[1][2:])
    rig = rig_of(rows)
    joints = rig.long_body.joints
    way = joints[0] - joints[1]
    assert abs(way.x) < 0.1 * way.length
    assert way.y < 0.0


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([*line(back(1, 0.0), "frame"), *line(back(1, 0.3), "leaf", "frame0")], "No legs"),
        (line(back(3)), "No legs"),
        (line([(0.0, 0.0, 0.1 * k) for k in range(9)]), "stands upright"),
    ],
    ids=["door", "three bones", "upright"],
)
def test_what_is_no_body_that_lies_on_the_ground_stays_refused_with_a_remedy(rows: list[Row], words: str):
    rig = rig_of(rows)
    assert rig.long_body is None
    (problem,) = rig.problems
    assert problem.blocking
    assert words in problem.reason
    assert problem.remedy


def test_two_arms_without_a_body_are_no_snake():
    rows = [("chest", "", Vector((0, 0, 1.0)), Vector((0, 0, 1.2)))]
    for side, x in (("L", 0.1), ("R", -0.1)):
        parent = "chest"
        for k, part in enumerate(("shoulder", "upper_arm", "forearm", "hand")):
            rows.append((f"{part}.{side}", parent, Vector((x * k, 0, 1.2)), Vector((x * (k + 1), 0, 1.2))))
            parent = f"{part}.{side}"
    assert rig_of(rows).long_body is None


def test_a_head_that_carries_the_body_is_none_to_turn():
    rows = [("head", "", Vector((0, 0, 0.05)), Vector((0, -0.1, 0.05))), *line(back(), "b", "head")]
    rig = rig_of(rows)
    assert body_of(rig)[0] == "head"
    assert rig.head == -1
    assert rig.roles["tail"] == tuple(f"b{k}" for k in range(12))


def test_a_rig_with_legs_has_no_long_body():
    assert understand(dog_skeleton(), CONVENTIONS).rig.long_body is None
