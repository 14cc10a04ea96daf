"""Segments turn about themselves as the source's do, also where a knee is straight and shows no axis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support import real_rigs
from support.performers import clip_of
from support.real_clips import load_clip
from support.retarget_matrix import body
from support.retargeting import laid_leg, rig_of_skeleton, twist_steps, with_legs
from support.rigs import person_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.retarget import retarget_clip

# Degrees a frame at 60 fps that a segment may turn further about itself than the source's does.
FURTHER = 5.0
SHOWN = (
    "Walk1",
    "Jog1",
    "WalkTurns1",
    "Jumps1",
    "cmu_007_03",
    "cmu_007_12",
    "cmu_12_01",
    "cmu_001_01",
    "get_up",
    "idle",
)


def straight_walk() -> Clip:
    """A walk so high over the ground that its legs go through straight, where their knees stray to the sides."""
    clip = clip_of("person")
    clip = replace(clip, moved=clip.moved[: round(3.0 * clip.fps)].copy())
    legs, skeleton = clip.rig.legs, clip.rig.skeleton
    feet = [clip.joints(leg)[:, -1] for leg in legs]
    kept = {i for leg in legs for i in (leg.foot, *skeleton.below[leg.foot])}
    body_bones = [i for i in range(len(skeleton)) if i not in kept]
    hips = [clip.place(clip.rig.body, leg.hip) for leg in legs]
    raised = []
    for leg, ankle, hip in zip(legs, feet, hips, strict=True):
        level = np.linalg.norm((hip - ankle)[:, :2], axis=-1)
        highest = np.sqrt((0.9999 * sum(leg.lengths[:2])) ** 2 - level**2)
        raised.append(highest - (hip - ankle)[:, 2])
    clip.moved[:, body_bones, 2, 3] += np.min(raised, axis=0)[:, None]
    times = np.arange(len(clip)) / clip.fps
    for k, (leg, ankle) in enumerate(zip(legs, feet, strict=True)):
        reach = np.linalg.norm(ankle - clip.place(clip.rig.body, leg.hip), axis=-1) / sum(leg.lengths[:2])
        stray = 2.0 * np.clip((reach - 0.99) / 0.01, 0.0, 1.0) * np.sin(40.0 * times + k)
        laid_leg(clip, leg, ankle, np.stack([np.sin(stray), -np.cos(stray), np.zeros(len(clip))], axis=-1))
    return clip


def assert_twists_as(source: Clip, target: Clip) -> None:
    theirs, ours = twist_steps(source), twist_steps(target)
    assert set(ours) >= {"leg.L 1", "leg.L 2", "leg.R 1", "leg.R 2"}
    for segment, step in ours.items():
        assert step <= theirs[segment] + FURTHER, segment


@pytest.mark.parametrize(("thigh", "shin"), [(0.85, 1.1), (1.15, 0.9), (0.7, 0.7)])
def test_a_leg_that_walks_through_straight_turns_about_itself_as_the_sources_does(thigh, shin):
    source = straight_walk()
    target = rig_of_skeleton(with_legs(person_skeleton(), thigh, shin))
    assert_twists_as(source, retarget_clip(source, target).clip)


@pytest.mark.parametrize("target", ["rigify/human", "quaternius_Male_Suit.fbx", "mh_default_163bones.glb"])
@pytest.mark.parametrize("name", SHOWN)
def test_limbs_of_real_bodies_turn_about_themselves_as_the_takes_do(name, target):
    take = load_clip(name)
    if take is None or not (real_rigs.CACHE / "index.json").is_file():
        pytest.skip("no sampled takes or dumped rigs: run tests/support/real_clips.py and real_rigs.py in a Blender")
    take = replace(take, moved=take.moved[:300])
    assert_twists_as(take, retarget_clip(take, body(target)).clip)
