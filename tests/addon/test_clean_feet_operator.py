"""Clean Feet as an operator: what it takes, what it says, what undo takes back."""

from __future__ import annotations

import bpy
import pytest
from support.sliding_walks import keys_of, sliding_person


def cleaned(**options):
    return bpy.ops.surefoot.clean_feet(**options)


def test_the_operator_makes_a_new_action_and_needs_no_selection():
    rig = sliding_person()
    for obj in bpy.data.objects:
        obj.select_set(False)
    assert cleaned(ramp=0.1, heights="HELD", name="Held") == {"FINISHED"}
    assert rig.animation_data.action.name == "Held"


def test_feet_are_named_with_commas():
    rig = sliding_person()
    cleaned(feet="leg.L")
    both = keys_of(rig.animation_data.action)
    former = keys_of(bpy.data.actions["Walk"])
    assert any((both[key] != rows).any() for key, rows in former.items() if "shin.L" in key[0])
    assert all((both[key] == rows).all() for key, rows in former.items() if "toe.R" in key[0])


def test_a_refusal_is_the_operators_error():
    sliding_person()
    with pytest.raises(RuntimeError, match="There is no Action Dance in this file"):
        cleaned(action="Dance")
    with pytest.raises(RuntimeError, match="has no foot called hoof"):
        cleaned(feet="hoof")


def test_what_was_not_held_is_a_warning(capfd):
    rig = sliding_person()
    assert cleaned(feet=",") == {"FINISHED"}
    assert rig.animation_data.action.name == "Walk"
    assert "No foot is chosen, so nothing was held." in capfd.readouterr().out
    cleaned()
    assert "Warning" not in capfd.readouterr().out


def test_one_undo_step_takes_it_back():
    rig = sliding_person()
    name = rig.name
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.surefoot.clean_feet("EXEC_DEFAULT", True)
    assert "Walk Clean" in bpy.data.actions
    bpy.ops.ed.undo()
    assert "Walk Clean" not in bpy.data.actions
    assert bpy.data.objects[name].animation_data.action.name == "Walk"


def test_the_panel_lists_each_foot():
    from surefoot.addon.clean_feet import cleaned_last
    from surefoot.addon.panels.clean_feet import told

    rig = sliding_person()
    cleaned()
    said = told(cleaned_last(rig))
    assert sum("slid" in line for line in said) == 2
    assert any(line.startswith(("Floor at 0.0", "Floor at -0.0")) for line in said)


def test_the_panel_offers_the_button_then_tells_what_was_done():
    from support.drawn_panels import drawn
    from surefoot.addon.panels.clean_feet import SUREFOOT_PT_clean_feet

    rig = sliding_person()
    bpy.context.view_layer.objects.active = rig
    assert SUREFOOT_PT_clean_feet.poll(bpy.context)
    before = drawn(SUREFOOT_PT_clean_feet)
    assert before["buttons"] == ["surefoot.clean_feet"]
    assert "in a new Action" in before["text"]
    cleaned()
    assert "leg.L slid" in drawn(SUREFOOT_PT_clean_feet)["text"]
