"""A body that only stands breathes and shifts its weight, and its feet take no part."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from mathutils import Vector
from support.grid import rig_of
from support.walk import Walk, walk
from surefoot.core.character import CharacterConfig
from surefoot.core.control.intent import Inputs
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.idle import BREATH, SHIFT_EVERY, breath, shifted
from surefoot.core.gait.style import StyleConfig
from surefoot.core.measure.switches import bone_speeds
from surefoot.core.rig.pose import model_matrices
from surefoot.core.world.solids import Flat

FPS = 24.0
WHO = ("person", "dog", "spider")


@lru_cache
def standing(who: str, breath: float = 1.0, shift: float = 1.0) -> Walk:
    """A minute of standing, its first three seconds left out."""
    config = CharacterConfig(steps=GaitConfig(breath=breath, idle_shift=shift))
    return walk(rig_of(who), Flat(), 0.0, 60.0, FPS, config).settled(3.0)


def places(run: Walk, bone: int, point: Vector | None = None) -> np.ndarray:
    """Where a bone's head, or a point that it carries (given at rest), is: millimetres of a 0.9 m leg, (F, 3)."""
    skeleton = run.rig.skeleton
    local = skeleton.bones[bone].rest.inverted() @ (point or skeleton.bones[bone].head)
    rows = [(model_matrices(skeleton, frame)[bone] @ local)[:] for frame in run.frames]
    return np.array(rows) * 900.0 / run.rig.leg_length


def sternum(run: Walk) -> np.ndarray:
    rig = run.rig
    chest = rig.spine[-1] if rig.spine else rig.body
    point = rig.skeleton.bones[chest].tail + Vector((0.0, -0.13, 0.0)) * (rig.leg_length / 0.9)
    return places(run, chest, point)


def span(rows: np.ndarray) -> float:
    return float(np.linalg.norm(np.ptp(rows, axis=0)))


@pytest.mark.parametrize("who", WHO)
def test_feet_that_stand_are_still_to_a_tenth_of_a_millimetre(who: str):
    for foot in standing(who).track().feet:
        for point in (foot.heel, foot.ball):
            assert np.ptp(point, axis=0).max() <= 1e-4


@pytest.mark.parametrize("who", WHO)
def test_each_breath_moves_the_chest_by_five_millimetres_at_least(who: str):
    run = standing(who, shift=0.0)
    rows, frames = sternum(run), round(BREATH * run.character.gait.shape.tempo * FPS)
    for start in range(0, len(rows) - frames, frames):
        assert 5.0 <= span(rows[start : start + frames]) <= 15.0


def test_a_person_breathes_fourteen_times_a_minute():
    heights = sternum(standing("person", shift=0.0))[:, 2]
    rises = sum(a < heights.mean() <= b for a, b in pairwise(heights))
    assert rises == pytest.approx(14.0 * len(heights) / FPS / 60.0, abs=1.0)


def test_a_breath_leaves_the_head_where_it_is():
    run = standing("person", shift=0.0)
    assert span(places(run, run.rig.head)) <= 2.0


@pytest.mark.parametrize(("who", "least"), [("person", 40.0), ("dog", 20.0), ("spider", 20.0)])
def test_the_pelvis_shifts_its_weight_now_and_then(who: str, least: float):
    run = standing(who)
    sides = places(run, run.rig.body)[:, 0]
    assert least <= np.ptp(sides) <= 80.0
    assert np.abs(np.diff(sides)).max() * FPS <= 60.0 / run.character.gait.shape.tempo


def test_the_head_goes_half_as_far_as_the_pelvis():
    run = standing("person")
    assert np.ptp(places(run, run.rig.head)[:, 0]) <= 0.6 * np.ptp(places(run, run.rig.body)[:, 0])


@pytest.mark.parametrize("who", WHO)
def test_without_breath_and_shift_nothing_moves(who: str):
    run = standing(who, breath=0.0, shift=0.0)
    assert bone_speeds(np.array([frame.rotations for frame in run.frames[24:]]), FPS).max() < 1e-5


@pytest.mark.parametrize("who", WHO)
def test_no_leg_of_a_standing_body_is_stretched_or_out_of_reach(who: str):
    run = standing(who)
    assert run.extension <= 0.995
    assert not any(report.clamped for report in run.reports)


def test_a_breath_is_full_after_two_fifths_of_its_time_and_has_no_kink():
    assert breath(0.0) == 0.0
    assert breath(0.4 * BREATH) == pytest.approx(1.0)
    assert breath(0.2 * BREATH) == pytest.approx(0.5)
    values = [breath(0.001 * k) for k in range(9000)]
    assert max(abs(b - a) for a, b in pairwise(values)) < 0.001


def test_weight_goes_from_side_to_side_and_starts_in_the_middle():
    assert shifted(0.0) == 0.0
    ends = [shifted(SHIFT_EVERY * k - 1e-9) for k in range(1, 12)]
    assert all(a * b < 0.0 for a, b in pairwise(ends))
    assert all(0.65 <= abs(value) <= 1.0 for value in ends)
    values = [shifted(0.01 * k) for k in range(9000)]
    assert max(abs(b - a) for a, b in pairwise(values)) < 0.025


@pytest.mark.parametrize("who", WHO)
def test_it_fades_out_in_the_first_step_and_in_after_the_last_one_without_a_jerk(who: str):
    rig = rig_of(who)
    speed = 1.0 * (rig.leg_length / 0.9) ** 0.5
    run = walk(rig, Flat(), seconds=20.0, fps=60.0, inputs=lambda t: Inputs(speed=speed if 8.0 < t < 12.0 else 0.0))
    calm = [memory.gait.body.calm for memory in run.memories]
    assert max(calm[9 * 60 : 12 * 60]) < 0.01
    assert calm[-1] > 0.95
    assert max(abs(b - a) for a, b in pairwise(calm)) < 0.15 / run.character.gait.shape.tempo


def test_no_two_seeds_breathe_together():
    config = CharacterConfig(style=StyleConfig(seed=7, variation=1.0))
    other = walk(rig_of("person"), Flat(), 0.0, 8.0, FPS, config)
    own = walk(rig_of("person"), Flat(), 0.0, 8.0, FPS)
    assert np.abs(sternum(other)[72:] - sternum(own)[72:]).max() > 3.0
