"""The seam with Blender's timeline: which handler shows, fills, repairs, and which only notes.

`frame_change_pre` fills and shows, `frame_change_post` compares and repairs, `depsgraph_update_post` notes and shows
again what is known. Nothing is evaluated from the last two.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, Scene

from . import carry_over, preview, properties, pushers
from .changes import hints, redraw_panels
from .clip_reading import clips
from .filling import Walk, fill, missing_frames, still_only
from .grounds import worlds
from .known_cast import known_casts
from .live_source import live_sources
from .members import Member
from .overlay import frames_ahead
from .performers import performers
from .preview import cast_of, end, failure_of, follow_the_hand, is_shown, repair, show, take_rigs
from .problems import forget_told
from .refusal import depsgraph_of, layer_of
from .review import review
from .roster import roster
from .saved_state import is_animated
from .validity import note_updates, refresh

log = logging.getLogger(__name__)
WALKED_BOUND = 40
PLAIN_BOUND = 240
SLICE_SECONDS = 0.05
SLICE_PAUSE = 0.01
SHOW_SECONDS = 1.0
PENDING = ("OBJECT", "MESH", "CURVE", "CURVES", "ACTION", "ARMATURE", "COLLECTION", "SCENE", "KEY", "LATTICE")


class Running:
    """What is going on: a render, slices of a timer, an evaluation of pending edits, a file being saved.

    `next_show` is when slices may be seen again, on the clock that measures them. `rivalled` are the identities of the
    scenes in whose frame, as it was shown last, animation may have won over a pose.
    """

    rendering = False
    saving = False
    slicing = False
    settling = False
    next_show = 0.0
    rivalled: frozenset[int] = frozenset()


def bounded() -> bool:
    """True only in an interactive viewport: in background and in renders everything is filled."""
    return not (bpy.app.background or Running.rendering or bpy.app.is_job_running("RENDER"))


def show_frame(scene: Scene) -> None:
    """Fill up to the scene's frame, within the bound, and show it. Only where evaluating is allowed."""
    cast = ready_cast(scene)
    rivalled = any(is_animated(member.obj) for member in cast)
    if rivalled or Running.rivalled:
        uid = frozenset((scene.session_uid,))
        Running.rivalled = Running.rivalled | uid if rivalled else Running.rivalled - uid
    pushers.ensure(scene, cast)
    if not cast:
        return
    ahead = 1 if scene.frame_subframe > 0.0 else 0
    fill_within_bound(scene, cast, scene.frame_current + ahead)
    for member in cast:
        guarded(member, show, scene)
    pushers.shown(scene, cast, most=WALKED_BOUND if bounded() else None)
    if not (bpy.app.background or is_playing()):
        start_slices()


def ready_cast(scene: Scene) -> list[Member]:
    """The scene's characters, after all that was touched has been taken into account."""
    objects = roster.previewed(scene)
    if not objects:
        return []
    if settle(scene):
        objects = roster.previewed(scene)
    cast = known_casts.get(scene, objects)
    if cast is None:
        cast = cast_of(scene, check_rigs=take_rigs(), objects=objects)
        for member in cast:
            follow_the_hand(member)
        refresh(scene, cast)
        known_casts.keep(scene, cast)
    return cast


def settle(scene: Scene) -> bool:
    """Let Blender evaluate edits that a script made and nobody evaluated yet, so that they are seen as edits.

    True where there were any.
    """
    depsgraph = depsgraph_of(scene)
    if Running.rendering or not any(map(depsgraph.id_type_updated, PENDING)):
        return False
    outer, Walk.busy = Walk.busy, True
    Running.settling = True
    try:
        layer_of(scene).update()
    finally:
        Walk.busy, Running.settling = outer, False
    return True


def fill_within_bound(scene: Scene, cast: list[Member], frame: int) -> None:
    """Everything up to `frame`; in a viewport only as much as holds the window for a moment."""
    if not bounded():
        fill(scene, cast, frame)
        return
    missing = missing_frames(cast, frame)
    if missing <= 0:
        return
    if missing <= WALKED_BOUND or (missing <= PLAIN_BOUND and still_only(scene, cast)):
        fill(scene, cast, frame)
    else:
        start_slices()


