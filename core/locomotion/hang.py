"""Hanging from an edge: caught out of the air, left by climbing, leaping, jumping back, or letting go.

All the while the body is where the edge is: what it holds on to carries it.
"""

from __future__ import annotations

from math import cos, hypot

from mathutils import Vector

from ..control.intent import Travel
from ..layers.request import Move
from ..space.curves import smoothstep
from ..space.dampers import LN2, damp
from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled
from ..world.edges import Edge, edges_over, squared
from ..world.world import World
from .config import ParkourConfig
from .corner import body_at, carried, eased, heading_at, next_edge
from .grips import corner_contacts, hanging_contacts, side_name
from .handing import placed
from .holding import (
    HOLD,
    KEPT_BODY,
    LAG,
    NEARLY,
    STILL,
    feel_of,
    hand_room,
    hang_from,
    hanging_feet,
    has_room,
    heading_to,
    released,
    ride,
    take_hold,
    turned_to,
)
from .jump_off import jump_off
from .leap import UPWARD, edge_above, edge_beside, leads_sideways, leaps
from .memory import StateMemory, StateName
from .shimmy import keeps_on, shimmy
from .state import Step

AWAY = 0.5
"""A wish that leads out of the wall by more than this share is one to get away from it."""
MOVING = 0.02
"""Hands that go slower than this share of the speed along an edge hold still."""
ALONG = tuple(0.1 * k for k in range(1, 10))
"""Where on its way to the edge it is looked whether that is free."""
ASKS_UP = "UP"


class Hang:
    """HANGING. `step` tells where in it: PULL_IN, nothing, CORNER, and UP while others are asked whether they climb."""

    name: StateName = "HANGING"

    def starts(self, step: Step) -> bool:
        """In the air, steering into a wall whose edge is in reach, unless what goes up is held: then it climbs."""
        memory = step.memory
        if memory.state == self.name:
            # Nobody climbed.
            return memory.step == ASKS_UP
        intent, rises = step.intent, step.capsule.velocity[2]
        if step.on_ground or memory.no_grab > 0.0 or intent.go_up_held or intent.crouch:
            return False
        if rises > step.config.machine.grabs_rising or step.wish == (0.0, 0.0):
            return False
        found = catch(step)
        if found is None:
            return False
        edge, feet = found
        memory.begin(self.name, step.config.hang.pull_in)
        take_hold(memory, edge, feet, step.world, minus(step.capsule.feet, feet))
        memory.step, memory.heading, memory.held = "PULL_IN", step.travel.place.heading, False
        memory.height = edge.place[2] - step.capsule.feet[2]
        memory.speed, memory.side = 0.0, 0.0
        step.capsule.height = step.movement.height(crouched=False)
        return True

    def goes(self, step: Step) -> Travel | None:
        """One tick at the edge, or what leaves it."""
        memory, hang = step.memory, step.config.hang
        if memory.step == ASKS_UP:
            return self._not_climbed(step)
        before, normal = memory.edge, memory.normal
        turn = ride(memory, step.world)
        if turn is None or not has_room(step.world, self._feet(step), step.movement, KEPT_BODY):
            _lets_go(step, STILL)
            return None
        if memory.step == "CORNER":
            carried(memory, before, normal)
        if step.intent.crouch:
            _lets_go(step, scaled(memory.normal, hang.push))
            return None
        memory.held = memory.held or step.intent.go_up
        left = self._arrives(step)
        if left is None:
            _lets_go(step, STILL)
            return None
        if memory.step == "" and memory.held:
            memory.held = False
            return self._goes_up(step)
        if memory.step == "" and left > 0.0:
            shimmy(step, left)
        return self._put(step)

    def _arrives(self, step: Step) -> float | None:
        """What is left of the tick for a body at rest: none during a move, all outside; None where the edge is gone."""
        memory = step.memory
        if memory.step == "":
            return step.dt
        if memory.time < memory.lasts:
            return 0.0
        if memory.step == "CORNER":
            edge = next_edge(memory, step.world, feel_of(step.config.hang, step.movement))
            feet = None if edge is None else hang_from(step.world, edge, step.config.hang, step.movement)
            if edge is None or feet is None:
                return None
            lag = minus(body_at(memory, 1.0, step.config.hang), feet)
            if not has_room(step.world, plus(feet, lag), step.movement, NEARLY):
                lag = STILL
            take_hold(memory, edge, feet, step.world, lag, memory.way[HOLD])
            memory.speed = memory.side * step.config.hang.shimmy
        else:
            memory.way = (STILL, memory.way[HOLD])
        memory.step = ""
        return min(step.dt, memory.time - memory.lasts)

    def _feet(self, step: Step) -> Triple:
        memory, hang = step.memory, step.config.hang
        if memory.step == "CORNER":
            return body_at(memory, eased(memory), hang)
        place = hanging_feet(memory, hang)
        share = 1.0 - smoothstep(memory.progress) if memory.step == "PULL_IN" else 1.0
        return plus(place, scaled(memory.way[LAG], share))

    def _put(self, step: Step) -> Travel:
        memory, capsule = step.memory, step.capsule
        capsule.shown = damp(capsule.shown, capsule.height, LN2 / step.movement.crouch_rate, step.dt)
        heading = heading_to(memory.normal)
        if memory.step == "CORNER":
            heading = heading_at(memory, smoothstep(memory.progress))
        elif memory.step == "PULL_IN":
            heading = turned_to(memory.heading, heading, smoothstep(memory.progress))
        return placed(step, self._feet(step), heading)

    def _goes_up(self, step: Step) -> Travel | None:
        """Back, to the side, or up: as the wish leads. A climb is another state's: it is asked first."""
        memory, hang = step.memory, step.config.hang
        x, y = step.wish
        nx, ny, _ = memory.normal
        keeps = keeps_on(step)
        if x * nx + y * ny > AWAY and not keeps:
            memory.no_grab = hang.no_grab
            up = hang.back_up * step.movement.take_off
            velocity = (nx * hang.back_out, ny * hang.back_out, up)
            return jump_off(step, velocity, heading_to((-nx, -ny, 0.0)), hang.turn, "JUMP_BACK")
        side = memory.side if keeps else leads_sideways(step)
        if side != 0.0:
            memory.side = side
            travel = leaps(step, edge_beside(step, side), side_name(memory))
            if travel is not None:
                return travel
        memory.step = ASKS_UP
        return None

    def _not_climbed(self, step: Step) -> Travel | None:
        """There is no room on top: to an edge above, or it stays."""
        memory = step.memory
        memory.step = ""
        travel = leaps(step, edge_above(step), UPWARD)
        if travel is not None:
            return travel
        memory.reason = next((seen.reason for seen in step.looks.values() if seen.reason), "")
        return self._put(step)

    def move(self, memory: StateMemory, _travel: Travel, config: ParkourConfig, world: World) -> Move:
        """Pulled in, still, along, or around a corner."""
        if memory.step == "CORNER":
            turn = "OUTSIDE" if memory.way[5][1] > 0.0 else "INSIDE"
            contacts = corner_contacts(memory, config)
            return Move("CORNER", memory.progress, f"{turn}_{side_name(memory)}", 0.0, 0.0, contacts)
        if memory.step == "PULL_IN":
            done = memory.progress
            # The feet come to the wall when it hangs.
            contacts = tuple(c for c in hanging_contacts(memory, config, world, 1.0) if c.limb.startswith("hand"))
            return Move("PULL_IN", done, "", memory.height, 0.0, contacts)
        contacts = hanging_contacts(memory, config, world, 1.0)
        if abs(memory.speed) > MOVING * config.hang.shimmy:
            return Move("SHIMMY", memory.phase, side_name(memory), 0.0, abs(memory.speed), contacts)
        return Move("HANG", 0.0, "", config.hang.below, 0.0, contacts)


