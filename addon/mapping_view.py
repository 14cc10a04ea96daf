"""What the mapping's panel shows: roles with reasons, and what follows what of a source; kept while it holds."""

from __future__ import annotations

from typing import Any, NamedTuple

from bpy.types import Object

from ..core.retarget.by_hand import with_pairs
from ..core.retarget.rest_matching import Matched, Stayed, match_rests
from ..core.rig.explained import Candidate, Explained
from .performers import rig_key
from .rig_reading import conventions
from .saved_mappings import corrections_of, found_for, found_for_pair
from .source_reading import read_source
from .target_reading import target_reading


class RolesView(NamedTuple):
    """An armature's roles with reasons, and the saved mapping that is found for it; empty without."""

    explained: Explained
    mapping: str


class PairsView(NamedTuple):
    """A target and its source as they would be matched now. `mapping` is the one that is used; empty without."""

    matched: tuple[Matched, ...]
    stayed: tuple[Stayed, ...]
    unused: tuple[str, ...]
    mapping: str


class Views:
    """What was read last, by object: a panel asks at every redraw."""

    roles: dict[int, tuple[Any, RolesView]]
    pairs: dict[int, tuple[Any, PairsView]]


Views.roles, Views.pairs = {}, {}


def roles_of(obj: Object) -> RolesView:
    """Why each bone of an armature has its role, as it would be read now."""
    key = rig_key(obj)
    known = Views.roles.get(obj.session_uid)
    if known is None or known[0] != key:
        corrections, saved = corrections_of(obj), found_for(obj)
        explained = Explained(target_reading(obj, 1.0).reading.rig, conventions(), corrections)
        known = key, RolesView(explained, saved.name if saved is not None else "")
        Views.roles[obj.session_uid] = known
    return known[1]


def pairs_of(obj: Object) -> PairsView | None:
    """What follows what of the object's source; None where that is no armature."""
    source = obj.surefoot.source
    if source is None or source.type != "ARMATURE" or source == obj:
        return None
    key = rig_key(obj), rig_key(source), tuple((line.target, line.source) for line in obj.surefoot.pairs)
    known = Views.pairs.get(obj.session_uid)
    if known is None or known[0] != key:
        known = key, _pairs(obj, source)
        Views.pairs[obj.session_uid] = known
    return known[1]


def _pairs(obj: Object, source: Object) -> PairsView:
    target, theirs = roles_of(obj).explained.rig, read_source(source, None, 1.0).reading.rig
    matching, mapping = match_rests(theirs, target), found_for_pair(obj, source)
    if mapping is not None:
        names = [[bone.name for bone in rig.skeleton.bones] for rig in (target, theirs)]
        matching = with_pairs(matching, mapping.pairs_on(*names))
    name = mapping.name if mapping is not None else ""
    return PairsView(tuple(matching.matched), tuple(matching.stayed), matching.unused, name)


def candidates_of(obj: Object, role: str) -> tuple[Candidate, ...]:
    """The bones that could have a role, the likeliest first."""
    return roles_of(obj).explained.candidates(role)


def forget_views() -> None:
    """A saved mapping came or went, or another file is open."""
    Views.roles.clear()
    Views.pairs.clear()


def unregister() -> None:
    """Leave nothing behind."""
    forget_views()
