"""Random walks among obstacles, and the judge of them: a sample of what tests/benchmarks/random_walks.py does whole."""

from __future__ import annotations

import numpy as np
import pytest
from support.mesh_judge import Judge
from support.obstacle_field import KINDS, field, judge_of
from support.random_walk import RATES, add_things, walk
from surefoot.core.control.movement import MovementConfig
from surefoot.core.world.extruded import Flat

DEEP, SHARE = 2e-3, 0.2
CORNERS = np.array([(i, j, k) for k in (0.0, 1.0) for j in (0.0, 1.0) for i in (0.0, 1.0)])
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)]
FACES = np.array([part for a, b, c, d in QUADS for part in ((a, b, c), (a, c, d))])
CUBE = Judge(CORNERS[FACES], np.zeros(len(FACES), dtype=int))


@pytest.mark.parametrize(
    ("feet", "depth"),
    [
        ((1.3, 0.5, 0.0), 0.1),  # beside a face
        ((1.2, 1.2, 0.0), 0.4 - 0.08**0.5),  # beside an upright edge
        ((0.5, 0.5, 1.1), -0.1),  # over its top
        ((1.3, 0.5, 0.9), 0.1 + 0.3 - (0.3**2 + 0.3**2) ** 0.5),  # its lowest sphere beside the upper edge
        ((1.2, 0.5, -2.0), 0.4 - (0.2**2 + 0.6**2) ** 0.5),  # its top under the lower edge
        ((0.5, 0.5, -1.0), 0.4),  # its axis through the bottom
    ],
)
def test_the_judge_tells_how_deep_a_capsule_is_in(feet: tuple[float, float, float], depth: float):
    assert CUBE.depth(feet, 1.8, 0.4) == pytest.approx(depth)


def test_the_judge_tells_what_is_enclosed_and_what_goes_through():
    assert CUBE.is_enclosed((0.5, 0.4, 0.3))
    assert not CUBE.is_enclosed((1.5, 0.4, 0.3))
    assert CUBE.is_crossed((-0.5, 0.5, 0.4), (0.5, 0.5, 0.4))
    assert not CUBE.is_crossed((-0.5, 1.5, 0.4), (0.5, 1.5, 0.4))


def test_a_field_has_everything_to_walk_into():
    assert {thing.kind for seed in (55, 73) for thing in field(seed)} >= set(KINDS)


# The latter six went into something once: between two spheres, behind a nearer face, under a ramp beside stairs,
# between a wall met at many heights and an edge.
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 222, 292, 386, 463, 742, 886])
def test_a_random_walk_of_20_seconds_ends_in_nothing_goes_through_nothing_and_gets_about(seed: int):
    things = field(seed // len(RATES))
    walked = walk(add_things(things), judge_of(things), seed, MovementConfig(), Flat())
    assert walked.end < DEEP
    assert walked.worst < 0.03
    assert walked.inside == ""
    assert walked.crossed == 0
    assert walked.share > SHARE
