"""When legs land, how long they stand, which gait an animal takes."""

from dataclasses import replace
from math import pi, sqrt

import pytest
from surefoot.core.gait.patterns import SHORTEST, Pattern, froude, pattern_from, speed_at
from surefoot.core.presets import auto_gait, gait_names, gait_tables, pattern

COUNTS = (2, 4, 6, 8, 10)
PATTERNS = [
    pytest.param(pattern(name, count), id=f"{name.lower()} {count}")
    for name in gait_names()
    for count in COUNTS
    if pattern(name, count) is not None
]
LF, RF, LH, RH = range(4)


def lands_before(offsets: tuple[float, ...], order: tuple[int, ...]) -> bool:
    """True where the legs land in this order within a cycle that begins with the first of them."""
    phases = [(offsets[leg] - offsets[order[0]]) % 1.0 for leg in order]
    return phases == sorted(phases) and len(set(phases)) == len(order)


def sides(count: int) -> list[list[int]]:
    """The legs of each side, front to back."""
    return [list(range(side, count, 2)) for side in (0, 1)]


def down(gait: Pattern, phase: float) -> list[bool]:
    """Which legs stand at a phase of the cycle."""
    return [(phase - offset) % 1.0 < gait.duty for offset in gait.offsets]


@pytest.mark.parametrize("gait", PATTERNS)
def test_every_leg_has_a_landing_within_the_cycle(gait: Pattern):
    assert all(0.0 <= offset < 1.0 for offset in gait.offsets)


def test_the_two_legs_of_a_person_land_half_a_cycle_apart():
    assert pattern("WALK", 2).offsets == (0.0, 0.5)
    assert pattern("RUN", 2).offsets == (0.0, 0.5)


def test_a_four_legged_walk_is_a_lateral_sequence():
    """Hildebrand 1965: hind, fore of the same side, other hind, other fore, a quarter of a cycle each."""
    offsets = pattern("WALK", 4).offsets
    assert lands_before(offsets, (LH, LF, RH, RF))
    assert [(offsets[b] - offsets[a]) % 1.0 for a, b in ((LH, LF), (LF, RH), (RH, RF), (RF, LH))] == [0.25] * 4


def test_the_diagonal_pairs_of_a_trot_land_together_half_a_cycle_apart():
    offsets = pattern("TROT", 4).offsets
    assert offsets[LF] == offsets[RH]
    assert offsets[RF] == offsets[LH]
    assert (offsets[RF] - offsets[LF]) % 1.0 == 0.5


def test_the_legs_of_a_side_land_together_in_a_pace():
    offsets = pattern("PACE", 4).offsets
    assert abs(offsets[LF] - offsets[LH]) <= 0.05
    assert abs(offsets[RF] - offsets[RH]) <= 0.05
    assert (offsets[RF] - offsets[LF]) % 1.0 == 0.5


def test_a_canter_has_three_beats_of_which_the_middle_one_is_a_diagonal_pair():
    offsets = pattern("CANTER", 4).offsets
    assert len(set(offsets)) == 3
    assert offsets[LF] == offsets[RH] or offsets[RF] == offsets[LH]


def test_a_gallop_has_four_beats_hind_legs_first():
    offsets = pattern("GALLOP", 4).offsets
    assert len(set(offsets)) == 4
    assert lands_before(offsets, (LH, RH, LF, RF))


def test_the_hind_legs_of_a_bound_land_together_and_the_front_legs_after_them():
    offsets = pattern("BOUND", 4).offsets
    assert offsets[LH] == offsets[RH]
    assert offsets[LF] == offsets[RF]
    assert offsets[LF] != offsets[LH]


def test_all_legs_of_a_pronk_land_at_once():
    assert len(set(pattern("PRONK", 4).offsets)) == 1


