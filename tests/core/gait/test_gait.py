"""The clock, and what feet do by it: one phase for all, strain, resettling, starts, changes of gait, jumps."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import cos, dist, hypot, pi

import pytest
from support.grid import rig_of
from support.walk import Walk, walk
from surefoot.core.character import CharacterConfig
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.gait.config import GaitConfig
from surefoot.core.gait.gait import ProceduralGait
from surefoot.core.gait.memory import FootMemory
from surefoot.core.gait.patterns import speed_at
from surefoot.core.gait.shape import BodyShape
from surefoot.core.measure.gait_chart import chart
from surefoot.core.presets import auto_gait, gait_names, pattern
from surefoot.core.world.solids import Blocks, Flat, Hills, Solid, Stairs

FPS = 60.0
WHO = ("person", "dog", "spider", "hexapod")
FROUDE = {
    "WALK": 0.15,
    "RUN": 1.0,
    "TROT": 0.7,
    "PACE": 0.7,
    "CANTER": 1.5,
    "GALLOP": 3.0,
    "BOUND": 2.0,
    "PRONK": 0.8,
    "TRIPOD": 0.3,
    "WAVE": 0.07,
    "SPRINT": 6.0,
    "SNEAK": 0.06,
    "MARCH": 0.22,
    "LIMP": 0.1,
}
GAITS = [(who, name) for who in WHO for name in gait_names() if pattern(name, len(rig_of(who).legs)) is not None]


@lru_cache
def walked(who: str, gait: str = "AUTO", froude: float = 0.15, ground: str = "flat", seconds: float = 5.0) -> Walk:
    """A walk whose frames are single ticks."""
    rig = rig_of(who)
    scale = rig.leg_length / 0.9
    grounds: dict[str, Callable[[], Solid]] = {
        "flat": Flat,
        "hills": lambda: Hills(0.3 * scale, 4.0 * scale),
        "stairs": lambda: Stairs(-0.17 * scale, 0.3 * scale, count=20, start=1.5 * scale),
        "blocks": lambda: Blocks(7, 0.35 * scale, 0.0, 0.2 * scale),
    }
    config = CharacterConfig(gait=gait, control=ControlConfig(acceleration=100.0, deceleration=100.0))
    return walk(rig, grounds[ground](), speed_at(froude, rig.leg_length), seconds, FPS, config)


def feet(walked: Walk) -> Iterator[tuple[int, list[FootMemory]]]:
    """Each foot's memories over the ticks."""
    for i in range(len(walked.rig.legs)):
        yield i, [memory.gait.feet[i] for memory in walked.memories]


def swings(walked: Walk) -> Iterator[tuple[int, int, int]]:
    """(leg, first tick in the air, first tick down again) of each whole swing."""
    for i, rows in feet(walked):
        start = None
        for n in range(1, len(rows)):
            if rows[n - 1].planted and not rows[n].planted:
                start = n
            elif rows[n].planted and not rows[n - 1].planted and start is not None:
                yield i, start, n


def steps(walked: Walk) -> list[float]:
    """How far the ball of any foot moves from a tick to the next, metres."""
    return [dist(a.ball, b.ball) for _, rows in feet(walked) for a, b in zip(rows, rows[1:], strict=False)]


def test_a_gait_without_legs_is_refused():
    with pytest.raises(ValueError, match="needs legs"):
        ProceduralGait(BodyShape((), 1.0), GaitConfig(), {}, auto_gait(2))


@pytest.mark.parametrize("who", WHO)
def test_a_body_starts_with_all_feet_at_their_rest_places(who: str):
    rig = rig_of(who)
    first = walked(who).memories[0].gait
    assert all(foot.planted for foot in first.feet)
    for foot, leg in zip(first.feet, rig.legs, strict=True):
        assert foot.ball[:2] == pytest.approx((leg.sole.ball.x, leg.sole.ball.y), abs=1e-5)


