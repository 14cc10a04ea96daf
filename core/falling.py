"""A character that is hit, staggers, falls, lies and gets up, on one page.

ACTIVE       the body goes along under the pelvis that physics has; its feet step to where it will come to rest
FALLEN       it lies where physics has it; nothing steps
GETTING_UP   it gets up by itself from how it lay, to where it will stand          actions/rising
ANIMATED     its own motion; what a hit without physics left of push and flinch, what physics left of pose

Where physics has something of the body, a row says it (control/fall_row), and the pose is changed so that its solids
lie as told (ragdoll/bodies_pose). Rows are inputs like any other, so that whatever plays a character plays its falls.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, copysign, hypot, radians
from typing import TYPE_CHECKING

from mathutils import Quaternion, Vector

from .control.bodied import stand_bodied
from .control.capsule import put
from .control.directors import go_on_from
from .control.fall_row import FallRow, FallState
from .control.intent import Inputs, Place, Travel
from .control.point import stand
from .falling_course import Beside, Caught, Course, Limits, Told
from .falling_feet import take_up_feet
from .falling_memory import FallMemory
from .gait.memory import GaitMemory
from .locomotion.memory import StateMemory
from .ragdoll.balance import middle_of, place_in
from .ragdoll.bodies_pose import posed_by
from .rig.edited_pose import EditedPose
from .rig.placed import world_matrix
from .space.angles import turn_between, wrapped
from .space.dampers import kept_share
from .space.rigid import Turn, after, undone
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory

GoOn = Callable[["Character", "Memory", Inputs, World, float, Course | None], None]
"""A tick of its own motion, on a course."""

UP = (0.0, 0.0, 1.0)
ENDS = "What physics recorded ends while it lies: Simulate on."
LEAST_TWIST = 0.2
"""A heading is told from the pelvis as long as it is not turned over by more than this leaves of its twist."""
TURNS_AS_IT_LIES = 0.1
"""Seconds in which half of a turn of a body that lies becomes its heading."""
COMES_TO_REST = 0.1
WRUNG = radians(15.0)
"""So far a pelvis may be turned against its motion before the whole body turns with it."""


def tick_falling(character: Character, memory: Memory, inputs: Inputs, world: World, dt: float, go_on: GoOn) -> None:
    """Advance a character by one tick that something has hit; `go_on` is a tick of its own motion."""
    falling = character.falling
    if falling.refuses or not falling.config.falls or inputs.moved_to is not None:
        memory.fall = None
        go_on(character, memory, inputs, world, dt, None)
        memory.reason = memory.reason or (falling.refuses if inputs.fall is not None or inputs.hits else "")
        return
    fall = memory.fall = memory.fall or FallMemory()
    row, wrong = falling.usable(inputs.fall)
    was, fall.state = fall.state, _next_state(fall, row)
    for hit in inputs.hits:
        falling.strike(fall, hit, memory.travel, steps=character.played is None)
    _enter(character, memory, fall, was, row, world, inputs)
    excess = fall.push
    if fall.state == "ACTIVE":
        excess = _stagger(character, memory, fall, row, inputs, world, dt, go_on)
    elif fall.state == "FALLEN":
        _lie(character, memory, fall, row, inputs, world, dt)
    elif fall.state == "GETTING_UP":
        _get_up(character, memory, fall, inputs, world, dt)
    else:
        _recover(character, memory, fall, row, inputs, world, dt, go_on)
    told = [(event.upper(), "") for event in (() if row is None else row.events) if event != "stood_up"]
    told += [("HIT", "")] if inputs.hits else []
    memory.gait.events += tuple(told)
    falling.age(fall, excess, dt)
    ends = ENDS if row is None and fall.state == "FALLEN" else ""
    memory.reason = memory.reason or wrong or ends
    if fall.over:
        memory.fall = None


def _has_body(row: FallRow | None) -> bool:
    """Whether physics has the body, and not only a limb of it."""
    return row is not None and bool(row.bodies) and (not row.weights or row.weights[0] > 0.0)


def _next_state(fall: FallMemory, row: FallRow | None) -> FallState:
    """What it does in this tick, by what the row says, or where there is none, by what it did."""
    if row is not None and _has_body(row):
        return "FALLEN" if row.state in ("FALLEN", "GETTING_UP") else "ACTIVE"
    if fall.rise is not None:
        return "GETTING_UP"
    if row is not None and row.state == "GETTING_UP" and fall.state == "FALLEN":
        return "GETTING_UP"
    let_go = bool(fall.weights) and fall.weights[0] <= 0.5
    return "FALLEN" if row is None and fall.state == "FALLEN" and not let_go else "ANIMATED"


def _enter(
    character: Character, memory: Memory, fall: FallMemory, was: str, row: FallRow | None, world: World, inputs: Inputs
) -> None:
    """What changes with the state, before it is lived."""
    if fall.state in ("ACTIVE", "FALLEN"):
        fall.rise, fall.back, fall.held, fall.push = None, 0.0, (), (0.0, 0.0)
        if row is not None and (row.begins != fall.begins or was in ("ANIMATED", "GETTING_UP")):
            fall.begins, fall.seen, fall.since = row.begins, (), 0.0
        if memory.state is not None:
            memory.state = StateMemory()
    if was == "FALLEN" and fall.state in ("ACTIVE", "ANIMATED"):
        _stand_anew(character, memory, memory.travel.place, world, inputs)
    elif was == "ACTIVE" and fall.state == "ANIMATED":
        _take_shape_along(character, memory, world)
        plan = character.falling.plan
        if plan is not None and fall.bodies:
            fall.held = take_up_feet(character, memory, plan, fall.bodies, world)
    if was == "FALLEN" and fall.state in ("ACTIVE", "ANIMATED"):
        fall.floors = ()
    if fall.state == "FALLEN":
        fall.look = ()
    if fall.state == "GETTING_UP" and fall.rise is None:
        _begin_to_rise(character, memory, fall, world, inputs)


def _begin_to_rise(character: Character, memory: Memory, fall: FallMemory, world: World, inputs: Inputs) -> None:
    """From how it lies; its travel and its feet are where it will stand from here on."""
    falling, frame = character.falling, character.own_pose(memory, inputs)[0]
    lying, to_world = EditedPose.of_frame(character.rig.skeleton, frame), world_matrix(frame.ground)
    if falling.plan is None or falling.rising is None:
        return
    posed_by(falling.plan, lying, to_world, fall.bodies)
    falling.loose.lift(lying, to_world, fall.floors)
    fall.rise = falling.rising.start(lying, to_world, world, falling.config.get_up_style)
    fall.bodies = fall.weights = fall.floors = ()
    _stand_anew(character, memory, falling.rising.place(fall.rise), world, inputs)
    fall.adrift = True


def _take_shape_along(character: Character, memory: Memory, world: World) -> None:
    """The body's shape where physics has left the travel, as fast as that goes."""
    (x, y, z, _), (vx, vy, vz) = memory.travel.place, memory.travel.velocity
    if memory.capsule is None or character.movement is None:
        return
    memory.capsule = capsule = put((x, y, z), character.movement, world)
    capsule.velocity = (vx, vy, 0.0 if capsule.state == "ON_GROUND" else vz)
    capsule.flat = (vx, vy)


