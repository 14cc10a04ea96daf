"""Bodies for the contract of layers: rigs that sway as they go, reshaped, mirrored and scaled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sin
from typing import Any

import numpy as np
from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.reshaped import MIRROR, scaled
from support.rigs import dog_skeleton, person_skeleton, spider_skeleton
from surefoot.core.layers.layer import LayerKind, Moment
from surefoot.core.layers.registry import LAYERS
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.clip_pose import ClipPoses, clip_poses
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.space.angles import heading_of
from surefoot.core.world.solids import Flat

FPS = 24.0
SPEED = 1.2
NO_TURN = Quaternion()


def understood(skeleton: Skeleton) -> Rig:
    """What set-up makes of a skeleton."""
    return understand(skeleton, read_conventions(ROOT / "presets" / "rigs")).rig


def layered_kinds() -> list[LayerKind]:
    """All kinds that there are."""
    return list(LAYERS.values())


def made_settings(kind: LayerKind, body: Body) -> Any:
    """Settings with which the kind does something: its defaults, and a clip where it plays one."""
    return kind.config(poses=nodding(body)) if kind.kind == "CLIP" else kind.config()


def nodding(body: Body) -> ClipPoses:
    """A clip in which every joint of a body turns to and fro, two seconds long."""
    moved = []
    for n in range(48):
        pose = EditedPose.rest(body.rig.skeleton)
        for i in range(len(pose.rotations)):
            pose.set_basis(i, Quaternion((0.3, 1.0, 0.2), 0.2 * sin(0.26 * n + 0.5 * i)))
        moved.append([[list(row) for row in pose.moved(i)] for i in range(len(pose.rotations))])
    return clip_poses(Clip(body.rig, FPS, np.array(moved)), floors=(body.rig.floor,))


@dataclass
class Body:
    """A rig with a pose that changes from frame to frame. `bend` is laid on the limbs: straight, folded or none."""

    rig: Rig
    bend: str = ""
    symmetric: bool = True
    size: float = 1.0

    def pose(self, n: int, *, mirrored: bool = False) -> EditedPose:
        """The base pose of a frame: every joint a little off its rest."""
        skeleton = self.rig.skeleton
        pose = EditedPose.rest(skeleton)
        for i in range(len(skeleton)):
            angle = 0.06 * sin(0.3 * n + 0.7 * i)
            pose.set_basis(i, self._limb_turn(i) @ Quaternion((1.0, 0.2, 0.1), angle))
        pose.set_basis(
            self.rig.body, pose.rotations[self.rig.body], Vector((0.01, 0.0, 0.02 * sin(0.4 * n))) * self.size
        )
        return self._mirror(pose) if mirrored else pose

    def poses(self, frames: int) -> list[EditedPose]:
        """The base poses of some frames."""
        return [self.pose(n) for n in range(frames)]

    def moment(self, n: int, *, at: Matrix | None = None, still: bool = False) -> Moment:
        """What a layer is told at a frame: the body goes along its facing, or stands."""
        place = at.copy() if at is not None else Matrix()
        if not still:
            place = place @ Matrix.Translation(Vector((0.0, -SPEED * self.size * n / FPS, 0.0)))
        forward = place.to_3x3() @ Vector((0.0, -1.0, 0.0))
        x, y, z = place.translation
        velocity = Vector() if still else forward * SPEED * self.size
        ground = Ground(x, y, z - self.rig.floor, heading_of(forward.x, forward.y))
        to_world = place.copy()
        to_world.translation.z -= self.rig.floor
        return Moment(
            0.0 if n == 0 else 1.0 / FPS,
            ground,
            to_world,
            to_world.inverted(),
            Flat(),
            tuple(velocity),
            phase=(n / 24.0) % 1.0,
        )

    def reshaped(self, shape: str) -> Body:
        """The same body with its limbs straight or folded, or with bones that have no length."""
        if shape != "flat":
            return replace(self, bend=shape)
        tails = {i for tail in self.rig.tails for i in tail[1:]} | set(self.rig.neck[1:])
        bones: list[Bone] = []
        for i, bone in enumerate(self.rig.skeleton.bones):
            rest = bone.rest.copy()
            if i in tails:
                rest.translation = bones[bone.parent].rest.to_translation()
            bones.append(replace(bone, rest=rest, length=0.0))
        return replace(self, rig=dataclasses.replace(self.rig, skeleton=Skeleton(tuple(bones))), symmetric=False)

    def scaled(self, factor: float) -> Body:
        """The same body at another size."""
        return Body(understood(scaled(self.rig.skeleton, factor)), self.bend, self.symmetric, factor)

    def mirrored_settings(self, settings: Any) -> Any:
        """Settings that mean the other side: what names a left bone names the right one."""
        changes = {}
        for item in dataclasses.fields(settings):
            value = getattr(settings, item.name)
            if isinstance(value, str) and value.endswith((".L", ".R")):
                changes[item.name] = value[:-1] + ("R" if value.endswith("L") else "L")
        return replace(settings, **changes)

    def pairs(self) -> list[tuple[int, int]]:
        """Each bone with its partner in the mirror, itself where it has none."""
        skeleton = self.rig.skeleton
        return [(i, skeleton.index[_other(bone.name)]) for i, bone in enumerate(skeleton.bones)]

    def _mirror(self, pose: EditedPose) -> EditedPose:
        mirrored = EditedPose.rest(self.rig.skeleton)
        for i, j in sorted(self.pairs(), key=lambda pair: pair[1]):
            mirrored.set_model(j, MIRROR @ pose.model(i) @ MIRROR)
        return mirrored

    def _limb_turn(self, i: int) -> Quaternion:
        if not self.bend:
            return NO_TURN
        limbs = [leg.bones for leg in self.rig.legs] + [arm.bones for arm in self.rig.arms]
        limbs += [*self.rig.tails, self.rig.neck]
        chain = next((limb for limb in limbs if i in limb[1:]), None)
        if chain is None:
            return NO_TURN
        if self.bend == "folded":
            return Quaternion((1.0, 0.0, 0.0), 2.4)
        above = chain[chain.index(i) - 1]
        bones = self.rig.skeleton.bones
        here = (bones[i].tail - bones[i].head).normalized()
        there = (bones[above].tail - bones[above].head).normalized()
        if here.length < 0.5 or there.length < 0.5:
            return NO_TURN
        turn = here.rotation_difference(there)
        rest = bones[i].rest.to_quaternion()
        return rest.inverted() @ turn @ rest


def _other(name: str) -> str:
    if name.endswith(".L"):
        return name[:-2] + ".R"
    return name[:-2] + ".L" if name.endswith(".R") else name


BODIES: dict[str, Callable[[], Body]] = {
    "person": lambda: Body(understood(person_skeleton())),
    "dog": lambda: Body(understood(dog_skeleton())),
    "spider": lambda: Body(understood(spider_skeleton())),
}
