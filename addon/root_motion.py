"""Root motion: who carries an Action's travel. On a root bone or the object, put back on the pelvis, or taken out.

Each works on a copy of the Action (see `Which`) and changes no channel that can stay: of carriers, of the bones right
below them, and of those only what is different afterwards. All other curves keep their keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import radians
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ..core.motion.averages import without_strides
from ..core.motion.clip import Clip
from ..core.motion.loops import headings_of
from ..core.motion.root_motion import (
    chosen,
    given_track,
    held_still,
    in_place_shift,
    own_track,
    straight_shift,
    with_track,
)
from ..core.motion.support import Support, support_of
from .action_edit import Changed, Edit, Which, edited, moments
from .action_sampling import rate_of
from .added_root import add_root_bone
from .carry_over import bone_of
from .posed_elements import MOVING, Held, Poses, moved_elements, poses_of, with_parents
from .refusal import RefusedError
from .rig_reading import Reading, read_rig
from .rigify import is_generated, role_skeleton
from .rigify.detection import find_parts
from .saved_state import columns_of
from .scene_units import metres_per_unit
from .texts import text

HOME = "surefoot_home"
"""On an Action whose travel was brought to the object: where the object stood before, its own matrix by columns."""
PLANE = frozenset({"X", "Y", "YAW"})
# Shares of the leg length: what gets less far does not travel.
TRAVELS = 0.1
TOWARD = {"X": 0.0, "Y": 90.0, "-X": 180.0, "-Y": -90.0}


def root_extract(
    obj: Object,
    which: Which = Which(),
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
    reading = _reading(obj)
    with edited(obj, which, "root_extracted") as edit:
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


def root_put_back(obj: Object, which: Which = Which(), carrier: str = "AUTO", axes: frozenset[str] = PLANE) -> Changed:
    """What the root bone or the object carries of the travel, back onto the pelvis; the world pose stays.

    A root bone comes back to its rest, an object to where it stood before its travel was extracted, or else to where it
    is at first.
    """
    meant = _axes(axes)
    reading = _reading(obj)
    root = _carrier(obj, reading, carrier, add_root=False)
    with edited(obj, which, "root_put_back_name") as edit:
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


def in_place(obj: Object, which: Which = Which(), axes: frozenset[str] = frozenset({"X", "Y"})) -> Changed:
    """Net travel taken out: what stays under the feet stays, sway and bounce too. Root bone and object stand still."""
    meant = _axes(axes)
    with edited(obj, which, "root_in_place") as edit:
        stage = Stage(edit, _reading(obj))
        return stage.hold(stage.still(meant), in_place_shift(stage.trend, meant))


def remove_lift(obj: Object, which: Which = Which(), *, keep_bounce: bool = True) -> Changed:
    """Climbing taken out: the ground under the feet becomes level. Without `keep_bounce` the body stays at one height."""
    meant = _axes(frozenset({"Z"}))
    with edited(obj, which, "root_level") as edit:
        stage = Stage(edit, _reading(obj))
        trend = stage.trend
        if not keep_bounce:
            body = own_track(stage.motion(stage.body), stage.joint(stage.body))
            trend = np.column_stack([trend[:, :2], body[:, 2], trend[:, 3]])
        return stage.hold(stage.still(meant), in_place_shift(trend, meant))


def straighten_heading(obj: Object, which: Which = Which(), toward: str = "FIRST") -> Changed:
    """The turn taken out of the travel, so that it ends along the direction in which it began, or 'X', 'Y', '-X', '-Y'
    of the world.
    """
    if toward != "FIRST" and toward not in TOWARD:
        raise RefusedError(text("root_unknown_axis", axis=toward, axes=", ".join(("FIRST", *TOWARD))))
    with edited(obj, which, "root_straight") as edit:
        stage = Stage(edit, _reading(obj))
        angle = radians(TOWARD[toward]) if toward in TOWARD else None
        return stage.hold({}, straight_shift(stage.trend, angle, TRAVELS * stage.reading.rig.leg_length))


@dataclass
class Stage:
    """An Action sampled for a change of its travel. `root`: the root bone's name, where it is not the rig's own."""

    edit: Edit
    reading: Reading
    root: str = ""

    def __post_init__(self) -> None:
        rig, obj = self.reading.rig, self.edit.obj
        self.root = self.root or root_bone(self.reading)
        self.body = rig.skeleton.bones[rig.body].name
        self.moved = moved_elements(self.edit)
        self.held = _held(obj, self.moved, self.body, self.root)
        near = [curve for curve in self.edit.bag.fcurves if self._is_near(curve)]
        self.times, self._even = moments(self.edit, near)
        names = [*self.moved, *self.held, self.body, *([self.root] if self.root else [])]
        role_bones = [bone.name for bone in rig.skeleton.bones]
        self.poses: Poses = poses_of(self.edit, [*dict.fromkeys([*role_bones, *with_parents(obj, names)])], self.times)
        self._canonical = np.array(self.reading.canonical, dtype=np.float64)
        self._back = np.linalg.inv(self._canonical)

    def _is_near(self, curve: Any) -> bool:
        name = bone_of(curve.data_path)
        return curve.data_path.rpartition(".")[2] in MOVING and name in {"", self.root, self.body, *self.held}

    def motion(self, name: str) -> np.ndarray:
        """What moves an element from rest in model space to the world, metres: rigid, (F, 4, 4)."""
        back = np.linalg.inv(self._rest(name)) @ self._back if name else self._back
        moved: np.ndarray = self.poses.of(name) @ back
        moved[:, :3] *= self.reading.metres
        return moved

    def local(self, name: str) -> np.ndarray:
        """What moves a bone from rest within model space, (F, 4, 4)."""
        result: np.ndarray = self._canonical @ self.poses.bones[name] @ np.linalg.inv(self._rest(name)) @ self._back
        return result

    def posed(self, name: str, local: np.ndarray, world: np.ndarray | None = None) -> np.ndarray:
        """A bone in the world that is moved so within model space, the object being at `world` or where it is."""
        pose = self._back @ local @ self._canonical @ self._rest(name)
        result: np.ndarray = (self.poses.world if world is None else world) @ pose
        return result

    def object_given(self, motion: np.ndarray) -> dict[str, np.ndarray]:
        """The object where model space is moved so in the world (metres)."""
        there = motion.copy()
        there[:, :3] /= self.reading.metres
        return {"": there @ self._canonical}

    def joint(self, name: str) -> np.ndarray:
        """A bone's joint at rest, model space."""
        place: np.ndarray = (self._canonical @ self._rest(name))[:3, 3]
        return place

    def _rest(self, name: str) -> np.ndarray:
        return np.array(self.edit.obj.data.bones[name].matrix_local, dtype=np.float64)

    def root_given(self, world: np.ndarray, meant: np.ndarray, *, first: bool) -> dict[str, np.ndarray]:
        """The root bone without the meant travel, as at the first frame or at rest; nothing where nothing moves it."""
        if not self.root or self.root not in self.moved:
            return {}
        local = self.local(self.root)
        own = own_track(local, self.joint(self.root))
        there = held_still(own, meant) if first else np.where(meant, 0.0, own)
        return {self.root: self.posed(self.root, with_track(local, own, there), world)}

    def still(self, meant: np.ndarray) -> dict[str, np.ndarray]:
        """The object and the root bone that stay as at the first frame, as far as they move."""
        given: dict[str, np.ndarray] = {}
        if "" in self.moved:
            own = own_track(self.motion(""), np.zeros(3))
            given = self.object_given(with_track(self.motion(""), own, held_still(own, meant)))
        return given | self.root_given(given.get("", self.poses.world), meant, first=True)

    def home_track(self) -> np.ndarray | None:
        """Where the object stood before travel came onto it, (1, 4); None where that is not known."""
        columns = self.edit.action.get(HOME)
        if columns is None or len(columns) != 16:
            return None
        basis = np.array(columns, dtype=np.float64).reshape(4, 4).T
        motion = self.poses.frame[:1] @ basis @ self._back
        motion[:, :3] *= self.reading.metres
        return own_track(motion, np.zeros(3))

    @cached_property
    def support(self) -> Support:
        """The clip's trend over its even frames."""
        names = [bone.name for bone in self.reading.rig.skeleton.bones]
        moved = np.stack([self.motion(name)[self._even] for name in names], axis=1)
        scene = bpy.context.scene
        rate = rate_of(self.times[self._even], scene.render.fps / scene.render.fps_base)
        return support_of(Clip(self.reading.rig, rate, moved))

    @property
    def trend(self) -> np.ndarray:
        """The clip's trend at all times, (F, 4)."""
        return self._at_all(self.support.track)

    def _at_all(self, rows: np.ndarray) -> np.ndarray:
        even = self.times[self._even]
        columns = rows.reshape(len(rows), -1).T
        return np.stack([np.interp(self.times, even, column) for column in columns], axis=-1).reshape(-1, *rows.shape[1:])

    def window(self, seconds: float) -> float:
        """Even frames to average the way over: so many seconds, or a stride."""
        if seconds <= 0.0:
            return self.support.stride
        scene = bpy.context.scene
        return seconds * rate_of(self.times[self._even], scene.render.fps / scene.render.fps_base)

    def given(self, body: np.ndarray, own: np.ndarray, meant: np.ndarray, window: float) -> np.ndarray:
        """The track that a carrier is to have, (F, 4), from how the body moves (F, 4, 4)."""
        joint = self.joint(self.body)
        places, heading = body[:, :3, :3] @ joint + body[:, :3, 3], headings_of(body[:, :3, :3])
        if window > 0.0:
            places, heading = (self._at_all(without_strides(r[self._even], window)) for r in (places, heading))
        return given_track(places, heading, joint, own, meant)

    def hold(self, given: Mapping[str, np.ndarray], shift: np.ndarray | None = None) -> Changed:
        """Bring carriers where they are given, and lead all else back to where it was, or there as the world shifts."""
        shift = np.identity(4) if shift is None else shift.copy()
        shift[..., :3, 3] /= self.reading.metres
        names = [*given, *(name for name in (*self.moved, *self.held) if name not in given)]
        wanted = {name: given[name] if name in given else shift @ self.poses.of(name) for name in dict.fromkeys(names)}
        stuck = Held(self.edit, self.times, self.poses, wanted).hold()
        if stuck:
            names_said = ", ".join(name or self.edit.obj.name for name in stuck[:5])
            self.edit.notes.append(text("root_not_held", count=len(stuck), names=names_said))
        return self.edit.changed(len(self.times))