def guarded(member: Member, job: Callable[..., Any], *arguments: Any) -> None:
    """The one guard around what is shown: a character that fails is stopped, the others go on."""
    if member.performer.failed:
        return
    try:
        job(member, *arguments)
    except Exception as error:
        member.performer.failed = f"{member.performer.name}: {error}"
        log.exception("%s", member.performer.failed)
        redraw_panels()


def look_again(member: Member, scene: Scene) -> None:
    """List the problems of a rig that was edited."""
    review(member.obj, member.performer, scene)


@persistent
def on_frame_change_pre(scene: Scene, _depsgraph: Depsgraph | None = None) -> None:
    """Show the new frame before Blender evaluates it."""
    if Walk.busy:
        pushers.note(scene)
    else:
        show_frame(scene)


@persistent
def on_frame_change_post(scene: Scene, depsgraph: Depsgraph | None = None) -> None:
    """Where animation won over the pose, write it again."""
    if Walk.busy or depsgraph is None or scene.session_uid not in Running.rivalled:
        return
    for member in cast_of(scene, build=False):
        guarded(member, repair, scene, member.obj.evaluated_get(depsgraph))


@persistent
def on_depsgraph_update_post(scene: Scene, depsgraph: Depsgraph) -> None:
    """Note what was touched; show a known frame again where an edit took the channels back."""
    if not roster.previewed(scene):
        return
    if Walk.busy and not Running.settling:
        return
    # Before Blender writes the file it draws its thumbnail, which evaluates: the pose that was put back must stay.
    if Running.saving:
        return
    wants_show = note_updates(depsgraph)
    if Running.settling:
        return
    cast = cast_of(scene, build=False)
    moved = [member for member in cast if follow_the_hand(member)]
    if moved or hints.curves or hints.rigs or hints.objects:
        start_slices()
    if not wants_show:
        return
    for member in cast:
        if member.obj.mode != "EDIT" and not is_shown(member, scene):
            guarded(member, show, scene)


@persistent
def on_undo(scene: Scene, _argument: Any = None) -> None:
    """A step was undone or redone: the frame may be another, and no frame handler runs."""
    hints.undone += 1
    forget_where_rigs_were()
    forget_told()
    hints.everything()
    carry_over.forget_paths()
    show_frame(scene)


@persistent
def on_undo_pre(_scene: Scene, _argument: Any = None) -> None:
    """What the objects hold after this is not what was written last; who has something unfinished takes it back."""
    forget_where_rigs_were()
    for take_back in list(hints.before_undo):
        take_back()


@persistent
def on_load_post(_path: str = "") -> None:
    """Another file: nothing that was known holds."""
    hints.undone += 1
    forget_all()
    for scene in bpy.data.scenes:
        show_frame(scene)


@persistent
def on_save_pre(_path: str = "") -> None:
    """The file gets the pose that was there, not the preview's."""
    Running.saving = True
    for obj in previewed_objects():
        end(obj)


@persistent
def on_save_post(_path: str = "") -> None:
    """Show again, whether the file could be written or not."""
    Running.saving = False
    for scene in bpy.data.scenes:
        for member in cast_of(scene):
            preview.begin(member.obj, member.performer)
        show_frame(scene)


@persistent
def on_render_init(_scene: Scene, _argument: Any = None) -> None:
    """From here on nothing is left out."""
    for scene in [item for item in bpy.data.scenes if roster.previewed(item)]:
        settle(scene)
    for prepare in hints.before_render:
        prepare()
    Running.rendering = True


@persistent
def on_render_end(_scene: Scene, _argument: Any = None) -> None:
    """Bounds hold again."""
    Running.rendering = False


def previewed_objects() -> list[Object]:
    """All characters with something written over, in whatever scene, by name."""
    found = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.surefoot.pose_before]
    return sorted(found, key=lambda obj: obj.name)


def forget_where_rigs_were() -> None:
    """A rig that is elsewhere now was not moved by hand."""
    for performer in performers.all():
        performer.basis = None


def forget_all() -> None:
    """All that is known at run time."""
    performers.clear()
    roster.clear()
    known_casts.clear()
    worlds.clear()
    clips.clear()
    live_sources.clear()
    forget_told()
    pushers.Stepped.frames.clear()
    carry_over.forget_paths()
    preview.Failures.lines.clear()
    hints.everything()
    hints.objects.clear()


