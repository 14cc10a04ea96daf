"""Root motion: who carries an Action's travel. On a root bone or the object, put back on the pelvis, or taken out.

Each works on a copy of the Action (see `Which`) and changes no channel that can stay: of carriers, of the bones right
below them, and of those only what is different afterwards. All other curves keep their keys.
"""

from __future__ import annotations

from math import radians

import numpy as np
from bpy.types import Object

from ..core.motion.root_motion import chosen, in_place_shift, own_track, straight_shift, with_track
from .action_edit import PLAYED, Changed, Which, edited
from .added_root import add_root_bone
from .refusal import RefusedError
from .rig_reading import Reading
from .saved_state import columns_of
from .texts import text
from .travel_stage import HOME, Stage, reading_of, root_bone

PLANE = frozenset({"X", "Y", "YAW"})
# Shares of the leg length: what gets less far does not travel.
TRAVELS = 0.1
TOWARD = {"X": 0.0, "Y": 90.0, "-X": 180.0, "-Y": -90.0}


def root_extract(
    obj: Object,
    which: Which = PLAYED,
    carrier: str = "AUTO",
    axes: frozenset[str] = PLANE,
    smooth: bool = False,
    smooth_seconds: float = 0.0,
    add_root: bool = False,
) -> Changed:
    """The pelvis's travel onto the root bone or the object; where the body is in the world stays.

    carrier: 'ROOT_BONE', 'OBJECT', or 'AUTO' for the root bone where there is one. axes: of X, Y, Z and YAW. smooth:
    the carrier takes the way without sway and bob, averaged over `smooth_seconds` (0: over one stride of the clip).
    add_root: a rig that has no root bone gets one, in its armature data.
    """
    meant = _axes(axes)
    reading = reading_of(obj)
    with edited(obj, which, "root_extracted", same_steps=True) as edit:
        root = _carrier(obj, reading, carrier, add_root=add_root)
        stage = Stage(edit, reading, root)
        window = stage.window(smooth_seconds) if smooth else 0.0
        given = {}
        if root:
            own = own_track(stage.local(root), stage.joint(root))
            there = stage.given(stage.local(stage.body), own, meant, window)
            given[root] = stage.posed(root, with_track(stage.local(root), own, there))
        else:
            own = own_track(stage.motion(""), np.zeros(3))
            there = stage.given(stage.motion(stage.body), own, meant, window)
            given = stage.object_given(with_track(stage.motion(""), own, there))
            given |= stage.root_given(given[""], meant, first=False)
            if "" not in stage.moved:
                edit.action[HOME] = columns_of(obj.matrix_basis)
        return stage.hold(given)


def root_put_back(obj: Object, which: Which = PLAYED, carrier: str = "AUTO", axes: frozenset[str] = PLANE) -> Changed:
    """What the root bone or the object carries of the travel, back onto the pelvis; the world pose stays.

    A root bone comes back to its rest, an object to where it stood before its travel was extracted, or else to where it
    is at first.
    """
    meant = _axes(axes)
    reading = reading_of(obj)
    root = _carrier(obj, reading, carrier, add_root=False)
    with edited(obj, which, "root_put_back_name", same_steps=True) as edit:
        stage = Stage(edit, reading, root)
        if (root or "") not in stage.moved:
            raise RefusedError(text("root_carries_nothing", action=edit.source.name, carrier=root or obj.name))
        if root:
            given = stage.root_given(stage.poses.world, meant, first=False)
        else:
            own = own_track(stage.motion(""), np.zeros(3))
            home = stage.home_track()
            there = np.where(meant, own[:1] if home is None else home, own)
            given = stage.object_given(with_track(stage.motion(""), own, there))
        return stage.hold(given)


def in_place(obj: Object, which: Which = PLAYED, axes: frozenset[str] = frozenset({"X", "Y"})) -> Changed:
    """Net travel taken out: what stays under the feet stays, sway and bounce too. Root bone and object stand still."""
    meant = _axes(axes)
    with edited(obj, which, "root_in_place") as edit:
        stage = Stage(edit, reading_of(obj))
        return stage.hold(stage.still(meant), in_place_shift(stage.trend, meant))


def remove_lift(obj: Object, which: Which = PLAYED, *, keep_bounce: bool = True) -> Changed:
    """Climbing taken out: the ground under the feet becomes level. Without `keep_bounce` the body stays level."""
    meant = _axes(frozenset({"Z"}))
    with edited(obj, which, "root_level") as edit:
        stage = Stage(edit, reading_of(obj))
        trend = stage.trend
        if not keep_bounce:
            body = own_track(stage.motion(stage.body), stage.joint(stage.body))
            trend = np.column_stack([trend[:, :2], body[:, 2], trend[:, 3]])
        return stage.hold(stage.still(meant), in_place_shift(trend, meant))


def straighten_heading(obj: Object, which: Which = PLAYED, toward: str = "FIRST") -> Changed:
    """The turn taken out of the travel, so that it ends along the direction in which it began, or 'X', 'Y', '-X', '-Y'
    of the world.
    """
    if toward != "FIRST" and toward not in TOWARD:
        raise RefusedError(text("root_unknown_axis", axis=toward, axes=", ".join(("FIRST", *TOWARD))))
    with edited(obj, which, "root_straight") as edit:
        stage = Stage(edit, reading_of(obj))
        angle = radians(TOWARD[toward]) if toward in TOWARD else None
        return stage.hold({}, straight_shift(stage.trend, angle, TRAVELS * stage.reading.rig.leg_length))


def _axes(names: frozenset[str]) -> np.ndarray:
    try:
        meant = chosen(frozenset(names))
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if not meant.any():
        raise RefusedError(text("root_no_axis"))
    return meant


def _carrier(obj: Object, reading: Reading, carrier: str, *, add_root: bool) -> str:
    """The root bone that is meant, made if asked for; "" for the object."""
    root = root_bone(reading)
    if carrier == "OBJECT":
        return ""
    if carrier not in {"AUTO", "ROOT_BONE"}:
        raise RefusedError(text("root_unknown_carrier", carrier=carrier))
    if not root and add_root:
        return add_root_bone(obj, reading)
    if not root and carrier == "ROOT_BONE":
        raise RefusedError(text("root_no_root", name=obj.name))
    return root

