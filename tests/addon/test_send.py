"""Sent somewhere from a frame on: what was before stays to the bit, what comes is keyed, shown and baked alike."""

from __future__ import annotations

from math import cos, hypot, pi
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.operators.send import chosen
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.route_edit import spot_add
from surefoot.addon.send import face, follow_director, gait_of_level, ground_under, send, stop_walk, walk_to
from surefoot.core.character import Character

SENT, LAST = 40, 140


def go_to(frame: int) -> None:
    bpy.context.scene.frame_set(frame)


def memory_at(rig: bpy.types.Object, frame: int):
    return performers.get(rig.session_uid).cache.get(frame).memory


def place_at(rig: bpy.types.Object, frame: int):
    go_to(frame)
    return memory_at(rig, frame).travel.place


def person(director: str = "AHEAD") -> bpy.types.Object:
    rig = previewed_person()
    rig.surefoot.director = director
    if director == "TARGET":
        target = bpy.data.objects.new("Far", None)
        target.location = (0.0, -15.0, 0.0)
        bpy.context.scene.collection.objects.link(target)
        rig.surefoot.target = target
    if director == "ROUTE":
        spot_add(rig, place=(0.0, -15.0, 0.0))
    if director == "INPUT":
        rig.surefoot.input_y = -1.0
    return rig


@pytest.mark.parametrize("director", ["AHEAD", "TARGET", "ROUTE", "INPUT"])
@pytest.mark.parametrize("body", ["POINT", "CAPSULE"])
def test_it_goes_there_and_what_was_before_stays_to_the_bit(director: str, body: str):
    rig = person(director)
    rig.surefoot.body = body
    before = [pose_at(rig, frame) for frame in range(1, SENT)]
    go_to(SENT)
    walk_to(rig, (1.0, -3.0, 0.0))
    end = place_at(rig, LAST)
    assert hypot(end.x - 1.0, end.y + 3.0) < 0.01
    for frame, pose in enumerate(before, 1):
        assert np.array_equal(pose_at(rig, frame), pose), frame


def test_sent_again_and_again_each_order_holds_until_the_next():
    rig = person()
    for frame, place in ((20, (0.0, -3.0, 0.0)), (100, (2.0, -3.0, 0.0)), (200, (2.0, -1.0, 0.0))):
        go_to(frame)
        walk_to(rig, place)
    assert len(bpy.data.actions) == 2
    for frame, (x, y) in ((99, (0.0, -3.0)), (199, (2.0, -3.0)), (300, (2.0, -1.0))):
        place = place_at(rig, frame)
        assert hypot(place.x - x, place.y - y) < 0.01


def test_a_cold_jump_and_a_second_run_show_what_playing_shows():
    rig = person()
    go_to(SENT)
    walk_to(rig, (1.0, -3.0, 0.0), heading=pi / 2)
    played = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    for order in ((LAST, 50, 10, 80), (39, 40, 41, LAST)):
        performers.get(rig.session_uid).cache.clear()
        for frame in order:
            assert np.array_equal(pose_at(rig, frame), played[frame]), frame


