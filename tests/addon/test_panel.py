"""What the tab shows: drawn into a layout that writes down what it is asked for, since drawing needs a window."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest
from support.drawn_panels import Layout, drawn
from support.stage import add_face, add_ground, add_person, key, previewed_person
from surefoot.addon.operators.report import summary
from surefoot.addon.panels import sidebar
from surefoot.addon.panels.ground import SUREFOOT_PT_ground
from surefoot.addon.panels.wrapping import wrapped
from surefoot.addon.performers import performers


def plain_armature() -> bpy.types.Object:
    rig = bpy.data.objects.new("Plain", bpy.data.armatures.new("Plain"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    return rig


def test_with_nothing_selected_it_says_so_and_offers_a_character():
    shown = drawn(sidebar.SUREFOOT_PT_character)
    assert shown["text"] == "Select an armature first."
    assert shown["buttons"] == ["SUREFOOT_MT_add_character"]


def test_before_set_up_there_is_one_button():
    plain_armature()
    assert drawn(sidebar.SUREFOOT_PT_character)["buttons"] == ["surefoot.setup"]
    assert not sidebar.SUREFOOT_PT_motion.poll(bpy.context)


def test_after_set_up_preview_and_play_come_first():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    shown = drawn(sidebar.SUREFOOT_PT_character)
    assert shown["props"] == ["preview"]
    assert shown["buttons"] == ["screen.animation_play", "surefoot.simulate"]
    assert "Person: 2 legs" in shown["text"]


def test_motion_begins_with_gait_speed_and_director():
    bpy.context.view_layer.objects.active = previewed_person()
    assert drawn(sidebar.SUREFOOT_PT_motion)["props"] == [
        "base", "gait", "speed", "director", "surfaces", "ground", "travel",
    ]  # fmt: skip


@pytest.mark.parametrize("panel", sidebar.PANELS)
@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
@pytest.mark.parametrize("director", ["AHEAD", "PATH", "TARGET", "MOVER", "ROUTE", "AGENT"])
def test_every_panel_draws_in_object_and_pose_mode_with_each_director(panel: type, mode: str, director: str):
    rig = previewed_person()
    rig.surefoot.problems.add().text = "Tail: it is not understood. Name it by hand."
    rig.surefoot.director = director
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode=mode)
    shown = drawn(panel)
    assert shown["props"] or shown["buttons"] or shown["labels"]


def test_every_setting_of_the_core_is_in_the_tab():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    tabs = (sidebar.SUREFOOT_PT_style, sidebar.SUREFOOT_PT_steps, sidebar.SUREFOOT_PT_limits)
    shown = [name for tab in tabs for name in drawn(tab)["props"]]
    shown += clip_settings(rig)
    rig.surefoot.body, rig.surefoot.director = "CAPSULE", "INPUT"
    shown += set(drawn(sidebar.SUREFOOT_PT_body)["props"]) & set(sidebar.CONFIG_NAMES)
    shown += set(drawn(sidebar.SUREFOOT_PT_fall)["props"]) & set(sidebar.CONFIG_NAMES)
    rig.surefoot.director = "AGENT"
    shown += set(drawn(sidebar.SUREFOOT_PT_motion)["props"]) & {"safe_distance"}
    rig.surefoot.base = "RIG"
    shown += set(drawn(sidebar.SUREFOOT_PT_motion)["props"]) & set(sidebar.CONFIG_NAMES)
    bpy.context.view_layer.objects.active = previewed_person(preset="SNAKE")
    bpy.context.scene.frame_set(1)
    shown += drawn(sidebar.SUREFOOT_PT_steps)["props"]
    assert sorted(shown) == sorted(["frame_start", *sidebar.CONFIG_NAMES])


def clip_settings(rig: bpy.types.Object) -> set[str]:
    """What the tab shows of a clip as base motion, however it is timed and led, as far as it is the core's."""
    rig.surefoot.base, found = "CLIP", set()
    for timing in ("TIME", "PROGRESS"):
        for travel in ("CLIP", "DIRECTOR"):
            rig.surefoot.clip_timing, rig.surefoot.clip_travel = timing, travel
            found |= set(drawn(sidebar.SUREFOOT_PT_motion)["props"])
    assert "clip_progress" in found
    return found & set(sidebar.CONFIG_NAMES)


