"""Armatures with Actions whose travel is known: written key by key from places and headings in model space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import radians

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from support.armatures import BonePlan, build_armature, canonical_of, model_matrix
from surefoot.addon.key_writing import write_keys
from surefoot.addon.pose_channels import Channel

# A person with a bone for its travel and a face that nothing of the body moves; nothing lies along its own axes.
PERSON = (
    BonePlan("root", "", (0, 0, 0), (0, 0.3, 0)),
    BonePlan("pelvis", "root", (0, 0, 0.95), (0, 0.02, 1.1), 0.2),
    BonePlan("spine", "pelvis", (0, 0.02, 1.1), (0, 0, 1.3), -0.4),
    BonePlan("chest", "spine", (0, 0, 1.3), (0, 0, 1.5), 0.3),
    BonePlan("head", "chest", (0, 0, 1.55), (0, -0.02, 1.8)),
    *(
        BonePlan(f"{name}.{side}", parent.format(side), (s * head[0], *head[1:]), (s * tail[0], *tail[1:]), s * roll)
        for side, s in (("L", 1), ("R", -1))
        for name, parent, head, tail, roll in (
            ("thigh", "pelvis", (0.1, 0, 0.92), (0.1, -0.03, 0.5), 0.7),
            ("shin", "thigh.{}", (0.1, -0.03, 0.5), (0.1, 0.02, 0.09), -1.3),
            ("foot", "shin.{}", (0.1, 0.02, 0.09), (0.1, -0.12, 0.02), 0.1),
            ("toe", "foot.{}", (0.1, -0.12, 0.02), (0.1, -0.2, 0.02), 0.0),
            ("upper_arm", "chest", (0.18, 0, 1.45), (0.45, 0, 1.4), 0.5),
            ("forearm", "upper_arm.{}", (0.45, 0, 1.4), (0.7, -0.03, 1.38), 0.2),
            ("hand", "forearm.{}", (0.7, -0.03, 1.38), (0.8, -0.04, 1.37), 0.0),
        )
    ),
    BonePlan("face", "head", (0, -0.1, 1.7), (0, -0.2, 1.7)),
)
ROOTLESS = tuple(plan._replace(parent="" if plan.parent == "root" else plan.parent) for plan in PERSON[1:])
Y_UP = Quaternion((1.0, 0.0, 0.0), radians(90.0))


def person(*, root: bool = True, turn: Quaternion | None = None, scale: float = 1.0, name: str = "Person"):
    """An armature of PERSON; its own space may have Y up, and any size."""
    return build_armature(PERSON if root else ROOTLESS, turn=turn, scale=scale, name=name)


def act(
    rig: bpy.types.Object,
    bones: Mapping[str, Sequence[Matrix]],
    *,
    turn: Quaternion | None = None,
    scale: float = 1.0,
    start: int = 1,
    name: str = "Clip",
) -> bpy.types.Action:
    """An Action on the rig: each bone moved from rest by these matrices within model space, parents' too, a key each.

    Bones are told parents first; what hangs on them keeps its rest under them.
    """
    canonical = canonical_of(turn, scale)
    action = bpy.data.actions.new(name)
    slot = action.slots.new("OBJECT", rig.name)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    for bone, moves in bones.items():
        rest = rig.data.bones[bone]
        basis = []
        for k, move in enumerate(moves):
            above = next((p.name for p in rest.parent_recursive if p.name in bones), None)
            under = Matrix() if above is None else bones[above][k]
            inside = canonical.inverted() @ under.inverted() @ move @ canonical
            basis.append(rest.matrix_local.inverted() @ inside @ rest.matrix_local)
        write_bone(bag, rig, bone, basis, start)
    rig.animation_data_create().action = action
    rig.animation_data.action_slot = slot
    return action


def write_bone(bag, rig: bpy.types.Object, bone: str, basis: Sequence[Matrix], start: int) -> None:
    """Keys of a bone's own matrices, in its mode."""
    posed = rig.pose.bones[bone]
    path = f'pose.bones["{bone}"].'
    frames = np.arange(start, start + len(basis), dtype=np.float64)
    rows = np.array([tuple(matrix.to_translation()) for matrix in basis])
    write_keys(bag, [Channel(path + "location", i, bone) for i in range(3)], frames, rows)
    mode = posed.rotation_mode
    if mode == "QUATERNION":
        turns = []
        for matrix in basis:
            turn = matrix.to_quaternion()
            turns.append(-turn if turns and turn.dot(turns[-1]) < 0.0 else turn)
        write_keys(bag, [Channel(path + "rotation_quaternion", i, bone) for i in range(4)], frames, np.array(turns))
        return
    if mode == "AXIS_ANGLE":
        turns = [matrix.to_quaternion().to_axis_angle() for matrix in basis]
        rows = np.array([(angle, *axis) for axis, angle in turns])
        write_keys(bag, [Channel(path + "rotation_axis_angle", i, bone) for i in range(4)], frames, rows)
        return
    angles = []
    for matrix in basis:
        angles.append(matrix.to_euler(mode, angles[-1]) if angles else matrix.to_euler(mode))
    write_keys(bag, [Channel(path + "rotation_euler", i, bone) for i in range(3)], frames, np.array(angles))


