"""Style: each slider moves one named measure one way, and variation makes walkers differ without breaking a step."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from support.grid import rig_of
from support.walk import Walk, walk
from surefoot.core.character import CharacterConfig
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.style import StyleConfig, noise
from surefoot.core.measure.gait_chart import chart
from surefoot.core.world.solids import Flat

SPEED, FPS = 1.3, 60.0
STEPS = frozenset({"bob", "arm_swing", "lean", "sway", "step_height"})


@lru_cache
def walked(name: str = "", value: float = 0.0, variation: float = 0.0, seed: int = 0) -> Walk:
    """Settled strides of a person with one slider moved."""
    style = StyleConfig(variation=variation, seed=seed)
    steps = GaitConfig()
    if name in STEPS:
        steps = replace(steps, **{name: value})
    elif name:
        style = replace(style, **{name: value})
    config = CharacterConfig(style=style, steps=steps)
    return walk(rig_of("person"), Flat(), SPEED, 7.0, FPS, config).settled(2.5)


def cadence(run: Walk) -> float:
    """Steps a minute."""
    landings = [span.start for span in run.contacts()["leg.L"].foot][1:]
    return 120.0 * FPS / float(np.mean(np.diff(landings)))


def duty(run: Walk) -> float:
    """The stance share."""
    return float(chart(run.track(), run.contacts())["leg.L"].duty_factor)


def width(run: Walk) -> float:
    """Metres from left prints to right ones, across the travel."""
    left, right = ({frame.feet[i].foothold[0] for frame in run.frames if frame.feet[i].planted} for i in (0, 1))
    return float(np.mean(list(left)) - np.mean(list(right)))


def lift(run: Walk) -> float:
    """The highest that a ball comes over the ground, metres."""
    return max(memory.gait.feet[0].ball[2] for memory in run.memories)


def rise(run: Walk) -> float:
    """How far the pelvis rises and sinks, metres."""
    return float(np.ptp([memory.gait.body.offset[2] for memory in run.memories]))


def arms(run: Walk) -> float:
    """How far the left upper arm swings, radians."""
    bone = run.rig.arms[0].bones[0]
    return float(np.ptp([2.0 * np.arccos(min(1.0, abs(frame.rotations[bone][0]))) for frame in run.frames]))


def trunk(run: Walk) -> float:
    """How far the trunk leans forward on average, radians."""
    return float(np.mean([memory.gait.body.lean for memory in run.memories]))


def straightest(run: Walk) -> float:
    """The largest extension of a leg that stands."""
    return max(
        report.extensions[0] for report, m in zip(run.reports, run.memories, strict=True) if m.gait.feet[0].planted
    )


def unevenness(run: Walk) -> float:
    """How much longer right feet stand than left ones, in cycles."""
    rows = chart(run.track(), run.contacts())
    return float(rows["leg.R"].duty_factor - rows["leg.L"].duty_factor)


SLIDERS = [
    ("energy", (-1.0, 0.0, 1.0), cadence, 1),
    ("weight", (-1.0, 0.0, 1.0), duty, 1),
    ("stance_width", (-1.0, 0.0, 1.0), width, 1),
    ("slouch", (-1.0, 0.0, 1.0), trunk, 1),
    ("softness", (0.0, 0.5, 1.0), straightest, -1),
    ("asymmetry", (-1.0, 0.0, 1.0), unevenness, 1),
    ("step_height", (0.03, 0.08, 0.2), lift, 1),
    ("bob", (0.3, 1.0, 1.4), rise, 1),
    ("arm_swing", (0.0, 1.0, 2.0), arms, 1),
]


@pytest.mark.parametrize(
    ("name", "values", "measure", "way"), SLIDERS, ids=lambda item: str(item) if isinstance(item, str) else ""
)
def test_a_slider_moves_its_measure_one_way(name: str, values: tuple[float, ...], measure, way: int):
    measured = [way * measure(walked(name, value)) for value in values]
    assert measured == sorted(measured)
    assert measured[1] - measured[0] > 0.02 * abs(measured[-1] - measured[0]) > 0.0


@pytest.mark.parametrize("value", [-1.0, 1.0])
@pytest.mark.parametrize("name", ["energy", "weight", "stance_width", "slouch", "asymmetry"])
def test_in_every_style_feet_stay_where_they_land(name: str, value: float):
    assert slide(walked(name, value)) <= 0.0005


def test_however_uneven_the_strides_feet_stay_where_they_land():
    assert slide(walked(variation=3.0, seed=5)) <= 0.0005


def slide(run: Walk) -> float:
    """The most that a planted heel or ball moves along the ground between two frames, summed over a contact, metres."""
    from surefoot.core.measure.slide import contact_slide

    track, contacts = run.track(), run.contacts()
    return max(
        contact_slide(track, foot, contacts[foot.role], span).distance
        for foot in track.feet
        for span in contacts[foot.role].foot[1:-1]
    )


def test_no_two_seeds_are_in_step_after_some_strides():
    phases = sorted(walked(variation=1.0, seed=seed).memories[-1].gait.phase for seed in range(8))
    assert min(np.diff(phases)) > 1e-3
    assert np.ptp(phases) > 0.2


def test_with_variation_the_seed_says_which_foot_is_first():
    def first_foot(seed: int, variation: float) -> str:
        config = CharacterConfig(style=StyleConfig(seed=seed, variation=variation))
        run = walk(rig_of("person"), Flat(), SPEED, 1.0, FPS, config)
        return next(role for memory in run.memories for event, role in memory.gait.events if event == "LIFT_OFF")

    assert [first_foot(seed, 0.5) for seed in range(4)] == ["leg.L", "leg.R", "leg.L", "leg.R"]
    assert [first_foot(seed, 0.0) for seed in range(4)] == ["leg.L"] * 4


def test_the_same_seed_walks_the_same_walk_to_the_bit():
    one, two = (
        walk(rig_of("person"), Flat(), SPEED, 3.0, FPS, CharacterConfig(style=StyleConfig(variation=1.0, seed=4)))
        for _ in range(2)
    )
    assert repr(one.memories[-1]) == repr(two.memories[-1])


def test_without_variation_the_seed_changes_nothing():
    assert repr(walked(seed=1).memories[-1]) == repr(walked(seed=2).memories[-1])


def test_noise_is_between_minus_one_and_one_and_about_even():
    values = [noise(seed, stride, 3) for seed in range(20) for stride in range(50)]
    assert -1.0 <= min(values) < -0.98
    assert 0.98 < max(values) <= 1.0
    assert abs(np.mean(values)) < 0.05
