"""Seams, gaps, pits, blocks, and slopes that are too steep."""

from math import hypot, isfinite, radians

import numpy as np
import pytest
from support.grid import rig_of
from support.ledger import worse
from support.verdict import findings
from support.walk import Walk, walk
from surefoot.core.control.intent import Inputs
from surefoot.core.gait.patterns import speed_at
from surefoot.core.measure.contacts import inside
from surefoot.core.rig.pose import model_matrices
from surefoot.core.world.solids import Blocks, Empty, Extruded, Flat, Gap, Hole, Ramp, Union

WHO = ("person", "dog", "spider", "hexapod")


def finite(run: Walk) -> bool:
    """True where every number of every pose is one."""
    return all(np.isfinite(frame.rotations).all() and np.isfinite(frame.locations).all() for frame in run.frames)


def paved(width: float) -> Extruded:
    """A level pavement of slabs of 0.37 m with gaps of `width` between them, 12 m long."""
    return Extruded([(-6.0 + 0.37 * k, 0.0, -6.0 + 0.37 * (k + 1) - width, 0.0) for k in range(60)])


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("width", [0.0, 0.002, 0.02])
def test_seams_and_gaps_of_2_cm_are_walked_over_as_if_they_were_not_there(who: str, width: float):
    rig = rig_of(who)
    width *= rig.leg_length / 0.9
    speed = speed_at(0.15, rig.leg_length)
    run = walk(rig, paved(width), speed, 4.0)
    assert all(foot.hold.grounded for memory in run.memories for foot in memory.gait.feet)
    assert max(abs(foot.hold.z) for memory in run.memories for foot in memory.gait.feet) < 1e-6
    ground = np.array([memory.travel.place.z for memory in run.memories])
    assert np.abs(ground).max() < 1e-6


@pytest.mark.parametrize("who", WHO)
def test_a_2_cm_gap_breaks_none_of_the_limits(who: str):
    rig = rig_of(who)
    scale = rig.leg_length / 0.9
    speed = speed_at(0.15, rig.leg_length)
    run = walk(rig, Gap(0.02 * scale, start=1.7 * scale), speed, 5.0).settled(1.5)
    rows = [row for row in findings(run, speed, flat=False) if "ground" not in row.what]
    assert worse(f"gap {who}", rows) == []


@pytest.mark.parametrize("who", WHO)
def test_over_a_pit_without_a_floor_it_keeps_its_height(who: str):
    """Pains O04: the feet keep the height that they had, and the pose stays finite."""
    rig = rig_of(who)
    leg = rig.leg_length
    run = walk(rig, Extruded([(-20.0, 0.0, 2.0 * leg, 0.0)]), speed_at(0.15, leg), 6.0)
    assert run.memories[-1].travel.place.y < -3.0 * leg
    assert finite(run)
    assert max(abs(memory.travel.place.z) for memory in run.memories) < 0.02 * leg
    assert max(abs(foot.hold.z) for memory in run.memories for foot in memory.gait.feet) < 0.05 * leg
    assert not run.memories[-1].gait.feet[0].hold.grounded
    assert not any(foot.heel_down or foot.ball_down for foot in run.frames[-1].feet)


@pytest.mark.parametrize("who", WHO)
def test_across_a_pit_it_finds_the_ground_again(who: str):
    rig = rig_of(who)
    leg = rig.leg_length
    run = walk(rig, Hole(0.0, -4.0 * leg, 9.0 * leg, 2.0 * leg), speed_at(0.2, leg), 9.0)
    assert finite(run)
    assert run.memories[-1].travel.place.y < -6.5 * leg
    assert all(foot.hold.grounded for foot in run.memories[-1].gait.feet)


@pytest.mark.parametrize("who", WHO)
def test_with_no_ground_at_all_it_walks_on_where_it_was_put(who: str):
    run = walk(rig_of(who), Empty(), speed_at(0.15, rig_of(who).leg_length), 3.0)
    assert finite(run)
    assert not run.memories[-1].travel.ground
    assert all(isfinite(value) for value in run.memories[-1].travel.place)
    assert max(abs(memory.travel.place.z) for memory in run.memories) < 1e-9