def _stand_anew(character: Character, memory: Memory, place: Place, world: World, inputs: Inputs) -> None:
    """Travel and feet where it will stand."""
    if memory.capsule is not None and character.movement is not None:
        memory.travel, memory.capsule = stand_bodied(place, character.control, character.movement, world)
    else:
        memory.travel = stand(place, character.control, world)
    if character.played is None:
        memory.gait = character.gait.start(memory.travel, world, character.gait_at(inputs))


def _stagger(
    character: Character, memory: Memory, fall: FallMemory, row: FallRow | None, inputs: Inputs, world: World,
    dt: float, go_on: GoOn,
) -> tuple[float, float]:  # fmt: skip
    """The body goes along under its pelvis; its steps catch it. The speed that they have yet to."""
    falling = character.falling
    if row is None or falling.plan is None:
        return 0.0, 0.0
    offset, motion = _pelvis(character, memory, inputs)
    travel, told = memory.travel, None
    # The same once more: between two rows it goes on as it did; what stays so long has come to rest.
    if not fall.seen or row.bodies != fall.bodies or fall.since >= COMES_TO_REST:
        heading = travel.place.heading
        x, y = falling.under(row.bodies, offset, heading)
        turned = wrapped(_yaw(after(falling.turn_of(row.bodies), undone(motion)), 0.0))
        turned = copysign(max(0.0, abs(turned) - WRUNG), turned)
        middle = (fall.seen[0], fall.seen[1]) if fall.seen else (0.0, 0.0)
        if not fall.seen or row.bodies != fall.bodies:
            # How a gait sways over its feet is no way that the body goes.
            sway, (mx, my, _) = Quaternion(UP, heading) @ offset, middle_of(falling.plan, row.bodies)
            middle = (mx - sway.x, my - sway.y)
        told = Told((x, y, _height(travel, row.bodies, offset)), middle, turned, row.push[:2])
    limits = Limits(character.control, falling.numbers.catching, falling.rate)
    course = Caught(fall, travel, limits, told, waits=falling.config.fall_base == "WAITS")
    go_on(character, memory, inputs, world, dt, course)
    _let_go_of_shape(memory)
    if "hit" in row.events:
        falling.look_back(fall, row.push, memory.travel)
    _remember(memory, fall, row, character.rig.floor)
    return fall.velocity[0] - course.wanted[0], fall.velocity[1] - course.wanted[1]


