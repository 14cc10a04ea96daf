"""Falls with the real physics: what is shown is what was recorded, nothing else of the file is touched."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.stage import pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.hits import limp, shove
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.simulate import finished, simulate_steps

HIT, LAST = 12, 60


def fallen(frame: int = HIT, last: int = LAST) -> bpy.types.Object:
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    shove(rig, (0.0, 1.0, 0.0), 8.0, frame=frame)
    finished(simulate_steps(rig, last))
    return rig


def cache(rig: bpy.types.Object):
    return performers.get(rig.session_uid).cache


def blocks() -> list[tuple[str, int]]:
    kinds = ("objects", "meshes", "collections", "scenes", "actions", "worlds", "node_groups")
    return [(kind, len(getattr(bpy.data, kind))) for kind in kinds]


def head_height(rig: bpy.types.Object, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return (shown.matrix_world @ shown.pose.bones["head"].tail).z


def test_a_hard_shove_fells_it_and_played_scrubbed_and_baked_are_the_same():
    rig = fallen()
    assert head_height(rig, HIT) > 1.5
    assert head_height(rig, LAST) < 0.8
    shown = {frame: cache(rig).get(frame).row.copy() for frame in cache(rig).frames}
    performers.clear()
    for frame in (LAST, HIT + 3, 30):
        bpy.context.scene.frame_set(frame)
    assert not performers.get(rig.session_uid).fall.is_stale
    assert all(np.array_equal(cache(rig).get(frame).row, row) for frame, row in shown.items())
    poses = {frame: pose_at(rig, frame) for frame in (HIT, HIT + 1, HIT + 9, LAST)}
    bake(rig, BakeOptions(1, LAST))
    for frame, pose in poses.items():
        assert np.allclose(pose_at(rig, frame), pose, atol=1e-5)


def test_simulated_anew_it_is_the_same_to_the_bit_and_leaves_nothing_behind():
    rig = fallen(last=40)
    told, before = rig.surefoot.fall_record, blocks()
    rig.surefoot.fall_record = ""
    finished(simulate_steps(rig, 40))
    assert rig.surefoot.fall_record == told
    assert blocks() == before


def test_a_job_that_is_given_up_leaves_no_physics_behind():
    rig = previewed_person()
    before = blocks()
    bpy.context.scene.frame_set(1)
    shove(rig, strength=8.0, frame=5)
    steps = simulate_steps(rig, LAST)
    for _ in range(3):
        next(steps)
    assert len(bpy.data.scenes) == 2
    steps.close()
    assert blocks() == before
    assert rig.surefoot.fall_record == ""


def test_an_undo_while_it_is_computed_ends_the_physics_before_anything_is_taken_away():
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="before")
    shove(rig, strength=8.0, frame=5)
    bpy.ops.ed.undo_push(message="shoved")
    steps = simulate_steps(rig, LAST)
    for _ in range(3):
        next(steps)
    bpy.ops.ed.undo()
    assert len(bpy.data.scenes) == 1
    with pytest.raises(RefusedError, match="Press Simulate again"):
        next(steps)
    assert len(bpy.data.objects["Person"].surefoot.hits) == 0


def test_the_users_own_rigid_bodies_go_on_as_if_there_were_no_character():
    rig = previewed_person()
    bpy.ops.rigidbody.world_add()
    scene = bpy.context.scene
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(3.0, 0.0, 2.0))
    box = bpy.context.object
    scene.rigidbody_world.collection.objects.link(box)
    bpy.context.view_layer.objects.active = rig

    def falls() -> list[float]:
        heights = []
        for frame in range(1, 12):
            scene.frame_set(frame)
            heights.append(box.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.z)
        return heights

    plain = falls()
    shove(rig, strength=8.0, frame=5)
    finished(simulate_steps(rig, 30))
    assert falls() == plain
    assert set(scene.rigidbody_world.collection.objects) == {box}


def test_a_box_that_flies_at_it_hits_it():
    rig = previewed_person()
    rig.surefoot.speed = 0.0
    rig.surefoot.hit_by_bodies = True
    bpy.ops.rigidbody.world_add()
    scene = bpy.context.scene
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(0.0, -3.0, 1.2))
    box = bpy.context.object
    scene.rigidbody_world.collection.objects.link(box)
    bpy.context.view_layer.update()
    box.rigid_body.mass = 20.0
    box.rigid_body.kinematic = True
    for frame, y in ((1, -3.0), (7, -1.5)):
        box.location.y = y
        box.keyframe_insert("location", frame=frame)
    box.rigid_body.keyframe_insert("kinematic", frame=1)
    box.rigid_body.kinematic = False
    box.rigid_body.keyframe_insert("kinematic", frame=7)
    bpy.context.view_layer.objects.active = rig
    finished(simulate_steps(rig, 30))
    (run,) = performers.get(rig.session_uid).fall.runs
    assert 6 < run.first < 16
    assert "hit" in run.rows[0].events
    pushed = run.rows[5].bodies[1] if run.rows[5].bodies else 0.0
    assert pushed > 0.05


def limp_arm(rig: bpy.types.Object) -> None:
    limp(rig, 8, parts=("arms",))


def limp_all(rig: bpy.types.Object) -> None:
    limp(rig, 8)


@pytest.mark.parametrize(("let_go", "stays_up"), [(limp_arm, True), (limp_all, False)])
def test_what_goes_limp_is_what_was_let_go_of(let_go: Callable[[bpy.types.Object], None], stays_up: bool):
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    let_go(rig)
    finished(simulate_steps(rig, 40))
    assert (head_height(rig, 40) > 1.5) == stays_up
    assert performers.get(rig.session_uid).fall.open_end == 40


def test_without_any_ground_it_falls_onto_the_height_that_it_walked_at_and_gets_up():
    rig = previewed_person()
    for thing in [thing for thing in bpy.data.objects if thing.type == "MESH" and thing.parent is None]:
        bpy.data.objects.remove(thing)
    bpy.context.scene.frame_set(1)
    shove(rig, (0.0, 1.0, 0.0), 8.0, frame=HIT)
    finished(simulate_steps(rig, 220))
    assert -0.05 < min(head_height(rig, frame) for frame in range(HIT, 100, 4)) < 0.6
    assert head_height(rig, 220) > 1.4


def test_while_physics_has_it_its_head_turns_to_where_the_hit_came_from():
    rig = previewed_person()
    bpy.context.scene.frame_set(1)
    shove(rig, (-1.0, 0.0, 0.0), 1.0, frame=HIT)
    finished(simulate_steps(rig, 40))
    record = performers.get(rig.session_uid).fall.record
    staggers = [HIT + 1 + k for k, row in enumerate(record.runs[0].rows) if row.state == "ACTIVE"]

    def faces(frame: int, bone: str) -> float:
        bpy.context.scene.frame_set(frame)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        rest = shown.data.bones[bone].matrix_local
        turn = (shown.pose.bones[bone].matrix @ rest.inverted()).to_quaternion()
        return (shown.matrix_world.to_quaternion() @ turn @ Vector((0.0, -1.0, 0.0))).x

    # It came from +X, which is on its left.
    assert faces(HIT, "head") == pytest.approx(0.0, abs=0.1)
    assert max(faces(frame, "head") - faces(frame, "pelvis") for frame in staggers) > 0.4