def test_a_bake_is_what_was_shown():
    rig = person()
    go_to(SENT)
    walk_to(rig, (1.0, -3.0, 0.0), heading=pi / 2, gait="RUN")
    shown = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in shown.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_saved_and_loaded_it_goes_the_same_way(tmp_path: Path):
    rig = person()
    go_to(SENT)
    walk_to(rig, (1.0, -3.0, 0.0))
    shown = pose_at(rig, LAST)
    go_to(1)
    path = str(tmp_path / "sent.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert np.array_equal(pose_at(bpy.context.scene.objects["Person"], LAST), shown)


def test_it_goes_to_where_an_object_or_a_character_is():
    rig = person()
    other = add_person(place=(4.0, 0.0, 0.0))
    other.surefoot.speed = 0.0
    other.surefoot.preview = True
    go_to(SENT)
    walk_to(rig, other)
    end = place_at(rig, 250)
    assert hypot(end.x - 4.0, end.y) < 0.01


def test_it_turns_to_a_heading_a_place_or_an_object_where_it_stands():
    rig = person()
    rig.surefoot.speed = 1.0
    mark = bpy.data.objects.new("Mark", None)
    mark.location = (0.0, 30.0, 0.0)
    bpy.context.scene.collection.objects.link(mark)
    go_to(SENT)
    stop_walk(rig)
    there = place_at(rig, 80)
    for frame, to, heading in ((80, pi / 2, pi / 2), (130, (there.x - 5.0, there.y, 0.0), -pi / 2), (200, mark, pi)):
        go_to(frame)
        face(rig, to)
        place = place_at(rig, frame + 50)
        assert cos(place.heading - heading) == pytest.approx(1.0, abs=1e-6)
        assert hypot(place.x - there.x, place.y - there.y) < 0.01


def test_it_stops_within_its_braking_way_and_never_steps_back():
    rig = person()
    go_to(SENT)
    at, speed = memory_at(rig, SENT).travel.place, 1.4
    stop_walk(rig)
    ys = [place_at(rig, frame).y for frame in range(SENT, 90)]
    braking = speed * speed / (2.0 * performers.get(rig.session_uid).character.control.deceleration)
    assert at.y - ys[-1] == pytest.approx(braking, abs=0.06)
    assert all(after <= before + 1e-6 for before, after in zip(ys, ys[1:], strict=False))
    assert hypot(*memory_at(rig, 89).travel.velocity) == 0.0


def test_afterwards_the_director_can_go_on():
    rig = person()
    go_to(SENT)
    walk_to(rig, (0.0, -4.0, 0.0), heading=pi / 2)
    go_to(150)
    follow_director(rig)
    place = place_at(rig, 200)
    assert place.x > 1.5
    assert place.y == pytest.approx(-4.0, abs=0.05)


def test_several_are_sent_with_room_for_each():
    rigs = [previewed_person(), *(add_person(place=(float(k), 0.0, 0.0)) for k in (1, 2))]
    for rig in rigs:
        rig.surefoot.preview = True
    go_to(10)
    goals = send(rigs, (1.0, -5.0, 0.0), gait=1)
    places = [place_at(rig, 170) for rig in rigs]
    middle = [sum(place[k] for place in places) / 3.0 for k in (0, 1)]
    assert middle == pytest.approx([1.0, -5.0], abs=0.01)
    apart = [hypot(a.x - b.x, a.y - b.y) for a in places for b in places if a is not b]
    assert min(apart) > 0.9
    assert len({goal.name for goal in goals}) == 3
    assert [rig.surefoot.gait for rig in rigs] == ["WALK"] * 3


def test_levels_of_gaits_fit_the_legs():
    rig = person()
    go_to(2)
    assert [gait_of_level(rig, level) for level in range(4)] == ["AUTO", "WALK", "RUN", "SPRINT"]
    dog = add_person("DOG", (3.0, 0.0, 0.0))
    dog.surefoot.preview = True
    go_to(3)
    assert [gait_of_level(dog, level) for level in range(4)] == ["AUTO", "WALK", "TROT", "GALLOP"]


def test_a_gait_is_keyed_from_there_on():
    rig = person()
    go_to(SENT)
    walk_to(rig, (0.0, -20.0, 0.0), gait="RUN")
    go_to(1)
    assert rig.surefoot.gait == "AUTO"
    go_to(SENT)
    assert rig.surefoot.gait == "RUN"


def test_a_deleted_goal_is_told_and_the_director_leads():
    rig = person()
    go_to(SENT)
    goal = walk_to(rig, (0.0, -1.0, 0.0))
    go_to(LAST)
    bpy.data.objects.remove(goal)
    bpy.context.view_layer.update()
    assert place_at(rig, LAST).y < -6.0
    assert "sent to a goal that is gone" in " ".join(line.text for line in rig.surefoot.problems)


def test_who_is_not_shown_cannot_be_stopped():
    rig = add_person()
    add_ground()
    with pytest.raises(RefusedError, match="not known at frame"):
        stop_walk(rig)


def test_a_ray_meets_the_ground_and_no_wall_and_no_character():
    rig = person()
    down = Vector((0.0, 0.0, -1.0))
    assert tuple(ground_under(rig, Vector((0.0, 0.0, 5.0)), down)) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert ground_under(rig, Vector((0.0, 0.0, 5.0)), -down) is None
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(0.0, -5.0, 1.0))
    bpy.context.view_layer.update()
    go_to(2)
    ahead = Vector((0.0, -1.0, 0.0))
    assert ground_under(rig, Vector((0.0, 0.0, 1.0)), ahead) is None
    rig.surefoot.surfaces = "WALLS"
    assert ground_under(rig, Vector((0.0, 0.0, 1.0)), ahead).y == pytest.approx(-4.0)


def test_the_operators_do_it_without_a_window():
    rig = person()
    bpy.context.view_layer.objects.active = rig
    go_to(SENT)
    assert chosen(bpy.context) == [rig]
    with pytest.raises(RuntimeError, match="give it a location"):
        bpy.ops.surefoot.send()
    assert bpy.ops.surefoot.send(location=(0.5, -4.0, 0.0)) == {"FINISHED"}
    assert place_at(rig, LAST)[:2] == pytest.approx((0.5, -4.0), abs=0.01)
    assert bpy.ops.surefoot.face(heading=0.0) == {"FINISHED"}
    assert place_at(rig, 200).heading == pytest.approx(0.0, abs=1e-6)
    assert bpy.ops.surefoot.walk_to(location=(0.5, -6.0, 0.0), turns=True, heading=pi) == {"FINISHED"}
    assert place_at(rig, 300)[:2] == pytest.approx((0.5, -6.0), abs=0.01)
    assert bpy.ops.surefoot.follow_director() == {"FINISHED"}
    assert place_at(rig, 330).y > -5.5
    assert bpy.ops.surefoot.stop_walk() == {"FINISHED"}
    assert hypot(*memory_at(rig, 330).travel.velocity) >= 0.0
    place_at(rig, 370)
    assert hypot(*memory_at(rig, 370).travel.velocity) == 0.0


