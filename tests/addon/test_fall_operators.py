"""Hits, limpness, getting up as a person and a script ask for them: what is refused, what the panel says, what goes."""

from __future__ import annotations

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.drawn_panels import drawn
from support.fake_physics import GOES, LIES, FakeEngine, fake_physics
from support.stage import pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.drive import Take, drive, prepare, throw_away
from surefoot.addon.fall_colliders import add_colliders, remove_colliders
from surefoot.addon.fall_pick import picked
from surefoot.addon.fall_wishes import wishes_at
from surefoot.addon.hits import HARD, hit_remove, limp, shove
from surefoot.addon.panels import fall as panel
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.saved_state import curves_of
from surefoot.addon.setup import remove
from surefoot.addon.simulate import finished, simulate_steps
from surefoot.core.control.fall_row import Blow
from surefoot.core.control.intent import Pad

HIT = 12


@pytest.fixture(autouse=True)
def physics(monkeypatch: pytest.MonkeyPatch) -> type[FakeEngine]:
    return fake_physics(monkeypatch)


def person() -> bpy.types.Object:
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.frame_set(HIT)
    return rig


def blocks() -> dict[str, int]:
    return {kind: len(getattr(bpy.data, kind)) for kind in ("objects", "meshes", "collections", "scenes", "actions")}


def said(rig: bpy.types.Object) -> str:
    return drawn(panel.SUREFOOT_PT_fall)["text"]


def world_of_boxes() -> bpy.types.Object:
    """A rigid body world with one box at (5, 0, 1)."""
    bpy.ops.rigidbody.world_add()
    world = bpy.context.scene.rigidbody_world
    world.collection = bpy.data.collections.new("Bodies")
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(5.0, 0.0, 1.0))
    box = bpy.context.object
    world.collection.objects.link(box)
    bpy.context.view_layer.objects.active = bpy.data.objects["Person"]
    bpy.context.view_layer.update()
    return box


def test_a_shove_is_a_hit_at_the_shown_frame_and_one_step_back_takes_it_away():
    rig = person()
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.surefoot.shove("EXEC_DEFAULT", True, strength=2.0) == {"FINISHED"}
    (hit,) = rig.surefoot.hits
    assert (hit.frame, hit.strength, tuple(hit.direction), hit.part) == (HIT, 2.0, (0.0, 1.0, 0.0), "")
    bpy.ops.ed.undo()
    assert len(bpy.data.objects["Person"].surefoot.hits) == 0


def test_a_heading_says_which_way_it_pushes():
    rig = person()
    bpy.ops.surefoot.shove(use_heading=True, heading=pi / 2, part="chest", frame=20)
    hit = rig.surefoot.hits[0]
    assert tuple(hit.direction) == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)
    assert (hit.frame, hit.part) == (20, "chest")


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (lambda rig: shove(rig, (0.0, 0.0, 0.0)), "has no direction"),
        (lambda rig: shove(rig, strength=float("nan")), "that is no number"),
        (lambda rig: shove(rig, frame=-4), "begins at frame 1"),
        (lambda rig: shove(rig, part="wing.L"), "has no body part wing.L. It has pelvis"),
        (lambda rig: limp(rig, parts=("ear",)), "has no body part ear"),
        (lambda rig: hit_remove(rig, 3), "has no hit number 3"),
    ],
)
def test_what_cannot_be_is_refused_with_the_remedy(asked, reason: str):
    rig = person()
    with pytest.raises(RefusedError, match=reason):
        asked(rig)
    assert not rig.surefoot.hits


def test_the_panel_says_what_is_recorded_and_what_not():
    rig = person()
    assert "Nothing hits it." in said(rig)
    shove(rig, frame=HIT)
    bpy.context.scene.frame_set(HIT + GOES + 1)
    assert f"What begins at frame {HIT} is not computed: press Simulate." in said(rig)
    bpy.ops.surefoot.simulate(frame_end=60)
    assert f"Recorded: frames {HIT}-{performers.get(rig.session_uid).fall.runs[0].last}." in said(rig)
    assert "It lies, or falls." in said(rig)
    rig.surefoot.hits[0].strength = 3.0
    bpy.context.scene.frame_set(HIT + GOES + 2)
    assert f"Its fall from frame {HIT} on is not shown: what it goes by has changed. Press Simulate." in said(rig)
    rig.surefoot.hits[0].strength = 1.5
    bpy.context.scene.gravity.z = -2.0
    bpy.context.scene.frame_set(HIT + GOES + 1)
    assert "its numbers, or what is around it, have changed" in said(rig)


def test_where_the_range_ends_in_a_fall_the_panel_says_so():
    rig = person()
    shove(rig, frame=HIT)
    bpy.ops.surefoot.simulate(frame_end=HIT + 4)
    assert f"Its fall goes on after frame {HIT + 4}: press Simulate." in said(rig)


