"""How people walk, run and sprint, against published figures; measured on the feet of walks on level ground."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from support.grid import rig_of
from support.walk import Walk, walk
from surefoot.core.character import CharacterConfig
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.gait.patterns import speed_at
from surefoot.core.measure.gait_chart import chart
from surefoot.core.measure.slide import contact_slide
from surefoot.core.rig.pose import model_matrices
from surefoot.core.world.solids import Flat

FPS = 60.0
# A leg (hip to floor) is this share of a person's stature (Winter 2009, table 4.1: 0.530).
LEG_OF_STATURE = 0.53
# The knee by tenths of the stride from the left foot's contact: straight strides of a motion capture at 1.44 m/s with
# a 0.9 m leg, degrees.
REAL_KNEE = (15.0, 25.0, 17.0, 7.0, 9.0, 20.0, 52.0, 70.0, 53.0, 5.0)


@lru_cache
def moving(gait: str, speed: float) -> Walk:
    """A person's settled strides at `speed` times the square root of the leg over 0.9 m: dynamically similar."""
    rig = rig_of("person")
    config = CharacterConfig(gait=gait, control=ControlConfig(acceleration=100.0, deceleration=100.0))
    return walk(rig, Flat(), speed * sqrt(rig.leg_length / 0.9), 7.0, FPS, config).settled(3.0)


def measured(run: Walk) -> tuple[float, float, float]:
    """Duty factor, seconds of a cycle and metres of a step for a 0.9 m leg, from the contacts."""
    row = chart(run.track(), run.contacts())["leg.L"]
    scale = run.rig.leg_length / 0.9
    landings = [span.start for span in run.contacts()["leg.L"].foot][1:]
    cycle = float(np.mean(np.diff(landings))) / FPS / sqrt(scale)
    return row.duty_factor, cycle, 0.5 * row.stride / scale


@pytest.mark.parametrize("speed", [0.6, 0.8, 1.0, 1.2, 1.44, 1.7, 2.0])
def test_a_walker_s_steps_are_as_long_as_grieve_and_gear_measured(speed: float):
    """Grieve and Gear 1966, adults: strides a minute = 64.8 (statures a second) ** 0.57. Within 5 per cent."""
    stature = 0.9 / LEG_OF_STATURE
    strides = 64.8 * (speed / stature) ** 0.57
    assert measured(moving("WALK", speed))[2] == pytest.approx(0.5 * speed * 60.0 / strides, rel=0.05)


@pytest.mark.parametrize(("speed", "low", "high"), [(0.8, 0.62, 0.67), (1.4, 0.58, 0.63), (2.0, 0.55, 0.6)])
def test_a_walker_stands_for_less_of_the_stride_the_faster_it_goes(speed: float, low: float, high: float):
    """Murray 1967 and Murray, Mollinger, Gardner and Sepic 1984: slow, free and fast walking."""
    assert low <= measured(moving("WALK", speed))[0] <= high


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.4, 2.0])
def test_a_walker_always_has_a_foot_down_and_both_for_a_tenth_of_the_stride(speed: float):
    run = moving("WALK", speed)
    down = np.array([[foot.planted for foot in frame.feet] for frame in run.frames])
    assert down.any(axis=1).all()
    assert down.all(axis=1).mean() >= 0.1


@pytest.mark.parametrize(("gait", "speed"), [("RUN", 2.5), ("RUN", 4.0), ("SPRINT", 7.0)])
def test_a_runner_is_in_the_air_between_steps_and_never_on_both_feet(gait: str, speed: float):
    run = moving(gait, speed)
    down = np.array([[foot.planted for foot in frame.feet] for frame in run.frames])
    assert not down.all(axis=1).any()
    assert (~down.any(axis=1)).mean() > 0.1


@pytest.mark.parametrize(("gait", "speed", "low", "high"), [("RUN", 3.2, 0.31, 0.4), ("SPRINT", 9.0, 0.18, 0.25)])
def test_a_runner_stands_for_less_than_half_a_sprinter_for_a_fifth(gait: str, speed: float, low: float, high: float):
    """Novacheck 1998: running at 3.2 m/s 31 to 39 per cent, elite sprinting at 9 m/s 22 per cent."""
    assert low <= measured(moving(gait, speed))[0] <= high


