"""Shoves while somebody drives: each is recorded as a hit, and physics goes along with the take, frame by frame."""

from __future__ import annotations

from bpy.types import Object
from mathutils import Vector

from .fall_live import LiveFalls
from .hits import shove
from .performers import performers
from .roster import by_uid
from .simulate import finished, live_steps

ENDLESS = 2**30


class DrivenFalls:
    """The falls of a take. Keeps identities and numbers only, and its physics while there is any."""

    def __init__(self, scene_name: str) -> None:
        self._scene_name = scene_name
        self._live: LiveFalls | None = None
        self._hits: dict[int, int] = {}
        self._records: dict[int, str] = {}

    def shove(self, obj: Object, direction: Vector, strength: float, role: str, frame: int) -> None:
        """Hit a character, driven or not, at a frame."""
        uid = obj.session_uid
        self._hits.setdefault(uid, len(obj.surefoot.hits))
        self._records.setdefault(uid, obj.surefoot.fall_record)
        shove(obj, tuple(direction), strength, role, frame)

    def fill(self, frame: int) -> None:
        """Compute everybody who was hit up to a frame."""
        if not self._hits:
            return
        if self._live is None:
            self._live = LiveFalls(ENDLESS)
            self._live.__enter__()
        for uid in self._hits:
            finished(live_steps(uid, self._scene_name, frame, self._live))

    def keep(self) -> None:
        """What was computed stays."""
        if self._live is not None:
            self._live.keep()
        self._end()

    def throw_away(self) -> None:
        """The hits of the take go, and what followed from them."""
        self._end()
        for uid, count in self._hits.items():
            obj = by_uid(uid)
            if obj is None:
                continue
            settings, performer = obj.surefoot, performers.get(uid)
            while len(settings.hits) > count:
                settings.hits.remove(len(settings.hits) - 1)
            settings.fall_record = self._records[uid]
            if performer is not None:
                performer.cache.drop_from(settings.frame_start)
        self._hits.clear()
        self._records.clear()

    def _end(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.__exit__()
