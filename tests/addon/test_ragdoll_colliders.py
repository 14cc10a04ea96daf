"""What a fall takes place among: ground as characters stand on it, rigid bodies as physics has them."""

from __future__ import annotations

from math import dist, radians

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.ragdoll_plans import lowest, person
from support.ragdoll_runs import FLAT, LIES, at_ease
from support.stage import add_person
from surefoot.addon.ground_mesh import Triangles, triangles_of
from surefoot.addon.physics_colliders import Colliders, Solid
from surefoot.addon.physics_gather import gather_colliders, loose_places, sample_colliders
from surefoot.addon.physics_run import PhysicsRun
from surefoot.addon.physics_shapes import box_of, facing_up, floor_of, hull_of, is_closed, near, pieces

ABOVE = (0.0, 0.0, 1.0)
TURN = (1.0, 0.0, 0.0, 0.0)


def world() -> bpy.types.Scene:
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    return scene


def rigid(kind: str, shape: str = "BOX", **settings: object) -> bpy.types.Object:
    bpy.ops.rigidbody.object_add(type=kind)
    body = bpy.context.object.rigid_body
    body.collision_shape = shape
    for name, value in settings.items():
        setattr(body, name, value)
    return bpy.context.object


def cube(place: tuple[float, float, float], **options: object) -> Triangles:
    mesh, made = bpy.data.meshes.new("Cube"), bmesh.new()
    bmesh.ops.create_cube(made, size=1.0)
    made.to_mesh(mesh)
    made.free()
    return triangles_of(mesh).moved(Matrix.Translation(place) @ options.get("turn", Matrix()))


def test_a_cube_is_a_box_however_it_is_turned_and_stretched() -> None:
    turn = Matrix.Rotation(0.7, 4, (1.0, 2.0, 0.5)) @ Matrix.Diagonal((1.0, 3.0, 0.25, 1.0))
    box = box_of(cube((4.0, -1.0, 2.0), turn=turn))
    assert box.place == pytest.approx((4.0, -1.0, 2.0), abs=1e-5)
    assert sorted(box.size) == pytest.approx([0.25, 1.0, 3.0], abs=1e-5)
    assert np.linalg.det(box.axes) == pytest.approx(1.0, abs=1e-6)


def test_what_is_sheared_is_no_box() -> None:
    shear = Matrix.Shear("XY", 4, (0.3, 0.0))
    assert box_of(cube(ABOVE, turn=shear)) is None


def test_a_flat_rectangle_is_a_floor_whatever_it_is_divided_into() -> None:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=7, y_subdivisions=3, size=2.0)
    tilt = Matrix.Translation((0.0, 0.0, 3.0)) @ Matrix.Rotation(radians(20.0), 4, "X") @ Matrix.Diagonal((5, 2, 1, 1))
    floor = floor_of(triangles_of(bpy.context.object.data).moved(tilt), 0.2)
    assert sorted(floor.size) == pytest.approx([0.2, 4.0, 10.0], abs=1e-4)
    assert floor.place + 0.1 * floor.axes[2] == pytest.approx((0.0, 0.0, 3.0), abs=1e-4)


def test_what_has_a_hole_or_hills_is_no_floor() -> None:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=2.0)
    whole = triangles_of(bpy.context.object.data)
    assert floor_of(Triangles(whole.places, whole.corners[2:]), 0.2) is None
    hilly = whole.places.copy()
    hilly[5, 2] += 0.2
    assert floor_of(Triangles(hilly, whole.corners), 0.2) is None


def test_pieces_are_told_apart() -> None:
    one, two = cube((0.0, 0.0, 0.0)), cube((3.0, 0.0, 0.0))
    both = Triangles(np.concatenate((one.places, two.places)), np.concatenate((one.corners, two.corners + 8)))
    assert [box_of(piece).place[0] for piece in pieces(both)] == pytest.approx([0.0, 3.0], abs=1e-6)


