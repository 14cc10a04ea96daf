"""Which way a rest pose stands: bodies that lie are stood up by names or by shape, whatever stands is left alone."""

from __future__ import annotations

from math import radians

import pytest
from mathutils import Matrix
from support.retargeting import rig_of_skeleton, without
from support.rigs import (
    beetle_skeleton,
    bird_skeleton,
    dog_skeleton,
    hexapod_skeleton,
    horse_skeleton,
    person_skeleton,
    renamed,
)
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.standing import best_way, clearly_stands, stands

WAYS = (("X", 0.0), ("X", 90.0), ("X", -90.0), ("Y", 90.0), ("Y", -90.0), ("X", 180.0))
BACK = (0, 2, 1, 4, 3, 5)
"""Which of the ways undoes each."""


def ways_of(skeleton: Skeleton) -> list:
    return [rig_of_skeleton(skeleton.moved(Matrix.Rotation(radians(angle), 4, axis))) for axis, angle in WAYS]


def nameless(skeleton: Skeleton) -> Skeleton:
    return renamed(skeleton, lambda name: f"Bone.{(skeleton.index[name] * 37) % 101:03d}")


@pytest.mark.parametrize("names", ["named", "nameless"])
@pytest.mark.parametrize("way", range(1, 6))
def test_a_person_that_lies_or_hangs_is_stood_up_by_the_turn_that_undoes_it(way: int, names: str):
    axis, angle = WAYS[way]
    laid = person_skeleton().moved(Matrix.Rotation(radians(angle), 4, axis))
    ways = ways_of(laid if names == "named" else nameless(laid))
    assert not clearly_stands(ways[0])
    assert best_way(ways) == BACK[way]


@pytest.mark.parametrize("names", ["named", "nameless"])
@pytest.mark.parametrize(
    "make", [person_skeleton, dog_skeleton, horse_skeleton, bird_skeleton, hexapod_skeleton, beetle_skeleton]
)
def test_what_stands_is_left_as_it_is(make, names: str):
    ways = ways_of(make() if names == "named" else nameless(make()))
    assert stands(ways[0])
    assert best_way(ways) == 0


def test_without_names_arms_and_a_head_a_pair_of_legs_is_no_reason_to_stand_a_body_up():
    person = person_skeleton()
    arms = [name for name in person.index if name.startswith(("shoulder", "upper_arm", "forearm", "hand"))]
    laid = without(person, *arms).moved(Matrix.Rotation(radians(90.0), 4, "X"))
    assert best_way(ways_of(nameless(laid))) == 0
