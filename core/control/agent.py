"""The director that another program writes: a velocity or a place, a facing, an activity, something to look at.

It goes as told, and does its activity where it stands; on the alert it stands, in flight it runs from a place until it
is far enough. What body, neck and legs do in an activity is none of a director's affair: `actions/acting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, isfinite

from ..space.angles import facing, heading_of, turn_between
from ..space.copying import copier
from .config import ControlConfig
from .intent import AgentWish, Inputs, Intent, Place, RouteSpot, Travel
from .point import horizontal_share, rise_along
from .route import RouteMemory, follow, foresee
from .ways import arc, signed_speed, stopping_speed, way_and_stop

AGAIN = 0.8
"""A body that is safe runs again where what it ran from is nearer than this share of the safe distance."""
CREEPS = 1e-3
"""A wish of less than this, metres a second, is none."""
JUMP = 1.0
"""A place that is further on than this in a tick is a jump, in legs."""
SAFE = 1e-3


@dataclass(slots=True)
class AgentMemory:
    """`safe` says that it ran and is far enough away; `arrived` that it is at its place. `x`, `y` is where it was told
    to be a tick ago, and `told` whether it was.
    """

    safe: bool = False
    arrived: bool = False
    told: bool = False
    x: float = 0.0
    y: float = 0.0

    def copy(self) -> AgentMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(AgentMemory)


def sound(wish: AgentWish | None) -> AgentWish | None:
    """A wish without numbers that are none, as a broken script may write them."""
    if wish is None:
        return None
    if not all(map(isfinite, wish.velocity)):
        wish = wish._replace(velocity=(0.0, 0.0))
    if wish.place is not None and not all(map(isfinite, wish.place)):
        wish = wish._replace(place=None)
    if wish.flee_from is not None and not all(map(isfinite, wish.flee_from)):
        wish = wish._replace(flee_from=None)
    return wish


def act_on(memory: AgentMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    """The intent of one tick."""
    wish, here = sound(inputs.agent), travel.place
    stands = Intent((0.0, 0.0), here.heading)
    flees = wish is not None and wish.enabled and wish.activity == "FLEE"
    memory.safe = memory.safe and flees
    if wish is None or not wish.enabled:
        memory.told = False
        return stands
    if wish.moves != "CARRIED" or wish.place is None:
        memory.told = False
    if flees and wish.flee_from is not None:
        return _flee(memory, wish.flee_from, inputs.speed, travel, config, dt)
    if wish.activity == "ALERT" and wish.moves != "CARRIED":
        return stands._replace(facing=_facing_of(wish, here.heading, moves=False))
    if wish.moves == "VELOCITY":
        return Intent(wish.velocity, _facing_of(wish, here.heading, moves=_goes(wish)))
    return stands if wish.place is None else _to_place(memory, wish, wish.place, inputs, travel, config, dt)


def _to_place(
    memory: AgentMemory,
    wish: AgentWish,
    place: Place,
    inputs: Inputs,
    travel: Travel,
    config: ControlConfig,
    dt: float,
) -> Intent:
    """With the place, or on foot to it."""
    if wish.moves == "CARRIED":
        return _carry(memory, wish, place, travel, config, dt)
    on_way = RouteMemory(arrived=memory.arrived)
    intent = follow(on_way, (RouteSpot(place, wish.turns),), inputs, travel, config, dt)
    memory.arrived = on_way.arrived
    return intent._replace(reason="")


def _goes(wish: AgentWish) -> bool:
    return hypot(*wish.velocity) > CREEPS


def _facing_of(wish: AgentWish, heading: float, *, moves: bool) -> float:
    """Where it faces: as it is told, else where it goes."""
    if wish.turns and wish.place is not None:
        return wish.place.heading
    return heading_of(*wish.velocity) if moves else heading


def _carry(
    memory: AgentMemory, wish: AgentWish, place: Place, travel: Travel, config: ControlConfig, dt: float
) -> Intent:
    """At the place that it is told, turned as told or where that goes."""
    here = travel.place
    x, y = (memory.x, memory.y) if memory.told else (here.x, here.y)
    jumped = hypot(place.x - x, place.y - y) > JUMP * config.leg
    vx, vy = (place.x - x) / dt, (place.y - y) / dt
    memory.x, memory.y, memory.told = place.x, place.y, True
    if jumped:
        to = place if wish.turns else place._replace(heading=here.heading)
        return Intent((0.0, 0.0), to.heading, carried=to, jumped=True)
    heading = place.heading
    if not wish.turns:
        goal = heading_of(vx, vy) if hypot(vx, vy) > CREEPS else here.heading
        left, most = turn_between(here.heading, goal), config.turn_rate * dt
        heading = here.heading + min(max(left, -most), most)
    share = horizontal_share(rise_along(travel, heading_of(vx, vy)))
    return Intent((vx / share, vy / share), heading, carried=place._replace(heading=heading))


def _flee(memory: AgentMemory, threat: Place, speed: float, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    """Away, turning first, and to a stop where it is far enough."""
    here = travel.place
    x, y, far, left = _away(threat, here, config)
    memory.safe = far >= config.fleeing.safe_distance * (AGAIN if memory.safe else 1.0) - SAFE
    if memory.safe:
        return Intent((0.0, 0.0), here.heading)
    away = heading_of(x, y)
    fast = min(speed * config.steering.sprint_factor, stopping_speed(left + SAFE, config, dt))
    fast *= max(0.0, cos(turn_between(here.heading, away)))
    fx, fy = facing(here.heading)
    return Intent((fx * fast, fy * fast), away, turn_rate=config.steering.facing_rate)


def _away(threat: Place, here: Place, config: ControlConfig) -> tuple[float, float, float, float]:
    """The direction away from a threat (ahead where it is on the very spot), how far it is, what is left to safety."""
    x, y = here.x - threat.x, here.y - threat.y
    far = hypot(x, y)
    if far < 1e-6:
        x, y = facing(here.heading)
    return x, y, far, max(0.0, config.fleeing.safe_distance - far)


def foresee_agent(
    memory: AgentMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place | None:
    """Where the body is in some seconds; None where it goes on as it goes."""
    wish, here = sound(inputs.agent), travel.place
    if wish is None or not wish.enabled:
        return None
    if wish.activity == "FLEE" and wish.flee_from is not None:
        if memory.safe:
            return None
        x, y, _, left = _away(wish.flee_from, here, config)
        to_turn = turn_between(here.heading, heading_of(x, y))
        turn = min(max(travel.turn_rate * seconds, -abs(to_turn)), abs(to_turn))
        fast = inputs.speed * config.steering.sprint_factor * max(0.0, cos(to_turn - turn))
        return arc(travel, min(way_and_stop(signed_speed(travel), fast, left, config, seconds), left), turn)
    if wish.moves == "PLACE" and wish.place is not None and wish.activity != "ALERT":
        spot = (RouteSpot(wish.place, wish.turns),)
        return foresee(RouteMemory(arrived=memory.arrived), spot, inputs, travel, config, seconds)
    return None
