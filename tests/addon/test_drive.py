"""Driven by hand: a take is recorded as keys, plays again to the bit, and can be thrown away."""

from __future__ import annotations

from functools import partial
from math import hypot, pi

import bpy
import numpy as np
import pytest
from mathutils import Euler, Quaternion, Vector
from support.stage import add_face, key, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.changes import hints
from surefoot.addon.drive import Take, drive, prepare, put_back, throw_away
from surefoot.addon.operators.drive import Pressed, directed
from surefoot.addon.pad import PAD
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.saved_state import curves_of
from surefoot.core.character import Character
from surefoot.core.control.intent import Pad

FRAMES = 60


def person() -> bpy.types.Object:
    rig = previewed_person()
    prepare(rig, bpy.context.scene)
    bpy.context.scene.frame_set(1)
    return rig


def pressed(number: int) -> Pad:
    return Pad(0.3, -0.9, jump=number == 20, crouch=number > 40, sprint=5 < number < 15)


def curves(rig: bpy.types.Object) -> dict[str, list[tuple[float, float]]]:
    animation = rig.animation_data
    found = curves_of(animation.action, animation.action_slot) if animation is not None else []
    return {c.data_path: [tuple(p.co) for p in c.keyframe_points] for c in found}


def memory_at(rig: bpy.types.Object, frame: int):
    return performers.get(rig.session_uid).cache.get(frame).memory


def test_what_is_pressed_moves_it_at_once():
    rig = person()
    take = Take(rig)
    for number in range(30):
        take.step(pressed(number))
    assert bpy.context.scene.frame_current == 31
    assert memory_at(rig, 31).travel.place.y < -1.0
    assert memory_at(rig, 24).travel.aloft


def test_a_take_plays_again_to_the_bit():
    rig = person()
    take, shown = Take(rig), {}
    for number in range(FRAMES):
        take.step(pressed(number))
        performer = performers.get(rig.session_uid)
        shown[take.frame] = performer.cache.get(take.frame).row.copy()
    assert take.finish() == FRAMES
    performers.get(rig.session_uid).cache.clear()
    bpy.context.scene.frame_set(FRAMES + 1)
    for frame, row in shown.items():
        assert np.array_equal(performers.get(rig.session_uid).cache.get(frame).row, row), frame


def test_a_take_bakes_as_it_was_shown():
    rig = person()
    drive(rig, FRAMES, pressed)
    shown = {frame: pose_at(rig, frame) for frame in range(1, FRAMES + 1)}
    bake(rig, BakeOptions(1, FRAMES))
    for frame, pose in shown.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_after_a_take_nothing_is_pressed():
    rig = person()
    drive(rig, 20, lambda _: Pad(0.0, -1.0, jump=True, crouch=True, sprint=True))
    bpy.context.scene.frame_set(40)
    assert [getattr(rig.surefoot, name) for name in PAD] == [0.0, 0.0, False, False, False, False]


def test_a_second_take_leaves_what_was_recorded_before_it_and_replaces_what_came_after():
    rig = person()
    drive(rig, FRAMES, lambda _: Pad(0.0, -1.0))
    before = pose_at(rig, 25)
    bpy.context.scene.frame_set(30)
    drive(rig, 10, lambda _: Pad(1.0, 0.0))
    rows = dict(curves(rig)["surefoot.input_x"])
    assert rows[20.0] == 0.0
    assert rows[35.0] == 1.0
    assert max(rows) == 41.0
    assert np.array_equal(pose_at(rig, 25), before)


def test_thrown_away_nothing_of_it_is_left():
    rig = person()
    drive(rig, 20, pressed)
    bpy.context.scene.frame_set(10)
    before = curves(rig)
    take = Take(rig)
    for number in range(15):
        take.step(Pad(1.0, 0.0, jump=number == 3))
    take.cancel()
    assert curves(rig) == before
    assert bpy.context.scene.frame_current == 10


def test_thrown_away_where_there_were_no_keys_there_are_none():
    rig = person()
    add_face(rig)
    key(rig, '["smile"]', {1: 0.0, 20: 1.0})
    before = curves(rig)
    take = Take(rig)
    take.step(Pad(1.0, 0.0))
    take.cancel()
    assert curves(rig) == before


