"""Story: select an armature, Set Up, play; then bake. As a script does it, on a person built in code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector  # noqa: E402
from support.extension import as_extension  # noqa: E402 - only where Blender is


@pytest.fixture(autouse=True)
def enabled():
    extension = as_extension()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    extension.register()
    yield
    extension.unregister()


def test_a_person_walks_in_three_clicks_and_is_baked(tmp_path: Path):
    from support.stage import add_ground
    from surefoot.addon.add_character import add_character

    add_ground()
    rig = add_character(bpy.context, "PERSON", Vector((0.0, 0.0, 0.0)))
    scene = bpy.context.scene

    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.setup()
    assert len(rig.surefoot.problems) == 0
    rig.surefoot.director = "AHEAD"
    rig.surefoot.speed = 1.4
    rig.surefoot.base = "GAIT"
    rig.surefoot.gait = "AUTO"
    rig.surefoot.body = "POINT"
    rig.surefoot.ground = None
    rig.surefoot.travel = "OBJECT"
    rig.surefoot.preview = True

    scene.frame_set(48)
    early = rig.matrix_world.translation.y
    scene.frame_set(96)
    walked = early - rig.matrix_world.translation.y
    assert walked == pytest.approx(1.4 * 48 / 24, rel=0.02)

    bpy.ops.surefoot.bake(frame_start=1, frame_end=120)
    assert not rig.surefoot.preview
    assert tuple(rig.animation_data.action.frame_range) == (1.0, 120.0)

    path = tmp_path / "report.json"
    bpy.ops.surefoot.report(filepath=str(path), frame_start=1, frame_end=120)
    report = json.loads(path.read_text())
    assert report["version"] == 1
    for foot in report["feet"].values():
        assert foot["slide_max_m"] <= 0.0005
        assert 0.5 < foot["duty_factor"] < 0.7
    assert abs(report["speed_error"]) < 0.01
