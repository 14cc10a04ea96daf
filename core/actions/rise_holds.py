"""Hands and feet that push: where each is planted on the floor that there is, and how it goes there and on."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..layers.masks import nearer
from ..layers.moves_limbs import Limbs
from ..layers.moves_touching import Goal, lying
from ..rig.edited_pose import EditedPose
from ..rig.rig import Leg, Rig
from ..space.curves import share_of, smootherstep, smoothstep
from ..space.vectors import cross, triple
from ..world.world import World
from .rise_memory import Frame, Planted, RiseMemory
from .rise_places import Spot, spot_for
from .rise_points import BodyPoints, Point
from .rise_poses import Source

UP, FORWARD = Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
# A limb comes to its place and leaves it in so long, seconds for a 0.9 m leg; one that is down for less is not planted.
COMES, LEAVES, LEAST = 0.34, 0.24, 0.06
# A limb is let go where the body is farther from its place than this share of its length; so often that is looked at.
REACHES, LOOKS = 0.96, 16
# A limb draws the body within its reach from this share of being planted on, up to all of it.
DRAWS = 0.3
# The last steps onto the places of a body that stands: how long each takes, how high it is for its length, and at most.
STEP, HIGH, HIGHEST = 0.34, 0.35, 0.09
# What is off by less than this (in legs) is no step.
NO_STEP = 0.004


class Moment(NamedTuple):
    """When a pose is: the time of the source, how much of it is shown, and the time at which the last steps begin."""

    clock: float
    share: float
    steps: float


class Holds:
    """What is planted, on one rig. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints) -> None:
        self.rig, self.limbs, self.palms = rig, limbs, points.palms
        self.thick = {role: self._thick(role, points.skins[role]) for role in points.palms if role in points.skins}
        self.tempo, self.size = (rig.leg_length / 0.9) ** 0.5, rig.leg_length
        self.comes = COMES * self.tempo
        self.soles = {
            leg.role.replace("leg", "foot"): rig.skeleton.unrest[leg.foot].to_quaternion()
            @ (leg.sole.heel - leg.sole.ball)
            for leg in rig.legs
            if leg.foot >= 0 and (leg.sole.heel - leg.sole.ball).length > 1e-6
        }
        self.reaches = {role: self._reaches(role) for role in limbs.known}
        self.toes = {toes.role: toes for toes in (_Toes.of(rig, leg, limbs) for leg in rig.legs) if toes is not None}

    def _thick(self, role: str, skin: Sequence[Point]) -> float:
        """How far the skin of a hand that lies flat is under what of its bone touches, metres."""
        known = self.limbs.known[role]
        back = self.rig.skeleton.unrest[known.end]
        lies = (known.touch.lying @ (back @ point.at - known.touch.point) for point in skin)
        return max((-at.z for at in lies), default=0.0)

    def _reaches(self, role: str) -> tuple[float, ...]:
        """How far a hand or a foot reaches from what touches, along where it points, metres."""
        known = self.limbs.known[role]
        if role in self.palms:
            bone = self.rig.skeleton.bones[known.end]
            ahead = known.touch.lying.inverted() @ FORWARD
            tip = Vector((0.0, bone.length, 0.0))
            return tuple((end - known.touch.point).dot(ahead) for end in (known.root, tip))
        leg = next((leg for leg in self.rig.legs if leg.role.replace("leg", "foot") == role), None)
        if leg is None or leg.foot < 0:
            return ()
        return tuple(leg.sole.ball.y - end.y for end in (leg.sole.heel, leg.sole.toe))

    def contact(self, pose: EditedPose, role: str) -> Vector:
        """What of a hand or a foot touches the floor, as posed: a palm, or a ball that its toes may carry."""
        toes = self.toes.get(role)
        return self.limbs.known[role].place(pose) if toes is None else pose.moved(toes.bone) @ toes.ball

    def planted(self, source: Source, memory: RiseMemory, tilted: Tilted, world: World) -> tuple[Planted, ...]:
        """The places of all that is planted once the body is led into a source."""
        frame = memory.frame
        found, free = [], dict[str, float]()
        pose = EditedPose.rest(self.rig.skeleton)
        for span in source.holds:
            start = max(span.start, memory.led)
            if span.end - start < LEAST * self.tempo or span.limb not in self.limbs.known:
                continue
            source.lay(pose, start)
            tilted.lay(pose)
            found_spot = self._spot(pose, span.limb, frame, world)
            if found_spot is None:
                continue
            spot, along = found_spot
            left = free.get(span.limb, -1.0)
            planted = Planted(span.limb, start, span.end, *spot, triple(along), left, span.lasts)
            if not span.lasts:
                planted = planted._replace(end=self._within_reach(source, planted, tilted))
            if planted.end - start >= LEAST * self.tempo:
                found.append(planted)
                free[span.limb] = planted.end
        return tuple(found)

    def _within_reach(self, source: Source, planted: Planted, tilted: Tilted) -> float:
        """Until when a limb reaches its place: the body goes on and is not held back by it."""
        pose, limb = EditedPose.rest(self.rig.skeleton), self.limbs.known[planted.limb]
        for k in range(LOOKS + 1):
            time = planted.start + (planted.end - planted.start) * k / LOOKS
            source.lay(pose, time)
            tilted.lay(pose)
            goal = Goal(planted.limb, Vector(planted.place), None, 1.0)
            joints = limb.limb.joints(pose)
            total = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
            if (limb.joint(pose, goal) - joints[0]).length > REACHES * total:
                return max(planted.start, time - (planted.end - planted.start) / LOOKS)
        return planted.end

    def _spot(self, pose: EditedPose, role: str, frame: Frame, world: World) -> tuple[Spot, Vector] | None:
        """Where a hand or a foot is planted that is posed so, and where its fingers or toes point there."""
        own, toes = self.contact(pose, role), self.toes.get(role)
        known = self.limbs.known[role]
        if toes is not None:
            own = known.place(pose) - toes.over(pose.turn(known.end), UP)
        along = self._along(pose, role, UP)
        spot = spot_for(world, frame, self.rig.floor, own, along, self.reaches[role], self.size)
        return None if spot is None else (spot, self._along(pose, role, Vector(spot.normal)))

    def share(self, planted: Planted, moment: Moment, led: float) -> float:
        """How much a limb is where it is planted: not at all before `led`, the time to which the body is led in."""
        start = max(planted.start, led)
        if not planted.lasts and planted.end - start < LEAST * self.tempo:
            return 0.0
        comes = smoothstep(share_of(moment.clock, max(start - self.comes, planted.free), start))
        leaves = (
            0.0 if planted.lasts else smoothstep(share_of(moment.clock, planted.end, planted.end + LEAVES * self.tempo))
        )
        return comes * (1.0 - leaves)

    def goals(
        self, pose: EditedPose, holds: Sequence[Planted], moment: Moment, led: float, stood: EditedPose | None
    ) -> list[Goal]:
        """Where limbs belong now, model space of the frame. `stood` is the standing pose there, once it has a say."""
        found: dict[str, Goal] = {}
        for planted in holds:
            share = self.share(planted, moment, led)
            if share > 0.0:
                goal = self._goal(pose, planted, share, moment, stood)
                before = found.get(planted.limb)
                found[planted.limb] = goal if before is None else _between(before, goal)
        return list(found.values())

    def _goal(self, pose: EditedPose, planted: Planted, share: float, moment: Moment, stood: EditedPose | None) -> Goal:
        limb = self.limbs.known[planted.limb]
        normal, place = Vector(planted.normal), Vector(planted.place)
        if limb.is_hand:
            lies = planted.limb in self.palms
            turn = lying(limb, pose, normal, Vector(planted.along), 0.0) if lies else None
            thick = self.thick.get(planted.limb, 0.0)
            return Goal(planted.limb, place + normal * thick, turn, share)
        turn = UP.rotation_difference(normal) @ pose.turn(limb.end)
        # It does not turn on the spot, however the leg over it does.
        points, along = self._points(planted.limb, turn, normal), Vector(planted.along)
        if points.length > 0.0 and along.length > 0.0:
            turn = Quaternion(normal, atan2(cross(points, along).dot(normal), points.dot(along))) @ turn
        turn = self._level(planted.limb, turn, normal)
        if planted.lasts and stood is not None:
            place, turn = self._stepped(planted, moment, stood, place, turn)
        toes = self.toes.get(planted.limb)
        return Goal(planted.limb, place if toes is None else place + toes.over(turn, normal), turn, share)

    def held(self, goals: Sequence[Goal], holds: Sequence[Planted], moment: Moment) -> dict[str, float]:
        """How much each limb is kept where it is planted: on its last step a foot is in the air in between."""
        found = {goal.limb: goal.share for goal in goals}
        for planted in holds:
            if planted.lasts and planted.limb in found:
                s = smootherstep(self._step(planted, moment))
                found[planted.limb] *= 1.0 - 4.0 * s * (1.0 - s)
        return found

    def _step(self, planted: Planted, moment: Moment) -> float:
        """How much of its last step a foot has done: feet on the right begin after those on the left."""
        first = moment.steps + (0.0 if planted.limb.endswith(".L") else 0.5 * STEP * self.tempo)
        return share_of(moment.clock, first, first + STEP * self.tempo)

    def missing(self, pose: EditedPose, goals: Sequence[Goal]) -> Vector:
        """Where the body has to go so that all that is planted is within reach.

        What is planted less draws less: of how much farther the body would go with it than without it, its share.
        """
        rest = sorted(goals, key=lambda goal: (goal.share, goal.limb), reverse=True)
        shift = Vector()
        for count, goal in enumerate(rest, 1):
            own = smoothstep(share_of(goal.share, DRAWS, 1.0))
            if own <= 0.0:
                break
            shift = shift.lerp(self.limbs.missing(pose, [each._replace(share=1.0) for each in rest[:count]]), own)
        return shift

    def lay_toes(self, pose: EditedPose, goals: Sequence[Goal], holds: Sequence[Planted]) -> None:
        """Toes of feet that are planted lie flat, by how much those are."""
        normals = {planted.limb: Vector(planted.normal) for planted in holds}
        for goal in goals:
            toes = self.toes.get(goal.limb)
            if toes is not None:
                flat = toes.flat(pose.turn(self.limbs.known[goal.limb].end), normals[goal.limb])
                pose.set_turn(toes.bone, nearer(pose.turn(toes.bone), flat @ toes.rest, goal.share))

    def _level(self, role: str, turn: Quaternion, normal: Vector) -> Quaternion:
        """A foot's turn, model space, with its heel not under its ball on a floor with a normal."""
        sole = self.soles.get(role)
        if sole is None:
            return turn
        back = turn @ sole
        under = -back.dot(normal)
        flat = back + normal * under
        if under <= 0.0 or flat.length < 1e-6:
            return turn
        axis = cross(back, normal).normalized()
        return Quaternion(axis, atan2(under, flat.length)) @ turn

    def _along(self, pose: EditedPose, role: str, normal: Vector) -> Vector:
        """Where fingers or toes point on a floor, model space, a unit vector; nowhere for a point foot."""
        limb = self.limbs.known[role]
        if limb.touch.bone < 0:
            return Vector()
        if not limb.is_hand:
            return self._points(role, pose.turn(limb.end), normal)
        ahead = pose.turn(limb.end) @ (limb.touch.lying.inverted() @ FORWARD)
        flat = ahead - normal * ahead.dot(normal)
        if flat.length < 0.2:
            # A hand that points straight down comes to lie away from its shoulder.
            ahead = limb.place(pose) - limb.limb.joints(pose)[0]
            flat = ahead - normal * ahead.dot(normal)
        return flat.normalized() if flat.length > 0.0 else FORWARD.copy()

    def _points(self, role: str, foot: Quaternion, normal: Vector) -> Vector:
        """Where a foot of a model rotation points on a floor, a unit vector; nowhere for a point foot."""
        limb = self.limbs.known[role]
        if limb.touch.bone < 0:
            return Vector()
        turn = foot @ limb.touch.lying.inverted()
        ahead, up = turn @ FORWARD, turn @ UP
        # Of a foot on its tip it is its upper side that looks ahead.
        lean, rise = ahead.dot(normal), up.dot(normal)
        along = (ahead - normal * lean) * rise - (up - normal * rise) * lean
        return along.normalized() if along.length > 1e-3 else Vector()

    def _stepped(
        self, planted: Planted, moment: Moment, stood: EditedPose, place: Vector, turn: Quaternion
    ) -> tuple[Vector, Quaternion]:
        """A foot on its last step to where the standing body has it: feet on the right one after those on the left."""
        limb = self.limbs.known[planted.limb]
        u = self._step(planted, moment)
        s = smootherstep(u)
        goal, lies = self.contact(stood, planted.limb), stood.turn(limb.end)
        way = (goal - place).length
        rises = 0.0 if way < NO_STEP * self.size else min(HIGHEST * self.size, HIGH * way)
        at = place.lerp(goal, s)
        # Up onto a step it rises first, down from one it sinks last.
        climbs = goal.z - place.z
        lifted = smoothstep(2.0 * u) if climbs > 0.0 else smoothstep(2.0 * u - 1.0)
        at.z = place.z + climbs * lifted + rises * 4.0 * s * (1.0 - s)
        return at, nearer(turn, lies, s)


