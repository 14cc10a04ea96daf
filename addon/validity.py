"""Deciding what of a cache still holds: settings are compared whole, inputs frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isnan
from operator import attrgetter
from typing import Any

from bpy import props
from bpy.types import ID, Action, Armature, Depsgraph, Object, Scene

from ..core.character import Character
from . import carry_over
from .agent import agent_signature
from .changes import hints
from .fall_check import compare_falls, hold_again, take_record
from .fall_plan import plan_key
from .fall_properties import LIMP
from .grounds import evaluated_frame, worlds, worn_by_characters
from .keyed_values import animated_settings
from .layers import layer_signature
from .members import Member
from .pad import PAD
from .performers import Performer, base_key, config_of, performers
from .preview import tell_state
from .properties import CONFIG_NAMES, OWN
from .refusal import RefusedError
from .route import route_signature
from .saved_state import object_is_keyed, start_numbers
from .scene_units import metres_per_unit
from .scenery import Scenery

RUN_TIME = frozenset(
    {
        "version", "preview", "problems", "seen", "corrections", "active_correction", "pose_before", "action_before",
        "slot_before", "start_matrix", "layers", "active_layer", "pairs", "active_role", "active_pair",
        "route", "active_spot", "agent", "surface_velocity", "pusher", "hits", "active_hit", "fall_record",
        "fall_colliders", "get_up", "hit_by_bodies", "tail_physics", "ragdoll_bodies", "active_ragdoll_body",
        "ragdoll_collection", "ragdoll_show", "ragdoll_show_limits", *LIMP,
    }
)  # fmt: skip
# Where in a signature the start of the walk is.
PLACE = 3
# What may be keyed, and is compared as an input where it is.
KEYED = ("speed", "gait", "clip_progress", "sent", "added_velocity", *PAD)
AXES = {"added_velocity": 3}
KEYED_PATHS = tuple(f"surefoot.{name}" for name in KEYED)
KEYED_CHANNELS = tuple(
    (path, k) for name, path in zip(KEYED, KEYED_PATHS, strict=True) for k in range(AXES.get(name, 1))
)
PLAIN = frozenset({bool, int, float, str})
PLAIN_KINDS = (props.BoolProperty, props.IntProperty, props.FloatProperty, props.StringProperty, props.EnumProperty)
PLAIN_NAMES = tuple(name for name in OWN if OWN[name].function in PLAIN_KINDS)
# Read at every frame, hence the two apart: what is plain as it is, and what has to be made so.
SETTINGS = attrgetter(*(name for name in (*PLAIN_NAMES, *CONFIG_NAMES) if name not in {*RUN_TIME, *KEYED}))
REFERENCES = attrgetter(*(name for name in OWN if name not in {*RUN_TIME, *KEYED, *PLAIN_NAMES}))


def refresh(scene: Scene, cast: Sequence[Member]) -> None:
    """Drop what no longer holds: all after an edit of the settings, from the first different frame otherwise.

    Leaders come first: who follows loses what its leader lost.
    """
    for member in cast:
        _check_settings(member, scene)
        take_record(member)
        frame = hints.stale.pop(member.performer.uid, None)
        if frame is not None:
            member.performer.cache.drop_from(frame)
            hold_again(member)
    hints.stale = {uid: frame for uid, frame in hints.stale.items() if performers.get(uid) is not None}
    objects, hints.objects = frozenset(hints.objects), {}
    curves, hints.curves = hints.curves, False
    everything, hints.scene = hints.scene, False
    hints.taken += bool(objects or curves or everything or hints.falls)
    if objects or everything:
        worlds.look_again(scene, None if everything else objects)
    if objects or curves or everything:
        _check_inputs(scene, cast, objects, curves=curves)
    falls, hints.falls = frozenset(hints.falls), {}
    if falls or objects or everything:
        compare_falls(scene, cast, falls, around=bool(objects or everything))
    check_leaders(cast)


def signature(obj: Object, scene: Scene) -> tuple[Any, ...]:
    """Everything set by hand that the whole motion depends on; keyed values are compared as inputs instead."""
    settings = obj.surefoot
    render = scene.render
    values: list[Any] = [render.fps, render.fps_base, metres_per_unit(scene)]
    own = object_is_keyed(obj) and not any(settings.start_matrix)
    values += [None if own else start_numbers(obj), _plain(obj.parent)]
    values += SETTINGS(settings)
    values += [_plain(value) if value else None for value in REFERENCES(settings)]
    values += (*base_key(obj), *layer_signature(obj), *route_signature(obj), *agent_signature(obj))
    values += plan_key(obj)
    animated = animated_settings(obj, KEYED_CHANNELS)
    pairs = zip(KEYED_PATHS, KEYED, strict=True)
    said = (None if path in animated else getattr(settings, name) for path, name in pairs)
    return (*values, *(_plain(value) for value in said))


def _plain(value: Any) -> Any:
    """A value that can be kept and compared: identities instead of data-blocks, tuples instead of arrays."""
    if value is None or type(value) in PLAIN:
        return value
    if isinstance(value, ID):
        return value.session_uid
    if hasattr(value, "bl_rna"):
        return tuple([_plain(getattr(value, name)) for name in _names_of(type(value))])
    return tuple([_plain(item) for item in value])


@lru_cache(maxsize=32)
def _names_of(kind: type) -> tuple[str, ...]:
    """The properties of a group of settings: asked at every frame, and the same for all of its kind."""
    return tuple(prop.identifier for prop in kind.bl_rna.properties if prop.identifier != "rna_type")


def _check_settings(member: Member, scene: Scene) -> None:
    performer = member.performer
    now = signature(member.obj, scene)
    if now == performer.signature or _is_same(now, performer.signature):
        return
    performer.signature = now
    performer.name = member.obj.name
    performer.start = tuple(member.obj.surefoot.start_matrix)
    performer.stands = now[PLACE] or ()
    performer.failed = ""
    performer.cache.clear()
    performer.fall.begin_anew()
    try:
        config = config_of(member.obj, performer.reading)
    except RefusedError as refusal:
        performer.failed = str(refusal)
        return
    if config != performer.config:
        performer.config = config
        performer.character = Character(performer.reading.rig, config)
        tell_state(member.obj, scene)


def _is_same(now: Any, before: Any) -> bool:
    """True for settings that are the same, also where one is no number: that is not equal to itself."""
    if isinstance(now, tuple) and isinstance(before, tuple):
        return len(now) == len(before) and all(map(_is_same, now, before))
    return bool(now == before) or (_is_none(now) and _is_none(before))


def _is_none(value: Any) -> bool:
    return isinstance(value, float) and isnan(value)


def _check_inputs(scene: Scene, cast: Sequence[Member], objects: frozenset[int], *, curves: bool) -> None:
    """Compare what was read at each known frame with what would be read now; drop from the first that differs.

    Where that takes walking, only the evaluated frame can be compared; an edited curve or moving ground drops all.
    """
    scenery = Scenery(scene, cast)
    others = objects - worn_by_characters(scene) - {member.performer.uid for member in cast}
    for member in cast:
        performer, world = member.performer, scenery.world(member)
        ground = world.signature()
        still = scenery.is_still(member)
        numbers = performer.cache.frames if still else (evaluated_frame(scene),)
        if ground != performer.ground or (not still and (curves or (others and world.is_moving))):
            performer.ground = ground
            performer.cache.clear()
            performer.fall.begin_anew()
        else:
            held = performer.fall.held
            first = next((number for number in numbers if scenery.differs(member, number)), None)
            if first is not None:
                performer.cache.drop_from(first if still else member.first)
                if performer.fall.held == held:
                    hold_again(member)
        if not len(performer.cache):
            performer.failed = ""


def check_leaders(cast: Sequence[Member]) -> None:
    """A follower holds no further than its leader, nor than those that its layers aim at."""
    watched = {}
    for member in cast:
        uids = [uid for uid, _ in (*((member.leader,) if member.leader is not None else ()), *member.seen)]
        if uids:
            watched[member.performer.uid] = [item for item in map(performers.get, uids) if item is not None]
    if not watched:
        return
    followers = {member.performer.uid: member.performer for member in cast if member.performer.uid in watched}
    stale = {uid for uid, others in watched.items() if _drops(others) != followers[uid].leader_drops}
    # Who watches one that is computed anew is so too, however many are between; in a ring all are, once.
    while more := {uid for uid, others in watched.items() if uid not in stale and any(o.uid in stale for o in others)}:
        stale |= more
    for uid in sorted(stale):
        followers[uid].cache.clear()
    for uid in sorted(stale):
        followers[uid].leader_drops = _drops(watched[uid])


def _drops(others: Sequence[Performer]) -> tuple[int, ...]:
    return tuple(item.cache.drops for item in others)


def note_updates(depsgraph: Depsgraph) -> bool:
    """Keep what the depsgraph says was touched; True where an edit may have taken channels back from us."""
    took = False
    for update in depsgraph.updates:
        block = update.id
        if isinstance(block, Object):
            uid = block.original.session_uid
            if (update.is_updated_transform or update.is_updated_geometry) and uid not in hints.ours:
                hints.objects[uid] = None
        elif isinstance(block, Action):
            hints.curves = took = True
            carry_over.forget_paths()
        elif isinstance(block, Armature):
            hints.rigs = True
        elif isinstance(block, Scene):
            hints.scene = took = True
    return took
