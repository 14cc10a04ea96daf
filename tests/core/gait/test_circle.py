"""The line of footprints along a curve."""

import pytest
from support.grid import QUICK, Cell, circle_error
from support.ledger import worse
from support.verdict import Finding

PACES = [cell for cell in QUICK if cell.ground == "flat"]


@pytest.mark.parametrize("cell", PACES, ids=lambda cell: f"{cell.who} {cell.gait.lower()} {cell.froude}")
def test_footprints_on_a_circle_of_2_metres_stay_within_3_cm_of_it(cell: Cell):
    """Left and right averaged: the body follows the path between them."""
    error = Finding("path of the footprints (m)", circle_error(cell), 0.03)
    assert worse(f"circle {cell}", [error]) == []
