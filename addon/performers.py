"""A character at run time: what was read from its rig, the core's Character, the writer, and its known frames.

Kept by `session_uid` and rebuilt when the rest pose, the mapping or the settings differ; no bpy object is kept.
"""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ..core.character import Character, CharacterConfig, driven_bones, world_matrix
from ..core.control.intent import Inputs, Spot
from ..core.control.source_pose import SourcePose
from ..core.from_rig import SourceRig
from ..core.rig.edited_pose import EditedPose
from ..core.rig.pose import PoseFrame
from ..core.rig.rig import Rig
from ..core.world.world import World
from .adjustment import adjusted_bones, adjustment_of
from .carry_over import animated_paths
from .clip_reading import clip_key, clip_poses_of
from .config_properties import config_from
from .fall_plan import plan_for, plan_key
from .fall_track import Track
from .frame_cache import FrameCache, Snapshot, Told
from .get_ups import rise_key, rise_takes_of
from .ground_set import is_previewed
from .keyed_values import GAIT, setting_is_animated
from .layer_inputs import OVER_ORIGIN
from .layers import chosen_bones, layer_settings
from .live_source import live_sources
from .mapping_lines import pair_lines
from .move_clips import move_clips_of, moves_key
from .pose_channels import driven_paths
from .pose_writing import make_writer
from .refusal import RefusedError
from .rig_reading import SAME_SCALE, read_rig
from .roster import director_of, is_character, source_of
from .saved_state import curves_of
from .scene_units import metres_per_unit
from .texts import text

COSTS = 1000


class BuildKey(NamedTuple):
    """What a reading and a writer depend on and a script may change at any time; cheap to compare."""

    travel: str
    metres: float
    rotation_mode: str
    layers: tuple[Any, ...] = ()


@dataclass
class Performer:
    """All that is known of one character while Blender runs.

    `failed` is the line that the panel shows; `costs` the seconds that each of the last frames took in our own code;
    `basis` is where the last write put the armature object (its own matrix), `start` where its walk begins as it is
    kept in the settings, `stands` the same as it was compared last, empty where animation moves the object. `fall` is
    what physics made of it.
    """

    uid: int
    name: str
    rig_key: str
    config: CharacterConfig
    reading: Any
    character: Character
    writer: Any
    cache: FrameCache = field(default_factory=FrameCache)
    failed: str = ""
    basis: Matrix | None = None
    start: tuple[float, ...] = ()
    stands: tuple[float, ...] = ()
    signature: tuple[Any, ...] = ()
    leader_drops: tuple[int, ...] = ()
    ground: int | None = None
    build_key: BuildKey | None = None
    costs: deque[float] = field(default_factory=lambda: deque(maxlen=COSTS))
    built_scale: tuple[float, ...] = ()
    fall: Track = field(default_factory=Track)

    def snapshot(
        self, memory: Any, inputs: Inputs, before: Snapshot | None, frame: Any, world: World, dt: float
    ) -> Snapshot:
        """A frame's memory with its pose as a row; `frame` (4, 4) is what travel is written against (None: still).

        `dt` is the time since the frame before, 0 at the first. The layers' memories go on by it.
        """
        pose = self.character.frame(memory, inputs, world, dt)
        row = self.writer.row(pose, None if before is None else before.row, frame)
        kept = pose.compact() if self.character.layered else None
        return Snapshot(memory, inputs, row, Told(pose.ground, pose.feet, pose.events, kept))

    def pose_of(self, snapshot: Snapshot) -> PoseFrame:
        """The pose of a frame that is known."""
        return snapshot.frame.pose or self.character.pose(snapshot.memory, snapshot.inputs)

    def source_pose_of(self, snapshot: Snapshot) -> SourcePose:
        """All bones at a frame that is known, for a character that follows this one."""
        frame, rig = self.pose_of(snapshot), self.reading.rig
        pose, ground = EditedPose.of_frame(rig.skeleton, frame), frame.ground
        at = np.array(world_matrix(ground), dtype=np.float64)
        # The place adds up over a walk: a matrix holds it in single precision.
        at[:3, 3] = ground[:3]
        moved = at @ np.array([pose.moved(i) for i in range(len(rig.skeleton))], dtype=np.float64)
        down = [(foot.planted and foot.heel_down, foot.planted and foot.ball_down) for foot in frame.feet]
        feet = tuple((foot.role, *both) for foot, both in zip(frame.feet, down, strict=True))
        floor = ground.z + rig.floor if ground.tilt is None else None
        return SourcePose(moved, ground[:4], floor, feet)

    def spot_of(self, snapshot: Snapshot, bone: str = "") -> Spot:
        """Where a bone is at a frame that is known, in the world, metres; without a name, or with one that is not
        computed, the head; without a head a place over its origin.
        """
        pose, rig = self.pose_of(snapshot), self.reading.rig
        matrix = world_matrix(pose.ground)
        i = rig.skeleton.index.get(bone, rig.head)
        if i < 0:
            matrix.translation.z += OVER_ORIGIN
        else:
            matrix = matrix @ EditedPose.of_frame(rig.skeleton, pose).model(i)
        return Spot(*matrix.translation, tuple(matrix.to_quaternion()))


