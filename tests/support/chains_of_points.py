"""Chains of points for the tests of their solvers: straight and curled ones, targets by seed, plain twins."""

import math
import random
from itertools import pairwise

import numpy as np

COUNTS = (3, 4, 7, 12, 20, 30)
CURLS = {"straight": 0.0, "bent": 1.5, "hooked": 4.0, "coiled": 9.0}


def curled(count, curl, length=1.0, spiral=0.0, root=(0.0, 0.0, 0.0)):
    """A chain of `count` equal segments along +Y that bends by `curl` radians in all to +Z, and may climb to +X."""
    step = length / count
    flat, rise = step * math.sqrt(1.0 - spiral * spiral), step * spiral
    points = [root]
    for k in range(count):
        angle = curl * (k + 0.5) / count
        x, y, z = points[-1]
        points.append((x + rise, y + flat * math.cos(angle), z + flat * math.sin(angle)))
    return points


def tapered(count, curl):
    """As `curled`, each segment shorter than the one before."""
    weights = [0.9**k for k in range(count)]
    points, angle = [(0.0, 0.0, 0.0)], 0.0
    for weight in weights:
        angle += curl / count
        step = weight / sum(weights)
        _, y, z = points[-1]
        points.append((0.0, y + step * math.cos(angle), z + step * math.sin(angle)))
    return points


def direction(numbers):
    """A direction, all alike probable."""
    while True:
        v = [numbers.uniform(-1.0, 1.0) for _ in range(3)]
        length = math.hypot(*v)
        if 0.1 < length < 1.0:
            return tuple(n / length for n in v)


def targets(seed, count, low=0.0, high=0.9):
    """Targets in all directions, at shares of a length of 1 from `low` to `high`."""
    numbers = random.Random(seed)
    for _ in range(count):
        share = numbers.uniform(low, high)
        yield tuple(n * share for n in direction(numbers))


def lengths_of(points):
    return [math.dist(a, b) for a, b in pairwise(points)]


def length_error(points, like):
    return max(abs(a - b) for a, b in zip(lengths_of(points), lengths_of(like), strict=True))


def plain_fabrik(points, target, sweeps):
    """FABRIK as the paper has it, from backward reaching to forward reaching, in numpy: the slow twin."""
    places = np.array(points, dtype=float)
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    root = places[0].copy()
    for _ in range(sweeps):
        places[-1] = target
        for i in range(len(places) - 2, -1, -1):
            apart = np.linalg.norm(places[i + 1] - places[i])
            share = lengths[i] / apart
            places[i] = (1.0 - share) * places[i + 1] + share * places[i]
        places[0] = root
        for i in range(len(places) - 1):
            apart = np.linalg.norm(places[i + 1] - places[i])
            share = lengths[i] / apart
            places[i + 1] = (1.0 - share) * places[i] + share * places[i + 1]
    return places
