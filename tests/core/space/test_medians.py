"""The quick median is the median."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.space.medians import median


@pytest.mark.parametrize("count", [1, 2, 3, 4, 17, 100])
def test_it_is_what_numpy_says_to_the_bit(count):
    for seed in range(20):
        values = np.random.default_rng(seed).normal(size=count)
        assert median(values) == np.median(values)
