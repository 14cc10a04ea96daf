"""With which foot a body on two legs sets out."""

from __future__ import annotations

from math import cos, radians, sin

import pytest
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.rig.pose import model_matrices
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat

FPS, SECONDS, AWAY = 24, 2.5, 6.0
# Legs that hang side by side have their knees 0.184 m apart; a thigh is 0.17 m thick: less than a third of that is
# legs through each other.
APART = 0.06


def set_out(angle: float, speed: float) -> tuple[float, list[str]]:
    """A person sets out to a place that is turned away by an angle (degrees): how far apart its knees are at least,
    across its own facing (metres), and the legs that lift, in order.
    """
    rig, turn = rig_of("person"), radians(angle)
    character, world = Character(rig, CharacterConfig(director="TARGET")), Flat()
    inputs = Inputs(speed=speed, target=Place(AWAY * sin(turn), -AWAY * cos(turn), 0.0, 0.0))
    memory, ticks = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world), ticks_per_frame(FPS)
    apart, lifted = [], []
    for _ in range(round(SECONDS * FPS)):
        for _ in range(ticks):
            character.tick(memory, inputs, world, 1.0 / (FPS * ticks))
            lifted += [leg for event, leg in memory.gait.events if event == "LIFT_OFF"]
        matrices = model_matrices(rig.skeleton, character.frame(memory, inputs, world, 1.0 / FPS))
        left, right = (matrices[leg.bones[1]].translation.x for leg in rig.legs)
        apart.append(left - right)
    return min(apart), lifted


@pytest.mark.parametrize("speed", [0.8, 1.4])
@pytest.mark.parametrize("angle", [0.0, 45.0, 60.0, 90.0, 120.0, 150.0, 175.0])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_no_knee_crosses_the_other_whichever_way_a_person_turns_as_it_sets_out(side, angle, speed):
    assert set_out(side * angle, speed)[0] > APART


@pytest.mark.parametrize(("angle", "first"), [(60.0, "leg.R"), (-60.0, "leg.L"), (120.0, "leg.R"), (-120.0, "leg.L")])
def test_who_turns_as_it_sets_out_begins_with_the_foot_on_the_outside(angle, first):
    assert set_out(angle, 1.4)[1][0] == first


@pytest.mark.parametrize(("angle", "first"), [(170.0, "leg.L"), (-170.0, "leg.R")])
def test_who_faces_about_begins_with_the_foot_on_the_inside(angle, first):
    assert set_out(angle, 1.4)[1][0] == first
