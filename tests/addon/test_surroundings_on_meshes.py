"""Area awareness over Blender meshes: turned, round, rough, open, doubled, with faces turned over."""

from __future__ import annotations

from math import cos, radians, sin
from random import Random

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector, noise
from support.stage import add_ground
from support.surroundings import CONFIG, stance
from surefoot.addon.scene_world import SceneWorld
from surefoot.core.world.asking import MOST_CAPSULES, MOST_RAYS
from surefoot.core.world.surroundings import Surroundings, look


def world() -> SceneWorld:
    bpy.context.view_layer.update()
    made = SceneWorld()
    made.refresh(bpy.context.evaluated_depsgraph_get(), 1)
    return made


def add_box(size: tuple[float, float, float], place: tuple[float, float, float], turn=(0.0, 0.0, 0.0)):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place, rotation=Euler(turn))
    bpy.context.object.scale = size
    return bpy.context.object


def edited(change) -> None:
    """Change the mesh of the active object."""
    mesh = bmesh.new()
    mesh.from_mesh(bpy.context.object.data)
    change(mesh)
    mesh.to_mesh(bpy.context.object.data)
    mesh.free()


def scanned(amount: float, seed: int = 0) -> None:
    """The active box as a scan has it: its surface a few centimetres rough, its corners worn."""
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)

    def roughen(mesh: bmesh.types.BMesh) -> None:
        for _ in range(2):
            bmesh.ops.triangulate(mesh, faces=mesh.faces[:])
            longest = [edge for edge in mesh.edges if edge.calc_length() > 0.15]
            bmesh.ops.subdivide_edges(mesh, edges=longest, cuts=3, use_grid_fill=True)
        offset = Vector((seed * 7.3, 1.7, 0.4))
        noise.seed_set(1 + seed)  # else it is another surface in every process
        for vertex in mesh.verts:
            vertex.co += amount * noise.noise_vector(vertex.co * 4.0 + offset)

    edited(roughen)


def seen(name: str = "WALK", heading: float = 0.0, feet=(0.0, 0.0, 0.0)) -> Surroundings:
    found = look(world(), stance(feet, heading), name, CONFIG)
    assert found.rays <= MOST_RAYS
    assert found.capsules <= MOST_CAPSULES
    return found


@pytest.mark.parametrize("degrees", [0.0, 25.0, 50.0, 140.0])
def test_a_turned_box_is_met_square_to_its_own_face(degrees: float):
    add_ground()
    turn = radians(degrees)
    add_box((3.0, 0.3, 1.0), (0.65 * sin(turn), -0.65 * cos(turn), 0.5), (0.0, 0.0, turn))
    found = seen(heading=turn)
    assert found.verdict == "VAULT"
    assert found.face.normal == pytest.approx((-sin(turn), cos(turn), 0.0), abs=1e-4)
    assert found.face.gap == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("tilt", [-8.0, 8.0])
def test_a_box_that_leans_is_climbed_to_the_edge_it_has(tilt: float):
    add_ground()
    add_box((3.0, 3.0, 1.5), (0.0, -2.1, 0.7), (radians(tilt), 0.0, 0.0))
    found = seen()
    assert found.verdict == "CLIMB"
    edge = Vector(found.top.edge)
    assert world().nearest(edge, 0.06) is not None


def test_a_boulder_is_climbed_over_its_round_rim():
    add_ground()
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.6, segments=32, ring_count=24, location=(0.0, -2.0, -0.2))
    found = seen("SPRINT")
    assert found.verdict in {"CLIMB", "EDGE", "REFUSED"}
    if found.verdict != "CLIMB":
        assert found.reason


