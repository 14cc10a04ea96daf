"""Who follows whom: characters tick after those that they read."""

from __future__ import annotations

from collections.abc import Sequence

from bpy.types import Object, Scene

from .texts import text


def watched(obj: Object) -> Object | None:
    """The object whose place this character reads: its target or its mover."""
    settings = obj.surefoot
    if settings.director == "TARGET":
        return settings.target
    if settings.director == "MOVER":
        return settings.mover
    return None


def absence(obj: Object, scene: Scene) -> str:
    """Why there is nothing to follow, in a sentence: deleted, never chosen, or not in this scene; else empty."""
    settings = obj.surefoot
    director = settings.director
    if director == "AHEAD":
        return ""
    seen = settings.path if director == "PATH" else watched(obj)
    if seen is not None:
        there = scene.objects.get(seen.name)
        return "" if there == seen else text("not_there", name=obj.name, followed=seen.name, scene=scene.name)
    if director == "MOVER" and _may_move(obj):
        return ""
    return text(f"nothing_to_follow_{director}", name=obj.name)


def _may_move(obj: Object) -> bool:
    """True where anything but a preview may move this object."""
    return (
        obj.animation_data is not None
        or obj.parent is not None
        or obj.rigid_body is not None
        or obj.surefoot.action_before is not None
        or len(obj.constraints) > 0
    )


def leader_of(obj: Object, cast: dict[int, Object]) -> tuple[int, bool] | None:
    """The character of the cast that carries what `obj` watches: its uid, and whether it is watched itself."""
    seen = watched(obj)
    direct = True
    while seen is not None:
        if seen.session_uid in cast and seen != obj:
            return seen.session_uid, direct
        seen, direct = seen.parent, False
    return None


def hangs_on_itself(obj: Object) -> bool:
    """True for a character that watches something which hangs on the character: a carrot on a stick."""
    seen = obj.surefoot.path if obj.surefoot.director == "PATH" else watched(obj)
    while seen is not None and seen.parent is not None:
        seen = seen.parent
        if seen == obj:
            return True
    return False


def in_order(objects: Sequence[Object]) -> tuple[list[Object], dict[int, str]]:
    """Leaders before followers, otherwise by name; and a refusal for each member of a ring, by uid."""
    if len(objects) == 1:
        return [*objects], {}
    cast = {obj.session_uid: obj for obj in objects}
    leaders = {uid: leader_of(obj, cast) for uid, obj in cast.items()}
    refusals: dict[int, str] = {}
    for uid in cast:
        ring = _ring(uid, leaders)
        if ring:
            names = ", ".join(sorted(cast[member].name for member in ring))
            refusals[uid] = text("ring", names=names)
    depths = {uid: _depth(uid, leaders) for uid in cast if uid not in refusals}
    kept = [obj for obj in objects if obj.session_uid not in refusals]
    return sorted(kept, key=lambda obj: (depths[obj.session_uid], obj.name)), refusals


def _ring(uid: int, leaders: dict[int, tuple[int, bool] | None]) -> list[int]:
    """The members of the ring that leads back to `uid`; empty if none does."""
    members, here = [uid], leaders[uid]
    while here is not None and here[0] not in members:
        members.append(here[0])
        here = leaders[here[0]]
    return members if here is not None and here[0] == uid else []


def _depth(uid: int, leaders: dict[int, tuple[int, bool] | None]) -> int:
    """How many characters are before this one (those that follow a ring count it once)."""
    seen, here = {uid}, leaders[uid]
    while here is not None and here[0] not in seen:
        seen.add(here[0])
        here = leaders[here[0]]
    return len(seen) - 1
