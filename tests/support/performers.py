"""Performers for tests: walks of our own characters as clips, whose gait is known because we planned it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from support.clip_joints import clip_of_walk
from support.extension import ROOT
from support.rigs import dog_skeleton, person_skeleton, spider_skeleton
from support.walk import Walk, walk
from surefoot.core.motion.clip import Clip
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.world.solids import Flat

SKELETONS = {"person": person_skeleton, "dog": dog_skeleton, "spider": spider_skeleton}
SPEEDS = {"person": 1.3, "dog": 1.0, "spider": 0.5}


@lru_cache
def rig_of(who: str) -> Rig:
    """One of the characters that ship."""
    return understand(SKELETONS[who](), read_conventions(ROOT / "presets" / "rigs")).rig


@lru_cache
def performance(who: str, seconds: float = 7.0) -> Walk:
    """A steady walk over flat ground, without its first seconds."""
    return walk(rig_of(who), Flat(), speed=SPEEDS[who], seconds=seconds, fps=60.0).settled(3.0)


@lru_cache
def clip_of(who: str) -> Clip:
    """The same as a clip."""
    return clip_of_walk(performance(who))


def on_the_spot(clip: Clip, speed: float) -> Clip:
    """A clip that goes along -Y at this speed, over ground that comes along."""
    moved = clip.moved.copy()
    moved[:, :, 1, 3] += (np.arange(len(clip)) / clip.fps * speed)[:, None]
    return replace(clip, moved=moved)


def one_stride(clip: Clip, period: float) -> Clip:
    """The first stride of a clip, its last frame the first one again; the clip's rate is bent to fit whole frames."""
    frames = round(period * clip.fps)
    return replace(clip, moved=clip.moved[: frames + 1], fps=frames / period)
