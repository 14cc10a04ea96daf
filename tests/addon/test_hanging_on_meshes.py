"""Edges and walls that are Blender meshes: turned, rough as from a scan, thin, moving, over a floor turned over."""

from __future__ import annotations

from math import cos, pi, sin

import bmesh
import bpy
import pytest
from mathutils import Vector, noise
from support.clinger import LEG, Clinger, hung
from support.ledges import FACE, TOP, turned
from support.roaming import Roamer, walls
from support.stage import add_ground
from surefoot.addon.scene_world import SceneWorld
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.space.angles import turn_between

HANG = ParkourConfig().hang
MOVEMENT = MovementConfig()
OUT = MOVEMENT.radius + MOVEMENT.padding
LEFT, AHEAD = (1.0, 0.0), (0.0, -1.0)
DEEPEST = 0.02


def world(frame: int = 1) -> SceneWorld:
    bpy.context.view_layer.update()
    made = SceneWorld()
    made.refresh(bpy.context.evaluated_depsgraph_get(), frame)
    return made


def add_box(low, high, angle: float = 0.0) -> bpy.types.Object:
    """A box between two corners, turned about Z of the scene."""
    middle, size = (Vector(low) + Vector(high)) / 2.0, Vector(high) - Vector(low)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(*turned(middle.x, middle.y, angle), middle.z))
    box = bpy.context.object
    box.scale, box.rotation_euler.z = size, angle
    return box


def roughen(amount: float) -> None:
    """The active box as a scan has it: rough by so much, its corners worn."""
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    mesh = bmesh.new()
    mesh.from_mesh(bpy.context.object.data)
    for _ in range(2):
        bmesh.ops.triangulate(mesh, faces=mesh.faces[:])
        longest = [edge for edge in mesh.edges if edge.calc_length() > 0.2]
        bmesh.ops.subdivide_edges(mesh, edges=longest, cuts=3, use_grid_fill=True)
    noise.seed_set(1)  # else it is another wall in every process
    for vertex in mesh.verts:
        vertex.co += amount * noise.noise_vector(vertex.co * 3.0)
    mesh.to_mesh(bpy.context.object.data)
    mesh.free()


def along(body: Clinger) -> Clinger:
    """One tick along the wall, to the left."""
    return body.tick((cos(body.heading), sin(body.heading)))


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.3])
def test_it_goes_around_a_block_that_stands_askew(angle: float):
    add_ground()
    add_box((-1.0, FACE - 2.0, 0.0), (1.0, FACE, TOP), angle)
    body = hung(world(), angle=angle)
    turn = 0.0
    for _ in range(9 * 60):
        before = body.heading
        body.tick(turned(*LEFT, angle))
        turn += turn_between(before, body.heading)
    assert turn < -2.0 * pi
    assert body.deepest < DEEPEST


@pytest.mark.parametrize("amount", [0.02, 0.05, 0.08])
def test_it_goes_along_a_wall_from_a_scan_and_around_its_corner(amount: float):
    add_ground()
    add_box((-2.0, FACE - 3.0, 0.0), (2.0, FACE, TOP))
    roughen(amount)
    ground = world()
    body = hung(ground)
    far = 0.0
    for _ in range(4 * 60):
        along(body)
        for limb in ("hand.L", "hand.R"):
            hand = body.contact(limb)
            if hand is not None and hand.weight >= 1.0 and body.memory.step == "":
                far = max(far, ground.nearest(Vector(hand.place), 1.0).distance)
    assert "CORNER" in {step for _, step in body.states}
    assert body.state == "HANGING"
    assert body.deepest < DEEPEST
    assert far < 0.02


def test_a_thin_wall_of_a_mesh_is_hung_from_and_not_climbed():
    add_ground()
    add_box((-3.0, FACE - 0.1, 0.0), (3.0, FACE, TOP))
    body = hung(world())
    body.tick(AHEAD, go_up=True).go(0.3, AHEAD)
    assert body.parts[-1] == ("HANGING", "")


def test_a_floor_whose_faces_are_turned_over_is_no_inside():
    floor = add_ground()
    floor.data.flip_normals()
    add_box((-3.0, FACE - 2.0, 0.0), (3.0, FACE, TOP))
    assert hung(world()).feet == pytest.approx((0.0, FACE + OUT, TOP - HANG.below), abs=1e-4)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_half_and_double_sizes_hang_from_meshes_of_their_size(scale: float):
    add_ground()
    add_box((-3.0 * scale, (FACE - 2.0) * scale, 0.0), (3.0 * scale, FACE * scale, TOP * scale))
    body = hung(world(), leg=LEG * scale).go(1.0, LEFT)
    assert body.feet[1:] == pytest.approx(((FACE + OUT) * scale, (TOP - HANG.below) * scale), abs=1e-4)
    assert body.deepest < DEEPEST


def test_it_leaps_between_blocks_of_a_mesh():
    add_ground()
    add_box((-3.0, FACE - 1.0, 0.0), (0.5, FACE, TOP))
    add_box((1.7, FACE - 1.0, 0.0), (4.0, FACE, TOP + 0.6))
    body = hung(world()).tick(LEFT, go_up=True).go(1.0, until=lambda b: b.state != "LEAPING")
    assert body.feet == pytest.approx((2.4, FACE + OUT, TOP + 0.6 - HANG.below), abs=0.02)


@pytest.mark.parametrize(("angle", "amount"), [(0.0, 0.0), (0.7, 0.0), (0.0, 0.04)])
def test_it_runs_along_walls_of_meshes(angle: float, amount: float):
    add_ground()
    add_box((-1.7, -12.0, 0.0), (-0.7, 3.0, 6.0), angle)
    if amount:
        roughen(amount)
    way = turned(*AHEAD, angle)
    body = Clinger(
        world(), (0.0, 0.0, 0.6), heading=angle, aloft=True, velocity=(way[0] * 5.0, way[1] * 5.0, 3.0)
    ).tick(way)
    ticks = 1
    while body.state == "WALL_RUNNING":
        body.tick(way)
        ticks += 1
    assert ticks / 60.0 == pytest.approx(ParkourConfig().wall_run.longest, abs=0.02)
    assert body.deepest < DEEPEST


def test_it_rides_the_edge_of_an_object_that_is_keyed():
    add_ground()
    box = add_box((-3.0, FACE - 2.0, 0.0), (3.0, FACE, TOP))
    box.keyframe_insert("location", frame=20)
    box.location.x += 1.0
    box.keyframe_insert("location", frame=50)
    ground = SceneWorld()
    scene = bpy.context.scene

    def show(frame: int) -> None:
        scene.frame_set(frame)
        ground.refresh(bpy.context.evaluated_depsgraph_get(), frame)

    show(1)
    body = hung(ground, 24)
    off = body.feet[0] - box.matrix_world.translation.x
    for frame in range(2, 61):
        show(frame)
        body.tick()
        assert body.state == "HANGING"
        assert body.feet[0] - box.matrix_world.translation.x == pytest.approx(off, abs=1e-4)
    assert body.feet[0] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("seed", range(1, 5))
def test_whoever_climbs_about_in_a_random_level_is_never_deep_in_a_wall_nor_loses_hold(seed: int):
    add_ground(200.0)
    for (sx, sy, sz), (x, y), low, turn, lean in walls(seed):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(x, y, low + 0.5 * sz), rotation=(lean, 0.0, turn))
        bpy.context.object.scale = (sx, sy, sz)
    roamer = Roamer(Clinger(world(), (0.0, 0.0, 0.0)), seed).roam(15.0)
    assert roamer.wrong == []
    assert "HANGING PULL_IN" in roamer.seen
