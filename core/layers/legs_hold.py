"""When a foot of a clip is down, and where it then stays: on its heel until the ball comes down, then on the ball.

Heights in metres over the clip's own floor, speeds along the ground in metres a second, both for a 0.9 m leg.
"""

from __future__ import annotations

from math import copysign, hypot, radians, sqrt

from mathutils import Vector

from ..motion.planted import CAPTURED
from ..rig.pose import Footing
from ..space.angles import turn_between
from ..space.curves import share_of, smoothstep
from .layer import Moment
from .legs_memory import Flat, FootMemory

# A foot in the air changes from ball to heel, or back, when the other one is lower by this much (metres).
CLEARLY_LOWER = 0.01
# The ball of a foot that rolls off is on its way between these heights (metres), and these speeds (metres a second).
LEAVES = (0.012, 0.02), (0.3, 0.6)
# Under this speed (metres a second) travel has no direction of its own: the facing has.
LEAST_TRAVEL = 0.1
# A foot that is flat is held against a turn of at most this; a body that turns farther turns it along.
MOST_TURN = radians(20.0)


def find_contact(
    memory: FootMemory, lifts: Flat, speeds: Flat, planned: Footing | None, scale: float, *, known: bool
) -> None:
    """Whether heel and ball are down: as planned, else low and slow with a hysteresis for both.

    `known` is False at a first frame, where no speed is known: then nothing is down yet.
    """
    if planned is not None:
        memory.heel_down = planned.planted and planned.heel_down
        memory.ball_down = planned.planted and planned.ball_down
        return
    tempo = sqrt(scale)

    def down(was: bool, lift: float, speed: float) -> bool:
        height = (CAPTURED.lifting_height if was else CAPTURED.landing_height) * scale
        fastest = (CAPTURED.lifting_speed if was else CAPTURED.landing_speed) * tempo
        return known and lift <= height and speed <= fastest

    memory.heel_down = down(memory.heel_down, lifts[0], speeds[0])
    memory.ball_down = down(memory.ball_down, lifts[1], speeds[1])


def leaving(memory: FootMemory, lift: float, speed: float, scale: float) -> float:
    """How much of a foot that rolls off has left its place already, 0 to 1, by height and speed of its ball."""
    if memory.heel_down or not memory.ball_down:
        return 0.0
    height, fast = (LEAVES[k] for k in (0, 1))
    return max(share_of(lift, height[0] * scale, height[1] * scale), share_of(speed / sqrt(scale), *fast))


def stands_on_heel(memory: FootMemory, lifts: Flat, scale: float) -> bool:
    """About which end the foot turns now: the ball as soon as it is down, in the air the lower of both."""
    if memory.down:
        return not memory.ball_down
    margin = CLEARLY_LOWER * scale
    return lifts[0] < lifts[1] + (margin if memory.on_heel else -margin)


def shift_now(
    memory: FootMemory, place: Vector, moment: Moment, release: float, bounds: Flat, *, landing: bool
) -> Flat:
    """How far the end that the foot turns about is now from where the pose has it (`place`, world), world space."""
    if memory.pinned is not None:
        if memory.anchor is not None:
            found = moment.world.locate(memory.anchor)
            if found is not None:
                memory.pinned = (found.position.x, found.position.y)
        shift = (memory.pinned[0] - place.x, memory.pinned[1] - place.y)
        kept = bounded(shift, moment, bounds)
        if kept != shift:
            memory.pinned, memory.anchor = (place.x + kept[0], place.y + kept[1]), None
        return kept
    if memory.down and not landing:
        return memory.shift
    left = _left(memory, release)
    return memory.faded[0] * left, memory.faded[1] * left


def turn_now(memory: FootMemory, heading: float, release: float, *, hold: bool) -> float:
    """How far the foot is now turned about the upright from where the pose has it; `heading` is the pose's, world.

    A foot that is flat on the ground cannot turn on heel or ball without the other one sliding.
    """
    if not memory.down:
        memory.heading = None
        return memory.faded[2] * _left(memory, release)
    if not (hold and memory.pinned is not None and memory.heel_down and memory.ball_down):
        memory.heading = None
        return memory.turned
    if memory.heading is None:
        memory.heading = heading + memory.turned
    turned = turn_between(heading, memory.heading)
    if abs(turned) > MOST_TURN:
        turned = copysign(MOST_TURN, turned)
        memory.heading = heading + turned
    return turned


def _left(memory: FootMemory, release: float) -> float:
    """What is left of a hold after its release."""
    return 1.0 - smoothstep(memory.free / release) if release > 0.0 else 0.0


def bounded(shift: Flat, moment: Moment, bounds: Flat) -> Flat:
    """A shift that is at most so far along the travel, and so far across it (metres)."""
    vx, vy, _ = moment.velocity
    speed = hypot(vx, vy)
    if speed < LEAST_TRAVEL:
        ahead = moment.to_world.to_3x3() @ Vector((0.0, -1.0, 0.0))
        vx, vy = ahead.x, ahead.y
        speed = hypot(vx, vy) or 1.0
    ux, uy = vx / speed, vy / speed
    along, across = shift[0] * ux + shift[1] * uy, shift[1] * ux - shift[0] * uy
    if abs(along) <= bounds[0] and abs(across) <= bounds[1]:
        return shift
    along = min(bounds[0], max(-bounds[0], along))
    across = min(bounds[1], max(-bounds[1], across))
    return along * ux - across * uy, along * uy + across * ux