@pytest.mark.parametrize("who", ["person", "dog"])
def test_a_wall_that_is_too_steep_is_stepped_on_by_no_foot(who: str):
    """A slope of 60 degrees ahead: no hold has its normal; the body has no say in it (it is a point)."""
    rig = rig_of(who)
    run = walk(rig, Ramp(radians(60.0), start=2.0 * rig.leg_length), speed_at(0.15, rig.leg_length), 4.0)
    assert finite(run)
    for memory in run.memories:
        for foot in memory.gait.feet:
            assert not foot.hold.grounded or foot.hold.under[2] >= 0.7


@pytest.mark.parametrize("who", ["dog", "hexapod"])
def test_on_random_blocks_every_standing_foot_is_on_its_block(who: str):
    """Pains P07: blocks up to 20 percent of a leg, standing feet within 5 mm (for a leg of 0.9 m) of the surface."""
    rig = rig_of(who)
    leg = rig.leg_length
    world = Blocks(3, 0.5 * leg, 0.0, 0.2 * leg)
    run = walk(rig, world, speed_at(0.07, leg), 6.0).settled(1.0)
    track, planned = run.track(), run.contacts()
    for foot in track.feet:
        for span in planned[foot.role].ball or ():
            here = inside(track.frames, span)
            gaps = foot.ball[here, 2] - [world.height(x, y) for x, y, _ in foot.ball[here]]
            assert np.abs(gaps).max() < 0.005 * leg / 0.9


@pytest.mark.parametrize("who", ["person", "dog"])
def test_a_box_of_20_cm_is_walked_over_on_its_top(who: str):
    """Pains O04: soles on the box's top while they are over it."""
    rig = rig_of(who)
    scale = rig.leg_length / 0.9
    near, far, top = 2.0 * scale, 4.0 * scale, 0.2 * scale
    box = Extruded([(near, 0.0, near, top), (near, top, far, top), (far, top, far, 0.0)])
    run = walk(rig, Union(Flat(), box), speed_at(0.1, rig.leg_length), 10.0)
    heights = {round(foot.hold.z / scale, 3) for memory in run.memories for foot in memory.gait.feet if foot.planted}
    assert heights == {0.0, 0.2}
    over = [
        foot.hold.z
        for memory in run.memories
        for foot in memory.gait.feet
        if foot.planted and near < -foot.hold.y < far
    ]
    assert over
    assert min(over) == pytest.approx(top, abs=0.005 * scale)


@pytest.mark.parametrize("who", ["dog"])
@pytest.mark.parametrize("angle", [25.0, -25.0])
def test_a_dog_on_a_slope_has_all_feet_on_it_and_its_back_along_it(who: str, angle: float):
    """Pains P10: shoulder to hip within 8 degrees of the slope, feet within a centimetre of the ground."""
    rig = rig_of(who)
    run = walk(rig, Ramp(radians(angle)), speed_at(0.1, rig.leg_length), 4.0).settled(1.5)
    hind, front = (np.mean([tuple(leg.hip) for leg in rig.legs if leg.order == k], axis=0) for k in (1, 0))
    at_rest = np.degrees(np.arctan2(front[2] - hind[2], hind[1] - front[1]))
    for frame in run.frames:
        matrices = model_matrices(rig.skeleton, frame)
        tops = [
            np.mean([matrices[leg.bones[0]].to_translation()[:] for leg in rig.legs if leg.order == k], axis=0)
            for k in (1, 0)
        ]
        along = np.degrees(np.arctan2(tops[1][2] - tops[0][2], hypot(*(tops[1] - tops[0])[:2])))
        assert along - at_rest == pytest.approx(angle, abs=8.0)


def test_a_body_that_is_asked_for_a_hundred_metres_a_second_does_not_break():
    run = walk(rig_of("spider"), Flat(), 100.0, 1.0, inputs=lambda _time: Inputs(speed=100.0))
    assert finite(run)
