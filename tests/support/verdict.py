"""What a walk must show, as findings: each a number with its limit, measured on a finished walk.

Lengths in limits are for a leg of 0.9 m and scale with the leg; slide is never held to less than 0.1 mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import acos, degrees

import numpy as np
from mathutils import Vector
from support.walk import Walk
from surefoot.core.measure.clearance import contact_clearance, swing_clearances, swing_depth
from surefoot.core.measure.contacts import Contacts, Span, disagreement_within, find_contacts, inside
from surefoot.core.measure.gait_chart import chart
from surefoot.core.measure.pops import knee_pops
from surefoot.core.measure.slide import contact_slide, point_slide
from surefoot.core.measure.track import POINTS, FootTrack, Track
from surefoot.core.measure.travel import speed_error
from surefoot.core.rig.pose import model_matrices
from surefoot.core.rig.rig import Leg, Rig

LEAST_SLIDE = 0.0001
# Metres over the ground (for a leg of 0.9 m) up to which a point without a plan counts as standing.
ON_GROUND = 0.001
ROUNDING = 1e-6


@dataclass(frozen=True)
class Finding:
    """A number that must not be above its limit. `excess` says how far it is, as a share of the limit."""

    what: str
    value: float
    limit: float

    @property
    def holds(self) -> bool:
        """True within the limit, and never for a number that is none."""
        return self.value <= self.limit + ROUNDING

    @property
    def excess(self) -> float:
        """How many times the limit the number is."""
        return self.value / self.limit if self.limit > 0.0 else float("inf")

    def __str__(self) -> str:
        return f"{self.what} is {self.value:.5g}, at most {self.limit:.5g}"


# In these the body is a mass on springs: it is lowest in the middle of a stance (G. Cavagna, N. Heglund and C. Taylor,
# "Mechanical work in terrestrial locomotion", 1977), where a walking one is highest.
SPRINGY = ("TROT", "PACE", "RUN", "SPRINT")


def findings(walk: Walk, speed: float, *, flat: bool, gait: str = "WALK") -> list[Finding]:
    """Everything that each cell of the grid must show; on flat ground also that nothing is won by crouching."""
    track, planned = walk.track(), walk.contacts()
    found = find_contacts(track)
    rows = [
        *_agreement(walk, track, planned, found),
        *_planned(track, planned, flat=flat),
        *_found(track, found, flat=flat),
        *_legs(walk, track, planned),
        Finding("speed error", _size(speed_error(track, planned, speed)), 0.01),
    ]
    if flat:
        rows += _upright(walk, track, planned, sinks=gait in SPRINGY)
    return rows


def broken(rows: list[Finding]) -> list[str]:
    """The findings that do not hold, as sentences."""
    return [str(row) for row in rows if not row.holds]


def _agreement(
    walk: Walk, track: Track, planned: Mapping[str, Contacts], found: Mapping[str, Contacts]
) -> Iterator[Finding]:
    """Planned and found contacts agree, and both stand as long as the pattern says at this speed."""
    duty = walk.character.gait.pattern_of(walk.memories[-1].gait).duty
    charts = {"planned": chart(track, planned), "found": chart(track, found)}
    for role in planned:
        apart = disagreement_within(planned[role].foot, found[role].foot, Span(track.frames[0], track.frames[-1]))
        yield Finding(f"{role} disagreement of plan and finder", apart, 0.1)
        for name, rows in charts.items():
            measured = rows[role].duty_factor
            yield Finding(
                f"{role} duty factor {name}, error", _size(None if measured is None else measured - duty), 0.05
            )


def _planned(track: Track, contacts: Mapping[str, Contacts], *, flat: bool) -> Iterator[Finding]:
    """No planted sole point slides, sinks in or floats."""
    for foot in track.feet:
        spans = contacts[foot.role].foot
        slides = [contact_slide(track, foot, contacts[foot.role], span).distance for span in spans]
        over = [contact_clearance(track, foot, contacts[foot.role], span) for span in spans]
        below, above = max((o.below for o in over), default=np.nan), max((o.above for o in over), default=np.nan)
        yield Finding(f"{foot.role} slide by plan (m)", max(slides, default=np.nan), _most_slide(track, flat=flat))
        yield Finding(f"{foot.role} below ground by plan (m)", below, 0.003 * track.scale)
        yield Finding(f"{foot.role} above ground by plan (m)", above, 0.008 * track.scale)
        depth = swing_depth(track, foot, contacts[foot.role])
        yield Finding(f"{foot.role} swing under ground (m)", depth, 0.003 * track.scale)


def _found(track: Track, contacts: Mapping[str, Contacts], *, flat: bool) -> Iterator[Finding]:
    """What a finder that knows no plan takes for standing does not slide either.

    It sees whole frames and a foot that is slow: the frames at a contact's ends may still land or already lift, and a
    heel that rises is low and slow for a while. So a point counts inside its contact while it is on the ground.
    """
    for foot in track.feet:
        most = 0.0
        for point in POINTS:
            on_ground = np.abs(foot.clearance(point)) < ON_GROUND * track.scale
            for span in contacts[foot.role].of(point) or ():
                inner = on_ground & inside(track.frames, Span(span.start + 1.0, span.end - 1.0))
                most = max(most, point_slide(foot.ground_places(point)[inner], track.fps).distance)
        yield Finding(f"{foot.role} slide as found (m)", most, _most_slide(track, flat=flat))


def _most_slide(track: Track, *, flat: bool) -> float:
    return max((0.0005 if flat else 0.002) * track.scale, LEAST_SLIDE)


def _legs(walk: Walk, track: Track, planned: Mapping[str, Contacts]) -> Iterator[Finding]:
    """No leg is stretched, no knee turned round, none pops where its foot lands or leaves."""
    for i, (leg, foot) in enumerate(zip(walk.rig.legs, track.feet, strict=True)):
        pops = knee_pops(track.frames, foot.joints, planned[leg.role].foot)
        yield Finding(f"{leg.role} knee step at an edge (deg)", degrees(pops.at_edges), degrees(pops.in_swing))
        for limited, most in ((False, 0.995), (True, 0.98)):
            which = [
                report.extensions[i]
                for report, memory in zip(walk.reports, walk.memories, strict=True)
                if memory.gait.feet[i].limited == limited
            ]
            name = "limited stride" if limited else "stride"
            yield Finding(f"{leg.role} extension in a {name}", max(which, default=0.0), most)
        for joint in range(1, foot.joints.shape[1] - 1):
            least = degrees(float(bends(leg, foot, track.heading, joint).min()))
            yield Finding(f"{leg.role} joint {joint} backwards (deg)", max(0.0, -least), 0.0)


def bends(leg: Leg, foot: FootTrack, heading: np.ndarray, joint: int) -> np.ndarray:
    """The signed bend at an interior joint over frames, radians: below zero it is bent the other way than at rest.

    The bend turns about an axis across the leg: level and square to the heading, or, for a leg that sprawls, level and
    square to its own way from hip to tip.
    """
    rest = np.array([tuple(place) for place in leg.joints])[None]
    across = np.stack([np.cos(heading), np.sin(heading), np.zeros(len(heading))], axis=-1)
    at_rest = np.array([[1.0, 0.0, 0.0]])
    if np.abs(rest[0, -1, 0] - rest[0, 0, 0]) > 0.5 * np.abs(rest[0, -1, 2] - rest[0, 0, 2]):
        across, at_rest = _square_to_leg(foot.joints), _square_to_leg(rest)
    return _signed_bend(foot.joints, joint, across) * np.sign(_signed_bend(rest, joint, at_rest))


def _square_to_leg(joints: np.ndarray) -> np.ndarray:
    way = joints[:, -1] - joints[:, 0]
    across = np.stack([-way[:, 1], way[:, 0], np.zeros(len(way))], axis=-1)
    return across / np.linalg.norm(across, axis=-1, keepdims=True)


def _signed_bend(joints: np.ndarray, joint: int, axis: np.ndarray) -> np.ndarray:
    upper, lower = joints[:, joint] - joints[:, joint - 1], joints[:, joint + 1] - joints[:, joint]
    turned = np.cross(upper, lower)
    return np.arctan2(np.sum(turned * axis, axis=-1), np.sum(upper * lower, axis=-1))


def _upright(walk: Walk, track: Track, planned: Mapping[str, Contacts], *, sinks: bool) -> Iterator[Finding]:
    """The pelvis stays up, the feet clear the ground, the trunk keeps its lean."""
    rig = walk.rig
    pelvis = rig.pelvis if rig.pelvis >= 0 else rig.body
    heights = np.array(
        [model_matrices(rig.skeleton, frame)[pelvis].to_translation().z - rig.floor for frame in walk.frames]
    )
    rest = rig.skeleton.bones[pelvis].head.z - rig.floor
    for foot in track.feet:
        spans = [s for s in planned[foot.role].foot if s.start > track.frames[0] and s.end < track.frames[-1]]
        middles = [float(np.interp(0.5 * (span.start + span.end), track.frames, heights)) for span in spans]
        if not sinks:
            low = 1.0 - min(middles, default=np.nan) / rest
            yield Finding(f"{foot.role} pelvis sinks at mid-stance, share", low, 0.04)
        clear = min(swing_clearances(track, foot, planned[foot.role]), default=np.nan)
        yield Finding(f"{foot.role} swing lacks clearance (m)", max(0.0, 0.01 * track.scale - clear), 0.0)
    yield Finding("trunk lean (deg)", trunk_lean(walk), 5.0)


def trunk_lean(walk: Walk) -> float:
    """The most that the trunk is off its rest direction in model space, degrees."""
    rig, bones = walk.rig, walk.rig.skeleton.bones
    ends = [i for i in (rig.body, rig.neck[0] if rig.neck else -1, rig.head) if i >= 0]
    low, high = ends[0], ends[1] if len(ends) > 1 else ends[0]
    upright = (bones[high].head - bones[low].head).length < 1e-6
    along = Vector((0.0, 0.0, 1.0)) if upright else (bones[high].head - bones[low].head).normalized()
    most = 0.0
    for frame in walk.frames:
        matrices = model_matrices(rig.skeleton, frame)
        if upright:
            now = (matrices[low] @ bones[low].rest.inverted()).to_3x3() @ along
        else:
            now = matrices[high].to_translation() - matrices[low].to_translation()
        most = max(most, degrees(acos(min(1.0, now.normalized().dot(along)))))
    return most


def _size(value: float | None) -> float:
    """How large a signed number is; what is missing is no number, and holds nowhere."""
    return float("nan") if value is None else abs(value)


def rig_scale(rig: Rig) -> float:
    """The rig's leg over the one that limits are stated for."""
    return rig.leg_length / 0.9
