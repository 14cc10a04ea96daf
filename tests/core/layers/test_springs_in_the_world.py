"""Springs under gravity and wind, beside the body's spheres and over the ground."""

from dataclasses import replace
from math import cos, inf, pi, radians, sin

import numpy as np
import pytest
from mathutils import Euler, Vector
from support.rigs import beetle_skeleton, dog_skeleton
from support.springs import (
    BARE,
    HERE,
    TAIL,
    Nowhere,
    braided,
    dog,
    moment_at,
    ride,
    rig_of,
    same,
    stay,
    sway,
)
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.spheres import clearance
from surefoot.core.layers.springs import Springs
from surefoot.core.layers.springs_config import SpringsConfig
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.world.solids import Flat


@pytest.mark.parametrize("tilt", [(0, 0, 0), (90, 0, 0), (180, 0, 0), (40, 70, 10)])
@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_gravity_points_down_in_the_world_whatever_the_body_does(tilt, heading):
    turn = Euler([radians(angle) for angle in tilt]).to_quaternion()
    ground = Ground(3.0, -2.0, 1.0, heading, tuple(turn))
    heavy = ride(dog(), replace(BARE, gravity=0.6, limit=2.6), 24.0, 3.0, lambda _: ground)
    light = ride(dog(), BARE, 24.0, 0.1, lambda _: ground)
    to_world = moment_at(ground, 0.0).to_world.to_quaternion()
    for bone in TAIL:
        i = dog().skeleton.index[bone]
        down, posed = (
            (to_world @ (poses[-1].turn(i) @ Vector((0.0, 1.0, 0.0)))) for poses in (heavy.poses, light.poses)
        )
        assert down.z < posed.z - 0.02 or posed.z < -0.9
        # Down is the only way that it went.
        assert posed.cross(Vector((0.0, 0.0, -1.0))).normalized().dot(posed.cross(down).normalized()) > 0.999


def test_all_gravity_of_the_earth_bends_a_pendulum_by_the_rule_of_forces():
    # A spring of stiffness w^2 about the level, a lever l and a weight g: the tip comes to rest along l w^2 y - g z.
    config = replace(BARE, frequency=2.0, halflife=0.3, falloff=0.0, gravity=1.0, limit=2.6)
    springs = Springs(dog(), config)
    pose = EditedPose.rest(dog().skeleton)
    springs.apply(pose, springs.start(), moment_at(HERE, 0.0), LayerInput())
    square = (2.0 * pi * 2.0) ** 2 + (np.log(2.0) / 0.3) ** 2
    size = sum(dog().skeleton.bones[dog().skeleton.index[bone]].length for bone in TAIL)
    for bone in TAIL:
        i = dog().skeleton.index[bone]
        rest = dog().skeleton.bones[i].rest.to_quaternion() @ Vector((0.0, 1.0, 0.0))
        expected = (rest * (0.6 * size * square) + Vector((0.0, 0.0, -9.81))).normalized()
        assert tuple(pose.turn(i) @ Vector((0.0, 1.0, 0.0))) == pytest.approx(tuple(expected), abs=1e-4)


def test_wind_blows_to_where_it_is_told_and_comes_in_gusts_of_its_seed():
    # A heading of 90 degrees blows to +X: the tail, which points to +Y, turns about -Z.
    windy = replace(BARE, drag=1.0, wind=5.0, wind_heading=radians(90.0), gusts=0.8)
    lean = ride(dog(), windy, 24.0, 20.0, stay).lean("tail.004")[24:, 2]
    assert lean.max() < 0.0
    assert lean.min() < 2.0 * lean.max()
    other = ride(dog(), replace(windy, seed=2), 24.0, 20.0, stay).lean("tail.004")[24:, 2]
    assert np.abs(other - lean).max() > 0.02
    assert np.abs(np.diff(lean, 2)).max() < 0.02


@pytest.mark.parametrize("turn", [0.7, -2.5])
def test_a_world_moved_and_turned_about_z_turns_all_with_it(turn):
    config = SpringsConfig(bones="tails", gravity=0.3, wind=4.0, ground=False)

    def elsewhere(time):
        x, y, z, heading, _ = sway(time)
        c, s = cos(turn), sin(turn)
        return Ground(40.0 + c * x - s * y, -25.0 + s * x + c * y, z + 3.0, heading + turn)

    here = ride(dog(), config, 24.0, 3.0, sway)
    there = ride(dog(), replace(config, wind_heading=turn), 24.0, 3.0, elsewhere)
    for bone in TAIL:
        assert np.abs(here.tips(bone) - there.tips(bone)).max() < 1e-4


def test_mirrored_motion_is_mirrored():
    def mirrored(time):
        x, y, z, heading, _ = sway(time)
        return Ground(-x, y, z, -heading)

    config = SpringsConfig(bones="tails", gravity=0.3, ground=False)
    left, right = (ride(dog(), config, 24.0, 3.0, way).tips("tail.004") for way in (sway, mirrored))
    assert np.abs(left * (-1.0, 1.0, 1.0) - right).max() < 2e-4


