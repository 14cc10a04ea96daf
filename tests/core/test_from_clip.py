"""A clip as the base motion: it comes back as it was, over whatever ground, at any frame rate, or in place."""

from __future__ import annotations

from dataclasses import replace
from math import cos, dist, pi, sin

import numpy as np
import pytest
from mathutils import Matrix
from support.clip_joints import clip_of_walk
from support.performers import clip_of, one_stride, performance, rig_of
from support.walk import Walk, walk
from surefoot.core.character import CharacterConfig, driven_bones
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.from_clip import ClipConfig
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.clip_pose import clip_poses
from surefoot.core.rig.pose import model_matrices
from surefoot.core.world.solids import Extruded, Flat, Moving, Ramp

WHO = ("person", "dog", "spider")


def config(who: str, **changes: object) -> CharacterConfig:
    """The walk of one of ours as the base motion of itself."""
    clip = clip_of(who)
    return CharacterConfig(
        base="CLIP", play=ClipConfig(**changes), clip_poses=clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))
    )


def played(
    who: str, fps: float = 60.0, seconds: float = 3.5, place: Place = Place(0, 0, 0, 0), **changes: object
) -> Walk:
    """The same played over flat ground."""
    return walk(rig_of(who), Flat(), 1.0, seconds, fps, config(who, **changes), place=place)


def worst(one: Clip, two: Clip) -> float:
    """How far bones are from where they were at most, metres."""
    heads = np.array([[*bone.head, 1.0] for bone in one.rig.skeleton.bones])
    count = min(len(one), len(two))
    return float(np.abs(np.einsum("fbij,bj->fbi", one.moved[:count] - two.moved[:count], heads)).max())


@pytest.mark.parametrize("who", WHO)
def test_on_flat_ground_the_clip_comes_back_as_it_was(who: str):
    assert worst(clip_of_walk(played(who, clip_repeat="HOLD")), clip_of(who)) < 1e-4


def test_from_another_place_it_is_the_same_there():
    place = Place(5.0, -3.0, 0.0, 2.0)
    clip = clip_of_walk(played("person", place=place, clip_repeat="HOLD"))
    at = np.array(Matrix.Translation(place[:3]) @ Matrix.Rotation(place.heading, 4, "Z"), dtype=np.float64)
    assert worst(clip, replace(clip_of("person"), moved=at @ clip_of("person").moved)) < 1e-4


def test_at_24_frames_a_second_it_is_where_it_is_at_60():
    """Frames of both that fall together: each second frame of 24, each fifth of 60."""
    fast, slow = played("person", 60.0), played("person", 24.0)
    one, two = clip_of_walk(fast), clip_of_walk(slow)
    count = min(len(one.moved[::5]), len(two.moved[::2]))
    assert count > 35
    assert np.abs(one.moved[::5][:count] - two.moved[::2][:count]).max() < 1e-4


def test_twice_as_fast_it_is_where_it_would_be_in_half_the_time():
    one, two = clip_of_walk(played("person", clip_rate=2.0)), clip_of("person")
    count = len(two) // 2
    assert np.abs(one.moved[:count] - two.moved[: 2 * count : 2]).max() < 1e-4


def test_it_begins_where_it_is_told_to():
    """Half a second in: the body stands as far from its place as it is in the clip then."""
    run = played("person", clip_start=0.5)
    assert np.abs(clip_of_walk(run).moved[0] - clip_of("person").moved[30]).max() < 1e-4


def test_at_its_end_it_holds_its_last_pose():
    run = played("person", seconds=6.0, clip_repeat="HOLD")
    last, before = run.frames[-1], run.frames[-60]
    assert last.rotations.tobytes() == before.rotations.tobytes()
    assert last.ground == before.ground


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("rise", [0.15, -0.15])
def test_on_a_slope_the_body_follows_the_ground(who: str, rise: float):
    run = walk(rig_of(who), Ramp(rise), 1.0, 3.0, 60.0, config(who))
    flat = played(who, seconds=3.0)
    for frame, other in zip(run.frames, flat.frames, strict=True):
        assert frame.rotations.tobytes() == other.rotations.tobytes()
        height = Ramp(rise).height(frame.ground.x, frame.ground.y)
        assert frame.ground.z + run.rig.floor == pytest.approx(height, abs=0.02)
    gone = np.hypot(run.frames[-1].ground.x, run.frames[-1].ground.y)
    assert gone == pytest.approx(np.hypot(flat.frames[-1].ground.x, flat.frames[-1].ground.y), rel=0.01)


