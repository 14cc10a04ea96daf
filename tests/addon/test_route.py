"""A route in a scene: its spots and their keys are inputs of their frame, and what is shown is what is baked."""

from __future__ import annotations

from math import hypot, pi
from pathlib import Path

import bpy
import numpy as np
import pytest
from support.stage import add_ground, add_person, key, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.route_edit import spot_add, spot_move, spot_remove

LAST = 132


def add_empty(name: str, place: tuple[float, float, float], heading: float = 0.0) -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.location, empty.rotation_euler.z = place, heading
    bpy.context.scene.collection.objects.link(empty)
    return empty


def on_route(body: str = "POINT") -> bpy.types.Object:
    """Two metres ahead, a quarter turn and half a second there; then to its left, as fast as it can."""
    rig = previewed_person()
    rig.surefoot.director, rig.surefoot.body = "ROUTE", body
    spot_add(rig, add_empty("Shop", (0.0, -2.0, 0.0), pi / 2), turns=True, wait=0.5)
    spot_add(rig, place=(1.5, -2.0, 0.0), pace=1.0)
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    return performers.get(rig.session_uid).cache.get(frame).memory


def place_at(rig: bpy.types.Object, frame: int):
    bpy.context.scene.frame_set(frame)
    return memory_at(rig, frame).travel.place


def problems(rig: bpy.types.Object) -> str:
    return " ".join(line.text for line in rig.surefoot.problems)


@pytest.mark.parametrize("body", ["POINT", "CAPSULE"])
def test_it_stands_at_its_spots_as_they_are_turned_and_goes_on(body: str):
    rig = on_route(body)
    places = [place_at(rig, frame) for frame in range(1, LAST + 1)]
    at_shop = [place for place in places if hypot(place.x, place.y + 2.0) < 0.01]
    assert len(at_shop) > 12
    assert min(abs(place.heading - pi / 2) for place in at_shop) < 1e-6
    assert hypot(places[-1].x - 1.5, places[-1].y + 2.0) < 0.01


@pytest.mark.parametrize("body", ["POINT", "CAPSULE"])
def test_a_cold_jump_shows_what_playing_shows(body: str):
    rig = on_route(body)
    key(rig, "surefoot.route[0].wait", {1: 0.5, 40: 2.0})
    played = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, 50, 10, 80):
        assert np.array_equal(pose_at(rig, frame), played[frame])


