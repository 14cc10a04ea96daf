"""A rig that follows another one live does so with the pairs that were set by hand."""

from __future__ import annotations

import numpy as np
from support.following import run
from support.retargeting import rig_of_skeleton, wild_clip
from support.rigs import person_skeleton
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.source_pose import SourcePose
from surefoot.core.from_rig import FollowConfig, SourceRig
from surefoot.core.retarget.mapping import Pair

PERSON = rig_of_skeleton(person_skeleton())


def followed(*pairs: Pair):
    """A person that follows a moving one, its clip, and the source's."""
    clip = wild_clip(PERSON, frames=10, amount=0.3)
    config = CharacterConfig(
        base="RIG", follow=FollowConfig(source_feet="FREE"), source_rig=SourceRig(PERSON, "source", pairs)
    )
    poses = [SourcePose(moved.copy(), (0.0, 0.0, 0.0, 0.0)) for moved in clip.moved]
    return run(Character(PERSON, config), poses, clip.fps).clip, clip


def turn_in(clip, name: str, frame: int) -> np.ndarray:
    """A bone's turn from rest relative to the spine's, so that where the body faces does not matter."""
    chest = clip.moved[frame, PERSON.skeleton.index["chest"], :3, :3]
    return chest.T @ clip.moved[frame, PERSON.skeleton.index[name], :3, :3]


def test_a_bone_that_stays_at_rest_by_hand_goes_with_its_parent():
    ours, _ = followed(Pair("hand.L"))
    turns = [turn_in(ours, "hand.L", frame) - turn_in(ours, "forearm.L", frame) for frame in range(len(ours.moved))]
    assert max(np.abs(turn).max() for turn in turns) < 1e-5


def test_a_bone_turns_as_the_one_it_is_paired_with():
    ours, theirs = followed(Pair("head", "hand.R"))
    for frame in range(len(ours.moved)):
        assert np.abs(turn_in(ours, "head", frame) - turn_in(theirs, "hand.R", frame)).max() < 1e-4


def test_two_sources_with_other_pairs_are_not_the_same():
    assert SourceRig(PERSON, "a", (Pair("head"),)) != SourceRig(PERSON, "a")
    assert SourceRig(PERSON, "a", (Pair("head"),)) == SourceRig(PERSON, "a", (Pair("head"),))
