"""Mappings that a user keeps: saved, found again for the same bones or family, put on rigs, and said when used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix
from support.extension import as_extension
from support.file_contents import contents, differences
from support.live import follower, walker
from support.motions import person, swing
from support.stage import add_ground, add_person
from surefoot.addon import saved_mappings
from surefoot.addon.mapping_lines import pair_lines, role_lines, set_pair, set_role
from surefoot.addon.refusal import RefusedError
from surefoot.addon.saved_mappings import (
    corrections_of,
    found_for,
    found_for_pair,
    mapping_delete,
    mapping_list,
    mapping_load,
    mapping_save,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's mappings are in a folder of the test's own."""
    monkeypatch.setattr(saved_mappings, "own_mappings_folder", lambda: tmp_path / "mappings")
    yield tmp_path / "mappings"


def renamed(rig: bpy.types.Object, prefix: str) -> bpy.types.Object:
    for bone in rig.data.bones:
        bone.name = f"{prefix}{bone.name}"
    return rig


def test_a_mapping_comes_back_as_it_was_saved(folder: Path):
    rig = person()
    set_role(rig, "hand.L", "forearm.L")
    set_role(rig, "neck", "chest")
    assert mapping_save(rig, "My Hero") == folder / "my_hero.toml"
    rig.surefoot.corrections.clear()
    loaded = mapping_load(rig, "My Hero")
    assert role_lines(rig) == {"hand.L": "forearm.L", "neck": "chest"}
    assert (loaded.name, loaded.roles, loaded.pairs, loaded.missing) == ("My Hero", 2, 0, ())


def test_a_rig_of_the_same_bones_is_read_with_it_without_being_changed():
    first, other = person("One"), person("Two")
    set_role(first, "hand.L", "forearm.L")
    mapping_save(first, "hero")
    assert found_for(other).name == "hero"
    assert corrections_of(other) == {"hand.L": "forearm.L"}
    assert role_lines(other) == {}


def test_lines_of_its_own_go_before_what_is_saved():
    first, other = person("One"), person("Two")
    set_role(first, "hand.L", "forearm.L")
    mapping_save(first, "hero")
    set_role(other, "neck", "chest")
    assert corrections_of(other) == {"neck": "chest"}


def test_a_rig_of_other_bones_is_not_read_with_it_but_by_family_it_is():
    first, other = person("One"), renamed(person("Two"), "Hero_")
    set_role(first, "hand.L", "forearm.L")
    mapping_save(first, "exact")
    assert found_for(other) is None
    mapping_save(first, "family", find_by="CONVENTION")
    assert found_for(other).name == "family"
    assert corrections_of(other) == {"hand.L": "Hero_forearm.L"}
    assert found_for(first).name == "exact"


def test_a_new_character_gets_its_lines_from_the_mapping_that_is_found_and_set_up_says_so():
    from surefoot.addon.setup import setup

    first, other = person("One"), person("Two")
    set_role(first, "neck", "chest")
    mapping_save(first, "hero")
    bpy.context.view_layer.objects.active = other
    result = setup(other)
    assert result.mapping == "hero"
    assert role_lines(other) == {"neck": "chest"}
    other.surefoot.corrections.clear()
    assert setup(other).mapping == ""
    assert role_lines(other) == {}


def test_a_pair_is_kept_with_its_source_and_found_for_both_together_only():
    target, source = person("Hero"), person("Mocap")
    third = renamed(person("Third"), "x_")
    target.surefoot.source = source
    set_pair(target, "hand.L", "")
    set_pair(target, "head", "chest")
    mapping_save(target, "duo", source)
    target.surefoot.pairs.clear()
    found = found_for_pair(target, source)
    assert (found.name, found.pairs) == ("duo", (("hand.L", ""), ("head", "chest")))
    assert found_for_pair(target, third) is None
    assert found_for(target) is None


