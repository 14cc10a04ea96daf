"""The worlds that a scene's characters walk on: one for each ground set, and what of a scene is nobody's ground."""

from __future__ import annotations

from bpy.types import Collection, Object, Scene

from .refusal import depsgraph_of
from .roster import is_character
from .scene_units import metres_per_unit
from .scene_world import SceneWorld

BETWEEN_FRAMES = -(2**30)


def ground_of(obj: Object, scene: Scene) -> SceneWorld:
    """The world that this object's character walks on, looked at once at least."""
    return worlds.get(scene, obj.surefoot.ground)


def ground_around(obj: Object, scene: Scene) -> SceneWorld:
    """The world that any armature is measured against: the scene's ground without what is skinned to the armature and
    to the one that it follows, or hangs on them.
    """
    settings, world = obj.surefoot, ground_of(obj, scene)
    rigs = {obj, settings.source} - {None}
    own = frozenset(item.session_uid for item in scene.objects if any(_wears(item, rig) for rig in rigs))
    if settings.ground is not None or own <= world.excluded:
        return world
    apart = SceneWorld(None, world.excluded | own, world.metres_per_unit)
    apart.refresh(depsgraph_of(scene), evaluated_frame(scene))
    return apart


class Worlds:
    """One world for each scene and ground collection, by identity."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int | None, float], SceneWorld] = {}

    def get(self, scene: Scene, ground: Collection | None) -> SceneWorld:
        """The world of a ground set."""
        metres = metres_per_unit(scene)
        key = (scene.session_uid, None if ground is None else ground.session_uid, metres)
        if key not in self._known:
            self._known[key] = SceneWorld(key[1], worn_by_characters(scene), metres)
            self._known[key].refresh(depsgraph_of(scene), evaluated_frame(scene))
        return self._known[key]

    def look_again(self, scene: Scene, touched: frozenset[int] | None) -> None:
        """Take in what was edited: the touched objects, or (None) everything, also who wears what."""
        worn = worn_by_characters(scene) if touched is None else None
        for (uid, *_), world in self._known.items():
            if uid == scene.session_uid:
                world.excluded = world.excluded if worn is None else worn
                world.refresh(depsgraph_of(scene), evaluated_frame(scene), touched)

    def clear(self) -> None:
        """Forget all."""
        self._known.clear()


def evaluated_frame(scene: Scene) -> int:
    """The frame that the scene was evaluated for last; between two frames, one that is none."""
    shown = depsgraph_of(scene).scene_eval
    return shown.frame_current if shown.frame_subframe == 0.0 else BETWEEN_FRAMES


def worn_by_characters(scene: Scene) -> frozenset[int]:
    """Identities of the objects that are skinned to a character, or hang on one: never ground unless chosen."""
    return frozenset(obj.session_uid for obj in scene.objects if _is_worn(obj))


def _is_worn(obj: Object) -> bool:
    return any(is_character(rig) for rig in _rigs_of(obj))


def _wears(obj: Object, rig: Object) -> bool:
    """Whether an object is skinned to a rig, or hangs on it."""
    return rig in _rigs_of(obj)


def _rigs_of(obj: Object) -> list[Object]:
    """What an object is skinned to, and all that it hangs on."""
    found = [item.object for item in obj.modifiers if item.type == "ARMATURE"]
    above = obj.parent
    while above is not None:
        found.append(above)
        above = above.parent
    return found


worlds = Worlds()
