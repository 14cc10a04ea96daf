"""A gait as curves over one stride, taken from a performance: what a preset's `[curves]` table holds.

All curves have the same number of samples, evenly over one clock that starts when the reference foot (the left one, of
several pairs the hindmost) lands. Lengths are shares of the leg length, angles radians (degrees in the preset).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, floor, radians
from typing import Any

SAMPLES = 32
Curve = tuple[float, ...]

BODY_LENGTHS = ("bob", "sway", "surge")
BODY_ANGLES = ("pitch", "list", "yaw")
FOOT_LENGTHS = ("lift", "forward", "side")
CHEST_ANGLES = ("chest_yaw", "chest_lean")
LARGEST_SHARE, LARGEST_ANGLE = 8.0, 180.0


@dataclass(frozen=True)
class FootCurves:
    """One foot. `offset` is the phase at which it lands, `duty` the share of the stride that it stands.

    lift, forward, side: the ball's place from its rest pose under the hips: up from where it stands, along the travel
    and to the left of it, seen from a point that goes at the stride's even speed: standing, `forward` falls evenly.
    Of a foot with its toes up it is the place that its ball has when it lies down about its heel. pitch: heel up, from
    how the foot lies when it is flat.
    """

    offset: float
    duty: float
    lift: Curve
    forward: Curve
    side: Curve
    pitch: Curve


@dataclass(frozen=True)
class ArmCurves:
    """One arm: the upper arm forward of hanging and out to its side, and the elbow's bend."""

    swing: Curve
    out: Curve
    elbow: Curve


@dataclass(frozen=True)
class GaitCurves:
    """A performer's gait. `feet` are in the order of the rig's legs: front to back, left before right.

    speed: leg lengths a second. period: seconds, at `leg_length` metres. hip_height: the mean height of the hips over
    the floor. bob, sway, surge: of the middle of the hips about its mean, about the travel's line, about its even
    speed. pitch (forward), list (left side down), yaw (to the left): the pelvis's turn from rest against the travel.
    chest_yaw and chest_lean are the chest's, the same way. `arms` are left and right, None where there are none.
    """

    period: float
    speed: float
    leg_length: float
    hip_height: float
    rest_height: float
    feet: tuple[FootCurves, ...]
    bob: Curve
    sway: Curve
    surge: Curve
    pitch: Curve
    list: Curve
    yaw: Curve
    chest_yaw: Curve
    chest_lean: Curve
    arms: tuple[ArmCurves, ArmCurves] | None


def at_phase(curve: Curve, phase: float) -> float:
    """A curve's value at a phase of its clock, by a spline through the samples (Catmull-Rom, closed)."""
    count = len(curve)
    x = (phase % 1.0) * count
    k = floor(x)
    t = x - k
    a, b, c, d = curve[(k - 1) % count], curve[k % count], curve[(k + 1) % count], curve[(k + 2) % count]
    return b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))


def curves_table(curves: GaitCurves) -> dict[str, Any]:
    """The curves as plain values for a preset."""
    table: dict[str, Any] = {
        "period": round(curves.period, 5),
        "speed": round(curves.speed, 5),
        "leg_length": round(curves.leg_length, 5),
        "hip_height": round(curves.hip_height, 5),
        "rest_height": round(curves.rest_height, 5),
        "body": {
            **{key: _lengths(getattr(curves, key)) for key in BODY_LENGTHS},
            **{key: _degrees(getattr(curves, key)) for key in (*BODY_ANGLES, *CHEST_ANGLES)},
        },
        "feet": [
            {
                "offset": round(foot.offset, 5),
                "duty": round(foot.duty, 5),
                **{key: _lengths(getattr(foot, key)) for key in FOOT_LENGTHS},
                "pitch": _degrees(foot.pitch),
            }
            for foot in curves.feet
        ],
    }
    if curves.arms is not None:
        table["arms"] = [{key: _degrees(getattr(arm, key)) for key in ("swing", "out", "elbow")} for arm in curves.arms]
    return table


def curves_from(table: Mapping[str, Any], place: str) -> GaitCurves:
    """The curves of a preset; a ValueError that begins with `place` where anything is missing or out of range."""
    feet = _tables(table, "feet", place)
    if not feet:
        raise ValueError(f"{place}.feet needs one table for each leg.")
    body = table.get("body")
    if not isinstance(body, Mapping):
        raise ValueError(f"{place}.body must be a table.")
    arms = _tables(table, "arms", place) if "arms" in table else None
    if arms is not None and len(arms) != 2:
        raise ValueError(f"{place}.arms needs two tables, left and right.")
    made = None if arms is None else [_arm(arm, f"{place}.arms[{k}]") for k, arm in enumerate(arms)]
    return GaitCurves(
        period=_number(table, "period", 0.05, 10.0, place),
        speed=_number(table, "speed", 0.01, 50.0, place),
        leg_length=_number(table, "leg_length", 0.001, 100.0, place),
        hip_height=_number(table, "hip_height", 0.05, 2.0, place),
        rest_height=_number(table, "rest_height", 0.05, 2.0, place),
        feet=tuple(_foot(foot, f"{place}.feet[{k}]") for k, foot in enumerate(feet)),
        arms=None if made is None else (made[0], made[1]),
        **{key: _curve(body, key, LARGEST_SHARE, f"{place}.body") for key in BODY_LENGTHS},
        **{key: _angles(body, key, f"{place}.body") for key in (*BODY_ANGLES, *CHEST_ANGLES)},
    )


def _foot(table: Mapping[str, Any], place: str) -> FootCurves:
    return FootCurves(
        offset=_number(table, "offset", 0.0, 1.0, place),
        duty=_number(table, "duty", 0.05, 1.0, place),
        **{key: _curve(table, key, LARGEST_SHARE, place) for key in FOOT_LENGTHS},
        pitch=_angles(table, "pitch", place),
    )


def _arm(table: Mapping[str, Any], place: str) -> ArmCurves:
    return ArmCurves(*(_angles(table, key, place) for key in ("swing", "out", "elbow")))


def _tables(table: Mapping[str, Any], key: str, place: str) -> list[Mapping[str, Any]]:
    rows = table.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError(f"{place}.{key} must be a list of tables.")
    return rows


def _number(table: Mapping[str, Any], key: str, low: float, high: float, place: str) -> float:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{place}.{key} is {value!r}; it must be a number from {low} to {high}.")
    return float(value)


def _curve(table: Mapping[str, Any], key: str, most: float, place: str) -> Curve:
    values = table.get(key)
    if not isinstance(values, list) or len(values) != SAMPLES:
        raise ValueError(f"{place}.{key} must be a list of {SAMPLES} numbers.")
    return tuple(_number({key: value}, key, -most, most, place) for value in values)


def _angles(table: Mapping[str, Any], key: str, place: str) -> Curve:
    return tuple(radians(value) for value in _curve(table, key, LARGEST_ANGLE, place))


def _lengths(curve: Curve) -> list[float]:
    return [round(value, 5) for value in curve]


def _degrees(curve: Curve) -> list[float]:
    return [round(degrees(value), 3) for value in curve]
