"""Rigid bodies of the user's scene, pushed by a character; nothing else in the file is touched."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.stage import add_ground, add_person
from surefoot.addon import pushers
from surefoot.addon.performers import performers
from surefoot.addon.setup import remove, teleport

LAST, SIZE = 72, 1.0


def physics() -> bpy.types.Scene:
    """A scene with gravity, a floor, and a rigid body world whose collection is the user's own."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    bpy.context.view_layer.objects.active = add_ground()
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    return scene


def add_crate(mass: float, place: tuple[float, float, float]) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=SIZE, location=place)
    crate = bpy.context.object
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    crate.rigid_body.mass = mass
    return crate


def pushing_person(speed: float = 1.4, *, push: bool = True) -> bpy.types.Object:
    rig = add_person()
    rig.surefoot.body, rig.surefoot.speed, rig.surefoot.push_bodies = "CAPSULE", speed, push
    rig.surefoot.preview = True
    return rig


def place_of(obj: bpy.types.Object) -> np.ndarray:
    return np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation)


def places(rig: bpy.types.Object, crate: bpy.types.Object, frames: range) -> np.ndarray:
    """Body and crate along Y at each frame."""
    rows = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        body = performers.get(rig.session_uid).cache.get(frame).memory.travel.place
        rows.append((body.y, place_of(crate)[1]))
    return np.array(rows)


def bake_bodies(scene: bpy.types.Scene) -> bpy.types.PointCache:
    cache = scene.rigidbody_world.point_cache
    cache.frame_end = LAST
    with bpy.context.temp_override(point_cache=cache):
        bpy.ops.ptcache.bake(bake=True)
    return cache


def names() -> dict[str, list[str]]:
    kinds = ("objects", "meshes", "collections", "actions", "scenes")
    return {kind: sorted(item.name for item in getattr(bpy.data, kind)) for kind in kinds}


def test_a_crate_is_pushed_ahead_at_walking_speed_and_never_entered():
    physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person()
    rows = places(rig, crate, range(1, LAST + 1))
    assert rows[0, 1] - rows[-1, 1] > 2.0
    assert (rows[-1, 0] - rows[-25, 0]) == pytest.approx(-1.4, abs=0.02)
    assert (rows[-1, 1] - rows[-25, 1]) == pytest.approx(-1.4, abs=0.05)
    radius = performers.get(rig.session_uid).character.movement.radius
    assert (rows[:, 0] - rows[:, 1]).min() > 0.5 * SIZE + radius - 5e-3


def test_what_is_too_heavy_is_a_wall_and_does_not_move_by_a_hair():
    physics()
    crate, rig = add_crate(60.0, (0.0, -2.0, 0.5)), pushing_person()
    rows = places(rig, crate, range(1, LAST + 1))
    # It has settled by then.
    assert np.ptp(rows[5:, 1]) < 1e-5
    assert rows[-1, 0] == pytest.approx(rows[-20, 0], abs=1e-6)
    assert rows[-1, 0] > -1.5


def test_without_the_setting_nothing_is_pushed_and_nothing_added():
    physics()
    crate = add_crate(1.0, (0.0, -2.0, 0.5))
    rig = pushing_person(push=False)
    before = names()
    rows = places(rig, crate, range(1, LAST + 1))
    # It has settled by then.
    assert np.ptp(rows[5:, 1]) < 1e-5
    assert names() == before


def test_scrubbed_is_as_played():
    physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person()
    played = places(rig, crate, range(1, LAST + 1))
    for frame in (40, 41, 42, 20, 60, 61, 72, 35):
        assert np.array_equal(places(rig, crate, range(frame, frame + 1))[0], played[frame - 1])


def test_a_cold_jump_shows_what_playing_shows():
    physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person()
    jumped = places(rig, crate, range(LAST, LAST + 1))[0]
    assert np.array_equal(places(rig, crate, range(1, LAST + 1))[-1], jumped)


def test_a_changed_speed_pushes_the_crate_anew():
    physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person()
    far = places(rig, crate, range(LAST, LAST + 1))[0, 1]
    rig.surefoot.speed = 0.8
    assert places(rig, crate, range(LAST, LAST + 1))[0, 1] > far + 0.5


def test_all_that_it_adds_is_one_hidden_body_that_goes_with_the_setting_the_preview_and_the_add_on():
    physics()
    add_crate(10.0, (0.0, -2.0, 0.5))
    rig = pushing_person(push=False)
    before = names()
    for off in ("push_bodies", "preview"):
        rig.surefoot.push_bodies = rig.surefoot.preview = True
        pusher = rig.surefoot.pusher
        added = set(names()["objects"]) - set(before["objects"])
        assert added == {pusher.name}
        assert pusher.hide_render
        assert pusher.hide_viewport
        assert pusher.hide_select
        assert not len(pusher.data.polygons)
        assert pusher.rigid_body.kinematic
        setattr(rig.surefoot, off, False)
        assert names() == before
        assert rig.surefoot.pusher is None
    rig.surefoot.push_bodies = rig.surefoot.preview = True
    remove(rig)
    assert names() == before
    assert len(bpy.context.scene.rigidbody_world.collection.objects) == 2


