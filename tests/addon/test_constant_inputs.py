"""Inputs that nothing changes with time are read once for many frames; whatever may change is read at each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bpy
import pytest
from support.stage import key, pose_at, previewed_person
from surefoot.addon import scenery
from surefoot.addon.inputs import is_constant
from surefoot.addon.performers import performers

LAST = 40


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The frames at which inputs are read while a test runs."""
    frames: list[float] = []
    read = scenery.plain_inputs

    def counted(obj: bpy.types.Object, scene: bpy.types.Scene, frame: float, *rest: object) -> object:
        frames.append(frame)
        return read(obj, scene, frame, *rest)

    monkeypatch.setattr(scenery, "plain_inputs", counted)
    yield frames


def fill_anew(rig: bpy.types.Object, reads: list[float]) -> None:
    pose_at(rig, 1)
    performers.get(rig.session_uid).cache.clear()
    reads.clear()
    pose_at(rig, LAST)


def keyed_speed(rig: bpy.types.Object) -> None:
    key(rig, "surefoot.speed", {1: 0.5, LAST: 2.0})


def teleported(rig: bpy.types.Object) -> None:
    rig.surefoot.teleports.add().frame = 20


def watching(rig: bpy.types.Object) -> None:
    rig.surefoot.target = bpy.data.objects["Ground"]
    rig.surefoot.director = "TARGET"


def hit(rig: bpy.types.Object) -> None:
    rig.surefoot.hits.add().frame = 20


def test_inputs_of_one_who_goes_straight_on_are_read_at_the_first_two_frames_of_many(reads: list[float]):
    rig = previewed_person()
    fill_anew(rig, reads)
    assert reads == [1, 2]


@pytest.mark.parametrize("change", [keyed_speed, teleported, watching, hit])
def test_what_may_change_with_time_is_read_at_each_frame(
    change: Callable[[bpy.types.Object], None], reads: list[float]
):
    rig = previewed_person()
    assert is_constant(rig)
    change(rig)
    assert not is_constant(rig)
    fill_anew(rig, reads)
    assert set(range(1, LAST + 1)) <= set(reads)