def test_with_a_bake_of_the_rigid_bodies_it_answers_without_physics_and_the_bake_stays(physics: type[FakeEngine]):
    rig = person()
    world_of_boxes()
    scene = bpy.context.scene
    scene.rigidbody_world.point_cache.frame_end = 5
    with bpy.context.temp_override(point_cache=scene.rigidbody_world.point_cache):
        bpy.ops.ptcache.bake(bake=True)
    assert scene.rigidbody_world.point_cache.is_baked
    shove(rig, strength=2.0, frame=HIT)
    bpy.ops.surefoot.simulate(frame_end=40)
    assert physics.opened == 0
    assert rig.surefoot.fall_record == ""
    inputs = performers.get(rig.session_uid).cache.get(HIT).inputs
    assert [(hit.velocity, hit.role) for hit in inputs.hits] == [((0.0, 2.0, 0.0), "")]
    assert "rigid bodies are baked" in said(rig)
    assert scene.rigidbody_world.point_cache.is_baked


def test_a_small_hit_is_left_to_the_core(physics: type[FakeEngine]):
    rig = person()
    shove(rig, strength=0.2, frame=HIT)
    bpy.ops.surefoot.simulate(frame_end=30)
    assert physics.opened == 0
    assert len(performers.get(rig.session_uid).cache.get(HIT).inputs.hits) == 1


def test_with_falls_off_nothing_hits_it(physics: type[FakeEngine]):
    rig = person()
    rig.surefoot.falls = False
    shove(rig, (1.0, 0.0, 0.0), HARD)
    bpy.ops.surefoot.simulate(frame_end=HIT + 10)
    assert physics.opened == 0
    assert performers.get(rig.session_uid).cache.get(HIT + 5).memory.fall is None


def test_bodies_that_push_come_on_request_and_go_without_a_trace():
    rig = person()
    box = world_of_boxes()
    before, kept = blocks(), set(bpy.context.scene.rigidbody_world.collection.objects)
    home = add_colliders(rig)
    assert len(home.objects) >= 14
    assert {body.rigid_body.type for body in home.objects} == {"PASSIVE"}
    assert all(body.rigid_body.kinematic for body in home.objects)
    chest = next(body for body in home.objects if body["surefoot_pushing_body"] == "chest")
    height = chest.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.z
    assert 1.0 < height < 1.6
    count = len(home.objects)
    assert remove_colliders(rig) == count
    assert blocks() == before
    assert set(bpy.context.scene.rigidbody_world.collection.objects) == kept
    assert box.rigid_body.type == "ACTIVE"


def test_they_need_a_rigid_body_world():
    rig = person()
    with pytest.raises(RefusedError, match="no rigid body world"):
        add_colliders(rig)


def test_removed_nothing_of_falling_is_left():
    rig = person()
    world_of_boxes()
    before = blocks()
    shove(rig, frame=HIT)
    limp(rig, 30)
    finished(simulate_steps(rig, 40))
    add_colliders(rig)
    remove(rig)
    settings = rig.surefoot
    assert (len(settings.hits), settings.fall_record, settings.limp_body, settings.fall_colliders) == (0, "", 0.0, None)
    assert {**blocks(), "actions": 0} == {**before, "actions": 0}


def test_an_override_keeps_its_own_record(tmp_path):
    rig = person()
    name = rig.name
    bpy.data.libraries.write(str(tmp_path / "lib.blend"), {rig}, fake_user=True)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "lib.blend"), link=True) as (_, wanted):
        wanted.objects = [name]
    bpy.context.scene.collection.objects.link(bpy.data.objects[name])
    rig = bpy.data.objects[name].override_create(remap_local_usages=True)
    rig.override_library.is_system_override = False
    rig.surefoot.scene, rig.surefoot.preview = bpy.context.scene.name, True
    shove(rig, frame=HIT)
    finished(simulate_steps(rig, 40))
    told = rig.surefoot.fall_record
    assert told
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    rig = next(obj for obj in bpy.data.objects if obj.override_library is not None)
    assert rig.surefoot.fall_record == told
    assert len(rig.surefoot.hits) == 1


def test_who_is_pointed_at_is_told_with_the_part():
    rig = person()
    head = pose_at(rig, HIT)[0][:3, 3]
    eye = Vector((head[0], head[1] - 5.0, 1.3))
    found = picked(bpy.context.scene, eye, Vector((0.0, 1.0, 0.0)))
    assert (found.uid, found.role) == (rig.session_uid, "chest")
    assert 4.5 < found.distance < 5.0
    assert picked(bpy.context.scene, eye, Vector((1.0, 0.0, 0.0))) is None


def test_what_is_behind_a_wall_is_not_met():
    rig = person()
    place = pose_at(rig, HIT)[0][:3, 3]
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(place[0], place[1] - 2.0, 1.0))
    bpy.context.scene.frame_set(HIT)
    eye = Vector((place[0], place[1] - 5.0, 1.3))
    assert picked(bpy.context.scene, eye, Vector((0.0, 1.0, 0.0))) is None


def driven(rig: bpy.types.Object, at: int, frames: int) -> Take:
    """A take with a hard shove after so many frames."""
    prepare(rig, bpy.context.scene)
    bpy.context.scene.frame_set(1)
    take = Take(rig)
    for number in range(frames):
        if number == at:
            take.shove(rig, Vector((0.0, 1.0, 0.0)), HARD, "chest")
        take.step(Pad(0.0, -0.5))
    return take


