"""A foot rolls up over its ball as its leg asks, and no quicker than an ankle turns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mathutils import Quaternion, Vector
from support.grid import rig_of
from support.walk import walk
from surefoot.core.gait.foot import FootGeometry
from surefoot.core.gait.memory import FootMemory
from surefoot.core.gait.roll_off import RollOff
from surefoot.core.gait.rolling import fold_foot, roll_foot
from surefoot.core.gait.shape import shape_of
from surefoot.core.gait.way import Way
from surefoot.core.presets import pattern
from surefoot.core.world.solids import Flat

DT, QUICKEST = 1.0 / 60.0, 10.0
LEG = shape_of(rig_of("person")).legs[0]
GEOMETRY = FootGeometry(LEG)
KNOWN = Vector(LEG.ball), Quaternion()
# Before its foot by so much that a leg whose foot lies flat is too long.
HIP = Vector((LEG.hip[0], LEG.hip[1] - 0.42, 0.82))


def standing_late() -> FootMemory:
    """A flat foot that has stood for two thirds of its stance."""
    foot = walk(rig_of("person"), Flat(), seconds=0.1).memories[-1].gait.feet[0]
    foot.phase, foot.pitch, foot.lift_pitch = 0.66 * foot.timing[1], 0.0, 0.0
    return foot


def length_at(pitch: float) -> float:
    return (GEOMETRY.tip(*KNOWN, pitch) - HIP).length


def rolled(reach: float, farthest: float) -> float:
    """The pitch after one tick of a foot whose leg is to be no longer than `reach`, and never than `farthest`."""
    foot = standing_late()
    roll_foot(GEOMETRY, foot, pattern("WALK", 2), HIP, KNOWN, (reach, farthest), RollOff(0.0, quickest=QUICKEST), DT)
    return foot.pitch


def test_a_heel_comes_up_in_one_tick_as_far_as_an_ankle_turns_though_its_leg_asks_for_more():
    assert length_at(0.0) > length_at(0.4)
    assert rolled(length_at(0.4), length_at(0.0)) == pytest.approx(QUICKEST * DT)


def test_a_heel_comes_up_at_once_as_far_as_the_leg_is_long():
    assert rolled(length_at(0.5), length_at(0.4)) == pytest.approx(0.4, abs=1e-3)


def test_a_heel_comes_up_no_further_than_the_leg_asks():
    assert rolled(length_at(0.1), length_at(0.0)) == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize(("edge", "lies"), [(1.0, True), (0.0, False)])
def test_a_foot_over_an_edge_pulls_its_toes_up_before_its_knee_is_at_its_end(edge: float, lies: bool):
    """Of a leg that folds to 0.4 m no less."""
    geometry = FootGeometry(replace(LEG, shortest=0.4))
    hip = geometry.tip(*KNOWN, 0.0) + Vector((0.0, 0.0, 0.43))
    foot = standing_late()
    foot.planted, foot.pitch, foot.way = False, 1.0, Way(0.1, edge=edge)
    assert (geometry.tip(*KNOWN, foot.pitch) - hip).length < 0.4
    fold_foot(geometry, foot, hip, KNOWN)
    assert ((geometry.tip(*KNOWN, foot.pitch) - hip).length >= 0.4 - 1e-5) == lies
    assert foot.pitch > 0.1


@pytest.mark.parametrize(("behind", "pushed"), [(2.0, True), (1.0, False)])
def test_a_calf_pushes_up_only_a_heel_that_lies_well_behind_the_toe_joint(behind: float, pushed: bool):
    """One that is as far behind it as the joint is high would slide along the ground as far as it rises."""
    heel = Vector(LEG.heel)
    high = (LEG.pivot[1], heel.y - LEG.pivot[1])
    geometry = FootGeometry(replace(LEG, pivot=(LEG.pivot[0], high[0], heel.z + high[1] / behind)))
    foot = standing_late()
    foot.phase = 0.9 * foot.timing[1]
    over = geometry.tip(*KNOWN, 0.0) + Vector((0.0, 0.0, 0.9 * LEG.length))
    far = (2.0 * LEG.length, 2.0 * LEG.length)
    roll_foot(geometry, foot, pattern("WALK", 2), over, KNOWN, far, RollOff(1.0), DT)
    assert (foot.pitch > 0.01) == pushed
