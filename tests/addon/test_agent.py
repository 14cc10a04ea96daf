"""A character that another add-on or a script directs: its fields are inputs of their frame, what is shown is baked."""

from __future__ import annotations

from math import hypot, pi

import bpy
import numpy as np
import pytest
from support.drawn_panels import drawn
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon.agent import tell
from surefoot.addon.agent_properties import ACTIVITIES, MOVES
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.inputs import is_plain
from surefoot.addon.panels import sidebar
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError

LAST = 96


def agent(preset: str = "DOG") -> bpy.types.Object:
    rig = previewed_person(preset=preset)
    rig.surefoot.director = "AGENT"
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    bpy.context.scene.frame_set(frame)
    return performers.get(rig.session_uid).cache.get(frame).memory


def add_empty(name: str, place: tuple[float, float, float]) -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.location = place
    bpy.context.scene.collection.objects.link(empty)
    return empty


def eats_and_rests(rig: bpy.types.Object) -> None:
    """Goes, eats, rests, and goes on."""
    tell(rig, 1, velocity=(0.0, -1.0, 0.0), activity="NONE")
    tell(rig, 24, velocity=(0.0, -1.0, 0.0), activity="EAT")
    tell(rig, 25, velocity=(0.0, 0.0, 0.0))
    tell(rig, 55, activity="REST")
    tell(rig, 80, activity="NONE", velocity=(0.0, 0.0, 0.0))
    tell(rig, 81, velocity=(0.0, -1.0, 0.0))


def test_its_choices_have_fixed_numbers():
    assert [(item[0], item[3]) for item in MOVES] == [("VELOCITY", 0), ("PLACE", 1), ("CARRIED", 2)]
    names = ("NONE", "EAT", "DRINK", "SNIFF", "REST", "ATTACK", "ALERT", "FLEE")
    assert [(item[0], item[3]) for item in ACTIVITIES] == [(name, k) for k, name in enumerate(names)]
    items = bpy.types.Object.bl_rna.properties["surefoot"].fixed_type.properties["director"].enum_items
    assert items["AGENT"].value == 6


def test_a_script_of_ten_lines_lets_a_dog_come_eat_and_lie_down():
    add_ground()
    rig = add_person("DOG")
    rig.surefoot.director = "AGENT"
    rig.surefoot.agent.moves = "PLACE"
    rig.surefoot.agent.position = (0.0, -1.0, 0.0)
    for frame, activity in ((1, "EAT"), (60, "REST")):
        rig.surefoot.agent.activity = activity
        rig.keyframe_insert("surefoot.agent.activity", frame=frame)
    rig.surefoot.preview = True
    eats, rests = memory_at(rig, 59), memory_at(rig, 110)
    assert hypot(eats.travel.place.x, eats.travel.place.y + 1.0) < 0.01
    assert eats.act.down > 0.5
    assert rests.act.rests > 0.9


def test_a_cold_jump_shows_what_playing_shows():
    rig = agent()
    eats_and_rests(rig)
    played = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    performers.get(rig.session_uid).cache.clear()
    for frame in (LAST, 50, 10, 80):
        assert np.array_equal(pose_at(rig, frame), played[frame])


def test_what_is_driven_so_that_frames_must_be_walked_shows_the_same():
    rig = agent()
    eats_and_rests(rig)
    shown = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1, 5)}
    assert is_plain(rig)
    rig.driver_add("surefoot.agent.heading").driver.expression = "0.0"
    assert not is_plain(rig)
    performers.get(rig.session_uid).cache.clear()
    bpy.context.scene.frame_set(1)
    for frame, pose in shown.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


@pytest.mark.parametrize("preset", ["DOG", "PERSON"])
def test_a_bake_is_what_was_shown(preset: str):
    rig = agent(preset)
    eats_and_rests(rig)
    shown = {frame: pose_at(rig, frame) for frame in range(1, LAST + 1)}
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in shown.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_an_activity_holds_from_its_key_to_the_next_with_nothing_in_between():
    rig = agent()
    tell(rig, 10, activity="EAT")
    tell(rig, 40, activity="ALERT")
    curve = rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves.find("surefoot.agent.activity")
    assert {curve.evaluate(frame) for frame in (10, 20, 39)} == {1.0}
    assert memory_at(rig, 39).act.weights[4] == 0.0


def test_written_for_the_whole_run_it_changes_every_frame_and_undone_it_is_as_before():
    rig = agent()
    before = pose_at(rig, 40)
    tell(rig, activity="REST")
    assert not np.allclose(pose_at(rig, 40), before, atol=1e-2)
    tell(rig, activity="NONE")
    assert np.array_equal(pose_at(rig, 40), before)


def test_it_goes_where_a_position_that_is_keyed_carries_it_and_faces_where_that_goes():
    rig = agent()
    rig.surefoot.agent.moves = "CARRIED"
    tell(rig, 1, position=(0.0, 0.0, 0.0))
    tell(rig, 60, position=(2.0, 0.0, 0.0))
    place = memory_at(rig, 45).travel.place
    wanted = rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves.find("surefoot.agent.position")
    assert place.x == pytest.approx(wanted.evaluate(45), abs=1e-4)
    assert place.heading == pytest.approx(pi / 2, abs=0.05)


def test_it_flees_from_an_object_at_its_sprint_and_stops_where_it_is_safe():
    rig = agent()
    rig.surefoot.safe_distance, rig.surefoot.speed = 4.0, 1.5
    tell(rig, activity="FLEE", flee_object=add_empty("Wolf", (0.0, -1.0, 0.0)))
    places = [memory_at(rig, frame).travel.place for frame in range(1, 97)]
    speeds = [24.0 * hypot(b.x - a.x, b.y - a.y) for a, b in zip(places, places[1:], strict=False)]
    assert max(speeds) > 2.0
    assert hypot(places[-1].x, places[-1].y + 1.0) == pytest.approx(4.0, abs=0.1)
    assert speeds[-1] < 0.01


def test_it_looks_another_character_in_the_face():
    rig = agent()
    other = add_person("PERSON", (1.5, -2.0, 0.0))
    other.surefoot.preview = True
    plain = pose_at(rig, 40)
    tell(rig, has_look_at=True, look_at_object=other)
    head = 1 + list(rig.pose.bones).index(rig.pose.bones["head"])
    turned = pose_at(rig, 40)
    nose = [pose[head][:3, 1] for pose in (plain, turned)]
    assert nose[1][0] > nose[0][0] + 0.2


def test_what_is_no_setting_of_an_agent_is_refused_by_name():
    with pytest.raises(RefusedError, match="growl"):
        tell(agent(), growl=True)
    with pytest.raises(RefusedError, match="moves"):
        tell(agent(), 10, moves="PLACE")


def test_its_section_shows_only_while_it_directs():
    rig = agent()
    bpy.context.view_layer.objects.active = rig
    assert {"velocity", "activity"} <= set(drawn(sidebar.SUREFOOT_PT_motion)["props"])
    rig.surefoot.director = "AHEAD"
    assert "activity" not in drawn(sidebar.SUREFOOT_PT_motion)["props"]


def test_numbers_that_are_none_are_no_wish():
    rig = agent()
    rig.surefoot.agent.velocity = (float("nan"), 0.0, 0.0)
    assert np.isfinite(pose_at(rig, 20)).all()
    assert rig.surefoot.problems.values() == []


def test_a_snake_that_is_to_rest_stays_as_it_is():
    rig = agent("SNAKE")
    before = pose_at(rig, 20)
    tell(rig, activity="REST")
    assert np.array_equal(pose_at(rig, 20), before)
