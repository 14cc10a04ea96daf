"""A clip as the channels of its rig: what turns and shifts each bone relative to its rest under its parent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..space.quaternions import continuous, from_matrices, multiplied, undone

# In shares of the leg length: a bone that leaves its place by less than this does not.
LEAST_SHIFT = 2e-5


class Channels(NamedTuple):
    """Basis rotations (F, bones, 4) wxyz, of even sign over time, and locations (F, bones, 3), metres, for a model space
    that stands at the world's origin and faces -Y. `located` are the bones that leave their place.
    """

    rotations: np.ndarray
    locations: np.ndarray
    located: tuple[int, ...]


def channels_of(clip: Clip) -> Channels:
    """The channels that give the clip again. A connected bone has no location, whatever the clip says."""
    bones = clip.rig.skeleton.bones
    rests = np.array([bone.rest for bone in bones], dtype=np.float64)
    parents = np.array([bone.parent for bone in bones])
    rest_turns = from_matrices(rests[:, :3, :3])
    turns = from_matrices(clip.moved[..., :3, :3])
    carried = turns[:, parents]
    carried[:, parents < 0] = [1.0, 0.0, 0.0, 0.0]
    carried[:, [not bone.inherit_rotation for bone in bones]] = [1.0, 0.0, 0.0, 0.0]
    frames = multiplied(carried, rest_turns)
    rotations = continuous(multiplied(undone(frames), multiplied(turns, rest_turns)))
    locations = np.zeros((len(clip), len(bones), 3))
    located = []
    for i, bone in enumerate(bones):
        if bone.connected and bone.parent >= 0:
            continue
        head = rests[i, :3, 3]
        shift = _place(clip.moved[:, i], head)
        shift = shift - (_place(clip.moved[:, bone.parent], head) if bone.parent >= 0 else head)
        if np.abs(shift).max(initial=0.0) > LEAST_SHIFT * clip.rig.leg_length:
            located.append(i)
            frame = rests[i, :3, :3]
            if bone.parent >= 0 and bone.inherit_rotation:
                frame = clip.moved[:, bone.parent, :3, :3] @ frame
            locations[:, i] = np.einsum("...ji,...j->...i", frame, shift)
    return Channels(rotations, locations, tuple(located))


def _place(moved: np.ndarray, point: np.ndarray) -> np.ndarray:
    return np.asarray(moved[:, :3, :3] @ point + moved[:, :3, 3])
