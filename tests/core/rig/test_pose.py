"""A pose that is being built: turns in model space become channels under whatever their parents do."""

from __future__ import annotations

from random import Random

import pytest
from mathutils import Matrix, Quaternion, Vector
from support.rigs import dog_skeleton, person_skeleton, spider_skeleton
from surefoot.core.rig.pose import Pose

RIGS = {"person": person_skeleton, "dog": dog_skeleton, "spider": spider_skeleton}


def any_turn(rng: Random) -> Quaternion:
    return Quaternion([rng.gauss(0.0, 1.0) for _ in range(4)]).normalized()


@pytest.mark.parametrize("who", RIGS)
def test_a_bone_that_is_given_a_turn_has_it_in_model_space(who):
    pose, rng = Pose(RIGS[who]()), Random(3)
    pose.set_model(0, Matrix.Translation((1.0, 2.0, 3.0)) @ any_turn(rng).to_matrix().to_4x4(), with_location=True)
    for i in range(1, len(pose.skeleton)):
        if rng.random() < 0.7:
            turn = any_turn(rng)
            pose.set_turn(i, turn.copy())
            assert abs(pose.model(i).to_quaternion().dot(turn)) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("who", RIGS)
def test_turns_by_quaternions_alone_are_those_of_the_matrices(who):
    pose, rng = Pose(RIGS[who]()), Random(4)
    for i in range(len(pose.skeleton)):
        pose.rotations[i] = any_turn(rng)
    for i in range(len(pose.skeleton)):
        assert abs(pose.turn(i).dot(pose.model(i).to_quaternion())) == pytest.approx(1.0, abs=1e-5)


def test_channels_take_the_short_side_of_a_turn():
    pose = Pose(person_skeleton())
    pose.set_turn(3, -Quaternion(Vector((1.0, 0.0, 0.0)), 0.2))
    assert pose.rotations[3].w >= 0.0
