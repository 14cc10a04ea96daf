"""The state machine of a hit body, against tables worked out by hand: strengths, balance and states step by step."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, pi, radians, sin

import pytest
from support.solid_people import at_rest, moved, solid_person, tipped
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.machine import ActiveMemory, ActiveRagdoll

DT = 1.0 / 120.0
CONFIG = ActiveConfig()
PLAN = solid_person()
REST = at_rest(PLAN)
PELVIS, SPINE, CHEST, HEAD = (PLAN.place_of(role) for role in ("pelvis", "spine", "chest", "head"))
HAND, FOREARM, UPPER = (PLAN.place_of(f"{role}.L") for role in ("hand", "forearm", "upper_arm"))
THIGH, FOOT = PLAN.place_of("thigh.L"), PLAN.place_of("foot.L")


def machine(**changes: float) -> ActiveRagdoll:
    """The usual machine, or one with other numbers."""
    return ActiveRagdoll(PLAN, ActiveConfig(**changes))


def hit(by: float, at: int, ragdoll: ActiveRagdoll | None = None) -> tuple[ActiveRagdoll, ActiveMemory]:
    """A machine whose body was just hit from its left."""
    ragdoll = ragdoll or machine()
    memory = ragdoll.start()
    ragdoll.hit(memory, at, (-by, 0.0, 0.0))
    return ragdoll, memory


def run(ragdoll: ActiveRagdoll, memory: ActiveMemory, steps: int, bodies=REST, targets=REST) -> list:
    """What the machine says in so many steps."""
    return [ragdoll.update(memory, DT, bodies, targets) for _ in range(steps)]


def test_without_a_hit_nothing_happens():
    ragdoll = machine()
    memory = ragdoll.start()
    drives = run(ragdoll, memory, 600, tipped(pi / 2.0))
    assert {drive.state for drive in drives} == {"ANIMATED"}
    assert {drive.assist for drive in drives} == {1.0}
    assert {drive.sideways for drive in drives} == {inf}
    assert {drive.events for drive in drives} == {()}


# Strength after a hit: 1 - 0.12 v 0.5^joints, at least 0.15. Balance: 1 - 0.25 v 0.5^joints out from the trunk.
TABLE = {
    (2.0, CHEST): ({CHEST: 0.76, SPINE: 0.88, HEAD: 0.88, UPPER: 0.88, PELVIS: 0.94, HAND: 0.97, FOOT: 0.9925}, 0.5),
    (9.0, CHEST): ({CHEST: 0.15, SPINE: 0.46, HEAD: 0.46, PELVIS: 0.73, THIGH: 0.865, HAND: 0.865}, 0.0),
    (2.0, PELVIS): ({PELVIS: 0.76, SPINE: 0.88, THIGH: 0.88, CHEST: 0.94, HEAD: 0.97, FOOT: 0.97}, 0.5),
    (9.0, PELVIS): ({PELVIS: 0.15, SPINE: 0.46, THIGH: 0.46, CHEST: 0.73}, 0.0),
    (2.0, HAND): ({HAND: 0.76, FOREARM: 0.88, UPPER: 0.94, CHEST: 0.97, HEAD: 0.985}, 1.0 - 0.5 * 0.125),
    (9.0, HAND): ({HAND: 0.15, FOREARM: 0.46, UPPER: 0.73, CHEST: 0.865}, 1.0 - 2.25 * 0.125),
    (2.0, HEAD): ({HEAD: 0.76, CHEST: 0.88}, 0.5),
    (2.0, THIGH): ({THIGH: 0.76, PELVIS: 0.88, FOOT: 0.94}, 0.75),
}


@pytest.mark.parametrize(("speed", "body"), TABLE)
def test_a_hit_weakens_what_it_hits_and_less_along_the_joints_and_takes_balance(speed: float, body: int):
    strengths, balance = TABLE[speed, body]
    _, memory = hit(speed, body)
    assert memory.state == "ACTIVE"
    assert {i: memory.strengths[i] for i in strengths} == pytest.approx(strengths, abs=1e-12)
    assert memory.balance == pytest.approx(balance, abs=1e-12)


def test_the_length_of_the_velocity_counts_and_not_its_direction():
    ragdoll = machine()
    found = []
    for velocity in ((2.0, 0.0, 0.0), (0.0, -2.0, 0.0), (0.0, 0.0, 2.0), (1.2, 0.0, -1.6)):
        memory = ragdoll.start()
        ragdoll.hit(memory, CHEST, velocity)
        found.append(memory.strengths)
    assert found[1:] == [pytest.approx(found[0], abs=1e-12)] * 3


def test_strength_and_balance_come_back_to_the_step():
    ragdoll, memory = hit(2.0, CHEST)
    said = []
    for step in range(1, 121):
        ragdoll.update(memory, DT, REST, REST)
        said.append((memory.strengths[CHEST], memory.balance))
        expected = (min(1.0, 0.76 + 0.9 * step * DT), min(1.0, 0.5 + 0.8 * step * DT))
        assert said[-1] == pytest.approx(expected, abs=1e-12)
    # 0.24 / 0.9 s is step 32, 0.5 / 0.8 s step 75.
    assert [next(i for i, row in enumerate(said, 1) if row[k] >= 1.0) for k in (0, 1)] == [32, 75]


def test_a_hit_of_two_recovers_after_its_balance_is_back_and_it_was_calm():
    ragdoll, memory = hit(2.0, CHEST)
    drives = run(ragdoll, memory, 240)
    events = {step: drive.events for step, drive in enumerate(drives, 1) if drive.events}
    # Balance is back at step 75, which counts as its first calm one; half a second is sixty.
    assert events == {1: ("hit",), 134: ("recovered",)}
    assert [drives[k].state for k in (132, 133)] == ["ACTIVE", "ANIMATED"]
    assert drives[133].since == 0.0


def test_a_hit_of_nine_leaves_no_balance_and_yet_fells_only_what_tips_over():
    ragdoll, memory = hit(9.0, CHEST)
    drives = run(ragdoll, memory, 600)
    events = {step: drive.events for step, drive in enumerate(drives, 1) if drive.events}
    # 0.35 s are 42 steps in which none comes back, then 1 / 0.8 s 150 until it is; the 0.85 of strength take 114.
    assert [drives[k].assist > 0.0 for k in (40, 42)] == [False, True]
    assert events == {1: ("hit",), 251: ("recovered",)}


def test_of_a_hit_of_nine_that_tips_over_the_fall_comes_in_the_step_in_which_it_is_past_the_limit():
    ragdoll, memory = hit(9.0, CHEST)
    for angle in (20.0, 40.0, 54.9):
        assert ragdoll.update(memory, DT, tipped(radians(angle)), REST).state == "ACTIVE"
    drive = ragdoll.update(memory, DT, tipped(radians(55.1)), REST)
    assert (drive.state, drive.events, drive.since) == ("FALLEN", ("fell",), 0.0)


def test_a_trunk_beside_the_pelvis_is_a_fall_whatever_way_it_is_turned():
    ragdoll, memory = hit(2.0, PELVIS)
    beside = moved(REST, (CHEST,), (0.38, 0.0, -0.38))
    assert beside[7 * CHEST + 2] == pytest.approx(REST[2])
    assert ragdoll.update(memory, DT, beside, REST).state == "FALLEN"


def test_a_turn_about_the_vertical_is_no_tilt():
    ragdoll, memory = hit(2.0, CHEST)
    turned = tuple(n for i in range(len(PLAN.bodies)) for n in (*REST[7 * i : 7 * i + 3], cos(1.4), 0.0, 0.0, sin(1.4)))
    assert ragdoll.update(memory, DT, turned, REST).state == "ACTIVE"


def test_a_body_that_leans_as_its_motion_does_is_not_off_balance():
    ragdoll, memory = hit(2.0, CHEST)
    lies = tipped(pi / 2.0)
    assert ragdoll.update(memory, DT, lies, lies).state == "ACTIVE"


@pytest.mark.parametrize("scale", [1.0, 0.01, 4.0])
def test_a_pelvis_that_sinks_by_more_than_its_size_allows_is_a_fall(scale: float):
    plan = solid_person(scale)
    ragdoll, rest = ActiveRagdoll(plan, CONFIG), at_rest(plan)
    for share, state in ((0.99, "ACTIVE"), (1.01, "FALLEN")):
        memory = ragdoll.start()
        ragdoll.hit(memory, CHEST, (2.0, 0.0, 0.0))
        sunk = moved(rest, tuple(range(len(plan.bodies))), (0.0, 0.0, -0.35 * scale * share))
        assert ragdoll.update(memory, DT, sunk, rest).state == state


def test_a_hit_in_mid_stagger_adds_up():
    ragdoll, memory = hit(2.0, CHEST)
    run(ragdoll, memory, 12)
    ragdoll.hit(memory, CHEST, (2.0, 0.0, 0.0))
    assert memory.strengths[CHEST] == pytest.approx(0.76 + 0.09 - 0.24, abs=1e-12)
    assert memory.balance == pytest.approx(0.5 + 0.08 - 0.5, abs=1e-12)
    assert memory.state == "ACTIVE"
    assert memory.since == pytest.approx(0.1)


def test_many_hits_leave_the_least_strength_and_no_less_than_no_balance():
    ragdoll, memory = hit(9.0, CHEST)
    for _ in range(20):
        ragdoll.hit(memory, CHEST, (9.0, 0.0, 0.0))
    assert min(memory.strengths) == 0.15
    assert memory.balance == 0.0


def test_a_calm_that_is_broken_counts_from_its_beginning():
    ragdoll, memory = hit(2.0, CHEST)
    run(ragdoll, memory, 130)
    assert memory.state == "ACTIVE"
    run(ragdoll, memory, 1, moved(REST, tuple(range(16)), (0.12, 0.0, 0.0)))
    drives = run(ragdoll, memory, 70)
    # The step back to its place is a quick one, and no calm either.
    assert [drives[k].state for k in (59, 60)] == ["ACTIVE", "ANIMATED"]


@pytest.mark.parametrize(
    "off",
    [tipped(radians(11.0)), moved(REST, tuple(range(16)), (0.11, 0.0, 0.0))],
    ids=["tilted", "away"],
)
def test_as_long_as_it_is_not_near_its_motion_it_is_not_recovered(off: tuple[float, ...]):
    ragdoll, memory = hit(2.0, CHEST)
    assert {drive.state for drive in run(ragdoll, memory, 600, off)} == {"ACTIVE"}


def test_a_body_that_rides_along_with_its_motion_is_as_steady_as_one_that_stands():
    ragdoll, memory = hit(2.0, CHEST)
    states = []
    for step in range(140):
        at = moved(REST, tuple(range(16)), (0.0, -1.4 * step * DT, 0.0))
        states.append(ragdoll.update(memory, DT, at, at).state)
    assert states.index("ANIMATED") == 133


def test_it_goes_limp_in_its_time_and_its_assist_with_it():
    ragdoll, memory = hit(2.0, CHEST)
    fell = ragdoll.update(memory, DT, tipped(1.0), REST)
    strength = 0.76 + 0.9 * DT
    assert fell.strengths[CHEST] == pytest.approx(strength)
    assert fell.assist == pytest.approx((0.5 + 0.8 * DT) ** 2)
    drives = run(ragdoll, memory, 40, tipped(1.0))
    for step in (9, 18, 27, 36):
        left = 1.0 - step * DT / 0.3
        assert drives[step - 1].strengths[CHEST] == pytest.approx(strength * left, abs=1e-12)
        assert drives[step - 1].assist == pytest.approx(fell.assist * left, abs=1e-12)
    assert drives[-1].strengths[CHEST] == 0.0


def test_its_arms_stay_strong_enough_to_go_ahead_of_the_fall_and_then_go_limp_too():
    ragdoll, memory = hit(2.0, CHEST)
    run(ragdoll, memory, 1, tipped(1.0))
    drives = run(ragdoll, memory, 150, tipped(1.0))
    # Step 36 is 0.3 s after the fall, a third of the arms' time before they too are limp.
    assert drives[35].strengths[UPPER] == pytest.approx(0.25 / 3.0, abs=1e-12)
    assert drives[35].strengths[THIGH] == pytest.approx(0.0, abs=1e-12)
    assert drives[-1].strengths[UPPER] == 0.0


def test_a_body_that_is_let_go_of_has_no_assist_from_the_first_step_on():
    ragdoll = machine()
    memory = ragdoll.start()
    ragdoll.limp(memory)
    drives = run(ragdoll, memory, 40)
    assert drives[0].state == "FALLEN"
    assert {drive.assist for drive in drives} == {0.0}
    assert drives[35].strengths == pytest.approx((0.0,) * 16, abs=1e-12)


def test_it_lies_still_for_its_calm_then_for_its_delay_and_gets_up():
    ragdoll, memory = hit(9.0, CHEST)
    run(ragdoll, memory, 1, tipped(1.5))
    lies, states = tipped(pi / 2.0), []
    for step in range(150):
        # It slides at 0.3 m/s.
        at = moved(lies, tuple(range(16)), (0.3 * step * DT, 0.0, 0.0))
        states.append(ragdoll.update(memory, DT, at, REST).state)
    drives = run(ragdoll, memory, 200, at)
    assert set(states) == {"FALLEN"}
    # Sixty calm steps, the last of which begins the delay of a hundred and twenty.
    assert next(k for k, drive in enumerate(drives, 1) if drive.state == "GETTING_UP") == 60 + 120
    assert memory.strengths == (1.0,) * 16


def test_what_is_let_go_of_while_it_stands_still_does_not_count_as_lying_before_it_can_have_tipped_over():
    ragdoll = machine()
    memory = ragdoll.start()
    ragdoll.limp(memory)
    drives = run(ragdoll, memory, 300)
    # The first calm step is that at one second; then half a second of calm, and one of delay.
    assert [drive.state for drive in drives].index("GETTING_UP") == 119 + 59 + 120


def test_what_does_not_get_up_lies():
    ragdoll = ActiveRagdoll(PLAN, CONFIG, gets_up=False)
    memory = ragdoll.start()
    ragdoll.limp(memory)
    assert {drive.state for drive in run(ragdoll, memory, 1200)} == {"FALLEN"}


def test_a_hit_while_it_lies_begins_its_calm_anew_and_weakens_nothing():
    ragdoll = machine()
    memory = ragdoll.start()
    ragdoll.limp(memory)
    run(ragdoll, memory, 290)
    ragdoll.hit(memory, CHEST, (2.0, 0.0, 0.0))
    drives = run(ragdoll, memory, 181)
    assert drives[0].events == ("hit",)
    assert [drive.state for drive in drives].index("GETTING_UP") == 179


def getting_up(ragdoll: ActiveRagdoll) -> ActiveMemory:
    """A machine in the middle of a rise."""
    memory = ragdoll.start()
    ragdoll.limp(memory)
    run(ragdoll, memory, 300)
    assert memory.state == "GETTING_UP"
    return memory


@pytest.mark.parametrize(("speed", "state"), [(0.9, "GETTING_UP"), (1.0, "FALLEN"), (9.0, "FALLEN")])
def test_a_hit_floors_what_gets_up_if_it_is_hard_enough(speed: float, state: str):
    ragdoll = machine()
    memory = getting_up(ragdoll)
    ragdoll.hit(memory, CHEST, (speed, 0.0, 0.0))
    drive = ragdoll.update(memory, DT, (), ())
    assert drive.state == state
    assert drive.events == (("hit",) if state == "GETTING_UP" else ("hit", "fell"))
    assert drive.assist == 0.0


def test_it_stands_when_it_is_told_so_with_all_of_its_strength():
    ragdoll = machine()
    memory = getting_up(ragdoll)
    ragdoll.stood_up(memory)
    drive = ragdoll.update(memory, DT, (), ())
    assert (drive.state, drive.events, drive.assist, drive.sideways) == ("ANIMATED", ("stood_up",), 1.0, inf)
    assert drive.strengths == (1.0,) * 16


def test_from_a_hit_until_balance_is_back_the_sideways_limit_is_half_the_weight():
    ragdoll, memory = hit(2.0, CHEST)
    limits = [drive.sideways for drive in run(ragdoll, memory, 100)]
    assert limits[:74] == [pytest.approx(0.5 * PLAN.mass * 9.81)] * 74
    assert set(limits[74:]) == {inf}


def test_on_the_moon_it_weighs_less():
    ragdoll, memory = hit(2.0, CHEST, ActiveRagdoll(PLAN, CONFIG, 1.62))
    assert ragdoll.update(memory, DT, REST, REST).sideways == pytest.approx(0.5 * PLAN.mass * 1.62)


def test_the_assist_is_the_square_of_balance():
    ragdoll, memory = hit(2.0, CHEST)
    assert ragdoll.drive(memory).assist == 0.25


@pytest.mark.parametrize(("speed", "share"), [(1.0, 0.75), (2.0, 0.5), (3.0, 0.25), (4.0, 0.0), (9.0, 0.0)])
def test_legs_give_way_the_more_the_less_balance_is_left(speed: float, share: float):
    ragdoll, memory = hit(speed, CHEST)
    strengths = ragdoll.drive(memory).strengths
    assert strengths[THIGH] == pytest.approx(memory.strengths[THIGH] * share, abs=1e-12)
    assert strengths[CHEST] == memory.strengths[CHEST]


def test_what_is_still_to_be_caught_is_the_speed_beyond_the_motion_s():
    ragdoll, memory = hit(2.0, CHEST)
    everywhere = tuple(range(16))
    for step in range(2):
        at = moved(REST, everywhere, (0.8 * step * DT, -1.2 * step * DT, 0.5 * step * DT))
        meant = moved(REST, everywhere, (0.0, -1.2 * step * DT, 0.0))
        drive = ragdoll.update(memory, DT, at, meant)
    assert drive.push == pytest.approx((0.8, 0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("velocity", [(0.0, 0.0, 0.0), (float("nan"), 0.0, 0.0), (inf, 0.0, 0.0)])
def test_a_hit_by_nothing_or_by_no_number_is_none(velocity: tuple[float, float, float]):
    ragdoll = machine()
    memory = ragdoll.start()
    ragdoll.hit(memory, CHEST, velocity)
    assert memory == ragdoll.start()


def test_two_runs_are_equal_to_the_bit():
    runs = []
    for _ in range(2):
        ragdoll, memory = hit(3.3, HEAD)
        said = [ragdoll.update(memory, DT, tipped(0.004 * k), REST) for k in range(400)]
        runs.append((said, memory))
    assert runs[0] == runs[1]


def test_a_copy_goes_its_own_way():
    ragdoll, memory = hit(2.0, CHEST)
    kept = memory.copy()
    run(ragdoll, memory, 200)
    assert kept == hit(2.0, CHEST)[1]
    assert run(ragdoll, kept, 200)[-1] == ragdoll.drive(memory)


def test_four_times_as_tall_it_takes_a_hit_of_twice_the_speed_the_same_and_needs_twice_as_long():
    """By the root of the size, as all that falls does."""
    # Up to twice as tall as a person all are hit as a person is.
    own = machine().size
    tall = ActiveRagdoll(replace(PLAN, height=8.0 * PLAN.height / own), CONFIG)
    as_it_is = ActiveRagdoll(replace(PLAN, height=2.0 * PLAN.height / own), CONFIG)
    ours, theirs = (hit(speed, CHEST, of)[1] for speed, of in ((1.0, as_it_is), (2.0, tall)))
    assert theirs.balance == pytest.approx(ours.balance)
    assert theirs.strengths == pytest.approx(ours.strengths)
    run(as_it_is, ours, 20)
    run(tall, theirs, 40)
    assert ours.balance < 1.0
    assert theirs.balance == pytest.approx(ours.balance)
