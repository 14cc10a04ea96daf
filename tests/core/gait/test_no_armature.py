"""Gaits planned for a few numbers with no armature at all, at any size of the body."""

import pytest
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Intent, Place
from surefoot.core.control.point import move, stand
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.gait import ProceduralGait
from surefoot.core.gait.patterns import speed_at
from surefoot.core.gait.shape import BodyShape, make_legs
from surefoot.core.presets import auto_gait, gait_names, pattern
from surefoot.core.world.solids import Flat


def landings(shape: BodyShape, name: str, speed: float) -> dict[str, int]:
    """How often each foot lands in 5 seconds of 60 ticks straight on over level ground, without any armature."""
    count = len(shape.legs)
    patterns = {name: pattern(name, count) for name in gait_names() if pattern(name, count)}
    gait, ground = ProceduralGait(shape, GaitConfig(), patterns, auto_gait(count)), Flat()
    config = ControlConfig(leg=shape.leg_length)
    travel = stand(Place(0.0, 0.0, 0.0, 0.0), config, ground)
    memory = gait.start(travel, ground)
    landed: dict[str, int] = {}
    for _ in range(300):
        travel = move(travel, Intent((0.0, -speed), 0.0), config, ground, 1.0 / 60.0)

        def predict(seconds: float, here: Place = travel.place, velocity: tuple = travel.velocity) -> Place:
            return Place(here.x + velocity[0] * seconds, here.y + velocity[1] * seconds, here.z, here.heading)

        gait.tick(memory, travel, predict, ground, 1.0 / 60.0, name)
        for event, role in memory.events:
            if event == "LANDING":
                landed[role] = landed.get(role, 0) + 1
    return landed


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_a_gait_is_planned_for_four_numbers_with_no_armature_at_all(count: int):
    shape = make_legs(count, 0.8, 0.3, 0.5)
    landed = landings(shape, "AUTO", 0.6)
    assert set(landed) == {leg.role for leg in shape.legs}
    assert max(landed.values()) - min(landed.values()) <= 1


@pytest.mark.parametrize("hips", [0.05, 0.02, 0.01])
def test_no_foot_of_a_small_body_misses_its_turn_though_a_stride_takes_few_ticks(hips: float):
    """The share of the stride in which a foot may lift is shorter than a tick for the smallest: it lifts all the same,
    once in every stride.
    """
    landed = landings(make_legs(6, 2.0 * hips, 2.0 * hips, hips), "WAVE", speed_at(0.07, hips))
    assert len(landed) == 6
    assert max(landed.values()) - min(landed.values()) <= 1
