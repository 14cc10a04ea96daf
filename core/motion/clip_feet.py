"""What the feet of a clip do: when they are down, its floor, its stride and how fast it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple

import numpy as np

from .clip import Clip
from .contacts import Soles, find_clip_contacts, find_spot_contacts
from .gait_bake import EVEN_SHARE, reference_leg
from .loops import middle_heights, rounds_of
from .spans import POINTS, Contacts, Span
from .strides import steady, whole_strides
from .travel import hips_centre, set_going, stance_velocity, stays_on_the_spot, treadmill

# A clip that is shorter has no contacts that could be found; strides that differ by less than this share are alike.
LEAST_FRAMES, USUAL = 4, 0.05
# A body is at least so many legs over its floor.
LEAST_HIPS = 0.1
# A foot that comes down lies on all of its sole within this share of the contact.
LIES = 0.5


@dataclass(frozen=True)
class ClipFeet:
    """All feet of a clip, in the order of its rig's legs. Times are frames from 0.

    contacts: of a closed loop those that begin in it, also where they end after it. stride: a usual one, from a landing
    of the foot `reference` to its next; None where nothing steps. speed: metres a second, over the ground where that is
    meant to go by under a clip on the spot. floor: where soles stand first, None where none ever does.
    """

    contacts: tuple[Contacts, ...] = ()
    stride: tuple[float, float] | None = None
    reference: int = 0
    speed: float = 0.0
    floor: float | None = None


def feet_of(clip: Clip, *, closed: bool) -> ClipFeet:
    """What is found of a clip; `closed`: its last frame is the first one again."""
    legs = clip.rig.legs
    if not legs or len(clip) < LEAST_FRAMES:
        return ClipFeet(tuple(Contacts((), (), ()) for _ in legs), speed=_speed(clip))
    whole = rounds_of(clip, 3) if closed else clip
    contacts, velocity = ground_contacts(whole)
    first, length = (len(clip) - 1, len(clip) - 1) if closed else (0, len(whole))
    stride, speed = _stride(whole, contacts, velocity, (first, first + length))
    own = tuple(_part(each, first, length) for each in contacts) if closed else tuple(contacts)
    moved = None if stride is None else (stride[0] - first, stride[1] - first)
    return ClipFeet(own, moved, reference_leg(legs), speed, _floor(clip, own, closed=closed))


def ground_contacts(clip: Clip) -> tuple[list[Contacts], tuple[float, float] | None]:
    """All contacts, and of a clip that walks on the spot how the ground goes by (m/s)."""
    soles = [Soles(clip.heel(leg), clip.ball(leg)) for leg in clip.rig.legs]
    ground = treadmill(clip) if stays_on_the_spot(clip) else None
    if ground is None:
        return find_clip_contacts(soles, clip.fps, clip.rig.leg_length), None
    if ground.share >= EVEN_SHARE:
        going = set_going(clip, ground.velocity)
        still = [Soles(going.heel(leg), going.ball(leg)) for leg in clip.rig.legs]
        return find_clip_contacts(still, clip.fps, clip.rig.leg_length), ground.velocity
    found = find_spot_contacts(soles, clip.fps, clip.rig.leg_length, ground.velocity)
    return found, stance_velocity(soles, found, ground.velocity, clip.fps)


def _stride(
    clip: Clip, contacts: Sequence[Contacts], velocity: tuple[float, float] | None, part: tuple[int, int]
) -> tuple[tuple[float, float] | None, float]:
    """The stride of those that begin in a part of the clip which is as long as most, and the speed."""
    centre = hips_centre(clip)
    if velocity is not None:
        centre = centre + np.arange(len(clip))[:, None] / clip.fps * np.array([-velocity[0], -velocity[1], 0.0])
    ahead = clip.rotation(clip.rig.body) @ np.array([0.0, -1.0, 0.0])
    facing = np.unwrap(np.arctan2(np.ascontiguousarray(ahead[:, 0]), -ahead[:, 1]))
    every = whole_strides(contacts, reference_leg(clip.rig.legs), centre, clip.fps)
    found = [each for each in every if part[0] - 0.5 <= each.start < part[1] - 0.5]
    kept = steady(found, centre, facing, clip.rig.leg_length) or found
    if not kept:
        return None, _speed(clip) if velocity is None else hypot(*velocity)
    # Of those as long as most the one in the middle: a clip starts and stops at its ends.
    middle = float(np.median([each.length for each in kept]))
    alike = [each for each in kept if abs(each.length - middle) <= USUAL * middle] or kept
    usual = alike[len(alike) // 2]
    speed = hypot(*velocity) if velocity is not None else float(np.mean([each.speed for each in kept]))
    return (usual.start, usual.end), speed


def _speed(clip: Clip) -> float:
    """How fast the body gets on from the first frame to the last, metres a second."""
    if len(clip) < 2:
        return 0.0
    body = clip.body()
    return float(np.linalg.norm((body[-1] - body[0])[:2])) / (len(clip) - 1) * clip.fps


def _part(contacts: Contacts, first: int, length: int) -> Contacts:
    """The contacts that begin in one round of several, told from its own first frame; all of it where it never ends."""

    def within(spans: tuple[Span, ...] | None) -> tuple[Span, ...]:
        moved = [Span(a - first, b - first) for a, b in spans or ()]
        if any(b - a >= 1.5 * length for a, b in moved):
            return (Span(0.0, float(length)),)
        return tuple(span for span in moved if -1e-6 <= span.start < length - 1e-6)

    return Contacts(within(contacts.foot), within(contacts.heel), within(contacts.ball))


def _floor(clip: Clip, contacts: Sequence[Contacts], *, closed: bool) -> float | None:
    """The height at which sole points are that are planted for the first time, less what they have in the rest pose."""
    last = len(clip) - 1
    heights = []
    for leg, each in zip(clip.rig.legs, contacts, strict=True):
        for point, spans, rest in (
            (clip.heel(leg), each.heel, leg.sole.heel.z),
            (clip.ball(leg), each.ball, leg.sole.ball.z),
        ):
            for span in (spans or ())[:1]:
                frames = np.arange(int(np.ceil(span.start)), int(span.end) + 1)
                frames = frames % last if closed else np.clip(frames, 0, last)
                heights += (point[frames, 2] - (rest - clip.rig.floor)).tolist()
    floor = float(np.median(heights)) if heights else None
    # What kicks in the air on its back has no floor up there.
    under = float(np.median(middle_heights(clip))) - LEAST_HIPS * clip.rig.leg_length
    return floor if floor is not None and floor <= under else None


class Step(NamedTuple):
    """One foot at a moment: down or not, frames since it landed or left, its phase since landing, both sole points."""

    planted: bool
    elapsed: float
    phase: float
    heel_down: bool
    ball_down: bool


@dataclass(frozen=True)
class Stepping:
    """One foot's contacts, to be asked at any frame; `length` is a loop's frames, 0 for a clip that does not repeat."""

    contacts: Contacts
    length: float = 0.0
    _landings: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        # A contact with which a clip begins is no landing.
        starts = [span.start for span in self.contacts.foot if self.length or span.start >= 0.5]
        if self.length and starts:
            starts = [*starts, starts[0] + self.length]
        object.__setattr__(self, "_landings", tuple(starts))

    def at(self, frame: float) -> Step:
        """What the foot does at a frame of the clip."""
        foot = self._since(self.contacts.foot, frame)
        heel, ball = self._since(self.contacts.heel, frame)[0], self._since(self.contacts.ball, frame)[0]
        return Step(foot[0], foot[1], self.phase(frame), heel and foot[0], ball and foot[0])

    def phase(self, frame: float) -> float:
        """The share of the stride since the foot landed; a stride before the first and after the last is as long."""
        marks = self._landings
        if len(marks) < 2:
            return 0.0
        if self.length:
            frame = marks[0] + (frame - marks[0]) % self.length
        k = max(0, min(sum(mark <= frame for mark in marks) - 1, len(marks) - 2))
        return ((frame - marks[k]) / (marks[k + 1] - marks[k])) % 1.0

    def landing(self, frame: float) -> tuple[float, float, float] | None:
        """When the foot comes down next, when all of its sole that does is down, and when its heel leaves, in frames;
        None where it does not come down any more.

        In a loop times after its last frame are of the next round.
        """
        spans = [
            Span(span.start + more, span.end + more)
            for more in ((0.0, self.length) if self.length else (0.0,))
            for span in self.contacts.foot
            if span.start + more > frame
        ]
        if not spans:
            return None
        start, end = min(spans)
        soon = start + LIES * (end - start)
        rounds = (0.0, self.length) if self.length else (0.0,)
        begun = [span.start + more for more in rounds for point in POINTS for span in self.contacts.of(point) or ()]
        left = [span.end + more for more in rounds for span in self.contacts.heel or ()]
        down = max((each for each in begun if start <= each <= soon), default=start)
        return start, down, max((each for each in left if down <= each <= end), default=end)

    def _since(self, spans: tuple[Span, ...] | None, frame: float) -> tuple[bool, float]:
        """Whether one of the spans is on, and the frames since it began, or since the last one ended."""
        left = frame
        for round_before in (0.0, self.length) if self.length else (0.0,):
            for start, end in spans or ():
                then = frame + round_before
                if start <= then <= end:
                    return True, then - start
                if then > end:
                    left = min(left, then - end)
        return False, left
