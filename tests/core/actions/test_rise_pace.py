"""How fast a body gets up from moment to moment."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
import support.fallen_poses
from support.fallen_poses import lying_of, read
from support.ragdolls import our_plan, our_rig
from surefoot.core.actions.rise_memory import PACED
from surefoot.core.actions.rise_pace import Pacer, goes_on, rate
from surefoot.core.rise_presets import rising

PACE = (1.0, 1.0, 0.4, 0.08, 0.08, 0.5, 1.0, 0.9)
POSES = [pose for pose in read(Path(support.fallen_poses.__file__).parent / "fallen.jsonl") if pose.who == "person"]


def test_without_a_pace_a_rise_goes_as_time_does():
    assert goes_on((), 0.3, 0.7) == 0.7


@pytest.mark.parametrize("steps", [2, 7, 50])
@pytest.mark.parametrize("start", [0.0, 0.5 * PACED, 1.7 * PACED, 6.9 * PACED, 9.0 * PACED])
def test_it_gets_as_far_in_one_step_as_in_many(start, steps):
    at = start
    for _ in range(steps):
        at += goes_on(PACE, at, 0.4 / steps)
    assert at - start == pytest.approx(goes_on(PACE, start, 0.4), abs=1e-9)


def test_it_is_what_a_great_many_small_steps_at_the_rate_of_each_moment_come_to():
    at, count = 0.0, 200_000
    for _ in range(count):
        at += 0.5 / count * rate(PACE, at)
    assert goes_on(PACE, 0.0, 0.5) == pytest.approx(at, abs=1e-4)


def test_past_the_last_moment_it_goes_on_at_the_last_pace():
    assert goes_on(PACE, 2.0, 0.5) == pytest.approx(0.9 * 0.5)


@pytest.mark.parametrize("pose", POSES, ids=lambda pose: f"{pose.ground} {pose.seed}")
def test_a_look_that_goes_on_from_a_known_one_sees_what_a_whole_one_sees(pose):
    rig, plan = our_rig("person"), our_plan("person")
    rise, body = rising(rig, skin=plan.skin), lying_of(rig, plan, pose)
    memory = rise.start(body.pose, body.to_world, pose.world)
    memory.pace, memory.bridges = (), ()
    whole = rise.pacer._look(memory)
    for since in (-inf, 0.3 * memory.seconds, 0.8 * memory.seconds, inf):
        again = rise.pacer._look(memory, whole, since)
        assert (again.turns, again.jumps) == (whole.turns, whole.jumps)


@pytest.mark.parametrize("pose", POSES, ids=lambda pose: f"{pose.ground} {pose.seed}")
def test_a_rise_is_the_same_whether_looks_go_on_from_known_ones_or_begin_anew(pose, monkeypatch):
    rig, plan = our_rig("person"), our_plan("person")
    rise, body = rising(rig, skin=plan.skin), lying_of(rig, plan, pose)
    goes_on_from_known = rise.start(body.pose, body.to_world, pose.world)
    whole = Pacer._look
    monkeypatch.setattr(Pacer, "_look", lambda self, memory, _known=None, _since=-inf: whole(self, memory))
    assert rise.start(body.pose, body.to_world, pose.world) == goes_on_from_known
