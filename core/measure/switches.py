"""How bones and feet take a switch from one motion to another, against what they do inside steady ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .contacts import Span

# A bone that turns slower than this in steady strides is measured against this (radians a second).
LEAST_SPEED = 0.35


def bone_speeds(rotations: np.ndarray, fps: float) -> np.ndarray:
    """How fast each bone turns from one frame to the next, whichever sign its quaternions have.

    (F, B, 4), wxyz of unit length, to (F - 1, B), radians a second.
    """
    rotations = np.asarray(rotations, dtype=np.float64)
    before, after = rotations[:-1], rotations[1:]
    # The chord between two quaternions is exact where the arc's cosine is not: for small angles.
    apart = np.linalg.norm(after - before, axis=-1)
    chord = np.minimum(apart, np.linalg.norm(after + before, axis=-1))
    return 4.0 * fps * np.arcsin(np.minimum(0.5 * chord, 1.0))


def switch_shares(switch: np.ndarray, steady: Sequence[np.ndarray], least: float = LEAST_SPEED) -> np.ndarray:
    """Each bone's fastest turn in a switch, as a share of its fastest inside steady strides of either motion.

    `switch` and each of `steady` are (F, B) as `bone_speeds` gives them; the answer is (B,).
    """
    fastest = np.max([speeds.max(axis=0) for speeds in steady], axis=0)
    shares: np.ndarray = switch.max(axis=0) / np.maximum(fastest, least)
    return shares


def swing_lengths(contacts: Sequence[Span]) -> list[float]:
    """Frames that a foot was in the air between its contacts."""
    return [later.start - before.end for before, later in zip(contacts, contacts[1:], strict=False)]
