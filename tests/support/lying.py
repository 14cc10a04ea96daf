"""Bodies that lie, made by hand: a trunk rolled onto a side, limbs anyhow, all of it let down onto the ground."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin
from random import Random

from mathutils import Matrix, Quaternion, Vector
from surefoot.core.actions.lying import Trunk
from surefoot.core.actions.rise_points import BodyPoints
from surefoot.core.ik.posed import bring_tip
from surefoot.core.layers.moves_limbs import Limbs
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig
from surefoot.core.world.world import World

# How far the front is turned from straight down, about the line to the head, for each way to lie.
ROLLS = {"PRONE": 0.0, "LEFT": -0.5 * pi, "SUPINE": pi, "RIGHT": 0.5 * pi}
UP = Vector((0.0, 0.0, 1.0))
GIVES = 0.003


@dataclass(frozen=True)
class Lying:
    """A body that lies: its pose, where its model space stands, and the side that is down."""

    pose: EditedPose
    to_world: Matrix
    lies: str


def lying(
    rig: Rig,
    lies: str,
    world: World,
    *,
    heading: float = 0.0,
    at: tuple[float, float] = (0.0, 0.0),
    seed: int | None = None,
    off: float = 0.0,
    pitch: float = 0.0,
) -> Lying:
    """A body on a side, its head in the direction of a heading. With a seed its limbs lie anyhow.

    `off` is how far it is rolled from that side, `pitch` how far its trunk is up (radians).
    """
    rng = None if seed is None else Random(seed)
    pose = EditedPose.rest(rig.skeleton)
    limbs = Limbs(rig)
    if rng is not None:
        _anyhow(rig, pose, rng)
    normal = _slope(world, at)
    to_world = Matrix.Translation((0.3, -0.2, 0.1)) @ Quaternion(UP, 0.7).to_matrix().to_4x4()
    turn = UP.rotation_difference(normal) @ _turn(rig, heading, ROLLS[lies] + off, pitch)
    body = rig.skeleton.bones[rig.body]
    matrix = (turn @ body.rest.to_quaternion()).to_matrix().to_4x4()
    matrix.translation = Vector((*at, 0.0))
    pose.set_model(rig.body, to_world.inverted() @ matrix)
    _down(rig, pose, to_world, world)
    _limbs_down(rig, limbs, pose, to_world, world)
    return Lying(pose, to_world, lies)


def _turn(rig: Rig, heading: float, roll: float, pitch: float) -> Quaternion:
    """The turn from rest of a trunk that lies along a heading."""
    trunk = Trunk.of(rig)
    along = Vector((sin(heading), -cos(heading), 0.0))
    laid = Matrix((trunk.along.cross(trunk.front), trunk.along, trunk.front)).transposed()
    side = along.cross(-UP)
    goal = Matrix((side, along, -UP)).transposed()
    turn = (goal @ laid.inverted()).to_quaternion()
    return Quaternion(along.cross(UP), pitch) @ Quaternion(along, roll) @ turn


def _slope(world: World, at: tuple[float, float]) -> Vector:
    """The normal of what is around a place, over half a metre."""
    around = ((0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5))
    h = [world.height_below(at[0] + dx, at[1] + dy, 50.0, 100.0) or 0.0 for dx, dy in around]
    return Vector((h[1] - h[0], h[3] - h[2], 1.0)).normalized()


def _anyhow(rig: Rig, pose: EditedPose, rng: Random) -> None:
    def turn(bone: int, most: float) -> None:
        axis = Vector((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1))).normalized()
        pose.turn_by(bone, Quaternion(axis, radians(rng.uniform(0.0, most))))

    for bone in (*rig.spine, *rig.neck):
        turn(bone, 8.0)
    for arm in rig.arms:
        turn(arm.bones[0], 70.0)
        for bone in arm.bones[1:]:
            turn(bone, 40.0)
    for leg in rig.legs:
        turn(leg.bones[0], 35.0)
        bend = rng.uniform(0.0, 0.5)
        limb = Limbs(rig).known[leg.role.replace("leg", "foot")].limb
        joints = limb.joints(pose)
        bring_tip(pose, limb, joints[-1].lerp(joints[0], bend))


def _lowest(rig: Rig, pose: EditedPose, to_world: Matrix, world: World) -> float:
    points = BodyPoints.of(rig)
    low = []
    for point in points.every():
        at = to_world @ (pose.moved(point.bone) @ point.at)
        ground = world.height_below(at.x, at.y, 50.0, 100.0) or 0.0
        low.append(at.z - ground - point.radius)
    return min(low)


def _down(rig: Rig, pose: EditedPose, to_world: Matrix, world: World) -> None:
    """The trunk on the ground."""
    points = BodyPoints.of(rig)
    low = []
    for point in points.trunk:
        at = to_world @ (pose.moved(point.bone) @ point.at)
        ground = world.height_below(at.x, at.y, 50.0, 100.0) or 0.0
        low.append(at.z - ground - point.radius)
    matrix = pose.model(rig.body).copy()
    matrix.translation += to_world.to_quaternion().inverted() @ (UP * -min(low))
    pose.set_model(rig.body, matrix)


def _limbs_down(rig: Rig, limbs: Limbs, pose: EditedPose, to_world: Matrix, world: World) -> None:
    """Each limb's end on the ground where it can be; what is under it then comes up with the whole body."""
    back = to_world.inverted()
    for known in limbs.known.values():
        at = to_world @ known.limb.tip_of(pose)
        ground = world.height_below(at.x, at.y, 50.0, 100.0) or 0.0
        bring_tip(pose, known.limb, back @ Vector((at.x, at.y, ground + 0.05 * rig.leg_length)))
    low = _lowest(rig, pose, to_world, world)
    if low < -GIVES:
        matrix = pose.model(rig.body).copy()
        matrix.translation += back.to_quaternion() @ (UP * (-GIVES - low))
        pose.set_model(rig.body, matrix)
