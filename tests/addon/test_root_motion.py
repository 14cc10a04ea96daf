"""Root motion: travel comes onto a carrier, goes back, is taken out; the body stays where it was."""

from __future__ import annotations

from math import pi, radians, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.moved_rigs import PERSON, Y_UP, act, curve, curve_paths, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
BODY = ("pelvis", "head", "hand.L", "toe.R")
AXES = {"": (None, 1.0), "Y up, 0.01": (Y_UP, 0.01), "100 times": (None, 100.0), "Y up": (Y_UP, 1.0)}


def walking(rig: bpy.types.Object, count: int = 60, *, turn=None, scale: float = 1.0, sway: float = 0.0, yaw=None):
    """A walk along -Y with an uneven speed and a bounce of 6 cm, all on the pelvis; two strides."""
    times = np.arange(count, dtype=np.float64)

    def place(t: float) -> tuple[float, float, float]:
        return sway * sin(2 * pi * t / 30), -0.05 * t - 0.02 * sin(2 * pi * t / 15), 0.95 + 0.03 * sin(2 * pi * t / 15)

    moves = moved_about(place, yaw or (lambda t: 0.05 * sin(2 * pi * t / 30)), PELVIS, times)
    swing = [Matrix.Translation(PELVIS) @ Matrix.Rotation(0.5 * sin(2 * pi * t / 30), 4, "X") for t in times]
    thigh = [m @ s @ Matrix.Translation((-PELVIS[0], -PELVIS[1], -PELVIS[2])) for m, s in zip(moves, swing, strict=True)]
    return act(rig, {"pelvis": moves, "thigh.L": thigh}, turn=turn, scale=scale)


@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("carrier", ["ROOT_BONE", "OBJECT"])
def test_extracted_the_body_stays_where_it_was_on_every_frame(carrier: str, axes: str):
    from surefoot.addon.root_motion import root_extract

    turn, scale = AXES[axes]
    rig = person(turn=turn, scale=scale)
    walking(rig, turn=turn, scale=scale)
    frames = range(1, 61)
    before = worlds(rig, BODY, frames)
    result = root_extract(rig, carrier=carrier)
    assert result.notes == ()
    assert np.abs(points(worlds(rig, BODY, frames)) - points(before)).max() < 1e-4
    carried = worlds(rig, ["root"], frames)[:, 0, :3, 3]
    assert carried[-1] - carried[0] == pytest.approx(before[-1, 0, :3, 3] * [1, 1, 0] - before[0, 0, :3, 3] * [1, 1, 0], abs=1e-4)
    assert np.abs(carried[:, 2]).max() < 1e-5
