"""The motion of a hierarchy of empties, which is what Blender makes of files whose joints carry no skin.

Empties have no rest pose. Taken for it is the pose in which all that is not animated stands as it is, and animated
turns are at zero, as in files that count turns from the rest pose; where that is no body that stands, and the first
frame's is, the pose at the first frame. Limbs, back and neck take directions, so that for them the choice says nothing;
it decides what a level pelvis, head, hand and foot is.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Depsgraph, Object
from mathutils import Matrix, Vector

from ..core.control.intent import Place
from ..core.motion.clip import Clip
from ..core.motion.rigid_motion import as_rigid
from ..core.rig.rig import Rig
from ..core.rig.skeleton import Bone, Skeleton
from ..core.rig.understand import understand
from .action_sampling import MOST_FRAMES, rate_of, times_of
from .motion import FrameRange, Motion, fps_of, within
from .motion_ranges import led_range, played_on, range_of
from .motion_scene import Stage, scene_of_their_own, show
from .refusal import RefusedError
from .rig_reading import conventions
from .scene_units import metres_per_unit
from .source_reading import stands
from .texts import text

LEAST_JOINTS = 3
LEAF = 0.5
"""A joint without another below it is so long: this share of the one above it."""


class Rested(NamedTuple):
    """A rest pose of empties: the rig, and what maps each joint's world matrix at rest to where it is in model space.

    `rest` (B, 4, 4): world matrices at rest without scale, metres; `yaw` turns the world so that the rig faces -Y.
    """

    rig: Rig
    rest: np.ndarray
    yaw: Matrix

    @property
    def unrest(self) -> np.ndarray:
        """What brings each joint from where it is shown (world, metres) to its rest in model space, (B, 4, 4)."""
        return np.asarray(np.linalg.inv(np.array(self.yaw) @ self.rest))


def joints_of(obj: Object) -> list[Object]:
    """All empties of the hierarchy that an empty belongs to, parents first."""
    top = obj
    while top.parent is not None and top.parent.type == "EMPTY":
        top = top.parent
    if top.type != "EMPTY":
        return []
    found, waiting = [], [top]
    while waiting:
        here = waiting.pop(0)
        found.append(here)
        waiting[:0] = sorted((child for child in here.children if child.type == "EMPTY"), key=lambda item: item.name)
    return found


def empties_steps(
    obj: Object, frame_range: FrameRange | None
) -> Generator[float, None, Motion]:
    """The motion of the hierarchy that an empty belongs to, in steps; refusals are raised at once."""
    joints = joints_of(obj)
    if len(joints) < LEAST_JOINTS:
        raise RefusedError(text("motion_no_joints", name=obj.name))
    start, end = within(frame_range, range_of_all(joints))
    if end - start > MOST_FRAMES:
        raise RefusedError(text("motion_too_long", name=obj.name, frames=round(end - start), most=MOST_FRAMES))
    return _steps(joints, start, end)


def range_of_all(joints: list[Object]) -> tuple[float, float]:
    """The frames over which anything moves a hierarchy; a refusal where nothing does."""
    spans = [span for joint in joints if (span := range_of(joint)) is not None]
    if not spans:
        led = led_range(joints[0])
        if led is None:
            raise RefusedError(text("motion_none_of_empties", name=joints[0].name))
        return led
    return min(first for first, _ in spans), max(last for _, last in spans)


def _steps(joints: list[Object], start: float, end: float) -> Generator[float, None, Motion]:
    scene = bpy.context.scene
    metres, times = metres_per_unit(scene), times_of(start, end)
    fps = rate_of(times, fps_of(scene))
    top = joints[0].name
    played = next((joint.animation_data.action.name for joint in joints if played_on(joint).bag is not None), "")
    rested, said, origin = rested_at(joints, float(times[0]), metres)
    rows: list[np.ndarray] = []
    stage = Stage(joints)
    yield from stage.walk(times, lambda graph, found: rows.append(worlds_of(found, graph, metres)))
    unrest = rested.unrest
    moved = np.array(rows) @ unrest
    heads = np.array([tuple(bone.head) for bone in rested.rig.skeleton.bones])
    moved, _ = as_rigid(moved, heads)
    clip = Clip(rested.rig, fps, moved)
    place = Place(*origin.tolist(), -float(rested.yaw.to_euler().z))
    said = text(said, name=top)
    return Motion(clip, None, start, end, place, top, played, "", (said,), unrest, np.identity(4))


def rested_at(joints: list[Object], time: float, metres: float) -> tuple[Rested, str, np.ndarray]:
    """The rest pose of joints (parents first) whose first frame is at a time, the text that says which it is, and where
    it stands, (3,) metres.
    """
    names = [joint.name for joint in joints]
    parents = [names.index(joint.parent.name) if joint.parent in joints else -1 for joint in joints]
    with scene_of_their_own(joints) as own:
        depsgraph = show(own, time)
        first = worlds_of(joints, depsgraph, metres)
        still = _unturned(joints, depsgraph, metres)
    origin = np.zeros(3) if range_of(joints[0]) is not None else first[0, :3, 3].copy()
    for rest in (still, first):
        rest[:, :3, 3] -= origin
    return (*_rested(names, parents, still, first), origin)


def worlds_of(joints: Sequence[Object], depsgraph: Depsgraph, metres: float) -> np.ndarray:
    """The joints in the world, (B, 4, 4), metres, without their scale."""
    found = np.array([joint.evaluated_get(depsgraph).matrix_world for joint in joints], dtype=np.float64)
    found[:, :3, 3] *= metres
    lengths = np.linalg.norm(found[:, :3, :3], axis=1, keepdims=True)
    found[:, :3, :3] /= np.where(lengths > 0.0, lengths, 1.0)
    return found


def _unturned(joints: list[Object], depsgraph: Depsgraph, metres: float) -> np.ndarray:
    """The joints at the shown frame's places with animated turns at zero, (B, 4, 4) as `worlds_of` gives them."""
    worlds: dict[str, Matrix] = {}
    found = []
    for joint in joints:
        shown = joint.evaluated_get(depsgraph)
        local = shown.matrix_basis.copy()
        if _is_turned(joint):
            place, _, scale = local.decompose()
            local = Matrix.LocRotScale(place, None, scale)
        above = worlds.get(joint.parent.name) if joint.parent is not None else None
        if above is None:
            above = shown.parent.matrix_world if shown.parent is not None else Matrix.Identity(4)
        world = above @ joint.matrix_parent_inverse @ local
        worlds[joint.name] = world
        turned = world.to_quaternion().to_matrix().to_4x4()
        turned.translation = world.translation * metres
        found.append(np.array(turned, dtype=np.float64))
    return np.array(found)


