"""Along an edge, hand over hand: as far as the edge goes on, is about as high, and the body has room.

Speed comes and goes evenly, so that how far it went is exact for any step; where it ends is found, not stepped over.
"""

from __future__ import annotations

from math import ceil, copysign, cos

from ..space.dampers import kept_share
from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled
from ..world.edges import Edge, alike, edge_near, left_along, moved_along, squared
from .corner import goes_around
from .holding import (
    HOLD,
    LAG,
    NEARLY,
    STILL,
    angle_between,
    feel_of,
    hang_from,
    hanging_feet,
    has_room,
    scale_of,
    take_hold,
    turned_by,
)
from .memory import StateMemory
from .state import Step

SIDEWAYS = 0.35
"""A wish that leads along the wall by less than this share is none to go along it."""
PIECE = 0.05
"""The way is felt in pieces of at most so much, metres."""
STUCK = 0.001
"""An end is found to so much, metres."""
SETTLES = 0.06
"""Half of a step in the wall is made up in this time, seconds."""
TURNS_IN = 0.04
"""Half of what the wall has turned is taken up on so much way, metres."""
BESIDE = 0.02
"""The edge goes on at least so much further than the hand that leads, metres."""


def shimmy(step: Step, left: float) -> None:
    """Go along the edge for the rest of a tick; a corner is begun where the edge ends in one."""
    memory, hang = step.memory, step.config.hang
    memory.way = (scaled(memory.way[LAG], kept_share(SETTLES * scale_of(hang) ** 0.5, left)), *memory.way[1:])
    goal = _asked(step)
    before = memory.speed
    way, memory.speed = sped(before, goal * hang.shimmy, hang.shimmy / hang.shimmy_start, left)
    if way == 0.0:
        return
    memory.side = copysign(1.0, way)
    gone = _along(step, way)
    memory.phase = (memory.phase + abs(gone) / hang.stride) % 1.0
    if abs(way) - abs(gone) > STUCK * scale_of(hang):
        asked = memory.speed
        _, memory.speed = sped(before, 0.0, hang.shimmy / hang.shimmy_start, left)
        steps = abs(way - gone) / hang.stride
        begun = goes_around(step, memory.side, steps) if goal * memory.side > 0.0 else ""
        if begun == "GOES":
            # What is left of the tick is gone around it.
            memory.speed, memory.time = 0.0, left * (1.0 - gone / way)
        elif begun == "WAITS":
            memory.speed = asked


def sped(speed: float, goal: float, rate: float, time: float) -> tuple[float, float]:
    """The way in a time, and the speed after it, of what comes to a speed at an even rate."""
    needs = abs(goal - speed) / rate
    if needs >= time:
        after = speed + copysign(rate * time, goal - speed)
        return 0.5 * (speed + after) * time, after
    return 0.5 * (speed + goal) * needs + goal * (time - needs), goal


def _asked(step: Step) -> float:
    """The share of the speed that is asked for, to the left. What was held before a corner goes on the same way."""
    memory = step.memory
    x, y = step.wish
    if keeps_on(step):
        return memory.side
    memory.way = (memory.way[LAG], (memory.way[HOLD][0], 0.0, 0.0))
    share = dot((x, y, 0.0), left_along(memory.normal))
    return share if abs(share) > SIDEWAYS else 0.0


def keeps_on(step: Step) -> bool:
    """True while the wish is what it was before a corner, whose way along the edge it keeps."""
    x, y = step.wish
    _, kept_x, kept_y = step.memory.way[HOLD]
    return bool(kept_x or kept_y) and x * kept_x + y * kept_y >= cos(step.config.hang.keeps)


def _along(step: Step, way: float) -> float:
    """How far of a way along the edge it came."""
    count = ceil(abs(way) / (PIECE * scale_of(step.config.hang)))
    piece, gone = way / count, 0.0
    for _ in range(count):
        if not _moved(step, piece):
            return gone + _to_the_end(step, piece)
        gone += piece
    return gone


def _to_the_end(step: Step, piece: float) -> float:
    """What is left of the way before an end that lies within a piece."""
    stuck, gone = copysign(STUCK * scale_of(step.config.hang), piece), 0.0
    if abs(piece) <= abs(stuck) or not _moved(step, stuck):
        return 0.0
    gone, part = stuck, piece
    while abs(part) > abs(stuck):
        part *= 0.5
        if abs(gone + part) < abs(piece) and _moved(step, part):
            gone += part
    return gone


def _moved(step: Step, way: float) -> bool:
    """Hang so far on along the edge, if that may be; nothing has changed where it may not."""
    memory, hang, world = step.memory, step.config.hang, step.world
    feel = feel_of(hang, step.movement)
    edge = edge_near(world, moved_along(memory.edge, memory.normal, way), memory.normal, feel)
    if edge is None or not alike(edge.normal, memory.normal):
        return False
    edge = _eased(memory, squared(world, edge, feel), way, TURNS_IN * scale_of(hang))
    ahead = copysign(feel.apart + BESIDE * scale_of(hang), way)
    lead = edge_near(world, moved_along(edge.place, edge.normal, ahead), edge.normal, feel)
    if lead is None or not alike(lead.normal, edge.normal):
        return False
    feet = hang_from(world, edge, hang, step.movement)
    if feet is None:
        return False
    lag = _lag(memory, feet, way, step)
    if not has_room(world, plus(feet, lag), step.movement, NEARLY):
        lag = STILL
    take_hold(memory, edge, feet, world, lag, memory.way[HOLD])
    return True


def _eased(memory: StateMemory, edge: Edge, way: float, within: float) -> Edge:
    """The edge, to which the body has turned as far as it does on this way: uneven stones do not shake it."""
    turn = angle_between(memory.normal, edge.normal) * (1.0 - kept_share(within, abs(way)))
    return edge._replace(normal=turned_by(memory.normal, turn))


def _lag(memory: StateMemory, feet: Triple, way: float, step: Step) -> Triple:
    """What the body is off its new place, so that a step in the wall or in its top moves it evenly. It may be behind as
    far as it keeps off walls: what stands out pushes it at once.
    """
    normal = memory.normal
    expected = moved_along(hanging_feet(memory, step.config.hang), normal, way)
    x, y, z = plus(memory.way[LAG], minus(expected, feet))
    out = max(dot((x, y, 0.0), normal), -step.movement.padding)
    return normal[0] * out, normal[1] * out, z
