"""Walking in a performer's manner: the preset that a performance becomes, and the walk that comes of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.clip_joints import clip_of_walk, mean_profile, profiles
from support.performers import SPEEDS, clip_of, performance, rig_of
from support.walk import Walk, walk
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.gait.performance import gait_table
from surefoot.core.gait.performed import performed_from, played_timing
from surefoot.core.measure.gait_chart import chart
from surefoot.core.measure.report import report
from surefoot.core.motion.gait_bake import bake_gait
from surefoot.core.motion.gait_curves import SAMPLES, at_phase, curves_from
from surefoot.core.preset_text import preset_text
from surefoot.core.presets import (
    GAIT_VERSION,
    PresetError,
    check_gait,
    gait_title,
    own_gait_names,
    own_gait_problems,
    pattern,
    use_own_gaits,
)
from surefoot.core.world.solids import Flat, Stairs

WHO = ("person", "dog")


def table_of(who: str, name: str = "MINE") -> dict:
    """The preset of a performance."""
    return gait_table(bake_gait(clip_of(who)).curves, name, name.title(), "From a test.", GAIT_VERSION)


@pytest.fixture
def own_gaits(tmp_path: Path) -> Iterator[Path]:
    """An empty folder for the user's own gaits."""
    use_own_gaits(tmp_path)
    yield tmp_path
    use_own_gaits(None)


def keep(folder: Path, who: str) -> None:
    """Save a performance as the user's gait MINE."""
    (folder / "mine.toml").write_text(preset_text(table_of(who)), encoding="utf-8")
    use_own_gaits(folder)


def walked(who: str, folder: Path, speed: float | None = None, world: object = None) -> Walk:
    """A walk in the performer's gait."""
    keep(folder, who)
    config = CharacterConfig(gait="PRESET", gait_preset="mine")
    speed = SPEEDS[who] if speed is None else speed
    return walk(rig_of(who), world or Flat(), speed=speed, seconds=7.0, fps=60.0, config=config)


def test_the_preset_reads_back_as_it_was_written():
    table = table_of("person")
    assert tomllib.loads(preset_text(table)) == table
    assert check_gait(table, "mine.toml") is table


def test_text_with_quotes_backslashes_and_other_scripts_survives():
    rows = [{"a": [1, 2.5]}, {"b": True}]
    table = {"about": 'a "b" \\ c\n', "name": "歩き", "more": {"deep": {"x": -1e-9}}, "rows": rows}
    assert tomllib.loads(preset_text(table)) == table


def test_the_curves_of_the_preset_are_those_of_the_bake():
    curves = bake_gait(clip_of("person")).curves
    read = curves_from(table_of("person")["curves"], "mine")
    assert read.speed == pytest.approx(curves.speed, abs=1e-5)
    assert read.feet[1].pitch == pytest.approx(curves.feet[1].pitch, abs=1e-4)
    assert read.bob == pytest.approx(curves.bob, abs=1e-5)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("period",), 0.0, "curves.period"),
        (("feet",), [], "curves.feet"),
        (("body", "bob"), [0.0] * (SAMPLES - 1), "curves.body.bob"),
        (("feet", 0, "lift"), [9.0] * SAMPLES, r"curves.feet\[0\].lift"),
        (("arms",), [{}], "curves.arms"),
    ],
)
def test_damaged_curves_are_refused_with_their_place(place, value, said):
    table = tomllib.loads(preset_text(table_of("person")))
    holder = table["curves"]
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    with pytest.raises(PresetError, match=f"mine.toml: {said}"):
        check_gait(table, "mine.toml")


def test_curves_of_two_feet_are_no_gait_for_four_legs():
    table = table_of("person")
    table["legs"]["4"] = {"duty": 0.6, "offsets": [0.0, 0.5, 0.25, 0.75]}
    with pytest.raises(PresetError, match="curves are of 2 feet"):
        check_gait(table, "mine.toml")


def test_an_own_gait_is_known_by_name_and_its_damaged_neighbour_by_a_sentence(own_gaits: Path):
    keep(own_gaits, "person")
    (own_gaits / "bad.toml").write_text("version = ", encoding="utf-8")
    (own_gaits / "walk.toml").write_text(preset_text(table_of("person", "WALK")), encoding="utf-8")
    use_own_gaits(own_gaits)
    assert own_gait_names() == ("MINE",)
    assert gait_title("MINE") == "Mine"
    assert pattern("MINE", 2).performed is not None
    assert pattern("MINE", 4) is None
    assert [sentence.split(":")[0] for sentence in own_gait_problems()] == ["bad.toml", "walk.toml"]


def test_a_performer_with_other_legs_is_said_to_be_of_no_use(own_gaits: Path):
    keep(own_gaits, "dog")
    character = Character(rig_of("person"), CharacterConfig(gait="PRESET", gait_preset="MINE"))
    assert "Mine is not made for 2 legs" in str(character.problems[0])


