"""A body with a shape in a scene: what is shown is what is baked, and its keys are inputs of their frame."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers

LAST = 72


def add_block(low: tuple[float, float, float], high: tuple[float, float, float]) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(Vector(low) + Vector(high)) / 2.0)
    block = bpy.context.object
    block.scale = Vector(high) - Vector(low)
    return block


def shaped_person(**settings: object) -> bpy.types.Object:
    rig = previewed_person()
    rig.surefoot.body = "CAPSULE"
    for name, value in settings.items():
        setattr(rig.surefoot, name, value)
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    return performers.get(rig.session_uid).cache.get(frame).memory


def key_drive(rig: bpy.types.Object) -> None:
    """Walks from frame 1 on, jumps at 30, crouches from 50 on."""
    rows = {1: (0.0, -1.0, False, False), 30: (0.0, -1.0, True, False), 31: (0.0, -1.0, False, False),
            50: (0.5, -0.5, False, True)}  # fmt: skip
    for frame, values in rows.items():
        for name, value in zip(("input_x", "input_y", "input_jump", "input_crouch"), values, strict=True):
            setattr(rig.surefoot, name, value)
            rig.keyframe_insert(f"surefoot.{name}", frame=frame)


def test_a_cube_in_the_way_stops_it():
    rig = shaped_person()
    add_block((-2.0, -4.0, -0.5), (2.0, -2.0, 2.0))
    bpy.context.scene.frame_set(LAST)
    memory = memory_at(rig, LAST)
    assert -2.0 < memory.travel.place.y < -1.2
    assert memory.travel.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_keys_of_what_is_pressed_drive_it_and_a_cold_jump_shows_what_playing_shows():
    rig = shaped_person(director="INPUT")
    key_drive(rig)
    played = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    assert memory_at(rig, 36).travel.aloft
    assert memory_at(rig, 36).travel.place.z > 0.5
    assert memory_at(rig, LAST).gait.body.squat > 0.2
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, 36, 10, 55):
        assert np.array_equal(pose_at(rig, frame), played[frame])


def test_a_bake_is_what_was_shown():
    rig = shaped_person(director="INPUT")
    key_drive(rig)
    shown = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in shown.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_an_edited_key_changes_only_what_comes_after_it():
    rig = shaped_person(director="INPUT")
    key_drive(rig)
    bpy.context.scene.frame_set(LAST)
    before = memory_at(rig, 20), memory_at(rig, LAST)
    rig.surefoot.input_x = 1.0
    rig.keyframe_insert("surefoot.input_x", frame=60)
    bpy.context.scene.frame_set(LAST)
    assert memory_at(rig, 20) is before[0]
    assert memory_at(rig, LAST) != before[1]


def test_walking_off_a_table_it_falls_to_the_floor():
    rig = shaped_person()
    bpy.data.objects["Ground"].location.z = -2.0
    add_block((-2.0, -1.5, -0.5), (2.0, 2.0, 0.0))
    bpy.context.scene.frame_set(LAST)
    assert memory_at(rig, LAST).travel.place.z == pytest.approx(-2.0, abs=1e-3)
    aloft = [memory_at(rig, frame).travel.aloft for frame in range(1, LAST + 1)]
    assert 5 < sum(aloft) < 20


@pytest.mark.parametrize("movement", ["DIRECT", "WEIGHTY", "REAL"])
def test_a_movement_sets_all_its_numbers_and_one_undo_is_for_all(movement: str):
    from surefoot.core.movement_presets import movement_values

    rig = add_person()
    add_ground()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.setup()
    rig.surefoot.gravity, rig.surefoot.sharp = 1.0, 0.1
    assert bpy.ops.surefoot.movement(movement=movement) == {"FINISHED"}
    for name, value in movement_values(movement).items():
        assert getattr(rig.surefoot, name) == pytest.approx(value), name


def test_a_bird_that_gets_a_shape_while_it_is_previewed_spreads_its_wings_in_a_jump():
    rig = previewed_person(preset="BIRD")
    bpy.context.scene.frame_set(10)
    rig.surefoot.body, rig.surefoot.director = "CAPSULE", "INPUT"
    key_drive(rig)
    turns = {}
    for frame in (29, 38):
        bpy.context.scene.frame_set(frame)
        turns[frame] = [rig.pose.bones[f"wing.001.{side}"].matrix_basis.to_quaternion().angle for side in "LR"]
    assert max(turns[29]) < 0.01
    assert min(turns[38]) > 0.3


def test_who_was_under_what_came_down_is_seen_on_the_floor_again():
    plate = add_block((-1.0, -1.8, 2.5), (1.0, 0.2, 2.7))
    plate.keyframe_insert("location", frame=1)
    plate.location.z = 0.4
    plate.keyframe_insert("location", frame=48)
    rig = shaped_person(director="INPUT", speed=1.4)
    for frame, wish in ((1, 0.0), (60, 1.0)):
        rig.surefoot.input_y = wish
        rig.keyframe_insert("surefoot.input_y", frame=frame)
    for frame in range(1, 121):
        bpy.context.scene.frame_set(frame)
    place = memory_at(rig, 120).travel.place
    assert place.y > 2.0
    assert place.z == pytest.approx(memory_at(rig, 120).capsule.feet[2], abs=0.02)