def _is_turned(joint: Object) -> bool:
    """True where anything animates the joint's rotation."""
    played = played_on(joint)
    if played.strips:
        return True
    return played.bag is not None and any(curve.data_path.startswith("rotation") for curve in played.bag.fcurves)


def _rested(names: list[str], parents: list[int], still: np.ndarray, first: np.ndarray) -> tuple[Rested, str]:
    """The rest pose that is taken, and the text that says which."""
    unturned = _understood(names, parents, still)
    if stands(unturned.rig) and unturned.rig.convention:
        return unturned, "motion_rest_unturned"
    at_first = _understood(names, parents, first)
    if stands(at_first.rig):
        return at_first, "motion_rest_first"
    return unturned, "motion_rest_unturned"


def _understood(names: list[str], parents: list[int], rest: np.ndarray) -> Rested:
    understood = understand(Skeleton(_bones(names, parents, rest)), conventions())
    return Rested(understood.rig, rest, Matrix.Rotation(understood.turned, 4, "Z"))


def _bones(names: list[str], parents: list[int], rest: np.ndarray) -> tuple[Bone, ...]:
    """Joints as bones: each lies along the way to the first joint below it, else goes on as the one above."""
    heads = [Vector(matrix[:3, 3].tolist()) for matrix in rest]
    bones: list[Bone] = []
    for i, name in enumerate(names):
        ways = [heads[j] - heads[i] for j, parent in enumerate(parents) if parent == i]
        ways = [way for way in ways if way.length > 1e-6]
        if not ways and parents[i] >= 0:
            ways = [LEAF * bones[parents[i]].length * (heads[i] - heads[parents[i]]).normalized()]
        way = ways[0] if ways and ways[0].length > 1e-9 else Vector((0.0, 0.0, 0.1))
        lying = way.to_track_quat("Y", "Z").to_matrix().to_4x4()
        lying.translation = heads[i]
        bones.append(Bone(name, parents[i], lying, way.length))
    return tuple(bones)
