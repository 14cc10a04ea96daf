"""A spider that is asked to walk on walls, baked in a box room and measured on its evaluated bones."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.stage import add_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.bake_record import read_record
from surefoot.addon.overlay import strokes_of
from surefoot.addon.performers import performers
from surefoot.addon.report import measured, report
from surefoot.core.measure.contacts import Span, disagreement_within, find_contacts

SIZE = (3.0, 3.0, 2.0)
FRAMES = 230
"""At 0.9 m/s and 24 frames a second: over a floor, a wall and on under the ceiling."""


def add_room() -> bpy.types.Object:
    """A closed box to walk in, its floor at z = 0."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 0.5 * SIZE[2]))
    room = bpy.context.object
    room.scale = SIZE
    return room


def spider_in_a_room(travel: str) -> bpy.types.Object:
    add_room()
    rig = add_person("SPIDER")
    rig.surefoot.surfaces = "WALLS"
    rig.surefoot.travel = travel
    rig.surefoot.speed = 0.9
    bpy.context.scene.render.fps = 24
    bpy.context.view_layer.update()
    return rig


def off_the_walls(place: Vector) -> float:
    """How far a place is from the nearest of the room's faces."""
    half = Vector((0.5 * SIZE[0], 0.5 * SIZE[1], 0.5 * SIZE[2]))
    inside = [half[k] - abs(place[k] - (half[2] if k == 2 else 0.0)) for k in range(3)]
    return min(abs(gap) for gap in inside)


def played(rig: bpy.types.Object, frames: range) -> Iterator[tuple[int, dict[str, Vector], Vector]]:
    """Per frame the evaluated tips of all legs, and the body's own up, in the world."""
    tips = sorted(bone.name for bone in rig.data.bones if bone.name.startswith("leg") and not bone.children)
    rest = rig.data.bones["body"].matrix_local.to_quaternion()
    for number in frames:
        bpy.context.scene.frame_set(number)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        matrix = shown.matrix_world
        body = (matrix @ shown.pose.bones["body"].matrix).to_quaternion() @ rest.inverted()
        yield number, {name: matrix @ shown.pose.bones[name].tail for name in tips}, body @ Vector((0.0, 0.0, 1.0))


@pytest.mark.parametrize("travel", ["OBJECT", "ROOT_BONE"])
def test_baked_feet_that_are_down_stand_on_the_wall_and_on_the_ceiling(travel: str):
    rig = spider_in_a_room(travel)
    bake(rig, BakeOptions(1, FRAMES))
    record = read_record(rig.animation_data.action)
    assert record is not None
    roles = {role: "leg" + role[3:].split(".")[0] + "_c." + role[-1] for role in record.contacts}
    ups, worst, slide, before = [], 0.0, 0.0, {}
    for number, tips, up in played(rig, range(1, FRAMES + 1)):
        ups.append(tuple(up))
        down = {}
        for role, contacts in record.contacts.items():
            if any(span.start <= number <= span.end for span in contacts.foot):
                place = down[role] = tips[roles[role]]
                worst = max(worst, off_the_walls(place))
                if role in before:
                    slide = max(slide, (place - before[role]).length)
        before = down
    assert worst <= 0.005
    assert slide <= 0.0005
    assert min(up[2] for up in ups) < -0.99
    assert max(abs(up[1]) for up in ups) > 0.99


@pytest.mark.parametrize("previewed", [True, False])
def test_the_report_measures_feet_along_the_normal_of_the_wall_that_they_stand_on(previewed: bool):
    rig = spider_in_a_room("OBJECT")
    if previewed:
        rig.surefoot.preview = True
    else:
        bake(rig, BakeOptions(1, FRAMES))
    feet = report(rig, bpy.context.scene, 60, FRAMES)["feet"]
    spans = [span for foot in feet.values() for span in foot["contacts"]]
    assert len(spans) > 40
    assert max(span["above_m"] for span in spans) <= 0.005
    assert max(span["below_m"] for span in spans) <= 0.005
    assert max(foot["slide_max_m"] for foot in feet.values()) <= 0.0005


def test_contacts_on_walls_are_found_where_no_plan_is_known():
    rig = spider_in_a_room("OBJECT")
    bake(rig, BakeOptions(1, FRAMES))
    planned = read_record(rig.animation_data.action).contacts
    track = measured(rig, bpy.context.scene, 60, FRAMES).track
    window = Span(60.0, float(FRAMES))
    found = find_contacts(track)
    apart = [disagreement_within(item.foot, found[role].foot, window) for role, item in planned.items()]
    assert max(apart) <= 0.15


def test_what_the_preview_shows_on_a_wall_is_what_the_bake_plays():
    rig = spider_in_a_room("OBJECT")
    rig.surefoot.preview = True
    shown = {n: np.array([*tips.values(), up]) for n, tips, up in played(rig, range(60, 100, 8))}
    bake(rig, BakeOptions(1, 100))
    for number, tips, up in played(rig, range(60, 100, 8)):
        assert np.abs(np.array([*tips.values(), up]) - shown[number]).max() < 1e-4


def test_footprints_of_the_overlay_lie_on_the_wall_that_is_walked_on():
    rig = spider_in_a_room("OBJECT")
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(90)
    performer = performers.get(rig.session_uid)
    strokes = strokes_of(performer, 90)
    on_wall = [point for point in strokes.points if abs(point[1] + 0.5 * SIZE[1]) < 0.1 and point[2] > 0.3]
    assert len(on_wall) > 20


def test_a_person_that_is_asked_to_walk_on_walls_stays_on_the_floor_and_says_why():
    add_room()
    rig = add_person()
    rig.surefoot.surfaces = "WALLS"
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(20)
    performer = performers.get(rig.session_uid)
    assert any("at least 4 legs" in str(problem) for problem in performer.character.problems)
    assert performer.cache.get(20).memory.grip is None
