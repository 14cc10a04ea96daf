"""Style: a few sliders that change any gait, and the small unevenness that makes one walker differ from the next.

A style is applied once to a gait's pattern and to the settings of its steps; nothing asks for it in a tick. Variation
is a fixed function of the seed and of how many strides were taken: a frame stays the same however it is reached.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import radians

from ..space.curves import smoothstep
from ..space.settings import setting
from .config import GaitConfig
from .patterns import Pattern
from .shape import BodyShape, LegShape, Point

# What a slider at 1 does; at -1 it does the opposite.
QUICKER, LIVELIER = 0.12, 0.35
SINKS, STANDS_LONGER = 0.035, 0.045
# In shares of the leg to each side; and what is left at least of how far out a foot stands.
WIDER, NARROWEST = 0.12, 0.1
BENDS = 0.05
UNEVEN = 0.14
# A body on two legs leans from its hips; one on more is tipped as a whole.
PITCHES, PITCHES_LEVEL = radians(14.0), radians(2.5)
LONGEST_STANCE = 0.9
# How much seeds change the beat, the arms, and each footprint (shares of the leg), at a variation of 1.
BEAT_OF_SEED, BEAT_OF_STRIDE, ARMS_OF_SEED, PRINT = 0.06, 0.012, 0.15, 0.012
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class StyleConfig:
    """How a character moves, whatever gait it is in. 0 is the gait as it ships."""

    energy: float = setting(
        0.0,
        "Quicker, shorter, livelier steps (1) or slow and listless ones (-1), at the same speed",
        low=-1.0,
        high=1.0,
    )
    weight: float = setting(0.0, "Heavy: the body sinks and feet stand longer (1), or light (-1)", low=-1.0, high=1.0)
    stance_width: float = setting(0.0, "Feet further apart (1) or closer to one line (-1)", low=-1.0, high=1.0)
    slouch: float = setting(0.0, "The trunk leans forward (1) or is held back (-1), at any speed", low=-1.0, high=1.0)
    softness: float = setting(
        0.0, "Knees stay bent in every step (1): 0 lets them come nearly straight", low=0.0, high=1.0
    )
    asymmetry: float = setting(
        0.0, "Left feet stand for a shorter time (1) or right feet (-1): it spares that side", low=-1.0, high=1.0
    )
    variation: float = setting(
        0.0,
        "How much one stride differs from the next, and this character from others: 0 is a machine, 1 a person, "
        "more is drunk",
        low=0.0,
        high=3.0,
    )
    seed: int = setting(0, "Which of all uneven ways to walk this character has", low=0, high=999999)


AS_SHIPPED = StyleConfig()


def styled(pattern: Pattern, style: StyleConfig, legs: int) -> Pattern:
    """The gait in this style, for a body with so many legs."""
    manner = pattern.manner
    swing = 1.0 + LIVELIER * style.energy
    arms = swing * max(0.0, 1.0 + ARMS_OF_SEED * style.variation * noise(style.seed, 0, 1))
    manner = replace(
        manner,
        pelvis_yaw=manner.pelvis_yaw * swing,
        pelvis_list=manner.pelvis_list * swing,
        chest_yaw=manner.chest_yaw * swing,
        arm_swing=manner.arm_swing * arms,
        elbow_swing=manner.elbow_swing * swing,
    )
    longer = STANDS_LONGER * style.weight
    quicker = 1.0 - QUICKER * style.energy
    quicker *= 1.0 + BEAT_OF_SEED * style.variation * noise(style.seed, 0, 0)
    return replace(
        pattern,
        manner=manner,
        duty=_held(pattern.duty + longer),
        duty_fast=_held(pattern.duty_fast + longer),
        stances=_uneven(pattern, style.asymmetry, legs),
        cycle_fast=pattern.cycle_fast * quicker,
        cycle_slow=pattern.cycle_slow * quicker,
        stride_factor=pattern.stride_factor * quicker,
        lower=max(0.0, pattern.lower + SINKS * style.weight),
        step_height=pattern.step_height * (1.0 + LIVELIER * style.energy),
        lean=pattern.lean + style.slouch * (PITCHES if legs == 2 else PITCHES_LEVEL),
    )


def widened(shape: BodyShape, style: StyleConfig) -> BodyShape:
    """The body with its feet as far apart as this style wants; none crosses the middle."""
    if style.stance_width == 0.0:
        return shape
    return replace(shape, legs=tuple(_moved_out(leg, WIDER * style.stance_width * shape.stature) for leg in shape.legs))


def _moved_out(leg: LegShape, way: float) -> LegShape:
    side = 1.0 if leg.side == "L" else -1.0
    out = side * leg.ball[0]
    way = side * (max(way, NARROWEST * out - out) if out > 0.0 else 0.0)

    def moved(place: Point) -> Point:
        return place[0] + way, place[1], place[2]

    return replace(leg, tip=moved(leg.tip), pivot=moved(leg.pivot), heel=moved(leg.heel), ball=moved(leg.ball))


def styled_steps(config: GaitConfig, style: StyleConfig) -> GaitConfig:
    """The settings of steps in this style: soft knees take steps that stretch the leg less."""
    extension = config.extension - BENDS * style.softness
    return replace(config, extension=extension)


def _held(duty: float) -> float:
    return min(LONGEST_STANCE, max(0.1, duty))


def _uneven(pattern: Pattern, asymmetry: float, legs: int) -> tuple[float, ...]:
    """Shares of the stance for each leg: left ones are the even ones."""
    if asymmetry == 0.0:
        return pattern.stances
    most = LONGEST_STANCE / pattern.duty
    return tuple(
        min(most, pattern.part(i) * (1.0 + UNEVEN * (asymmetry if i % 2 else -asymmetry))) for i in range(legs)
    )


def noise(seed: int, stride: int, what: int) -> float:
    """A number from -1 to 1 that is always the same for the same three (SplitMix64, Steele et al. 2014)."""
    state = (seed * 0x9E3779B97F4A7C15 + stride * 0xD1B54A32D192ED03 + what * 0x8CB92BA72F3D8DD7) & _MASK
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
    return ((state ^ (state >> 31)) >> 11) / (1 << 52) - 1.0


def beat(style: StyleConfig, stride: int, phase: float) -> float:
    """How much faster the clock goes than the gait says, at a phase of a stride: it drifts from one to the next."""
    if style.variation == 0.0:
        return 1.0
    now, then = noise(style.seed, stride, 2), noise(style.seed, stride + 1, 2)
    return 1.0 + BEAT_OF_STRIDE * style.variation * (now + (then - now) * smoothstep(phase))


def print_of(style: StyleConfig, step: int, leg: int) -> tuple[float, float]:
    """How far a footprint is from where it should be, across and along the travel, in shares of the leg."""
    if style.variation == 0.0:
        return 0.0, 0.0
    most = PRINT * style.variation
    return most * noise(style.seed, step, 3 + 2 * leg), most * noise(style.seed, step, 4 + 2 * leg)
