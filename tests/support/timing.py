"""How long a call takes, for the benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def median_microseconds(call: Callable[[], object], runs: int = 200, warm_up: int = 10) -> float:
    """The median time of one call, microseconds."""
    for _ in range(warm_up):
        call()
    times = []
    for _ in range(runs):
        began = time.perf_counter_ns()
        call()
        times.append((time.perf_counter_ns() - began) / 1000.0)
    return statistics.median(times)
