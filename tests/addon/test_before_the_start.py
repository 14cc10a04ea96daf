"""Before its start frame a character stands as it will begin, whatever was shown before."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.odd_walks import add_curve
from support.stage import add_ground, add_person, key, place_of, pose_at, previewed_person
from surefoot.addon.performers import performers

START, EARLY, LATER = 50, 10, 60


def late(rig: bpy.types.Object, start: int = START) -> bpy.types.Object:
    rig.surefoot.frame_start = start
    return rig


def afresh() -> None:
    """Nothing is known, and the frame that is shown is one before any start."""
    performers.clear()
    bpy.context.scene.frame_set(1)


def moving_ground() -> None:
    key(add_ground(), "location", {1: 0.0, START: 1.0, 2 * START: 3.0}, index=0)


@pytest.mark.parametrize("ground", [add_ground, moving_ground])
def test_the_first_frame_that_is_shown_is_the_one_shown_after_a_walk(ground):
    ground()
    rig = late(add_person())
    rig.surefoot.preview = True
    afresh()
    fresh = pose_at(rig, EARLY)
    pose_at(rig, LATER)
    assert np.array_equal(pose_at(rig, EARLY), fresh)
    assert np.array_equal(pose_at(rig, START), fresh)


def test_on_a_path_it_stands_where_the_path_begins():
    rig = late(previewed_person())
    rig.surefoot.director, rig.surefoot.path = "PATH", add_curve([(3, 0, 0), (3, -9, 0)])
    afresh()
    bpy.context.scene.frame_set(EARLY)
    assert place_of(rig).x == pytest.approx(3.0, abs=1e-6)


def test_a_follower_that_starts_later_stands_where_its_leader_will_be():
    leader = previewed_person()
    follower = add_person(place=(2.0, 0.0, 0.0))
    late(follower).surefoot.director = "MOVER"
    follower.surefoot.mover = leader
    follower.surefoot.preview = True
    afresh()
    fresh = pose_at(follower, EARLY)
    assert place_of(follower).y < place_of(leader).y - 1.0
    pose_at(follower, LATER)
    assert np.array_equal(pose_at(follower, EARLY), fresh)
    assert np.array_equal(pose_at(follower, START), fresh)


def test_only_its_start_is_computed_before_it_and_others_go_no_further_than_the_frame():
    rig = late(previewed_person(), 2000)
    other = add_person(place=(2.0, 0.0, 0.0))
    other.surefoot.preview = True
    afresh()
    bpy.context.scene.frame_set(EARLY)
    assert performers.get(rig.session_uid).cache.frames == (2000,)
    assert performers.get(other.session_uid).cache.frames == tuple(range(1, EARLY + 1))