def test_a_shove_while_driving_is_answered_in_the_take_and_kept(physics: type[FakeEngine]):
    rig = person()
    take = driven(rig, 8, 30)
    shown = {frame: performers.get(rig.session_uid).cache.get(frame).row.copy() for frame in range(1, 32)}
    assert performers.get(rig.session_uid).cache.get(9 + GOES).inputs.fall is not None
    assert take.finish() == 30
    (hit,) = rig.surefoot.hits
    assert (hit.frame, hit.strength, hit.part) == (9, HARD, "chest")
    assert physics.opened == physics.closed == 1
    performers.get(rig.session_uid).cache.clear()
    bpy.context.scene.frame_set(31)
    assert not performers.get(rig.session_uid).fall.is_stale
    assert all(np.array_equal(performers.get(rig.session_uid).cache.get(n).row, row) for n, row in shown.items())


def test_a_take_that_is_thrown_away_takes_its_shoves_along(physics: type[FakeEngine]):
    rig = person()
    before = prepare(rig, bpy.context.scene)
    take = driven(rig, 4, 10)
    throw_away(take, before)
    assert not rig.surefoot.hits
    assert rig.surefoot.fall_record == ""
    assert physics.opened == physics.closed == 1


def test_a_take_begun_again_has_no_shoves():
    rig = person()
    take = driven(rig, 4, 10)
    take.retry()
    assert not rig.surefoot.hits
    take.step(Pad(0.0, -1.0))
    assert take.finish() == 1


def test_driven_without_a_shove_nothing_is_recorded():
    rig = person()
    prepare(rig, bpy.context.scene)
    drive(rig, 5, lambda _: Pad(0.0, -1.0))
    assert rig.surefoot.fall_record == ""


def test_a_bake_of_a_fall_marks_what_happened_if_it_marks_contacts():
    rig = person()
    shove(rig, strength=4.0, frame=HIT)
    baked = bake(rig, BakeOptions(1, 40, markers=True))
    marked = {(m.name, m.frame) for m in bpy.data.actions[baked.action].pose_markers if not m.name.endswith("s")}
    assert {("Hit", HIT + 1), ("Fell", HIT + GOES + 1)} <= marked
    assert ("Stood up", HIT + GOES + LIES + 6) in marked


def settings_of(rig: bpy.types.Object) -> tuple:
    """All that is set and keyed of a character's falling."""
    hits = [(hit.frame, hit.strength, tuple(hit.direction), hit.part) for hit in rig.surefoot.hits]
    animation = rig.animation_data
    action = animation.action if animation is not None else None
    bags = [bag for layer in (action.layers if action else ()) for part in layer.strips for bag in part.channelbags]
    keys = sorted((curve.data_path, len(curve.keyframe_points)) for bag in bags for curve in bag.fcurves)
    return hits, keys, [getattr(rig.surefoot, name) for name in ("limp_body", "get_up", "get_up_style")]


@pytest.mark.parametrize(
    "operator",
    [
        lambda: bpy.ops.surefoot.shove("EXEC_DEFAULT", True, frame=30),
        lambda: bpy.ops.surefoot.limp("EXEC_DEFAULT", True, frame=30, parts={"arms", "head"}),
        lambda: bpy.ops.surefoot.get_up("EXEC_DEFAULT", True, frame=30, style="QUICK"),
        lambda: bpy.ops.surefoot.hit_remove("EXEC_DEFAULT", True, place=0),
        lambda: bpy.ops.surefoot.clear_falls("EXEC_DEFAULT", True),
    ],
    ids=["shove", "limp", "get_up", "hit_remove", "clear_falls"],
)
def test_one_step_back_takes_back_what_an_operator_did(operator):
    rig = person()
    shove(rig, frame=HIT)
    limp(rig, 20, parts=("body",))
    bpy.ops.ed.undo_push(message="before")
    before = settings_of(rig)
    assert operator() == {"FINISHED"}
    after = settings_of(bpy.data.objects["Person"])
    assert after != before
    bpy.ops.ed.undo()
    assert settings_of(bpy.data.objects["Person"]) == before
    bpy.ops.ed.redo()
    assert settings_of(bpy.data.objects["Person"]) == after


def test_a_keyed_strength_counts_as_it_is_at_the_hit_however_it_is_read():
    rig = person()
    shove(rig, frame=HIT)
    limp(rig, 4, over=10)
    for frame, strength in ((HIT - 4, 1.0), (HIT + 4, 3.0)):
        rig.surefoot.hits[0].strength = strength
        rig.keyframe_insert("surefoot.hits[0].strength", frame=frame)
    for curve in curves_of(rig.animation_data.action, rig.animation_data.action_slot):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    scene = bpy.context.scene
    scene.frame_set(HIT)
    wishes = wishes_at(rig, scene, HIT)
    assert wishes.hits == (Blow((0.0, pytest.approx(2.0, abs=1e-6), 0.0)),)
    assert wishes.limp == pytest.approx((0.8,) * 5, abs=1e-6)
    assert wishes == wishes_at(rig, scene, HIT, bpy.context.evaluated_depsgraph_get())
