"""Actions as clips of a character: read once, kept while the Action and the rig stay as they are."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object
from mathutils import Matrix

from ..core.control.intent import Place
from ..core.motion.clip_pose import ClipPoses, clip_poses
from . import carry_over
from .action_curves import is_plain, moves_object, sampled_from_curves
from .action_sampling import MOST_FRAMES, bones_moved, rate_of, sampled, slot_of, times_of
from .clip_sampling import ClipSampler
from .keyed_values import curve_time
from .refusal import RefusedError
from .rig_reading import Reading, place_of
from .roster import owner_of
from .saved_state import channelbag_of
from .texts import text

KEPT = 32
"""So many clips are kept at most, those that were used last."""
SAME = 1e-6
"""Two readings of a rig that stands elsewhere differ by rounding: by less than this, in legs."""


class _Read(NamedTuple):
    """What a clip was read from."""

    digest: str
    reading: Reading
    fps: float
    poses: ClipPoses


class Clips:
    """Clips by character, Action and slot; digests of Actions by Action and slot with the count of edits they hold for.

    No bpy object is kept.
    """

    def __init__(self) -> None:
        self._read: dict[tuple[int, int, str], _Read] = {}
        self._digests: dict[tuple[int, str], tuple[int, str]] = {}

    def clear(self) -> None:
        """Forget all: another file is open."""
        self._read.clear()
        self._digests.clear()

    def look_again(self) -> None:
        """Actions may have been edited without anybody telling: compare what they hold when asked next."""
        self._digests.clear()

    def digest(self, action: Action, slot: str) -> str:
        """What an Action holds for a slot ("": whichever), looked at again after any Action was edited."""
        key, edits = (action.session_uid, slot), carry_over.Paths.forgotten
        known = self._digests.get(key)
        if known is None or known[0] != edits:
            known = (edits, _digest(action, slot))
            self._digests[key] = known
        return known[1]

    def get(self, key: tuple[int, int, str]) -> _Read | None:
        """A clip that was read."""
        return self._read.get(key)

    def keep(self, key: tuple[int, int, str], read: _Read) -> None:
        """Remember a clip; the one that was used longest ago goes."""
        self._read.pop(key, None)
        self._read[key] = read
        while len(self._read) > KEPT:
            self._read.pop(next(iter(self._read)))


clips = Clips()


def clip_poses_of(obj: Object, reading: Reading, action: Action | None, slot: str = "") -> ClipPoses:
    """An Action as a clip of this character. A refusal where there is none, or it is of another armature.

    `slot` is an identifier, by default the slot that moves most of the armature's bones. What a preview or another
    Action left on bones that it does not animate is not in it. Nothing in the file is changed.
    """
    if action is None:
        raise RefusedError(text("clip_none", name=obj.name))
    chosen = slot_of(obj, action, slot)
    bag = channelbag_of(action, chosen)
    if not bones_moved(obj, bag):
        raise RefusedError(text("gait_other_bones", action=action.name, name=obj.name))
    fps, key = _fps(obj), (obj.session_uid, action.session_uid, chosen.identifier)
    digest, read = clips.digest(action, chosen.identifier), clips.get(key)
    if read is None or (read.digest, read.fps) != (digest, fps) or not _is_same(read.reading, reading):
        read = _Read(digest, reading, fps, _poses(obj, reading, action, chosen, fps))
    clips.keep(key, read)
    return read.poses


def first_frame_of(obj: Object, action: Action, slot: str = "") -> float:
    """The frame of an Action at which its clip begins."""
    bag = channelbag_of(action, slot_of(obj, action, slot))
    return float(times_of(*_range(action, bag))[0])


def clip_key(action: Action | None, slot: str) -> tuple[Any, ...]:
    """What decides how a clip moves a rig: the Action, the slot and what it holds; cheap to ask at every frame."""
    return () if action is None else (action.session_uid, slot, clips.digest(action, slot))


def _poses(obj: Object, reading: Reading, action: Action, slot: Any, fps: float) -> ClipPoses:
    bag = channelbag_of(action, slot)
    first, last = _range(action, bag)
    if last - first > MOST_FRAMES:
        raise RefusedError(text("clip_too_long", action=action.name, most=MOST_FRAMES))
    times = times_of(first, last)
    sampler = ClipSampler(obj, reading, still=not moves_object(obj, bag))
    if len(reading.rig.skeleton) == len(obj.data.bones) and is_plain(obj, bag):
        sampled_from_curves(obj, bag, reading, sampler, times)
    else:
        sampled(obj, action, slot, sampler, times, alone=True)
    home = Place(0.0, 0.0, 0.0, 0.0)
    if sampler.first is not None:
        home = place_of(Matrix(sampler.first.tolist()), reading)
    # Where feet are meant to stand: at the object's origin, at the world's, or where they do in the rest pose.
    floors = (home.z, 0.0, home.z + reading.rig.floor)
    index = reading.rig.skeleton.index
    held = sorted(index[name] for name in bones_moved(obj, bag) if name in index)
    return clip_poses(sampler.clip(rate_of(times, fps)), (home.x, home.y, home.heading), floors, held)


def _is_same(one: Reading, two: Reading) -> bool:
    """Whether two readings are of the same rig at the same size, understood alike, but for rounding."""
    a, b = one.rig, two.rig
    said = [
        (
            rig.body,
            rig.roles,
            [leg.bones for leg in rig.legs],
            [(bone.name, bone.parent) for bone in rig.skeleton.bones],
        )
        for rig in (a, b)
    ]
    if said[0] != said[1] or one.metres != two.metres:
        return False
    return bool(np.allclose(_places(one), _places(two), rtol=1e-5, atol=SAME * a.leg_length))


def _places(reading: Reading) -> np.ndarray:
    """All numbers of a reading that its clips depend on."""
    rig = reading.rig
    rows = [np.array(matrix).ravel() for matrix in (reading.canonical, *(bone.rest for bone in rig.skeleton.bones))]
    soles = [[*leg.sole.heel, *leg.sole.ball, *leg.hip] for leg in rig.legs]
    return np.concatenate([*rows, *map(np.array, soles), [rig.floor, rig.leg_length]])


def _range(action: Action, bag: Any) -> tuple[float, float]:
    """The slot's own range, or the one that a person gave the Action."""
    if action.use_frame_range:
        first, last = action.frame_range
        return float(first), float(last)
    ranges = [curve.range() for curve in bag.fcurves if len(curve.keyframe_points)]
    return min(first for first, _ in ranges), max(last for _, last in ranges)


