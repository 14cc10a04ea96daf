"""The mapping's panel and its buttons: what has which role and why, the pairs with a source, what is saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from support.armatures import BonePlan, build_armature
from support.drawn_panels import drawn
from support.families import families
from support.motions import person
from support.stage import add_person
from surefoot.addon import saved_mappings
from surefoot.addon.mapping_lines import pair_lines, role_lines, set_pair, set_role
from surefoot.addon.mapping_view import Views, pairs_of, roles_of
from surefoot.addon.panels import mapping as panels


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's mappings are in a folder of the test's own."""
    monkeypatch.setattr(saved_mappings, "own_mappings_folder", lambda: tmp_path / "mappings")
    yield tmp_path / "mappings"


def activate(obj: bpy.types.Object) -> bpy.types.Object:
    bpy.context.view_layer.objects.active = obj
    return obj


def skeleton_object(skeleton) -> bpy.types.Object:
    """An armature with the bones of a skeleton."""
    bones = skeleton.bones
    above = [bones[bone.parent].name if bone.parent >= 0 else "" for bone in bones]
    plans = [
        BonePlan(bone.name, parent, tuple(bone.head), tuple(bone.tail))
        for bone, parent in zip(bones, above, strict=True)
    ]
    return build_armature(tuple(plans), name="Skeleton")


def line_of(obj: bpy.types.Object, role: str) -> tuple[tuple[str, ...], str]:
    return next((line.bones, line.why) for line in roles_of(obj).explained.lines if line.role == role)


def test_it_is_there_for_any_armature_and_for_nothing_else():
    activate(person())
    assert panels.SUREFOOT_PT_mapping.poll(bpy.context)
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    activate(empty)
    assert not panels.SUREFOOT_PT_mapping.poll(bpy.context)


def test_each_role_is_a_line_with_its_candidates_and_the_active_bone():
    rig = activate(person())
    shown = drawn(panels.SUREFOOT_PT_mapping)
    roles = [line.role for line in roles_of(rig).explained.lines]
    assert [label for label in shown["labels"] if label in roles] == roles
    assert shown["buttons"].count("surefoot.mapping_candidates") == len(roles)
    assert shown["buttons"].count("surefoot.mapping_take") == len(roles)
    assert "surefoot.mapping_clear" not in shown["buttons"]
    assert "Names: Rigify" in shown["text"]


def test_fingers_are_lines_of_a_panel_of_their_own():
    rig = activate(skeleton_object(families()["Mixamo / Ready Player Me"].skeleton))
    fingers = [line.role for line in roles_of(rig).explained.lines if line.role.startswith("index")]
    assert fingers == ["index.L", "index.R"]
    assert not set(fingers) & set(drawn(panels.SUREFOOT_PT_mapping)["labels"])
    assert set(fingers) < set(drawn(panels.SUREFOOT_PT_mapping_fingers)["labels"])


def test_what_is_by_hand_can_be_cleared():
    rig = activate(person())
    set_role(rig, "neck", "chest")
    assert drawn(panels.SUREFOOT_PT_mapping)["buttons"].count("surefoot.mapping_clear") == 1


def test_without_a_family_it_says_that_shape_was_read():
    rig = activate(person())
    for k, bone in enumerate(rig.data.bones):
        bone.name = f"q{(k * 7) % 91}z"
    assert "read by shape" in drawn(panels.SUREFOOT_PT_mapping)["text"]


def test_a_bone_taken_for_a_role_has_it_by_hand_and_gives_it_back_when_cleared():
    rig = activate(person())
    assert line_of(rig, "hand.L") == (("hand.L",), "NAME")
    assert bpy.ops.surefoot.mapping_take(role="hand.L", bone="forearm.L") == {"FINISHED"}
    assert role_lines(rig) == {"hand.L": "forearm.L"}
    assert bpy.ops.surefoot.mapping_take(role="hand.L", bone="hand.L") == {"FINISHED"}
    assert line_of(rig, "hand.L") == (("hand.L",), "HAND")
    assert bpy.ops.surefoot.mapping_clear(role="hand.L") == {"FINISHED"}
    assert line_of(rig, "hand.L") == (("hand.L",), "NAME")


def test_without_a_name_the_active_bone_is_taken():
    rig = activate(person())
    rig.data.bones.active = rig.data.bones["chest"]
    bpy.ops.surefoot.mapping_take(role="neck")
    assert role_lines(rig) == {"neck": "chest"}


def test_a_bone_of_a_limb_has_one_role_by_hand_and_a_role_one_bone():
    rig = activate(person())
    for role, bone in (("hand.L", "forearm.L"), ("forearm.L", "forearm.L"), ("forearm.L", "upper_arm.L")):
        bpy.ops.surefoot.mapping_take(role=role, bone=bone)
    assert role_lines(rig) == {"forearm.L": "upper_arm.L"}


