"""A character preset is read whole and checked, or refused with the place and the reason."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.rigs import CHARACTERS, blueprint, hexapod_skeleton, person_skeleton
from surefoot.core.rig.blueprint import MAX_BYTES, blueprint_from, read_blueprint

NAMES = sorted(path.stem for path in CHARACTERS.glob("*.toml"))
MIRROR = Matrix.Diagonal((-1.0, 1.0, 1.0))

SMALL = {
    "version": 1,
    "name": "Stick",
    "text": "One leg a side",
    "speed": 1.0,
    "colors": {"wood": [0.5, 0.3, 0.1]},
    "bones": [
        {"name": "body", "head": [0.0, 0.0, 1.0], "tail": [0.0, 0.0, 1.5], "z": [0.0, -1.0, 0.0]},
        {
            "name": "leg.L",
            "parent": "body",
            "head": [0.2, 0.0, 1.0],
            "tail": [0.3, 0.0, 0.0],
            "z": [0.0, 1.0, 0.0],
        },
    ],
    "shapes": [
        {
            "name": "leg.L",
            "color": "wood",
            "sides": 4,
            "rings": [
                {"bone": "leg.L", "at": 0.0, "size": [0.1, 0.1], "offset": [0.01, 0.02, 0.0]},
                {"bone": "leg.L", "at": 1.0, "size": [0.1, 0.1]},
            ],
        }
    ],
}


def changed(path: str, value: object) -> dict:
    """SMALL with the entry at a dotted path replaced (or taken out: value None)."""
    data = copy.deepcopy(SMALL)
    *way, key = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = data
    for part in way:
        place = place[part]
    if value is None:
        del place[key]
    else:
        place[key] = value
    return data


def test_the_right_half_is_the_mirror_of_the_left():
    spec = blueprint_from(SMALL, "small.toml")
    bones = {bone.name: bone for bone in spec.bones}
    assert list(bones) == ["body", "leg.L", "leg.R"]
    assert bones["leg.R"].head == (-0.2, 0.0, 1.0)
    assert bones["leg.R"].tail == (-0.3, 0.0, 0.0)
    assert [shape.name for shape in spec.shapes] == ["leg.L", "leg.R"]
    assert spec.shapes[1].rings[0].bone == "leg.R"
    assert spec.shapes[1].rings[0].offset == (-0.01, 0.02, 0.0)


def test_a_bone_without_a_head_starts_at_its_parents_tail_and_is_connected():
    data = changed("bones.1", {"name": "leg", "parent": "body", "tail": [0.0, 0.0, 2.0], "z": [0.0, 1.0, 0.0]})
    data["shapes"] = []
    bone = blueprint_from(data, "small.toml").bones[1]
    assert (bone.head, bone.connected) == ((0.0, 0.0, 1.5), True)


@pytest.mark.parametrize("name", NAMES)
def test_bones_have_blenders_axes_with_y_along_the_bone(name: str):
    for spec, bone in zip(blueprint(name).bones, blueprint(name).skeleton().bones, strict=True):
        axes = bone.rest.to_3x3()
        assert np.abs(np.array(axes @ axes.transposed()) - np.eye(3)).max() < 1e-6
        assert axes.determinant() == pytest.approx(1.0, abs=1e-6)
        assert (bone.tail - Vector(spec.tail)).length < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_left_and_right_bones_turn_alike_about_x(name: str):
    """The same turn about X, on both sides, must be mirror images: then one slider bends both knees."""
    skeleton = blueprint(name).skeleton()
    sides = [bone for bone in skeleton.bones if bone.name.endswith(".L")]
    assert sides
    for left in sides:
        right = skeleton.bones[skeleton.index[f"{left.name[:-2]}.R"]]
        turned = [(b.rest @ Matrix.Rotation(0.3, 4, "X")).to_3x3() @ Vector((0, 1, 0)) for b in (left, right)]
        assert (MIRROR @ turned[0] - turned[1]).length < 1e-6


def test_the_person_is_as_tall_and_as_bent_as_stated():
    skeleton = person_skeleton()
    bones = {bone.name: bone for bone in skeleton.bones}
    assert bones["head"].tail.z == pytest.approx(1.75)
    assert bones["thigh.L"].head.z == pytest.approx(0.92)
    knee = bones["thigh.L"].rest.to_3x3().col[1].angle(bones["shin.L"].rest.to_3x3().col[1])
    assert 3.0 < math.degrees(knee) < 5.0
    elbow = bones["upper_arm.L"].rest.to_3x3().col[1].angle(bones["forearm.L"].rest.to_3x3().col[1])
    assert 3.0 < math.degrees(elbow) < 15.0
    assert bones["foot.L"].tail.y < bones["foot.L"].head.y, "it faces -Y"
    assert bones["thigh.L"].head.x > 0.0, "its left is +X"


@pytest.mark.parametrize(("name", "front", "back"), [("dog", "front_shin.L", "shin.L"), ("person", "", "shin.L")])
def test_a_positive_turn_about_x_swings_every_lower_leg_backward(name: str, front: str, back: str):
    skeleton = blueprint(name).skeleton()
    for bone in (skeleton.bones[skeleton.index[item]] for item in (front, back) if item):
        swung = (bone.rest @ Matrix.Rotation(0.2, 4, "X")) @ Vector((0.0, bone.length, 0.0))
        assert swung.y > bone.tail.y + 0.1 * bone.length


def test_the_dogs_legs_fold_in_turn_from_the_hip_down():
    skeleton = blueprint("dog").skeleton()
    for chain in (("thigh.L", "shin.L", "foot.L"), ("front_thigh.L", "front_shin.L", "front_foot.L")):
        lean = [skeleton.bones[skeleton.index[name]].rest.to_3x3().col[1].y for name in chain]
        bends = [b - a for a, b in zip(lean, lean[1:], strict=False)]
        assert bends[0] * bends[1] < 0.0


def test_every_foot_of_the_spider_ends_on_the_ground():
    skeleton = blueprint("spider").skeleton()
    tips = [bone.tail.z for bone in skeleton.bones if "_c." in bone.name]
    assert tips == pytest.approx([0.0] * 8, abs=1e-6)


def test_the_hexapod_has_three_pairs_and_no_gap_in_their_numbers():
    names = {bone.name[:4] for bone in hexapod_skeleton().bones if bone.name.startswith("leg")}
    assert names == {"leg1", "leg2", "leg3"}


def test_the_straight_legged_person_has_no_bend_and_the_t_pose_has_level_arms():
    bones = {bone.name: bone for bone in person_skeleton(arms="T", legs="STRAIGHT").bones}
    for side in "LR":
        assert (bones[f"thigh.{side}"].tail - bones[f"shin.{side}"].head).length < 1e-6
        assert bones[f"thigh.{side}"].rest.col[1].xyz.angle(bones[f"shin.{side}"].rest.col[1].xyz) < 1e-3
        assert bones[f"upper_arm.{side}"].tail.z == pytest.approx(bones[f"upper_arm.{side}"].head.z, abs=1e-6)
        assert (bones[f"upper_arm.{side}"].tail - bones[f"forearm.{side}"].head).length < 1e-6


@pytest.mark.parametrize(
    ("path", "value", "place", "reason"),
    [
        ("version", 2, "small.toml", "reads version 1"),
        ("version", None, "small.toml", "version is missing"),
        ("text", "", "small.toml", "short text"),
        ("speed", -1.0, "speed", "outside 0.0 to 20.0"),
        ("speed", math.inf, "speed", "not a number"),
        ("wings", 2, "small.toml", "'wings' means nothing"),
        ("bones", [], "small.toml", "no bones"),
        ("bones", "many", "small.toml", "list of tables"),
        ("bones.0.tail", [0.0, 0.0, 1.0], "bone body", "shorter than 1 mm"),
        ("bones.0.tail", [0.0, 0.0, 1e6], "bone body, tail", "outside"),
        ("bones.0.tail", [0.0, 1.0], "bone body, tail", "three numbers"),
        ("bones.0.head", None, "bone body", "a parent to start from"),
        ("bones.0.z", [0.0, 0.0, 1.0], "bone body", "along the bone"),
        ("bones.0.roll", 0.3, "bone body", "'roll' means nothing"),
        ("bones.0.name", "n" * 64, "bone n", "63 bytes"),
        ("bones.1.parent", "tail", "bone leg.L", "'tail' is not above it"),
        ("bones.1.name", "body", "small.toml", "there twice"),
        ("colors.wood", [2.0, 0.0, 0.0], "color wood", "outside 0.0 to 1.0"),
        ("shapes.0.color", "gold", "shape leg.L, ring 1", "no color 'gold'"),
        ("shapes.0.sides", 2, "shape leg.L, sides", "outside 3 to 64"),
        ("shapes.0.sides", 4.5, "shape leg.L, sides", "whole number"),
        ("shapes.0.rings", [], "shape leg.L", "two rings"),
        ("shapes.0.rings.0.bone", "arm.L", "shape leg.L, ring 1", "no deforming bone 'arm.L'"),
        ("shapes.0.rings.0.size", [0.0, 0.1], "shape leg.L, ring 1, size", "outside"),
        ("bones.1.deform", False, "shape leg.L, ring 1", "no deforming bone"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place_and_reason(path: str, value: object, place: str, reason: str):
    with pytest.raises(ValueError, match=".") as refusal:
        blueprint_from(changed(path, value), "small.toml")
    assert place in str(refusal.value)
    assert reason in str(refusal.value)


def test_a_file_that_is_no_toml_is_refused_by_name(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text("version = = 1")
    with pytest.raises(ValueError, match="broken.toml is not readable as TOML"):
        read_blueprint(path)


def test_a_file_too_large_for_a_preset_is_refused_before_it_is_parsed(tmp_path):
    path = tmp_path / "large.toml"
    path.write_text("=" * (MAX_BYTES + 1))
    with pytest.raises(ValueError, match="large.toml is larger than"):
        read_blueprint(path)
