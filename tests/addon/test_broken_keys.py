"""Keys that are no numbers are refused by name, and nothing is made."""

from __future__ import annotations

import bpy
import pytest
from support.sliding_walks import sliding_person
from surefoot.addon import join_loop, mirror_motion, retime, root_motion
from surefoot.addon.action_edit import PLAYED
from surefoot.addon.refusal import RefusedError
from surefoot.addon.saved_state import curves_of

JOBS = {
    "extract": lambda rig: root_motion.root_extract(rig, PLAYED, carrier="OBJECT"),
    "in place": lambda rig: root_motion.in_place(rig, PLAYED),
    "lift": lambda rig: root_motion.remove_lift(rig, PLAYED),
    "heading": lambda rig: root_motion.straighten_heading(rig, PLAYED),
    "loop": lambda rig: join_loop.join_loop(rig, PLAYED),
    "mirror": lambda rig: mirror_motion.mirror(rig, PLAYED),
    "trim": lambda rig: retime.trim(rig, PLAYED, 2, 10),
    "resample": lambda rig: retime.resample(rig, PLAYED, 60.0),
}


@pytest.mark.parametrize("job", JOBS)
def test_a_key_that_is_no_number_is_named_and_no_action_is_made(job: str):
    rig = sliding_person()
    animation = rig.animation_data
    curve = curves_of(animation.action, animation.action_slot)[0]
    curve.keyframe_points[3].co.y = float("nan")
    before = set(bpy.data.actions)
    with pytest.raises(RefusedError, match="Key 4 of"):
        JOBS[job](rig)
    assert set(bpy.data.actions) == before
