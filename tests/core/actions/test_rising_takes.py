"""Takes of getting up: which is taken, mirrored where that fits better, and what of it is kept on the ground."""

from __future__ import annotations

from functools import lru_cache
from math import radians

import numpy as np
import pytest
from mathutils import Vector
from support.lying import lying
from support.real_clips import load_clip
from support.rises import depth, filmed, rig_of, riser, slide, start_gap
from surefoot.core.actions.rise_config import RiseConfig
from surefoot.core.actions.rise_moments import moments_of
from surefoot.core.actions.rise_takes import RiseTake
from surefoot.core.motion.clip import Clip, by_bone
from surefoot.core.motion.clip_pose import ClipPoses, clip_poses
from surefoot.core.rise_presets import rising
from surefoot.core.world.solids import Flat, Ramp

FLAT = Flat()
FPS = 30.0


@lru_cache
def acted_shots(lies: str):
    """A person that ships, getting up by itself on level ground."""
    rise = riser("person")
    return filmed(rise, lying(rise.rig, lies, FLAT, heading=0.8, at=(2.0, 1.0)), FLAT)


@lru_cache
def acted(lies: str) -> ClipPoses:
    """That as a take, which stands for another half second."""
    shots, rig = acted_shots(lies), rig_of("person")
    shots = [*shots, *shots[-1:] * 15]
    moved = by_bone(len(shots), len(rig.skeleton))
    for frame, shot in enumerate(shots):
        for i in range(len(rig.skeleton)):
            moved[frame, i] = np.array(shot.at @ shot.pose.moved(i))
    return clip_poses(Clip(rig, FPS, moved))


def take(lies: str, style: str = "ORDINARY") -> RiseTake:
    poses = acted(lies)
    return RiseTake(f"{lies} {style}", poses, 0.0, float(len(poses) - 1), style)


def begun(takes, lies: str, config=None, style: str = "ORDINARY", **how):
    rise = rising(rig_of("person"), config, takes)
    body = lying(rise.rig, lies, FLAT, **how)
    memory = rise.start(body.pose, body.to_world, FLAT, style)
    return rise.sources[memory.source], memory


@pytest.mark.parametrize("lies", ["PRONE", "SUPINE", "LEFT"])
def test_of_several_takes_the_one_that_lies_as_the_body_does_is_taken(lies):
    source, memory = begun([take(each) for each in ("PRONE", "SUPINE", "LEFT")], lies)
    assert source.name == f"{lies} ORDINARY"
    assert memory.told == ""


def test_a_take_from_the_left_side_serves_the_right_one_mirrored():
    source, _ = begun([take("LEFT")], "RIGHT")
    assert (source.name, source.lies) == ("LEFT ORDINARY (mirrored)", "RIGHT")


def test_of_a_style_that_fits_none_the_ordinary_one_is_taken():
    takes = [take("PRONE"), take("SUPINE", "QUICK")]
    assert begun(takes, "PRONE", style="QUICK")[0].name == "PRONE ORDINARY"
    assert begun([*takes, take("PRONE", "QUICK")], "PRONE", style="QUICK")[0].name == "PRONE QUICK"


def test_a_side_that_no_take_lies_on_is_got_up_from_by_itself_and_that_is_said():
    source, memory = begun([take("PRONE")], "LEFT")
    assert not source.is_take
    assert "on that side" in memory.told


def test_a_body_that_lies_too_far_from_every_take_gets_up_by_itself_and_that_is_said():
    source, memory = begun([take("PRONE")], "PRONE", RiseConfig(fits=0.01))
    assert not source.is_take
    assert "m off" in memory.told


def test_a_take_is_laid_over_the_body_wherever_that_lies():
    for heading, at in ((0.0, (0.0, 0.0)), (2.0, (5.0, -3.0))):
        _, memory = begun([take("PRONE")], "PRONE", heading=heading, at=at)
        assert memory.distance < 0.2
        assert Vector((memory.frame.x - at[0], memory.frame.y - at[1])).length < 1.0


