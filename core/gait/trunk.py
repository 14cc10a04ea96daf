"""The trunk on four legs: a spine that flexes, stretches and bends, neck and head against it, tail and shoulder blades.

All of it goes by the clock that the feet go by: sums of a cosine and a sine whose sizes are damped, so that a change of
gait or speed changes them smoothly while a steady stride has them undamped. What a tail does late is the same sum at
an earlier phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, sin, sqrt, tau

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..rig.pose import Pose
from ..rig.rig import Rig
from ..space.dampers import damp, kept_share
from .config import GaitConfig
from .memory import BodyMemory, GaitMemory
from .patterns import GRAVITY, Pattern
from .shape import BodyShape
from .spine import Spine, Spring

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
# Seconds for a 0.9 m leg.
WAVE_HALFLIFE, CURVE_HALFLIFE = 0.12, 0.15
MOST_CURVE = 0.45
# A curve is felt from this share of the speed at Froude 1 on; slower, a body turns on the spot.
CREEP = 0.15
# Of a slope's tilt the head keeps this share, of a curve's bend it looks so much further ahead.
HEAD_TILT, LOOK_AHEAD, HEAD_NOD = 0.4, 0.7, 0.4
# A tail's bones come so much later each, swing so much wider than the pelvis, and trail along the curve.
TAIL_LAG, TAIL_SWING, TAIL_FOLLOW, TAIL_CURVE = 0.05, 3.5, 1.3, 0.22
# With speed it rises: so much at Froude 2.
TAIL_RISE, TAIL_UP_AT = 0.3, 2.0
# A shoulder blade turns by this share of its leg's swing, no further than this (radians).
BLADE_SHARE, MOST_BLADE = 0.35, 0.2
BLADE_REACH = 0.985


class TrunkMotion:
    """How a trunk bends from tick to tick. Immutable: what changes is in the BodyMemory."""

    def __init__(self, shape: BodyShape, spring: Spring, config: GaitConfig) -> None:
        self.spring = spring
        self.scale = config.spine
        self.tempo = shape.tempo
        self.length = _trunk_length(shape)
        self.creep = CREEP * sqrt(GRAVITY * shape.leg_length)
        self.full = 0.6 * shape.leg_length
        self.beside = [leg.hip[0] for leg in shape.legs]

    def tick(
        self, memory: GaitMemory, travel: Travel, pattern: Pattern, stepped: float, dt: float
    ) -> tuple[float, float, float, float]:
        """Bend the trunk; how far that moves each hip to the back, metres. `stepped`: a foot's travel in a stride."""
        body = memory.body
        share = self.scale * body.effort * min(1.0, stepped / self.full)
        kept = kept_share(WAVE_HALFLIFE * self.tempo, dt)
        body.waves = tuple(
            wanted * share + (now - wanted * share) * kept
            for wanted, now in zip(pattern.waves, body.waves, strict=True)
        )
        curve = self.length * travel.turn_rate / max(memory.speed, self.creep)
        curve = self.scale * min(MOST_CURVE, max(-MOST_CURVE, curve))
        body.curve = damp(body.curve, curve, CURVE_HALFLIFE * self.tempo, dt)
        body.flex, bend, body.nod = at_phase(body, memory.phase)
        body.bend = bend + body.curve
        half = 0.5 * self.spring.stretch(body.flex, body.bend)
        rear, chest = sin(-self.spring.yaw * body.bend), sin((1.0 - self.spring.yaw) * body.bend)
        a, b, c, d = self.beside
        return a * chest - half, b * chest - half, c * rear + half, d * rear + half


def at_phase(body: BodyMemory, phase: float) -> tuple[float, float, float]:
    """Flexion, bend and nod of the trunk's waves at a phase, without the curve's bend."""
    f, g, a, b, n, m, k, j = body.waves
    c, s = cos(tau * phase), sin(tau * phase)
    return f * c + g * s, a * c + b * s, n * c + m * s + k * (c * c - s * s) + j * 2.0 * s * c


def shift_clock(body: BodyMemory, shift: float) -> None:
    """After the clock was put forward by `shift`, keep the trunk as it is: its waves go with the clock."""
    c, s = cos(tau * shift), sin(tau * shift)
    c2, s2 = c * c - s * s, 2.0 * s * c
    f, g, a, b, n, m, k, j = body.waves
    body.waves = (
        f * c - g * s, f * s + g * c, a * c - b * s, a * s + b * c, n * c - m * s, n * s + m * c,
        k * c2 - j * s2, k * s2 + j * c2,
    )  # fmt: skip


def _trunk_length(shape: BodyShape) -> float:
    hips = [leg.hip for leg in shape.legs]
    return 0.5 * abs(hips[0][1] + hips[1][1] - hips[2][1] - hips[3][1])


@dataclass(frozen=True, slots=True)
class Blade:
    """A shoulder blade: the bone that a front leg hangs on, its pivot, the leg's hip seen from there at rest, and how
    far ahead of the hip the foot is at rest (radians)."""

    bone: int
    pivot: Vector
    arm: Vector
    hip: Vector
    ahead: float
    reach: float