@pytest.mark.parametrize("count", [6, 8, 10])
def test_neighbours_alternate_in_a_tripod(count: int):
    offsets = pattern("TRIPOD", count).offsets
    across = [(2 * k, 2 * k + 1) for k in range(count // 2)]
    along = [(leg, leg + 2) for leg in range(count - 2)]
    assert all((offsets[a] - offsets[b]) % 1.0 == 0.5 for a, b in across + along)


@pytest.mark.parametrize("count", [6, 8, 10])
def test_legs_of_a_wave_step_one_after_another_from_back_to_front_the_sides_half_a_cycle_apart(count: int):
    offsets = pattern("WAVE", count).offsets
    for legs in sides(count):
        lags = [(offsets[front] - offsets[back]) % 1.0 for front, back in zip(legs, legs[1:], strict=False)]
        assert all(0.0 < lag < 0.5 for lag in lags)
        assert lags == pytest.approx([lags[0]] * len(lags))
    left, right = sides(count)
    assert [(offsets[r] - offsets[i]) % 1.0 for i, r in zip(left, right, strict=True)] == pytest.approx(
        [0.5] * len(left)
    )


@pytest.mark.parametrize(("name", "count"), [("WAVE", 6), ("WAVE", 8), ("WAVE", 10), ("TRIPOD", 6), ("TRIPOD", 8)])
def test_two_neighbours_of_a_side_are_never_in_the_air_together(name: str, count: int):
    gait = pattern(name, count)
    for step in range(400):
        standing = down(gait, step / 400.0)
        for legs in sides(count):
            assert all(standing[a] or standing[b] for a, b in zip(legs, legs[1:], strict=False))


@pytest.mark.parametrize(("name", "count"), [("WALK", 2), ("WALK", 4), ("WALK", 6), ("WAVE", 6), ("TRIPOD", 6)])
def test_a_walk_never_leaves_the_ground(name: str, count: int):
    gait = pattern(name, count)
    assert gait.duty > 0.5
    assert all(any(down(gait, step / 400.0)) for step in range(400))


@pytest.mark.parametrize(("name", "count"), [("RUN", 2), ("GALLOP", 4), ("PRONK", 4), ("BOUND", 4)])
def test_a_run_leaves_the_ground_once_in_a_cycle_at_least(name: str, count: int):
    gait = pattern(name, count)
    assert any(not any(down(gait, step / 400.0)) for step in range(400))


def test_a_person_s_walk_stands_for_about_three_fifths_of_the_stride_and_a_run_for_about_a_third():
    """Murray 1964 for the walk at 1.4 m/s (Froude 0.22): 0.60 to 0.64; Novacheck 1998 for the run: 0.31 to 0.40."""
    assert 0.60 <= pattern("WALK", 2).duty_at(0.22) <= 0.64
    assert 0.31 <= pattern("RUN", 2).duty <= 0.40


def test_faster_gaits_of_four_legs_stand_for_a_smaller_share():
    duties = [pattern(name, 4).duty for name in ("WALK", "TROT", "GALLOP")]
    assert duties == sorted(duties, reverse=True)
    assert len(set(duties)) == 3


@pytest.mark.parametrize(("count", "unfit"), [(2, "TROT"), (2, "TRIPOD"), (4, "RUN"), (4, "WAVE"), (6, "TROT")])
def test_a_gait_that_is_not_made_for_so_many_legs_is_none(count: int, unfit: str):
    assert pattern(unfit, count) is None


def test_a_row_of_offsets_for_another_number_of_legs_is_refused():
    table = {**gait_tables()["TROT"], "legs": {"6": {"duty": 0.5, "offsets": [0.0, 0.5, 0.5, 0.0]}}}
    with pytest.raises(ValueError, match="6 legs need 6 offsets, not 4"):
        pattern_from(table, 6)


def test_froude_s_number_is_speed_squared_over_gravity_and_leg():
    assert froude(1.4, 0.9) == pytest.approx(1.4 * 1.4 / (9.81 * 0.9))


@pytest.mark.parametrize("leg", [0.1, 0.9, 30.0])
def test_the_speed_at_a_froude_number_has_that_number(leg: float):
    assert froude(speed_at(0.22, leg), leg) == pytest.approx(0.22)


@pytest.mark.parametrize(
    ("count", "limits"),
    [
        (2, (("WALK", "RUN", 0.5),)),
        (4, (("WALK", "TROT", 0.5), ("TROT", "CANTER", 2.5), ("CANTER", "GALLOP", 4.0))),
    ],
)
def test_a_faster_gait_is_taken_from_the_limit_on(count: int, limits: tuple[tuple[str, str, float], ...]):
    """Alexander 1989: animals of all sizes trot, or run, from a Froude number of 0.5 on, and gallop from 2.5 on."""
    auto = auto_gait(count)
    for slow, fast, limit in limits:
        assert auto.choose(0.999 * limit, "") == slow
        assert auto.choose(limit, "") == fast


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_each_gait_of_the_table_has_a_pace_at_which_it_is_taken_and_the_later_the_faster(count: int):
    auto = auto_gait(count)
    paces = [auto.pace(name) for name, _ in auto.steps]
    assert [auto.choose(pace, "") for pace in paces] == [name for name, _ in auto.steps]
    assert paces == sorted(paces)
    assert auto.pace("LIMP") == 0.0


def test_a_person_s_pace_at_a_walk_is_that_of_people():
    """Bohannon 1997: adults walk at 1.3 to 1.5 m/s when they are asked to go as they like."""
    assert 1.3 <= speed_at(auto_gait(2).pace("WALK"), 0.9) <= 1.5


@pytest.mark.parametrize("count", [6, 8, 12])
def test_many_legs_go_from_wave_to_tripod(count: int):
    auto = auto_gait(count)
    assert auto.choose(0.07, "") == "WAVE"
    assert auto.choose(0.3, "") == "TRIPOD"


@pytest.mark.parametrize(("count", "slow", "fast"), [(2, "WALK", "RUN"), (4, "TROT", "CANTER"), (6, "WAVE", "TRIPOD")])
def test_a_gait_is_kept_within_a_band_around_its_limit(count: int, slow: str, fast: str):
    auto = auto_gait(count)
    limit, band = dict(auto.steps)[slow], auto.hysteresis
    assert band > 0.0
    assert auto.choose(limit * (1.0 + 0.99 * band), slow) == slow
    assert auto.choose(limit * (1.0 + 1.01 * band), slow) == fast
    assert auto.choose(limit * (1.0 - 0.99 * band), fast) == fast
    assert auto.choose(limit * (1.0 - 1.01 * band), fast) == slow


@pytest.mark.parametrize("count", [2, 4, 6])
def test_a_gait_that_the_table_does_not_know_is_left_at_once(count: int):
    auto = auto_gait(count)
    assert auto.choose(0.01, "PACE") == auto.steps[0][0]


def test_every_gait_of_the_choice_is_made_for_so_many_legs():
    assert [
        (count, name) for count in COUNTS for name, _ in auto_gait(count).steps if pattern(name, count) is None
    ] == []


@pytest.mark.parametrize("gait", PATTERNS)
@pytest.mark.parametrize("leg", [0.2, 0.9, 2.0])
def test_a_cycle_stays_between_its_bounds_and_drags_no_foot_too_far(gait: Pattern, leg: float):
    pendulum = 2.0 * pi * sqrt(leg / 9.81)
    for number in (0.001, 0.07, 0.22, 0.5, 1.0, 2.5, 6.0):
        speed = speed_at(number, leg)
        cycle = gait.cycle(speed, leg)
        shortest = SHORTEST * gait.cycle_fast * pendulum
        assert shortest - 1e-9 <= cycle <= gait.cycle_slow * pendulum + 1e-9
        if cycle > shortest + 1e-9:
            assert gait.duty * speed * cycle <= gait.stride_scale * leg + 1e-9
        if shortest + 1e-9 < cycle < gait.cycle_fast * pendulum - 1e-9:
            assert gait.duty * speed * cycle == pytest.approx(gait.stride_scale * leg)


def test_between_its_bounds_a_stride_grows_with_froude_s_number_as_alexander_found():
    gait, leg, speed = pattern("WALK", 2), 0.9, 1.3
    stride = gait.stride_factor * leg * (speed * speed / (9.81 * leg)) ** gait.stride_exponent
    assert gait.cycle(speed, leg) == pytest.approx(stride / speed)


def test_standing_still_the_cycle_is_the_slowest():
    gait = pattern("WALK", 4)
    assert gait.cycle(0.0, 0.5) == gait.cycle_slow * 2.0 * pi * sqrt(0.5 / 9.81)


@pytest.mark.parametrize("gait", PATTERNS)
def test_animals_of_all_sizes_move_alike(gait: Pattern):
    """Dynamic similarity: at the same Froude number times scale with the root of the leg's length."""
    small, large = 0.1, 10.0
    for number in (0.07, 0.5, 2.0):
        times = [gait.cycle(speed_at(number, leg), leg) for leg in (small, large)]
        assert times[1] / times[0] == pytest.approx(sqrt(large / small))


def test_the_stance_share_falls_evenly_with_speed_between_two_froude_numbers():
    gait = replace(pattern("WALK", 2), duty=0.7, duty_fast=0.5, froude_range=(0.04, 0.64))
    assert [gait.duty_at(k) for k in (0.0, 0.04, 0.64, 9.0)] == pytest.approx([0.7, 0.7, 0.5, 0.5])
    # Half of the way from 0.2 to 0.8 of the speed at Froude 1.
    assert gait.duty_at(0.5**2) == pytest.approx(0.6)


def test_a_gait_with_one_stance_share_has_it_at_any_speed():
    gait = replace(pattern("WALK", 2), duty=0.6, duty_fast=0.6)
    assert [gait.duty_at(k) for k in (0.0, 0.3, 50.0)] == [0.6, 0.6, 0.6]
