"""Physics of a body that falls: nothing holds it in the air, it comes to rest, its joints hold, whatever its size."""

from __future__ import annotations

from dataclasses import replace
from math import cos, dist, hypot, pi, radians, sqrt

import pytest
from support.ragdoll_plans import angles_of, gap, joint_angles, lowest, person, posed, turn_of
from support.ragdoll_runs import FLAT, LIES, a_slope, at_ease, below, came_from, let_go, slope, thrown
from surefoot.addon.physics_colliders import Colliders, Solid
from surefoot.addon.physics_run import PhysicsRun
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.space.rigid import NO_TURN, Frame

GRAVITY = 9.81
KNEE, GAP = -12.0, 0.02
FASTEST = 15.0


@pytest.fixture(scope="module")
def plan():
    return person()


def pelvis(row) -> tuple[float, ...]:
    return row.bodies[:3]


@pytest.mark.parametrize("fps", [24.0, 25.0, 24.0 / 1.001, 60.0])
def test_it_falls_as_fast_as_anything_does(plan, fps) -> None:
    height, dt = 1.5, 1.0 / fps
    now = at_ease(plan, height)
    with PhysicsRun(plan, LIES, fps) as run:
        run.begin(now, now, dt)
        run.limp, frames = True, round(0.5 * fps)
        rows = [run.frame(now, now) for _ in range(frames)]
    took = sqrt(2.0 * (now[2] - rows[-1].bodies[2]) / GRAVITY)
    assert took == pytest.approx(frames * dt, rel=0.01)


def test_limp_from_standing_it_comes_to_rest_with_its_joints_closed_and_its_knees_forward(plan) -> None:
    let = let_go(plan, at_ease(plan))
    assert let.rows[0].state == "FALLEN"
    assert let.rows[-1].bodies[2] < 0.3
    assert let.settled < 4.0
    assert let.gap < GAP
    assert let.knee > KNEE
    assert let.quickest < FASTEST


def test_it_stays_where_it_falls(plan) -> None:
    let = let_go(plan, at_ease(plan))
    assert max(hypot(*row.bodies[k : k + 2]) for row in let.rows for k in range(0, 112, 7)) < 2.0
    assert min(lowest(plan, row.bodies) for row in let.rows) > -0.02


@pytest.mark.parametrize("height", [0.017, 170.0])
def test_a_mouse_and_a_giant_fall_as_a_person_does(height) -> None:
    size = height / 1.75
    plan = person(height, 75.0 * size**3)
    let = let_go(plan, at_ease(plan), seconds=max(0.4, 0.75 * sqrt(size)), fps=24.0 / max(1.0, sqrt(size) / 2.0))
    assert let.gap < 1.5 * GAP * size
    assert let.knee > KNEE
    assert let.rows[-1].bodies[2] < 0.5 * size
    assert max(dist(let.rows[-1].bodies[k : k + 3], pelvis(let.rows[0])) for k in range(0, 112, 7)) < 2.0 * size


@pytest.mark.parametrize("seed", range(6))
def test_from_any_pose_over_flat_ground_nothing_explodes_or_gets_through(plan, seed) -> None:
    now, velocity = thrown(plan, seed, 0.0)
    let = let_go(plan, now, velocity=velocity, seconds=2.0)
    assert let.quickest < FASTEST
    assert let.gap < 0.03
    assert let.knee > KNEE
    assert below(let.rows[-1].bodies, 0.0) == 0


@pytest.mark.parametrize("seed", range(6))
def test_from_any_pose_over_a_slope_of_triangles_nothing_explodes_or_gets_through(plan, seed) -> None:
    angle = a_slope(seed)
    now, velocity = thrown(plan, seed, angle)
    let = let_go(plan, now, velocity=velocity, ground=slope(angle), seconds=2.0)
    assert let.quickest < FASTEST
    assert let.gap < 0.03
    assert below(let.rows[-1].bodies, angle) == 0