@pytest.mark.parametrize("radius", [0.4, 1.2])
def test_a_round_column_s_normal_is_that_of_the_place_where_it_is_met(radius: float):
    add_ground()
    bpy.ops.mesh.primitive_cylinder_add(radius=radius, depth=2.4, vertices=96, location=(0.0, -0.55 - radius, 0.2))
    found = seen(feet=(0.1, 0.0, 0.0))
    assert found.verdict == "CLIMB"
    nx, ny, _ = found.face.normal
    out = Vector((found.face.place[0], found.face.place[1] + 0.55 + radius)).normalized()
    assert (nx, ny) == pytest.approx(tuple(out), abs=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_rough_fences_and_blocks_are_what_smooth_ones_are(seed: int):
    add_ground()
    chance = Random(seed)
    wall = chance.choice([0.0, 0.2, -0.2])
    add_box((3.0, 0.3, 1.0), (0.0, -0.7, 0.45), (0.0, 0.0, wall))
    scanned(0.03, seed)
    assert seen().verdict == "VAULT"
    bpy.data.objects.remove(bpy.context.object)
    add_box((3.0, 3.0, 1.6), (0.0, -2.1, 0.75), (0.0, 0.0, wall))
    scanned(0.04, seed)
    found = seen()
    assert found.verdict == "CLIMB"
    assert found.top.edge[2] == pytest.approx(1.55, abs=0.08)


def test_faces_that_are_turned_over_are_as_good_as_others():
    for flip in (lambda _: True, lambda face: face.index % 2 == 0, lambda face: face.normal.z > 0.5):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        add_ground()
        add_box((3.0, 0.3, 1.0), (0.0, -0.7, 0.45))
        edited(lambda mesh, flip=flip: bmesh.ops.reverse_faces(mesh, faces=[f for f in mesh.faces if flip(f)]))
        assert seen().verdict == "VAULT"


def test_a_single_sheet_is_a_fence_from_either_side():
    add_ground()
    bpy.ops.mesh.primitive_plane_add(size=2.0, location=(0.0, -0.6, 0.0), rotation=(radians(90.0), 0.0, 0.0))
    assert seen().verdict == "VAULT"
    assert seen(heading=radians(180.0), feet=(0.0, -1.2, 0.0)).verdict == "VAULT"


def test_the_inside_of_something_large_is_no_place_to_land():
    # The ray down behind the fence passes the house's roof and meets its floor; no surface is near the body there.
    add_ground()
    add_box((3.0, 0.1, 1.0), (0.0, -0.65, 0.5))
    add_box((12.0, 12.0, 8.0), (0.0, -7.2, 3.9))
    found = seen()
    assert found.verdict == "EDGE"
    assert found.reason == "There is no room to land behind it."


def test_open_and_doubled_meshes_are_what_they_look_like():
    def without_bottom(mesh: bmesh.types.BMesh) -> None:
        bmesh.ops.delete(mesh, geom=[face for face in mesh.faces if face.normal.z < -0.5], context="FACES")

    for change in (without_bottom, lambda mesh: bmesh.ops.duplicate(mesh, geom=mesh.faces[:])):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        add_ground()
        add_box((3.0, 3.0, 1.6), (0.0, -2.1, 0.75))
        edited(change)
        assert seen().verdict == "CLIMB"
        assert seen("AIR").verdict == "CLIMB"


def test_stairs_and_hills_of_a_terrain_are_walked():
    line = np.linspace(-6.0, 6.0, 80)
    x, y = (side.ravel() for side in np.meshgrid(line, line))
    k = np.arange(79)
    first = (k[:, None] * 80 + k).ravel()
    quads = np.stack([first, first + 1, first + 81, first + 80], axis=1)
    mesh = bpy.data.meshes.new("Terrain")
    mesh.from_pydata(np.stack([x, y, 0.5 * np.sin(1.2 * x) * np.cos(1.2 * y)], 1).tolist(), [], quads.tolist())
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Terrain", mesh))
    ground = world()
    for turn in np.linspace(0.0, 6.0, 12):
        here = ground.height_below(0.3, 0.2, 5.0, 9.0)
        found = look(ground, stance((0.3, 0.2, here), turn), "SPRINT", CONFIG)
        assert found.verdict == "NOTHING"


@pytest.mark.parametrize("seed", range(2))
def test_whatever_lies_about_a_way_that_is_promised_is_free(seed: int):
    """Random heaps of turned and rough things: where a look says vault or climb, a tucked body passes over the top."""
    add_ground()
    chance = Random(seed)
    for _ in range(26):
        size = tuple(chance.uniform(0.2, 2.2) for _ in range(3))
        turn = tuple(chance.uniform(-0.3, 0.3) for _ in range(2))
        place = (chance.uniform(-6.0, 6.0), chance.uniform(-6.0, 6.0), chance.uniform(0.0, 1.0))
        add_box(size, place, (*turn, chance.uniform(0.0, 6.0)))
        if chance.random() < 0.2:
            scanned(0.03, seed)
    ground, said = world(), {}
    for _ in range(400):
        x, y = chance.uniform(-6.0, 6.0), chance.uniform(-6.0, 6.0)
        if not ground.capsule_fits(Vector((x, y, 0.7)), Vector((x, y, 1.45)), 0.35):
            continue
        found = look(ground, stance((x, y, 0.0), chance.uniform(0.0, 6.3)), "SPRINT", CONFIG)
        assert found.rays <= MOST_RAYS
        said[found.verdict] = said.get(found.verdict, 0) + 1
        crossing = found.crossing
        spot = crossing and (crossing.landing or crossing.stand)
        if not spot:
            continue
        feet = Vector(spot.place)
        assert ground.capsule_fits(feet + Vector((0.0, 0.0, 0.7)), feet + Vector((0.0, 0.0, 1.45)), 0.3)
        under = ground.cast_ray(feet + Vector((0.0, 0.0, 0.5)), Vector((0.0, 0.0, -1.0)), 0.6)
        assert under is not None and under.normal.z > 0.7
        assert abs(under.position.z - feet.z) < 1e-3
    assert {"VAULT", "CLIMB"} <= set(said), said
