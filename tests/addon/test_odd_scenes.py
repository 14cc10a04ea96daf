"""Grounds with holes and roofs, curves with nothing in them, things deleted while they are followed."""

from __future__ import annotations

from math import cos, pi, radians, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.odd_walks import (
    add_curve,
    add_empty,
    add_rectangle,
    assert_bakes_as_shown,
    assert_walks,
    body_of,
    reason_of,
    walked,
)
from support.stage import add_ground, add_person, key, place_of, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of
from surefoot.addon.refusal import RefusedError
from surefoot.addon.report import report
from surefoot.addon.setup import teleport

GONE = 1.4 * 59 / 24 - 0.5 * 1.4 * 1.4 / 2.5


def previewed() -> bpy.types.Object:
    """A person in the scene as it is, previewed."""
    rig = add_person()
    rig.surefoot.preview = True
    return rig


def following(path: bpy.types.Object) -> bpy.types.Object:
    rig = previewed_person()
    rig.surefoot.director, rig.surefoot.path = "PATH", path
    return rig


def events_of(rig: bpy.types.Object, frame: int) -> list[str]:
    return [event for event, _ in performers.get(rig.session_uid).cache.get(frame).frame.events]


# ground


def test_without_any_ground_it_walks_on_at_its_height_and_says_so():
    rig = previewed()
    walk = walked(rig)
    assert walk.way.length == pytest.approx(GONE, rel=0.03)
    assert "There is no ground below" in reason_of(rig, 30)


def test_over_a_gap_of_two_centimetres_it_walks_as_on_a_whole_ground():
    for k in range(12):
        add_rectangle((-5.0, 5.0), (1.52 - 0.5 * k, 2.0 - 0.5 * k))
    assert_walks(previewed(), metres=GONE)


def test_no_foot_stands_in_a_hole_and_the_walk_goes_on_behind_it():
    add_rectangle((-5.0, 5.0), (-1.2, 5.0))
    add_rectangle((-5.0, 5.0), (-20.0, -2.0))
    rig = previewed()
    walk = walked(rig)
    assert walk.way.length == pytest.approx(GONE, rel=0.03)
    assert (walk.slide, walk.below) < (0.002, 0.003)
    cache = performers.get(rig.session_uid).cache
    holds = {foot.foothold for number in range(1, 61) for foot in cache.get(number).frame.feet if foot.planted}
    assert holds
    assert all(abs(z) < 0.01 for _, _, z in holds)


@pytest.mark.parametrize("height", [2.2, 1.0])
def test_under_a_roof_it_stays_on_the_floor(height: float):
    add_ground()
    add_rectangle((-20.0, 20.0), (-20.0, 20.0), height)
    rig = previewed()
    assert_walks(rig, metres=GONE)
    assert body_of(rig).z == pytest.approx(0.95, abs=0.1)


def test_through_a_wall_it_walks_on_the_floor():
    add_ground()
    wall = add_rectangle((-5.0, 5.0), (0.0, 3.0))
    wall.matrix_world = Matrix.Translation((0.0, -1.0, 0.0)) @ Matrix.Rotation(radians(90.0), 4, "X")
    assert_walks(previewed(), metres=GONE)


def test_ground_deleted_while_it_is_walked_on_leaves_a_walk_in_the_air_that_says_so():
    rig = previewed_person()
    bpy.context.scene.frame_set(30)
    bpy.data.objects.remove(bpy.data.objects["Ground"])
    bpy.context.scene.frame_set(31)
    assert failure_of(rig.session_uid) == ""
    assert walked(rig).way.length == pytest.approx(GONE, rel=0.03)
    assert "no ground" in reason_of(rig, 31)


def test_slide_is_measured_on_the_ground_that_carries_the_feet():
    ground = add_ground()
    key(ground, "location", {1: 0.0, 60: 1.5}, index=0)
    key(ground, "rotation_euler", {1: 0.0, 60: 1.0}, index=2)
    walk = walked(previewed())
    assert walk.contacts >= 4
    assert walk.slide < 0.0005


def test_a_person_that_stands_still_on_a_floor_that_creeps_slides_as_far_as_the_floor_goes():
    ground = add_ground()
    key(ground, "location", {1: 0.0, 25: 0.1}, index=0)
    rig = add_person()
    key(rig, 'pose.bones["head"].rotation_quaternion', {1: 0.0, 25: 0.1}, index=1)
    assert walked(rig, 1, 25).slide == pytest.approx(0.1, rel=0.01)