class Performers:
    """The characters that were built, by identity."""

    def __init__(self) -> None:
        self._known: dict[int, Performer] = {}

    def get(self, uid: int) -> Performer | None:
        """The performer with this identity, if it was built."""
        return self._known.get(uid)

    def all(self) -> tuple[Performer, ...]:
        """All that were built."""
        return tuple(self._known.values())

    def drop(self, uid: int) -> None:
        """Forget one."""
        self._known.pop(uid, None)

    def clear(self) -> None:
        """Forget all: another file was loaded."""
        self._known.clear()

    def build(self, obj: Object, depsgraph: Depsgraph) -> Performer:
        """Build the performer of this object anew; a refusal if it cannot walk."""
        made = _built(obj, depsgraph)
        made.build_key = build_key_of(obj, made.reading.rig, depsgraph.scene)
        made.built_scale = tuple(obj.scale)
        self._known[obj.session_uid] = made
        return made


def _built(obj: Object, depsgraph: Depsgraph) -> Performer:
    reading = reading_of(obj, depsgraph)
    blocking = next((problem for problem in reading.problems if problem.blocking), None)
    if blocking is not None:
        raise RefusedError(text("blocked", name=obj.name, reason=str(blocking)))
    config = config_of(obj, reading)
    character = Character(reading.rig, config)
    writer = make_writer(obj, reading, driven_bones(character), travel_of(obj, reading.rig))
    blocking = next((problem for problem in writer.problems if problem.blocking), None)
    if blocking is not None:
        raise RefusedError(text("blocked", name=obj.name, reason=str(blocking)))
    return Performer(obj.session_uid, obj.name, rig_key(obj), config, reading, character, writer)


def pose_shown(obj: Object, scene: Scene) -> EditedPose | None:
    """The pose that a preview has put on a rig at the scene's frame, model space; None where none is shown."""
    performer = performers.get(obj.session_uid)
    if performer is None or not obj.surefoot.preview:
        return None
    snapshot = performer.cache.get(max(scene.frame_current, obj.surefoot.frame_start))
    if snapshot is None:
        return None
    return EditedPose.of_frame(performer.reading.rig.skeleton, performer.pose_of(snapshot))


def reading_of(obj: Object, depsgraph: Depsgraph) -> Any:
    """What set-up understands of this armature, with the mapping made by hand."""
    corrections = {line.role: line.bone for line in obj.surefoot.corrections if line.role and line.bone}
    return read_rig(obj, depsgraph, corrections, metres_per_unit(depsgraph.scene))


def config_of(obj: Object, reading: Any = None) -> CharacterConfig:
    """The core's settings as the object's properties state them. A gait that is keyed is no setting but an input.

    Clips are only in it with a reading of the rig.
    """
    settings = obj.surefoot
    given: dict[str, Any] = {"layers": layer_settings(obj, reading), "adjustment": adjustment_of(obj)}
    if setting_is_animated(obj, GAIT):
        given["gait"] = "AUTO"
    if settings.base == "CLIP" and settings.clip is not None and reading is not None:
        given["clip_poses"] = clip_poses_of(obj, reading, settings.clip, settings.clip_slot)
    if reading is not None:
        given["source_rig"] = source_rig_of(obj, reading.metres)
        given["move_clips"] = move_clips_of(obj, reading)
        given["ragdoll"] = plan_for(obj, reading, given.get("clip_poses"))
        given["rise_takes"] = rise_takes_of(obj, reading)
    return config_from(CharacterConfig, settings, given)


