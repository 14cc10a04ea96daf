"""Springs: they swing as often and fade as fast as they are told, at any frame rate, and stay out of things."""

from dataclasses import replace
from functools import lru_cache
from math import cos, degrees, inf, isfinite, pi, radians, sin

import numpy as np
import pytest
from mathutils import Euler, Quaternion, Vector
from support.rigs import beetle_skeleton, dog_skeleton, person_skeleton, with_bones
from support.springs import Nowhere, moment_at, ride, rig_of, swing_and_fade, turned, with_chain
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.layers.spheres import clearance
from surefoot.core.layers.springs import Springs
from surefoot.core.layers.springs_config import SpringsConfig
from surefoot.core.layers.stack import Stack
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.world.solids import Flat, Hills

RATES = (24.0, 30.0, 60.0, 120.0, 240.0)
# Nothing but the swing itself.
BARE = SpringsConfig(bones="tails", drag=0.0, collide=False, ground=False)
HERE = Ground(0.0, 0.0, 0.0, 0.0)
TAIL = tuple(f"tail.{k:03d}" for k in range(1, 5))
OFF = LayerInput(on=False)


@lru_cache
def dog():
    return rig_of(dog_skeleton())


@lru_cache
def braided():
    """A person with a braid of six bones that hangs behind head and back."""
    down = Vector((0.0, 0.12, -1.0))
    start = person_skeleton().bones[person_skeleton().index["head"]].tail + Vector((0.0, 0.13, -0.06))
    return rig_of(with_chain(person_skeleton(), "braid", "head", start, down, (0.09,) * 6))


def stay(_time):
    return HERE


def stop(at=0.5, speed=2.0):
    """Sideways at a speed, then standing still from one instant on, which is a frame at every rate."""
    return lambda time: Ground(speed * min(time, at), 0.0, 0.0, 0.0)


def sway(time):
    return Ground(0.15 * sin(5.0 * time), 0.1 * sin(3.0 * time), 0.03 * sin(11.0 * time), 0.4 * sin(2.0 * time))


def same(one, other):
    """The same bytes."""
    return all(tuple(a) == tuple(b) for a, b in zip(one.rotations, other.rotations, strict=True))


# It swings as it is told


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize(("frequency", "halflife"), [(1.5, 0.5), (2.5, 0.25), (4.0, 1.0)])
def test_a_tail_let_go_swings_and_fades_as_set_within_two_percent(fps, frequency, halflife):
    config = replace(BARE, frequency=frequency, halflife=halflife, falloff=0.0)
    after = ride(dog(), config, fps, 2.0, stop(speed=0.8))
    for bone in TAIL:
        swing = after.lean(bone)[round(0.5 * fps) + 1 :, 2]
        assert degrees(np.abs(swing).max()) > 1.0
        seen, faded = swing_and_fade(swing, fps)
        assert seen == pytest.approx(frequency, rel=0.02)
        assert faded == pytest.approx(halflife, rel=0.02)


@pytest.mark.parametrize("fps", RATES)
def test_a_wide_swing_is_no_slower_than_a_small_one(fps):
    config = replace(BARE, frequency=2.0, halflife=0.6, falloff=0.0, limit=2.6)
    swing = ride(dog(), config, fps, 2.5, stop(speed=3.0)).lean("tail.004")[round(0.5 * fps) + 1 :, 2]
    assert degrees(np.abs(swing).max()) > 45.0
    assert swing_and_fade(swing, fps) == pytest.approx((2.0, 0.6), rel=0.02)


@pytest.mark.parametrize("fps", [24.0, 240.0])
def test_the_tip_swings_slower_than_the_root_by_the_falloff(fps):
    config = replace(BARE, frequency=3.0, halflife=0.5, falloff=0.4)
    after = ride(dog(), config, fps, 3.0, stop())
    seen = [swing_and_fade(after.lean(bone)[round(0.5 * fps) + 1 :, 2], fps)[0] for bone in TAIL]
    assert seen[0] == pytest.approx(3.0, rel=0.02)
    assert seen[-1] == pytest.approx(3.0 * (1.0 - 0.4), rel=0.02)
    assert seen == sorted(seen, reverse=True)


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_swaying_looks_the_same_at_every_frame_rate(fps):
    config = replace(BARE, gravity=0.3, drag=0.5)
    fine = ride(dog(), config, 240.0, 4.0, sway)
    coarse = ride(dog(), config, fps, 4.0, sway)
    for bone in TAIL:
        apart = fine.lean(bone)[:: round(240.0 / fps)] - coarse.lean(bone)
        assert degrees(np.abs(fine.lean(bone)).max()) > 4.0
        assert degrees(np.linalg.norm(apart, axis=1).max()) < 0.7


