"""What is baked walks as it should: our characters over meshes, measured on the evaluated bones of the Action.

Every gait is walked over a part of the grounds in each run, and over all of them where the long part runs too.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.baked_verdict import baked_findings
from support.baked_walk import Course, bake_path, bake_walk
from support.ledger import worse
from support.stage import add_ground, add_person, key, pose_at
from support.verdict import Finding
from support.walking_rigs import add_rig

PACES = {
    "person": (("WALK", 0.07), ("WALK", 0.22)),
    "dog": (("WALK", 0.07), ("WALK", 0.22), ("TROT", 0.7)),
    "spider": (("WAVE", 0.07), ("TRIPOD", 0.3)),
    "horse": (("WALK", 0.07), ("WALK", 0.22), ("TROT", 0.7)),
    "bird": (("WALK", 0.07), ("WALK", 0.22)),
    "beetle": (("WAVE", 0.07), ("TRIPOD", 0.3)),
}
GROUNDS = ("flat", "up 20", "down 20", "across 20", "stairs up", "stairs down", "hills")
WALKS = [
    pytest.param(who, Course(gait, froude, ground), marks=[] if ground != "hills" else [pytest.mark.grid])
    for who, paces in PACES.items() for gait, froude in paces for ground in GROUNDS
]


@pytest.mark.parametrize(("who", "course"), WALKS, ids=str)
def test_a_baked_walk_holds_all_limits(who: str, course: Course):
    walk = bake_walk(add_rig(who), course)
    assert worse(f"baked {who} {course}", baked_findings(walk, flat=course.ground == "flat", gait=course.gait)) == []


@pytest.mark.parametrize("who", PACES)
def test_baked_footprints_stay_within_3_cm_of_a_circle_of_2_metres(who: str):
    gait, froude = PACES[who][-1]
    error = Finding("path of the footprints (m)", bake_path(add_rig(who), gait, froude, radius=2.0), 0.03)
    assert worse(f"baked circle {who} {gait.lower()} {froude:g}", [error]) == []


def test_a_foot_that_is_pushed_under_a_tread_is_found_out():
    """The measurement itself: stairs that are raised by 2 cm after the bake are seen over the feet by as much."""
    rig = add_rig("person")
    walk = bake_walk(rig, Course("WALK", 0.22, "stairs up"), sunk=0.02)
    below = [row for row in baked_findings(walk, flat=False) if "below ground" in row.what]
    assert all(row.value == pytest.approx(0.02, abs=0.003) for row in below)
    assert len(below) == 2


def test_a_keyed_scale_that_wavers_by_rounding_does_not_begin_the_walk_anew():
    """Importers key the scale of every object at every frame, never twice to the same bit."""
    rig = add_person()
    add_ground()
    key(rig, "scale", {1: 1.0, 10: 1.0000005, 20: 1.0}, index=0)
    rig.surefoot.preview = True
    first = pose_at(rig, 1)
    walked = pose_at(rig, 10)
    assert np.abs(walked[0] - first[0]).max() > 0.1
    assert np.array_equal(pose_at(rig, 1), first)
    assert np.array_equal(pose_at(rig, 10), walked)
