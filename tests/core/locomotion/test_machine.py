"""The machine: what a press becomes, at every rate and every size; and that nothing changes where it is off."""

from __future__ import annotations

from dataclasses import replace
from math import dist, sqrt

import pytest
from support.grid import rig_of
from support.runner import AHEAD, Runner, past, pressing
from support.surroundings import box, on_floor
from surefoot.core.character import NO_SHAPE, Character, CharacterConfig
from surefoot.core.control.intent import NO_PAD, Inputs, Pad, Place
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.machine_config import MachineConfig
from surefoot.core.locomotion.registry import STATES
from surefoot.core.parkour_presets import USUAL, parkour, parkour_tables
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat, Stairs
from surefoot.core.world.rooms import Block
from surefoot.core.world.solid import Solid

RATES = (15, 24, 60, 120)


def test_with_nothing_ahead_a_press_is_a_jump():
    runner = Runner(Flat()).go(0.5, AHEAD).go(0.2, AHEAD._replace(go_up=True))
    assert runner.states == ["GROUNDED", "AIRBORNE"]
    assert runner.capsule.velocity[2] > 0.0


def test_the_jump_of_a_press_is_buffered_like_any_other():
    runner = Runner(Flat()).go(0.2, Pad(jump=True)).go(0.55)
    assert runner.capsule.feet[2] > 0.1
    runner.go(0.1, Pad(go_up=True)).go(0.3)
    assert runner.states == ["AIRBORNE", "GROUNDED", "AIRBORNE"] or runner.states.count("AIRBORNE") == 2


def test_one_press_is_one_move():
    two = on_floor(box(1.0, 0.1, gap=0.9), box(1.0, 0.1, gap=3.5))
    assert Runner(two).go(3.0, AHEAD._replace(go_up=True)).moves == []
    assert Runner(two).go(3.0, pressing(past(-0.3))).moves == ["VAULTING"]


def test_crouched_it_goes_up_nothing():
    for thing in (box(1.0, 0.1, gap=0.6), box(1.5, gap=0.6)):
        runner = Runner(on_floor(thing)).go(0.3, Pad(crouch=True)).go(0.2, Pad(crouch=True, go_up=True))
        assert runner.moves == []


def test_why_a_press_was_refused_is_told_until_it_has_landed():
    runner = Runner(on_floor(box(1.5, 0.1, gap=1.2))).go(0.6, pressing(past(-0.6)))
    assert runner.memory.reason == "Its top is too narrow to stand on."
    assert runner.memory.state == "AIRBORNE"
    runner.go(1.5)
    assert (runner.memory.state, runner.memory.reason) == ("GROUNDED", "")
    far = Runner(Flat()).go(0.2, AHEAD._replace(go_up=True))
    assert far.memory.reason == ""


def test_walking_with_nothing_pressed_no_look_is_taken():
    class Counting:
        asked = 0

        def __init__(self, world: Solid) -> None:
            self._world = world

        def __getattr__(self, name: str):
            if name in {"cast_ray", "cast_sphere", "capsule_fits", "nearest"}:
                type(self).asked += 1
            return getattr(self._world, name)

    Runner(Counting(Flat())).go(1.0, AHEAD)
    plain, Counting.asked = Counting.asked, 0
    runner = Runner(Counting(Flat()))
    runner.go(1.0, lambda one: AHEAD._replace(go_up=one.time > 0.98))
    assert plain < Counting.asked


def test_a_teleport_in_the_middle_of_a_move_ends_it():
    character = Character(rig_of("person"), CharacterConfig(body="CAPSULE", director="INPUT", parkour=True))
    inputs = Inputs(3.0, pad=Pad(0.0, -1.0, go_up=True))
    world = on_floor(box(1.0, 0.1, gap=0.6))
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(3.0), world)
    for _ in range(10):
        character.tick(memory, inputs, world, 1.0 / 60.0)
    assert memory.state.state == "VAULTING"
    character.tick(memory, replace(inputs, moved_to=Place(5.0, 5.0, 0.0, 1.0)), world, 1.0 / 60.0)
    assert memory.state.state == "GROUNDED"
    assert memory.travel.place[:3] == pytest.approx((5.0, 5.0, 0.0))


# Rates.


PRESSES = (2.0 / 3.0, 7.0 / 3.0, 14.0 / 3.0)
SLIDES, STOPS, SHORT = 6.0, 7.0, 3.8


