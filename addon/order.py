"""Who follows whom: characters tick after those that they read."""

from __future__ import annotations

from collections.abc import Sequence

from bpy.types import Object, Scene

from .agent import agent_objects
from .layer_inputs import all_aimed_at
from .live_source import live_sources
from .roster import GOES_TO_TARGET, director_of, follows_rig, is_character, source_of
from .route import live_spots, may_be_sent, spot_objects
from .scene_units import metres_per_unit
from .texts import text

REFERRING = ("target", "pole_target", "space_object", "camera", "depth_object")
"""The properties by which a constraint refers to an object."""
TURNING = frozenset({"TRACK_TO", "DAMPED_TRACK", "LOCKED_TRACK", "COPY_ROTATION", "COPY_SCALE"})
"""The constraints that leave an object where it is."""


def watched(obj: Object) -> Object | None:
    """The object whose place this character reads: its target or its mover, or the rig whose motion it takes over."""
    settings = obj.surefoot
    if follows_rig(obj):
        return source_of(obj)
    if director_of(obj) in GOES_TO_TARGET:
        return settings.target
    if director_of(obj) == "MOVER":
        return settings.mover
    return None


def absence(obj: Object, scene: Scene) -> str:
    """Why there is nothing to follow, in a sentence: deleted, never chosen, or not in this scene; else empty."""
    settings = obj.surefoot
    director = director_of(obj)
    if follows_rig(obj):
        return _no_source(obj, scene)
    if director in {"AHEAD", "INPUT", "AGENT"} or (director == "ROUTE" and live_spots(obj)):
        return ""
    if director == "AUTOPILOT" and may_be_sent(obj):
        return ""
    seen = settings.path if director == "PATH" else watched(obj)
    if seen is not None:
        return _not_there(obj, seen, scene)
    if director == "MOVER" and _may_move(obj):
        return ""
    return text(f"nothing_to_follow_{director}", name=obj.name)


def _not_there(obj: Object, seen: Object, scene: Scene) -> str:
    """Why what is followed is not in a scene; empty if it is."""
    there = scene.objects.get(seen.name)
    return "" if there == seen else text("not_there", name=obj.name, followed=seen.name, scene=scene.name)


def _no_source(obj: Object, scene: Scene) -> str:
    """Why the rig that is to be followed is none; empty where it is one, or none was chosen, which the base says."""
    source = obj.surefoot.source
    if source is None:
        return ""
    if source_of(obj) is None:
        return text("source_itself" if source == obj else "source_of_no_kind", name=obj.name, source=source.name)
    missing = _not_there(obj, source, scene)
    if missing:
        return missing
    if source.type == "ARMATURE" and source.mode == "EDIT":
        return text("edit_mode", name=source.name)
    if source.hide_viewport and not live_sources.is_plain(source):
        return text("hidden", name=source.name)
    return live_sources.refusal(source, metres_per_unit(scene))


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
    found = _carriers(watched(obj), cast, obj, turned=director_of(obj) not in GOES_TO_TARGET)
    return (found[0][0].session_uid, found[0][1]) if found else None


def seen_of(obj: Object, scene: Scene, cast: dict[int, Object]) -> tuple[tuple[int, bool], ...]:
    """The characters of the cast that its layers aim at, or its route, goal or agent names: each one's uid, and whether
    it is meant itself (True) or what hangs on it (False).
    """
    found = []
    for aimed in _aimed(obj, scene):
        found += [(other.session_uid, direct) for other, direct in _carriers(aimed, cast) if other != obj]
    return tuple(dict.fromkeys(found))


def _aimed(obj: Object, scene: Scene) -> list[Object]:
    """What its layers aim at, its spots, and what an agent lets it look at or run from."""
    return [*(all_aimed_at(obj, scene) if obj.surefoot.layers else ()), *spot_objects(obj), *agent_objects(obj)]


def _carriers(
    seen: Object | None, cast: dict[int, Object], apart: Object | None = None, *, turned: bool = True
) -> list[tuple[Object, bool]]:
    """The characters of the cast, `apart` from one, that an object is or hangs on, nearest first; and whether it is
    that itself. Without `turned`, what merely turns the object on the spot does not count.
    """
    found: list[tuple[Object, bool]] = []
    known: set[int] = set()
    left = [] if seen is None else [seen]
    while left:
        here = left.pop(0)
        if here.session_uid in known:
            continue
        known.add(here.session_uid)
        if here.session_uid in cast and here != apart:
            found.append((here, here == seen))
        else:
            left += _holders(here, turned or here != seen)
    return found


def _holders(obj: Object, turned: bool = True) -> list[Object]:
    """What an object hangs on at once: its parent, and what its constraints, or those of its bones, refer to.

    The bones of a character are not asked: what they hang on is the character's own affair.
    """
    found = [] if obj.parent is None else [obj.parent]
    constraints = [*obj.constraints]
    if obj.type == "ARMATURE" and not is_character(obj):
        constraints += [item for bone in obj.pose.bones for item in bone.constraints]
    for item in constraints:
        if item.mute or (item.type in TURNING and not turned):
            continue
        named = [getattr(item, name, None) for name in REFERRING]
        if item.type == "ARMATURE":
            named += [each.target for each in item.targets]
        found += [other for other in named if other is not None]
    return found


def hangs_on_itself(obj: Object, scene: Scene) -> bool:
    """True for a character that watches something which hangs on the character: a carrot on a stick."""
    seen = obj.surefoot.path if director_of(obj) == "PATH" else watched(obj)
    if any(_hangs_on(aimed, obj) for aimed in _aimed(obj, scene)):
        return True
    return _hangs_on(seen, obj)


def _hangs_on(seen: Object | None, obj: Object) -> bool:
    """True for an object that hangs on `obj`, by parents and constraints, however far up."""
    known: set[int] = set()
    left = [] if seen is None else _holders(seen)
    while left:
        here = left.pop()
        if here == obj:
            return True
        if here.session_uid not in known:
            known.add(here.session_uid)
            left += _holders(here)
    return False


def in_order(objects: Sequence[Object], scene: Scene) -> tuple[list[Object], dict[int, str]]:
    """Leaders before followers, otherwise by name; and a refusal for each member of a ring, by uid.

    Who is only looked or reached at comes before, too, where that makes no ring.
    """
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
    kept.sort(key=lambda obj: (depths[obj.session_uid], obj.name))
    return _seen_first(kept, {uid: seen_of(obj, scene, cast) for uid, obj in cast.items()}, leaders), refusals


def _seen_first(
    objects: list[Object], seen: dict[int, tuple[tuple[int, bool], ...]], leaders: dict[int, tuple[int, bool] | None]
) -> list[Object]:
    """The same order with those that are looked at before those who look, as far as the leaders stay first."""
    if not any(seen.values()):
        return objects
    left, placed = list(objects), []
    while left:
        waiting = {obj.session_uid for obj in left}
        ready = [obj for obj in left if (leaders[obj.session_uid] or (-1,))[0] not in waiting]
        free = [obj for obj in ready if waiting.isdisjoint(uid for uid, _ in seen[obj.session_uid])]
        placed.append((free or ready)[0])
        left.remove(placed[-1])
    return placed


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
