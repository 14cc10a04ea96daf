"""An armature object read into canonical space: scale, up, facing, skin; what is refused, and that nothing changes."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.rigify_rigs import generated_rig, metarig
from surefoot.addon.add_character import add_character
from surefoot.addon.rig_reading import Reading, conventions, read_rig

HEIGHT = 1.75


def person(**placed: object) -> bpy.types.Object:
    armature = add_character(bpy.context, "PERSON", Vector())
    for name, value in placed.items():
        setattr(armature, name, value)
    bpy.context.view_layer.update()
    return armature


def without_skin(armature: bpy.types.Object) -> bpy.types.Object:
    for child in list(armature.children):
        bpy.data.objects.remove(child)
    return armature


def in_units(armature: bpy.types.Object, share: float) -> bpy.types.Object:
    """The same character with bones and skin in other units, and the object scaled so that it is as tall as before."""
    armature.data.transform(Matrix.Scale(1.0 / share, 4))
    for child in armature.children:
        child.data.transform(Matrix.Scale(1.0 / share, 4))
    armature.scale = (share, share, share)
    bpy.context.view_layer.update()
    return armature


def stood(reading: Reading) -> Matrix:
    """What places model space in the world."""
    place = reading.start
    return Matrix.Translation(place[:3]) @ Matrix.Rotation(place.heading, 4, "Z")


def blocking(reading: Reading) -> list[str]:
    return [str(problem) for problem in reading.problems if problem.blocking]


def same_rig(first: Reading, second: Reading, within: float = 1e-4) -> None:
    assert [leg.role for leg in first.rig.legs] == [leg.role for leg in second.rig.legs]
    for one, other in zip(first.rig.skeleton.bones, second.rig.skeleton.bones, strict=True):
        assert one.name == other.name
        assert np.abs(np.array(one.rest) - np.array(other.rest)).max() < within, one.name
        assert one.length == pytest.approx(other.length, abs=within)
    for one, other in zip(first.rig.legs, second.rig.legs, strict=True):
        assert (one.sole.heel - other.sole.heel).length < within
        assert (one.sole.toe - other.sole.toe).length < within


def test_a_person_is_read_in_metres_with_soles_from_its_skin():
    reading = read_rig(person())
    assert [leg.role for leg in reading.rig.legs] == ["leg.L", "leg.R"]
    assert {leg.sole.source for leg in reading.rig.legs} == {"MESH"}
    assert reading.rig.floor == pytest.approx(0.0, abs=1e-4)
    assert reading.rig.leg_length == pytest.approx(0.92, abs=0.01)
    assert reading.scale == pytest.approx(1.0)
    assert reading.problems == ()


def test_without_skin_soles_come_from_bones():
    reading = read_rig(without_skin(person()))
    assert {leg.sole.source for leg in reading.rig.legs} == {"BONES"}


@pytest.mark.parametrize("share", [0.01, 100.0, 0.547929])
def test_bones_in_other_units_under_a_scaled_object_are_the_same_rig(share: float):
    plain = read_rig(person())
    scaled = read_rig(in_units(person(), share))
    same_rig(plain, scaled)
    assert scaled.scale == pytest.approx(share, rel=1e-5)


def test_a_scale_off_by_rounding_is_uniform():
    assert blocking(read_rig(person(scale=(0.547929, 0.5479291, 0.5479289)))) == []


@pytest.mark.parametrize(("scale", "axis"), [((1.0, 1.0, 1.2), "Z"), ((0.5, 1.0, 1.0), "X"), ((2.0, 3.0, 2.0), "Y")])
def test_an_axis_scaled_differently_is_refused_by_name(scale: tuple[float, float, float], axis: str):
    armature = person(scale=scale)
    told = blocking(read_rig(armature))
    assert len(told) == 1
    assert f"differently along {axis} " in told[0]
    assert f"Apply the scale of {armature.name}" in told[0]


@pytest.mark.parametrize("scale", [(-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0)])
def test_a_mirroring_scale_is_refused_with_the_remedy(scale: tuple[float, float, float]):
    armature = person(scale=scale)
    told = blocking(read_rig(armature))
    assert len(told) == 1
    assert "negative scale" in told[0]
    assert f"Apply the scale of {armature.name}" in told[0]


def test_a_scale_of_zero_is_refused():
    assert "scale of zero" in " ".join(blocking(read_rig(person(scale=(0.0, 0.0, 0.0)))))


def test_a_shear_from_a_parent_is_refused():
    parent = bpy.data.objects.new("Slanted", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale = (1.0, 2.0, 1.0)
    armature = person(rotation_euler=(0.0, 0.0, math.radians(45.0)))
    armature.parent = parent
    bpy.context.view_layer.update()
    assert blocking(read_rig(armature)) != []


@pytest.mark.parametrize(
    "rotation",
    [(90.0, 0.0, 0.0), (-90.0, 0.0, 0.0), (0.0, 90.0, 0.0), (180.0, 0.0, 0.0), (90.0, 0.0, 120.0)],
)
def test_bones_that_lie_in_the_data_and_are_turned_upright_by_the_object_are_the_same_rig(rotation):
    plain = read_rig(person())
    armature = person()
    turn = Matrix.Rotation(math.radians(rotation[2]), 4, "Z") @ _tilt(rotation)
    armature.data.transform(_tilt(rotation).inverted())
    for child in armature.children:
        child.data.transform(_tilt(rotation).inverted())
    armature.matrix_world = turn
    bpy.context.view_layer.update()
    reading = read_rig(armature)
    same_rig(plain, reading)
    assert reading.start.heading == pytest.approx(math.radians(rotation[2]), abs=1e-5)
    assert reading.problems == ()


def _tilt(rotation: tuple[float, float, float]) -> Matrix:
    return Matrix.Rotation(math.radians(rotation[1]), 4, "Y") @ Matrix.Rotation(math.radians(rotation[0]), 4, "X")


@pytest.mark.parametrize("degrees", [0.0, 37.0, 120.0, -100.0])
def test_the_start_place_is_where_the_object_stands_and_faces(degrees: float):
    reading = read_rig(person(location=(3.0, -2.0, 0.5), rotation_euler=(0.0, 0.0, math.radians(degrees))))
    assert reading.start[:3] == pytest.approx((3.0, -2.0, 0.5), abs=1e-6)
    assert reading.start.heading == pytest.approx(math.radians(degrees), abs=1e-5)


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, -90.0])
def test_a_rig_modelled_to_face_another_way_still_has_its_heading_in_the_world(yaw: float):
    armature = person()
    armature.data.transform(Matrix.Rotation(math.radians(yaw), 4, "Z"))
    for child in armature.children:
        child.data.transform(Matrix.Rotation(math.radians(yaw), 4, "Z"))
    same_rig(read_rig(armature), read_rig(person()))
    heading = read_rig(armature).start.heading
    assert math.remainder(heading - math.radians(yaw), 2.0 * math.pi) == pytest.approx(0.0, abs=1e-5)


def test_canonical_and_place_give_the_object_matrix_back():
    armature = in_units(person(), 0.01)
    armature.data.transform(Matrix.Rotation(math.pi / 2.0, 4, "Z"))
    armature.matrix_world = Matrix.Translation((1.0, 2.0, 3.0)) @ Matrix.Rotation(0.7, 4, "Z") @ Matrix.Scale(0.01, 4)
    bpy.context.view_layer.update()
    reading = read_rig(armature)
    assert np.abs(np.array(stood(reading) @ reading.canonical) - np.array(armature.matrix_world)).max() < 1e-5


def test_model_bones_are_the_canonical_image_of_the_armature_s_bones():
    armature = in_units(person(), 100.0)
    reading = read_rig(armature)
    for bone in reading.rig.skeleton.bones:
        source = armature.data.bones[bone.name]
        assert (reading.canonical @ source.head_local - bone.head).length < 1e-5
        assert (reading.canonical @ source.tail_local - bone.tail).length < 1e-5


def test_an_object_that_leans_is_walked_upright_and_it_is_said():
    reading = read_rig(person(rotation_euler=(math.radians(20.0), 0.0, 0.0)))
    assert blocking(reading) == []
    assert any("leans by 20 degrees" in str(problem) for problem in reading.problems)


def test_with_a_depsgraph_the_place_is_the_evaluated_one():
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (5.0, 0.0, 0.0)
    armature = person()
    armature.constraints.new("COPY_LOCATION").target = target
    graph = bpy.context.evaluated_depsgraph_get()
    assert read_rig(armature, graph).start.x == pytest.approx(5.0)


def test_a_mesh_hung_on_the_foot_bone_is_its_skin():
    armature = without_skin(person())
    foot = armature.data.bones["foot.L"]
    mesh = bpy.data.meshes.new("Shoe")
    mesh.from_pydata([(x, y, z) for x in (-0.05, 0.05) for y in (-0.2, 0.1) for z in (-0.05, 0.1)], [], [])
    shoe = bpy.data.objects.new("Shoe", mesh)
    bpy.context.scene.collection.objects.link(shoe)
    shoe.parent, shoe.parent_type, shoe.parent_bone = armature, "BONE", "foot.L"
    bpy.context.view_layer.update()
    shoe.matrix_world = Matrix.Translation((foot.head_local.x, foot.head_local.y, 0.0))
    bpy.context.view_layer.update()
    sole = read_rig(armature).rig.leg("leg.L").sole
    assert sole.source == "MESH"
    assert sole.ball.z == pytest.approx(-0.05, abs=1e-5)


def test_a_posed_rig_is_read_at_rest():
    armature = person()
    plain = read_rig(armature)
    armature.pose.bones["thigh.L"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    armature.pose.bones["pelvis"].location = (0.0, 0.3, 0.0)
    bpy.context.view_layer.update()
    same_rig(plain, read_rig(armature), within=1e-6)


def test_corrections_by_hand_are_believed():
    reading = read_rig(person(), corrections={"head": "neck"})
    assert reading.rig.roles["head"] == ("neck",)


def test_an_armature_without_bones_is_told_so():
    armature = bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty"))
    bpy.context.scene.collection.objects.link(armature)
    assert blocking(read_rig(armature)) == ["The armature has no bones. Add bones, or choose another armature."]


def test_reading_changes_nothing_in_the_file(tmp_path: Path):
    person(location=(1.0, 0.0, 0.0))
    path = tmp_path / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    graph = bpy.context.evaluated_depsgraph_get()
    before = state(armature)
    read_rig(armature, graph)
    assert state(armature) == before


def state(armature: bpy.types.Object) -> dict[str, object]:
    return {
        "objects": sorted(obj.name for obj in bpy.data.objects),
        "world": [tuple(row) for row in armature.matrix_world],
        "pose": [[tuple(row) for row in bone.matrix_basis] for bone in armature.pose.bones],
        "mode": armature.mode,
        "keys": sorted(armature.keys()),
        "changed": bpy.data.is_dirty,
    }


@pytest.mark.parametrize("override", [False, True])
def test_a_linked_or_overridden_rig_is_read_with_its_skin(tmp_path: Path, override: bool):
    plain = read_rig(person())
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (source, wanted):
        wanted.objects = list(source.objects)
    for obj in wanted.objects:
        bpy.context.scene.collection.objects.link(obj)
    armature = next(obj for obj in wanted.objects if obj.type == "ARMATURE")
    if override:
        armature = armature.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.view_layer.update()
    reading = read_rig(armature)
    same_rig(plain, reading)
    assert {leg.sole.source for leg in reading.rig.legs} == {"MESH"}


@pytest.mark.parametrize(
    ("kind", "roles"),
    [
        ("human", ["leg.L", "leg.R"]),
        ("wolf", ["front_leg.L", "front_leg.R", "hind_leg.L", "hind_leg.R"]),
    ],
)
def test_a_generated_rig_is_read_as_its_role_skeleton(kind: str, roles: list[str]):
    rig = read_rig(generated_rig(kind)).rig
    assert [leg.role for leg in rig.legs] == roles
    assert all(name.startswith(("ORG-", "DEF-", "spine", "tail", "root")) for name in rig.skeleton.index)
    assert len(rig.skeleton) < 60
    assert rig.skeleton.bones[rig.root].name == "root"


def test_the_skin_of_a_generated_rig_counts_for_the_role_bones():
    armature = generated_rig("human")
    foot = armature.data.bones["DEF-foot.L"]
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata([(foot.head_local.x, y, -0.02) for y in (-0.1, 0.0, 0.05)], [], [])
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.vertex_groups.new(name="DEF-foot.L").add((0, 1, 2), 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = armature
    sole = read_rig(armature).rig.leg("leg.L").sole
    assert (sole.source, sole.ball.z) == ("MESH", pytest.approx(-0.02, abs=1e-5))


def test_a_metarig_is_read_as_it_is():
    rig = read_rig(metarig("human")).rig
    assert rig.convention == "Rigify"
    assert [leg.role for leg in rig.legs] == ["leg.L", "leg.R"]


def test_the_shipped_conventions_are_read_once():
    assert conventions() is conventions()
    assert len(conventions()) >= 12
