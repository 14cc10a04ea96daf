"""The simplest body: a point that follows the ground. A capsule will answer the same two questions.

`stand` puts it somewhere, `move` takes it through one tick. Its speed counts along the ground: on a slope the
horizontal part is speed / sqrt(1 + rise^2). Moving ground carries it, place and heading.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import copysign, cos, hypot, sin, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..space.angles import turn_between, wrapped
from ..space.dampers import damp, kept_share
from ..world.probe import DOWN, GroundFit, GroundProbe, slope_under
from ..world.world import Hit, World
from .config import ControlConfig
from .intent import Intent, Place, Travel

HEIGHT_HALFLIFE = 0.08
"""Seconds in which half of a step in the ground's height is taken up, for a 0.9 m leg."""
SLOPE_HALFLIFE = 0.03
SEARCH = 1000.0
"""How far down, then up, a body that is put somewhere looks for ground, metres."""
QUICK = 0.05
"""Seconds in which a body that is driven has reached its rate of turn."""
PAST = 1e-3
"""How far behind a surface the search goes on, metres."""


Spot = tuple[float, float, float, float]
"""A Place, or its four numbers."""


class Ride(NamedTuple):
    """What moving ground did to the body since the last tick: its shift and turn, and where the support is now."""

    dx: float
    dy: float
    dz: float
    turn: float
    at: tuple[float, float, float]


def stand(place: Place, config: ControlConfig, world: World) -> Travel:
    """The body standing at a place: at the height of the ground near it, else below it, else above it."""
    travel = Travel(place)
    fit = _fit(world, place, config)
    for direction in (DOWN, -DOWN):
        if fit is None:
            start = Vector((place.x, place.y, place.z + _feeler(config.leg, config.span).up_reach))
            hit = _search(world, start, direction)
            fit = None if hit is None else _fit(world, place._replace(z=hit.position.z), config)
    if fit is None:
        travel.ground = False
        return travel
    travel.place = place._replace(z=fit.height)
    travel.slope, travel.cross_slope = fit.slope, fit.cross_slope
    _take_support(travel, fit, world)
    return travel


def _search(world: World, start: Vector, direction: Vector) -> Hit | None:
    """The first surface that is not the inside of a closed mesh around the start: a cube at the cursor is no cellar."""
    hit = world.cast_ray(start, direction, SEARCH)
    if hit is None or not hit.back:
        return hit
    behind = world.cast_ray(start, -direction, SEARCH)
    if behind is None or not behind.back:
        return hit
    return world.cast_ray(hit.position + PAST * direction, direction, SEARCH)


def move(travel: Travel, intent: Intent, config: ControlConfig, world: World, dt: float) -> Travel:
    """The body after one tick of `dt` seconds. `world` is at the tick's end, with this tick's moving ground."""
    ride = _ride(travel, world)
    if intent.carried is not None:
        return _carried(travel, intent.carried, intent, config, world, dt, ride)
    place = travel.place
    start = place.heading + ride.turn
    heading, turn_rate = turn_towards(start, travel.turn_rate, intent.facing + ride.turn, turning(config, intent), dt)
    turned = heading - start
    now = _rotated(_flat_velocity(travel), ride.turn + turned)
    flat = _rotated(intent.velocity, ride.turn)
    if not intent.at_once:
        flat = approach(now, flat, config, dt)
    moved = Travel(place, turn_rate=turn_rate, jumped=intent.jumped)
    moved.slope, moved.cross_slope = slopes_after(travel, turned)
    moved.velocity = hx, hy, hz = _on_slope(flat, heading, moved)
    below = place.z + ride.dz
    at = (place.x + ride.dx + hx * dt, place.y + ride.dy + hy * dt, below + hz * dt, wrapped(heading))
    fit = _fit(world, at, config)
    _settle(moved, at, fit, below, config, dt)
    if hx == hy == 0.0 and travel.support is not None:
        # Standing, the same anchor is kept: what rounding did to it then cancels instead of adding up.
        moved.support, moved.support_at = travel.support, ride.at
    else:
        _take_support(moved, fit, world)
    return moved


