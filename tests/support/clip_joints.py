"""Joint angles over a stride, of a mocap clip and of a walk of ours, by tenths from left contact.

Run in a Blender Python (`python tests/support/clip_joints.py`): it samples the walks of the shared data folder and
writes their profiles as JSON into a cache that is not committed; `load_profiles` reads them without Blender.
`profiles` takes any clip: one sampled in Blender (`sample`), or `clip_of_walk` of a walk in the core alone.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from surefoot.core.motion.clip import Clip
    from surefoot.core.motion.spans import Contacts

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "clip_joints.json"
TENTHS = np.arange(10) / 10.0
# File, metres in one of its units.
WALKS = {
    "Walk1": ("mocap_o3de/Walk1.bvh", 1.0),
    "cmu_006_01": ("mocap_cmu/cmu_006_01.bvh", 0.01),
    "cmu_007_03": ("mocap_cmu/cmu_007_03.bvh", 0.01),
    "cmu_007_04": ("mocap_cmu/cmu_007_04.bvh", 0.01),
    "cmu_007_06": ("mocap_cmu/cmu_007_06.bvh", 0.01),
    "cmu_007_08": ("mocap_cmu/cmu_007_08.bvh", 0.01),
    "cmu_007_12": ("mocap_cmu/cmu_007_12.bvh", 0.01),
    "cmu_12_01": ("mocap_cmu/cmu_12_01_walk.bvh", 0.056444),
    "Run1": ("mocap_o3de/Run1.bvh", 1.0),
}
STRAIGHT = np.radians(12.0)  # the most that a stride turns, and its travel differs from the facing
STEADY = 0.1  # share of the speed by which neighbouring strides differ at most


@dataclass(frozen=True)
class Profile:
    """One straight steady stride, degrees: `knee` bent, `hip` thigh forward of vertical, `ankle` toes up against rest.

    `knee_right` and so on are at the same times (from left contact). `pelvis` is the height of the hips over the ankle
    height at rest, in leg lengths; `clearance` the lower of heel and ball over the floor, in leg lengths.
    `duty` is of both feet.
    """

    frame: float
    period: float
    speed: float
    leg: float
    duty: tuple[float, float]
    knee: list[float]
    hip: list[float]
    ankle: list[float]
    knee_right: list[float]
    hip_right: list[float]
    ankle_right: list[float]
    pelvis: list[float]
    clearance: list[float]


def contacts_of_clip(clip: Clip) -> list[Contacts]:
    """Found contacts of each of the clip's legs."""
    from surefoot.core.motion.contacts import Soles, find_clip_contacts

    soles = [Soles(clip.heel(leg), clip.ball(leg)) for leg in clip.rig.legs]
    return find_clip_contacts(soles, clip.fps, clip.rig.leg_length)


def profiles(clip: Clip, contacts: list[Contacts] | None = None) -> list[Profile]:
    """All straight steady strides of a biped's clip, in order. `contacts` are left, right; found where not given."""
    sides = {leg.side: k for k, leg in enumerate(clip.rig.legs)}
    left, right = sides["L"], sides["R"]
    down = contacts if contacts is not None else contacts_of_clip(clip)
    angles = [_angles(clip, leg) for leg in clip.rig.legs]
    leg = clip.rig.leg_length
    joints = [clip.joints(each) for each in clip.rig.legs]
    hips = np.mean([j[:, 0] for j in joints], axis=0)
    soles = np.minimum(clip.heel(clip.rig.legs[left])[:, 2], clip.ball(clip.rig.legs[left])[:, 2])
    frames = np.arange(len(clip), dtype=float)
    found = []
    spans = down[left].foot
    for this, following in zip(spans, spans[1:], strict=False):
        start, end = this.start, following.start
        period = (end - start) / clip.fps
        crossing = [span for span in down[right].foot if start < span.start < end]
        if start < 1.0 or not 0.4 < period < 2.0 or len(crossing) != 1:
            continue
        speed, straight = _travel(clip, hips, start, end)
        if not straight or speed < 0.4:
            continue
        times = start + TENTHS * (end - start)
        floor = float(np.median(soles[int(this.start) : int(this.end) + 1]))
        rest = float(np.mean([each.joints[0].z for each in clip.rig.legs])) - clip.rig.floor

        def at(row: np.ndarray, times: np.ndarray = times) -> list[float]:
            return [round(float(v), 4) for v in np.interp(times, frames, row)]

        found.append(
            Profile(
                frame=round(start, 2),
                period=round(period, 4),
                speed=round(speed, 4),
                leg=round(rest, 4),
                duty=(this.length / (end - start), crossing[0].length / (end - start)),
                **{name: at(angles[left][name]) for name in ("knee", "hip", "ankle")},
                **{f"{name}_right": at(angles[right][name]) for name in ("knee", "hip", "ankle")},
                pelvis=at((hips[:, 2] - floor) / leg),
                clearance=at((soles - floor) / leg),
            )
        )
    return found


def mean_profile(found: list[Profile], speed: float | None = None, within: float = 0.1) -> dict[str, object]:
    """The mean of the profiles, of those within a share of a speed where one is given; with how many there are."""
    kept = [p for p in found if speed is None or abs(p.speed / speed - 1.0) <= within]
    if not kept:
        return {"strides": 0}
    rows = [asdict(p) for p in kept]
    mean = {key: np.round(np.mean([row[key] for row in rows], axis=0), 3).tolist() for key in rows[0] if key != "frame"}
    return {"strides": len(kept), **mean}