@pytest.mark.parametrize("who", WHO)
def test_timing_footfall_and_stance_are_the_performers(who, own_gaits: Path):
    settled = walked(who, own_gaits).settled(3.0)
    curves = bake_gait(clip_of(who)).curves
    charts = chart(settled.track(), settled.contacts())
    first = curves.feet[0].offset
    cycle = settled.memories[-1].gait.cycle
    assert cycle == pytest.approx(curves.period, rel=0.03)
    for leg, foot in zip(rig_of(who).legs, curves.feet, strict=True):
        found = charts[leg.role]
        assert abs((found.phase_offset - (foot.offset - first) + 0.5) % 1.0 - 0.5) <= 0.05
        assert found.duty_factor == pytest.approx(foot.duty, abs=0.06)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("share", [0.5, 1.0, 1.3])
def test_planted_feet_stay_where_they_are_at_the_performers_and_other_speeds(who, share, own_gaits: Path):
    settled = walked(who, own_gaits, SPEEDS[who] * share).settled(3.0)
    measured = report(settled.track(), settled.contacts())
    for foot in measured["feet"].values():
        assert foot["slide_max_m"] <= 0.0005
        assert max(contact["below_m"] for contact in foot["contacts"]) <= 0.002
    assert settled.extension <= 0.9951


def test_the_knee_is_the_performers_to_five_degrees(own_gaits: Path):
    ours = walked("person", own_gaits).settled(3.0)
    knees = []
    for take in (performance("person"), ours):
        # Contacts as they are found in any clip: those of a plan and those of a performer do not mean quite the same.
        mean = mean_profile(profiles(clip_of_walk(take)))
        assert mean["strides"] >= 2
        knees.append(np.array([mean["knee"], mean["knee_right"]]))
    assert np.abs(knees[0] - knees[1]).mean() <= 5.0


def test_a_stair_is_climbed_without_the_performers_swing(own_gaits: Path):
    stairs = Stairs(rise=0.17, tread=0.30, count=6, start=2.0)
    climbed = walked("person", own_gaits, 0.8, stairs)
    measured = report(climbed.track(), climbed.contacts())
    for foot in measured["feet"].values():
        assert foot["slide_max_m"] <= 0.002


def test_feet_that_slide_throughout_lose_nothing_of_their_stance():
    curves = bake_gait(clip_of("person")).curves
    sliding = replace(curves, feet=tuple(replace(foot, forward=(0.0,) * SAMPLES) for foot in curves.feet))
    offsets, duties = played_timing(sliding)
    assert offsets == pytest.approx([foot.offset for foot in curves.feet])
    assert duties == pytest.approx([foot.duty for foot in curves.feet])


def test_a_swing_begins_and_ends_on_its_footholds():
    curves = bake_gait(clip_of("person")).curves
    for foot in performed_from(curves, *played_timing(curves)).feet:
        share, height, aside, pitch = foot.shape
        assert (share[0], share[-1]) == pytest.approx((0.0, 1.0), abs=1e-9)
        assert (height[0], height[-1]) == pytest.approx((0.0, 0.0), abs=1e-9)
        assert (aside[0], aside[-1]) == pytest.approx((0.0, 0.0), abs=1e-9)
        assert max(height) == pytest.approx(1.0)
        assert foot.landing_pitch == pytest.approx(min(0.0, pitch[-1]))


def test_a_curve_goes_through_its_samples_and_round():
    curve = tuple(float(np.sin(2.0 * np.pi * k / SAMPLES)) for k in range(SAMPLES))
    assert at_phase(curve, 3 / SAMPLES) == pytest.approx(curve[3])
    assert at_phase(curve, -1 / SAMPLES) == pytest.approx(curve[-1])
    assert at_phase(curve, 0.1234) == pytest.approx(np.sin(2.0 * np.pi * 0.1234), abs=1e-3)


def test_a_foot_in_the_air_keeps_its_pitch_and_place_when_the_gait_changes(own_gaits: Path):
    keep(own_gaits, "person")
    character = Character(rig_of("person"), CharacterConfig(gait="PRESET", gait_preset="MINE"))
    world, inputs, dt = Flat(), Inputs(speed=1.3), 1.0 / 60.0
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    for _ in range(240):
        character.tick(memory, inputs, world, dt)
    while not 0.4 < max(foot.progress for foot in memory.gait.feet) < 0.5:
        character.tick(memory, inputs, world, dt)
    swinging = max(range(2), key=lambda i: memory.gait.feet[i].progress)
    steps = []
    inputs = Inputs(speed=1.3, gait="WALK")
    for _ in range(6):
        before = memory.gait.feet[swinging]
        pitch, ball = before.pitch, before.ball
        character.tick(memory, inputs, world, dt)
        after = memory.gait.feet[swinging]
        steps.append((abs(after.pitch - pitch), np.linalg.norm(np.subtract(after.ball, ball))))
    assert memory.gait.gait == "WALK"
    assert steps[0][0] <= 1.5 * max(step[0] for step in steps[1:]) + 0.02
    assert steps[0][1] <= 1.5 * max(step[1] for step in steps[1:])
