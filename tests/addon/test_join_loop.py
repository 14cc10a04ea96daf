"""Loops: the frame after the last is the first again, in pose and in velocity, and travel goes on."""

from __future__ import annotations

from math import pi, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.moved_rigs import PERSON, act, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
ROUND = 24


def stepping(rig: bpy.types.Object, last: float, *, gap: float = 0.0, speed: float = 0.05) -> bpy.types.Action:
    """A walk with a stride of 24 frames, from frame 1 on; `gap` metres and radians are missing at its end."""
    times = np.arange(0.0, last)
    off = gap * (times / times[-1]) ** 3

    def place(t: float) -> tuple[float, float, float]:
        lost = float(np.interp(t, times, off))
        return 0.03 * sin(2 * pi * t / ROUND), -speed * t, 0.95 + 0.03 * sin(4 * pi * t / ROUND) + lost

    moves = moved_about(place, lambda t: 0.08 * sin(2 * pi * t / ROUND), PELVIS, times)
    down = Matrix.Translation([-v for v in PELVIS])
    bones = {"pelvis": moves}
    for name, phase in (("thigh.L", 1.0), ("thigh.R", 1.0 + pi), ("upper_arm.L", 2.0), ("upper_arm.R", -1.0)):
        angles = 0.5 * np.sin(2 * pi * times / ROUND + phase) + off
        swings = [Matrix.Rotation(angle, 4, "X") for angle in angles.tolist()]
        bones[name] = [m @ Matrix.Translation(PELVIS) @ s @ down for m, s in zip(moves, swings, strict=True)]
    return act(rig, bones)


CLIPS = {
    "whole": (ROUND + 1, 0.0, "AUTO"),
    "one short": (ROUND, 0.0, "ONE_BEFORE"),
    "one short, found": (ROUND, 0.0, "AUTO"),
    "open": (ROUND + 1, 0.04, "FIRST_AGAIN"),
}


@pytest.mark.parametrize("kind", CLIPS)
def test_the_frame_after_the_loop_is_its_first_pose_farther_on(kind: str):
    from surefoot.addon.join_loop import join_loop

    last, gap, last_frame = CLIPS[kind]
    rig = person()
    stepping(rig, last, gap=gap)
    joined = join_loop(rig, last_frame=last_frame)
    assert joined.frames == ROUND
    assert joined.before.place == pytest.approx(gap, abs=0.03)
    assert joined.after.place < 1e-4
    assert joined.after.turn < 1e-4
    assert joined.travel[1] == pytest.approx(-0.05 * ROUND, abs=2e-3)
    names = [plan.name for plan in PERSON]
    found = worlds(rig, names, [1, 1 + ROUND])
    assert np.abs(found[1, :, :3, :3] - found[0, :, :3, :3]).max() < 1e-4
    apart = found[1, :, :3, 3] - found[0, :, :3, 3]
    moving = [i for i, name in enumerate(names) if name != "root"]
    assert np.abs(apart[moving] - [0.0, joined.travel[1], 0.0]).max() < 1e-3


@pytest.mark.parametrize("gap", [0.0, 0.04])
def test_the_velocity_across_the_seam_is_that_of_the_frames_beside_it(gap: float):
    from surefoot.addon.join_loop import join_loop

    rig = person()
    stepping(rig, ROUND + 1, gap=gap)
    join_loop(rig, last_frame="FIRST_AGAIN", extrapolation="CYCLE")
    found = points(worlds(rig, ["pelvis", "shin.L"], range(1, 1 + 2 * ROUND)))
    steps = np.diff(found, axis=0)
    off = np.linalg.norm(steps[1:-1] - 0.5 * (steps[2:] + steps[:-2]), axis=-1).max(axis=(1, 2))
    inside, seam = off[2 : ROUND - 4], off[ROUND - 3 : ROUND + 1]
    assert seam.max() < inside.max() + 0.02 * np.linalg.norm(steps, axis=-1).max()


def test_held_the_loop_stays_where_it_ended_and_repeated_it_gets_three_times_as_far():
    from surefoot.addon.join_loop import join_loop

    rig = person()
    source = stepping(rig, ROUND + 1)
    for extrapolation, rounds in (("HOLD", 1), ("CYCLE", 3)):
        rig.animation_data.action = source
        join_loop(rig, extrapolation=extrapolation)
        place = worlds(rig, ["pelvis"], [1, 1 + 3 * ROUND])[:, 0, 1, 3]
        assert place[1] - place[0] == pytest.approx(-0.05 * ROUND * rounds, abs=1e-4)


def test_the_range_says_how_long_the_loop_is():
    from surefoot.addon.join_loop import join_loop

    rig = person()
    stepping(rig, ROUND + 1)
    join_loop(rig)
    action = rig.animation_data.action
    assert action.use_cyclic
    assert (action.frame_start, action.frame_end) == (1.0, 1.0 + ROUND)


def test_a_spring_that_has_not_settled_is_led_into_its_start():
    from surefoot.addon.join_loop import join_loop

    rig = person()
    times = np.arange(3 * ROUND + 1.0)
    still = moved_about(lambda t: (0.02 * sin(2 * pi * t / ROUND), 0.0, 0.95), lambda _: 0.0, PELVIS, times)
    head = (0.0, 0.0, 1.55)
    down = Matrix.Translation([-v for v in head])
    settled = 0.3 * np.sin(2 * pi * times / ROUND + 0.5)
    angles = settled + 0.4 * np.exp(-times / 15) * np.sin(times / 5)
    turns = [Matrix.Translation(head) @ Matrix.Rotation(angle, 4, "X") @ down for angle in angles.tolist()]
    swings = [m @ turn for m, turn in zip(still, turns, strict=True)]
    act(rig, {"pelvis": still, "head": swings})
    joined = join_loop(rig, frame_start=1 + 2 * ROUND, last_frame="FIRST_AGAIN", extrapolation="CYCLE")
    assert joined.before.turn == pytest.approx(abs(angles[3 * ROUND] - angles[2 * ROUND]), abs=1e-3)
    found = worlds(rig, ["head"], range(1 + 2 * ROUND, 2 + 4 * ROUND))[:, 0, :3, :3]
    after = np.unwrap(np.arctan2((found @ found[0].T)[:, 2, 1], (found @ found[0].T)[:, 1, 1]))
    assert after[ROUND] == pytest.approx(after[0], abs=np.radians(1.0))
    speeds, wanted = np.diff(after), np.diff(0.3 * np.sin(2 * pi * np.arange(2 * ROUND + 1) / ROUND + 0.5))
    at_seam = slice(ROUND - 1, ROUND + 1)
    assert np.diff(speeds[at_seam]) == pytest.approx(np.diff(wanted[at_seam]), abs=0.1 * np.abs(wanted).max())
