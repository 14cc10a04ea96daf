"""The pigeon's head: still in space while held, thrust ahead once a step, at home when the bird stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.rigs import bird_skeleton, person_skeleton
from support.walk import Walk, walk
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.head_hold import HELD
from surefoot.core.gait.neck import Neck
from surefoot.core.gait.patterns import speed_at
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.pose import PoseFrame
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.world.solids import Flat

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
FPS = 60
STILL = 0.005  # metres, for a leg of 0.3 m


@pytest.fixture(scope="module")
def bird() -> Rig:
    return understand(bird_skeleton(), CONVENTIONS).rig


def config(bob: float) -> CharacterConfig:
    return CharacterConfig(gait="WALK", steps=GaitConfig(head_bob=bob))


def walked(rig: Rig, froude: float, bob: float, seconds: float = 4.0) -> Walk:
    return walk(rig, Flat(), speed_at(froude, rig.leg_length), seconds, FPS, config=config(bob)).settled(2.0)


def head_places(run: Walk, rig: Rig) -> np.ndarray:
    """Where the head's joint is in the world, by carrying the basis of every frame down the chain; heading 0."""
    return np.array([_head_of(frame, rig) for frame in run.frames])


def _head_of(frame: PoseFrame, rig: Rig) -> tuple[float, float, float]:
    skeleton = rig.skeleton
    model: list[Matrix] = []
    for i, bone in enumerate(skeleton.bones):
        turn = Quaternion(frame.rotations[i]).to_matrix().to_4x4()
        local = skeleton.rest_local[i] @ Matrix.Translation(Vector(frame.locations[i])) @ turn
        model.append(model[bone.parent] @ local if bone.parent >= 0 else local)
    ground, place = frame.ground, model[rig.head].translation
    return (ground.x + place.x, ground.y + place.y, ground.z + place.z)


def holds(run: Walk, places: np.ndarray) -> list[np.ndarray]:
    """The head's ways while it is held by plan: runs of frames in which no thrust is going on, whole ones."""
    held = np.array([memory.gait.body.thrust == 0.0 for memory in run.memories])
    edges = np.flatnonzero(np.diff(held.astype(int)))
    return [places[a + 1 : b + 1] for a, b in zip(edges, edges[1:], strict=False) if held[a + 1]]


@pytest.mark.parametrize("froude", [0.05, 0.1, 0.22])
def test_a_held_head_stays_within_5_mm_in_all_directions(bird: Rig, froude: float):
    run = walked(bird, froude, 1.0)
    spans = holds(run, head_places(run, bird))
    assert len(spans) >= 4
    for span in spans:
        assert np.ptp(span[:, 1]) <= STILL
        assert np.ptp(span[:, 0]) <= STILL
        assert np.ptp(span[:, 2]) <= STILL


def test_there_is_one_thrust_a_step(bird: Rig):
    run = walked(bird, 0.1, 1.0)
    thrusts = np.array([memory.gait.body.thrust for memory in run.memories])
    begun = np.count_nonzero((thrusts[1:] > 0.0) & (thrusts[:-1] == 0.0))
    seconds = (len(thrusts) - 1) / FPS
    assert begun == pytest.approx(seconds / (0.5 * run.memories[-1].gait.cycle), abs=1.0)


def test_a_slow_bird_holds_its_head_for_over_half_of_the_time_and_a_fast_one_for_less(bird: Rig):
    shares = []
    for froude in (0.05, 0.22):
        run = walked(bird, froude, 1.0)
        shares.append(np.mean([memory.gait.body.thrust == 0.0 for memory in run.memories]))
    assert shares[0] == pytest.approx(HELD, abs=0.04)
    assert 0.3 < shares[1] < shares[0]


def test_the_neck_reaches_the_head_wherever_it_is_thrust(bird: Rig):
    run = walked(bird, 0.1, 1.0)
    reach = Neck.of(bird).reach()
    ahead = [memory.gait.body.head for memory in run.memories]
    assert -reach.behind * 1.02 <= min(ahead) < 0.0 < max(ahead) <= reach.ahead * 1.02
    # 0.9 of the room is used: the thrust comes near both ends.
    assert max(ahead) - min(ahead) > 0.9 * (reach.ahead + reach.behind)


def test_the_head_moves_without_a_jerk_from_hold_to_thrust_and_back(bird: Rig):
    run = walked(bird, 0.1, 1.0)
    speed = np.diff(head_places(run, bird)[:, 1]) * -FPS / speed_at(0.1, bird.leg_length)
    assert speed.max() < 4.0  # times the body's speed
    assert np.abs(np.diff(speed)).max() < 1.2
    assert speed.min() > -0.1


def test_half_a_bob_moves_the_head_half_as_far_against_the_body(bird: Rig):
    full, half, none = (head_places(walked(bird, 0.1, bob), bird) for bob in (1.0, 0.5, 0.0))
    against = [np.ptp(places[:, 1] - none[:, 1]) for places in (full, half)]
    assert against[1] == pytest.approx(0.5 * against[0], rel=0.1)


def test_a_bird_that_stops_brings_its_head_home(bird: Rig):
    speed = speed_at(0.1, bird.leg_length)
    run = walk(
        bird, Flat(), seconds=5.0, fps=FPS, config=config(1.0),
        inputs=lambda time: Inputs(speed=speed if time < 2.0 else 0.0),
    )  # fmt: skip
    assert abs(run.memories[-1].gait.body.head) < 1e-3


def test_without_the_setting_and_without_a_neck_to_fold_nothing_is_held(bird: Rig):
    person = understand(person_skeleton(), CONVENTIONS).rig
    assert Neck.of(person) is None
    assert Character(bird, config(0.0)).poser.held is None
    assert Character(person, config(1.0)).poser.held is None
    assert Character(bird, config(1.0)).gait.body.head is not None


def test_the_head_is_driven_only_while_it_can_be_held(bird: Rig):
    assert bird.head in Character(bird, config(1.0)).poser.driven()[0]
    assert bird.head not in Character(bird, config(0.0)).poser.driven()[0]


def test_a_neck_folds_its_head_onto_a_goal_and_keeps_its_bones_lengths(bird: Rig):
    from surefoot.core.rig.pose import Pose

    neck, pose = Neck.of(bird), Pose(bird.skeleton)
    goal = neck.end + Vector((0.01, 0.04, -0.02))
    neck.pose(pose, goal, Quaternion())
    assert (pose.model(bird.head).translation - goal).length < 1e-5
    for bone, after in zip(neck.bones, (*neck.bones[1:], neck.head), strict=True):
        length = (pose.model(after).translation - pose.model(bone).translation).length
        assert length == pytest.approx(bird.skeleton.bones[bone].length, abs=1e-6)


def test_a_stiff_neck_of_the_same_bird_has_no_reach_to_bob(bird: Rig):
    stiff = replace(bird, neck=bird.neck[:1])
    assert Neck.of(stiff) is None