def _between(before: Goal, after: Goal) -> Goal:
    """What a limb is to do that leaves one place and comes to the next."""
    total = before.share + after.share
    part = after.share / total
    turn = nearer(before.turn, after.turn, part) if before.turn is not None and after.turn is not None else None
    return Goal(before.limb, before.place.lerp(after.place, part), turn, min(1.0, total))


class _Toes(NamedTuple):
    """The toes of a foot, all of the rest pose (model space): their bone and its turn, their joint, what of the foot
    touches, the ball that they carry, and what undoes the foot's turn at rest.
    """

    role: str
    bone: int
    rest: Quaternion
    joint: Vector
    touch: Vector
    ball: Vector
    unturn: Quaternion

    @classmethod
    def of(cls, rig: Rig, leg: Leg, limbs: Limbs) -> _Toes | None:
        """Those of a leg; None where it has none that carry its ball."""
        if not leg.toes or leg.foot < 0 or leg.sole.ball_bone == leg.foot:
            return None
        role, bones = leg.role.replace("leg", "foot"), rig.skeleton.bones
        bone, foot = leg.sole.ball_bone, bones[leg.foot].rest
        touch = foot @ limbs.known[role].touch.point
        unturn = foot.to_quaternion().inverted()
        return cls(role, bone, bones[bone].rest.to_quaternion(), bones[bone].head, touch, leg.sole.ball.copy(), unturn)

    def flat(self, foot: Quaternion, normal: Vector) -> Quaternion:
        """The turn from rest of toes that lie flat under a foot with a model rotation."""
        turn = foot @ self.unturn
        ahead, up = turn @ Vector((0.0, -1.0, 0.0)), turn @ UP
        # Of a foot on its tip it is its upper side that looks ahead.
        lean, rise = ahead.dot(normal), up.dot(normal)
        along = (ahead - normal * lean) * rise - (up - normal * rise) * lean
        if along.length < 1e-3:
            return turn
        along = along.normalized()
        return Matrix((cross(normal, along), -along, normal)).transposed().to_quaternion()

    def over(self, foot: Quaternion, normal: Vector) -> Vector:
        """From the ball under flat toes to what of the foot touches."""
        turn = foot @ self.unturn
        return turn @ (self.touch - self.joint) - self.flat(foot, normal) @ (self.ball - self.joint)


class Tilted:
    """The slope that a body lies on, as long as it is low: a source that is laid out over level ground is turned."""

    def __init__(self, rig: Rig, normal: Vector, centre: Vector, height: float) -> None:
        """`centre` is the middle of the hips at rest, `height` how high it is over the floor of a body that stands."""
        self.rig, self.centre, self.height = rig, centre, height
        self.whole = UP.rotation_difference(normal)

    def lay(self, pose: EditedPose) -> None:
        """Turn a posed body with the slope, the more the lower it is."""
        body = self.rig.body
        if self.whole.angle < 1e-4:
            return
        high = (pose.moved(body) @ self.centre).z - self.rig.floor
        share = 1.0 - smoothstep(share_of(high / self.height, LOW, STANDS))
        turn = Quaternion().slerp(self.whole, share)
        matrix = turn.to_matrix().to_4x4()
        pivot = Vector((0.0, 0.0, self.rig.floor))
        matrix.translation = pivot - turn @ pivot
        pose.set_model(body, matrix @ pose.model(body))


# Up to the first of these shares of its height a body lies with the slope, from the second on it is upright.
LOW, STANDS = 0.35, 0.85