def catch(step: Step) -> tuple[Edge, Triple] | None:
    """The edge that a body in the air gets hold of, and where its feet hang from it."""
    hang, movement, world = step.config.hang, step.movement, step.world
    x, y = step.wish
    feet = step.capsule.feet
    feel = feel_of(hang, movement)
    reach = movement.radius + hang.reach
    furthest = reach / cos(hang.into)
    heights = (feet[2] + hang.lowest, feet[2] + step.config.surroundings.hang_reach)
    middle, half = 0.5 * (heights[0] + heights[1]), 0.5 * (heights[1] - heights[0])
    if world.nearest(Vector((feet[0], feet[1], middle)), hypot(furthest, half) + feel.step) is None:
        return None
    ahead = feel._replace(out=movement.radius, give=furthest - movement.radius)
    face = (feet[0] + x * movement.radius, feet[1] + y * movement.radius, feet[2])
    for seen in edges_over(world, face, (-x, -y, 0.0), heights, ahead):
        if -dot((x, y, 0.0), seen.normal) < cos(hang.into) or dot(minus(feet, seen.place), seen.normal) > reach:
            continue
        edge = squared(world, hand_room(world, seen, feel), feel)
        hangs = hang_from(world, edge, hang, movement)
        if hangs is not None and _way_is_free(step, hangs):
            return edge, hangs
    return None


def _way_is_free(step: Step, hangs: Triple) -> bool:
    """True where nothing is in the way of a body that is pulled in."""
    way = minus(hangs, step.capsule.feet)
    places = (plus(step.capsule.feet, scaled(way, share)) for share in ALONG)
    return all(has_room(step.world, place, step.movement, NEARLY) for place in places)


def _lets_go(step: Step, velocity: Triple) -> None:
    """Into the air; the edge is not caught again at once."""
    memory = step.memory
    released(step, velocity)
    memory.no_grab = step.config.hang.no_grab
    memory.begin("AIRBORNE")


HANG = Hang()
