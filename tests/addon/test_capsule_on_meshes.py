"""The walking capsule over Blender meshes: terrain, scraps, doubled and missing faces, thin walls."""

from __future__ import annotations

from math import cos, pi, sin

import bpy
import numpy as np
import pytest
from support.obstacle_field import judge_of, ring_of
from support.random_walk import add_things
from surefoot.addon.scene_world import SceneWorld
from surefoot.core.control.capsule import move, put
from surefoot.core.control.capsule_memory import CapsuleMemory, Wish
from surefoot.core.control.movement import MovementConfig

CONFIG, RATE = MovementConfig(), 48
RATES = (24, 30, 60, 120)


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


def world() -> SceneWorld:
    bpy.context.view_layer.update()
    made = SceneWorld()
    made.refresh(bpy.context.evaluated_depsgraph_get(), 1)
    return made


def test_on_a_terrain_of_two_hundred_thousand_triangles_it_never_leaves_the_ground_at_any_rate():
    add_terrain(320)
    ground = world()
    for rate in RATES:
        for speed in (1.4, 6.0):
            memory = put((0.0, 0.0, 0.1), CONFIG, ground)
            for tick in range(2 * rate):
                way = 0.5 * tick / rate
                move(memory, Wish((speed * cos(way), speed * sin(way))), CONFIG, ground, 1.0 / rate)
                x, y, z = memory.feet
                assert memory.state == "ON_GROUND"
                assert z > 0.12 * sin(1.3 * x) * cos(1.1 * y) - 1e-2


@pytest.mark.parametrize("kind", ["SHEET", "LEANING", "DOUBLED", "OPEN", "SCRAPS"])
def test_at_a_sprint_it_never_goes_through_anything_at_any_rate(kind: str):
    things = ring_of(kind, 5)
    ground, judge = add_things(things), judge_of(things)
    assert len(things) > 10
    for rate in RATES:
        for k in range(4):
            memory = put((0.0, 0.0, 0.05), CONFIG, ground)
            wish = Wish((9.0 * cos(0.5 * pi * k + rate), 9.0 * sin(0.5 * pi * k + rate)))
            for _ in range(round(0.6 * rate)):
                before = axis(memory)
                move(memory, wish, CONFIG, ground, 1.0 / rate)
                assert not any(judge.is_crossed(a, b) for a, b in zip(before, axis(memory), strict=True))
            assert judge.depth(memory.feet, memory.height, CONFIG.radius) < 1e-3


def axis(memory: CapsuleMemory) -> tuple[tuple[float, float, float], ...]:
    x, y, z = memory.feet
    return (x, y, z + CONFIG.radius), (x, y, z + memory.height - CONFIG.radius)


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
