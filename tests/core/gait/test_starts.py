"""A body that is put on uneven ground stands on it at once: its legs reach from the first frame on."""

from math import sin

import pytest
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.world.solids import Flat, Hills

PLACES = [(0.7 * k, 0.9 * k, 0.5 * k) for k in range(16)]


@pytest.mark.parametrize("who", ["person", "dog", "spider"])
def test_all_legs_reach_their_feet_in_the_first_frame_on_hills(who: str):
    character, hills = Character(rig_of(who), CharacterConfig()), Hills(0.3, 4.0)
    for x, y, heading in PLACES:
        place = Place(x, y, hills.height(x, y), heading)
        memory = character.start(place, Inputs(), hills)
        assert character.pose_and_report(memory)[1].clamped == ()


@pytest.mark.parametrize("who", ["dog", "spider"])
def test_a_body_on_many_legs_lies_along_its_feet_from_the_first_frame_on(who: str):
    hills = Hills(0.3, 4.0)
    character = Character(rig_of(who), CharacterConfig())
    x, y = 0.0, 0.9
    memory = character.start(Place(x, y, hills.height(x, y), 0.0), Inputs(), hills)
    first = memory.gait.body.pitch
    for _ in range(120):
        character.tick(memory, Inputs(), hills, 1.0 / 60.0)
    assert abs(first) > 0.05
    assert sin(memory.gait.body.pitch) == pytest.approx(sin(first), abs=0.02)


def test_on_level_ground_nothing_is_settled():
    character = Character(rig_of("dog"), CharacterConfig())
    body = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(), Flat()).gait.body
    assert (body.pitch, body.roll, body.heave) == (0.0, 0.0, 0.0)
    assert body.rotation == (1.0, 0.0, 0.0, 0.0)
