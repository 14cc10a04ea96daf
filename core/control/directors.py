"""What directs a body: straight AHEAD, along a PATH or a ROUTE, to a TARGET, with a MOVER, by a person's INPUT, by
another program as an AGENT, by the buttons that an AUTOPILOT presses.

Each director answers three questions. `start`: where the body begins. `decide`: the intent of one tick. `predict`:
where the body will be in some seconds if all stays as it is, for footholds; cheap, and in step with `decide`.
One line in DIRECTORS adds a director. A goal that a body is sent to goes before whatever directs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, cos, dist, hypot, inf, pi, sqrt
from typing import NamedTuple

from ..space.angles import facing, heading_of, turn_between, wrapped
from .agent import AgentMemory, act_on, foresee_agent
from .config import ControlConfig
from .driven import drive
from .intent import DirectorName, Inputs, Intent, PathLine, Place, RouteSpot, Travel
from .path import length_of, nearest_length, place_on, wrapped_length
from .point import horizontal_share, rise_along
from .route import RouteMemory, follow, foresee
from .steering import SteeringMemory
from .ways import arc, arc_along, signed_speed, stopping_speed, way_and_stop, way_in

LEFT_BEHIND = 0.1
"""A body is waited for that is so far from its place on the path, in legs."""


@dataclass(slots=True)
class DirectorMemory:
    """What a director remembers from tick to tick: plain numbers.

    `along` is the arc length on the path, `before` what it was a tick ago, and `pace` the speed there, metres a second
    along the ground; `arrived` whether the target is reached, `seen` the target or mover of the tick before, None if
    there was none. `own` is what only some directors remember: a driven body's course and speed, or how far a body is
    on its route or on its way to where it is sent.
    """

    along: float = 0.0
    before: float = 0.0
    arrived: bool = False
    seen: Place | None = None
    pace: float = 0.0
    own: SteeringMemory | RouteMemory | AgentMemory | None = None

    def copy(self) -> DirectorMemory:
        """A memory of its own (a Place never changes, so it is shared)."""
        own = None if self.own is None else self.own.copy()
        return DirectorMemory(self.along, self.before, self.arrived, self.seen, self.pace, own)


class Director(NamedTuple):
    """The three answers of one director."""

    start: Callable[[DirectorMemory, Inputs, Place], Place]
    decide: Callable[[DirectorMemory, Inputs, Travel, ControlConfig, float], Intent]
    predict: Callable[[DirectorMemory, Inputs, Travel, ControlConfig, float], Place]


def decide(
    name: DirectorName, memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float
) -> Intent:
    """The intent of one tick; a teleport goes before whatever the director wants."""
    if inputs.goal is None and isinstance(memory.own, RouteMemory):
        memory.own.there = False
    if inputs.moved_to is None:
        return director_at(name, inputs).decide(memory, inputs, travel, config, dt)
    to = inputs.moved_to
    memory.arrived, memory.seen, memory.pace = False, None, 0.0
    if isinstance(memory.own, RouteMemory):
        memory.own.arrived = memory.own.there = False
    else:
        memory.own = None
    if inputs.path is not None and length_of(inputs.path) > 0.0:
        memory.along = nearest_length(inputs.path, to.x, to.y)
    return Intent((0.0, 0.0), to.heading, carried=to, jumped=True)


def director_at(name: DirectorName, inputs: Inputs) -> Director:
    """Who directs at a moment: the director of the settings, or the goal that the body is sent to."""
    return DIRECTORS[name] if inputs.goal is None or name == "AUTOPILOT" else GOAL


def wait_for(memory: DirectorMemory, intent: Intent, travel: Travel, config: ControlConfig) -> None:
    """Do not run ahead of a body that could not follow along its path: it is waited for."""
    if intent.carried is None or intent.jumped:
        return
    x, y = intent.carried[:2]
    if hypot(x - travel.place.x, y - travel.place.y) > LEFT_BEHIND * config.leg:
        memory.along, memory.pace = memory.before, 0.0


def go_on_from(memory: DirectorMemory, travel: Travel) -> None:
    """Take up the way of a body that something else has moved: whoever steers goes on with its course and speed."""
    if isinstance(memory.own, SteeringMemory):
        x, y, _ = travel.velocity
        memory.own.speed = hypot(x, y)
        memory.own.course = heading_of(x, y) if memory.own.speed > 0.0 else travel.place.heading


def _stands(travel: Travel, reason: str) -> Intent:
    return Intent((0.0, 0.0), travel.place.heading, reason=reason)


def _stay(_memory: DirectorMemory, _inputs: Inputs, place: Place) -> Place:
    return place


def _ahead(_memory: DirectorMemory, inputs: Inputs, travel: Travel, _config: ControlConfig, _dt: float) -> Intent:
    heading = travel.place.heading
    x, y = facing(heading)
    return Intent((x * inputs.speed, y * inputs.speed), heading)


def _predict_ahead(
    _memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place:
    return arc(travel, way_in(signed_speed(travel), inputs.speed, config, seconds), 0.0)


def _start_path(memory: DirectorMemory, inputs: Inputs, place: Place) -> Place:
    memory.along = memory.pace = 0.0
    if inputs.path is None or length_of(inputs.path) == 0.0:
        return place
    return place_on(inputs.path, 0.0)


def _path(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    """Along the curve; the pace follows the wanted speed within the limits, and falls in time for an open end."""
    path = inputs.path
    if path is None:
        return _stands(travel, "There is no path: choose a curve object.")
    if length_of(path) == 0.0:
        return _stands(travel, "The path has no length: give the curve at least two points that are apart.")
    memory.before = before = wrapped_length(path, memory.along)
    share = horizontal_share(travel.slope)
    left = _left_on(path, before, inputs.speed) / share
    memory.pace = _pace(memory.pace, inputs.speed, left, config, dt)
    memory.along = wrapped_length(path, before + memory.pace * share * dt)
    spot = place_on(path, memory.along)
    turn = turn_between(travel.place.heading, spot.heading)
    most = config.turn_rate * dt
    heading = wrapped(travel.place.heading + min(max(turn, -most), most))
    at_end = left == 0.0
    x, y = facing(spot.heading)
    here = travel.place
    jumped = hypot(spot.x - here.x, spot.y - here.y) > config.leg
    to = spot if jumped else Place(spot.x, spot.y, here.z, heading)
    reason = "The path ends here." if at_end and inputs.speed else ""
    speed = memory.pace
    return Intent((x * speed, y * speed), to.heading, carried=to, jumped=jumped, reason=reason)


def _left_on(path: PathLine, along: float, speed: float) -> float:
    """Metres of plan to the end that this speed leads to; endless on a closed curve."""
    if path.closed:
        return inf
    return along if speed < 0.0 else length_of(path) - along


def _pace(pace: float, wanted: float, left: float, config: ControlConfig, dt: float) -> float:
    """The speed after a tick of nearing the wanted one, from which the body can still stop within `left` metres."""
    most = (config.acceleration if abs(wanted) > abs(pace) else config.deceleration) * dt
    pace += min(max(wanted - pace, -most), most)
    if left == inf or pace * wanted < 0.0:
        return pace
    return copysign(min(abs(pace), stopping_speed(left, config, dt)), pace)


def _predict_path(
    memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place:
    path, here = inputs.path, travel.place
    if path is None or length_of(path) == 0.0:
        return here
    share = horizontal_share(travel.slope)
    left = _left_on(path, wrapped_length(path, memory.along), inputs.speed) / share
    way = way_and_stop(memory.pace, inputs.speed, left, config, seconds) * share
    spot = place_on(path, memory.along + way)
    gone = way if path.closed else wrapped_length(path, memory.along + way) - wrapped_length(path, memory.along)
    return spot._replace(z=here.z + travel.slope * gone)


def _target(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, _dt: float) -> Intent:
    target, here = inputs.target, travel.place
    if target is None:
        memory.seen = None
        return _stands(travel, "There is no target: choose an object to walk to.")
    # The body does not go with its target, so its feet stay where they are: a jump is only told.
    event = ""
    if memory.seen is not None and dist(memory.seen[:3], target[:3]) > config.leg:
        event = "TARGET_JUMP"
    memory.seen = target
    left = _left_to(memory, target, here, config)
    if left is None:
        return Intent((0.0, 0.0), here.heading, event=event)
    to_target = heading_of(target.x - here.x, target.y - here.y)
    speed = min(inputs.speed, sqrt(2.0 * config.deceleration * left))
    # Turned away, the body turns before it walks: no circling around a target that is close by.
    speed *= max(0.0, cos(turn_between(here.heading, to_target)))
    x, y = facing(here.heading)
    return Intent((x * speed, y * speed), to_target, event=event)


def _left_to(memory: DirectorMemory, target: Place, here: Place, config: ControlConfig) -> float | None:
    """Metres of plan until the stop; None once arrived, until the target is clearly further off again."""
    stop = config.stop_distance * config.scale
    left = hypot(target.x - here.x, target.y - here.y) - stop
    slack = config.restart_distance * config.scale if memory.arrived else 0.01 * config.scale
    memory.arrived = left <= slack
    return None if memory.arrived else left


def _predict_target(
    memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place:
    target, here = inputs.target, travel.place
    if target is None or memory.arrived:
        return here
    left = max(0.0, hypot(target.x - here.x, target.y - here.y) - config.stop_distance * config.scale)
    to_turn = turn_between(here.heading, heading_of(target.x - here.x, target.y - here.y))
    turn = min(max(travel.turn_rate * seconds, -abs(to_turn)), abs(to_turn))
    wanted = inputs.speed * max(0.0, cos(to_turn - turn))
    way = way_in(signed_speed(travel), wanted, config, seconds)
    return arc(travel, min(way, left / horizontal_share(travel.slope)), turn)


def _start_mover(memory: DirectorMemory, inputs: Inputs, place: Place) -> Place:
    memory.seen = inputs.mover
    return inputs.mover or place


def _mover(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    mover = inputs.mover
    if mover is None:
        memory.seen = None
        return _stands(travel, "There is no mover: choose an object whose motion is followed.")
    before = memory.seen or travel.place
    memory.seen = mover
    if dist(before[:3], mover[:3]) > config.leg:
        return Intent((0.0, 0.0), mover.heading, carried=mover, jumped=True)
    vx, vy = (mover.x - before.x) / dt, (mover.y - before.y) / dt
    share = horizontal_share(rise_along(travel, heading_of(vx, vy)))
    return Intent((vx / share, vy / share), mover.heading, carried=mover)


def _predict_mover(
    _memory: DirectorMemory, _inputs: Inputs, travel: Travel, _config: ControlConfig, seconds: float
) -> Place:
    vx, vy, _ = travel.velocity
    plan = hypot(vx, vy)
    if plan == 0.0:
        return travel.place
    turn = min(max(travel.turn_rate * seconds, -pi), pi)
    return arc_along(travel, heading_of(vx, vy), plan * seconds, turn)


def _start_input(memory: DirectorMemory, _inputs: Inputs, place: Place) -> Place:
    memory.own = SteeringMemory(place.heading)
    return place


def _input(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    if not isinstance(memory.own, SteeringMemory):
        memory.own = SteeringMemory(travel.place.heading)
    return drive(memory.own, inputs, travel, config, dt)


def _route(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    return follow(_route_memory(memory), inputs.route, inputs, travel, config, dt)


def _predict_route(
    memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place:
    return foresee(_route_memory(memory), inputs.route, inputs, travel, config, seconds)


def _goal(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    # Whoever is followed afterwards is found anew.
    memory.seen, memory.arrived, memory.pace = None, False, 0.0
    own = _route_memory(memory)
    on_way = RouteMemory(arrived=own.there)
    intent = follow(on_way, _sent_to(inputs), inputs, travel, config, dt)
    own.there = on_way.arrived
    return intent._replace(reason="")


def _predict_goal(
    memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place:
    return foresee(RouteMemory(arrived=_route_memory(memory).there), _sent_to(inputs), inputs, travel, config, seconds)


def _start_agent(_memory: DirectorMemory, inputs: Inputs, place: Place) -> Place:
    wish = inputs.agent
    if wish is None or wish.moves != "CARRIED" or wish.place is None:
        return place
    return wish.place if wish.turns else wish.place._replace(heading=place.heading)


def _agent(memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    return act_on(_agent_memory(memory), inputs, travel, config, dt)


def _predict_agent(
    memory: DirectorMemory, inputs: Inputs, travel: Travel, config: ControlConfig, seconds: float
) -> Place:
    place = foresee_agent(_agent_memory(memory), inputs, travel, config, seconds)
    return _predict_mover(memory, inputs, travel, config, seconds) if place is None else place


def _agent_memory(memory: DirectorMemory) -> AgentMemory:
    if not isinstance(memory.own, AgentMemory):
        memory.own = AgentMemory()
    return memory.own


def _route_memory(memory: DirectorMemory) -> RouteMemory:
    if not isinstance(memory.own, RouteMemory):
        memory.own = RouteMemory()
    return memory.own


def _sent_to(inputs: Inputs) -> tuple[RouteSpot, ...]:
    return () if inputs.goal is None else (inputs.goal,)


GOAL = Director(_stay, _goal, _predict_goal)
DIRECTORS: dict[DirectorName, Director] = {
    "AHEAD": Director(_stay, _ahead, _predict_ahead),
    "PATH": Director(_start_path, _path, _predict_path),
    "TARGET": Director(_stay, _target, _predict_target),
    "MOVER": Director(_start_mover, _mover, _predict_mover),
    "ROUTE": Director(_stay, _route, _predict_route),
    "INPUT": Director(_start_input, _input, _predict_mover),
    "AGENT": Director(_start_agent, _agent, _predict_agent),
    # What presses the buttons for it sees the level, which a director does not.
    "AUTOPILOT": Director(_start_input, _input, _predict_mover),
}
