"""What a scene adds to the motion of a body with a shape: conveyors, added velocities, force fields, loose bodies."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon.force_fields import fields_at
from surefoot.addon.ground_flow import come_at
from surefoot.addon.performers import performers
from surefoot.core.control.fields import driven_by

FPS = 24.0


def shaped_person(**settings: object) -> bpy.types.Object:
    rig = previewed_person()
    rig.surefoot.body, rig.surefoot.speed = "CAPSULE", 0.0
    for name, value in settings.items():
        setattr(rig.surefoot, name, value)
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    bpy.context.scene.frame_set(frame)
    return performers.get(rig.session_uid).cache.get(frame).memory


def ground() -> bpy.types.Object:
    return bpy.data.objects["Ground"]


def test_a_conveyor_carries_who_stands_on_it_and_whose_feet_stay_on_the_belt():
    rig = shaped_person()
    ground().surefoot.surface_velocity = (0.5, 0.0, 0.0)
    first, last = memory_at(rig, 2), memory_at(rig, 50)
    assert last.travel.place.x - first.travel.place.x == pytest.approx(0.5 * 48 / FPS, abs=1e-3)
    assert last.travel.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-4)
    for then, now in zip(first.gait.feet, last.gait.feet, strict=True):
        assert now.planted
        way = Vector(now.ball) - Vector(then.ball)
        assert tuple(way) == pytest.approx((1.0, 0.0, 0.0), abs=2e-3)


def test_a_belt_goes_along_the_axes_of_its_object():
    rig = shaped_person()
    ground().rotation_euler.z = radians(90.0)
    ground().surefoot.surface_velocity = (0.5, 0.0, 0.0)
    place = memory_at(rig, 25).travel.place
    assert (place.x, place.y) == pytest.approx((0.0, 0.5), abs=1e-3)


def test_against_a_conveyor_it_steps_at_its_own_speed():
    rig = shaped_person(speed=1.4)
    ground().surefoot.surface_velocity = (0.0, 1.4, 0.0)
    memories = [memory_at(rig, frame) for frame in range(40, 73)]
    assert abs(memories[0].travel.place.y - memories[-1].travel.place.y) < 0.01
    assert memories[-1].travel.velocity[1] == pytest.approx(-1.4, abs=1e-3)
    assert memories[-1].gait.stepping


def test_a_keyed_belt_has_come_as_far_as_its_curve_says_and_scrubbed_is_as_played():
    rig, belt = shaped_person(), ground()
    for frame, speed in ((1, 0.0), (25, 1.0)):
        belt.surefoot.surface_velocity = (speed, 0.0, 0.0)
        belt.keyframe_insert("surefoot.surface_velocity", frame=frame)
    for curve in belt.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    scene = bpy.context.scene
    assert come_at(belt, scene, 25.0)[0] - come_at(belt, scene, 1.0)[0] == pytest.approx(0.5)
    played = {frame: pose_at(rig, frame) for frame in range(1, 41)}
    assert memory_at(rig, 40).travel.place.x == pytest.approx(0.5 + 15 / FPS, abs=2e-3)
    performers.get(rig.session_uid).cache.clear()
    for frame in (40, 13, 27):
        assert np.array_equal(pose_at(rig, frame), played[frame])


def test_a_belt_that_is_set_to_another_speed_is_stood_on_anew():
    rig = shaped_person()
    ground().surefoot.surface_velocity = (0.5, 0.0, 0.0)
    assert memory_at(rig, 25).travel.place.x == pytest.approx(0.5, abs=1e-3)
    ground().surefoot.surface_velocity = (-1.0, 0.0, 0.0)
    assert memory_at(rig, 25).travel.place.x == pytest.approx(-1.0, abs=1e-3)
    ground().surefoot.surface_velocity = (0.0, 0.0, 0.0)
    assert memory_at(rig, 25).travel.place.x == pytest.approx(0.0, abs=1e-6)


def test_an_added_velocity_that_is_keyed_pushes_it_and_its_legs_step_along():
    rig = shaped_person()
    for frame, value in ((1, 0.0), (2, 0.8)):
        rig.surefoot.added_velocity = (value, 0.0, 0.0)
        rig.keyframe_insert("surefoot.added_velocity", frame=frame)
    memory = memory_at(rig, 50)
    assert memory.travel.place.x == pytest.approx(0.8 * 48 / FPS, abs=0.03)
    assert memory.travel.velocity[0] == pytest.approx(0.8, abs=1e-3)
    assert memory.gait.stepping


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_keys_of_one_axis_alone_leave_what_is_known_as_it_is(axis: int):
    rig = shaped_person()
    for frame in (1, 30):
        rig.surefoot.added_velocity[axis] = 0.02 * frame
        rig.keyframe_insert("surefoot.added_velocity", index=axis, frame=frame)
    memory_at(rig, 30)
    drops = performers.get(rig.session_uid).cache.drops
    for frame in (30, 12, 25):
        memory_at(rig, frame)
    assert performers.get(rig.session_uid).cache.drops == drops


def test_a_belt_that_is_keyed_along_one_axis_carries():
    rig, belt = shaped_person(), ground()
    belt.surefoot.surface_velocity[1] = -0.5
    belt.keyframe_insert("surefoot.surface_velocity", index=1, frame=1)
    assert memory_at(rig, 25).travel.place.y == pytest.approx(-0.5, abs=1e-3)


def test_a_change_of_the_added_velocity_is_seen():
    rig = shaped_person()
    assert memory_at(rig, 25).travel.place.x == 0.0
    rig.surefoot.added_velocity = (1.0, 0.0, 0.0)
    assert memory_at(rig, 25).travel.place.x == pytest.approx(1.0, abs=0.02)


def add_field(kind: str, place: tuple[float, float, float], **settings: object) -> bpy.types.Object:
    field = bpy.data.objects.new(kind.title(), None)
    bpy.context.scene.collection.objects.link(field)
    field.location = place
    bpy.context.view_layer.objects.active = field
    bpy.ops.object.forcefield_toggle()
    field.field.type = kind
    for name, value in settings.items():
        setattr(field.field, name, value)
    return field


def test_a_wind_field_blows_it_by_its_influence_and_keys_of_its_strength_count():
    rig = shaped_person(field_influence=0.5)
    wind = add_field("WIND", (0.0, 0.0, 0.0), strength=2.0)
    wind.rotation_euler.y = radians(90.0)
    assert memory_at(rig, 25).travel.place.x == pytest.approx(1.0, abs=0.05)
    for frame, strength in ((1, 0.0), (25, 2.0)):
        wind.field.strength = strength
        wind.keyframe_insert("field.strength", frame=frame)
    assert memory_at(rig, 25).travel.place.x == pytest.approx(0.5, abs=0.05)
    rig.surefoot.field_influence = 0.0
    assert memory_at(rig, 25).travel.place.x == 0.0


def test_a_field_that_cannot_be_told_for_any_place_is_named():
    rig = shaped_person(field_influence=0.5)
    add_field("TURBULENCE", (0.0, 0.0, 0.0), strength=5.0)
    assert memory_at(rig, 25).travel.place.x == 0.0
    assert any("Turbulence" in line.text for line in rig.surefoot.problems)


FIELDS = {
    "WIND": ("WIND", {"falloff_power": 1.0}),
    "FORCE": ("FORCE", {"falloff_power": 0.5, "use_min_distance": True, "distance_min": 1.5}),
    "VORTEX": ("VORTEX", {"falloff_power": 2.0}),
    "GRAVITY": ("FORCE", {"use_gravity_falloff": True}),
    "PLANE": ("FORCE", {"shape": "PLANE", "falloff_power": 1.0}),
    "TUBE": ("WIND", {"falloff_type": "TUBE", "falloff_power": 1.0, "radial_falloff": 1.0}),
    "CONE": ("WIND", {"falloff_type": "CONE", "use_radial_max": True, "radial_max": 60.0, "radial_falloff": 0.1}),
    "ONE SIDE": ("FORCE", {"z_direction": "NEGATIVE", "use_max_distance": True, "distance_max": 3.0}),
}
PLACES = ((1.0, 0.5, 2.0), (-2.0, 1.0, 1.0), (0.5, 2.0, -2.5), (3.0, -1.0, 0.3), (0.2, 0.1, 0.5))


@pytest.mark.parametrize("which", FIELDS)
def test_a_field_has_the_strength_at_each_place_that_blender_s_own_bodies_feel(which: str):
    kind, settings = FIELDS[which]
    field = add_field(kind, (0.3, -0.2, 0.1), strength=4.0, flow=0.0, noise=0.0, **settings)
    field.rotation_euler = (0.3, 0.4, 0.0)
    scene = bpy.context.scene
    scene.use_gravity = False
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    bodies = []
    for place in PLACES:
        bpy.ops.mesh.primitive_cube_add(size=0.02, location=place)
        body = bpy.context.object
        bpy.ops.rigidbody.object_add(type="ACTIVE")
        body.rigid_body.mass, body.rigid_body.linear_damping = 1.0, 0.0
        bodies.append(body)
    rig = add_person()
    rig.surefoot.body, rig.surefoot.field_influence = "CAPSULE", 1.0
    for frame in (1, 2):
        scene.frame_set(frame)
    fields = fields_at(rig, scene, 1.0, 1.0, None)
    told = np.array([driven_by(fields, place) for place in PLACES])
    depsgraph = bpy.context.evaluated_depsgraph_get()
    felt = np.array([body.evaluated_get(depsgraph).matrix_world.translation for body in bodies]) - np.array(PLACES)
    # A frame from rest: the way is a constant share of the force.
    share = float((felt * told).sum() / (told * told).sum())
    assert share > 1e-5
    assert felt == pytest.approx(told * share, abs=0.02 * float(np.abs(felt).max()))


@pytest.mark.parametrize(("mass", "carried"), [(30.0, True), (5.0, False)])
def test_a_heavy_rigid_body_carries_it_and_a_light_one_slides_away_under_it(mass: float, carried: bool):
    add_ground()
    bpy.ops.rigidbody.world_add()
    scene = bpy.context.scene
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    bpy.context.view_layer.objects.active = ground()
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 0.1))
    raft = bpy.context.object
    raft.scale = (6.0, 6.0, 0.2)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    raft.rigid_body.mass, raft.rigid_body.friction = mass, 0.0
    # Thrown by its keys, then left to physics.
    raft.rigid_body.kinematic = True
    raft.rigid_body.keyframe_insert("kinematic", frame=5)
    for frame, x in ((1, 0.0), (5, 0.2)):
        raft.location.x = x
        raft.keyframe_insert("location", index=0, frame=frame)
    raft.rigid_body.kinematic = False
    raft.rigid_body.keyframe_insert("kinematic", frame=6)
    rig = add_person(place=(0.0, 0.0, 0.2))
    rig.surefoot.body, rig.surefoot.speed, rig.surefoot.preview = "CAPSULE", 0.0, True
    rows = []
    for frame in (8, 24):
        place = memory_at(rig, frame).travel.place
        rows.append((place.x, raft.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.x))
    (was, raft_was), (now, raft_now) = rows
    assert raft_now - raft_was > 0.4
    assert now - was == pytest.approx(raft_now - raft_was if carried else 0.0, abs=0.02)
