"""The trend of a clip: where what it stands on goes, without what the body does over its feet.

A body that sways over feet which stay goes nowhere; one that jumps comes down on its next foothold. So the trend is
drawn from footholds, each held while its foot is down and gone over to evenly while it is in the air.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .averages import goes_on_evenly, way_without_strides
from .body_track import geometric
from .clip import Clip
from .clip_feet import ClipFeet, feet_of
from .loops import as_loop, headings, rest_middle, turn_of_round
from .spans import Contacts, Span

# Seconds for a 0.9 m leg that stand for a stride where nothing steps.
USUAL_STRIDE = 1.0
# How far a body sways over its feet, in legs; and the share of its way that a trend leaves at most.
SWAY, MOST_LEFT = 0.2, 0.75


class Support(NamedTuple):
    """A trend (F, 4) as a track of x, y, z and heading; the frames of a stride; whether the clip is a closed loop."""

    track: np.ndarray
    stride: float
    closed: bool


def support_of(clip: Clip) -> Support:
    """The trend of a clip. A closed loop goes evenly from its first frame to its last, in one bend where it turns."""
    loop = as_loop(clip)
    closed = loop is not None and len(loop) == len(clip)
    feet = feet_of(clip, closed=closed)
    usual = USUAL_STRIDE * (clip.rig.leg_length / 0.9) ** 0.5 * clip.fps
    stride = usual if feet.stride is None else feet.stride[1] - feet.stride[0]
    if closed:
        return Support(_even(clip), float(len(clip) - 1), closed=True)
    body = clip.place(clip.rig.body, rest_middle(clip))
    ends = goes_on_evenly(body[:, :2], stride, SWAY * clip.rig.leg_length)
    footholds = _footholds(clip, feet)
    places, heading = way_without_strides(body if footholds is None else footholds, headings(clip), stride, ends)
    _keep_what_travels(places, body)
    return Support(np.column_stack([places, heading]), stride, closed=False)


def _keep_what_travels(trend: np.ndarray, body: np.ndarray) -> None:
    """Nothing is a trend that does not bring the body nearer to its place: in the plan, and in height.

    Feet that are drawn in by somebody who lies, or slip under somebody who walks on the spot, carry nobody away.
    """
    for axes in ([0, 1], [2]):
        left = np.linalg.norm(np.ptp(body[:, axes] - trend[:, axes], axis=0))
        if left > MOST_LEFT * np.linalg.norm(np.ptp(body[:, axes], axis=0)):
            trend[:, axes] = trend[0, axes]


def _footholds(clip: Clip, feet: ClipFeet) -> np.ndarray | None:
    """The middle of where all feet stand or are on their way to, (F, 3); None where no foot ever stands."""
    if not any(each.foot for each in feet.contacts):
        return None
    paths = [_path(clip.ball(leg), each) for leg, each in zip(clip.rig.legs, feet.contacts, strict=True)]
    return np.asarray(np.mean(paths, axis=0))


def _path(ball: np.ndarray, contacts: Contacts) -> np.ndarray:
    """One foot's footholds joined by straight lines, (F, 3); before the first and after the last its own way."""
    last = len(ball) - 1
    times: list[float] = []
    places: list[np.ndarray] = []
    for span in contacts.ball or contacts.foot:
        first, end = _whole(span, last)
        times += [first, end]
        places += [np.median(ball[first : end + 1], axis=0)] * 2
    if not times or times[0] > 0:
        times, places = [0.0, *times], [ball[0], *places]
    if times[-1] < last:
        times, places = [*times, float(last)], [*places, ball[-1]]
    rows, frames = np.array(places), np.arange(last + 1)
    return np.stack([np.interp(frames, times, column) for column in rows.T], axis=-1)


def _whole(span: Span, last: int) -> tuple[int, int]:
    """The first and the last whole frame of a contact."""
    first = min(max(int(np.ceil(span.start)), 0), last)
    return first, min(max(int(np.floor(span.end)), first), last)


def _even(clip: Clip) -> np.ndarray:
    """The way of a closed loop. Its feet say how far it gets: a body is never quite where it was."""
    legs, heading = clip.rig.legs, headings(clip)
    body = clip.place(clip.rig.body, rest_middle(clip))
    places = np.mean([clip.ball(leg) for leg in legs], axis=0) if legs else body
    turn, shares = turn_of_round(heading), np.arange(len(clip)) / (len(clip) - 1)
    return even_track(places[0], places[-1], heading[0], turn, shares)


def even_track(start: np.ndarray, end: np.ndarray, heading: float, turn: float, shares: np.ndarray) -> np.ndarray:
    """From one place (3,) to another in even steps, each turned on by as much, at shares (F,) of the way; (F, 4)."""
    chord = complex(end[0] - start[0], end[1] - start[1])
    along = np.array([geometric(turn, float(share)) for share in shares]) if turn else shares
    way = complex(start[0], start[1]) + chord * along
    return np.column_stack([way.real, way.imag, start[2] + (end[2] - start[2]) * shares, heading + turn * shares])