@pytest.mark.parametrize(("who", "gait"), GAITS)
def test_feet_land_and_stand_as_the_gait_s_table_says(who: str, gait: str):
    """Phase offsets within 0.03 of a cycle of the table, duty factors within 0.03, from the contacts alone."""
    settled = walked(who, gait, FROUDE[gait]).settled(2.0)
    wanted = pattern(gait, len(settled.rig.legs))
    rows = chart(settled.track(), settled.contacts())
    for i, (leg, offset) in enumerate(zip(settled.rig.legs, wanted.offsets, strict=True)):
        apart = (rows[leg.role].phase_offset - (offset - wanted.offsets[0]) + 0.5) % 1.0 - 0.5
        assert abs(apart) < 0.03
        assert rows[leg.role].duty_factor == pytest.approx(wanted.duty_at(FROUDE[gait]) * wanted.part(i), abs=0.03)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("ground", ["flat", "hills", "blocks"])
def test_one_phase_drives_all_feet(who: str, ground: str):
    for memory in walked(who, ground=ground).memories[1:]:
        for foot in memory.gait.feet:
            apart = (memory.gait.phase - foot.timing[0] - foot.phase + 0.5) % 1.0 - 0.5
            assert apart == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("ground", ["flat", "hills", "stairs", "blocks"])
def test_every_foot_lands_on_time_however_early_it_left(who: str, ground: str):
    """It lands in the tick in which its phase passes 0: never later than one tick's advance."""
    run = walked(who, ground=ground)
    count = 0
    for i, _, end in swings(run):
        gait = run.memories[end].gait
        assert gait.feet[i].phase <= 1.25 / FPS / gait.cycle + 1e-9
        count += 1
    assert count >= 2 * len(run.rig.legs)


def test_a_strained_foot_lifts_early():
    """On rough ground at speed some foot leaves before its turn, but none in the first half of its stance."""
    early = []
    for who in ("person", "dog"):
        run = walked(who, "WALK", 0.3, "stairs")
        early += [run.memories[start].gait.feet[i] for i, start, _ in swings(run)]
    assert all(foot.lift_phase >= 0.5 * foot.timing[1] for foot in early)
    assert any(foot.lift_phase < foot.timing[1] - 1e-6 for foot in early)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("ground", ["flat", "hills", "stairs", "blocks"])
def test_strain_speeds_the_whole_clock_by_a_quarter_at_most(who: str, ground: str):
    run = walked(who, ground=ground)
    for before, after in zip(run.memories, run.memories[1:], strict=False):
        assert 1.0 <= after.gait.hurry <= 1.25
        if after.gait.stepping and before.gait.stepping:
            gone = (after.gait.phase - before.gait.phase) % 1.0
            assert gone == pytest.approx(before.gait.hurry / FPS / after.gait.cycle, abs=1e-9)


def test_rough_ground_strains_and_level_ground_does_not():
    assert max(memory.gait.hurry for memory in walked("person").settled().memories) < 1.02
    assert max(memory.gait.hurry for memory in walked("dog", ground="blocks").memories) > 1.05


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("ground", ["flat", "hills", "stairs"])
def test_a_start_rushes_no_foot(who: str, ground: str):
    """Every swing, the first ones included, has two thirds of its time or more, at the pace of the clock."""
    run = walked(who, ground=ground)
    for i, start, end in swings(run):
        gait = run.memories[start].gait
        shortest = (
            0.65 * (1.0 - gait.feet[i].timing[1]) * min(m.gait.cycle for m in run.memories[start : end + 1]) / 1.25
        )
        assert (end - start + 1) / FPS >= shortest


@pytest.mark.parametrize("who", WHO)
def test_a_planted_foot_does_not_move_by_a_bit_on_still_ground(who: str):
    for _, rows in feet(walked(who, ground="hills")):
        for before, after in zip(rows, rows[1:], strict=False):
            if before.planted and after.planted:
                assert after.ball == before.ball
                assert after.hold == before.hold


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("ground", ["flat", "hills"])
def test_a_foothold_is_frozen_for_the_last_35_percent_of_the_swing(who: str, ground: str):
    for i, start, end in swings(walked(who, ground=ground)):
        rows = [memory.gait.feet[i] for memory in walked(who, ground=ground).memories[start:end]]
        late = [foot.target for foot in rows if foot.progress >= 0.66]
        assert all(target == late[0] for target in late)


@pytest.mark.parametrize("who", WHO)
def test_a_swinging_foot_ends_where_it_was_aimed(who: str):
    run = walked(who, ground="hills")
    for i, _, end in swings(run):
        assert run.memories[end].gait.feet[i].hold == run.memories[end - 1].gait.feet[i].target


