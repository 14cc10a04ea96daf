"""The retarget operator: by names, whatever is selected, one undo step, and what its panel shows."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from support.file_contents import contents, differences
from support.motions import bare, curves_of, joints_at, swing


def test_a_script_names_both_and_gets_an_action():
    swing(bare("Mocap"))
    hero = bare("Hero")
    assert bpy.ops.surefoot.retarget(source="Mocap", target="Hero") == {"FINISHED"}
    action = hero.animation_data.action
    assert action.name == "MocapAction_Hero"
    assert hero.animation_data.action_slot.identifier == "OBHero"
    assert np.abs(joints_at(hero, 1)["head"] - joints_at(hero, 21)["head"]).max() > 0.1


def test_without_names_the_active_armature_follows_its_source():
    source, hero = swing(bare("Mocap")), bare("Hero")
    hero.surefoot.source = source
    bpy.context.view_layer.objects.active = hero
    assert bpy.ops.surefoot.retarget() == {"FINISHED"}
    assert hero.animation_data.action.name == "MocapAction_Hero"


def test_what_is_selected_changes_nothing():
    source, hero = swing(bare("Mocap")), bare("Hero")
    found = []
    for chosen in ((), (hero,), (source,), (source, hero)):
        for obj in bpy.context.scene.objects:
            obj.select_set(obj in chosen)
        bpy.context.view_layer.objects.active = chosen[0] if chosen else None
        bpy.ops.surefoot.retarget(source="Mocap", target="Hero")
        found.append(curves_of(hero))
        hero.animation_data_clear()
        for bone in hero.pose.bones:
            bone.matrix_basis.identity()
    for other in found[1:]:
        assert set(other) == set(found[0])
        assert all(np.abs(other[path] - found[0][path]).max() < 1e-5 for path in other)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"source": "Gone", "target": "Hero"}, "no object Gone"),
        ({"source": "Mocap", "target": "Gone"}, "no object Gone"),
        ({"target": "Hero"}, "no source"),
        ({"source": "Hero", "target": "Hero"}, "its own source"),
        ({"source": "Still", "target": "Hero"}, "Still has no motion"),
        ({"source": "Mocap", "target": "Hero", "action": "Gone"}, "no Action Gone"),
        ({"source": "Mocap", "target": "Hero", "frame_start": 9.0, "frame_end": 2.0}, "lies before the first"),
        ({"source": "Mocap", "target": "Lamp"}, "Lamp is no armature"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_and_nothing_is_changed(arguments: dict, said: str):
    swing(bare("Mocap"))
    bare("Hero")
    bare("Still")
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.scene.collection.objects.link(lamp)
    before = contents()
    with pytest.raises(RuntimeError, match=said):
        bpy.ops.surefoot.retarget(**arguments)
    assert differences(before, contents()) == []


def test_options_of_the_core_reach_it():
    swing(bare("Mocap"))
    hero = bare("Hero")
    bpy.ops.surefoot.retarget(source="Mocap", target="Hero", feet="FREE", rests="MATCH", name="Mine", carrier="PELVIS")
    action = hero.animation_data.action
    assert action.name == "Mine"
    result = json.loads(action["surefoot_retarget"])
    assert result["slide_after"] is None
    assert all(np.ptp(keys[:, 1]) < 1e-6 for (path, _), keys in curves_of(hero).items() if "root" in path)


def test_another_action_of_the_source_is_taken_by_name():
    source, hero = swing(bare("Mocap")), bare("Hero")
    source.animation_data.action.name = "Swing"
    source.animation_data.action = None
    for bone in source.pose.bones:
        bone.matrix_basis.identity()
    bpy.ops.surefoot.retarget(source="Mocap", target="Hero", action="Swing")
    assert hero.animation_data.action.name == "Swing_Hero"
    assert source.animation_data.action is None


def test_one_undo_step_takes_it_back():
    swing(bare("Mocap"))
    bare("Hero")
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.surefoot.retarget(source="Mocap", target="Hero")
    bpy.ops.ed.undo_push(message="Retarget")
    assert "MocapAction_Hero" in bpy.data.actions
    bpy.ops.ed.undo()
    assert "MocapAction_Hero" not in bpy.data.actions
    assert bpy.data.objects["Hero"].animation_data is None
    bpy.ops.ed.redo()
    assert bpy.data.objects["Hero"].animation_data.action.name == "MocapAction_Hero"


def test_a_cancelled_one_leaves_no_trace():
    from surefoot.addon.retarget import RetargetOptions, retarget_steps

    source, hero = swing(bare("Mocap"), 1, 2000), bare("Hero")
    item = source.pose.bones["head"].constraints.new("COPY_ROTATION")
    item.target, item.subtarget = source, "thigh.L"
    before = contents()
    job = retarget_steps(source, hero, RetargetOptions())
    next(job)
    job.close()
    assert differences(before, contents()) == []


def test_a_source_deleted_meanwhile_ends_it_with_a_sentence(monkeypatch: pytest.MonkeyPatch):
    from surefoot.addon import motion_scene
    from surefoot.addon.refusal import RefusedError
    from surefoot.addon.retarget import RetargetOptions, retarget_steps

    # However quick the machine, the first slice ends after one frame.
    monkeypatch.setattr(motion_scene, "SLICE", 0.0)
    source, hero = swing(bare("Mocap"), 1, 20), bare("Hero")
    item = source.pose.bones["head"].constraints.new("COPY_ROTATION")
    item.target, item.subtarget = source, "thigh.L"
    job = retarget_steps(source, hero, RetargetOptions())
    next(job)
    bpy.data.objects.remove(source)
    with pytest.raises(RefusedError, match="Mocap was deleted meanwhile"):
        for _ in job:
            pass


def test_the_panel_says_what_a_source_is():
    from surefoot.addon.panels.retarget import source_line

    source, still = swing(bare("Mocap")), bare("Still")
    assert source_line(None) == (
        "Choose the armature, or an empty of an imported animation, whose motion is taken.", False
    )  # fmt: skip
    assert source_line(source) == ("Plays the Action MocapAction", True)
    assert source_line(still) == ("Nothing animates it", False)
    still.pose.bones["head"].constraints.new("COPY_ROTATION")
    assert source_line(still) == ("Is moved by what it follows", True)
    empty = bpy.data.objects.new("Clip", None)
    assert source_line(empty)[1]


def test_the_result_is_shown_for_the_action_that_it_made():
    from surefoot.addon.panels.retarget import shown_result

    swing(bare("Mocap"))
    hero = bare("Hero")
    bpy.context.view_layer.objects.active = hero
    assert shown_result(bpy.context) is None
    bpy.ops.surefoot.retarget(source="Mocap", target="Hero")
    result = shown_result(bpy.context)
    assert result["target"] == "Hero"
    assert {"head", "leg.L", "arm.R"} <= {pair["role"] for pair in result["matched"]}


def test_the_command_line_writes_what_was_matched_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from surefoot.addon.commands import run

    swing(bare("Mocap"))
    bare("Hero")
    report, saved = tmp_path / "report.json", tmp_path / "done.blend"
    arguments = ["--source", "Mocap", "--target", "Hero", "--report", str(report), "--output", str(saved)]
    assert run(["retarget", *arguments]) == 0
    assert "Hero: 21 frames in the Action MocapAction_Hero" in capsys.readouterr().out
    result = json.loads(report.read_text(encoding="utf-8"))
    assert result["coverage"] == [20, 20]
    assert saved.is_file()
    assert run(["retarget", "--source", "Gone", "--target", "Hero"]) == 1
    assert "no object Gone" in capsys.readouterr().err
