"""Whoever gets up with a skin keeps all of that over the floor, as continuously as without."""

from __future__ import annotations

from functools import lru_cache

import pytest
from support.lying import lying
from support.ragdolls import our_plan
from support.rises import farthest, filmed, rig_of, slide, start_gap
from surefoot.core.actions.rising import Rising
from surefoot.core.rise_presets import rising
from surefoot.core.world.solids import Flat

FLAT = Flat()
JUMP, SLIDE = 0.2, 0.01
# Once it is led in, no point of the skin may be so far under the floor, metres: of trunk and hands; of a foot that
# rolls, or an ear whose root lies on the floor.
UNDER, ROLLS = 0.005, 0.02


@lru_cache
def riser(who: str) -> Rising:
    return rising(rig_of(who), skin=our_plan(who).skin)


def deepest(rise, shots, points):
    """How far points are under the floor at most from when it is led in until its last steps, metres."""
    led = [s for s in shots if s.memory.time >= s.memory.blend]
    return max((-(s.at @ (s.pose.moved(p.bone) @ p.at)).z for s in led for p in points), default=0.0)


@pytest.mark.parametrize("lies", ["PRONE", "SUPINE", "LEFT", "RIGHT"])
@pytest.mark.parametrize("who", ["person", "dog", "horse", "bird", "spider"])
def test_skin_stays_over_the_floor_as_it_gets_up(who, lies):
    rise = riser(who)
    body = lying(rise.rig, lies, FLAT, heading=0.4)
    shots = filmed(rise, body, FLAT)
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert farthest(rise, shots) < JUMP
    assert slide(rise, shots) < SLIDE
    points = rise.points
    assert deepest(rise, shots, points.trunk) < UNDER
    assert deepest(rise, shots, [p for own in points.hanging for p in own]) < ROLLS
    for role, skin in points.skins.items():
        assert deepest(rise, shots, skin) < (UNDER if role.startswith("hand") else ROLLS), role
    assert rise.done(shots[-1].memory)
