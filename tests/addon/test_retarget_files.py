"""Real clips on real characters and on Rigify's controls: limbs as the source's, feet that stand, heights on the floor.

Directions are compared between joints that are shown, at frames in which no foot is held or let go.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.motions import bare, degrees_between, direction, joints_at, swing, walk
from support.real_rigs import SHARED_DATA, import_file
from support.rigify_rigs import generated_rig, metarig, overridden_rig
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.rig.rig import Rig


def imported(file: str) -> bpy.types.Object:
    """The armature of a file of the shared data, or the first of its empties."""
    path = next(iter(SHARED_DATA.rglob(file)), None)
    if path is None:
        pytest.skip(f"{file} is not beside this project")
    before = set(bpy.data.objects)
    import_file(path)
    new = [obj for obj in bpy.data.objects if obj not in before]
    return next((obj for obj in new if obj.type == "ARMATURE"), None) or next(o for o in new if o.type == "EMPTY")


def limbs(rig: Rig) -> dict[tuple[str, int], tuple[str, str]]:
    """The bones at both ends of each segment of arms and legs, as far as those are joints."""
    bones, found = rig.skeleton.bones, {}
    for role, chain in (
        *((leg.role, (*leg.bones, leg.foot)) for leg in rig.legs if not leg.detached),
        *((f"arm.{arm.side}", (*arm.bones, arm.hand)) for arm in rig.arms),
    ):
        for k, (first, last) in enumerate(zip(chain, chain[1:], strict=False)):
            if last >= 0 and len(chain) == 3:
                found[role, k] = (bones[first].name, bones[last].name)
    return found


def errors(source: bpy.types.Object, target: bpy.types.Object, frames: list[float]) -> np.ndarray:
    """How far matching segments of arms point apart, degrees, (F, segments)."""
    from surefoot.addon.rig_reading import read_rig
    from surefoot.addon.source_reading import read_source

    theirs, ours = limbs(read_source(source, None, 1.0).reading.rig), limbs(read_rig(target).rig)
    rows = []
    for frame in frames:
        a, b = joints_at(source, frame), joints_at(target, frame)
        rows.append([
            degrees_between(direction(a, *theirs[key]), direction(b, *ours[key]))
            for key in ours if key in theirs and key[0].startswith("arm")
        ])  # fmt: skip
    return np.array(rows)


CHARACTERS = ("quaternius_Male_Suit.fbx", "mh_mixamo_names_apose.glb", "mesh2motion_human_male.glb")


@pytest.mark.parametrize("file", CHARACTERS)
def test_a_captured_walk_goes_over_with_arms_as_they_are_and_feet_that_stand(file: str):
    from surefoot.addon.retarget import RetargetOptions, retarget

    source, target = imported("Walk1.bvh"), imported(file)
    result = retarget(source, target, RetargetOptions(frame_range=(200.0, 400.0)))
    assert result.coverage[0] >= 0.9 * result.coverage[1]
    assert result.slide_before > 5.0 * result.slide_after
    leg = result.ratio * 0.95
    assert result.slide_after < 0.003 * max(1.0, leg / 0.9)
    assert np.mean(errors(source, target, [200.0, 250.0, 301.0, 350.0])) < 2.0


def test_a_captured_walk_goes_onto_rigify_s_controls_and_no_deform_bone_is_keyed():
    from surefoot.addon.retarget import RetargetOptions, retarget
    from surefoot.addon.saved_state import curves_of

    source, target = imported("Walk1.bvh"), generated_rig("human")
    result = retarget(source, target, RetargetOptions(frame_range=(200.0, 300.0)))
    assert result.coverage == (20, 20)
    assert result.slide_after < 0.003
    animation = target.animation_data
    paths = {curve.data_path for curve in curves_of(animation.action, animation.action_slot)}
    assert not [path for path in paths if any(f'["{kind}-' in path for kind in ("DEF", "ORG"))]
    assert "IK_FK = 1" in " ".join(result.notes)
    found = errors(source, target, [200.0, 240.0, 280.0])
    assert found.mean() < 2.0


def test_a_rigify_rig_is_a_source_as_it_is_shown():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.retarget import retarget

    source, target = generated_rig("human"), bare("Hero")
    arm = source.pose.bones["upper_arm_fk.L"]
    source.pose.bones["upper_arm_parent.L"]["IK_FK"] = 1.0
    arm.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (11, -1.0)):
        arm.rotation_euler.x = angle
        arm.keyframe_insert("rotation_euler", frame=frame)
    motion = read_motion(source)
    assert motion.clip.rig.convention == "Rigify"
    result = retarget(source, target)
    assert result.frames == 11
    for frame in (1, 6, 11):
        a, b = joints_at(source, frame), joints_at(target, frame)
        theirs = direction(a, "ORG-upper_arm.L", "ORG-forearm.L")
        assert degrees_between(theirs, direction(b, "upper_arm.L", "forearm.L")) < 0.5


def test_a_metarig_is_a_plain_target():
    from surefoot.addon.retarget import retarget

    source = walk(bare("Mocap"))
    target = metarig("human")
    result = retarget(source, target)
    assert result.coverage[0] == result.coverage[1]
    shown = joints_at(target, 30)
    assert direction(shown, "spine", "spine.006")[2] > 0.98
    assert joints_at(target, 40)["spine"][1] < joints_at(target, 5)["spine"][1] - 0.5


def test_empties_of_a_file_lead_a_character():
    from surefoot.addon.retarget import retarget

    source, target = imported("threevrm_test.vrma"), imported("quaternius_Male_Suit.fbx")
    result = retarget(source, target)
    assert result.coverage[0] >= 0.9 * result.coverage[1]
    shown = joints_at(target, 0)
    assert abs(direction(shown, "UpperArm.L", "LowerArm.L")[2]) < 0.1
    lowered = joints_at(target, 12)
    assert direction(lowered, "UpperArm.R", "LowerArm.R")[2] < -0.9


def test_what_one_leg_does_shows_on_a_metarig_s():
    from surefoot.addon.retarget import RetargetOptions, retarget

    source, target = swing(bare("Mocap")), metarig("human")
    retarget(source, target, RetargetOptions(config=RetargetConfig(feet="FREE")))
    for frame in (1, 11, 21):
        a, b = joints_at(source, frame), joints_at(target, frame)
        for first, last in (("thigh.L", "shin.L"), ("shin.L", "foot.L")):
            assert degrees_between(direction(a, first, last), direction(b, first, last)) < 0.5


def test_an_overridden_rig_takes_a_motion_on_its_controls_and_its_library_stays():
    from surefoot.addon.retarget import retarget

    target = overridden_rig("human")
    source = walk(bare("Mocap"))
    library = target.override_library.reference
    result = retarget(source, target)
    assert result.coverage == (20, 20)
    assert target.animation_data.action.name == result.action
    assert target.animation_data.action.library is None
    assert library.animation_data.action is None
    first, last = joints_at(target, 5), joints_at(target, 45)
    assert (last["DEF-spine"] - first["DEF-spine"])[1] < -1.0
