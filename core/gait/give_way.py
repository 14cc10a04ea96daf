"""Legs that give way: for a crouch as long as it lasts, for a landing the more the harder it was, for a jump before it
leaves the ground.
"""

from __future__ import annotations

from math import e, hypot, log, sqrt
from typing import NamedTuple

from ..control.intent import Travel
from ..space.curves import share_of, smoothstep
from ..space.dampers import spring
from .memory import BodyMemory, Flight, GaitMemory
from .shape import LegShape

# Of how much lower a crouched body is its legs take this share, its back the rest.
BY_LEGS = 0.5
# Seconds for a 0.9 m leg in which a body that crouches or stands up is half there.
COMES_UP = 0.11
# Of the speed that a body comes down with this share is left once its feet are down; it gives way no further than this
# share of its legs. It has come half up again after these seconds, the later the harder it was.
LEFT, DEEPEST, LIGHT_UP, HARD_UP = 0.62, 0.42, 0.13, 0.21
# How hard a landing is: nothing at the first speed, all at the second, metres a second for a 0.9 m leg.
SOFT, HARD = 2.0, 10.0
# Legs keep this share of their length, those on toes more; a body whose feet are wide of it goes down by this share of
# its height.
SHORTEST, SHORTEST_ON_TOES, FLATTEST = 0.44, 0.5, 0.8
# Of a landing that goes on into a run so much is missing.
RUNS_ON = 0.5
# While a heavy landing holds a body its legs are as short as this by a share of their length, sooner at first.
HELD, HELD_IN = 0.47, 0.1
# A body that jumps goes down by this share of its legs first, and stays on the ground for so long (s) while its travel
# is on its way; but its travel gets no further ahead than this share of the legs. It has caught up half after LAGS.
DIPS, STAYS, MOST_AHEAD, LAGS = 0.05, 0.06, 0.5, 0.09
# Just before they come down legs bend by this share.
SOFT_KNEES = 0.06


class Legs(NamedTuple):
    """What legs can give: their length, how far they fold at most (metres), the body's tempo, how much they give."""

    length: float
    most: float
    tempo: float
    give: float


def room_to_fold(leg: LegShape) -> float:
    """How far a hip can sink over its foot, metres: until the leg is as short as it may be, or lies on the ground."""
    rise, aside = leg.hip[2] - leg.tip[2], hypot(leg.hip[0] - leg.tip[0], leg.hip[1] - leg.tip[1])
    shortest = (SHORTEST if leg.stance == "PLANTIGRADE" else SHORTEST_ON_TOES) * leg.length
    return max(0.0, min(FLATTEST * rise, rise - sqrt(max(0.0, shortest**2 - aside**2))))


def hardness(impact: float, tempo: float) -> float:
    """How hard it is to come down at a speed (m/s), from 0 to 1."""
    return smoothstep(share_of(impact, SOFT * tempo, HARD * tempo))


def give_way(memory: GaitMemory, travel: Travel, legs: Legs, dt: float) -> None:
    """One tick of the spring that the legs are for what the body is lowered by, and comes down with."""
    body, flight, give = memory.body, memory.flight, legs.give
    if flight is None and body.squat == body.squat_speed == travel.lower == travel.held == travel.impact == 0.0:
        return
    hard = flight.hard if flight is not None else 0.0
    if flight is not None and travel.held <= 0.0:
        # Who runs on has no time to go down.
        hard, give = hard * (1.0 - RUNS_ON * flight.ahead), give * (1.0 - RUNS_ON * flight.ahead)
    halflife = (COMES_UP if flight is None else LIGHT_UP + (HARD_UP - LIGHT_UP) * hard) * legs.tempo
    goal, deepest = min(BY_LEGS * travel.lower, legs.most), e * min(DEEPEST * legs.length, legs.most)
    if travel.held > 0.0:
        halflife = HELD_IN * legs.tempo
        goal = deepest = max(goal, min(give * HELD * legs.length, legs.most))
    if travel.impact > 0.0:
        # A critically damped spring of rate w that is pushed at a speed gives way by speed / (e w), and does not go
        # past a goal at a distance of speed / w.
        rate = 2.0 * log(2.0) / halflife
        body.squat_speed = max(body.squat_speed, min(give * LEFT * travel.impact, rate * deepest))
    body.squat, body.squat_speed = spring(body.squat, body.squat_speed, goal, halflife, dt)


def wind_up(body: BodyMemory, flight: Flight, rise: float, leg: float, tempo: float, dt: float) -> None:
    """One tick of the same spring in the air. Legs of a body that jumps give a little and stretch while its travel
    rises already (`rise`, metres a second), so that it leaves the ground a moment late and catches up; before it comes
    down they bend a little.
    """
    stays = stay_of(flight.jump, leg, tempo)
    if flight.elapsed > stays:
        goal = flight.share * flight.near * SOFT_KNEES * leg
        body.squat, body.squat_speed = spring(body.squat, body.squat_speed, goal, LAGS * tempo, dt)
        return
    before, after = (DIPS * leg * smoothstep(t / stays) for t in (flight.elapsed - dt, flight.elapsed))
    body.squat += rise * dt + after - before
    body.squat_speed = rise


def stay_of(jump: float, leg: float, tempo: float) -> float:
    """For how long a body that jumps stays on the ground, seconds; 0 for one that falls."""
    return min(STAYS * tempo, MOST_AHEAD * leg / jump) if jump > 0.0 else 0.0
