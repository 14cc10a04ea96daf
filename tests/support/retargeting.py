"""Rigs and clips for the tests of retargeting: a person with other axes, bones and poses at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from mathutils import Matrix, Vector
from support.extension import ROOT
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.spans import POINTS
from surefoot.core.retarget.retarget import Retargeted
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Leg, Rig
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.space.quaternions import from_matrices, multiplied, turned, undone

FPS = 60.0


@lru_cache
def _conventions():
    return read_conventions(ROOT / "presets" / "rigs")


def rig_of_skeleton(skeleton: Skeleton) -> Rig:
    """What is understood of a skeleton without a skin."""
    return understand(skeleton, _conventions()).rig


def rolled(skeleton: Skeleton, angles: Sequence[float] = (0.5, -2.0, 1.3, 3.0)) -> Skeleton:
    """The same bones, each rolled about itself."""
    return Skeleton(
        tuple(
            replace(bone, rest=bone.rest @ Matrix.Rotation(angles[i % len(angles)], 4, "Y"))
            for i, bone in enumerate(skeleton.bones)
        )
    )


def without_axes(skeleton: Skeleton) -> Skeleton:
    """The same joints, but every bone points up and is short, as in many imported files."""
    up = Matrix.Rotation(np.pi / 2.0, 4, "X")
    bones = []
    for bone in skeleton.bones:
        rest = up.copy()
        rest.translation = bone.head
        bones.append(replace(bone, rest=rest, length=0.05, connected=False))
    return Skeleton(tuple(bones))


def without(skeleton: Skeleton, *names: str) -> Skeleton:
    """The skeleton without these bones; their children hang on their parents."""
    kept = [i for i, bone in enumerate(skeleton.bones) if bone.name not in names]
    place = {i: k for k, i in enumerate(kept)}

    def parent(i: int) -> int:
        i = skeleton.bones[i].parent
        while i >= 0 and i not in place:
            i = skeleton.bones[i].parent
        return place.get(i, -1)

    return Skeleton(tuple(replace(skeleton.bones[i], parent=parent(i), connected=False) for i in kept))


def with_twist_bones(skeleton: Skeleton, *names: str) -> Skeleton:
    """Bones with a second one half way that carries what hung on them."""
    bones: list[Bone] = []
    place: dict[int, int] = {}
    for i, bone in enumerate(skeleton.bones):
        place[i] = len(bones)
        bones.append(replace(bone, parent=place[bone.parent] if bone.parent >= 0 else -1, connected=False))
        if bone.name in names:
            half = bone.rest.copy()
            half.translation = bone.head.lerp(bone.tail, 0.5)
            name = bone.name.replace(".", "_twist.")
            bones.append(Bone(name, place[i], half, 0.5 * bone.length))
            place[i] = len(bones) - 1
    return Skeleton(tuple(bones))


def with_spine_of(skeleton: Skeleton, count: int) -> Skeleton:
    """A person whose spine is cut into so many bones along the line from its first joint to the neck."""
    names = [name for name in ("spine.001", "spine.002", "chest") if name in skeleton.index]
    first, last = skeleton.bones[skeleton.index[names[0]]], skeleton.bones[skeleton.index[names[-1]]]
    start, end = first.head, last.tail
    bones: list[Bone] = []
    place: dict[int, int] = {}
    for i, bone in enumerate(skeleton.bones):
        if bone.name == names[0]:
            above = place[bone.parent]
            for k in range(count):
                rest = first.rest.copy()
                turn = (first.tail - first.head).rotation_difference(end - start).to_matrix()
                rest = (turn @ rest.to_3x3()).to_4x4()
                rest.translation = start.lerp(end, k / count)
                above = len(bones) - 1 if k else above
                bones.append(Bone(f"spine.{k + 1:03d}", above, rest, (end - start).length / count))
        if bone.name in names:
            place[i] = len(bones) - 1
            continue
        place[i] = len(bones)
        bones.append(replace(bone, parent=place[bone.parent] if bone.parent >= 0 else -1, connected=False))
    return Skeleton(tuple(bones))


def posed_at_rest(skeleton: Skeleton, turns: dict[str, tuple[str, float]]) -> Skeleton:
    """A skeleton that rests with some bones turned about a model axis, and all that hangs on them."""
    bones = list(skeleton.bones)
    for name, (axis, angle) in turns.items():
        i = skeleton.index[name]
        pivot = bones[i].head
        about = Matrix.Translation(pivot) @ Matrix.Rotation(angle, 4, axis) @ Matrix.Translation(-pivot)
        for j in (i, *skeleton.descendants(i)):
            bones[j] = replace(bones[j], rest=about @ bones[j].rest)
    return Skeleton(tuple(bones))


def arms_at(skeleton: Skeleton, angle: float) -> Skeleton:
    """A person who rests with the arms turned up by an angle (down: negative)."""
    return posed_at_rest(skeleton, {"upper_arm.L": ("Y", -angle), "upper_arm.R": ("Y", angle)})


def wild_clip(rig: Rig, frames: int = 90, amount: float = 0.5, seed: int = 1) -> Clip:
    """Every bone of a rig turned smoothly this way and that, the body wandering."""
    chance = np.random.default_rng(seed)
    bones = rig.skeleton.bones
    rates, phases = chance.uniform(0.5, 2.0, (len(bones), 3)), chance.uniform(0.0, 6.3, (len(bones), 3))
    times = np.arange(frames) / FPS
    vectors = amount * chance.uniform(-1.0, 1.0, (len(bones), 3)) * np.sin(times[:, None, None] * rates * 3.0 + phases)
    moved = np.zeros((frames, len(bones), 4, 4))
    moved[..., 3, 3] = 1.0
    for i, bone in enumerate(bones):
        above = moved[:, bone.parent] if bone.parent >= 0 else np.broadcast_to(np.eye(4), (frames, 4, 4))
        moved[:, i] = above @ about_point(vectors[:, i] * (0.2 if i == rig.root else 1.0), np.array(bone.head))
        if i == rig.body:
            shift = np.stack([0.4 * np.sin(times), -1.2 * times, 0.05 * np.sin(5.0 * times)], axis=-1)
            moved[:, i, :3, 3] += shift
    return Clip(rig, FPS, moved)


def still_clip(rig: Rig, frames: int = 30) -> Clip:
    """A rig that stays at rest."""
    return Clip(rig, FPS, np.tile(np.eye(4), (frames, len(rig.skeleton), 1, 1)))


def about_point(vectors: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Turns by rotation vectors (F, 3) about a point, (F, 4, 4)."""
    angle = np.linalg.norm(vectors, axis=-1)
    axis = vectors / np.where(angle > 0.0, angle, 1.0)[:, None]
    cross = np.zeros((len(vectors), 3, 3))
    cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    cross -= cross.transpose(0, 2, 1)
    sine, versine = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
    motion = np.zeros((len(vectors), 4, 4))
    motion[:, :3, :3] = np.eye(3) + sine * cross + versine * (cross @ cross)
    motion[:, :3, 3] = point - motion[:, :3, :3] @ point
    motion[:, 3, 3] = 1.0
    return motion


