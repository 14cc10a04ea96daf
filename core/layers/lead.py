"""A head without a target looks where the body goes: it leads into turns, the chest comes after it."""

from __future__ import annotations

from math import atan2, hypot, pi, radians, sqrt
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..ik.aim import UP
from ..rig.edited_pose import EditedPose
from ..space.curves import share_of, smoothstep
from ..space.dampers import spring
from .layer import Moment
from .look_chain import LookChain

# Seconds.
HEAD_HALFLIFE, CHEST_HALFLIFE = 0.12, 0.26
MOST = radians(60.0)
# Shares of sqrt(9.81 * leg) at which a sideways way begins to be looked along, and is in full.
CREEP, GOING = 0.05, 0.15
# A way further round than this is looked along less and less: what goes backward looks ahead.
ASIDE, BACKWARD = radians(100.0), radians(150.0)
NOTHING = 1e-5


class LeadMemory(NamedTuple):
    """How far head and chest are ahead of the body, to the left, radians, and how fast that changes."""

    head: float = 0.0
    head_speed: float = 0.0
    chest: float = 0.0
    chest_speed: float = 0.0


NO_LEAD = LeadMemory()


def led(memory: LeadMemory, goal: float, dt: float) -> LeadMemory:
    """Head and chest after `dt` seconds on their way to where the body goes."""
    if dt <= 0.0:
        memory = LeadMemory(goal, 0.0, goal, 0.0)
    else:
        head = spring(memory.head, memory.head_speed, goal, HEAD_HALFLIFE, dt)
        memory = LeadMemory(*head, *spring(memory.chest, memory.chest_speed, goal, CHEST_HALFLIFE, dt))
    return NO_LEAD if goal == 0.0 and max(map(abs, memory)) < NOTHING else memory


def way_ahead(moment: Moment, seconds: float, most: float, leg: float) -> float:
    """The yaw at which a body goes on `seconds` later, at most `most`."""
    x, y, _ = moment.to_model.to_quaternion() @ Vector(moment.velocity)
    going = smoothstep(share_of(hypot(x, y) / sqrt(9.81 * leg), CREEP, GOING))
    aside = atan2(x, -y) if going > 0.0 else 0.0
    aside *= going * (1.0 - smoothstep(share_of(abs(aside), ASIDE, min(BACKWARD, pi))))
    most = min(most, MOST)
    return min(most, max(-most, aside + moment.turn_rate * seconds))


def turn_ahead(pose: EditedPose, chain: LookChain, memory: LeadMemory) -> None:
    """Yaw the chain: its end by what the head leads, its beginning by its share of what the chest does."""
    up = chain.frame(pose) @ UP
    first = chain.parts[0]
    turns = []
    for part in chain.parts:
        share = (part - first) / (1.0 - first) if first < 1.0 else 1.0
        angle = memory.head * share + memory.chest * first * (1.0 - share)
        turns.append(Quaternion(up, angle))
    chain.turn(pose, turns)
