"""Real clips on real bodies, and real takes with clean feet. Skips where the shared data was never dumped."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from support import real_rigs
from support.extension import ROOT
from support.real_clips import load_clip
from support.retargeting import direction_errors, meant_heights
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.clean_feet import clean_feet, contacts_of, floor_of
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand

SHOWN = ("Walk1", "Run1", "cmu_007_03", "jump", "get_up")
TAKES = (
    *SHOWN[:4],
    "WalkTurns1",
    "Jumps1",
    "Jumps1_floordrift",
    "cmu_006_04",
    "cmu_001_01",
    "cmu_12_01",
    "stealthy_walk",
    "get_up",
)
# People, and a robot of their shape; the others are toys, beasts, or files of which a leg is cut otherwise.
BODIES = (
    "cmu_09_11_run.fbx",
    "cryptovoxels.vrm",
    "mesh2motion_human_male.glb",
    "mh_cmu_mb_names.glb",
    "mh_default_163bones.glb",
    "mh_game_engine_ue_names.fbx",
    "mh_mixamo_names_apose.glb",
    "mh_mixamo_names_tpose.fbx",
    "mh_vrm1_humanoid_names.vrm",
    "proanimationbank_crossarms.fbx",
    "ue_ThirdPersonRun.fbx",
    "metarig/human",
    "rigify/human",
)
# Of all sizes and shares of thigh and shin, those with the longest and the shortest shins among them.
CLEANED_AGAIN = (
    "quaternius_Male_Suit.fbx",
    "kaykit_Knight.glb",
    "mh_game_engine_ue_names.fbx",
    "quaternius_Animated_Human.fbx",
    "gdquest_mannequiny.glb",
    "proanimationbank_locomotions.fbx",
)


@lru_cache
def take_of(name: str) -> Clip:
    clip = load_clip(name)
    if clip is None:
        pytest.skip(f"{name} was never sampled: run tests/support/real_clips.py in a Blender")
    return clip


@lru_cache
def body(name: str) -> Rig:
    if not (real_rigs.CACHE / "index.json").is_file():
        pytest.skip("no dumped rigs: run tests/support/real_rigs.py in a Blender")
    rigs = _rigs()
    if name not in rigs:
        pytest.skip(f"{name} is not among the dumped rigs")
    return understand(rigs[name].skeleton, read_conventions(ROOT / "presets" / "rigs"), rigs[name].vertices).rig


@lru_cache
def _rigs():
    return real_rigs.load_rigs()


@pytest.mark.parametrize("target", BODIES)
@pytest.mark.parametrize("clip", SHOWN)
def test_limbs_point_where_the_takes_do_with_feet_that_stand(clip, target):
    take, rig = take_of(clip), body(target)
    free = retarget_clip(take, rig, RetargetConfig(feet="FREE"))
    assert direction_errors(take, free.clip).max() <= 0.01
    done = retarget_clip(take, rig)
    errors = direction_errors(take, done.clip)
    assert errors.mean() <= 4.0
    assert np.median(errors) <= 1.0
    turns = done.channels.rotations
    assert np.sum(turns[1:] * turns[:-1], axis=-1).min() > 0.0
    for foot in done.report.feet.feet:
        assert foot.slide_after <= 0.003 * max(1.0, rig.leg_length / 0.9)
        assert foot.unreached <= 1e-3 * rig.leg_length


@pytest.mark.parametrize("target", BODIES)
@pytest.mark.parametrize("clip", SHOWN)
def test_what_stands_is_as_high_over_the_floor_as_the_takes_own_feet(clip, target):
    take, rig = take_of(clip), body(target)
    done = retarget_clip(take, rig)
    contacts = contacts_of(take)
    floor = floor_of(take, contacts)
    for theirs, each in zip(take.rig.legs, contacts, strict=True):
        ours = rig.leg(theirs.role)
        for point, wanted in meant_heights(take, floor, done, theirs).items():
            placed = getattr(done.clip, point)(ours)[:, 2]
            for span in each.of(point):
                rows = slice(int(np.ceil(span.start)), int(span.end) + 1)
                assert abs(float(np.median(placed[rows] - wanted[rows]))) <= 0.01 * rig.leg_length


@pytest.mark.parametrize("clip", TAKES)
def test_a_take_on_its_own_rig_is_the_take(clip):
    take = take_of(clip)
    for feet in ("FREE", "FOLLOW"):
        done = retarget_clip(take, take.rig, RetargetConfig(feet=feet))
        assert np.abs(done.clip.moved - take.moved).max() <= 1e-4


def knees(clip: Clip) -> np.ndarray:
    found = []
    for leg in clip.rig.legs:
        places = clip.joints(leg)
        a, b = places[:, 1] - places[:, 0], places[:, -1] - places[:, -2]
        found.append(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))))
    return np.stack(found, axis=-1)


@pytest.mark.parametrize("name", TAKES)
def test_feet_of_a_take_are_held_once_for_all(name):
    take = take_of(name)
    cleaned, report = clean_feet(take)
    again, _ = clean_feet(cleaned)
    assert np.abs(again.moved - cleaned.moved).max() <= 1e-5
    for foot in report.feet:
        assert foot.slide_after <= foot.slide_before / 5.0
        assert foot.slide_after <= 0.003
    for leg in take.rig.legs:
        lengths = [
            np.linalg.norm(each.joints(leg)[:, -1] - each.joints(leg)[:, 0], axis=-1) for each in (take, cleaned)
        ]
        assert (lengths[1] <= lengths[0] + 1e-6).all()


@pytest.mark.parametrize("name", TAKES)
def test_knees_of_a_cleaned_take_pop_no_more_than_they_did(name):
    take = take_of(name)
    cleaned, _ = clean_feet(take)
    before, after = (np.abs(np.diff(knees(each), axis=0)).max(axis=0) for each in (take, cleaned))
    assert (after <= before + 1.0).all()


@pytest.mark.parametrize("name", TAKES)
def test_contacts_of_a_cleaned_take_are_the_takes(name):
    take = take_of(name)
    cleaned, _ = clean_feet(take)
    for before, after in zip(contacts_of(take), contacts_of(cleaned), strict=True):
        assert len(before.foot) == len(after.foot)
        for a, b in zip(before.foot, after.foot, strict=True):
            assert abs(a.start - b.start) <= 2.0
            assert abs(a.end - b.end) <= 2.0


def test_a_giant_that_gets_up_has_the_contacts_of_the_take_and_cleaning_them_again_finds_nothing():
    take = take_of("get_up")
    done = retarget_clip(take, body("quaternius_Animated_Human.fbx"))
    for theirs, ours in zip(contacts_of(take), contacts_of(done.clip), strict=True):
        assert (len(theirs.heel), len(theirs.ball)) == (len(ours.heel), len(ours.ball))
    for foot in clean_feet(done.clip)[1].feet:
        assert foot.slide_before <= 0.003


@pytest.mark.parametrize("target", CLEANED_AGAIN)
@pytest.mark.parametrize("clip", [*SHOWN, "WalkTurns1", "Jumps1"])
def test_a_clean_up_after_a_retarget_finds_what_that_held_and_changes_nothing(clip, target):
    """Also where the target's smaller legs stand and the source's do not."""
    done = retarget_clip(take_of(clip), body(target))
    cleaned, report = clean_feet(done.clip)
    assert max(foot.slide_before for foot in report.feet) <= 0.003 * max(1.0, done.clip.rig.leg_length / 0.9)
    assert np.array_equal(cleaned.moved, done.clip.moved)


def test_a_floor_that_drifts_is_named():
    take = take_of("Walk1")
    moved = take.moved.copy()
    moved[:, :, 2, 3] += np.linspace(0.0, 0.1, len(take))[:, None]
    _, level = clean_feet(take)
    _, report = clean_feet(replace(take, moved=moved))
    assert abs(level.drift) <= 0.01
    assert report.drift == pytest.approx(0.1, abs=0.02)
