"""Sudden changes of the knee, legs out of length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .contacts import Span, inside


class Pops(NamedTuple):
    """The largest change of a joint angle from one frame to the next, radians: at contact edges, within swings,
    within stances, and anywhere.
    """

    at_edges: float
    in_swing: float
    in_stance: float
    largest: float


def joint_angles(joints: np.ndarray) -> np.ndarray:
    """The bend at each interior joint, 0 for straight: (F, J, 3) to (F, J - 2), radians."""
    segments = np.diff(np.asarray(joints, dtype=np.float64), axis=1)
    upper, lower = segments[:, :-1], segments[:, 1:]
    return np.arctan2(np.linalg.norm(np.cross(upper, lower), axis=-1), np.sum(upper * lower, axis=-1))


def knee_pops(frames: np.ndarray, joints: np.ndarray, contacts: tuple[Span, ...]) -> Pops:
    """Compare the knee's steps at landings and lift-offs with those inside swings.

    A step from one frame to the next is at an edge if it holds the edge or touches it, so an edge that is known to
    the frame only is not missed; the take's own ends are no edges.
    """
    if len(frames) < 2:
        return Pops(0.0, 0.0, 0.0, 0.0)
    steps = np.abs(np.diff(joint_angles(joints), axis=0)).max(axis=1, initial=0.0)
    at_edge, in_stance = _sorted(frames, contacts)

    def most(which: np.ndarray) -> float:
        return float(steps[which].max(initial=0.0))

    in_swing = ~in_stance & ~at_edge
    return Pops(most(at_edge), most(in_swing), most(in_stance & ~at_edge), float(steps.max(initial=0.0)))


def _sorted(frames: np.ndarray, contacts: tuple[Span, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Which of the steps between frames are at an edge, and which between two frames of stance, (F - 1,) each."""
    edges = [edge for span in contacts for edge in span if frames[0] < edge < frames[-1]]
    at_edge = np.zeros(len(frames) - 1, dtype=bool)
    for edge in edges:
        at_edge |= (frames[:-1] <= edge + 1e-6) & (frames[1:] >= edge - 1e-6)
    down = np.zeros(len(frames), dtype=bool)
    for span in contacts:
        down |= inside(frames, span)
    return at_edge, down[:-1] & down[1:]


def _in_swings(frames: np.ndarray, contacts: tuple[Span, ...]) -> np.ndarray:
    """Which steps are inside swings, clear of their edges."""
    at_edge, in_stance = _sorted(frames, contacts)
    return ~in_stance & ~at_edge


def pop_at_edges(frames: np.ndarray, joints: np.ndarray, contacts: tuple[Span, ...]) -> float:
    """How much further the knee steps at a landing or lift-off than anywhere inside a swing, radians: 0 for a leg that
    only moves fast; NaN where it steps at its edges and no swing is long enough in frames to compare with.
    """
    pops = knee_pops(frames, joints, contacts)
    if pops.at_edges > 0.0 and not _in_swings(frames, contacts).any():
        return np.nan
    return max(0.0, pops.at_edges - pops.in_swing)


def extensions(joints: np.ndarray) -> np.ndarray:
    """The distance from root to tip over the sum of the segments' lengths: (F, J, 3) to (F,)."""
    joints = np.asarray(joints, dtype=np.float64)
    lengths = np.linalg.norm(np.diff(joints, axis=1), axis=-1).sum(axis=-1)
    reach = np.linalg.norm(joints[:, -1] - joints[:, 0], axis=-1)
    return np.divide(reach, lengths, out=np.zeros_like(reach), where=lengths > 0.0)