def lane(time: float) -> Pad:
    """A take: what was pressed when. Its times are whole frames at every rate."""
    now = time + 1e-4
    pressed = any(at <= now < at + 0.2 for at in PRESSES)
    return Pad(0.0, -1.0, go_up=pressed, crouch=SLIDES <= now < SLIDES + 0.2) if now < STOPS else NO_PAD


THINGS = (box(1.0, 0.1, gap=2.3), box(1.6, 2.0, gap=7.2), Block((-2.0, -12.4, -1.0), (2.0, -11.7, 0.9)))
LANE = on_floor(*THINGS)


def played(fps: int, seconds: float = 7.2) -> Runner:
    return Runner(LANE, fps=fps, speed=3.0).go(seconds, lambda one: lane(one.time))


def test_the_same_take_is_the_same_moves_with_the_same_ends_at_every_rate():
    runs = [played(fps) for fps in RATES]
    assert runs[0].moves == ["VAULTING", "CLIMBING", "VAULTING", "SLIDING"]
    assert [run.moves for run in runs] == [runs[0].moves] * len(RATES)
    ends = [run.capsule.feet for run in runs]
    assert max(dist(a, b) for a in ends for b in ends) < 0.05
    for name in set(runs[0].moves):
        last = [run.of(name)[-1].feet for run in runs]
        first = [run.of(name)[0].feet for run in runs]
        # Ticks end at other moments of a move; what they lie apart is less than one of them at its speed.
        assert max(abs(a[1] - b[1]) for a in last for b in last) < 3.0 / 48.0 + 0.05
        assert max(abs(a[1] - b[1]) for a in first for b in first) < 3.0 / 48.0 + 0.05


def test_two_runs_are_equal_to_the_bit():
    one, other = played(24, SHORT), played(24, SHORT)
    assert repr(one.seen) == repr(other.seen)
    assert repr((one.capsule, one.memory)) == repr((other.capsule, other.memory))


@pytest.mark.parametrize("at", [0.9, 2.8])
def test_from_a_copy_in_the_middle_of_a_move_it_goes_on_to_the_bit(at: float):
    one = played(24, at)
    other = Runner(LANE, fps=24, speed=3.0)
    other.time, other.ticks, other.travel = one.time, one.ticks, replace(one.travel)
    other.capsule, other.memory, other.director = one.capsule.copy(), one.memory.copy(), one.director.copy()
    assert one.memory.state in STATES
    one.go(1.2, lambda runner: lane(runner.time))
    other.go(1.2, lambda runner: lane(runner.time))
    assert repr((one.capsule, one.memory, one.travel)) == repr((other.capsule, other.memory, other.travel))


# Sizes.


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_a_body_of_another_size_does_the_same_in_a_world_of_its_size(size: float):
    def grown(block: Block) -> Block:
        return Block(tuple(v * size for v in block.low), tuple(v * size for v in block.high))

    usual, tempo = played(60, SHORT), sqrt(size)
    other = Runner(on_floor(*map(grown, THINGS)), fps=60, speed=3.0 * tempo, size=size)
    # Its steering at its own tempo too, so that it comes where the other comes.
    steering = other.control.steering
    rates = {name: getattr(steering, name) / tempo for name in ("course_rate", "sprint_course_rate", "facing_rate")}
    other.control = replace(other.control, steering=replace(steering, **rates))
    other.go(SHORT * tempo, lambda one: lane(one.time / tempo))
    assert other.moves == usual.moves == ["VAULTING", "CLIMBING"]
    for name in usual.moves:
        a, b = usual.of(name)[-1], other.of(name)[-1]
        assert b.feet[1] / size == pytest.approx(a.feet[1], abs=0.15)
        # A tick is longer for a small body: it begins up to two of them apart.
        assert len(other.of(name)) == pytest.approx(tempo * len(usual.of(name)), abs=3)


def test_lengths_go_with_the_leg_and_speeds_and_times_with_its_root():
    usual, large = ParkourConfig(), ParkourConfig().sized(3.6)
    assert large.surroundings.walk_reach == pytest.approx(4.0 * usual.surroundings.walk_reach)
    assert large.vault.shortest == pytest.approx(2.0 * usual.vault.shortest)
    assert large.climb.speed == pytest.approx(2.0 * usual.climb.speed)
    assert large.vault.keeps == usual.vault.keeps
    assert large.surroundings.square == usual.surroundings.square


