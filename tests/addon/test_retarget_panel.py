"""The panel of retargeting, drawn into a layout that writes down what it is asked for."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
from support.drawn_panels import Layout
from support.motions import bare, swing


def drawn(panel: type) -> dict[str, list[str]]:
    """What a panel draws for the active armature; nothing where it is not shown."""
    if not panel.poll(bpy.context):
        return {}
    layout = Layout()
    shown = SimpleNamespace(layout=layout, key=getattr(panel, "key", ""))
    if hasattr(panel, "draw_header"):
        panel.draw_header(shown, bpy.context)
    panel.draw(shown, bpy.context)
    return layout.sheet


def panels() -> dict[str, type]:
    from surefoot.addon.panels.retarget import PANELS

    return {panel.bl_idname.removeprefix("SUREFOOT_PT_"): panel for panel in PANELS}


def test_without_a_source_the_button_is_greyed_and_the_reason_is_said():
    hero = bare("Hero")
    bpy.context.view_layer.objects.active = hero
    sheet = drawn(panels()["retarget"])
    assert "source" in sheet["props"]
    assert "Choose the armature, or an empty" in " ".join(sheet["labels"])
    assert drawn(panels()["retarget_result"]) == {}


def test_all_options_of_the_operator_that_a_person_sets_are_drawn():
    bpy.context.view_layer.objects.active = bare("Hero")
    sheet = drawn(panels()["retarget_options"])
    properties = bpy.ops.surefoot.retarget.get_rna_type().properties
    named = {"rna_type", "source", "target", "action", "slot", "name", "frame_start", "frame_end"}
    assert set(sheet["props"]) == {item.identifier for item in properties} - named


def test_after_a_retarget_pairs_bones_at_rest_and_slides_are_listed():
    source, hero = swing(bare("Mocap")), bare("Hero")
    hero.surefoot.source = source
    bpy.context.view_layer.objects.active = hero
    bpy.ops.surefoot.retarget(feet="FREE")
    found = panels()
    said = " ".join(drawn(found["retarget"])["labels"])
    assert "Plays the Action MocapAction" in said
    assert "planted with a look ahead" in said
    result = " ".join(drawn(found["retarget_result"])["labels"])
    assert "MocapAction: 20 of 20 larger bones follow, 21 frames" in result
    assert "No foot was planted" in result
    assert "Feet were left as the joints' directions put them" in result
    pairs = drawn(found["retarget_matched"])["labels"]
    assert "thigh.L, shin.L" in pairs
    assert drawn(found["retarget_stayed"]) == {}


def test_an_armature_that_is_no_character_has_the_panel_and_edit_mode_has_not():
    hero = bare("Hero")
    bpy.context.view_layer.objects.active = hero
    assert hero.surefoot.version == 0
    assert panels()["retarget"].poll(bpy.context)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not panels()["retarget"].poll(bpy.context)
    bpy.ops.object.mode_set(mode="OBJECT")
