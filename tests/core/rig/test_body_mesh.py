"""The body mesh: closed, outward, flat-soled at exactly z = 0, and shared smoothly at the joints."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from support.rigs import CHARACTERS, blueprint
from surefoot.core.rig.body_mesh import BodyMesh, build_body

NAMES = sorted(path.stem for path in CHARACTERS.glob("*.toml"))
SOLES = {
    "person": ("foot.L", "toe.L"),
    "dog": ("toe.L", "front_toe.R"),
    "horse": ("r_hoof.L", "f_hoof.R"),
    "bird": ("toe.L", "toe_front.R"),
    "beetle": tuple(f"leg{n}_c.{side}" for n in (1, 2, 3) for side in "LR"),
    "spider": tuple(f"leg{n}_c.{side}" for n in (1, 2, 3, 4) for side in "LR"),
}


def lowest(body: BodyMesh, bone: str) -> np.ndarray:
    """The vertices on the ground in which this bone has the largest share; (n, 3)."""
    indices, weights = body.weights[bone]
    points = body.vertices[indices[weights > 0.5]]
    return points[points[:, 2] == points[:, 2].min()]


def volume(body: BodyMesh) -> float:
    """The signed volume that the faces enclose (divergence theorem), positive where they look outward."""
    total = 0.0
    for face in body.faces:
        a = body.vertices[face[0]]
        for i in range(1, len(face) - 1):
            total += float(np.dot(a, np.cross(body.vertices[face[i]], body.vertices[face[i + 1]]))) / 6.0
    return total


@pytest.mark.parametrize("name", NAMES)
def test_every_edge_has_two_faces_that_run_along_it_in_opposite_ways(name: str):
    body = build_body(blueprint(name))
    ways = Counter((face[i - 1], face[i]) for face in body.faces for i in range(len(face)))
    assert set(ways.values()) == {1}
    assert all((b, a) in ways for a, b in ways)


@pytest.mark.parametrize("name", NAMES)
def test_each_shape_encloses_a_volume_seen_from_outside(name: str):
    whole = blueprint(name)
    for shape in whole.shapes:
        assert volume(build_body(replace(whole, shapes=(shape,)))) > 0.0, shape.name


@pytest.mark.parametrize("name", NAMES)
def test_weights_of_every_vertex_add_up_to_one(name: str):
    body = build_body(blueprint(name))
    total = np.zeros(len(body.vertices))
    for indices, weights in body.weights.values():
        np.add.at(total, indices, weights)
    assert np.abs(total - 1.0).max() < 1e-12


@pytest.mark.parametrize(("name", "bone"), [(name, bone) for name in SOLES for bone in SOLES[name]])
def test_soles_are_flat_and_exactly_on_the_ground(name: str, bone: str):
    points = lowest(build_body(blueprint(name)), bone)
    assert points[0, 2] == 0.0
    assert len(points) >= 3


def test_nothing_of_a_body_lies_under_the_ground():
    assert all(build_body(blueprint(name)).vertices[:, 2].min() == 0.0 for name in NAMES)


def test_the_persons_sole_reaches_from_behind_the_ankle_to_the_front_of_the_toe():
    body, bones = build_body(blueprint("person")), {bone.name: bone for bone in blueprint("person").bones}
    assert lowest(body, "foot.L")[:, 1].max() > bones["foot.L"].head[1] + 0.03
    assert lowest(body, "toe.L")[:, 1].min() < bones["toe.L"].head[1] - 0.05


def test_the_two_halves_are_mirror_images():
    body = build_body(blueprint("dog"))
    points = {tuple(point) for point in np.round(body.vertices, 9).tolist()}
    assert all((-x if x else x, y, z) in points for x, y, z in points)


def test_at_a_joint_its_two_bones_share_the_skin_half_and_half():
    body = build_body(blueprint("person"))
    thigh, shin = (dict(zip(*(a.tolist() for a in body.weights[name]), strict=True)) for name in ("thigh.L", "shin.L"))
    knee = [i for i, weight in thigh.items() if weight == 0.5 and shin.get(i) == 0.5]
    assert knee
    assert np.abs(body.vertices[knee][:, 2] - 0.5).max() < 0.02


def test_the_same_preset_gives_the_same_numbers():
    first, second = build_body(blueprint("spider")), build_body(blueprint("spider"))
    assert first.vertices.tobytes() == second.vertices.tobytes()
    assert first.faces == second.faces
