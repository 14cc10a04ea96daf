"""Curves cut at a time go on both sides exactly as before."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.motion.key_cutting import CURVED, STEP, STRAIGHT, Keys, cut_after, cut_before, keys_from, split


def curve(kind: int = CURVED, reach: float = 4.0) -> Keys:
    points = np.array([[0.0, 0.0], [10.0, 3.0], [20.0, -1.0]])
    off = np.array([[reach, 0.5], [reach, -1.5], [reach, 0.3]])
    return keys_from(points, points - off, points + off, np.full(3, kind))


def value(keys: Keys, time: float) -> float:
    """What a curve says, by halving the Bezier piece that a time is in: independent of what is tested."""
    k = int(np.clip(np.searchsorted(keys.points[:, 0], time, side="right") - 1, 0, len(keys) - 2))
    start, end = keys.points[k], keys.points[k + 1]
    if keys.kinds[k] == STEP:
        return float(end[1] if time >= end[0] else start[1])
    if keys.kinds[k] == STRAIGHT:
        return float(np.interp(time, *zip(start, end, strict=True)))
    out, into = keys.right[k] - start, keys.left[k + 1] - end
    factor = min(1.0, (end[0] - start[0]) / max(abs(out[0]) + abs(into[0]), 1e-12))
    piece = np.array([start, start + out * factor, end + into * factor, end])
    shares = np.linspace(0.0, 1.0, 200_001)
    rest = 1.0 - shares
    weights = np.stack([rest**3, 3 * rest**2 * shares, 3 * rest * shares**2, shares**3], axis=-1)
    places = weights @ piece
    return float(np.interp(time, places[:, 0], places[:, 1]))


@pytest.mark.parametrize("kind", [STEP, STRAIGHT, CURVED])
@pytest.mark.parametrize("reach", [4.0, 9.0], ids=["short handles", "handles that overlap"])
def test_a_curve_with_a_key_more_says_the_same(kind: int, reach: float):
    before = curve(kind, reach)
    after = split(before, 0, 3.7)
    assert len(after) == 4
    for time in (0.0, 1.1, 3.6, 3.8, 6.0, 9.9, 10.0, 14.0, 19.5):
        assert value(after, time) == pytest.approx(value(before, time), abs=1e-4)


def test_between_two_times_the_cut_curve_says_the_same():
    before = curve()
    cut = cut_after(cut_before(before, 4.0), 16.5)
    assert cut.points[:, 0].tolist() == pytest.approx([4.0, 10.0, 16.5])
    for time in (4.0, 7.0, 10.0, 13.0, 16.5):
        assert value(cut, time) == pytest.approx(value(before, time), abs=1e-4)


def test_on_a_key_no_other_is_made():
    cut = cut_after(cut_before(curve(), 10.0), 20.0)
    assert cut.points.tolist() == curve().points[1:].tolist()
    assert not cut.free.any()


def test_of_a_curve_that_ends_before_only_its_last_value_is_left():
    assert cut_before(curve(), 30.0).points.tolist() == [[30.0, -1.0]]
    assert cut_after(curve(), -5.0).points.tolist() == [[-5.0, 0.0]]


def test_a_curve_that_lies_between_is_left_alone():
    cut = cut_after(cut_before(curve(), -10.0), 50.0)
    assert cut.points.tolist() == curve().points.tolist()
