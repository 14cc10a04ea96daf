"""Real animals on real animals, and a person on one. Skips where the shared data was never dumped."""

from __future__ import annotations

import numpy as np
import pytest
from support import real_rigs
from support.real_clips import load_clip
from support.retarget_matrix import body
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.rig import Leg

PAIRS = (
    ("fox_walk", "quaternius_Wolf.fbx"),
    ("fox_walk", "mesh2motion_horse.glb"),
    ("fox_walk", "rigify/wolf"),
    ("fox_walk", "rigify/cat"),
    ("fox_run", "quaternius_Wolf.fbx"),
    ("wolf_walk", "mesh2motion_fox.glb"),
    ("wolf_walk", "metarig/horse"),
    ("horse_walk", "mesh2motion_fox.glb"),
    ("horse_walk", "rigify/wolf"),
    ("horse_trot", "metarig/horse"),
    ("bird_walk", "quaternius_Chick.fbx"),
    ("bird_walk", "rigify/bird"),
    ("raptor_walk", "mesh2motion_bird.glb"),
    ("raptor_walk", "metarig/bird"),
)


def take_of(name: str) -> Clip:
    clip = load_clip(name)
    if clip is None or not (real_rigs.CACHE / "index.json").is_file():
        pytest.skip(f"{name} or the rigs were never dumped: run tests/support/real_clips.py and real_rigs.py")
    return clip


def leg_lines(clip: Clip, leg: Leg) -> np.ndarray:
    places = clip.joints(leg)
    between = places[:, -1] - places[:, 0]
    return between / np.linalg.norm(between, axis=-1, keepdims=True)


@pytest.mark.parametrize(("name", "target"), PAIRS)
def test_all_of_an_animal_follows_one_of_its_kind(name, target):
    take, rig = take_of(name), body(target)
    done = retarget_clip(take, rig)
    assert np.isfinite(done.clip.moved).all()
    assert done.report.problems == ()
    assert done.report.followed[0] == done.report.followed[1]
    turns = done.channels.rotations
    assert np.sum(turns[1:] * turns[:-1], axis=-1).min() > 0.0


@pytest.mark.parametrize(("name", "target"), PAIRS)
def test_legs_of_animals_point_where_the_sources_do_as_a_whole(name, target):
    take, rig = take_of(name), body(target)
    for feet, most in (("FREE", 10.0), ("HOLD", 15.0)):
        done = retarget_clip(take, rig, RetargetConfig(feet=feet))
        for theirs in take.rig.legs:
            apart = leg_lines(take, theirs) - leg_lines(done.clip, rig.leg(theirs.role))
            degrees = np.degrees(2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(apart, axis=-1), 0.0, 1.0)))
            assert degrees.mean() <= most, theirs.role


@pytest.mark.parametrize(("name", "target"), [pair for pair in PAIRS if pair[0].startswith(("bird", "raptor", "wolf"))])
def test_loops_of_animals_stay_loops(name, target):
    take, rig = take_of(name), body(target)
    assert np.abs(take.moved[-1, :, :3, :3] - take.moved[0, :, :3, :3]).max() <= 1e-4
    done = retarget_clip(take, rig)
    assert np.abs(done.clip.moved[-1, :, :3, :3] - done.clip.moved[0, :, :3, :3]).max() <= 1e-3


@pytest.mark.parametrize("target", ["mesh2motion_fox.glb", "rigify/horse", "mesh2motion_spider.glb"])
def test_a_person_on_an_animal_is_told_that_most_of_it_stays(target):
    done = retarget_clip(take_of("Walk1"), body(target))
    assert np.isfinite(done.clip.moved).all()
    told = [str(problem) for problem in done.report.problems]
    assert any(
        f"Only {done.report.followed[0]} of {done.report.followed[1]} larger bones follow" in text for text in told
    )


def test_an_animal_on_a_person_is_told_that_most_of_it_stays():
    done = retarget_clip(take_of("fox_walk"), body("mh_mixamo_names_apose.glb"))
    assert any("larger bones follow" in str(problem) for problem in done.report.problems)
