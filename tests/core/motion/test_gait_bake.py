"""A gait baked from a clip, against the walk that the clip was made of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.performers import SPEEDS, clip_of, on_the_spot, one_stride, performance, rig_of
from surefoot.core.motion.gait_bake import GaitBake, NoGaitError, bake_gait, reference_leg
from surefoot.core.motion.gait_curves import SAMPLES
from surefoot.core.motion.travel import closed_loop, treadmill

WHO = ("person", "dog")


def planned(who: str) -> tuple[float, list[float], list[float]]:
    """The walk's own period, landing phases from the reference leg, and stance shares."""
    memory = performance(who).memories[-1].gait
    reference = memory.feet[reference_leg(rig_of(who).legs)].timing[0]
    offsets = [(foot.timing[0] - reference) % 1.0 for foot in memory.feet]
    return memory.cycle, offsets, [foot.timing[1] for foot in memory.feet]


def apart(a: float, b: float) -> float:
    """How far two phases are from each other on their circle."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


def assert_is_the_walk(bake: GaitBake, who: str) -> None:
    period, offsets, duties = planned(who)
    curves = bake.curves
    assert curves.period == pytest.approx(period, rel=0.03)
    assert curves.speed * curves.leg_length == pytest.approx(SPEEDS[who], rel=0.05)
    for foot, offset, duty in zip(curves.feet, offsets, duties, strict=True):
        assert apart(foot.offset, offset) <= 0.05
        assert foot.duty == pytest.approx(duty, abs=0.08)


@pytest.mark.parametrize("who", WHO)
def test_period_speed_phases_and_stance_shares_are_those_of_the_walk(who):
    bake = bake_gait(clip_of(who))
    assert bake.strides >= 2
    assert not bake.on_the_spot
    assert_is_the_walk(bake, who)


@pytest.mark.parametrize("who", WHO)
def test_on_the_spot_the_speed_is_read_off_the_standing_feet(who):
    bake = bake_gait(on_the_spot(clip_of(who), SPEEDS[who]))
    assert bake.on_the_spot
    assert_is_the_walk(bake, who)


@pytest.mark.parametrize("who", WHO)
def test_a_loop_of_one_stride_says_the_same_as_the_take(who):
    clip = one_stride(on_the_spot(clip_of(who), SPEEDS[who]), planned(who)[0])
    bake = bake_gait(clip)
    assert bake.looped
    assert bake.strides == 1
    assert_is_the_walk(bake, who)


def test_a_loop_without_its_last_frame_is_one_all_the_same():
    clip = one_stride(on_the_spot(clip_of("person"), SPEEDS["person"]), planned("person")[0])
    short = replace(clip, moved=clip.moved[:-1])
    loop = closed_loop(short)
    assert loop is not None
    assert len(loop) == len(clip)


def test_the_clock_starts_with_the_left_foot_of_the_hindmost_pair():
    assert rig_of("person").legs[reference_leg(rig_of("person").legs)].role == "leg.L"
    assert rig_of("dog").legs[reference_leg(rig_of("dog").legs)].role == "hind_leg.L"
    assert bake_gait(clip_of("dog")).curves.feet[reference_leg(rig_of("dog").legs)].offset == 0.0


def test_a_standing_foot_falls_back_evenly_and_a_swinging_one_is_lifted():
    curves = bake_gait(clip_of("person")).curves
    left = curves.feet[0]
    standing = [k for k in range(SAMPLES) if 0.1 < k / SAMPLES < left.duty - 0.1]
    ground = [left.forward[k] + curves.speed * curves.period * k / SAMPLES for k in standing]
    assert np.ptp(ground) <= 0.005
    assert max(abs(left.lift[k]) for k in standing) <= 0.005
    assert max(left.lift) > 0.03


def test_a_heading_of_the_clip_changes_no_curve():
    clip = clip_of("person")
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.eye(4)
    turn[:2, :2] = [[c, -s], [s, c]]
    turned = replace(clip, moved=turn @ clip.moved)
    first, second = bake_gait(clip).curves, bake_gait(turned).curves
    assert second.yaw == pytest.approx(first.yaw, abs=1e-6)
    assert second.feet[0].forward == pytest.approx(first.feet[0].forward, abs=1e-6)
    assert second.feet[1].side == pytest.approx(first.feet[1].side, abs=1e-6)


def test_a_clip_that_stands_still_is_refused_in_a_sentence():
    clip = clip_of("person")
    still = replace(clip, moved=np.repeat(clip.moved[:1], 120, axis=0))
    assert treadmill(still) is None
    with pytest.raises(NoGaitError, match="stays on the spot.*Choose a clip that walks"):
        bake_gait(still)


def test_half_a_stride_is_refused_in_a_sentence():
    clip = clip_of("person")
    with pytest.raises(NoGaitError, match="No straight steady stride.*two strides"):
        bake_gait(replace(clip, moved=clip.moved[:30]))


def test_a_walk_in_a_circle_is_no_straight_stride():
    clip = clip_of("person")
    angles = np.arange(len(clip)) / clip.fps * np.radians(60.0)
    radius = SPEEDS["person"] / np.radians(60.0)
    moved = on_the_spot(clip, SPEEDS["person"]).moved
    moved[:, :, 0, 3] -= radius
    c, s, zero = np.cos(angles), np.sin(angles), np.zeros(len(clip))
    turn = np.stack([np.stack([c, -s, zero, zero], -1), np.stack([s, c, zero, zero], -1)], axis=1)
    turn = np.concatenate([turn, np.repeat(np.eye(4)[None, 2:], len(clip), axis=0)], axis=1)
    with pytest.raises(NoGaitError):
        bake_gait(replace(clip, moved=turn[:, None] @ moved))
