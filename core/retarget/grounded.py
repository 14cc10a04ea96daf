"""A clip as it goes over ground that stands: what walks on the spot made to travel, a loop with rounds on either side.

So feet can be held: of a clip on the spot none ever stands still, and what is done at a loop's end has to be done at
its beginning. Afterwards the travel and the other rounds are taken away again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..motion.clip_feet import LEAST_FRAMES, ground_contacts
from ..motion.gait_bake import EVEN_SHARE
from ..motion.loops import as_loop, rounds_of
from ..motion.spans import Contacts
from ..motion.travel import treadmill

# How far joints may be from where they began when a loop comes round, in shares of the leg length.
SEAM = 1e-3
# So many rounds there are on either side: contacts that are cut off at the ends of all of them reach over one.
BESIDE = 2


class Grounded(NamedTuple):
    """A clip over standing ground and its contacts, frames from 0 of it. Its own frames are `frames` from `first` on;
    under it the ground goes by with `velocity` (m/s), None where it stands. `even`: its feet go with that ground, and
    not as they please, as many do that were animated by hand.
    """

    clip: Clip
    contacts: list[Contacts]
    first: int
    frames: int
    velocity: tuple[float, float] | None
    even: bool

    def own(self, clip: Clip, scale: float = 1.0) -> Clip:
        """Of a clip that was made of this one its own frames, on the spot again; scale: its way over this one's."""
        part = clip.moved[self.first : self.first + self.frames]
        if self.velocity is None:
            return replace(clip, moved=part)
        return replace(clip, moved=_shifted(part, self.velocity, scale * np.arange(self.frames) / clip.fps))


def grounded(clip: Clip) -> Grounded:
    """A clip over standing ground; one that is too short to tell stays as it is, without contacts."""
    if len(clip) < LEAST_FRAMES or not clip.rig.legs:
        return Grounded(clip, [], 0, len(clip), None, True)
    rounds = _rounds(clip)
    whole, first = (clip, 0) if rounds is None else (rounds, BESIDE * (len(clip) - 1))
    contacts, velocity = ground_contacts(whole)
    even = True
    if velocity is not None:
        ground = treadmill(whole)
        even = ground is not None and ground.share >= EVEN_SHARE
        seconds = (np.arange(len(whole)) - first) / clip.fps
        whole = replace(whole, moved=_shifted(whole.moved, velocity, -seconds))
    return Grounded(whole, contacts, first, len(clip), velocity, even)


def _rounds(clip: Clip) -> Clip | None:
    """The rounds of a loop that ends on its first pose, of which the middle one is the clip; None of other clips."""
    loop = as_loop(clip)
    if loop is None or len(loop) != len(clip):
        return None
    whole, body, step = rounds_of(clip, 2 * BESIDE + 1), max(clip.rig.body, 0), len(clip) - 1
    first = BESIDE * step
    moved = clip.moved[0, body] @ np.linalg.inv(whole.moved[first, body]) @ whole.moved
    heads = np.array([[*bone.head, 1.0] for bone in clip.rig.skeleton.bones])
    seam = np.einsum("bij,bj->bi", moved[first + step] - clip.moved[-1], heads)
    if np.abs(seam).max() > SEAM * clip.rig.leg_length:
        return None
    moved[first : first + len(clip)] = clip.moved
    return replace(whole, moved=moved)


def _shifted(moved: np.ndarray, velocity: tuple[float, float], seconds: np.ndarray) -> np.ndarray:
    result = moved.copy(order="K")
    result[:, :, :2, 3] += np.multiply.outer(seconds, velocity)[:, None]
    return result
