"""A clip on a body of other proportions: its way, its feet, its report."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from support.performers import SPEEDS, clip_of, on_the_spot
from support.retargeting import rig_of_skeleton, rolled, still_clip, wild_clip, with_legs, without
from support.rigs import person_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.spans import Contacts, Span
from surefoot.core.motion.travel import hips_centre
from surefoot.core.retarget.clean_feet import clean_feet, contacts_of
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.report import RetargetError
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.space.settings import range_errors

PERSON = rig_of_skeleton(person_skeleton())
BODIES = {
    "short legs": lambda: with_legs(person_skeleton(), 2.0 / 3.0, 2.0 / 3.0),
    "long shins": lambda: with_legs(person_skeleton(), 1.0, 1.25),
    "wide hips": lambda: with_legs(person_skeleton(), 1.0, 1.1, 1.15),
    "rolled": lambda: rolled(with_legs(person_skeleton(), 0.9, 1.1)),
}


@lru_cache
def walk() -> Clip:
    clip = clip_of("person")
    return replace(clip, moved=clip.moved[: round(3.0 * clip.fps)])


def swaying() -> Clip:
    """A person whose hips sway by 10 cm to either side over feet that stand."""
    clip = still_clip(PERSON, 120)
    sway = 0.1 * np.sin(2.0 * np.pi * np.arange(120) / 60.0)
    clip.moved[:, 1:, 0, 3] += sway[:, None]
    whole = (Span(0.0, 119.0),)
    held, report = clean_feet(clip, contacts=[Contacts(whole, whole, whole)] * 2)
    assert max(foot.slide_after for foot in report.feet) <= 1e-3
    return held


def planted(clip: Clip, contacts) -> list[tuple[np.ndarray, float]]:
    """Each contact of heel and ball: where the point is, and how high over the floor it rests.

    A contact is found a few frames before a foot that comes down has stopped: these are left out.
    """
    found = []
    for leg, each in zip(clip.rig.legs, contacts, strict=True):
        pairs = ((clip.heel(leg), leg.sole.heel, each.heel), (clip.ball(leg), leg.sole.ball, each.ball))
        for places, rest, spans in pairs:
            for span in spans:
                rows = slice(int(np.ceil(span.start)) + 3, int(span.end) - 1)
                if rows.stop > rows.start:
                    found.append((places[rows], rest.z - clip.rig.floor))
    return found


def slides(clip: Clip, contacts) -> float:
    """The farthest that any sole point gets from the middle of its contact, metres."""
    spreads = [places[:, :2] - np.median(places[:, :2], axis=0) for places, _ in planted(clip, contacts)]
    return max(float(np.linalg.norm(spread, axis=-1).max()) for spread in spreads)


def below(clip: Clip, contacts) -> float:
    """How deep a sole point that stands gets under the ground, against how it rests over its floor, metres."""
    return -min(float((places[:, 2] - rest).min()) for places, rest in planted(clip, contacts))


@pytest.mark.parametrize("feet", ["FOLLOW", "HOLD"])
@pytest.mark.parametrize("body", sorted(BODIES))
def test_a_walk_goes_as_far_as_the_legs_say_and_its_feet_stand(body, feet):
    target = rig_of_skeleton(BODIES[body]())
    clip = walk()
    done = retarget_clip(clip, target, RetargetConfig(feet=feet))
    ways = [each.body()[-1, :2] - each.body()[0, :2] for each in (clip, done.clip)]
    assert np.linalg.norm(ways[1]) == pytest.approx(done.report.travel * np.linalg.norm(ways[0]), rel=0.01)
    assert done.report.ratio == pytest.approx(target.leg_length / PERSON.leg_length, rel=0.01)
    # A step is what swings over a foot, and what rolls over the floor.
    steps = [sum(leg.lengths) + (leg.sole.ball - leg.sole.heel).length for leg in (PERSON.legs[0], target.legs[0])]
    assert done.report.travel == pytest.approx(min(done.report.ratio, steps[1] / steps[0]), rel=1e-6)
    contacts = contacts_of(clip)
    assert slides(done.clip, contacts) <= 0.003
    assert below(done.clip, contacts) <= 0.002


def test_legs_of_two_thirds_take_steps_of_two_thirds():
    target = rig_of_skeleton(BODIES["short legs"]())
    done = retarget_clip(walk(), target)
    # The foot's own height is no part of thigh and shin.
    assert done.report.ratio == pytest.approx(target.leg_length / PERSON.leg_length, rel=2e-3)
    assert done.report.ratio < 0.72


def test_hips_that_sway_over_standing_feet_do_so_on_other_proportions():
    clip = swaying()
    target = rig_of_skeleton(BODIES["wide hips"]())
    done = retarget_clip(clip, target, RetargetConfig(feet="FOLLOW"))
    for leg in target.legs:
        for places, rest in ((done.clip.heel(leg), leg.sole.heel), (done.clip.ball(leg), leg.sole.ball)):
            assert np.ptp(places[:, :2], axis=0).max() <= 0.002
            assert np.abs(places[:, 2] - (rest.z - target.floor)).max() <= 0.002
    # The knees give way: the body still sways.
    assert np.ptp(done.clip.body()[:, 0]) >= 0.19


def test_toes_that_the_source_lacks_stay_flat_while_the_foot_rolls_over_them():
    walk_without = rig_of_skeleton(without(person_skeleton(), "toe.L", "toe.R"))
    kept = [i for i, bone in enumerate(PERSON.skeleton.bones) if not bone.name.startswith("toe")]
    clip = Clip(walk_without, walk().fps, walk().moved[:, kept])
    done = retarget_clip(clip, PERSON)
    pitches, feet = [], []
    for leg, each in zip(PERSON.legs, contacts_of(clip), strict=True):
        toes = done.clip.moved[:, leg.toes[0], 2, 1]
        for span in each.ball or ():
            pitches.append(np.degrees(np.arcsin(toes[int(np.ceil(span.start)) : int(span.end) + 1])).max())
            feet.append(np.degrees(np.arcsin(done.clip.moved[int(span.end), leg.foot, 2, 1])))
    # Facing -Y, a foot that points down has its own Y up.
    assert max(feet) >= 15.0
    assert max(pitches) <= 3.0


@pytest.mark.parametrize("feet", ["FOLLOW", "HOLD"])
def test_a_walk_on_the_spot_is_the_walk_without_its_way(feet):
    target = rig_of_skeleton(BODIES["short legs"]())
    options = RetargetConfig(feet=feet)
    going = retarget_clip(walk(), target, options)
    stays = retarget_clip(on_the_spot(walk(), SPEEDS["person"]), target, options)
    assert stays.report.problems == ()
    expected = on_the_spot(going.clip, going.report.travel * SPEEDS["person"])
    for leg in target.legs:
        assert np.median(np.abs(stays.clip.ball(leg) - expected.ball(leg))) <= 0.003
        assert np.abs(stays.clip.ball(leg) - expected.ball(leg)).max() <= 0.03
    assert np.ptp(stays.clip.body()[:, 1]) <= 0.1


def test_a_walk_on_the_spot_on_its_own_rig_is_itself():
    clip = on_the_spot(walk(), SPEEDS["person"])
    done = retarget_clip(clip, PERSON, RetargetConfig(feet="FOLLOW"))
    assert np.abs(done.clip.moved - clip.moved).max() <= 1e-4


def test_a_way_that_is_kept_is_the_sources():
    target = rig_of_skeleton(BODIES["short legs"]())
    done = retarget_clip(walk(), target, RetargetConfig(travel="KEPT", feet="FREE"))
    middles = [hips_centre(each)[:, :2] for each in (walk(), done.clip)]
    ways = [middle - middle[0] for middle in middles]
    assert np.abs(ways[0] - ways[1]).max() <= 1e-4


@pytest.mark.parametrize("angle", [-88.0, 179.0])
def test_a_source_that_is_turned_in_the_scene_turns_the_target_and_nothing_else(angle):
    angle = np.radians(angle)
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    target = rig_of_skeleton(rolled(person_skeleton()))
    options = RetargetConfig(feet="FREE")
    plain = retarget_clip(walk(), target, options)
    spun = retarget_clip(replace(walk(), moved=turn @ walk().moved), target, options)
    below_body = [i for i in plain.driven if i not in (target.root, target.body)]
    apart = plain.channels.rotations[:, below_body] - spun.channels.rotations[:, below_body]
    assert np.abs(apart).max() <= 1e-4


def test_what_was_done_is_listed():
    target = rig_of_skeleton(without(person_skeleton(), "shoulder.L"))
    report = retarget_clip(walk(), target).report
    roles = {item.role: item for item in report.matched}
    assert roles["arm.L"].target == ("upper_arm.L", "forearm.L")
    assert roles["arm.L"].how == "DIRECTION"
    assert roles["spine"].how == "CHAIN"
    assert report.unused == ("shoulder.L",)
    assert [foot.role for foot in report.feet.feet] == ["leg.L", "leg.R"]
    assert all(foot.contacts >= 4 for foot in report.feet.feet)
    assert report.floor == pytest.approx(0.0, abs=0.005)


def test_a_source_with_hardly_any_body_is_told_and_what_stays_is_named():
    names = [f"{name}.{side}" for name in ("upper_arm", "forearm", "hand", "shoulder") for side in "LR"]
    armless = rig_of_skeleton(without(person_skeleton(), *names))
    clip = wild_clip(armless, amount=0.2)
    report = retarget_clip(clip, PERSON).report
    assert report.followed == (12, 20)
    told = [str(problem) for problem in report.problems]
    assert any("larger bones follow" in text and "forearm.L" in text for text in told)
    assert retarget_clip(walk(), PERSON).report.problems == ()


def test_a_source_whose_feet_never_stand_is_told():
    flying = wild_clip(PERSON, amount=0.3)
    flying.moved[:, :, 0, 3] += 3.0 * np.arange(len(flying))[:, None] / flying.fps
    flying.moved[:, :, 2, 3] += 3.0 + 2.0 * np.sin(np.arange(len(flying)) / 5.0)[:, None]
    told = [str(problem) for problem in retarget_clip(flying, PERSON).report.problems]
    assert len(told) == 1
    assert "ever stands" in told[0]
    assert retarget_clip(flying, PERSON, RetargetConfig(feet="FREE")).report.problems == ()


def test_a_source_without_frames_or_with_broken_ones_is_refused_by_name():
    clip = still_clip(PERSON, 8)
    with pytest.raises(RetargetError, match="no frames"):
        retarget_clip(replace(clip, moved=clip.moved[:0]), PERSON)
    clip.moved[5, PERSON.skeleton.index["hand.L"], 0, 3] = np.nan
    with pytest.raises(RetargetError, match=r"hand\.L has no place at frame 5"):
        retarget_clip(clip, PERSON)


def test_the_same_clip_gives_the_same_bytes():
    target = rig_of_skeleton(BODIES["rolled"]())
    first, second = (retarget_clip(walk(), target) for _ in range(2))
    assert first.clip.moved.tobytes() == second.clip.moved.tobytes()
    assert first.channels.rotations.tobytes() == second.channels.rotations.tobytes()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("feet", ["FREE", "FOLLOW", "HOLD"])
def test_a_clip_of_hardly_any_frames_is_moved_all_the_same(count, feet):
    done = retarget_clip(still_clip(PERSON, count), rig_of_skeleton(BODIES["long shins"]()), RetargetConfig(feet=feet))
    assert len(done.clip) == count
    assert np.isfinite(done.clip.moved).all()


def test_a_clip_that_never_stands_is_moved_all_the_same():
    flying = wild_clip(PERSON, amount=0.3)
    flying.moved[:, :, 2, 3] += 3.0 + 2.0 * np.sin(np.arange(len(flying)) / 5.0)[:, None]
    done = retarget_clip(flying, rig_of_skeleton(BODIES["short legs"]()))
    assert np.isfinite(done.clip.moved).all()


def test_settings_are_within_their_ranges():
    assert range_errors(RetargetConfig()) == []
    assert range_errors(RetargetConfig().hold) == []
