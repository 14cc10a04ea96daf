"""Where a body that clings is led: the directors of a floor, seen along the surface that it is on.

What leads it is a place in space. The body goes the way in which that place lies along its own plane, as far as it is
in space; around a corner its plane turns, and so it finds the next face. Straight over or under it there is no such
way: it goes on as it faces. A path and a mover are followed, not kept to: the body has its own way over the surface.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache
from math import cos, dist, hypot, sqrt

from ..space.angles import facing, heading_of, turn_between
from ..space.rigid import turned, undone
from .clinging import Grip
from .config import ControlConfig
from .directors import DIRECTORS, DirectorMemory, decide, director_at
from .intent import DirectorName, Inputs, Intent, PathLine, Place, RouteSpot, Travel

# The body looks this many legs ahead on a path; it catches up with what it follows in so many seconds, at most so many
# times as fast as that goes.
LEAD, CATCH_UP, FASTEST = 0.8, 0.3, 1.5
# A place whose way along the surface is a smaller share of its distance than this lies over or under the body.
OVERHEAD = 0.15


def decide_along(
    name: DirectorName,
    memory: DirectorMemory,
    inputs: Inputs,
    travel: Travel,
    grip: Grip,
    config: ControlConfig,
    dt: float,
) -> Intent:
    """The intent of one tick, in the grip's frame."""
    sent = inputs.goal is not None
    if name == "PATH" and not sent and inputs.path is not None and _lengths(inputs.path)[-1] > 0.0:
        return _path(memory, inputs.path, inputs.speed, travel, grip, config, dt)
    if name == "MOVER" and not sent and inputs.mover is not None:
        return _mover(memory, inputs.mover, travel, grip, config, dt)
    return decide(name, memory, _told(inputs, travel, grip), travel, config, dt)


def predict_along(
    name: DirectorName,
    memory: DirectorMemory,
    inputs: Inputs,
    travel: Travel,
    grip: Grip,
    config: ControlConfig,
    s: float,
) -> Place:
    """Where the body will be in `s` seconds on the unrolled surface."""
    if name in ("PATH", "MOVER") and inputs.goal is None:
        return DIRECTORS["MOVER"].predict(memory, inputs, travel, config, s)
    return director_at(name, inputs).predict(memory, _told(inputs, travel, grip), travel, config, s)


def _told(inputs: Inputs, travel: Travel, grip: Grip) -> Inputs:
    """The inputs with the target, and the spots to walk to, where they lie along the surface."""
    if inputs.target is None and inputs.goal is None and not inputs.route:
        return inputs
    target = None if inputs.target is None else _seen(inputs.target, travel, grip)
    goal = None if inputs.goal is None else _seen_spot(inputs.goal, travel, grip)
    route = tuple(_seen_spot(spot, travel, grip) for spot in inputs.route)
    return replace(inputs, target=target, goal=goal, route=route)


def _seen_spot(spot: RouteSpot, travel: Travel, grip: Grip) -> RouteSpot:
    return spot._replace(place=_seen(spot.place, travel, grip))


def _seen(place: Place, travel: Travel, grip: Grip) -> Place:
    """A place of the scene on the unrolled surface: as far as in space, in the direction that it has along it."""
    here = travel.place
    x, y, z = grip.frame.from_scene(place[:3])
    dx, dy, far = x - here.x, y - here.y, dist((x, y, z), here[:3])
    way = hypot(dx, dy)
    ux, uy = (dx / way, dy / way) if way > OVERHEAD * far else facing(here.heading)
    fx, fy, _ = turned(undone(grip.frame.turn), (*facing(place.heading), 0.0))
    heading = heading_of(fx, fy) if hypot(fx, fy) > OVERHEAD else here.heading
    return Place(here.x + far * ux, here.y + far * uy, here.z, heading)


def _after(goal: Place, speed: float, travel: Travel) -> Intent:
    """Towards a place at a speed, turning to it first."""
    here = travel.place
    heading = heading_of(goal.x - here.x, goal.y - here.y)
    speed *= max(0.0, cos(turn_between(here.heading, heading)))
    x, y = facing(here.heading)
    return Intent((x * speed, y * speed), heading)


def _path(
    memory: DirectorMemory, path: PathLine, wanted: float, travel: Travel, grip: Grip, config: ControlConfig, dt: float
) -> Intent:
    lengths = _lengths(path)
    whole, lead = lengths[-1], LEAD * config.leg
    goal = _seen(_on(path, memory.along + lead), travel, grip)
    here = travel.place
    far = hypot(goal.x - here.x, goal.y - here.y)
    left = far if memory.along + lead >= whole and not path.closed else whole
    if left <= 0.1 * config.leg:
        return Intent((0.0, 0.0), here.heading, reason="The path ends here." if wanted else "")
    if far < 2.0 * lead:
        memory.along += wanted * dt
        memory.along = memory.along % whole if path.closed else min(memory.along, whole)
    return _after(goal, min(wanted, sqrt(2.0 * config.deceleration * left)), travel)


def _mover(
    memory: DirectorMemory, mover: Place, travel: Travel, grip: Grip, config: ControlConfig, dt: float
) -> Intent:
    before, memory.seen = memory.seen or mover, mover
    goal, here = _seen(mover, travel, grip), travel.place
    far, pace = hypot(goal.x - here.x, goal.y - here.y), dist(before[:3], mover[:3]) / dt
    if far < 0.1 * config.leg:
        return Intent((0.0, 0.0), goal.heading)
    return _after(goal, min(far / CATCH_UP, FASTEST * max(pace, config.leg)), travel)


@lru_cache(maxsize=16)
def _lengths(path: PathLine) -> tuple[float, ...]:
    """The arc length at each point of a path in space; a closed one ends with its first point."""
    lengths = [0.0]
    for a, b in zip(path.space, path.space[1:], strict=False):
        lengths.append(lengths[-1] + dist(a, b))
    return tuple(lengths)


def _on(path: PathLine, along: float) -> Place:
    """The place at an arc length in space."""
    lengths = _lengths(path)
    along = along % lengths[-1] if path.closed else min(along, lengths[-1])
    k = min(max(1, bisect_left(lengths, along)), len(lengths) - 1)
    span = lengths[k] - lengths[k - 1]
    share = (along - lengths[k - 1]) / span if span > 0.0 else 0.0
    x, y, z = (a + (b - a) * share for a, b in zip(path.space[k - 1], path.space[k], strict=True))
    return Place(x, y, z, 0.0)
