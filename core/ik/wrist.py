"""How a hand turns on its forearm: the bend of the wrist within a limit, the turn about the forearm shared with it."""

from __future__ import annotations

import math

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep

# A forearm takes this share of a hand's turn about it, and lets it have at most so much of it (radians).
FOREARM_SHARE = 0.5
TWIST_LIMIT = math.radians(100.0)
# From here to half a turn (radians) a hand is asked less and less: near half a turn either way round is as good.
TOO_FAR = math.radians(140.0)


def bent_wrist(carried: Quaternion, wanted: Quaternion, forearm: Vector, limit: float) -> Quaternion:
    """The hand's rotation as near to `wanted` as a wrist allows that bends by `limit` (radians); model space.

    `carried` is how the forearm has it, `forearm` the forearm's direction, a unit vector.
    """
    swing, twist = _swing_twist(_turn_from(carried, wanted), forearm)
    sure = _sure(swing) * _sure(twist)
    return _limited(swing, limit, sure) @ _limited(twist, TWIST_LIMIT, sure) @ carried


def forearm_twist(carried: Quaternion, hand: Quaternion, forearm: Vector) -> Quaternion:
    """The forearm's turn about itself, model space, for a hand that is to have the rotation `hand`."""
    _, twist = _swing_twist(_turn_from(carried, hand), forearm)
    return _limited(twist, math.pi, FOREARM_SHARE)


def _turn_from(before: Quaternion, after: Quaternion) -> Quaternion:
    """The turn from one rotation to another, the short way: with a real part that is not negative."""
    turn = after @ before.inverted()
    return turn if turn.w >= 0.0 else -turn


def _swing_twist(turn: Quaternion, along: Vector) -> tuple[Quaternion, Quaternion]:
    """A turn as a twist about a unit vector and a swing after it."""
    twist = Quaternion((turn.w, *(along * Vector((turn.x, turn.y, turn.z)).dot(along))))
    if twist.magnitude <= 1e-6:
        return turn, Quaternion()
    twist.normalize()
    return turn @ twist.inverted(), twist


def _angle(turn: Quaternion) -> float:
    """How far a turn turns, from 0 to pi."""
    return 2.0 * math.atan2(Vector((turn.x, turn.y, turn.z)).length, abs(turn.w))


def _sure(turn: Quaternion) -> float:
    """1 for a turn that has one short way, 0 for half a turn."""
    return 1.0 - smoothstep(share_of(_angle(turn), TOO_FAR, math.pi))


def _limited(turn: Quaternion, limit: float, share: float) -> Quaternion:
    """A turn held within `limit`, and a share of that."""
    half = Vector((turn.x, turn.y, turn.z))
    if half.length == 0.0:
        return Quaternion()
    return Quaternion(half if turn.w >= 0.0 else -half, share * min(_angle(turn), limit))
