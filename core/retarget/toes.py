"""Toes that no source leads: they stay flat while their foot rolls over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..motion.clip import Clip
from ..motion.planted import REFERENCE_LEG
from ..motion.spans import Contacts
from ..rig.rig import Leg
from ..space.quaternions import about, crossed, to_matrices, turned
from .holds import contact_rows, held_runs, spread

UP = np.array([0.0, 0.0, 1.0])


def flat_toes(clip: Clip, feet: Sequence[tuple[Leg, Contacts]], ramp: float) -> Clip:
    """The clip with the toes of these feet no steeper down than at rest while their ball stands.

    ramp: seconds, for a leg of 0.9 m, in which they come to it and leave it beside a contact.
    """
    moved = clip.moved.copy()
    frames = ramp * math.sqrt(clip.rig.leg_length / REFERENCE_LEG) * clip.fps
    skeleton = clip.rig.skeleton
    for leg, contacts in feet:
        if not leg.toes:
            continue
        joint = clip.place(leg.toes[0], skeleton.bones[leg.toes[0]].head)
        vectors = _lifts(clip, leg)
        standing = contact_rows(contacts.of("ball") or (), len(clip))
        field = spread(held_runs(standing, vectors), len(clip), frames)
        angle = np.linalg.norm(field, axis=-1)
        rows = np.flatnonzero(angle > 1e-6)
        if not len(rows):
            continue
        turn = about(field[rows] / angle[rows, None], angle[rows])
        motion = np.zeros((len(rows), 1, 4, 4))
        motion[:, 0, :3, :3] = to_matrices(turn)
        motion[:, 0, :3, 3] = joint[rows] - turned(turn, joint[rows])
        motion[:, 0, 3, 3] = 1.0
        bones = np.ix_(rows, np.array([leg.toes[0], *skeleton.below[leg.toes[0]]]))
        moved[bones] = motion @ clip.moved[bones]
    return replace(clip, moved=moved)


def _lifts(clip: Clip, leg: Leg) -> np.ndarray:
    """The turns, as vectors (F, 3), about a foot's side axis that bring its toes up to the pitch of their rest."""
    rest = np.array(leg.sole.toe - clip.rig.skeleton.bones[leg.toes[0]].head, dtype=np.float64)
    across = np.array([rest[1], -rest[0], 0.0])
    length, width = float(np.linalg.norm(rest)), float(np.linalg.norm(across))
    if width < 1e-6:
        return np.zeros((len(clip), 3))
    turns = clip.rotation(leg.toes[0])
    line, side = turns @ (rest / length), turns @ (across / width)
    ahead = crossed(np.broadcast_to(UP, side.shape), side)
    size = np.linalg.norm(ahead, axis=-1, keepdims=True)
    ahead = np.where(size > 1e-6, ahead / np.maximum(size, 1e-6), line)
    pitch = math.asin(max(-1.0, min(1.0, rest[2] / length)))
    wanted = math.cos(pitch) * ahead + math.sin(pitch) * UP
    angle = np.arctan2(np.sum(side * crossed(line, wanted), axis=-1), np.sum(line * wanted, axis=-1))
    return np.asarray(side * np.clip(angle, 0.0, None)[:, None])
