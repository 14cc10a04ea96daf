"""An Action of an understood rig, sampled: how body, root bone and object move, and what else has to stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import bpy
import numpy as np
from bpy.types import Object, Scene

from ..core.motion.averages import goes_on_evenly, way_without_strides
from ..core.motion.clip import Clip
from ..core.motion.loops import headings_of
from ..core.motion.root_motion import given_track, held_still, own_track, with_track
from ..core.motion.support import SWAY, Support, support_of
from .action_edit import Changed, Edit, moments
from .action_sampling import rate_of
from .carry_over import bone_of
from .posed_elements import MOVING, Held, Poses, moved_elements, poses_of, with_parents
from .refusal import RefusedError
from .retime import frames_a_second
from .rig_reading import Reading, read_rig
from .rigify import is_generated, role_skeleton
from .rigify.detection import find_parts
from .scene_units import metres_per_unit
from .texts import text

HOME = "surefoot_home"
"""On an Action whose travel was brought to the object: where the object stood before, its own matrix by columns."""


@dataclass
class Stage:
    """An Action sampled for a change of its travel.

    `root`: the root bone's name, where it is not the rig's own. `at`: the times to sample at, by default about one a
    frame (`even`), with the keys of what carries travel between them.
    """

    edit: Edit
    reading: Reading
    root: str = ""
    even: bool = False
    at: np.ndarray | None = None

    def __post_init__(self) -> None:
        rig, obj = self.reading.rig, self.edit.obj
        self.root = self.root or root_bone(self.reading)
        self.body = rig.skeleton.bones[rig.body].name
        self.moved = moved_elements(self.edit)
        self.held = _held(obj, self.moved, self.body, self.root)
        if self.at is not None:
            self.times, self._even = self.at, np.arange(len(self.at))
        else:
            near = [curve for curve in self.edit.bag.fcurves if not self.even and self._is_near(curve)]
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

    def again(self, times: np.ndarray) -> Stage:
        """The Action as it is by now, at these times."""
        return Stage(self.edit, self.reading, self.root, at=times)

    @property
    def scene(self) -> Scene:
        """Whose frames are meant."""
        return bpy.context.scene

    def clip(self) -> Clip:
        """The body over the even frames."""
        names = [bone.name for bone in self.reading.rig.skeleton.bones]
        moved = np.stack([self.motion(name)[self._even] for name in names], axis=1)
        return Clip(self.reading.rig, rate_of(self.times[self._even], frames_a_second(self.scene)), moved)

    @cached_property
    def support(self) -> Support:
        """The clip's trend over its even frames."""
        return support_of(self.clip())

    @property
    def trend(self) -> np.ndarray:
        """The clip's trend at all times, (F, 4)."""
        return self._at_all(self.support.track)

    def _at_all(self, rows: np.ndarray) -> np.ndarray:
        even = self.times[self._even]
        columns = [np.interp(self.times, even, column) for column in rows.reshape(len(rows), -1).T]
        return np.stack(columns, axis=-1).reshape(-1, *rows.shape[1:])

    def window(self, seconds: float) -> float:
        """Even frames to average the way over: so many seconds, or a stride."""
        if seconds <= 0.0:
            return self.support.stride
        return seconds * rate_of(self.times[self._even], frames_a_second(self.scene))

    def given(self, body: np.ndarray, own: np.ndarray, meant: np.ndarray, window: float) -> np.ndarray:
        """The track that a carrier is to have, (F, 4), from how the body moves (F, 4, 4)."""
        joint = self.joint(self.body)
        places, heading = body[:, :3, :3] @ joint + body[:, :3, 3], headings_of(body[:, :3, :3])
        if window > 0.0:
            way = places[self._even]
            ends = goes_on_evenly(way[:, :2], window, SWAY * self.reading.rig.leg_length)
            smooth = way_without_strides(way, heading[self._even], window, ends)
            places, heading = (self._at_all(rows) for rows in smooth)
        return given_track(places, heading, joint, own, meant)

    def hold(self, given: Mapping[str, np.ndarray], shift: np.ndarray | None = None) -> Changed:
        """Bring carriers where they are given, and lead all else back to where it was, or there as the world shifts."""
        shift = np.identity(4) if shift is None else shift.copy()
        shift[..., :3, 3] /= self.reading.metres
        names = [*given, *(name for name in (*self.moved, *self.held) if name not in given)]
        wanted = {name: given[name] if name in given else shift @ self.poses.of(name) for name in dict.fromkeys(names)}
        stuck = Held(self.edit, self.times, self.poses, wanted).hold()
        carrying = {self.body, *(bone.name for bone in self.edit.obj.data.bones[self.body].parent_recursive)}
        lost = sorted((carrying & set(stuck)) - set(given))
        if lost:
            raise RefusedError(text("root_body_not_held", bone=lost[0]))
        if stuck:
            names_said = ", ".join(name or self.edit.obj.name for name in stuck[:5])
            self.edit.notes.append(text("root_not_held", count=len(stuck), names=names_said))
        return self.edit.changed(len(self.times))


def root_bone(reading: Reading) -> str:
    """The name of the bone that can carry travel; empty where there is none."""
    rig = reading.rig
    return rig.skeleton.bones[rig.root].name if rig.root >= 0 else ""


def reading_of(obj: Object) -> Reading:
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
