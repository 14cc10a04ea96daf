"""Gaits as data: when each leg lands in the cycle, how long it stands, how long the cycle lasts.

Footfall tables follow Hildebrand (1965, 1989) for two and four legs, Hildebrand (1977) for gaits whose pairs do not
alternate, and Wilson (1966) for insects; cycle lengths follow Alexander's law of dynamic similarity (relative stride
grows with Froude number to a power near 0.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from math import cos, pi, radians, sin, sqrt
from typing import Any, Literal

from ..motion.gait_curves import curves_from
from ..space.curves import share_of
from .manner import Manner, manner_from
from .performed import Performed, performed_from

GRAVITY = 9.81
# However fast it goes, no cycle is shorter than this share of the gait's fastest.
SHORTEST = 0.6
# The range of a gait whose stance share does not change with speed.
ANY_FROUDE = (0.0, 1.0)
# What presets say in degrees.
IN_DEGREES = ("lean", "heel_lift", "landing_pitch", "flex", "undulation", "nod", "flick")
Wave = Literal["PENDULUM", "SPRING"]
Side = Literal["", "LEFT", "RIGHT"]
# Legs of a pair that land further apart than this share of a cycle alternate: a body sinks twice a cycle over them.
ALTERNATE = 0.4
LONGEST_BEAT = 0.95
PACE, FASTEST_PACE = 2.0 / 3.0, 1.25
Waves = tuple[float, ...]
NO_WAVES: Waves = (0.0,) * 8


@dataclass(frozen=True, slots=True)
class Pattern:
    """One gait for one number of legs. Lengths are shares of the leg length, periods of the leg's pendulum period.

    `offsets` are the phases at which the legs land (front to back, left before right). `duty` is the stance share up to
    the first of two Froude numbers, `froude_range`, and `duty_fast` from the second on.
    `wave` says whether the body is highest over the standing leg (PENDULUM) or lowest (SPRING). `lead` is the side
    whose front leg lands last of all in a gait whose pairs do not alternate (canter, gallop). `back` are the offsets
    of going backward. `flex` is how far the spine bends and stretches in a cycle of such a gait, `undulation` how far
    each girdle turns after its legs, `nod` how far the neck moves down (radians, each to one side of its middle);
    `flick` how far a foot in the air is bent back, sole up.

    `beats` has, for each leg of a pair that lands nearly at once, when the pair lands and how long one of it stands.
    `waves` are the trunk's: see `trunk_waves`. `performed` is the performance that the gait was taken
    from, if it was.
    """

    name: str
    offsets: tuple[float, ...]
    duty: float
    cycle_fast: float
    cycle_slow: float
    stride_factor: float
    stride_exponent: float
    stride_scale: float
    wave: Wave
    bob: float
    lower: float
    sway: float
    lean: float
    step_height: float
    heel_lift: float
    landing_pitch: float
    manner: Manner
    duty_fast: float
    froude_range: tuple[float, float]
    stances: tuple[float, ...] = ()
    lead: Side = ""
    back: tuple[float, ...] = ()
    flex: float = 0.0
    undulation: float = 0.0
    nod: float = 0.0
    performed: Performed | None = None
    ahead: float = 0.5
    flick: float = 0.0
    beats: tuple[tuple[float, float] | None, ...] = field(init=False)
    waves: Waves = field(init=False)

    def __post_init__(self) -> None:
        springs = self.wave == "SPRING" and len(self.offsets) > 2
        beats = tuple(_beat(self.offsets, i, self.duty) if springs else None for i in range(len(self.offsets)))
        object.__setattr__(self, "beats", beats)
        object.__setattr__(self, "waves", trunk_waves(self) if len(self.offsets) == 4 else NO_WAVES)

    def stance(self, leg: int) -> float:
        """The share of a cycle that one leg stands."""
        return self.duty * self.part(leg)

    def part(self, leg: int) -> float:
        """How long one leg stands, as a share of the gait's stance: not 1 in a limp."""
        return self.stances[leg] if self.stances else 1.0

    def over(self, phase: float, sides: Sequence[float]) -> float:
        """How far a body is over its left legs (1) or its right ones (-1): the middle of their stances is when. `sides`
        has 1 for each left leg, -1 for each right one.
        """
        if len(self.offsets) == 2:
            return cos(2.0 * pi * (phase - self.offsets[0] - self.duty / 2.0))
        middles = (phase - offset - self.duty / 2.0 for offset in self.offsets)
        shares = (side * cos(2.0 * pi * middle) for side, middle in zip(sides, middles, strict=True))
        return sum(shares) / len(sides)

    def duty_at(self, froude_number: float) -> float:
        """The stance share at a Froude number: in the gait's range it falls evenly with speed (the number's root)."""
        slow, fast = self.froude_range
        return self.duty + (self.duty_fast - self.duty) * share_of(sqrt(froude_number), sqrt(slow), sqrt(fast))

    def with_duty(self, duty: float) -> Pattern:
        """The same gait at a speed at which it has this stance share."""
        return replace(self, duty=duty)

    def led_by(self, side: Side) -> Pattern:
        """The same gait with the legs of this side leading."""
        if not self.lead or side in ("", self.lead):
            return self
        swapped = tuple(self.offsets[i ^ 1] for i in range(len(self.offsets)))
        return replace(self, offsets=swapped, lead=side)

    def backward(self) -> Pattern:
        """The same gait going backward."""
        return replace(self, offsets=self.back) if self.back else self

    def cycle(self, speed: float, leg_length: float) -> float:
        """Seconds of a cycle at `speed` (m/s along the ground) by the gait's own rule, before any limit of reach.

        Alexander (1976, 1989): stride / leg = factor * Froude ** exponent, held between two multiples of the
        leg's pendulum period, and not so long that a foot drags further than `stride_scale` legs.
        """
        pendulum = 2.0 * pi * sqrt(leg_length / GRAVITY)
        slow = self.cycle_slow * pendulum
        if speed < 1e-6:
            return slow
        stride = self.stride_factor * leg_length * froude(speed, leg_length) ** self.stride_exponent
        fast = self.cycle_fast * pendulum
        period = min(max(stride / speed, fast), slow)
        dragged = self.stride_scale * leg_length / (self.duty * speed)
        return period if dragged > period else min(period, max(dragged, SHORTEST * self.cycle_fast * pendulum))


