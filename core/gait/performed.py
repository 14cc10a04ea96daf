"""Walking in a performer's manner: a performance's curves, cut to what planner, feet and body ask of them.

Footholds stay the planner's. The curves say where they lie to the body, how a foot goes from one to the next on open
ground, how it rolls, and how the body rides over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..motion.gait_curves import Curve, FootCurves, GaitCurves, at_phase
from ..space.curves import smoothstep

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
STEPS = 24
# How far into its stance a captured foot is where ours stands, and the share of a swing in which differences fade.
ANCHOR, FADES = 0.1, 0.25
# A foot whose performer landed on the toes has its heel up from this share of the stance on.
RAISED_AT = 0.3
# What is off by this much (strides, or leg lengths of height) takes the whole swing to fade.
FADES_AT = 0.15
# How far (leg lengths) a captured foot may creep from where it stands, and the most of a stride that is cut off.
CREEP, MOST_TRIMMED = 0.025, 0.045
# A captured foot never lies quite still on the ground: less pitch than this (radians) fades to none.
FLAT = 0.12
# A stride of another length than the performer's has this share of its curves at least, and at most.
LEAST_SHARE, MOST_SHARE = 0.2, 1.3

Table = tuple[float, ...]
SwingShape = tuple[Table, Table, Table, Table]
"""Over a swing, at even steps: the share of the way gone, the height (1 the highest), how many ways to the left, and
the foot's pitch.
"""


@dataclass(frozen=True, slots=True, eq=False)
class PerformedFoot:
    """One foot: its swing, its pitch over the stance, and the middle of its stance from its place at rest (ahead, to
    the left), in leg lengths.
    """

    shape: SwingShape
    stance_pitch: Table
    ahead: float
    aside: float

    @property
    def landing_pitch(self) -> float:
        """The pitch that it lands with, toes up negative."""
        return min(0.0, self.shape[3][-1])

    def standing_pitch(self, share: float, landed: float) -> float:
        """The pitch at a share of the stance of a foot that landed with the pitch `landed`."""
        pitch, landing = at_share(self.stance_pitch, share), self.landing_pitch
        if pitch >= 0.0:
            # It lands on its heel or flat, whoever landed on the toes.
            return pitch * smoothstep(share / RAISED_AT)
        return pitch * min(1.0, landed / landing) if landing < 0.0 else 0.0


class Ride(NamedTuple):
    """The body at a moment: sway to the left and surge ahead (leg lengths), pitch, list and yaw (radians)."""

    sway: float
    surge: float
    pitch: float
    list: float
    yaw: float

    def hip(self, arm: Vector, leg_length: float) -> Vector:
        """Where a hip is that lies at `arm` from the middle of all hips at rest, but for rise and sink."""
        turn = Quaternion(Z, self.yaw) @ Quaternion(Y, self.list) @ Quaternion(X, self.pitch)
        return Vector((self.sway * leg_length, -self.surge * leg_length, 0.0)) + turn @ arm


@dataclass(frozen=True, slots=True, eq=False)
class Performed:
    """A performance, ready to be walked. `stride` is its length in leg lengths, `sink` how much lower than at rest the
    hips are on average; the body's curves are over the gait's own clock, the tilt's without its mean.
    """

    feet: tuple[PerformedFoot, ...]
    stride: float
    sink: float
    bob: Curve
    sway: Curve
    surge: Curve
    pitch: Curve
    list: Curve
    yaw: Curve

    def ride(self, phase: float, share: float) -> Ride:
        """The body at a phase of the clock, with this share of its curves."""
        curves = (self.sway, self.surge, self.pitch, self.list, self.yaw)
        return Ride(*(at_phase(curve, phase) * share for curve in curves))

    def sink_at(self, phase: float, share: float) -> float:
        """How far the hips are below their height at rest (leg lengths), with this share of their bob."""
        return self.sink - share * at_phase(self.bob, phase)

    def share(self, stride: float) -> float:
        """How much of the curves a stride of so many leg lengths has."""
        return min(MOST_SHARE, max(LEAST_SHARE, stride / self.stride))


def performed_from(curves: GaitCurves, offsets: Sequence[float], duties: Sequence[float]) -> Performed:
    """What walking needs of a performance; the feet land at `offsets` of its clock and stand for `duties` of it."""
    stride = curves.speed * curves.period
    mean = sum(curves.pitch) / len(curves.pitch)
    return Performed(
        feet=tuple(_foot(*each, stride) for each in zip(curves.feet, offsets, duties, strict=True)),
        stride=stride,
        sink=curves.rest_height - curves.hip_height,
        bob=curves.bob,
        sway=curves.sway,
        surge=curves.surge,
        pitch=tuple(value - mean for value in curves.pitch),
        list=curves.list,
        yaw=curves.yaw,
    )


def at_share(table: Table, share: float) -> float:
    """A table's value at a share from 0 to 1 of what it spans, straight between its entries."""
    x = min(1.0, max(0.0, share)) * (len(table) - 1)
    k = min(floor(x), len(table) - 2)
    return table[k] + (table[k + 1] - table[k]) * (x - k)