# paths


@pytest.mark.parametrize("points", [None, [(1, 1, 0)], [(1, 1, 0), (1, 1, 0), (1, 1, 3)]])
def test_a_curve_without_length_lets_it_stand_and_says_what_it_needs(points):
    rig = following(add_curve(points))
    rig.surefoot.idle_shift = rig.surefoot.breath = 0.0
    walk = walked(rig)
    assert walk.way.length < 0.01
    assert "at least two points that are apart" in reason_of(rig, 30)


def test_without_a_curve_it_stands_and_says_to_choose_one():
    rig = following(None)
    bpy.context.scene.frame_set(30)
    assert "choose a curve" in reason_of(rig, 30)


def test_a_scaled_and_turned_curve_is_walked_where_it_is_seen():
    path = add_curve([(0, 0, 0), (0, -0.5, 0)])
    path.scale, path.rotation_euler = (10.0,) * 3, (0.0, 0.0, pi / 2)
    walk = assert_walks(following(path), metres=GONE)
    assert walk.way.x == pytest.approx(walk.way.length, rel=0.01)
    assert walk.measured["path_error"] < 0.02


def test_a_curve_scaled_to_nothing_lets_it_stand():
    path = add_curve([(0, 0, 0), (0, -5, 0)])
    path.scale = (0.0,) * 3
    rig = following(path)
    rig.surefoot.idle_shift = rig.surefoot.breath = 0.0
    assert walked(rig).way.length < 0.01
    assert "no length" in reason_of(rig, 30)


def test_what_modifiers_make_of_a_curve_is_walked():
    path = add_curve([(0, 0, 0), (0, -9, 0)])
    empty = add_empty("Handle")
    hook = path.modifiers.new("Hook", "HOOK")
    hook.object = empty
    hook.vertex_indices_set([1])
    empty.location = (4.0, 0.0, 0.0)
    walk = walked(following(path))
    assert walk.way.x > 0.8


def test_a_closed_curve_is_walked_round_and_the_prints_are_beside_it_by_no_more_than_three_centimetres():
    path = add_curve([(2.0 * cos(a), 2.0 * sin(a), 0.0) for a in (2.0 * pi * k / 256 for k in range(256))], closed=True)
    rig = following(path)
    rig.surefoot.variation = 0.0
    walk = walked(rig, 30, 260)
    assert walk.slide < 0.0005
    assert walk.measured["path_error"] < 0.03
    assert walk.measured["speed_error"] == pytest.approx(0.0, abs=0.005)


def test_a_report_can_be_held_against_any_curve():
    rig = previewed_person()
    beside = add_curve([(0.5, 5, 0), (0.5, -9, 0)])
    assert report(rig, bpy.context.scene, 1, 60, beside)["path_error"] == pytest.approx(0.5, abs=0.03)
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match="no curve object Nowhere"):
        bpy.ops.surefoot.report(path="Nowhere")


# targets and movers


@pytest.mark.parametrize(("director", "words"), [("TARGET", "no target"), ("PATH", "no path")])
def test_what_is_followed_and_deleted_leaves_a_person_that_stands_and_says_why(director: str, words: str):
    followed = add_empty("Goal", (0.0, -9.0, 0.0)) if director == "TARGET" else add_curve([(0, 0, 0), (0, -9, 0)])
    rig = previewed_person()
    rig.surefoot.director = director
    rig.surefoot.target = rig.surefoot.path = followed
    bpy.context.scene.frame_set(30)
    assert place_of(rig).length > 0.5
    bpy.data.objects.remove(followed)
    bpy.context.scene.frame_set(31)
    bpy.context.scene.frame_set(60)
    assert words in reason_of(rig, 60)
    assert place_of(rig).length < 0.01
    assert failure_of(rig.session_uid) == ""


def test_a_mover_deleted_leaves_the_armature_s_own_animation_wherever_the_preview_had_put_it():
    mover = add_empty("Cart")
    key(mover, "location", {1: 0.0, 60: -3.0}, index=1)
    rig = previewed_person()
    rig.surefoot.director, rig.surefoot.mover = "MOVER", mover
    bpy.context.scene.frame_set(30)
    assert place_of(rig).length > 1.0
    bpy.data.objects.remove(mover)
    bpy.context.scene.frame_set(60)
    assert place_of(rig).length < 0.01


