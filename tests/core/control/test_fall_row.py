"""Between two frames of a record: bodies go straight and turn the shortest way, and what happened is told once."""

from __future__ import annotations

from math import cos, nan, pi, sin

import pytest
from surefoot.core.control.fall_row import Blow, FallRow, fall_between
from surefoot.core.control.intent import Inputs
from surefoot.core.control.sound_inputs import sound


def row(x: float, angle: float, weight: float, state: str = "FALLEN") -> FallRow:
    """One body at x, turned about Z."""
    bodies = (x, 0.0, 1.0, cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle))
    return FallRow(state, 0.1, bodies, (weight,), ("fell",), begins=1)


def test_half_way_a_body_is_in_the_middle_and_half_turned():
    between = fall_between(row(0.0, 0.0, 1.0, "ACTIVE"), row(2.0, pi / 2, 0.5), 0.5)
    assert between.bodies == pytest.approx((1.0, 0.0, 1.0, cos(pi / 8), 0.0, 0.0, sin(pi / 8)), abs=1e-6)
    assert between.weights == (0.75,)
    assert between.state == "FALLEN"


def test_what_happened_in_a_frame_is_told_at_its_end_only():
    before, after = row(0.0, 0.0, 1.0), row(2.0, 0.0, 1.0)
    assert fall_between(before, after, 0.5).events == ()
    assert fall_between(before, after, 1.0) == after


def test_on_the_way_into_a_run_and_out_of_one_nothing_is_known():
    assert fall_between(None, row(0.0, 0.0, 1.0), 0.5) is None
    assert fall_between(row(0.0, 0.0, 1.0), None, 0.5) is None


def test_where_the_bodies_went_the_later_frame_has_none():
    assert fall_between(row(0.0, 0.0, 1.0), FallRow("GETTING_UP"), 0.5).bodies == ()


def test_a_hit_that_is_no_number_is_none():
    hits = (Blow((1.0, 0.0, 0.0)), Blow((nan, 0.0, 0.0)))
    assert sound(Inputs(hits=hits)).hits == hits[:1]