def root_bone(reading: Reading) -> str:
    """The name of the bone that can carry travel; empty where there is none."""
    rig = reading.rig
    return rig.skeleton.bones[rig.root].name if rig.root >= 0 else ""


def _held(obj: Object, moved: set[str], body: str, root: str) -> tuple[str, ...]:
    """What has to stay in place though nothing animates it: the body, or the control that carries it."""
    if is_generated(obj):
        body = find_parts(obj).torso
    bone = obj.data.bones[body]
    while bone is not None and bone.name != root:
        if bone.name in moved:
            return ()
        bone = bone.parent
    return (body,)


def _axes(names: frozenset[str]) -> np.ndarray:
    try:
        meant = chosen(frozenset(names))
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if not meant.any():
        raise RefusedError(text("root_no_axis"))
    return meant


def _reading(obj: Object) -> Reading:
    """The rig, or a refusal that says why its travel is not understood."""
    if obj is None or obj.type != "ARMATURE" or obj.mode == "EDIT":
        raise RefusedError(text("no_object") if obj is None else text("edit_mode", name=obj.name))
    if is_generated(obj) and role_skeleton(obj) is None:
        raise RefusedError(text("root_no_torso", name=obj.name))
    reading = read_rig(obj, metres=metres_per_unit(bpy.context.scene))
    if reading.blocking:
        raise RefusedError(text("blocked", name=obj.name, reason=reading.blocking[0]))
    if reading.rig.body < 0:
        raise RefusedError(text("root_no_body", name=obj.name))
    return reading


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

