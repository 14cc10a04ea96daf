"""What the planner knows of a body: where each leg hangs, how long it is, what of it stands on the ground.

A shape comes from a rig or from four numbers (`make_legs`), so that a gait can be planned with no armature at all.
Model space: metres, Z up, facing -Y, the rest pose's ground at z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, dist, hypot, sqrt

from mathutils import Vector

from ..rig.rig import Leg, Rig, Side, Stance
from .blade import Blade, blade_of
from .neck import Neck, NeckReach
from .spine import Spine, Spring

# How much of its rest bend a leg gives up when it stretches.
STRETCH = 0.6
SPRINGY = 0.985
# A knee is folded no further than this by a foot that is lifted (radians): its calf is at its thigh.
FOLDED = 2.7
# What stands for a body's height where nothing has a length, metres.
NO_HEIGHT = 1e-3

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class LegShape:
    """One leg at rest.

    hip: the joint that it hangs on. tip: the last joint, that the foot turns about (the ankle; the sole itself for a
    point foot). pivot: what the foot rolls about when the heel lifts (the toe joint, or the sole's front end).
    heel, ball: the sole's two ends. `length` is the sum of the segments. `toe_out` is the foot's own heading relative
    to the body's. `rolls` is False for a foot that cannot lift its heel (a point foot). `blade` is the shoulder blade
    that it hangs on. `foot_length` is from heel to ball, along the ground, `toe` what the toes are ahead of the ball.
    `shortest` is the distance from hip to tip that a leg of two segments folds to; 0 for others, which tell of none.
    """

    role: str
    side: Side
    order: int
    stance: Stance
    hip: Point
    tip: Point
    pivot: Point
    heel: Point
    ball: Point
    length: float
    toe_out: float
    rolls: bool
    blade: Blade | None = None
    toe: float = 0.0
    shortest: float = 0.0
    foot_length: float = field(init=False)

    def __post_init__(self) -> None:
        # Asked for in every tick, so worked out once.
        across, along = self.ball[0] - self.heel[0], self.ball[1] - self.heel[1]
        object.__setattr__(self, "foot_length", hypot(across, along))

    def cap(self, extension: float) -> float:
        """The share of its length that this leg stretches to in a stride: one that rests bent keeps some bend, and only
        one that stands on its whole sole is ever straight.
        """
        rest = dist(self.hip, self.tip) / self.length
        if self.stance != "PLANTIGRADE":
            extension = min(extension, SPRINGY)
        return min(extension, rest + STRETCH * (1.0 - rest))


@dataclass(frozen=True, slots=True)
class BodyShape:
    """All legs, front to back and left before right, and the height of the hips over the ground.

    tempo: how much slower than a 0.9 m leg this body does everything: times go with the root of length (Froude).
    stature: the leg that steps are measured by: the hips' height, or half a leg's length where legs sprawl.
    pairs: how many girdles there are.
    spine: what a bend of the spine does to the girdles; None where the body is one piece.
    neck: how far a neck can hold the head ahead and back; None where it holds none.
    erect: how upright the trunk is: a body that is level already does not fold for a crouch.
    """

    legs: tuple[LegShape, ...]
    leg_length: float
    spine: Spring | None = None
    neck: NeckReach | None = None
    erect: float = 1.0
    tempo: float = field(init=False)
    stature: float = field(init=False)
    pairs: int = field(init=False)

    def __post_init__(self) -> None:
        # Asked for many times in every tick, so worked out once. A body without legs is refused by the gait.
        half = 0.5 * sum(leg.length for leg in self.legs) / max(1, len(self.legs))
        stature = max(self.leg_length, half)
        # Feet over the hips leave no height to take a pace from: the legs' own length stands for it.
        height = self.leg_length if self.leg_length > 0.0 else max(stature, NO_HEIGHT)
        object.__setattr__(self, "tempo", sqrt(height / 0.9))
        object.__setattr__(self, "stature", stature)
        object.__setattr__(self, "pairs", max((leg.order for leg in self.legs), default=-1) + 1)

    @property
    def span(self) -> float:
        """How much ground the feet of a standing body cover, metres: the longer side."""
        x, y = ([leg.ball[k] for leg in self.legs] for k in (0, 1))
        return max(max(x) - min(x), max(y) - min(y))


def shape_of(rig: Rig) -> BodyShape:
    """The shape of a rig's legs, with the rest pose's floor put at z = 0."""
    spine, neck = Spine.of(rig), Neck.of(rig)
    legs = tuple(_leg_shape(rig, leg, blade_of(rig, i)) for i, leg in enumerate(rig.legs))
    spring, reach = spine.spring() if spine else None, neck.reach() if neck else None
    return BodyShape(legs, rig.leg_length, spring, reach, erect_share(rig))


def erect_share(rig: Rig) -> float:
    """How upright a trunk is, from the middle of the hips to its top: 1 a person's, near 0 a bird's."""
    if not rig.legs or not rig.spine:
        return 1.0
    bones = rig.skeleton.bones
    top = bones[rig.neck[0]].head if rig.neck else bones[rig.spine[-1]].tail
    up = top - sum((leg.hip for leg in rig.legs), Vector()) / len(rig.legs)
    return max(0.0, up.z / up.length) if up.length > NO_HEIGHT else 1.0


def _leg_shape(rig: Rig, leg: Leg, blade: Blade | None) -> LegShape:
    floor = rig.floor

    def down(v: Vector) -> Point:
        return (v.x, v.y, v.z - floor)

    heel, ball, toe = down(leg.sole.heel), down(leg.sole.ball), down(leg.sole.toe)
    pivot = down(rig.skeleton.bones[leg.toes[0]].head) if leg.toes else ball
    span = hypot(ball[0] - heel[0], ball[1] - heel[1])
    rolls = leg.stance != "POINT" and leg.foot >= 0 and span > 0.02 * rig.leg_length
    toe_out = atan2(ball[0] - heel[0], -(ball[1] - heel[1])) if rolls else 0.0
    lengths = [(b - a).length for a, b in pairwise(leg.chain)]
    return LegShape(
        role=leg.role,
        side=leg.side,
        order=leg.order,
        stance=leg.stance,
        hip=down(leg.hip),
        tip=down(leg.chain[-1]),
        pivot=pivot,
        heel=heel,
        ball=ball,
        length=sum(lengths),
        toe_out=toe_out,
        rolls=rolls,
        blade=blade,
        toe=hypot(toe[0] - ball[0], toe[1] - ball[1]),
        shortest=_folded(*lengths) if len(lengths) == 2 else 0.0,
    )


def _folded(upper: float, lower: float) -> float:
    """The distance between the ends of two segments whose joint is folded."""
    return sqrt(upper * upper + lower * lower + 2.0 * upper * lower * cos(FOLDED))


def make_legs(count: int, length: float, width: float, hip_height: float) -> BodyShape:
    """Mirror pairs of legs along a body: `length` from the first hips to the last, `width` from left foot to right.

    Two-segment legs of 1.03 times the hip height, standing on their tips; two legs get feet a quarter of that long.
    """
    if count < 2 or count % 2:
        raise ValueError(f"make_legs lays out pairs; {count} legs are no pairs.")
    if min(width, hip_height) <= 0.0 or length < 0.0:
        raise ValueError("make_legs needs a positive width and hip height, and a length of at least 0.")
    pairs = count // 2
    return BodyShape(tuple(_made_leg(i, pairs, length, width, hip_height) for i in range(count)), hip_height)


def _made_leg(i: int, pairs: int, length: float, width: float, hip_height: float) -> LegShape:
    order, left = i // 2, i % 2 == 0
    y = 0.0 if pairs == 1 else length * (order / (pairs - 1) - 0.5)
    x = width / 2.0 * (1.0 if left else -1.0)
    walks_upright = pairs == 1
    foot, ankle = (0.25 * hip_height, 0.08 * hip_height) if walks_upright else (0.0, 0.0)
    ball = (x, y - 0.7 * foot, 0.0)
    names = {1: ("leg",), 2: ("front_leg", "hind_leg"), 3: ("front_leg", "middle_leg", "hind_leg")}
    stem = names[pairs][order] if pairs in names else f"leg{order + 1}"
    return LegShape(
        role=f"{stem}.{'L' if left else 'R'}",
        side="L" if left else "R",
        order=order,
        stance="PLANTIGRADE" if walks_upright else "POINT",
        hip=(x, y, hip_height),
        tip=(x, y, ankle),
        pivot=ball,
        heel=(x, y + 0.3 * foot, 0.0),
        ball=ball,
        length=1.03 * (hip_height - ankle),
        toe_out=0.0,
        rolls=walks_upright,
    )
