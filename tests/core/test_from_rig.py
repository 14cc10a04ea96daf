"""A rig as the base motion of another one: the same poses, its way, its feet, without knowing what comes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.following import (
    HERE,
    QUARTER,
    at_rate,
    config_of,
    farthest,
    follow,
    poses_of,
    run,
    turned_about,
)
from support.performers import clip_of, rig_of
from support.retargeting import rig_of_skeleton, rolled, with_legs, without
from support.rigs import person_skeleton
from surefoot.core.character import Character, driven_bones
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.rest_matching import match_rests
from surefoot.core.retarget.transfer import legs_reach, scaling_of, transfer
from surefoot.core.world.solids import Flat, Ramp

SHORT = with_legs(person_skeleton(), 0.7, 0.7)
SHINS = with_legs(person_skeleton(), 1.0, 1.25, 1.1)


def carried(rig) -> list[int]:
    """All bones but the root, which carries the way."""
    return [i for i in range(len(rig.skeleton)) if i != rig.root]


@pytest.mark.parametrize("who", ["person", "dog", "spider"])
@pytest.mark.parametrize("feet", ["FREE", "HOLD", "FOLLOW"])
def test_a_copy_of_a_walker_walks_as_it_does(who: str, feet: str):
    clip = clip_of(who)
    found = follow(clip, rig_of(who), source_feet=feet, source_start="BESIDE")
    # Contacts are told from places alone: a toe that leaves is told so a frame late, and a knee shows it most.
    limit = 1e-4 if feet == "FREE" else 0.015 * clip.rig.leg_length
    assert farthest(found.clip, clip, carried(clip.rig)) < limit


def test_a_copy_whose_bones_are_rolled_walks_as_it_does():
    clip, target = clip_of("person"), rig_of_skeleton(rolled(person_skeleton()))
    found = follow(clip, target, source_feet="FREE", source_start="BESIDE").clip
    for i in carried(target):
        head = target.skeleton.bones[i].head
        assert np.abs(found.place(i, head) - clip.place(i, head)).max() < 1e-4


@pytest.mark.parametrize("travel", ["SCALED", "KEPT"])
def test_it_is_where_the_whole_clip_would_be_retargeted_to(travel: str):
    """The way of a clip is scaled about the scene's origin: so it is here, for a source whose origin is there."""
    clip, target = clip_of("person"), rig_of_skeleton(SHORT)
    kept = travel == "KEPT"
    whole = transfer(clip, match_rests(clip.rig, target), scaling_of(clip.rig, target, 0.0, kept=kept))
    found = follow(clip, target, source_feet="FREE", source_start="BESIDE", source_travel=travel)
    middle = np.array([*(target.legs[0].hip + target.legs[1].hip) / 2.0])
    shift = scaling_of(clip.rig, target, 0.0, kept=kept).shift
    assert np.abs(shift).max() < 0.05
    assert np.abs(middle[:2]).max() < 0.05
    assert farthest(found.clip, whole, carried(target)) < 1e-4


@pytest.mark.parametrize("place", [Place(4.0, -2.0, 0.0, 0.0), Place(-1.0, 3.0, 0.0, 2.0)])
def test_it_begins_where_it_stands_and_as_it_faces(place: Place):
    clip = clip_of("person")
    elsewhere = turned_about(clip, Place(7.0, 7.0, 0.0, -1.0))
    one = follow(clip, clip.rig, place, source_feet="FREE")
    two = follow(elsewhere, clip.rig, place, source_feet="FREE")
    start = one.frames[0].ground
    assert (start.x, start.y, start.heading) == pytest.approx((place.x, place.y, place.heading), abs=1e-9)
    assert farthest(one.clip, two.clip, carried(clip.rig)) < 2e-4


def test_beside_it_keeps_what_the_source_is_off_its_origin():
    """The source's object stands 3 m to the left and looks to the left; what follows stands at the origin."""
    clip = clip_of("person")
    at = Place(3.0, 1.0, 0.0, QUARTER)
    source = turned_about(clip, at)
    found = follow(source, clip.rig, poses=poses_of(source, at), source_feet="FREE", source_start="BESIDE")
    assert farthest(found.clip, clip, carried(clip.rig)) < 2e-4


def test_it_goes_farther_with_longer_legs_or_exactly_as_far():
    clip, target = clip_of("person"), rig_of_skeleton(SHORT)
    way = np.linalg.norm((clip.body()[-1] - clip.body()[0])[:2])
    for travel, ratio in (("SCALED", legs_reach(target) / legs_reach(clip.rig)), ("KEPT", 1.0)):
        body = follow(clip, target, source_travel=travel).clip.body()
        assert np.linalg.norm((body[-1] - body[0])[:2]) == pytest.approx(way * ratio, rel=0.01)


