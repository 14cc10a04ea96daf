"""The pose adjustment of a character: taken from how the rig is posed, kept in the settings."""

from __future__ import annotations

from typing import Any

from bpy.types import Object, Scene
from mathutils import Matrix

from ..core.layers.adjustment import Adjustment, adjustment_from
from ..core.rig.edited_pose import EditedPose
from ..core.rig.rig import Rig
from .refusal import RefusedError, depsgraph_of, why_not_character
from .texts import text


def adjustment_of(obj: Object) -> Adjustment:
    """The adjustment as the settings have it."""
    settings = obj.surefoot
    turns = tuple((line.bone, tuple(line.turn)) for line in settings.adjustment if line.bone)
    return Adjustment(turns, tuple(settings.adjustment_move), settings.adjustment_version)


def adjusted_bones(obj: Object) -> tuple[Any, ...]:
    """What decides which bones the adjustment moves."""
    settings = obj.surefoot
    moves = any(settings.adjustment_move)
    return (*(line.bone for line in settings.adjustment), moves) if moves or settings.adjustment else ()


def take_adjustment(obj: Object, scene: Scene, reading: Any, shown: EditedPose | None) -> int:
    """Keep how the rig is posed now, on top of what is kept; how many bones were turned by that.

    The scene must be evaluated. `shown` is the pose that the preview has put on the rig; None without one: it is
    compared with the rest pose then.
    """
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    rig = reading.rig
    after = posed(obj.evaluated_get(depsgraph_of(scene)), reading)
    before = shown or EditedPose.rest(rig.skeleton)
    chosen = _chosen(rig)
    after.take(before.held(), [i for i in range(len(rig.skeleton)) if i not in chosen])
    if shown is not None:
        # The travel of a previewed body is not its pose.
        after.set_basis(rig.body, after.rotations[rig.body], before.locations.get(rig.body))
    known = adjustment_of(obj)
    taken = adjustment_from(rig.skeleton, rig.body, before, after, known)
    if taken == known:
        raise RefusedError(text("adjustment_none", name=obj.name))
    if shown is not None:
        _give_back(obj, {bone for bone, _ in set(taken.turns) - set(known.turns)})
    _keep(obj, taken)
    return len(taken.turns)


def clear_adjustment(obj: Object) -> None:
    """Forget the adjustment."""
    _keep(obj, Adjustment())


def posed(shown: Object, reading: Any) -> EditedPose:
    """An evaluated armature's pose in model space, whoever posed it."""
    skeleton = reading.rig.skeleton
    pose = EditedPose.rest(skeleton)
    for i, bone in enumerate(skeleton.bones):
        matrix = reading.canonical @ shown.pose.bones[bone.name].matrix
        pose.set_model(i, Matrix.LocRotScale(matrix.to_translation(), matrix.to_quaternion(), None))
    return pose


def _chosen(rig: Rig) -> set[int]:
    """The bones that count: those under the root."""
    above = {rig.root, *rig.skeleton.ancestors(rig.body)}
    return {i for i in range(len(rig.skeleton)) if i not in above}


def _give_back(obj: Object, names: set[str]) -> None:
    """What was turned by hand over a preview is in the adjustment now: it must not lie under it a second time."""
    for name in sorted(names):
        bone = obj.pose.bones[name]
        location, _, scale = bone.matrix_basis.decompose()
        bone.matrix_basis = Matrix.LocRotScale(location, None, scale)


def _keep(obj: Object, adjustment: Adjustment) -> None:
    settings = obj.surefoot
    settings.adjustment.clear()
    for bone, turn in adjustment.turns:
        line = settings.adjustment.add()
        line.bone, line.turn = bone, turn
    settings.adjustment_move = adjustment.move
    settings.adjustment_version = adjustment.version
