"""A head held still in space between two thrusts a stride, as pigeons and many walking birds hold theirs.

The head stands while the body passes under it, then is thrust ahead once a step (Frost 1978; Troje and Frost 2000):
held from a landing on for about half of the step, as far as the neck lets the body pass.
"""

from __future__ import annotations

from math import cos, sin

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..space.curves import share_of, smootherstep
from ..space.dampers import damp
from .memory import BodyMemory, GaitMemory
from .neck import Neck, NeckReach
from .patterns import Pattern

# The share of a step for which a head is held where the neck is long enough; with less than the last two there is no
# bobbing any more: a body too fast for its neck carries its head along.
HELD = 0.55
FULL_FROM, NONE_UNDER = 0.3, 0.2
# A thrust begins and ends slowly: meanwhile the body passes on by this share of the held way at either end.
BEYOND = 0.13
# Seconds for a 0.9 m leg in which a head comes home when the steps end.
HOME_HALFLIFE = 0.12


class HeadMotion:
    """Where the head is, from tick to tick. Immutable: what changes is in the BodyMemory."""

    def __init__(self, reach: NeckReach, tempo: float) -> None:
        self.neck = reach
        self.room = (reach.ahead + reach.behind) / (1.0 + 2.0 * BEYOND)
        self.home = HOME_HALFLIFE * tempo

    def tick(self, memory: GaitMemory, travel: Travel, pattern: Pattern, dt: float) -> None:
        """Let the body pass under the head, or thrust the head ahead; `body.head` is how far ahead of rest it is."""
        body = memory.body
        (vx, vy, _), heading = travel.velocity, travel.place.heading
        ahead = vx * sin(heading) - vy * cos(heading)
        step = 0.5 * memory.cycle / memory.hurry
        way = ahead * step
        share = min(HELD, self.room / way) if way > 1e-9 else 0.0
        if not memory.stepping or share <= NONE_UNDER:
            body.head, body.thrust = damp(body.head, 0.0, self.home, dt), 0.0
            return
        part = (2.0 * (memory.phase - pattern.offsets[0])) % 1.0
        passed = ahead * dt
        if part < share:
            body.head, body.thrust = max(body.head - passed, -self.neck.behind), 0.0
            return
        done = smootherstep((part - share) / (1.0 - share))
        if body.thrust < done < 1.0:
            held = way * share * share_of(share, NONE_UNDER, FULL_FROM)
            spare = BEYOND * held
            lead = min(self.neck.ahead - spare, max(0.5 * held, held + spare - self.neck.behind))
            left = lead - body.head + ahead * ((1.0 - part) * step + dt)
            body.head += left * (done - body.thrust) / (1.0 - body.thrust)
        body.head, body.thrust = body.head - passed, done


def head_goal(neck: Neck, body: BodyMemory, centre: Vector, uncentre: Matrix, bob: float) -> Vector:
    """Where the head's joint goes, model space: `bob` 1 where it is held in space, at the height of a body that does
    not rise and sink; between 0 and 1 so much nearer to where the body would carry it."""
    still = neck.end + Vector((0.0, -body.head, -(body.lower + sum(body.drops) / len(body.drops))))
    move = Matrix.Translation(centre + Vector(body.offset)) @ Quaternion(body.rotation).to_matrix().to_4x4() @ uncentre
    return (move @ neck.end).lerp(still, bob)