def test_it_lags_behind_a_turn_and_swings_past_it():
    def turn(time):
        return Ground(0.0, 0.0, 0.0, 1.5 * min(max(time - 0.1, 0.0), 0.4))

    lean = ride(dog(), replace(BARE, halflife=0.4), 60.0, 1.3, turn).lean("tail.004")[:, 2]
    assert np.abs(lean[:7]).max() < 1e-6
    assert degrees(lean[12]) < -2.0
    assert degrees(lean[30:].max()) > 5.0


def test_the_tip_lags_more_than_the_root():
    after = ride(dog(), BARE, 60.0, 1.0, stop())
    widest = [np.abs(after.lean(bone)[:, 2]).max() for bone in TAIL]
    assert widest == sorted(widest)


def test_at_a_steady_speed_nothing_leans_but_by_the_air():
    def steady(time):
        return Ground(2.0 * time, 1.0 * time, 0.0, 0.0)

    assert np.abs(ride(dog(), BARE, 24.0, 3.0, steady).lean("tail.004")).max() < 1e-5


def test_the_air_bends_it_back_by_the_speed():
    def ahead(speed):
        return lambda time: Ground(speed * time, 0.0, 0.0, 0.0)

    leans = [
        ride(dog(), replace(BARE, drag=0.5), 24.0, 8.0, ahead(speed)).lean("tail.004")[-1, 2] for speed in (0, 2, 4)
    ]
    # The tail points back (+Y); the body goes left (+X), so its tip is turned to -X: about +Z.
    assert leans[0] == pytest.approx(0.0, abs=1e-6)
    assert 0.02 < leans[1] < leans[2]


@pytest.mark.parametrize("inertia", [0.0, 0.5, 1.0])
def test_inertia_is_the_share_of_the_body_s_travel_that_is_felt(inertia):
    whole = ride(dog(), BARE, 60.0, 1.0, stop(speed=0.5)).lean("tail.001")
    part = ride(dog(), replace(BARE, inertia=inertia), 60.0, 1.0, stop(speed=0.5)).lean("tail.001")
    assert np.abs(part - inertia * whole).max() < 2e-3


def test_what_the_pose_does_is_felt_without_any_inertia_of_the_travel():
    def bow(pose, time):
        turned(pose, "pelvis", Euler((0.4 * sin(6.0 * time), 0.0, 0.0)).to_quaternion())

    lagging = ride(dog(), replace(BARE, inertia=0.0), 60.0, 2.0, stay, posed=bow)
    i = dog().skeleton.index["tail.004"]
    stiff = []
    for n in range(len(lagging.poses)):
        pose = EditedPose.rest(dog().skeleton)
        bow(pose, n / 60.0)
        stiff.append(pose.turn(i))
    apart = [a.turn(i).rotation_difference(b).angle for a, b in zip(lagging.poses, stiff, strict=True)]
    assert degrees(max(apart)) > 5.0


# It is steady


def test_an_hour_without_drift_or_growth():
    period, fps = 2.0, 24.0

    def endless(time):
        turn = 2.0 * pi * time / period
        return Ground(0.1 * sin(turn), 0.0, 0.02 * sin(2.0 * turn), 0.2 * cos(turn))

    config = replace(BARE, frequency=1.3, halflife=0.3, gravity=0.2)
    springs = Springs(dog(), config)
    memory = springs.start()
    rows = []
    for n in range(3600 * 24 + 1):
        pose = EditedPose.rest(dog().skeleton)
        # The very same places again each period, so that what is left of a difference is the springs' own.
        springs.apply(pose, memory, moment_at(endless(n % 48 / fps), 1.0 / fps if n else 0.0), LayerInput())
        if 480 <= n < 528 or n > 3600 * 24 - 48:
            rows.append([tuple(pose.rotations[i]) for i in springs.driven()[0]])
    early, late = np.array(rows[:48]), np.array(rows[48:])
    assert np.abs(early).max() > 0.0
    assert np.abs(np.roll(early, -1, axis=0)[:47] - late[:47]).max() < 2e-5
    swings = np.array([[tuple(swing.lean), tuple(swing.rate)] for swing in memory.swings])
    assert np.abs(swings).max() < 20.0


@pytest.mark.parametrize("fps", [1.0, 24.0, 240.0])
@pytest.mark.parametrize("frequency", [0.4, 8.0, 30.0])
def test_however_stiff_it_is_and_however_it_is_shaken_it_stays_in_its_limit(fps, frequency):
    def shaken(time):
        return Ground(0.4 * sin(31.0 * time), 0.4 * sin(47.0 * time), 0.0, 3.0 * sin(53.0 * time))

    config = replace(BARE, frequency=frequency, halflife=5.0, limit=radians(40.0))
    after = ride(dog(), config, fps, 100.0 / fps, shaken)
    # No turn is told from one a hair smaller in single precision, and the root's own way is the limit.
    assert degrees(np.linalg.norm(after.lean("tail.001"), axis=1).max()) < 40.1


