"""A body gets up from however it lies: continuously, on its hands and feet, out of the ground, to how it stands."""

from __future__ import annotations

from dataclasses import fields
from math import cos, pi, radians, sin
from random import Random

import pytest
from mathutils import Matrix, Quaternion
from support.lying import lying
from support.rises import FPS, depth, farthest, fastest, filmed, matrix_of, riser, slide, standing, start_gap
from surefoot.core.actions.rise_config import RiseConfig
from surefoot.core.actions.rise_poses import rise_from
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rise_presets import rising
from surefoot.core.world.compound import Moving
from surefoot.core.world.solids import Flat, Ramp, Stairs

SIDES = ("PRONE", "SUPINE", "LEFT", "RIGHT")
FLAT = Flat()
# Of a body that lies anyhow on its side a bone may turn so far in a frame at 30 a second (N12 of what people stumble
# over), a joint go so far, a limb be so far under ground, a planted hand or foot slide so far.
TURN, JUMP, UNDER, SLIDE = 15.0, 0.2, 0.005, 0.01
OTHERS = ("dog", "horse", "bird", "spider", "beetle")


@pytest.mark.parametrize("lies", SIDES)
def test_the_side_that_is_down_decides_what_it_gets_up_by(lies):
    rise = riser("person")
    body = lying(rise.rig, lies, FLAT, seed=1)
    memory = rise.start(body.pose, body.to_world, FLAT)
    assert memory.lies == lies
    assert rise.sources[memory.source].lies == lies


@pytest.mark.parametrize("style", ["ORDINARY", "QUICK"])
@pytest.mark.parametrize("lies", SIDES)
def test_a_person_gets_up_from_every_side_within_all_limits(lies, style):
    rise = riser("person")
    body = lying(rise.rig, lies, FLAT, heading=0.7)
    shots = filmed(rise, body, FLAT, style)
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert fastest(rise, shots) < TURN
    assert farthest(rise, shots) < JUMP
    assert depth(rise, shots, FLAT) < UNDER
    assert slide(rise, shots) < SLIDE
    assert rise.done(shots[-1].memory)


@pytest.mark.parametrize("lies", SIDES)
@pytest.mark.parametrize("who", OTHERS)
def test_any_number_of_legs_gets_up_from_every_side(who, lies):
    rise = riser(who)
    body = lying(rise.rig, lies, FLAT, heading=-1.1)
    shots = filmed(rise, body, FLAT)
    assert shots[0].memory.lies == lies
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert farthest(rise, shots) < JUMP
    assert depth(rise, shots, FLAT) < UNDER
    assert slide(rise, shots) < SLIDE
    assert rise.done(shots[-1].memory)


def test_when_it_is_done_the_pose_is_the_standing_one_itself():
    rise = riser("person")
    body = lying(rise.rig, "PRONE", FLAT)
    last = filmed(rise, body, FLAT)[-1]
    assert last.frame is not None
    stands = standing(rise.rig, rise.place(last.memory), FLAT)
    assert last.frame.rotations == pytest.approx(stands.rotations)
    assert last.frame.ground == stands.ground


def test_it_faces_where_its_head_pointed_from_the_front_and_where_its_feet_did_from_the_back():
    rise = riser("person")
    for lies, facing in (("PRONE", 0.5), ("SUPINE", 0.5 + pi)):
        body = lying(rise.rig, lies, FLAT, heading=0.5)
        heading = rise.place(rise.start(body.pose, body.to_world, FLAT)).heading
        assert abs((heading - facing + pi) % (2.0 * pi) - pi) < 0.2


def test_who_is_propped_on_an_arm_lies_too_and_enters_on_its_way():
    rise = riser("person")
    flat, up = (lying(rise.rig, "PRONE", FLAT, pitch=radians(angle)) for angle in (0.0, 50.0))
    starts = [rise.start(body.pose, body.to_world, FLAT) for body in (flat, up)]
    assert [memory.lies for memory in starts] == ["PRONE", "PRONE"]
    assert starts[1].entered > starts[0].entered