def test_loading_a_pair_puts_pairs_on_the_target_and_roles_on_both():
    target, source = person("Hero"), person("Mocap")
    set_role(target, "neck", "chest")
    set_role(source, "hand.R", "forearm.R")
    set_pair(target, "hand.L", "")
    mapping_save(target, "duo", source)
    for obj in (target, source):
        obj.surefoot.corrections.clear()
    target.surefoot.pairs.clear()
    loaded = mapping_load(target, "duo", source)
    assert (role_lines(target), role_lines(source)) == ({"neck": "chest"}, {"hand.R": "forearm.R"})
    assert pair_lines(target) == (("hand.L", ""),)
    assert target.surefoot.source == source
    assert (loaded.roles, loaded.pairs) == (1, 1)


def test_a_retarget_is_done_with_the_saved_pairs_and_says_which_mapping_it_used():
    from surefoot.addon.retarget import retarget

    source, target = swing(person("Mocap")), person("Hero")
    set_pair(target, "upper_arm.R", "")
    mapping_save(target, "stiff arm", source)
    target.surefoot.pairs.clear()
    result = retarget(source, target)
    assert "Mapping used: stiff arm." in result.notes
    assert [line.reason for line in result.stayed if line.bone == "upper_arm.R"] == [
        "it was set by hand to stay at rest"
    ]
    bpy.context.scene.frame_set(21)
    moved = target.pose.bones["upper_arm.R"].matrix_basis
    assert max(abs(moved[i][j] - Matrix()[i][j]) for i in range(4) for j in range(4)) < 1e-5


def test_pairs_that_are_set_now_go_before_saved_ones_and_are_said_to_be_by_hand():
    from surefoot.addon.retarget import retarget

    source, target = swing(person("Mocap")), person("Hero")
    target.surefoot.source = source
    set_pair(target, "upper_arm.R", "")
    mapping_save(target, "stiff arm", source)
    target.surefoot.pairs.clear()
    set_pair(target, "hand.L", "hand.R")
    result = retarget(source, target)
    assert "Mapping used: set by hand." in result.notes
    assert [line.source for line in result.matched if line.how == "HAND"] == [("hand.R",)]


def test_a_retarget_without_a_mapping_says_nothing_of_one():
    from surefoot.addon.retarget import retarget

    assert not any("Mapping" in note for note in retarget(swing(person("Mocap")), person("Hero")).notes)


