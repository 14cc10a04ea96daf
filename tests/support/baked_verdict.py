"""What a baked walk must show, as findings: each a number with its limit.

Lengths in limits are for a leg of 0.9 m and scale with the leg; slide is never held to less than 0.1 mm.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from surefoot.core.gait.patterns import froude
from surefoot.core.measure.clearance import contact_clearance, swing_clearances, swing_depth
from surefoot.core.measure.contacts import Span, clipped, disagreement_within, inside
from surefoot.core.measure.gait_chart import chart
from surefoot.core.measure.pops import extensions, knee_pops
from surefoot.core.measure.slide import contact_slide, point_slide
from surefoot.core.measure.track import POINTS, FootTrack
from surefoot.core.rig.rig import Leg

from .baked_walk import BakedWalk
from .verdict import LEAST_SLIDE, ON_GROUND, SPRINGY, Finding, bends


def baked_findings(walk: BakedWalk, *, flat: bool, gait: str = "WALK") -> list[Finding]:
    """All that a walk in a straight line must show; on flat ground also that nothing is won by crouching."""
    shares = np.array(speeds_along_ground(walk)) / walk.speed - 1.0
    rows = [Finding("speed error", max(0.0, shares.min(), -shares.max()), 0.01)]
    for leg, foot in zip(walk.rig.legs, walk.track.feet, strict=True):
        rows += [*feet_findings(walk, foot, flat=flat), *leg_findings(walk, leg, foot)]
        if flat:
            rows += _upright(walk, foot, sinks=gait in SPRINGY)
    return [*rows, Finding("trunk lean (deg)", walk.trunk, 5.0)] if flat else rows


def speeds_along_ground(walk: BakedWalk) -> tuple[float, float]:
    """Metres a second over whole strides, by the ground under the body and by the body's own way, means over the feet.

    A body as long as a hill or a flight feels less of it than the ground under its middle has: what it goes along lies
    between both.
    """
    track, speeds = walk.track, []
    ground, own = walk.terrain.way_along(track.body), walk.terrain.own_way(track.body)
    for foot in track.feet:
        starts = np.array([span.start for span in walk.planned[foot.role].foot if span.start > track.frames[0]])
        known = starts[~np.isnan(np.interp(starts, track.frames, ground))]
        if len(known) > 1:
            ways = [np.interp((known[0], known[-1]), track.frames, way) for way in (ground, own)]
            speeds.append([(way[1] - way[0]) / (known[-1] - known[0]) * track.fps for way in ways])
    return tuple(np.mean(speeds, axis=0)) if speeds else (np.nan, np.nan)


def feet_findings(walk: BakedWalk, foot: FootTrack, *, flat: bool) -> Iterator[Finding]:
    """Where the foot stands it does not slide, sink in or float; plan and positions tell the same of when it does."""
    track, planned, found, role = walk.track, walk.planned[foot.role], walk.found[foot.role], foot.role
    spans = [span for span in planned.foot if inside(track.frames, span).any()]
    slides = [contact_slide(track, foot, planned, span).distance for span in spans]
    over = [contact_clearance(track, foot, planned, span) for span in spans]
    most = max((0.0005 if flat else 0.002) * track.scale, LEAST_SLIDE)
    yield Finding(f"{role} slide by plan (m)", max(slides, default=np.nan), most)
    yield Finding(f"{role} slide as found (m)", _found_slide(walk, foot), most)
    below, above = (max((getattr(o, side) for o in over), default=np.nan) for side in ("below", "above"))
    yield Finding(f"{role} below ground (m)", below, 0.003 * track.scale)
    yield Finding(f"{role} above ground (m)", above, 0.008 * track.scale)
    yield Finding(f"{role} swing under ground (m)", swing_depth(track, foot, planned), 0.003 * track.scale)
    window = Span(track.frames[0], track.frames[-1])
    yield Finding(f"{role} disagreement of plan and finder", disagreement_within(planned.foot, found.foot, window), 0.1)
    for name, contacts in (("planned", walk.planned), ("found", walk.found)):
        duty = chart(track, {r: _within(c, window) for r, c in contacts.items()})[role].duty_factor
        wanted = walk.pattern.duty_at(froude(walk.speed, walk.rig.leg_length))
        error = np.nan if duty is None else abs(duty - wanted)
        yield Finding(f"{role} duty factor {name}, error", error, 0.05)


def leg_findings(walk: BakedWalk, leg: Leg, foot: FootTrack) -> Iterator[Finding]:
    """No leg is stretched, no knee turned round, none pops where its foot lands or leaves."""
    track = walk.track
    pops = knee_pops(track.frames, foot.joints, walk.planned[foot.role].foot)
    yield Finding(f"{leg.role} knee step at an edge (deg)", np.degrees(pops.at_edges), np.degrees(pops.in_swing))
    stretched = extensions(foot.joints)
    limited = walk.limited[:, walk.rig.legs.index(leg)]
    for name, which, most in (("", ~limited, 0.995), ("limited ", limited, 0.98)):
        yield Finding(f"{leg.role} extension in a {name}stride", float(stretched[which].max(initial=0.0)), most)
    for joint in range(1, foot.joints.shape[1] - 1):
        least = float(np.degrees(bends(leg, foot, track.heading, joint).min()))
        yield Finding(f"{leg.role} joint {joint} backwards (deg)", max(0.0, -least), 0.0)


def _found_slide(walk: BakedWalk, foot: FootTrack) -> float:
    """The slide inside found contacts, of points that are on the ground: the finder's edges are whole frames."""
    most = 0.0
    for point in POINTS:
        on_ground = np.abs(foot.clearance(point)) < ON_GROUND * walk.track.scale
        for span in walk.found[foot.role].of(point) or ():
            inner = on_ground & inside(walk.track.frames, Span(span.start + 1.0, span.end - 1.0))
            most = max(most, point_slide(foot.ground_places(point)[inner], walk.track.fps).distance)
    return most


def _upright(walk: BakedWalk, foot: FootTrack, *, sinks: bool) -> Iterator[Finding]:
    """The pelvis stays up over the standing foot, the swinging foot clears the ground."""
    track, planned = walk.track, walk.planned[foot.role]
    whole = [span for span in planned.foot if span.start >= track.frames[0] and span.end < track.frames[-1]]
    heights = [float(np.interp(0.5 * (span.start + span.end), track.frames, walk.pelvis)) for span in whole]
    if not sinks:
        yield Finding(f"{foot.role} pelvis sinks at mid-stance, share", 1.0 - min(heights, default=np.nan), 0.04)
    clear = [c for c in swing_clearances(track, foot, planned) if not np.isnan(c)]
    lacking = max(0.0, 0.01 * track.scale - min(clear, default=np.nan))
    yield Finding(f"{foot.role} swing lacks clearance (m)", lacking, 0.0)


def _within(contacts: object, window: Span) -> object:
    """Contacts as far as they are in the measured frames."""
    return type(contacts)(clipped(contacts.foot, window), contacts.heel, contacts.ball)
