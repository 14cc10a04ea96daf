"""The way of a source that is followed live: where its body stands and faces, without most of what a stride adds.

Nothing is known of what comes, so the way cannot be the mean over a stride. It goes at the body's speed with the quick
part of it left out, and closes in on the body's very place slowly: it neither lags behind nor sways along. Whatever it
is, the pose over it gives the source's places again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, sin, sqrt

import numpy as np

from ..control.source_pose import SourcePose
from ..motion.planted import REFERENCE_LEG
from ..rig.rig import Rig
from ..space.angles import turn_between
from ..space.copying import copier
from ..space.dampers import kept_share
from .transfer import hips_middle

# Halflives, in seconds for a 0.9 m leg: of the way's velocity, and of what it is off the body.
EVEN, NEARING = 0.15, 0.25
# What goes faster than this (m/s for a 0.9 m leg) and by more than this (legs) from tick to tick has jumped.
JUMP_SPEED, JUMP = 25.0, 0.3
# A body faces nowhere while less than this of its turn is about the upright.
UPRIGHT = 0.3

Spot = tuple[float, float, float]
"""x, y and heading in the source's plan; or how fast they change."""


@dataclass(slots=True)
class WayMemory:
    """The body of the source as it is, and the even way: plain floats. `speed` is the way's, None while unknown."""

    body: Spot = (0.0, 0.0, 0.0)
    even: Spot = (0.0, 0.0, 0.0)
    speed: Spot | None = None
    jumped: bool = False

    def copy(self) -> WayMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(WayMemory)


class SourceWay:
    """The way of one rig whose legs are `size` metres long. Immutable."""

    def __init__(self, rig: Rig, size: float) -> None:
        x, y, z = hips_middle(rig)
        self._middle = np.array([x, y, z, 1.0])
        self._body = max(rig.body, 0)
        self._leg, self._tempo = rig.leg_length, sqrt(size / REFERENCE_LEG)
        self._jump = JUMP_SPEED * self._tempo * rig.leg_length / size

    def begin(self, pose: SourcePose) -> WayMemory:
        """The way at a first frame."""
        now = self._body_of(pose, 0.0)
        return WayMemory(now, now)

    def go(self, memory: WayMemory, pose: SourcePose, dt: float) -> None:
        """Go on by a tick. A body that is suddenly elsewhere is there at once."""
        before, now = memory.body, self._body_of(pose, memory.body[2])
        memory.body, memory.jumped = now, False
        far = hypot(now[0] - before[0], now[1] - before[1])
        if far > JUMP * self._leg and far > self._jump * dt:
            memory.jumped, memory.even, memory.speed = True, now, None
            return
        kept, off = kept_share(EVEN * self._tempo, dt), kept_share(NEARING * self._tempo, dt)
        raw = [(b - a) / dt for a, b in zip(before, now, strict=True)]
        speed = raw if memory.speed is None else [b + (a - b) * kept for a, b in zip(memory.speed, raw, strict=True)]
        even = [b + (a + v * dt - b) * off for a, v, b in zip(memory.even, speed, now, strict=True)]
        memory.speed, memory.even = (speed[0], speed[1], speed[2]), (even[0], even[1], even[2])

    def spot(self, memory: WayMemory) -> Spot:
        """Where a model space stands in which the hips are over their place at rest."""
        x, y, heading = memory.even
        c, s, (mx, my, _, _) = cos(heading), sin(heading), self._middle.tolist()
        return x - c * mx + s * my, y - s * mx - c * my, heading

    def under(self, memory: WayMemory, pose: SourcePose) -> np.ndarray:
        """The source's bones in that model space, at the height of the world, (bones, 4, 4)."""
        x, y, heading = self.spot(memory)
        c, s = cos(heading), sin(heading)
        back = ((c, s, 0.0, -c * x - s * y), (-s, c, 0.0, s * x - c * y), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
        return np.asarray(np.array(back) @ pose.moved)

    def _body_of(self, pose: SourcePose, before: float) -> Spot:
        """Where the middle of the hips is in the plan, and where the body faces, on from what it faced `before`."""
        motion = pose.moved[self._body]
        x, y, _, _ = (motion @ self._middle).tolist()
        # Of a turn w, x, y, z this is the part about the upright, 2 atan2(z, w), and how much of it that is.
        sine, cosine = float(motion[1, 0] - motion[0, 1]), float(motion[0, 0] + motion[1, 1])
        if 0.5 * hypot(sine, cosine) < UPRIGHT:
            return x, y, before
        return x, y, before + turn_between(before, atan2(sine, cosine))


def way_between(start: Spot, end: Spot, scale: float) -> Spot:
    """From one spot to another as seen from the first, with its length scaled."""
    c, s = cos(start[2]), sin(start[2])
    dx, dy = end[0] - start[0], end[1] - start[1]
    return scale * (c * dx + s * dy), scale * (c * dy - s * dx), end[2] - start[2]