def trunk_waves(pattern: Pattern) -> Waves:
    """How the trunk of four legs moves with the clock, as cosine and sine parts: of the spine's flexion, of its bend to
    the left, of the neck's nod once a cycle and twice. Radians.

    The spine is most flexed (gathered) with the hind feet ahead and the front feet behind; each girdle turns with its
    legs. A neck goes down while its front legs carry: between landings of a pair that alternates, twice a cycle.
    """
    front_left, front_right, hind_left, hind_right = (
        _part(offset + 0.5 * (pattern.duty - 0.5)) for offset in pattern.offsets
    )
    flex = tuple(
        0.25 * pattern.flex * (h + i - f - g)
        for f, g, h, i in zip(front_left, front_right, hind_left, hind_right, strict=True)
    )
    bend = tuple(
        0.5 * pattern.undulation * (h - i - f + g)
        for f, g, h, i in zip(front_left, front_right, hind_left, hind_right, strict=True)
    )
    middle = 0.5 * pattern.duty + pattern.offsets[0]
    if pattern.beats[0] is None:
        once, twice = (0.0, 0.0), _part(2.0 * (middle - 0.25))
    else:
        start, length = pattern.beats[0]
        once, twice = _part(start + 0.5 * length), (0.0, 0.0)
    nods = (pattern.nod * part for part in (*once, *twice))
    return (*flex, *bend, *nods)


def _part(phase: float) -> tuple[float, float]:
    return cos(2.0 * pi * phase), sin(2.0 * pi * phase)


def _beat(offsets: tuple[float, ...], leg: int, duty: float) -> tuple[float, float] | None:
    """When a leg's pair lands (the first of it) and how long one of it or both stand; None where they alternate."""
    if leg ^ 1 >= len(offsets):
        return None
    left, right = offsets[leg & ~1], offsets[leg | 1]
    apart = (right - left + 0.5) % 1.0 - 0.5
    if abs(apart) > ALTERNATE:
        return None
    return (left if apart >= 0.0 else right), min(abs(apart) + duty, LONGEST_BEAT)


