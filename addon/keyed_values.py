"""Values at any frame from F-curves, without evaluating the scene.

Only what a plain Action says can be had so: no NLA, no drivers, no influence, no constraints. `is_plain_place` tells.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Euler, Matrix, Quaternion, Vector

from .changes import hints
from .ground_set import TimeDependence, is_previewed

GAIT, SPEED = "surefoot.gait", "surefoot.speed"
TRANSFORMS = ("location", "rotation_", "scale", "delta_")


def curve_time(scene: bpy.types.Scene, frame: float) -> float:
    """The time at which F-curves are evaluated for a frame (time remapping)."""
    render = scene.render
    return frame * render.frame_map_old / render.frame_map_new


def fcurves_of(data: bpy.types.ID) -> bpy.types.ActionChannelbagFCurves | None:
    """The F-curves of a data-block's Action in its slot, None if it has none."""
    animation = data.animation_data
    if animation is None or animation.action is None or animation.action_slot is None:
        return None
    for layer in animation.action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(animation.action_slot)
            if bag is not None:
                return bag.fcurves
    return None


def keyed_value(data: bpy.types.ID, path: str, index: int, time: float, default: float) -> float:
    """What the Action says at a time; `default` where it says nothing (a muted curve leaves the value as it is)."""
    curves = fcurves_of(data)
    curve = curves.find(path, index=index) if curves is not None else None
    if curve is None or curve.mute or (curve.group is not None and curve.group.mute):
        return default
    return curve.evaluate(time)


def is_keyed(data: bpy.types.ID, start: str) -> bool:
    """True where the Action has a curve whose path begins so."""
    curves = fcurves_of(data)
    return curves is not None and any(curve.data_path.startswith(start) for curve in curves)


def setting_is_animated(data: bpy.types.ID, path: str, size: int = 1) -> bool:
    """True where a setting (of so many numbers) is keyed or driven: its property holds the shown frame's value."""
    return bool(animated_settings(data, [(path, k) for k in range(size)]))


def animated_settings(data: bpy.types.ID, channels: Sequence[tuple[str, int]]) -> frozenset[str]:
    """The paths of those settings, (path, index) each, that are keyed or driven; all where a strip may move any."""
    animation = data.animation_data
    if animation is None:
        return frozenset()
    if any(track.strips for track in animation.nla_tracks):
        return frozenset(path for path, _ in channels)
    driven, curves = driven_settings(data), fcurves_of(data)
    if curves is None:
        return frozenset(channel[0] for channel in channels if channel in driven)
    return frozenset(path for path, k in channels if (path, k) in driven or curves.find(path, index=k) is not None)


class _Drivers:
    """By the identity of who has them: by what they were known, and which of our settings they drive."""

    known: dict[int, tuple[tuple[int, str, int], frozenset[tuple[str, int]]]]


_Drivers.known = {}


def driven_settings(data: bpy.types.ID) -> frozenset[tuple[str, int]]:
    """(path, index) of each of our settings that has a driver.

    A generated rig has hundreds of drivers and this is asked at every frame, so they are gone through only after
    something was touched, or one came or went.
    """
    animation = data.animation_data
    count = 0 if animation is None else len(animation.drivers)
    if not count:
        return frozenset()
    # A new driver comes last.
    key = (count, animation.drivers[count - 1].data_path, hints.taken)
    known = _Drivers.known.get(data.session_uid)
    if known is not None and known[0] == key and not hints.any_edit():
        return known[1]
    paths = ((curve.data_path, curve.array_index) for curve in animation.drivers)
    found = frozenset(item for item in paths if item[0].startswith("surefoot."))
    _Drivers.known[data.session_uid] = (key, found)
    return found


def has_plain_action(data: bpy.types.ID, starts: tuple[str, ...]) -> bool:
    """True where paths that begin so are animated by nothing but a whole Action, or not at all."""
    animation = data.animation_data
    if animation is None:
        return True
    if any(driver.data_path.startswith(starts) for driver in animation.drivers):
        return False
    if animation.use_nla and any(not track.mute and len(track.strips) for track in animation.nla_tracks):
        return False
    whole = animation.action_influence == 1.0 and animation.action_blend_type == "REPLACE"
    return animation.action is None or (whole and not animation.use_tweak_mode)


def is_plain_place(ob: bpy.types.Object, time: TimeDependence, *, own: bool = False) -> bool:
    """True where the object's place at any frame follows from F-curves, its own and its parents', or never changes.

    `own`: the object is a character that follows its own animation, so that its preview leaves its place alone.
    """
    if is_previewed(ob) and not own:
        return False
    if not time.moves(ob):
        return ob.parent is None or is_plain_place(ob.parent, time)
    body = ob.rigid_body
    if body is not None and body.enabled and body.type == "ACTIVE":
        return False
    if any(not constraint.mute for constraint in ob.constraints) or not has_plain_action(ob, TRANSFORMS):
        return False
    return ob.parent is None or (ob.parent_type == "OBJECT" and is_plain_place(ob.parent, time))


def plain_matrix(ob: bpy.types.Object, at: float) -> Matrix:
    """The object's world matrix at a curve time; right where `is_plain_place` says so."""
    if any(not constraint.mute for constraint in ob.constraints):
        return ob.matrix_world.copy()
    basis = basis_at(ob, at)
    if ob.parent is None:
        return basis
    if ob.parent_type != "OBJECT":
        return ob.matrix_world.copy()
    return plain_matrix(ob.parent, at) @ ob.matrix_parent_inverse @ basis


Curves = dict[str, list[bpy.types.FCurve]]


def _transform_curves(ob: bpy.types.Object) -> Curves:
    """The curves that move an object, by what they move: looked up once for all of its numbers."""
    found: Curves = {}
    for curve in fcurves_of(ob) or ():
        if curve.data_path.startswith(TRANSFORMS) and not (curve.mute or (curve.group and curve.group.mute)):
            found.setdefault(curve.data_path, []).append(curve)
    return found


def _vector(ob: bpy.types.Object, path: str, at: float, curves: Curves) -> Vector:
    values = Vector(getattr(ob, path))
    for curve in curves.get(path, ()):
        values[curve.array_index] = curve.evaluate(at)
    return values


def basis_at(ob: bpy.types.Object, at: float) -> Matrix:
    """The object's own transform at a curve time, as its Action has it."""
    curves = _transform_curves(ob)
    place = _vector(ob, "location", at, curves) + _vector(ob, "delta_location", at, curves)
    scale = _vector(ob, "scale", at, curves) * _vector(ob, "delta_scale", at, curves)
    return Matrix.LocRotScale(place, _turn(ob, at, curves), scale)


def _turn(ob: bpy.types.Object, at: float, curves: Curves) -> Quaternion:
    mode = ob.rotation_mode
    if mode == "QUATERNION":
        delta = Quaternion(_vector(ob, "delta_rotation_quaternion", at, curves)).normalized()
        return delta @ Quaternion(_vector(ob, "rotation_quaternion", at, curves)).normalized()
    order = "XYZ" if mode == "AXIS_ANGLE" else mode
    delta = Euler(_vector(ob, "delta_rotation_euler", at, curves), order).to_quaternion()
    if mode == "AXIS_ANGLE":
        angle, x, y, z = _vector(ob, "rotation_axis_angle", at, curves)
        return Quaternion((x, y, z), angle)
    return delta @ Euler(_vector(ob, "rotation_euler", at, curves), mode).to_quaternion()
