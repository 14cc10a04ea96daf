"""Enabling and disabling leave nothing behind, however often."""

from __future__ import annotations

from types import ModuleType

import bpy
import pytest
from support.stage import add_ground, add_person, original_values, pose_at

HANDLER_LISTS = [name for name in dir(bpy.app.handlers) if isinstance(getattr(bpy.app.handlers, name), list)]


def ours() -> dict[str, int]:
    """How many handlers of ours are in each list."""
    lists = {name: getattr(bpy.app.handlers, name) for name in HANDLER_LISTS}
    counts = {name: sum(item.__module__.startswith("surefoot") for item in items) for name, items in lists.items()}
    return {name: count for name, count in counts.items() if count}


def test_each_handler_is_registered_once_however_often_it_is_switched_on(extension: ModuleType):
    before = ours()
    assert set(before.values()) == {1}
    for _ in range(5):
        extension.unregister()
        extension.register()
    assert ours() == before


def test_disabled_nothing_of_it_is_left(extension: ModuleType):
    extension.unregister()
    try:
        assert ours() == {}
        assert not hasattr(bpy.types.Object, "surefoot")
        assert not [name for name in dir(bpy.types) if name.startswith("SUREFOOT_")]
        assert not hasattr(bpy.types, "SUREFOOT_OT_bake")
    finally:
        extension.register()


def test_disabling_puts_the_pose_back_and_enabling_keeps_the_settings(extension: ModuleType):
    add_ground()
    rig = add_person()
    before = original_values(rig)
    rig.surefoot.speed = 0.9
    rig.surefoot.preview = True
    shown = pose_at(rig, 30)
    assert original_values(rig) != before
    extension.unregister()
    assert original_values(rig) == before
    extension.register()
    assert rig.surefoot.speed == pytest.approx(0.9)
    assert (pose_at(rig, 30) == shown).all()
