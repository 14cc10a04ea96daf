"""When a foot is farther than its leg reaches: it rolls over its ball, and then comes nearer along the ground."""

from __future__ import annotations

from math import hypot, radians, sqrt

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .legs_feet import FootParts, PosedFoot
from .legs_place import Goal

# A heel that is so far over its ball (shares of the sole) is up, and may be lifted further: at most by MOST_ROLL.
LIFTS, LIFTED = 0.1, 0.35
MOST_ROLL = radians(20.0)
# When even the lowered body does not let it reach, any heel is lifted, and by so much.
FARTHEST_ROLL = radians(40.0)
BISECTIONS = 12
# A leg is stretched at most to so much of its length, whatever a foot asks for, if the pose has it no longer itself.
LONGEST = 0.995


def roll_to_reach(
    parts: FootParts, foot: PosedFoot, hip: Vector, goal: Goal, reach: float, *, on_heel: bool, flat_too: bool = False
) -> None:
    """Lift a heel that is up already further, as far as the leg is too short for its goal; any heel, if asked."""
    sole = foot.ball - foot.heel
    if not parts.lies or on_heel or (goal.tip - hip).length <= reach:
        return
    up = 1.0 if flat_too else share_of(-sole.z / sole.length, LIFTS, LIFTED)
    flat = Vector((sole.x, sole.y, 0.0))
    if up <= 0.0 or flat.length <= 1e-6:
        return
    axis = goal.tilt @ cross(Vector((0.0, 0.0, 1.0)), flat).normalized()
    about = goal.pivot + goal.tilt @ (foot.roll - foot.ball)
    arm = goal.tip - about

    def away(roll: float) -> float:
        return (about + Quaternion(axis, roll) @ arm - hip).length

    low, high = 0.0, max(0.0, (FARTHEST_ROLL if flat_too else MOST_ROLL) * smoothstep(up) - goal.roll)
    if away(high) > reach:
        low = high
    else:
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if away(middle) > reach else (low, middle)
    goal.roll += low
    goal.rolled = Quaternion(axis, low) @ goal.rolled
    goal.tip = about + Quaternion(axis, low) @ arm


def draw_near(hip: Vector, goal: Goal, reach: float, most: float) -> bool:
    """Take a foot that is too far away nearer along the ground, by at most so much, towards under its hip.

    What it still lacks then is air under its sole. True where it was moved.
    """
    away = hip - goal.tip
    flat = hypot(away.x, away.y)
    excess = away.length_squared - reach * reach
    if excess <= 1e-6 * reach * reach or flat <= 1e-6:
        return False
    ux, uy = away.x / flat, away.y / flat
    rise = goal.slope[0] * ux + goal.slope[1] * uy
    # So far along the ground that what is left is the reach, or nearest to it.
    square, gained = 1.0 + rise * rise, flat + rise * away.z
    root = gained * gained - square * excess
    way = min(most, (gained - sqrt(max(0.0, root))) / square)
    if way <= 0.0:
        return False
    goal.move(Vector((ux * way, uy * way, 0.0)))
    return True
