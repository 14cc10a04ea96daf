"""The view that follows: in a run along a wall its eye comes to the open side, else it stays as it is."""

from __future__ import annotations

from math import pi, radians

import bpy
import pytest
from mathutils import Euler, Quaternion, Vector
from support.stage import add_person
from surefoot.addon.drive import Take, prepare
from surefoot.addon.following_view import OPEN, opened
from surefoot.addon.setup import setup
from surefoot.core.control.intent import Pad

UP = Vector((0.0, 0.0, 1.0))


def view(heading: float, tilt: float = radians(75.0)) -> Quaternion:
    """Looking that way, a little down."""
    return Euler((tilt, 0.0, heading)).to_quaternion()


def eye_out(rotation: Quaternion, normal: Vector) -> float:
    eye = rotation @ UP
    return Vector(eye.xy).normalized().dot(normal.xy)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("heading", [0.0, 0.4, -0.7, pi])
def test_it_comes_round_to_the_open_side_and_keeps_its_tilt(side: float, heading: float):
    normal, now = Vector((side, 0.0, 0.0)), view(heading)
    for _ in range(60):
        now = opened(now, normal, 1.0 / 24.0)
    assert eye_out(now, normal) >= OPEN - 1e-3
    assert (now @ UP).z == pytest.approx((view(heading) @ UP).z, abs=1e-5)


def test_it_turns_in_its_time_whatever_the_rate_and_the_shorter_way():
    normal = Vector((1.0, 0.0, 0.0))
    ends = []
    for fps in (24, 120):
        now = view(0.1)
        for _ in range(fps // 12):
            now = opened(now, normal, 1.0 / fps)
        ends.append(eye_out(now, normal))
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)
    assert eye_out(view(0.1), normal) < ends[0] < OPEN


def test_without_a_wall_and_from_the_open_side_it_stays():
    assert opened(view(0.3), None, 1.0) == view(0.3)
    assert opened(view(radians(90.0)), Vector((1.0, 0.0, 0.0)), 1.0) == view(radians(90.0))
    top = Quaternion()
    assert opened(top, Vector((1.0, 0.0, 0.0)), 1.0) == top


def test_the_take_tells_the_wall_that_is_run_along():
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, -10.0, -0.5))
    bpy.context.active_object.scale = (20.0, 40.0, 1.0)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(-0.8, -10.0, 3.0))
    bpy.context.active_object.scale = (0.6, 30.0, 6.0)
    rig = add_person()
    setup(rig)
    rig.surefoot.speed, rig.surefoot.parkour = 3.0, True
    prepare(rig, bpy.context.scene)
    bpy.context.scene.frame_set(1)
    take = Take(rig)
    assert take.wall() is None
    for number in range(40):
        take.step(Pad(0.0, -1.0, sprint=True, jump=number == 18))
        if take.wall() is not None:
            break
    assert take.wall() is not None
    assert (take.wall() - Vector((1.0, 0.0, 0.0))).length < 1e-6
    take.cancel()
