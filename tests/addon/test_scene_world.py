"""The scene as ground: what counts, where it is, how it moves. Numbers are worked out from how the scene is built."""

from math import cos, pi, radians, sqrt

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector
from support.scene_ground import (
    DOWN,
    advance,
    collection,
    cube,
    depsgraph,
    filled,
    grid,
    height,
    instance_nodes,
    key,
    link,
)


def test_an_empty_scene_has_no_ground(scene_world):
    world = filled(scene_world)
    assert height(world) is None
    assert world.nearest(Vector(), 100.0) is None
    assert world.capsule_fits(Vector(), Vector((0.0, 0.0, 1.0)), 0.3)
    assert not world.is_moving


def test_a_hit_names_its_object_place_and_normal(scene_world):
    ob = grid()
    ob.location.z = 0.25
    hit = filled(scene_world).cast_ray(Vector((1.0, 2.0, 3.0)), DOWN, 10.0)
    assert tuple(hit.position) == pytest.approx((1.0, 2.0, 0.25))
    assert (tuple(hit.normal), hit.distance) == ((0.0, 0.0, 1.0), pytest.approx(2.75))
    assert hit.surface == ob.session_uid


def test_the_normal_points_to_the_asker_whichever_way_the_face_looks(scene_world):
    grid().scale = (1.0, 1.0, -1.0)
    world = filled(scene_world)
    assert world.cast_ray(Vector((0.0, 0.0, 1.0)), DOWN, 9.0).normal.z == pytest.approx(1.0)
    assert world.cast_ray(Vector((0.0, 0.0, -1.0)), -DOWN, 9.0).normal.z == pytest.approx(-1.0)


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("scale", [(5.0, 1.0, 0.2), (2.0, 2.0, 2.0), (-1.0, 1.0, 1.0), (-3.0, 0.5, 1.0)])
def test_scaled_turned_and_parented_ground_gives_true_places_normals_and_distances(scene_world, scale, moving):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.rotation_euler.z = (1.0, -2.0, 0.5), 0.3
    ob = cube(size=2.0)
    ob.parent, ob.scale = parent, scale
    ob.rotation_euler = Euler((radians(20.0), 0.0, radians(45.0)))
    if moving:
        key(ob, "location", 1, (0.0, 0.0, 0.0))
    world = filled(scene_world)
    assert world.is_moving == moving
    matrix = ob.evaluated_get(depsgraph()).matrix_world
    top = (matrix @ Vector((0.0, 0.0, 1.0))) if scale[2] > 0 else (matrix @ Vector((0.0, 0.0, -1.0)))
    normal = (matrix.to_3x3().inverted().transposed() @ Vector((0.0, 0.0, 1.0))).normalized()
    normal = normal if normal.z > 0 else -normal
    hit = world.cast_ray(top + Vector((0.0, 0.0, 3.0)), DOWN, 3.5)
    assert tuple(hit.position) == pytest.approx(tuple(top), abs=1e-4)
    assert hit.normal.angle(normal) < radians(0.1)
    assert hit.distance == pytest.approx(3.0, abs=1e-4)
    assert world.cast_ray(top + Vector((0.0, 0.0, 3.0)), DOWN, 2.99) is None
    assert world.height_below(*(top + Vector((0.0, 0.0, 3.0))), 3.5) == hit.position.z
    assert world.height_below(*(top + Vector((0.0, 0.0, 3.0))), 2.99) is None
    near = world.nearest(top + normal * 0.1, 1.0)
    assert near.distance == pytest.approx(0.1, abs=1e-4)
    assert near.normal.angle(normal) < radians(0.1)


@pytest.mark.parametrize(
    "hide", ["hide_viewport", "hide_render", "collection.hide_viewport", "collection.hide_render", "exclude", "parent"]
)
def test_what_is_hidden_for_render_or_viewport_is_no_ground(scene_world, hide):
    outer = collection("Outer")
    inner = collection("Inner", outer)
    ob = grid(collection=inner)
    if hide == "exclude":
        bpy.context.view_layer.layer_collection.children["Outer"].exclude = True
    elif hide == "parent":
        outer.hide_render = True
    elif hide.startswith("collection."):
        setattr(inner, hide.split(".")[1], True)
    else:
        setattr(ob, hide, True)
    assert height(filled(scene_world)) is None