def test_again_begins_the_take_anew():
    rig = person()
    take = Take(rig)
    for _ in range(10):
        take.step(Pad(1.0, 0.0))
    take.retry()
    assert bpy.context.scene.frame_current == 1
    assert take.frames == 0
    for _ in range(5):
        take.step(Pad(0.0, -1.0))
    take.finish()
    assert max(frame for frame, _ in curves(rig)["surefoot.input_x"]) == 7.0
    assert max(value for _, value in curves(rig)["surefoot.input_x"]) == 0.0


def test_settings_go_back_as_they_were():
    rig = previewed_person()
    rig.surefoot.director = "AHEAD"
    before = prepare(rig, bpy.context.scene)
    assert (rig.surefoot.director, rig.surefoot.body) == ("INPUT", "CAPSULE")
    put_back(rig, bpy.context.scene, before)
    assert (rig.surefoot.director, rig.surefoot.body, rig.surefoot.preview) == ("AHEAD", "POINT", True)


def test_a_character_that_is_deleted_or_taken_into_edit_mode_ends_the_take():
    rig = person()
    take = Take(rig)
    assert take.alive
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    assert not take.alive
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.data.objects.remove(rig)
    assert not take.alive
    take.cancel()
    with pytest.raises(RefusedError):
        take.step(Pad())


def test_an_undo_ends_the_take_and_what_is_there_then_stays():
    rig = person()
    drive(rig, 10, pressed)
    bpy.ops.ed.undo_push(message="driven")
    bpy.ops.ed.undo_push(message="something")
    take = Take(rig)
    take.step(Pad(1.0, 0.0))
    bpy.ops.ed.undo()
    assert not take.alive
    assert take.undone


def add_lift() -> None:
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(20.0, 0.0, 0.0))
    for frame in (1, 100):
        bpy.context.object.location.z = 0.01 * frame
        bpy.context.object.keyframe_insert("location", frame=frame)


def test_where_ground_moves_no_frame_of_a_take_is_computed_twice(monkeypatch: pytest.MonkeyPatch):
    add_lift()
    rig, ticks = person(), []
    take, tick = Take(rig), Character.tick

    def counted(character, memory, inputs, world, dt) -> None:
        ticks.append(memory.ticks)
        tick(character, memory, inputs, world, dt)

    take.step(pressed(0))
    monkeypatch.setattr(Character, "tick", counted)
    for number in range(1, 20):
        take.step(pressed(number))
    assert len(ticks) == len(set(ticks)) == 19 * 2
    shown = performers.get(rig.session_uid).cache.get(21).row.copy()
    take.finish()
    assert performers.get(rig.session_uid).cache.reach == 21
    performers.get(rig.session_uid).cache.clear()
    bpy.context.scene.frame_set(21)
    assert np.array_equal(performers.get(rig.session_uid).cache.get(21).row, shown)


def test_where_ground_moves_a_take_that_is_begun_late_begins_there(monkeypatch: pytest.MonkeyPatch):
    add_lift()
    rig = person()
    drive(rig, 30, pressed)
    bpy.context.scene.frame_set(25)
    ticks, tick = [], Character.tick

    def counted(character, memory, inputs, world, dt) -> None:
        ticks.append(memory.ticks)
        tick(character, memory, inputs, world, dt)

    monkeypatch.setattr(Character, "tick", counted)
    take = Take(rig)
    assert len(ticks) == 2
    assert performers.get(rig.session_uid).cache.reach == 25
    take.step(Pad(1.0, 0.0))
    take.cancel()
    shown = performers.get(rig.session_uid).cache.get(25).row.copy()
    performers.get(rig.session_uid).cache.clear()
    bpy.context.scene.frame_set(25)
    assert np.array_equal(performers.get(rig.session_uid).cache.get(25).row, shown)


def test_without_a_window_it_says_what_to_do_instead():
    rig = person()
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match="run it from a 3D view"):
        bpy.ops.surefoot.drive()


@pytest.mark.parametrize("yaw", [0.0, 0.7, 3.0])
def test_ahead_is_where_the_view_looks_over_the_ground(yaw: float):
    # A view that looks along +Y, a little down, and turned from there.
    view = Euler((1.2, 0.0, yaw)).to_quaternion()
    ahead = Quaternion((0.0, 0.0, 1.0), yaw) @ Vector((0.0, 1.0, 0.0))
    assert directed(view, 0.0, 1.0) == pytest.approx(tuple(ahead.xy), abs=1e-6)


def test_seen_from_straight_above_ahead_is_up_the_screen():
    assert directed(Quaternion(), 0.0, 1.0) == pytest.approx((0.0, 1.0))
    assert directed(Quaternion((0.0, 0.0, 1.0), 0.5 * pi), 1.0, 0.0) == pytest.approx((0.0, 1.0), abs=1e-6)