# Off, it is not there.


def test_a_body_that_may_but_is_told_nothing_goes_as_one_that_may_not():
    world = Union(Stairs(0.17, 0.3, count=6, start=1.0), Block((-3.0, -9.0, -1.0), (3.0, -8.0, 5.0)))
    ways = []
    for parkour_on in (False, True):
        config = CharacterConfig(body="CAPSULE", director="INPUT", parkour=parkour_on)
        character = Character(rig_of("person"), config)
        inputs = Inputs(1.4, pad=Pad(0.0, -1.0))
        memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
        for _ in range(160):
            character.tick(memory, inputs, world, 1.0 / 48.0)
        ways.append((repr(memory.travel), repr(memory.capsule), repr(memory.gait)))
        assert (memory.state is not None) is parkour_on
    assert ways[0] == ways[1]


def test_a_point_has_it_not_and_says_what_to_do():
    character = Character(rig_of("person"), CharacterConfig(parkour=True))
    assert character.parkour is None
    assert character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(1.0), Flat()).state is None
    assert NO_SHAPE in character.problems
    assert NO_SHAPE not in Character(rig_of("person"), CharacterConfig()).problems


def test_a_dog_goes_over_a_fence_of_its_size_too():
    character = Character(rig_of("dog"), CharacterConfig(body="CAPSULE", director="INPUT", parkour=True))
    size = character.rig.leg_length / 0.9
    world = on_floor(box(0.9 * size, 0.1 * size, gap=0.65 * size))
    memory, seen = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(1.0), world), []
    for number in range(90):
        character.tick(memory, Inputs(1.0, pad=Pad(0.0, -1.0, go_up=number > 3)), world, 1.0 / 60.0)
        seen.append(memory.state.state)
    assert "VAULTING" in seen
    assert memory.travel.place.y < -0.75 * size


def test_a_character_with_legs_goes_through_the_lane_and_its_feet_stand_again_behind_it():
    config = CharacterConfig(body="CAPSULE", director="INPUT", parkour=True)
    character, world = Character(rig_of("person"), config), on_floor(box(0.9, 0.1, gap=1.6))
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(2.0), world)
    count, seen = ticks_per_frame(24), []
    for _ in range(60):
        inputs = Inputs(2.0, pad=Pad(0.0, -1.0, go_up=memory.travel.place.y < -0.95))
        for _ in range(count):
            character.tick(memory, inputs, world, 1.0 / 24.0 / count)
        frame = character.frame(memory, inputs, world, 1.0 / 24.0)
        seen.append((memory.state.state, any(foot.planted for foot in frame.feet)))
    vaulted = [planted for state, planted in seen if state == "VAULTING"]
    # A foot may push while the body leaves the ground; none stands from then on.
    assert len(vaulted) > 8
    assert not any(vaulted[5:])
    assert seen[-1] == ("GROUNDED", True)
    assert memory.travel.place.y < -3.0


# Presets.


def test_the_usual_preset_is_the_defaults_and_an_unknown_name_is_the_usual_one():
    assert USUAL in parkour_tables()
    assert parkour(USUAL) == ParkourConfig()
    assert parkour("NOBODY'S") == parkour(USUAL)


def test_a_sprint_that_has_only_begun_is_none():
    ledge = on_floor(box(2.1, gap=0.6))
    config = replace(ParkourConfig(), machine=MachineConfig(sprints_from=0.0))
    press = Pad(0.0, -1.0, sprint=True, go_up=True)
    assert Runner(ledge).go(0.1, press).moves == []
    assert Runner(ledge, config=config).go(0.1, press).moves == ["CLIMBING"]


@pytest.mark.parametrize(("waits", "kept"), [(0.2, 2.7), (0.35, 0.0)])
def test_a_run_that_a_wall_has_just_stopped_goes_over_it_as_a_run(waits: float, kept: float):
    """It stands still before the fence from 0.57 m on; a press that comes a quarter of a second later is in time."""
    runner = Runner(on_floor(box(1.0, 0.1, gap=1.2)), fps=120)
    runner.go(1.0, AHEAD, until=lambda one: one.time > 0.2 and one.pace == 0.0)
    runner.go(waits - 1.0 / 120.0, AHEAD)
    runner.go(1.0, AHEAD._replace(go_up=True), until=lambda one: "VAULTING" in one.states)
    assert 0.9 * runner.memory.speed == pytest.approx(kept, abs=0.01)
