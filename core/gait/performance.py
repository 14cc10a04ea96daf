"""A gait preset from a performance: the numbers that any gait has, drawn from its curves, and the curves themselves.

The numbers serve wherever the curves say nothing: other speeds, strides up stairs, a gait that is changed to.
"""

from __future__ import annotations

from cmath import phase as phase_of
from cmath import rect
from math import degrees, pi, sqrt, tau
from typing import Any

from ..motion.gait_curves import ArmCurves, Curve, GaitCurves, curves_table
from .manner import LEAST_SHARE, LIST_AT, MANNER, MOST_SHARE, REFERENCE_FROUDE
from .patterns import GRAVITY, froude
from .performed import played_timing

# Alexander's exponent, as in the gaits that ship; the factor is what makes the performance's own stride of it.
STRIDE_EXPONENT = 0.3
# The cycle may get this much shorter and longer than the performer's.
QUICKER, SLOWER = 0.6, 1.6
DRAG_ROOM = 1.25
# The lowest point of the body in a stance's middle or at its ends: a pendulum is highest over the standing leg.
LENGTHS = {"bob": (0.0, 0.3), "lower": (0.0, 0.4), "sway": (0.0, 0.3), "step_height": (0.01, 1.0)}
ANGLES = {"lean": (-45.0, 45.0), "heel_lift": (0.0, 80.0), "landing_pitch": (0.0, 45.0)}


def gait_table(curves: GaitCurves, name: str, title: str, about: str, version: int) -> dict[str, Any]:
    """The preset as plain values. `name` is what settings call it, `title` what people read."""
    leg_length = curves.leg_length
    pendulum = 2.0 * pi * sqrt(leg_length / GRAVITY)
    speed = curves.speed * leg_length
    cycle = curves.period / pendulum
    stride = curves.speed * curves.period
    offsets, duties = played_timing(curves)
    duty = sum(duties) / len(duties)
    lean = degrees(sum(curves.chest_lean) / len(curves.chest_lean))
    lifts = max(max(foot.lift) for foot in curves.feet)
    return {
        "version": version,
        "name": name,
        "title": title,
        "about": about,
        "timing": {
            "cycle_fast": _held(QUICKER * cycle, 0.05, 2.0),
            "cycle_slow": _held(SLOWER * cycle, 0.1, 5.0),
            "stride_factor": _held(stride / froude(speed, leg_length) ** STRIDE_EXPONENT, 0.2, 6.0),
            "stride_exponent": STRIDE_EXPONENT,
            "stride_scale": _held(DRAG_ROOM * duty * stride, 0.1, 3.0),
        },
        "legs": {
            str(len(curves.feet)): {
                "duty": _held(duty, 0.1, 0.95),
                "duties": [_held(own, 0.1, 0.95) for own in duties],
                "offsets": [round(offset, 5) for offset in offsets],
            }
        },
        "body": {
            "wave": "PENDULUM" if _highest_in_stance(curves) else "SPRING",
            "bob": _held((max(curves.bob) - min(curves.bob)), *LENGTHS["bob"]),
            "lower": _held(curves.rest_height - curves.hip_height, *LENGTHS["lower"]),
            "sway": _held(0.5 * (max(curves.sway) - min(curves.sway)), *LENGTHS["sway"]),
            "lean": _held(lean, *ANGLES["lean"]),
        },
        "foot": {
            "step_height": _held(lifts, *LENGTHS["step_height"]),
            "heel_lift": _held(degrees(max(max(foot.pitch) for foot in curves.feet)), *ANGLES["heel_lift"]),
            "landing_pitch": _held(
                degrees(max(-foot.pitch[_landing(foot.offset)] for foot in curves.feet)), *ANGLES["landing_pitch"]
            ),
        },
        **({"manner": _manner(curves, curves.arms)} if curves.arms is not None else {}),
        "curves": curves_table(curves),
    }


def _manner(curves: GaitCurves, arms: tuple[ArmCurves, ArmCurves]) -> dict[str, float]:
    """What pelvis, chest and arms do, as the wave that is nearest to each curve."""
    speed = curves.speed * curves.leg_length
    share = min(MOST_SHARE, max(LEAST_SHARE, sqrt(froude(speed, curves.leg_length) / REFERENCE_FROUDE)))
    # The left arm is behind where the left leg lands, the right one half a stride later.
    waves = [_wave(arm.swing) * sign for arm, sign in zip(arms, (-1.0, 1.0), strict=True)]
    swing = sum(waves) / 2.0
    elbows = [arm.elbow for arm in arms]
    bent = sum(max(curve) - min(curve) for curve in elbows) / 2.0
    said = {
        "pelvis_yaw": -_wave(curves.yaw).real / share,
        "pelvis_list": -(_wave(curves.list) * rect(1.0, tau * LIST_AT)).real / share,
        "chest_yaw": _wave(curves.chest_yaw).real / share,
        "arm_swing": abs(swing) / share,
        "arm_forward": _mean(arms[0].swing + arms[1].swing),
        "arm_out": _mean(arms[0].out + arms[1].out),
        "elbow": sum(map(min, elbows)) / 2.0,
        "elbow_swing": bent / share,
    }
    lag = (-phase_of(swing) / tau) % 1.0
    held = {key: _held(degrees(value), *MANNER[key][1:]) for key, value in said.items()}
    return {**held, "arm_lag": _held(lag if lag < 0.5 else 0.0, *MANNER["arm_lag"][1:])}


def _wave(curve: Curve) -> complex:
    """The wave of one cycle that is nearest to a curve: value = real part of wave * e^(i tau phase)."""
    count = len(curve)
    return sum(value * rect(2.0 / count, -tau * k / count) for k, value in enumerate(curve))


def _mean(curve: Curve) -> float:
    return sum(curve) / len(curve)


def _landing(offset: float, samples: int = 32) -> int:
    return round(offset * samples) % samples


def _highest_in_stance(curves: GaitCurves) -> bool:
    """Whether the body is higher in the middle of the stances than at their ends."""
    count = len(curves.bob)
    middles = [curves.bob[round((foot.offset + 0.5 * foot.duty) * count) % count] for foot in curves.feet]
    ends = [curves.bob[_landing(foot.offset, count)] for foot in curves.feet]
    return sum(middles) > sum(ends)


def _held(value: float, low: float, high: float) -> float:
    return round(min(max(value, low), high), 5)
