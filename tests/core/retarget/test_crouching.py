"""Who gets up: hips that travel over planted feet, legs that cannot fold as far, and feet that are long in the air."""

from __future__ import annotations

import numpy as np
import pytest
from support.retargeting import direction_errors, laid_leg, rig_of_skeleton, still_clip, with_legs
from support.rigs import person_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.holds import Hold, spread
from surefoot.core.retarget.retarget import retarget_clip

PERSON = rig_of_skeleton(person_skeleton())
FEET_AT = -0.5


def rising(sits: float = 0.12, back: float = 0.0, frames: int = 120) -> Clip:
    """Somebody whose hips, so high over the floor and so far behind the place where they sit, come up over his feet."""
    clip = still_clip(PERSON, frames)
    share = np.clip(np.linspace(-0.3, 1.2, frames), 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    high = PERSON.legs[0].hip.z
    clip.moved[:, 1:, 2, 3] = (sits - high + share * (high - 0.03 - sits))[:, None]
    clip.moved[:, 1:, 1, 3] = (back + np.sqrt(share) * (FEET_AT - back))[:, None]
    for leg in PERSON.legs:
        feet = [leg.foot, *PERSON.skeleton.below[leg.foot]]
        clip.moved[:, feet] = np.eye(4)
        clip.moved[:, feet, 1, 3] = FEET_AT
        laid_leg(clip, leg, clip.place(leg.foot, leg.tip))
    return clip


@pytest.mark.parametrize(("thigh", "shin"), [(0.85, 1.15), (1.15, 0.85), (0.7, 1.0)])
def test_hips_that_come_up_over_planted_feet_do_so_on_legs_of_other_shares(thigh, shin):
    source = rising()
    done = retarget_clip(source, rig_of_skeleton(with_legs(person_skeleton(), thigh, shin)))
    errors = direction_errors(source, done.clip)
    assert errors[55:].mean() <= 0.5
    for foot in done.report.feet.feet:
        assert foot.slide_after <= 0.003


def test_a_body_rises_off_a_leg_that_cannot_fold_as_far_and_its_foot_stands():
    source = rising(sits=0.25, back=FEET_AT + 0.1)
    target = rig_of_skeleton(with_legs(person_skeleton(), 0.6, 1.3))
    done = retarget_clip(source, target)
    nearest = abs(target.legs[0].lengths[1] - target.legs[0].lengths[0])
    places = source.joints(source.rig.legs[0])
    assert np.linalg.norm(places[0, -1] - places[0, 0]) * done.report.ratio < nearest
    for foot in done.report.feet.feet:
        assert foot.slide_after <= 0.003
        assert foot.unreached <= 0.001


def test_between_steps_a_correction_goes_over_from_one_to_the_next_and_in_a_long_flight_it_is_gone():
    def between(gap: int) -> np.ndarray:
        shift = np.full((10, 3), 0.05)
        holds = [Hold(0, 9, shift), Hold(10 + gap, 19 + gap, shift)]
        return spread(holds, 20 + gap, None, step=30.0)[9 : 11 + gap, 0]

    assert between(20) == pytest.approx(np.full(22, 0.05))
    assert between(30)[1:-1] == pytest.approx(np.full(30, 0.05), rel=0.02)
    assert np.abs(between(90)[20:-20]).max() == 0.0
    assert np.abs(np.diff(between(90))).max() <= 0.05 * 1.875 / 12.0 + 1e-9