def test_the_eye_icon_does_not_count(scene_world):
    ob = grid()
    hidden = grid("Other", size=1.0, collection=collection("Eye"))
    hidden.location.z = 1.0
    ob.hide_set(True)
    bpy.context.view_layer.layer_collection.children["Eye"].hide_viewport = True
    world = filled(scene_world)
    assert (height(world, 5.0, 5.0), height(world)) == (pytest.approx(0.0), pytest.approx(1.0))


def test_an_object_in_a_hidden_and_a_shown_collection_is_ground(scene_world):
    ob = grid(collection=collection("Hidden"))
    bpy.data.collections["Hidden"].hide_render = True
    collection("Shown").objects.link(ob)
    assert height(filled(scene_world)) == pytest.approx(0.0)


def test_excluded_objects_are_ground_only_in_a_chosen_collection(scene_world):
    chosen = collection("Level")
    ob = grid(collection=chosen)
    other = grid("Other")
    other.location.z = 2.0
    assert height(filled(scene_world, excluded=frozenset({other.session_uid}))) == pytest.approx(0.0)
    level = {"ground": chosen.session_uid, "excluded": frozenset({ob.session_uid})}
    assert height(filled(scene_world, **level)) == pytest.approx(0.0)
    ob.hide_render = True
    assert height(filled(scene_world, **level)) == pytest.approx(0.0)


def test_modifiers_count_as_the_viewport_shows_them(scene_world):
    ob = cube()
    array = ob.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 3, (1.0, 0.0, 0.0)
    assert height(filled(scene_world), x=2.2) == pytest.approx(0.5)
    array.show_viewport = False
    assert height(filled(scene_world), x=2.2) is None


@pytest.mark.parametrize("eye", [False, True])
def test_an_instanced_collection_is_ground_though_its_source_is_hidden(scene_world, eye):
    tiles = collection("Tiles")
    cube("Tile", collection=tiles).location.z = 1.0
    bpy.context.view_layer.layer_collection.children["Tiles"].exclude = True
    for x in (0.0, 3.0):
        empty = bpy.data.objects.new("Instancer", None)
        bpy.context.scene.collection.objects.link(empty)
        empty.instance_type, empty.instance_collection = "COLLECTION", tiles
        empty.location = (x, 0.0, 0.2)
        empty.hide_set(eye)
    world = filled(scene_world)
    hits = [world.cast_ray(Vector((x, 0.0, 9.0)), DOWN, 20.0) for x in (0.0, 3.0)]
    assert [hit.position.z for hit in hits] == pytest.approx([1.7, 1.7])
    assert hits[0].surface != hits[1].surface
    bpy.data.objects["Instancer"].hide_render = True
    world.refresh(depsgraph(), 1)
    assert (height(world), height(world, 3.0)) == (None, pytest.approx(1.7))


def test_instances_of_geometry_nodes_are_ground(scene_world):
    source = cube("Step", size=0.5)
    source.hide_viewport = source.hide_render = False
    source.location.x = 50.0
    instance_nodes(grid("Points", size=2.0, cells=2), source)
    world = filled(scene_world)
    assert height(world, 2.0, 2.0) == pytest.approx(0.25)
    assert height(world, 2.0, 0.0) == pytest.approx(0.25)
    assert height(world, 1.0, 1.0) is None