def _let_go_of_shape(memory: Memory) -> None:
    """The body's shape goes along with the travel and wants nothing: it pushes nothing while physics has the body."""
    if memory.capsule is not None:
        memory.capsule.feet, memory.capsule.wished = memory.travel.place[:3], (0.0, 0.0)
        memory.capsule.velocity, memory.capsule.flat = (0.0, 0.0, 0.0), (0.0, 0.0)


def _recover(
    character: Character, memory: Memory, fall: FallMemory, row: FallRow | None, inputs: Inputs, world: World,
    dt: float, go_on: GoOn,
) -> None:  # fmt: skip
    """Its own motion, and what is left of physics and hits."""
    falling, limb = character.falling, row is not None and bool(row.bodies)
    if fall.bodies and not limb:
        if fall.back <= 0.0:
            fall.back, fall.seen = falling.numbers.catching.hand_back, ()
            go_on_from(memory.director, memory.travel)
        else:
            fall.back = max(0.0, fall.back - dt)
        if fall.back <= 0.0:
            fall.bodies = fall.weights = ()
    busy = fall.push != (0.0, 0.0) or fall.off != (0.0, 0.0) or fall.adrift
    limits = Limits(character.control, falling.numbers.catching, falling.rate)
    course = Beside(fall, memory.travel, limits) if busy else None
    go_on(character, memory, inputs, world, dt, course)
    if row is not None and limb:
        _remember(memory, fall, row, character.rig.floor)


def _remember(memory: Memory, fall: FallMemory, row: FallRow, floor: float) -> None:
    """The solids as they were told, and where the body was then."""
    x, y, z, heading = memory.travel.place
    fall.bodies, fall.weights, fall.at = row.bodies, row.weights, (x, y, z - floor, heading)


def _wait(character: Character, memory: Memory, inputs: Inputs, dt: float) -> None:
    """A tick in which it does nothing of its own; what it plays may go on."""
    memory.gait.events, memory.reason = (), ""
    memory.ticks += 1
    if character.clip is not None and memory.clip is not None and character.falling.config.fall_base == "GOES_ON":
        character.clip.advance(memory.clip, inputs, memory.travel, dt)
    if character.follows is not None and memory.follow is not None:
        # Another rig goes on whatever this one does; where it went meanwhile is no way of this one.
        character.follows.advance(memory.follow, memory.travel, inputs, dt)


