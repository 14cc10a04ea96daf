"""Walkers made of formulas, with contacts known to the fraction of a frame, to check what measures them."""

import math
from dataclasses import dataclass, replace

import numpy as np
from surefoot.core.measure.contacts import Contacts, Span
from surefoot.core.measure.track import FootTrack, Track
from surefoot.core.space.angles import facing, left_of
from surefoot.core.space.curves import smootherstep


@dataclass(frozen=True)
class Walker:
    """A gait on flat ground at z = 0: straight along -Y, or on a circle of `radius` about (radius, 0), to the left.

    `feet` gives each foot's landing in the stride (0 to 1) and its place to the left of the path.
    """

    fps: float = 30.0
    seconds: float = 6.0
    speed: float = 1.3
    stride: float = 1.1
    duty: float = 0.62
    feet: tuple = (("foot.L", 0.0, 0.1), ("foot.R", 0.5, -0.1))
    lift: float = 0.06
    radius: float | None = None
    slide: float = 0.0
    bob: float = 0.02
    heel_off: float = 1.0
    sole: float = 0.2

    def at(self, distance, beside=0.0):
        """The place `distance` along the path, and the heading there."""
        if self.radius is None:
            heading, place = 0.0, (0.0, -distance)
        else:
            heading = distance / self.radius
            place = (self.radius * (1.0 - math.cos(heading)), -self.radius * math.sin(heading))
        left = left_of(heading)
        return np.array([place[0] + left[0] * beside, place[1] + left[1] * beside, 0.0]), heading

    def stand(self, phase, beside, n):
        """Foothold `n` of a foot, and its heading."""
        return self.at(self.speed * self.stride * (n + phase + 0.5 * self.duty), beside)

    def sole_at(self, phase, beside, time):
        """Heel and ball at a time."""
        cycles = time / self.stride - phase
        n = math.floor(cycles)
        u = cycles - n
        here, heading = self.stand(phase, beside, n)
        heel_up = 0.0
        if u < self.duty:
            here = here + np.array([*facing(heading), 0.0]) * (self.slide * u / self.duty)
            heel_up = 0.08 * max(0.0, u / self.duty - self.heel_off)
        else:
            w = (u - self.duty) / (1.0 - self.duty)
            there, next_heading = self.stand(phase, beside, n + 1)
            here = here + np.array([*facing(heading), 0.0]) * self.slide
            here = here + (there - here) * smootherstep(w)
            here[2] += self.lift * math.sin(math.pi * w) ** 2
            heading += (next_heading - heading) * smootherstep(w)
            heel_up = 0.08 * (1.0 - min(1.0, self.heel_off)) * (1.0 - smootherstep(w))
        ahead = np.array([*facing(heading), 0.0]) * (0.5 * self.sole)
        return here - ahead + np.array([0.0, 0.0, heel_up]), here + ahead

    def contacts(self):
        """The plan: every foot's contacts within the take, frames from 1."""
        planned = {}
        last = 1.0 + self.seconds * self.fps
        for role, phase, _ in self.feet:
            spans = []
            for n in range(-2, math.ceil(self.seconds / self.stride) + 2):
                start = 1.0 + (n + phase) * self.stride * self.fps
                end = start + self.duty * self.stride * self.fps
                if end > 1.0 and start < last:
                    spans.append(Span(max(1.0, start), min(last, end)))
            planned[role] = Contacts(tuple(spans))
        return planned

    def track(self):
        """The walker sampled at whole frames, from frame 1."""
        times = np.arange(round(self.seconds * self.fps) + 1) / self.fps
        bodies, headings = [], []
        for time in times:
            sway = 0.03 * math.sin(2.0 * math.pi * time / self.stride)
            body, heading = self.at(self.speed * time, sway)
            body[2] = 0.9 + self.bob * math.sin(4.0 * math.pi * time / self.stride)
            bodies.append(body)
            headings.append(heading)
        body = np.array(bodies)
        feet = []
        for role, phase, beside in self.feet:
            soles = np.array([self.sole_at(phase, beside, time) for time in times])
            heel, ball = soles[:, 0], soles[:, 1]
            ankle = heel + np.array([0.0, 0.0, 0.08])
            knee = 0.5 * (body + ankle) + np.array([0.0, -0.05, 0.0])
            flat = np.zeros(len(times))
            feet.append(FootTrack(role, heel, ball, flat, flat.copy(), np.stack([body, knee, ankle], axis=1)))
        return Track(self.fps, 1.0 + np.arange(len(times)), tuple(feet), body, np.array(headings), 0.9)


RUN = Walker(speed=3.2, stride=0.72, duty=0.34, lift=0.12)
DOG = Walker(
    stride=0.8,
    duty=0.65,
    speed=0.9,
    sole=0.0,
    feet=(("hind.L", 0.0, 0.1), ("fore.L", 0.25, 0.1), ("hind.R", 0.5, -0.1), ("fore.R", 0.75, -0.1)),
)


def with_foot(track, **changes):
    """The track with its first foot changed."""
    return replace(track, feet=(replace(track.feet[0], **changes), *track.feet[1:]))
