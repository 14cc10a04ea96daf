"""Captured walks and runs, and animated animals, over slopes, stairs and hills: their feet against the clip's own."""

from functools import lru_cache
from math import radians

import numpy as np
import pytest
from support.carried_clips import Carriable, Carried, carriable, carriable_loop, carry
from support.on_ground import knees, lower_than_needed, offsets, slides
from support.real_clips import CACHE, load_clip
from surefoot.core.layers.legs import Legs, LegsConfig
from surefoot.core.world.solids import Flat, Hills, Ramp, Stairs

PEOPLE = ("Walk1", "cmu_007_03", "cmu_12_01", "Jog1", "Run1")
ANIMALS = ("fox_walk", "horse_walk", "horse_trot")
SLOPES = {angle: Ramp(radians(angle), start=1.0) for angle in (15.0, 25.0, -15.0, -25.0)}

pytestmark = pytest.mark.skipif(
    not CACHE.is_dir(), reason="No sampled clips: run tests/support/real_clips.py in a Blender Python."
)


@lru_cache
def source_of(name: str) -> Carriable:
    clip = load_clip(name)
    if clip is None:
        pytest.skip(f"{name} is not sampled.")
    return carriable(clip) if name in PEOPLE else carriable_loop(clip)


@lru_cache
def plain(name: str) -> Carried:
    return carry(source_of(name), Flat())


def over(name: str, world: object, *, hold: bool = True, planned: bool = False) -> Carried:
    source = source_of(name)
    return carry(source, world, Legs(source.clip.rig, LegsConfig(hold=hold, learn_floor=False)), planned=planned)


@pytest.mark.parametrize("angle", SLOPES)
@pytest.mark.parametrize("name", PEOPLE)
def test_on_slopes_planted_soles_are_within_a_centimetre_of_the_ground(name, angle):
    found = np.abs(offsets(over(name, SLOPES[angle]), plain(name)))
    assert np.mean(found < 0.01) > 0.995
    assert found.max() < 0.02


@pytest.mark.parametrize("name", PEOPLE)
def test_on_hills_planted_soles_are_within_a_centimetre_of_the_ground(name):
    assert np.abs(offsets(over(name, Hills(0.3, 4.0)), plain(name))).max() < 0.01


@pytest.mark.parametrize(("rise", "share"), [(0.17, 0.98), (-0.17, 0.95)], ids=["up", "down"])
@pytest.mark.parametrize("name", PEOPLE)
def test_on_stairs_planted_soles_are_within_a_centimetre_of_their_treads(name, rise, share):
    """Not all: of a clip whose future nobody knows, some feet meet an edge while they come down."""
    found = np.abs(offsets(over(name, Stairs(rise, 0.3, start=1.0)), plain(name)))
    assert np.mean(found < 0.01) > share


@pytest.mark.parametrize("rise", [0.17, -0.17], ids=["up", "down"])
@pytest.mark.parametrize("name", PEOPLE)
def test_on_stairs_every_planted_sole_of_a_clip_is_within_a_centimetre_of_its_tread(name, rise):
    """A clip knows where its feet will come down: they stand with all of their sole, the pelvis is low in time."""
    found = offsets(over(name, Stairs(rise, 0.3, start=1.0), planned=True), plain(name))
    assert np.abs(found).max() < 0.01


@pytest.mark.parametrize("name", PEOPLE)
def test_held_feet_stay_within_3_mm_on_level_ground(name):
    assert slides(over(name, Flat()), plain(name), trim=2)[:, 0].max() < 0.003


@pytest.mark.parametrize("name", PEOPLE)
def test_held_feet_stay_within_3_mm_on_hills_as_a_rule(name):
    found = slides(over(name, Hills(0.3, 4.0)), plain(name), trim=2)[:, 0]
    assert np.median(found) < 0.001
    assert np.mean(found < 0.003) > 0.97


def test_held_feet_stay_within_3_mm_on_every_slope():
    worst = [slides(over(n, SLOPES[a]), plain(n), trim=2)[:, 0].max() for n in PEOPLE for a in SLOPES]
    assert max(worst) < 0.003


