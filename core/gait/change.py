"""From one gait to another in mid-stride: where in the new table the clock goes on.

Two tables seldom agree on when each leg lands. The clock is shifted once, so that the leg that is worst off is as
near to its place in the new table as can be; what is left of its way there it makes up while it stands, a little each
step. Legs in the air keep their pace until they have landed.

What is above the legs follows the clock and the gait's manner. Both are carried: the shift of the clock as a lag that
starts with the old beat, the manner as what is left of the old one.
"""

from __future__ import annotations

from dataclasses import fields
from math import copysign, cos, hypot, sin, sqrt
from operator import attrgetter

from mathutils import Quaternion, Vector

from ..ik.swing import soft_distance
from ..space.curves import smoothstep
from ..space.dampers import spring
from ..space.inertialization import OVER, sprung
from .foot import FootGeometry
from .manner import Manner
from .memory import BodyMemory, FootMemory, GaitMemory
from .patterns import Pattern
from .rolling import Known

# By these shares a stance is longer or shorter than its gait's while the foot makes up for a change of gait. From a
# longer one a foot comes from further behind.
LONGER, SHORTER = 0.2, 0.35
# A foot in the air that has longer to go than this share of a new gait's cycle hurries.
MOST_LEFT = 0.95
# The last share of a swing, in which a foot that waited comes to its place.
WAITS_UNTIL = 0.25
# A foot in the air is drawn along by a leg that stretches to its last, from this share of its swing on and until one.
PULLED_FROM, PULLED_UNTIL, PULL_SOFTNESS = 0.015, 0.008, 0.05
# It comes from the ground and goes there at any length that its leg has: what softens the last of the reach in between
# grows within the first of these shares of the swing and has faded for the last.
SOFT_FROM, SOFT_UNTIL = 0.2, 0.25
# Seconds for a 0.9 m leg. Elbows that a run bends take a stride to rise.
LAG_HALFLIFE, MANNER_HALFLIFE, RESTS_HALFLIFE = 0.2, 0.4, 0.15

Z = Vector((0.0, 0.0, 1.0))

_numbers = attrgetter(*(item.name for item in fields(Manner)))


def change_gait(memory: GaitMemory, pattern: Pattern, cycle: float) -> None:
    """Take up another gait, whose cycle lasts `cycle` seconds; the clock goes on where it suits all feet best.

    A foot that stands is as far through its stance as before, one in the air lands when it would have landed.
    """
    left = [_left_in_air(foot, memory.cycle / cycle) for foot in memory.feet]
    wanted = [
        (offset - more if more else offset + pattern.stance(i) * _share_stood(foot)) % 1.0
        for i, (foot, offset, more) in enumerate(zip(memory.feet, pattern.offsets, left, strict=True))
    ]
    middles = [(a + 0.5 * _apart(a, b)) % 1.0 for i, a in enumerate(wanted) for b in wanted[i:]]
    best = min(middles, key=lambda phase: (round(max(abs(_apart(phase, other)) for other in wanted), 9), phase))
    memory.gait = pattern.name
    memory.phase = best
    for i, (foot, more) in enumerate(zip(memory.feet, left, strict=True)):
        if more:
            foot.phase = 1.0 - more
            foot.lift_phase = (foot.phase - foot.progress) / (1.0 - foot.progress)
            foot.timing = ((best + more) % 1.0, pattern.stance(i))
        else:
            foot.phase = pattern.stance(i) * _share_stood(foot)
            foot.timing = ((best - foot.phase) % 1.0, pattern.stance(i))


def carry_manner(memory: GaitMemory, before: Pattern, phase: float, beat: float, after: Pattern, cycle: float) -> None:
    """Keep what is above the legs as it was when a gait has changed: `phase` and `beat` (cycles a second) are the old
    clock's, `cycle` the seconds of the new one's.
    """
    body = memory.body
    body.lag += _apart(memory.phase - after.offsets[0], phase - before.offsets[0])
    body.lag_speed += beat - memory.hurry / cycle
    left = [old - new for old, new in zip(_numbers(before.manner), _numbers(after.manner), strict=True)]
    if body.manner:
        left = [more + item for more, item in zip(body.manner, left, strict=True)]
    body.manner = tuple(left)
    body.manner_speeds = body.manner_speeds or (0.0,) * len(left)


