"""Gait from a performance: an Action of any understood armature, baked to gait curves and kept as the user's preset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import bpy
from bpy.types import Action, Object, Scene

from ..core.gait.performance import gait_table
from ..core.motion.clip import Clip
from ..core.motion.gait_bake import GaitBake, NoGaitError, bake_gait
from ..core.preset_text import preset_text
from ..core.presets import GAIT_VERSION, check_gait, gait_identifier, gait_names, use_own_gaits
from .changes import hints
from .clip_sampling import ClipSampler
from .performers import performers
from .refusal import RefusedError, depsgraph_of, why_not_armature
from .rig_reading import Reading, read_rig
from .roster import is_character
from .saved_state import channelbag_of
from .scene_units import metres_per_unit
from .texts import text

MOST_FRAMES = 30_000
BONE_PATH = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


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
    chosen = _slot(obj, action, slot)
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
        baked = bake_gait(_sampled(obj, action, chosen, reading, start, end, scene))
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


def _slot(obj: Object, action: Action, wanted: str) -> Any:
    """The slot asked for, or the one that moves most of the armature's bones."""
    if wanted:
        found = next((item for item in action.slots if item.identifier == wanted), None)
        if found is None:
            raise RefusedError(text("gait_no_slot", action=action.name, slot=wanted))
        return found
    moved = [len(_bones(obj, channelbag_of(action, item))) for item in action.slots]
    if not any(moved):
        raise RefusedError(text("gait_other_bones", action=action.name, name=obj.name))
    return action.slots[moved.index(max(moved))]


def _bones(obj: Object, bag: Any) -> set[str]:
    """The bones of the armature that a channelbag moves."""
    found = set()
    for curve in bag.fcurves if bag is not None else ():
        match = BONE_PATH.match(curve.data_path)
        if match is not None:
            found.add(bpy.utils.unescape_identifier(match.group(1)))
    return found & {bone.name for bone in obj.pose.bones}


def _sampled(
    obj: Object, action: Action, slot: Any, reading: Reading, start: float, end: float, shown_in: Scene
) -> Clip:
    """The armature over a range of the Action, at about one sample a frame, both ends included."""
    count = max(2, round(end - start))
    step = (end - start) / count
    sampler = ClipSampler(obj, reading)
    with _alone(obj, action, slot) as scene:
        for k in range(count + 1):
            time = start + k * step
            scene.frame_set(int(time // 1.0), subframe=time % 1.0)
            sampler.add(obj.evaluated_get(depsgraph_of(scene)))
    return sampler.clip(shown_in.render.fps / shown_in.render.fps_base / step)


@contextmanager
def _alone(obj: Object, action: Action, slot: Any) -> Iterator[Scene]:
    """A scene that holds the armature and nothing else, in which it plays the Action; all put back afterwards."""
    had_animation = obj.animation_data is not None
    animation = obj.animation_data or obj.animation_data_create()
    names = ("use_nla", "action_influence", "action_blend_type", "action_extrapolation")
    before = {key: getattr(animation, key) for key in names}
    action_before, slot_before = animation.action, animation.action_slot
    bag = channelbag_of(action, slot)
    values = _values(obj, [curve.data_path for curve in bag.fcurves] if bag is not None else [])
    scene = bpy.data.scenes.new("Surefoot")
    try:
        scene.collection.objects.link(obj)
        animation.use_nla, animation.action_influence, animation.action_blend_type = False, 1.0, "REPLACE"
        animation.action = action
        animation.action_slot = slot
        yield scene
    finally:
        animation.action = action_before
        if action_before is not None and slot_before is not None:
            animation.action_slot = slot_before
        for key, value in before.items():
            setattr(animation, key, value)
        if not had_animation:
            obj.animation_data_clear()
        bpy.data.scenes.remove(scene)
        _put_back(obj, values)
        obj.update_tag()


def _values(obj: Object, paths: list[str]) -> dict[str, Any]:
    """What the animated properties hold now, by path; those that are not there are left out."""
    found: dict[str, Any] = {}
    for path in dict.fromkeys(paths):
        try:
            owner, key = _owner(obj, path)
            value = owner[key] if path.endswith("]") else getattr(owner, key)
        except (ValueError, KeyError, AttributeError):  # a curve for what this armature does not have
            continue
        found[path] = tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
    return found


def _owner(obj: Object, path: str) -> tuple[Any, str]:
    """What holds the property of a path, and the property's name; a custom property is asked for by its key."""
    holder, _, key = path.rpartition("[" if path.endswith("]") else ".")
    key = bpy.utils.unescape_identifier(key[1:-2]) if path.endswith("]") else key
    return (obj.path_resolve(holder) if holder else obj), key


def _put_back(obj: Object, values: dict[str, Any]) -> None:
    for path, value in values.items():
        owner, key = _owner(obj, path)
        if path.endswith("]"):
            owner[key] = value
        else:
            setattr(owner, key, value)


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