@pytest.mark.parametrize(("speed", "low", "high"), [(2.5, 150.0, 172.0), (3.2, 155.0, 180.0), (4.0, 160.0, 190.0)])
def test_a_runner_takes_as_many_steps_a_minute_as_joggers_do(speed: float, low: float, high: float):
    """Cavanagh and Kram 1989; Novacheck 1998: 150 to 190 from a jog to a fast run, growing little."""
    assert low <= 120.0 / measured(moving("RUN", speed))[1] <= high


def test_walking_turns_into_running_near_half_the_froude_number():
    """Alexander 1989; Kram, Domingo and Ferris 1997: people change at 0.5."""
    rig = rig_of("person")
    config = CharacterConfig(control=ControlConfig(acceleration=100.0, deceleration=100.0))
    gaits = [
        walk(rig, Flat(), speed_at(number, rig.leg_length), 2.0, 24.0, config).memories[-1].gait.gait
        for number in (0.4, 0.65)
    ]
    assert gaits == ["WALK", "RUN"]


def knee_by_tenths(run: Walk) -> np.ndarray:
    """The left knee's bend at each tenth of the stride from its foot's landing, the mean of all strides, degrees."""
    joints = np.asarray(run.track().feet[0].joints)[:, :3]
    segments = np.diff(joints, axis=1)
    segments /= np.linalg.norm(segments, axis=-1, keepdims=True)
    knee = np.degrees(np.arccos(np.clip((segments[:, 0] * segments[:, 1]).sum(axis=-1), -1.0, 1.0)))
    landings = [span.start for span in run.contacts()["leg.L"].foot][1:]
    numbers = np.arange(len(knee))
    rows = [np.interp(a + (b - a) * np.arange(10) / 10.0, numbers, knee) for a, b in pairwise(landings)]
    return np.mean(rows, axis=0)


def test_the_knee_of_a_walk_is_within_nine_degrees_of_a_captured_one_on_average():
    """Ten were promised."""
    assert np.abs(knee_by_tenths(moving("WALK", 1.44)) - REAL_KNEE).mean() <= 9.0


def test_a_walker_s_knee_folds_soon_after_toe_off():
    """A captured one is at 70 degrees at 70 per cent of the stride, and past its most at 80."""
    knee = knee_by_tenths(moving("WALK", 1.44))
    assert knee[7] >= 58.0
    assert knee.max() <= 75.0


@pytest.mark.parametrize("speed", [0.7, 1.44, 1.8])
def test_a_walker_s_toes_stay_over_the_floor(speed: float):
    run = moving("WALK", speed)
    skeleton, leg = run.rig.skeleton, run.rig.legs[0]
    toe = skeleton.bones[leg.toes[0]].rest.inverted() @ leg.sole.toe
    low = min((model_matrices(skeleton, frame)[leg.toes[0]] @ toe).z for frame in run.frames) - run.rig.floor
    assert low >= -0.001


def foot_turns(run: Walk) -> np.ndarray:
    """How far the left foot pitches from frame to frame, degrees."""
    return np.diff(np.degrees([memory.gait.feet[0].pitch for memory in run.memories]))


@pytest.mark.parametrize(
    ("gait", "speed"),
    [("RUN", 2.0), ("RUN", 3.0), ("RUN", 4.0), ("RUN", 5.0), ("SPRINT", 5.0), ("SPRINT", 6.5), ("SPRINT", 8.0)],
)
def test_a_runner_s_foot_pitches_no_faster_than_a_captured_runner_s(gait: str, speed: float):
    """Fourteen straight strides of a motion capture at 2.9 m/s: 13.7 degrees in a sixtieth of a second at most."""
    assert np.abs(foot_turns(moving(gait, speed))).max() <= 13.7


def test_a_runner_s_heel_is_half_up_when_the_foot_leaves_and_rises_on():
    """The same strides, at three shares of the stride: 20 degrees at 30 %, 40 at toe-off (35.5 %), 70 at 50 %."""
    run = moving("RUN", 2.9)
    pitches = np.degrees([memory.gait.feet[0].pitch for memory in run.memories])
    landings = [span.start for span in run.contacts()["leg.L"].foot][1:]
    shares = [
        np.mean([np.interp(a + (b - a) * at, np.arange(len(pitches)), pitches) for a, b in pairwise(landings)])
        for at in (0.3, 0.355, 0.5)
    ]
    assert shares == pytest.approx([20.0, 40.0, 70.0], abs=10.0)


