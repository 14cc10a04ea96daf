"""Pose layers in Blender: added, keyed, moved; what they aim at is read at the frame, however it is reached."""

from __future__ import annotations

from math import cos, degrees, sin, tau
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.rigify_rigs import generated_rig
from support.stage import add_ground, add_person, key, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.carry_over import animated_paths
from surefoot.addon.layers import layer_add, layer_move, layer_remove, look_at, look_away
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.setup import setup
from surefoot.core.layers.registry import LAYERS


def add_ball(place: tuple[float, float, float] = (0.6, -3.0, 1.5), name: str = "Ball") -> bpy.types.Object:
    """An empty to aim at."""
    ball = bpy.data.objects.new(name, None)
    ball.location = place
    bpy.context.scene.collection.objects.link(ball)
    return ball


def circling(ball: bpy.types.Object, last: int = 96) -> None:
    """Key it on a circle in front of the character."""
    for frame in range(1, last + 1, 8):
        turn = tau * frame / 96
        ball.location = (1.2 * sin(turn), -4.0 - 0.3 * cos(turn), 1.5 + 0.4 * sin(2 * turn))
        ball.keyframe_insert("location", frame=frame)


def off_target(rig: bpy.types.Object, place: Vector) -> float:
    """Degrees between where the face looks and a place; the face is the rest's -Y, carried by the head."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    head, rest = shown.pose.bones["head"], rig.data.bones["head"].matrix_local
    facing = (shown.matrix_world @ head.matrix).to_quaternion() @ rest.to_quaternion().inverted() @ Vector((0, -1, 0))
    eye = shown.matrix_world @ head.matrix.translation
    return degrees(facing.angle(place - eye))


def test_a_look_at_layer_turns_the_head_to_its_target():
    rig = previewed_person()
    plain = pose_at(rig, 40)
    ball = add_ball((2.0, -4.0, 1.9))
    layer_add(rig, "LOOK_AT", target=ball)
    looking = pose_at(rig, 40)
    assert not np.array_equal(plain, looking)
    assert off_target(rig, ball.location) < 8.0


def test_without_a_target_it_looks_at_the_camera():
    rig = previewed_person()
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = (-2.5, -6.0, 1.8)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    layer_add(rig, "LOOK_AT")
    pose_at(rig, 40)
    assert off_target(rig, camera.location) < 8.0


def test_a_weight_of_nothing_shows_the_very_walk():
    rig = previewed_person()
    plain = pose_at(rig, 40)
    layer_add(rig, "LOOK_AT", target=add_ball(), weight=0.0)
    assert np.array_equal(pose_at(rig, 40), plain)


def test_a_muted_layer_shows_the_very_walk_and_unmuted_it_works():
    rig = previewed_person()
    plain = pose_at(rig, 40)
    layer = layer_add(rig, "LOOK_AT", target=add_ball())
    looking = pose_at(rig, 40)
    layer.mute = True
    assert np.array_equal(pose_at(rig, 40), plain)
    layer.mute = False
    assert np.array_equal(pose_at(rig, 40), looking)


def test_a_keyed_weight_fades_the_look_in():
    rig = previewed_person()
    ball = add_ball((3.0, -7.0, 1.9))
    layer_add(rig, "LOOK_AT", target=ball)
    key(rig, "surefoot.layers[0].weight", {1: 0.0, 24: 0.0, 48: 1.0})
    plain = pose_at(rig, 20)
    rig.surefoot.layers[0].mute = True
    assert np.array_equal(pose_at(rig, 20), plain)
    rig.surefoot.layers[0].mute = False
    begin, end = off_target_at(rig, 24, ball), off_target_at(rig, 60, ball)
    assert end < 0.3 * begin


def off_target_at(rig: bpy.types.Object, frame: int, ball: bpy.types.Object) -> float:
    bpy.context.scene.frame_set(frame)
    shown = ball.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return off_target(rig, shown.matrix_world.translation)


@pytest.mark.parametrize("how", ["keyed", "parented", "constrained", "driven"])
def test_scrubbed_is_played_whatever_moves_the_target(how: str):
    rig = previewed_person()
    ball = add_ball()
    circling(ball)
    if how == "parented":
        child = add_ball((0.0, 0.0, 0.3), "Child")
        child.parent, ball = ball, child
    elif how == "constrained":
        other = add_ball((0.0, 0.0, 0.0), "Other")
        other.constraints.new("COPY_LOCATION").target = ball
        ball = other
    elif how == "driven":
        ball = add_ball(name="Driven")
        ball.driver_add("location", 2).driver.expression = "1.5 + 0.01 * frame"
    layer_add(rig, "LOOK_AT", target=ball)
    played = {frame: pose_at(rig, frame) for frame in range(1, 61)}
    for frame in (60, 7, 33, 34, 12, 60):
        assert np.array_equal(pose_at(rig, frame), played[frame])
    performers.get(rig.session_uid).cache.clear()
    assert np.array_equal(pose_at(rig, 44), played[44])


def test_what_is_baked_is_what_was_shown():
    rig = previewed_person()
    ball = add_ball()
    circling(ball)
    layer_add(rig, "LOOK_AT", target=ball)
    shown = [pose_at(rig, frame) for frame in range(1, 41)]
    bake(rig, BakeOptions(1, 40))
    for frame, wanted in enumerate(shown, start=1):
        assert pose_at(rig, frame) == pytest.approx(wanted, abs=1e-5)


def test_baked_onto_another_carrier_the_layers_stay():
    rig = previewed_person()
    layer_add(rig, "LOOK_AT", target=add_ball((2.0, -3.0, 1.8)))
    shown = [pose_at(rig, frame) for frame in (1, 20, 40)]
    bake(rig, BakeOptions(1, 40, travel="ROOT_BONE"))
    for frame, wanted in zip((1, 20, 40), shown, strict=True):
        now = pose_at(rig, frame)
        head = [bone.name for bone in rig.pose.bones].index("head") + 1
        assert now[0] @ now[head] == pytest.approx(wanted[0] @ wanted[head], abs=1e-4)


def test_an_edited_target_is_looked_at_anew():
    rig = previewed_person()
    ball = add_ball((2.0, -3.0, 1.8))
    layer_add(rig, "LOOK_AT", target=ball)
    left = pose_at(rig, 40)
    ball.location.x = -2.0
    bpy.context.view_layer.update()
    right = pose_at(rig, 40)
    assert not np.array_equal(left, right)
    ball.location.x = 2.0
    bpy.context.view_layer.update()
    assert np.array_equal(pose_at(rig, 40), left)


def test_a_changed_setting_drops_what_was_computed():
    rig = previewed_person()
    layer = layer_add(rig, "LOOK_AT", target=add_ball((2.0, -3.0, 1.8)))
    before = pose_at(rig, 40)
    layer.mask = "head"
    assert not np.array_equal(pose_at(rig, 40), before)


def test_a_character_is_looked_at_in_the_face():
    add_ground()
    rig, other = add_person(), add_person(place=(1.5, -4.0, 0.0))
    other.surefoot.speed = 0.0
    rig.surefoot.preview = other.surefoot.preview = True
    layer_add(rig, "LOOK_AT", target=other)
    bpy.context.scene.frame_set(30)
    shown = other.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert off_target(rig, shown.matrix_world @ shown.pose.bones["head"].matrix.translation) < 8.0


def test_two_who_look_at_each_other_are_the_same_scrubbed_and_played():
    add_ground()
    one, two = add_person(), add_person(place=(1.0, -6.0, 0.0))
    one.surefoot.preview = two.surefoot.preview = True
    two.rotation_euler.z = 3.14159
    layer_add(one, "LOOK_AT", target=two)
    layer_add(two, "LOOK_AT", target=one)
    played = {frame: (pose_at(one, frame), pose_at(two, frame)) for frame in range(1, 41)}
    for frame in (40, 11, 23):
        for rig, pose in zip((one, two), played[frame], strict=True):
            assert np.array_equal(pose_at(rig, frame), pose)
    for rig in (one, two):
        performers.get(rig.session_uid).cache.clear()
    for rig, pose in zip((two, one), reversed(played[31]), strict=True):
        assert np.array_equal(pose_at(rig, 31), pose)


def test_a_ball_in_another_s_hand_is_looked_at():
    add_ground()
    rig, other = add_person(), add_person(place=(1.5, -4.0, 0.0))
    ball = add_ball((0.0, 0.0, 0.0))
    ball.parent, ball.parent_type, ball.parent_bone = other, "BONE", "hand.L"
    other.surefoot.speed = 0.5
    rig.surefoot.preview = other.surefoot.preview = True
    layer_add(rig, "LOOK_AT", target=ball)
    played = {frame: pose_at(rig, frame) for frame in range(1, 31)}
    assert off_target_at(rig, 30, ball) < 10.0
    for frame in (30, 9, 18):
        assert np.array_equal(pose_at(rig, frame), played[frame])


def test_keys_follow_their_layer_when_it_is_moved_and_go_with_it():
    rig = previewed_person()
    for name in ("A", "B", "C"):
        layer_add(rig, "LOOK_AT", name=name)
    key(rig, "surefoot.layers[2].weight", {1: 0.25, 10: 0.25})
    key(rig, "surefoot.layers[0].weight", {1: 0.75, 10: 0.75})
    assert layer_move(rig, 2, 0)
    bpy.context.scene.frame_set(5)
    assert [(layer.name, layer.weight) for layer in rig.surefoot.layers] == [
        ("C", pytest.approx(0.25)), ("A", pytest.approx(0.75)), ("B", 1.0)
    ]  # fmt: skip
    layer_remove(rig, 0)
    bpy.context.scene.frame_set(6)
    assert [(layer.name, layer.weight) for layer in rig.surefoot.layers] == [("A", pytest.approx(0.75)), ("B", 1.0)]
    layer_remove(rig, 0)
    curves = [
        c for lay in rig.animation_data.action.layers for s in lay.strips for b in s.channelbags for c in b.fcurves
    ]
    assert [curve.data_path for curve in curves if "layers" in curve.data_path] == []


def test_looking_away_comes_back_to_the_front():
    rig = previewed_person()
    plain = pose_at(rig, 60)
    look_at(rig, add_ball((3.0, -3.0, 1.8)))
    looking = pose_at(rig, 60)
    look_away(rig)
    bpy.context.view_layer.update()
    away = pose_at(rig, 60)
    head = [bone.name for bone in rig.pose.bones].index("head") + 1
    assert np.abs(away[head] - plain[head]).max() < 0.02 < np.abs(looking[head] - plain[head]).max()


def test_operators_do_what_the_functions_do():
    rig = previewed_person()
    ball = add_ball()
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.surefoot.layer_add(kind="LOOK_AT", target=ball.name) == {"FINISHED"}
    assert rig.surefoot.layers[0].target == ball
    assert bpy.ops.surefoot.look_at(place=(1.0, -2.0, 1.0)) == {"FINISHED"}
    assert (rig.surefoot.layers[0].aim, len(rig.surefoot.layers)) == ("PLACE", 1)
    assert bpy.ops.surefoot.look_away() == {"FINISHED"}
    assert not rig.surefoot.layers[0].on
    assert bpy.ops.surefoot.layer_remove() == {"FINISHED"}
    assert len(rig.surefoot.layers) == 0
    with pytest.raises(RuntimeError, match="no object Moon"):
        bpy.ops.surefoot.layer_add(kind="LOOK_AT", target="Moon")


def test_a_refusal_says_what_there_is():
    rig = previewed_person()
    with pytest.raises(RefusedError, match="LOOK_AT"):
        layer_add(rig, "JUMP")
    with pytest.raises(RefusedError, match="yaw"):
        layer_add(rig, "LOOK_AT", jaw=1.0)


@pytest.mark.parametrize("preset", ["PERSON", "DOG", "HORSE", "BIRD", "SPIDER", "BEETLE"])
def test_each_kind_can_be_added_shown_and_baked(preset: str):
    rig = previewed_person(preset=preset)
    ball = add_ball((0.3, -1.0, 0.6))
    for kind in LAYERS:
        layer_add(rig, kind, target=ball)
    shown = [pose_at(rig, frame) for frame in (1, 6, 12)]
    assert np.isfinite(shown).all()
    assert performers.get(rig.session_uid).failed == ""
    bake(rig, BakeOptions(1, 12))
    for frame, wanted in zip((1, 6, 12), shown, strict=True):
        assert pose_at(rig, frame) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("kind_of_rig", ["human", "wolf"])
def test_on_a_generated_rig_they_move_its_controls(kind_of_rig: str):
    add_ground()
    rig = generated_rig(kind_of_rig)
    setup(rig, bpy.context.scene)
    rig.surefoot.travel = "OBJECT"
    plain = pose_at(rig, 20)
    ball = add_ball((1.0, -3.0, 1.4))
    for kind in LAYERS:
        layer_add(rig, kind, target=ball)
    assert not np.array_equal(pose_at(rig, 20), plain)
    shown = [pose_at(rig, frame) for frame in (1, 12)]
    assert performers.get(rig.session_uid).failed == ""
    bake(rig, BakeOptions(1, 12))
    for frame, wanted in zip((1, 12), shown, strict=True):
        assert pose_at(rig, frame) == pytest.approx(wanted, abs=1e-4)
    paths = {path for path, _ in animated_paths(rig)}
    assert not any("DEF-" in path or "ORG-" in path for path in paths)


def test_layers_are_in_the_file(tmp_path: Path):
    rig = previewed_person()
    layer_add(rig, "LOOK_AT", target=add_ball((2.0, -3.0, 1.8)), mask="head")
    wanted, name = pose_at(rig, 20), rig.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    assert pose_at(bpy.data.objects[name], 20) == pytest.approx(wanted, abs=1e-6)


def test_a_kind_of_a_newer_version_is_left_out():
    rig = previewed_person()
    plain = pose_at(rig, 20)
    rig.surefoot.layers.add().kind = "TELEPATHY"
    assert np.array_equal(pose_at(rig, 20), plain)


def test_the_target_s_deletion_is_no_error():
    rig = previewed_person()
    ball = add_ball()
    layer_add(rig, "LOOK_AT", target=ball)
    pose_at(rig, 20)
    bpy.data.objects.remove(ball)
    bpy.context.view_layer.update()
    pose_at(rig, 20)
    assert performers.get(rig.session_uid).failed == ""
