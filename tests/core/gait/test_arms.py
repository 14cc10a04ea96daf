"""Arms of a walker hang from their shoulders, and hands go along with their forearms."""

from __future__ import annotations

from dataclasses import replace
from math import degrees, radians

import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.grid import rig_of
from support.real_rigs import SHARED_DATA, is_complete
from support.rigs import person_skeleton
from support.walk import Walk, walk
from surefoot.core.gait.arms import HungArm
from surefoot.core.ik.palm import Touch
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.pose import model_matrices
from surefoot.core.rig.rig import Arm, Rig
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.world.solids import Flat

PALM = 0.7
# Files whose hand bones point to the side, as importers lay bones that have several children, or none that is near.
ASKEW = ("ue_ThirdPersonRun.fbx", "mh_vrm1_humanoid_names.vrm")


def with_hands_that_lead_aside(skeleton: Skeleton) -> Skeleton:
    """The same joints, but that each hand's bone points square to its fingers."""
    bones = list(skeleton.bones)
    for side in "LR":
        i = skeleton.index[f"hand.{side}"]
        turned = bones[i].rest @ Matrix.Rotation(radians(90.0), 4, "X")
        bones[i] = replace(bones[i], rest=turned)
    return Skeleton(tuple(bones))


def walking(rig: Rig) -> Walk:
    """A few strides on level ground."""
    return walk(rig, Flat(), 1.2, 2.0, 24)


def carried(run: Walk, bone: int, place: Vector) -> list[Vector]:
    """Where a place of the rest pose is at each frame, as its bone carries it (model space)."""
    back = run.rig.skeleton.bones[bone].rest.inverted()
    return [model_matrices(run.rig.skeleton, frame)[bone] @ (back @ place) for frame in run.frames]


def bends_at_wrist(run: Walk, arm: Arm) -> list[float]:
    """At each frame, degrees between the forearm and the way from the wrist to the palm."""
    bones = run.rig.skeleton.bones
    palm = bones[arm.hand].rest @ Touch.of_hand(run.rig, arm, PALM).point
    elbows = carried(run, arm.bones[1], bones[arm.bones[1]].head)
    wrists = carried(run, arm.hand, bones[arm.hand].head)
    palms = carried(run, arm.hand, palm)
    return [degrees((w - e).angle(p - w)) for e, w, p in zip(elbows, wrists, palms, strict=True)]


def test_a_hand_whose_bone_leads_aside_swings_as_one_whose_bone_leads_to_the_fingers():
    conventions = read_conventions(ROOT / "presets" / "rigs")
    plain = person_skeleton()
    runs = [walking(understand(each, conventions).rig) for each in (plain, with_hands_that_lead_aside(plain))]
    hand = plain.index["hand.L"]
    fingers = plain.bones[hand].tail
    for one, other in zip(*(carried(run, hand, fingers) for run in runs), strict=True):
        assert (one - other).length < 1e-5


def test_a_wrist_is_bent_as_at_rest_but_for_its_trailing():
    run = walking(rig_of("person"))
    for arm in run.rig.arms:
        assert max(bends_at_wrist(run, arm)) < 20.0


@pytest.mark.parametrize("name", ASKEW)
def test_hands_of_rigs_whose_hand_bones_lead_aside_are_in_line_with_their_forearms(name: str):
    if not SHARED_DATA.is_dir() or not is_complete(SHARED_DATA):
        pytest.skip("No dumped rigs: run tests/support/real_rigs.py in a Blender Python beside the shared data.")
    rig = rig_of(name)
    run = walking(rig)
    hung = [arm for arm in rig.arms if HungArm.measure(rig, arm) is not None]
    assert len(hung) == 2
    for arm in hung:
        assert max(bends_at_wrist(run, arm)) < 40.0