def computed_along(source: Object) -> Performer | None:
    """The performer of a rig that is followed, where that is a character itself, previewed, and understood."""
    if source.type != "ARMATURE" or not is_previewed(source) or not is_character(source):
        return None
    return performers.get(source.session_uid)


def source_rig_of(obj: Object, metres: float) -> SourceRig | None:
    """The rig that a character follows as it was understood; None where it follows none, or none that can be."""
    source = source_of(obj)
    if source is None or live_sources.refusal(source, metres):
        return None
    leader, pairs = computed_along(source), pair_lines(obj)
    if leader is not None:
        return SourceRig(leader.reading.rig, f"{leader.uid} {leader.rig_key}", pairs)
    return replace(live_sources.rig(source, metres), pairs=pairs)


def base_key(obj: Object) -> tuple[Any, ...]:
    """What decides which bones the base motion moves, beyond the rig."""
    settings, source = obj.surefoot, source_of(obj)
    if source is not None:
        leader = computed_along(source)
        key = live_sources.key(source) if leader is None else leader.rig_key
        return ("RIG", source.session_uid, key, pair_lines(obj))
    if settings.base != "CLIP":
        # A body with a shape flies, and spreads its wings then; an agent brings its head and trunk to what it does.
        words = (word for word in (settings.body, director_of(obj)) if word in ("CAPSULE", "AGENT"))
        return (*words, *moves_key(obj))
    return ("CLIP", settings.clip_lift, *clip_key(settings.clip, settings.clip_slot))


def travel_of(obj: Object, rig: Rig, wanted: str = "") -> str:
    """What carries the travel: as set, or by what the rig has and who moves it."""
    travel = wanted or obj.surefoot.travel
    if travel != "AUTO":
        return travel
    if moves_itself(obj):
        return "IN_PLACE"
    return "ROOT_BONE" if rig.root >= 0 else "OBJECT"


def build_key_of(obj: Object, rig: Rig, scene: Scene) -> BuildKey:
    """The build key as the object and the scene are now."""
    bones = (*base_key(obj), *chosen_bones(obj), *adjusted_bones(obj), *plan_key(obj), *rise_key(obj))
    return BuildKey(travel_of(obj, rig), metres_per_unit(scene), obj.rotation_mode, bones)


def is_scaled_as(obj: Object, scale: tuple[float, ...]) -> bool:
    """True where the object has this scale, but for what rounding in a keyed scale of one value makes of it."""
    size = tuple(obj.scale)
    return size == scale or all(isclose(now, then, rel_tol=SAME_SCALE) for now, then in zip(size, scale, strict=True))


def moves_itself(obj: Object) -> bool:
    """True where the armature's own object animation is the mover."""
    return director_of(obj) == "MOVER" and obj.surefoot.mover is None


def rig_key(obj: Object) -> str:
    """A digest of all that a reading and a writer depend on: rest, modes, locks, drivers, scale, mapping, travel."""
    bones, settings = obj.data.bones, obj.surefoot
    rest = np.empty(len(bones) * 16, dtype=np.float32)
    bones.foreach_get("matrix_local", rest)
    digest = hashlib.sha1(rest.tobytes(), usedforsecurity=False)
    names = [f"{bone.name}<{bone.parent.name if bone.parent else ''}" for bone in bones]
    modes = [
        (bone.rotation_mode, *bone.lock_location, *bone.lock_rotation, bone.lock_rotation_w) for bone in obj.pose.bones
    ]
    lines = [(line.role, line.bone) for line in settings.corrections]
    size = [round(value, 6) for value in obj.scale]
    moved = sorted(path for path in _own_paths(obj) if path.endswith((".location", ".scale")))
    own = (obj.rotation_mode, *obj.lock_location, *obj.lock_rotation)
    driven = sorted(driven_paths(obj))
    digest.update(repr((names, modes, lines, size, own, settings.travel, moved, driven)).encode())
    return digest.hexdigest()


def _own_paths(obj: Object) -> set[str]:
    """What the rig's own animation moves, whether its Action plays or is set aside for the preview."""
    settings = obj.surefoot
    action = settings.action_before
    slot = None if action is None else next((s for s in action.slots if s.identifier == settings.slot_before), None)
    return {path for path, _ in animated_paths(obj)} | {curve.data_path for curve in curves_of(action, slot)}


def can_perform(obj: Object) -> bool:
    """True for a character that is allowed to be written to."""
    return is_character(obj) and obj.is_editable and obj.mode != "EDIT"


performers = Performers()
