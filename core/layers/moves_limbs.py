"""Hands and feet of a move on what they touch: the body comes within their reach, then each is brought to its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, exp, radians, tau

from mathutils import Quaternion, Vector

from ..ik.posed import PosedLimb, bring_tip
from ..ik.wrist import bent_wrist, forearm_twist
from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Rig
from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .masks import nearer
from .moves_elbows import elbow_out
from .moves_touching import Goal, TouchingLimb, touching_limbs

UP, FORWARD = Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
# A limb is stretched to at most the first share of its length; the body comes nearer where the second is not enough.
STRETCHED, AT_EASE = 0.997, 0.985
# A hand on its way to its place reaches to this share of its arm: one that went straight would have to bend at once.
REACHING = 0.93
# So often the body is brought within the reach of all that holds.
ROUNDS = 8
# A wrist bends at most so far (radians).
WRIST = radians(80.0)
# What is out of reach by more than the first share of the leg is reached for less and less, from the second on not.
NEAR, FAR = 0.3, 0.8
# From this bend on (radians) a knee or an elbow that goes on to straight comes there ever more slowly.
LEAST_BEND = radians(4.0)
# One that lags does so from further on, by this share of its lag and at most so much (radians); past straight is what
# is not bent back by more than this, and none is folded further than that (radians).
LAG_BENDS, MOST_BEND, PAST, FOLDED = 0.5, radians(20.0), radians(-110.0), radians(165.0)
# So often the body gives for hands that miss their places by more than this share of the leg.
GIVES, MISSED = 4, 1e-5
# So often it is tried how hand or foot lie on a limb that follows from how they lie.
TRIES = 4
# A limb that has hold is off its place by at most the first share of the leg, by the second
# more after a cut; one that has hold by less than so much is let
# be. It is brought there by so many tries.
SLIPS, LAGS, HOLDS, TWICE = 0.011, 0.055, 0.3, 2
# One that has hold by more than this is less and less off it.
FIRM = 0.85
# A limb that is farther from its place than the second share of the leg is on its way, nearer than the first one there.
ON_WAY = (0.03, 0.12)
# An ankle turns its foot by at most so much from where it is at rest (radians).
ANKLE = radians(50.0)
# Toes turn by at most so much on their foot (radians).
TOES = radians(70.0)


class Limbs:
    """All limbs of one rig. Immutable."""

    def __init__(self, rig: Rig) -> None:
        self.body, self.size = rig.body, rig.leg_length
        self.known = touching_limbs(rig)

    def bend_back(
        self, pose: EditedPose, lags: Mapping[int, float] | None = None, *, least: float = LEAST_BEND,
        knees: bool = False,
    ) -> None:  # fmt: skip
        """Let no knee or elbow go past straight, as what is carried on may have it, and what `lags` (bones, radians):
        that is turned by both of its segments, so that none is jolted. Of `knees` alone where that is said.
        """
        both = lags is not None
        for known in self.known.values():
            if knees and known.is_hand:
                continue
            limb = known.limb
            joints = limb.joints(pose)
            if len(joints) != 3:
                continue
            lag = max((lags.get(i, 0.0) for i in limb.bones), default=0.0) if lags else 0.0
            low = least + min(MOST_BEND, LAG_BENDS * lag)
            axis = pose.turn(limb.bones[0]) @ limb.axes[0]
            upper, lower = joints[1] - joints[0], joints[2] - joints[1]
            bend = atan2(axis.dot(cross(upper, lower)), upper.dot(lower))
            # One that is folded over is not past straight.
            bend += tau if bend < PAST else 0.0
            more = low * exp(bend / low - 1.0) - bend if bend < low else min(0.0, FOLDED - bend)
            end = pose.turn(known.end)
            if more and both:
                pose.turn_by(limb.bones[0], Quaternion(axis, -0.5 * more))
            if more:
                pose.turn_by(limb.bones[1], Quaternion(axis, more))
            if more and both and known.touch.bone >= 0 and not known.detached:
                # Hand and foot are where they came to by themselves.
                pose.set_turn(known.end, end)

    def shift(self, pose: EditedPose, by: Vector) -> None:
        """Move the body, with all that hangs on it."""
        if by.length > 0.0:
            matrix = pose.model(self.body).copy()
            matrix.translation += by
            pose.set_model(self.body, matrix)

    def bring(self, pose: EditedPose, goals: Sequence[Goal], floor: float | None = None) -> None:
        """Bring each limb to its own goal, by its share. No sole is left under a `floor` (height, model space).

        A hand that its wrist does not let lie as it should may miss its place by a little: the body gives that.
        """
        goals = [self._in_reach(pose, goal) if goal.pull < 1.0 or self._reaches(goal) else goal for goal in goals]
        places = [self._bring(pose, goal) for goal in goals]
        for _ in range(GIVES):
            missed = [self._missed(pose, goal, place) for goal, place in zip(goals, places, strict=True)]
            shift = sum(missed, Vector())
            if shift.length < MISSED * self.size:
                break
            self.shift(pose, shift)
            for goal, place in zip(goals, places, strict=True):
                self._bring(pose, goal, place)
        for goal in goals:
            self._toe(pose, goal)
        if floor is not None:
            self.stand(pose, floor)

    def attach(self, pose: EditedPose) -> None:
        """Feet that hang on no leg bone go to where their leg ends now, turned as they are."""
        for limb in self.known.values():
            if limb.detached:
                turn = pose.turn(limb.end)
                matrix = turn.to_matrix().to_4x4()
                matrix.translation = limb.limb.tip_of(pose) - turn @ limb.root
                pose.set_model(limb.end, matrix)

    def holding(self, pose: EditedPose, goals: Sequence[Goal]) -> dict[str, float]:
        """How much each limb has hold of its goal's place, 0 to 1: one that is still on its way has none."""
        found = {}
        for goal in goals:
            off = (self.known[goal.limb].place(pose) - goal.place).length / self.size
            found[goal.limb] = goal.share * (1.0 - smoothstep(share_of(off, *ON_WAY)))
        return found

    def brought(self, pose: EditedPose, goals: Sequence[Goal]) -> list[Goal]:
        """The goals, each with the place where its limb is."""
        return [goal._replace(place=self.known[goal.limb].place(pose)) for goal in goals]

    def stand(self, pose: EditedPose, floor: float) -> None:
        """Leave no sole under a floor (height, model space)."""
        for role, limb in self.known.items():
            under = floor - self._lowest(pose, limb)
            if under > 0.0 and not limb.is_hand:
                self.push(pose, role, UP * under)

    def _bring(self, pose: EditedPose, goal: Goal, place: Vector | None = None) -> Vector:
        """Bring a limb to its goal by its share, or to a place. Returns where its hand or foot is to be."""
        limb = self.known[goal.limb]
        if place is None:
            place = limb.place(pose).lerp(goal.place, goal.share)
        if limb.is_hand:
            self._hand(pose, limb, goal, place)
        else:
            self._foot(pose, limb, goal, place)
        return place

    def keep_near(self, pose: EditedPose, goals: Sequence[Goal], much: float, late: float) -> None:
        """Let no limb that has hold be far off where it was brought, as one that lags may be: the less, the more it has
        hold. `goals` have the places where they were brought.

        `much` is how much of that is done, `late` by which share of what it may be off after a cut it may be off yet.
        """
        for goal in goals:
            limb, share = self.known[goal.limb], smoothstep(share_of(goal.share, HOLDS, 1.0))
            firm = smoothstep(share_of(goal.share, FIRM, 1.0))
            done = much + (1.0 - much) * firm
            for _ in range(TWICE if goal.draws and share > 0.0 else 0):
                off = limb.place(pose) - goal.place
                over = off.length - late * LAGS * self.size * (1.0 - firm)
                if over > 0.0:
                    # A little at once, more of it by and by.
                    share *= done + (1.0 - done) * max(0.0, 1.0 - over / (LAGS * self.size))
                    self.push(pose, goal.limb, off * (-share * over / off.length))

    def _missed(self, pose: EditedPose, goal: Goal, place: Vector) -> Vector:
        """By how much a hand misses the place that it holds."""
        limb = self.known[goal.limb]
        if not goal.draws or not limb.is_hand:
            return Vector()
        return (place - limb.place(pose)) * smoothstep(share_of(goal.share, 0.5, 1.0))

    def push(self, pose: EditedPose, role: str, by: Vector) -> None:
        """Move a limb's end, turned as it is, model space."""
        self._bring(pose, Goal(role, self.known[role].place(pose) + by, None, 1.0))

    @staticmethod
    def _lowest(pose: EditedPose, limb: TouchingLimb) -> float:
        """The height of the lowest point of a sole, model space."""
        return min((pose.moved(bone) @ point).z for bone, point in limb.sole) if limb.sole else float("inf")

    def near(self, pose: EditedPose, goals: Sequence[Goal]) -> list[Goal]:
        """The goals, each drawing the body less the farther it is out of reach. A hand that a goal is out of reach for
        points at it.
        """
        found = []
        for goal in goals:
            root, joint, reach = self._span(pose, goal)
            left = (joint - root).length - reach
            pull = 1.0 - smoothstep(share_of(left, NEAR * self.size, FAR * self.size))
            if self.known[goal.limb].is_hand:
                found.append(goal._replace(pull=pull))
            elif goal.share * pull > 0.0:
                found.append(goal._replace(share=goal.share * pull))
        return found

    def _in_reach(self, pose: EditedPose, goal: Goal) -> Goal:
        """A goal brought along the line to its limb's root until that reaches it; of a hand that is on its way to it,
        less and less.
        """
        root, joint, reach = self._span(pose, goal)
        away = joint - root
        firm = 0.0
        if goal.pull >= 1.0:
            firm = smoothstep(share_of(goal.share, HOLDS, FIRM))
            reach *= REACHING / AT_EASE
        left = (1.0 - firm) * (away.length - reach)
        return goal._replace(place=goal.place - away * (left / away.length)) if left > 0.0 else goal

    def _reaches(self, goal: Goal) -> bool:
        """True for a hand that is on its way to its place: its arm stays bent."""
        return self.known[goal.limb].is_hand and goal.draws and goal.share < FIRM

    def _span(self, pose: EditedPose, goal: Goal) -> tuple[Vector, Vector, float]:
        """Where a goal's limb begins, where its end joint belongs, and how far it reaches."""
        limb = self.known[goal.limb]
        joints = limb.limb.joints(pose)
        total = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
        return joints[0], limb.joint(pose, goal), AT_EASE * total

    def missing(self, pose: EditedPose, goals: Sequence[Goal]) -> Vector:
        """Where the body has to go so that all goals are within reach: each that is not draws it by what is missing."""
        wanted = [(*self._span(pose, goal), goal.share * goal.pull) for goal in goals if goal.draws]
        most = max((share for _, _, _, share in wanted), default=0.0)
        shift = Vector()
        for _ in range(ROUNDS if most > 0.0 else 0):
            more, whole = Vector(), 0.0
            for root, joint, reach, share in wanted:
                away = joint - root - shift
                left = share * max(0.0, away.length - reach)
                # Each by how much it lacks: who comes within reach has no more to say, and none says it twice.
                whole += left
                more += away * (left * left / most / away.length) if left > 0.0 else Vector()
            if more.length <= 1e-6 * whole:
                break
            shift += more / whole
        return shift * most

    def _hand(self, pose: EditedPose, limb: TouchingLimb, goal: Goal, place: Vector) -> None:
        hand, arm = limb.end, limb.limb
        own, lies = pose.turn(hand), goal.turn
        if lies is None or limb.touch.bone < 0:
            bring_tip(pose, arm, place - own @ (limb.touch.point - limb.root), most=STRETCHED)
            if limb.touch.bone >= 0:
                pose.set_turn(hand, own)
            return
        asked = turn = lies
        for _ in range(TRIES):
            turn = nearer(own, asked, goal.share)
            bring_tip(pose, arm, place - turn @ (limb.touch.point - limb.root), most=STRETCHED)
            elbow_out(pose, limb, goal.hangs * goal.share)
            # From how the hand lies on the forearm at rest, so that the answer is the same wherever it begins.
            straight = pose.turn(arm.bones[-1]) @ limb.ankle
            asked = bent_wrist(straight, lies, self._forearm(pose, arm), WRIST)
        pose.turn_by(arm.bones[-1], forearm_twist(pose.turn(hand), turn, self._forearm(pose, arm)))
        pose.set_turn(hand, turn)

    @staticmethod
    def _forearm(pose: EditedPose, arm: PosedLimb) -> Vector:
        joints = arm.joints(pose)
        along = joints[-1] - joints[-2]
        return along.normalized() if along.length > 0.0 else -UP

    def _foot(self, pose: EditedPose, limb: TouchingLimb, goal: Goal, place: Vector) -> None:
        foot = limb.end
        if limb.touch.bone < 0:
            bring_tip(pose, limb.limb, place, most=STRETCHED)
            return
        own = pose.turn(foot)
        wanted = own if goal.turn is None else goal.turn
        turn = nearer(own, wanted, goal.share)
        for _ in range(TRIES if goal.bends else 1):
            bring_tip(pose, limb.limb, place - turn @ (limb.touch.point - limb.root), most=STRETCHED)
            if goal.bends:
                # A sole lies flat on a wall only as far as the ankle lets it; its ball stays where it is.
                straight = pose.turn(limb.limb.bones[-1]) @ limb.ankle
                between = straight.rotation_difference(wanted).angle
                lies = nearer(straight, wanted, min(1.0, ANKLE / between)) if between > 0.0 else wanted
                turn = nearer(own, lies, goal.share)
        if limb.detached:
            matrix = turn.to_matrix().to_4x4()
            matrix.translation = limb.limb.tip_of(pose) - turn @ limb.root
            pose.set_model(foot, matrix)
        else:
            pose.set_turn(foot, turn)

    def _toe(self, pose: EditedPose, goal: Goal) -> None:
        """Toes lie on what the sole of their foot does not, as far as they bend."""
        limb = self.known[goal.limb]
        toe = limb.sole[-1][0] if limb.sole else limb.end
        if goal.bends and goal.turn is not None and toe != limb.end and not limb.is_hand and not limb.detached:
            turn = pose.turn(limb.end)
            left = turn.rotation_difference(goal.turn).angle
            if left > 0.0:
                lies = NO_TURN.slerp(goal.turn @ turn.inverted(), goal.share * min(1.0, TOES / left))
                pose.turn_by(toe, lies)
