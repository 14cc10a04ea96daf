"""The trunk on four legs: a spine that flexes, stretches and bends, neck and head against it, tail and shoulder blades.

All of it goes by the clock that the feet go by: sums of a cosine and a sine whose sizes are damped, so that a change of
gait or speed changes them smoothly while a steady stride has them undamped. What a tail does late is the same sum at
an earlier phase.
"""

from __future__ import annotations

from math import cos, hypot, sin, sqrt, tau
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..rig.pose import Pose
from ..rig.rig import Rig
from ..space.dampers import damp, kept_share, spring
from .bearing import bearing_of
from .blade import blade_of
from .config import GaitConfig
from .memory import BodyMemory, GaitMemory
from .patterns import GRAVITY, NO_WAVES, Pattern, Waves, froude
from .shape import BodyShape
from .spine import Spine, Spring

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
# Slower than this Froude number a body leans over the feet that carry it: by this share of the way, at most so many
# legs, within so many seconds for a 0.9 m leg; less than the last is nothing.
WEIGHED_BELOW, WEIGHED, MOST_WEIGHED, WEIGHT_HALFLIFE, LEAST_WEIGHED = 0.02, 0.25, 0.03, 0.09, 1e-4
# Seconds for a 0.9 m leg.
WAVE_HALFLIFE, CURVE_HALFLIFE = 0.14, 0.15
MOST_CURVE = 0.45
# A curve is felt from this share of the speed at Froude 1 on; slower, a body turns on the spot.
CREEP = 0.15
# Of a slope's tilt the head keeps this share, of a curve's bend it looks so much further ahead.
HEAD_TILT, LOOK_AHEAD, HEAD_NOD = 0.4, 0.7, 0.4
# A tail's bones come so much later each, swing so much wider than the pelvis, and trail along the curve.
TAIL_LAG, TAIL_SWING, TAIL_FOLLOW, TAIL_CURVE = 0.05, 3.5, 1.0, 0.22
# With speed it rises: so much at Froude 2.
TAIL_RISE, TAIL_UP_AT = 0.2, 2.0


class Bent(NamedTuple):
    """How a trunk is bent, radians: along a curve, flexed, in all to the left, the neck down."""

    curve: float = 0.0
    flex: float = 0.0
    bend: float = 0.0
    nod: float = 0.0


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
        waves, before = body.waves or NO_WAVES, Bent(*body.bent)
        share = self.scale * body.effort * min(1.0, stepped / self.full)
        kept = kept_share(WAVE_HALFLIFE * self.tempo, dt)
        fresh = share * (1.0 - kept)
        body.waves = tuple([wanted * fresh + now * kept for wanted, now in zip(pattern.waves, waves, strict=True)])
        curve = self.length * travel.turn_rate / max(memory.speed, self.creep)
        curve = self.scale * min(MOST_CURVE, max(-MOST_CURVE, curve))
        curve = damp(before.curve, curve, CURVE_HALFLIFE * self.tempo, dt)
        flex, bend, nod = at_phase(body.waves, memory.phase)
        bend += curve
        if body.bearing:
            flex, nod = flex + bearing_of(body).fold, nod + bearing_of(body).look
        body.bent = (curve, flex, bend, nod)
        half = 0.5 * self.spring.stretch(flex, bend)
        rear, chest = sin(-self.spring.yaw * bend), sin((1.0 - self.spring.yaw) * bend)
        a, b, c, d = self.beside
        return a * chest - half, b * chest - half, c * rear + half, d * rear + half

    def hang(self, body: BodyMemory, phase: float, dt: float) -> None:
        """Bend the trunk of a body in the air: what the gait did to it fades."""
        kept, before, bearing = kept_share(WAVE_HALFLIFE * self.tempo, dt), Bent(*body.bent), bearing_of(body)
        body.waves = tuple(now * kept for now in body.waves or NO_WAVES)
        flex, bend, nod = at_phase(body.waves, phase)
        curve = before.curve * kept
        body.bent = (curve, flex + bearing.fold, bend + curve, nod + bearing.look)


def at_phase(waves: Waves, phase: float) -> tuple[float, float, float]:
    """Flexion, bend and nod of the trunk's waves at a phase, without the curve's bend."""
    f, g, a, b, n, m, k, j = waves or NO_WAVES
    c, s = cos(tau * phase), sin(tau * phase)
    return f * c + g * s, a * c + b * s, n * c + m * s + k * (c * c - s * s) + j * 2.0 * s * c


def shift_clock(body: BodyMemory, shift: float) -> None:
    """After the clock was put forward by `shift`, keep the trunk as it is: its waves go with the clock."""
    c, s = cos(tau * shift), sin(tau * shift)
    if not body.waves:
        return
    c2, s2 = c * c - s * s, 2.0 * s * c
    f, g, a, b, n, m, k, j = body.waves
    body.waves = (
        f * c - g * s, f * s + g * c, a * c - b * s, a * s + b * c, n * c - m * s, n * s + m * c,
        k * c2 - j * s2, k * s2 + j * c2,
    )  # fmt: skip


