"""Along one leg of a way: which way a body is steered, how fast, and when it presses what."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist, hypot, inf, sqrt
from typing import Literal, NamedTuple

from ..control.capsule_memory import CapsuleMemory
from ..control.config import ControlConfig
from ..control.intent import NO_PAD, Pad
from ..space.copying import copier
from ..space.rigid import Triple
from ..world.sensing import SensorName
from ..world.surroundings import look
from ..world.world import World
from .links import Mover, landing
from .memory import StateMemory
from .way_search import Leg

Told = Literal["ON", "DONE", "FAILED"]
PASSES = 0.25
"""A place of a way is passed at this distance, metres for a leg of 0.9 m."""
SHARP = 0.7
"""The cosine of a bend that is taken at a walk."""
SLOWS = 0.9
"""So far before a sharp bend it comes down to a walk, metres for a leg of 0.9 m."""
NEARER = 0.05
"""It comes nearer by so much, or not at all, metres for a leg of 0.9 m."""
OFF_LINE, BEFORE = 0.35, 0.25
"""A move is begun from so near its line, and from so little before where it starts, metres for a leg of 0.9 m."""
AT_WALL = 0.5
"""So far from a place that is at a wall it may have to stop, metres for a leg of 0.9 m."""
RUN_UP = 1.2
"""From so far before its start on it is looked whether a move may begin at the run."""
SAME_PLACE = 1.3
"""What is seen is the move that was meant where it ends so near to that, metres for a leg of 0.9 m."""
STOPPED, WAITS = 0.5, 0.4
"""Slower than so many m/s for so many seconds at an obstacle, it jumps at it."""
DRIFTED = 1.2
"""A move that ended so far from where it was to end has led elsewhere, metres for a leg of 0.9 m."""
ENOUGH = 1.1
"""A bar is slid under from so much more than the least speed of a slide."""
BACK = 1.0
"""So much more of a run-up it takes to a bar, metres for a leg of 0.9 m: it is seen before it is met."""
IN_LINE = 0.8
"""It comes back to a line towards a place so far ahead on it, metres for a leg of 0.9 m."""
BRAKES = 0.8
"""The share of what it can brake with that it counts on."""
LEAVES_TOO_LATE = 8.0
"""A move that takes longer, seconds, is given up, and an edge let go."""
WALKING = frozenset({"GROUNDED", "AIRBORNE", "CROUCHED"})
AIMED = 0.85


@dataclass(slots=True)
class Following:
    """How far a body is with a leg: `nearest` it came to the leg's end, for how long (`since`) not nearer; `begun`: it
    is on the line of its move, `left`: it has left the ground for it, `pressed`: the button is down; `time` since the
    leg began, `waits` for how long it stands before an obstacle.
    """

    nearest: float = inf
    since: float = 0.0
    begun: bool = False
    left: bool = False
    pressed: bool = False
    time: float = 0.0
    waits: float = 0.0

    def copy(self) -> Following:
        """An independent copy."""
        return _copied(self)


_copied = copier(Following)


class Now(NamedTuple):
    """The body in this tick, and how fast it may go; `last` says that the way ends with this leg."""

    capsule: CapsuleMemory
    state: StateMemory | None
    world: World
    control: ControlConfig
    speed: float
    dt: float
    last: bool

    @property
    def led(self) -> bool:
        """True while a state has the body."""
        return self.state is not None and self.state.state not in WALKING

    @property
    def stands(self) -> bool:
        """True where it walks or stands."""
        return self.capsule.state == "ON_GROUND" and not self.led

    @property
    def run(self) -> float:
        """How fast it goes along the ground."""
        return hypot(*self.capsule.flat)

    def pad(self, x: float, y: float, speed: float, *, sprints: bool = False) -> Pad:
        """A direction at a speed: a share of its walk, or of its sprint where it is faster than that."""
        length = hypot(x, y)
        if length < 1e-6 or self.speed <= 0.0 or speed <= 0.0:
            return NO_PAD
        fast = sprints or speed > self.speed
        full = self.speed * (self.control.steering.sprint_factor if fast else 1.0)
        share = min(1.0, speed / full) / length
        return Pad(x * share, y * share, sprint=fast)


def towards(goal: Triple, feet: Triple, now: Now, fastest: float) -> Pad:
    """To a place and to a stop there."""
    x, y = goal[0] - feet[0], goal[1] - feet[1]
    far = hypot(x, y)
    brakes = sqrt(2.0 * BRAKES * now.control.steering.settling * far)
    return now.pad(x, y, min(fastest, brakes, 0.9 * far / now.dt if now.dt > 0.0 else fastest))


def follow(memory: Following, leg: Leg, after: Leg | None, mover: Mover, now: Now) -> tuple[Pad, Told]:
    """What to press in a tick of a leg, and whether that is done, or has failed."""
    memory.time += now.dt
    if leg.kind == "WALK":
        return _walk(memory, leg, after, mover, now)
    feet = now.capsule.feet
    if now.led or (memory.pressed and not now.stands) or (leg.kind == "DROP" and not now.stands):
        memory.left = True
    if memory.left and leg.kind == "SLIDE" and not now.led:
        return _slid(memory, leg, mover, now)
    if memory.left and now.stands:
        off = hypot(leg.end[0] - feet[0], leg.end[1] - feet[1])
        there = off <= DRIFTED * mover.size and abs(leg.end[2] - feet[2]) <= mover.movement.highest_step
        return NO_PAD, "DONE" if there else "FAILED"
    if memory.left:
        return _in_move(memory, leg, after, mover, now), "ON"
    if now.stands and (_missed(leg, mover, feet) or _waits_too_long(memory, leg, mover, now)):
        return NO_PAD, "FAILED"
    return _before(memory, leg, mover, now), "ON"


def _walk(memory: Following, leg: Leg, after: Leg | None, mover: Mover, now: Now) -> tuple[Pad, Told]:
    """On foot, at a run where there is room to."""
    numbers, feet = mover.config.autopilot, now.capsule.feet
    if now.led:
        return (Pad(crouch=True) if _hangs(now) else NO_PAD), "ON"
    x, y = leg.end[0] - feet[0], leg.end[1] - feet[1]
    far = hypot(x, y)
    near = numbers.there if now.last else PASSES * mover.size
    if now.stands and far <= near:
        return NO_PAD, "DONE"
    lowest = min(leg.start[2], leg.end[2]) - 2.0 * mover.movement.highest_step
    if now.stands and (_no_nearer(memory, far, mover, now) or feet[2] < lowest):
        # So near to a wall a body does not go that walks straight at it.
        return NO_PAD, "DONE" if far <= AT_WALL * mover.size and feet[2] >= lowest else "FAILED"
    if now.last:
        return towards(leg.end, feet, now, mover.speed if far > numbers.runs_from else now.speed), "ON"
    sharp = after is not None and _bend(leg, after) < SHARP
    runs = far > numbers.runs_from or (_is_run_at(after) and not sharp)
    if sharp and far < SLOWS * mover.size:
        runs = False
    return now.pad(x, y, mover.speed if runs else now.speed), "ON"


def _is_run_at(after: Leg | None) -> bool:
    """True where what comes next is to be run at."""
    return after is not None and after.kind in {"VAULT", "CLIMB", "SLIDE", "JUMP"}


def _bend(leg: Leg, after: Leg) -> float:
    """The cosine of the bend from one leg to the next."""
    ax, ay = leg.end[0] - leg.start[0], leg.end[1] - leg.start[1]
    bx, by = after.end[0] - after.start[0], after.end[1] - after.start[1]
    length = hypot(ax, ay) * hypot(bx, by)
    return (ax * bx + ay * by) / length if length > 0.0 else 1.0


def _no_nearer(memory: Following, far: float, mover: Mover, now: Now) -> bool:
    if far < memory.nearest - NEARER * mover.size:
        memory.nearest, memory.since = far, 0.0
    else:
        memory.since += now.dt
    return memory.since > mover.config.autopilot.gives_up


def _waits_too_long(memory: Following, leg: Leg, mover: Mover, now: Now) -> bool:
    if memory.time > LEAVES_TOO_LATE:
        return True
    far = dist(leg.start, now.capsule.feet) if not memory.begun else 0.0
    return _no_nearer(memory, far, mover, now) and memory.since > 2.0 * mover.config.autopilot.gives_up


def _missed(leg: Leg, mover: Mover, feet: Triple) -> bool:
    """True where it has come past what it was to go over, or has left the floor that it was to go from."""
    _, along, _ = _line(leg, feet)
    past = along > hypot(leg.end[0] - leg.start[0], leg.end[1] - leg.start[1])
    return past or abs(feet[2] - leg.start[2]) > 2.0 * mover.movement.highest_step


def _hangs(now: Now) -> bool:
    return now.state is not None and now.state.state == "HANGING" and now.state.step == ""


def _line(leg: Leg, feet: Triple) -> tuple[tuple[float, float], float, float]:
    """The unit direction of a leg in the plan, how far along it a body is from its start, and how far aside."""
    dx, dy = leg.end[0] - leg.start[0], leg.end[1] - leg.start[1]
    length = max(hypot(dx, dy), 1e-9)
    dx, dy = dx / length, dy / length
    x, y = feet[0] - leg.start[0], feet[1] - leg.start[1]
    return (dx, dy), x * dx + y * dy, y * dx - x * dy


def _before(memory: Following, leg: Leg, mover: Mover, now: Now) -> Pad:
    """To where a move begins, and the press."""
    if leg.kind == "JUMP":
        return _run_up(memory, leg, mover, now)
    if leg.kind == "SLIDE":
        return _to_bar(memory, leg, mover, now)
    ahead, along, aside = _line(leg, now.capsule.feet)
    size, feet = mover.size, now.capsule.feet
    memory.begun = memory.begun or (along >= -BEFORE * size and abs(aside) <= OFF_LINE * size)
    if leg.kind == "DROP":
        return _let_down(memory, leg, mover, now)
    runs = leg.kind in {"VAULT", "CLIMB"}
    x, y = ahead if memory.begun else (leg.start[0] - feet[0], leg.start[1] - feet[1])
    pad = now.pad(x, y, mover.speed if runs else min(now.speed, 2.0 * size**0.5))
    near = along >= -RUN_UP * size and abs(aside) <= OFF_LINE * size
    presses = (memory.begun or near) and (_is_there(leg, mover, now, pad) if runs else memory.begun)
    presses = presses or (runs and _stuck(memory, now))
    pressed, memory.pressed = presses and not memory.pressed, presses
    return pad._replace(go_up=presses if pressed or memory.pressed else False)


def _stuck(memory: Following, now: Now) -> bool:
    """It stands before the obstacle, and that is not to be gone over as it was meant: then by a jump at it."""
    memory.waits = memory.waits + now.dt if memory.begun and now.run < STOPPED else 0.0
    return memory.waits > WAITS


def _is_there(leg: Leg, mover: Mover, now: Now, pad: Pad) -> bool:
    """True where area awareness sees the move that was meant, as the press would."""
    length = hypot(pad.x, pad.y)
    vx, vy = now.capsule.flat
    ahead, run = _line(leg, now.capsule.feet)[0], hypot(vx, vy)
    if length == 0.0 or (pad.x * ahead[0] + pad.y * ahead[1]) / length < AIMED:
        return False
    if run > STOPPED and (vx * ahead[0] + vy * ahead[1]) / run < AIMED:
        return False
    sprints = pad.sprint and run >= mover.config.machine.sprints_from
    name: SensorName = "SPRINT" if sprints else "WALK"
    stance = mover.stance(now.capsule.feet, (pad.x / length, pad.y / length), (vx, vy))
    seen = look(now.world, stance, name, mover.config.surroundings)
    if leg.kind == "SLIDE":
        return seen.verdict == "LOW_BAR"
    end = landing(seen) if seen.verdict == leg.kind else None
    return end is not None and dist(end, leg.end) <= SAME_PLACE * mover.size


def _let_down(memory: Following, leg: Leg, mover: Mover, now: Now) -> Pad:
    """Over an edge, as fast as it takes to come down where it was meant to."""
    feet = now.capsule.feet
    goal = leg.end if memory.begun else leg.start
    x, y = goal[0] - feet[0], goal[1] - feet[1]
    gravity, deep = mover.movement.gravity, max(leg.start[2] - leg.end[2], 0.1)
    way = hypot(leg.end[0] - leg.start[0], leg.end[1] - leg.start[1])
    pace = 0.7 * way / sqrt(2.0 * deep / gravity) if gravity > 0.0 else now.speed
    return now.pad(x, y, min(now.speed, max(pace, 0.5 * mover.size**0.5)))


def _run_up(memory: Following, leg: Leg, mover: Mover, now: Now) -> Pad:
    """Back as far as it takes to be fast enough, on to the edge, and the jump."""
    feet = now.capsule.feet
    ahead, along, _ = _line(leg, feet)
    x, y = leg.end[0] - feet[0], leg.end[1] - feet[1]
    time = mover.flight(leg.end[2] - feet[2])
    needs = hypot(x, y) / time if time > 0.0 else mover.speed
    towards_it = now.capsule.flat[0] * ahead[0] + now.capsule.flat[1] * ahead[1]
    back = _back(memory, leg, needs, 0.2, mover, now)
    if back is not None:
        return back
    jumps = along >= -0.05 * mover.size
    memory.pressed = jumps
    if jumps and towards_it < 0.7 * needs:
        memory.begun = memory.pressed = False
        jumps = False
    return now.pad(x, y, needs)._replace(jump=jumps)


def _back(memory: Following, leg: Leg, needs: float, more: float, mover: Mover, now: Now) -> Pad | None:
    """Back from where a move begins as far as it takes to be so fast there, and `more` of it, metres for a leg of
    0.9 m; None from when on it runs.
    """
    feet, (ahead, along, aside) = now.capsule.feet, _line(leg, now.capsule.feet)
    run_up = needs * needs / (2.0 * now.control.steering.speeding_up) + more * mover.size
    x, y = leg.start[0] - ahead[0] * run_up - feet[0], leg.start[1] - ahead[1] * run_up - feet[1]
    if not memory.begun:
        towards_it = now.capsule.flat[0] * ahead[0] + now.capsule.flat[1] * ahead[1]
        fast = towards_it >= 0.9 * needs or along <= 0.1 * mover.size - run_up
        memory.begun = (fast and abs(aside) <= OFF_LINE * mover.size) or hypot(x, y) <= PASSES * mover.size
    return None if memory.begun else now.pad(x, y, now.speed)


def _to_bar(memory: Following, leg: Leg, mover: Mover, now: Now) -> Pad:
    """At a run to a bar, from further back where it is too slow, and the press where that is seen as one."""
    needs = ENOUGH * mover.config.slide.starts_from
    back = _back(memory, leg, needs, BACK, mover, now)
    if back is not None:
        return back
    (ahead, along, aside), (vx, vy) = _line(leg, now.capsule.feet), now.capsule.flat
    towards_it = vx * ahead[0] + vy * ahead[1]
    memory.begun = along < 0.0 or towards_it >= needs
    # Along the line, and back to it; round to that at a walk, which turns on less room.
    x, y = ahead[0] * IN_LINE * mover.size + ahead[1] * aside, ahead[1] * IN_LINE * mover.size - ahead[0] * aside
    pad = now.pad(x, y, mover.speed if towards_it >= AIMED * now.run else now.speed)
    memory.pressed = towards_it >= needs and _is_there(leg, mover, now, pad)
    return pad._replace(go_up=memory.pressed)


def _slid(memory: Following, leg: Leg, mover: Mover, now: Now) -> tuple[Pad, Told]:
    """Behind a slide: on while it is still under what it slid under."""
    feet, (ahead, along, _) = now.capsule.feet, _line(leg, now.capsule.feet)
    if abs(feet[2] - leg.end[2]) > mover.movement.highest_step or _no_nearer(
        memory, hypot(leg.end[0] - feet[0], leg.end[1] - feet[1]), mover, now
    ):
        return NO_PAD, "FAILED"
    if now.stands and along >= hypot(leg.end[0] - leg.start[0], leg.end[1] - leg.start[1]) - PASSES * mover.size:
        return NO_PAD, "DONE"
    return now.pad(*ahead, now.speed), "ON"


def _in_move(memory: Following, leg: Leg, after: Leg | None, mover: Mover, now: Now) -> Pad:
    """While it flies, hangs, or a state has it."""
    feet = now.capsule.feet
    ahead, _, _ = _line(leg, feet)
    if _hangs(now):
        if memory.time > LEAVES_TOO_LATE:
            return Pad(crouch=True)
        memory.pressed = not memory.pressed
        return Pad(*ahead, go_up=memory.pressed)
    if now.led:
        goes_on = after is not None and _bend(leg, after) >= SHARP
        return now.pad(*ahead, mover.speed) if goes_on else NO_PAD
    if leg.kind in {"DROP", "JUMP"}:
        pad = _correct(leg, mover, now)
        # Back at the edge that it came from it would take hold of that.
        return NO_PAD if leg.kind == "DROP" and pad.x * ahead[0] + pad.y * ahead[1] <= 0.0 else pad
    holds = leg.kind != "HANG" and memory.pressed
    return now.pad(*ahead, now.speed)._replace(go_up=holds)


def _correct(leg: Leg, mover: Mover, now: Now) -> Pad:
    """In flight: as fast as brings it down where it was meant to."""
    feet, (_, _, up), gravity = now.capsule.feet, now.capsule.velocity, mover.movement.gravity
    x, y = leg.end[0] - feet[0], leg.end[1] - feet[1]
    left = up * up + 2.0 * gravity * (feet[2] - leg.end[2])
    time = (up + sqrt(max(left, 0.0))) / gravity if gravity > 0.0 else 0.0
    return now.pad(x, y, hypot(x, y) / time if time > now.dt else now.speed)
