"""Activities as changes of a pose: the body goes down or ahead, neck and head follow, feet stay where they are.

A mouth comes to the ground by one number, how deep the bow is: of it follow the tilt of the body, the bend of the
spine and where neck and muzzle point, and it is found so that the mouth is where it has to be. All turns are about the
axis across the body, so heights follow in closed form along the chain from the body to the mouth.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, atan2, cos, pi, sin, sqrt

from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import PosedLimb, bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.rig import Leg, Rig
from ..space.curves import smoothstep
from ..space.vectors import cross
from .acting import ALERT, HEADS_DOWN, REST, ActMemory
from .config import ActivityConfig, HeadDownConfig
from .folding import ball_goal, resting_place, shortest_of
from .hands import Hands
from .lunge import LungeNow, lunge_at
from .mouth import MouthLine, Move
from .tails import keep_tails_up

X = Vector((1.0, 0.0, 0.0))
MOST_EXTENSION = 0.994
# A body that has gone down by this share of its leg has its tail back.
TAIL_BACK_AT = 0.3
HALVINGS = 14
# A head without a muzzle has its mouth so far up and ahead of its joint, in lengths of its bone.
CHIN, FACE = 0.2, 0.5
AHEAD = 0.7
# The neck's first bone makes this share of its turn.
FIRST = 0.8
# Of a neck that is raised or lowered the head takes this share; drawn back for a lunge a neck does this of its strike.
LEVEL, DRAWN = 0.25, 0.3
# A body without a neck has its mouth this share of its front hips' height over the ground.
LOW_MOUTH = 0.5
# A tail lies on the ground where it would hang through it: its bones are no nearer to it than this, in legs.
TAIL_CLEAR = 0.05


@dataclass(frozen=True, slots=True)
class _Standing:
    """One leg as the base motion has it: its tip, the turns of its first bone, its foot and its toes."""

    tip: Vector
    thigh: Quaternion
    foot: Quaternion | None
    toes: tuple[Quaternion, ...]


class ActedPose:
    """The activities of one rig as poses. Immutable."""

    def __init__(self, rig: Rig, config: ActivityConfig, leg: float, tempo: float, *, upright: bool) -> None:
        self.rig, self.config, self.leg, self.tempo = rig, config, leg, tempo
        self.limbs = [PosedLimb.of_leg(rig, leg) for leg in rig.legs]
        self.reaches = [
            (shortest_of(rig, limb), MOST_EXTENSION * sum(leg.lengths))
            for limb, leg in zip(self.limbs, rig.legs, strict=True)
        ]
        last = max(leg.order for leg in rig.legs)
        self.four = last == 1
        self.rear = [i for i, leg in enumerate(rig.legs) if leg.order == last or not self.four]
        self.front = [i for i, leg in enumerate(rig.legs) if leg.order == 0] if self.four else []
        self.spine = tuple(i for i in rig.spine if i != rig.body) if upright else ()
        self.neck = rig.neck
        self.chain = (*self.spine, *rig.neck, *((rig.head,) if rig.head >= 0 else ()))
        self.length = self._middle(self.rear).y - self._middle(self.front).y if self.front else 0.0
        self.heights = tuple(self._middle(part).z - rig.floor if part else 0.0 for part in (self.rear, self.front))
        self.mouth = self._mouth()
        bow, lunge = config.bow, config.lunge
        self.bow = self._angles(bow.neck, bow.head, bow.spine, bow.body)
        self.lunge = self._angles(lunge.neck, lunge.head, lunge.spine, lunge.body)
        self.lowest = resting_place(rig, config.rest, leg, self.rear, self.front)
        self.tails = tuple(tail for tail in rig.tails if rig.body in rig.skeleton.ancestors(tail[0]))
        self.hands = Hands(rig, config) if upright else None
        resting = self._line(EditedPose.rest(rig.skeleton), [leg.hip for leg in rig.legs])
        self.deepest = resting.moved(self._bowed(1.0))

    def _middle(self, legs: list[int]) -> Vector:
        hips = [self.rig.legs[i].hip for i in legs]
        return Vector((0.0, sum(hip.y for hip in hips) / len(hips), sum(hip.z for hip in hips) / len(hips)))

    def _mouth(self) -> Vector:
        """Where the mouth is at rest: the end of a muzzle, else before a head that goes up, else low between the front
        hips.
        """
        if self.rig.head < 0:
            front = self._middle([i for i, leg in enumerate(self.rig.legs) if leg.order == 0])
            return Vector((0.0, front.y, self.rig.floor + LOW_MOUTH * (front.z - self.rig.floor)))
        bone = self.rig.skeleton.bones[self.rig.head]
        line = bone.tail - bone.head
        if line.z > AHEAD * line.length:
            return bone.head + Vector((0.0, -FACE * line.length, CHIN * line.length))
        return bone.tail.copy()

    def _angles(self, neck: float, head: float, spine: float, body: float) -> list[float]:
        """How far each bone of the chain turns down for neck and muzzle to point so, and the top of the spine to be
        down by so much over a body that is tipped.
        """
        bones, count = self.rig.skeleton.bones, len(self.spine)
        found = [body + (spine - body) * (rank + 1) / count for rank in range(count)]
        if self.neck:
            line = bones[self.rig.head].head - bones[self.neck[0]].head if self.rig.head >= 0 else self._neck_line()
            angle = atan2(line.z, -line.y) - neck
            count = len(self.neck)
            found += [angle * (FIRST if rank == 0 and count > 1 else 1.0) for rank in range(count)]
        if self.rig.head >= 0:
            line = self.mouth - bones[self.rig.head].head
            found.append(atan2(line.z, -line.y) - head)
        return found

    def _neck_line(self) -> Vector:
        bones = self.rig.skeleton.bones
        return bones[self.neck[-1]].tail - bones[self.neck[0]].head

    def driven(self) -> tuple[set[int], set[int]]:
        """The bones whose rotation, and those whose location, it may set."""
        rig = self.rig
        bones = {
            rig.body,
            *self.chain,
            *(self.hands.bones if self.hands else ()),
            *(i for tail in self.tails for i in tail),
        }
        for leg in rig.legs:
            bones |= {*leg.bones, *leg.toes, *((leg.foot,) if leg.foot >= 0 else ())}
        return bones, {rig.body, *(leg.foot for leg in rig.legs if leg.detached)}

    def _bowed(self, depth: float) -> Move:
        """A bow of some depth, 0 to 1."""
        bow, kneel = self.config.bow, self.config.bow.kneel
        sink, pitch, back = 0.0, depth * bow.body, 0.0
        if self.front:
            pitch += self._tip(0.0, depth**3 * bow.sink * self.leg)
        else:
            sink = depth**3 * bow.sink * self.leg
        if kneel:
            sink, back = sink + kneel * (self.heights[0] - self.lowest.rear), kneel * self.lowest.back
        return Move(back, sink, pitch, [depth * turn for turn in self.bow])

    def _tip(self, rear: float, front: float) -> float:
        """How far a body tips ahead whose hips sink so far, radians."""
        return asin(min(0.9, max(-0.9, (front - rear) / self.length))) if self.length > 1e-6 else 0.0

    def _line(self, pose: EditedPose, hips: list[Vector]) -> MouthLine:
        """The way from the body to the mouth as a pose has it."""
        pivot = sum((hips[i] for i in self.rear), Vector()) / len(self.rear)
        carrier = self.rig.head if self.rig.head >= 0 else self.rig.body
        return MouthLine(pivot, (*([pose.head(i) for i in self.chain] or [pivot]), pose.moved(carrier) @ self.mouth))

    def _depth(self, line: MouthLine, goal: float) -> float:
        """How deep a bow brings the mouth to this height, model space; all of it where none does."""
        if line.moved(self._bowed(1.0))[1] >= goal:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if line.moved(self._bowed(middle))[1] > goal:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def lay(self, pose: EditedPose, memory: ActMemory) -> None:
        """Lay what the body does on a pose of the base motion."""
        if not memory.acts:
            return
        config, rig = self.config, self.rig
        lunge = lunge_at(memory.lunge, config.lunge.seconds * self.tempo)
        legs = [self._standing(pose, k, leg) for k, leg in enumerate(rig.legs)]
        before = [pose.turn(i) for i in self.chain]
        hips = [pose.head(leg.bones[0]) for leg in rig.legs]
        line = self._line(pose, hips)
        move, sweep = self._move(memory, lunge, line)
        heel = config.rest.heel * memory.late
        goals = [self._goal(pose, leg, standing, heel) for leg, standing in zip(rig.legs, legs, strict=True)]
        turn = Matrix.Rotation(move.pitch, 4, "X")
        shift = Vector((0.0, move.back, -move.sink))
        delta = Matrix.Translation(line.pivot + shift) @ turn @ Matrix.Translation(-line.pivot)
        delta = Matrix.Translation((0.0, 0.0, self._lift([delta @ hip for hip in hips], goals))) @ delta
        pose.set_model(rig.body, delta @ pose.model(rig.body))
        self._turn_chain(pose, move, before, sweep, line)
        self._place_feet(pose, legs, goals, heel)
        down = smoothstep(move.sink / (TAIL_BACK_AT * self.leg))
        keep_tails_up(pose, self.tails, rig.floor + TAIL_CLEAR * self.leg, down)
        if self.hands is not None:
            self.hands.lay(pose, memory, lunge, self.deepest[0], self.rig.floor + memory.dip)

    def _turn_chain(
        self, pose: EditedPose, move: Move, before: list[Quaternion], sweep: float, line: MouthLine
    ) -> None:
        """Turn spine, neck and head; the upper ones aside too, about what stands up from the muzzle."""
        if not self.chain:
            return
        muzzle = Quaternion(X, move.turns[-1]) @ (line.joints[-1] - line.joints[-2])
        up, count = cross(muzzle, X).normalized(), len(self.neck) + 1
        for rank, (i, angle, was) in enumerate(zip(self.chain, move.turns, before, strict=True)):
            turn = Quaternion(X, angle) @ was
            if sweep != 0.0 and rank >= len(self.spine):
                turn = Quaternion(up, sweep * (rank + 1 - len(self.spine)) / count) @ turn
            pose.set_turn(i, turn)

    def _move(self, memory: ActMemory, lunge: LungeNow, line: MouthLine) -> tuple[Move, float]:
        """All of it in sum, and how far the head is turned aside."""
        config, leg = self.config, self.leg
        depth, yaw, nod = self._head_down(memory, line)
        down = min(1.0, memory.down)
        rear, front = self._rest_shares(memory)
        rest, strike = config.rest, config.lunge
        sinks = [rear * (self.heights[0] - self.lowest.rear), front * (self.heights[1] - self.lowest.front)]
        low = lunge.low * strike.sink * leg
        back = 0.5 * (rear + front) * self.lowest.back + (lunge.back * strike.back - lunge.ahead * strike.ahead) * leg
        pitch = depth * config.bow.body + lunge.ahead * strike.body
        if self.front:
            pitch += self._tip(sinks[0], sinks[1] + depth**3 * config.bow.sink * leg)
        else:
            pitch += rear * rest.pitch
            low += depth**3 * config.bow.sink * leg
        turns = []
        neck = rear * rest.neck - config.alert_neck * memory.weights[ALERT] * (1.0 - down)
        for rank, (bow, strikes) in enumerate(zip(self.bow, self.lunge, strict=True)):
            turn = depth * bow + lunge.ahead * strikes
            if rank >= len(self.spine):
                # What raises or lowers the neck leaves the head nearly level.
                turn += neck * (1.0 if rank < len(self.chain) - 1 else LEVEL) - DRAWN * lunge.back * strikes
            turns.append(turn)
        if turns:
            turns[-1] += nod
        return Move(back, sinks[0] + low, pitch, turns), yaw

    def _rest_shares(self, memory: ActMemory) -> tuple[float, float]:
        """How much of a rest the rear, and the front, of the body has."""
        rest, late, first = memory.weights[REST], memory.late, self.config.rest.first
        return (rest if first >= 0.0 else late), (rest if first < 0.0 or not first else late)

    def _head_down(self, memory: ActMemory, line: MouthLine) -> tuple[float, float, float]:
        """How deep the bow is now, how far the head is aside, and how far it nods."""
        depth = yaw = nod = 0.0
        kinds = (self.config.eat, self.config.drink, self.config.sniff)
        for kind, weight in zip(kinds, memory.weights[: len(HEADS_DOWN)], strict=True):
            if weight <= 0.0:
                continue
            lifted, bob, aside = rhythm(kind, memory.time / self.tempo)
            goal = self.rig.floor + memory.dip + kind.height * self.leg
            depth += weight * self._depth(line, goal) * (1.0 - kind.lift * lifted)
            yaw += weight * aside
            nod -= weight * bob
        return depth, yaw, nod

    def _standing(self, pose: EditedPose, k: int, leg: Leg) -> _Standing:
        foot = pose.turn(leg.foot) if leg.foot >= 0 else None
        toes = tuple(pose.turn(toe) for toe in leg.toes)
        return _Standing(self.limbs[k].tip_of(pose), pose.turn(leg.bones[0]), foot, toes)

    def _goal(self, pose: EditedPose, leg: Leg, standing: _Standing, heel: float) -> Vector:
        """Where a leg's tip belongs: where it stands, or over its ball with its heel up."""
        return standing.tip if leg.foot < 0 or heel <= 0.0 else ball_goal(pose, leg, standing.tip, heel)

    def _lift(self, hips: list[Vector], goals: list[Vector]) -> float:
        """How far the body has to rise, or sink, for no leg to be folded or stretched past what it can."""
        sinks = rises = 0.0
        for hip, goal, (shortest, longest) in zip(hips, goals, self.reaches, strict=True):
            height, aside = hip.z - goal.z, (hip.x - goal.x) ** 2 + (hip.y - goal.y) ** 2
            sinks = max(sinks, height - sqrt(max(longest * longest - aside, 0.0)))
            if height > 0.0:
                rises = max(rises, sqrt(max(shortest * shortest - aside, 0.0)) - height)
        return -sinks if sinks > 0.0 else rises

    def _place_feet(self, pose: EditedPose, legs: list[_Standing], goals: list[Vector], heel: float) -> None:
        """Bring the legs back to where their feet stand."""
        for limb, leg, standing, goal in zip(self.limbs, self.rig.legs, legs, goals, strict=True):
            # A body that tips does not turn its legs along.
            pose.set_turn(leg.bones[0], standing.thigh)
            bring_tip(pose, limb, goal)
            if standing.foot is None:
                continue
            turn = Quaternion(X, heel) @ standing.foot if heel > 0.0 else standing.foot
            if leg.detached:
                matrix = turn.to_matrix().to_4x4()
                rest = self.rig.skeleton.bones[leg.foot]
                matrix.translation = goal + (turn @ rest.rest.to_quaternion().inverted()) @ (rest.head - leg.tip)
                pose.set_model(leg.foot, matrix)
            else:
                pose.set_turn(leg.foot, turn)
            for toe, was in zip(leg.toes, standing.toes, strict=True):
                pose.set_turn(toe, was)


def rhythm(kind: HeadDownConfig, time: float) -> tuple[float, float, float]:
    """How far a head is lifted (0 to 1), nods up and is turned aside (radians) after a time of a 0.9 m leg."""
    phase = (time / kind.period) % 1.0
    lifted = 0.0
    if kind.lift > 0.0 and kind.low < 1.0 and phase > kind.low:
        part = (phase - kind.low) / (1.0 - kind.low)
        lifted = smoothstep(min(1.0, 3.0 * part)) * (1.0 - smoothstep(max(0.0, 3.0 * part - 2.0)))
    low = 1.0 - lifted
    span = kind.low if kind.lift > 0.0 else 1.0
    bob = 0.0
    if kind.bobs > 0.0 and phase < span:
        bob = kind.bob * (0.5 - 0.5 * cos(2.0 * pi * kind.bobs * phase / span))
    aside = kind.sweep * low * sin(2.0 * pi * kind.sweeps * phase)
    return lifted, bob, aside
