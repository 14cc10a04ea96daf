"""A body that reads the level in a scene: what is shown is what is baked; what is drawn of it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.stage import pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.drive import drive
from surefoot.addon.operators.drive import Pressed
from surefoot.addon.panels.state import doing_at
from surefoot.addon.performers import config_of, performers
from surefoot.addon.surroundings_overlay import FACE, MET, TOP, Handle, seen_at, strokes_of_look, words_of_look
from surefoot.core.character import CharacterConfig
from surefoot.core.control.intent import Pad

LAST = 40
KEYS = ("input_y", "input_go_up", "input_sprint")


@pytest.fixture(autouse=True)
def forget_looks():
    Handle.seen.clear()


def add_block(low: tuple[float, float, float], high: tuple[float, float, float]) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(Vector(low) + Vector(high)) / 2.0)
    block = bpy.context.object
    block.scale = Vector(high) - Vector(low)
    return block


def vaulter(*, parkour: bool = True) -> bpy.types.Object:
    """Runs from frame 1 on, and presses going up at frame 15, before a fence."""
    rig = previewed_person()
    settings = rig.surefoot
    settings.body, settings.director, settings.speed, settings.parkour = "CAPSULE", "INPUT", 3.0, parkour
    for frame, up in ((1, False), (15, True), (17, False)):
        settings.input_y, settings.input_go_up = -1.0, up
        rig.keyframe_insert("surefoot.input_y", frame=frame)
        rig.keyframe_insert("surefoot.input_go_up", frame=frame)
    add_block((-2.0, -2.1, -0.5), (2.0, -2.0, 0.9))
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    return performers.get(rig.session_uid).cache.get(frame).memory


def states(rig: bpy.types.Object) -> list[str]:
    bpy.context.scene.frame_set(LAST)
    return [memory_at(rig, frame).state.state for frame in range(1, LAST + 1)]


def test_it_is_off_unless_it_is_asked_for_in_settings_and_scripts():
    rig = previewed_person()
    assert not rig.surefoot.parkour
    assert not CharacterConfig().parkour
    assert not config_of(rig).parkour
    assert rig.surefoot.parkour_preset == config_of(rig).parkour_preset == "USUAL"


def test_a_keyed_press_vaults_a_fence_and_without_parkour_it_does_nothing():
    rig = vaulter()
    seen = states(rig)
    assert "VAULTING" in seen
    assert memory_at(rig, LAST).travel.place.y < -3.0
    rig.surefoot.parkour = False
    bpy.context.scene.frame_set(LAST)
    assert memory_at(rig, LAST).state is None
    assert memory_at(rig, LAST).travel.place.y > -2.0
    assert not any(memory_at(rig, frame).travel.aloft for frame in range(1, LAST + 1))


def test_scrubbing_shows_what_playing_shows_to_the_bit_and_a_bake_is_what_was_shown():
    rig = vaulter()
    played = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    assert "VAULTING" in states(rig)
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, 22, 18, 30, 5, 20):
        assert np.array_equal(pose_at(rig, frame), played[frame])
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in played.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_a_drive_records_the_press_and_plays_again_the_same():
    rig = vaulter()
    bpy.context.scene.frame_set(1)
    drive(rig, LAST - 1, lambda number: Pad(0.0, -1.0, go_up=13 <= number < 16))
    taken = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    assert "VAULTING" in states(rig)
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, 20):
        assert np.array_equal(pose_at(rig, frame), taken[frame])


def test_space_goes_up_with_parkour_and_jumps_without_and_j_always_jumps():
    view = Vector((0.0, 0.0, 1.0)).rotation_difference(Vector((0.0, 0.0, 1.0)))
    for key, parkour, jump, up in (
        ("SPACE", False, True, False), ("SPACE", True, False, True), ("J", False, True, False), ("J", True, True, False)
    ):  # fmt: skip
        pressed = Pressed()
        assert pressed.hear(key, "PRESS")
        pad = pressed.pad(view, parkour=parkour)
        assert (pad.jump, pad.go_up) == (jump, up)


def test_the_panel_says_what_it_does_and_why_a_press_was_refused():
    rig = vaulter()
    seen = states(rig)
    performer = performers.get(rig.session_uid)
    assert doing_at(performer, 1) == "On the ground"
    assert doing_at(performer, seen.index("VAULTING") + 1) == "Vaulting"
    add_block((-2.0, -5.0, -0.5), (2.0, -1.95, 5.0))
    bpy.context.scene.frame_set(LAST)
    assert any(doing_at(performers.get(rig.session_uid), frame).endswith("It is too tall.") for frame in range(1, LAST))
    rig.surefoot.parkour = False
    bpy.context.scene.frame_set(LAST)
    assert doing_at(performers.get(rig.session_uid), 1) == ""


def test_what_it_sees_is_drawn_with_its_verdict_and_its_reason_at_any_known_frame():
    rig = vaulter()
    states(rig)
    scene, performer = bpy.context.scene, performers.get(rig.session_uid)
    before = repr(memory_at(rig, 14))
    near = seen_at(rig, scene, performer, 14)
    assert near.verdict == "VAULT"
    assert words_of_look(near).startswith("Can be vaulted (")
    strokes = strokes_of_look(near, 1.0)
    assert {FACE, TOP, MET} <= set(strokes.colours)
    assert len(strokes.points) == len(strokes.colours)
    edges = [point for point, colour in zip(*strokes, strict=True) if colour == TOP]
    assert max(z for *_, z in edges) == pytest.approx(0.9, abs=1e-3)
    assert seen_at(rig, scene, performer, 3).verdict == "NOTHING"
    # Looking changes nothing, and is done once.
    assert repr(memory_at(rig, 14)) == before
    assert seen_at(rig, scene, performer, 14) is seen_at(rig, scene, performer, 14)
    assert seen_at(rig, scene, performer, LAST + 500) is None


def test_a_preset_that_is_not_there_walks_by_the_usual_one():
    rig = vaulter()
    rig.surefoot.parkour_preset = "NOBODY'S"
    assert "VAULTING" in states(rig)


def test_on_ground_that_moves_it_is_looked_at_only_where_the_ground_is():
    rig = vaulter()
    lift = add_block((5.0, 5.0, 0.0), (6.0, 6.0, 1.0))
    lift.keyframe_insert("location", frame=1)
    lift.location.z += 2.0
    lift.keyframe_insert("location", frame=LAST)
    states(rig)
    performer = performers.get(rig.session_uid)
    assert seen_at(rig, bpy.context.scene, performer, LAST) is not None
    assert seen_at(rig, bpy.context.scene, performer, 10) is None