def test_unregistering_leaves_no_pusher(extension):
    physics()
    add_crate(10.0, (0.0, -2.0, 0.5))
    rig = pushing_person(push=False)
    before = names()
    rig.surefoot.push_bodies = True
    assert names() != before
    extension.unregister()
    try:
        assert names() == before
    finally:
        extension.register()


def test_whoever_is_deleted_takes_its_pusher_along():
    physics()
    add_crate(10.0, (0.0, -2.0, 0.5))
    other, rig = pushing_person(push=False), pushing_person()
    bpy.context.scene.frame_set(3)
    bpy.data.objects.remove(rig)
    bpy.context.scene.frame_set(4)
    assert [obj for obj in bpy.data.objects if obj.rigid_body and obj.hide_viewport] == []
    assert other.surefoot.pusher is None


def test_two_characters_and_a_copy_have_a_pusher_each():
    physics()
    add_crate(10.0, (0.0, -9.0, 0.5))
    rig = pushing_person()
    copy = rig.copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.scene.frame_set(2)
    assert rig.surefoot.pusher is not None
    assert copy.surefoot.pusher not in {None, rig.surefoot.pusher}
    rig.surefoot.push_bodies = False
    assert copy.surefoot.pusher is not None


def test_a_body_that_nobody_touches_moves_as_it_did_without_us():
    physics()
    ball, rows = add_crate(3.0, (4.0, 0.0, 3.0)), []
    ball.rotation_euler = (0.4, 0.3, 0.0)
    for push in (False, True):
        rig = pushing_person(push=push)
        fall = []
        for frame in range(1, 40):
            bpy.context.scene.frame_set(frame)
            fall.append(place_of(ball))
        rows.append(np.array(fall))
        rig.surefoot.preview = False
    assert np.array_equal(*rows)
    assert np.ptp(rows[0][:, 2]) > 1.0


def test_baked_bodies_are_left_alone_and_it_is_said():
    scene = physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person(push=False)
    cache = bake_bodies(scene)
    assert cache.is_baked
    before = names()
    rig.surefoot.push_bodies = True
    rows = places(rig, crate, range(1, LAST + 1))
    # It has settled by then.
    assert np.ptp(rows[5:, 1]) < 1e-5
    assert names() == before
    assert cache.is_baked
    assert any("baked" in line.text for line in rig.surefoot.problems)


def test_where_there_are_no_rigid_bodies_it_says_so():
    add_ground()
    rig = pushing_person()
    bpy.context.scene.frame_set(2)
    assert rig.surefoot.pusher is None
    assert any("no rigid body world" in line.text for line in rig.surefoot.problems)


def test_a_bake_of_the_bodies_made_while_it_pushes_holds_the_push_when_the_preview_is_off():
    scene = physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person()
    played = places(rig, crate, range(1, LAST + 1))
    bake_bodies(scene)
    rig.surefoot.preview = False
    for frame in (30, 50, LAST):
        scene.frame_set(frame)
        assert place_of(crate)[1] == pytest.approx(played[frame - 1, 1], abs=1e-3)


def test_physics_is_walked_from_its_start_only_where_frames_were_skipped(monkeypatch):
    physics()
    add_crate(10.0, (0.0, -2.0, 0.5))
    pushing_person()
    scene, counted = bpy.context.scene, []
    needed = pushers._needed

    def counting(at: bpy.types.Scene, frame: int) -> range:
        counted.append(len(needed(at, frame)))
        return needed(at, frame)

    monkeypatch.setattr(pushers, "_needed", counting)
    for frame in range(1, 20):
        scene.frame_set(frame)
    assert max(counted) == 0
    scene.frame_set(10)
    assert max(counted) == 9


def test_computed_anew_at_any_frame_it_pushes_as_it_did():
    physics()
    crate, rig = add_crate(10.0, (0.0, -2.0, 0.5)), pushing_person()
    played = places(rig, crate, range(1, LAST + 1))
    for frame in (52, 53, 30):
        performers.get(rig.session_uid).cache.clear()
        assert np.array_equal(places(rig, crate, range(frame, frame + 1))[0], played[frame - 1])


def test_a_teleport_sweeps_nothing_along():
    physics()
    crate, rig = add_crate(10.0, (0.0, -4.0, 0.5)), pushing_person(0.0)
    teleport(rig, 10, (0.0, -8.0, 0.0))
    rows = places(rig, crate, range(1, 30))
    assert rows[-1, 0] == pytest.approx(-8.0, abs=1e-3)
    assert np.ptp(rows[5:, 1]) < 1e-4


@pytest.mark.parametrize("speed", [0.8, 1.4])
def test_who_pushes_sets_its_feet_further_back_and_not_into_the_crate(speed: float):
    physics()
    crate, rig = add_crate(20.0, (0.0, -1.5, 0.5)), pushing_person(speed)
    room = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        feet = performers.get(rig.session_uid).cache.get(frame).memory.gait.feet
        room.append(min(foot.ball[1] for foot in feet) - place_of(crate)[1] - 0.5 * SIZE)
    assert min(room) > -0.02