def test_the_heel_lifts_late_in_stance_and_lands_first():
    run = walked("person").settled()
    for _, rows in feet(run):
        early = [foot.pitch for foot in rows if foot.planted and foot.phase < 0.03]
        middle = [foot.pitch for foot in rows if foot.planted and 0.12 < foot.phase < 0.2]
        late = [foot.pitch for foot in rows if foot.planted and foot.phase > foot.timing[1] - 0.03]
        assert min(early) < -0.05
        assert middle == pytest.approx([0.0] * len(middle), abs=1e-6)
        assert min(late) > 0.2


def ramped(run_up: float) -> Callable[[float], Inputs]:
    """A speed that rises and falls evenly between 0 and `run_up` in ten seconds."""
    return lambda time: Inputs(speed=run_up * max(0.0, 1.0 - abs(time - 5.0) / 5.0))


@pytest.mark.parametrize(
    ("who", "fastest", "expected"),
    [
        ("person", 0.9, ["RUN", "WALK"]),
        ("dog", 6.0, ["TROT", "CANTER", "GALLOP", "CANTER", "TROT", "WALK"]),
        ("spider", 0.4, ["TRIPOD", "WAVE"]),
    ],
)
def test_an_animal_takes_its_gaits_in_turn_with_an_event_each(who: str, fastest: float, expected: list[str]):
    rig = rig_of(who)
    run = walk(rig, Flat(), seconds=10.0, fps=FPS, inputs=ramped(speed_at(fastest, rig.leg_length)))
    changes = [name for memory in run.memories for event, name in memory.gait.events if event == "GAIT"]
    assert changes == expected


CHANGES = pytest.mark.parametrize(
    ("who", "slow", "fast"),
    [
        ("person", 0.3, 0.8),
        ("dog", 0.3, 0.8),
        ("dog", 1.5, 3.5),
        ("spider", 0.1, 0.3),
        ("hexapod", 0.1, 0.3),
    ],
)


@lru_cache
def changing(who: str, slow: float, fast: float) -> Walk:
    """Eight seconds, in which the speed swings between two Froude numbers and back, twice."""
    rig = rig_of(who)
    low, high = (speed_at(number, rig.leg_length) for number in (slow, fast))
    return walk(
        rig,
        Flat(),
        seconds=8.0,
        fps=FPS,
        inputs=lambda time: Inputs(speed=low + (high - low) * 0.5 * (1.0 - cos(2.0 * pi * time / 4.0))),
    )


@CHANGES
def test_a_gait_changes_in_mid_stride_and_rushes_no_swing(who: str, slow: float, fast: float):
    run = changing(who, slow, fast)
    assert sum(event == "GAIT" for memory in run.memories for event, _ in memory.gait.events) >= 3
    for i, start, end in swings(run):
        foot = run.memories[start].gait.feet[i]
        cycle = min(memory.gait.cycle for memory in run.memories[start : end + 1])
        assert (end - start + 1) / FPS >= 0.65 * (1.0 - foot.timing[1]) * cycle / 1.25


@CHANGES
def test_no_foot_teleports_while_the_gait_changes(who: str, slow: float, fast: float):
    """A foot that goes evenly is at 1.6 times its mean speed in mid-swing; a new aim may add more than that again."""
    run = changing(who, slow, fast)
    for i, start, end in swings(run):
        rows = [memory.gait.feet[i] for memory in run.memories[start - 1 : end + 1]]
        farthest = max(dist(a.ball, b.ball) for a, b in zip(rows, rows[1:], strict=False))
        mean = dist(rows[0].ball, rows[-1].ball) / (end - start)
        assert farthest <= 4.0 * mean + 0.01 * run.rig.leg_length


@CHANGES
def test_a_foot_in_the_air_keeps_its_pace_through_a_change_of_gait(who: str, slow: float, fast: float):
    memories = [memory.gait for memory in changing(who, slow, fast).memories]
    kept = 0
    for n in range(2, len(memories) - 1):
        if memories[n].gait == memories[n - 1].gait:
            continue
        for rows in zip(*(memory.feet for memory in memories[n - 2 : n + 2]), strict=True):
            if not any(foot.planted for foot in rows):
                before, at, after = (b.progress - a.progress for a, b in zip(rows, rows[1:], strict=False))
                assert at == pytest.approx(before, rel=0.15)
                assert after == pytest.approx(before, rel=0.15)
                kept += 1
    assert kept


