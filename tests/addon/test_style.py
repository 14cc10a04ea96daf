"""Styles in Blender: set at once, undone at once; and characters that are set up one after the other differ."""

from __future__ import annotations

import bpy
import pytest
from support.stage import add_ground
from surefoot.addon.add_character import add_character
from surefoot.addon.performers import config_of
from surefoot.addon.setup import setup
from surefoot.core.presets import style_tables, style_values


def set_up_person(at: float = 0.0) -> bpy.types.Object:
    """A person that was set up, active."""
    rig = add_character(bpy.context, "PERSON", (at, 0.0, 0.0))
    setup(rig, bpy.context.scene)
    bpy.context.view_layer.objects.active = rig
    return rig


@pytest.mark.parametrize("name", style_tables())
def test_a_style_sets_all_its_sliders_and_puts_back_those_it_does_not_name(name: str):
    add_ground()
    rig = set_up_person()
    rig.surefoot.energy, rig.surefoot.bob, rig.surefoot.seed = 0.33, 2.0, 77
    assert bpy.ops.surefoot.style(style=name) == {"FINISHED"}
    for setting, value in style_values(name).items():
        assert getattr(rig.surefoot, setting) == pytest.approx(value, abs=1e-6)
    assert rig.surefoot.seed == 77
    assert rig.surefoot.variation > 0.0
    assert config_of(rig).style.seed == 77


def test_characters_that_are_set_up_one_after_the_other_are_not_in_step():
    add_ground()
    first, second = set_up_person(), set_up_person(2.0)
    assert first.surefoot.seed != second.surefoot.seed
    assert first.surefoot.variation == second.surefoot.variation > 0.0


def test_set_up_again_leaves_seed_and_variation_alone():
    add_ground()
    rig = set_up_person()
    rig.surefoot.seed, rig.surefoot.variation = 9, 0.0
    setup(rig, bpy.context.scene)
    assert (rig.surefoot.seed, rig.surefoot.variation) == (9, 0.0)
