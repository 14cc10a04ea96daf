"""What the feet of a body on more than two legs make of the ground: how it lies under them."""

from __future__ import annotations

from collections.abc import Sequence

from ..control.intent import Travel
from ..space.curves import smoothstep
from .frame import slope_vector
from .memory import GaitMemory


def lie_of_feet(
    memory: GaitMemory, travel: Travel, stands: Sequence[tuple[float, float]], spread: tuple[float, float]
) -> tuple[float, float, float]:
    """How the feet stand off the plane of the travel: rise in the middle, and the slopes along and across of both.

    `stands` are the feet's rest places around their middle, `spread` the sums of their squares (model x and y). A foot
    in the air counts by where it goes, more and more. Feet ahead of or behind their places on a slope are no reason to
    rock: only their distance from the plane counts.
    """
    (px, py, pz, _), (slope_x, slope_y, _) = travel.place, slope_vector(travel)
    rises = []
    for foot in memory.feet:
        hold, target = foot.hold, foot.target
        rise = hold.z - pz - slope_x * (hold.x - px) - slope_y * (hold.y - py)
        if target is not None:
            there = target.z - pz - slope_x * (target.x - px) - slope_y * (target.y - py)
            rise += (there - rise) * smoothstep(foot.progress)
        rises.append(rise)
    mean = sum(rises) / len(rises)
    along = across = 0.0
    for rise, (x, y) in zip(rises, stands, strict=True):
        along -= rise * y
        across += rise * x
    along, across = along / max(spread[1], 1e-6), across / max(spread[0], 1e-6)
    return mean, travel.slope + along, travel.cross_slope + across