def joints(clip: Clip, names: Sequence[str] | None = None) -> np.ndarray:
    """Where the joints of bones are, (F, bones, 3)."""
    skeleton = clip.rig.skeleton
    wanted = [bone.name for bone in skeleton.bones] if names is None else names
    return np.stack([clip.place(skeleton.index[name], skeleton.bones[skeleton.index[name]].head) for name in wanted], 1)


def direction_errors(source: Clip, target: Clip) -> np.ndarray:
    """How far the directions of matching limb segments are apart, degrees, (F, segments)."""
    theirs, ours = _segments(source), _segments(target)
    errors = []
    for key in (key for key in theirs if key in ours):
        a, b = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (theirs[key], ours[key]))
        errors.append(np.degrees(2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(a - b, axis=-1), 0.0, 1.0))))
    return np.stack(errors, axis=-1) if errors else np.zeros((len(source), 1))


def _segments(clip: Clip) -> dict[tuple[str, int, int], np.ndarray]:
    """The segments of arms and legs, from joint to joint, (F, 3) each; by limb, number and how many it has."""
    found = {}
    for leg in clip.rig.legs:
        places = clip.joints(leg)
        for k in range(places.shape[1] - 1):
            found[leg.role, k, places.shape[1]] = places[:, k + 1] - places[:, k]
    bones = clip.rig.skeleton.bones
    for arm in clip.rig.arms:
        ends = [Vector(bones[i].head) for i in arm.bones]
        ends.append(bones[arm.hand].head if arm.hand >= 0 else bones[arm.bones[-1]].tail)
        carriers = (*arm.bones, arm.bones[-1])
        places = np.stack([clip.place(i, end) for i, end in zip(carriers, ends, strict=True)], axis=1)
        for k in range(places.shape[1] - 1):
            found[f"arm.{arm.side}", k, places.shape[1]] = places[:, k + 1] - places[:, k]
    return found


def meant_heights(source: Clip, floor: float, done: Retargeted, theirs: Leg) -> dict[str, np.ndarray]:
    """How high a target's heel and ball are meant to be, of the leg that follows one of the source's, (F,) each.

    What is lower of the two has its height over the source's floor scaled. The other one is as high over it, or no more
    than the same pitch takes it on a foot that is shorter for its leg: what is up in the air cannot be farther.
    """
    ours, ratio = done.clip.rig.leg(theirs.role), done.report.ratio
    lengths = [(leg.sole.ball - leg.sole.heel).length for leg in (theirs, ours)]
    rises = min(ratio, lengths[1] / lengths[0]) if lengths[0] > 0.0 else ratio
    lifts = {
        point: getattr(source, point)(theirs)[:, 2] - (getattr(theirs.sole, point).z - source.rig.floor) - floor
        for point in POINTS
    }
    low = np.minimum(*lifts.values())
    stands = done.report.floor + ratio * low - done.clip.rig.floor
    return {point: stands + rises * (lift - low) + getattr(ours.sole, point).z for point, lift in lifts.items()}


