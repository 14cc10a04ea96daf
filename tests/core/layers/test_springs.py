"""Springs swing as often and fade as fast as they are told, at any frame rate, and do no more than turn their bones."""

from dataclasses import replace
from math import cos, degrees, pi, radians, sin

import numpy as np
import pytest
from mathutils import Euler, Quaternion, Vector
from support.springs import (
    BARE,
    HERE,
    OFF,
    TAIL,
    dog,
    moment_at,
    ride,
    same,
    stay,
    stop,
    sway,
    swing_and_fade,
    turned,
)
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.layers.springs import Springs
from surefoot.core.layers.springs_config import SpringsConfig
from surefoot.core.layers.stack import Stack
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.world.solids import Hills

RATES = (24.0, 30.0, 60.0, 120.0, 240.0)


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
