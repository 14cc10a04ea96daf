"""The walking capsule over Blender meshes: terrain, scraps, doubled and missing faces, thin walls."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector
from surefoot.addon.scene_world import SceneWorld
from surefoot.core.control.capsule import move, put
from surefoot.core.control.capsule_memory import CapsuleMemory, Wish
from surefoot.core.control.movement import MovementConfig

CONFIG, RATE = MovementConfig(), 48
SIZE = 12.0
KINDS = ("CUBE", "CYLINDER", "BALL", "TORUS", "SHEET", "CONE", "DOUBLED", "OPEN")


def add_terrain(cells: int, height: float = 0.12, size: float = 28.0) -> None:
    line = np.linspace(-0.5 * size, 0.5 * size, cells + 1)
    x, y = (side.ravel() for side in np.meshgrid(line, line))
    k = np.arange(cells)
    first = (k[:, None] * (cells + 1) + k).ravel()
    quads = np.stack([first, first + 1, first + cells + 2, first + cells + 1], axis=1)
    mesh = bpy.data.meshes.new("Terrain")
    mesh.from_pydata(np.stack([x, y, height * np.sin(1.3 * x) * np.cos(1.1 * y)], 1).tolist(), [], quads.tolist())
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Terrain", mesh))


def add_cube(place: tuple[float, float, float], size: tuple[float, float, float]) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    bpy.context.object.scale = size
    return bpy.context.object


def edited(change) -> None:
    """Change the mesh of the active object."""
    mesh = bmesh.new()
    mesh.from_mesh(bpy.context.object.data)
    mesh.faces.ensure_lookup_table()
    change(mesh)
    mesh.to_mesh(bpy.context.object.data)
    mesh.free()


def add_obstacle(kind: str, chance: Random, x: float, y: float) -> None:
    place = (x, y, chance.uniform(-0.2, 0.8))
    turn = Euler((chance.uniform(-0.4, 0.4), chance.uniform(-0.4, 0.4), chance.uniform(0.0, 6.0)))
    add = bpy.ops.mesh
    if kind == "CUBE":
        add.primitive_cube_add(size=chance.uniform(0.3, 2.5), location=place, rotation=turn)
    elif kind == "CYLINDER":
        add.primitive_cylinder_add(radius=chance.uniform(0.1, 1.0), depth=2.0, location=place, rotation=turn)
    elif kind == "BALL":
        add.primitive_ico_sphere_add(radius=chance.uniform(0.2, 1.2), subdivisions=3, location=place)
    elif kind == "TORUS":
        add.primitive_torus_add(major_radius=0.8, minor_radius=0.2, location=place, rotation=turn)
    elif kind == "SHEET":
        add.primitive_plane_add(size=2.0, location=(x, y, 0.7), rotation=(0.5 * pi, 0.0, turn.z))
    elif kind == "CONE":
        add.primitive_cone_add(radius1=0.7, depth=1.4, location=place)
    else:
        add.primitive_cube_add(size=1.3, location=(x, y, 0.5))
        if kind == "DOUBLED":
            edited(lambda mesh: bmesh.ops.duplicate(mesh, geom=mesh.faces[:]))
        else:
            face = chance.randrange(6)
            edited(lambda mesh: bmesh.ops.delete(mesh, geom=[mesh.faces[face]], context="FACES"))


def obstacle_world(seed: int) -> SceneWorld:
    """A walled terrain with thirty things on it."""
    chance = Random(seed)
    add_terrain(60)
    for side in (-1.0, 1.0):
        add_cube((side * (SIZE + 0.5), 0.0, 1.0), (1.0, 26.0, 6.0))
        add_cube((0.0, side * (SIZE + 0.5), 1.0), (26.0, 1.0, 6.0))
    for k in range(30):
        x, y = chance.uniform(-11.0, 11.0), chance.uniform(-11.0, 11.0)
        if hypot(x, y) > 2.2:
            add_obstacle(KINDS[k % len(KINDS)], chance, x, y)
    return world()


def world() -> SceneWorld:
    bpy.context.view_layer.update()
    made = SceneWorld()
    made.refresh(bpy.context.evaluated_depsgraph_get(), 1)
    return made


def inside(ground: SceneWorld, memory: CapsuleMemory) -> float:
    """How deep the body stands in anything, metres."""
    x, y, z = memory.feet
    span = memory.height - 2.0 * CONFIG.radius
    hits = [ground.nearest(Vector((x, y, z + CONFIG.radius + span * k / 7)), CONFIG.radius) for k in range(8)]
    return max((CONFIG.radius - hit.distance for hit in hits if hit is not None), default=0.0)


@pytest.mark.parametrize("seed", range(3))
def test_a_random_walk_among_obstacles_ends_in_none_of_them_and_gets_about(seed: int):
    ground, chance = obstacle_world(seed), Random(1000 + seed)
    memory, way, heading, speed = put((0.0, 0.0, 0.3), CONFIG, ground), 0.0, chance.uniform(0.0, 6.3), 3.0
    for tick in range(20 * RATE):
        if tick % RATE == 0:
            heading += chance.uniform(-1.5, 1.5)
        before = memory.feet
        wish = Wish((speed * cos(heading), speed * sin(heading)), jump=chance.random() < 0.01)
        move(memory, wish, CONFIG, ground, 1.0 / RATE)
        way += hypot(memory.feet[0] - before[0], memory.feet[1] - before[1])
        if tick % 8 == 0:
            assert inside(ground, memory) < 0.06
    assert inside(ground, memory) < 0.01
    assert max(abs(memory.feet[0]), abs(memory.feet[1])) < SIZE
    assert memory.feet[2] > -0.5
    assert way > 0.2 * speed * 20.0


def test_on_a_terrain_of_two_hundred_thousand_triangles_it_never_leaves_the_ground():
    add_terrain(320)
    ground = world()
    memory = put((0.0, 0.0, 0.1), CONFIG, ground)
    for tick in range(8 * RATE):
        move(memory, Wish((1.4 * cos(0.01 * tick), 1.4 * sin(0.01 * tick))), CONFIG, ground, 1.0 / RATE)
        assert memory.state == "ON_GROUND"


def test_across_seams_of_meshes_that_only_touch_it_never_leaves_the_ground():
    for k in range(6):
        bpy.ops.mesh.primitive_plane_add(size=1.0, location=(0.0, -0.5 - k, 0.0))
    ground = world()
    memory = put((0.0, -0.4, 0.0), CONFIG, ground)
    for _ in range(3 * RATE):
        move(memory, Wish((0.0, -1.4)), CONFIG, ground, 1.0 / RATE)
        assert memory.state == "ON_GROUND"
        assert abs(memory.feet[2]) < 1e-4


@pytest.mark.parametrize("rate", [24, 30, 60, 120])
def test_a_single_sheet_stops_a_sprint_from_either_side(rate: int):
    bpy.ops.mesh.primitive_plane_add(size=40.0)
    bpy.ops.mesh.primitive_plane_add(size=6.0, location=(0.0, -3.0, 1.0), rotation=(0.5 * pi, 0.0, 0.0))
    ground = world()
    for start, way in ((0.0, -9.0), (-6.0, 9.0)):
        memory = put((0.0, start, 0.0), CONFIG, ground)
        for _ in range(2 * rate):
            move(memory, Wish((0.0, way)), CONFIG, ground, 1.0 / rate)
        assert abs(memory.feet[1] + 3.0) == pytest.approx(CONFIG.radius + CONFIG.padding, abs=2e-3)


def test_put_into_a_closed_mesh_it_comes_out_of_it():
    bpy.ops.mesh.primitive_plane_add(size=40.0)
    add_cube((0.0, 0.0, 1.0), (2.0, 2.0, 4.0))
    ground = world()
    memory = put((0.6, 0.1, 0.0), CONFIG, ground)
    for _ in range(RATE):
        move(memory, Wish(), CONFIG, ground, 1.0 / RATE)
    assert memory.feet[0] == pytest.approx(1.0 + CONFIG.radius + CONFIG.padding, abs=0.03)
    assert inside(ground, memory) < 1e-3