def twist_steps(clip: Clip) -> dict[str, float]:
    """How far thighs, shins, upper arms and forearms turn about themselves in a frame at most, degrees at 60 fps.

    The twist of the turn from each frame to the next about the segment as it stands, after swing and twist.
    """
    found, bones = {}, clip.rig.skeleton.bones
    limbs = [(leg.role, leg.bones[:2], [*leg.joints[:3]]) for leg in clip.rig.legs]
    for arm in clip.rig.arms:
        end = bones[arm.hand].head if arm.hand >= 0 else bones[arm.bones[-1]].tail
        limbs.append((f"arm.{arm.side}", arm.bones[:2], [*(bones[i].head for i in arm.bones[:2]), end]))
    for role, segments, points in limbs:
        for k, i in enumerate(segments):
            turns = from_matrices(np.ascontiguousarray(clip.moved[:, i, :3, :3]))
            line = turned(turns[:-1], np.array((points[k + 1] - points[k]).normalized()))
            step = multiplied(turns[1:], undone(turns[:-1]))
            angle = 2.0 * np.arctan(np.sum(step[:, 1:] * line, axis=-1) / step[:, 0])
            found[f"{role} {k + 1}"] = float(np.degrees(np.abs(angle)).max() * clip.fps / FPS)
    return found


def with_legs(skeleton: Skeleton, thigh: float = 1.0, shin: float = 1.0, hips: float = 1.0) -> Skeleton:
    """A person with other lengths of thigh and shin and another width of the hips, as shares of what they are."""
    bones = list(skeleton.bones)
    for side in "LR":
        upper, lower, foot = (skeleton.index[f"{name}.{side}"] for name in ("thigh", "shin", "foot"))
        aside = Vector(((hips - 1.0) * bones[upper].head.x, 0.0, 0.0))
        down = (thigh - 1.0) * (skeleton.bones[lower].head - skeleton.bones[upper].head)
        further = (shin - 1.0) * (skeleton.bones[foot].head - skeleton.bones[lower].head)
        for first, shift in ((upper, aside), (lower, down), (foot, further)):
            for i in (first, *skeleton.descendants(first)):
                bones[i] = replace(bones[i], rest=Matrix.Translation(shift) @ bones[i].rest)
        bones[upper] = replace(bones[upper], length=bones[upper].length * thigh)
        bones[lower] = replace(bones[lower], length=bones[lower].length * shin)
    return Skeleton(tuple(bones))


def laid_leg(
    clip: Clip, leg: Leg, ankle: np.ndarray, knee_to: np.ndarray | tuple[float, float, float] = (0.0, -1.0, 0.0)
) -> None:
    """Bring a leg's two bones to an ankle, knees ahead (or another way, (F, 3)), by their lengths alone."""
    hip = clip.place(clip.rig.body, leg.hip)
    knee_at_rest = np.array(leg.joints[1])
    upper, lower = leg.lengths[:2]
    way = ankle - hip
    distance = np.minimum(np.linalg.norm(way, axis=-1), 0.9999 * (upper + lower))
    along = way / np.linalg.norm(way, axis=-1, keepdims=True)
    knee_to = np.broadcast_to(knee_to, along.shape)
    ahead = knee_to - along * np.sum(along * knee_to, axis=-1, keepdims=True)
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    foot = (distance**2 + upper**2 - lower**2) / (2.0 * distance)
    knee = hip + along * foot[:, None] + ahead * np.sqrt(np.maximum(0.0, upper**2 - foot**2))[:, None]
    rests = ((np.array(leg.hip), knee_at_rest, hip, knee), (knee_at_rest, np.array(leg.tip), knee, ankle))
    for bone, (start, end, at, to) in zip(leg.bones, rests, strict=True):
        clip.moved[:, bone] = _laid(end - start, to - at, start, at)


def _laid(rest: np.ndarray, line: np.ndarray, start: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Rigid motions (F, 4, 4) that bring a segment at rest along lines (F, 3), from a point to others."""
    rest = rest / np.linalg.norm(rest)
    line = line / np.linalg.norm(line, axis=-1, keepdims=True)
    axis = np.cross(rest, line)
    angle = np.arctan2(np.linalg.norm(axis, axis=-1), line @ rest)
    size = np.linalg.norm(axis, axis=-1, keepdims=True)
    motion = about_point(np.where(size > 1e-9, axis / np.maximum(size, 1e-9), 0.0) * angle[:, None], np.zeros(3))
    motion[:, :3, 3] = at - motion[:, :3, :3] @ start
    return motion
