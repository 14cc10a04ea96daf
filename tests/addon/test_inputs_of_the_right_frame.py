"""What a character reads is of the frame that it ticks, also where nobody showed that frame."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from support.stage import add_face, add_ground, add_person, key, place_of, pose_at, previewed_person, shown_pose
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of

FAR = 200


def add_empty(name: str, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.location = place
    bpy.context.scene.collection.objects.link(empty)
    return empty


def add_path(points: list[tuple[float, float, float]]) -> bpy.types.Object:
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    path = bpy.data.objects.new("Path", curve)
    bpy.context.scene.collection.objects.link(path)
    return path


def played_and_cold(rig: bpy.types.Object, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """The pose at a frame after playing there, and after a jump from the first frame with nothing known."""
    for number in range(1, frame + 1):
        bpy.context.scene.frame_set(number)
    assert not failure_of(rig.session_uid)
    played = shown_pose(rig)
    bpy.context.scene.frame_set(1)
    performers.clear()
    return played, pose_at(rig, frame)


def test_a_cold_jump_to_a_far_frame_shows_what_playing_shows():
    played, cold = played_and_cold(previewed_person(), FAR)
    assert np.array_equal(played, cold)
    assert abs(cold[0][1, 3]) > 5.0


def test_a_keyed_target_is_followed_at_its_own_frames():
    add_ground()
    rig, target = add_person(), add_empty("Target", (0.0, -10.0, 0.0))
    key(target, "location", {1: 0.0, 60: 10.0}, index=0)
    rig.surefoot.director, rig.surefoot.target = "TARGET", target
    rig.surefoot.preview = True
    played, cold = played_and_cold(rig, 80)
    assert np.array_equal(played, cold)
    assert place_of(rig).x > 0.3


def test_a_mover_under_constraints_is_read_by_walking_its_frames():
    add_ground()
    rig, carrier, mover = add_person(), add_empty("Carrier"), add_empty("Mover")
    key(carrier, "location", {1: 0.0, 100: -4.0}, index=1)
    mover.constraints.new("COPY_LOCATION").target = carrier
    rig.surefoot.director, rig.surefoot.mover = "MOVER", mover
    rig.surefoot.preview = True
    played, cold = played_and_cold(rig, 70)
    assert np.array_equal(played, cold)
    assert place_of(rig).y == pytest.approx(-4.0 * 69 / 99, abs=0.05)


def test_the_armatures_own_animation_moves_it_and_stays_its_own():
    add_ground()
    rig = add_person()
    rig.surefoot.travel = "AUTO"
    key(rig, "location", {1: 0.0, 100: -5.0}, index=1)
    rig.surefoot.director = "MOVER"
    rig.surefoot.preview = True
    played, cold = played_and_cold(rig, 60)
    assert np.array_equal(played, cold)
    assert place_of(rig).y == pytest.approx(-5.0 * 59 / 99, abs=1e-5)
    legs = [bone.rotation_quaternion[1] for bone in rig.pose.bones if bone.name.startswith("thigh")]
    assert max(map(abs, legs)) > 0.05


def test_a_path_is_followed_with_a_keyed_speed():
    add_ground()
    rig, path = add_person(), add_path([(0, 0, 0), (0, -6, 0), (6, -6, 0)])
    rig.surefoot.director, rig.surefoot.path = "PATH", path
    key(rig, "surefoot.speed", {1: 0.8, 50: 1.6})
    rig.surefoot.preview = True
    played, cold = played_and_cold(rig, 150)
    assert np.array_equal(played, cold)
    assert place_of(rig).x > 0.5


def test_an_edited_path_changes_the_walk():
    add_ground()
    rig, path = add_person(), add_path([(0, 0, 0), (0, -6, 0)])
    rig.surefoot.director, rig.surefoot.path = "PATH", path
    rig.surefoot.preview = True
    straight = pose_at(rig, 60)
    path.data.splines[0].points[1].co.x = 4.0
    assert not np.array_equal(pose_at(rig, 60), straight)
    assert place_of(rig).x > 0.3


def test_a_turning_platform_carries_the_feet_and_is_read_at_its_own_frames():
    ground = add_ground()
    key(ground, "rotation_euler", {1: 0.0, 120: radians(60.0)}, index=2)
    rig = add_person(place=(2.0, 0.0, 0.0))
    rig.surefoot.speed = 0.0
    rig.surefoot.preview = True
    played, cold = played_and_cold(rig, 60)
    assert np.array_equal(played, cold)


def test_ground_that_rises_is_under_the_feet_of_its_own_frame():
    ground = add_ground()
    key(ground, "location", {1: 0.0, 100: 1.0}, index=2)
    rig = add_person()
    rig.surefoot.preview = True
    played, cold = played_and_cold(rig, 60)
    assert np.array_equal(played, cold)
    assert place_of(rig).z == pytest.approx(59 / 99, abs=0.05)


def test_moved_ground_is_seen_at_the_next_frame_without_an_update_in_between():
    rig = previewed_person()
    pose_at(rig, 30)
    bpy.data.objects["Ground"].location.z = 0.5
    pose_at(rig, 31)
    assert place_of(rig).z == pytest.approx(0.5, abs=0.02)


def test_a_deleted_target_stops_nothing():
    add_ground()
    rig, target = add_person(), add_empty("Target", (0.0, -10.0, 0.0))
    rig.surefoot.director, rig.surefoot.target = "TARGET", target
    rig.surefoot.preview = True
    pose_at(rig, 30)
    bpy.data.objects.remove(target)
    pose_at(rig, 60)
    assert not failure_of(rig.session_uid)


def test_without_any_ground_it_walks_on_without_a_word_of_error():
    rig = add_person()
    rig.surefoot.preview = True
    pose_at(rig, 60)
    assert not failure_of(rig.session_uid)


def test_something_that_hangs_on_a_leader_leads_too():
    add_ground()
    leader, follower = add_person(), add_person(place=(0.0, 4.0, 0.0))
    lamp = add_empty("Lamp")
    lamp.parent = leader
    follower.surefoot.director, follower.surefoot.target = "TARGET", lamp
    leader.surefoot.speed = 0.8
    for rig in (leader, follower):
        rig.surefoot.preview = True
    played, cold = played_and_cold(follower, 60)
    assert np.array_equal(played, cold)
    assert 0.0 < place_of(follower).y - place_of(leader).y < 4.0


class ReadingEngine(bpy.types.RenderEngine):
    """A render engine that draws nothing and notes what the rig shows to it."""

    bl_idname = "SUREFOOT_TEST_READING"
    bl_label = "Reading"
    bl_use_postprocess = False
    seen: dict[int, tuple[np.ndarray, float]]

    def render(self, depsgraph: bpy.types.Depsgraph) -> None:
        rig = depsgraph.scene.objects["Person"].evaluated_get(depsgraph)
        pose = np.array([rig.matrix_world, *(bone.matrix for bone in rig.pose.bones)], dtype=np.float64)
        face = rig.pose.bones.get("face")
        self.seen[depsgraph.scene.frame_current] = (pose, face.scale[2] if face is not None else 1.0)


@pytest.fixture
def engine(tmp_path: Path):
    """Renders frames into `ReadingEngine.seen`."""
    bpy.utils.register_class(ReadingEngine)
    ReadingEngine.seen = {}
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    scene = bpy.context.scene
    scene.camera, scene.render.engine = camera, ReadingEngine.bl_idname
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.render.filepath = str(tmp_path / "frame")
    yield ReadingEngine
    bpy.utils.unregister_class(ReadingEngine)


def render(frame: int) -> None:
    bpy.context.scene.frame_start = bpy.context.scene.frame_end = frame
    bpy.ops.render.render(animation=True)


@pytest.mark.parametrize("also_ours", [False, True])
def test_a_cold_render_shows_its_own_frame_and_what_else_is_keyed(engine: type, also_ours: bool):
    add_ground()
    rig = add_person()
    add_face(rig)
    key(rig, 'pose.bones["face"].scale', {1: 1.0, 101: 2.0}, index=2)
    if also_ours:
        key(rig, 'pose.bones["thigh.L"].rotation_quaternion', {1: 0.0, 101: 0.5}, index=1)
    rig.surefoot.preview = True
    for number in range(1, 41):
        bpy.context.scene.frame_set(number)
    wanted = shown_pose(rig)
    bpy.context.scene.frame_set(3)
    performers.clear()
    render(40)
    pose, scale = engine.seen[40]
    assert scale == pytest.approx(1.39, abs=1e-4)
    assert np.array_equal(pose, wanted)
    assert bpy.context.scene.frame_current == 3


def test_frames_rendered_out_of_order_are_those_of_the_preview(engine: type):
    rig = previewed_person()
    wanted = {}
    for number in range(1, 31):
        wanted[number] = pose_at(rig, number)
    performers.clear()
    for number in (30, 7, 19, 1):
        render(number)
        assert np.array_equal(engine.seen[number][0], wanted[number]), number


def test_two_view_layers_show_the_same(engine: type):
    rig = previewed_person()
    wanted = pose_at(rig, 25)
    bpy.context.scene.view_layers.new("Second")
    performers.clear()
    bpy.context.scene.frame_set(1)
    render(25)
    assert np.array_equal(engine.seen[25][0], wanted)
