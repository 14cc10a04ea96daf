"""Falls of more than one, of one that is followed, on ground that moves, and in a render that nobody watches."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from support.fake_physics import GOES, FakeEngine, fake_physics
from support.stage import add_ground, add_person, key, previewed_person
from surefoot.addon.get_up_marks import mark_get_up
from surefoot.addon.hits import shove
from surefoot.addon.performers import performers
from surefoot.addon.simulate import finished, simulate_steps

HIT, LAST = 12, 40


@pytest.fixture(autouse=True)
def physics(monkeypatch: pytest.MonkeyPatch) -> type[FakeEngine]:
    return fake_physics(monkeypatch)


def rows(rig: bpy.types.Object) -> dict[int, np.ndarray]:
    cache = performers.get(rig.session_uid).cache
    return {frame: cache.get(frame).row.copy() for frame in cache.frames}


def same(first: dict[int, np.ndarray], second: dict[int, np.ndarray]) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[k], second[k]) for k in first)


def followed() -> tuple[bpy.types.Object, bpy.types.Object]:
    """One walks and is hit; another goes to where it is."""
    add_ground()
    leader, follower = add_person(place=(0.0, 0.0, 0.0)), add_person(place=(0.0, 3.0, 0.0))
    leader.surefoot.speed = 1.0
    follower.surefoot.director, follower.surefoot.target = "TARGET", leader
    for rig in (leader, follower):
        rig.surefoot.preview = True
    bpy.context.scene.frame_set(1)
    return leader, follower


def test_who_follows_one_that_falls_sees_it_fall_and_goes_anew_when_that_does_not_hold():
    leader, follower = followed()
    bpy.context.scene.frame_set(LAST)
    plain = rows(follower)
    shove(leader, strength=3.0, frame=HIT)
    finished(simulate_steps(follower, LAST))
    assert performers.get(leader.session_uid).fall.runs[0].first == HIT
    fallen = rows(follower)
    targets = [performers.get(follower.session_uid).cache.get(frame).inputs.target for frame in (HIT, HIT + 4)]
    assert targets[1].z - targets[0].z == pytest.approx(0.04, abs=1e-6)
    leader.surefoot.hits[0].on = False
    bpy.context.scene.frame_set(LAST)
    assert same(rows(follower), plain)
    leader.surefoot.hits[0].on = True
    bpy.context.scene.frame_set(LAST)
    assert same(rows(follower), fallen)


def test_where_a_fall_is_not_known_to_its_end_nobody_goes_on_after_it():
    leader, follower = followed()
    shove(leader, frame=HIT)
    finished(simulate_steps(leader, HIT + 4))
    bpy.context.scene.frame_set(LAST)
    assert performers.get(leader.session_uid).cache.reach == HIT + 4
    assert performers.get(follower.session_uid).cache.reach == HIT + 4


def test_two_fall_at_once_each_by_its_own(physics: type[FakeEngine]):
    leader, follower = followed()
    shove(leader, strength=3.0, frame=HIT)
    shove(follower, strength=1.5, frame=HIT + 3)
    finished(simulate_steps(follower, LAST))
    assert (physics.opened, physics.closed) == (2, 2)
    heights = [performers.get(rig.session_uid).fall.row_at(HIT + 5).bodies[2] for rig in (leader, follower)]
    assert heights == pytest.approx([0.05, 0.01], abs=1e-6)


def on_a_lift() -> bpy.types.Object:
    """Ground that is keyed to rise, so that every frame has to be walked."""
    rig = previewed_person()
    ground = bpy.data.objects["Ground"]
    for frame, height in ((1, 0.0), (LAST, 0.2)):
        ground.location.z = height
        ground.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    return rig


def test_on_moving_ground_played_and_scrubbed_are_the_same_frames(physics: type[FakeEngine]):
    rig = on_a_lift()
    shove(rig, strength=3.0, frame=HIT)
    finished(simulate_steps(rig, LAST))
    shown = rows(rig)
    performers.clear()
    for frame in (LAST, 5, HIT + 3):
        bpy.context.scene.frame_set(frame)
    assert not performers.get(rig.session_uid).fall.is_stale
    assert same(rows(rig), shown)
    assert physics.opened == 1


def test_on_moving_ground_a_change_is_noticed_where_it_is_computed():
    rig = on_a_lift()
    key(rig, "surefoot.speed", {1: 1.0, HIT + 6: 1.0})
    shove(rig, strength=3.0, frame=HIT)
    finished(simulate_steps(rig, LAST))
    key(rig, "surefoot.speed", {HIT + 6: 0.5})
    bpy.context.scene.frame_set(HIT + 3)
    assert performers.get(rig.session_uid).fall.is_stale
    assert performers.get(rig.session_uid).cache.get(HIT + 3).inputs.fall is None


def test_on_moving_ground_another_way_of_it_is_noticed():
    rig = on_a_lift()
    shove(rig, strength=3.0, frame=HIT)
    finished(simulate_steps(rig, LAST))
    key(bpy.data.objects["Ground"], "location", {HIT + 8: 0.3}, index=2)
    bpy.context.scene.frame_set(HIT + 3)
    assert performers.get(rig.session_uid).fall.is_stale


def test_a_render_in_background_computes_falls_before_it_begins(tmp_path: Path):
    rig = previewed_person()
    scene = bpy.context.scene
    scene.frame_end = LAST
    shove(rig, strength=3.0, frame=HIT)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera, scene.render.engine = camera, "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 8
    scene.render.filepath = str(tmp_path / "frame.png")
    scene.frame_set(HIT + 4)
    bpy.ops.render.render(write_still=True)
    assert rig.surefoot.fall_record
    assert performers.get(rig.session_uid).cache.get(HIT + 4).inputs.fall.bodies[2] == pytest.approx(0.04, abs=1e-6)


def test_one_that_comes_to_its_fall_otherwise_is_computed_anew(physics: type[FakeEngine]):
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    shove(rig, strength=3.0, frame=HIT)
    finished(simulate_steps(rig, LAST))
    first = rig.surefoot.fall_record
    rig.surefoot.frame_start = 4
    bpy.context.scene.frame_set(HIT + GOES)
    assert performers.get(rig.session_uid).fall.is_stale
    finished(simulate_steps(rig, LAST))
    assert rig.surefoot.fall_record != first
    assert physics.opened == 2


def test_another_take_of_getting_up_makes_the_record_stale():
    rig = previewed_person()
    action = bpy.data.actions.new("Up")
    rig.animation_data_create().action = action
    for frame, turn in ((1, 0.7), (10, 0.7), (30, 0.0), (40, 0.0)):
        rig.pose.bones["pelvis"].rotation_mode = "QUATERNION"
        rig.pose.bones["pelvis"].rotation_quaternion.x = turn
        rig.pose.bones["pelvis"].keyframe_insert("rotation_quaternion", frame=frame)
    rig.animation_data.action = None
    shove(rig, strength=3.0, frame=HIT)
    mark_get_up(rig, action, 10, 30)
    finished(simulate_steps(rig, LAST))
    assert not performers.get(rig.session_uid).fall.is_stale
    rig.surefoot.get_ups[0].standing = 25
    bpy.context.scene.frame_set(HIT + 4)
    assert performers.get(rig.session_uid).fall.is_stale
