"""Who carries a clip's travel, and how bones that nobody writes ride along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mathutils import Matrix
from support.retargeting import rig_of_skeleton, still_clip, wild_clip
from support.rigs import person_skeleton
from surefoot.core.motion.carriers import ridden, travel_of, under, undone_way, way_of, with_riders, with_root
from surefoot.core.rig.rig import Rig


@pytest.fixture(scope="module")
def rig() -> Rig:
    return rig_of_skeleton(person_skeleton())


def walking(rig: Rig, frames: int = 180, turn: float = 0.0):
    """A stiff body that goes ahead and turns, with a sway of 4 cm from side to side once a second."""
    clip = still_clip(rig, frames)
    times = np.arange(frames) / clip.fps
    heading = turn * times / times[-1]
    step = 1.4 / clip.fps * np.stack([np.sin(heading), -np.cos(heading)], axis=-1)
    track = np.concatenate([np.cumsum(step, axis=0), heading[:, None]], axis=1)
    sway = np.tile(np.identity(4), (frames, 1, 1))
    sway[:, 0, 3] = 0.04 * np.sin(2.0 * np.pi * times)
    return replace(clip, moved=(way_of(track) @ sway)[:, None] @ clip.moved), track


@pytest.mark.parametrize("turn", [0.0, 1.5])
def test_the_travel_goes_evenly_under_the_sway(rig, turn):
    clip, track = walking(rig, turn=turn)
    found = travel_of(clip)
    inner = slice(30, -30)
    assert np.abs(found[inner, :2] - track[inner, :2]).max() < 0.03
    assert np.abs(found[inner, 2] - track[inner, 2]).max() < 0.05


def test_who_stays_in_place_does_not_travel_and_keeps_turning_if_they_turn(rig):
    clip = still_clip(rig, 180)
    clip.moved[..., 0, 3] += 3.0 + 0.05 * np.sin(np.arange(180) / 30.0)[:, None]
    assert np.ptp(travel_of(clip), axis=0).max() == 0.0
    assert travel_of(clip)[0, 0] == pytest.approx(3.0, abs=0.03)
    spin = way_of(np.stack([np.zeros(180), np.zeros(180), np.linspace(0.0, 7.0, 180)], axis=-1))
    turned = travel_of(replace(clip, moved=spin[:, None] @ still_clip(rig, 180).moved))
    assert turned[-1, 2] - turned[0, 2] == pytest.approx(7.0, abs=0.05)
    assert np.ptp(turned[:, :2], axis=0).max() == 0.0


def test_a_way_and_back_is_nowhere(rig):
    _, track = walking(rig, turn=2.0)
    way = way_of(track)
    way[:, 2, 3] = 0.4
    assert np.abs(undone_way(way) @ way - np.identity(4)).max() < 1e-12
    clip = wild_clip(rig, 180)
    assert np.abs(way[:, None] @ under(clip, way).moved - clip.moved).max() < 1e-12


def test_a_root_on_a_way_of_its_own_leaves_all_other_bones_where_they_are(rig):
    clip, track = walking(rig)
    found = with_root(clip, way_of(track))
    assert np.abs(found.moved[:, rig.root] - way_of(track)).max() == 0.0
    others = [i for i in range(len(rig.skeleton)) if i != rig.root]
    assert np.array_equal(found.moved[:, others], clip.moved[:, others])


def test_bones_above_written_ones_ride_on_what_is_written_and_turn_as_they_are_posed(rig):
    clip, skeleton = wild_clip(rig, 30), rig.skeleton
    chest, between = skeleton.index["chest"], skeleton.index["spine.002"]
    posed = np.array(Matrix.Rotation(0.3, 4, "X"), dtype=np.float64)
    written = set(range(len(skeleton))) - {between}
    found = with_riders(clip, written, {between: posed})
    rest = np.array(skeleton.bones[between].rest, dtype=np.float64)
    above = clip.moved[:, skeleton.bones[between].parent]
    assert np.abs(found.moved[:, between] - above @ rest @ posed @ np.linalg.inv(rest)).max() < 1e-9
    assert np.array_equal(found.moved[:, chest], clip.moved[:, chest])
    assert with_riders(clip, range(len(skeleton)), {}) is clip


def test_a_rider_that_does_not_turn_with_its_parent_is_still_taken_along(rig):
    i = rig.skeleton.index["head"]
    bones = tuple(
        replace(bone, inherit_rotation=False) if k == i else bone for k, bone in enumerate(rig.skeleton.bones)
    )
    clip = wild_clip(replace(rig, skeleton=type(rig.skeleton)(bones)), 20)
    carrier = clip.moved[:, bones[i].parent]
    found = ridden(clip, i, carrier, np.identity(4))
    head = np.array(bones[i].head)
    assert np.abs(found[:, :3, :3] - np.identity(3)).max() == 0.0
    places = found[:, :3, :3] @ head + found[:, :3, 3]
    assert np.abs(places - (carrier[:, :3, :3] @ head + carrier[:, :3, 3])).max() < 1e-12
