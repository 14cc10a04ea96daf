"""Keys of layers name them by number: they follow their layers wherever they are kept, or the change is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.stage import add_ground, key, previewed_person
from surefoot.addon.layers import layer_add, layer_move, layer_remove
from surefoot.addon.refusal import RefusedError


def keyed_layers(*names: str) -> bpy.types.Object:
    """A person with look-at layers, the last of them keyed to a quarter."""
    rig = previewed_person()
    for name in names:
        layer_add(rig, "LOOK_AT", name=name)
    key(rig, f"surefoot.layers[{len(names) - 1}].weight", {1: 0.25, 10: 0.25})
    return rig


def weights(rig: bpy.types.Object, frame: int) -> dict[str, float]:
    bpy.context.scene.frame_set(frame)
    return {layer.name: round(layer.weight, 3) for layer in rig.surefoot.layers}


def layer_paths(action: bpy.types.Action) -> list[str]:
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve.data_path for bag in bags for curve in bag.fcurves if "layers" in curve.data_path]


def pushed_down(rig: bpy.types.Object) -> Any:
    """The Action as an NLA strip; the strip."""
    animation = rig.animation_data
    action, slot = animation.action, animation.action_slot
    strip = animation.nla_tracks.new().strips.new("Keys", 1, action)
    strip.action_slot = slot
    animation.action = None
    return strip


def test_keys_in_a_strip_follow_a_layer_that_is_moved():
    rig = keyed_layers("A", "B")
    pushed_down(rig)
    assert layer_move(rig, 1, 0)
    assert weights(rig, 5) == {"B": 0.25, "A": 1.0}


def test_keys_in_a_strip_follow_when_a_layer_comes_before_and_go_with_their_own():
    rig = previewed_person()
    layer_add(rig, "SPRINGS", name="Springs")
    key(rig, "surefoot.layers[0].weight", {1: 0.25, 10: 0.25})
    strip = pushed_down(rig)
    layer_add(rig, "LOOK_AT", name="Look")
    assert layer_paths(strip.action) == ["surefoot.layers[1].weight"]
    assert weights(rig, 5) == {"Look": 1.0, "Springs": 0.25}
    layer_remove(rig, 1)
    assert layer_paths(strip.action) == []


def test_an_action_in_two_strips_is_renamed_once():
    rig = keyed_layers("A", "B", "C")
    strip = pushed_down(rig)
    second = rig.animation_data.nla_tracks.new().strips.new("Again", 50, strip.action)
    second.action_slot = strip.action_slot
    layer_remove(rig, 0)
    assert layer_paths(strip.action) == ["surefoot.layers[1].weight"]


def test_while_a_strip_is_edited_the_keys_of_the_action_set_aside_follow_too():
    rig = keyed_layers("A", "B")
    action, animation = rig.animation_data.action, rig.animation_data
    other = bpy.data.actions.new("Other")
    animation.nla_tracks.new().strips.new("Other", 1, other)
    animation.nla_tracks[0].select = True
    animation.use_tweak_mode = True
    assert animation.action != action
    layer_remove(rig, 0)
    assert layer_paths(action) == ["surefoot.layers[0].weight"]


@pytest.mark.parametrize("change", ["remove", "move"])
def test_an_action_that_animates_another_too_is_refused_and_nothing_is_changed(change: str):
    rig = keyed_layers("A", "B")
    other = rig.copy()
    bpy.context.scene.collection.objects.link(other)
    with pytest.raises(RefusedError, match=f"animates {other.name} too. Make it single-user"):
        layer_remove(rig, 0) if change == "remove" else layer_move(rig, 0, 1)
    assert [layer.name for layer in rig.surefoot.layers] == ["A", "B"]
    assert layer_paths(rig.animation_data.action) == ["surefoot.layers[1].weight"]
    rig.animation_data.action = rig.animation_data.action.copy()
    layer_remove(rig, 0)
    assert (weights(rig, 5), weights(other, 5)) == ({"B": 0.25}, {"A": 1.0, "B": 0.25})


def test_another_slot_of_the_same_action_is_no_other_user():
    rig = keyed_layers("A", "B")
    action, lamp = rig.animation_data.action, bpy.data.objects.new("Lamp", None)
    lamp.animation_data_create().action = action
    lamp.animation_data.action_slot = action.slots.new("OBJECT", "Lamp")
    layer_remove(rig, 0)
    assert layer_paths(action) == ["surefoot.layers[0].weight"]


def test_a_layer_added_where_keys_cannot_follow_goes_to_the_end():
    rig = previewed_person()
    layer_add(rig, "SPRINGS", name="Springs")
    key(rig, "surefoot.layers[0].weight", {1: 0.25, 10: 0.25})
    other = rig.copy()
    bpy.context.scene.collection.objects.link(other)
    layer = layer_add(rig, "LOOK_AT", name="Look")
    assert layer == rig.surefoot.layers[1]
    assert rig.surefoot.active_layer == 1
    assert weights(rig, 5) == {"Springs": 0.25, "Look": 1.0}


def overridden(tmp_path: Path) -> bpy.types.Object:
    """The person as a library override in another file."""
    rig = bpy.context.scene.objects["Person"]
    rig.surefoot.preview = False
    hero = bpy.data.collections.new("Hero")
    bpy.context.scene.collection.children.link(hero)
    for obj in (rig, *rig.children):
        hero.objects.link(obj)
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    add_ground()
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.collections = ["Hero"]
    bpy.context.scene.collection.children.link(target.collections[0])
    scene, view_layer = bpy.context.scene, bpy.context.view_layer
    made = target.collections[0].override_hierarchy_create(scene, view_layer, do_fully_editable=True)
    return next(obj for obj in made.all_objects if obj.type == "ARMATURE")


@pytest.mark.parametrize("place", [0, 1])
def test_a_layer_of_the_library_is_not_removed_from_an_override_but_may_be_muted(tmp_path: Path, place: int):
    keyed_layers("A", "B")
    rig = overridden(tmp_path)
    with pytest.raises(RefusedError, match="moved or removed here. Mute it"):
        layer_remove(rig, place)
    assert [layer.name for layer in rig.surefoot.layers] == ["A", "B"]
    assert layer_paths(rig.animation_data.action) == ["surefoot.layers[1].weight"]


def test_a_layer_of_the_library_is_not_moved_in_an_override(tmp_path: Path):
    keyed_layers("A", "B")
    rig = overridden(tmp_path)
    with pytest.raises(RefusedError, match="A comes from the library of Person: it cannot be moved"):
        layer_move(rig, 0, 1)
    rig.animation_data.action = rig.animation_data.action.copy()
    with pytest.raises(RefusedError, match="A comes from the library of Person: it cannot be moved"):
        layer_move(rig, 0, 1)
    assert weights(rig, 5) == {"A": 1.0, "B": 0.25}


def test_an_own_layer_of_an_override_comes_and_goes_where_linked_keys_need_not_follow(tmp_path: Path):
    keyed_layers("A", "B")
    rig = overridden(tmp_path)
    layer_add(rig, "LOOK_AT", name="Mine")
    assert weights(rig, 5) == {"A": 1.0, "B": 0.25, "Mine": 1.0}
    with pytest.raises(RefusedError, match="PersonAction has keys .* linked from another file"):
        layer_move(rig, 2, 0)
    assert weights(rig, 6) == {"A": 1.0, "B": 0.25, "Mine": 1.0}
    layer_remove(rig, 2)
    assert weights(rig, 5) == {"A": 1.0, "B": 0.25}


def test_with_a_local_action_an_override_s_own_layer_is_moved_with_all_keys(tmp_path: Path):
    keyed_layers("A", "B")
    rig = overridden(tmp_path)
    rig.animation_data.action = rig.animation_data.action.copy()
    layer_add(rig, "LOOK_AT", name="Mine")
    assert layer_move(rig, 2, 0)
    assert weights(rig, 5) == {"Mine": 1.0, "A": 1.0, "B": 0.25}


def test_drivers_from_the_library_keep_an_override_s_layers_in_their_places(tmp_path: Path):
    rig = previewed_person()
    layer_add(rig, "LOOK_AT", name="A")
    rig.driver_add("surefoot.layers[0].weight").driver.expression = "0.25"
    rig = overridden(tmp_path)
    layer_add(rig, "LOOK_AT", name="Mine")
    with pytest.raises(RefusedError, match="The library of Person drives layers"):
        layer_move(rig, 1, 0)
    assert [layer.name for layer in rig.surefoot.layers] == ["A", "Mine"]
