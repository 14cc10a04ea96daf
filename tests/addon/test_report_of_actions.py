"""The motion report of Actions that nobody planned: it tells of the contacts that a clean-up of feet holds."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from support.sliding_walks import FPS, SECONDS, sliding_person
from support.stage import add_ground

LAST = round(SECONDS * FPS)


def walker(**place: Any) -> bpy.types.Object:
    """An armature with skin and a walk whose feet slide, that was never set up."""
    rig = sliding_person(**place)
    rig.surefoot.version = 0
    bpy.context.view_layer.objects.active = rig
    return rig


def told(rig: bpy.types.Object) -> dict[str, Any]:
    """What the report says of its feet."""
    from surefoot.addon.report import report

    return report(rig, bpy.context.scene, 1, LAST)["feet"]


def cleaned(rig: bpy.types.Object) -> dict[str, Any]:
    """What a clean-up says of them, by role."""
    from surefoot.addon.clean_feet import clean_feet

    return {foot.role: foot for foot in clean_feet(rig).report.feet}


@pytest.mark.parametrize("ground", [None, 0.0, -0.2], ids=["no ground", "on it", "over it"])
def test_report_and_clean_up_tell_of_the_same_slides_over_any_ground(ground: float | None):
    if ground is not None:
        add_ground().location.z = ground
    rig = walker()
    before = told(rig)
    found = cleaned(rig)
    after = told(rig)
    for role, foot in found.items():
        # The farthest two places of a foot that is dragged evenly are twice as far apart as one is from the middle.
        assert before[role]["slide_max_m"] == pytest.approx(2.0 * foot.slide_before, rel=0.1)
        assert after[role]["slide_max_m"] <= 2.0 * max(0.001, foot.slide_after)
        assert len(before[role]["contacts"]) == len(after[role]["contacts"]) > 1


def test_the_skin_of_an_armature_and_of_the_one_that_it_follows_is_no_ground_to_it():
    source, rig = walker(), walker()
    rig.surefoot.source = source
    from surefoot.addon.report import measured

    track = measured(rig, bpy.context.scene, 1, 30).track
    assert all((foot.heel_ground != foot.heel_ground).all() for foot in track.feet)


def test_a_mesh_that_hangs_on_another_armature_is_ground_to_it():
    from surefoot.addon.report import measured

    bridge, rig = add_ground(), walker()
    bridge.parent = bpy.data.objects.new("Bridge", bpy.data.armatures.new("Bridge"))
    bpy.context.scene.collection.objects.link(bridge.parent)
    track = measured(rig, bpy.context.scene, 1, 30).track
    assert all(foot.heel_ground == pytest.approx(0.0, abs=1e-6) for foot in track.feet)