def froude(speed: float, leg_length: float) -> float:
    """Speed as animals of all sizes feel it: v**2 / (g * leg length)."""
    return speed * speed / (GRAVITY * leg_length)


def speed_at(froude_number: float, leg_length: float) -> float:
    """The speed (m/s) at which a leg of this length has this Froude number."""
    return sqrt(froude_number * GRAVITY * leg_length)


def pattern_from(table: dict[str, Any], legs: int, *, on_toes: bool = False) -> Pattern | None:
    """The gait in a preset table for this many legs, or None where the gait is not for them; `on_toes`: for a body none
    of whose legs stands on its whole sole.
    """
    row = table["legs"].get(str(legs))
    if row is None and legs > 4:
        row = table["legs"].get("more")
    if row is None:
        return None
    row = {**row, **row.get("on_toes", {})} if on_toes else row
    offsets = tuple(row["offsets"]) if "offsets" in row else _lagged(row, legs)
    if len(offsets) != legs:
        raise ValueError(f"Gait {table['name']}: {legs} legs need {legs} offsets, not {len(offsets)}.")
    # What a number of legs does in its own way stands in its row.
    said = {**table["timing"], **table["body"], **table["foot"], **row}
    values = {item.name: said[item.name] for item in fields(Pattern) if item.name in said}
    values |= {key: radians(said.get(key, 0.0)) for key in IN_DEGREES}
    values |= {"name": table["name"], "offsets": offsets, "back": tuple(row.get("back", ()))}
    performed = None
    if "curves" in table:
        curves = curves_from(table["curves"], f"{table['name']}: curves")
        performed = performed_from(curves, offsets, row.get("duties", [row["duty"]] * legs))
    return Pattern(
        **{"duty_fast": row["duty"], **values},
        stances=tuple(own / row["duty"] for own in row.get("duties", ())),
        froude_range=tuple(row.get("froude", ANY_FROUDE)),
        manner=manner_from(table.get("manner", {})),
        performed=performed,
    )


def _lagged(row: dict[str, Any], legs: int) -> tuple[float, ...]:
    """Offsets from a lag between neighbouring pairs (counted from the back) and one between the sides."""
    pairs = (legs + 1) // 2
    return tuple(((pairs - 1 - i // 2) * row["pair_lag"] + (i % 2) * row["side_lag"]) % 1.0 for i in range(legs))


@dataclass(frozen=True, slots=True)
class AutoGait:
    """Which gait an animal takes by its Froude number: ((gait, up to), ...), with a band of hysteresis around each."""

    steps: tuple[tuple[str, float], ...]
    hysteresis: float

    def pace(self, gait: str) -> float:
        """The Froude number at which a gait of the table looks natural: two thirds through its speeds, or, of the
        fastest one, a quarter over where it begins; 0 for one that is not in the table.
        """
        slowest = 0.0
        for name, limit in self.steps:
            if name == gait:
                fastest = sqrt(limit)
                root = slowest + PACE * (fastest - slowest) if name != self.steps[-1][0] else FASTEST_PACE * slowest
                return root * root
            slowest = sqrt(limit)
        return 0.0

    def choose(self, froude_number: float, current: str) -> str:
        """The gait for this Froude number; the current one stays while that is within the band around its limits."""
        wanted = self.steps[-1][0]
        for name, limit in self.steps:
            if froude_number < limit:
                wanted = name
                break
        if wanted == current:
            return wanted
        names = [name for name, _ in self.steps]
        if current not in names:
            return wanted
        i, j = names.index(current), names.index(wanted)
        limit = self.steps[i][1] if j > i else self.steps[i - 1][1]
        factor = 1.0 + self.hysteresis if j > i else 1.0 - self.hysteresis
        crossed = froude_number >= limit * factor if j > i else froude_number < limit * factor
        return wanted if crossed else current


def auto_gait_from(table: dict[str, Any], legs: int) -> AutoGait:
    """The table of a preset for this many legs (odd numbers take the row of the next even one)."""
    rows = table["legs"]
    row = rows.get(str(legs)) or rows.get(str(legs + 1)) or rows["more"]
    return AutoGait(tuple((name, float(limit)) for name, limit in row), float(table["hysteresis"]))