def test_two_keys_at_once_go_between_and_no_faster():
    keys = Pressed()
    for name in ("W", "D", "SPACE", "LEFT_SHIFT"):
        assert keys.hear(name, "PRESS")
    pad = keys.pad(Quaternion())
    assert (pad.x, pad.y) == pytest.approx((0.5**0.5, 0.5**0.5))
    assert (pad.jump, pad.crouch, pad.sprint) == (True, False, True)
    keys.hear("W", "RELEASE")
    keys.hear("SPACE", "RELEASE")
    assert keys.pad(Quaternion())[:3] == pytest.approx((1.0, 0.0, False))
    assert not keys.hear("G", "PRESS")


def test_a_tap_between_two_frames_counts_once():
    keys = Pressed()
    keys.hear("SPACE", "PRESS")
    keys.hear("SPACE", "RELEASE")
    assert keys.pad(Quaternion()).jump
    assert not keys.pad(Quaternion()).jump


def test_the_place_of_a_take_is_where_the_character_is_shown():
    rig = person()
    take = Take(rig)
    for _ in range(24):
        take.step(Pad(0.0, -1.0))
    assert tuple(take.place()) == pytest.approx(tuple(memory_at(rig, 25).travel.place[:3]), abs=1e-5)


def test_thrown_away_no_action_is_left_that_was_not_there():
    rig, actions = person(), len(bpy.data.actions)
    take = Take(rig)
    take.step(Pad(1.0, 0.0))
    assert len(bpy.data.actions) == actions + 1
    take.cancel()
    assert len(bpy.data.actions) == actions
    assert rig.animation_data is None


def test_before_an_undo_an_unfinished_take_is_taken_back():
    rig = previewed_person()
    bpy.ops.ed.undo_push(message="one")
    bpy.ops.ed.undo_push(message="two")
    before = prepare(rig, bpy.context.scene)
    take = Take(rig)
    take.step(Pad(1.0, 0.0))
    hints.before_undo.append(partial(throw_away, take, before))
    bpy.ops.ed.undo()
    hints.before_undo.clear()
    rig = bpy.data.objects["Person"]
    assert rig.animation_data is None or rig.animation_data.action is None
    assert rig.surefoot.director == "AHEAD"
    assert not bpy.data.actions


def test_a_pace_that_is_chosen_on_the_way_is_keyed_there_and_thrown_away_with_the_take():
    rig = person()
    speed = rig.surefoot.speed
    take = Take(rig)
    for _ in range(10):
        take.step(Pad(0.0, -1.0))
    before = memory_at(rig, 10).gait
    take.set_pace(2)
    take.step(Pad(0.0, -1.0))
    assert memory_at(rig, 10).gait == before
    assert curves(rig)["surefoot.gait"][-1][0] == curves(rig)["surefoot.speed"][-1][0] == 11.0
    take.retry()
    assert not {"surefoot.gait", "surefoot.speed"} & curves(rig).keys()
    take.step(Pad(0.0, -1.0))
    take.set_pace(2)
    take.cancel()
    assert (rig.surefoot.gait, rig.surefoot.speed, rig.animation_data) == ("AUTO", speed, None)


@pytest.mark.parametrize(
    ("level", "gait", "least", "most"), [(1, "WALK", 1.2, 1.6), (2, "RUN", 3.5, 4.5), (3, "SPRINT", 6.0, 7.0)]
)
def test_a_pace_is_a_gait_at_the_speed_that_is_natural_for_it(level: int, gait: str, least: float, most: float):
    rig = person()
    take = Take(rig)
    take.set_pace(level)
    for _ in range(60):
        take.step(Pad(0.0, -1.0))
    memory = memory_at(rig, take.frame)
    assert memory.gait.gait == gait
    assert least <= hypot(*memory.travel.velocity) * (0.9 / 0.836) ** 0.5 <= most


def test_at_the_pace_of_none_it_has_its_own_speed_again_and_the_gait_that_fits():
    rig = person()
    speed = rig.surefoot.speed
    take = Take(rig)
    take.set_pace(3)
    take.step(Pad(0.0, -1.0))
    take.set_pace(0)
    take.step(Pad(0.0, -1.0))
    assert (rig.surefoot.gait, rig.surefoot.speed) == ("AUTO", pytest.approx(speed))