@pytest.mark.parametrize(("gait", "speed"), [("RUN", 4.0), ("SPRINT", 8.0)])
def test_a_runner_s_pelvis_does_not_stoop_after_the_foot_that_has_left(gait: str, speed: float):
    drops = [max(memory.gait.body.drops) for memory in moving(gait, speed).memories]
    assert max(drops) <= 0.05


@pytest.mark.parametrize(("gait", "speed"), [("RUN", 3.0), ("SPRINT", 8.0)])
def test_a_runner_s_sole_stays_over_the_floor_and_is_still_while_it_is_down(gait: str, speed: float):
    run = moving(gait, speed)
    track, down = run.track(), run.contacts()["leg.L"]
    foot = track.feet[0]
    assert min(foot.ball[:, 2].min(), foot.heel[:, 2].min()) >= -0.001
    assert max(contact_slide(track, foot, down, span).distance for span in down.foot) <= 0.0005


def going(heading: float, speed: float, settle: float = 3.0) -> Walk:
    """A person that faces -Y and is carried by a mover towards another heading (degrees, 0 straight ahead)."""
    way = np.radians(heading)

    def inputs(time: float) -> Inputs:
        gone = speed * max(0.0, time - 0.5 + 0.4 * (np.exp(-max(0.0, time - 0.5) / 0.4) - 1.0))
        return Inputs(mover=Place(float(np.sin(way) * gone), float(-np.cos(way) * gone), 0.0, 0.0))

    return walk(
        rig_of("person"), Flat(), seconds=7.0, fps=FPS, config=CharacterConfig(director="MOVER"), inputs=inputs
    ).settled(settle)


@pytest.mark.parametrize("heading", [90.0, -90.0])
@pytest.mark.parametrize("speed", [0.4, 0.7, 1.0])
def test_going_sideways_no_leg_crosses_the_other(heading: float, speed: float):
    """Balls stay at least a foot's width apart across the body."""
    apart = [memory.gait.feet[0].ball[0] - memory.gait.feet[1].ball[0] for memory in going(heading, speed).memories]
    assert min(apart) >= 0.1


@pytest.mark.parametrize("heading", [20.0, 30.0, 45.0, -45.0, 60.0, -60.0])
@pytest.mark.parametrize("speed", [0.5, 1.0, 1.4])
def test_going_diagonally_no_leg_crosses_the_other_from_the_first_step_on(heading: float, speed: float):
    """A mover carries it aside without turning it: balls stay 5 cm apart across the body."""
    feet = [memory.gait.feet for memory in going(heading, speed, 0.0).memories]
    assert min(left.ball[0] - right.ball[0] for left, right in feet) >= 0.05


@pytest.mark.parametrize("heading", [135.0, -135.0, 150.0])
@pytest.mark.parametrize("speed", [0.5, 1.0])
def test_going_diagonally_backward_no_leg_crosses_the_other(heading: float, speed: float):
    feet = [memory.gait.feet for memory in going(heading, speed).memories]
    assert min(left.ball[0] - right.ball[0] for left, right in feet) >= 0.05


@pytest.mark.parametrize("speed", [0.5, 0.9])
def test_going_backward_a_foot_lands_on_its_toes_and_leaves_from_its_flat_sole(speed: float):
    feet = [memory.gait.feet[0] for memory in going(180.0, speed).memories]
    landed = [after.pitch for before, after in zip(feet, feet[1:], strict=False) if after.planted > before.planted]
    left = [before.pitch for before, after in zip(feet, feet[1:], strict=False) if after.planted < before.planted]
    assert landed
    assert left
    assert min(landed) > 0.15
    assert max(map(abs, left)) < 0.05


@pytest.mark.parametrize("heading", [90.0, 180.0])
def test_going_sideways_and_backward_takes_a_stroller_s_steps(heading: float):
    landings = [span.start for span in going(heading, 0.5).contacts()["leg.L"].foot]
    assert 0.7 <= float(np.mean(np.diff(landings))) / FPS <= 1.7