def test_no_bone_is_renamed_whatever_names_are_there_already():
    rig = person()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("Root", "Root.001", "ROOT"):
        bone = rig.data.edit_bones.new(name)
        bone.tail = (0.0, 0.0, 0.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    names = [bone.name for bone in rig.data.bones]
    set_role(rig, "root", "Root.001")
    mapping_save(rig, "roots")
    rig.surefoot.corrections.clear()
    mapping_load(rig, "roots")
    assert [bone.name for bone in rig.data.bones] == names
    assert role_lines(rig) == {"root": "Root.001"}


@pytest.mark.parametrize("name", ['arm "big".L', "c:\\hand", "leg[0]", "手💥"])
def test_bones_of_odd_names_are_found_again(name: str):
    rig = person()
    rig.data.bones["hand.L"].name = name
    set_role(rig, "hand.L", name)
    mapping_save(rig, "odd")
    rig.surefoot.corrections.clear()
    mapping_load(rig, "odd")
    assert role_lines(rig) == {"hand.L": name}


def test_saving_and_loading_change_nothing_else_in_the_file():
    rig, source = person("Hero"), person("Mocap")
    set_role(rig, "neck", "chest")
    before = contents()
    mapping_save(rig, "hero")
    found_for(rig)
    corrections_of(source)
    assert differences(before, contents()) == []


def test_a_broken_file_is_listed_with_the_reason_and_stops_nothing(folder: Path):
    rig = person()
    set_role(rig, "neck", "chest")
    mapping_save(rig, "good")
    (folder / "bad.toml").write_text("version = 9\n", encoding="utf-8")
    (folder / "worse.toml").write_bytes(b"\xff\xfe")
    listed = {item.path.name: (item.mapping is not None, item.problem) for item in mapping_list()}
    assert listed["good.toml"] == (True, "")
    assert "bad.toml: version 9 is not known" in listed["bad.toml"][1]
    assert "worse.toml is no valid TOML" in listed["worse.toml"][1]
    assert found_for(rig).name == "good"


def test_without_a_folder_there_are_no_mappings(folder: Path):
    assert not folder.exists()
    assert mapping_list() == ()
    assert found_for(person()) is None


def test_a_mapping_that_is_deleted_is_found_no_more(folder: Path):
    rig = person()
    set_role(rig, "neck", "chest")
    mapping_save(rig, "hero")
    assert mapping_delete("hero") == folder / "hero.toml"
    assert found_for(rig) is None
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (lambda rig: mapping_save(rig, "hero"), "nothing is set by hand"),
        (lambda rig: (set_role(rig, "neck", "chest"), mapping_save(rig, " -- ")), "needs a name"),
        (lambda rig: (set_role(rig, "neck", "chest"), mapping_save(rig, "x" * 101)), "too long"),
        (lambda rig: (set_role(rig, "wing", "chest"), mapping_save(rig, "hero")), "'wing' is no role"),
        (lambda rig: mapping_load(rig, "hero"), "There is no saved mapping 'hero'. There are: none."),
        (lambda _rig: mapping_delete("hero"), "There is no saved mapping 'hero'"),
        (lambda _rig: mapping_save(bpy.data.objects.new("E", None), "hero"), "E is no armature"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_file(what, told: str, folder: Path):
    with pytest.raises(RefusedError) as refused:
        what(person())
    assert told in str(refused.value)
    assert not folder.exists() or list(folder.iterdir()) == []


def test_a_rig_of_no_known_family_is_not_kept_by_family():
    rig = person()
    for k, bone in enumerate(rig.data.bones):
        bone.name = f"b{k}x"
    set_role(rig, "neck", "b3x")
    with pytest.raises(RefusedError, match="of no known family"):
        mapping_save(rig, "hero", find_by="CONVENTION")


def test_a_pair_is_not_put_on_a_rig_without_a_source():
    target, source = person("Hero"), person("Mocap")
    set_pair(target, "hand.L", "")
    mapping_save(target, "duo", source)
    with pytest.raises(RefusedError, match="duo is of a pair. Give Hero a source first."):
        mapping_load(target, "duo")


def test_the_operators_save_load_and_delete(folder: Path):
    rig = add_person()
    bpy.context.view_layer.objects.active = rig
    set_role(rig, "neck", "chest")
    assert bpy.ops.surefoot.mapping_save(name="hero") == {"FINISHED"}
    rig.surefoot.corrections.clear()
    assert bpy.ops.surefoot.mapping_load(name="hero") == {"FINISHED"}
    assert role_lines(rig) == {"neck": "chest"}
    assert bpy.ops.surefoot.mapping_delete(name="hero") == {"FINISHED"}
    with pytest.raises(RuntimeError, match="There is no saved mapping 'hero'"):
        bpy.ops.surefoot.mapping_load(name="hero")
    assert list(folder.iterdir()) == []


def test_the_folder_is_the_extensions_own_for_user_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.undo()
    monkeypatch.setattr(bpy.utils, "extension_path_user", lambda package, path: str(tmp_path / package / path))
    assert as_extension().ADDON_ID in str(saved_mappings.own_mappings_folder())
    assert saved_mappings.own_mappings_folder().name == "mappings"


def test_a_rig_that_follows_live_does_so_with_the_pairs_set_on_it_and_without_them_again():
    add_ground()
    rig = follower(walker())

    def upper_arm() -> float:
        bpy.context.scene.frame_set(1)
        bpy.context.scene.frame_set(9)
        return rig.pose.bones["upper_arm.L"].matrix_basis.to_quaternion().angle

    moved = upper_arm()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.pair_take(target="upper_arm.L")
    still = upper_arm()
    bpy.ops.surefoot.pair_clear(target="upper_arm.L")
    assert moved > 0.01
    assert still < 1e-4
    assert upper_arm() == moved
