"""A snake in Blender: set up, led along a curve over a hill, previewed, baked and measured."""

from __future__ import annotations

from math import exp, hypot

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.armatures import BonePlan, build_armature
from support.stage import add_ground, add_person, pose_at
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.bake_record import read_record
from surefoot.addon.chart_overlay import chart_around
from surefoot.addon.gait_chart import gait_chart
from surefoot.addon.overlay import strokes_of
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.addon.report import report

FRAMES = 120
WAY = ((0.0, 0.0, 0.0), (0.5, -1.6, 0.3), (-0.6, -2.8, 0.0), (0.4, -4.2, 0.0))


def hill(x: float, y: float) -> float:
    """The ground's height: 0.4 m beside the middle of the way."""
    return 0.4 * exp(-((x - 0.4) ** 2 + (y + 1.6) ** 2) / 0.7)


def add_hill() -> bpy.types.Object:
    """A fine mesh over the hill."""
    xs, ys = np.linspace(-2.0, 2.0, 121), np.linspace(-6.0, 3.0, 271)
    mesh = bpy.data.meshes.new("Hill")
    count = len(xs)
    faces = [
        (j * count + i, j * count + i + 1, (j + 1) * count + i + 1, (j + 1) * count + i)
        for j in range(len(ys) - 1)
        for i in range(count - 1)
    ]
    mesh.from_pydata([(x, y, hill(x, y)) for y in ys for x in xs], [], faces)
    obj = bpy.data.objects.new("Hill", mesh)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def add_way() -> bpy.types.Object:
    """A Bezier curve through the points of WAY."""
    curve = bpy.data.curves.new("Way", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(len(WAY) - 1)
    for point, place in zip(spline.bezier_points, WAY, strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    obj = bpy.data.objects.new("Way", curve)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def snake_over_the_hill(travel: str = "OBJECT") -> bpy.types.Object:
    bpy.context.scene.render.fps = 24
    add_hill()
    rig = add_person("SNAKE")
    rig.surefoot.director, rig.surefoot.path = "PATH", add_way()
    rig.surefoot.speed, rig.surefoot.travel = 0.6, travel
    return rig


def joints_at(rig: bpy.types.Object, frame: int) -> np.ndarray:
    """Where the bones of the evaluated body begin, world, the head's first."""
    bpy.context.scene.frame_set(frame)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    body = performers.get(rig.session_uid).reading.rig
    names = [body.skeleton.bones[i].name for i in body.long_body.bones]
    return np.array([shown.matrix_world @ shown.pose.bones[name].head for name in names])


def test_it_is_set_up_without_legs_or_problems_and_goes():
    add_ground()
    bpy.ops.surefoot.add_character(preset="SNAKE")
    rig = bpy.context.object
    assert bpy.ops.surefoot.setup() == {"FINISHED"}
    assert [line.text for line in rig.surefoot.problems] == []
    assert rig.surefoot.preview
    before = joints_at(rig, 1)
    assert np.abs(joints_at(rig, 60) - before).max() > 0.5


def test_previewed_played_scrubbed_and_baked_it_is_the_same():
    rig = snake_over_the_hill()
    rig.surefoot.preview = True
    scrubbed = pose_at(rig, FRAMES)
    played = [pose_at(rig, frame) for frame in range(1, FRAMES + 1)]
    assert np.array_equal(played[-1], scrubbed)
    baked = bake(rig, BakeOptions(1, FRAMES))
    assert baked.frames == FRAMES
    assert not rig.surefoot.preview
    for frame in (1, 40, FRAMES):
        assert np.abs(pose_at(rig, frame) - played[frame - 1]).max() < 1e-5
    assert read_record(rig.animation_data.action).contacts == {}


def test_wherever_its_travel_goes_it_lies_the_same():
    places = {}
    for travel in ("OBJECT", "ROOT_BONE"):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        rig = snake_over_the_hill(travel)
        rig.surefoot.preview = True
        places[travel] = joints_at(rig, FRAMES)
    assert np.abs(places["OBJECT"] - places["ROOT_BONE"]).max() < 1e-4


def test_in_place_the_object_stays_and_the_body_winds():
    rig = snake_over_the_hill("IN_PLACE")
    rig.surefoot.preview = True
    first = joints_at(rig, 1)
    there = joints_at(rig, FRAMES)
    assert tuple(rig.matrix_world.translation) == (0.0, 0.0, 0.0)
    assert hypot(*(there[0] - first[0])[:2]) < 0.3
    assert np.abs(there[10:] - first[10:]).max() > 0.02


def test_its_skin_lies_on_the_hill_and_its_bones_keep_their_lengths():
    rig = snake_over_the_hill()
    rig.surefoot.preview = True
    (body,) = rig.children
    rest = np.linalg.norm(np.diff(joints_at(rig, 1), axis=0), axis=1)
    for frame in range(1, FRAMES, 12):
        joints = joints_at(rig, frame)
        # From the first bone on: the head's own joint is the nearer end of the bone behind it.
        assert np.abs(np.linalg.norm(np.diff(joints, axis=0), axis=1) - rest)[[0, 1, 5, 20]].max() < 1e-4
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        skin = [shown.matrix_world @ vertex.co for vertex in shown.data.vertices]
        over = [place.z - hill(place.x, place.y) for place in skin]
        assert min(over) > -0.006
        assert min(over) < 0.002


def test_the_report_tells_speed_and_path_and_has_no_feet():
    rig = snake_over_the_hill()
    rig.surefoot.preview = True
    result = report(rig, bpy.context.scene, 1, FRAMES)
    assert result["feet"] == {}
    assert abs(result["speed_error"]) < 0.08
    assert result["path_error"] < 0.15
    assert result["cost_ms"] > 0.0
    assert bpy.ops.surefoot.report(frame_start=1, frame_end=FRAMES) == {"FINISHED"}


def test_there_is_no_gait_to_chart_and_it_is_said():
    rig = snake_over_the_hill()
    rig.surefoot.preview = True
    with pytest.raises(RefusedError, match="no feet"):
        gait_chart(rig, bpy.context.scene, 1, 24)
    assert chart_around(performers.get(rig.session_uid), 12, 24.0) is None


def test_the_overlay_draws_its_way():
    rig = snake_over_the_hill()
    rig.surefoot.preview = True
    pose_at(rig, 60)
    assert len(strokes_of(performers.get(rig.session_uid), 12).points) > 20


def test_a_chain_of_bones_whose_names_mean_nothing_goes_too():
    add_ground()
    plans = [BonePlan("b0", "", (0, 0, 0.05), (0, 0.2, 0.05))]
    for i in range(1, 12):
        plans.append(BonePlan(f"b{i}", f"b{i - 1}", (0, 0.2 * i, 0.05), (0, 0.2 * i + 0.2, 0.05), 0, True))
    rig = build_armature(tuple(plans))
    assert bpy.ops.surefoot.setup() == {"FINISHED"}
    (line,) = rig.surefoot.problems
    assert "taken for the head" in line.text
    rig.surefoot.speed = 0.6
    joints = joints_at(rig, 72)
    assert joints[0, 1] < -1.0
    assert joints[:, 2] == pytest.approx(0.05, abs=0.06)
    assert bpy.ops.surefoot.bake(frame_start=1, frame_end=72) == {"FINISHED"}


def test_two_keys_of_it_are_where_a_script_puts_it():
    rig = snake_over_the_hill()
    rig.surefoot.director = "AHEAD"
    rig.location = Vector((1.0, 0.5, 0.0))
    bpy.context.view_layer.update()
    rig.surefoot.preview = True
    # The root lies under the nose at rest.
    assert joints_at(rig, 1)[-1] == pytest.approx((1.0, 0.5 + 1.447, 0.004), abs=0.02)