def test_a_body_twice_the_size_moves_alike_where_its_way_is_twice_as_long_and_nothing_weighs():
    large = rig_of(Skeleton(tuple(_doubled(bone) for bone in dog_skeleton().bones)))

    def longer(time):
        x, y, z, heading, _ = sway(time)
        return Ground(2.0 * x, 2.0 * y, 2.0 * z, heading)

    config = replace(BARE, frequency=2.0)
    small, big = ride(dog(), config, 24.0, 3.0, sway), ride(large, config, 24.0, 3.0, longer)
    assert np.abs(2.0 * small.tips("tail.004") - big.tips("tail.004")).max() < 1e-3


def _doubled(bone):
    rest = bone.rest.copy()
    rest.translation = rest.translation * 2.0
    return replace(bone, rest=rest, length=2.0 * bone.length)


def _deepest(after):
    """How far into any sphere a bone of the ride reaches whose joint is outside, as the share of the radius left."""
    left = inf
    springs = after.springs
    for pose in after.poses:
        for item in springs._bones:
            head, tail = pose.head(item.bone), pose.tail(item.bone)
            for place, radius in item.spheres:
                sphere = springs._spheres[place]
                center = pose.moved(sphere.bone) @ sphere.center
                if (head - center).length > radius:
                    left = min(left, clearance(head, tail, center) / radius)
    return left


@pytest.mark.parametrize("fps", [24.0, 60.0])
@pytest.mark.parametrize(("width", "quick"), [(0.1, 5.0), (0.5, 7.0), (1.0, 9.0), (2.5, 12.0)])
def test_a_braid_thrown_at_the_back_never_goes_through_it(fps, width, quick):
    config = SpringsConfig(bones="hair", ground=False, frequency=0.8, halflife=1.0, jump=10.0)
    after = ride(braided(), config, fps, 6.0, lambda time: Ground(0.0, width * sin(quick * time), 0.0, 0.0))
    assert _deepest(after) > 0.99
    # Head and back are between it and the front (-Y) on every frame, at accelerations of up to 36 times gravity.
    assert min(after.tips(f"braid.{k:03d}")[:, 1].min() for k in range(6)) > 0.0
    thrown = np.ptp(after.tips("braid.005")[:, 1])
    assert thrown > 0.05


def test_a_braid_is_kept_out_of_the_body_when_it_is_whirled_about():
    config = SpringsConfig(bones="hair", ground=False, frequency=0.8, halflife=1.0)

    def whirl(time):
        return Ground(0.4 * sin(7.0 * time), 0.4 * sin(9.0 * time), 0.0, 2.0 * sin(8.0 * time))

    assert _deepest(ride(braided(), config, 24.0, 10.0, whirl)) > 0.99


def test_without_collisions_it_does_go_through():
    config = SpringsConfig(bones="hair", collide=False, ground=False, frequency=0.8, halflife=1.0)
    after = ride(braided(), config, 60.0, 6.0, lambda time: Ground(0.0, 0.5 * sin(7.0 * time), 0.0, 0.0))
    assert min(after.tips(f"braid.{k:03d}")[:, 1].min() for k in range(6)) < -0.05


def test_spheres_change_nothing_while_all_is_at_rest():
    for rig in (dog(), braided(), rig_of(beetle_skeleton())):
        after = ride(rig, SpringsConfig(ground=False, drag=0.0), 24.0, 0.5, stay)
        assert same(after.poses[-1], EditedPose.rest(rig.skeleton))


@pytest.mark.parametrize("height", [0.0, 0.2, 0.35])
def test_a_heavy_tail_lies_on_the_ground_and_not_in_it(height):
    plane = Flat(height)
    config = SpringsConfig(bones="tails", frequency=0.6, gravity=4.0, limit=2.6, collide=False)
    after = ride(dog(), config, 24.0, 4.0, sway, world=plane)
    lowest = min((after.tips(bone)[:, 2] + [ground.z for ground in after.grounds]).min() for bone in TAIL)
    thick = 0.02 * dog().leg_length / 0.9
    assert lowest > height + thick - 1e-4
    # It does lie on it, not over it.
    assert lowest < height + thick + (0.02 if height > 0.1 else 0.5)


def test_lying_on_the_ground_it_is_still():
    config = SpringsConfig(bones="tails", frequency=0.6, gravity=4.0, limit=2.6, collide=False)
    after = ride(dog(), config, 24.0, 4.0, stay, world=Flat(0.3))
    steps = np.linalg.norm(np.diff(after.tips("tail.004")[-24:], axis=0), axis=1)
    assert steps.max() < 1e-5


def test_the_world_is_asked_a_bounded_number_of_questions():
    world = Nowhere()
    after = ride(dog(), SpringsConfig(bones="tails"), 24.0, 1.0, sway, world=world)
    assert world.asked == len(after.poses)
    assert Nowhere().asked == 0
