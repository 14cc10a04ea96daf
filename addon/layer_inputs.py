"""What the scene says to a character's pose layers at a frame: weights, and where things are that they aim at.

Like all inputs they are read from F-curves where that is exact at any frame, else from an evaluated depsgraph; which
of the two follows from what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ..core.control.intent import LayerInput, Spot
from ..core.layers.registry import LAYERS
from .ground_set import TimeDependence
from .keyed_values import curve_time, is_plain_place, keyed_value, plain_matrix
from .texts import text

OVER_ORIGIN = 0.6
"""A character without a head is looked at this far over its origin, metres."""

Known = Callable[[Object, str], Spot | None]
"""Where a bone ("": the head) of a character is that is computed along, if it is one."""


def live_layers(obj: Object) -> list[tuple[int, Any]]:
    """The layers that take part, each with its place in the list."""
    return [(i, item) for i, item in enumerate(obj.surefoot.layers) if not item.mute and item.kind in LAYERS]


def aimed_at(layer: Any, scene: Scene, frame: float) -> Object | None:
    """The object that a layer aims at at a frame; None for a place, the way ahead, or a kind that aims at nothing."""
    if LAYERS[layer.kind].targets == "NONE" or layer.aim in {"PLACE", "AHEAD"}:
        return None
    if layer.aim == "OBJECT" and layer.target is not None:
        return layer.target
    return camera_at(scene, frame)


def camera_at(scene: Scene, frame: float) -> Object | None:
    """The camera of a frame: that of the newest marker that names one, else the scene's."""
    bound = [marker for marker in scene.timeline_markers if marker.camera is not None]
    before = [marker for marker in bound if marker.frame <= frame]
    if before:
        return max(before, key=lambda marker: marker.frame).camera
    return min(bound, key=lambda marker: marker.frame).camera if bound else scene.camera


def all_aimed_at(obj: Object, scene: Scene) -> list[Object]:
    """Every object that some layer of a character aims at, at whatever frame."""
    found: list[Object] = []
    for _, layer in live_layers(obj):
        if LAYERS[layer.kind].targets == "NONE" or layer.aim in {"PLACE", "AHEAD"}:
            continue
        if layer.aim == "OBJECT" and layer.target is not None:
            found.append(layer.target)
        else:
            cameras = [scene.camera, *(marker.camera for marker in scene.timeline_markers)]
            found += [camera for camera in cameras if camera is not None]
    return list(dict.fromkeys(found))


def lacking(obj: Object, scene: Scene) -> list[str]:
    """What layers aim at that is not there, in sentences: no target and no camera, or a bone that it has not."""
    found = []
    for _, layer in live_layers(obj):
        if LAYERS[layer.kind].targets == "NONE" or layer.aim in {"PLACE", "AHEAD"}:
            continue
        seen = aimed_at(layer, scene, scene.frame_current)
        if seen is None and layer.on:
            found.append(text("layer_aims_at_nothing", layer=layer.name))
        elif seen is not None and seen == layer.target and _lacks(seen, layer.bone):
            found.append(text("layer_no_bone", layer=layer.name, target=seen.name, bone=layer.bone))
    return found


def _lacks(armature: Object, bone: str) -> bool:
    """True for an armature without a bone of this name."""
    return bool(bone) and armature.type == "ARMATURE" and bone not in armature.pose.bones


def are_plain(obj: Object, scene: Scene, known: Collection[int]) -> bool:
    """True where all that the layers read can be had at any frame without evaluating it.

    `known` are the identities of the characters that are computed along.
    """
    time = TimeDependence()
    for seen in all_aimed_at(obj, scene):
        if seen.session_uid in known:
            continue
        if seen.type == "ARMATURE" and time.bends(seen):
            return False
        if not is_plain_place(seen, time, own=False):
            return False
    return True


def layer_inputs(
    obj: Object, scene: Scene, frame: float, metres: float, known: Known, depsgraph: Depsgraph | None = None
) -> tuple[LayerInput, ...]:
    """One entry for each layer that takes part, in order. With a depsgraph it is read, else F-curves are."""
    layers = live_layers(obj)
    if not layers:
        return ()
    shown = None if depsgraph is None else obj.evaluated_get(depsgraph).surefoot.layers
    at, made = curve_time(scene, frame), []
    for i, layer in layers:
        if shown is not None:
            weight, on, progress = shown[i].weight, shown[i].on, shown[i].progress
        else:
            path = f"surefoot.layers[{i}]."
            weight = keyed_value(obj, path + "weight", 0, at, layer.weight)
            on = keyed_value(obj, path + "on", 0, at, float(layer.on)) >= 0.5
            progress = keyed_value(obj, path + "progress", 0, at, layer.progress)
        spot = _spot(layer, scene, frame, metres, known, depsgraph)
        made.append(LayerInput(min(max(weight, 0.0), 1.0), bool(on), spot, progress))
    return tuple(made)


def _spot(
    layer: Any, scene: Scene, frame: float, metres: float, known: Known, depsgraph: Depsgraph | None
) -> Spot | None:
    """Where a layer aims, metres."""
    if layer.aim == "PLACE" and LAYERS[layer.kind].targets != "NONE":
        return Spot(*(value * metres for value in layer.place))
    seen = aimed_at(layer, scene, frame)
    return None if seen is None else _of_object(seen, layer, curve_time(scene, frame), metres, known, depsgraph)


def _of_object(seen: Object, layer: Any, at: float, metres: float, known: Known, depsgraph: Depsgraph | None) -> Spot:
    """Where an object is, or what of it is meant."""
    return spot_of_object(seen, layer.bone if seen == layer.target else "", at, metres, known, depsgraph)


def spot_of_object(
    seen: Object, bone: str, at: float, metres: float, known: Known, depsgraph: Depsgraph | None = None
) -> Spot:
    """Where an object is at a curve time, metres; of an armature a bone, its head if none is named."""
    found = known(seen, bone)
    if found is not None:
        return found
    if seen.type == "ARMATURE":
        return _of_armature(seen, bone, at, metres, depsgraph)
    if depsgraph is not None:
        return spot_of(seen.evaluated_get(depsgraph).matrix_world, metres)
    return spot_of(plain_matrix(seen, at), metres)


def _of_armature(armature: Object, bone: str, at: float, metres: float, depsgraph: Depsgraph | None) -> Spot:
    """A bone of an armature that nobody computes along, its head if none is named, or a place over its origin."""
    shown = armature if depsgraph is None else armature.evaluated_get(depsgraph)
    matrix = plain_matrix(armature, at) if depsgraph is None else shown.matrix_world
    name = bone or next((item.name for item in armature.pose.bones if item.name.lower() == "head"), "")
    posed = shown.pose.bones.get(name)
    if posed is not None:
        return spot_of(matrix @ posed.matrix, metres)
    found = spot_of(matrix, metres)
    return found._replace(z=found.z + OVER_ORIGIN)


def spot_of(matrix: Matrix, metres: float) -> Spot:
    """A world matrix as a spot, metres."""
    x, y, z = matrix.translation
    return Spot(x * metres, y * metres, z * metres, tuple(matrix.to_quaternion()))
