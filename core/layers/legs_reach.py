"""When a foot is farther than its leg reaches: it rolls over its ball, and then comes nearer along the ground."""

from __future__ import annotations

from math import asin, hypot, radians, sqrt

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .legs_feet import FootParts, PosedFoot
from .legs_place import Goal

# A heel that is so far over its ball (shares of the sole) is up, and may be lifted further: at most by MOST_ROLL.
LIFTS, LIFTED = 0.1, 0.35
MOST_ROLL = radians(25.0)
# When even the lowered body does not let it reach, any heel is lifted: one that stands by so much (metres, for a 0.9 m
# leg), one that the pose has so high by so large an angle.
STANDING, FREE, FARTHEST_ROLL = 0.008, (0.012, 0.03), radians(40.0)
BISECTIONS = 12
# A leg is stretched at most to so much of its length, whatever a foot asks for, if the pose has it no longer itself.
LONGEST = 0.995


def roll_to_reach(
    parts: FootParts, foot: PosedFoot, hip: Vector, goal: Goal, reach: float, *, on_heel: bool, any_by: float = 0.0
) -> None:
    """Lift a heel that is up already further, as far as the leg is too short for its goal; any heel by `any_by`."""
    sole = foot.ball - foot.heel
    if not parts.lies or on_heel or (goal.tip - hip).length <= reach:
        return
    up = share_of(-sole.z / sole.length, LIFTS, LIFTED)
    flat = Vector((sole.x, sole.y, 0.0))
    if up + any_by <= 0.0 or flat.length <= 1e-6:
        return
    axis = goal.tilt @ cross(Vector((0.0, 0.0, 1.0)), flat).normalized()
    about = goal.pivot + goal.tilt @ (foot.roll - foot.ball)
    arm = goal.tip - about

    def away(roll: float) -> float:
        return (about + Quaternion(axis, roll) @ arm - hip).length

    low, high = 0.0, max(0.0, max(any_by, MOST_ROLL * smoothstep(up)) - goal.roll)
    if away(high) > reach:
        low = high
    else:
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if away(middle) > reach else (low, middle)
    goal.roll += low
    goal.rolled = Quaternion(axis, low) @ goal.rolled
    goal.tip = about + Quaternion(axis, low) @ arm


def roll_of_any(foot: PosedFoot, floor: float, scale: float) -> float:
    """How far (radians) the heel of a foot is lifted at most if its leg is too short, wherever the pose has it."""
    arm = (foot.heel - foot.roll).length
    if arm <= STANDING * scale:
        return 0.0
    roll = roll_of_free(foot, floor, scale)
    return roll + asin(STANDING * scale / arm) * (1.0 - roll / FARTHEST_ROLL)


def roll_of_free(foot: PosedFoot, floor: float, scale: float) -> float:
    """How far (radians) a heel that the pose has off its floor is lifted at most."""
    return FARTHEST_ROLL * share_of(foot.heel.z - floor, FREE[0] * scale, FREE[1] * scale)


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
