"""One bone's channels on its mirror image, whatever the two rests are."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.motion.mirror_channels import (
    mirror_between,
    mirrored_motion,
    mirrored_places,
    mirrored_turns,
    signs_of,
)
from surefoot.core.space.quaternions import about, multiplied, to_matrices, unit

ACROSS = np.diag([-1.0, 1.0, 1.0])
RANDOM = np.random.default_rng(3)


def rest() -> np.ndarray:
    return to_matrices(unit(RANDOM.normal(size=4)))


@pytest.mark.parametrize("case", range(4))
def test_in_model_space_the_turn_is_the_mirrored_one(case: int):
    left, right = rest(), rest()
    turn = unit(np.random.default_rng(case).normal(size=4))
    between = mirror_between(left, right, ACROSS)
    image = to_matrices(mirrored_turns(turn, between))
    assert right @ image @ right.T == pytest.approx(ACROSS @ left @ to_matrices(turn) @ left.T @ ACROSS, abs=1e-9)
    place = np.array([0.1, -0.4, 0.7])
    assert right @ mirrored_places(place, between) == pytest.approx(ACROSS @ left @ place, abs=1e-9)


def test_mirrored_there_and_back_all_is_as_before():
    left, right = rest(), rest()
    turns, places = unit(RANDOM.normal(size=(9, 4))), RANDOM.normal(size=(9, 3))
    there, back = mirror_between(left, right, ACROSS), mirror_between(right, left, ACROSS)
    assert mirrored_turns(mirrored_turns(turns, there), back) == pytest.approx(turns, abs=1e-12)
    assert mirrored_places(mirrored_places(places, there), back) == pytest.approx(places, abs=1e-12)


def test_two_rests_that_mirror_each_other_only_change_signs():
    left = rest()
    right = ACROSS @ left @ np.diag([-1.0, 1.0, 1.0])
    assert signs_of(mirror_between(left, right, ACROSS)) == (-1.0, 1.0, 1.0)
    rolled = right @ to_matrices(about(np.array([0.0, 1.0, 0.0]), np.array(0.3)))
    assert signs_of(mirror_between(left, rolled, ACROSS)) is None


def test_a_way_is_mirrored_at_the_plane_that_it_starts_in():
    turn = to_matrices(about(np.array([0.0, 0.0, 1.0]), np.array([0.7, 1.0])))
    motion = np.zeros((2, 4, 4))
    motion[:, :3, :3], motion[:, 3, 3] = turn, 1.0
    motion[:, :3, 3] = [[1.0, 2.0, 0.0], [1.5, 2.5, 0.2]]
    image = mirrored_motion(motion, np.diag([-1.0, 1.0, 1.0, 1.0]))
    assert image[0] == pytest.approx(motion[0], abs=1e-12)
    local, mirrored = (np.linalg.inv(motion[0]) @ rows[1] for rows in (motion, image))
    assert mirrored[:3, 3] == pytest.approx(local[:3, 3] * [-1.0, 1.0, 1.0], abs=1e-12)
    assert np.arctan2(mirrored[1, 0], mirrored[0, 0]) == pytest.approx(-np.arctan2(local[1, 0], local[0, 0]), abs=1e-12)


def test_turns_one_after_the_other_are_mirrored_one_after_the_other():
    between = mirror_between(rest(), rest(), ACROSS)
    first, second = unit(RANDOM.normal(size=(2, 4)))
    both = mirrored_turns(multiplied(second, first), between)
    assert both == pytest.approx(multiplied(mirrored_turns(second, between), mirrored_turns(first, between)), abs=1e-12)
