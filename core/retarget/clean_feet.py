"""Foot clean-up on any clip: what stands is held, on its heel, its ball or both, and the legs follow.

A foot is moved as one piece: heel and ball go where they are held, the ankle is derived from them (in push-off from
the ball alone), and the leg's two halves are brought there with the least change. No leg gets straighter than the clip
has it at that frame; how that is kept is in `foot_moves`. What is held already is left as it is, so a second pass
changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..motion.contacts import Soles, find_clip_contacts
from ..motion.planted import REFERENCE_LEG
from ..motion.spans import Contacts, Span
from ..rig.rig import Leg
from ..space.quaternions import lengths
from .body_shift import body_shift
from .feet_config import CleanFeetConfig
from .foot_moves import HELD, LED, FootPlan, apply, plan_foot
from .grounded import grounded
from .held_contacts import NO_CONTACTS, lengthened_contacts
from .holds import NEAR_HOLD, Hold, Holds, Points, foot_shift, led_holds, own_holds, ranked, unheld_rows
from .toes import Led, firm_toes


@dataclass(frozen=True)
class FootReport:
    """One foot: how many contacts its heel and ball have, and the farthest that a point slides in one (metres), before
    and after. unreached: how far a hold is from what the leg can reach, at most (metres).
    """

    role: str
    contacts: int
    slide_before: float
    slide_after: float
    unreached: float


@dataclass(frozen=True)
class FeetReport:
    """All feet; `floor` is the height that they stand at (world, metres), `drift` how far it rises or falls from the
    first contact to the last by an even line, `lowered` how far the body was lowered at most.
    """

    feet: tuple[FootReport, ...]
    floor: float
    drift: float
    lowered: float


Soled = list[tuple[np.ndarray, float, tuple[Span, ...]]]
"""A foot's heel and ball: their places (F, 3), their heights at rest, their contacts."""


class FeetPass(NamedTuple):
    """What is reported of feet that were moved once: where they were before and in which contacts, how far from their
    holds they are at most (metres) where their legs did not reach them, how far the body was lowered.
    """

    feet: list[Soled]
    unreached: list[float]
    lowered: float


# Contacts of a held clip may be found a little longer, for frames of a ramp may be slow: they are held again in so
# many passes, of given contacts so many frames longer at either end, or seconds where those are more.
MOST_PASSES, GAINED, GAINED_SECONDS = 4, 3.0, 0.09
# Found contacts are held until a pass changes nothing, so that a second run does not, either: captured takes need ten.
UNTIL_STILL = 30
# What a body's own feet would be found to stand in is told by its own size only where the source is up to so many times
# as large: much smaller bodies go too slowly in a motion that takes as long, and would hold swings.
OWN_LIMITS = 2.5


class Leader(NamedTuple):
    """A foot that another one follows: its heel and ball, how much longer the follower's steps are, how high (F,) the
    follower's heel and ball are meant to be, and the leader's contacts.
    """

    points: Points
    ratio: float
    heights: Points
    contacts: Contacts


def clean_feet(
    clip: Clip,
    config: CleanFeetConfig | None = None,
    contacts: Sequence[Contacts] | None = None,
    feet: Collection[str] | None = None,
    size: float = 1.0,
) -> tuple[Clip, FeetReport]:
    """The clip with its feet held where they stand, and what was done.

    size: of the body that given contacts were found on, over this one's: its limits of speed hold for them.
    contacts: of each leg, frames from 0. Where they are not given they are found, also of clips that walk on the spot,
    and a loop stays one. Either way they are held until no frame beside them seems to stand, too. feet: the roles of
    the legs that are held, by default all.
    """
    config = config or CleanFeetConfig()
    if contacts is not None:
        cleaned, chosen = _copied(clip), _chosen(clip, contacts, feet)
        return cleaned, feet_report(cleaned, hold_feet(cleaned, config, chosen, size), chosen)
    ground = grounded(clip)
    cleaned = _copied(ground.clip)
    chosen = _chosen(clip, ground.contacts, feet)
    passes = [_pass(cleaned, config, chosen)]
    while len(passes) < MOST_PASSES and _slides(cleaned, chosen, NEAR_HOLD):
        passes.append(_pass(cleaned, config, chosen))
    report = feet_report(cleaned, passes, chosen)
    if np.array_equal(cleaned.moved, ground.clip.moved):
        return clip, report
    for _ in range(UNTIL_STILL - 1):
        before = _copied(cleaned)
        _pass(cleaned, config, _chosen(cleaned, contacts_of(cleaned), feet))
        if np.array_equal(before.moved, cleaned.moved):
            break
    return ground.own(cleaned), report


