"""A head without a target leads the body into its turns."""

from dataclasses import replace
from math import degrees, radians

import pytest
from support.looking import LOOK, looks, moment, rig_of, seen
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.look_at import LookAt
from surefoot.core.rig.edited_pose import EditedPose


def led(turn_rate, velocity, seconds=1.0, fps=60.0, config=LOOK):
    """Yaws of head and chest of a body that turns and goes, frame by frame."""
    rig = rig_of("person")
    layer, found = LookAt(rig, config), []
    memory = layer.start()
    layer.apply(EditedPose.rest(rig.skeleton), memory, moment(0.0), LayerInput())
    for _ in range(round(seconds * fps)):
        pose = EditedPose.rest(rig.skeleton)
        layer.apply(pose, memory, moment(1.0 / fps, turn_rate=turn_rate, velocity=velocity), LayerInput())
        chest = pose.moved(rig.spine[-1]).to_euler().z
        found.append((seen(layer, pose).angles[0], degrees(chest)))
    return found


def test_without_a_target_the_head_leads_into_a_turn_and_the_chest_comes_after():
    found = led(radians(50.0), (0.0, -1.4, 0.0), 2.0)
    assert found[-1][0] == pytest.approx(50.0 * LOOK.lead, abs=0.3)
    assert found[-1][1] == pytest.approx(0.2 * 50.0 * LOOK.lead, abs=0.3)
    head = next(n for n, (yaw, _) in enumerate(found) if yaw > 0.5 * found[-1][0])
    chest = next(n for n, (_, yaw) in enumerate(found) if yaw > 0.5 * found[-1][1])
    assert head < chest


def test_it_looks_where_it_goes_to_the_side_and_ahead_when_it_goes_backward():
    assert led(0.0, (1.0, -1.0, 0.0), 2.0)[-1][0] == pytest.approx(45.0, abs=1.0)
    assert led(0.0, (0.0, 1.4, 0.0), 2.0)[-1][0] == pytest.approx(0.0, abs=0.1)


def test_with_the_pose_as_idle_nothing_is_touched():
    assert max(abs(yaw) for yaw, _ in led(1.0, (0.0, -1.4, 0.0), config=replace(LOOK, idle="POSE"))) < 1e-4
    rig = rig_of("person")
    found = looks(rig, lambda _time: None, 0.2, config=replace(LOOK, idle="POSE"))
    assert found[-1].pose.rotations == EditedPose.rest(rig.skeleton).rotations