@lru_cache(maxsize=16)
def _quick(config: ControlConfig, rate: float) -> ControlConfig:
    return replace(config, turn_rate=rate, turn_acceleration=rate / QUICK)


def turning(config: ControlConfig, intent: Intent) -> ControlConfig:
    """The limits with the rate of turn that an intent asks for, which is reached almost at once."""
    return _quick(config, intent.turn_rate) if intent.turn_rate > 0.0 else config


def turn_towards(heading: float, rate: float, goal: float, config: ControlConfig, dt: float) -> tuple[float, float]:
    """Heading and turn rate after a tick that turns to `goal` the short way, within the limits, without overshoot."""
    left = turn_between(heading, goal)
    # The fastest rate from which whole ticks of braking end just at the goal.
    brake = config.turn_acceleration
    fastest = brake * (sqrt(0.25 * dt * dt + 2.0 * abs(left) / brake) - 0.5 * dt)
    wanted = copysign(min(config.turn_rate, fastest), left)
    change = brake * dt
    rate += min(max(wanted - rate, -change), change)
    step = rate * dt
    if left == 0.0 or (step * left > 0.0 and abs(step) >= abs(left)):
        return goal, 0.0
    return heading + step, rate


def horizontal_share(rise: float) -> float:
    """Metres of ground plan per metre along ground that rises by `rise` per metre of plan."""
    return 1.0 / sqrt(1.0 + rise * rise)


def rise_along(travel: Travel, heading: float) -> float:
    """The ground's rise per metre of plan in a direction, given as a heading."""
    turn = heading - travel.place.heading
    return travel.slope * cos(turn) + travel.cross_slope * sin(turn)


def _carried(
    travel: Travel, to: Place, intent: Intent, config: ControlConfig, world: World, dt: float, ride: Ride
) -> Travel:
    """The body taken along: x, y, heading as told, height from the ground near the given height, else near its own."""
    place = travel.place
    if intent.jumped:
        arrived = stand(to, config, world)
        arrived.jumped = True
        return arrived
    start = place.heading
    if intent.rides:
        to = Place(to.x + ride.dx, to.y + ride.dy, to.z + ride.dz, wrapped(to.heading + ride.turn))
        start += ride.turn
    turned = turn_between(start, to.heading)
    moved = Travel(to, turn_rate=turned / dt)
    moved.slope, moved.cross_slope = slopes_after(travel, turned)
    moved.velocity = _on_slope(intent.velocity, to.heading, moved)
    below = place.z + ride.dz
    fit = _fit(world, to, config) or _fit(world, to._replace(z=below), config)
    at = to if fit is None else to._replace(z=below + moved.velocity[2] * dt)
    _settle(moved, at, fit, to.z, config, dt)
    _take_support(moved, fit, world)
    return moved


def _ride(travel: Travel, world: World) -> Ride:
    support, was = travel.support, travel.support_at
    now = world.locate(support) if support is not None and world.moves(support.surface) else None
    if support is None or now is None:
        return Ride(0.0, 0.0, 0.0, 0.0, was)
    turn = world.turn_of(support.surface)
    x, y, z = now.position
    return Ride(x - was[0], y - was[1], z - was[2], turn, (x, y, z))


@lru_cache(maxsize=64)
def _feeler(leg: float, span: float) -> GroundProbe:
    """How far up and down a body of this size feels: further, if it covers more ground than its legs are long."""
    scale = max(leg, 0.5 * span) / 0.9
    return GroundProbe(0.35 * scale, 0.5 * scale)


