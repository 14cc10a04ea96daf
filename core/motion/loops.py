"""Clips that come back to their first pose: also those that turn while they go, which are no loops in world axes."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin

import numpy as np
from mathutils import Vector

from ..space.quaternions import from_matrices
from .clip import Clip
from .travel import LONGEST_LOOP, SAME_POSE, closed_loop, not_left_behind, stays_on_the_spot

# A loop that turns by less than this in a round is meant to go straight: its seam is never exact.
STRAIGHT = radians(2.0)
# Two poses are the same one while no bone is turned by more against the other, and differ from a third one that is so
# many times as far.
SAME_TURN, OTHERS = radians(4.0), 3.0
# The squared part of a turn that is about Z: this much while the body is tilted by 113 degrees.
UPRIGHT = 0.3


def rest_middle(clip: Clip) -> Vector:
    """What of the rest pose is followed: the middle of the hips; of a body without legs its first joint."""
    legs = clip.rig.legs
    if legs:
        return sum((leg.hip for leg in legs), Vector((0.0, 0.0, 0.0))) / len(legs)
    return clip.rig.skeleton.bones[clip.rig.body].head


def middle_of(clip: Clip) -> np.ndarray:
    """Where that is in the clip's ground plan, x + iy, (F,)."""
    place = clip.place(clip.rig.body, rest_middle(clip))
    return np.asarray(place[:, 0] + 1j * place[:, 1])


def middle_heights(clip: Clip) -> np.ndarray:
    """How high that is, (F,)."""
    return np.asarray(clip.place(clip.rig.body, rest_middle(clip))[:, 2])


def headings(clip: Clip) -> np.ndarray:
    """Where the body faces, radians, continuous, (F,)."""
    return headings_of(clip.rotation(clip.rig.body))


def headings_of(turns: np.ndarray) -> np.ndarray:
    """Where something faces that is turned so from facing -Y (F, 3, 3): radians, continuous, (F,).

    Of the turn the part about Z counts, so that a lying body faces too. Head over heels it faces nowhere; there it goes
    the shorter way from what it faced before to what it faces after.
    """
    w, _, _, z = np.ascontiguousarray(from_matrices(turns).T)
    known = np.flatnonzero(w * w + z * z >= UPRIGHT)
    if not len(known):
        return np.zeros(len(w))
    facing = np.unwrap(2.0 * np.arctan2(z[known], w[known]))
    return np.interp(np.arange(len(w)), known, facing)


def turn_of_round(heading: np.ndarray) -> float:
    """How far a loop turns from its first frame to its last."""
    turn = float(heading[-1] - heading[0])
    return 0.0 if abs(turn) < STRAIGHT else turn


def as_loop(clip: Clip) -> Clip | None:
    """A clip whose last frame is its first pose again, wherever it stands and faces; None where it is no loop.

    A loop that stops one frame early gets that frame.
    """
    if len(clip) < 4:
        return None
    heading, middle = headings(clip), middle_of(clip)
    turn = turn_of_round(heading)
    shares = np.arange(len(clip)) / (len(clip) - 1)
    straight = replace(clip, moved=_turned_about(middle, -turn * shares) @ clip.moved) if turn else clip
    if _ends_as_it_began(straight):
        return clip
    found = closed_loop(straight) if clip.rig.legs else None
    if not turn:
        return found
    if found is None or len(found) == len(clip):
        return None if found is None else clip
    # The frame that is missing is a step on, and turned on by as much as all others.
    step = turn / (len(clip) - 1)
    chord = np.mean(np.diff(middle) * np.exp(-1j * turn * shares[:-1]))
    next_middle = middle[-1] + chord * np.exp(1j * turn)
    added = _shifted(_turned_about(middle[:1], np.array([turn + step])) @ clip.moved[:1], next_middle - middle[0])
    return replace(clip, moved=np.concatenate([clip.moved, added]))


def rounds_of(loop: Clip, count: int) -> Clip:
    """A loop so many times, each going on from where, and facing as, the last one ended."""
    middle, turn = middle_of(loop), turn_of_round(headings(loop))
    spin = np.exp(1j * turn)
    shift = middle[-1] - spin * middle[0]
    parts, at = [], np.identity(4)
    on = np.identity(4)
    on[:2, :2] = [[cos(turn), -sin(turn)], [sin(turn), cos(turn)]]
    on[:2, 3] = shift.real, shift.imag
    for _ in range(count):
        parts.append(at @ loop.moved[:-1])
        at = on @ at
    return replace(loop, moved=np.concatenate([*parts, at @ loop.moved[:1]]))


def _ends_as_it_began(clip: Clip) -> bool:
    """Whether the last pose is the first one, and others between are not: also where hands or heads alone move.

    Who walks about for long and comes to stand as at first makes no loop.
    """
    if len(clip) / clip.fps > LONGEST_LOOP and not (clip.rig.legs and stays_on_the_spot(clip)):
        return False
    heads = np.array([[*bone.head, 1.0] for bone in clip.rig.skeleton.bones])
    places = np.einsum("fbij,bj->fbi", clip.moved, heads)[..., :3]
    places = (places - places[:, clip.rig.body : clip.rig.body + 1])[:, not_left_behind(clip.rig)]
    apart = np.linalg.norm(places - places[:1], axis=-1).max(axis=1) / (SAME_POSE * clip.rig.leg_length)
    traces = np.einsum("fbij,bij->fb", clip.moved[..., :3, :3], clip.moved[0, :, :3, :3])
    turned = np.arccos(np.clip(0.5 * (traces - 1.0), -1.0, 1.0)).max(axis=1) / SAME_TURN
    other = np.maximum(apart, turned)
    return bool(other[-1] <= 1.0 and other.max() >= OTHERS * max(other[-1], 1.0 / OTHERS))


def _turned_about(middle: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Turns about +Z at places of the plan, (F, 1, 4, 4)."""
    rows = np.zeros((len(middle), 1, 4, 4))
    c, s = np.cos(angles), np.sin(angles)
    rows[:, 0, 0, 0] = rows[:, 0, 1, 1] = c
    rows[:, 0, 1, 0], rows[:, 0, 0, 1] = s, -s
    rows[:, 0, 2, 2] = rows[:, 0, 3, 3] = 1.0
    off = middle - np.exp(1j * angles) * middle
    rows[:, 0, 0, 3], rows[:, 0, 1, 3] = off.real, off.imag
    return rows


def _shifted(moved: np.ndarray, shift: complex) -> np.ndarray:
    result = moved.copy(order="K")
    result[..., 0, 3] += shift.real
    result[..., 1, 3] += shift.imag
    return result
