"""The body as a performer's rode over the feet: its turn, its shift and its sink at a phase of the gait's clock."""

from __future__ import annotations

from mathutils import Quaternion, Vector

from .memory import BodyMemory
from .performed import Performed

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))


def ride(
    performed: Performed, body: BodyMemory, phase: float, leg_length: float, sway: float
) -> tuple[Quaternion, tuple[float, float]]:
    """How the body turns and is shifted (model x and y); `sway` is how much of the performer's sway is wanted."""
    now = performed.ride(phase, body.stride * body.effort)
    body.twist = now.yaw
    turn = Quaternion(Z, now.yaw) @ Quaternion(Y, body.roll + body.bank + now.list) @ Quaternion(X, now.pitch)
    return turn, (now.sway * sway * leg_length, -now.surge * leg_length)


def sink(performed: Performed, body: BodyMemory, phase: float, leg_length: float, bob: float, standing: float) -> float:
    """How far the hips sink; `bob` is how much of the performer's bob is wanted, `standing` the sink at rest."""
    wanted = performed.sink_at(phase, bob * min(1.0, body.stride)) * leg_length
    return standing + (wanted - standing) * body.effort


def moves_on(
    performed: Performed, body: BodyMemory, phases: tuple[float, float], arm: Vector, leg_length: float
) -> Vector:
    """How far a hip at `arm` from the middle moves from one phase to the other, but for the travel and the sink."""
    now, then = (performed.ride(phase, body.stride * body.effort).hip(arm, leg_length) for phase in phases)
    return then - now
