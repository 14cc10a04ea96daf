"""Getting up over the legs: a body whose trunk goes ahead, on two, four or more legs, and without any.

It rolls onto its belly, its legs folded under it as if it rested, so that its feet come down where it will stand; then
the legs push it up. A horse brings its front up first (K. Houpt, "Domestic Animal Behavior", 1982); on paws front and
hind come up together, the hind legs a little sooner; six and eight legs push evenly. A body with so many legs that is
on its back stretches them out and goes over those of one side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import asin, atan2, cos, pi, sin

from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import bring_tip
from ..layers.moves_limbs import Limbs
from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Leg, Rig
from ..space.curves import share_of, smootherstep, smoothstep
from .config import RestConfig
from .folding import RestingPlace, resting_place
from .rise_config import RiseStyle
from .rise_points import BodyPoints, Point
from .rise_poses import HoldSpan

X, Z, AHEAD = Vector((1.0, 0.0, 0.0)), Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
# How far it is rolled about its length, as it lies.
ROLLS = {"PRONE": 0.0, "LEFT": -0.5 * pi, "RIGHT": 0.5 * pi, "SUPINE": pi}
# Seconds for a 0.9 m leg: to roll by half a turn, to gather itself, to come up; a spring takes this share of all.
ROLLING, GATHERS, COMING_UP, QUICK = 1.8, 0.25, 1.1, 0.6
# By how much of the time hooves bring up the front first, and paws the hind legs.
HOOVES, PAWS = 0.3, -0.12
# How high over the floor hips are of a body that lies on its folded legs, in legs, where they fold so far.
FOLDED = RestConfig(height=0.24, front=0.26)
# So many legs are stretched out by this share of their length, and carry the body over by this share of it.
MANY, STRETCHED, OVER_THEM = 6, 0.9, 0.62
# Feet are planted that are so near to their places, in legs.
THERE = 1e-3
# A neck is laid along the body that lies on its back by this share.
LAID = 0.9
EVERY, LOOKS = 0.1, 24


class LegBody:
    """What of a rig is the same for all ways to get up over its legs. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints) -> None:
        self.rig, self.limbs, self.points = rig, limbs, points
        hips = [leg.hip for leg in rig.legs]
        self.centre = sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head.copy()
        last = max((leg.order for leg in rig.legs), default=0)
        self.front = [i for i, leg in enumerate(rig.legs) if leg.order == 0] if last == 1 else []
        self.rear = [i for i, leg in enumerate(rig.legs) if leg.order == last or last != 1]
        self.lead = (PAWS if rig.legs[0].stance == "DIGITIGRADE" else HOOVES) if self.front else 0.0
        self.low = self.height(Quaternion())
        # How high many legs carry the body that goes over them, metres.
        longest = max((sum(leg.lengths) for leg in rig.legs), default=0.0)
        self.carried = OVER_THEM * longest if len(rig.legs) >= MANY else 0.0

    def middle(self, legs: Sequence[int]) -> Vector:
        """The middle of the hips of some legs at rest."""
        return sum((self.rig.legs[i].hip for i in legs), Vector()) / len(legs)

    @cached_property
    def folded(self) -> tuple[float, float, float]:
        """How far down the rear and the front hips are of a body on its folded legs, and how far back it is, metres."""
        if not self.rig.legs:
            return -self.low, -self.low, 0.0
        place: RestingPlace = resting_place(self.rig, FOLDED, self.rig.leg_length, self.rear, self.front)
        rear = self.middle(self.rear).z - self.rig.floor - place.rear
        front = self.middle(self.front).z - self.rig.floor - place.front if self.front else rear
        # Its belly is no deeper than on the floor.
        return min(rear, -self.low), min(front, -self.low), place.back

    def height(self, turn: Quaternion) -> float:
        """How far the middle of the hips is over its place of a standing body while a turned trunk is on the floor."""
        low = min((self._lowest(turn, point) for point in self.points.trunk), default=self.rig.floor)
        return self.rig.floor - low

    def _lowest(self, turn: Quaternion, point: Point) -> float:
        return float((turn @ (point.at - self.centre) + self.centre).z) - point.radius


