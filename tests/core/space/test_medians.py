"""The median of a few numbers."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from surefoot.core.space.medians import median


@pytest.mark.parametrize("count", [1, 2, 3, 8, 101], ids=str)
def test_it_is_numpy_s_to_the_bit(count: int):
    values = np.random.default_rng(count).normal(size=count)
    assert median(values) == float(np.median(values))


def test_one_that_is_no_number_makes_it_none():
    assert isnan(median(np.array([1.0, np.nan, 3.0])))
