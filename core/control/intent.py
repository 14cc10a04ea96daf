"""What a director is told and what it answers: Inputs in, Intent out, Travel after the body has moved."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple

from ..world.world import Anchor
from .fall_row import Blow, FallRow
from .fields import ForceField
from .source_pose import SourcePose

DirectorName = Literal["AHEAD", "PATH", "TARGET", "MOVER", "ROUTE", "INPUT", "AGENT", "AUTOPILOT"]
Activity = Literal["NONE", "EAT", "DRINK", "SNIFF", "REST", "ATTACK", "ALERT", "FLEE"]
AgentMoves = Literal["VELOCITY", "PLACE", "CARRIED"]


class Place(NamedTuple):
    """A spot with a heading, world space: plain floats, since they add up. Heading 0 faces -Y, +90 degrees faces +X."""

    x: float
    y: float
    z: float
    heading: float


class Spot(NamedTuple):
    """A place with a rotation (w, x, y, z), world space, plain floats: where something is that a layer aims at."""

    x: float
    y: float
    z: float
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


class LayerInput(NamedTuple):
    """What the scene says to one layer at a frame.

    `weight` from 0 to 1: how much of its change is made. `on` is False while something suspends it: it lets go in its
    own time. `spot` is what it aims at (None: nothing). `progress` is where a clip is posed that goes by progress.
    """

    weight: float = 1.0
    on: bool = True
    spot: Spot | None = None
    progress: float = 0.0


class Pad(NamedTuple):
    """What is asked for by hand, or was and is keyed: a direction in the plan (world; its length, up to 1, is a share
    of the speed), and what is pressed.
    """

    x: float = 0.0
    y: float = 0.0
    jump: bool = False
    crouch: bool = False
    sprint: bool = False
    go_up: bool = False


NO_PAD = Pad()


class RouteSpot(NamedTuple):
    """A spot of a route: where it is; whether the body turns there as the place is turned; how fast it goes there
    (metres a second, 0: at its speed), and how long it waits, seconds.
    """

    place: Place
    turns: bool = False
    pace: float = 0.0
    wait: float = 0.0


class AgentWish(NamedTuple):
    """What another program wants of a body: world space, metres and seconds.

    `moves` is what it goes by: a `velocity` on the ground plan, the `place` that it walks to, or the `place` that it is
    CARRIED along with. Where it `turns` it faces as the place is turned, else where it goes. `activity` is what it does
    where it stands; `look` is what it looks at and `flee_from` what it runs from, None for nothing. One that is not
    `enabled` stands and does nothing.
    """

    enabled: bool = True
    moves: AgentMoves = "VELOCITY"
    velocity: tuple[float, float] = (0.0, 0.0)
    place: Place | None = None
    turns: bool = False
    activity: Activity = "NONE"
    look: Spot | None = None
    flee_from: Place | None = None


@dataclass(frozen=True, slots=True)
class PathLine:
    """A curve as the director follows it: points (metres, world), their arc lengths, and whether it closes.

    Arc lengths are horizontal, and a closed curve ends with its first point: build it with `path.path_line`. `space`
    are all its points, those too that stand over one another, for a body that climbs.
    """

    points: tuple[tuple[float, float, float], ...]
    lengths: tuple[float, ...]
    closed: bool
    space: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the scene says this tick. Interpolated by the caller between two whole frames; plain numbers only.

    `speed` is metres a second along the ground. `path`, `target`, `mover` are None where the director has none.
    `moved_to` is set in the tick in which a script teleports the character. `progress` is where a clip is posed that
    is the base motion and goes by progress, from 0 to 1. `layers` has one entry a layer, in order.
    `pad` is what is asked for by hand. `gait` is the gait of this moment where that changes with time, empty where the
    settings say it for the whole run.
    `route` are the spots to walk to, one after the other, and `loops` says that it begins again. `goal` is where the
    body is sent to now, whatever directs it otherwise; None where it is not.
    `source` is the rig that is followed as the base motion, None where none is, or it is not there.
    `agent` is what another program wants of the body, None where none directs it.
    `added` is what else moves a body with a shape (world, m/s), and `fields` the force fields that do.
    `fall` is what physics made of the body at this frame, None where it has nothing of it; `hits` are those that come
    at this tick and that it has not.
    """

    speed: float = 0.0
    path: PathLine | None = None
    target: Place | None = None
    mover: Place | None = None
    moved_to: Place | None = None
    progress: float = 0.0
    layers: tuple[LayerInput, ...] = ()
    gait: str = ""
    source: SourcePose | None = None
    pad: Pad = NO_PAD
    route: tuple[RouteSpot, ...] = ()
    loops: bool = False
    goal: RouteSpot | None = None
    agent: AgentWish | None = None
    added: tuple[float, float, float] = (0.0, 0.0, 0.0)
    fields: tuple[ForceField, ...] = ()
    fall: FallRow | None = None
    hits: tuple[Blow, ...] = ()


class Intent(NamedTuple):
    """What the director wants this tick: a velocity on the ground plan (world), a facing to turn to.

    The velocity's length is the speed along the ground, metres a second. `carried` is a place that the body must take
    (x, y and heading as they are; its height comes from the ground near it); None lets the body move itself.
    `jumped` says that feet are to be placed anew; `event` is told along, if it names one. `reason` says why the body
    stands, where it could not do as asked. `rides` says that moving ground takes the carried place along. `jump` and
    `crouch` are for a body with a shape: a point does neither. `turn_rate` is how fast it may turn to its facing
    (radians a second, 0: as its settings say), and `at_once` says that the velocity is to be had in this tick. `aim` is
    the velocity that a jump is to take off with, None: as it goes. `go_up` is the press that vaults, climbs or jumps,
    as the level has it; `go_up_held` while it lasts; `sprint` while it runs. `wish` is the direction that is asked for
    before anything is turned to it (world, plan, up to 1 long), where the velocity only comes round to it; None where
    the velocity says it.
    """

    velocity: tuple[float, float]
    facing: float
    carried: Place | None = None
    jumped: bool = False
    reason: str = ""
    event: str = ""
    rides: bool = False
    jump: bool = False
    crouch: bool = False
    turn_rate: float = 0.0
    at_once: bool = False
    go_up: bool = False
    go_up_held: bool = False
    sprint: bool = False
    aim: tuple[float, float] | None = None
    wish: tuple[float, float] | None = None


@dataclass(slots=True)
class Travel:
    """The body in the world: place, velocity relative to the ground and along it (world), turn rate (radians a second).

    `slope` is the ground's rise per metre along the facing, `cross_slope` per metre to the left (+X at heading 0).
    `ground` is True while the ground under the body is known; `support` is the spot below the body in that ground's
    own frame and `support_at` where it last was, so that the body rides what moves.
    Of a body with a shape: `aloft` while it flies, falls or slides; `lower` is how much lower than upright it is,
    metres, and `impact` the speed that it came down with, in the tick in which it landed. `lands_in` is when it will
    land as far as it can be foreseen (seconds, inf: never), `held` for how long a heavy landing still holds it.
    """

    place: Place
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn_rate: float = 0.0
    slope: float = 0.0
    cross_slope: float = 0.0
    ground: bool = True
    jumped: bool = False
    support: Anchor | None = None
    support_at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    aloft: bool = False
    lower: float = 0.0
    impact: float = 0.0
    lands_in: float = inf
    held: float = 0.0
