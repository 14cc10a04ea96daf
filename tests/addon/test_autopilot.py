"""A character that finds its way in a scene: over the lane, the same however a frame is reached."""

from __future__ import annotations

import bpy
from mathutils import Vector
from support.stage import add_person
from surefoot.addon.course import add_course
from surefoot.addon.order import absence
from surefoot.addon.performers import performers
from surefoot.addon.setup import setup

LAST = 300


def piloted(course: str, goal: tuple[float, float, float], speed: float = 3.0) -> bpy.types.Object:
    add_course(bpy.context, Vector((0.0, 0.0, 0.0)), course)
    empty = bpy.data.objects.new("Goal", None)
    empty.location = goal
    bpy.context.scene.collection.objects.link(empty)
    rig = add_person()
    setup(rig)
    settings = rig.surefoot
    settings.body, settings.parkour, settings.director = "CAPSULE", True, "AUTOPILOT"
    settings.speed, settings.target = speed, empty
    settings.preview = True
    return rig


def memory_at(rig: bpy.types.Object, frame: int):
    bpy.context.scene.frame_set(frame)
    return performers.get(rig.session_uid).cache.get(frame).memory


def test_it_runs_the_lane_to_its_goal_and_scrubbed_frames_are_those_that_were_played():
    rig = piloted("lane", (0.0, -29.0, 2.1))
    played = {frame: memory_at(rig, frame) for frame in range(1, LAST + 1)}
    states = [memory.state.state for memory in played.values()]
    moves = [name for k, name in enumerate(states) if name != states[k - 1] and name not in ("GROUNDED", "AIRBORNE")]
    assert moves == ["VAULTING", "VAULTING", "CLIMBING", "CLIMBING"]
    assert (Vector(played[LAST].capsule.feet) - Vector((0.0, -29.0, 2.1))).length < 0.03
    # Everything forgotten, what it had worked out of the level too: a far frame at once, then one before it.
    rig.surefoot.preview = False
    rig.surefoot.preview = True
    assert memory_at(rig, 200).capsule.feet == played[200].capsule.feet
    assert memory_at(rig, 30).pilot == played[30].pilot


def test_ground_that_changes_is_found_out():
    rig = piloted("lane", (0.0, -4.0, 0.0))
    assert abs(memory_at(rig, 60).capsule.feet[0]) < 1e-3
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, -2.0, 1.5))
    wall = bpy.context.active_object
    wall.scale = (2.0, 0.4, 3.0)
    bpy.data.collections["Surefoot Course"].objects.link(wall)
    bpy.context.view_layer.update()
    seen = [memory_at(rig, frame).capsule.feet for frame in range(1, 121)]
    assert max(abs(x) for x, _, _ in seen) > 1.0
    assert abs(seen[-1][1] + 4.0) < 0.03


def test_without_a_target_it_says_what_to_do():
    rig = piloted("lane", (0.0, -4.0, 0.0))
    rig.surefoot.target = None
    assert "has no goal to find a way to" in absence(rig, bpy.context.scene)


def test_who_is_sent_somewhere_finds_the_way_there():
    rig = piloted("lane", (0.0, -4.0, 0.0))
    rig.surefoot.goal, rig.surefoot.target = rig.surefoot.target, None
    rig.surefoot.sent = "GO"
    assert absence(rig, bpy.context.scene) == ""
    assert abs(memory_at(rig, 60).capsule.feet[1] + 4.0) < 0.03
