"""Channels give their clip again, in the order in which Blender applies them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.retargeting import rig_of_skeleton, rolled, wild_clip
from support.rigs import person_skeleton
from surefoot.core.retarget.channels import channels_of
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.pose import Ground, PoseFrame, model_matrices
from surefoot.core.rig.skeleton import Skeleton


def shown(clip, channels, frame):
    """Where the channels put the bones at a frame: the motion of each from its rest, (bones, 4, 4)."""
    skeleton = clip.rig.skeleton
    pose = PoseFrame(Ground(0.0, 0.0, 0.0, 0.0), channels.rotations[frame], channels.locations[frame])
    pairs = zip(model_matrices(skeleton, pose), skeleton.bones, strict=True)
    return np.array([np.array(matrix @ bone.rest.inverted()) for matrix, bone in pairs])


def loose(skeleton: Skeleton) -> Skeleton:
    """Hands and head that do not take their parents' turns along."""
    kept = {"hand.L", "hand.R", "head", "shin.L"}
    return Skeleton(tuple(replace(bone, inherit_rotation=bone.name not in kept) for bone in skeleton.bones))


@pytest.mark.parametrize("change", [lambda s: s, rolled, loose])
def test_channels_give_the_clip_again(change):
    clip = wild_clip(rig_of_skeleton(change(person_skeleton())))
    channels = channels_of(clip)
    for frame in (0, 17, 60):
        assert np.abs(shown(clip, channels, frame) - clip.moved[frame]).max() <= 1e-5


@pytest.mark.parametrize("feet", ["FREE", "FOLLOW", "HOLD"])
def test_a_body_that_is_connected_is_moved_by_what_it_hangs_on(feet):
    skeleton = person_skeleton()
    bones = list(skeleton.bones)
    i = skeleton.index["pelvis"]
    assert bones[i].parent >= 0
    bones[i] = replace(bones[i], connected=True)
    target = rig_of_skeleton(Skeleton(tuple(bones)))
    source = rig_of_skeleton(person_skeleton())
    clip = wild_clip(source, amount=0.2)
    done = retarget_clip(clip, target, RetargetConfig(feet=feet))
    assert done.channels.located == (bones[i].parent,)
    for frame in (0, 30, 89):
        assert np.abs(shown(done.clip, done.channels, frame) - done.clip.moved[frame]).max() <= 1e-5
    if feet == "FREE":
        assert np.abs(done.clip.body() - clip.body()).max() <= 1e-5


@pytest.mark.parametrize("feet", ["FREE", "FOLLOW", "HOLD"])
def test_only_driven_bones_leave_their_rest(feet):
    source = rig_of_skeleton(person_skeleton())
    target = rig_of_skeleton(loose(rolled(person_skeleton())))
    done = retarget_clip(wild_clip(source, amount=0.2), target, RetargetConfig(feet=feet))
    for frame in (0, 30, 89):
        assert np.abs(shown(done.clip, done.channels, frame) - done.clip.moved[frame]).max() <= 1e-5
    others = sorted(set(range(len(target.skeleton))) - set(done.driven))
    assert np.abs(done.channels.rotations[:, others, 1:]).max(initial=0.0) == 0.0


def test_signs_never_flip_through_turns_of_the_whole_body():
    rig = rig_of_skeleton(person_skeleton())
    clip = wild_clip(rig, frames=240)
    angles = np.linspace(0.0, 4.0 * np.pi, len(clip))
    spin = np.zeros((len(clip), 1, 4, 4))
    spin[:, 0, 0, 0] = spin[:, 0, 1, 1] = np.cos(angles)
    spin[:, 0, 1, 0], spin[:, 0, 0, 1] = np.sin(angles), -np.sin(angles)
    spin[:, 0, 2, 2] = spin[:, 0, 3, 3] = 1.0
    done = retarget_clip(replace(clip, moved=spin @ clip.moved), rig_of_skeleton(rolled(person_skeleton())))
    turns = done.channels.rotations
    assert np.sum(turns[1:] * turns[:-1], axis=-1).min() > 0.9


def test_poses_over_their_track_give_the_clip_again():
    rig = rig_of_skeleton(person_skeleton())
    done = retarget_clip(wild_clip(rig), rig_of_skeleton(rolled(person_skeleton())))
    poses = done.poses
    assert len(poses) == len(done.clip)
    assert set(done.driven) <= set(poses.rotated)