def _travel(clip: Clip, hips: np.ndarray, start: float, end: float) -> tuple[float, bool]:
    """Speed over a stride, and whether it is straight ahead and as fast in both halves."""
    frames = np.arange(len(clip), dtype=float)
    places = np.array([[np.interp(t, frames, hips[:, k]) for k in (0, 1)] for t in (start, 0.5 * (start + end), end)])
    first, second = places[1] - places[0], places[2] - places[1]
    whole = places[2] - places[0]
    seconds = (end - start) / clip.fps
    facing = clip.rotation(clip.rig.pelvis)[int(start) : int(end) + 1] @ np.array([0.0, -1.0, 0.0])
    ahead = np.arctan2(facing[:, 0].mean(), -facing[:, 1].mean())
    way = np.arctan2(whole[0], -whole[1])
    bend = _wrapped(np.arctan2(second[0], -second[1]) - np.arctan2(first[0], -first[1]))
    even = abs(np.linalg.norm(first) - np.linalg.norm(second)) <= STEADY * np.linalg.norm(whole)
    straight = abs(bend) < STRAIGHT and abs(_wrapped(way - ahead)) < STRAIGHT and even
    return float(np.linalg.norm(whole)) / seconds, bool(straight)


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)


def _angles(clip: Clip, leg: object) -> dict[str, np.ndarray]:
    """Knee, hip and ankle of a leg at every frame, degrees, (F,) each."""
    joints = clip.joints(leg)
    thigh, shin = joints[:, 1] - joints[:, 0], joints[:, -1] - joints[:, -2]
    foot = clip.ball(leg) - clip.joints(leg)[:, -1]
    rest = np.array(leg.joints)
    rest_shin, rest_foot = rest[-1] - rest[-2], np.array(leg.sole.ball) - rest[-1]
    facing = clip.rotation(clip.rig.pelvis) @ np.array([0.0, -1.0, 0.0])
    ahead = facing * [1.0, 1.0, 0.0]
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    # Shin down and foot ahead: with toes up the angle between them is larger.
    bent = _between(shin, foot) - _between(rest_shin[None], rest_foot[None])[0]
    return {
        "knee": np.degrees(_between(thigh, shin)),
        "hip": np.degrees(np.arctan2((thigh * ahead).sum(-1), -thigh[:, 2])),
        "ankle": np.degrees(bent),
    }


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The angle between vectors, radians, (F,)."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1))


def clip_of_walk(walk: object) -> Clip:
    """A walk of `support.walk` as a clip."""
    from mathutils import Matrix
    from surefoot.core.motion.clip import Clip
    from surefoot.core.rig.pose import model_matrices

    bones = walk.rig.skeleton.bones
    back = [bone.rest.inverted() for bone in bones]
    moved = []
    for frame in walk.frames:
        ground = frame.ground
        place = Matrix.Translation((ground.x, ground.y, ground.z)) @ Matrix.Rotation(ground.heading, 4, "Z")
        rows = zip(model_matrices(walk.rig.skeleton, frame), back, strict=True)
        moved.append([[list(row) for row in place @ matrix @ inverse] for matrix, inverse in rows])
    return Clip(walk.rig, walk.fps, np.array(moved))


def sample(obj: object, frames: range) -> Clip:
    """An armature as Blender shows it over a range of frames."""
    import bpy
    from surefoot.addon.clip_sampling import ClipSampler
    from surefoot.addon.rig_reading import read_rig

    scene = bpy.context.scene
    sampler = ClipSampler(obj, read_rig(obj))
    for frame in frames:
        scene.frame_set(frame)
        sampler.add(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    return sampler.clip(scene.render.fps / scene.render.fps_base)


def import_clip(path: Path, scale: float = 1.0) -> tuple[object, range]:
    """A BVH file's armature and its range of frames, at the file's own frame rate, in an empty file."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=scale, update_scene_fps=True)
    obj = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    start, end = obj.animation_data.action.frame_range
    return obj, range(int(start), int(end) + 1)


def load_profiles() -> dict[str, list[Profile]]:
    """The cached profiles of each walk; empty where the cache was never made."""
    if not CACHE.is_file():
        return {}
    return {
        name: [Profile(**row) for row in rows] for name, rows in json.loads(CACHE.read_text(encoding="utf-8")).items()
    }


def _main() -> None:
    import bpy  # noqa: F401 - before mathutils

    sys.path.insert(0, str(ROOT / "tests"))
    from support.extension import as_package

    as_package()
    data = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
    wanted = sys.argv[1:] or list(WALKS)
    rows = {name: [asdict(p) for p in found] for name, found in load_profiles().items()}
    for name in wanted:
        file, scale = WALKS[name]
        clip = sample(*import_clip(data / file, scale))
        found = profiles(clip)
        rows[name] = [asdict(p) for p in found]
        sys.stdout.write(f"{name} {clip.rig.convention} {json.dumps(mean_profile(found))}\n")
    CACHE.parent.mkdir(exist_ok=True)
    CACHE.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    _main()
    sys.stdout.flush()
    os._exit(0)  # the 4.5 wheel would wait for ever
