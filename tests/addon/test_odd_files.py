"""Linked, copied, appended, renamed, deleted and undone; hidden and excluded; two scenes, two layers; without us."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.odd_walks import assert_bakes_as_shown, assert_walks, body_of, link, raw_person, walked
from support.stage import add_ground, add_person, original_values, place_of, pose_at, previewed_person, shown_pose
from surefoot.addon import timeline
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.preview import failure_of
from surefoot.addon.refusal import RefusedError
from surefoot.addon.report import report
from surefoot.addon.setup import setup

GONE = 1.4 * 59 / 24 - 0.5 * 1.4 * 1.4 / 2.5
OPERATORS: dict[str, dict[str, Any]] = {
    "setup": {},
    "simulate": {"frame_end": 10},
    "bake": {"frame_start": 1, "frame_end": 10},
    "report": {"frame_start": 1, "frame_end": 10},
    "teleport": {},
    "remove": {},
}


def refusals(rig: bpy.types.Object | None) -> dict[str, str]:
    """What each operator says of a rig, in one line; empty where it worked."""
    bpy.context.view_layer.objects.active = rig
    said = {}
    for name, arguments in OPERATORS.items():
        try:
            getattr(bpy.ops.surefoot, name)(**arguments)
            said[name] = ""
        except RuntimeError as refusal:
            said[name] = str(refusal).strip()
    return said


def into_collection(rig: bpy.types.Object, name: str = "Hero") -> bpy.types.Collection:
    """The rig and its body in a collection of their own."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for obj in (rig, *rig.children):
        collection.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    return collection


def layer_collection(name: str = "Hero") -> bpy.types.LayerCollection:
    return bpy.context.view_layer.layer_collection.children[name]


