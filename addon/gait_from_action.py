"""Gait from a performance: an Action of any understood armature, baked to gait curves and kept as the user's preset."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import bpy
from bpy.types import Action, Object

from ..core.gait.performance import gait_table
from ..core.motion.gait_bake import GaitBake, NoGaitError, bake_gait
from ..core.preset_text import preset_text
from ..core.presets import GAIT_VERSION, check_gait, gait_identifier, gait_names, use_own_gaits
from .action_sampling import MOST_FRAMES, rate_of, sampled, slot_of, times_of
from .changes import hints
from .clip_sampling import ClipSampler
from .performers import performers
from .refusal import RefusedError, why_not_armature
from .rig_reading import read_rig
from .roster import is_character
from .scene_units import metres_per_unit
from .texts import text


class SavedGait(NamedTuple):
    """A gait that was kept: its name in the settings, its file, and what it was drawn from (see `GaitBake`)."""

    name: str
    path: Path
    bake: GaitBake


def own_gaits_folder() -> Path:
    """Where the user's gaits are kept: in the extension's own folder for user files. It need not be there yet."""
    try:
        root = bpy.utils.extension_path_user(__package__.rpartition(".")[0], path="gaits")
    except ValueError:  # not installed as an extension, but run from its sources
        root = bpy.utils.user_resource("DATAFILES", path="surefoot/gaits")
    return Path(root)


def gait_from_action(
    obj: Object,
    action: Action,
    name: str,
    slot: str = "",
    frame_start: float | None = None,
    frame_end: float | None = None,
) -> SavedGait:
    """Bake the straight steady strides of an Action to a gait preset called `name`, and keep it.

    The armature plays the Action in a scene of its own; nothing of the file stays changed. `slot` is an identifier,
    by default the slot that moves most of the armature's bones; without a range the Action's own is taken.
    """
    identifier = _identifier(name)
    _check(obj, action)
    chosen = slot_of(obj, action, slot)
    first, last = action.frame_range
    start, end = (first if frame_start is None else frame_start), (last if frame_end is None else frame_end)
    if end - start < 2.0:
        raise RefusedError(text("gait_too_short", action=action.name))
    if end - start > MOST_FRAMES:
        raise RefusedError(text("gait_too_long", action=action.name, most=MOST_FRAMES))
    scene = bpy.context.scene
    reading = read_rig(obj, metres=metres_per_unit(scene))
    if reading.blocking:
        raise RefusedError(text("blocked", name=obj.name, reason=reading.blocking[0]))
    if not reading.rig.legs:
        raise RefusedError(text("no_feet", name=obj.name, reason=next(iter(reading.problems), "")))
    try:
        sampler, times = ClipSampler(obj, reading), times_of(start, end)
        sampled(obj, action, chosen, sampler, times)
        baked = bake_gait(sampler.clip(rate_of(times, scene.render.fps / scene.render.fps_base)))
    except NoGaitError as error:
        raise RefusedError(text("no_gait", action=action.name, reason=error)) from error
    about = text("gait_about", action=action.name, strides=baked.strides)
    table = gait_table(baked.curves, identifier, name.strip(), about, GAIT_VERSION)
    return SavedGait(identifier, _save(table, identifier), baked)


def _identifier(name: str) -> str:
    identifier = gait_identifier(name)
    if not identifier:
        raise RefusedError(text("gait_no_name"))
    if identifier in (*gait_names(), "AUTO", "PRESET"):
        raise RefusedError(text("gait_name_ships", name=name.strip()))
    return identifier


def _check(obj: Object, action: Action | None) -> None:
    reason = why_not_armature(obj)
    if reason:
        raise RefusedError(reason)
    if is_character(obj) and obj.surefoot.preview:
        raise RefusedError(text("gait_previewed", name=obj.name))
    if action is None:
        raise RefusedError(text("gait_no_action", name=obj.name))
    if obj.animation_data is not None and obj.animation_data.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=obj.name))
    if obj.hide_viewport:
        raise RefusedError(text("hidden", name=obj.name))


def _save(table: dict[str, Any], identifier: str) -> Path:
    folder = own_gaits_folder()
    path = folder / f"{identifier.lower()}.toml"
    check_gait(table, path.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(preset_text(table), encoding="utf-8")
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error
    use_own_gaits(folder)
    for performer in performers.all():
        if gait_identifier(performer.config.gait_preset) == identifier:
            performers.drop(performer.uid)
            hints.cast = True
    return path


def register() -> None:
    """Let the core know the user's gaits."""
    use_own_gaits(own_gaits_folder())


def unregister() -> None:
    """Forget them."""
    use_own_gaits(None)