def test_open_ground_faces_up_and_closed_ground_is_told_from_it() -> None:
    bpy.ops.mesh.primitive_plane_add(size=2.0, rotation=(radians(180.0), 0.0, 0.0))
    plane = triangles_of(bpy.context.object.data).moved(bpy.context.object.matrix_basis)
    faces = facing_up(plane).places[facing_up(plane).corners]
    assert (np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])[:, 2] > 0.0).all()
    assert not is_closed(plane)
    assert is_closed(cube(ABOVE))


def test_a_hull_has_no_hollows_and_a_plane_has_no_hull() -> None:
    assert len(hull_of(np.concatenate((cube(ABOVE).places, [(0.0, 0.0, 1.0)]))).places) == 8
    assert hull_of(np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)])) is None


def test_far_ground_is_left_out() -> None:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=50, y_subdivisions=50, size=100.0)
    cut = near(triangles_of(bpy.context.object.data), np.array((20.0, 0.0, 0.0)), 10.0)
    assert 10.0 <= cut.places[:, 0].max() - 20.0 < 13.0
    assert len(cut.corners) < 400


def test_an_island_far_away_is_none() -> None:
    rig = add_person()
    bpy.ops.mesh.primitive_uv_sphere_add(radius=2.0, location=(300.0, 0.0, 0.0))
    bpy.context.scene.frame_set(1)
    assert gather_colliders(rig, bpy.context.scene, ABOVE).solids == ()


def test_ground_is_met_as_it_is_stood_on_and_bodies_by_their_shape() -> None:
    scene = world()
    rig = add_person()
    bpy.ops.mesh.primitive_plane_add(size=20.0)
    bpy.ops.mesh.primitive_torus_add(location=(3.0, 0.0, 0.2))
    rigid("PASSIVE", "CONVEX_HULL", friction=0.3)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, location=(0.0, -2.0, 2.0))
    rigid("ACTIVE", "SPHERE", mass=9.0)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 5.0, 0.5))
    rigid("ACTIVE", "CONVEX_HULL", kinematic=True)
    scene.frame_set(1)
    solids = gather_colliders(rig, scene, ABOVE).solids
    assert sorted((solid.kind, solid.shape) for solid in solids) == [
        ("ACTIVE", "SPHERE"), ("MOVING", "CONVEX_HULL"), ("STILL", "BOX"), ("STILL", "MESH")]  # fmt: skip
    torus = next(solid for solid in solids if solid.shape == "MESH")
    ball = next(solid for solid in solids if solid.kind == "ACTIVE")
    assert torus.friction == pytest.approx(0.3)
    assert (ball.mass, ball.size[0]) == pytest.approx((9.0, 1.0), abs=1e-3)


def test_what_a_character_wears_and_its_own_capsule_are_none() -> None:
    scene = world()
    rig = add_person()
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(0.0, 0.0, 1.0))
    rigid("PASSIVE")
    bpy.context.object.parent = rig
    scene.frame_set(1)
    assert gather_colliders(rig, scene, ABOVE).solids == ()


def test_what_it_is_called_changes_no_digest_and_where_it_is_does() -> None:
    scene = world()
    rig = add_person()
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(2.0, 0.0, 0.5))
    scene.frame_set(1)
    first = gather_colliders(rig, scene, ABOVE).digest()
    bpy.context.object.name = "Block"
    assert gather_colliders(rig, scene, ABOVE).digest() == first
    bpy.context.object.location.x += 0.01
    scene.frame_set(1)
    assert gather_colliders(rig, scene, ABOVE).digest() != first


def test_a_loose_body_comes_with_the_speed_that_it_has() -> None:
    scene = world()
    rig = add_person()
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, -3.0, 5.0))
    rigid("ACTIVE")
    for frame in (1, 2, 3, 4):
        scene.frame_set(frame)
    earlier = loose_places(scene)
    scene.frame_set(5)
    solid = gather_colliders(rig, scene, ABOVE, earlier, 1.0 / 24.0).solids[0]
    assert solid.speed[2] == pytest.approx(-9.81 * 3.5 / 24.0, rel=0.1)