def preview_switched(obj: Object) -> None:
    """The preview of a character was switched: show, or put back what was there."""
    scene = bpy.context.scene
    if obj.surefoot.preview:
        if scene is not None:
            # Constraints, locks and drivers may have come since set-up.
            hints.rigs = True
            show_frame(scene)
            performer = performers.get(obj.session_uid)
            if performer is not None and not failure_of(obj.session_uid):
                review(obj, performer, scene)
    else:
        end(obj)
        pushers.remove(obj)
        obj.update_tag(refresh={"OBJECT"})
    redraw_panels()


def is_playing() -> bool:
    """True while the timeline plays or is scrubbed in any window."""
    manager = bpy.context.window_manager
    return manager is not None and any(window.screen.is_animation_playing for window in manager.windows)


def start_slices() -> None:
    """Let a timer tick what is missing, and while nothing plays what the overlay shows ahead, for a moment each time.

    Nothing in background.
    """
    if bpy.app.background or Running.slicing or not bounded():
        return
    Running.slicing = True
    bpy.app.timers.register(_slice, first_interval=SLICE_PAUSE)


def _slice() -> float | None:
    scene = bpy.context.scene
    if scene is None or Walk.busy or not bounded():
        return 0.2
    rigs = hints.rigs
    cast = ready_cast(scene)
    for member in cast if rigs else ():
        guarded(member, look_again, scene)
    frame = scene.frame_current if is_playing() else frames_ahead(scene)
    missing = missing_frames(cast, frame) if cast else 0
    behind = missing_frames(cast, scene.frame_current) > 0
    if missing > 0 and still_only(scene, cast):
        until = perf_counter() + SLICE_SECONDS
        fill(scene, cast, frame, enough=lambda: perf_counter() >= until)
        missing = missing_frames(cast, frame)
    else:
        missing = 0
    arrived = behind and missing_frames(cast, scene.frame_current) <= 0
    # Evaluating and drawing a scene may take longer than a slice: the way there need not be seen after each.
    if arrived or missing <= 0 or perf_counter() >= Running.next_show:
        for member in cast:
            guarded(member, show, scene)
        redraw_panels()
        Running.next_show = perf_counter() + SHOW_SECONDS
    if missing > 0:
        return SLICE_PAUSE
    Running.slicing = False
    return None


HANDLERS = (
    ("frame_change_pre", on_frame_change_pre),
    ("frame_change_post", on_frame_change_post),
    ("depsgraph_update_post", on_depsgraph_update_post),
    ("undo_pre", on_undo_pre),
    ("redo_pre", on_undo_pre),
    ("undo_post", on_undo),
    ("redo_post", on_undo),
    ("load_post", on_load_post),
    ("save_pre", on_save_pre),
    ("save_post", on_save_post),
    ("save_post_fail", on_save_post),
    ("render_init", on_render_init),
    ("render_complete", on_render_end),
    ("render_cancel", on_render_end),
)


def register() -> None:
    """Put each handler in its list once, and listen to settings."""
    for name, handler in HANDLERS:
        listed = getattr(bpy.app.handlers, name)
        for old in [item for item in listed if _is_ours(item, handler)]:
            listed.remove(old)
        listed.append(handler)
    properties.Preview.switched = preview_switched
    hints.listeners.append(start_slices)
    hints.everything()
    # A file that is open already is read as soon as Blender lets go of registering (its data is hidden meanwhile).
    bpy.app.timers.register(_after_register, first_interval=0.0)


def _after_register() -> None:
    on_load_post()


def unregister() -> None:
    """Put every pose back and take all handlers away."""
    for timer in (_slice, _after_register):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    Running.slicing = False
    properties.Preview.switched = None
    hints.listeners.clear()
    for obj in previewed_objects():
        end(obj)
    forget_all()
    for name, handler in HANDLERS:
        listed = getattr(bpy.app.handlers, name)
        for old in [item for item in listed if _is_ours(item, handler)]:
            listed.remove(old)


def _is_ours(item: Any, handler: Any) -> bool:
    return getattr(item, "__module__", "") == handler.__module__ and getattr(item, "__name__", "") == handler.__name__
