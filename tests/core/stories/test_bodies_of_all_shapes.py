"""Bodies that are uneven, straight-legged, mirrored, tiny or huge walk as well."""

from collections.abc import Callable
from functools import lru_cache
from math import sqrt

import numpy as np
import pytest
from support.extension import ROOT
from support.grid import SKELETONS, rig_of
from support.reshaped import mirrored, scaled, with_short_shin, with_wide_stance
from support.rigs import person_skeleton
from support.verdict import broken, findings
from support.walk import Walk, walk
from surefoot.core.gait.patterns import speed_at
from surefoot.core.measure.gait_chart import chart
from surefoot.core.measure.slide import contact_slide
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.pose import model_matrices
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.world.solids import Flat

UNEVEN: dict[str, Callable[[], Skeleton]] = {
    "short left shin": lambda: with_short_shin(person_skeleton(), "L", 0.02),
    "short right shin": lambda: with_short_shin(person_skeleton(), "R", 0.02),
    "wide left leg": lambda: with_wide_stance(person_skeleton(), "L", 0.04),
}


def understood(skeleton: Skeleton) -> Rig:
    """The rig of a skeleton."""
    return understand(skeleton, read_conventions(ROOT / "presets" / "rigs")).rig


@lru_cache
def walked(name: str, factor: float, froude: float = 0.15) -> Walk:
    """Some strides of a character at another size, at the same Froude number, in frames that grow with its time."""
    rig = understood(scaled(SKELETONS[name](), factor))
    fps, root = 60.0 / sqrt(factor), sqrt(factor)
    return walk(rig, Flat(), speed_at(froude, rig.leg_length), 5.0 * root, fps).settled(2.5 * root)


@pytest.mark.parametrize("name", UNEVEN)
def test_a_person_of_uneven_legs_walks_without_a_slide(name: str):
    rig = understood(UNEVEN[name]())
    speed = speed_at(0.15, rig.leg_length)
    run = walk(rig, Flat(), speed, 4.0).settled(1.5)
    wrong = [row for row in findings(run, speed, flat=True) if "pelvis" not in row.what]
    assert broken(wrong) == []


def test_a_person_whose_knees_are_straight_at_rest_bends_them_forward():
    """Pains B04: no hinge can be measured; the role says which way."""
    rig = understood(person_skeleton(legs="STRAIGHT"))
    speed = speed_at(0.15, rig.leg_length)
    run = walk(rig, Flat(), speed, 4.0).settled(1.5)
    for foot in run.track().feet:
        hip, knee, ankle = (foot.joints[:, k] for k in range(3))
        share = (hip[:, 2] - knee[:, 2]) / (hip[:, 2] - ankle[:, 2])
        on_line = hip[:, 1] + (ankle[:, 1] - hip[:, 1]) * share
        assert (on_line - knee[:, 1]).min() > -1e-5
        assert (on_line - knee[:, 1]).max() > 0.05
    wrong = [row for row in findings(run, speed, flat=True) if "pelvis" not in row.what and "backwards" not in row.what]
    assert broken(wrong) == []


@pytest.mark.parametrize("name", ["short left shin", "wide left leg"])
def test_the_mirror_image_of_an_uneven_person_walks_the_mirror_image_of_its_walk(name: str):
    """Left and right are half a cycle apart: each foot's stride, stance and place beside the body change sides."""
    one, two = (understood(skeleton) for skeleton in (UNEVEN[name](), mirrored(UNEVEN[name]())))
    speed = speed_at(0.15, one.leg_length)
    rows = []
    for rig in (one, two):
        run = walk(rig, Flat(), speed, 5.0, 60.0).settled(2.5)
        track, planned = run.track(), run.contacts()
        table = chart(track, planned)
        rows.append(
            {
                foot.role: (
                    table[foot.role].duty_factor,
                    table[foot.role].stride,
                    float(np.median(foot.ball[:, 0])),
                    float(foot.joints[:, 0, 2].min()),
                    float(foot.joints[:, 0, 2].max()),
                )
                for foot in track.feet
            }
        )
    for side, other in (("leg.L", "leg.R"), ("leg.R", "leg.L")):
        duty, stride, beside, low, high = rows[0][side]
        assert rows[1][other] == pytest.approx((duty, stride, -beside, low, high), abs=0.003)


SIZES = [(name, factor) for name in SKELETONS for factor in (0.01, 100.0)]


@pytest.mark.parametrize(("name", "factor"), SIZES)
def test_a_body_of_another_size_walks_the_same_walk(name: str, factor: float):
    """Same Froude number: lengths grow with size, times with its root; strides and cadence within 2 percent."""
    usual, other = walked(name, 1.0), walked(name, factor)
    rows = [chart(run.track(), run.contacts()) for run in (usual, other)]
    for role, row in rows[0].items():
        assert rows[1][role].duty_factor == pytest.approx(row.duty_factor, abs=0.03)
        assert rows[1][role].stride == pytest.approx(factor * row.stride, rel=0.02)
        assert rows[1][role].cadence == pytest.approx(row.cadence / sqrt(factor), rel=0.02)


@pytest.mark.parametrize(("name", "factor"), SIZES)
def test_at_another_size_no_foot_slides_and_the_body_is_as_high(name: str, factor: float):
    usual, other = walked(name, 1.0), walked(name, factor)
    track, planned = other.track(), other.contacts()
    for foot in track.feet:
        for span in planned[foot.role].foot:
            assert contact_slide(track, foot, planned[foot.role], span).distance <= max(0.0005 * track.scale, 1e-6)
    heights = [
        [model_matrices(run.rig.skeleton, frame)[run.rig.body].to_translation().z for frame in run.frames]
        for run in (usual, other)
    ]
    assert np.mean(heights[1]) == pytest.approx(factor * np.mean(heights[0]), rel=0.01)


@pytest.mark.parametrize("name", ["person", "dog", "spider"])
def test_a_mirror_image_of_a_body_that_is_its_own_is_the_same_rig(name: str):
    one, two = rig_of(name), understood(mirrored(SKELETONS[name]()))
    assert [leg.role for leg in one.legs] == [leg.role for leg in two.legs]
    for a, b in zip(one.legs, two.legs, strict=True):
        for p, q in zip(a.joints, b.joints, strict=True):
            assert (p - q).length < 1e-5