def test_it_goes_on_as_fast_as_it_came(plan) -> None:
    now, velocity = at_ease(plan, 2.0), (1.2, -3.0, 0.5)
    dt = 1.0 / 24.0
    with PhysicsRun(plan, LIES, 24.0) as run:
        run.begin(came_from(now, velocity, dt), now, dt)
        run.limp = True
        row = run.frame(now, now)
    fallen = (velocity[0] * dt, velocity[1] * dt, velocity[2] * dt - 0.5 * GRAVITY * dt * dt)
    for k in range(0, 112, 7):
        went = tuple(a - b for a, b in zip(row.bodies[k : k + 3], now[k : k + 3], strict=True))
        assert dist(went, fallen) < 0.02 * dist(fallen, (0.0, 0.0, 0.0)) + 1e-4


def test_a_shove_gives_the_trunk_all_of_its_speed_and_the_feet_none(plan) -> None:
    now = at_ease(plan, 2.0)
    with PhysicsRun(plan, LIES, 120.0, (0.0, 0.0, 0.0)) as run:
        run.begin(now, now, 1.0 / 120.0)
        run.limp = True
        row = run.frame(now, now, [(plan.place_of("chest"), (0.0, 3.0, 0.0))])
    share = {body.role: (row.bodies[7 * i + 1] - now[7 * i + 1]) * 120.0 / 3.0 for i, body in enumerate(plan.bodies)}
    assert share["chest"] == share["pelvis"] == pytest.approx(1.0, abs=0.01)
    assert share["thigh.L"] == pytest.approx(0.6, abs=0.01)
    assert share["foot.R"] == pytest.approx(0.0, abs=0.01)
    assert sorted(row.events) == ["fell", "hit"]


def test_until_its_balance_is_back_no_more_than_half_its_weight_pushes_it_back(plan) -> None:
    now, fps = at_ease(plan), 120.0
    with PhysicsRun(plan, ActiveConfig(), fps, (0.0, 0.0, 0.0)) as run:
        run.machine.weight = plan.mass * GRAVITY
        run.begin(now, now, 1.0 / fps)
        hits = [(0, (2.0, 0.0, 0.0))]
        speeds, last = [], None
        for n in range(20):
            row = run.frame(now, now, hits if n == 0 else ())
            middle = sum(body.mass * row.bodies[7 * i] for i, body in enumerate(plan.bodies)) / plan.mass
            speeds += [] if last is None else [(middle - last) * fps]
            last = middle
    lost = (speeds[0] - speeds[-1]) / ((len(speeds) - 1) / fps)
    assert speeds[0] > 1.4
    assert lost == pytest.approx(0.5 * GRAVITY, rel=0.05)


def test_an_arm_hangs_by_itself_while_the_rest_goes_as_it_is_animated(plan) -> None:
    start = posed(plan, Frame((0.0, 0.0, 1.0), NO_TURN), {})
    arm = tuple(1.0 if body.limb == "arm.L" else 0.0 for body in plan.bodies)
    place = plan.place_of("upper_arm.L")
    with PhysicsRun(plan, ActiveConfig(), 24.0, colliders=Colliders((FLAT,))) as run:
        run.begin(start, start, 1.0 / 24.0)
        run.weights, now = arm, start
        for n in range(36):
            then = posed(plan, Frame((0.0, -0.02 * (n + 1), 1.0), NO_TURN), {})
            row, now = run.frame(now, then), then
    assert row.state == "ANIMATED"
    assert row.weights == arm
    for i, weight in enumerate(arm):
        if weight == 0.0:
            assert row.bodies[7 * i : 7 * i + 3] == pytest.approx(now[7 * i : 7 * i + 3], abs=1e-5)
    assert abs(joint_angles(plan, row.bodies, place)[1] - radians(45.0)) < 0.35
    assert max(gap(plan, row.bodies, plan.place_of(role)) for role in ("upper_arm.L", "forearm.L", "hand.L")) < 0.01


def test_a_trunk_takes_along_all_that_hangs_on_it(plan) -> None:
    now = at_ease(plan)
    with PhysicsRun(plan, LIES, 24.0, colliders=Colliders((FLAT,))) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp, shown = True, []
        for trunk in (0.5, 1.0):
            run.weights = tuple(trunk if body.limb == "body" else 0.0 for body in plan.bodies)
            shown.append(run.frame(now, now).weights)
    assert shown == [(0.5,) * len(plan.bodies), ()]


