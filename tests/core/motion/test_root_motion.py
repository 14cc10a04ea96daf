"""Who carries how much: tracks of x, y, z and heading put on a carrier, held, taken out, straightened."""

from __future__ import annotations

from math import pi, radians

import numpy as np
import pytest
from surefoot.core.motion.root_motion import (
    chosen,
    given_track,
    held_still,
    in_place_shift,
    own_track,
    straight_shift,
    track_matrices,
    with_track,
)

REST = np.array([0.1, 0.2, 0.9])
SHARES = np.linspace(0.0, 1.0, 41)
PLANE = chosen(frozenset({"X", "Y", "YAW"}))


def body(turns: float = 2.5) -> np.ndarray:
    """A body that goes along +X and turns meanwhile, with a bounce; motions of a joint at REST, (F, 4, 4)."""
    way = 3.0 * SHARES, 0.1 * np.sin(9 * SHARES), 0.05 * np.sin(20 * SHARES)
    return track_matrices(np.column_stack([*way, 2 * pi * turns * SHARES]))


def joints(motion: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The joint's places and the heading."""
    own = own_track(motion, REST)
    return motion[:, :3, :3] @ REST + motion[:, :3, 3], own[:, 3]


def test_a_heading_goes_on_over_many_turns():
    assert np.degrees(own_track(body(), REST)[:, 3]) == pytest.approx(900.0 * SHARES, abs=1e-6)


def test_under_its_track_a_body_stands_as_at_rest_but_for_what_was_left_to_it():
    motion = body()
    places, heading = joints(motion)
    track = given_track(places, heading, REST, np.zeros((41, 4)), PLANE)
    left = np.linalg.inv(track_matrices(track)) @ motion
    assert left[:, :3, :3] == pytest.approx(np.broadcast_to(np.identity(3), (41, 3, 3)), abs=1e-9)
    moved = left[:, :3, :3] @ REST + left[:, :3, 3]
    assert moved[:, :2] == pytest.approx(np.broadcast_to(REST[:2], (41, 2)), abs=1e-9)
    assert moved[:, 2] == pytest.approx(REST[2] + 0.05 * np.sin(20 * SHARES), abs=1e-9)


def test_what_is_not_meant_stays_as_the_carrier_has_it():
    places, heading = joints(body())
    own = np.tile([7.0, 8.0, 9.0, 0.3], (41, 1))
    track = given_track(places, heading, REST, own, chosen(frozenset({"Y"})))
    assert track[:, [0, 2, 3]] == pytest.approx(own[:, [0, 2, 3]])
    # Y under a carrier that is turned by 0.3: the joint is off the carrier by its turned rest place.
    assert track[:, 1] == pytest.approx(places[:, 1] - (np.sin(0.3) * REST[0] + np.cos(0.3) * REST[1]))


def test_a_carrier_with_another_track_keeps_its_tilt():
    tilt = np.identity(4)
    tilt[:3, :3] = [[1, 0, 0], [0, np.cos(0.4), -np.sin(0.4)], [0, np.sin(0.4), np.cos(0.4)]]
    motion = body(0.2) @ tilt
    own = own_track(motion, np.zeros(3))
    there = held_still(own, PLANE)
    moved = with_track(motion, own, there)
    assert own_track(moved, np.zeros(3)) == pytest.approx(there, abs=1e-9)
    assert moved[:, 2, :3] == pytest.approx(motion[:, 2, :3], abs=1e-9)


def test_in_place_the_trend_stands_at_its_first_place():
    trend = own_track(body(0.3), np.zeros(3))
    for names in ({"X", "Y"}, {"Z"}, {"X", "Y", "YAW"}):
        meant = chosen(frozenset(names))
        moved = own_track(in_place_shift(trend, meant) @ track_matrices(trend), np.zeros(3))
        assert moved == pytest.approx(np.where(meant, trend[:1], trend), abs=1e-9)


def test_a_way_in_a_bend_is_made_straight_and_stays_as_long():
    angle = radians(80.0) * SHARES
    trend = np.column_stack([np.sin(angle), -np.cos(angle), 0.0 * angle, angle + pi / 2])
    shift = straight_shift(trend, None, 0.05)
    moved = own_track(shift @ track_matrices(trend), np.zeros(3))
    steps = np.diff(moved[:, :2], axis=0)
    assert np.ptp(np.arctan2(steps[:, 1], steps[:, 0])) < 1e-9
    assert np.ptp(moved[:, 3]) < 0.05
    assert np.linalg.norm(moved[-1, :2] - moved[0, :2]) == pytest.approx(radians(80.0), rel=1e-3)
    assert np.arctan2(steps[0, 1], steps[0, 0]) == pytest.approx(0.0, abs=radians(2.0))


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, -90.0])
def test_a_way_ends_along_the_direction_that_is_asked_for(degrees: float):
    trend = np.column_stack([SHARES, 0.4 * SHARES, 0.0 * SHARES, 0.5 * SHARES])
    moved = own_track(straight_shift(trend, radians(degrees), 0.05) @ track_matrices(trend), np.zeros(3))
    gone = moved[-1, :2] - moved[0, :2]
    assert gone / np.linalg.norm(gone) == pytest.approx([np.cos(radians(degrees)), np.sin(radians(degrees))], abs=1e-9)
    assert moved[0, :2] == pytest.approx(trend[0, :2])


def test_what_stays_where_it_is_faces_the_direction_instead():
    trend = np.column_stack([0.0 * SHARES, 0.0 * SHARES, 0.0 * SHARES, 0.3 + 0.0 * SHARES])
    moved = own_track(straight_shift(trend, radians(-90.0), 0.05) @ track_matrices(trend), np.zeros(3))
    assert moved[:, 3] == pytest.approx(0.0 * SHARES, abs=1e-9)


def test_an_unknown_axis_is_named():
    with pytest.raises(ValueError, match="no axis 'ROLL'"):
        chosen(frozenset({"X", "ROLL"}))
