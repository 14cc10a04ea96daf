"""What the feet of a body on more than two legs make of the ground: how it lies under them."""

from __future__ import annotations

from collections.abc import Sequence

from ..control.intent import Travel
from ..space.curves import smoothstep
from .frame import FrameOfBody
from .memory import GaitMemory


def lie_of_feet(
    memory: GaitMemory, travel: Travel, stands: Sequence[tuple[float, float]], spread: tuple[float, float]
) -> tuple[float, float, float]:
    """How the feet stand off the plane of the travel: rise in the middle, and the slopes along and across of both.

    `stands` are the feet's rest places around their middle, `spread` the sums of their squares (model x and y). A foot
    in the air counts by where it goes, more and more. Feet ahead of or behind their places on a slope are no reason to
    rock: only their distance from the plane counts.
    """
    frames = FrameOfBody(travel)
    rises = []
    for foot in memory.feet:
        x, y, z = frames.point(foot.hold[:3])
        rise = z - travel.slope * -y - travel.cross_slope * x
        if foot.target is not None:
            x, y, z = frames.point(foot.target[:3])
            rise += ((z - travel.slope * -y - travel.cross_slope * x) - rise) * smoothstep(foot.progress)
        rises.append(rise)
    mean = sum(rises) / len(rises)
    along = sum(r * -y for r, (_, y) in zip(rises, stands, strict=True)) / max(spread[1], 1e-6)
    across = sum(r * x for r, (x, _) in zip(rises, stands, strict=True)) / max(spread[0], 1e-6)
    return mean, travel.slope + along, travel.cross_slope + across
