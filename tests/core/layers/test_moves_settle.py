"""Bones of a move that are not jolted, and limbs that come out of walls whichever way they got in."""

from __future__ import annotations

import pytest
from mathutils import Quaternion, Vector
from support.extension import ROOT
from support.level_runs import Scene, act, ahead, hanging, vaulting, wall_running
from support.rigs import person_skeleton
from surefoot.core.layers.moves_clear import Clear, Place
from surefoot.core.layers.moves_freed import UPPER, Push, freed
from surefoot.core.layers.moves_limbs import Limbs
from surefoot.core.layers.moves_memory import MovesMemory
from surefoot.core.layers.moves_settle import MOST, Asked, Settler
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.space.inertialization import rotation_offset
from surefoot.core.world.rooms import Block

DT = 1.0 / 60.0
HERE = Ground(0.0, 0.0, 0.0, 0.0)
X = Vector((1.0, 0.0, 0.0))


def person() -> Rig:
    return understand(person_skeleton(), read_conventions(ROOT / "presets" / "rigs")).rig


def followed(angles: list[float], *, base: bool = False) -> list[float]:
    """How far a thigh turns that is asked to be at these angles (radians), frame by frame."""
    rig = person()
    bone = rig.legs[0].bones[0]
    settler, memory, shown = Settler(rig, (bone,)), MovesMemory(), []
    for k, angle in enumerate(angles):
        pose = EditedPose.rest(rig.skeleton)
        pose.turn_by(bone, Quaternion(X, angle))
        settler.follow(pose, memory, Asked(HERE, DT if k else 0.0, k == 0, base))
        settler.remember(pose, memory, HERE, DT if k else 0.0)
        rest = rig.skeleton.bones[bone].rest.to_quaternion()
        shown.append(rotation_offset(pose.turn(bone), rest)[0])
    return shown


def test_a_turn_without_a_jolt_is_followed_to_the_bit():
    angles = [0.5 * MOST * (k * DT) ** 2 * 0.9 for k in range(8)]
    assert followed(angles) == pytest.approx(angles, abs=1e-5)


def test_a_turn_that_jumps_is_caught_up_with_and_no_speed_steps_by_more_than_six():
    shown = followed([0.0] * 3 + [1.0] * 40)
    speeds = [(b - a) / DT for a, b in zip(shown, shown[1:], strict=False)]
    assert max(abs(b - a) for a, b in zip(speeds, speeds[1:], strict=False)) < 6.0
    assert shown[-1] == pytest.approx(1.0, abs=1e-4)
    assert max(shown) < 1.02


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_knee_that_points_straight_into_a_wall_is_turned_out_to_its_own_side(side: float):
    joints = [Vector((0.0, 0.0, 1.0)), Vector((0.0, -0.4, 1.0)), Vector((0.0, -0.4, 0.6))]
    push = Push(UPPER, 1.0, Vector(), Vector((0.0, 1.0, 0.0)), -0.3)
    _, knee, ankle = freed(joints, (0.4, 0.4), [push], 1.0, Vector((side, 0.0, -0.4)).normalized())
    assert knee.y == pytest.approx(-0.3, abs=1e-4)
    assert knee.x * side > 0.0
    assert (knee - joints[0]).length == pytest.approx(0.4, abs=1e-4)
    assert (ankle - knee).length == pytest.approx(0.4, abs=1e-3)


def test_an_end_that_is_near_the_far_side_of_a_wall_comes_back_the_way_it_went_in():
    rig = person()
    limbs = Limbs(rig)
    clear = Clear(rig, limbs)
    world = Block((-2.0, -0.6, 0.0), (2.0, -0.2, 3.0))
    place = Place(HERE, world, DT)
    way = clear._way(Vector((0.0, -0.5, 1.0)), place, 0.0, 0.0, Vector((0.0, 0.0, 1.0))).way
    assert way.y == pytest.approx(0.3, abs=1e-4)


def depth(rig: Rig, shown, box) -> float:
    """How deep the deepest place on the middles of thighs, shins, upper arms and forearms is in a box, as capsules."""
    turn = Quaternion((0.0, 0.0, 1.0), shown.frame.ground.heading)
    at, worst = Vector(shown.frame.ground[:3]), -9.0
    limbs = [*((leg.bones, 0.05) for leg in rig.legs), *((arm.bones[-2:], 0.04) for arm in rig.arms)]
    for bones, radius in limbs:
        for bone, shares in zip(bones, ((0.5, 1.0), (0.3, 0.6)), strict=False):
            for share in shares:
                place = at + turn @ shown.pose.head(bone).lerp(shown.pose.tail(bone), share)
                gaps = [max(a - p, p - b) for p, a, b in zip(place, *box, strict=True)]
                outside = sum(max(0.0, gap) ** 2 for gap in gaps) ** 0.5
                worst = max(worst, radius - (outside if outside > 0.0 else max(gaps)))
    return worst


SCENES = {
    "a run along a wall": wall_running,
    "a vault": lambda: vaulting(0.9, 0.2),
    "a sprint vault": lambda: vaulting(speed=5.5),
    "a jump before a wall": lambda: Scene(
        (((-4.0, -8.0, 0.0), (4.0, -4.0, 6.0)),), lambda _, y: ahead(jump=y > 3.0), 3.0, 2.3
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_no_limb_is_deeper_than_two_centimetres_in_a_wall(name: str):
    rig, scene = person(), SCENES[name]()
    size = rig.leg_length / 0.9
    box = tuple(tuple(v * size for v in corner) for corner in scene.boxes[0])
    assert max(depth(rig, shown, box) for shown in act(rig, scene)) < 0.02


def test_the_body_is_not_dropped_where_a_run_along_a_wall_cuts_its_push_off_short():
    rig = person()
    seen = [shown for shown in act(rig, wall_running()) if shown.memory.state.state == "WALL_RUNNING"]
    hips = [shown.pose.head(rig.legs[0].bones[0]).z for shown in seen]
    assert seen
    assert min(hips) > 0.35 * rig.leg_length


def test_hands_are_near_the_edge_when_it_is_grabbed():
    limbs = Limbs(person()).known
    grabs = [shown for shown in act(person(), hanging()) if shown.request.move and shown.request.move.name == "PULL_IN"]
    first = next(shown for shown in grabs if shown.memory.state.state == "HANGING")
    turn, at = Quaternion((0.0, 0.0, 1.0), first.frame.ground.heading), Vector(first.frame.ground[:3])
    for contact in first.request.move.contacts:
        assert (at + turn @ limbs[contact.limb].place(first.pose) - Vector(contact.place)).length < 0.1