def _copied(clip: Clip) -> Clip:
    return replace(clip, moved=clip.moved.copy(order="K"))


def hold_feet(
    clip: Clip, config: CleanFeetConfig, contacts: Sequence[Contacts], size: float, near: float = NEAR_HOLD
) -> list[FeetPass]:
    """Hold feet in given contacts, in place, and in what stands beside them or of its own by then; see `clean_feet`.
    near: how near its hold what stands is left as it is, metres for a 0.9 m leg.
    """
    passes = [_pass(clip, config, contacts, near)]
    asked, most = list(contacts), max(GAINED, GAINED_SECONDS * clip.fps)
    for _ in range(MOST_PASSES - 1):
        found = contacts_of(clip, size)
        own = contacts_of(clip) if size != 1.0 and size < OWN_LIMITS else found
        longer = [lengthened_contacts(*each, most) for each in zip(contacts, found, own, strict=False)]
        if not longer or (longer == asked and not _slides(clip, asked, near)):
            break
        asked = longer
        passes.append(_pass(clip, config, longer, near))
    return passes


def _slides(clip: Clip, contacts: Sequence[Contacts], near: float) -> bool:
    """Whether anything that is to stand does not yet."""
    scale = clip.rig.leg_length / REFERENCE_LEG
    legs = zip(clip.rig.legs, contacts, strict=False)
    return any(unheld_rows((clip.heel(leg), clip.ball(leg)), each, scale, near).any() for leg, each in legs)


def lead_feet(clip: Clip, leaders: Sequence[Leader | None], ramp: float = CleanFeetConfig.ramp) -> FeetPass:
    """Let each foot stand, in place, as its leader does: still where that is still, as high over the floor.

    From step to step a foot goes over from one place to the next, without coming back to the clip's own way between.
    """
    contacts = [NO_CONTACTS if leader is None else leader.contacts for leader in leaders]
    led = [None if each is None else Led(lengths(each.points[0] - each.points[1]), each.ratio) for each in leaders]
    before = _feet(clip, contacts)
    firm_toes(clip, contacts, ramp, led)
    holds: list[Holds] = []
    for leg, leader in zip(clip.rig.legs, leaders, strict=True):
        points = (clip.heel(leg), clip.ball(leg))
        none: Holds = ([], [])
        holds.append(none if leader is None else led_holds(points, *leader))
    plans, shift = _move(clip, holds, ramp, carried=True)
    return _passed(before, clip, plans, shift)


def _pass(clip: Clip, config: CleanFeetConfig, contacts: Sequence[Contacts], near: float = NEAR_HOLD) -> FeetPass:
    """Hold all feet in these contacts, in place."""
    scale = clip.rig.leg_length / REFERENCE_LEG
    before = _feet(clip, contacts)
    firm_toes(clip, contacts, config.ramp, near=near)
    holds = []
    for leg, each in zip(clip.rig.legs, contacts, strict=False):
        pair = own_holds((clip.heel(leg), clip.ball(leg)), each, scale, near)
        if config.heights == "FREE":
            pair = (_level(pair[0]), _level(pair[1]))
        holds.append(pair)
    plans, shift = _move(clip, holds, config.ramp, carried=False)
    return _passed(before, clip, plans, shift)


def _chosen(clip: Clip, contacts: Sequence[Contacts], feet: Collection[str] | None) -> Sequence[Contacts]:
    """The contacts of the legs that are to be held; the others have none."""
    if feet is None:
        return contacts
    legs = zip(clip.rig.legs, contacts, strict=False)
    return [each if leg.role in feet else NO_CONTACTS for leg, each in legs]


def _level(holds: Sequence[Hold]) -> list[Hold]:
    """Holds that change no height."""
    return [hold._replace(shift=hold.shift * [1.0, 1.0, 0.0]) for hold in holds]


def _move(clip: Clip, holds: Sequence[Holds], ramp: float, *, carried: bool) -> tuple[list[FootPlan], np.ndarray]:
    """Move the feet into their holds, in place: where each was to go, and how the body is shifted for it, (F, 3)."""
    scale = clip.rig.leg_length / REFERENCE_LEG
    frames = ramp * math.sqrt(scale) * clip.fps
    plans = []
    for leg, pair in zip(clip.rig.legs, holds, strict=False):
        foot = foot_shift(pair, len(clip), frames, scale, carried=carried)
        plans.append(plan_foot(clip, leg, (clip.heel(leg), clip.ball(leg)), foot, frames, LED if carried else HELD))
    shift = body_shift(clip, plans)
    apply(clip, plans, shift)
    return plans, shift