@pytest.mark.parametrize("world", [FLAT, Ramp(radians(15.0))])
def test_it_takes_its_own_length_and_the_blend_and_keeps_what_it_plants(world):
    rise = rising(rig_of("person"), None, [take("PRONE")])
    body = lying(rise.rig, "PRONE", world, seed=4, at=(0.0, -2.5))
    shots = filmed(rise, body, world)
    memory = shots[0].memory
    assert rise.sources[memory.source].is_take
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert (len(shots) - 2) / 30.0 <= rise.sources[memory.source].seconds + memory.blend
    assert {planted.limb for planted in memory.holds} >= {"hand.L", "hand.R", "foot.L", "foot.R"}
    assert slide(rise, shots) < 0.01
    assert depth(rise, shots, world) < 0.005


def test_hands_and_feet_of_a_take_are_found_by_how_low_and_still_they_are():
    rise, shots = rising(rig_of("person"), None, [take("PRONE")]), acted_shots("PRONE")
    own = riser("person")
    for hand in ("hand.L", "hand.R"):
        down = [
            k / FPS
            for k, shot in enumerate(shots)
            for planted in shot.memory.holds
            if planted.limb == hand
            and own.shown.holds.share(planted, own.shown.moment(shot.memory, 1.0), shot.memory.led) >= 1.0
        ]
        found = [span for span in rise.sources[0].holds if span.limb == hand]
        longest = max(found, key=lambda span: span.end - span.start)
        assert longest.start <= down[0] + 0.1
        assert longest.end >= down[-1] - 0.1
        # It is still on its way down, and off again, for as long as a hand takes for that.
        assert longest.end - longest.start < down[-1] - down[0] + 0.6
    assert {span.limb for span in rise.sources[0].holds if span.lasts} == {"foot.L", "foot.R"}


def test_nothing_is_planted_while_a_take_is_off_the_floor():
    aloft = take("PRONE")
    last = float(len(aloft.poses) - 1)
    leaping = RiseTake("leap", aloft.poses, 0.0, last, "QUICK", (0.0, 0.6 * last))
    rise = rising(rig_of("person"), None, [leaping])
    assert all(span.start >= 0.6 * last / FPS - 1e-6 for span in rise.sources[0].holds)


def test_moments_that_nobody_told_are_the_end_of_lying_still_and_the_begin_of_standing():
    lying_frame, standing_frame = moments_of(rig_of("person"), acted("PRONE"))
    count = len(acted("PRONE"))
    assert 0.0 <= lying_frame < 0.3 * count
    assert 0.7 * count < standing_frame <= count - 10


def deep_mimic():
    """The two takes of DeepMimic on their own rig; skipped where they were not sampled."""
    names = ("get_up", "get_up_prone")
    clips = [load_clip(name) for name in names]
    if None in clips:
        pytest.skip("The clips were not sampled: python tests/support/real_clips.py get_up get_up_prone.")
    return [
        RiseTake(name, clip_poses(clip), 0.0, float(len(clip) - 1)) for name, clip in zip(names, clips, strict=True)
    ], clips[0].rig


@pytest.mark.parametrize("seed", [None, 3, 4])
@pytest.mark.parametrize(("lies", "name"), [("PRONE", "get_up_prone"), ("SUPINE", "get_up")])
def test_of_two_performed_get_ups_prone_and_supine_bodies_choose_the_right_one(lies, name, seed):
    takes, rig = deep_mimic()
    rise = rising(rig, None, takes)
    body = lying(rig, lies, FLAT, heading=0.7, seed=seed)
    shots = filmed(rise, body, FLAT)
    memory = shots[0].memory
    assert rise.sources[memory.source].name.startswith(
        name + (" " if "mirrored" in rise.sources[memory.source].name else "")
    )
    assert rise.sources[memory.source].lies == lies
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert slide(rise, shots) < 0.01
    assert depth(rise, shots, FLAT) < 0.005
    assert (len(shots) - 2) / 30.0 <= rise.sources[memory.source].seconds + memory.blend
