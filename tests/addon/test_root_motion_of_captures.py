"""Root motion and loops of captured clips, as they come from BVH files."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.moved_rigs import points, worlds
from support.real_rigs import SHARED_DATA

WALKS = {"mocap_cmu/cmu_007_03.bvh": 0.01, "mocap_cmu/cmu_12_01_walk.bvh": 0.056444}
# Its skeleton has a root bone.
WITH_ROOT = {"mocap_o3de/WalkTurns1.bvh": 1.0}
STILL = "mocap_other/reactidle_003_genuine.bvh"


def captured(file: str, scale: float = 1.0, frames: tuple[int, int] = (1, 200)) -> tuple[bpy.types.Object, list[str]]:
    """The armature of a BVH file with a part of its Action, and its bones."""
    from surefoot.addon.retime import trim

    path = SHARED_DATA / file
    if not path.is_file():
        pytest.skip(f"{file} is not in the shared data.")
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=scale, update_scene_fps=True)
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    trim(rig, frame_start=frames[0], frame_end=frames[1])
    return rig, [bone.name for bone in rig.data.bones]


def body(rig: bpy.types.Object, names: list[str]) -> list[str]:
    """The bones without the one that carries travel."""
    from surefoot.addon.travel_stage import reading_of, root_bone

    return [name for name in names if name != root_bone(reading_of(rig))]


CARRIED = [(*WITH_ROOT, "AUTO"), *((file, carrier) for file in WALKS for carrier in ("OBJECT", "ROOT_BONE"))]


@pytest.mark.parametrize(("file", "carrier"), CARRIED)
def test_a_captured_walk_s_travel_is_carried_to_a_tenth_of_a_millimetre(file: str, carrier: str):
    from surefoot.addon.root_motion import root_extract, root_put_back

    rig, names = captured(file, (WALKS | WITH_ROOT)[file])
    names = body(rig, names)
    before = worlds(rig, names, range(1, 201, 3))
    root_extract(rig, carrier=carrier, smooth=True, add_root=True)
    assert np.abs(points(worlds(rig, names, range(1, 201, 3))) - points(before)).max() < 1e-4
    root_put_back(rig, carrier=carrier)
    assert np.abs(points(worlds(rig, names, range(1, 201, 3))) - points(before)).max() < 1e-4


@pytest.mark.parametrize("file", WALKS)
def test_in_place_a_captured_walk_stays_within_a_foot_s_length_of_its_start(file: str):
    from surefoot.addon.root_motion import in_place
    from surefoot.addon.travel_stage import reading_of

    rig, _ = captured(file, WALKS[file])
    rig_read = reading_of(rig).rig
    pelvis = [rig_read.skeleton.bones[rig_read.body].name]
    before = worlds(rig, pelvis, range(1, 201))[:, 0, :3, 3]
    in_place(rig)
    after = worlds(rig, pelvis, range(1, 201))[:, 0, :3, 3]
    assert np.ptp(before[:, :2], axis=0).max() > 1.0
    assert np.ptp(after[:, :2], axis=0).max() < 0.25 * rig_read.leg_length
    assert np.ptp(after[:, 2]) == pytest.approx(np.ptp(before[:, 2]), abs=1e-4)


def test_in_place_a_captured_idle_stays_as_it_is():
    from surefoot.addon.root_motion import in_place

    rig, names = captured(STILL)
    before = worlds(rig, names, range(1, 201, 7))
    in_place(rig)
    assert np.abs(worlds(rig, names, range(1, 201, 7)) - before)[..., :3, 3].max() < 0.002


@pytest.mark.parametrize("file", WALKS)
def test_mirrored_twice_a_captured_walk_is_as_before(file: str):
    from surefoot.addon.mirror_motion import mirror

    rig, names = captured(file, WALKS[file])
    before = worlds(rig, names, range(1, 201, 7))
    mirror(rig)
    assert np.abs(worlds(rig, names, range(1, 201, 7)) - before).max() > 0.05
    mirror(rig)
    assert np.abs(worlds(rig, names, range(1, 201, 7)) - before).max() < 1e-5


def test_a_captured_stride_is_joined_without_a_jump():
    from surefoot.addon.join_loop import join_loop

    rig, names = captured("mocap_cmu/cmu_007_03.bvh", 0.01)
    joined = join_loop(rig, frame_start=102, frame_end=174, extrapolation="CYCLE")
    assert joined.frames == 72
    assert joined.before.place > 0.02
    assert joined.after.place < 1e-4
    assert joined.after.turn < 1e-4
    found = worlds(rig, names, range(102, 102 + 2 * 72 + 1))
    assert np.abs(found[72:] - found[:73] - (found[72] - found[0])).max() < 1e-3
    steps = np.linalg.norm(np.diff(found[..., :3, 3], axis=0), axis=-1)
    assert steps[70:74].max() <= steps.max()
    # No jerk at the seam that is larger than those inside the stride.
    jerks = np.linalg.norm(np.diff(found[..., :3, 3], 2, axis=0), axis=-1).max(axis=1)
    assert jerks[69:74].max() <= 1.2 * jerks[4:66].max()
