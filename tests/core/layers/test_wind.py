"""Wind: where it blows to, how it comes and goes."""

from math import atan2, degrees, radians

import numpy as np
import pytest
from surefoot.core.layers.wind import wind_at

TIMES = np.arange(0.0, 120.0, 0.1)


def test_steady_wind_blows_to_its_heading_at_its_speed():
    assert tuple(wind_at(5.0, 0.0, 0.0, 1, 3.7)) == pytest.approx((0.0, -5.0, 0.0), abs=1e-6)
    assert tuple(wind_at(5.0, radians(90.0), 0.0, 9, 3.7)) == pytest.approx((5.0, 0.0, 0.0), abs=1e-6)


def test_gusts_take_their_share_away_and_give_it_back():
    speeds = np.array([wind_at(10.0, 0.0, 0.6, 1, time).length for time in TIMES])
    assert 4.0 - 1e-6 <= speeds.min() < 5.5
    assert 8.5 < speeds.max() <= 10.0 + 1e-6
    assert np.abs(np.diff(speeds)).max() < 1.0


def test_gusts_veer_and_stay_near_the_heading():
    headings = [degrees(atan2(wind.x, -wind.y)) for wind in (wind_at(10.0, 0.0, 1.0, 1, time) for time in TIMES)]
    assert -21.0 < min(headings) < -5.0
    assert 5.0 < max(headings) < 21.0


def test_each_seed_has_its_own_wind_and_always_the_same():
    rows = {
        seed: tuple(round(wind_at(10.0, 0.0, 0.6, seed, time).length, 4) for time in TIMES[:50]) for seed in range(9)
    }
    assert len(set(rows.values())) == 9
    assert rows[3] == tuple(round(wind_at(10.0, 0.0, 0.6, 3, time).length, 4) for time in TIMES[:50])
