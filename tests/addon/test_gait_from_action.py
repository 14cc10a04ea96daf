"""Gait from an Action: any clip that Blender can import becomes a preset, and the file stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from support.clip_joints import contacts_of_clip, import_clip, mean_profile, profiles, sample
from support.file_contents import contents, differences
from support.real_rigs import import_file
from support.rigify_rigs import generated_rig
from support.stage import add_ground, add_person


@pytest.fixture
def own_gaits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for the user's own gaits."""
    from surefoot.addon import gait_from_action
    from surefoot.core.presets import use_own_gaits

    monkeypatch.setattr(gait_from_action, "own_gaits_folder", lambda: tmp_path)
    use_own_gaits(tmp_path)
    yield tmp_path
    use_own_gaits(None)


def baked_person(speed: float = 1.3) -> bpy.types.Object:
    """A person that walked, baked to an Action."""
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.setup import setup

    add_ground()
    rig = add_person()
    setup(rig)
    rig.surefoot.speed = speed
    rig.surefoot.preview = True
    bpy.context.scene.frame_end = 120
    bake(rig, BakeOptions(1, 120))
    return rig


def test_a_walk_of_ours_comes_back_as_a_gait_of_its_speed(own_gaits: Path):
    rig = baked_person()
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.surefoot.gait_from_action(name="My Walk", frame_start=50.0, frame_end=120.0) == {"FINISHED"}
    from surefoot.core.presets import own_gait_names, pattern

    assert own_gait_names() == ("MY_WALK",)
    assert (own_gaits / "my_walk.toml").is_file()
    performed = pattern("MY_WALK", 2)
    assert performed.duty == pytest.approx(0.6, abs=0.08)
    assert performed.cycle(1.3, 0.92) == pytest.approx(rig_cycle(), rel=0.05)


def rig_cycle() -> float:
    """The cycle of a person's walk at 1.3 m/s."""
    from surefoot.core.presets import pattern

    return pattern("WALK", 2).cycle(1.3, 0.92)


def test_nothing_in_the_file_is_changed(own_gaits: Path):
    from surefoot.addon.gait_from_action import gait_from_action

    rig = baked_person()
    other = bpy.data.actions.new("Other")
    action = rig.animation_data.action
    rig.animation_data.action = other
    rig.pose.bones[3].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    rig.location = (1.0, 2.0, 3.0)
    bpy.context.scene.frame_set(33)
    before = contents()
    gait_from_action(rig, action, "Mine", frame_start=50, frame_end=120)
    assert differences(before, contents()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "Walk"}, "A gait called Walk ships"),
        ({"name": " . "}, "no name"),
        ({"action": "Gone"}, "no Action Gone"),
        ({"slot": "OBgone"}, "no slot OBgone"),
        ({"frame_start": 60.0, "frame_end": 61.0}, "shorter than two frames"),
        ({"frame_start": 60.0, "frame_end": 66.0}, "two strides"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_in_a_sentence(change: dict, said: str, own_gaits: Path):
    bpy.context.view_layer.objects.active = baked_person()
    with pytest.raises(RuntimeError, match=said):
        bpy.ops.surefoot.gait_from_action(**{"name": "Mine", **change})
    assert list(own_gaits.iterdir()) == []


def test_a_previewed_character_is_asked_to_stop_its_preview(own_gaits: Path):
    rig = baked_person()
    rig.surefoot.preview = True
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match="Switch Preview off"):
        bpy.ops.surefoot.gait_from_action(name="Mine")


def test_an_action_of_another_armature_is_refused(own_gaits: Path):
    from surefoot.addon.gait_from_action import gait_from_action
    from surefoot.addon.refusal import RefusedError

    rig = baked_person()
    with pytest.raises(RefusedError, match="moves no bone of"):
        gait_from_action(rig, bpy.data.actions.new("Empty"), "Mine")


def test_an_armature_without_an_action_is_told_to_import_one(own_gaits: Path):
    bpy.context.view_layer.objects.active = add_person()
    with pytest.raises(RuntimeError, match="no Action to take a gait from"):
        bpy.ops.surefoot.gait_from_action(name="Mine")


# Left and right stance shares of walks lie between these (Perry 1992: 0.62 at a free walk, less the faster).
WALKS = [
    ("mocap_o3de/Walk1.bvh", 1.0, 20, 1.44),
    ("mocap_cmu/cmu_006_01.bvh", 0.01, 1, 1.17),
    ("mocap_cmu/cmu_007_03.bvh", 0.01, 1, 1.19),
    ("mocap_cmu/cmu_12_01_walk.bvh", 0.056444, 1, 0.91),
]


