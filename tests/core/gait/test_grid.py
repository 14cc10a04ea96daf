"""What every walk must show: who, how fast, over what, at which frame rate.

Each cell is one walk and all limits on it: slide, clearance, duty factors, planned contacts against found ones, speed,
knees, extension; on level ground an upright body too. `-m "not grid"` leaves the long part out. What is over a limit
today stands in tests/support/over_limit.toml with its number, and must not get worse.
"""

import numpy as np
import pytest
from support.grid import CELLS, QUICK, Cell
from support.ledger import known, worse

NAMES = {str(cell) for cell in CELLS}


@pytest.mark.parametrize("cell", QUICK, ids=str)
def test_a_walk_holds_all_limits(cell: Cell):
    assert worse(str(cell), cell.findings()) == []


@pytest.mark.grid
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell not in QUICK], ids=str)
def test_a_walk_of_the_whole_grid_holds_all_limits(cell: Cell):
    assert worse(str(cell), cell.findings()) == []


def test_a_walk_that_is_measured_at_its_ticks_has_all_frames_of_the_walk_as_it_is_shown():
    """To the bit: more frames of the same walk are measured, not another walk."""
    cell = Cell("dog", "TROT", 0.7, "hills", 24)
    shown, measured = cell.at(24), cell.walk()
    assert measured.fps == 48.0
    found = {memory.travel.place: frame for frame, memory in zip(measured.frames, measured.memories, strict=True)}
    for frame, memory in zip(shown.frames[1:-1], shown.memories[1:-1], strict=True):
        same = found[memory.travel.place]
        assert np.array_equal(same.rotations, frame.rotations)
        assert np.array_equal(same.locations, frame.locations)


def test_the_ledger_names_only_cells_that_there_are():
    own = {name for name in known() if name.split()[0] in {cell.who for cell in CELLS}}
    assert own <= NAMES
