"""What only shows after minutes: rhythm, drift, rounding."""

from math import cos, hypot, radians, sin
from random import Random

import pytest
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.gait.patterns import speed_at
from surefoot.core.presets import pattern
from surefoot.core.world.solids import Flat

MINUTES = 5.0
DT = 1.0 / 24.0


@pytest.fixture(scope="module")
def walked() -> tuple[Character, list, list]:
    """Five minutes of a spider's wave with random turns (one tick a frame): every memory's feet, and the events."""
    rig = rig_of("spider")
    character, world, random = Character(rig, CharacterConfig(gait="WAVE", director="MOVER")), Flat(), Random(11)
    speed = speed_at(0.05, rig.leg_length)
    x, y, heading, rate = 0.0, 0.0, 0.0, 0.0
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(mover=Place(0.0, 0.0, 0.0, 0.0)), world)
    air, sampled = [], []
    for tick in range(round(MINUTES * 60.0 / DT)):
        if tick % 48 == 0:
            rate = radians(random.uniform(-25.0, 25.0))
        heading += rate * DT
        x, y = x + sin(heading) * speed * DT, y - cos(heading) * speed * DT
        character.tick(memory, Inputs(mover=Place(x, y, 0.0, heading)), world, DT)
        air.append(tuple(not foot.planted for foot in memory.gait.feet))
        if tick % 240 == 239:
            sampled.append(memory.copy())
    return character, air, sampled


def test_after_five_minutes_of_turns_every_leg_is_still_in_its_phase(walked):
    """Pains P04: less than 5 percent of a cycle; here the clock is one, so the error is rounding."""
    character, _, sampled = walked
    offsets = pattern("WAVE", 8).offsets
    for foot, offset in zip(sampled[-1].gait.feet, offsets, strict=True):
        apart = (sampled[-1].gait.phase - offset - foot.phase + 0.5) % 1.0 - 0.5
        assert abs(apart) < 1e-6


def test_after_five_minutes_the_legs_still_land_in_turn(walked):
    """The last half minute's landings of each leg, within 5 percent of a cycle of the table."""
    character, air, sampled = walked
    cycle = sampled[-1].gait.cycle
    recent = air[-round(30.0 / DT) :]
    landed = [[n for n in range(1, len(recent)) if recent[n - 1][i] and not recent[n][i]] for i in range(8)]
    offsets = pattern("WAVE", 8).offsets
    for i, rows in enumerate(landed):
        assert len(rows) >= 0.8 * 30.0 / cycle
        for n in rows[1:-1]:
            before = max(m for m in landed[0] if m <= n) if landed[0][0] <= n else None
            if before is not None:
                apart = ((n - before) * DT / cycle - (offsets[i] - offsets[0]) + 0.5) % 1.0 - 0.5
                assert abs(apart) < 0.05 + 1.5 * DT / cycle


def test_in_five_minutes_no_two_neighbours_of_a_side_are_in_the_air_together(walked):
    _, air, _ = walked
    pairs = [(i, i + 2) for i in range(6)]
    assert [n for n, up in enumerate(air) if any(up[a] and up[b] for a, b in pairs)] == []


def test_no_foot_was_ever_left_behind(walked):
    character, _, sampled = walked
    reach = max(sum(leg.lengths) for leg in character.rig.legs)
    for memory in sampled:
        for foot, leg in zip(memory.gait.feet, character.rig.legs, strict=True):
            away = hypot(foot.ball[0] - memory.travel.place.x, foot.ball[1] - memory.travel.place.y)
            assert away < hypot(leg.hip.x, leg.hip.y) + reach
