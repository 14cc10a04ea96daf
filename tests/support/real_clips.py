"""Real clips for the core tests: sampled once through Blender into a cache that is not committed.

Run in a Blender Python (`python tests/support/real_clips.py`): it imports the walks, runs and loops of the shared data
folder, and writes each with its rest skeleton. `load_clip` reads one back without Blender.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from support.real_rigs import ROOT, SHARED_DATA, import_file

if TYPE_CHECKING:
    from surefoot.core.motion.clip import Clip

CACHE = ROOT / ".cache" / "real_clips"


class Source(NamedTuple):
    """A file of the shared data, metres in one of its units, its action (None: the only one), frames and their step."""

    file: str
    metres: float = 1.0
    action: str | None = None
    frames: tuple[int, int, int] | None = None


CLIPS = {
    "Walk1": Source("mocap_o3de/Walk1.bvh", frames=(200, 900, 1)),
    "cmu_007_03": Source("mocap_cmu/cmu_007_03.bvh", 0.01),
    "cmu_007_12": Source("mocap_cmu/cmu_007_12.bvh", 0.01),
    "cmu_12_01": Source("mocap_cmu/cmu_12_01_walk.bvh", 0.056444, frames=(1, 523, 2)),
    "Jog1": Source("mocap_o3de/Jog1.bvh", frames=(200, 700, 1)),
    "Run1": Source("mocap_o3de/Run1.bvh", frames=(200, 700, 1)),
    "fox_walk": Source("creatures/mesh2motion_fox.glb", action="Walk"),
    "fox_run": Source("creatures/mesh2motion_fox.glb", action="Run"),
    "wolf_walk": Source("creatures/quaternius_Wolf.fbx", action="WolfArmature|Walking"),
    "horse_walk": Source("creatures/mesh2motion_horse.glb", action="Walk"),
    "horse_trot": Source("creatures/mesh2motion_horse.glb", action="Trot"),
    "bird_walk": Source("creatures/mesh2motion_bird.glb", action="Walk"),
    "raptor_walk": Source("creatures/quaternius_Velociraptor.fbx", action="Armature|Velociraptor_Walk"),
    "human_walk": Source("characters/quaternius_Animated_Human.fbx", action="Human Armature|Walk"),
    "WalkTurns1": Source("mocap_o3de/WalkTurns1.bvh", frames=(1, 480, 1)),
    "Jumps1": Source("mocap_o3de/Jumps1.bvh", frames=(1, 480, 1)),
    "Jumps1_floordrift": Source("mocap_o3de/Jumps1_floordrift.bvh", frames=(1, 480, 1)),
    "cmu_006_04": Source("mocap_cmu/cmu_006_04.bvh", 0.01),
    "cmu_001_01": Source("mocap_cmu/cmu_001_01.bvh", 0.01, frames=(1, 480, 1)),
    "jump": Source("mocap_deepmimic/humanoid3d_jump.bvh", 0.01),
    "get_up": Source("mocap_deepmimic/humanoid3d_getup_faceup.bvh", 0.01),
    "get_up_prone": Source("mocap_deepmimic/humanoid3d_getup_facedown.bvh", 0.01),
    "stealthy_walk": Source("mocap_deepmimic/humanoid3d_stealthy_walk.bvh", 0.01),
    "idle": Source("mocap_other/reactidle_003_genuine.bvh", frames=(1, 240, 1)),
}


def load_clip(name: str) -> Clip | None:
    """A sampled clip, its rig understood anew; None where it was never sampled."""
    from mathutils import Matrix
    from surefoot.core.motion.clip import Clip
    from surefoot.core.rig.conventions import read_conventions
    from surefoot.core.rig.rest_vertices import RestVertices
    from surefoot.core.rig.skeleton import Bone, Skeleton
    from surefoot.core.rig.understand import understand

    path = CACHE / f"{name}.npz"
    if not path.is_file():
        return None
    with np.load(path) as data:
        rows = zip(data["names"], data["parents"], data["rests"], data["lengths"], data["flags"], strict=True)
        bones = tuple(
            Bone(str(bone), int(parent), Matrix(rest.tolist()), float(length), *map(bool, flags))
            for bone, parent, rest, length, flags in rows
        )
        skin = RestVertices(data["points"], data["bones"], data["weights"]) if len(data["points"]) else None
        rig = understand(Skeleton(bones), read_conventions(ROOT / "presets" / "rigs"), skin).rig
        return Clip(rig, float(data["fps"]), data["moved"].astype(np.float64))


def _dump(name: str, source: Source) -> None:
    import bpy
    from surefoot.addon.clip_sampling import ClipSampler
    from surefoot.addon.rig_reading import read_rest, read_rig

    bpy.ops.wm.read_homefile(use_empty=True)
    path = SHARED_DATA / source.file
    if path.suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(path), global_scale=source.metres, update_scene_fps=True)
    else:
        import_file(path)
    obj = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    if source.action is not None:
        action = bpy.data.actions[source.action]
        obj.animation_data.action = action
        obj.animation_data.action_slot = action.slots[0]
        for track in obj.animation_data.nla_tracks:
            track.mute = True
    start, end = obj.animation_data.action.frame_range
    first, last, step = source.frames or (int(start), int(end), 1)
    scene = bpy.context.scene
    rest = read_rest(obj)
    sampler = ClipSampler(obj, read_rig(obj))
    for frame in range(first, min(last, int(end)) + 1, step):
        scene.frame_set(frame)
        sampler.add(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bones, skin = rest.skeleton.bones, rest.vertices
    np.savez_compressed(
        CACHE / f"{name}.npz",
        names=np.array([bone.name for bone in bones]),
        parents=np.array([bone.parent for bone in bones]),
        rests=np.array([[tuple(row) for row in bone.rest] for bone in bones], dtype=np.float64),
        lengths=np.array([bone.length for bone in bones]),
        flags=np.array([(bone.connected, bone.deform, bone.inherit_rotation) for bone in bones]),
        points=skin.points if skin else np.empty((0, 3)),
        bones=skin.bones if skin else np.empty(0, dtype=np.int64),
        weights=skin.weights if skin else np.empty(0),
        moved=sampler.clip(1.0).moved.astype(np.float32),
        fps=scene.render.fps / scene.render.fps_base / step,
    )


def _main() -> None:
    import bpy  # noqa: F401 - before mathutils

    sys.path[:0] = [str(ROOT / "tests")]
    from support.extension import as_package

    as_package()
    CACHE.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or CLIPS:
        _dump(name, CLIPS[name])
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _main()
    os._exit(0)  # the 4.5 wheel would wait for ever
