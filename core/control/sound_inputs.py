"""Inputs without numbers that are none, as a broken driver or key makes them, and without speeds that nobody has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import hypot, isfinite

from .intent import AgentWish, Inputs, Place, RouteSpot

FASTEST = 500.0
"""Nothing is moved faster than this, metres a second: a body looks at every part of its way."""


def sound(inputs: Inputs) -> Inputs:
    """The same inputs where all is well. What is no number counts as not said: no speed, no push, no place."""
    added, pad, agent = inputs.added, inputs.pad, inputs.agent
    x, y, z = added
    fits = -FASTEST <= inputs.speed <= FASTEST and -FASTEST <= x <= FASTEST
    fits = fits and -FASTEST <= y <= FASTEST and -FASTEST <= z <= FASTEST
    told = agent is None or _told(agent)
    struck = not inputs.hits or all(_fits(hit.velocity) for hit in inputs.hits)
    if fits and told and struck and isfinite(pad.x + pad.y) and _placed(inputs):
        return inputs
    x, y, z = map(limited, added)
    return replace(
        inputs,
        speed=limited(inputs.speed),
        added=(x, y, z),
        pad=pad._replace(x=pad.x if isfinite(pad.x) else 0.0, y=pad.y if isfinite(pad.y) else 0.0),
        target=_place(inputs.target),
        mover=_place(inputs.mover),
        moved_to=_place(inputs.moved_to),
        goal=inputs.goal if _spotted(inputs.goal) else None,
        route=tuple(spot for spot in inputs.route if _spotted(spot)),
        agent=agent if told else None,
        hits=tuple(hit for hit in inputs.hits if _fits(hit.velocity)),
    )


def _fits(speeds: Iterable[float]) -> bool:
    return all(-FASTEST <= speed <= FASTEST for speed in speeds)


def limited(speed: float) -> float:
    """A speed that can be had, metres a second; none where it is no number."""
    return min(max(speed, -FASTEST), FASTEST) if isfinite(speed) else 0.0


def _placed(inputs: Inputs) -> bool:
    for place in (inputs.target, inputs.mover, inputs.moved_to):
        if place is not None and not isfinite(sum(place)):
            return False
    if inputs.goal is None and not inputs.route:
        return True
    return all(_spotted(spot) for spot in (inputs.goal, *inputs.route))


def _place(place: Place | None) -> Place | None:
    return place if place is None or isfinite(sum(place)) else None


def _spotted(spot: RouteSpot | None) -> bool:
    return spot is None or isfinite(sum(spot.place) + spot.pace + spot.wait)


def _told(agent: AgentWish) -> bool:
    return _finite(agent) and hypot(*agent.velocity) <= FASTEST


def _finite(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_finite(part) for part in value)
    return not isinstance(value, float) or isfinite(value)
