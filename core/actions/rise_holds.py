"""Hands and feet that push: where each is planted on the floor that there is, and how it goes there and on."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..layers.masks import nearer
from ..layers.moves_limbs import Limbs
from ..layers.moves_touching import Goal, lying
from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.curves import share_of, smootherstep, smoothstep
from ..space.vectors import cross, quadruple, triple
from ..world.world import World
from .rise_bridges import on_the_way
from .rise_floor import Floor
from .rise_memory import Planted, RiseMemory
from .rise_places import Sole, Spot, spot_for
from .rise_points import BodyPoints, Point
from .rise_poses import HoldSpan, Source
from .rise_reach import Reach
from .rise_tilt import Tilted
from .rise_toes import Toes

UP, FORWARD = Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
# Where a place is in a step, a limb is over it by this share of the time that it comes in, and goes down in the last of
# that.
OVER_IT, DOWN = 0.8, 0.45
# A limb comes to its place and leaves it in so long, seconds for a 0.9 m leg; one that is down for less is not planted.
COMES, LEAVES, LEAST = 0.42, 0.36, 0.06
# A hand begins to turn so much sooner than it comes, and has turned back so much later than it left: on its way it lies
# as the floor does already. It has turned by this share of the time that it comes in.
SOONER, LATER, TURNED = 0.35, 0.3, 0.75
# A hand that points less along a floor than the first number (sine) lies as the trunk goes; more than the second, as it
# points.
POINTS = (0.5, 0.9)
# A limb is let go where the body is farther from its place than this share of its length; so often that is looked at.
REACHES, LOOKS, SPREAD, MOST_SHIFT = 0.975, 16, 4, 0.12
# The last steps onto the places of a body that stands: how long each takes, how high it is for its length, and at most.
STEP, HIGH, HIGHEST = 0.4, 0.35, 0.09
# Which part of its time a foot goes on in and rises in, up onto a step (of so many legs at least), and down from one.
ONWARD, RISES, ONTO, SINKS, ON_STEP = (0.3, 1.0), (0.0, 0.5), (0.0, 0.7), (0.5, 1.0), 0.02
# From foot to foot; a foot that stands on its edge (sine) is not laid flat.
ACROSS, LEAST_EVEN = Vector((1.0, 0.0, 0.0)), 0.3
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
        self.spine, self.reach = tuple(i for i in rig.spine if i != rig.body), Reach(rig, limbs)
        self.reaches = {role: self._reaches(role) for role in limbs.known}
        self.toes = {toes.role: toes for toes in (Toes.of(rig, leg, limbs) for leg in rig.legs) if toes is not None}

    def _thick(self, role: str, skin: Sequence[Point]) -> float:
        """How far the skin of a hand that lies flat is under what of its bone touches, metres."""
        known = self.limbs.known[role]
        back = self.rig.skeleton.unrest[known.end]
        own = {known.end, *self.rig.skeleton.below[known.end]}
        lies = (known.touch.lying @ (back @ point.at - known.touch.point) for point in skin if point.bone in own)
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
        found, free = [], dict[str, float]()
        pose = EditedPose.rest(self.rig.skeleton)
        for span in source.holds:
            start = max(span.start, memory.led)
            if span.end - start < LEAST * self.tempo or span.limb not in self.limbs.known:
                continue
            source.lay(pose, start)
            tilted.lay(pose)
            found_spot = self._spot(pose, span, memory, world, self._shift(source, span, start, tilted))
            if found_spot is None:
                continue
            spot, along = found_spot
            # A limb begins to come when the body begins to rise at the earliest.
            left = free.get(span.limb, memory.entered)
            turn = quadruple(pose.turn(self.limbs.known[span.limb].end))
            uneven = bool(memory.floor.grid)
            planted = Planted(span.limb, start, span.end, *spot, triple(along), left, span.lasts, turn, uneven)
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
            turn = self._palm(pose, planted) if limb.is_hand else None
            goal = Goal(planted.limb, Vector(planted.place), turn, 1.0)
            self.reach.lean(pose, [goal])
            joints = limb.limb.joints(pose)
            total = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
            if (limb.joint(pose, goal) - joints[0]).length > REACHES * total:
                return max(planted.start, time - (planted.end - planted.start) / LOOKS)
        return planted.end

    def _shift(self, source: Source, span: HoldSpan, start: float, tilted: Tilted) -> Vector:
        """From where a hand is as it is planted to the middle of where it is while it is; a foot stays."""
        known = self.limbs.known[span.limb]
        if not known.is_hand or span.lasts:
            return Vector()
        pose, places = EditedPose.rest(self.rig.skeleton), []
        for k in range(SPREAD + 1):
            source.lay(pose, start + (span.end - start) * k / SPREAD)
            tilted.lay(pose)
            places.append(known.place(pose))
        shift = sum(places, Vector()) / len(places) - places[0]
        most = MOST_SHIFT * self.size
        return shift * (most / shift.length) if shift.length > most else shift

    def _spot(
        self, pose: EditedPose, span: HoldSpan, memory: RiseMemory, world: World, shift: Vector
    ) -> tuple[Spot, Vector] | None:
        """Where a hand or a foot is planted that is posed so, and where its fingers or toes point there."""
        role = span.limb
        own, toes = self.contact(pose, role) + shift, self.toes.get(role)
        known = self.limbs.known[role]
        if toes is not None:
            own = known.place(pose) - toes.over(pose.turn(known.end), UP)
        along = self._along(pose, role, UP)
        sole, slope = Sole(along, self.reaches[role]), Vector(memory.normal)
        spot = spot_for(world, memory.frame, self.rig.floor, own, sole, slope, self.size)
        return None if spot is None else (spot, self._along(pose, role, Vector(spot.normal)))

    def share(self, planted: Planted, moment: Moment, led: float) -> float:
        """How much a limb is where it is planted: not at all before `led`, the time to which the body is led in."""
        start = max(planted.start, led)
        if not planted.lasts and planted.end - start < LEAST * self.tempo:
            return 0.0
        comes = share_of(moment.clock, max(start - self.comes, planted.free), start)
        leaves = share_of(moment.clock, planted.end, planted.end + LEAVES * self.tempo)
        if planted.uneven:
            # It is over its place before it goes down to it, and comes up before it goes.
            comes, leaves = (
                comes if comes >= 1.0 else min(0.99, comes / OVER_IT),
                max(0.0, leaves - 1.0 + OVER_IT) / OVER_IT,
            )
            leaves = max(leaves, 0.01) if moment.clock > planted.end else 0.0
        return smoothstep(comes) * (1.0 if planted.lasts else 1.0 - smoothstep(leaves))

    def lows(
        self, holds: Sequence[Planted], moment: Moment, led: float, stood: EditedPose | None
    ) -> dict[str, tuple[tuple[float, float, float], float]]:
        """The floors of limbs where all else is kept over a board on an uneven one: the plane of the place of each (see
        Floor), and how far it may go down to that.
        """
        found: dict[str, tuple[tuple[float, float, float], float]] = {}
        for planted in holds:
            if not planted.uneven:
                continue
            start, (x, y, z), (nx, ny, nz) = max(planted.start, led), planted.place, planted.normal
            comes = share_of(moment.clock, max(start - DOWN * self.comes, planted.free), start)
            leaves = share_of(moment.clock, planted.end, planted.end + DOWN * LEAVES * self.tempo)
            down = smoothstep(comes) * (1.0 if planted.lasts else 1.0 - smoothstep(leaves))
            z -= self.rig.floor
            if planted.lasts and stood is not None:
                s = smootherstep(self._step(planted, moment))
                down *= 1.0 - 4.0 * s * (1.0 - s)
                z += (self.contact(stood, planted.limb).z - planted.place[2]) * s
            if planted.limb not in found or down > found[planted.limb][1]:
                slope = (-nx / nz, -ny / nz)
                found[planted.limb] = ((z - slope[0] * x - slope[1] * y, *slope), down)
        return found

    def _laid(self, planted: Planted, moment: Moment, led: float) -> float:
        """How much a hand is turned as it lies where it is planted: ahead of how much it is there, and after it."""
        start, tempo = max(planted.start, led), self.tempo
        if planted.end - start < LEAST * tempo:
            return 0.0
        begins = max(start - self.comes - SOONER * tempo, planted.free)
        turns = smoothstep(share_of(moment.clock, begins, begins + TURNED * (start - begins)))
        left = planted.end + LATER * tempo
        return turns * (1.0 - smoothstep(share_of(moment.clock, left, left + LEAVES * tempo)))

    def lay_hands(self, pose: EditedPose, holds: Sequence[Planted], moment: Moment, led: float) -> None:
        """Turn hands that are on their way to their places, or from there, as they lie on the floor."""
        for planted in holds:
            known = self.limbs.known[planted.limb]
            share = self._laid(planted, moment, led) if known.is_hand and planted.limb in self.palms else 0.0
            turn = self._palm(pose, planted) if share > 0.0 else None
            if turn is not None:
                pose.set_turn(known.end, on_the_way(pose.turn(known.end), Quaternion(planted.turn), turn, share))

    def goals(self, pose: EditedPose, memory: RiseMemory, moment: Moment, stood: EditedPose | None) -> list[Goal]:
        """Where limbs belong now, model space of the frame. `stood` is the standing pose there, once it has a say."""
        holds, led = memory.holds, memory.led
        found: dict[str, Goal] = {}
        for planted in holds:
            share = self.share(planted, moment, led)
            if share > 0.0:
                goal = self._goal(pose, planted, share, moment, stood, memory.floor)
                before = found.get(planted.limb)
                found[planted.limb] = goal if before is None else _between(before, goal)
        return list(found.values())

    def _goal(
        self, pose: EditedPose, planted: Planted, share: float, moment: Moment, stood: EditedPose | None, floor: Floor
    ) -> Goal:
        limb = self.limbs.known[planted.limb]
        normal, place = Vector(planted.normal), Vector(planted.place)
        if limb.is_hand:
            turn = self._palm(pose, planted)
            thick = self.thick.get(planted.limb, 0.0)
            return Goal(planted.limb, place + normal * thick, turn, share)
        turn = UP.rotation_difference(normal) @ pose.turn(limb.end)
        # It does not turn on the spot, however the leg over it does.
        points, along = self._points(planted.limb, turn, normal), Vector(planted.along)
        if points.length > 0.0 and along.length > 0.0:
            turn = Quaternion(normal, atan2(cross(points, along).dot(normal), points.dot(along))) @ turn
        turn = self._level(planted.limb, turn, normal)
        if planted.lasts and stood is not None:
            place, turn = self._stepped(planted, moment, stood, floor, place, turn)
        toes = self.toes.get(planted.limb)
        return Goal(planted.limb, place if toes is None else place + toes.over(turn, normal), turn, share)

    def _palm(self, pose: EditedPose, planted: Planted) -> Quaternion | None:
        """How a hand lies where it is planted; a stub as it is posed."""
        if planted.limb not in self.palms:
            return None
        return lying(self.limbs.known[planted.limb], pose, Vector(planted.normal), Vector(planted.along), 0.0)

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

    def lay_toes(self, pose: EditedPose, goals: Sequence[Goal], holds: Sequence[Planted]) -> None:
        """Toes of feet that are planted lie flat, by how much those are."""
        normals = {planted.limb: Vector(planted.normal) for planted in holds}
        for goal in goals:
            toes = self.toes.get(goal.limb)
            if toes is not None:
                flat = toes.flat(pose.turn(self.limbs.known[goal.limb].end), normals[goal.limb])
                pose.set_turn(toes.bone, nearer(pose.turn(toes.bone), flat @ toes.rest, goal.share))

    def _level(self, role: str, turn: Quaternion, normal: Vector) -> Quaternion:
        """A foot's turn, model space, with no edge under the other, and its heel not under its ball, on a floor with a
        normal.
        """
        sole = self.soles.get(role)
        if sole is None:
            return turn
        across = turn @ (self.limbs.known[role].touch.lying.inverted() @ ACROSS)
        even = across - normal * across.dot(normal)
        if even.length > LEAST_EVEN:
            turn = across.rotation_difference(even) @ turn
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
        # The more straight down a hand points, the more it comes to lie as the trunk goes to the head.
        trunk = self._headward(pose, normal)
        flat = trunk.lerp(flat, smoothstep(share_of(flat.length, *POINTS)))
        return flat.normalized() if flat.length > 0.0 else FORWARD.copy()

    def _headward(self, pose: EditedPose, normal: Vector) -> Vector:
        """Where the trunk goes to the head along a floor, a unit vector, model space."""
        bones = self.rig.skeleton.bones
        ends = (self.rig.body, self.spine[-1] if self.spine else self.rig.body)
        line = pose.head(ends[1]) - pose.head(ends[0])
        if line.length == 0.0:
            line = pose.turn(ends[0]) @ Vector((0.0, bones[ends[0]].length, 0.0))
        flat = line - normal * line.dot(normal)
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
        self, planted: Planted, moment: Moment, stood: EditedPose, floor: Floor, place: Vector, turn: Quaternion
    ) -> tuple[Vector, Quaternion]:
        """A foot on its last step to where the standing body has it: feet on the right one after those on the left."""
        limb = self.limbs.known[planted.limb]
        u = self._step(planted, moment)
        goal, lies = self.contact(stood, planted.limb), stood.turn(limb.end)
        way = (goal - place).length
        rises = 0.0 if way < NO_STEP * self.size else min(HIGHEST * self.size, HIGH * way)
        # Up onto a step it rises first, down from one it sinks last.
        climbs = goal.z - place.z
        on, lifts = (ONWARD, RISES) if climbs > 0.0 else (ONTO, SINKS)
        if abs(climbs) <= ON_STEP * self.size:
            on = (0.0, 1.0)
        s = smootherstep(share_of(u, *on))
        at = place.lerp(goal, s)
        if floor.grid and rises > 0.0:
            for k in (0.25, 0.5, 0.75):
                mid = place.lerp(goal, k)
                rises = max(rises, (floor.height(mid.x, mid.y) + self.rig.floor - mid.z) / (4.0 * k * (1.0 - k)))
        lifted = smoothstep(share_of(u, *lifts))
        at.z = place.z + climbs * lifted + rises * 4.0 * s * (1.0 - s)
        return at, nearer(turn, lies, s)


def _between(before: Goal, after: Goal) -> Goal:
    """What a limb is to do that leaves one place and comes to the next."""
    total = before.share + after.share
    # It is at its next place once it has come there, though it has not quite let go of the last.
    part = after.share / (after.share + before.share * (1.0 - after.share))
    turn = nearer(before.turn, after.turn, part) if before.turn is not None and after.turn is not None else None
    return Goal(before.limb, before.place.lerp(after.place, part), turn, min(1.0, total))
