"""Captured takes whose feet are cleaned: in what is written they stand, and a second run finds nothing to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
import pytest
from support.sliding_walks import keys_of, knees, slides
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.spans import Contacts

TAKES = (
    "mocap_cmu/cmu_001_01.bvh",
    "mocap_cmu/cmu_003_02.bvh",
    "mocap_cmu/cmu_006_04.bvh",
    "mocap_cmu/cmu_006_10.bvh",
    "mocap_cmu/cmu_007_03.bvh",
    "mocap_cmu/cmu_09_11_run.fbx",
    "mocap_deepmimic/humanoid3d_jump.bvh",
    "mocap_deepmimic/humanoid3d_getup_faceup.bvh",
    "mocap_deepmimic/humanoid3d_run.bvh",
    "mocap_other/bvhtoolbox_walk01.bvh",
)


class Cleaned(NamedTuple):
    """A take as it was and as it is written, its contacts then and now, and its rig."""

    rig: bpy.types.Object
    action: bpy.types.Action
    before: Clip
    after: Clip
    was: list[Contacts]
    now: list[Contacts]


@pytest.fixture
def take(request: Any, shared_data: Path) -> Cleaned:
    """One of the takes, imported as it is and cleaned."""
    from surefoot.addon.clean_feet import clean_feet
    from surefoot.addon.motion_files import actions_of, import_motion, sources_of
    from surefoot.addon.motion_source import read_motion
    from surefoot.core.motion.clip_feet import ground_contacts

    got = import_motion(shared_data / request.param)
    (rig,) = sources_of(got)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.scene.render.fps = round(got.fps)
    (own,) = actions_of(got, rig)
    before = read_motion(rig, own).clip
    action = bpy.data.actions[clean_feet(rig, own).action]
    after = read_motion(rig, action).clip
    return Cleaned(rig, action, before, after, ground_contacts(before)[0], ground_contacts(after)[0])


@pytest.mark.parametrize("take", TAKES, indirect=True)
def test_a_captured_take_stands_bends_its_knees_no_faster_and_is_done_in_one_run(take: Cleaned) -> None:
    was, now = max(slides(take.before, take.was)), max(slides(take.after, take.was))
    assert now <= was / 5.0
    assert now <= 0.006 * take.before.rig.leg_length
    for before, after in zip(knees(take.before), knees(take.after), strict=True):
        assert np.abs(np.diff(after)).max() <= np.abs(np.diff(before)).max() + 1.0
    from surefoot.addon.clean_feet import clean_feet

    once = keys_of(take.action)
    again = clean_feet(take.rig, take.action).action
    twice = keys_of(bpy.data.actions[again]) if again else once
    assert max(np.abs(twice[key] - rows).max() for key, rows in once.items()) <= 1e-5


@pytest.mark.parametrize("take", TAKES, indirect=True)
def test_contacts_of_a_captured_take_stay_within_two_frames(take: Cleaned) -> None:
    for was, now in zip(take.was, take.now, strict=True):
        for span in was.foot:
            assert min(abs(span.start - other.start) for other in now.foot) <= 2.0
            assert min(abs(span.end - other.end) for other in now.foot) <= 2.0