def played_timing(curves: GaitCurves) -> tuple[list[float], list[float]]:
    """When feet that do not slide land, and how long they stand: while the performer's are within CREEP of the place
    that they have in the middle of their stance.

    A captured foot is down before it has come to rest, and creeps while its toes leave. All feet lose the same, so that
    their order stays. Feet that slide throughout, as on the spot they often do, lose nothing.
    """
    stride = curves.speed * curves.period
    trims = [_trims(foot, stride) for foot in curves.feet]
    first, last = (sum(trim[k] for trim in trims) / len(trims) for k in (0, 1))
    held = min(1.0, MOST_TRIMMED / max(first + last, 1e-9))
    offsets = [(foot.offset + held * first) % 1.0 for foot in curves.feet]
    return offsets, [foot.duty - held * (first + last) for foot in curves.feet]


def _trims(foot: FootCurves, stride: float) -> tuple[float, float]:
    """How much of the stride a foot still creeps after its landing, and already before it leaves."""

    def creeps(share: float) -> bool:
        phase = foot.offset + share * foot.duty
        return abs(at_phase(foot.forward, phase) + stride * phase - middle) > CREEP

    at = foot.offset + 0.5 * foot.duty
    middle = at_phase(foot.forward, at) + stride * at
    if any(creeps(k / 100.0) for k in range(25, 76)):
        return 0.0, 0.0
    first = next(k for k in range(26) if not creeps(k / 100.0))
    last = next(k for k in range(26) if not creeps(1.0 - k / 100.0))
    return first / 100.0 * foot.duty, last / 100.0 * foot.duty


def _foot(foot: FootCurves, offset: float, duty: float, stride: float) -> PerformedFoot:
    lift, land = offset + duty, offset + 1.0
    shares = [k / STEPS for k in range(STEPS + 1)]
    swing = [lift + (land - lift) * share for share in shares]
    stance = [offset + duty * share for share in shares]
    # In the ground's frame: a standing foot is at one place.
    ways = [at_phase(foot.forward, phase) + stride * phase for phase in swing]
    sides, heights = [at_phase(foot.side, phase) for phase in swing], [at_phase(foot.lift, phase) for phase in swing]
    # A captured foot creeps while it stands and is up already when it leaves: ours leaves from where it landed.
    anchor = offset + ANCHOR * duty
    stood = at_phase(foot.forward, anchor) + stride * anchor
    gone = _from_to([(way - stood) / stride for way in ways], 0.0, 1.0)
    rises = [max(0.0, height) for height in _from_to(heights, 0.0, 0.0)]
    top = max(*rises, 1e-6)
    middle = offset + 0.5 * duty
    return PerformedFoot(
        shape=(
            tuple(gone),
            tuple(rise / top for rise in rises),
            tuple((side - _line(sides, share)) / stride for side, share in zip(sides, shares, strict=True)),
            tuple(_pitched(at_phase(foot.pitch, phase)) for phase in swing),
        ),
        stance_pitch=tuple(_pitched(at_phase(foot.pitch, phase)) for phase in stance),
        ahead=at_phase(foot.forward, anchor) + stride * (ANCHOR - 0.5) * duty,
        aside=at_phase(foot.side, middle),
    )


def _pitched(pitch: float) -> float:
    return pitch * smoothstep(abs(pitch) / FLAT)


def _from_to(values: list[float], first: float, last: float) -> list[float]:
    """Values over a swing that begin and end as asked: what they are off fades, the more the longer it takes."""
    count = len(values) - 1
    off, late = values[0] - first, values[-1] - last
    soon, before = (min(1.0, max(FADES, abs(most) / FADES_AT)) for most in (off, late))
    return [
        value - off * (1.0 - smoothstep(k / count / soon)) - late * (1.0 - smoothstep((1.0 - k / count) / before))
        for k, value in enumerate(values)
    ]


def _line(values: list[float], share: float) -> float:
    """The straight line between the first and the last value."""
    return values[0] + (values[-1] - values[0]) * share
