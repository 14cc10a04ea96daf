"""Channels of one bone as those of its mirror image, whatever the rest poses and rolls of the two are.

A pose is its own mirror image of another where each bone's turn from rest, in model space, is the mirrored turn of its
partner. With P a bone's rest rotation and M the mirror, the turn R of one under its parent is N R N' on the other, with
N = P'^T M P. Nothing of the rest of the rig takes part, so that control rigs mirror as plain ones do.
"""

from __future__ import annotations

import numpy as np

SIGNS = 1e-4


def mirror_between(source: np.ndarray, target: np.ndarray, mirror: np.ndarray) -> np.ndarray:
    """What takes channels of a bone with the axes `source` (3, 3) to its image with `target`: improper, (3, 3)."""
    result: np.ndarray = target.T @ mirror @ source
    return result


def mirror_across(normal: np.ndarray) -> np.ndarray:
    """The mirror at a plane with this unit normal (3,), as (3, 3)."""
    return np.identity(3) - 2.0 * np.outer(normal, normal)


def mirrored_turns(quaternions: np.ndarray, between: np.ndarray) -> np.ndarray:
    """Turns (..., 4) on the other bone: an axis is turned the other way round by a mirror."""
    return np.concatenate([quaternions[..., :1], -quaternions[..., 1:] @ between.T], axis=-1)


def mirrored_places(locations: np.ndarray, between: np.ndarray) -> np.ndarray:
    """Locations (..., 3) on the other bone."""
    result: np.ndarray = locations @ between.T
    return result


def mirrored_motion(motion: np.ndarray, mirror: np.ndarray) -> np.ndarray:
    """A motion (F, 4, 4) of a thing in a space, mirrored at the plane that its first frame has in its own space.

    mirror (4, 4): the mirror in the thing's own space.
    """
    first = motion[:1]
    result: np.ndarray = first @ mirror @ np.linalg.inv(first) @ motion @ mirror
    return result


def signs_of(between: np.ndarray) -> tuple[float, float, float] | None:
    """The signs of a mirror that only turns axes round, as between two bones whose rests mirror each other; else None.

    Channels are mirrored key by key then, with nothing lost: those of a place by these signs, those about an axis by
    the opposite ones.
    """
    x, y, z = np.sign(np.diag(between)).tolist()
    same = np.abs(between - np.diag([x, y, z])).max() < SIGNS
    return (x, y, z) if same else None