def contacts_of(clip: Clip, size: float = 1.0) -> list[Contacts]:
    """Found contacts of each of a clip's legs, told as of a body of another size; none of a clip that is too short."""
    if len(clip) < 2:
        return []
    soles = [Soles(size * clip.heel(leg), size * clip.ball(leg)) for leg in clip.rig.legs]
    return find_clip_contacts(soles, clip.fps, size * clip.rig.leg_length)


def floor_of(clip: Clip, contacts: Sequence[Contacts]) -> float:
    """The height (world) that the rest pose's floor has where the clip stands: what its contacts say on the whole.

    Without any contact it is where its lowest sole points nearly get.
    """
    return _floor(_feet(clip, contacts), clip.rig.floor)


def _feet(clip: Clip, contacts: Sequence[Contacts]) -> list[Soled]:
    """All feet with their contacts; where nothing is known of those, with none."""
    known = contacts or [NO_CONTACTS] * len(clip.rig.legs)
    return [_points(clip, leg, each) for leg, each in zip(clip.rig.legs, known, strict=True)]


def _floor(feet: Sequence[Soled], at_rest: float) -> float:
    standing, lowest = [], []
    for places, rest, spans in (point for foot in feet for point in foot):
        heights = places[:, 2] - (rest - at_rest)
        lowest.append(heights)
        standing += [heights[_rows(span, len(places))] for span in spans]
    if standing:
        return float(np.median(np.concatenate(standing)))
    return float(np.percentile(np.min(lowest, axis=0), 3.0)) if lowest and len(lowest[0]) else 0.0


def feet_report(clip: Clip, passes: Sequence[FeetPass], contacts: Sequence[Contacts]) -> FeetReport:
    """What passes did of which the last one left the clip so. contacts: those in which slides are told at the end."""
    slid, last = [_farthest(foot) for foot in passes[0].feet], passes[-1]
    feet = tuple(
        FootReport(leg.role, sum(len(spans) for _, _, spans in foot), begun, _farthest(_points(clip, leg, each)), most)
        for leg, foot, begun, each, *missed in zip(
            clip.rig.legs, last.feet, slid, contacts, *(each.unreached for each in passes), strict=False
        )
        for most in (max(missed),)
    )
    lowered = sum(each.lowered for each in passes)
    return FeetReport(feet, _floor(last.feet or _feet(clip, ()), clip.rig.floor), _drift(last.feet), lowered)


def _passed(before: list[Soled], cleaned: Clip, plans: Sequence[FootPlan], shift: np.ndarray) -> FeetPass:
    unreached = []
    for plan in plans:
        tip = cleaned.place(plan.leg.bones[-1], plan.leg.joints[-1])
        unreached.append(float(lengths(tip - plan.ankle)[plan.held].max(initial=0.0)))
    return FeetPass(before, unreached, float((-shift[:, 2]).max(initial=0.0)))


def _farthest(foot: Soled) -> float:
    """The farthest that a foot's sole points slide in any of its contacts, metres."""
    return max((_slide(places, spans) for places, _, spans in foot), default=0.0)


def _points(clip: Clip, leg: Leg, contacts: Contacts) -> Soled:
    """Heel and ball: their places, their height at rest, their contacts."""
    return [
        (clip.heel(leg), float(leg.sole.heel.z), contacts.of("heel") or ()),
        (clip.ball(leg), float(leg.sole.ball.z), contacts.of("ball") or ()),
    ]


def _rows(span: Span, count: int) -> slice:
    return slice(max(0, math.ceil(span.start - 1e-6)), min(count, math.floor(span.end + 1e-6) + 1))


def _slide(places: np.ndarray, spans: Sequence[Span]) -> float:
    """The farthest that a point gets along the ground from where it stands most, in any of its contacts, metres."""
    farthest = 0.0
    for span in spans:
        inside = places[_rows(span, len(places)), :2]
        if len(inside):
            farthest = max(farthest, float(lengths(inside - ranked(inside)).max()))
    return farthest


def _drift(feet: Sequence[Soled]) -> float:
    """How far the floor rises from the first contact to the last, by the line through all of them, metres."""
    times, levels = [], []
    for places, rest, spans in (point for foot in feet for point in foot):
        for span in spans:
            rows = _rows(span, len(places))
            if rows.stop > rows.start:
                times.append(0.5 * (rows.start + rows.stop - 1))
                levels.append(float(ranked(places[rows, 2])) - rest)
    if len(times) < 3 or max(times) - min(times) < 1.0:
        return 0.0
    slope = np.polyfit(times, levels, 1)[0]
    return float(slope * (max(times) - min(times)))