def _fps(obj: Object) -> float:
    """Frames of an Action a second."""
    scene = owner_of(obj) or bpy.context.scene
    fps: float = scene.render.fps / scene.render.fps_base
    return fps * curve_time(scene, 1.0)


def _digest(action: Action, slot: str) -> str:
    """A digest of all that an Action's curves say."""
    digest = hashlib.sha1(repr((action.use_frame_range, *action.frame_range)).encode(), usedforsecurity=False)
    for item in action.slots:
        if slot and item.identifier != slot:
            continue
        bag = channelbag_of(action, item)
        for curve in bag.fcurves if bag is not None else ():
            muted = curve.mute or (curve.group is not None and curve.group.mute)
            said = (item.identifier, curve.data_path, curve.array_index, muted, curve.extrapolation)
            digest.update(repr((*said, [_plain(modifier) for modifier in curve.modifiers])).encode())
            points = curve.keyframe_points
            for name, width in (("co", 2), ("handle_left", 2), ("handle_right", 2)):
                values = np.empty(len(points) * width, dtype=np.float32)
                points.foreach_get(name, values)
                digest.update(values.tobytes())
            kinds = np.empty(len(points), dtype=np.int32)
            points.foreach_get("interpolation", kinds)
            digest.update(kinds.tobytes())
    return digest.hexdigest()


def _plain(modifier: Any) -> tuple[Any, ...]:
    """A curve modifier's settings."""
    names = [prop.identifier for prop in modifier.bl_rna.properties if prop.type in {"FLOAT", "INT", "BOOLEAN", "ENUM"}]
    values = (getattr(modifier, name) for name in names)
    return tuple(value if isinstance(value, int | float | str) else tuple(value) for value in values)
