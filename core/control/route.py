"""From spot to spot: to each one's very place, turned as it is turned, a wait, and on.

Far from a spot a body goes where it faces, and turns before it walks, as to a target. Close by it steps straight to the
spot, whatever its facing, so that it neither circles around it nor stops beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, inf, radians, sin, sqrt

from ..space.angles import facing, heading_of, turn_between
from ..space.copying import copier
from .config import ControlConfig
from .intent import Inputs, Intent, Place, RouteSpot, Travel
from .point import horizontal_share, rise_along
from .ways import arc, arc_along, signed_speed, stopping_speed, way_and_stop

NEAR = 0.4
"""From so near a spot a body steps straight to it, metres, for a leg of 0.9 m."""
PASSING = 0.5
"""A spot at which nothing is to be done is passed at this distance, metres, for a leg of 0.9 m."""
THERE, AGAIN = 0.002, 0.1
"""So near a spot the body is there, and so far from it not any more, metres, for a leg of 0.9 m."""
TURNED = radians(1.0)
STRAIGHT = 1e-3
EASILY = 0.7
"""The share of its rate of turn, and of its acceleration, that a bend to a spot needs at most."""
ASIDE = 0.05
"""So near a spot the body does not turn to it any more, metres, for a leg of 0.9 m."""
NO_SPOTS = "The route has no spots: add one, or choose another director."
ENDS = "The route ends here."


@dataclass(slots=True)
class RouteMemory:
    """`spot` is the number of the spot that the body goes to or is at, `arrived` whether it is there, `waited` for how
    long it has waited there, seconds; `there` whether it is at the goal that it is sent to meanwhile.
    """

    spot: int = 0
    arrived: bool = False
    waited: float = 0.0
    there: bool = False

    def copy(self) -> RouteMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(RouteMemory)


def follow(
    memory: RouteMemory,
    spots: tuple[RouteSpot, ...],
    inputs: Inputs,
    travel: Travel,
    config: ControlConfig,
    dt: float,
) -> Intent:
    """The intent of one tick on the way over the spots; `inputs` say its speed, and whether the last leads to the
    first.
    """
    here = travel.place
    if not spots:
        return Intent((0.0, 0.0), here.heading, reason=NO_SPOTS)
    memory.spot = min(memory.spot, len(spots) - 1)
    _go_on(memory, spots, travel, inputs.loops, config, dt)
    spot, stops = spots[memory.spot], _stops(memory.spot, spots, inputs.loops)
    if memory.arrived:
        last = memory.spot == len(spots) - 1 and not inputs.loops
        done = last and memory.waited >= spot.wait and _is_turned(spot, here)
        return Intent((0.0, 0.0), spot.place.heading if spot.turns else here.heading, reason=ENDS if done else "")
    return _towards(spot, inputs.speed, travel, config, dt, stops=stops)


def foresee(
    memory: RouteMemory,
    spots: tuple[RouteSpot, ...],
    inputs: Inputs,
    travel: Travel,
    config: ControlConfig,
    seconds: float,
) -> Place:
    """Where the body is in some seconds."""
    here = travel.place
    if not spots:
        return here
    number = min(memory.spot, len(spots) - 1)
    spot = spots[number]
    if memory.arrived:
        to_turn = turn_between(here.heading, spot.place.heading) if spot.turns else 0.0
        return arc(travel, 0.0, _turning(travel, to_turn, seconds))
    dx, dy = spot.place.x - here.x, spot.place.y - here.y
    far, course = hypot(dx, dy), heading_of(dx, dy)
    turn = turn_between(here.heading, course)
    left = far / horizontal_share(travel.slope) if _stops(number, spots, inputs.loops) else inf
    speed = spot.pace or inputs.speed
    if far < NEAR * config.scale and left < inf:
        way = way_and_stop(hypot(*travel.velocity), speed, left, config, seconds)
        return arc_along(travel, course, min(abs(way), far), 0.0)._replace(heading=here.heading)
    turned = _turning(travel, turn, seconds)
    speed = _bend_speed(speed, far, turn - turned, config) * max(0.0, cos(turn - turned))
    way = way_and_stop(signed_speed(travel), speed, left, config, seconds)
    return arc(travel, min(way, left), turned)


def _bend_speed(speed: float, far: float, turn: float, config: ControlConfig) -> float:
    """A speed, or the highest at which a body can follow an even bend to a spot that is so far and so much aside."""
    aside = abs(sin(turn))
    if aside < STRAIGHT:
        return speed
    radius = 0.5 * far / aside
    return min(speed, EASILY * config.turn_rate * radius, sqrt(EASILY * config.acceleration * radius))


def _turning(travel: Travel, left: float, seconds: float) -> float:
    """How far the body has turned in some seconds, at most as far as it is to turn."""
    return min(max(travel.turn_rate * seconds, -abs(left)), abs(left))


def _stops(number: int, spots: tuple[RouteSpot, ...], loops: bool) -> bool:
    """True for a spot at which there is something to do, and for the last one of all."""
    spot = spots[number]
    return spot.turns or spot.wait > 0.0 or (number == len(spots) - 1 and not loops) or len(spots) == 1


def _go_on(
    memory: RouteMemory,
    spots: tuple[RouteSpot, ...],
    travel: Travel,
    loops: bool,
    config: ControlConfig,
    dt: float,
) -> None:
    """See where the body is on its way; whoever is done at a spot has the next one before it."""
    spot, here = spots[memory.spot], travel.place
    far = hypot(spot.place.x - here.x, spot.place.y - here.y)
    if not _stops(memory.spot, spots, loops):
        if far <= PASSING * config.scale:
            _next(memory, len(spots))
        return
    near = THERE * config.scale
    if memory.arrived:
        memory.arrived = far <= AGAIN * config.scale
    else:
        # Who goes past it too fast to stop there has to come back.
        memory.arrived = far <= near and hypot(*travel.velocity) <= sqrt(2.0 * config.deceleration * near)
    if not memory.arrived or not _is_turned(spot, here):
        return
    if memory.waited < spot.wait:
        memory.waited += dt
    elif len(spots) > 1 and (loops or memory.spot < len(spots) - 1):
        _next(memory, len(spots))


def _is_turned(spot: RouteSpot, here: Place) -> bool:
    return not spot.turns or abs(turn_between(here.heading, spot.place.heading)) <= TURNED


def _next(memory: RouteMemory, count: int) -> None:
    memory.spot = (memory.spot + 1) % count
    memory.arrived, memory.waited = False, 0.0


def _towards(spot: RouteSpot, speed: float, travel: Travel, config: ControlConfig, dt: float, *, stops: bool) -> Intent:
    """On the way to a spot, slower in time where the body stops there."""
    here = travel.place
    dx, dy = spot.place.x - here.x, spot.place.y - here.y
    far, course = hypot(dx, dy), heading_of(dx, dy)
    speed = spot.pace or speed
    if stops:
        speed = min(speed, stopping_speed(far / horizontal_share(rise_along(travel, course)), config, dt))
    if stops and far < NEAR * config.scale:
        x, y = facing(course)
        return Intent((x * speed, y * speed), course if far > ASIDE * config.scale else here.heading)
    # Turned away, the body turns before it walks: no circling around a spot that is close by.
    turn = turn_between(here.heading, course)
    speed = _bend_speed(speed, far, turn, config) * max(0.0, cos(turn))
    x, y = facing(here.heading)
    return Intent((x * speed, y * speed), course)
