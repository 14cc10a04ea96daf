"""How far a body comes in a time within its limits, and where that is: what predictions of directors are made of."""

from __future__ import annotations

from math import copysign, inf, sin, sqrt

from ..space.angles import facing
from .config import ControlConfig
from .intent import Place, Travel
from .point import horizontal_share, rise_along

HALVINGS = 16
"""Steps in which a prediction finds when braking begins."""


def stopping_speed(left: float, config: ControlConfig, dt: float) -> float:
    """The fastest speed from which whole ticks of braking end after just `left` metres; what is nearer than a tick is
    reached in one.
    """
    brake = config.deceleration
    return min(brake * (sqrt(0.25 * dt * dt + 2.0 * left / brake) - 0.5 * dt), left / dt)


def signed_speed(travel: Travel) -> float:
    """The speed along the ground, negative when walking backward."""
    x, y = facing(travel.place.heading)
    vx, vy, vz = travel.velocity
    forward = vx * x + vy * y
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    return speed if forward >= 0.0 else -speed


def way_and_stop(speed: float, wanted: float, left: float, config: ControlConfig, seconds: float) -> float:
    """As `_way`, with a stop after `left` metres: braking begins where it has to."""
    brake = 2.0 * config.deceleration

    def needs(time: float) -> float:
        """Metres until the body stands, if it brakes after this time."""
        rate = config.acceleration if abs(wanted) > abs(speed) else config.deceleration
        then = speed + copysign(min(abs(wanted - speed), rate * time), wanted - speed)
        return abs(way_in(speed, wanted, config, time)) + then * then / brake

    way = way_in(speed, wanted, config, seconds)
    if left == inf or needs(seconds) <= left:
        return way
    early, late = 0.0, seconds
    for _ in range(HALVINGS):
        middle = 0.5 * (early + late)
        early, late = (early, middle) if needs(middle) > left else (middle, late)
    begun = abs(way_in(speed, wanted, config, early))
    last = max(0.0, sqrt(brake * max(0.0, left - begun)) - config.deceleration * (seconds - early))
    return copysign(max(begun, left - last * last / brake), wanted)


def way_in(speed: float, wanted: float, config: ControlConfig, seconds: float) -> float:
    """Metres along the ground in a time that begins with speeding up, or slowing down, to the wanted speed."""
    rate = config.acceleration if abs(wanted) > abs(speed) else config.deceleration
    change = wanted - speed
    ramp = abs(change) / rate
    if ramp >= seconds and ramp > 0.0:
        share = seconds / ramp
        return (speed + 0.5 * share * change) * seconds
    return 0.5 * (speed + wanted) * ramp + wanted * (seconds - ramp)


def arc(travel: Travel, way: float, turn: float) -> Place:
    """The place after `way` metres along the ground on an even bend that starts along the facing."""
    return arc_along(travel, travel.place.heading, way * horizontal_share(travel.slope), turn)


def arc_along(travel: Travel, course: float, plan: float, turn: float) -> Place:
    """The place after `plan` metres of plan on an even bend that starts along a course."""
    here = travel.place
    half = 0.5 * turn
    chord = plan * (sin(half) / half if half else 1.0)
    x, y = facing(course + half)
    rise = rise_along(travel, course + half)
    return Place(here.x + x * chord, here.y + y * chord, here.z + rise * chord, here.heading + turn)