def test_floored_again_on_the_way_it_begins_from_the_pose_that_it_is_in():
    rise = riser("person")
    body = lying(rise.rig, "PRONE", FLAT)
    shots = filmed(rise, body, FLAT)
    way = shots[len(shots) // 2]
    again = rise.start(way.pose, way.at, FLAT)
    frame = rise.pose(again, standing(rise.rig, rise.place(again), FLAT))
    pose, at = EditedPose.of_frame(rise.rig.skeleton, frame), matrix_of(frame)
    for i in (rise.rig.body, *rise.rig.skeleton.below[rise.rig.body]):
        assert ((at @ pose.head(i)) - (way.at @ way.pose.head(i))).length < 1e-3


def test_a_quick_one_takes_less_time():
    rise = riser("person")
    for lies in ("PRONE", "SUPINE"):
        body = lying(rise.rig, lies, FLAT)
        ordinary, quick = (len(filmed(rise, body, FLAT, style)) for style in ("ORDINARY", "QUICK"))
        assert quick < 0.75 * ordinary


@pytest.mark.parametrize(("lies", "least"), [("PRONE", 0.6), ("LEFT", 0.6), ("SUPINE", 0.25)])
def test_both_hands_push_the_body_up_and_stay_where_they_push(lies, least):
    rise = riser("person")
    body = lying(rise.rig, lies, FLAT)
    memory = rise.start(body.pose, body.to_world, FLAT)
    hands = {planted.limb: planted.end - planted.start for planted in memory.holds if "hand" in planted.limb}
    assert set(hands) == {"hand.L", "hand.R"}
    assert min(hands.values()) > least


def test_hands_under_the_shoulders_point_the_way_that_the_body_faces():
    rise = riser("person")
    body = lying(rise.rig, "PRONE", FLAT, heading=0.4)
    memory = rise.start(body.pose, body.to_world, FLAT)
    # In the frame in which it rises it faces -Y.
    assert all(planted.along[1] < -0.9 for planted in memory.holds if "hand" in planted.limb)


def test_it_is_led_in_as_long_as_its_farthest_point_or_its_most_turned_joint_needs():
    rise = riser("person")
    body = lying(rise.rig, "SUPINE", FLAT, seed=5)
    slow = rising(rise.rig, RiseConfig(travel=0.1, turn=radians(20.0)))
    quick = rising(rise.rig, RiseConfig(travel=5.0, turn=radians(720.0)))
    tempo = (rise.rig.leg_length / 0.9) ** 0.5
    assert slow.start(body.pose, body.to_world, FLAT).blend == pytest.approx(1.2 * tempo)
    assert quick.start(body.pose, body.to_world, FLAT).blend == pytest.approx(0.3 * tempo)


def test_two_runs_are_equal_to_the_bit_and_a_copy_goes_its_own_way():
    rise = riser("person")
    body = lying(rise.rig, "LEFT", FLAT, seed=3)
    one, two = (filmed(rise, body, FLAT) for _ in range(2))
    assert [shot.frame.rotations.tolist() for shot in one] == [shot.frame.rotations.tolist() for shot in two]
    memory = rise.start(body.pose, body.to_world, FLAT)
    copy = memory.copy()
    rise.tick(memory, FLAT, 0.1)
    assert copy.time == 0.0
    assert memory.time > 0.0


def test_it_rides_the_ground_that_it_lies_on():
    rise = riser("person")
    platform = Moving(FLAT, lambda time: (time, 0.0, 0.5 * time, 0.2 * time))
    body = lying(rise.rig, "PRONE", FLAT)
    memory = rise.start(body.pose, body.to_world, platform)
    place = rise.place(memory)
    for k in range(1, 31):
        platform.set_time(k / 30.0)
        rise.tick(memory, platform, 1.0 / 30.0)
    moved = rise.place(memory)
    x, y = (cos(0.2) * place.x - sin(0.2) * place.y + 1.0, sin(0.2) * place.x + cos(0.2) * place.y)
    assert moved == pytest.approx((x, y, place.z + 0.5, place.heading + 0.2), abs=1e-4)


@pytest.mark.parametrize(("ground", "world"), [("flat", FLAT), ("slope", Ramp(radians(20.0)))])
def test_bodies_that_lie_anyhow_get_up_by_the_side_that_is_down_and_within_the_limits(ground, world):
    rise, rng = riser("person"), Random(7)
    for k in range(8):
        lies = SIDES[k % 4]
        place = (rng.uniform(-0.5, 0.5), rng.uniform(-3.5, -2.0))
        body = lying(
            rise.rig, lies, world, heading=rng.uniform(-pi, pi), seed=100 + k, at=place, off=rng.uniform(-0.5, 0.5)
        )
        shots = filmed(rise, body, world)
        assert shots[0].memory.lies == lies
        assert start_gap(rise, body, shots[0]) < 1e-3
        assert slide(rise, shots) < SLIDE
        assert depth(rise, shots, world) < UNDER
        assert len(shots) < 10 * FPS


def test_on_stairs_it_finds_places_for_its_feet():
    rise, world = riser("person"), Stairs()
    body = lying(rise.rig, "PRONE", world, heading=0.3, at=(0.0, -3.0))
    shots = filmed(rise, body, world)
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert slide(rise, shots) < SLIDE
    assert rise.done(shots[-1].memory)


def test_the_same_body_elsewhere_gets_up_alike():
    rise = riser("person")
    body = lying(rise.rig, "SUPINE", FLAT, seed=11)
    turned = Matrix.Translation((30.0, -12.0, 0.0)) @ Quaternion((0.0, 0.0, 1.0), 2.0).to_matrix().to_4x4()
    here = filmed(rise, body, FLAT)[40]
    there = filmed(rise, type(body)(body.pose, turned @ body.to_world, body.lies), FLAT)[40]
    for i in (rise.rig.head, rise.rig.body):
        assert ((turned @ here.at @ here.pose.head(i)) - (there.at @ there.pose.head(i))).length < 1e-3


def test_a_table_of_key_poses_is_refused_with_its_place():
    with pytest.raises(ValueError, match=r"mine: lies must be one of PRONE, SUPINE, SIDE"):
        rise_from(
            {"version": 1, "name": "A", "text": "B", "poses": [{"variants": ["LEFT"], "keys": [{"at": 0.0}]}]}, "mine"
        )


def test_what_it_remembers_is_plain_numbers_and_bounded():
    rise, world = riser("person"), Stairs()
    body = lying(rise.rig, "PRONE", world, seed=2, at=(0.0, -3.0))
    memory = rise.start(body.pose, body.to_world, world)

    def count(value: object) -> int:
        if isinstance(value, tuple):
            return sum(map(count, value))
        assert value is None or isinstance(value, bool | int | float | str)
        return 1

    values = sum(count(getattr(memory, item.name)) for item in fields(memory))
    # Four numbers a bone, four of each bone with a place, the grid of the floor, half a minute of pace, and the rest.
    assert values <= 8 * len(rise.rig.skeleton) + 34 * 34 + 900 + 200


def test_on_stairs_no_limb_goes_through_a_step():
    rise, world, rng = riser("person"), Stairs(), Random(3)
    deepest = 0.0
    for k in range(4):
        body = lying(rise.rig, SIDES[k], world, heading=rng.uniform(-pi, pi), seed=k, at=(0.0, -3.0))
        deepest = max(deepest, depth(rise, filmed(rise, body, world), world))
    assert deepest < UNDER