def test_a_clip_that_is_missing_is_asked_for():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.base = "CLIP"
    assert "Choose an Action to play." in drawn(sidebar.SUREFOOT_PT_motion)["text"]
    rig.surefoot.clip = bpy.data.actions.new("Walk")
    assert "Choose an Action to play." not in drawn(sidebar.SUREFOOT_PT_motion)["text"]


def test_a_rig_that_is_followed_is_asked_for_and_the_panel_says_what_live_feet_cannot_know():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.base = "RIG"
    shown = drawn(sidebar.SUREFOOT_PT_motion)
    assert shown["props"][:2] == ["base", "source"]
    assert not {"speed", "director"} & set(shown["props"])
    assert "Choose the rig to follow." in shown["text"]
    assert "look ahead" in shown["text"]
    rig.surefoot.source, rig.surefoot.source_feet = previewed_person(), "FREE"
    shown = drawn(sidebar.SUREFOOT_PT_motion)
    assert "Choose the rig to follow." not in shown["text"]
    assert "source_release" not in shown["props"]


def test_in_edit_mode_the_tab_is_there_and_says_why_nothing_can_be_done():
    bpy.context.view_layer.objects.active = previewed_person()
    bpy.ops.object.mode_set(mode="EDIT")
    assert "Edit Mode" in drawn(sidebar.SUREFOOT_PT_character)["text"]


def test_a_speed_that_the_mover_decides_is_greyed_with_the_reason():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.director = "MOVER"
    shown = drawn(sidebar.SUREFOOT_PT_motion)
    assert shown["greyed"] == ["speed"]
    assert "own animation" in shown["text"]


def test_a_gait_that_does_not_fit_the_legs_is_said_beside_it():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.gait = "TRIPOD"
    bpy.context.scene.frame_set(2)
    said = drawn(sidebar.SUREFOOT_PT_motion)["text"]
    assert "The gait Tripod is not made for 2 legs. It walks by speed instead; choose one of " in said
    offered = set(said.split("choose one of ")[1].split(".")[0].split(", "))
    assert {"Walk", "Run"} <= offered <= {item.name for item in rig.surefoot.bl_rna.properties["gait"].enum_items}


def test_how_far_it_is_computed_is_said_and_what_to_do_beyond():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.frame_set(30)
    assert "Computed to frame 30" in drawn(sidebar.SUREFOOT_PT_character)["text"]
    performers.get(rig.session_uid).cache.drop_from(20)
    shown = drawn(sidebar.SUREFOOT_PT_character)
    assert "Computed to frame 19" in shown["text"]
    assert "Frame 30 is not computed yet: press Simulate" in shown["text"]


def test_before_its_start_frame_it_says_from_when_on_it_walks():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.frame_start = 50
    bpy.context.scene.frame_set(49)
    assert "It stands here until frame 50." in drawn(sidebar.SUREFOOT_PT_character)["text"]
    bpy.context.scene.frame_set(50)
    assert "It stands here" not in drawn(sidebar.SUREFOOT_PT_character)["text"]


def test_a_range_that_ends_before_the_start_is_said_before_anything_is_baked():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.frame_start = 100
    bpy.context.scene.frame_end = 100
    assert "before the walk starts" not in drawn(sidebar.SUREFOOT_PT_bake)["text"]
    bpy.context.scene.frame_end = 99
    assert "ends at frame 99, before the walk starts at frame 100" in drawn(sidebar.SUREFOOT_PT_bake)["text"]


def test_a_character_that_stopped_shows_its_line():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    performers.get(rig.session_uid).failed = "Person: its ground is gone."
    assert "Person: its ground is gone." in drawn(sidebar.SUREFOOT_PT_character)["text"]


