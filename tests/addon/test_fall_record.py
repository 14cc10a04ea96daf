"""A fall is computed by Simulate, a bake or a render in background, recorded, and shown as long as that holds."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from support.fake_physics import GOES, LIES, RISES, FakeEngine, fake_physics
from support.stage import key, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.fall_record import Record, Run, as_text, from_text, stored
from surefoot.addon.hits import clear_falls, get_up, hit_remove, limp, shove
from surefoot.addon.performers import performers
from surefoot.addon.simulate import finished, simulate_steps
from surefoot.core.control.fall_row import FallRow

LAST = 40
HIT = 12
DONE = HIT + GOES + LIES + RISES + 1


@pytest.fixture(autouse=True)
def physics(monkeypatch: pytest.MonkeyPatch) -> type[FakeEngine]:
    return fake_physics(monkeypatch)


def simulate(rig: bpy.types.Object, end: int = LAST) -> None:
    finished(simulate_steps(rig, end))


def hit_person(frame: int = HIT) -> bpy.types.Object:
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    shove(rig, (0.0, 1.0, 0.0), 3.0, frame=frame)
    return rig


def track(rig: bpy.types.Object):
    return performers.get(rig.session_uid).fall


def height(rig: bpy.types.Object, frame: int) -> float:
    return round(float(pose_at(rig, frame)[0][2, 3]), 6)


def rows(rig: bpy.types.Object) -> dict[int, np.ndarray]:
    cache = performers.get(rig.session_uid).cache
    return {frame: cache.get(frame).row.copy() for frame in cache.frames}


def same(first: dict[int, np.ndarray], second: dict[int, np.ndarray]) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[k], second[k]) for k in first)


def test_a_record_is_read_back_to_the_bit():
    row = stored(FallRow("FALLEN", 0.3, (1.1, 2.2, 3.3, 1.0, 0.0, 0.0, 0.0), (0.4,), ("fell",), (0.1, 0.2, 0.3), 2))
    run = Run(5, b"startend", [row, FallRow("GETTING_UP")], is_open=True)
    record = Record(b"12345678", 4, [b"abcdefgh"] * 3, [run])
    read = from_text(as_text(record, "Person"))
    assert read == record


@pytest.mark.parametrize("broken", ["", "no record", "0" * 50])
def test_what_is_no_record_is_read_as_none(broken: str):
    assert from_text(broken) == Record()


def test_a_hit_alone_moves_nothing_and_is_said_to_be_not_computed():
    rig = hit_person()
    assert height(rig, HIT + 3) == 0.0
    assert track(rig).unmade == HIT
    assert rig.surefoot.fall_record == ""


def test_simulate_records_the_fall_from_the_hit_until_it_stands(physics: type[FakeEngine]):
    rig = hit_person()
    simulate(rig)
    (run,) = track(rig).runs
    assert (run.first, run.last, run.is_open) == (HIT, DONE, False)
    goes_and_lies = ["ACTIVE"] * GOES + ["FALLEN"] * LIES
    assert [row.state for row in run.rows] == [*goes_and_lies, *["GETTING_UP"] * RISES, "ANIMATED"]
    assert (physics.opened, physics.closed) == (1, 1)
    assert height(rig, HIT) == 0.0
    assert height(rig, HIT + 2) == pytest.approx(0.02, abs=1e-6)
    assert height(rig, DONE + 1) == 0.0


def test_what_happened_is_told_in_its_frame():
    rig = hit_person()
    simulate(rig)
    cache = performers.get(rig.session_uid).cache
    told = [(frame, name) for frame in cache.frames for name, _ in cache.get(frame).frame.events if name.islower()]
    assert told == [(HIT + 1, "hit"), (HIT + GOES + 1, "fell"), (DONE, "stood_up")]


def test_played_replayed_scrubbed_and_baked_are_the_same_frames():
    rig = hit_person()
    simulate(rig)
    shown = rows(rig)
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, 3, HIT + 4, DONE, HIT + 1):
        bpy.context.scene.frame_set(frame)
    assert same(rows(rig), shown)
    performers.clear()
    poses = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    assert same(rows(rig), shown)
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in poses.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_simulated_again_it_is_the_same_and_physics_is_not_asked(physics: type[FakeEngine]):
    rig = hit_person()
    simulate(rig)
    told = rig.surefoot.fall_record
    simulate(rig)
    assert rig.surefoot.fall_record == told
    assert physics.opened == 1


def test_saved_and_loaded_it_is_shown_without_physics(tmp_path: Path, physics: type[FakeEngine]):
    rig = hit_person()
    simulate(rig)
    shown = rows(rig)
    bpy.context.scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "fall.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fall.blend"))
    rig = bpy.data.objects["Person"]
    bpy.context.scene.frame_set(LAST)
    assert same(rows(rig), shown)
    assert physics.opened == 1


def test_an_input_that_changes_in_the_fall_marks_it_stale_and_the_old_motion_is_not_shown():
    rig = hit_person()
    key(rig, "surefoot.speed", {1: 1.4, HIT: 1.4, HIT + 8: 1.4})
    simulate(rig)
    assert height(rig, HIT + 4) > 0.01
    key(rig, "surefoot.speed", {HIT + 8: 0.5})
    assert height(rig, HIT + 4) == 0.0
    assert track(rig).is_stale
    assert track(rig).why == "INPUTS"
    simulate(rig)
    assert not track(rig).is_stale
    assert height(rig, HIT + 4) > 0.01


def test_changed_back_it_holds_again():
    rig = hit_person()
    simulate(rig)
    shown = rows(rig)
    rig.surefoot.hits[0].strength = 2.0
    assert height(rig, HIT + 4) == 0.0
    rig.surefoot.hits[0].strength = 3.0
    bpy.context.scene.frame_set(LAST)
    assert not track(rig).is_stale
    assert same(rows(rig), shown)


@pytest.mark.parametrize(
    "edit",
    [
        lambda rig: setattr(rig.surefoot, "speed", 1.0),
        lambda rig: setattr(rig.surefoot.hits[0], "frame", HIT + 1),
        lambda rig: setattr(rig.surefoot.hits[0], "on", False),
        lambda rig: setattr(rig.surefoot, "get_up", "NO"),
        lambda _: setattr(bpy.context.scene, "gravity", (0.0, 0.0, -1.6)),
        lambda _: setattr(bpy.context.scene.render, "fps", 30),
        lambda _: setattr(bpy.data.objects["Ground"], "location", (0.0, 0.0, 0.01)),
        lambda rig: shove(rig, strength=2.0, frame=HIT + 2),
    ],
)  # fmt: skip
def test_whatever_it_goes_by_is_noticed(edit):
    rig = hit_person()
    simulate(rig)
    bpy.context.scene.frame_set(HIT + 4)
    edit(rig)
    bpy.context.scene.frame_set(HIT + 5)
    assert track(rig).is_stale
    row = performers.get(rig.session_uid).cache.get(HIT + 5).inputs.fall
    assert row is None


def test_a_hit_after_a_fall_leaves_that_as_it_is(physics: type[FakeEngine]):
    rig = hit_person()
    simulate(rig)
    shove(rig, frame=DONE + 4)
    bpy.context.scene.frame_set(LAST)
    assert height(rig, HIT + 4) > 0.01
    assert (track(rig).is_stale, track(rig).unmade) == (False, DONE + 4)
    simulate(rig)
    assert [run.first for run in track(rig).runs] == [HIT, DONE + 4]
    assert physics.opened == 2


def test_a_hit_while_it_gets_up_floors_it_again(physics: type[FakeEngine]):
    rig = hit_person()
    again = HIT + GOES + LIES + 2
    shove(rig, strength=3.0, frame=again)
    simulate(rig, 60)
    (run,) = track(rig).runs
    assert (physics.opened, physics.closed) == (2, 2)
    assert [row.begins for row in run.rows if row.bodies] == [1] * (GOES + LIES) + [2] * (GOES + LIES)
    assert run.rows[again - HIT].state == "ACTIVE"


def test_a_hit_while_it_staggers_goes_to_the_physics_that_has_it(physics: type[FakeEngine]):
    rig = hit_person()
    shove(rig, strength=3.0, frame=HIT + 2)
    simulate(rig)
    assert physics.opened == 1
    assert track(rig).runs[0].rows[2].events == ("hit",)


def test_where_the_range_ends_in_a_fall_nothing_is_shown_after_it_until_more_is_computed():
    rig = hit_person()
    simulate(rig, HIT + 5)
    assert track(rig).open_end == HIT + 5
    bpy.context.scene.frame_set(HIT + 9)
    assert performers.get(rig.session_uid).cache.reach == HIT + 5
    shown = rows(rig)
    simulate(rig, LAST)
    assert track(rig).open_end is None
    now = rows(rig)
    assert same({frame: now[frame] for frame in shown}, shown)


def test_limp_from_a_frame_until_it_is_handed_back_by_keys(physics: type[FakeEngine]):
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    limp(rig, 10)
    limp(rig, 16, share=0.0, over=4)
    simulate(rig)
    (run,) = track(rig).runs
    assert (run.first, run.last) == (10, 19)
    assert run.rows[-1].weights == pytest.approx((0.25,) * 5)
    assert physics.opened == physics.closed == 1


def test_a_bake_computes_what_is_not_recorded():
    rig = hit_person()
    bake(rig, BakeOptions(1, LAST))
    assert rig.surefoot.fall_record
    assert height(rig, HIT + 4) > 0.01


def test_undo_takes_the_record_back():
    rig = hit_person()
    bpy.ops.ed.undo_push(message="before")
    simulate(rig)
    bpy.ops.ed.undo_push(message="simulated")
    bpy.ops.ed.undo()
    rig = bpy.data.objects["Person"]
    assert rig.surefoot.fall_record == ""
    assert height(rig, HIT + 4) == 0.0
    bpy.ops.ed.redo()
    rig = bpy.data.objects["Person"]
    assert height(rig, HIT + 4) > 0.01


def test_a_job_that_is_given_up_leaves_what_was_there(physics: type[FakeEngine]):
    rig = hit_person()
    steps = simulate_steps(rig, LAST)
    for _ in range(2):
        next(steps)
    steps.close()
    assert physics.opened == physics.closed
    assert rig.surefoot.fall_record == ""
    assert height(rig, HIT + 4) == 0.0


def test_forgotten_it_is_as_before():
    rig = previewed_person()
    plain = {frame: pose_at(rig, frame) for frame in range(1, 31)}
    shove(rig, frame=HIT)
    limp(rig, 25)
    simulate(rig)
    clear_falls(rig)
    assert not rig.surefoot.hits
    assert rig.surefoot.fall_record == ""
    assert all(np.array_equal(pose_at(rig, frame), pose) for frame, pose in plain.items())


def test_keys_of_a_hit_go_with_it():
    rig = hit_person()
    second = shove(rig, strength=2.0, frame=30)
    second.strength = 2.5
    rig.keyframe_insert("surefoot.hits[1].strength", frame=30)
    hit_remove(rig, 0)
    paths = [curve.data_path for curve in rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves]
    assert "surefoot.hits[0].strength" in paths
    assert "surefoot.hits[1].strength" not in paths


def test_getting_up_takes_limpness_away():
    rig = previewed_person()
    limp(rig, 5)
    get_up(rig, 20, style="QUICK")
    bpy.context.scene.frame_set(22)
    assert (rig.surefoot.limp_body, rig.surefoot.get_up) == (0.0, "NOW")
    assert rig.surefoot.get_up_style == "QUICK"