@pytest.mark.parametrize(("file", "scale", "strides", "speed"), WALKS, ids=[row[0] for row in WALKS])
def test_a_captured_walk_has_the_stance_shares_of_a_walk(
    file: str, scale: float, strides: int, speed: float, shared_data: Path, own_gaits: Path
):
    from surefoot.addon.gait_from_action import gait_from_action

    rig, _ = import_clip(shared_data / file, scale)
    curves = (bake := gait_from_action(rig, rig.animation_data.action, "Captured").bake).curves
    assert bake.strides >= strides
    assert curves.speed * curves.leg_length == pytest.approx(speed, rel=0.05)
    for foot in curves.feet:
        assert 0.57 <= foot.duty <= 0.65
    assert curves.feet[0].offset == 0.0
    assert curves.feet[1].offset == pytest.approx(0.5, abs=0.05)


# Loops made by hand: file, Action, phases of front left, front right, hind left, hind right.
LOOPS = [
    ("creatures/quaternius_Wolf.fbx", "WolfArmature|Walking", (0.25, 0.75, 0.0, 0.5)),
    ("creatures/mesh2motion_fox.glb", "Walk", (0.1, 0.7, 0.0, 0.5)),
    ("creatures/mesh2motion_horse.glb", "Walk", (0.22, 0.75, 0.0, 0.45)),
    ("creatures/mesh2motion_horse.glb", "Trot", (0.04, 0.54, 0.0, 0.52)),
]


@pytest.mark.parametrize(("file", "action", "phases"), LOOPS, ids=[f"{row[0]} {row[1]}" for row in LOOPS])
def test_a_loop_made_by_hand_keeps_its_footfall(
    file: str, action: str, phases: tuple[float, ...], shared_data: Path, own_gaits: Path
):
    from surefoot.addon.gait_from_action import gait_from_action

    import_file(shared_data / file)
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    bake = gait_from_action(rig, bpy.data.actions[action], "Loop").bake
    assert bake.looped
    assert bake.on_the_spot
    for foot, phase in zip(bake.curves.feet, phases, strict=True):
        assert abs((foot.offset - phase + 0.5) % 1.0 - 0.5) <= 0.05


def test_the_knee_of_walk1_is_walked_back_onto_its_rig_within_five_degrees(shared_data: Path, own_gaits: Path):
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.gait_from_action import gait_from_action
    from surefoot.addon.setup import setup

    rig, frames = import_clip(shared_data / "mocap_o3de" / "Walk1.bvh")
    real = mean_profile(profiles(sample(rig, frames)), speed=1.44)
    curves = gait_from_action(rig, rig.animation_data.action, "Walk1").bake.curves
    rig.animation_data_clear()
    for bone in rig.pose.bones:
        bone.rotation_mode, bone.location = "QUATERNION", (0.0, 0.0, 0.0)
        bone.rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    add_ground(60.0)
    setup(rig)
    rig.surefoot.gait, rig.surefoot.gait_preset = "PRESET", "WALK1"
    rig.surefoot.speed = curves.speed * curves.leg_length
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 480))
    clip = sample(rig, range(180, 481))
    ours = mean_profile(profiles(clip, contacts_of_clip(clip)))
    assert ours["period"] == pytest.approx(real["period"], rel=0.03)
    for knee in ("knee", "knee_right"):
        assert np.abs(np.array(ours[knee]) - np.array(real[knee])).mean() <= 5.0


def test_a_gait_that_is_taken_anew_is_walked_at_once(own_gaits: Path):
    from surefoot.addon.gait_from_action import gait_from_action

    rig = baked_person()
    action = rig.animation_data.action
    gait_from_action(rig, action, "Mine", frame_start=50, frame_end=120)
    walker = add_person(place=(3.0, 0.0, 0.0))
    bpy.context.view_layer.objects.active = walker
    bpy.ops.surefoot.setup()
    walker.surefoot.gait, walker.surefoot.gait_preset, walker.surefoot.preview = "PRESET", "Mine", True
    bpy.context.scene.frame_set(100)
    before = np.array([bone.matrix for bone in walker.pose.bones])
    # The same Action played faster is another gait.
    bpy.context.scene.render.fps = 30
    gait_from_action(rig, action, "Mine", frame_start=50, frame_end=120)
    bpy.context.scene.render.fps = 24
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(100)
    after = np.array([bone.matrix for bone in walker.pose.bones])
    assert np.abs(after - before).max() > 0.02


def test_a_generated_rigify_rig_can_perform(own_gaits: Path):
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.gait_from_action import gait_from_action
    from surefoot.addon.setup import setup

    add_ground()
    rig = generated_rig("human")
    setup(rig)
    rig.surefoot.speed = 1.3
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 120))
    found = gait_from_action(rig, rig.animation_data.action, "Controls", frame_start=50, frame_end=120).bake
    assert found.strides >= 1
    assert found.curves.speed * found.curves.leg_length == pytest.approx(1.3, rel=0.05)