def test_at_full_strength_it_is_where_its_motion_is(plan) -> None:
    """A squat, up and down in 1.2 seconds, walking on at 1 m/s: nothing is lost on the way."""

    def at(time: float):
        bent = 0.5 * (1.0 - cos(2.0 * pi * time / 1.2)) * 0.7
        angles = {f"{role}.{side}": (angle, 0.0, 0.0) for side in "LR" for role, angle in
                  (("thigh", bent), ("shin", 1.6 * bent), ("upper_arm", -0.5 * bent))}  # fmt: skip
        return posed(plan, Frame((0.0, -time, 1.4), NO_TURN), angles)

    dt, off, far = 1.0 / 24.0, 0.0, 0.0
    with PhysicsRun(plan, ActiveConfig(), 24.0) as run:
        run.begin(at(-dt), at(0.0), dt)
        for n in range(48):
            row = run.frame(at(n * dt), at((n + 1) * dt))
            wanted = at((n + 1) * dt)
            far = max(far, *(dist(row.bodies[k : k + 3], wanted[k : k + 3]) for k in range(0, 112, 7)))
            for i, body in enumerate(plan.bodies):
                if body.joint is not None:
                    pair = zip(joint_angles(plan, row.bodies, i), joint_angles(plan, wanted, i), strict=True)
                    off = max(off, *(abs(a - b) for a, b in pair))
    assert off < radians(3.0)
    assert far < 0.02


def test_a_pelvis_that_a_capsule_of_its_own_stands_around_is_not_thrown(plan) -> None:
    now = at_ease(plan)
    around = Solid(7, "STILL", "CAPSULE", (0.0, 0.0, 0.9), (1.0, 0.0, 0.0, 0.0), size=(0.7, 0.7, 1.8))
    with PhysicsRun(plan, LIES, 24.0, colliders=Colliders((FLAT, around))) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        rows = [run.frame(now, now) for _ in range(24)]
    assert max(row.bodies[2] for row in rows) < now[2] + 0.05


def test_crossed_arms_and_legs_do_not_throw_each_other_out(plan) -> None:
    angles = {"forearm.L": (1.8, 0.0, 0.0), "forearm.R": (1.8, 0.0, 0.0), "upper_arm.L": (0.3, 0.8, -1.2),
              "upper_arm.R": (0.3, -0.8, 1.2), "thigh.L": (0.2, 0.4, 0.0), "thigh.R": (0.0, -0.4, 0.0)}  # fmt: skip
    now = posed(plan, Frame((0.0, 0.0, 3.0), NO_TURN), angles)
    with PhysicsRun(plan, LIES, 24.0, (0.0, 0.0, 0.0)) as run:
        run.begin(now, now, 1.0 / 24.0)
        run.limp = True
        rows = [run.frame(now, now) for _ in range(6)]
    assert max(dist(rows[-1].bodies[k : k + 3], now[k : k + 3]) for k in range(0, 112, 7)) < 0.05


def test_the_same_fall_twice_is_equal_to_the_bit(plan) -> None:
    now, velocity = thrown(plan, 3, 0.0)
    first, second = (let_go(plan, now, velocity=velocity, seconds=1.0).rows for _ in range(2))
    assert first == second


def test_a_hit_floors_one_that_has_no_assist(plan) -> None:
    now = at_ease(plan)
    alone = replace(ActiveConfig(), assist_force=0.0, assist_torque=0.0)
    with PhysicsRun(plan, alone, 24.0, colliders=Colliders((FLAT,))) as run:
        run.begin(now, now, 1.0 / 24.0)
        rows = [run.frame(now, now, [(0, (0.0, 1.0, 0.0))] if n == 0 else ()) for n in range(72)]
    assert any("fell" in row.events for row in rows)


def test_the_angles_of_a_turn_are_those_that_it_was_made_of() -> None:
    assert angles_of(turn_of((0.7, -0.4, 1.1))) == pytest.approx((0.7, -0.4, 1.1), abs=1e-9)