@pytest.mark.parametrize("who", WHO)
def test_what_is_ticked_on_from_a_copy_is_the_same_to_the_bit(who: str):
    whole = played(who, 24.0, 3.0)
    memory = whole.memories[30].copy()
    for frame in whole.frames[31:]:
        for _ in range(2):
            whole.character.tick(memory, Inputs(speed=1.0), Flat(), 1.0 / 48.0)
        now = whole.character.pose(memory)
        assert now.rotations.tobytes() == frame.rotations.tobytes()
        assert now.ground == frame.ground
        assert now.feet == frame.feet


def loop_config(**changes: object) -> CharacterConfig:
    """One stride of a person, again and again."""
    clip = one_stride(clip_of("person"), 1.1)
    return CharacterConfig(base="CLIP", play=ClipConfig(**changes), clip_poses=clip_poses(clip, None, (0.0,)))


def test_a_loop_goes_on_round_after_round():
    run = walk(rig_of("person"), Flat(), 1.0, 12.0, 60.0, loop_config())
    y = np.array([frame.ground.y for frame in run.frames])
    assert y[-1] == pytest.approx(-1.3 * 12.0, rel=0.01)
    assert np.diff(y).max() < 0.0
    assert max(abs(frame.ground.x) for frame in run.frames) < 0.1


def test_progress_poses_the_clip_whichever_way_it_is_keyed():
    clip = clip_of("person")
    total = (len(clip) - 1) / clip.fps

    def inputs(time: float) -> Inputs:
        return Inputs(progress=0.5 - 0.5 * cos(pi * time))

    run = walk(rig_of("person"), Flat(), 1.0, 2.0, 60.0, config("person", clip_timing="PROGRESS"), inputs=inputs)
    shown = clip_of_walk(run)
    poses = clip_poses(clip, (0.0, 0.0, 0.0), (0.0,))
    for k in (0, 17, 60, 101):
        frame = inputs(k / 60.0).progress * total * clip.fps
        assert run.frames[k].ground.y == pytest.approx(poses.spot(frame)[1], abs=1e-4)
        expected = np.array([tuple(turn) for turn in poses.at(frame).rotations])
        assert np.abs(run.frames[k].rotations - expected).max() < 1e-6
    # There and back.
    assert np.abs(shown.moved[0] - shown.moved[120]).max() < 1e-4


@pytest.mark.parametrize("speed", [0.8, 1.3, 1.8])
def test_in_place_it_keeps_pace_with_the_director_so_that_feet_do_not_slide(speed: float):
    """The clip walks at 1.3 m/s. Slide is judged while the body goes evenly."""
    run = walk(rig_of("person"), Flat(), speed, 8.0, 60.0, loop_config(clip_travel="DIRECTOR")).settled(3.0)
    track, contacts = run.track(), run.contacts()
    slides = []
    for foot in track.feet:
        for span in contacts[foot.role].ball:
            inner = foot.ball[max(0, int(span.start) + 3) : max(0, int(span.end) - 2)]
            if len(inner) > 4:
                slides.append(np.ptp(inner, axis=0)[:2].max())
    assert len(slides) >= 6
    assert max(slides) < 0.02
    gone = run.frames[0].ground.y - run.frames[-1].ground.y
    assert gone == pytest.approx(speed * (len(run.frames) - 1) / 60.0, rel=0.01)


def test_in_place_it_stands_still_in_the_clip_while_the_director_stands():
    run = walk(rig_of("person"), Flat(), 0.0, 1.0, 60.0, loop_config(clip_travel="DIRECTOR"))
    assert run.frames[0].rotations.tobytes() == run.frames[-1].rotations.tobytes()


def test_in_place_by_the_clock_it_plays_on_where_the_body_stands():
    run = walk(rig_of("person"), Flat(), 0.0, 1.0, 60.0, loop_config(clip_travel="DIRECTOR", clip_keeps_pace=False))
    assert np.abs(run.frames[0].rotations - run.frames[30].rotations).max() > 0.1
    assert run.frames[-1].ground == run.frames[0].ground


def test_a_body_that_is_teleported_goes_on_from_there():
    there = Place(4.0, 5.0, 0.0, 1.0)

    def inputs(time: float) -> Inputs:
        return Inputs(moved_to=there if abs(time - 1.0) < 1e-9 else None)

    run = walk(rig_of("person"), Flat(), 1.0, 2.0, 60.0, config("person"), inputs=inputs)
    assert run.frames[60].ground[:2] == pytest.approx(there[:2], abs=1e-6)
    assert ("JUMP", "") in run.frames[60].events
    dx, dy = run.frames[120].ground.x - there.x, run.frames[120].ground.y - there.y
    assert np.hypot(dx, dy) == pytest.approx(1.3, rel=0.03)
    assert (dx, dy) == pytest.approx((1.3 * sin(1.0), -1.3 * cos(1.0)), abs=0.06)


