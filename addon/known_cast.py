"""The cast of a scene as it was found last, for all frames until something is touched.

Who follows whom, where a walk begins and whether a rig can walk at all follow from settings and from what Blender tells
when it is edited. What may change without being told is compared at each frame: settings, scale, mode, place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bpy.types import Object, Scene

from .changes import hints
from .members import Member
from .performers import Performer, is_scaled_as, performers
from .preview import follow_the_hand
from .validity import check_leaders, signature


class _Known(NamedTuple):
    """A member without its object, and the settings with which it was found."""

    uid: int
    first: int
    leader: tuple[int, bool] | None
    seen: tuple[tuple[int, bool], ...]
    signature: tuple[Any, ...]


class KnownCasts:
    """The casts of scenes, by identity: numbers only, never a reference to an object."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[_Known, ...]] = {}
        self._taken = -1

    def clear(self) -> None:
        """Forget all."""
        self._known.clear()

    def keep(self, scene: Scene, cast: Sequence[Member]) -> None:
        """Remember a cast that was just looked at closely."""
        if hints.taken != self._taken:
            self._known.clear()
            self._taken = hints.taken
        self._known[scene.session_uid] = tuple(
            _Known(item.performer.uid, item.first, item.leader, item.seen, item.performer.signature) for item in cast
        )

    def get(self, scene: Scene, objects: Sequence[Object]) -> list[Member] | None:
        """The cast if it is these objects still, nothing was touched and all frames that are known hold; else None."""
        known = self._known.get(scene.session_uid)
        if known is None or len(known) != len(objects) or hints.any_edit() or hints.taken != self._taken:
            return None
        by_uid = {obj.session_uid: obj for obj in objects}
        cast = []
        for uid, first, leader, seen, settings in known:
            obj, performer = by_uid.get(uid), performers.get(uid)
            if obj is None or performer is None:
                return None
            member = Member(obj, performer, first, leader, seen)
            if performer.signature is not settings or not _is_same(obj, performer):
                return None
            if follow_the_hand(member) or signature(obj, scene) != settings:
                return None
            cast.append(member)
        check_leaders(cast)
        return cast


def _is_same(obj: Object, performer: Performer) -> bool:
    """True for a rig that is shown walking, and is what was read, as far as its signature does not say."""
    key = performer.build_key
    if key is None or performer.failed or performer.basis is None or obj.mode == "EDIT":
        return False
    return obj.rotation_mode == key.rotation_mode and is_scaled_as(obj, performer.built_scale)


known_casts = KnownCasts()
