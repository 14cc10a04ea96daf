"""Settings: made from the core's Config, kept in the file, overridable."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import bpy
import pytest
from support.stage import add_ground, add_person, move_into_collection, pose_at, shown_pose
from surefoot.addon.performers import config_of
from surefoot.addon.preview import failure_of
from surefoot.addon.properties import CONFIG_NAMES, SUREFOOT_PG_settings
from surefoot.addon.refusal import RefusedError
from surefoot.addon.setup import setup
from surefoot.core.character import CharacterConfig
from surefoot.core.control.config import ControlConfig
from surefoot.core.gait.config import GaitConfig

ITEMS = {
    "director": ["AHEAD", "PATH", "TARGET", "MOVER", "ROUTE", "INPUT", "AGENT", "AUTOPILOT"],
    "base": ["GAIT", "CLIP", "RIG"],
    "gait": [
        "AUTO", "WALK", "RUN", "TROT", "PACE", "CANTER", "GALLOP", "BOUND", "PRONK", "TRIPOD", "WAVE", "PRESET",
        "SPRINT", "SNEAK", "MARCH", "LIMP",
    ],  # fmt: skip
    "body": ["POINT", "CAPSULE"],
    "travel": ["AUTO", "ROOT_BONE", "OBJECT", "IN_PLACE"],
}


def properties() -> dict[str, bpy.types.Property]:
    return {prop.identifier: prop for prop in SUREFOOT_PG_settings.bl_rna.properties}


@pytest.mark.parametrize("config", [GaitConfig, ControlConfig])
def test_each_setting_of_the_core_is_a_property_with_its_text_and_range(config: type):
    known = properties()
    for item in fields(config):
        if not item.metadata.get("text"):
            continue
        prop = known[item.name]
        assert prop.description == item.metadata["text"]
        assert prop.default == pytest.approx(item.default)
        if item.metadata["low"] is not None:
            assert prop.soft_min == pytest.approx(item.metadata["low"])
        if item.metadata["high"] is not None:
            assert prop.soft_max == pytest.approx(item.metadata["high"])


def test_a_character_without_changes_has_the_default_config():
    add_ground()
    rig = add_person()
    config = config_of(rig)
    assert config.director == "AHEAD"
    assert config.steps.step_up == pytest.approx(GaitConfig().step_up)
    assert config.control.turn_rate == pytest.approx(ControlConfig().turn_rate)
    assert config.control.leg == CharacterConfig().control.leg


def test_a_property_reaches_the_config_in_the_units_of_the_core():
    add_ground()
    rig = add_person()
    rig.surefoot.turn_rate = 1.25
    rig.surefoot.step_up = 0.2
    rig.surefoot.gait = "RUN"
    config = config_of(rig)
    assert config.control.turn_rate == pytest.approx(1.25)
    assert config.steps.step_up == pytest.approx(0.2)
    assert config.gait == "RUN"


@pytest.mark.parametrize("name", ITEMS)
def test_choices_are_those_of_the_contract(name: str):
    assert [item.identifier for item in properties()[name].enum_items] == ITEMS[name]


def test_the_numbers_of_the_gaits_are_fixed():
    numbers = {item.identifier: item.value for item in properties()["gait"].enum_items}
    assert (numbers["AUTO"], numbers["WALK"], numbers["TROT"], numbers["WAVE"], numbers["PRESET"]) == (0, 1, 4, 11, 12)


def test_every_property_can_be_overridden_and_has_a_tooltip():
    for name, prop in properties().items():
        if name not in {"rna_type", "name"}:
            assert prop.is_overridable, name
            assert prop.description, name


def test_only_the_speed_can_be_keyed():
    animatable = {name for name, prop in properties().items() if prop.is_animatable}
    assert "speed" in animatable
    assert not animatable & set(CONFIG_NAMES)


def test_settings_survive_saving_and_loading(tmp_path: Path):
    add_ground()
    rig = add_person()
    line = rig.surefoot.corrections.add()
    line.role, line.bone = "head", "neck"
    rig.surefoot.speed, rig.surefoot.director, rig.surefoot.frame_start = 2.5, "MOVER", 7
    path = str(tmp_path / "settings.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    settings = bpy.context.scene.objects["Person"].surefoot
    assert (settings.speed, settings.director, settings.frame_start, settings.version) == (2.5, "MOVER", 7, 1)
    assert [(item.role, item.bone) for item in settings.corrections] == [("head", "neck")]
    assert settings.scene == bpy.context.scene.name


@pytest.fixture
def library(tmp_path: Path) -> str:
    """A file with a person in a collection, set up, preview off."""
    add_ground()
    rig = add_person()
    move_into_collection(rig, "Hero")
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    add_ground()
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.collections = ["Hero"]
    bpy.context.scene.collection.children.link(target.collections[0])
    return path


def test_a_linked_rig_is_refused_with_a_remedy(library: str):
    rig = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")
    with pytest.raises(RefusedError, match="library override"):
        setup(rig, bpy.context.scene)


def test_an_overridden_rig_walks_bakes_and_keeps_its_settings(library: str, tmp_path: Path):
    hero = bpy.data.collections["Hero"]
    override = hero.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    rig = next(obj for obj in override.all_objects if obj.type == "ARMATURE")
    assert rig.override_library is not None
    setup(rig, bpy.context.scene)
    rig.surefoot.speed = 0.9
    rig.surefoot.travel = "OBJECT"
    rig.surefoot.preview = True
    shown = pose_at(rig, 30)
    assert not failure_of(rig.session_uid)
    assert shown[0][1, 3] < -0.5
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    rig = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE" and obj.override_library)
    assert rig.surefoot.speed == pytest.approx(0.9)
    assert rig.surefoot.preview
    assert (shown_pose(rig) == shown).all()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.bake(frame_start=1, frame_end=30)
    assert rig.animation_data.action.library is None
    assert abs(pose_at(rig, 30) - shown).max() < 1e-5


def test_what_is_no_number_is_taken_for_the_default():
    add_ground()
    rig = add_person()
    rig.surefoot.step_up = float("nan")
    assert config_of(rig).steps.step_up == pytest.approx(GaitConfig().step_up)
