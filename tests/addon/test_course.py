"""The course in a scene."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Vector
from support.stage import add_person
from surefoot.addon.course import add_course
from surefoot.addon.performers import performers
from surefoot.addon.setup import setup


def at(name: str) -> Vector:
    return bpy.data.objects[name].location


def walker(place: Vector, **settings: object) -> bpy.types.Object:
    rig = add_person(place=tuple(place))
    setup(rig)
    rig.surefoot.body = "CAPSULE"
    rig.surefoot.ground = bpy.data.collections["Surefoot Course"]
    for name, value in settings.items():
        setattr(rig.surefoot, name, value)
    rig.surefoot.preview = True
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    bpy.context.scene.frame_set(frame)
    return performers.get(rig.session_uid).cache.get(frame).memory


def test_every_piece_stands_in_the_scene_with_its_label_and_nothing_else_has_changed():
    before = set(bpy.data.objects)
    collection = add_course(bpy.context, Vector((0.0, 0.0, 0.0)))
    assert set(bpy.data.objects) - before == set(collection.all_objects)
    labels = [obj for obj in collection.objects if obj.type == "FONT"]
    assert len(labels) == 18
    assert all(obj.data.body in bpy.data.objects for obj in labels)


def test_in_a_scene_of_centimetres_it_is_as_large():
    bpy.context.scene.unit_settings.scale_length = 0.01
    collection = add_course(bpy.context, Vector((0.0, 0.0, 0.0)))
    floor = next(obj for obj in collection.objects if obj.name.startswith("Floor"))
    assert floor.dimensions.x == pytest.approx(6400.0)


@pytest.mark.parametrize(("name", "climbs"), [("Stairs 0.17 m", True), ("Stairs 0.55 m", True),
                                              ("Stairs 0.70 m: too high to walk", False)])  # fmt: skip
def test_stairs_are_climbed_up_to_the_limit(name: str, climbs: bool):
    add_course(bpy.context, Vector((0.0, 0.0, 0.0)))
    # The highest step is for a leg of 0.9 m: this person's is a little longer or shorter.
    rig = walker(at(name) + Vector((0.0, 1.0, 0.0)))
    rig.surefoot.highest_step = 0.6
    memory_at(rig, 96)
    cache = performers.get(rig.session_uid).cache
    assert (max(cache.get(frame).memory.travel.place.z for frame in range(1, 97)) > 1.0) == climbs


def test_on_the_lift_it_goes_up_with_it():
    add_course(bpy.context, Vector((0.0, 0.0, 0.0)))
    rig = walker(at("Lift") + Vector((0.0, -1.0, 0.2)), speed=0.0)
    half = 1 + 4 * 24
    assert memory_at(rig, half).travel.place.z == pytest.approx(2.2, abs=0.02)
    assert not any(performers.get(rig.session_uid).cache.get(k).memory.travel.aloft for k in range(1, half))


def test_on_the_turntable_it_is_turned():
    add_course(bpy.context, Vector((0.0, 0.0, 0.0)))
    rig = walker(at("Turntable") + Vector((1.0, 0.0, 0.2)), speed=0.0)
    place = memory_at(rig, 1 + 2 * 24).travel.place
    middle = at("Turntable")
    assert (place.x - middle.x, place.y - middle.y) == pytest.approx((0.0, 1.0), abs=0.02)
    assert place.heading == pytest.approx(1.5708, abs=0.02)


def test_one_undo_takes_the_whole_course_back():
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.add_course(location=(0.0, 0.0, 0.0))
    bpy.ops.ed.undo_push(message="course")
    bpy.ops.ed.undo()
    assert "Surefoot Course" not in bpy.data.collections
