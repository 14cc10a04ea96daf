"""Toes while their foot stands: those that no source leads stay flat while it rolls over them, and none changes the
distance from heel to ball while both stand, for then one of the two would slide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..motion.planted import REFERENCE_LEG
from ..motion.spans import POINTS, Contacts, runs_of
from ..rig.rig import Leg
from ..space.quaternions import about, crossed, dots, lengths, to_matrices, turned
from .holds import NEAR_HOLD, Hold, contact_rows, held_runs, ranked, spread, unheld_rows

UP = np.array([0.0, 0.0, 1.0])
# The most that toes are turned to keep a foot as long as it is while it stands flat, radians.
MOST_FIRM = math.radians(15.0)


class Led(NamedTuple):
    """A foot that is followed: its lengths (F,), and how much longer the follower's steps are."""

    lengths: np.ndarray
    ratio: float

    def change(self, rows: slice, length: float) -> np.ndarray:
        """How much longer than mostly a follower of some length is at some frames: as its steps are, so that it slides
        no more for them, and no more than in the same shares.
        """
        theirs = self.lengths[rows]
        mostly = float(ranked(theirs))
        return np.asarray(min(self.ratio, length / max(mostly, 1e-9)) * (theirs - mostly))


def flat_toes(clip: Clip, feet: Sequence[tuple[Leg, Contacts]], ramp: float) -> None:
    """Turn the toes of these feet, in place, no steeper down than at rest while their ball stands.

    ramp: seconds, for a leg of 0.9 m, in which they come to it and leave it beside a contact.
    """
    for leg, contacts in feet:
        if leg.toes:
            standing = contact_rows(contacts.of("ball") or (), len(clip))
            _turn(clip, leg, held_runs(standing, _lifts(clip, leg)), ramp)


def firm_toes(
    clip: Clip,
    contacts: Sequence[Contacts],
    ramp: float,
    led: Sequence[Led | None] | None = None,
    near: float = NEAR_HOLD,
) -> None:
    """Turn toes, in place, so that they keep the distance from heel to ball while both stand, where the ball hangs on
    the toes.

    contacts: of each leg. ramp: as of `flat_toes`. led: the feet that are followed; without them, what is held already
    is left as it is. near: as of `own_holds`.
    """
    scale = clip.rig.leg_length / REFERENCE_LEG
    for k, (leg, each) in enumerate(zip(clip.rig.legs, contacts, strict=False)):
        if not leg.toes or leg.sole.ball_bone not in (leg.toes[0], *clip.rig.skeleton.below[leg.toes[0]]):
            continue
        heel, ball = (contact_rows(each.of(point) or (), len(clip)) for point in POINTS)
        flat = heel & ball
        if not led and flat.any():
            flat &= unheld_rows((clip.heel(leg), clip.ball(leg)), each, scale, near)
        if not flat.any():
            continue
        vectors = _firming(clip, leg, led[k] if led else None)
        holds = [Hold(a, b, vectors(slice(a, b + 1))) for a, b in runs_of(flat)]
        _turn(clip, leg, holds, ramp)


def _firming(clip: Clip, leg: Leg, led: Led | None) -> Callable[[slice], np.ndarray]:
    """What turns a foot's toes, (n, 3) vectors, so that it is as long throughout some frames as it mostly is there."""
    joint = clip.place(leg.toes[0], clip.rig.skeleton.bones[leg.toes[0]].head)
    back, ahead = joint - clip.heel(leg), clip.ball(leg) - joint
    sizes = [lengths(each) for each in (back, ahead, back + ahead)]
    across = crossed(back, ahead)
    size = lengths(across)
    now = np.arctan2(size, dots(back, ahead))
    raised, raises = _pitch(clip, leg, across)

    def turns(rows: slice) -> np.ndarray:
        first, second, whole = (each[rows] for each in sizes)
        if min(first.min(), second.min(), size[rows].min()) < 1e-9:
            return np.zeros((len(whole), 3))
        wanted = float(ranked(whole)) + (0.0 if led is None else led.change(rows, float(ranked(whole))))
        cosine = (wanted**2 - first**2 - second**2) / (2.0 * first * second)
        angle = np.clip(np.arccos(np.clip(cosine, -1.0, 1.0)) - now[rows], -MOST_FIRM, MOST_FIRM)
        # Not into the floor: no farther down than they rest.
        deepest = np.maximum(0.0, raised[rows])
        angle = np.where(raises[rows], np.maximum(angle, -deepest), np.minimum(angle, deepest))
        return np.asarray(across[rows] / size[rows, None] * angle[:, None])

    return turns


def _pitch(clip: Clip, leg: Leg, axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much steeper up toes point than at rest, radians (F,), and whether turning them about an axis raises them."""
    rest = np.array(leg.sole.toe - clip.rig.skeleton.bones[leg.toes[0]].head, dtype=np.float64)
    rest /= max(float(np.linalg.norm(rest)), 1e-9)
    line = clip.rotation(leg.toes[0]) @ rest
    return np.arcsin(np.clip(line[:, 2], -1.0, 1.0)) - math.asin(rest[2]), crossed(axis, line)[:, 2] > 0.0


def _turn(clip: Clip, leg: Leg, holds: Sequence[Hold], ramp: float) -> None:
    """Turn a leg's toes, in place, about their joint by vectors, which fade beside the frames they are for."""
    if not holds:
        return
    frames = ramp * math.sqrt(clip.rig.leg_length / REFERENCE_LEG) * clip.fps
    field = spread(holds, len(clip), frames)
    angle = lengths(field)
    rows = (angle > 1e-6).nonzero()[0]
    if not len(rows):
        return
    skeleton = clip.rig.skeleton
    joint = clip.place(leg.toes[0], skeleton.bones[leg.toes[0]].head)
    turn = about(field[rows] / angle[rows, None], angle[rows])
    motion = np.zeros((len(rows), 4, 4))
    motion[:, :3, :3] = to_matrices(turn)
    motion[:, :3, 3] = joint[rows] - turned(turn, joint[rows])
    motion[:, 3, 3] = 1.0
    for i in (leg.toes[0], *skeleton.below[leg.toes[0]]):
        clip.moved[rows, i] = motion @ clip.moved[rows, i]


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
    size = lengths(ahead)[..., None]
    ahead = np.where(size > 1e-6, ahead / np.maximum(size, 1e-6), line)
    pitch = math.asin(max(-1.0, min(1.0, rest[2] / length)))
    wanted = math.cos(pitch) * ahead + math.sin(pitch) * UP
    angle = np.arctan2(dots(side, crossed(line, wanted)), dots(line, wanted))
    return np.asarray(side * np.clip(angle, 0.0, None)[:, None])
