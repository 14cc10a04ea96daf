"""A character on a lift, on a turntable, and stepping on and off them."""

from math import cos, dist, radians, sin

import numpy as np
import pytest
from support.grid import rig_of
from support.walk import Walk, walk
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.measure.contacts import inside
from surefoot.core.world.solids import Extruded, Flat, Moving, Placement, Union

WHO = ("person", "dog", "spider", "hexapod")
TURN = radians(30.0)


def lift(time: float) -> tuple[float, float, float, float]:
    """Up at a metre a second."""
    return 0.0, 0.0, time, 0.0


def turntable(time: float) -> tuple[float, float, float, float]:
    """Thirty degrees a second about a place half a metre to the left."""
    return 0.5, 0.0, 0.0, TURN * time


def tram(time: float) -> tuple[float, float, float, float]:
    """Sideways at half a metre a second, on a bend."""
    return 2.0 * (1.0 - cos(0.25 * time)), -2.0 * sin(0.25 * time), 0.0, 0.25 * time


PLATFORMS: dict[str, Placement] = {"lift": lift, "turntable": turntable, "tram": tram}


def own_places(places: np.ndarray, placement: Placement, fps: float) -> np.ndarray:
    """World places (F, 3) in the platform's own frame."""
    rows = []
    for n, (px, py, pz) in enumerate(places):
        x, y, z, turn = placement(n / fps)
        c, s = cos(turn), sin(turn)
        rows.append((c * (px - x) + s * (py - y), c * (py - y) - s * (px - x), pz - z))
    return np.array(rows)


def drift(run: Walk, placement: Placement) -> float:
    """The farthest that a planted sole point moves in the platform's frame, metres."""
    track, planned, most = run.track(), run.contacts(), 0.0
    for foot in track.feet:
        for point in ("heel", "ball"):
            own = own_places(foot.places(point), placement, run.fps)
            for span in planned[foot.role].of(point) or ():
                spots = own[inside(track.frames, span)]
                if len(spots):
                    most = max(most, float(np.linalg.norm(spots[:, None] - spots[None], axis=-1).max()))
    return most


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", PLATFORMS)
def test_standing_on_what_moves_the_feet_stay_on_their_spots(who: str, name: str):
    """Pains O05: 60 frames, less than 2 mm in the platform's own frame."""
    run = walk(rig_of(who), Moving(Flat(), PLATFORMS[name]), 0.0, 2.5)
    assert len(run.frames) > 60
    assert drift(run, PLATFORMS[name]) < 0.002


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", PLATFORMS)
def test_standing_on_what_moves_no_step_is_taken(who: str, name: str):
    run = walk(rig_of(who), Moving(Flat(), PLATFORMS[name]), 0.0, 2.5)
    assert all(foot.planted for frame in run.frames for foot in frame.feet)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", PLATFORMS)
def test_the_body_follows_what_it_stands_on(who: str, name: str):
    run = walk(rig_of(who), Moving(Flat(), PLATFORMS[name]), 0.0, 2.5)
    grounds = np.array([frame.ground[:3] for frame in run.frames])
    own = own_places(grounds, PLATFORMS[name], run.fps)
    assert np.linalg.norm(own - own[0], axis=-1).max() < 0.005
    turned = run.frames[-1].ground.heading - run.frames[0].ground.heading
    assert turned == pytest.approx(PLATFORMS[name](2.5)[3], abs=1e-4)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", PLATFORMS)
def test_walking_on_what_moves_no_foot_slides_on_it(who: str, name: str):
    run = walk(rig_of(who), Moving(Flat(), PLATFORMS[name]), 0.8, 3.0)
    assert drift(run, PLATFORMS[name]) < 0.002


def riding(time: float) -> tuple[float, float, float, float]:
    """A platform that waits for two seconds, then goes sideways at half a metre a second."""
    return 0.5 * max(0.0, time - 2.0), 0.0, 0.0, 0.0


def test_stepping_off_a_platform_lets_go_of_it():
    """A person walks off a platform that drives away sideways: its feet end on the still ground and stay there."""
    still = Extruded([(2.0, 0.0, 100.0, 0.0)])
    world = Union(Moving(Extruded([(-5.0, 0.0, 2.0, 0.0)]), riding), still)
    run = walk(rig_of("person"), world, 1.0, 6.0)
    last = run.memories[-24:]
    assert all(foot.hold.anchor is not None and foot.hold.anchor.surface == 1 for m in last for foot in m.gait.feet)
    for before, after in zip(last, last[1:], strict=False):
        for a, b in zip(before.gait.feet, after.gait.feet, strict=True):
            if a.planted and b.planted:
                assert dist(a.ball, b.ball) == 0.0
    assert last[-1].travel.place.x == pytest.approx(last[0].travel.place.x, abs=1e-3)


def test_on_a_lift_that_goes_nowhere_it_stands_as_on_the_ground():
    still = walk(rig_of("person"), Flat(), 0.0, 1.0)
    ride = walk(rig_of("person"), Moving(Flat(), lambda _time: (0.0, 0.0, 0.0, 0.0)), 0.0, 1.0)
    for a, b in zip(still.frames, ride.frames, strict=True):
        assert np.allclose(a.rotations, b.rotations, atol=1e-6)


def test_ten_minutes_on_a_turntable_leave_the_feet_where_they_stood():
    """What adds up is kept in the platform's own frame: 3600 ticks later still within 2 mm."""
    from surefoot.core.character import Character, CharacterConfig

    world = Moving(Flat(), turntable)
    character = Character(rig_of("person"), CharacterConfig())
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(), world)
    first = [foot.ball for foot in memory.gait.feet]
    ticks = 3600
    for tick in range(1, ticks + 1):
        world.set_time(tick / 6.0)
        character.tick(memory, Inputs(), world, 1.0 / 6.0)
    x, y, z, turn = turntable(ticks / 6.0)
    for ball, foot in zip(first, memory.gait.feet, strict=True):
        own = own_places(np.array([ball]), turntable, 1.0)[0]
        c, s = cos(turn), sin(turn)
        there = (x + c * own[0] - s * own[1], y + s * own[0] + c * own[1], z + own[2])
        assert dist(foot.ball, there) < 0.002