def moved_about(
    place: Callable[[float], Sequence[float]], yaw: Callable[[float], float], rest: Sequence[float], times: np.ndarray
) -> list[Matrix]:
    """What moves a joint at `rest` to places (x, y, z) while it turns about Z by yaw (radians), at times."""
    moves = []
    for time in times.tolist():
        turn = Matrix.Rotation(yaw(time), 4, "Z")
        moves.append(Matrix.Translation(Vector(place(time))) @ turn @ Matrix.Translation(-Vector(rest)))
    return moves


def worlds(rig: bpy.types.Object, bones: Sequence[str], frames: Sequence[float]) -> np.ndarray:
    """Bones in the world at frames, (F, bones, 4, 4)."""
    rows = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        rows.append([model_matrix(shown.matrix_world, shown.pose.bones[bone].matrix) for bone in bones])
    return np.array(rows, dtype=np.float64)


def points(matrices: np.ndarray, length: float = 0.3) -> np.ndarray:
    """Three points of each frame (..., 4, 4), (..., 3, 3): where it is and how it is turned, as metres."""
    corners = np.array([[0, length, 0, 0], [0, 0, length, 0], [0, 0, 0, length], [1, 1, 1, 1]], dtype=np.float64)
    return np.swapaxes((matrices @ corners)[..., :3, :], -1, -2)


def curve(rig: bpy.types.Object, path: str, index: int = 0):
    """One F-curve of the Action on the rig."""
    from surefoot.addon.saved_state import channelbag_of

    animation = rig.animation_data
    return channelbag_of(animation.action, animation.action_slot).fcurves.find(path, index=index)


def curve_paths(rig: bpy.types.Object) -> set[str]:
    """The data paths that the Action on the rig moves."""
    from surefoot.addon.saved_state import curves_of

    return {item.data_path for item in curves_of(rig.animation_data.action, rig.animation_data.action_slot)}


def standing(rig: bpy.types.Object, off: Callable[[float], Sequence[float]], count: int) -> bpy.types.Action:
    """A body that leaves its rest place by `off` (t) while both feet stay; legs bent in closed form."""
    moves: dict[str, list[Matrix]] = {name: [] for name in ("pelvis", *LEGS)}
    rests = {plan.name: (Vector(plan.head), Vector(plan.tail)) for plan in PERSON}
    for t in np.arange(float(count)).tolist():
        body = Matrix.Translation(Vector(off(t)))
        moves["pelvis"].append(body)
        for side in "LR":
            (hip, knee), (_, ankle) = rests[f"thigh.{side}"], rests[f"shin.{side}"]
            thigh, shin = bent(body @ hip, knee - hip, ankle - knee, ankle)
            upper = Matrix.Translation(body @ hip) @ thigh @ Matrix.Translation(-hip)
            moves[f"thigh.{side}"].append(upper)
            moves[f"shin.{side}"].append(Matrix.Translation(upper @ knee) @ shin @ Matrix.Translation(-knee))
            moves[f"foot.{side}"].append(Matrix())
    return act(rig, moves)


LEGS = tuple(f"{name}.{side}" for side in "LR" for name in ("thigh", "shin", "foot"))


def bent(hip: Vector, upper: Vector, lower: Vector, ankle: Vector) -> tuple[Matrix, Matrix]:
    """The turns of thigh and shin that bring the ankle to its place, the knee going forward."""
    line = ankle - hip
    a, b, c = upper.length, lower.length, line.length
    along = (a * a - b * b + c * c) / (2.0 * c)
    ahead = Vector((0.0, -1.0, 0.0))
    ahead = (ahead - line * (ahead.dot(line) / line.length_squared)).normalized()
    knee = hip + line.normalized() * along + ahead * max(a * a - along * along, 0.0) ** 0.5
    turns = [before.rotation_difference(after) for before, after in ((upper, knee - hip), (lower, ankle - knee))]
    return turns[0].to_matrix().to_4x4(), turns[1].to_matrix().to_4x4()