class TrunkPoser:
    """Poses what is neither leg nor rear of a rig on four legs: spine, neck, head, tails, shoulder blades."""

    def __init__(self, rig: Rig) -> None:
        self.spine = Spine.of(rig)
        self.spring = self.spine.spring() if self.spine else None
        bones = rig.skeleton.bones
        self.body, self.rest = rig.body, bones[rig.body].rest
        self.turns = [bone.rest.to_quaternion() for bone in bones]
        self.chest = self.spine.bones[-1] if self.spine else rig.body
        self.unrest = bones[self.chest].rest.inverted()
        self.neck = tuple(i for i in (*rig.neck, rig.head) if i >= 0)
        self.tails = rig.tails
        self.raised = TAIL_UP_AT * GRAVITY * rig.leg_length
        self.blades = [_blade(rig, k, self.chest) for k in range(len(rig.legs))]

    def bones(self) -> set[int]:
        """All bones that it turns."""
        blades = {blade.bone for blade in self.blades if blade is not None}
        return {*(self.spine.bones if self.spine else ()), *self.neck, *(i for t in self.tails for i in t), *blades}

    def pose(self, pose: Pose, move: Matrix, memory: GaitMemory) -> None:
        """Pose the trunk; `move` is what the planned body does to the rest pose, model space."""
        state, turn = memory.body, move.to_quaternion()
        rear = chest = turn
        if self.spine is not None and self.spring is not None:
            bent = self.spine.bent(state.flex, state.bend)
            hind = self.spine.hind
            behind = Vector((0.0, 0.5 * self.spring.stretch(state.flex, state.bend), 0.0))
            about = Matrix.Translation(hind + behind) @ bent.rear.to_matrix().to_4x4() @ Matrix.Translation(-hind)
            pose.set_model(self.body, move @ about @ self.rest, with_location=True)
            rear = turn @ bent.rear
            for bone, bend in zip(self.spine.bones, bent.bones, strict=True):
                chest = turn @ bend
                pose.set_turn(bone, chest @ self.turns[bone])
        else:
            pose.set_model(self.body, move @ self.rest, with_location=True)
        self._pose_neck(pose, state, chest)
        self._pose_tails(pose, memory, rear)

    def _pose_neck(self, pose: Pose, state: BodyMemory, chest: Quaternion) -> None:
        """The head keeps level, looks along the curve and nods; the neck leads up to it."""
        count = len(self.neck)
        if not count:
            return
        level = Quaternion(Z, LOOK_AHEAD * state.curve) @ Quaternion(Y, HEAD_TILT * state.roll)
        head = level @ Quaternion(X, HEAD_TILT * state.pitch)
        for rank, bone in enumerate(self.neck, start=1):
            nod = state.nod if rank < count else HEAD_NOD * state.nod
            turn = chest.slerp(head, rank / count) @ Quaternion(X, nod)
            pose.set_turn(bone, turn @ self.turns[bone])

    def _pose_tails(self, pose: Pose, memory: GaitMemory, rear: Quaternion) -> None:
        """Each bone does what the pelvis did a little earlier, and more of it; at speed the tail is carried higher."""
        state, spring = memory.body, self.spring
        if spring is None:
            return
        rise = TAIL_RISE * state.effort * min(1.0, memory.speed**2 / self.raised)
        for tail in self.tails:
            for rank, bone in enumerate(tail, start=1):
                flex, bend, nod = at_phase(state, memory.phase - TAIL_LAG * rank)
                pitch = spring.pitch * (state.flex - TAIL_FOLLOW * flex) + nod
                yaw = -TAIL_SWING * spring.yaw * bend - TAIL_CURVE * rank * state.curve
                turn = rear @ Quaternion(Z, yaw) @ Quaternion(X, pitch + rise)
                pose.set_turn(bone, turn @ self.turns[bone])

    def carry(self, pose: Pose, k: int, goal: Vector) -> None:
        """Turn the shoulder blade of leg `k` with the leg, whose tip goes to `goal`, as far as the leg reaches."""
        blade = self.blades[k]
        if blade is None:
            return
        carrier = pose.model(self.chest) @ self.unrest
        turn = carrier.to_quaternion()
        way = turn.inverted() @ (goal - carrier @ blade.hip)
        ahead = atan2(-way.y, -way.z) - blade.ahead
        angle = -MOST_BLADE * _soft(BLADE_SHARE * ahead / MOST_BLADE)
        pivot = carrier @ blade.pivot
        still = max(blade.reach, (carrier @ blade.hip - goal).length)
        hip = pivot + turn @ (Quaternion(X, angle) @ blade.arm)
        over = (hip - goal).length - still
        if over > 0.0:
            angle *= max(0.0, 1.0 - over / max(1e-9, (hip - carrier @ blade.hip).length))
        pose.set_turn(blade.bone, turn @ Quaternion(X, angle) @ self.turns[blade.bone])


def _soft(t: float) -> float:
    """-1 to 1, as `t` near 0."""
    return t / sqrt(1.0 + t * t)


def _blade(rig: Rig, k: int, chest: int) -> Blade | None:
    """The shoulder blade of leg `k`: a bone of its own between a front leg and the chest."""
    leg, bones = rig.legs[k], rig.skeleton.bones
    bone = bones[leg.bones[0]].parent
    if leg.order != 0 or bone < 0 or bone == chest or bones[bone].parent != chest:
        return None
    pivot, way = bones[bone].head, leg.chain[-1] - leg.hip
    reach = BLADE_REACH * sum((b - a).length for a, b in zip(leg.chain, leg.chain[1:], strict=False))
    return Blade(bone, pivot, leg.hip - pivot, leg.hip, atan2(-way.y, -way.z), reach)
