"""Many motions on one rig: each into an Action of its own, whatever becomes of the others."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.file_contents import contents, differences
from support.motion_files import animated_gltf, bvh, fbx, glb
from support.motions import bare, swing
from support.walk_files import walk_bvh


@pytest.fixture
def batch() -> Any:
    """The module; it imports only where the extension has run."""
    import surefoot.addon.retarget_batch as module

    return module


def refused() -> type[Exception]:
    from surefoot.addon.refusal import RefusedError

    return RefusedError


def pair() -> tuple[bpy.types.Object, bpy.types.Object]:
    """A source without Actions and a target, both persons."""
    source, target = bare("Mocap"), bare("Hero")
    bpy.context.view_layer.objects.active = target
    return source, target


def swung(source: bpy.types.Object, name: str, last: int = 9) -> bpy.types.Action:
    """A new Action of the source."""
    source.animation_data_clear()
    swing(source, 1, last)
    action = source.animation_data.action
    action.name, action.use_fake_user = name, True
    return action


def broken(source: bpy.types.Object, name: str) -> bpy.types.Action:
    """An Action of the source that moves only bones which it does not have."""
    action = swung(source, name)
    from surefoot.addon.saved_state import channelbag_of

    for curve in channelbag_of(action, action.slots[0]).fcurves:
        curve.data_path = curve.data_path.replace('["', '["gone ')
    return action


def folder_of_files(folder: Path) -> Path:
    """Two walks, a cut one, an empty one, one of no motion, and a text."""
    walk_bvh(folder / "b_walk.bvh")
    walk_bvh(folder / "a_walk.bvh", frames=40)
    (folder / "cut.bvh").write_text(bvh(frames=9)[:-30])
    (folder / "empty.fbx").write_bytes(b"")
    (folder / "still.glb").write_bytes(glb({**animated_gltf(), "animations": []}))
    (folder / "read me.txt").write_text("hello")
    return folder


def test_of_thirty_actions_twenty_eight_are_moved_and_two_listed_with_reasons(batch: Any) -> None:
    """One of the thirty is broken, one empty; of one the new name is taken."""
    source, target = pair()
    names = [f"Clip {i:02d}" for i in range(28)]
    for name in names:
        swung(source, name)
    broken(source, "Broken")
    bpy.data.actions.new("Empty").use_fake_user = True
    bpy.data.actions.new("Clip 07_Hero").use_fake_user = True
    chosen = [bpy.data.actions[name] for name in (*names, "Broken", "Empty")]
    result = batch.retarget_actions(source, target, chosen)
    assert len(result.rows) == 30
    assert [row.action for row in result.done] == [
        f"{name}_Hero" + (".001" if name == "Clip 07" else "") for name in names
    ]
    assert {row.source: row.reason for row in result.failed} == {
        "Broken": "The Action Broken moves no bone of Mocap. Select the armature that it was made for.",
        "Empty": "The Action Empty moves no bone of Mocap. Select the armature that it was made for.",
    }
    assert all(bpy.data.actions[row.action].use_fake_user for row in result.done)


def test_without_a_choice_all_actions_of_the_source_are_taken(batch: Any) -> None:
    source, target = pair()
    for name in ("Wave", "nod"):
        swung(source, name)
    broken(source, "Broken")
    prop = bpy.data.objects.new("Prop", None)
    prop.keyframe_insert("location", frame=1)
    result = batch.retarget_actions(source, target)
    assert [row.source for row in result.rows] == ["Broken", "nod", "Wave"]
    again = batch.retarget_actions(source, target)
    assert [row.source for row in again.rows] == ["Broken", "nod", "Wave"]


def test_each_result_is_what_one_retarget_gives(batch: Any) -> None:
    from support.sliding_walks import keys_of
    from surefoot.addon.retarget import RetargetOptions, retarget

    source, target = pair()
    action = swung(source, "Wave")
    single = retarget(source, target, RetargetOptions(action=action, name="Single", assign=False))
    many = batch.retarget_actions(source, target, [action]).rows[0]
    one, other = (keys_of(bpy.data.actions[name]) for name in (single.action, many.action))
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[key], other[key]) for key in one)


def test_nothing_but_new_actions_comes_of_a_batch(batch: Any, tmp_path: Path) -> None:
    source, target = pair()
    swung(source, "Wave")
    target.animation_data_create().action = swung(target, "Own")
    bpy.context.scene.frame_set(3)
    before = contents()
    made = [row.action for row in batch.retarget_actions(source, target, [bpy.data.actions["Wave"]]).done]
    made += [row.action for row in batch.retarget_folder(folder_of_files(tmp_path), target).done]
    lines = [line for line in differences(before, contents()) if line.split("/")[1].split(" is ")[0] not in made]
    assert lines == []
    assert len(made) == 3
    assert target.animation_data.action.name == "Own"


def test_the_files_of_a_folder_come_by_name_and_bad_ones_stop_none(batch: Any, tmp_path: Path) -> None:
    _, target = pair()
    result = batch.retarget_folder(folder_of_files(tmp_path), target)
    assert [row.source for row in result.rows] == ["a_walk.bvh", "b_walk.bvh", "cut.bvh", "empty.fbx", "still.glb"]
    assert [row.action for row in result.done] == ["a_walk_Hero", "b_walk_Hero"]
    reasons = {row.source: row.reason for row in result.failed}
    assert "cut off" in reasons["cut.bvh"]
    assert "is empty" in reasons["empty.fbx"]
    assert "has no animation" in reasons["still.glb"]


def test_a_file_comes_at_the_scenes_rate_or_keeps_its_own(batch: Any, tmp_path: Path) -> None:
    """A second of 60 frames: 30 of a scene at 30 frames a second, or all 60 within them."""
    from support.sliding_walks import keys_of

    _, target = pair()
    bpy.context.scene.render.fps = 30
    walk_bvh(tmp_path / "walk.bvh", frames=61)
    rows = [
        batch.retarget_folder(tmp_path, target, batch.BatchOptions(resample=resample)).rows[0]
        for resample in (True, False)
    ]
    times = [next(iter(keys_of(bpy.data.actions[row.action]).values()))[:, 0] for row in rows]
    assert [(row.frames, round(row.fps)) for row in rows] == [(31, 30), (61, 60)]
    np.testing.assert_allclose(times[0], np.arange(1.0, 32.0), atol=1e-4)
    np.testing.assert_allclose(times[1], np.arange(1.0, 31.01, 0.5), atol=1e-3)


def test_a_walk_from_a_file_goes_as_far_and_its_feet_stand(batch: Any, tmp_path: Path) -> None:
    from support.performers import clip_of

    _, target = pair()
    bpy.context.scene.render.fps = 60
    walk_bvh(tmp_path / "walk.bvh", frames=121, drift=0.1)
    row = batch.retarget_folder(tmp_path, target).rows[0]
    target.animation_data_create().action = bpy.data.actions[row.action]
    target.animation_data.action_slot = bpy.data.actions[row.action].slots[0]
    from surefoot.addon.motion_source import read_motion

    clip = clip_of("person")
    way = [float(np.linalg.norm((body[120] - body[0])[:2])) for body in (read_motion(target).clip.body(), clip.body())]
    aside = 0.1 * 2.0
    assert way[0] == pytest.approx(np.hypot(way[1], aside), rel=0.05)
    assert row.slide_before >= 0.02
    assert row.slide_after <= 0.003


def test_several_takes_of_a_file_become_an_action_each(batch: Any, tmp_path: Path) -> None:
    source, target = pair()
    for name in ("Wave", "Nod"):
        swung(source, name)
    for track, name in enumerate(("Wave", "Nod")):
        made = source.animation_data.nla_tracks.new()
        made.name = name
        made.strips.new(name, 1 + track, bpy.data.actions[name])
    source.animation_data.action = None
    bpy.context.view_layer.objects.active = source
    for obj in bpy.data.objects:
        obj.select_set(obj == source)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "takes.glb"), use_selection=True, export_animations=True)
    result = batch.retarget_folder(tmp_path, target)
    assert sorted(row.action for row in result.done) == ["takes_Nod_Hero", "takes_Wave_Hero"]
    assert {row.source.split(": ")[0] for row in result.rows} == {"takes.glb"}


def test_what_nobody_has_foreseen_stops_one_and_no_other(batch: Any, tmp_path: Path, monkeypatch, caplog) -> None:
    _, target = pair()
    for name in ("a", "b", "c"):
        walk_bvh(tmp_path / f"{name}.bvh", frames=30)
    real = batch.import_motion

    def failing(path: Path) -> Any:
        if path.stem == "b":
            raise ZeroDivisionError("nobody knew")
        return real(path)

    monkeypatch.setattr(batch, "import_motion", failing)
    result = batch.retarget_folder(tmp_path, target)
    assert [row.action for row in result.rows] == ["a_Hero", "", "c_Hero"]
    assert "ZeroDivisionError: nobody knew" in result.failed[0].reason


def test_cancelled_the_finished_ones_stay_whole_and_nothing_else_is_there(batch: Any, tmp_path: Path) -> None:
    _, target = pair()
    for name in ("a", "b", "c"):
        walk_bvh(tmp_path / f"{name}.bvh", frames=30)
    before = contents()
    steps, progress = batch.folder_steps(tmp_path, target)
    while len(progress.rows) < 2:
        next(steps)
    steps.close()
    result = progress.result(cancelled=True)
    assert [row.action for row in result.rows] == ["a_Hero", "b_Hero"]
    new = {line for line in differences(before, contents()) if line.endswith("is new")}
    assert new == {"actions/a_Hero is new", "actions/b_Hero is new"}


@pytest.mark.parametrize("at", [1, 2, 3])
def test_cancelled_within_an_action_that_one_is_not_there(batch: Any, at: int) -> None:
    source, target = pair()
    source.constraints.new("LIMIT_LOCATION")
    actions = [swung(source, name, 40) for name in ("One", "Two")]
    steps, progress = batch.actions_steps(source, target, actions)
    for _ in range(at):
        next(steps)
    steps.close()
    made = sorted(action.name for action in bpy.data.actions if action.name.endswith("_Hero"))
    assert made == sorted(row.action for row in progress.rows)
    assert [scene.name for scene in bpy.data.scenes] == [bpy.context.scene.name]


def test_the_table_is_a_csv_that_reads_back(batch: Any, tmp_path: Path) -> None:
    from surefoot.addon.batch_table import table, write_csv

    _, target = pair()
    folder = tmp_path / "files"
    folder.mkdir()
    result = batch.retarget_folder(folder_of_files(folder), target)
    write_csv(tmp_path / "table.csv", result.rows)
    with open(tmp_path / "table.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["source"] for row in rows] == [row.source for row in result.rows]
    assert (rows[0]["action"], rows[0]["frames"], rows[0]["reason"]) == ("a_walk_Hero", str(result.rows[0].frames), "")
    assert float(rows[0]["slide_after_mm"]) == pytest.approx(1000.0 * result.rows[0].slide_after, abs=1e-3)
    assert "cut off" in rows[2]["reason"]
    assert [line.split()[0] for line in table(result)] == [row.source.split()[0] for row in result.rows]


def test_refusals_come_before_anything_is_done(batch: Any, tmp_path: Path) -> None:
    source, target = pair()
    with pytest.raises(refused(), match="has no Actions"):
        batch.retarget_actions(source, target, [])
    with pytest.raises(refused(), match="There is no folder"):
        batch.retarget_folder(tmp_path / "nowhere", target)
    with pytest.raises(refused(), match="holds no files of motion"):
        batch.retarget_folder(tmp_path, target)
    with pytest.raises(refused(), match="is its own source"):
        batch.retarget_actions(target, target, [])


def test_folders_in_the_folder_are_taken_where_that_is_asked_for(batch: Any, tmp_path: Path) -> None:
    _, target = pair()
    (tmp_path / "deep").mkdir()
    walk_bvh(tmp_path / "deep" / "walk.bvh", frames=30)
    walk_bvh(tmp_path / "walk.bvh", frames=30)
    assert [row.source for row in batch.retarget_folder(tmp_path, target).rows] == ["walk.bvh"]
    result = batch.retarget_folder(tmp_path, target, batch.BatchOptions(recursive=True))
    assert [row.source for row in result.rows] == [str(Path("deep", "walk.bvh")), "walk.bvh"]


# The operator and the command.


def test_the_operator_moves_a_folder_and_writes_the_table(tmp_path: Path) -> None:
    _, target = pair()
    folder = tmp_path / "files"
    folder.mkdir()
    folder_of_files(folder)
    done = bpy.ops.surefoot.retarget_batch(folder=str(folder), csv=str(tmp_path / "table.csv"), target="Hero")
    assert done == {"FINISHED"}
    assert {"a_walk_Hero", "b_walk_Hero"} <= {action.name for action in bpy.data.actions}
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").count("\n") == 6


def test_the_operator_takes_chosen_actions_and_refuses_unknown_ones() -> None:
    source, _ = pair()
    for name in ("Wave", "Nod", "Bow"):
        swung(source, name)
    bpy.ops.surefoot.retarget_batch(source="Mocap", target="Hero", actions="Wave; Bow")
    made = {action.name for action in bpy.data.actions if action.name.endswith("_Hero")}
    assert made == {"Wave_Hero", "Bow_Hero"}
    with pytest.raises(RuntimeError, match="There is no Action Dance in this file"):
        bpy.ops.surefoot.retarget_batch(source="Mocap", target="Hero", actions="Wave;Dance")


def test_a_table_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    _, target = pair()
    walk_bvh(tmp_path / "walk.bvh", frames=30)
    count = len(bpy.data.actions)
    with pytest.raises(RuntimeError, match="cannot be written"):
        bpy.ops.surefoot.retarget_batch(folder=str(tmp_path), target="Hero", csv=str(tmp_path / "no" / "table.csv"))
    assert len(bpy.data.actions) == count


def test_the_command_moves_a_folder(tmp_path: Path, capsys) -> None:
    from surefoot.addon.commands import run

    pair()
    folder = tmp_path / "files"
    folder.mkdir()
    folder_of_files(folder)
    output = tmp_path / "out.blend"
    arguments = ["--folder", str(folder), "--target", "Hero", "--csv", str(tmp_path / "t.csv"), "--output", str(output)]
    assert run(["retarget", *arguments]) == 0
    said = capsys.readouterr().out
    assert "2 of 5 motions are on Hero; not moved: 3." in said
    assert output.is_file()
    assert (tmp_path / "t.csv").is_file()
    (folder / "a_walk.bvh").unlink()
    (folder / "b_walk.bvh").unlink()
    assert run(["retarget", *arguments]) == 1
    assert run(["retarget", "--target", "Hero"]) == 1
    swung(bpy.data.objects["Mocap"], "Walk")
    count = len(bpy.data.actions)
    nowhere = str(tmp_path / "no such folder" / "t.csv")
    assert run(["retarget", "--source", "Mocap", "--target", "Hero", "--all-actions", "--csv", nowhere]) == 1
    assert len(bpy.data.actions) == count


@pytest.mark.prints_traceback
def test_a_whole_fbx_that_holds_no_rig_is_a_line_and_no_residue(batch: Any, tmp_path: Path) -> None:
    _, target = pair()
    (tmp_path / "odd.fbx").write_bytes(fbx())
    before = contents()
    result = batch.retarget_folder(tmp_path, target)
    assert [bool(row.reason) for row in result.rows] == [True]
    assert contents() == before


def test_the_panel_offers_both_buttons_and_lists_every_motion(tmp_path: Path) -> None:
    from support.drawn_panels import drawn
    from surefoot.addon.panels.retarget_batch import SUREFOOT_PT_retarget_batch

    source, target = pair()
    target.surefoot.source = source
    assert SUREFOOT_PT_retarget_batch.poll(bpy.context)
    assert drawn(SUREFOOT_PT_retarget_batch)["buttons"] == ["surefoot.retarget_batch"] * 2
    bpy.ops.surefoot.retarget_batch(folder=str(folder_of_files(tmp_path)), target="Hero")
    shown = drawn(SUREFOOT_PT_retarget_batch)["text"]
    assert "2 of 5 motions are on Hero" in shown
    assert "empty.fbx is empty" in shown
    assert "a_walk_Hero" in shown
    assert drawn(SUREFOOT_PT_retarget_batch)["buttons"][-1] == "surefoot.retarget_table"


def test_the_panel_offers_what_the_operator_can_be_told() -> None:
    from support.drawn_panels import drawn
    from surefoot.addon.panels.retarget_batch import SUREFOOT_PT_retarget_batch

    pair()
    told = bpy.ops.surefoot.retarget_batch.get_rna_type().properties
    asked = {item.identifier for item in told if not item.is_hidden and not item.is_skip_save} - {"rna_type"}
    assert set(drawn(SUREFOOT_PT_retarget_batch)["props"]) == asked


def test_the_table_of_the_last_batch_can_be_saved_afterwards(tmp_path: Path) -> None:
    source, target = pair()
    with pytest.raises(RuntimeError, match="No batch was done on Hero"):
        bpy.ops.surefoot.retarget_table(filepath=str(tmp_path / "late.csv"))
    action = swung(source, "Walk")
    bpy.ops.surefoot.retarget_batch(source="Mocap", target="Hero", actions="Walk", csv=str(tmp_path / "first.csv"))
    bpy.context.view_layer.objects.active = target
    bpy.ops.surefoot.retarget_table(filepath=str(tmp_path / "late.csv"))
    assert (tmp_path / "late.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()
    assert action.name in (tmp_path / "late.csv").read_text(encoding="utf-8")