def saved(tmp_path: Path, name: str) -> str:
    path = str(tmp_path / name)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def empty_shot() -> None:
    """Another file, with ground."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.name = "Shot"
    add_ground()


# linked


def test_every_operator_but_report_refuses_a_linked_rig_in_a_sentence_and_the_file_stays(tmp_path: Path):
    rig = raw_person()
    setup(rig)
    bake(rig, BakeOptions(1, 20))
    into_collection(rig)
    path = saved(tmp_path, "library.blend")
    before = Path(path).read_bytes()
    empty_shot()
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.collections = ["Hero"]
    bpy.context.scene.collection.children.link(target.collections[0])
    rig = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")
    bpy.context.scene.frame_set(12)
    said = refusals(rig)
    assert said.pop("report") == ""
    assert all("linked from another file" in line and "library override" in line for line in said.values())
    assert Path(path).read_bytes() == before
    assert [scene.name for scene in bpy.data.scenes] == ["Shot"]


def test_an_instance_of_a_linked_collection_is_no_armature(tmp_path: Path):
    into_collection(raw_person())
    path = saved(tmp_path, "library.blend")
    empty_shot()
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.collections = ["Hero"]
    instance = link(bpy.data.objects.new("Instance", None))
    instance.instance_type, instance.instance_collection = "COLLECTION", target.collections[0]
    assert all("Instance is no armature" in line for line in refusals(instance).values())


def test_an_own_object_of_linked_armature_data_walks(tmp_path: Path):
    raw_person()
    path = saved(tmp_path, "library.blend")
    empty_shot()
    with bpy.data.libraries.load(path, link=True) as (source, target):
        target.armatures = list(source.armatures)
    rig = link(bpy.data.objects.new("Mine", target.armatures[0]))
    bpy.context.view_layer.update()
    setup(rig)
    assert_walks(rig, metres=GONE)
    assert_bakes_as_shown(rig)


def test_an_appended_character_walks_at_once_and_brings_no_scene_along(tmp_path: Path):
    rig = previewed_person()
    rig.surefoot.speed = 0.9
    shown = pose_at(rig, 30)
    names = [rig.name, *(child.name for child in rig.children)]
    path = saved(tmp_path, "source.blend")
    empty_shot()
    with bpy.data.libraries.load(path, link=False) as (_, target):
        target.objects = names
    for obj in target.objects:
        link(obj)
    rig = target.objects[0]
    assert np.array_equal(pose_at(rig, 30), shown)
    assert [scene.name for scene in bpy.data.scenes] == ["Shot"]


# copies


@pytest.mark.parametrize("linked", [False, True])
def test_a_duplicate_walks_on_its_own_also_when_the_original_is_deleted(linked: bool):
    rig = previewed_person()
    original = pose_at(rig, 20)
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in (rig, *rig.children):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.view_layer.objects.active
    copy.location.x += 5.0
    assert (copy.data == rig.data) == linked
    bpy.context.scene.frame_set(40)
    assert (place_of(copy) - place_of(rig)).to_tuple(5) == (5.0, 0.0, 0.0)
    assert np.array_equal(pose_at(rig, 20), original)
    bpy.data.objects.remove(rig)
    assert_walks(copy, metres=GONE)
    copy.surefoot.speed = 0.7
    assert walked(copy).way.length < 0.6 * GONE


def test_a_duplicate_of_a_baked_rig_bakes_into_an_action_of_its_own():
    rig = previewed_person()
    bake(rig, BakeOptions(1, 40))
    action = rig.animation_data.action
    played = pose_at(rig, 20)
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.duplicate()
    copy = bpy.context.view_layer.objects.active
    copy.surefoot.speed = 0.7
    bake(copy, BakeOptions(1, 40, replace=True))
    assert copy.animation_data.action != action
    assert rig.animation_data.action == action
    assert np.array_equal(pose_at(rig, 20), played)


def test_everything_can_be_renamed_while_it_is_previewed():
    rig = previewed_person()
    shown = pose_at(rig, 20)
    rig.name = 'ヒーロー "1"'
    bpy.data.objects["Ground"].name = "Boden"
    bpy.context.scene.name = "Szene"
    assert np.array_equal(pose_at(rig, 20), shown)
    rig.data.bones["thigh.L"].name = "upper_leg.L"
    assert_walks(rig, metres=GONE)
    assert_bakes_as_shown(rig)
    assert rig.animation_data.action.name == 'ヒーロー "1" Surefoot'


# undo


def test_bake_undone_redone_and_undone_again_shows_the_same_pose():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.ed.undo_push(message="before")
    shown = pose_at(rig, 20)
    bpy.ops.surefoot.bake(frame_start=1, frame_end=30)
    bpy.ops.ed.undo_push(message="baked")
    for step in (bpy.ops.ed.undo, bpy.ops.ed.redo, bpy.ops.ed.undo):
        step()
        assert np.abs(pose_at(bpy.data.objects["Person"], 20) - shown).max() < 1e-6
    assert bpy.data.objects["Person"].surefoot.preview
    assert len(bpy.data.actions) == 0


# hidden, elsewhere, other modes


def test_in_edit_mode_all_say_to_leave_it_and_afterwards_the_walk_goes_on():
    rig = previewed_person()
    bpy.context.scene.frame_set(10)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.frame_set(12)
    assert all("Edit Mode. Leave it first" in line for line in refusals(rig).values())
    bpy.ops.object.mode_set(mode="OBJECT")
    assert_walks(rig, metres=GONE)


def test_while_another_object_is_edited_the_rig_walks_and_bakes():
    rig = raw_person()
    setup(rig)
    bpy.context.view_layer.objects.active = bpy.data.objects["Ground"]
    bpy.ops.object.mode_set(mode="EDIT")
    assert_walks(rig, metres=GONE)
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.translate(value=(0.0, 0.0, 0.5))
    bpy.context.scene.frame_set(20)
    assert body_of(rig).z == pytest.approx(1.43, abs=0.05)
    bake(rig, BakeOptions(1, 20))
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_with_the_eye_closed_everything_works():
    rig = raw_person()
    rig.hide_set(True)
    assert set(refusals(rig).values()) == {""}


def test_in_an_excluded_collection_it_says_so_and_included_again_it_walks():
    rig = previewed_person()
    into_collection(rig)
    bpy.context.scene.frame_set(10)
    layer_collection().exclude = True
    bpy.context.scene.frame_set(20)
    with pytest.raises(RefusedError, match="collection is excluded"):
        bake(rig, BakeOptions(1, 20))
    layer_collection().exclude = False
    assert_walks(rig, metres=GONE)


def test_in_a_collection_disabled_in_viewports_set_up_says_so():
    rig = raw_person()
    into_collection(rig).hide_viewport = True
    said = refusals(rig)
    assert "disabled in viewports" in said["setup"]
    assert rig.surefoot.version == 0


def test_without_an_active_object_all_say_to_select_one():
    raw_person()
    assert all("Select an armature first" in line for line in refusals(None).values())


def test_from_another_scene_it_is_refused_by_name_and_the_owner_s_deletion_hands_it_on():
    rig = previewed_person()
    shown = pose_at(rig, 20)
    other = bpy.data.scenes.new("Other")
    with pytest.raises(RefusedError, match="not in the scene Other"):
        setup(rig, other)
    for obj in (rig, *rig.children, bpy.data.objects["Ground"]):
        other.collection.objects.link(obj)
    other.frame_set(40)
    assert np.array_equal(shown_pose(rig), shown)
    bpy.context.window.scene = other
    bpy.data.scenes.remove(bpy.data.scenes["Scene"])
    assert np.array_equal(pose_at(rig, 20), shown)


def test_a_copied_scene_has_a_character_of_its_own():
    rig = previewed_person()
    shown = pose_at(rig, 30)
    bpy.ops.scene.new(type="FULL_COPY")
    copy = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")
    assert copy != rig
    copy.surefoot.speed = 0.7
    bpy.context.scene.frame_set(30)
    assert -0.9 < place_of(copy).y < -0.5
    bpy.context.window.scene = bpy.data.scenes["Scene"]
    assert np.array_equal(pose_at(rig, 30), shown)


def test_two_view_layers_show_the_same():
    rig = previewed_person()
    other = bpy.context.scene.view_layers.new("Other")
    shown = pose_at(rig, 30)
    other.update()
    seen = rig.evaluated_get(other.depsgraph)
    assert np.array_equal(np.array(seen.matrix_world), shown[0])


# without the extension


def test_a_file_saved_while_previewed_opens_at_rest_without_us_and_goes_on_with_us(
    extension: ModuleType, tmp_path: Path
):
    add_ground()
    rig = add_person()
    rig.pose.bones["head"].rotation_quaternion = (0.9, 0.1, 0.2, 0.0)
    bpy.context.view_layer.update()
    before = original_values(rig)
    rig.surefoot.preview = True
    shown = pose_at(rig, 30)
    path = saved(tmp_path, "shot.blend")
    extension.unregister()
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.context.scene.frame_set(25)
    assert original_values(bpy.data.objects["Person"]) == before
    again = saved(tmp_path, "again.blend")
    bpy.ops.wm.open_mainfile(filepath=again)
    extension.register()
    timeline.on_load_post()
    rig = bpy.data.objects["Person"]
    assert rig.surefoot.preview
    assert np.array_equal(pose_at(rig, 30), shown)


# scripts


def test_the_script_of_the_design_walks_bakes_and_reports_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    rig = raw_person()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.setup()
    rig.surefoot.director = "AHEAD"
    rig.surefoot.speed = 1.4
    rig.surefoot.base = "GAIT"
    rig.surefoot.gait = "AUTO"
    rig.surefoot.body = "POINT"
    rig.surefoot.ground = None
    rig.surefoot.travel = "OBJECT"
    rig.surefoot.preview = True
    bpy.ops.surefoot.bake(frame_start=1, frame_end=120)
    assert not rig.surefoot.preview
    bpy.ops.surefoot.report(filepath="report.json", frame_start=1, frame_end=120)
    assert (tmp_path / "report.json").is_file()
    assert place_of(rig).length > 1.0 or pose_at(rig, 120)[0][1, 3] < -5.0
    assert report(rig, bpy.context.scene, 1, 120)["speed_error"] == pytest.approx(0.0, abs=0.01)
    assert failure_of(rig.session_uid) == ""


@pytest.mark.parametrize(
    ("operator", "arguments", "words"),
    [
        ("bake", {"frame_start": 20, "frame_end": 10}, "lies before the first"),
        ("report", {"frame_start": 20, "frame_end": 10}, "lies before the first"),
        ("report", {"filepath": "/nowhere/x.json", "frame_start": 1, "frame_end": 5}, "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_an_error_with_a_remedy_and_nothing_is_made(operator: str, arguments, words: str):
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match=words):
        getattr(bpy.ops.surefoot, operator)(**arguments)
    assert len(bpy.data.actions) == 0
    assert rig.surefoot.preview