def test_the_root_carries_the_way_and_does_not_turn_with_the_source():
    clip = clip_of("person")
    found = follow(clip, clip.rig)
    assert clip.rig.root not in driven_bones(found.character)[1]
    assert max(np.abs(frame.rotations[clip.rig.root, 1:]).max() for frame in found.frames) < 1e-6


def slides(clip: Clip, spans: list[list[tuple[int, int]]]) -> list[float]:
    """How far the ball of each foot gets along the ground while it is down, for each time, metres."""
    found = []
    for leg, some in zip(clip.rig.legs, spans, strict=True):
        ball = clip.ball(leg)[:, :2]
        found += [float(np.linalg.norm(ball[a:b] - ball[a], axis=-1).max()) for a, b in some]
    return found


def spans_of(memories, k: int, settle: int) -> list[tuple[int, int]]:
    """Frames at which the ball of a foot is down, without the first and the last ones, in which it still moves."""
    down = [memory.follow.feet[k].ball_down for memory in memories]
    edges = [i for i in range(1, len(down)) if down[i] != down[i - 1]]
    return [
        (a + settle, b - settle // 2) for a, b in zip(edges, edges[1:], strict=False) if down[a] and b - a > settle + 4
    ]


@pytest.mark.parametrize("skeleton", [SHORT, SHINS], ids=["short legs", "long shins"])
@pytest.mark.parametrize("fps", [60.0, 30.0])
def test_feet_stay_where_they_landed(skeleton, fps: float):
    clip, target = at_rate(clip_of("person"), fps), rig_of_skeleton(skeleton)
    held = follow(clip, target)
    spans = [spans_of(held.memories, k, round(0.1 * fps)) for k in range(2)]
    assert min(len(some) for some in spans) >= 3
    assert max(slides(held.clip, spans)) < 0.003


def test_free_feet_slide_where_the_way_is_kept():
    clip, target = clip_of("person"), rig_of_skeleton(SHORT)
    held = follow(clip, target, source_travel="KEPT")
    free = follow(clip, target, source_travel="KEPT", source_feet="FREE")
    spans = [spans_of(held.memories, k, 6) for k in range(2)]
    assert np.median(slides(free.clip, spans)) > 0.1
    assert np.median(slides(held.clip, spans)) < 0.5 * np.median(slides(free.clip, spans))


@pytest.mark.parametrize("skeleton", [SHORT, SHINS], ids=["short legs", "long shins"])
def test_no_sole_is_in_the_floor_or_over_it_while_it_stands(skeleton):
    found = follow(clip_of("person"), rig_of_skeleton(skeleton))
    for k, leg in enumerate(found.clip.rig.legs):
        height = found.clip.ball(leg)[:, 2] - (leg.sole.ball.z - found.clip.rig.floor)
        for a, b in spans_of(found.memories, k, 6):
            assert np.abs(height[a:b]).max() < 0.01 * found.clip.rig.leg_length


def test_toes_that_nothing_leads_lie_on_the_floor_while_their_foot_rolls_over_them():
    """The source has no toe bones, and goes up on the balls of its feet."""
    clip, source = clip_of("person"), rig_of_skeleton(without(person_skeleton(), "toe.L", "toe.R"))
    bones = [clip.rig.skeleton.index[bone.name] for bone in source.skeleton.bones]
    taken = Clip(source, clip.fps, clip.moved[:, bones])
    found = follow(taken, clip.rig)
    for k, leg in enumerate(clip.rig.legs):
        toe = found.clip.place(leg.toes[0], leg.sole.toe)[:, 2] - leg.sole.toe.z
        for a, b in spans_of(found.memories, k, 6):
            assert np.abs(toe[a:b]).max() < 0.015


def test_at_24_frames_a_second_it_is_near_to_where_it_is_at_60():
    clip, target = clip_of("person"), rig_of_skeleton(SHORT)
    fast = follow(clip, target)
    slow = follow(at_rate(clip, 20.0), target)
    once = Clip(target, 20.0, fast.clip.moved[::3])
    assert farthest(slow.clip, once, carried(target)) < 0.04


def test_nothing_jumps_when_feet_land_and_leave():
    """What the hold adds to a foot's way from frame to frame: no more than a foot goes in a frame anyway."""
    clip, target = clip_of("person"), rig_of_skeleton(SHINS)
    held, free = follow(clip, target), follow(clip, target, source_feet="FREE")
    for leg in target.legs:
        added = held.clip.ball(leg) - free.clip.ball(leg)
        assert np.linalg.norm(np.diff(added, axis=0), axis=-1).max() < 0.02


def test_a_source_that_is_suddenly_elsewhere_takes_it_there_without_dragging_feet():
    clip = clip_of("person")
    cut = Clip(clip.rig, clip.fps, np.concatenate([clip.moved[:60], turned_about(clip, Place(0, 9, 0, 0)).moved[60:]]))
    found = follow(cut, clip.rig, source_start="BESIDE")
    assert ("JUMP", "") in found.frames[60].events
    assert farthest(found.clip, cut, carried(clip.rig)) < 0.02


def test_a_cut_of_the_source_is_no_landing_far_away():
    clip = clip_of("person")
    moved = np.concatenate([clip.moved[:60], clip.moved[:60]])
    found = follow(replace(clip, moved=moved), clip.rig, source_start="BESIDE")
    again = np.linalg.norm(found.clip.body()[60] - found.clip.body()[0])
    assert again < 1e-3


def test_on_a_slope_the_body_follows_the_ground():
    clip = clip_of("person")
    flat = follow(clip, clip.rig, source_feet="FREE").clip.body()
    up = follow(clip, clip.rig, world=Ramp(0.2), source_feet="FREE").clip.body()
    rise = up[:, 2] - flat[:, 2]
    assert abs(rise[-1]) > 0.3
    assert np.abs(rise - 0.2 * (up[:, 1] - up[0, 1]) * np.sign(rise[-1]) * np.sign(up[-1, 1] - up[0, 1])).max() < 0.06


def test_without_a_source_it_stands_at_rest_and_says_so():
    rig = rig_of("person")
    character = Character(rig, replace(config_of(rig), source_rig=None))
    assert any("no rig to follow" in str(problem) for problem in character.problems)
    frames = run(character, [None] * 10, 60.0, Place(1.0, 2.0, 0.0, 0.5)).frames
    assert all(np.abs(frame.rotations[:, 1:]).max() == 0.0 for frame in frames)
    assert frames[-1].ground == frames[0].ground


@pytest.mark.parametrize("wrong", ["gone", "not a number", "of another rig"])
def test_a_frame_without_its_source_throws_nothing(wrong: str):
    clip = clip_of("person")
    poses = poses_of(clip)[:40]
    broken = clip.moved[20].copy()
    broken[3, 0, 3] = np.nan
    poses[20] = {
        "gone": None,
        "not a number": replace_pose(poses[20], broken),
        "of another rig": replace_pose(poses[20], clip.moved[20, :5].copy()),
    }[wrong]
    found = follow(clip, clip.rig, poses=poses, source_start="BESIDE")
    assert np.isfinite(found.clip.moved).all()
    last = Clip(clip.rig, clip.fps, clip.moved[39:40])
    assert farthest(Clip(clip.rig, clip.fps, found.clip.moved[39:40]), last, carried(clip.rig)) < 0.02


def replace_pose(pose, moved: np.ndarray):
    return type(pose)(moved, pose.stand)


def test_a_dog_that_follows_a_person_says_what_stays():
    character = Character(rig_of("dog"), config_of(rig_of("person")))
    assert any("larger bones follow" in str(problem) for problem in character.problems)
    run(character, poses_of(clip_of("person"))[:20], 60.0)


def test_a_frame_is_the_same_from_any_memory_before_it():
    clip, target = at_rate(clip_of("person"), 30.0), rig_of_skeleton(SHORT)
    poses = poses_of(clip)
    whole = follow(clip, target)
    character = whole.character
    memory = whole.memories[40].copy()
    from surefoot.core.control.source_pose import between

    for before, after in zip(poses[40:60], poses[41:61], strict=True):
        for share in (0.5, 1.0):
            now = after if share == 1.0 else between(before, after, share)
            character.tick(memory, Inputs(source=now), Flat(), 1.0 / 60.0)
    frame = character.frame(memory, Inputs(source=poses[60]), Flat(), 1.0 / 30.0)
    assert frame.rotations.tobytes() == whole.frames[60].rotations.tobytes()
    assert frame.locations.tobytes() == whole.frames[60].locations.tobytes()
    assert frame.ground == whole.frames[60].ground


def test_a_teleport_moves_the_whole_of_it():
    rig, clip = rig_of("person"), clip_of("person")
    character = Character(rig, config_of(rig))
    poses, world = poses_of(clip), Flat()
    memory = character.start(HERE, Inputs(source=poses[0]), world)
    to = Place(5.0, 5.0, 0.0, 1.0)
    for k in range(1, 31):
        character.tick(memory, Inputs(source=poses[k], moved_to=to if k == 20 else None), world, 1.0 / 60.0)
        if k == 20:
            assert memory.travel.place[:2] == (5.0, 5.0)
    frame = character.frame(memory, Inputs(source=poses[30]), world, 1.0 / 60.0)
    assert np.hypot(frame.ground.x - 5.0, frame.ground.y - 5.0) < 0.4


@pytest.mark.parametrize("feet", ["HOLD", "FREE"])
def test_its_feet_are_told_to_the_layers(feet: str):
    clip = clip_of("person")
    found = follow(clip, clip.rig, source_feet=feet)
    down = [tuple(foot.planted for foot in frame.feet) for frame in found.frames]
    assert all(any(both) for both in down)
    assert sum(not all(both) for both in down) > 0.5 * len(down)
    names = {event for frame in found.frames for event, _ in frame.events}
    assert names == {"LANDING", "LIFT_OFF"}
