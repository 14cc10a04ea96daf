"""The numbers of an active ragdoll: what a hit takes, how it comes back, when it falls, and what drives it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians

from ..space.settings import setting
from .catch import CatchConfig
from .flinch import FlinchConfig

TALL = 1.75
"""The height of a body that the lengths here are meant for, metres; those of others are in proportion."""


@dataclass(frozen=True, slots=True)
class ActiveConfig:
    """How a body that physics has holds itself, loses its balance and falls. Lengths are for a body of 1.75 m."""

    hit_weakening: float = setting(
        0.12,
        "Strength that a joint loses for each m/s that its body is hit with. At 0 a hit leaves it firm, at 1 a tap "
        "makes it limp",
        unit="1/(m/s)",
        low=0.0,
        high=1.0,
    )
    neighbour_share: float = setting(
        0.5,
        "How much of that the next joint loses, the one after it as much of that again. At 0 only what is hit gives "
        "way, at 1 all of the body does",
        low=0.0,
        high=1.0,
    )
    least_strength: float = setting(
        0.15,
        "What hits leave of a joint's strength at least. At 0 the part that is hit hangs like a rag, at 1 hits weaken "
        "nothing",
        low=0.0,
        high=1.0,
    )
    balance_loss: float = setting(
        0.25,
        "Balance that is lost for each m/s of a hit on trunk or head. At 0 nothing fells it, at 2 anything does",
        unit="1/(m/s)",
        low=0.0,
        high=2.0,
    )
    limb_share: float = setting(
        0.5,
        "How much of that a hit on an upper arm or a thigh takes, one joint further out as much of that again. At 0 "
        "limbs can be hit without any harm, at 1 a slap on the hand throws it over",
        low=0.0,
        high=1.0,
    )
    legs_left: float = setting(
        0.0,
        "What is left of the strength of its legs when all balance is lost. At 0 its knees give way at once, at 1 it "
        "runs on from a blow along its way",
        low=0.0,
        high=1.0,
    )
    strength_recovery: float = setting(
        0.9,
        "Strength that comes back in a second. Very small values leave it weak for long, large ones make nothing of "
        "hits",
        unit="1/s",
        low=0.01,
        high=20.0,
    )
    balance_recovery: float = setting(
        0.8,
        "Balance that comes back in a second. Very small values let hits far apart add up, large ones never let any",
        unit="1/s",
        low=0.01,
        high=20.0,
    )
    winded_seconds: float = setting(
        0.35,
        "Seconds in which a body that a hit has left no balance gets none back. At 0 one that is hit hard along its "
        "way may run on, large values fell all that are hit so",
        unit="s",
        low=0.0,
        high=5.0,
    )
    fall_tilt: float = setting(
        radians(55.0),
        "It falls when its trunk leans so much further than its motion has it. Small values fall from a stumble, large "
        "ones stay stiff until it lies",
        unit="deg",
        low=radians(5.0),
        high=radians(170.0),
    )
    fall_drop: float = setting(
        0.35,
        "It falls when its pelvis is so much lower than its motion has it. Small values fall from a bent knee, large "
        "ones kneel on for ever",
        unit="m",
        low=0.02,
        high=3.0,
    )
    steady_tilt: float = setting(
        radians(10.0),
        "It is steady while its trunk leans by no more than this from its motion. Small values never get there, with "
        "large ones it is taken back while it still leans",
        unit="deg",
        low=radians(0.5),
        high=radians(90.0),
    )
    steady_away: float = setting(
        0.1,
        "It is steady while its pelvis is no further than this from its motion. Small values never get there, with "
        "large ones it shifts when it is taken back",
        unit="m",
        low=0.005,
        high=1.0,
    )
    steady_speed: float = setting(
        0.3,
        "It is steady while it moves no faster than this against its motion. Small values never get there, with large "
        "ones it is taken back in mid-sway",
        unit="m/s",
        low=0.01,
        high=10.0,
    )
    still_speed: float = setting(
        0.2,
        "A fallen body lies still below this speed. Small values wait for ever on what shakes, with large ones it gets "
        "up while it still slides",
        unit="m/s",
        low=0.005,
        high=5.0,
    )
    calm_seconds: float = setting(
        0.5,
        "For so long it has to be steady, or to lie still. At 0 it is taken back, or gets up, in mid-motion; long ones "
        "look like a pause",
        unit="s",
        low=0.0,
        high=20.0,
    )
    least_fallen: float = setting(
        1.0,
        "No fall is over sooner than this. At 0 what is let go of while it stands still counts as lying before it tips "
        "over, long ones keep it down",
        unit="s",
        low=0.0,
        high=20.0,
    )
    get_up_delay: float = setting(
        1.0,
        "How long it lies there after that. At 0 it bounces up, long ones look hurt",
        unit="s",
        low=0.0,
        high=600.0,
    )
    fade_seconds: float = setting(
        0.3,
        "In so many seconds a body that falls goes limp. At 0 it drops like a cut puppet, long ones fall stiff as a "
        "board",
        unit="s",
        low=0.0,
        high=3.0,
    )
    limp_strength: float = setting(
        0.0,
        "What is left of the strength of a body that lies. At 0 it is a rag, from about 0.2 on it moves as it lies",
        low=0.0,
        high=1.0,
    )
    arms_strength: float = setting(
        0.25,
        "What is left of the strength of its arms as it falls, so that they go ahead of it. At 0 they trail behind, at "
        "1 it lands on stiff arms",
        low=0.0,
        high=1.0,
    )
    arms_seconds: float = setting(
        0.45,
        "In so many seconds that is gone too. At 0 arms go limp with the rest, long ones keep arms up while it lies",
        unit="s",
        low=0.0,
        high=10.0,
    )
    floors_at: float = setting(
        1.0,
        "While it gets up, a hit of this speed floors it again. At 0 a touch does, large ones rise through blows",
        unit="m/s",
        low=0.0,
        high=50.0,
    )
    joint_torque: float = setting(
        40.0,
        "Torque of a joint at full strength for each kilogram of the heavier of its two bodies. Small values sag, very "
        "large ones throw the body about",
        unit="N*m/kg",
        low=0.0,
        high=1000.0,
    )
    joint_gain: float = setting(
        60.0,
        "How fast a joint turns to where its motion has it, a second's share of what it is off. Small values trail "
        "behind, more than the rate of the steps swings over",
        unit="1/s",
        low=1.0,
        high=120.0,
    )
    assist_gain: float = setting(
        40.0,
        "How fast the held bodies are brought to where the motion has them. Small values let them drift, more than the "
        "rate of the steps swings over",
        unit="1/s",
        low=1.0,
        high=120.0,
    )
    assist_force: float = setting(
        60.0,
        "Force that holds a body up in full balance, for each of its kilograms. Below 10 it does not carry its weight, "
        "very large ones make it a puppet on a string",
        unit="N/kg",
        low=0.0,
        high=1000.0,
    )
    assist_torque: float = setting(
        26.7,
        "Torque that holds its trunk upright in full balance, for each of its kilograms. Small values let it tip over "
        "at the first step, very large ones hold it like a vice",
        unit="N*m/kg",
        low=0.0,
        high=1000.0,
    )
    sideways_share: float = setting(
        0.5,
        "From a hit until its balance is back, the force that holds it pushes sideways by no more than this share of "
        "its weight. At 0 its legs alone catch it, large ones stop a shove in the air",
        low=0.0,
        high=10.0,
    )
    hit_thigh: float = setting(
        0.6,
        "How much of the speed of a hit on the trunk a thigh gets. At 0 it is bent over its hips, at 1 it is moved as "
        "one block",
        low=0.0,
        high=1.0,
    )
    hit_shin: float = setting(
        0.25,
        "How much of it a shin gets. At 0 its legs stay behind, at 1 its feet are pulled away below it",
        low=0.0,
        high=1.0,
    )

    def sized(self, height: float) -> float:
        """How many times as tall a body is as the one that the lengths are meant for."""
        return height / TALL


@dataclass(frozen=True, slots=True)
class RagdollConfig:
    """All numbers of a body that is hit, by what they are of."""

    active: ActiveConfig = field(default_factory=ActiveConfig)
    catching: CatchConfig = field(default_factory=CatchConfig)
    flinch: FlinchConfig = field(default_factory=FlinchConfig)
