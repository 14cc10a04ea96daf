"""Switching previews on and off, and putting computed poses on the rigs."""

from __future__ import annotations

from bpy.types import Object, Scene
from mathutils import Matrix

from .agent import lost_objects
from .bake_record import read_record
from .carry_over import carry_over
from .changes import hints
from .clip_reading import clips
from .force_fields import lost_fields
from .inputs import keyed_gaits
from .layer_inputs import lacking
from .live_source import live_sources
from .members import Member, cast_members
from .order import absence, in_order
from .performers import Performer, build_key_of, can_perform, is_scaled_as, performers, rig_key
from .preview_pose import put_on, row_at
from .problems import tell
from .pushers import lacking_bodies
from .refusal import RefusedError, depsgraph_of, layer_of, why_not_armature
from .roster import roster
from .route import lost_spots
from .saved_state import (
    forget,
    is_animated,
    keep_pose,
    keep_start,
    object_is_keyed,
    put_action_back,
    put_pose_back,
    set_action_aside,
    start_of,
)
from .texts import text


def cast_of(
    scene: Scene,
    *,
    build: bool = True,
    check_rigs: bool = False,
    extra: Object | None = None,
    objects: list[Object] | None = None,
) -> list[Member]:
    """The previewed characters of a scene as members, leaders first; who cannot walk is left out with its reason.

    `extra` takes part although its preview is off (Simulate and Bake). Without `build` only those are in it that are
    known already: where nothing may be evaluated. `objects` are the previewed ones if they were looked up already.
    """
    if build and (check_rigs or hints.any_edit()):
        live_sources.look_again()
    if objects is None:
        objects = roster.previewed(scene)
    if extra is not None and extra not in objects:
        objects = sorted([*objects, extra], key=lambda obj: obj.name)
    if not objects:
        return []
    ordered, refusals = in_order(objects, scene)
    for uid, reason in refusals.items():
        note_failure(uid, reason)
    if build:
        pairs = [(obj, _performer(scene, obj, check_rigs)) for obj in ordered]
        for obj in objects:
            tell_state(obj, scene)
    else:
        pairs = [(obj, performers.get(obj.session_uid)) for obj in ordered]
    return cast_members([(obj, performer) for obj, performer in pairs if performer is not None], scene)


def take_rigs() -> bool:
    """Whether rest poses may have changed since this was asked last."""
    taken, hints.rigs = hints.rigs, False
    hints.taken += taken
    return taken


class Failures:
    """Why characters that could not even be built do not walk, by uid: the panel's line."""

    lines: dict[int, str]


Failures.lines = {}


def note_failure(uid: int, reason: str) -> None:
    """Keep the line that the panel shows for a character that was not built."""
    Failures.lines[uid] = reason


def failure_of(uid: int) -> str:
    """Why this character does not walk; empty if it does."""
    performer = performers.get(uid)
    return Failures.lines.get(uid, "") or (performer.failed if performer is not None else "")


def tell_state(obj: Object, scene: Scene) -> None:
    """List what keeps a character from going as asked now: why it does not walk, what its rig has no use for."""
    if obj.is_editable:
        performer = performers.get(obj.session_uid)
        useless = [] if performer is None else unfit(obj, performer, scene)
        tell(obj, failure_of(obj.session_uid) or absence(obj, scene), *useless)


def unfit(obj: Object, performer: Performer, scene: Scene) -> list[str]:
    """What of the settings and of the keyed gaits this rig has no use for, in sentences."""
    character = performer.character
    keyed = (problem for gait in keyed_gaits(obj) for problem in character.gait_problems(gait))
    lost = (*lost_spots(obj, scene), *lost_fields(obj, scene), *lost_objects(obj, scene), *lacking_bodies(obj, scene))
    return [*map(str, (*character.problems, *keyed)), *lacking(obj, scene), *lost]


