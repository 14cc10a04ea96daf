"""What is drawn over the scene, as points and colours; the drawing itself needs a window."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.stage import previewed_person
from surefoot.addon.overlay import (
    AHEAD_FRAMES,
    PATH,
    PLANTED,
    SIZE,
    SWINGING,
    faded,
    footprint,
    frames_ahead,
    strokes_of,
    upcoming,
)
from surefoot.addon.performers import Performer, performers


@pytest.fixture
def walker() -> Performer:
    """A person on flat ground at z = 0, known to frame 120."""
    rig = previewed_person()
    bpy.context.scene.frame_set(120)
    return performers.get(rig.session_uid)


def points_of(performer: Performer, frame: int, colour: tuple[float, ...]) -> np.ndarray:
    strokes = strokes_of(performer, frame)
    return np.array([point for point, own in zip(*strokes, strict=True) if own == colour])


def test_a_standing_person_has_a_footprint_around_each_sole(walker: Performer):
    shape, size = walker.character.gait.shape, SIZE * walker.character.gait.shape.leg_length
    prints = points_of(walker, 1, PLANTED)
    for leg in shape.legs:
        side = prints[np.sign(prints[:, 0]) == np.sign(leg.ball[0])]
        assert side[:, 1].min() == pytest.approx(leg.ball[1] - size, abs=0.1 * size)
        assert side[:, 1].max() == pytest.approx(leg.heel[1] + size, abs=0.1 * size)


def test_footprints_lie_just_over_the_ground(walker: Performer):
    heights = np.array(strokes_of(walker, 60).points)[:, 2]
    assert 0.001 < heights.min() <= heights.max() < 0.01


def test_a_swinging_foot_shows_where_it_will_stand_and_then_stands_there(walker: Performer):
    frames = [n for n in range(30, 100) if not walker.cache.get(n).memory.gait.feet[0].planted]
    late = next(n for n in frames if n + 1 not in frames)
    leg, size = walker.character.gait.shape.legs[0], SIZE * walker.character.gait.shape.leg_length
    landed = np.array(footprint(leg, walker.cache.get(late + 1).memory.gait.feet[0].hold, size, 0.0))
    shown = points_of(walker, late, SWINGING)
    assert np.abs(shown[:, :2] - landed[:, :2]).max() < 1e-3


def test_footholds_ahead_are_those_of_the_known_frames_without_the_next_of_a_swinging_foot(walker: Performer):
    frame = 40
    expected = 0
    for place in range(2):
        planted = [walker.cache.get(n).memory.gait.feet[place].planted for n in range(frame, frame + AHEAD_FRAMES + 1)]
        landings = sum(now and not before for before, now in zip(planted, planted[1:], strict=False))
        expected += landings - (not planted[0])
    assert expected > 0
    assert len(upcoming(walker, frame)) == expected


def test_the_path_ends_where_nothing_is_known(walker: Performer):
    walker.cache.drop_from(101)
    ahead = [own for own in strokes_of(walker, 91).colours if own[:3] == PATH[:3]]
    assert len(ahead) == 2 * 9


def test_the_path_is_the_travel_of_the_body(walker: Performer):
    strokes = strokes_of(walker, 60)
    path = [point for point, own in zip(*strokes, strict=True) if own[:3] == PATH[:3]]
    ground = walker.cache.get(60 + AHEAD_FRAMES).frame.ground
    assert path[-1][:2] == pytest.approx((ground.x, ground.y))


def test_an_unknown_frame_shows_nothing(walker: Performer):
    assert strokes_of(walker, 5000).points == []


def test_what_is_farther_ahead_is_fainter():
    alphas = [faded(PATH, frames)[3] for frames in range(1, AHEAD_FRAMES + 1)]
    assert alphas == sorted(alphas, reverse=True)
    assert alphas[0] > 2 * alphas[-1] > 0.0


def test_it_looks_no_farther_ahead_than_the_scene_goes():
    scene = bpy.context.scene
    scene.frame_end = 60
    scene.frame_set(50)
    assert frames_ahead(scene) == 60
    scene.frame_set(200)
    assert frames_ahead(scene) == 200