def stopped(who: str) -> Walk:
    """A walk for three seconds, then six seconds of standing."""
    rig = rig_of(who)
    speed = speed_at(0.15, rig.leg_length)
    return walk(rig, Flat(), seconds=9.0, fps=FPS, inputs=lambda time: Inputs(speed=speed if time < 3.0 else 0.0))


@pytest.mark.parametrize("who", WHO)
def test_feet_that_were_left_behind_step_back_under_a_body_that_stands(who: str):
    run = stopped(who)
    gait, travel = run.character.gait, run.memories[-1].travel
    for i, foot in enumerate(run.memories[-1].gait.feet):
        assert foot.planted
        assert gait.stepper.offset_of(i, foot, travel, run.world) <= run.character.config.steps.resettle


@pytest.mark.parametrize("who", WHO)
def test_a_body_that_stands_with_its_feet_in_place_takes_no_more_steps(who: str):
    last = stopped(who).memories[-90:]
    assert all(memory.gait.feet == last[0].gait.feet or _still(memory, last[0]) for memory in last)


def _still(memory: object, other: object) -> bool:
    return [foot.ball for foot in memory.gait.feet] == [foot.ball for foot in other.gait.feet]


@pytest.mark.parametrize("who", ["person", "dog"])
def test_a_body_that_never_moves_never_steps(who: str):
    run = walk(rig_of(who), Flat(), seconds=3.0, fps=FPS, speed=0.0)
    assert max(steps(run)) == 0.0


def jumping(who: str, far: float) -> Walk:
    """A mover that stands, and after a second is `far` legs further to the left."""
    leg = rig_of(who).leg_length
    config = CharacterConfig(director="MOVER")

    def inputs(time: float) -> Inputs:
        return Inputs(mover=Place(0.0 if time < 1.0 else far * leg, 0.0, 0.0, 0.0))

    return walk(rig_of(who), Flat(), seconds=2.0, fps=FPS, config=config, inputs=inputs)


@pytest.mark.parametrize("who", WHO)
def test_a_mover_that_jumps_by_more_than_a_leg_puts_the_feet_there_with_an_event(who: str):
    run = jumping(who, 1.5)
    jumps = [n for n, memory in enumerate(run.memories) if ("JUMP", "") in memory.gait.events]
    assert len(jumps) == 1
    gait = run.memories[jumps[0]].gait
    assert all(foot.planted for foot in gait.feet)
    for foot, leg in zip(gait.feet, run.rig.legs, strict=True):
        x = 1.5 * run.rig.leg_length + leg.sole.ball.x
        assert hypot(foot.ball[0] - x, foot.ball[1] - leg.sole.ball.y) < 0.02 * run.rig.leg_length


def test_a_mover_that_jumps_by_less_is_followed_by_steps():
    run = jumping("person", 0.5)
    assert not any(("JUMP", "") in memory.gait.events for memory in run.memories)
    assert any(event == "LANDING" for memory in run.memories for event, _ in memory.gait.events)


@pytest.mark.parametrize("who", WHO)
def test_two_runs_are_the_same_to_the_bit(who: str):
    one, two = (walk(rig_of(who), Hills(), 1.0, 2.0, 24.0) for _ in range(2))
    assert repr(one.memories) == repr(two.memories)
    for a, b in zip(one.frames, two.frames, strict=True):
        assert a.rotations.tobytes() == b.rotations.tobytes()
        assert a.locations.tobytes() == b.locations.tobytes()


@pytest.mark.parametrize("who", WHO)
def test_events_say_each_lift_off_and_each_landing_once_and_in_turn(who: str):
    events: dict[str, list[str]] = {}
    for memory in walked(who).memories:
        for event, role in memory.gait.events:
            if role:
                events.setdefault(role, []).append(event)
    assert set(events) == {leg.role for leg in rig_of(who).legs}
    for names in events.values():
        assert names == ["LIFT_OFF", "LANDING"] * (len(names) // 2) + ["LIFT_OFF"] * (len(names) % 2)