def _performer(scene: Scene, obj: Object, check_rig: bool) -> Performer | None:
    uid = obj.session_uid
    if not can_perform(obj):
        note_failure(uid, why_not_armature(obj) or text("not_set_up", name=obj.name))
        return None
    known = performers.get(uid)
    if known is not None and not _is_other(scene, obj, known, check_rig):
        Failures.lines.pop(uid, None)
        begin(obj, known)
        return known
    # A rig is read as it stands without the preview; this runs only where evaluating is allowed.
    if obj.surefoot.pose_before:
        if known is None:
            follow_the_copy(obj)
        end(obj)
        # What was known must not be shown again by the handler that hears of this evaluation.
        performers.drop(uid)
        layer_of(scene).update()
    try:
        performer = performers.build(obj, depsgraph_of(scene))
    except RefusedError as refusal:
        note_failure(uid, str(refusal))
        return None
    Failures.lines.pop(uid, None)
    begin(obj, performer)
    return performer


def _is_other(scene: Scene, obj: Object, known: Performer, check_rig: bool) -> bool:
    """True where the rig is not any more what was read; rest pose and clips are looked at only after a hint."""
    if check_rig:
        clips.look_again()
    if known.build_key != build_key_of(obj, known.reading.rig, scene) or not is_scaled_as(obj, known.built_scale):
        return True
    return check_rig and known.rig_key != rig_key(obj)


def begin(obj: Object, performer: Performer) -> None:
    """Remember what the preview will write over, once; set the Action aside if that is safe."""
    settings = obj.surefoot
    if settings.pose_before or not settings.preview:
        return
    keep_pose(obj, performer.writer)
    record = read_record(obj.animation_data.action) if obj.animation_data is not None else None
    set_action_aside(obj, performer.writer.owned | frozenset(() if record is None else record.channels))


def end(obj: Object) -> None:
    """Put back the pose and the Action that were there before the preview."""
    performer = performers.get(obj.session_uid)
    if obj.surefoot.pose_before:
        put_pose_back(obj, None if performer is None else performer.writer)
    put_action_back(obj)
    forget(obj)
    if performer is not None:
        performer.basis = None


def show(member: Member, scene: Scene) -> None:
    """Put the pose of the scene's frame on the rig."""
    row = row_at(member.performer, member.first, scene.frame_current, scene.frame_subframe)
    if row is not None:
        put_on(member, row)


def repair(member: Member, scene: Scene, evaluated_obj: Object) -> None:
    """Where an Action or a strip won over the pose: carry the rest over, and write again."""
    performer = member.performer
    if not is_animated(member.obj):
        return
    row = row_at(performer, member.first, scene.frame_current, scene.frame_subframe)
    if row is None or not evaluated_obj.is_evaluated or performer.writer.shown(evaluated_obj, row):
        return
    carry_over(member.obj, evaluated_obj, frozenset(performer.writer.channels))
    put_on(member, row)


def is_shown(member: Member, scene: Scene) -> bool:
    """True where the evaluated rig holds the pose of the scene's frame, or none is known."""
    row = row_at(member.performer, member.first, scene.frame_current, scene.frame_subframe)
    if row is None:
        return True
    return member.performer.writer.shown(member.obj.evaluated_get(layer_of(scene).depsgraph), row)


def follow_the_hand(member: Member) -> bool:
    """A person moved the armature object itself: the whole walk moves with it. True if it was moved."""
    performer, obj = member.performer, member.obj
    last = performer.basis
    if last is None or performer.writer.travel != "OBJECT" or object_is_keyed(obj):
        return False
    now = obj.matrix_basis
    if now == last:
        return False
    keep_start(obj, _rigid(now @ last.inverted()) @ start_of(obj))
    performer.basis = now.copy()
    return True


def follow_the_copy(obj: Object) -> None:
    """A previewed character was duplicated and the copy moved: its walk starts as far away as it is now."""
    start = tuple(obj.surefoot.start_matrix)
    for source in performers.all():
        if source.start == start and source.basis is not None and any(start):
            keep_start(obj, _rigid(obj.matrix_basis @ source.basis.inverted()) @ start_of(obj))
            return


def _rigid(matrix: Matrix) -> Matrix:
    """The turn and shift of a matrix, without scale."""
    return Matrix.LocRotScale(matrix.to_translation(), matrix.to_quaternion(), None)
