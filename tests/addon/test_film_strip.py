"""The film strip shows all of a character: its skin, not only its joints."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.stage import previewed_person

from tools.film_strip import box_around, film_strip, read_picture


def hat(rig: bpy.types.Object, height: float, **settings: bool) -> bpy.types.Object:
    """A thin mesh on the head bone that reaches up to a height over the ground."""
    mesh = bpy.data.meshes.new("Hat")
    mesh.from_pydata([(-0.05, 0.0, 1.6), (0.05, 0.0, 1.6), (0.0, 0.0, height)], [], [(0, 1, 2)])
    obj = bpy.data.objects.new("Hat", mesh)
    obj.vertex_groups.new(name="head").add([0, 1, 2], 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.scene.collection.objects.link(obj)
    for name, value in settings.items():
        setattr(obj, name, value)
    return obj


def test_the_box_holds_what_is_skinned_to_the_armature_where_it_is_at_the_frame():
    rig = previewed_person()
    obj = hat(rig, 4.0)
    low, high = box_around(bpy.context.scene, rig, 1)
    later = box_around(bpy.context.scene, rig, 30)
    assert high.z == pytest.approx(4.0, abs=0.1)
    assert low.z == pytest.approx(0.0, abs=0.03)
    assert later[0].y < low.y - 1.0
    obj.modifiers.clear()
    assert box_around(bpy.context.scene, rig, 1)[1].z < 2.0


def test_what_no_render_shows_does_not_count():
    rig = previewed_person()
    hat(rig, 4.0, hide_render=True)
    assert box_around(bpy.context.scene, rig, 1)[1].z < 2.0


def test_an_armature_without_skin_is_held_by_its_joints_and_an_object_by_its_own_box():
    rig = previewed_person()
    for child in list(rig.children):
        bpy.data.objects.remove(child)
    low, high = box_around(bpy.context.scene, rig, 1)
    assert 1.4 < high.z - low.z < 1.9
    ground = bpy.data.objects["Ground"]
    ground.matrix_world = Matrix.Translation((1.0, 2.0, 3.0))
    assert box_around(bpy.context.scene, ground, 1) == (Vector((-19.0, -18.0, 3.0)), Vector((21.0, 22.0, 3.0)))


@pytest.mark.parametrize("size", [(96, 64), (48, 96)])
@pytest.mark.parametrize("view", ["SIDE", "THREE_QUARTER", "FRONT"])
def test_no_picture_cuts_what_it_shows(tmp_path: Path, size: tuple[int, int], view: str):
    rig = previewed_person()
    rig.surefoot.speed = 1.0
    hat(rig, 2.6)
    bpy.data.objects["Ground"].hide_render = True
    red = bpy.data.materials.new("Red")
    red.diffuse_color = (1.0, 0.0, 0.0, 1.0)
    for mesh in bpy.data.meshes:
        mesh.materials.clear()
        mesh.materials.append(red)
    strip = film_strip(bpy.context.scene, rig, [1, 20, 40], tmp_path / "strip.png", size, 3, view)
    for picture in np.split(read_picture(str(strip))[..., :3], 3, axis=1):
        shown = picture[..., 0] - picture[..., 2] > 0.15
        assert shown[1:-1, 1:-1].sum() > 100
        assert not (shown[0] | shown[-1]).any()
        assert not (shown[:, 0] | shown[:, -1]).any()
