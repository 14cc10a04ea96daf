"""Bodies get up as physics left them, with their skin, on flat ground, a slope and stairs."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
import support.fallen_poses
from support.fallen_poses import FallenPose, lying_of, read, right_sides
from support.ragdolls import our_plan, our_rig
from support.rises import depth, farthest, fastest, filmed, slide, start_gap
from surefoot.core.actions.lying import how_it_lies
from surefoot.core.actions.rising import Rising
from surefoot.core.rise_presets import rising

HERE = Path(support.fallen_poses.__file__).parent
POSES, ACROSS = (read(HERE / name) for name in ("fallen.jsonl", "fallen_across.jsonl"))
# A bone turns so far in a frame at 30 a second (degrees), a joint goes so far; nothing is so deep in the ground, or no
# deeper than it lay; what is planted slides no farther (metres).
TURN, JUMP, UNDER, SLIDE = 15.0, 0.2, 0.005, 0.01


@lru_cache
def skinned(who: str) -> Rising:
    return rising(our_rig(who), skin=our_plan(who).skin)


@pytest.mark.parametrize("pose", POSES, ids=lambda pose: f"{pose.who} {pose.ground} {pose.seed}")
def test_a_body_gets_up_as_physics_left_it_within_all_limits(pose: FallenPose):
    rise, rig, plan = skinned(pose.who), our_rig(pose.who), our_plan(pose.who)
    body = lying_of(rig, plan, pose)
    shots = filmed(rise, body, pose.world)
    assert shots[0].memory.lies in right_sides(rig, plan, pose)
    assert start_gap(rise, body, shots[0]) < 1e-3
    assert fastest(rise, shots) < TURN
    assert farthest(rise, shots) < JUMP
    assert depth(rise, shots, pose.world) < max(UNDER, depth(rise, shots[:1], pose.world) + 1e-4)
    assert slide(rise, shots) < SLIDE
    assert rise.done(shots[-1].memory)


@pytest.mark.parametrize("pose", ACROSS, ids=lambda pose: f"{pose.who} {pose.seed}")
def test_who_lies_along_a_tread_lies_as_on_level_ground_whatever_its_hands_and_feet_are_on(pose: FallenPose):
    rig, plan = our_rig(pose.who), our_plan(pose.who)
    body = lying_of(rig, plan, pose)
    assert how_it_lies(rig, body.pose, body.to_world, pose.world).lies in right_sides(rig, plan, pose)
