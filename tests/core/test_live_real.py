"""Captured walks and a run followed live by real bodies. Skips where the shared data was never dumped."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest
from support import real_rigs
from support.extension import ROOT
from support.following import Followed, follow
from support.real_clips import load_clip
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.planted import REFERENCE_LEG
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand

TAKES = ("Walk1", "cmu_007_03", "Run1")
BODIES = ("mh_mixamo_names_tpose.fbx", "cryptovoxels.vrm", "ue_ThirdPersonRun.fbx", "mesh2motion_human_male.glb")
# Frames of a contact that are left out, seconds: a foot is still set down in the first, and on its way in the last.
LANDING, LEAVING = 0.08, 0.05
FRAMES = 300


class Feet(NamedTuple):
    """Of each contact of a ball how far it slides and how far it is off the floor at most, for a 0.9 m leg, metres."""

    slides: np.ndarray
    heights: np.ndarray


def take(name: str) -> Clip:
    clip = load_clip(name)
    if clip is None:
        pytest.skip(f"{name} was never sampled: run tests/support/real_clips.py in a Blender")
    return Clip(clip.rig, clip.fps, clip.moved[:FRAMES])


@lru_cache
def body(name: str) -> Rig:
    if not (real_rigs.CACHE / "index.json").is_file():
        pytest.skip("the shared data was never dumped: run tests/support/real_rigs.py in a Blender")
    found = real_rigs.load_rigs()
    if name not in found:
        pytest.skip(f"{name} was never dumped: run tests/support/real_rigs.py in a Blender")
    return understand(found[name].skeleton, read_conventions(ROOT / "presets" / "rigs"), found[name].vertices).rig


@lru_cache
def followed(name: str, who: str) -> Followed:
    return follow(take(name), body(who))


def contacts(found: Followed) -> Feet:
    slides, heights, fps = [], [], found.clip.fps
    scale = found.clip.rig.leg_length / REFERENCE_LEG
    for k, leg in enumerate(found.clip.rig.legs):
        ball = found.clip.ball(leg)
        down = np.array([False, *(bool(m.follow.feet) and m.follow.feet[k].ball_down for m in found.memories), False])
        edges = np.flatnonzero(np.diff(down.astype(int)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            rows = ball[start + round(LANDING * fps) + 1 : max(0, end - round(LEAVING * fps) - 1)]
            if len(rows) > 3:
                slides.append(np.linalg.norm(rows[:, :2] - np.median(rows[:, :2], axis=0), axis=1).max())
                heights.append(np.abs(rows[:, 2] - (leg.sole.ball.z - found.clip.rig.floor)).max())
    return Feet(np.array(slides) / scale, np.array(heights) / scale)


def knees(clip: Clip) -> np.ndarray:
    """The bend of each knee, degrees, (legs, F)."""
    found = []
    for leg in clip.rig.legs:
        joints = clip.joints(leg)
        upper, lower = joints[:, 1] - joints[:, 0], joints[:, 2] - joints[:, 1]
        cosine = np.sum(upper * lower, axis=1) / np.linalg.norm(upper, axis=1) / np.linalg.norm(lower, axis=1)
        found.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
    return np.array(found)


@pytest.mark.parametrize("who", BODIES)
@pytest.mark.parametrize("name", TAKES)
def test_feet_stand_within_millimetres_although_nothing_is_known_of_what_comes(name: str, who: str):
    """Cleaned with a look ahead they slide by at most 3 mm; live by less than 7 as a rule, and 12 at most."""
    feet = contacts(followed(name, who))
    assert len(feet.slides) >= 4
    assert np.median(feet.slides) < 0.007
    assert feet.slides.max() < 0.012
    assert np.median(feet.heights) < 0.009
    assert feet.heights.max() < 0.014


@pytest.mark.parametrize("who", BODIES)
@pytest.mark.parametrize("name", TAKES)
def test_no_knee_moves_much_faster_than_the_source_s(name: str, who: str):
    theirs = np.abs(np.diff(knees(take(name)), axis=1)).max()
    ours = np.abs(np.diff(knees(followed(name, who).clip), axis=1)).max()
    assert ours < theirs + 2.0
