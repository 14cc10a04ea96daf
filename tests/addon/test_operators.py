"""What a person can press: results, refusals in sentences, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest
from support.stage import add_ground, add_person, move_into_collection, previewed_person
from surefoot.addon import commands
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError


def activate(obj: bpy.types.Object | None) -> None:
    bpy.context.view_layer.objects.active = obj


@pytest.mark.parametrize("name", ["setup", "report"])
def test_without_an_object_it_says_to_select_one(name: str):
    activate(None)
    with pytest.raises(RuntimeError, match="Select an armature"):
        getattr(bpy.ops.surefoot, name)()


@pytest.mark.parametrize("name", ["remove", "simulate", "bake", "teleport"])
def test_on_an_armature_that_is_not_set_up_it_says_to_set_up_first(name: str):
    armature = bpy.data.objects.new("Plain", bpy.data.armatures.new("Plain"))
    bpy.context.scene.collection.objects.link(armature)
    activate(armature)
    with pytest.raises(RuntimeError, match="Set Up first"):
        getattr(bpy.ops.surefoot, name)()


def test_on_a_mesh_set_up_names_it_and_the_remedy():
    activate(add_ground())
    with pytest.raises(RuntimeError, match="Ground is no armature"):
        bpy.ops.surefoot.setup()


def test_an_armature_without_bones_is_set_up_with_a_blocking_problem_and_bake_refuses():
    armature = bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty"))
    bpy.context.scene.collection.objects.link(armature)
    activate(armature)
    bpy.ops.surefoot.setup()
    assert [line.blocking for line in armature.surefoot.problems] == [True]
    assert not armature.surefoot.preview
    with pytest.raises(RuntimeError, match="cannot walk yet"):
        bpy.ops.surefoot.bake()


def test_set_up_needs_neither_a_selection_nor_object_mode():
    add_ground()
    rig = add_person()
    bpy.ops.surefoot.remove()
    rig.select_set(False)
    bpy.ops.object.mode_set(mode="POSE")
    assert bpy.ops.surefoot.setup() == {"FINISHED"}
    assert rig.mode == "POSE"


def test_in_edit_mode_it_says_to_leave_it():
    add_ground()
    add_person()
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Edit Mode"):
        bpy.ops.surefoot.bake()


def test_simulate_fills_to_the_given_frame():
    rig = previewed_person()
    activate(rig)
    bpy.ops.surefoot.simulate(frame_end=33)
    assert performers.get(rig.session_uid).cache.reach == 33


def test_a_hidden_collection_is_said():
    add_ground()
    rig = add_person()
    move_into_collection(rig, "Away")
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    with pytest.raises(RefusedError, match="excluded"):
        bake(rig, BakeOptions(1, 5))


def test_a_report_of_the_preview_and_of_its_bake_agree(tmp_path: Path):
    rig = previewed_person()
    activate(rig)
    reports = []
    for name in ("preview.json", "bake.json"):
        path = tmp_path / name
        bpy.ops.surefoot.report(filepath=str(path), frame_start=1, frame_end=60)
        reports.append(json.loads(path.read_text()))
        if name == "preview.json":
            bpy.ops.surefoot.bake(frame_start=1, frame_end=60)
    preview, baked = reports
    assert sorted(preview["feet"]) == ["leg.L", "leg.R"]
    for role, foot in preview["feet"].items():
        assert [span["start"] for span in foot["contacts"]] == [s["start"] for s in baked["feet"][role]["contacts"]]
        assert all(span["planned"] for span in baked["feet"][role]["contacts"])
        assert baked["feet"][role]["slide_max_m"] == pytest.approx(foot["slide_max_m"], abs=1e-5)
    assert preview["speed_error"] == pytest.approx(0.0, abs=0.03)


def test_a_report_without_anything_to_measure_says_what_to_do():
    add_ground()
    activate(add_person())
    with pytest.raises(RuntimeError, match="Bake first"):
        bpy.ops.surefoot.report()


def test_a_report_leaves_the_frame_where_it_was():
    rig = previewed_person()
    activate(rig)
    bpy.context.scene.frame_set(12)
    bpy.ops.surefoot.report(frame_start=1, frame_end=30)
    assert bpy.context.scene.frame_current == 12


def test_lines_of_the_mapping_take_the_active_bone_and_go_again():
    add_ground()
    rig = add_person()
    bpy.ops.object.mode_set(mode="POSE")
    rig.data.bones.active = rig.data.bones["head"]
    bpy.ops.surefoot.correction_add()
    assert [line.bone for line in rig.surefoot.corrections] == ["head"]
    bpy.ops.surefoot.correction_remove()
    assert len(rig.surefoot.corrections) == 0


def test_the_command_line_bakes_all_characters_and_saves(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    rig = previewed_person()
    path = tmp_path / "baked.blend"
    assert commands.run(["bake", "--frame-end", "20", "--output", str(path)]) == 0
    assert path.exists()
    assert rig.animation_data.action is not None
    assert rig.name in capfd.readouterr().out


def test_a_command_whose_file_cannot_be_written_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    previewed_person()
    path = tmp_path / "no such folder" / "baked.blend"
    assert commands.run(["bake", "--frame-end", "5", "--output", str(path)]) == 1
    assert f"surefoot: {path} cannot be saved." in capfd.readouterr().err


def test_the_command_line_refuses_in_a_sentence(capfd: pytest.CaptureFixture[str]):
    add_ground()
    assert commands.run(["report", "--object", "Nobody"]) == 1
    assert "no object Nobody" in capfd.readouterr().err