def test_meshes_that_nodes_make_themselves_are_ground_where_they_are_instanced(scene_world):
    ob = grid("Points", size=2.0, cells=2)
    instance_nodes(ob, None)
    group = ob.modifiers[0].node_group
    block = group.nodes.new("GeometryNodeMeshCube")
    block.inputs["Size"].default_value = (0.4, 0.4, 1.0)
    spread = next(node for node in group.nodes if node.bl_idname == "GeometryNodeInstanceOnPoints")
    group.links.new(block.outputs[0], spread.inputs["Instance"])
    ob.location.z = 3.0
    world = filled(scene_world)
    assert [height(world, x, 2.0) for x in (-2.0, 0.0, 1.0)] == [pytest.approx(3.5), pytest.approx(3.5), None]
    surfaces = {world.cast_ray(Vector((x, 2.0, 9.0)), DOWN, 20.0).surface for x in (-2.0, 0.0, 2.0)}
    assert len(surfaces) == 3


def test_what_is_instanced_on_vertices_is_ground_there_and_not_at_its_source(scene_world):
    ob = grid("Points", size=2.0, cells=1)
    ob.instance_type = "VERTS"
    ob.show_instancer_for_viewport = False
    source = cube("Step", size=0.5)
    source.parent = ob
    world = filled(scene_world)
    assert (height(world, 2.0, 2.0), height(world)) == (pytest.approx(0.25), None)


def test_a_large_mesh_answers_as_a_small_one(scene_world):
    ob = grid("Terrain", size=10.0, cells=150)
    places = np.empty(len(ob.data.vertices) * 3, np.float32)
    ob.data.vertices.foreach_get("co", places)
    places = places.reshape(-1, 3)
    places[:, 2] = 0.3 * np.cos(places[:, 0] * pi / 2) * np.cos(places[:, 1] * pi / 2)
    ob.data.vertices.foreach_set("co", places.ravel())
    ob.data.update()
    ob.rotation_euler.z, ob.location = 0.4, (1.0, 2.0, 3.0)
    even = height(filled(scene_world), 1.5, 2.5)
    ob.data.transform(Matrix.Diagonal((0.5, 2.0, 1.0, 1.0)))
    ob.scale = (2.0, 0.5, 1.0)
    assert height(filled(scene_world), 1.5, 2.5) == pytest.approx(even, abs=1e-5)
    local = Matrix.Rotation(-0.4, 3, "Z") @ Vector((0.5, 0.5, 0.0))
    assert even == pytest.approx(3.0 + 0.3 * cos(local.x * pi / 2) * cos(local.y * pi / 2), abs=2e-3)


def test_a_tree_is_built_once_and_again_only_after_an_edit(scene_world):
    ob = grid("Terrain", cells=150)
    small = cube()
    world = filled(scene_world)
    assert world.shapes.builds == 2
    for frame in (2, 3, 9):
        assert not advance(world, frame)
    assert world.shapes.builds == 2
    ob.data.vertices[0].co.z += 1.0
    ob.data.update()
    assert world.refresh(depsgraph(), 9, {ob.session_uid})
    assert world.shapes.builds == 3
    small.location.z = 4.0
    assert world.refresh(depsgraph(), 9, {small.session_uid})
    assert world.shapes.builds == 4
    assert height(world) == pytest.approx(4.5)


def test_the_signature_follows_still_ground_and_who_moves(scene_world):
    ob, lift = grid(), cube("Lift")
    key(lift, "location", 1, (0.0, 0.0, 1.0))
    key(lift, "location", 9, (0.0, 0.0, 3.0))
    world = filled(scene_world)
    first = world.signature()
    advance(world, 5)
    assert world.signature() == first
    ob.location.z = 0.1
    advance(world, 5)
    moved = world.signature()
    assert moved != first
    bpy.data.objects.remove(lift)
    assert advance(world, 5)
    assert world.signature() != moved


def staircase(rise=0.17, tread=0.30, count=12, start=1.0):
    """The mesh of core's Stairs, 4 m wide, with a metre and more before and after."""
    profile = [(start - 3.0, 0.0), (start, 0.0)]
    for k in range(count):
        profile += [(start + k * tread, (k + 1) * rise), (start + (k + 1) * tread, (k + 1) * rise)]
    profile[-1] = (profile[-1][0] + 3.0, profile[-1][1])
    mesh = bpy.data.meshes.new("Stairs")
    places = [(x, -s, z) for s, z in profile for x in (-2.0, 2.0)]
    mesh.from_pydata(places, [], [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(profile) - 1)])
    return link("Stairs", mesh)


