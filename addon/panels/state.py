"""The character's panel after set-up: its name, preview and play, and how it is with the walk."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object, UILayout

from ..action_aside import moved_beside
from ..performers import Performer, performers
from ..preview import failure_of
from ..properties import migrate
from ..roster import owner_of
from ..texts import text
from ..unplayed import why_not_played
from .wrapping import lines

BIG = 1.4


def listed(obj: Object) -> list[Any]:
    """The lines of the list that are not said above it already."""
    said = failure_of(obj.session_uid) if obj.surefoot.preview else ""
    return [problem for problem in obj.surefoot.problems if not (problem.passing and problem.text == said)]


def draw_name(layout: UILayout, obj: Object) -> None:
    """Its name, and how many legs were found."""
    performer = performers.get(obj.session_uid)
    legs = 0 if performer is None else len(performer.reading.rig.legs)
    name = text("legs", name=obj.name, legs=legs) if legs else obj.name
    layout.label(text=name, icon="OUTLINER_OB_ARMATURE")


def draw_playback(layout: UILayout, context: Context, obj: Object) -> None:
    """The two big buttons."""
    playing = context.screen is not None and context.screen.is_animation_playing
    row = layout.row(align=True)
    row.scale_y = BIG
    switch = row.row(align=True)
    switch.enabled = obj.surefoot.preview or not _is_blocked(obj)
    switch.prop(obj.surefoot, "preview", toggle=True, icon="HIDE_OFF" if obj.surefoot.preview else "HIDE_ON")
    row.operator(
        "screen.animation_play",
        text=text("pause_button" if playing else "play_button"),
        icon="PAUSE" if playing else "PLAY",
    )


def _is_blocked(obj: Object) -> bool:
    return any(problem.blocking for problem in obj.surefoot.problems)


def draw_state(layout: UILayout, context: Context, obj: Object) -> None:
    """Why it does not walk, else how far it is computed, else what plays along."""
    settings, scene = obj.surefoot, context.scene
    newer = migrate(settings)
    if newer:
        lines(layout, newer, "ERROR")
    if owner_of(obj) != scene:
        lines(layout, text("other_scene", name=obj.name, scene=owner_of(obj).name), "INFO")
        return
    action = obj.animation_data.action if obj.animation_data is not None else None
    unplayed = why_not_played(obj)
    if unplayed:
        lines(layout, unplayed, "ERROR")
    if not settings.preview:
        if _is_blocked(obj):
            lines(layout, text("blocked_below"), "ERROR")
        elif action is None:
            lines(layout, text("preview_off"), "INFO")
        else:
            lines(layout, text("preview_off_action", action=action.name), "INFO")
        return
    failure = failure_of(obj.session_uid)
    if failure:
        lines(layout, failure, "ERROR")
        return
    _draw_reach(layout, context, obj)
    beside = moved_beside(obj)
    if beside is not None:
        lines(layout, text("action_beside", **beside._asdict()), "INFO")
        layout.operator("surefoot.set_action_aside", icon="ACTION")
    elif settings.action_before is None and action is not None:
        lines(layout, text("keeps_action"), "INFO")


def _draw_reach(layout: UILayout, context: Context, obj: Object) -> None:
    performer, scene = performers.get(obj.session_uid), context.scene
    reach = performer.cache.reach if performer is not None else None
    start = obj.surefoot.frame_start
    known = 0 if reach is None else reach - start + 1
    if scene.frame_current < start:
        lines(layout, text("before_start", frame=start), "INFO")
    row = layout.row(align=True)
    row.progress(
        factor=min(1.0, known / max(1, scene.frame_end - start + 1)),
        text=text("reach", end=reach) if reach is not None else text("reach_nothing"),
    )
    row.operator("surefoot.simulate", text="", icon="TIME")
    if reach is None or scene.frame_current > reach:
        lines(layout, text("reach_behind", frame=scene.frame_current), "ERROR")
    reason = _reason_at(performer, scene.frame_current)
    if reason:
        lines(layout, reason, "INFO")
    doing = doing_at(performer, scene.frame_current)
    if doing:
        lines(layout, doing, "ARMATURE_DATA")


def doing_at(performer: Performer | None, frame: int) -> str:
    """What a body that reads the level does at a frame, and why its last press took it nowhere; empty for others."""
    snapshot = performer.cache.get(frame) if performer is not None else None
    state = snapshot.memory.state if snapshot is not None else None
    if state is None:
        return ""
    name = text(f"state_{state.state.lower()}")
    return text("doing_refused", state=name, reason=state.reason) if state.reason else text("doing", state=name)


def _reason_at(performer: Performer | None, frame: int) -> str:
    """Why the director has nowhere to go at this frame; empty while it has."""
    snapshot = performer.cache.get(frame) if performer is not None else None
    return snapshot.memory.reason if snapshot is not None else ""
