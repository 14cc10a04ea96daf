"""Files of motion brought in by Blender's own importers, into a scene of their own that can be taken away whole.

The file is judged before anything is made of it. Where an importer fails all the same, what it left is removed and the
file named. The scenes of the user, their frame rate, their range, what is selected and active stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object, Scene

from ..core.motion.file_check import check_file
from ..core.motion.motion_file import MOST_JOINTS, BrokenFileError, FileFacts, too_many_joints
from .action_sampling import AT_REST, bones_moved
from .arrivals import Known, came_since, found_again, known, remove
from .refusal import RefusedError
from .saved_state import channelbag_of
from .texts import text

SCENE = "Surefoot Import"
IMPORTERS = {".bvh": ("import_anim", "bvh"), ".fbx": ("import_scene", "fbx")}
GLTF = ("import_scene", "gltf")
ADDONS = {"bvh": "BioVision Motion Capture (BVH)", "fbx": "FBX format", "gltf": "glTF 2.0 format"}


class Imported(NamedTuple):
    """What an import brought. `sources`: ids of the objects whose motion it is, armatures or the topmost of empties.

    fps: how many frames of its Actions are a second. `blocks`: all that came, the scene that holds it included.
    """

    path: Path
    sources: tuple[int, ...]
    fps: float
    scene: int
    blocks: Known
    notes: tuple[str, ...]


def import_motion(path: Path) -> Imported:
    """A file's motion in the file, in a scene of its own; a refusal, and nothing there, where that cannot be."""
    try:
        facts = check_file(path)
    except BrokenFileError as error:
        raise RefusedError(str(error)) from error
    before = known()
    try:
        with _scene_of_its_own() as scene:
            _run(path, _importer(path))
        return _imported(path, facts, scene, came_since(before))
    except BaseException:
        remove(came_since(before))
        raise


def remove_import(imported: Imported) -> None:
    """All that an import brought, out of the file again."""
    remove(imported.blocks)


def sources_of(imported: Imported) -> list[Object]:
    """The objects whose motion was imported, as they are in the file now."""
    found = [found_again("objects", uid) for uid in imported.sources]
    return [obj for obj in found if obj is not None]


def actions_of(imported: Imported, obj: Object) -> list[Action]:
    """The imported Actions that move an armature, by name; of empties, none: their own is what they play."""
    if obj.type != "ARMATURE":
        return []
    came = [action for action in bpy.data.actions if ("actions", action.session_uid) in imported.blocks]
    return sorted((action for action in came if moves(action, obj)), key=lambda action: action.name)


def moves(action: Action, obj: Object) -> bool:
    """Whether an Action moves any bone of an armature."""
    return any(bones_moved(obj, channelbag_of(action, slot)) for slot in action.slots)


def why_no_importer(path: Path) -> str:
    """Why Blender cannot read this kind of file now; empty if it can."""
    module, name = IMPORTERS.get(path.suffix.lower(), GLTF)
    if name in dir(getattr(bpy.ops, module)):
        return ""
    return text("no_importer", name=path.name, addon=ADDONS[name])


def _importer(path: Path) -> Callable[[], set[str]]:
    """Blender's operator for a kind of file, with what it needs to change nothing else."""
    reason = why_no_importer(path)
    if reason:
        raise RefusedError(reason)
    kind, name = path.suffix.lower(), str(path)
    if kind == ".bvh":
        return lambda: bpy.ops.import_anim.bvh(
            filepath=name, rotate_mode="NATIVE", update_scene_fps=False, update_scene_duration=False
        )
    if kind == ".fbx":
        return lambda: bpy.ops.import_scene.fbx(filepath=name, use_anim=True)
    return lambda: bpy.ops.import_scene.gltf(filepath=name, import_scene_extras=False, import_pack_images=False)


def _run(path: Path, importer: Callable[[], set[str]]) -> None:
    """The one place where an importer's failure is caught: whatever it raises, Blender hands it on as this error."""
    try:
        done = "FINISHED" in importer()
    except RuntimeError as error:
        said = str(error).strip().splitlines()
        lines = [line for line in said if line.strip() and not line.startswith((" ", "Location:", "Traceback"))]
        reason = lines[-1].removeprefix("Error: ").rstrip(".") if lines else text("import_gave_up")
        raise RefusedError(text("import_failed", name=path.name, reason=reason)) from error
    if not done:
        raise RefusedError(text("import_failed", name=path.name, reason=text("import_gave_up")))


@contextmanager
def _scene_of_its_own() -> Iterator[Scene]:
    """A new scene that the window shows for the moment, since importers put things where the window is.

    Importers ask the context for what is active, which only a window knows: on a command line none is in the context.
    """
    window = bpy.context.window or bpy.context.window_manager.windows[0]
    shown, layer = window.scene, window.view_layer
    poses = [_pose_of(obj) for obj in shown.objects if obj.animation_data is not None]
    scene = bpy.data.scenes.new(SCENE)
    scene.render.fps, scene.render.fps_base = shown.render.fps, shown.render.fps_base
    window.scene = scene
    try:
        with bpy.context.temp_override(window=window):
            yield scene
    finally:
        window.scene = shown
        window.view_layer = layer
        # A scene that comes to be shown is animated anew: what was posed by hand and has no keys yet would be gone.
        for pose in poses:
            _pose_again(*pose)


Pose = tuple[Object, dict[str, tuple[float, ...]], dict[str, np.ndarray]]


def _pose_of(obj: Object) -> Pose:
    """Where an object and its bones are."""
    placed, bones = {name: tuple(getattr(obj, name)) for name in AT_REST}, {}
    for name, value in AT_REST.items() if obj.pose is not None else ():
        bones[name] = np.empty(len(obj.pose.bones) * len(value), dtype=np.float32)
        obj.pose.bones.foreach_get(name, bones[name])
    return obj, placed, bones


def _pose_again(obj: Object, placed: dict[str, tuple[float, ...]], bones: dict[str, np.ndarray]) -> None:
    for name, value in placed.items():
        if tuple(getattr(obj, name)) != value:
            setattr(obj, name, value)
    for name, values in bones.items():
        obj.pose.bones.foreach_set(name, values)
    obj.update_tag()


def _imported(path: Path, facts: FileFacts, scene: Scene, blocks: Known) -> Imported:
    objects = list(scene.objects)
    armatures = [obj for obj in objects if obj.type == "ARMATURE" and _is_animated(obj)]
    chosen = armatures or _tops(objects)
    if not chosen:
        raise RefusedError(text("import_nothing_moves", name=path.name))
    largest = max((len(obj.data.bones) for obj in armatures), default=0)
    if largest > MOST_JOINTS:
        raise RefusedError(str(too_many_joints(path.name, largest)))
    fps = facts.fps or scene.render.fps / scene.render.fps_base
    ids = tuple(obj.session_uid for obj in sorted(chosen, key=lambda obj: obj.name))
    return Imported(path, ids, fps, scene.session_uid, blocks, facts.notes)


def _tops(objects: list[Object]) -> list[Object]:
    """The topmost of each hierarchy of empties in which something moves."""
    tops = [obj for obj in objects if obj.parent is None and obj.children]
    return [top for top in tops if any(_is_animated(obj) for obj in (top, *top.children_recursive))]


def _is_animated(obj: Object) -> bool:
    animation: Any = obj.animation_data
    return animation is not None and (animation.action is not None or bool(animation.nla_tracks))
