"""Ticks in a frame, and the order of a tick."""

from math import floor

import pytest
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.tick import tick, ticks_per_frame
from surefoot.core.world.solids import Flat

RATES = {12: 5, 15: 4, 23.976: 2, 24: 2, 25: 2, 29.97: 2, 30: 2, 40: 1, 48: 1, 50: 1, 59.94: 1, 60: 1, 120: 1, 240: 1}


@pytest.mark.parametrize(("fps", "ticks"), RATES.items())
def test_a_frame_is_so_many_equal_ticks(fps: float, ticks: int):
    assert ticks_per_frame(fps) == ticks


@pytest.mark.parametrize("fps", [1.0, 7.0, 18.0, 23.976, 33.3, 41.0, 144.0, 1000.0])
def test_ticks_are_about_sixtieths_of_a_second_but_never_longer_than_a_frame(fps: float):
    assert ticks_per_frame(fps) == max(1, floor(60.0 / fps + 0.45))
    assert 1.0 / fps / ticks_per_frame(fps) <= 1.0 / 40.0 or fps > 60.0 / 1.55


@pytest.mark.parametrize("fps", [0.0, -24.0])
def test_a_scene_without_frames_has_no_ticks(fps: float):
    with pytest.raises(ValueError, match="no ticks"):
        ticks_per_frame(fps)


def test_a_tick_moves_the_body_and_its_feet_and_counts_itself():
    character, world, inputs = Character(rig_of("person"), CharacterConfig()), Flat(), Inputs(speed=1.0)
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    before = memory.copy()
    for _ in range(10):
        tick(character, memory, inputs, world, 1.0 / 60.0)
    assert memory.ticks == before.ticks + 10
    assert memory.travel.place.y < before.travel.place.y
    assert any(not foot.planted for foot in memory.gait.feet)


def test_the_character_s_own_tick_is_the_same():
    character, world, inputs = Character(rig_of("dog"), CharacterConfig()), Flat(), Inputs(speed=1.0)
    one = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    two = one.copy()
    for _ in range(30):
        tick(character, one, inputs, world, 1.0 / 60.0)
        character.tick(two, inputs, world, 1.0 / 60.0)
    assert repr(one) == repr(two)


def test_why_a_body_stands_is_remembered():
    character, world = Character(rig_of("person"), CharacterConfig(director="TARGET")), Flat()
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(), world)
    character.tick(memory, Inputs(), world, 1.0 / 60.0)
    assert "no target" in memory.reason
    character.tick(memory, Inputs(speed=1.0, target=Place(0.0, -9.0, 0.0, 0.0)), world, 1.0 / 60.0)
    assert memory.reason == ""


@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_a_second_is_as_long_at_every_frame_rate(fps: float):
    """A metre a second, started at speed: after three seconds the same place within a tick's way."""
    from support.walk import walk

    ends = walk(rig_of("person"), Flat(), 1.0, 3.0, fps).memories[-1].travel.place
    expected = walk(rig_of("person"), Flat(), 1.0, 3.0, 120.0).memories[-1].travel.place
    assert ends.y == pytest.approx(expected.y, abs=1.0 / 48.0)
