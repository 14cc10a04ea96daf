"""What a gait remembers between ticks: plain numbers and tuples, copied in a few microseconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..space.copying import copier
from ..space.inertialization import Carry
from ..space.vectors import quadruple
from .foot import Foothold, rotation_at
from .patterns import Side, Waves
from .way import Way


class Flight(NamedTuple):
    """A body in the air, and how it came out of it.

    `elapsed` are seconds since it left the ground, or since it landed. `jump` is the speed up that it left with (0: it
    walked off an edge), `lead` the leg that is ahead. `share` is how much of a flight it is: short drops are none,
    `near` how close the landing is, `ahead` how fast it goes the way that it faces as a share of a run, `hard` how hard
    it came down (each 0 to 1).
    """

    elapsed: float = 0.0
    jump: float = 0.0
    lead: int = 0
    share: float = 0.0
    near: float = 0.0
    ahead: float = 0.0
    hard: float = 0.0


@dataclass(slots=True)
class FootMemory:
    """One foot. `hold` is where it stands, or where it left from while it swings; `target` where it will stand.

    ball, rotation, pitch, toe_pitch: the foot as it is now (world; wxyz; radians, heel up positive). `timing` is the
    landing phase and stance share that this foot steps to, which change only while it stands. `lift_rate` is how fast
    it pitches (radians a second), and in the air how fast it did when it left (radians a swing). `elapsed` is the time
    since it landed or left, `need` how far its leg asked the hip to sink, `meets` where the body will be when it lands.
    `limited` says that reach cuts the stride short which began when it last left, until it leaves again, `stretched`
    that this stance makes up for a change of gait. `flick` is how far it is bent back in this swing.
    `carry` is how far a foot in the air still is from its present way because its aim was changed at `carry_from`; of
    a body in the air `carry_speed` is how fast that changes.
    """

    hold: Foothold
    target: Foothold | None
    planted: bool
    timing: tuple[float, float]
    phase: float
    lift_phase: float
    lift_pitch: float
    lift_rate: float
    progress: float
    way: Way
    aimed_at: tuple[float, float]
    measured_at: tuple[float, float, float]
    ball: tuple[float, float, float]
    rotation: tuple[float, float, float, float]
    pitch: float
    toe_pitch: float
    extension: float = 0.0
    frozen: bool = False
    limited: bool = False
    flick: float = 0.0
    steps: int = 0
    stretched: bool = False
    elapsed: float = 0.0
    need: float = 0.0
    carry: tuple[float, float, float] = (0.0, 0.0, 0.0)
    carry_from: float = 0.0
    meets: tuple[float, float, float] = (0.0, 0.0, 0.0)
    carry_speed: tuple[float, ...] = ()


def planted_foot(hold: Foothold, timing: tuple[float, float], phase: float) -> FootMemory:
    """A foot that stands flat on a foothold, at this phase of its own stride."""
    place = (hold.x, hold.y, hold.z)
    return FootMemory(
        hold=hold,
        target=None,
        planted=True,
        timing=timing,
        phase=phase,
        lift_phase=0.0,
        lift_pitch=0.0,
        lift_rate=0.0,
        progress=0.0,
        way=Way(0.0),
        aimed_at=place[:2],
        measured_at=place,
        ball=place,
        rotation=quadruple(rotation_at(hold.heading, hold.normal)),
        pitch=0.0,
        toe_pitch=0.0,
    )


@dataclass(slots=True)
class BodyMemory:
    """The body over its feet, in model space: sink of each girdle, springs of lean and tilt, and the pose of this tick.

    `offset` and `rotation` (wxyz) move the rest pose about the middle of the hips. Of four legs only: `waves` are the
    trunk's as in `patterns.trunk_waves`, damped; `bent` is how it is bent in this tick (curve, flex, bend, nod, see
    `trunk`), `weight` how far the body stands over the feet that carry it, x and y, and the speeds of that, `chest` how
    much lower than its rear it carries its front. `stride` is how much of a performance's curves its strides have.
    `least_heave` is how far a surface that the body clings to sticks out towards it.
    `head` is how far ahead of rest a head is that is held in space (metres), `thrust` how much of its way on is done.

    `squat` is how far its legs give way for a crouch, a jump or a landing, metres, with its speed. `bearing` is how the
    rest of it bears itself then (see there), values and speeds; empty: as the gait has it.

    After a change of gait `carry` has what is left of the old one's waves of the body, `lag` of its clock and `manner`
    of its manner (empty: nothing). `time` is the idle's, seconds, and `calm` how much of it there is.
    """

    drops: tuple[float, ...] = ()
    drop_speeds: tuple[float, ...] = ()
    heave: float = 0.0
    heave_speed: float = 0.0
    pitch: float = 0.0
    pitch_speed: float = 0.0
    roll: float = 0.0
    roll_speed: float = 0.0
    lean: float = 0.0
    lean_speed: float = 0.0
    bank: float = 0.0
    bank_speed: float = 0.0
    lower: float = 0.0
    chest: float = 0.0
    bob: float = 0.0
    effort: float = 0.0
    least_heave: float = 0.0
    twist: float = 0.0
    waves: Waves = ()
    bent: tuple[float, ...] = ()
    weight: tuple[float, ...] = ()
    stride: float = 1.0
    head: float = 0.0
    thrust: float = 0.0
    carry: Carry | None = None
    lag: float = 0.0
    lag_speed: float = 0.0
    manner: tuple[float, ...] = ()
    manner_speeds: tuple[float, ...] = ()
    time: float = 0.0
    calm: float = 0.0
    calm_speed: float = 0.0
    squat: float = 0.0
    squat_speed: float = 0.0
    bearing: tuple[float, ...] = ()
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class GaitMemory:
    """One clock for all feet, the feet, the body. `speed` is the smoothed speed that the stride is planned for, `push`
    the smoothed acceleration along the facing (m/s2), `rough` how far footholds are off the plane of the travel (m),
    `lead` the side that leads a canter or gallop, `back` whether it goes backward,
    `hanging` how lately (1 now, 0 long ago) a foot had to stand with its ball over an edge,
    `rest` for how long (s) the body does not walk, `aloft` whether it is in the air; `flight` is what is known of that,
    until it has come up again from its landing.
    """

    gait: str
    phase: float
    cycle: float
    speed: float
    push: float
    hurry: float
    stepping: bool
    strides: int = 0
    rough: float = 0.0
    hanging: float = 0.0
    lead: Side = ""
    back: bool = False
    rest: float = 0.0
    aloft: bool = False
    flight: Flight | None = None
    feet: list[FootMemory] = field(default_factory=list)
    body: BodyMemory = field(default_factory=BodyMemory)
    events: tuple[tuple[str, str], ...] = ()

    def copy(self) -> GaitMemory:
        """An independent copy (everything below feet and body is immutable)."""
        other = _copied_gait(self)
        other.feet = [_copied_foot(foot) for foot in self.feet]
        other.body = _copied_body(self.body)
        return other


_copied_foot, _copied_body, _copied_gait = copier(FootMemory), copier(BodyMemory), copier(GaitMemory)
