"""How far a leg may open to bring its foot to a hold."""

from __future__ import annotations

import numpy as np
import pytest
from support.retargeting import laid_leg, rig_of_skeleton, still_clip
from support.rigs import person_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.foot_moves import HELD, LED, Leeway, apply, plan_foot
from surefoot.core.retarget.holds import FootShift

PERSON = rig_of_skeleton(person_skeleton())
LEG = PERSON.legs[0]


def crouching(raised: float) -> Clip:
    """Somebody whose ankle is so many metres higher than at rest, under a body that stays."""
    clip = still_clip(PERSON, 3)
    laid_leg(clip, LEG, np.broadcast_to(np.array(LEG.tip) + [0.0, 0.0, raised], (3, 3)))
    feet = [LEG.foot, *PERSON.skeleton.below[LEG.foot]]
    clip.moved[:, feet] = np.eye(4)
    clip.moved[:, feet, 2, 3] = raised
    return clip


def knee(clip: Clip) -> float:
    """How far it is bent, degrees."""
    places = clip.joints(LEG)[1]
    upper, lower = places[1] - places[0], places[2] - places[1]
    return float(np.degrees(np.arccos(upper @ lower / np.linalg.norm(upper) / np.linalg.norm(lower))))


def opened(raised: float, leeway: Leeway) -> float:
    """By how much a knee opens whose foot is asked to go down as far as it may, degrees."""
    clip = crouching(raised)
    before = knee(clip)
    down, whole = np.full((3, 3), [0.0, 0.0, -2.0 * raised]), np.ones(3, dtype=bool)
    shift = FootShift(down, down, np.zeros(3), whole, whole)
    plan = plan_foot(clip, LEG, (clip.heel(LEG), clip.ball(LEG)), shift, 4.0, leeway)
    apply(clip, [plan], np.zeros((3, 3)))
    return before - knee(clip)


@pytest.mark.parametrize("raised", [0.3, 0.45, 0.6])
def test_the_knee_of_a_leg_that_follows_another_opens_by_one_angle_however_deep_it_is_bent(raised):
    """A share of the leg's stretch would be a wide angle where the leg is folded, and limbs would point elsewhere."""
    assert opened(raised, LED) == pytest.approx(np.degrees(LED.opens), abs=0.5)


@pytest.mark.parametrize("raised", [0.05, 0.3, 0.6])
def test_a_leg_whose_own_feet_are_held_gets_no_straighter_than_it_is(raised):
    assert opened(raised, HELD) <= 1e-4


def test_no_leg_that_follows_another_is_straightened_by_its_leeway():
    clip = crouching(0.05)
    assert knee(clip) - opened(0.05, LED) >= 10.0
