"""Which bone is whose mirror image: roles first, then names, then places."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.rig.partners import ALONE, partners

Heads = list[tuple[float, float, float]]


def paired(names: list[str], heads: Heads, roles: dict[str, tuple[str, ...]] | None = None) -> dict[str, str | None]:
    """Each bone's image, None where there is none."""
    found = partners(names, np.array(heads, dtype=np.float64), roles or {})
    return {name: None if k == ALONE else names[k] for name, k in zip(names, found, strict=True)}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("thigh.L", "thigh.R"),
        ("thigh_l", "thigh_r"),
        ("LeftUpLeg", "RightUpLeg"),
        ("mixamorig:LeftHandIndex2", "mixamorig:RightHandIndex2"),
        ("L_Finger_03", "R_Finger_03"),
        ("左足", "右足"),
        ("foot_ik.L.001", "foot_ik.R.001"),
    ],
)
def test_names_that_differ_in_their_side_alone_are_partners(left: str, right: str):
    found = paired(["Hips", left, right], [(0, 0, 1), (0.1, 0, 1), (-0.3, 0, 0.8)])
    assert found == {"Hips": "Hips", left: right, right: left}


def test_numbers_tell_bones_of_one_side_apart():
    names = ["finger1.L", "finger2.L", "finger2.R", "finger1.R"]
    found = paired(names, [(1, 0, 0), (1, 0.1, 0), (-1, 0.1, 0), (-1, 0, 0)])
    assert (found["finger1.L"], found["finger2.L"]) == ("finger1.R", "finger2.R")
    assert (found["finger1.R"], found["finger2.R"]) == ("finger1.L", "finger2.L")


def test_roles_win_over_names():
    names = ["a.L", "a.R", "b"]
    found = paired(names, [(1, 0, 0), (-1, 0, 0), (-1, 0, 1)], {"thigh.L": ("a.L",), "thigh.R": ("b",)})
    assert found["a.L"] == "b"
    assert found["b"] == "a.L"
    assert found["a.R"] is None


def test_without_names_places_tell():
    found = paired(["one", "two", "three", "four"], [(0, 0, 1), (0.5, 0.2, 0.4), (-0.5, 0.2, 0.4), (0.9, 0, 0)])
    assert found == {"one": "one", "two": "three", "three": "two", "four": None}


def test_a_side_without_another_is_alone():
    found = paired(["hand.L", "hand.R", "sword.R"], [(1, 0, 1), (-1, 0, 1), (-1.1, 0, 1)])
    assert found["sword.R"] is None
    assert found["hand.R"] == "hand.L"
