"""The manner of a gait above the legs: what pelvis, chest, head and arms of a body on two legs do with each step.

Defaults are those of an easy walk at Froude 0.25: pelvis yaw and list as Perry (1992) has them for healthy adults, arm
and elbow as Murray, Sepic and Barnard (1967) measured them. All angles are amplitudes, to either side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import radians, sqrt

# Speeds at which the amplitudes hold, and how far other speeds may change them.
REFERENCE_FROUDE = 0.25
LEAST_SHARE, MOST_SHARE = 0.35, 1.5
# The pelvis lists most when so much of a cycle has passed since the leg landed that carries it.
LIST_AT = 0.22

# What a preset may say, in degrees unless a comment says otherwise: name, default, lowest and highest value.
MANNER: dict[str, tuple[float, float, float]] = {
    "pelvis_yaw": (4.5, 0.0, 25.0),  # towards the leg that lands
    "pelvis_list": (3.0, -15.0, 15.0),  # the side of the leg in the air is lower
    "chest_yaw": (4.0, -30.0, 30.0),  # against the pelvis, seen from the ground
    "chest_list": (0.0, -20.0, 20.0),  # the shoulder over the standing leg is lower
    "lurch": (0.0, -30.0, 30.0),  # the chest leans over the first leg while it carries: what a limp does
    "chest_pitch": (0.0, -40.0, 60.0),  # how far the spine is bent forward all the time
    "head_pitch": (0.0, -60.0, 60.0),  # how far the head looks down all the time
    "arm_swing": (20.0, 0.0, 90.0),
    "arm_forward": (-3.0, -60.0, 90.0),  # the middle of the swing
    "arm_out": (8.0, -10.0, 80.0),
    "arm_across": (4.0, 0.0, 60.0),  # a hand that comes forward comes inwards
    "elbow": (16.0, 0.0, 150.0),
    "elbow_swing": (18.0, -60.0, 90.0),  # how much more it bends where the arm is forward
    "wrist": (6.0, 0.0, 40.0),  # the hand trails by so much
    "arm_lag": (0.03, 0.0, 0.25),  # in cycles, behind the leg of the other side
    "elbow_lag": (0.05, 0.0, 0.25),  # in cycles, behind the upper arm
    "steady": (0.0, 0.0, 1.0),  # 1: the same at every speed; 0: amplitudes grow with speed
}
_PLAIN = frozenset({"arm_lag", "elbow_lag", "steady"})


@dataclass(frozen=True, slots=True)
class Manner:
    """One gait's manner: the names of `MANNER`, in radians and cycles."""

    pelvis_yaw: float
    pelvis_list: float
    chest_yaw: float
    chest_list: float
    lurch: float
    chest_pitch: float
    head_pitch: float
    arm_swing: float
    arm_forward: float
    arm_out: float
    arm_across: float
    elbow: float
    elbow_swing: float
    wrist: float
    arm_lag: float
    elbow_lag: float
    steady: float

    def share(self, froude: float) -> float:
        """How much of the amplitudes a speed has: arms and hips swing wider the faster it goes."""
        share = min(MOST_SHARE, max(LEAST_SHARE, sqrt(froude / REFERENCE_FROUDE)))
        return share + (1.0 - share) * self.steady


def manner_from(table: Mapping[str, float]) -> Manner:
    """The manner that a preset's `[manner]` table describes, by default a walk's."""
    values = {}
    for item in fields(Manner):
        value = float(table.get(item.name, MANNER[item.name][0]))
        values[item.name] = value if item.name in _PLAIN else radians(value)
    return Manner(**values)
