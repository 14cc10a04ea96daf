"""Ground that moves, turns and bends: between frames, under an anchor, and what counts as moving."""

from math import cos, hypot, radians, sin

import bpy
import pytest
from mathutils import Vector
from support.scene_ground import DOWN, advance, cube, filled, grid, height, instance_nodes, key


def test_a_keyed_lift_moves_between_frames_without_a_new_tree(scene_world):
    lift = cube("Lift")
    key(lift, "location", 1, (0.0, 0.0, 0.0))
    key(lift, "location", 25, (0.0, 0.0, 2.4))
    world = filled(scene_world, 1)
    builds = world.shapes.builds
    for frame in range(2, 10):
        assert not advance(world, frame)
        for fraction in (0.5, 1.0):
            world.set_time(fraction)
            hit = world.cast_ray(Vector((0.1, 0.2, 9.0)), DOWN, 20.0)
            assert hit.position.z == pytest.approx(0.5 + 0.1 * (frame - 2 + fraction), abs=1e-5)
            assert hit.velocity.z == pytest.approx(2.4, rel=1e-4)
    assert world.shapes.builds == builds
    assert world.is_moving
    assert world.moves(lift.session_uid)


def test_a_frame_out_of_order_has_no_motion(scene_world):
    lift = cube("Lift")
    key(lift, "location", 1, (0.0, 0.0, 0.0))
    key(lift, "location", 25, (0.0, 0.0, 2.4))
    world = filled(scene_world, 1)
    advance(world, 11)
    world.set_time(0.5)
    hit = world.cast_ray(Vector((0.0, 0.0, 9.0)), DOWN, 20.0)
    assert (hit.position.z, hit.velocity.z) == (pytest.approx(1.5), 0.0)


def test_an_anchor_rides_a_turntable_and_the_turn_adds_up(scene_world):
    table = grid("Table", size=2.0)
    key(table, "rotation_euler", 1, 0.0, 2)
    key(table, "rotation_euler", 25, radians(30.0), 2)
    world = filled(scene_world, 1)
    anchor = world.anchor(world.cast_ray(Vector((1.5, 0.0, 9.0)), DOWN, 20.0))
    turned = 0.0
    for frame in range(2, 26):
        advance(world, frame)
        for fraction in (0.5, 1.0):
            world.set_time(fraction)
            turned += world.turn_of(table.session_uid)
            angle = radians(30.0) * (frame - 2 + fraction) / 24.0
            hit = world.locate(anchor)
            assert tuple(hit.position) == pytest.approx((1.5 * cos(angle), 1.5 * sin(angle), 0.0), abs=1e-6)
            assert hypot(hit.velocity.x, hit.velocity.y) == pytest.approx(radians(30.0) * 1.5, rel=1e-3)
            assert turned == pytest.approx(angle, abs=1e-5)


def test_a_second_run_through_a_frame_has_the_same_turns(scene_world):
    table = grid("Table")
    key(table, "rotation_euler", 1, 0.0, 2)
    key(table, "rotation_euler", 25, radians(30.0), 2)
    world = filled(scene_world, 1)
    advance(world, 2)
    turns = []
    for fraction in (0.5, 1.0, 0.5, 1.0):
        world.set_time(fraction)
        turns.append(world.turn_of(table.session_uid))
    assert turns == pytest.approx([radians(30.0) / 48.0] * 4, rel=1e-4)


def test_an_anchor_on_bending_ground_stays_on_its_face(scene_world):
    ob = grid(size=2.0, cells=8)
    ob.shape_key_add(name="Basis")
    wave = ob.shape_key_add(name="Wave")
    for point in wave.data:
        point.co.z = 0.4 * point.co.x
        point.co.x *= 1.5
    wave.value = 0.0
    wave.keyframe_insert("value", frame=1)
    wave.value = 1.0
    wave.keyframe_insert("value", frame=2)
    world = filled(scene_world, 1)
    anchor = world.anchor(world.cast_ray(Vector((0.83, 0.31, 9.0)), DOWN, 20.0))
    advance(world, 2)
    for fraction in (0.25, 0.5, 0.75, 1.0):
        world.set_time(fraction)
        hit = world.locate(anchor)
        expected = (0.83 * (1.0 + 0.5 * fraction), 0.31, 0.4 * 0.83 * fraction)
        assert tuple(hit.position) == pytest.approx(expected, abs=1e-5)
        slope = 0.4 * fraction / (1.0 + 0.5 * fraction)
        assert hit.normal.z == pytest.approx(1.0 / hypot(1.0, slope), abs=1e-5)
        assert tuple(hit.velocity) == pytest.approx((0.5 * 0.83 * 24, 0.0, 0.4 * 0.83 * 24), abs=1e-3)


def test_bending_ground_is_between_its_two_shapes_between_frames(scene_world):
    ob = grid(size=2.0, cells=8)
    lift = ob.modifiers.new("Lift", "DISPLACE")
    lift.direction, lift.mid_level = "Z", 0.0
    lift.strength = 0.0
    lift.keyframe_insert("strength", frame=1)
    lift.strength = 1.0
    lift.keyframe_insert("strength", frame=2)
    world = filled(scene_world, 1)
    advance(world, 2)
    heights = []
    for fraction in (0.25, 0.5, 0.75, 1.0):
        world.set_time(fraction)
        heights.append(height(world, 0.3, 0.4))
    assert heights == pytest.approx([0.25, 0.5, 0.75, 1.0], abs=1e-5)


def moving_empty():
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    key(empty, "location", 1, (0.0, 0.0, 0.0))
    return empty


def with_parent(ob):
    ob.parent = moving_empty()


def with_constraint(ob):
    ob.constraints.new("COPY_LOCATION").target = moving_empty()


def with_still_constraint(ob):
    still = bpy.data.objects.new("Still", None)
    bpy.context.scene.collection.objects.link(still)
    ob.constraints.new("COPY_LOCATION").target = still


def with_driver(ob):
    ob.driver_add("location", 0).driver.expression = "frame"


def with_rigid_body(ob):
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    bpy.ops.rigidbody.object_add()


def with_hook(ob):
    ob.modifiers.new("Hook", "HOOK").object = moving_empty()


def with_subdivision(ob):
    ob.modifiers.new("Smooth", "SUBSURF")


def with_scene_time(ob):
    instance_nodes(ob, None)
    ob.modifiers[0].node_group.nodes.new("GeometryNodeInputSceneTime")


def with_cloth(ob):
    ob.modifiers.new("Cloth", "CLOTH")


@pytest.mark.parametrize(
    ("prepare", "moving"),
    [
        (with_parent, True),
        (with_constraint, True),
        (with_still_constraint, False),
        (with_driver, True),
        (with_rigid_body, True),
        (with_hook, True),
        (with_subdivision, False),
        (with_cloth, True),
    ],
)
def test_ground_moves_with_time_if_something_in_it_does(scene_world, prepare, moving):
    ob = grid()
    prepare(ob)
    assert filled(scene_world).is_moving == moving


def test_nodes_that_read_the_time_bend_their_object():
    from surefoot.addon.ground_set import TimeDependence

    ob = grid()
    with_scene_time(ob)
    assert TimeDependence().bends(ob)
    ob.modifiers[0].show_viewport = False
    assert not TimeDependence().bends(ob)