def _fit(world: World, place: Spot, config: ControlConfig, climbs: float = 0.0) -> GroundFit | None:
    leg, span = config.leg, config.span
    feeler = _feeler(leg, span)
    if climbs > feeler.up_reach:
        feeler = feeler._replace(up_reach=climbs)
    return slope_under(world, place, max(leg, span), feeler)


def lay_on_ground(
    moved: Travel, at: Spot, went: tuple[float, float], config: ControlConfig, world: World, dt: float,
    climbs: float = 0.0,
) -> None:  # fmt: skip
    """Put a body that went so fast over the plan (world, m/s) on the ground at a place, its height eased; it `climbs`
    steps of so many metres, or what is usual.
    """
    x, y = went
    heading = at[3]
    c, s = cos(heading), sin(heading)
    moved.velocity = (x, y, moved.slope * (x * s - y * c) + moved.cross_slope * (x * c + y * s))
    _settle(moved, at, _fit(world, at, config, climbs), at[2], config, dt)


def _settle(
    moved: Travel, at: Spot, fit: GroundFit | None, height_without: float, config: ControlConfig, dt: float
) -> None:
    """Be at a place; close in on the fitted plane there, without one keep the height and count as level."""
    x, y, z, heading = at
    if fit is None:
        moved.place = Place(x, y, height_without, heading)
        vx, vy, _ = moved.velocity
        moved.velocity = (vx, vy, 0.0)
        moved.slope = moved.cross_slope = 0.0
        moved.ground = False
        return
    tempo = sqrt(config.scale)
    moved.place = Place(x, y, damp(z, fit.height, HEIGHT_HALFLIFE * tempo, dt), heading)
    kept = kept_share(SLOPE_HALFLIFE * tempo, dt)
    moved.slope = fit.slope + (moved.slope - fit.slope) * kept
    moved.cross_slope = fit.cross_slope + (moved.cross_slope - fit.cross_slope) * kept


def _take_support(moved: Travel, fit: GroundFit | None, world: World) -> None:
    if fit is not None and fit.under is not None:
        x, y, z = fit.under.position
        moved.support, moved.support_at = world.anchor(fit.under), (x, y, z)


def _rotated(vector: tuple[float, float], turn: float) -> tuple[float, float]:
    c, s = cos(turn), sin(turn)
    return c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]


def _flat_velocity(travel: Travel) -> tuple[float, float]:
    """The velocity laid flat: its length is the speed along the ground."""
    vx, vy, vz = travel.velocity
    plan = hypot(vx, vy)
    if plan == 0.0:
        return 0.0, 0.0
    stretch = hypot(plan, vz) / plan
    return vx * stretch, vy * stretch


def _on_slope(flat: tuple[float, float], heading: float, travel: Travel) -> tuple[float, float, float]:
    """A flat velocity laid on the slope that `travel` has at `heading`."""
    vx, vy = flat
    speed = hypot(vx, vy)
    if speed == 0.0:
        return 0.0, 0.0, 0.0
    c, s = cos(heading), sin(heading)
    rise = (travel.slope * (vx * s - vy * c) + travel.cross_slope * (vx * c + vy * s)) / speed
    share = horizontal_share(rise)
    return vx * share, vy * share, speed * rise * share


def slopes_after(travel: Travel, turned: float) -> tuple[float, float]:
    """The same plane's slopes as seen after a turn."""
    c, s = cos(turned), sin(turned)
    return c * travel.slope + s * travel.cross_slope, c * travel.cross_slope - s * travel.slope


def approach(
    now: tuple[float, float], wanted: tuple[float, float], config: ControlConfig, dt: float
) -> tuple[float, float]:
    """The velocity after a tick of speeding up or slowing down to the wanted one."""
    dx, dy = wanted[0] - now[0], wanted[1] - now[1]
    change = hypot(dx, dy)
    faster = hypot(*wanted) > hypot(*now)
    most = (config.acceleration if faster else config.deceleration) * dt
    if change <= most:
        return wanted
    return now[0] + dx * most / change, now[1] + dy * most / change
