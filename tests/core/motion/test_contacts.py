"""Contacts of any clip, found from places alone, against contacts that are known because the motion is made."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.walkers import DOG, RUN, Walker
from surefoot.core.motion.contacts import Soles, find_clip_contacts, find_spot_contacts
from surefoot.core.motion.spans import Span

LEG = 0.9
GAITS = {"walk": Walker(), "run": RUN, "dog": DOG}


def soles_of(walker: Walker) -> list[Soles]:
    """Heel and ball of each foot of a walker."""
    return [Soles(foot.heel.copy(), foot.ball.copy()) for foot in walker.track().feet]


def planned_of(walker: Walker) -> list[tuple[Span, ...]]:
    """When each foot is down, in frames from 0."""
    return [tuple(Span(a - 1.0, b - 1.0) for a, b in each.foot) for each in walker.contacts().values()]


def moved(feet: list[Soles], shift: np.ndarray) -> list[Soles]:
    """The same feet moved by (F, 3)."""
    return [Soles(heel + shift, ball + shift) for heel, ball in feet]


def assert_same(found, planned, within: float) -> None:
    """Every planned contact that the take shows whole is found, and no other."""
    for have, want in zip(found, planned, strict=True):
        whole = [span for span in want if span.start > 2.0 and span.length > 3.0]
        near = [span for span in have.foot if span.start > 0.0]
        assert [span.start for span in near[: len(whole)]] == pytest.approx([s.start for s in whole], abs=within)
        assert [span.end for span in near[: len(whole)]] == pytest.approx([s.end for s in whole], abs=within)


def striding(fps: float, seconds: float = 6.0, period: float = 1.1, duty: float = 0.6) -> tuple[list[Soles], list]:
    """Feet that stand quite still and swing at one speed, and their contacts: no landing is gentler than another."""
    times = np.arange(round(seconds * fps) + 1) / fps
    feet, planned = [], []
    for phase, side in ((0.0, 0.1), (0.5, -0.1)):
        cycles = times / period - phase
        share = np.clip((cycles % 1.0 - duty) / (1.0 - duty), 0.0, 1.0)
        ahead, up = 1.4 * (np.floor(cycles) + share), 0.12 * np.sin(np.pi * share)
        places = np.stack([0.0 * times + side, -ahead, up], axis=-1)
        feet.append(Soles(places + [0.0, 0.1, 0.0], places - [0.0, 0.1, 0.0]))
        starts = (np.arange(-1, math.ceil(seconds / period) + 1) + phase) * period
        spans = [Span(max(0.0, a * fps), min(seconds, a + duty * period) * fps) for a in starts.tolist()]
        planned.append(tuple(span for span in spans if span.length > 0.0))
    return feet, planned


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_a_contact_with_sharp_ends_is_found_within_a_frame(fps):
    feet, planned = striding(fps)
    # Of a clip of more than 75 frames a second every second one is looked at.
    assert_same(find_clip_contacts(feet, fps, LEG), planned, 1.0 if fps < 75.0 else 2.0)


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
@pytest.mark.parametrize("walker", GAITS.values(), ids=GAITS)
def test_a_foot_that_is_set_down_gently_is_down_a_little_before_it_stands(walker, fps):
    walker = replace(walker, fps=fps)
    assert_same(find_clip_contacts(soles_of(walker), fps, LEG), planned_of(walker), max(0.06 * fps, 1.75))


def test_noise_of_a_millimetre_changes_no_contact_by_more_than_two_frames():
    walker = Walker(fps=60.0)
    noise = np.random.default_rng(7)
    feet = [Soles(*(points + noise.normal(0.0, 0.001, points.shape) for points in foot)) for foot in soles_of(walker)]
    clean, noisy = find_clip_contacts(soles_of(walker), 60.0, LEG), find_clip_contacts(feet, 60.0, LEG)
    for first, second in zip(clean, noisy, strict=True):
        assert len(first.foot) == len(second.foot)
        assert np.abs(np.array(first.foot) - np.array(second.foot)).max() <= 2.0


@pytest.mark.parametrize("drift", [-0.03, 0.03])
def test_a_floor_that_drifts_keeps_its_contacts(drift):
    feet, planned = striding(30.0, seconds=10.0)
    times = np.arange(len(feet[0].heel)) / 30.0
    drifting = moved(feet, np.stack([0.0 * times, 0.0 * times, drift * times], axis=-1))
    assert_same(find_clip_contacts(drifting, 30.0, LEG), planned, 1.0)


@pytest.mark.parametrize("rise", [-0.17, 0.17])
def test_each_tread_of_a_stair_is_stood_on(rise):
    feet, planned = striding(30.0)
    climbing = []
    for k, (foot, spans) in enumerate(zip(feet, planned, strict=True)):
        # A foot is on the tread of its contact, and on its way to the next one in between.
        times = [t for span in spans for t in span]
        heights = [rise * (2 * n + k) for n in range(len(spans)) for _ in range(2)]
        height = np.interp(np.arange(len(foot.heel)), times, heights)
        climbing.append(Soles(*(points + height[:, None] * [0.0, 0.0, 1.0] for points in foot)))
    assert_same(find_clip_contacts(climbing, 30.0, LEG), planned, 1.0)


def jump(height: float, fps: float = 60.0) -> tuple[list[Soles], Span, Span]:
    """Standing, up with both feet and down again at the same place, and the two contacts."""
    flight = 2.0 * math.sqrt(2.0 * height / 9.81)
    times = np.arange(round((2.0 + flight) * fps) + 1) / fps
    rising = np.clip(times - 1.0, 0.0, flight)
    z = 0.5 * 9.81 * rising * (flight - rising)
    foot = np.stack([0.0 * z, 0.0 * z, z], axis=-1)
    feet = [Soles(foot + [side, 0.1, 0.0], foot + [side, -0.1, 0.0]) for side in (0.1, -0.1)]
    return feet, Span(0.0, fps), Span((1.0 + flight) * fps, len(times) - 1.0)


@pytest.mark.parametrize("height", [0.2, 0.5])
def test_a_jump_makes_no_floor_in_the_air(height):
    feet, before, after = jump(height)
    for each in find_clip_contacts(feet, 60.0, LEG):
        assert len(each.foot) == 2
        assert each.foot[0] == pytest.approx(before, abs=2.0)
        assert each.foot[1] == pytest.approx(after, abs=2.0)


def test_a_knee_that_is_held_up_is_no_contact():
    fps = 30.0
    up = np.interp(np.arange(120), [30, 40, 80, 90], [0.0, 0.4, 0.4, 0.0])
    held = np.stack([0.0 * up, 0.0 * up, up], axis=-1)
    still = np.zeros((120, 3)) + [0.2, 0.0, 0.0]
    lifted, standing = find_clip_contacts([Soles(held, held), Soles(still, still)], fps, LEG)
    assert len(lifted.foot) == 2
    assert lifted.foot[0].end == pytest.approx(31.0, abs=2.0)
    assert lifted.foot[1].start == pytest.approx(89.0, abs=2.0)
    assert standing.foot == (Span(0.0, 119.0),)


def test_a_step_onto_a_box_and_off_it_is_a_contact():
    fps = 30.0
    frames = np.arange(150)

    def foot(at: list[int], heights: list[float], ways: list[float]) -> np.ndarray:
        return np.stack([0.0 * frames, np.interp(frames, at, ways), np.interp(frames, at, heights)], axis=-1)

    left = foot([20, 32, 110, 122], [0.0, 0.47, 0.47, 0.0], [0.0, -0.5, -0.5, -1.0])
    right = foot([40, 52, 90, 102], [0.0, 0.47, 0.47, 0.0], [0.0, -0.5, -0.5, -1.0])
    for each in find_clip_contacts([Soles(left, left), Soles(right, right)], fps, LEG):
        assert len(each.foot) == 3


def test_after_a_jump_down_from_a_block_a_foot_that_never_rests_has_its_floor_where_it_gets():
    """A foot that stood on the block and is only dragged below: in its fall it is on neither floor."""
    fps, fallen = 60.0, round(math.sqrt(2.0 * 0.5 / 9.81) * 60.0)
    times = np.clip((np.arange(120) - 60) / fps, 0.0, fallen / fps)
    z = np.maximum(0.0, 0.5 - 0.5 * 9.81 * times**2)
    dragged = np.clip(np.arange(120) - 60 - fallen, 0, None) * 0.4 / fps
    heel = np.stack([dragged, 0.0 * z, z], axis=-1)
    still = np.stack([0.0 * z + 0.2, 0.0 * z, z], axis=-1)
    found, _ = find_clip_contacts([Soles(heel, heel - [0.0, 0.2, 0.0]), Soles(still, still)], fps, LEG)
    before, after = found.foot
    assert before.end == pytest.approx(61.0, abs=2.0)
    assert after.start == pytest.approx(60.0 + fallen, abs=2.0)


def led_to_its_place(frames: int = 90, slow: float = 0.25, fps: float = 60.0) -> np.ndarray:
    """A point that creeps to its place, stands there from frame 30 to 60 and creeps off."""
    ahead = (np.minimum(np.arange(frames) - 30, 0) + np.maximum(np.arange(frames) - 60, 0)) * slow / fps
    up = 0.1 * np.clip(np.abs(np.arange(frames) - 45) - 25, 0, None) / 20.0
    return np.stack([0.0 * ahead, -ahead, up], axis=-1)


def test_a_foot_that_is_held_stands_no_longer_than_it_is_at_its_place():
    """It is led there slower than captured feet creep that stand."""
    places = led_to_its_place()
    (span,) = find_clip_contacts([Soles(places, places)], 60.0, LEG)[0].foot
    assert span == (29.5, 60.5)


def test_a_foot_that_nobody_holds_creeps_while_it_stands():
    places = led_to_its_place() + np.linspace(0.0, 0.02, 90)[:, None] * [1.0, 0.0, 0.0]
    (span,) = find_clip_contacts([Soles(places, places)], 60.0, LEG)[0].foot
    assert span.start < 26.0
    assert span.end > 64.0


def test_a_take_that_begins_frozen_and_creeps_on_for_long_is_held_by_nobody():
    ahead = np.clip(np.arange(90) - 20, 0, None) * 0.05 / 60.0
    places = np.stack([0.0 * ahead, -ahead, 0.0 * ahead], axis=-1)
    (span,) = find_clip_contacts([Soles(places, places)], 60.0, LEG)[0].foot
    assert span == (0.0, 89.0)


def test_a_gap_of_two_frames_is_closed_and_a_touch_of_one_frame_dropped():
    still = np.zeros((90, 3))
    bumped = still.copy()
    bumped[40:42, 2] = 0.1
    touching = still + [0.0, 0.0, 0.3]
    touching[:30] = touching[60:] = 0.0
    touching[45] = 0.0
    (gap,) = find_clip_contacts([Soles(bumped, bumped)], 30.0, LEG)
    (touch,) = find_clip_contacts([Soles(touching, touching)], 30.0, LEG)
    assert gap.foot == (Span(0.0, 89.0),)
    assert [span.end < 45.0 or span.start > 45.0 for span in touch.foot] == [True, True]


def test_a_quick_low_step_to_another_place_parts_two_contacts_and_a_push_of_a_standing_foot_does_not():
    def stepped(way: float) -> list[tuple[float, float]]:
        """Contacts of the foot of a giant, whose gaps last longer, that goes so far in eight frames."""
        frames = np.arange(101)
        share = np.clip((frames - 46) / 8.0, 0.0, 1.0)
        ball = np.stack([0.0 * frames, -way * share, 0.02 * np.sin(np.pi * share)], axis=-1)
        (found,) = find_clip_contacts([Soles(ball + [0.0, 0.5, 0.0], ball)], 60.0, 3.0 * LEG)
        return [tuple(span) for span in found.ball]

    assert stepped(0.5) == [(0.0, 46.5), (53.5, 100.0)]
    assert stepped(0.1) == [(0.0, 100.0)]


def test_heel_and_ball_are_judged_apart():
    walker = Walker(heel_off=0.3)
    for each in find_clip_contacts(soles_of(walker), walker.fps, LEG):
        heels, balls = each.heel[1:-1], each.ball[1:-1]
        assert len(heels) == len(balls)
        for heel, ball in zip(heels, balls, strict=True):
            assert heel.end < ball.end - 3.0


def test_a_heel_that_never_comes_down_is_never_down():
    walker = Walker()
    feet = [Soles(heel + [0.0, 0.0, 0.1], ball) for heel, ball in soles_of(walker)]
    for each in find_clip_contacts(feet, walker.fps, LEG):
        assert each.heel == ()
        assert len(each.foot) >= 5


def test_a_contact_across_the_seam_of_a_loop_is_one():
    walker = Walker(fps=30.0, stride=1.0, seconds=1.0, feet=(("foot.L", 0.7, 0.1), ("foot.R", 0.2, -0.1)))
    left, right = find_clip_contacts(soles_of(walker), 30.0, LEG, loops=True)
    (seam,), (inside,) = left.foot, right.foot
    assert seam == pytest.approx((21.0, 21.0 + 0.62 * 30.0), abs=1.5)
    assert inside == pytest.approx((6.0, 6.0 + 0.62 * 30.0), abs=1.5)


def test_on_the_spot_a_foot_is_down_while_it_goes_back_however_unevenly():
    feet, planned = striding(30.0, period=1.0)
    times = np.arange(len(feet[0].heel)) / 30.0
    # The ground passes by unevenly: no speed fits all of a stance.
    passed = 1.4 * times + 0.06 * np.sin(2.0 * math.pi * 2.0 * times)
    spot = moved(feet, np.stack([0.0 * times, passed, 0.0 * times], axis=-1))
    assert_same(find_spot_contacts(spot, 30.0, LEG, (0.0, 1.4)), planned, 1.5)


def test_a_rig_in_centimetres_has_the_same_contacts():
    walker = Walker()
    metres = find_clip_contacts(soles_of(walker), walker.fps, LEG)
    feet = [Soles(heel * 100.0, ball * 100.0) for heel, ball in soles_of(walker)]
    assert find_clip_contacts(feet, walker.fps, LEG * 100.0) == metres


def test_a_clip_of_one_frame_has_no_contact():
    foot = np.zeros((1, 3))
    (each,) = find_clip_contacts([Soles(foot, foot)], 30.0, LEG)
    assert each.foot == ()
