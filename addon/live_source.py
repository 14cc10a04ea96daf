"""The rig that a character follows live: what was understood of it, and its pose at any frame.

How it is read follows from what it is. A rig that nothing but its own F-curves moves is read from those, at any frame,
many frames at once; any other is read from a depsgraph that was evaluated at the frame. What is known of a rig holds
until something is edited; no Blender object is kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix, Vector

from ..core.control.source_pose import SourcePose
from ..core.from_rig import SourceRig
from ..core.motion.rigid_motion import as_rigid
from .action_curves import channel_of, is_plain, sampled_from_curves
from .action_sampling import AT_REST
from .clip_reading import clips
from .clip_sampling import ClipSampler
from .ground_set import is_previewed
from .keyed_values import curve_time
from .live_empties import EmptiesReading, empties_at, empties_key, empties_shown, read_empties
from .motion_ranges import played_on
from .refusal import RefusedError
from .rigify import is_generated
from .saved_mappings import corrections_of
from .source_reading import SourceReading, read_source
from .texts import text

BLOCK = 64
"""So many frames are read at once; those of a block begin at a multiple of it."""
MOST_BLOCKS = 64
"""So many blocks are kept of a source, those that were read last."""
LEANS = 0.005
"""An object that leans by more is a part of a body, as in files whose pelvis is the armature object."""
NOWHERE = (0.0, 0.0, 0.0, 0.0)


class _State(NamedTuple):
    """What a source is now, as far as its poses depend on it: looked at again after every edit."""

    key: str
    plain: bool
    content: tuple[Any, ...]


@dataclass
class _Known:
    """What was read of one source, and the frames of it that are known while `content` holds."""

    key: str
    reading: SourceReading | EmptiesReading
    rig: SourceRig
    content: tuple[Any, ...] = ()
    blocks: dict[tuple[float, int], list[SourcePose]] = field(default_factory=dict)


class LiveSources:
    """Sources by identity."""

    def __init__(self) -> None:
        self._states: dict[tuple[int, bool], _State] = {}
        self._known: dict[int, _Known] = {}

    def clear(self) -> None:
        """Forget all: another file is open."""
        self._states.clear()
        self._known.clear()

    def look_again(self) -> None:
        """Something was edited: compare what sources are when asked next."""
        self._states.clear()

    def key(self, source: Object) -> str:
        """What decides what is understood of a source; cheap to ask at every frame."""
        return self._state(source).key

    def is_plain(self, source: Object) -> bool:
        """True where F-curves alone say how it moves, or nothing moves it."""
        return self._state(source).plain

    def rig(self, source: Object, metres: float) -> SourceRig:
        """The rig that is followed. A refusal where nothing can be understood of the object."""
        return self._read(source, metres).rig

    def refusal(self, source: Object, metres: float) -> str:
        """Why nothing can be understood of the object, in a sentence; else empty."""
        try:
            self._read(source, metres)
        except RefusedError as refusal:
            return str(refusal)
        return ""

    def shown(self, source: Object, depsgraph: Depsgraph, metres: float) -> SourcePose:
        """Its pose in an evaluated depsgraph."""
        known = self._read(source, metres)
        if isinstance(known.reading, EmptiesReading):
            return empties_shown(source, known.reading, depsgraph, metres)
        sampler = ClipSampler(source, known.reading.reading)
        sampler.add(source.evaluated_get(depsgraph))
        return _poses(known.reading, sampler, [_world(sampler)])[0]

    def at(self, source: Object, scene: Scene, frame: float, metres: float) -> SourcePose:
        """Its pose at a frame, right where `is_plain` says so."""
        known, content = self._read(source, metres), self._state(source).content
        if known.content != content:
            known.content = content
            known.blocks.clear()
        whole = int(frame // 1.0)
        if frame != whole:
            return _at_times(source, known, np.array([curve_time(scene, frame)]), metres)[0]
        number, scale = whole // BLOCK, curve_time(scene, 1.0)
        block = known.blocks.get((scale, number))
        if block is None:
            frames = np.arange(number * BLOCK, (number + 1) * BLOCK, dtype=np.float64)
            block = known.blocks[scale, number] = _at_times(source, known, frames * scale, metres)
            while len(known.blocks) > MOST_BLOCKS:
                known.blocks.pop(next(iter(known.blocks)))
        return block[whole - number * BLOCK]

    def _state(self, source: Object) -> _State:
        key = (source.session_uid, is_previewed(source))
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = _state_of(source)
        return found

    def _read(self, source: Object, metres: float) -> _Known:
        key = f"{self.key(source)} {metres}"
        known = self._known.get(source.session_uid)
        if known is None or known.key != key:
            known = self._known[source.session_uid] = _read(source, key, metres)
        return known


live_sources = LiveSources()


def _state_of(source: Object) -> _State:
    if source.type != "ARMATURE":
        key, plain, content = empties_key(source)
        return _State(key, plain, content)
    animation, played = source.animation_data, played_on(source)
    bag = played.bag if played.bag is not None else SimpleNamespace(fcurves=())
    plain = not played.strips and not is_previewed(source) and source.data.pose_position != "REST"
    if animation is not None and animation.action is not None:
        plain = plain and animation.action_influence == 1.0 and animation.action_blend_type == "REPLACE"
        plain = plain and not animation.use_tweak_mode
    plain = plain and _is_unscaled(source) and is_plain(source, bag) and not is_generated(source)
    said: tuple[Any, ...] = ()
    if plain:
        action = None if played.bag is None else animation.action
        held = clips.digest(action, animation.action_slot.identifier) if action is not None else ""
        said = (0 if action is None else action.session_uid, held, _held(source, bag))
    return _State(_rest_key(source), plain, said)


def _is_unscaled(source: Object) -> bool:
    scales = np.empty(3 * len(source.pose.bones), dtype=np.float32)
    source.pose.bones.foreach_get("scale", scales)
    return bool(np.abs(scales - 1.0).max(initial=0.0) < 1e-6)


def _rest_key(source: Object) -> str:
    """A digest of rest pose, names, scale and mapping."""
    bones = source.data.bones
    rest = np.empty(len(bones) * 16, dtype=np.float32)
    bones.foreach_get("matrix_local", rest)
    digest = hashlib.sha1(rest.tobytes(), usedforsecurity=False)
    names = [f"{bone.name}<{bone.parent.name if bone.parent else ''}" for bone in bones]
    size = [round(value, 5) for value in source.scale]
    digest.update(repr((names, size, sorted(corrections_of(source).items()))).encode())
    return digest.hexdigest()


def _held(source: Object, bag: Any) -> str:
    """A digest of all channels of the bones and the object that no curve moves: as they are posed."""
    moved = {(bone, name, curve.array_index) for curve in bag.fcurves for bone, name in (channel_of(curve),)}
    digest = hashlib.sha1(usedforsecurity=False)
    bones = source.pose.bones
    names = [bone.name for bone in bones]
    for name, rest in AT_REST.items():
        values = np.empty(len(bones) * len(rest), dtype=np.float32)
        bones.foreach_get(name, values)
        rows = values.reshape(-1, len(rest))
        for i, bone in enumerate(names):
            for axis in range(len(rest)):
                if (bone, name, axis) in moved:
                    rows[i, axis] = 0.0
        digest.update(rows.tobytes())
    world = np.array(source.matrix_basis, dtype=np.float64)
    if any(not bone and name == "location" for bone, name, _ in moved):
        world[:3, 3] = 0.0
    if any(not bone and name.startswith("rotation") for bone, name, _ in moved):
        world[:3, :3] = 0.0
    digest.update(world.tobytes())
    digest.update(repr([bone.rotation_mode for bone in bones]).encode())
    return digest.hexdigest()


def _read(source: Object, key: str, metres: float) -> _Known:
    """Understand a source; a refusal where that cannot be."""
    if source.type != "ARMATURE":
        empties = read_empties(source, metres)
        return _Known(key, empties, SourceRig(empties.rig, f"{source.session_uid} {key}"))
    reading = read_source(source, None, metres)
    rig = reading.reading.rig
    if reading.refusals:
        raise RefusedError(text("motion_unreadable", name=source.name, reason=reading.refusals[0]))
    if not len(rig.skeleton):
        raise RefusedError(text("motion_no_bones", name=source.name))
    return _Known(key, reading, SourceRig(rig, f"{source.session_uid} {key}"))


def _at_times(source: Object, known: _Known, times: np.ndarray, metres: float) -> list[SourcePose]:
    """Its poses at curve times, from curves."""
    if isinstance(known.reading, EmptiesReading):
        return empties_at(source, known.reading, times, metres)
    played = played_on(source)
    bag = played.bag if played.bag is not None else SimpleNamespace(fcurves=())
    sampler = _Worlds(source, known.reading.reading)
    sampled_from_curves(source, bag, known.reading.reading, sampler, times, alone=False)
    return _poses(known.reading, sampler, sampler.worlds)


class _Worlds(ClipSampler):
    """A sampler that remembers where the object was."""

    def __init__(self, obj: Object, reading: Any) -> None:
        super().__init__(obj, reading)
        self.worlds: list[np.ndarray] = []

    def add_moved(self, world: np.ndarray, moved: np.ndarray) -> None:
        """Many frames, as of any sampler."""
        self.worlds.extend(world)
        super().add_moved(world, moved)


def _world(sampler: ClipSampler) -> np.ndarray:
    assert sampler.first is not None
    return sampler.first


def _poses(reading: SourceReading, sampler: ClipSampler, worlds: list[np.ndarray]) -> list[SourcePose]:
    clip = sampler.clip(1.0)
    heads = np.array([tuple(bone.head) for bone in clip.rig.skeleton.bones])
    moved, _ = as_rigid(clip.moved, heads)
    return [SourcePose(row, _stand(reading, world)) for row, world in zip(moved, worlds, strict=True)]


def _stand(reading: SourceReading, world: np.ndarray) -> tuple[float, float, float, float]:
    """Where the model space of a source stands; the world's origin where its object leans as a part of a body does."""
    matrix = Matrix(world.tolist())
    stand = matrix @ reading.level.inverted()
    if (stand.to_3x3().col[2].normalized() - Vector((0.0, 0.0, 1.0))).length > LEANS:
        return NOWHERE
    x, y, z, heading = reading.place(matrix)
    return x, y, z, heading