def test_one_undo_takes_an_order_back():
    rig = person()
    bpy.context.view_layer.objects.active = rig
    go_to(SENT)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.send(location=(0.5, -4.0, 0.0))
    bpy.ops.ed.undo_push(message="sent")
    shown = place_at(bpy.data.objects["Person"], LAST)
    bpy.ops.ed.undo()
    rig = bpy.data.objects["Person"]
    assert rig.surefoot.goal is None
    assert rig.surefoot.sent == "NO"
    assert place_at(rig, LAST).y < shown.y - 2.0


def test_an_order_is_no_motion_beside_the_walk():
    from surefoot.addon.action_aside import moved_beside

    rig = person()
    go_to(SENT)
    walk_to(rig, (0.0, -4.0, 0.0), gait="RUN")
    go_to(LAST)
    assert moved_beside(rig) is None


def test_switching_the_preview_off_and_on_keeps_the_orders():
    rig = person()
    go_to(SENT)
    walk_to(rig, (1.0, -3.0, 0.0))
    shown = pose_at(rig, LAST)
    rig.surefoot.preview = False
    go_to(1)
    rig.surefoot.preview = True
    assert np.array_equal(pose_at(rig, LAST), shown)


@pytest.mark.parametrize("fps", [24, 30, 60])
def test_it_arrives_at_every_frame_rate(fps: int):
    rig = person()
    bpy.context.scene.render.fps = fps
    go_to(fps)
    walk_to(rig, (1.0, -3.0, 0.0), heading=-pi / 2)
    place = place_at(rig, 7 * fps)
    assert hypot(place.x - 1.0, place.y + 3.0) < 0.01
    assert place.heading == pytest.approx(-pi / 2, abs=1e-6)


def test_a_spider_on_walls_is_sent_too():
    rig = previewed_person(preset="SPIDER")
    rig.surefoot.surfaces, rig.surefoot.speed = "WALLS", 0.4
    go_to(10)
    walk_to(rig, (0.5, -1.0, 0.0))
    go_to(200)
    ground = performers.get(rig.session_uid).cache.get(200).frame.ground
    assert hypot(ground.x - 0.5, ground.y + 1.0) < 0.02


def test_a_clip_that_its_director_leads_is_sent_and_one_that_carries_it_is_not():
    rig = person()
    go_to(SENT)
    walk_to(rig, (1.0, -3.0, 0.0))
    action = bpy.data.actions[bake(rig, BakeOptions(1, 30)).action]
    rig.animation_data.action = None
    rig.surefoot.goal.animation_data_clear()
    rig.surefoot.base, rig.surefoot.clip, rig.surefoot.sent = "CLIP", action, "GO"
    rig.surefoot.clip_travel = "CLIP"
    rig.surefoot.preview = True
    go_to(20)
    assert memory_at(rig, 20).clip is not None
    assert performers.get(rig.session_uid).cache.get(20).inputs.goal is None
    rig.surefoot.clip_travel = "DIRECTOR"
    go_to(LAST)
    place = memory_at(rig, LAST).travel.place
    assert hypot(place.x - 1.0, place.y + 3.0) < 0.01


def test_where_ground_moves_a_second_order_is_computed_from_its_frame_on(monkeypatch: pytest.MonkeyPatch):
    rig = person()
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(20.0, 0.0, 0.0))
    for frame in (1, 100):
        bpy.context.object.location.z = 0.01 * frame
        bpy.context.object.keyframe_insert("location", frame=frame)
    go_to(10)
    walk_to(rig, (0.0, -3.0, 0.0))
    go_to(50)
    ticks, tick = [], Character.tick

    def counted(character, memory, inputs, world, dt) -> None:
        ticks.append(memory.ticks)
        tick(character, memory, inputs, world, dt)

    monkeypatch.setattr(Character, "tick", counted)
    walk_to(rig, (2.0, -3.0, 0.0))
    go_to(60)
    assert len(ticks) == 11 * 2
    shown = pose_at(rig, 60)
    performers.get(rig.session_uid).cache.clear()
    assert np.array_equal(pose_at(rig, 60), shown)