def settle_manner(memory: GaitMemory, tempo: float, dt: float) -> None:
    """One tick of what is left of an earlier gait's clock and manner; a body that stands is done with it sooner."""
    body = memory.body
    if not body.manner:
        return
    halflife = MANNER_HALFLIFE if memory.rest == 0.0 else RESTS_HALFLIFE
    body.lag, body.lag_speed = spring(body.lag, body.lag_speed, 0.0, LAG_HALFLIFE * tempo, dt)
    body.manner, body.manner_speeds = sprung(body.manner, body.manner_speeds, halflife * tempo, dt)
    if max(map(abs, (body.lag, *body.manner))) < OVER:
        body.manner = body.manner_speeds = ()
        body.lag = body.lag_speed = 0.0


def manner_now(body: BodyMemory, manner: Manner) -> Manner:
    """A gait's manner with what is left of an earlier one."""
    if not body.manner:
        return manner
    return Manner(*[value + more for value, more in zip(_numbers(manner), body.manner, strict=True)])


def hold_back(
    geometry: FootGeometry, foot: FootMemory, known: Known, hip: Vector, reach: float, heading: float
) -> Known:
    """A foot in the air that hurries too far ahead waits where its leg is straight, and comes down on its place all the
    same: the body, which is still higher than its new gait has it, would have to duck for it.

    `known` and the answer are its ball and rotation in model space, where the hip is, `reach` its leg's in metres.
    """
    (ball, rotation), left = known, smoothstep((1.0 - foot.progress) / WAITS_UNTIL)
    away = geometry.tip(ball, rotation, foot.pitch) - hip
    far = hypot(away.x, away.y)
    excess = far - sqrt(max(reach * reach - away.z * away.z, 0.0))
    if left <= 0.0 or excess <= 0.0:
        return known
    x, y = (-part * left * excess / far for part in (away.x, away.y))
    c, s = cos(heading), sin(heading)
    foot.ball = (foot.ball[0] + c * x - s * y, foot.ball[1] + s * x + c * y, foot.ball[2])
    return ball + Vector((x, y, 0.0)), rotation


def draw_along(
    geometry: FootGeometry, foot: FootMemory, hip: Vector, known: Known, reach: float, heading: float
) -> None:
    """Keep a foot in the air within its leg's reach: what a quick body leaves behind is drawn along, up to the hip.

    Where it stands or is about to stand, the body gives way instead. Over an edge it is drawn straight up (or down): on
    its way to the hip it would go through the tread that it has just left. What is over its hip comes back level. Nor
    does it go into the slope that it left or comes to, but along it.
    """
    free = smoothstep(foot.progress / PULLED_FROM) * smoothstep((1.0 - foot.progress) / PULLED_UNTIL)
    softness = PULL_SOFTNESS * smoothstep(foot.progress / SOFT_FROM) * smoothstep((1.0 - foot.progress) / SOFT_UNTIL)
    way = geometry.tip(*known, foot.pitch) - hip
    far = way.length
    over = far - soft_distance(far, reach, softness)
    if over > 0.0 and free > 0.0:
        aside, wanted = way.x * way.x + way.y * way.y, (far - over) ** 2
        if foot.way.edge > 0.0 and way.z > 0.0 and way.z * way.z < wanted:
            level = sqrt((wanted - way.z * way.z) / aside) - 1.0
            drawn = Vector((way.x * level, way.y * level, 0.0))
        elif foot.way.edge > 0.0 and aside < wanted:
            drawn = Vector((0.0, 0.0, copysign(sqrt(wanted - aside), way.z) - way.z))
        else:
            drawn = way * (-over / far)
            slope = foot.hold if foot.target is None or foot.progress < 0.5 else foot.target
            normal = Quaternion(Z, -heading) @ Vector(slope.normal)
            drawn -= min(0.0, drawn.dot(normal)) * normal
        x, y, z = Quaternion(Z, heading) @ (drawn * free)
        foot.ball = (foot.ball[0] + x, foot.ball[1] + y, foot.ball[2] + z)


def caught_up(offset: float, wanted: float, advance: float) -> float:
    """A standing foot's landing phase after a tick in which the clock went on by `advance`: nearer to `wanted`."""
    left = _apart(offset, wanted)
    most = (LONGER if left > 0.0 else SHORTER) * advance
    return wanted if abs(left) <= most else (offset + (most if left > 0.0 else -most)) % 1.0


def _share_stood(foot: FootMemory) -> float:
    """How far through its stance a foot is."""
    return min(1.0, foot.phase / foot.timing[1])


def _left_in_air(foot: FootMemory, faster: float) -> float:
    """How much of a cycle a foot in the air has left on a clock that goes `faster`; 0 for one that stands."""
    return 0.0 if foot.planted else min((1.0 - foot.phase) * faster, MOST_LEFT)


def _apart(first: float, second: float) -> float:
    """The way from one phase to another, the short way around."""
    return (second - first + 0.5) % 1.0 - 0.5