def test_with_the_preview_off_it_says_what_plays_instead():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    rig.surefoot.preview = False
    assert "as you posed it" in drawn(sidebar.SUREFOOT_PT_character)["text"]
    bpy.ops.surefoot.bake(frame_start=1, frame_end=5)
    assert "Plays the Action Person Surefoot." in drawn(sidebar.SUREFOOT_PT_character)["text"]


def test_a_solo_track_that_hides_the_bake_is_said():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.bake(frame_start=1, frame_end=5)
    action = rig.animation_data.action
    track = rig.animation_data.nla_tracks.new()
    track.name = "Old"
    track.strips.new("Old", 1, action)
    assert "solo" not in drawn(sidebar.SUREFOOT_PT_character)["text"]
    track.is_solo = True
    assert "The NLA track Old is solo" in drawn(sidebar.SUREFOOT_PT_character)["text"]


def test_an_action_that_plays_beside_the_walk_is_named_with_what_it_moves_and_can_be_set_aside():
    add_ground()
    rig = add_person()
    add_face(rig)
    key(rig, 'pose.bones["face"].rotation_quaternion', {1: 0.5}, index=1)
    rig.animation_data.action.name = "Attack"
    rig.surefoot.preview = True
    shown = drawn(sidebar.SUREFOOT_PT_character)
    assert "Action Attack plays along on what the walk does not move: bones 1, other curves 0." in shown["text"]
    assert shown["buttons"][-1] == "surefoot.set_action_aside"
    bpy.ops.surefoot.set_action_aside()
    shown = drawn(sidebar.SUREFOOT_PT_character)
    assert "plays along" not in shown["text"]
    assert "surefoot.set_action_aside" not in shown["buttons"]


def test_no_setting_has_only_one_choice():
    known = previewed_person().surefoot.bl_rna.properties
    assert [item.identifier for item in known if item.type == "ENUM" and len(item.enum_items) < 2] == []


def test_the_numbers_of_a_body_s_shape_are_drawn_where_it_has_one_and_those_of_steering_where_it_is_driven():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    assert set(drawn(sidebar.SUREFOOT_PT_body)["props"]) == {"body"}
    rig.surefoot.body = "CAPSULE"
    shaped = set(drawn(sidebar.SUREFOOT_PT_body)["props"])
    assert {"body", "radius", "highest_step", "gravity"} <= shaped
    assert "course_rate" not in shaped
    rig.surefoot.director = "INPUT"
    assert {"course_rate", "input_x", "input_y", "input_jump"} <= set(drawn(sidebar.SUREFOOT_PT_body)["props"])


def test_with_a_blocking_problem_the_preview_is_greyed_and_says_why():
    plain_armature()
    bpy.ops.surefoot.setup()
    shown = drawn(sidebar.SUREFOOT_PT_character)
    assert shown["greyed"] == ["preview"]
    assert "cannot walk before the problem below is solved" in shown["text"]


def test_a_report_is_summed_up_in_a_line_a_foot_and_one_for_the_speed():
    foot = {"slide_max_m": 0.0004, "duty_factor": 0.62, "cadence_spm": 110.4}
    contacts = [{"below_m": 0.001, "above_m": 0.002}, {"below_m": 0.003, "above_m": 0.001}]
    result = {"feet": {"leg.L": {**foot, "contacts": contacts}}, "speed_error": -0.012}
    assert summary(result) == [
        "leg.L: slides 0.4 mm, at most 3 mm in and 2 mm over the ground; down 62% of a stride, 110 steps a minute",
        "Speed: 1.2% slower than asked",
    ]


def test_of_more_than_two_feet_a_report_counts_the_steps_of_a_pair():
    foot = {"slide_max_m": 0.0, "duty_factor": 0.6, "cadence_spm": 110.4, "contacts": []}
    roles = ("front_leg.L", "front_leg.R", "hind_leg.L", "hind_leg.R")
    lines = summary({"feet": dict.fromkeys(roles, foot), "speed_error": None})
    assert lines[0] == "front_leg.L: never down in this range; down 60% of a stride, 110 steps a minute of its pair"


