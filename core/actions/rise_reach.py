"""A body brought within reach of what its hands and feet are planted on: it bends, gives and is drawn there."""

from __future__ import annotations

from collections.abc import Sequence

from mathutils import Quaternion, Vector

from ..layers.moves_limbs import Limbs
from ..layers.moves_touching import Goal
from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.curves import share_of, smoothstep
from ..space.vectors import cross

# A trunk bends for hands that are farther than this share of the arm, in so many tries by at most so much (radians).
EASY, LEANS, MOST_LEAN = 0.93, 4, 0.35
# From this share of being planted on the body gives for a hand that misses its place by more than so many legs: so
# often.
GIVES_FROM, MISSED, GIVES = 0.5, 1e-4, 2
# A limb draws the body within its reach from this share of being planted on, up to all of it.
DRAWS = 0.3


class Reach:
    """That of one rig. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs) -> None:
        self.limbs, self.size = limbs, rig.leg_length
        self.spine = tuple(i for i in rig.spine if i != rig.body)

    def lean(self, pose: EditedPose, goals: Sequence[Goal]) -> None:
        """Bend the trunk so that its hands come within reach of what they are planted on: arms are long or short."""
        hands = [goal for goal in goals if self.limbs.known[goal.limb].is_hand]
        firm = max((goal.share for goal in hands), default=0.0)
        left = MOST_LEAN * smoothstep(share_of(firm, DRAWS, 1.0))
        for _ in range(LEANS if self.spine else 0):
            pull, root = Vector(), Vector()
            for goal in hands:
                begins, away, over = self._short(pose, goal)
                root += begins / len(hands)
                pull += away * (smoothstep(share_of(goal.share, DRAWS, 1.0)) * over / len(hands))
            arm = root - pose.head(self.spine[0])
            turn = cross(arm, pull) / arm.length_squared if arm.length > 0.0 else Vector()
            angle = min(turn.length, left)
            if angle <= 1e-5:
                return
            left -= angle
            # Spread over its bones it moves their end by about half of it.
            part = Quaternion(turn.normalized(), angle / len(self.spine))
            for bone in self.spine:
                pose.turn_by(bone, part)

    def bring(self, pose: EditedPose, goals: Sequence[Goal]) -> None:
        """Bring each limb to its goal, by its share. A hand may miss its place by what its wrist does not let it lie
        there as it should: the body gives that.
        """
        goals = [goal._replace(draws=False) for goal in goals]
        for _ in range(GIVES):
            before = pose.held()
            self.limbs.bring(pose, goals)
            gives = Vector()
            for goal in goals:
                limb = self.limbs.known[goal.limb]
                if limb.is_hand:
                    gives += (goal.place - limb.place(pose)) * smoothstep(share_of(goal.share, GIVES_FROM, 1.0))
            if gives.length < MISSED * self.size:
                return
            # All over again, so that a limb that is not yet there is no nearer for it.
            pose.take(before, range(len(pose.rotations)))
            self.limbs.shift(pose, gives)
        self.limbs.bring(pose, goals)

    def _short(self, pose: EditedPose, goal: Goal) -> tuple[Vector, Vector, float]:
        """Where a limb begins, which way its goal is (a unit vector), and by how much it is out of easy reach."""
        limb = self.limbs.known[goal.limb]
        joints = limb.limb.joints(pose)
        away = limb.joint(pose, goal) - joints[0]
        total = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
        far = away.length
        return joints[0], away / far if far > 0.0 else away, max(0.0, far - EASY * total)

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
