"""Levels of boxes, walls and ramps by seed, each with a goal: every other one where walking does not lead."""

from __future__ import annotations

from math import hypot, pi
from random import Random
from typing import NamedTuple

import numpy as np
from support.obstacle_field import Thing, _box, _moved, _wedge

SIZE = 8.0
"""Half the length of the floor, metres."""
COUNT = 16
CLEAR = 1.5
"""Nothing is nearer to where it begins than this, metres."""
Triple = tuple[float, float, float]


class Level(NamedTuple):
    """What stands there, and where to go. `high`: the goal is on something that is no step."""

    things: list[Thing]
    goal: Triple
    high: bool


def level(seed: int) -> Level:
    """One level. It begins in the middle."""
    chance = Random(seed)
    high = seed % 2 == 1
    things = [Thing("FLOOR", *_moved(_box(2.0 * SIZE, 2.0 * SIZE, 1.0), 0.0, 0.0, (0.0, 0.0, -1.0)), True)]
    tops = []
    for k in range(COUNT):
        kind = ("BOX", "WALL", "BOX", "RAMP")[k % 4]
        x, y, yaw = chance.uniform(-SIZE, SIZE), chance.uniform(-SIZE, SIZE), chance.uniform(0.0, 2.0 * pi)
        if kind == "BOX":
            size = (chance.uniform(0.8, 3.0), chance.uniform(0.8, 3.0), chance.uniform(0.4, 3.4))
            mesh = _box(*size)
            tops.append((x, y, size[2], min(size[:2])))
        elif kind == "WALL":
            mesh = _box(chance.uniform(2.0, 6.0), chance.uniform(0.1, 0.4), chance.uniform(0.7, 4.0))
        else:
            mesh = _wedge(chance.uniform(0.2, 0.7), chance.uniform(2.0, 4.0), chance.uniform(1.2, 2.5))
        corners, faces = _moved(mesh, yaw, 0.0, (x, y, -0.2 if kind == "RAMP" else 0.0))
        if float(np.hypot(corners[:, 0], corners[:, 1]).min()) > CLEAR and not _around(corners):
            things.append(Thing(kind, corners, faces, True))
        elif kind == "BOX":
            tops.pop()
    if high and not _wide(tops):
        x, y = chance.choice((-5.0, 5.0)), chance.choice((-5.0, 5.0))
        tops.append((x, y, 1.7, 2.0))
        things.append(Thing("BOX", *_moved(_box(2.0, 2.0, 1.7), chance.uniform(0.0, pi), 0.0, (x, y, 0.0)), True))
    if seed % 4 == 3:
        things += _yard(chance)
    return Level(things, _goal(chance, things, tops, high=high), high)


def _yard(chance: Random) -> list[Thing]:
    """A fence round the middle, that nobody walks out of."""
    out, found = chance.uniform(1.8, 2.6), []
    for yaw, x, y in ((0.0, 0.0, -out), (0.0, 0.0, out), (0.5 * pi, -out, 0.0), (0.5 * pi, out, 0.0)):
        mesh = _box(2.0 * out + 0.1, chance.uniform(0.06, 0.3), chance.uniform(0.75, 1.15))
        found.append(Thing("FENCE", *_moved(mesh, yaw, 0.0, (x, y, 0.0)), True))
    return found


def _around(corners: np.ndarray) -> bool:
    """True for a mesh whose box goes round the middle."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    return bool((low[:2] < CLEAR).all() and (high[:2] > -CLEAR).all())


def _wide(tops: list[tuple[float, float, float, float]]) -> list[Triple]:
    """The middles of the tops that are wide enough and no step."""
    return [(x, y, z) for x, y, z, width in tops if z > 0.8 and width > 1.2 and max(abs(x), abs(y)) < SIZE - 0.5]


def _goal(chance: Random, things: list[Thing], tops: list[tuple[float, float, float, float]], *, high: bool) -> Triple:
    if high:
        return chance.choice(_wide(tops))
    for _ in range(100):
        x, y = chance.uniform(-SIZE + 1.0, SIZE - 1.0), chance.uniform(-SIZE + 1.0, SIZE - 1.0)
        near = any(_near(thing, x, y) for thing in things[1:])
        if hypot(x, y) > 4.0 and not near:
            break
    return x, y, 0.0


def _near(thing: Thing, x: float, y: float) -> bool:
    low, high = thing.corners.min(axis=0) - 0.6, thing.corners.max(axis=0) + 0.6
    return bool(low[0] < x < high[0] and low[1] < y < high[1])
