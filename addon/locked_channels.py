"""Locked channels stay what they are: what a clip loses by them, and how that is kept from what hangs on the bones."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import degrees

import numpy as np

from ..core.motion.carriers import ridden, undone_way
from ..core.motion.clip import Clip
from ..core.rig.rig import Problem
from ..core.space.quaternions import from_matrices, multiplied, to_matrices, undone, unit
from ..core.space.rotation_curves import from_axis_angles, from_euler
from .pose_channels import Slot


@dataclass(frozen=True)
class LockedBone:
    """A bone's slots with their values (F, width) as the clip wants them; the place None where it has no location.

    axes: the turn (3, 3) from the bone's own axes to those of its location. scale: metres of a unit of that.
    """

    turn: tuple[Slot, np.ndarray]
    place: tuple[Slot, np.ndarray] | None
    axes: np.ndarray
    scale: float


def is_locked(slot: Slot) -> bool:
    """Whether any component may not be changed."""
    return not all(slot.kept)


def kept_values(slot: Slot, values: np.ndarray) -> np.ndarray:
    """Values (F, width) with the locked components at what they hold."""
    if not is_locked(slot):
        return values
    locked = ~np.array(slot.kept)
    held = np.array(slot.held, dtype=np.float64)
    if slot.name == "rotation_quaternion" and np.sum(values[:, locked] * held[locked]) < 0.0:
        values = -values
    return np.where(locked, held, values)


def rotations_of(slot: Slot, values: np.ndarray) -> np.ndarray:
    """The rotations (F, 4) that a slot's values (F, width) show."""
    if slot.name == "rotation_quaternion":
        return unit(values)
    return from_axis_angles(values) if slot.name == "rotation_axis_angle" else from_euler(values, slot.order)


def shown_motion(clip: Clip, i: int, carriers: np.ndarray, locked: LockedBone) -> np.ndarray:
    """How a locked bone moves then, (F, 4, 4), where its parent moves as in `carriers` (F, bones, 4, 4)."""
    bone = clip.rig.skeleton.bones[i]
    rest = np.array(bone.rest, dtype=np.float64)
    basis = np.tile(np.identity(4), (len(clip), 1, 1))
    basis[:, :3, :3] = to_matrices(rotations_of(locked.turn[0], kept_values(*locked.turn)))
    if locked.place is not None:
        basis[:, :3, 3] = kept_values(*locked.place) @ locked.axes * locked.scale
    change = rest @ basis @ np.linalg.inv(rest)
    if bone.parent < 0:
        return np.asarray(change)
    return ridden(clip, i, carriers[:, bone.parent], change)


def shown_with_locks(
    clip: Clip,
    locked: Collection[int],
    written: Collection[int],
    located: Collection[int],
    put: Callable[[int, np.ndarray], LockedBone],
    carriers: np.ndarray,
) -> np.ndarray:
    """How all bones move when some are locked, (F, bones, 4, 4), and else would as in `carriers`.

    put: what a bone is given on carriers that move so.
    """
    seen, astray = carriers.copy(), set()
    for i, bone in enumerate(clip.rig.skeleton.bones):
        if i in locked:
            seen[:, i] = shown_motion(clip, i, seen, put(i, seen))
        elif bone.parent in astray:
            seen[:, i] = carried_on(clip, i, seen, written, located)
        else:
            continue
        astray.add(i)
    return seen


def carried_on(
    clip: Clip, i: int, carriers: np.ndarray, written: Collection[int], located: Collection[int]
) -> np.ndarray:
    """How a bone moves that hangs on one which is not where the clip has it, (F, 4, 4): written ones turn as wanted."""
    bone, moved = clip.rig.skeleton.bones[i], clip.moved[:, i]
    if i in located:
        return moved
    along = carriers[:, bone.parent] @ undone_way(clip.moved[:, bone.parent]) @ moved
    if i not in written:
        return np.asarray(along)
    head = np.array(bone.head, dtype=np.float64)
    result = moved.copy(order="K")
    result[:, :3, 3] = along[:, :3, :3] @ head + along[:, :3, 3] - moved[:, :3, :3] @ head
    return result


def losses(clip: Clip, shown: np.ndarray, locked: Collection[int]) -> list[Problem]:
    """For each locked bone, how far it turns from the clip, and how far what hangs on it ends from its place."""
    bones, found = clip.rig.skeleton.bones, []
    for i in locked:
        turn = multiplied(from_matrices(shown[:, i, :3, :3]), undone(from_matrices(clip.rotation(i))))
        angle = float(2.0 * np.arctan2(np.linalg.norm(turn[:, 1:], axis=-1), np.abs(turn[:, 0])).max())
        after = Clip(clip.rig, clip.fps, shown)
        away = {
            j: float(np.linalg.norm(after.place(j, bones[j].head) - clip.place(j, bones[j].head), axis=-1).max())
            for j in (i, *clip.rig.skeleton.descendants(i))
        }
        worst = max(away, key=lambda j: away[j])
        reason = (
            f"Locked channels are neither changed nor keyed: it turns up to {degrees(angle):.1f} degrees from the "
            f"motion, and {bones[worst].name} ends up to {100.0 * away[worst]:.1f} cm from its place."
        )
        found.append(Problem(bones[i].name, reason, "Unlock them in the Transform panel if the loss shows."))
    return found