def test_a_cut_lets_it_rest():
    def cut(time):
        return Ground(3.0 * time if time < 1.0 else 50.0 + 3.0 * time, 0.0, 0.0, 0.0)

    lean = ride(dog(), BARE, 24.0, 2.0, cut).lean("tail.004")
    assert np.abs(lean).max() < 1e-5


def test_a_first_frame_in_full_travel_is_as_if_it_had_always_been_so():
    springs = Springs(dog(), replace(BARE, drag=0.5))
    memory, leans = springs.start(), []
    for n in range(48):
        pose = EditedPose.rest(dog().skeleton)
        moment = moment_at(Ground(0.1 * n, 0.0, 0.0, 0.0), 1.0 / 24.0 if n else 0.0, velocity=(2.4, 0.0, 0.0))
        springs.apply(pose, memory, moment, LayerInput())
        leans.append(pose.turn(dog().skeleton.index["tail.004"]))
    assert max(leans[0].rotation_difference(turn).angle for turn in leans) < 1e-3
    assert leans[0].rotation_difference(EditedPose.rest(dog().skeleton).turn(14)).angle > 0.02


def test_let_go_it_settles_back_into_the_pose_to_the_bit_while_the_body_moves_on():
    config = SpringsConfig(bones="tails", gravity=0.5, ground=False)
    after = ride(dog(), config, 24.0, 6.0, sway, wish=lambda time: OFF if time > 1.0 else LayerInput())
    assert same(after.poses[-1], EditedPose.rest(dog().skeleton))
    steps = np.linalg.norm(np.diff(after.lean("tail.004"), axis=0), axis=1)
    assert degrees(steps[24:30].max()) < 8.0


def test_the_same_input_gives_the_same_bytes_also_from_a_copy_of_the_memory():
    config = SpringsConfig(wind=6.0, gravity=0.2)
    one, two = (ride(dog(), config, 24.0, 2.0, sway, world=Hills()) for _ in range(2))
    assert same(one.poses[-1], two.poses[-1])
    kept = one.memory.copy()
    rows = []
    for memory in (one.memory, kept):
        for n in range(49, 60):
            pose = EditedPose.rest(dog().skeleton)
            one.springs.apply(pose, memory, moment_at(sway(n / 24.0), 1.0 / 24.0, Hills()), LayerInput())
        rows.append(pose)
    assert same(*rows)


# Only turns, and only its own bones


def test_bones_only_turn_without_twist_and_keep_their_joints_together():
    after = ride(dog(), replace(BARE, gravity=1.0), 24.0, 3.0, sway)
    skeleton = dog().skeleton
    driven = set(after.springs.driven()[0])
    for pose in after.poses:
        assert not pose.locations
        for i in range(len(skeleton)):
            if i not in driven:
                assert pose.rotations[i] == Quaternion()
        for k in range(3):
            end, start = (skeleton.index[TAIL[k + j]] for j in (0, 1))
            assert (pose.tail(end) - pose.head(start)).length < 1e-6
        # The shortest turn from the pose leaves no turn about the bone as it is posed.
        i = skeleton.index["tail.001"]
        turn = pose.turn(i) @ skeleton.bones[i].rest.to_quaternion().inverted()
        along = skeleton.bones[i].tail - skeleton.bones[i].head
        assert abs(Vector(turn[1:]).dot(along.normalized())) < 1e-5


def test_a_masked_bone_and_a_weight_of_nothing_leave_the_pose_to_the_bit():
    settings = LayerSettings("SPRINGS", SpringsConfig(gravity=1.0), mask="tail.003")
    stack = Stack(dog(), (settings,))
    memories = stack.start()
    for n in range(10):
        pose = EditedPose.rest(dog().skeleton)
        stack.apply(pose, memories, moment_at(sway(n / 24.0), 1.0 / 24.0 if n else 0.0), (LayerInput(),))
    free = {dog().skeleton.index[name] for name in ("tail.003", "tail.004")}
    assert all((pose.rotations[i] != Quaternion()) == (i in free) for i in range(len(dog().skeleton)))
    for n in range(10):
        pose = EditedPose.rest(dog().skeleton)
        stack.apply(pose, memories, moment_at(sway(n / 24.0), 1.0 / 24.0), (LayerInput(weight=0.0),))
        assert same(pose, EditedPose.rest(dog().skeleton))


