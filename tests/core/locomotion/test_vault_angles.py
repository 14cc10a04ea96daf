"""Vaults that are run into at an angle, at all paces and sizes: square within their window, and down behind the fence
with all of both feet.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, inf, radians, sin, sqrt

import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.level_runs import Acted, Scene, act
from support.rigs import person_skeleton
from support.runner import Runner
from support.surroundings import box, on_floor
from surefoot.core.character import Memory
from surefoot.core.control.intent import Pad
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand

HEIGHT, DEPTH, NEAR = 0.9, 0.2, 4.0
PACES = {"walk": (1.4, False), "run": (3.0, False), "sprint": (3.0, True)}
SIZES = (0.5, 1.0, 2.0)


def reach(angle: float, *, sprint: bool) -> float:
    """How far before the fence it is pressed: what its sensor sees, slanting, of the fence."""
    return 0.7 if sprint else max(0.45, 0.62 * cos(angle))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("degrees", [-60, -45, -20, 0, 20, 45, 60])
def test_from_whatever_angle_it_is_square_within_its_window_and_comes_down_clear_of_the_fence(
    degrees: int, pace: str, size: float
):
    (speed, sprint), angle = PACES[pace], radians(degrees)
    fence = box(HEIGHT * size, DEPTH * size, gap=NEAR * size, width=60.0 * size)
    runner = Runner(on_floor(fence), heading=angle, speed=speed * sqrt(size), size=size)
    far = -(NEAR + DEPTH) * size

    def pad(one: Runner) -> Pad:
        gap = one.capsule.feet[1] + NEAR * size
        return Pad(sin(angle), -cos(angle), go_up=gap < reach(angle, sprint=sprint) * size, sprint=sprint)

    runner.go(12.0, pad, until=lambda one: "VAULTING" in one.states and one.memory.state != "VAULTING")
    over = runner.of("VAULTING")
    window = runner.config.machine.window
    square = [one for one in over if one.time - over[0].time >= window]
    assert square
    assert [one.heading for one in square] == pytest.approx([0.0] * len(square), abs=1e-6)
    assert [one.velocity[0] for one in square] == pytest.approx([0.0] * len(square), abs=1e-5)
    assert runner.capsule.state == "ON_GROUND"
    # A run's foot trails behind it by a tenth of a second of its way.
    speed = runner.memory.speed
    behind = runner.movement.radius + 0.1 * size + 0.1 * sqrt(size) * speed
    assert far - runner.memory.way[3][1] >= min(behind, 1.2 * size) - 0.02 * size
    assert runner.capsule.feet[2] == pytest.approx(0.0, abs=1e-6)


@lru_cache
def person() -> Rig:
    return understand(person_skeleton(), read_conventions(ROOT / "presets" / "rigs")).rig


def soles(shown: Acted) -> list[Vector]:
    """Places along both feet, from heel to toe, world."""
    ground = shown.frame.ground
    world = Matrix.Translation(ground[:3]) @ Matrix.Rotation(ground.heading, 4, "Z")
    bones = person().skeleton.bones
    return [
        world @ shown.pose.model(k) @ Vector((0.0, share * bone.length, 0.0))
        for k, bone in enumerate(bones)
        if bone.name.startswith(("foot", "toe"))
        for share in (0.0, 0.5, 1.0)
    ]


@pytest.mark.parametrize(("degrees", "speed"), [(45, 1.4), (-30, 1.4), (30, 3.5), (-45, 3.0)])
def test_pressed_close_before_the_fence_no_foot_is_left_in_it(degrees: int, speed: float):
    angle = radians(degrees)

    def script(_: Memory, y: float) -> Pad:
        return Pad(sin(angle), -cos(angle), go_up=NEAR - y < 0.42)

    fence = ((-20.0, -NEAR - DEPTH, 0.0), (20.0, -NEAR, HEIGHT))
    clear, landed = inf, 0
    for shown in act(person(), Scene((fence,), script, speed, 6.0)):
        state = shown.memory.state.state
        landed += landed > 0 or (shown.memory.state.speed > 0.0 and state == "GROUNDED")
        if landed:
            clear = min([clear, *(-NEAR - DEPTH - p.y for p in soles(shown) if p.z < HEIGHT)])
        if landed > 30:
            break
    assert landed > 30
    assert clear > 0.03