class LegSource:
    """One way to lie of one rig, whose legs bring it up. Immutable."""

    is_take = False

    def __init__(self, body: LegBody, lies: str, style: RiseStyle, tempo: float, over: float = 1.0) -> None:
        """`over`: 1 for a body that rolls from its back over its left side, -1 over its right one."""
        self.body, self.rig, self.limbs, self.lies, self.style = body, body.rig, body.limbs, lies, style
        self.name = f"{lies} {'LEFT' if over > 0.0 else 'RIGHT'}"
        self.roll = ROLLS[lies] * (-over if lies == "SUPINE" else 1.0)
        pace = tempo * (QUICK if style == "QUICK" else 1.0)
        self.rolls = ROLLING * pace * abs(self.roll) / pi
        self.rises = self.rolls + GATHERS * pace
        self.seconds = self.rises + COMING_UP * pace

    @cached_property
    def begins(self) -> tuple[float, ...]:
        """The times at which a body may enter: on its way over, the first one first."""
        return tuple(k * EVERY for k in range(int(self.rolls / EVERY) + 1))

    @cached_property
    def holds(self) -> tuple[HoldSpan, ...]:
        """Each foot from when it is in its place on, to the end and on."""
        pose = EditedPose.rest(self.rig.skeleton)
        left = {self._foot(leg): leg for leg in self.rig.legs}
        found = []
        for k in range(LOOKS + 1):
            time = self.rolls + (self.seconds - self.rolls) * k / LOOKS
            self.lay(pose, time)
            for role, leg in list(left.items()):
                off = self.limbs.known[role].limb.tip_of(pose) - leg.chain[-1]
                if off.length <= THERE * self.rig.leg_length or k == LOOKS:
                    found.append(HoldSpan(role, min(time, self.seconds - EVERY), self.seconds, True))
                    del left[role]
        return tuple(found)

    @staticmethod
    def _foot(leg: Leg) -> str:
        return leg.role.replace("leg", "foot")

    def lay(self, pose: EditedPose, time: float) -> None:
        """Bring a pose to a time."""
        for i in range(len(pose.rotations)):
            pose.set_basis(i, NO_TURN, None)
        rolled = smootherstep(share_of(time, 0.0, self.rolls)) if self.rolls > 0.0 else 1.0
        roll = self.roll * (1.0 - rolled)
        body = self._placed(roll, share_of(time, self.rises, self.seconds))
        pose.set_model(self.rig.body, body @ self.rig.skeleton.bones[self.rig.body].rest)
        self._neck(pose, 0.5 - 0.5 * cos(roll))
        for leg in self.rig.legs:
            self._leg(pose, leg, body, roll)

    def _placed(self, roll: float, share: float) -> Matrix:
        """Where the body is that is rolled, or has come up so far: from the rest pose in model space."""
        rear, front, back = self.body.folded
        up_front, up_rear = self._risen(share)
        rear, front, back = rear * (1.0 - up_rear), front * (1.0 - up_front), back * (1.0 - 0.5 * (up_rear + up_front))
        length = self.body.middle(self.body.rear).y - self.body.middle(self.body.front).y if self.body.front else 0.0
        tip = asin(max(-0.9, min(0.9, (front - rear) / length))) if length > 1e-6 else 0.0
        flat = max(0.0, cos(roll)) if abs(roll) < pi else 0.0
        turn = Quaternion(AHEAD, roll) @ Quaternion(X, tip * flat)
        on_legs = -0.5 * (rear + front)
        up = on_legs
        if roll:
            up = self.body.height(turn) + (on_legs - self.body.low) * smoothstep(flat)
            up += self.body.carried * sin(roll) ** 2
        at = Matrix.Translation(self.body.centre + Vector((0.0, back, up)))
        return at @ turn.to_matrix().to_4x4() @ Matrix.Translation(-self.body.centre)

    def _risen(self, share: float) -> tuple[float, float]:
        """How far the front and the rear have come up."""
        late = abs(self.body.lead)
        first, last = smootherstep(share / (1.0 - late)), smootherstep((share - late) / (1.0 - late))
        return (first, last) if self.body.lead >= 0.0 else (last, first)

    def _neck(self, pose: EditedPose, over: float) -> None:
        """Lay the neck along a body that is on its back."""
        chain: Sequence[int] = (*self.rig.neck, *((self.rig.head,) if self.rig.head >= 0 else ()))
        if not chain or over <= 0.0:
            return
        bones = self.rig.skeleton.bones
        line = bones[chain[-1]].tail - bones[chain[0]].head
        angle = atan2(line.z, max(-line.y, 0.05 * line.length)) * LAID * over
        across = pose.moved(self.rig.body).to_quaternion() @ X
        pose.turn_by(chain[0], Quaternion(across, angle))

    def _leg(self, pose: EditedPose, leg: Leg, body: Matrix, roll: float) -> None:
        """One leg: folded with the body, so that its foot is where it stands once that is on its belly."""
        known, stands = self.limbs.known[self._foot(leg)], leg.chain[-1]
        turn = body.to_quaternion()
        goal = stands.copy()
        if roll:
            rear, front, back = self.body.folded
            resting = Vector((0.0, back, -0.5 * (rear + front)))
            own = stands - resting
            if len(self.rig.legs) >= MANY:
                out = Vector((stands.x - leg.hip.x, stands.y - leg.hip.y, 0.0))
                wide = leg.hip + out.normalized() * (STRETCHED * sum(leg.lengths)) if out.length > 0.0 else own
                own = own.lerp(wide, smoothstep(share_of(abs(roll), 0.0, 0.5 * pi)))
            goal = body @ own
        goal.z = max(goal.z, stands.z)
        bring_tip(pose, known.limb, goal)
        if leg.foot >= 0:
            flat = self.rig.skeleton.bones[leg.foot].rest.to_quaternion()
            lies = 1.0 - smoothstep(share_of(abs(roll), 0.0, 0.25 * pi))
            own_turn = turn @ flat
            self._lay_foot(pose, leg, own_turn.slerp(flat if own_turn.dot(flat) >= 0.0 else -flat, lies))

    def _lay_foot(self, pose: EditedPose, leg: Leg, turn: Quaternion) -> None:
        known = self.limbs.known[self._foot(leg)]
        if not leg.detached:
            pose.set_turn(leg.foot, turn)
            return
        matrix = turn.to_matrix().to_4x4()
        matrix.translation = known.limb.tip_of(pose) - turn @ known.root
        pose.set_model(leg.foot, matrix)


def leg_sources(rig: Rig, limbs: Limbs, points: BodyPoints, tempo: float) -> list[LegSource]:
    """All ways for a rig to get up over its legs."""
    styles: tuple[RiseStyle, ...] = ("ORDINARY", "QUICK")
    body, found = LegBody(rig, limbs, points), []
    for style in styles:
        found += [LegSource(body, lies, style, tempo) for lies in ("PRONE", "LEFT", "RIGHT", "SUPINE")]
        found.append(LegSource(body, "SUPINE", style, tempo, -1.0))
    return found
