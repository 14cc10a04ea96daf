"""Feet of a clip whose landings are known: they come down on what all of their sole stands on, and in time."""

from functools import lru_cache
from math import radians

import numpy as np
import pytest
from support.carried_clips import Carriable, Carried, carriable, carry
from support.on_ground import offsets
from support.performers import clip_of
from surefoot.core.layers.legs import Legs, LegsConfig
from surefoot.core.world.solids import Flat, Ramp, Stairs


@lru_cache
def walk() -> Carriable:
    return carriable(clip_of("person"))


@lru_cache
def plain_walk() -> Carried:
    return carry(walk(), Flat())


def legs() -> Legs:
    return Legs(walk().clip.rig, LegsConfig(learn_floor=False))


@pytest.mark.parametrize("rise", [0.12, -0.12, 0.17, -0.17], ids=["up", "down", "steeply up", "steeply down"])
def test_every_planted_sole_is_within_a_centimetre_of_its_tread(rise):
    world = Stairs(rise, 0.4, start=0.7)
    run = carry(walk(), world, legs(), planned=True)
    found = offsets(run, plain_walk())
    assert len(found) > 400
    assert np.abs(found).max() < 0.01


def test_feet_come_down_with_all_of_their_sole_on_one_tread():
    run = carry(walk(), Stairs(0.12, 0.4, start=0.7), legs(), planned=True)
    for foot in run.track.feet:
        stands = (foot.clearance("heel") < 0.005) & (foot.clearance("ball") < 0.005)
        assert stands.sum() > 50
        assert np.abs(foot.heel_ground - foot.ball_ground)[stands].max() < 1e-6


def test_on_ground_of_one_piece_a_known_landing_moves_no_foot():
    """There a foot goes where it goes without: what a clip's future tells is for edges."""
    world = Ramp(radians(15.0), start=-5.0)
    known, unknown = (carry(walk(), world, legs(), planned=True, landings=told) for told in (True, False))
    for one, two in zip(known.track.feet, unknown.track.feet, strict=True):
        assert np.abs(one.ball - two.ball).max() < 0.01
