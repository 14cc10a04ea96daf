"""Equal values have one digest, and whatever differs another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from surefoot.addon.fall_digest import digest_of
from surefoot.addon.fall_track import said
from surefoot.addon.fall_wishes import NO_WISHES
from surefoot.core.control.fall_row import Blow, FallRow
from surefoot.core.control.intent import Inputs, Place


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.1, 0.1 + 1e-18),
        (0.0, -0.0),
        ((1.0, ("a", None)), (1.0, ("a", None))),
        (np.array([0.0, 1.0]), np.array([-0.0, 1.0])),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
        (Inputs(speed=1.0), Inputs(speed=1.0)),
    ],
)
def test_equal_values_have_one_digest(one: object, other: object):
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.1, 0.1 + 1e-16),
        (1, 1.0),
        (True, 1),
        (("ab",), ("a", "b")),
        ((1.0, (2.0,)), ((1.0, 2.0),)),
        (np.array([1.0], np.float32), np.array([1.0], np.float64)),
        (Inputs(target=Place(1.0, 2.0, 3.0, 0.0)), Inputs(mover=Place(1.0, 2.0, 3.0, 0.0))),
    ],
)
def test_other_values_have_another(one: object, other: object):
    assert digest_of(one) != digest_of(other)


def test_what_has_no_digest_is_refused():
    with pytest.raises(TypeError, match="function has no digest"):
        digest_of(test_what_has_no_digest_is_refused)


def test_what_physics_made_of_a_frame_is_not_what_it_says():
    bare = Inputs(speed=1.4)
    made = replace(bare, fall=FallRow("FALLEN"), hits=(Blow((1.0, 0.0, 0.0)),))
    assert said(made, NO_WISHES) == said(bare, NO_WISHES)
    assert said(bare, NO_WISHES._replace(get_up="NO")) != said(bare, NO_WISHES)