def test_moving_ground_is_sampled() -> None:
    scene = bpy.context.scene
    rig = add_person()
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(0.0, 0.0, -1.0))
    lift = bpy.context.object
    for frame, height in ((1, -1.0), (11, 0.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    colliders = gather_colliders(rig, scene, ABOVE)
    assert colliders.moving
    scene.frame_set(11)
    sample_colliders(colliders, scene)
    assert colliders.moved[colliders.solids[0].uid][0][2] == pytest.approx(0.0, abs=1e-5)


def test_a_lift_carries_what_lies_on_it() -> None:
    plan = person()
    lift = Solid(1, "MOVING", "BOX", (0.0, 0.0, -0.5), TURN, size=(8.0, 8.0, 1.0))
    colliders, now = Colliders((lift,)), at_ease(plan)
    with PhysicsRun(plan, LIES, 24.0, colliders=colliders) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        for n in range(48):
            colliders.moved = {1: ((0.0, 0.0, -0.5 + 0.02 * (n + 1)), TURN)}
            row = run.frame(now, now)
    assert lowest(plan, row.bodies) == pytest.approx(48 * 0.02, abs=0.02)


def test_a_thrown_ball_knocks_it_over_and_a_swung_beam_pushes_it() -> None:
    plan, rows = person(), {}
    ball = Solid(1, "ACTIVE", "SPHERE", (0.0, -1.5, 1.3), TURN, size=(0.3, 0.3, 0.3), mass=20.0, speed=(0.0, 8.0, 0.0))
    beam = Solid(2, "MOVING", "BOX", (0.0, -1.0, 1.2), TURN, size=(2.0, 0.2, 0.2))
    now = at_ease(plan)
    for solid in (ball, beam):
        colliders = Colliders((FLAT, solid))
        with PhysicsRun(plan, LIES, 24.0, colliders=colliders) as run:
            run.begin(now, now, 1.0 / 24.0)
            run.limp = True
            for n in range(14):
                colliders.moved = {2: ((0.0, -1.0 + 0.12 * (n + 1), 1.2), TURN)}
                rows[solid.uid] = run.frame(now, now)
    assert rows[1].bodies[7 * plan.place_of("chest") + 1] > now[7 * plan.place_of("chest") + 1] + 0.15
    assert rows[2].bodies[7 * plan.place_of("chest") + 1] > now[7 * plan.place_of("chest") + 1] + 0.3


@pytest.mark.parametrize(
    ("place", "size"),
    [((0.0, 0.0, 0.9), (0.6, 0.6, 0.6)), ((0.0, 0.0, 0.25), (0.6, 0.6, 0.5)), ((0.0, 0.0, 1.0), (2.0, 2.0, 2.0))],
)
@pytest.mark.parametrize("is_ground", [True, False])
def test_a_body_that_begins_inside_of_a_box_is_not_shot_out_of_it(place, size, is_ground) -> None:
    now = at_ease(person())
    box = Solid(1, "STILL", "BOX", place, TURN, size=size, is_ground=is_ground)
    with PhysicsRun(person(), LIES, 24.0, colliders=Colliders((FLAT, box))) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        rows = [run.frame(now, now) for _ in range(36)]
    for before, after in zip([now, *(row.bodies for row in rows)], [row.bodies for row in rows], strict=False):
        assert max(dist(before[k : k + 3], after[k : k + 3]) for k in range(0, len(now), 7)) * 24.0 < 8.0


def test_a_box_that_a_body_only_begins_to_touch_holds_it() -> None:
    now = at_ease(person(), 0.45)
    box = Solid(1, "STILL", "BOX", (0.0, 0.0, 0.25), TURN, size=(3.0, 3.0, 0.5), is_ground=True)
    with PhysicsRun(person(), LIES, 24.0, colliders=Colliders((FLAT, box))) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        rows = [run.frame(now, now) for _ in range(48)]
    assert lowest(person(), rows[-1].bodies) > 0.45
