"""The line of footprints along a curve."""

import numpy as np
import pytest
from support.grid import QUICK, Cell, circle_error, circle_prints, rig_of
from support.ledger import worse
from support.verdict import Finding

PACES = [cell for cell in QUICK if cell.ground == "flat"]


@pytest.mark.parametrize("cell", PACES, ids=lambda cell: f"{cell.who} {cell.gait.lower()} {cell.froude}")
def test_footprints_on_a_circle_of_2_metres_stay_within_3_cm_of_it(cell: Cell):
    """Left and right averaged: the body follows the path between them."""
    error = Finding("path of the footprints (m)", circle_error(cell), 0.03)
    assert worse(f"circle {cell}", [error]) == []


@pytest.mark.parametrize("cell", [cell for cell in PACES if len(rig_of(cell.who).legs) == 2], ids=str)
def test_feet_are_no_further_apart_on_a_curve_than_straight_on(cell: Cell):
    """A body that turns goes ahead, not aside: 2 cm are left for what lies between a place and its turn."""
    left, right = (float(np.mean(prints)) for _, prints in circle_prints(cell).values())
    ball = rig_of(cell.who).legs[0].sole.ball
    assert right - left == pytest.approx(2.0 * ball.x, abs=0.02)