def test_a_mover_that_jumps_takes_the_feet_along_with_an_event():
    mover = add_empty("Cart")
    key(mover, "location", {1: 0.0, 30: -2.0, 31: 5.0, 60: 3.0}, index=1)
    rig = previewed_person()
    rig.surefoot.director, rig.surefoot.mover = "MOVER", mover
    walk = walked(rig, 32, 60)
    assert walk.slide < 0.0005
    assert events_of(rig, 31) == ["JUMP"]
    assert place_of(rig).y == pytest.approx(3.0, abs=0.05)


def test_a_target_that_jumps_is_told_and_no_foot_moves_for_it():
    goal = add_empty("Goal")
    key(goal, "location", {1: -9.0, 30: -9.0, 31: 9.0, 90: 9.0}, index=1)
    rig = previewed_person()
    rig.surefoot.director, rig.surefoot.target = "TARGET", goal
    walk = walked(rig, 1, 90)
    assert walk.slide < 0.0005
    assert "TARGET_JUMP" in events_of(rig, 31)
    assert "JUMP" not in [event for number in range(1, 91) for event in events_of(rig, number)]


def test_a_teleport_puts_the_feet_down_anew_with_an_event():
    rig = previewed_person()
    teleport(rig, 20, (5.0, 5.0, 0.0), 1.0)
    walk = walked(rig, 21, 60)
    assert walk.slide < 0.0005
    assert "JUMP" in events_of(rig, 20)


def test_three_that_follow_each_other_are_refused_by_their_names_and_nothing_is_baked():
    add_ground()
    rigs = [add_person(place=(2.0 * k, 0.0, 0.0)) for k in range(3)]
    for k, rig in enumerate(rigs):
        rig.surefoot.director, rig.surefoot.target = "TARGET", rigs[(k + 1) % 3]
        rig.surefoot.preview = True
    bpy.context.scene.frame_set(20)
    assert {failure_of(rig.session_uid) for rig in rigs} == {
        "Person, Person.001, Person.002 follow each other in a ring. Choose another target or mover for one of them."
    }
    with pytest.raises(RefusedError, match="Person.002 follow each other"):
        bake(rigs[0], BakeOptions(1, 20))
    assert all(rig.animation_data is None for rig in rigs)


def test_a_target_that_hangs_on_the_character_is_the_same_however_a_frame_is_reached():
    rig = previewed_person()
    carrot = add_empty("Carrot", (0.0, -3.0, 0.0))
    carrot.parent = rig
    rig.surefoot.director, rig.surefoot.target = "TARGET", carrot
    played = [pose_at(rig, number) for number in range(1, 31)][-1]
    performers.clear()
    bpy.context.scene.frame_set(1)
    assert np.array_equal(pose_at(rig, 30), played)
    assert_bakes_as_shown(rig)


@pytest.mark.parametrize("size", [2.0, 4.0])
def test_inside_the_cube_of_blender_s_new_file_it_stays_at_its_height(size: float):
    bpy.ops.mesh.primitive_cube_add(size=size)
    rig = previewed()
    assert place_of(rig).z == 0.0
    bpy.context.scene.frame_set(30)
    assert place_of(rig).z == 0.0
    assert "no ground" in reason_of(rig, 30)


def test_inside_a_cube_it_is_put_down_on_the_ground_below_the_cube():
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    add_ground().location.z = -2.0
    assert place_of(previewed()).z == pytest.approx(-2.0, abs=1e-6)


def test_in_a_room_made_of_a_cube_it_stands_on_the_room_s_floor():
    """A room's faces look outwards, and its floor is within a step of the feet."""
    bpy.ops.mesh.primitive_cube_add(size=10.0, location=(0.0, 0.0, 4.8))
    rig = previewed()
    assert place_of(rig).z == pytest.approx(-0.2, abs=1e-6)
    assert reason_of(rig, 1) == ""


def test_on_a_plane_that_is_turned_over_it_stands():
    ground = add_ground()
    ground.location.z, ground.rotation_euler.x = -2.0, pi
    assert place_of(previewed()).z == pytest.approx(-2.0, abs=1e-6)
