"""A clip at another rate lasts as long and shows the same motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.performers import clip_of
from surefoot.core.motion.at_rate import at_rate


@pytest.fixture(scope="module")
def walk():
    clip = clip_of("person")
    return replace(clip, moved=clip.moved[:121])


@pytest.mark.parametrize("fps", [30.0, 20.0, 12.0])
def test_every_so_many_frames_are_taken_to_the_bit(walk, fps):
    slow = at_rate(walk, fps)
    assert slow.fps == fps
    np.testing.assert_array_equal(slow.moved, walk.moved[:: round(walk.fps / fps)])


@pytest.mark.parametrize("fps", [24.0, 29.97, 59.94, 120.0])
def test_it_lasts_as_long_and_goes_the_same_way(walk, fps):
    other = at_rate(walk, fps)
    assert (len(other) - 1) / fps == pytest.approx((len(walk) - 1) / walk.fps, abs=1.0 / fps)
    frames = np.arange(len(other)) * walk.fps / fps
    for leg in walk.rig.legs:
        places = np.stack([np.interp(frames, np.arange(len(walk)), row) for row in walk.heel(leg).T], axis=1)
        assert np.abs(places - other.heel(leg)).max() < 0.006


def test_bones_stay_whole_and_hang_together(walk):
    other = at_rate(walk, 37.0)
    turns = other.moved[..., :3, :3]
    assert np.abs(turns @ np.swapaxes(turns, -1, -2) - np.identity(3)).max() < 1e-6
    for i, bone in enumerate(walk.rig.skeleton.bones):
        if bone.parent >= 0 and i != walk.rig.body:
            gap = other.place(i, bone.head) - other.place(bone.parent, bone.head)
            assert np.abs(gap).max() < 0.002, bone.name


def test_rounded_rates_of_files_do_not_lose_the_last_frame(walk):
    rounded = replace(walk, fps=59.9988)
    assert len(at_rate(rounded, 30.0)) == 61


@pytest.mark.parametrize("fps", [60.0005, 59.9997])
def test_a_rate_that_is_a_multiple_but_for_rounding_takes_frames_as_they_are(walk, fps):
    slow = at_rate(replace(walk, fps=fps), 20.0)
    assert slow.fps == 20.0
    np.testing.assert_array_equal(slow.moved, walk.moved[::3])


def test_a_rate_that_drifts_by_more_than_rounding_over_the_whole_clip_is_kept_exactly(walk):
    slow = at_rate(replace(walk, fps=60.06), 20.0)
    last = len(slow) - 1
    heel = walk.heel(walk.rig.legs[0])
    place = last * 3.003
    wanted = heel[int(place)] + (place - int(place)) * (heel[int(place) + 1] - heel[int(place)])
    assert np.abs(slow.heel(walk.rig.legs[0])[last] - wanted).max() < 1e-3


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_any_frames_stay(walk, count):
    short = replace(walk, moved=walk.moved[:count])
    assert len(at_rate(short, 24.0)) == count