@pytest.mark.parametrize("moving", [False, True])
def test_a_mesh_of_stairs_answers_feet_and_bodies_as_the_exact_stairs_do(scene_world, moving):
    from surefoot.core.world.probe import find_ground, slope_under
    from surefoot.core.world.solids import Stairs

    ob, exact = staircase(), Stairs(count=12)
    if moving:
        key(ob, "location", 1, (0.0, 0.0, 0.0))
    world = filled(scene_world)
    for k in range(120):
        s = 0.5 + 0.0371 * k
        height_there = exact.height(0.0, -s)
        mine, true = (find_ground(w, 0.1, -s, height_there - 0.1) for w in (world, exact))
        assert tuple(mine.position) == pytest.approx(tuple(true.position), abs=1e-5)
        assert tuple(mine.normal) == pytest.approx(tuple(true.normal), abs=1e-5)
        mine, true = (slope_under(w, (0.1, -s, height_there, 0.4), 0.9) for w in (world, exact))
        assert mine[:3] == pytest.approx(true[:3], abs=1e-4)
        # A sphere that grazes an edge stops 1e-5 m off it, which is more along its way.
        sphere = (Vector((0.0, -s, height_there + 1.0)), DOWN, 3.0, 0.05)
        assert world.cast_sphere(*sphere).distance == pytest.approx(exact.cast_sphere(*sphere).distance, abs=3e-4)


def test_a_sphere_rests_on_both_rims_of_a_gap_between_meshes(scene_world):
    for x in (-5.01, 5.01):
        grid(f"Half{x}", size=5.0).location.x = x
    world = filled(scene_world)
    assert world.cast_ray(Vector((0.0, 0.0, 1.0)), DOWN, 9.0) is None
    hit = world.cast_sphere(Vector((0.0, 0.0, 1.0)), DOWN, 9.0, 0.03)
    assert 1.0 - hit.distance == pytest.approx(sqrt(0.03**2 - 0.01**2), abs=1e-4)


def test_a_capsule_fits_beside_a_wall_and_not_in_it(scene_world):
    cube(size=2.0)
    world = filled(scene_world)
    assert world.capsule_fits(Vector((1.4, 0.0, -0.5)), Vector((1.4, 0.0, 0.5)), 0.35)
    assert not world.capsule_fits(Vector((1.3, 0.0, -0.5)), Vector((1.3, 0.0, 0.5)), 0.35)


def test_of_two_surfaces_the_nearer_one_answers_still_or_moving(scene_world):
    grid()
    lift = cube("Lift")
    key(lift, "location", 1, (0.0, 0.0, 1.0))
    world = filled(scene_world)
    assert (height(world), height(world, 3.0, 3.0)) == (pytest.approx(1.5), pytest.approx(0.0))
    assert world.nearest(Vector((0.0, 0.0, 0.1)), 9.0).distance == pytest.approx(0.1)
    assert world.nearest(Vector((0.0, 0.0, 1.7)), 9.0).surface == lift.session_uid


def test_an_anchor_of_a_removed_surface_is_nowhere(scene_world):
    ob = grid()
    world = filled(scene_world)
    anchor = world.anchor(world.cast_ray(Vector((0.0, 0.0, 1.0)), DOWN, 9.0))
    assert world.locate(anchor).position == Vector()
    bpy.data.objects.remove(ob)
    advance(world, 1)
    assert world.locate(anchor) is None


def test_a_scene_in_centimetres_is_answered_in_metres(scene_world):
    ob = grid(size=1000.0)
    ob.location.z = 25.0
    assert height(filled(scene_world, metres_per_unit=0.01)) == pytest.approx(0.25)


@pytest.mark.parametrize("scale", [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0)])
def test_ground_scaled_to_nothing_is_left_out(scene_world, scale):
    cube().scale = scale
    assert height(filled(scene_world)) is None
