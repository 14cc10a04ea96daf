"""What steps that catch a body are made of: where it comes to rest, how its speed dies away, how quick they are."""

from __future__ import annotations

import pytest
from surefoot.core.ragdoll.catch import CatchConfig, capture_point, quickened, rate_of, speed_after, way_after


def test_a_body_over_the_foot_that_catches_it_comes_to_rest_on_the_capture_point():
    rate = rate_of(0.9)
    assert 1.0 / rate == pytest.approx((0.9 / 9.81) ** 0.5)
    assert way_after((1.0, -0.5), (0.0, 0.0), rate, 60.0) == pytest.approx(capture_point((0.0, 0.0), (1.0, -0.5), rate))
    assert speed_after((1.0, -0.5), (0.0, 0.0), rate, 60.0) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_speed_is_the_change_of_way_and_what_is_wanted_is_kept():
    rate, step = rate_of(0.9), 1e-6
    ways = [way_after((1.0, -1.4), (0.2, -1.4), rate, 0.3 + k * step) for k in (0, 1)]
    rates = tuple((b - a) / step for a, b in zip(*ways, strict=True))
    assert speed_after((1.0, -1.4), (0.2, -1.4), rate, 0.3) == pytest.approx(rates, abs=1e-5)
    assert rates[1] == pytest.approx(-1.4, abs=1e-6)


def test_steps_are_quicker_the_faster_a_body_is_beyond_what_it_wants_and_no_quicker_than_they_may():
    config = CatchConfig(quickest=2.0, quickest_at=0.5)
    wanted = (0.0, -1.2)
    speeds = [quickened((excess, -1.2), wanted, 1.0, config) for excess in (0.0, 0.25, 0.5, 5.0)]
    assert speeds == pytest.approx([1.0, 1.5, 2.0, 2.0])
