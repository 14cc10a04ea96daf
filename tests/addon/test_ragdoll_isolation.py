"""Physics of a body leaves nothing behind, and the user's own rigid bodies as they were."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.ragdoll_plans import person
from support.ragdoll_runs import FLAT, LIES, at_ease
from surefoot.addon import physics_run
from surefoot.addon.physics_colliders import Colliders
from surefoot.addon.physics_run import PhysicsRun

KINDS = ("scenes", "objects", "meshes", "collections", "materials", "actions", "worlds", "node_groups", "texts")
HALF, LAST = 15, 30


def everything() -> dict[str, list[str]]:
    return {kind: sorted(item.name_full for item in getattr(bpy.data, kind)) for kind in KINDS}


def falling_crates() -> bpy.types.Scene:
    """Three crates of the user's that fall onto each other and a floor."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    for n in range(3):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.2 * n, 0.0, 1.0 + 1.2 * n))
        bpy.ops.rigidbody.object_add(type="ACTIVE")
    bpy.ops.mesh.primitive_plane_add(size=20.0)
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    return scene


def places(scene: bpy.types.Scene) -> np.ndarray:
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return np.array([np.array(obj.evaluated_get(depsgraph).matrix_world) for obj in scene.objects])


def fall(frames: int = 12) -> None:
    plan = person()
    now = at_ease(plan)
    with PhysicsRun(plan, LIES, 24.0, colliders=Colliders((FLAT,))) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        for _ in range(frames):
            run.frame(now, now)


def walk(scene: bpy.types.Scene, first: int, last: int) -> list[np.ndarray]:
    rows = []
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        rows.append(places(scene))
    return rows


def test_nothing_is_left_of_it() -> None:
    before = everything()
    for _ in range(3):
        fall(3)
    assert everything() == before
    assert not bpy.data.orphans_purge()


def test_nothing_is_left_of_one_that_fails_on_its_way() -> None:
    plan, before = person(), everything()
    now = at_ease(plan)
    with pytest.raises(ZeroDivisionError), PhysicsRun(plan, LIES, 24.0) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.frame(now, now)
        _ = 1 / 0
    with pytest.raises(ZeroDivisionError), PhysicsRun(plan, LIES, 24.0):
        _ = 1 / 0
    assert everything() == before


@pytest.mark.parametrize("where", ["Motors", "StandIns", "Motors.bind", "Bodies.hold"])
def test_nothing_is_left_of_one_that_fails_while_it_is_made(monkeypatch, where) -> None:
    owner, _, name = where.partition(".")
    place = getattr(physics_run, owner) if name else physics_run

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    scene, before = falling_crates(), everything()
    walk(scene, 1, HALF)
    monkeypatch.setattr(place, name or owner, fails)
    with pytest.raises(ZeroDivisionError):
        fall(1)
    monkeypatch.undo()
    assert everything() == before
    assert not scene.rigidbody_world.point_cache.is_outdated
    fall(1)


def test_the_users_own_bodies_go_on_as_if_it_had_not_been() -> None:
    scene = falling_crates()
    alone = walk(scene, 1, LAST)
    scene.frame_set(1)
    scene.rigidbody_world.substeps_per_frame = scene.rigidbody_world.substeps_per_frame
    first = walk(scene, 1, HALF)
    fall()
    assert not scene.rigidbody_world.point_cache.is_outdated
    rest = walk(scene, HALF + 1, LAST)
    assert np.array_equal(np.array(alone), np.array(first + rest))


def test_the_users_scene_may_be_walked_between_its_frames() -> None:
    scene, plan = falling_crates(), person()
    alone = walk(scene, 1, LAST)
    scene.frame_set(1)
    scene.rigidbody_world.substeps_per_frame = scene.rigidbody_world.substeps_per_frame
    now, together = at_ease(plan), [walk(scene, 1, 1)[0]]
    with PhysicsRun(plan, LIES, 24.0, colliders=Colliders((FLAT,))) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        rows = []
        for frame in range(2, LAST + 1):
            together += walk(scene, frame, frame)
            rows.append(run.frame(now, now))
    assert np.array_equal(np.array(alone), np.array(together))
    assert rows[-1].bodies[2] < 0.5


def test_a_bake_of_the_users_stays() -> None:
    scene = falling_crates()
    cache = scene.rigidbody_world.point_cache
    cache.frame_end = LAST
    with bpy.context.temp_override(point_cache=cache):
        bpy.ops.ptcache.bake(bake=True)
    baked = walk(scene, 1, LAST)
    fall()
    assert cache.is_baked
    assert np.array_equal(np.array(walk(scene, 1, LAST)), np.array(baked))


def test_the_context_is_the_users_again() -> None:
    scene, layer, frame = bpy.context.scene, bpy.context.view_layer, bpy.context.scene.frame_current
    fall(2)
    assert (bpy.context.scene, bpy.context.view_layer, scene.frame_current) == (scene, layer, frame)


def test_it_can_be_undone_and_done_again() -> None:
    bpy.ops.ed.undo_push(message="before")
    plan = person()
    now = at_ease(plan)

    def last() -> tuple[float, ...]:
        with PhysicsRun(plan, LIES, 24.0, colliders=Colliders((FLAT,))) as run:
            run.begin(now, now, 1.0 / 24.0)
            run.limp = True
            return [run.frame(now, now) for _ in range(10)][-1].bodies

    first = last()
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert last() == first