def _lie(
    character: Character, memory: Memory, fall: FallMemory, row: FallRow | None, inputs: Inputs, world: World, dt: float
) -> None:
    """It lies: the travel is under the pelvis, as that is turned."""
    falling, travel = character.falling, memory.travel
    _wait(character, memory, inputs, dt)
    if row is None or falling.plan is None:
        memory.travel = Travel(travel.place, ground=travel.ground)
        return
    x, y, z = place_in(row.bodies, 0)
    heading = _yaw(falling.turn_of(row.bodies), travel.place.heading)
    turned = turn_between(travel.place.heading, heading) * (1.0 - kept_share(TURNS_AS_IT_LIES, dt))
    heading = wrapped(travel.place.heading + turned)
    middle = Vector(falling.plan.bodies[0].rest.origin)
    x, y = falling.under(row.bodies, middle, heading)
    leg = character.rig.leg_length
    ground = world.height_below(x, y, z, 2.0 * leg)
    to = Place(x, y, z - leg if ground is None else ground, heading)
    before = travel.place
    speeds = ((to.x - before.x) / dt, (to.y - before.y) / dt, (to.z - before.z) / dt) if dt > 0.0 else (0.0, 0.0, 0.0)
    memory.travel = Travel(to, speeds, turned / dt if dt > 0.0 else 0.0, ground=ground is not None)
    _let_go_of_shape(memory)
    _remember(memory, fall, row, character.rig.floor)
    fall.floors = falling.loose.floors(row.bodies, world)


def _get_up(character: Character, memory: Memory, fall: FallMemory, inputs: Inputs, world: World, dt: float) -> None:
    """It gets up, and stands."""
    rising = character.falling.rising
    _wait(character, memory, inputs, dt)
    if rising is None:
        return
    rising.tick(fall.rise, world, dt)
    place = rising.place(fall.rise)
    if place[:2] != memory.travel.place[:2]:
        memory.travel.place = place._replace(z=memory.travel.place.z)
    if rising.done(fall.rise):
        fall.rise, fall.state = None, "ANIMATED"
        go_on_from(memory.director, memory.travel)
        memory.gait.events = (("STOOD_UP", ""),)


def _pelvis(character: Character, memory: Memory, inputs: Inputs) -> tuple[Vector, Turn]:
    """Where the pelvis' middle is in its own motion, model space, and how that is turned from rest, world."""
    plan, gait, heading = character.falling.plan, memory.gait, memory.travel.place.heading
    rest = Vector((0.0, 0.0, 0.0) if plan is None else plan.bodies[0].rest.origin)
    if character.played is None and isinstance(gait, GaitMemory):
        centre, turn = character.poser.centre, Quaternion(gait.body.rotation)
        middle = centre + Vector(gait.body.offset) + turn @ (rest - centre)
    else:
        pose = EditedPose.of_frame(character.rig.skeleton, character.own_pose(memory, inputs)[0])
        moved = pose.moved(character.rig.body)
        middle, turn = moved @ rest, moved.to_quaternion()
    w, x, y, z = Quaternion(UP, heading) @ turn
    return middle, (w, x, y, z)


def _height(travel: Travel, bodies: tuple[float, ...], offset: Vector) -> float:
    """From where its ground is looked for: where it was, or where the pelvis says if that has dropped far."""
    told = bodies[2] - offset.z
    return travel.place.z if told > travel.place.z - 0.5 * max(offset.z, 0.0) else told


def _yaw(turn: Turn, instead: float) -> float:
    """The heading of what is turned so: its twist about the vertical, or another one where it is turned over."""
    w, _, _, z = turn
    return 2.0 * atan2(z, w) if hypot(w, z) > LEAST_TWIST else instead
