"""Which objects are characters that a scene previews. Cheap enough to be asked at every frame change."""

from __future__ import annotations

from typing import NamedTuple

import bpy
from bpy.types import Object, Scene

from .changes import hints


class _Known(NamedTuple):
    """A character by its name and identity: never a reference to the object."""

    name: str
    uid: int


class Roster:
    """The previewed characters of the file, found anew when objects came, went or were switched."""

    def __init__(self) -> None:
        self._known: tuple[_Known, ...] = ()
        self._count = -1

    def clear(self) -> None:
        """Forget all."""
        self._known, self._count = (), -1

    def previewed(self, scene: Scene) -> list[Object]:
        """The characters that this scene moves, by name."""
        self._refresh()
        if not self._known:
            return []
        found = []
        alone, objects = len(bpy.data.scenes) == 1, scene.objects
        for known in self._known:
            obj = objects.get(known.name)
            if obj is None or obj.session_uid != known.uid:
                obj = next((item for item in objects if item.session_uid == known.uid), None)
            if obj is not None and obj.surefoot.preview and (alone or owner_of(obj) == scene):
                found.append(obj)
        return found

    def _refresh(self) -> None:
        count = len(bpy.data.objects)
        if not hints.cast and count == self._count:
            return
        hints.cast = False
        self._count = count
        known = [_Known(obj.name, obj.session_uid) for obj in bpy.data.objects if is_character(obj)]
        self._known = tuple(sorted(item for item in known))


def is_character(obj: Object | None) -> bool:
    """True for an armature that was set up."""
    return obj is not None and obj.type == "ARMATURE" and obj.surefoot.version > 0


def is_carried_by_clip(obj: Object) -> bool:
    """True for a character that goes where the clip goes that it plays."""
    settings = obj.surefoot
    return settings.base == "CLIP" and settings.clip is not None and settings.clip_travel == "CLIP"


def follows_rig(obj: Object) -> bool:
    """True for a character whose base motion is that of another rig."""
    return bool(obj.surefoot.base == "RIG")


def is_carried(obj: Object) -> bool:
    """True for a character that goes where its clip goes, or the rig that it follows, whatever its director."""
    return follows_rig(obj) or is_carried_by_clip(obj)


GOES_TO_TARGET = frozenset({"TARGET", "AUTOPILOT"})
"""The directors that go to the target object."""


def director_of(obj: Object) -> str:
    """Who directs a character: as set; one that is carried watches nothing, as one that goes ahead."""
    # Asked many times a frame: each property is read once.
    settings = obj.surefoot
    base = settings.base
    if base == "RIG" or (base == "CLIP" and settings.clip is not None and settings.clip_travel == "CLIP"):
        return "AHEAD"
    return str(settings.director)


def source_of(obj: Object) -> Object | None:
    """The rig that a character follows, if it follows one that can be followed at all."""
    source = obj.surefoot.source if follows_rig(obj) else None
    if source is None or source == obj or source.type not in {"ARMATURE", "EMPTY"}:
        return None
    return source


def owner_of(obj: Object) -> Scene | None:
    """The one scene whose time moves this character: that of its settings, else the first that holds it, by name."""
    named = bpy.data.scenes.get(obj.surefoot.scene)
    if named is not None and _holds(named, obj):
        return named
    return next((scene for scene in bpy.data.scenes if _holds(scene, obj)), None)


def _holds(scene: Scene, obj: Object) -> bool:
    """True where the object is in the scene; two of one name (one linked) are told apart only where they meet."""
    found = scene.objects.get(obj.name)
    return found == obj or (found is not None and obj in scene.objects[:])


def characters_of(scene: Scene) -> list[Object]:
    """All set-up characters of a scene, previewed or not, by name."""
    found = [obj for obj in scene.objects if is_character(obj) and owner_of(obj) == scene]
    return sorted(found, key=lambda obj: obj.name)


def by_uid(uid: int) -> Object | None:
    """The object with this identity, wherever it is."""
    return next((obj for obj in bpy.data.objects if obj.session_uid == uid), None)


roster = Roster()