def test_half_a_weight_is_half_the_lean():
    angles = []
    for weight in (0.5, 1.0):
        stack = Stack(dog(), (LayerSettings("SPRINGS", replace(BARE, gravity=0.3)),))
        pose = EditedPose.rest(dog().skeleton)
        stack.apply(pose, stack.start(), moment_at(HERE, 0.0), (LayerInput(weight=weight),))
        angles.append(pose.rotations[dog().skeleton.index["tail.001"]].angle)
    assert angles[0] == pytest.approx(0.5 * angles[1], rel=1e-3)


# Gravity and wind are the world's


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


# It stays out of things


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


# Nothing it meets breaks it


@pytest.mark.parametrize("bend", [(0.0, 0.0, 0.0), (pi, 0.0, 0.0), (pi - 1e-4, 0.0, 1e-4), (0.0, 0.0, pi)], ids=str)
def test_straight_or_folded_there_is_a_number_for_everything(bend):
    def fold(pose, _time):
        for bone in TAIL:
            turned(pose, bone, Euler(bend).to_quaternion())

    after = ride(dog(), SpringsConfig(gravity=1.0, wind=3.0), 24.0, 2.0, sway, world=Hills(), posed=fold)
    assert all(isfinite(value) for pose in after.poses for turn in pose.rotations for value in turn)


@pytest.mark.parametrize("lengths", [(0.0,), (0.0, 0.0, 0.0), (0.1, 0.0, 0.1), (1e-7, 1e-7)])
def test_bones_without_a_length_do_no_harm(lengths):
    skeleton = with_chain(person_skeleton(), "tail", "pelvis", Vector((0, 0.1, 0.95)), Vector((0, 1, 0)), lengths)
    after = ride(rig_of(skeleton), SpringsConfig(gravity=1.0), 24.0, 2.0, sway, world=Hills())
    assert after.springs.driven()[0]
    assert all(isfinite(value) for pose in after.poses for turn in pose.rotations for value in turn)


def test_a_tail_that_stands_straight_up_against_gravity_has_a_place_to_be():
    skeleton = with_chain(person_skeleton(), "tail", "pelvis", Vector((0, 0.1, 0.95)), Vector((0, 0, 1)), (0.1, 0.1))
    for gravity in (0.3, 1.0, 4.0):
        after = ride(rig_of(skeleton), replace(BARE, gravity=gravity, frequency=0.8), 24.0, 1.0, stay)
        assert all(isfinite(value) for turn in after.poses[-1].rotations for value in turn)


def test_a_frame_of_any_length_is_survived():
    springs = Springs(dog(), SpringsConfig(gravity=0.5))
    memory = springs.start()
    for n, dt in enumerate((0.0, 1e-9, 1e3, 1.0 / 24.0, 0.0, 1e-6)):
        pose = EditedPose.rest(dog().skeleton)
        springs.apply(pose, memory, moment_at(sway(0.1 * n), dt, Hills()), LayerInput())
        assert all(isfinite(value) for turn in pose.rotations for value in turn)


def test_a_rig_on_which_nothing_hangs_says_so_and_stays_as_it_is():
    after = ride(rig_of(person_skeleton()), SpringsConfig(), 24.0, 0.2, sway)
    (problem,) = after.springs.problems
    assert "hangs" in problem.reason
    assert problem.remedy
    assert same(after.poses[-1], EditedPose.rest(person_skeleton()))


def test_chains_have_one_order_whatever_the_words_are():
    one, two = (Springs(dog(), SpringsConfig(bones=text)) for text in ("tails ears", "ears, tail"))
    assert one._bones == two._bones


def test_what_hangs_on_what_hangs_is_carried_by_it_once():
    skeleton = with_chain(dog_skeleton(), "ribbon", "tail.002", Vector((0, 0.5, 0.6)), Vector((0, 0, -1)), (0.05, 0.05))
    rig = rig_of(skeleton)
    after = ride(rig, SpringsConfig(gravity=0.5, ground=False), 24.0, 2.0, sway)
    assert len(after.springs.driven()[0]) == len(set(after.springs.driven()[0]))
    i = rig.skeleton.index["ribbon.000"]
    parent = rig.skeleton.index["tail.002"]
    for pose in after.poses:
        held = (pose.moved(parent) @ rig.skeleton.bones[i].head) - pose.head(i)
        assert held.length < 1e-5


def test_a_bone_that_does_not_turn_with_its_parent_swings_all_the_same():
    bones = [replace(bone, inherit_rotation=bone.name != "tail.003") for bone in dog_skeleton().bones]
    parents = [bones[bone.parent].name if bone.parent >= 0 else "" for bone in bones]
    rig = rig_of(with_bones([bone.name for bone in bones], bones, parents))
    plain = ride(dog(), replace(BARE, gravity=0.4), 24.0, 2.0, stop())
    other = ride(rig, replace(BARE, gravity=0.4), 24.0, 2.0, stop())
    for bone in TAIL:
        assert np.abs(plain.lean(bone) - other.lean(bone)).max() < 1e-4