def _trunk_length(shape: BodyShape) -> float:
    hips = [leg.hip for leg in shape.legs]
    return 0.5 * abs(hips[0][1] + hips[1][1] - hips[2][1] - hips[3][1])


def lean_over_feet(memory: GaitMemory, shape: BodyShape, balls: list[Vector], dt: float) -> None:
    """Shift a body that stands or steps on the spot towards the middle of the feet that carry it (model space)."""
    body, still = memory.body, 1.0 - froude(memory.speed, shape.leg_length) / WEIGHED_BELOW
    down = [i for i, foot in enumerate(memory.feet) if foot.planted]
    x, y, x_speed, y_speed = body.weight or (0.0, 0.0, 0.0, 0.0)
    if still <= 0.0 and hypot(x, y) < LEAST_WEIGHED * shape.leg_length:
        body.weight = ()
        return
    to_x = to_y = 0.0
    if still > 0.0 and down:
        off_x = sum(balls[i].x for i in down) / len(down) - sum(leg.ball[0] for leg in shape.legs) / len(shape.legs)
        off_y = sum(balls[i].y for i in down) / len(down) - sum(leg.ball[1] for leg in shape.legs) / len(shape.legs)
        far = WEIGHED * still * hypot(off_x, off_y)
        share = WEIGHED * still * min(1.0, MOST_WEIGHED * shape.leg_length / max(far, 1e-9))
        to_x, to_y = share * off_x, share * off_y
    soon = WEIGHT_HALFLIFE * shape.tempo
    x, x_speed = spring(x, x_speed, to_x, soon, dt)
    y, y_speed = spring(y, y_speed, to_y, soon, dt)
    body.weight = (x, y, x_speed, y_speed)


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
        self.blades = [blade_of(rig, k) for k in range(len(rig.legs))]
        self.hips = [leg.hip for leg in rig.legs]

    def bones(self) -> set[int]:
        """All bones that it turns."""
        blades = {blade.bone for blade in self.blades if blade is not None}
        return {*(self.spine.bones if self.spine else ()), *self.neck, *(i for t in self.tails for i in t), *blades}

    def pose(self, pose: Pose, move: Matrix, memory: GaitMemory) -> None:
        """Pose the trunk; `move` is what the planned body does to the rest pose, model space."""
        state, turn = Bent(*memory.body.bent), move.to_quaternion()
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
        self._pose_neck(pose, memory.body, state, chest)
        self._pose_tails(pose, memory, rear)

    def _pose_neck(self, pose: Pose, body: BodyMemory, state: Bent, chest: Quaternion) -> None:
        """The head keeps level, looks along the curve and nods; the neck leads up to it."""
        count = len(self.neck)
        if not count:
            return
        level = Quaternion(Z, LOOK_AHEAD * state.curve) @ Quaternion(Y, HEAD_TILT * body.roll)
        head = level @ Quaternion(X, HEAD_TILT * body.pitch)
        for rank, bone in enumerate(self.neck, start=1):
            nod = state.nod if rank < count else HEAD_NOD * state.nod
            turn = chest.slerp(head, rank / count) @ Quaternion(X, nod)
            pose.set_turn(bone, turn @ self.turns[bone])

    def _pose_tails(self, pose: Pose, memory: GaitMemory, rear: Quaternion) -> None:
        """Each bone does what the pelvis did a little earlier, and more of it; at speed the tail is carried higher."""
        body, state, spring = memory.body, Bent(*memory.body.bent), self.spring
        if spring is None:
            return
        rise = TAIL_RISE * body.effort * min(1.0, memory.speed**2 / self.raised)
        for tail in self.tails:
            for rank, bone in enumerate(tail, start=1):
                flex, bend, nod = at_phase(body.waves, memory.phase - TAIL_LAG * rank)
                pitch = spring.pitch * (state.flex - TAIL_FOLLOW * flex) + nod
                yaw = -TAIL_SWING * spring.yaw * bend - TAIL_CURVE * rank * state.curve
                turn = rear @ Quaternion(Z, yaw) @ Quaternion(X, pitch + rise)
                pose.set_turn(bone, turn @ self.turns[bone])

    def carry(self, pose: Pose, k: int, ball: Vector) -> None:
        """Turn the shoulder blade of leg `k` with the leg, whose foot is at `ball`, model space."""
        blade = self.blades[k]
        if blade is None:
            return
        carrier = pose.model(self.chest) @ self.unrest
        angle = blade.turn(carrier @ self.hips[k], ball)
        pose.set_turn(blade.bone, carrier.to_quaternion() @ Quaternion(X, angle) @ self.turns[blade.bone])
