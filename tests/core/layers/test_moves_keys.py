"""Key poses of moves: the way through them, their mirror image, and the pose that a rig takes of them."""

from __future__ import annotations

from math import pi, radians

import pytest
from mathutils import Vector
from support.extension import ROOT
from support.looking import rig_of
from support.rigs import person_skeleton
from surefoot.core.layers.moves_body import BodyOfKeys
from surefoot.core.layers.moves_keys import Curve, MoveKeys, move_from
from surefoot.core.move_presets import moves
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand

KEYS = ((0.0, 0.0), (0.3, 2.0), (0.5, 2.5), (0.8, -1.0), (1.0, -1.0))
TABLE = {
    "version": 1,
    "name": "HOP",
    "text": "A hop",
    "poses": [{"variants": ["LEFT"], "keys": [{"at": 0.0, "arm_L": {"raise": 90}}, {"at": 1.0, "body": {"yaw": 20}}]}],
}


def person(**kind) -> Rig:
    return understand(person_skeleton(**kind), read_conventions(ROOT / "presets" / "rigs")).rig


def posed(rig: Rig, **groups) -> EditedPose:
    """The key pose in which everything hangs but what is told, degrees."""
    key = MoveKeys({}).at(0.0)
    for group, values in groups.items():
        lengths = ("up", "ahead", "side")
        key[group].update({name: v if name in lengths else radians(v) for name, v in values.items()})
    pose = EditedPose.rest(rig.skeleton)
    BodyOfKeys(rig).pose(pose, key)
    return pose


def limb(rig: Rig, pose: EditedPose, name: str) -> Vector:
    """From a limb's root to its end, a unit vector."""
    index = rig.skeleton.index
    first, last = {"arm": ("upper_arm", "hand"), "leg": ("thigh", "foot")}[name[:3]]
    side = name[-1]
    return (pose.head(index[f"{last}.{side}"]) - pose.head(index[f"{first}.{side}"])).normalized()


@pytest.mark.parametrize("loops", [False, True])
def test_the_way_through_keys_meets_each_and_never_goes_past_one(loops: bool):
    keys = KEYS[:-1] if loops else KEYS
    curve = Curve.through(keys, loops=loops)
    assert [curve.at(t) for t, _ in keys] == pytest.approx([v for _, v in keys])
    values = [curve.at(k / 500) for k in range(501)]
    assert min(values) >= -1.0 and max(values) <= 2.5


@pytest.mark.parametrize("loops", [False, True])
def test_it_has_no_corner(loops: bool):
    curve = Curve.through(KEYS[:-1] if loops else KEYS, loops=loops)
    values = [curve.at(k / 2000) for k in range(2001)]
    slopes = [2000.0 * (b - a) for a, b in zip(values, values[1:], strict=False)]
    assert max(abs(b - a) for a, b in zip(slopes, slopes[1:], strict=False)) < 0.5


def test_a_round_ends_as_it_begins():
    curve = Curve.through(((0.1, 1.0), (0.6, -1.0)), loops=True)
    assert curve.at(0.0) == pytest.approx(curve.at(1.0))


def test_a_key_that_does_not_name_a_number_lets_it_go_on():
    keys = move_from(TABLE, "hop").of("LEFT")
    assert keys.at(1.0)["arm_L"]["raise"] == pytest.approx(radians(90))
    assert keys.at(0.0)["body"]["yaw"] == pytest.approx(radians(20))


def test_the_other_side_is_the_mirror_image():
    rig, table = person(), moves()["VAULT"]
    left, right = EditedPose.rest(rig.skeleton), EditedPose.rest(rig.skeleton)
    BodyOfKeys(rig).pose(left, table.of("LEFT").at(0.45))
    BodyOfKeys(rig).pose(right, table.of("RIGHT").at(0.45))
    for name, i in rig.skeleton.index.items():
        other = name[:-1] + {"L": "R", "R": "L"}[name[-1]] if name[-2:] in (".L", ".R") else name
        x, y, z = left.head(i)
        assert (right.head(rig.skeleton.index[other]) - Vector((-x, y, z))).length < 1e-4, name


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({}, (0.0, 0.0, -1.0)),
        ({"raise": 90}, (0.0, -1.0, 0.0)),
        ({"raise": 180}, (0.0, 0.0, 1.0)),
        ({"out": 90}, (1.0, 0.0, 0.0)),
    ],
)
def test_an_arm_is_told_from_hanging_straight_down(told: dict, where: tuple[float, float, float]):
    rig = person()
    assert (limb(rig, posed(rig, arm_L=told), "arm_L") - Vector(where)).length < 1e-3


def test_a_knee_takes_the_foot_back_and_a_thigh_takes_it_ahead():
    rig = person()
    assert limb(rig, posed(rig, leg_L={"knee": 90}), "leg_L").y > 0.5
    assert (limb(rig, posed(rig, leg_L={"raise": 90}), "leg_L") - Vector((0.0, -1.0, 0.0))).length < 0.02


def test_all_the_way_round_is_where_it_began():
    rig = person()
    once, never = posed(rig, body={"pitch": 360}), posed(rig)
    assert max((once.head(i) - never.head(i)).length for i in range(len(rig.skeleton))) < 1e-5


def test_it_turns_about_the_middle_of_the_hips_which_stands_as_high_as_told():
    rig = person()
    for pitch in (0, 90, 200):
        pose = posed(rig, body={"pitch": pitch, "up": 0.5})
        hips = [pose.head(leg.bones[0]) for leg in rig.legs]
        assert 0.5 * (hips[0] + hips[1]).z == pytest.approx(rig.floor + 0.5 * rig.leg_length, abs=1e-5)


def test_whatever_the_rest_pose_the_same_key_gives_the_same_pose():
    level, hanging = person(arms="T"), person(arms="A")
    for progress in (0.2, 0.45, 0.8):
        key = moves()["VAULT"].of("LEFT").at(progress)
        joints = []
        for rig in (level, hanging):
            pose = EditedPose.rest(rig.skeleton)
            BodyOfKeys(rig).pose(pose, key)
            joints.append([pose.head(rig.skeleton.index[f"{name}.L"]) for name in ("forearm", "hand")])
        assert max((a - b).length for a, b in zip(*joints, strict=True)) < 0.005


@pytest.mark.parametrize("name", ["person", "bird"])
def test_every_move_of_every_variant_poses_every_rig_on_two_legs(name: str):
    rig = rig_of(name)
    body = BodyOfKeys(rig)
    for table in moves().values():
        for keys in table.keys.values():
            for step in range(11):
                pose = EditedPose.rest(rig.skeleton)
                body.pose(pose, keys.at(0.1 * step))
                assert all(abs(q.magnitude - 1.0) < 1e-4 for q in pose.rotations)


def test_a_somersault_goes_once_round_ahead():
    keys = moves()["ROLL"].of("")
    turns = [keys.at(k / 50)["body"]["pitch"] for k in range(51)]
    assert all(b >= a for a, b in zip(turns[:42], turns[1:43], strict=True))
    assert turns[-1] - turns[0] == pytest.approx(2.0 * pi, abs=0.4)