def test_a_bake_is_what_was_shown():
    rig = on_route()
    shown = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in shown.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_saved_and_loaded_it_walks_the_same(tmp_path: Path):
    rig = on_route()
    shown = pose_at(rig, LAST)
    bpy.context.scene.frame_set(1)
    path = str(tmp_path / "route.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert np.array_equal(pose_at(bpy.context.scene.objects["Person"], LAST), shown)


def test_a_keyed_wait_is_an_input_of_its_frame():
    rig = on_route()
    key(rig, "surefoot.route[0].wait", {1: 0.5, 100: 0.5})
    bpy.context.scene.frame_set(LAST)
    first = memory_at(rig, 1)
    curve = next(c for c in curves(rig) if c.data_path.endswith("wait"))
    curve.keyframe_points[1].co.y = 60.0
    curve.update()
    rig.animation_data.action.update_tag()
    bpy.context.view_layer.update()
    assert place_at(rig, LAST).x == pytest.approx(0.0, abs=0.01)
    assert memory_at(rig, 1) is first


def curves(rig: bpy.types.Object) -> list[bpy.types.FCurve]:
    from surefoot.addon.saved_state import curves_of

    return list(curves_of(rig.animation_data.action, rig.animation_data.action_slot))


def test_a_spot_that_is_animated_is_where_it_is_at_each_frame():
    rig = on_route()
    rig.surefoot.route_loops = False
    spot_remove(rig, 1)
    key(bpy.data.objects["Shop"], "location", {1: -2.0, 60: -2.0, 90: -3.0}, index=1)
    assert place_at(rig, LAST).y == pytest.approx(-3.0, abs=0.01)
    assert place_at(rig, 60).y == pytest.approx(-2.0, abs=0.01)


def test_an_edited_spot_changes_what_is_shown():
    rig = on_route()
    assert place_at(rig, LAST).x == pytest.approx(1.5, abs=0.01)
    rig.surefoot.route[1].place = (0.0, -1.0, 0.0)
    assert place_at(rig, LAST).x == pytest.approx(0.0, abs=0.01)
    bpy.data.objects["Shop"].location.y = -1.5
    bpy.context.view_layer.update()
    rig.surefoot.route[0].wait = 1e3
    assert place_at(rig, LAST).y == pytest.approx(-1.5, abs=0.01)


def test_a_spot_that_hangs_on_something_constrained_is_read_where_it_is():
    rig = on_route()
    lamp = add_empty("Lamp", (0.5, -1.0, 0.0))
    constraint = bpy.data.objects["Shop"].constraints.new("COPY_LOCATION")
    constraint.target = lamp
    key(lamp, "location", {1: -1.0, 200: -1.5}, index=1)
    rig.surefoot.route[0].wait = 1e3
    place = place_at(rig, LAST)
    expected = lamp.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation
    assert hypot(place.x - expected.x, place.y - expected.y) < 0.11
    shown = pose_at(rig, LAST)
    performers.get(rig.session_uid).cache.clear()
    assert np.array_equal(pose_at(rig, LAST), shown)


def test_another_character_can_be_a_spot_and_each_frame_is_the_same_however_it_is_reached():
    rig = on_route()
    other = add_person(place=(3.0, 0.0, 0.0))
    other.surefoot.preview = True
    other.surefoot.speed = 0.5
    rig.surefoot.route[0].target = other
    rig.surefoot.route[0].wait = 1e3
    shown = {frame: pose_at(rig, frame) for frame in (30, LAST)}
    for performer in (performers.get(rig.session_uid), performers.get(other.session_uid)):
        performer.cache.clear()
    for frame in (LAST, 30):
        assert np.array_equal(pose_at(rig, frame), shown[frame])
    there = memory_at(other, LAST).travel.place
    here = memory_at(rig, LAST).travel.place
    assert hypot(here.x - there.x, here.y - there.y) < 1.2


def test_a_spot_whose_object_is_deleted_is_passed_over_and_told():
    rig = on_route()
    bpy.context.scene.frame_set(LAST)
    bpy.data.objects.remove(bpy.data.objects["Shop"])
    bpy.context.view_layer.update()
    assert place_at(rig, LAST).x == pytest.approx(1.5, abs=0.01)
    assert "the object of Shop was deleted" in problems(rig)


def test_a_route_without_spots_is_told_and_no_bake_is_made_of_it():
    rig = previewed_person()
    rig.surefoot.director = "ROUTE"
    assert place_at(rig, 30).y == pytest.approx(0.0, abs=1e-6)
    assert "no route to walk" in problems(rig)
    with pytest.raises(RefusedError, match="no route to walk"):
        bake(rig, BakeOptions(1, 10))


def test_keys_follow_their_spot():
    rig = on_route()
    key(rig, "surefoot.route[1].pace", {1: 1.0, 100: 2.0})
    assert spot_move(rig, 1, 0)
    assert {c.data_path for c in curves(rig)} == {"surefoot.route[0].pace"}
    assert not spot_move(rig, 0, -1)
    spot_remove(rig, 1)
    assert [spot.aim for spot in rig.surefoot.route] == ["PLACE"]
    assert {c.data_path for c in curves(rig)} == {"surefoot.route[0].pace"}
    spot_remove(rig, 0)
    assert curves(rig) == []
    with pytest.raises(RefusedError, match="no spot number 0"):
        spot_remove(rig, 0)


def test_the_operators_add_at_an_object_or_a_place_move_and_remove():
    rig = add_person()
    add_ground()
    add_empty("Mark", (1.0, 2.0, 0.0))
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.surefoot.spot_add(target="Mark") == {"FINISHED"}
    assert bpy.ops.surefoot.spot_add(location=(1.0, 0.0, 0.0)) == {"FINISHED"}
    assert [(spot.name, spot.aim) for spot in rig.surefoot.route] == [("Mark", "OBJECT"), ("Spot 2", "PLACE")]
    assert bpy.ops.surefoot.spot_move(direction="UP") == {"FINISHED"}
    assert [spot.aim for spot in rig.surefoot.route] == ["PLACE", "OBJECT"]
    with pytest.raises(RuntimeError, match="at the end of the route"):
        bpy.ops.surefoot.spot_move(direction="UP")
    assert bpy.ops.surefoot.spot_remove() == {"FINISHED"}
    assert [spot.aim for spot in rig.surefoot.route] == ["OBJECT"]