def test_one_bone_may_be_pelvis_and_body():
    rig = activate(person())
    for role in ("pelvis", "body"):
        bpy.ops.surefoot.mapping_take(role=role, bone="pelvis")
    assert role_lines(rig) == {"pelvis": "pelvis", "body": "pelvis"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"role": "wing.L", "bone": "chest"}, "'wing.L' is no role"),
        ({"role": "neck", "bone": "hat"}, "Mocap has no bone hat"),
        ({"role": "neck"}, "No bone of Mocap is active"),
    ],
)
def test_what_cannot_be_taken_is_said_in_a_sentence(given, told):
    rig = activate(person())
    rig.data.bones.active = None
    with pytest.raises(RuntimeError, match=told):
        bpy.ops.surefoot.mapping_take(**given)
    assert role_lines(rig) == {}


def test_taking_a_bone_is_one_step_of_undo():
    activate(person())
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.mapping_take(role="neck", bone="chest")
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert role_lines(bpy.data.objects["Mocap"]) == {}


def test_what_is_read_is_read_once_until_something_changes():
    rig = activate(person())
    first = roles_of(rig)
    assert roles_of(rig) is first
    set_role(rig, "neck", "chest")
    assert roles_of(rig) is not first


def test_without_a_source_the_pairs_ask_for_one():
    activate(person())
    shown = drawn(panels.SUREFOOT_PT_pairs)
    assert shown["props"] == ["source"]
    assert "Choose an armature as the source" in shown["text"]


def test_pairs_list_what_follows_and_what_stays_with_the_reason():
    source, rig = person("Mocap"), activate(person("Hero"))
    source.data.bones["shoulder.L"].name = "odd"
    rig.surefoot.source = source
    shown = drawn(panels.SUREFOOT_PT_pairs)
    view = pairs_of(rig)
    assert f"{sum(len(line.target) for line in view.matched)} follow, {len(view.stayed)} stay at rest" in shown["text"]
    assert "shoulder.L: the source has no shoulder bone on this side" in shown["text"]
    assert "Lead nothing: odd" in shown["text"]


def test_a_pair_by_hand_is_listed_and_can_be_changed_and_cleared():
    source, rig = person("Mocap"), activate(person("Hero"))
    rig.surefoot.source = source
    bpy.ops.surefoot.pair_take(target="hand.L", source="hand.R")
    bpy.ops.surefoot.pair_take(target="head")
    assert pair_lines(rig) == (("hand.L", "hand.R"), ("head", ""))
    shown = drawn(panels.SUREFOOT_PT_pairs)
    assert shown["props"] == ["source", "source", "source"]
    assert "Mapping used: set by hand." in shown["text"]
    assert {line.bone: line.reason for line in pairs_of(rig).stayed}["head"] == "it was set by hand to stay at rest"
    bpy.ops.surefoot.pair_clear(target="hand.L")
    bpy.ops.surefoot.pair_clear(target="head")
    assert pair_lines(rig) == ()


def test_a_pair_of_a_bone_that_is_not_there_is_refused():
    source, rig = person("Mocap"), activate(person("Hero"))
    rig.surefoot.source = source
    with pytest.raises(RuntimeError, match="Mocap has no bone hat"):
        bpy.ops.surefoot.pair_take(target="head", source="hat")
    with pytest.raises(RuntimeError, match="Hero has no bone hat"):
        bpy.ops.surefoot.pair_take(target="hat", source="head")


def test_the_saved_mapping_that_is_found_is_shown_until_it_is_deleted():
    rig = activate(add_person())
    assert drawn(panels.SUREFOOT_PT_saved_mappings)["buttons"] == [
        "surefoot.mapping_save",
        "SUREFOOT_MT_saved_mappings",
    ]
    set_role(rig, "neck", "chest")
    bpy.ops.surefoot.mapping_save(name="hero")
    shown = drawn(panels.SUREFOOT_PT_saved_mappings)
    assert "Found for this rig: hero" in shown["text"]
    assert shown["buttons"][-1] == "surefoot.mapping_delete"
    bpy.ops.surefoot.mapping_delete(name="hero")
    assert "Found" not in drawn(panels.SUREFOOT_PT_saved_mappings)["text"]


def test_a_characters_panel_says_that_set_up_reads_it_anew():
    rig = activate(add_person())
    assert "surefoot.setup" in drawn(panels.SUREFOOT_PT_mapping)["buttons"]
    bpy.ops.surefoot.mapping_take(role="neck", bone="chest")
    bpy.ops.surefoot.setup()
    assert role_lines(rig) == {"neck": "chest"}


def test_a_rig_that_is_its_own_source_has_no_pairs():
    rig = activate(person())
    set_pair(rig, "head", "nothing")
    rig.surefoot.source = rig
    assert pairs_of(rig) is None
    drawn(panels.SUREFOOT_PT_mapping)


def test_nothing_is_kept_when_the_extension_is_switched_off(extension):
    activate(person())
    drawn(panels.SUREFOOT_PT_mapping)
    assert Views.roles
    extension.unregister()
    assert Views.roles == {}
    extension.register()
