"""Bodies shown as objects, drawn, and kept as files."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians
from pathlib import Path

import bpy
import pytest
from mathutils import Vector
from support.drawn_panels import drawn
from support.played_clips import play, walked
from surefoot.addon.add_character import add_character
from surefoot.addon.ground_set import ground_items
from surefoot.addon.panels.ragdoll import SUREFOOT_PT_ragdoll
from surefoot.addon.performers import performers
from surefoot.addon.ragdoll_objects import MARK
from surefoot.addon.ragdoll_overlay import CHOSEN, LIMIT, strokes_of_bodies
from surefoot.addon.ragdoll_plan import plan_of, ragdoll_build
from surefoot.addon.ragdoll_properties import edits_of, set_edit
from surefoot.addon.saved_ragdolls import own_ragdolls_folder, ragdoll_list
from surefoot.core.ragdoll.edits import BodyEdit


@pytest.fixture
def person() -> bpy.types.Object:
    """A person whose bodies are built."""
    obj = add_character(bpy.context, "PERSON", Vector((1.0, 2.0, 0.0)))
    ragdoll_build(obj)
    bpy.context.view_layer.update()
    return obj


@pytest.fixture(autouse=True)
def no_files() -> Iterator[None]:
    """No saved file before or after."""

    def clear() -> None:
        for path in own_ragdolls_folder().glob("*.toml") if own_ragdolls_folder().is_dir() else ():
            path.unlink()

    clear()
    yield
    clear()


def counts() -> dict[str, int]:
    return {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "collections")}


def test_bodies_are_shown_as_objects_on_their_bones_in_one_collection(person):
    assert bpy.ops.surefoot.ragdoll_show_objects() == {"FINISHED"}
    collection = person.surefoot.ragdoll_collection
    plan = plan_of(person)
    assert len(collection.objects) == len(plan.bodies)
    bpy.context.view_layer.update()
    for body in plan.bodies:
        shown = next(item for item in collection.objects if item[MARK] == body.role)
        place = person.matrix_world @ Vector(body.rest.origin)
        assert (shown.matrix_world.translation - place).length < 1e-4
        assert tuple(shown.dimensions) == pytest.approx(body.size, rel=1e-3)


def test_what_is_shown_is_no_skin(person):
    before = plan_of(person)
    bpy.ops.surefoot.ragdoll_show_objects()
    bpy.context.view_layer.update()
    assert ragdoll_build(person) == before


def test_they_follow_the_pose(person):
    bpy.ops.surefoot.ragdoll_show_objects()
    person.pose.bones["upper_arm.L"].rotation_mode = "XYZ"
    person.pose.bones["upper_arm.L"].rotation_euler = (0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    hand = next(i for i in person.surefoot.ragdoll_collection.objects if i[MARK] == "hand.L")
    bone = person.pose.bones["hand.L"]
    assert (hand.matrix_world.translation - person.matrix_world @ bone.center).length < 0.03


def test_they_are_gone_again_without_a_trace(person):
    before = counts()
    bpy.ops.surefoot.ragdoll_show_objects()
    assert counts() != before
    assert bpy.ops.surefoot.ragdoll_hide_objects() == {"FINISHED"}
    assert counts() == before
    assert person.surefoot.ragdoll_collection is None


def test_shown_again_they_are_refreshed_and_not_there_twice(person):
    bpy.ops.surefoot.ragdoll_show_objects()
    first = counts()
    set_edit(person, BodyEdit("head", size=(2.0, 2.0, 2.0)))
    bpy.ops.surefoot.ragdoll_show_objects()
    assert counts() == first


def test_what_somebody_else_put_there_stays(person):
    bpy.ops.surefoot.ragdoll_show_objects()
    lamp = bpy.data.objects.new("Lamp", None)
    person.surefoot.ragdoll_collection.objects.link(lamp)
    bpy.ops.surefoot.ragdoll_hide_objects()
    assert "Lamp" in bpy.context.scene.collection.objects


def test_one_undo_takes_them_back(person):
    before = counts()
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.ragdoll_show_objects()
    bpy.ops.ed.undo_push(message="shown")
    bpy.ops.ed.undo()
    assert counts() == before
    person = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert person.surefoot.ragdoll_collection is None
    assert len(plan_of(person).bodies) == 16


def test_removing_the_character_removes_them(person):
    bpy.ops.surefoot.setup()
    before = counts()
    bpy.ops.surefoot.ragdoll_show_objects()
    bpy.ops.surefoot.remove()
    assert counts() == before


def test_nobody_walks_on_them(person):
    def ground() -> list[int]:
        bpy.context.view_layer.update()
        return [item.owner.session_uid for item in ground_items(bpy.context.evaluated_depsgraph_get())]

    before = ground()
    bpy.ops.surefoot.ragdoll_show_objects()
    assert ground() == before


def test_bodies_and_the_chosen_ones_limits_are_drawn(person):
    person.surefoot.active_ragdoll_body = person.surefoot.ragdoll_bodies.find("thigh.L")
    strokes = strokes_of_bodies(person, bpy.context.scene)
    assert {CHOSEN, LIMIT} <= set(strokes.colours)
    points = [Vector(point) for point in strokes.points]
    assert min(point.z for point in points) > -0.5
    assert abs(sum((point.x for point in points), 0.0) / len(points) - 1.0) < 0.3
    person.surefoot.ragdoll_show_limits = True
    assert strokes_of_bodies(person, bpy.context.scene).colours.count(LIMIT) > strokes.colours.count(LIMIT)


def test_the_panel_lists_the_bodies_and_what_the_chosen_one_can_be_told(person):
    bpy.ops.surefoot.setup()
    person.surefoot.active_ragdoll_body = person.surefoot.ragdoll_bodies.find("shin.L")
    sheet = drawn(SUREFOOT_PT_ragdoll)
    assert {"size", "offset", "mass", "shape", "own_limits", "low", "high", "friction"} <= set(sheet["props"])
    assert "surefoot.ragdoll_build" in sheet["buttons"]
    person.surefoot.ragdoll_bodies.clear()
    assert "size" not in drawn(SUREFOOT_PT_ragdoll)["props"]


def test_changes_are_kept_as_a_file_and_put_on_another_rig(person):
    set_edit(person, BodyEdit("thigh.L", mass=1.5, low=(-0.5, -0.4, -0.3), high=(1.0, 0.2, 0.1)))
    set_edit(person, BodyEdit("spine", off=True))
    assert bpy.ops.surefoot.ragdoll_save(name="My Bodies") == {"FINISHED"}
    other = add_character(bpy.context, "PERSON", Vector((0.0, 0.0, 0.0)))
    assert bpy.ops.surefoot.ragdoll_load(name="My Bodies") == {"FINISHED"}
    saved, loaded = ({edit.role: edit for edit in edits_of(obj)} for obj in (person, other))
    assert loaded.keys() == saved.keys()
    assert loaded["spine"].off
    assert loaded["thigh.L"].high == pytest.approx(saved["thigh.L"].high, abs=1e-5)


def test_what_another_rig_does_not_have_is_said(person):
    set_edit(person, BodyEdit("upper_arm.L", mass=1.5))
    set_edit(person, BodyEdit("head", mass=1.5))
    bpy.ops.surefoot.ragdoll_save(name="arms")
    dog = add_character(bpy.context, "DOG", Vector((0.0, 0.0, 0.0)))
    bpy.ops.surefoot.ragdoll_load(name="arms")
    assert {edit.role for edit in edits_of(dog)} == {"head"}


def test_a_file_that_is_wrong_is_listed_with_the_reason_and_refused(person):
    own_ragdolls_folder().mkdir(parents=True, exist_ok=True)
    (own_ragdolls_folder() / "bad.toml").write_text("version = 1\nbodies = 3\n", encoding="utf-8")
    (listed,) = ragdoll_list()
    assert listed.saved is None
    assert "bad.toml" in listed.problem
    with pytest.raises(RuntimeError, match=r"bad\.toml"):
        bpy.ops.surefoot.ragdoll_load(name="bad.toml")
    assert bpy.ops.surefoot.ragdoll_delete(name="bad") == {"FINISHED"}
    assert ragdoll_list() == ()


def test_nothing_to_keep_and_unknown_files_are_refused(person):
    with pytest.raises(RuntimeError, match="Nothing is changed"):
        bpy.ops.surefoot.ragdoll_save(name="none")
    with pytest.raises(RuntimeError, match="There is no saved file"):
        bpy.ops.surefoot.ragdoll_load(name="none")


def test_the_file_lies_in_the_folder_for_user_files(person):
    set_edit(person, BodyEdit("head", mass=2.0))
    bpy.ops.surefoot.ragdoll_save(name="Heavy Head")
    assert Path(own_ragdolls_folder() / "heavy_head.toml").is_file()


def test_joints_go_as_far_as_the_clip_takes_them_that_is_played():
    rig = walked()
    action = rig.animation_data.action
    play(rig, action, clip_repeat="HOLD")
    bone = rig.pose.bones["chest"]
    bone.rotation_mode = "XYZ"
    rig.surefoot.preview = False
    rig.animation_data.action = action
    bone.rotation_euler = (radians(48.0), 0.0, 0.0)
    bone.keyframe_insert("rotation_euler", frame=10)
    play(rig, action, clip_repeat="HOLD")
    rig.surefoot.limp_body = 1.0
    bpy.context.scene.frame_set(12)
    usual, wide = plan_of(rig), performers.get(rig.session_uid).character.config.ragdoll
    chest = usual.place_of("chest")
    assert usual.bodies[chest].joint.high[0] == pytest.approx(radians(25.0), abs=1e-3)
    assert wide.bodies[chest].joint.high[0] > radians(40.0)
