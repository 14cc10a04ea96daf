"""The line of footprints along a curve."""

import pytest
from support.grid import QUICK, Cell, circle_error

PACES = [cell for cell in QUICK if cell.ground == "flat"]


@pytest.mark.parametrize("cell", PACES, ids=lambda cell: f"{cell.who} {cell.gait.lower()} {cell.froude}")
def test_footprints_on_a_circle_of_2_metres_stay_within_3_cm_of_it(cell: Cell):
    """Left and right averaged: the body follows the path between them."""
    assert circle_error(cell) <= 1.0