def test_what_could_not_be_measured_is_told_with_its_reason():
    foot = {"slide_max_m": 0.0, "duty_factor": None, "cadence_spm": None, "contacts": []}
    unknown = [{"below_m": None, "above_m": None}]
    result = {"feet": {"leg.L": foot, "leg.R": {**foot, "contacts": unknown}}, "speed_error": None}
    assert summary(result) == [
        "leg.L: never down in this range; no whole stride in this range",
        "leg.R: slides 0.0 mm, no ground below it; no whole stride in this range",
    ]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (-0.102, "10.2% slower than asked"),
        (0.034, "3.4% faster than asked"),
        (0.0004, "as asked"),
        (-0.0004, "as asked"),
    ],
)
def test_an_error_of_the_speed_is_told_as_a_person_would(error: float, words: str):
    assert summary({"feet": {}, "speed_error": error}) == [f"Speed: {words}"]


def test_problems_are_counted_in_the_header_and_told_in_full():
    add_ground()
    rig = add_person()
    rig.surefoot.problems.clear()
    assert not sidebar.SUREFOOT_PT_problems.poll(bpy.context)
    sentence = "tail.003: a chain that ends in the air. Name it tail in the mapping, or leave it as it is."
    rig.surefoot.problems.add().text = sentence
    header = Layout()
    sidebar.SUREFOOT_PT_problems.draw_header(SimpleNamespace(layout=header), bpy.context)
    assert header.sheet["labels"] == ["Problems: 1"]
    assert drawn(sidebar.SUREFOOT_PT_problems)["text"] == sentence


def test_what_stops_a_character_is_said_once():
    add_ground()
    rigs = [add_person(place=(2.0 * k, 0.0, 0.0)) for k in range(2)]
    for k, rig in enumerate(rigs):
        rig.surefoot.director, rig.surefoot.target = "TARGET", rigs[1 - k]
        rig.surefoot.preview = True
    bpy.context.view_layer.objects.active = rigs[0]
    bpy.context.scene.frame_set(2)
    assert "in a ring" in drawn(sidebar.SUREFOOT_PT_character)["text"]
    assert not sidebar.SUREFOOT_PT_problems.poll(bpy.context)
    rigs[0].surefoot.problems.add().text = "Tail: it is not understood."
    assert drawn(sidebar.SUREFOOT_PT_problems)["text"] == "Tail: it is not understood."


def test_a_character_of_another_scene_says_which():
    rig = previewed_person()
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(rig)
    rig.surefoot.scene = other.name
    bpy.context.view_layer.objects.active = rig
    assert "scene Other" in drawn(sidebar.SUREFOOT_PT_character)["text"]


def test_a_sentence_is_broken_between_words_and_nothing_is_lost():
    sentence = "The left foot is not weighted to anything at all."
    found = wrapped(sentence, 14, len)
    assert found == ["The left foot", "is not", "weighted to", "anything at", "all."]


def test_a_word_that_is_too_wide_has_a_line_of_its_own():
    assert wrapped("a mixamorig:LeftUpLeg b", 6, len) == ["a", "mixamorig:LeftUpLeg", "b"]


def test_a_sentence_of_no_words_has_no_lines():
    assert wrapped("", 10, len) == []


def test_a_mesh_says_how_its_surface_goes_along_and_a_character_does_not():
    rig = previewed_person()
    bpy.context.view_layer.objects.active = rig
    assert not SUREFOOT_PT_ground.poll(bpy.context)
    bpy.context.view_layer.objects.active = bpy.data.objects["Ground"]
    assert SUREFOOT_PT_ground.poll(bpy.context)
    assert drawn(SUREFOOT_PT_ground)["props"] == ["surface_velocity"]
