"""A layer is added whole or not at all."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from support.stage import previewed_person
from surefoot.addon.layers import layer_add, look_at
from surefoot.addon.refusal import RefusedError


@pytest.mark.parametrize(
    ("kind", "given", "named"),
    [
        ("LOOK_AT", {"target": "Ball"}, "target"),
        ("LOOK_AT", {"mask": 5}, "mask"),
        ("LOOK_AT", {"weight": "half"}, "weight"),
        ("LOOK_AT", {"name": 3.0}, "name"),
        ("LOOK_AT", {"bone": None}, "bone"),
        ("LOOK_AT", {"place": (1.0, 2.0)}, "place"),
        ("LOOK_AT", {"yaw": "wide"}, "yaw"),
        ("AIM", {"axis": "Q"}, "axis"),
        ("REACH", {"limb": 4}, "limb"),
        ("CLIP", {"timing": "SOMETIMES"}, "timing"),
        ("CLIP", {"action": "Wave"}, "action"),
    ],
)
def test_a_value_that_is_not_taken_is_named_and_no_layer_stays(kind: str, given: dict[str, Any], named: str):
    rig = previewed_person()
    layer_add(rig, "SPRINGS", name="Springs")
    with pytest.raises(RefusedError, match=f"The {named} of a .* layer does not take this: "):
        layer_add(rig, kind, **given)
    assert [layer.name for layer in rig.surefoot.layers] == ["Springs"]
    assert rig.surefoot.active_layer == 0


@pytest.mark.parametrize("kind", ["JUMP", None, ["LOOK_AT"], 7])
def test_what_is_no_kind_is_refused(kind: Any):
    rig = previewed_person()
    with pytest.raises(RefusedError, match="There is no kind of layer"):
        layer_add(rig, kind)
    assert len(rig.surefoot.layers) == 0


def test_a_deleted_target_is_refused():
    rig = previewed_person()
    ball = bpy.data.objects.new("Ball", None)
    bpy.data.objects.remove(ball)
    with pytest.raises(RefusedError, match="target"):
        layer_add(rig, "LOOK_AT", target=ball)
    assert len(rig.surefoot.layers) == 0


def test_looking_at_what_is_no_object_adds_nothing_and_changes_nothing():
    rig = previewed_person()
    with pytest.raises(RefusedError, match="target"):
        look_at(rig, "Ball")
    assert len(rig.surefoot.layers) == 0
    ball = bpy.data.objects.new("Ball", None)
    layer = look_at(rig, ball)
    with pytest.raises(RefusedError, match="place"):
        look_at(rig, place=(1.0, 2.0))
    assert (layer.target, layer.aim, tuple(layer.place)) == (ball, "OBJECT", (0.0, 0.0, 0.0))


def test_names_stay_unique_also_where_the_name_is_given():
    rig = previewed_person()
    names = [layer_add(rig, "LOOK_AT", name=name).name for name in ("Look", "Look", "", "")]
    assert names == ["Look", "Look 2", "Look At", "Look At 2"]
    assert rig.surefoot.layers["Look 2"] == rig.surefoot.layers[1]