def test_a_platform_takes_the_body_along():
    """Half a metre a second to the left while the clip walks on it: it is as far on the platform as on the ground."""
    platform = Moving(Extruded([(-30.0, 0.0, 30.0, 0.0)]), lambda time: (0.5 * time, 0.0, 0.3 * time, 0.0))
    run = walk(rig_of("person"), platform, 1.0, 2.0, 60.0, config("person"))
    still = played("person", seconds=2.0)
    here, there = still.frames[-1].ground, run.frames[-1].ground
    assert (there.x, there.y) == pytest.approx((here.x + 1.0, here.y), abs=0.01)
    assert there.z == pytest.approx(here.z + 0.6, abs=0.01)


@pytest.mark.parametrize("who", WHO)
def test_feet_are_told_down_when_they_were(who: str):
    planned, told = performance(who), played(who, clip_repeat="HOLD")
    count = min(len(planned.frames), len(told.frames))
    agree = [
        one.planted == two.planted
        for a, b in zip(planned.frames[:count], told.frames[:count], strict=True)
        for one, two in zip(a.feet, b.feet, strict=True)
    ]
    assert np.mean(agree) > (0.95 if who == "person" else 0.9)
    for frame in told.frames[::10]:
        matrices = model_matrices(told.rig.skeleton, frame)
        at = Matrix.Translation(frame.ground[:3]) @ Matrix.Rotation(frame.ground.heading, 4, "Z")
        for leg, foot in zip(told.rig.legs, frame.feet, strict=True):
            bone = leg.sole.ball_bone
            ball = at @ matrices[bone] @ told.rig.skeleton.unrest[bone] @ leg.sole.ball
            assert foot.foothold == pytest.approx(tuple(ball), abs=1e-4)


@pytest.mark.parametrize("who", WHO)
def test_a_foot_in_the_air_is_told_where_and_when_it_comes_down(who: str):
    told, agree = played(who, clip_repeat="HOLD"), []
    for n, frame in enumerate(told.frames):
        for i, foot in enumerate(frame.feet):
            if foot.landing is None:
                continue
            m = n + round(foot.landing.time * 60.0)
            if foot.landing.time < 0.3 and m < len(told.frames):
                later = told.frames[m].feet[i]
                assert dist(foot.landing.ball[:2], later.foothold[:2]) < 0.002
                agree.append(later.planted and not told.frames[m - 2].feet[i].planted)
    assert len(agree) > 30
    assert np.mean(agree) > 0.95


def test_in_a_loop_a_landing_of_the_next_round_is_where_that_will_be():
    run = walk(rig_of("person"), Flat(), 1.0, 4.0, 60.0, loop_config())
    seen = 0
    for n, frame in enumerate(run.frames[:180]):
        for i, foot in enumerate(frame.feet):
            if foot.landing is not None:
                later = run.frames[n + round(foot.landing.time * 60.0)].feet[i]
                assert dist(foot.landing.ball[:2], later.foothold[:2]) < 0.01
                seen += 1
    assert seen > 60


def test_nobody_knows_where_feet_come_down_that_go_by_a_keyed_progress_or_a_director():
    for changes in ({"clip_timing": "PROGRESS"}, {"clip_travel": "DIRECTOR"}):
        run = walk(rig_of("person"), Flat(), 1.0, 1.5, 60.0, loop_config(**changes))
        assert all(foot.landing is None for frame in run.frames for foot in frame.feet)


def test_landings_and_lift_offs_are_events():
    events = [event for frame in played("person").frames for event in frame.events]
    assert sum(name == "LANDING" for name, _ in events) in range(5, 8)
    assert {role for name, role in events if name == "LIFT_OFF"} == {"leg.L", "leg.R"}


def test_only_driven_bones_are_posed():
    run = played("person")
    rotated, located = driven_bones(run.character)
    others = [i for i in range(len(run.rig.skeleton)) if i not in rotated]
    unmoved = [i for i in range(len(run.rig.skeleton)) if i not in located]
    for frame in run.frames[::5]:
        assert np.array_equal(frame.rotations[others], np.tile([1.0, 0.0, 0.0, 0.0], (len(others), 1)))
        assert not frame.locations[unmoved].any()


def test_without_a_clip_it_walks_and_says_so():
    run = walk(rig_of("person"), Flat(), 1.0, 1.0, config=CharacterConfig(base="CLIP"))
    assert run.memories[-1].gait.stepping
    (problem,) = run.character.problems
    assert "no clip" in problem.reason


def test_settings_with_equal_clips_are_equal():
    assert config("person") == config("person")
    assert config("person") != replace(config("person"), clip_poses=clip_poses(clip_of("person")))