@pytest.mark.parametrize("name", PEOPLE)
def test_held_feet_stay_within_3_mm_on_stairs_as_a_rule(name):
    """Not all: two treads down at once, a foot that stands is out of reach before its heel leaves."""
    for rise in (0.17, -0.17):
        found = slides(over(name, Stairs(rise, 0.3, start=1.0), planned=True), plain(name), trim=2)[:, 0]
        assert np.mean(found < 0.003) > 0.85


@pytest.mark.parametrize("name", PEOPLE)
def test_without_the_hold_feet_slide_no_more_than_in_the_clip(name):
    for world in (Flat(), *SLOPES.values()):
        found = slides(over(name, world, hold=False), plain(name))
        assert (found[:, 0] - found[:, 1]).max() < 0.002


@pytest.mark.parametrize("name", PEOPLE)
def test_without_the_hold_level_ground_changes_no_knee_and_no_pelvis(name):
    run = over(name, Flat(), hold=False)
    assert np.abs(knees(run) - knees(plain(name))).max() < 0.1
    assert np.abs(run.track.body[:, 2] - plain(name).track.body[:, 2]).max() < 0.001


@pytest.mark.parametrize("name", PEOPLE)
def test_with_the_hold_no_knee_on_level_ground_is_6_degrees_more_bent(name):
    more = knees(over(name, Flat())) - knees(plain(name))
    assert more.max() < 6.0
    assert plain(name).track.body[:, 2].mean() - over(name, Flat()).track.body[:, 2].mean() < 0.01


@pytest.mark.parametrize("name", ANIMALS)
def test_animals_keep_their_feet_on_hills_of_their_size(name):
    size = source_of(name).clip.rig.leg_length
    found = np.abs(offsets(over(name, Hills(0.12 * size, 2.5 * size)), plain(name)))
    assert np.mean(found < 0.01) > 0.99


@pytest.mark.parametrize("name", ANIMALS)
def test_on_level_ground_animals_are_as_in_their_clip(name):
    run = over(name, Flat(), hold=False)
    assert np.abs(knees(run) - knees(plain(name))).max() < 0.1


@pytest.mark.parametrize(("angle", "share"), [(15.0, 0.03), (-15.0, 0.05), (25.0, 0.10), (-25.0, 0.13)])
def test_on_slopes_the_pelvis_is_hardly_ever_a_centimetre_lower_than_its_legs_need(angle, share):
    """What is left are the frames after a foot has left the ground: its need is gone faster than a body rises."""
    found = np.concatenate([lower_than_needed(over(name, SLOPES[angle]), plain(name)) for name in PEOPLE])
    assert np.mean(found > 0.01) < share
    assert np.mean(found) < 0.005


@pytest.mark.parametrize("angle", [15.0, -15.0])
def test_on_slopes_the_pelvis_is_as_a_rule_less_than_half_a_centimetre_lower_than_feet_need_that_roll_farther(angle):
    assert np.mean(np.concatenate([lower_than_told(name, SLOPES[angle]) for name in PEOPLE])) < 0.005


def lower_than_told(name, world):
    """How much lower than the feet ask for at that moment the pelvis is, metres; below 0 a leg does without."""
    memories = over(name, world).memories
    return np.array([each.drop + each.more - max(0.0, *(foot.short[0] for foot in each.feet)) for each in memories])


def beyond(reason: str):
    """A number that is asked of all clips and is not met by some; when it is, this test says so."""
    return pytest.mark.xfail(strict=True, reason=reason)


@beyond("At lift-off a need of 4 to 6 cm is gone within 3 frames; a pelvis that followed would be thrown up.")
def test_on_slopes_the_pelvis_is_nowhere_a_centimetre_lower_than_the_feet_need_at_that_moment():
    assert max(lower_than_told(name, SLOPES[15.0]).max() for name in PEOPLE) < 0.01


@beyond("At landings on lower ground the pelvis comes down faster than that.")
def test_on_hills_the_pelvis_is_nowhere_accelerated_by_15_m_s2_more_than_in_the_clip():
    for name in PEOPLE:
        rate = plain(name).track.fps ** 2
        moved, own = (
            np.abs(np.diff(run.track.body[:, 2], 2)).max() * rate for run in (over(name, Hills()), plain(name))
        )
        assert moved < own + 15.0
