"""The gait chart of our walks and of any Action: its numbers, its image, its PNG, what is drawn into the view."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from support.stage import add_person, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.chart_overlay import AROUND_FRAMES, chart_around
from surefoot.addon.gait_chart import chart_image, gait_chart, write_chart
from surefoot.addon.performers import performers
from surefoot.addon.refusal import RefusedError
from surefoot.core.gait.patterns import froude
from surefoot.core.measure.chart_image import LEFT

LAST = 120


@pytest.fixture
def rig() -> bpy.types.Object:
    """A previewed person on flat ground, walking from frame 1."""
    rig = previewed_person()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    bpy.context.scene.frame_set(LAST)
    return rig


def planned_duty(rig: bpy.types.Object) -> float:
    """The stance share of a walk at the speed that was set."""
    gait = performers.get(rig.session_uid).character.gait
    return gait.pattern_at("WALK", froude(rig.surefoot.speed, gait.shape.leg_length)).duty


def test_the_chart_of_a_preview_has_the_duty_of_its_gait_and_no_fault(rig: bpy.types.Object):
    chart = gait_chart(rig, bpy.context.scene, 48, LAST)
    assert [foot.duty_factor for foot in chart.feet.values()] == pytest.approx([planned_duty(rig)] * 2, abs=0.03)
    assert chart.walk_flights == chart.flights == ()
    assert chart.crossings == {}


def test_the_chart_of_a_bare_action_is_found_from_its_bones(rig: bpy.types.Object):
    planned = gait_chart(rig, bpy.context.scene, 48, LAST)
    bake(rig, BakeOptions(1, LAST))
    action = rig.animation_data.action
    for key in list(action.keys()):
        del action[key]
    found = gait_chart(rig, bpy.context.scene, 48, LAST)
    for role, foot in planned.feet.items():
        assert found.feet[role].duty_factor == pytest.approx(foot.duty_factor, abs=0.05)
        assert found.feet[role].cadence == pytest.approx(foot.cadence, rel=0.03)


@pytest.mark.parametrize(("first", "last"), [(1, 60), (40, LAST)])
def test_a_part_of_a_bake_has_the_chart_that_the_preview_of_that_part_has(rig: bpy.types.Object, first: int, last: int):
    previewed = gait_chart(rig, bpy.context.scene, first, last)
    bake(rig, BakeOptions(1, LAST))
    baked = gait_chart(rig, bpy.context.scene, first, last)
    for role, foot in previewed.feet.items():
        assert baked.feet[role].stride == pytest.approx(foot.stride, rel=1e-3)
        assert baked.feet[role].duty_factor == pytest.approx(foot.duty_factor, abs=0.01)


def test_the_operator_makes_an_image_that_is_drawn_anew_the_next_time(rig: bpy.types.Object):
    assert bpy.ops.surefoot.gait_chart(frame_start=48, frame_end=90) == {"FINISHED"}
    assert bpy.ops.surefoot.gait_chart(frame_start=48, frame_end=LAST) == {"FINISHED"}
    (image,) = (image for image in bpy.data.images if "gait chart" in image.name)
    assert image.packed_file is not None
    pixels = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(pixels)
    same = np.abs(pixels.reshape(-1, 4)[:, :3] - np.array(LEFT[:3])).max(axis=1) < 0.02
    assert same.sum() > 500


def test_a_png_is_written_and_nothing_stays_in_the_file(rig: bpy.types.Object, tmp_path: Path):
    path = tmp_path / "walk.png"
    assert bpy.ops.surefoot.gait_chart(filepath=str(path), frame_start=48, frame_end=LAST) == {"FINISHED"}
    assert path.read_bytes().startswith(b"\x89PNG")
    assert not [image for image in bpy.data.images if "walk" in image.name or "chart" in image.name]


def test_a_place_that_cannot_be_written_is_refused_by_its_path(rig: bpy.types.Object, tmp_path: Path):
    chart = gait_chart(rig, bpy.context.scene, 48, LAST)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(RefusedError, match="walk.png cannot be written"):
        write_chart(chart, str(tmp_path / "file" / "walk.png"))
    assert not [image for image in bpy.data.images if image.name == "walk"]


def test_an_image_that_is_no_chart_is_not_drawn_over(rig: bpy.types.Object):
    chart = gait_chart(rig, bpy.context.scene, 48, LAST)
    picture = bpy.data.images.new("Chart", 32, 32)
    image = chart_image(chart, "Chart")
    assert tuple(picture.size) == (32, 32)
    assert image.name == "Chart.001"


def test_without_action_and_preview_it_says_what_to_do():
    rig = add_person()
    rig.surefoot.preview = False
    bpy.context.view_layer.objects.active = rig
    with pytest.raises(RuntimeError, match="Bake first, switch the preview on, or assign an Action"):
        bpy.ops.surefoot.gait_chart()


def test_the_view_shows_the_known_frames_around_the_present_one(rig: bpy.types.Object):
    performer = performers.get(rig.session_uid)
    chart = chart_around(performer, 90, 24.0)
    assert chart is not None
    assert chart.window.start == 90 - AROUND_FRAMES
    assert LAST <= chart.window.end <= 90 + AROUND_FRAMES
    assert chart.mean("duty_factor") == pytest.approx(planned_duty(rig), abs=0.03)
    assert chart_around(performer, 9999, 24.0) is None
