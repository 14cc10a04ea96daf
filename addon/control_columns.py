"""A clip as the channels of a control rig: its controls by the rig's writer, its switches set to match."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import atan2

import bpy
import numpy as np
from mathutils import Matrix

from ..core.motion.carriers import with_riders
from ..core.motion.clip import Clip
from ..core.retarget.channels import channels_of
from ..core.rig.pose import Ground, PoseFrame
from ..core.rig.rig import Problem, Rig
from ..core.rig.skeleton import Skeleton
from .channel_writer import Reading
from .clip_columns import Columns, settled
from .former_motion import Former
from .pose_channels import Channel
from .rigify.writer import LimbControls, RigifyWriter
from .source_reading import MIRROR
from .switches import captured
from .travel_writing import ground_matrix

UPRIGHT = 1e-9
LEAST = 1e-200
# Seconds over which a straight limb is led from how it bent before to how it bends after.
STEADY = 0.3
QUOTES = '[]"'


def control_columns(
    obj: bpy.types.Object,
    reading: Reading,
    clip: Clip,
    driven: Collection[int],
    way: np.ndarray | None,
    limbs: LimbControls,
    former: Former,
    times: np.ndarray,
) -> Columns:
    """The controls that give the clip again, with model space where the object stands.

    way: what the root control does, (F, 4, 4), where it carries the travel; the clip is the one seen from it then.
    Controls that show none of the `driven` bones are left alone, and reckoned with as they are. A rig that its object
    mirrors does in its own space the mirror image of what is to be seen.
    """
    if reading.canonical.determinant() < 0.0:
        reading, clip, way = _in_the_mirror(reading, clip, way)
    writer = RigifyWriter(obj, reading, ((), ()), "ROOT_BONE" if way is not None else "IN_PLACE", limbs)
    idle = writer.idle(driven)
    clip = with_riders(clip, {max(reading.rig.root, 0), *driven}, _riders(obj, reading, writer, idle, former, times))
    rows = _rows(writer, clip, way, np.array(reading.canonical, dtype=np.float64), reading.metres)
    moving = [(slot, values) for slot, values in writer.slot_rows(rows) if slot.bone not in idle]
    bones = tuple(dict.fromkeys(slot.bone for slot, _ in moving))
    located = {slot.bone for slot, _ in moving if slot.name == "location"}
    found = Columns(bones, moving, settled(obj.pose.bones, bones, located, former.animated))
    found.problems += writer.problems
    _switch(obj, writer, found)
    return found


@dataclass(frozen=True)
class _Own:
    """A reading in the rig's own space; see `Reading`."""

    rig: Rig
    canonical: Matrix
    scale: float
    metres: float


def _in_the_mirror(
    reading: Reading, clip: Clip, way: np.ndarray | None
) -> tuple[Reading, Clip, np.ndarray | None]:
    """A mirrored rig's reading, its clip and what its root does, as they are on axes that are not mirrored."""
    bones = tuple(replace(bone, rest=MIRROR @ bone.rest @ MIRROR) for bone in reading.rig.skeleton.bones)
    rig, flip = replace(reading.rig, skeleton=Skeleton(bones)), np.array(MIRROR, dtype=np.float64)
    own = _Own(rig, MIRROR @ reading.canonical, reading.scale, reading.metres)
    return own, replace(clip, rig=rig, moved=flip @ clip.moved @ flip), None if way is None else flip @ way @ flip


def _riders(
    obj: bpy.types.Object,
    reading: Reading,
    writer: RigifyWriter,
    idle: Collection[str],
    former: Former,
    times: np.ndarray,
) -> dict[int, np.ndarray]:
    """How the role bones of FK controls that are left alone are turned and placed from rest."""
    roles = {name: role for name, role in writer.shown_by.items() if name in idle}
    found = {}
    for name, matrices in former.own_turns(obj, roles, times, reading.scale).items():
        to_role = np.array(writer.from_role(name), dtype=np.float64)
        found[roles[name]] = to_role @ matrices @ np.linalg.inv(to_role)
    return found


def _rows(
    writer: RigifyWriter,
    clip: Clip,
    way: np.ndarray | None,
    canonical: np.ndarray,
    metres: float,
) -> np.ndarray:
    """One row a frame, (F, channels), each going on from the one before."""
    channels = channels_of(clip)
    at_origin = Ground(0.0, 0.0, 0.0, 0.0)
    standing = ground_matrix(at_origin, metres) @ canonical
    grounds = [at_origin] * len(clip) if way is None else [_ground(matrix) for matrix in way]
    poses = [
        PoseFrame(ground, turns, places)
        for ground, turns, places in zip(
            grounds, channels.rotations.tolist(), channels.locations.tolist(), strict=True
        )
    ]
    folds = led_folds(writer.folds(poses), STEADY * clip.fps)
    rows: list[np.ndarray] = []
    for pose, turns in zip(poses, folds.tolist(), strict=True):
        writer.lead_folds(turns)
        rows.append(writer.row(pose, rows[-1] if rows else None, standing))
    return np.array(rows)


def led_folds(folds: np.ndarray, frames: float) -> np.ndarray:
    """How far limbs fold beside their hinges, (F, limbs), from what each pose says, (F, limbs, 2).

    A straight limb says nothing: through it the fold goes over from how the limb bent before to how it bends after,
    in a mean over about so many frames. Angles are averaged as directions, so that half turns do not matter.
    """
    turns, shares = folds[..., 0], folds[..., 1]
    directions = shares * np.exp(1j * turns)
    sums = np.stack([directions, shares.astype(np.complex128)])
    ahead, back = sums.copy(), sums.copy()
    fading = np.exp(-1.0 / frames)
    for f in range(1, len(folds)):
        ahead[:, f] += fading * ahead[:, f - 1]
        back[:, -1 - f] += fading * back[:, -f]
    around, total = ahead + back - sums
    known = np.where(np.abs(total) > LEAST, around / np.where(np.abs(total) > LEAST, total, 1.0), 1.0)
    return np.asarray(np.angle(directions + (1.0 - shares) * known))


def _ground(way: np.ndarray) -> Ground:
    """A rigid matrix (4, 4) as a place in the world."""
    x, y, z = (float(value) for value in way[:3, 3])
    if way[2, 2] > 1.0 - UPRIGHT:
        return Ground(x, y, z, atan2(way[1, 0], way[0, 0]))
    return Ground(x, y, z, 0.0, tuple(Matrix(way[:3, :3].tolist()).to_quaternion()))


def _switch(obj: bpy.types.Object, writer: RigifyWriter, columns: Columns) -> None:
    """Every switch keyed once, and a sentence that names those that stood otherwise."""
    columns.switches = [
        (Channel(switch.data_path, 0, switch.bone), float(switch.value)) for switch in writer.switches
    ]
    before = {item.data_path: item.value for item in captured(obj, writer.switches)}
    turned: dict[str, list[str]] = {}
    for item in writer.switches:
        if before.get(item.data_path, item.value) != item.value:
            turned.setdefault(f"{item.path.strip(QUOTES)} = {float(item.value):g}", []).append(item.bone)
    if turned:
        listed = "; ".join(f"{setting} ({', '.join(bones)})" for setting, bones in turned.items())
        reason = f"These switches are keyed to other values than they had: {listed}."
        columns.problems.append(Problem("", reason, "They decide which controls act: keep them as keyed."))
