"""The pitch of feet that are longer or shorter, for their leg, than the source's, so that they lift the leg as much.

A foot's turn comes from the source. A heel that reaches farther behind the ankle gets deeper by it when the toes go up
at a landing, and a ball farther ahead lifts the ankle higher in push-off; either would have to be made up for by the
knee. So a sole tilts by the share by which its half of the foot is longer for its leg. A foot that is nearly upright,
on the tips of its toes or kneeling, keeps its pitch.
"""

from __future__ import annotations

import math

import numpy as np

from ..rig.rig import Leg
from ..space.quaternions import about, crossed, multiplied, turned

# All of a tilt up to this is lessened, radians; from there to a right angle ever less.
WHOLE = math.radians(30.0)
# So many times as far as the source's foot, at most, the target's tilts.
MOST = 1.5


def fitted_pitch(turns: np.ndarray, theirs: Leg, ours: Leg) -> np.ndarray:
    """A foot's turns from rest (F, 4) with the pitch that suits its length; the same where that is the source's."""
    line = np.array(ours.sole.ball - ours.sole.heel, dtype=np.float64) * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(line))
    shares = pitch_shares(theirs, ours)
    if length < 1e-6:
        return turns
    ahead = turned(turns, line / length)
    tilt = np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
    size = np.abs(tilt)
    lessened = np.where(size <= WHOLE, size, WHOLE * (0.5 * math.pi - size) / (0.5 * math.pi - WHOLE))
    angle = np.where(tilt > 0.0, 1.0 - shares[0], 1.0 - shares[1]) * lessened * np.sign(tilt)
    side = turned(turns, np.array([-line[1], line[0], 0.0]) / length)
    sinks = crossed(side, ahead)[:, 2]
    return multiplied(about(side, np.where(sinks > 0.0, -angle, angle)), turns)


def pitch_shares(theirs: Leg, ours: Leg) -> tuple[float, float]:
    """By which shares a sole tilts, with its toes up and with its heel up."""
    return _share(theirs, ours, at_heel=True), _share(theirs, ours, at_heel=False)


def _share(theirs: Leg, ours: Leg, *, at_heel: bool) -> float:
    """How long the source's foot is against the target's, behind the ankle or ahead of it, each for its leg."""
    reaches = []
    for leg in (theirs, ours):
        point = leg.sole.heel if at_heel else leg.sole.ball
        reach = float((point - leg.tip).to_2d().length)
        reaches.append(reach / max(sum(leg.lengths), 1e-9))
    return min(MOST, reaches[0] / reaches[1]) if reaches[1] > 1e-6 else 1.0
