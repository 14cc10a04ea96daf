"""Pairs of bones that a person set, laid over what was matched by roles and names.

A limb's bone follows by direction, as limbs do: where both of the pair have a bone after them, the target's rest is
laid along the source's first. Everything else takes the source's turn from rest, in front of what its nearest leading
ancestor was turned by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..rig.rig import Rig
from ..rig.skeleton import Skeleton
from ..space.quaternions import arcs, multiplied, turned
from .mapping import Pair
from .parts import Joint
from .rest_matching import FORWARD, NO_TURN, Follow, Matched, Matching, Rests, Stayed

AT_REST = "it was set by hand to stay at rest"


def with_pairs(matching: Matching, pairs: Sequence[Pair], rests: Rests = "DIRECTIONS") -> Matching:
    """A matching after corrections by pairs; those that name a bone that is not there change nothing."""
    target, source = matching.target.skeleton.index, matching.source.skeleton.index
    wanted = {
        target[pair.target]: source[pair.source] if pair.source else -1
        for pair in pairs
        if pair.target in target and (not pair.source or pair.source in source)
    }
    if not wanted:
        return matching
    follows = {i: follow for i, follow in matching.follows.items() if i not in wanted}
    for i in sorted(wanted):
        if wanted[i] < 0:
            continue
        known = matching.follows.get(i)
        if known is not None and known.low == known.high == wanted[i]:
            follows[i] = known
        else:
            follows[i] = _follow(matching, follows, i, wanted[i], absolute=rests == "DIRECTIONS")
    chords = [chord for chord in matching.chords if not set(chord.chain.bones) & set(wanted)]
    feet = [pair for pair in matching.feet if pair[1].foot not in wanted]
    return _listed(replace(matching, follows=follows, chords=chords, feet=feet), wanted)


def _follow(matching: Matching, follows: dict[int, Follow], bone: int, carrier: int, *, absolute: bool) -> Follow:
    target, source = matching.target, matching.source
    if not absolute:
        return Follow(bone, carrier, carrier, 0.0, NO_TURN)
    above = next((i for i in target.skeleton.ancestors(bone) if i in follows), -1)
    rest = follows[above].rest if above >= 0 else NO_TURN
    ours, theirs = _next(target.skeleton, bone), _next(source.skeleton, carrier)
    if bone not in _limbs(target) or ours < 0 or theirs < 0:
        return Follow(bone, carrier, carrier, 0.0, rest)
    line = _between(target.skeleton, bone, ours)
    wanted = _between(source.skeleton, carrier, theirs)
    rest = multiplied(arcs(turned(rest, line), wanted, FORWARD), rest)
    joints = (_joint(source.skeleton, carrier, carrier), _joint(source.skeleton, carrier, theirs))
    return Follow(bone, carrier, carrier, 0.0, rest, line, joints)


def _limbs(rig: Rig) -> set[int]:
    legs, arms = [leg.bones for leg in rig.legs], [arm.bones for arm in rig.arms]
    return {i for bones in (*legs, *arms) for i in bones}


def _next(skeleton: Skeleton, bone: int) -> int:
    """The child with the longest way below it that begins elsewhere; -1 at an end."""
    head = skeleton.bones[bone].head
    apart = [i for i in skeleton.children[bone] if (skeleton.bones[i].head - head).length > 1e-6]
    return max(apart, key=lambda i: (len(skeleton.below[i]), -i), default=-1)


def _between(skeleton: Skeleton, bone: int, other: int) -> np.ndarray:
    line = np.array(skeleton.bones[other].head - skeleton.bones[bone].head, dtype=np.float64)
    return np.asarray(line / np.linalg.norm(line))


def _joint(skeleton: Skeleton, bone: int, at: int) -> Joint:
    x, y, z = skeleton.bones[at].head
    return Joint(bone, (float(x), float(y), float(z)))


def _listed(matching: Matching, wanted: dict[int, int]) -> Matching:
    """The lists of what was matched, what stayed and what leads nothing, with the pairs in them."""
    target, source = matching.target.skeleton.bones, matching.source.skeleton.bones
    by_hand = {target[i].name for i in wanted}
    matched = []
    for line in matching.matched:
        kept = tuple(name for name in line.target if name not in by_hand)
        if kept:
            matched.append(line._replace(target=kept))
    stayed = [line for line in matching.stayed if line.bone not in by_hand]
    for i, j in sorted(wanted.items()):
        if j >= 0:
            matched.append(Matched("", (target[i].name,), (source[j].name,), "HAND"))
        else:
            stayed.append(Stayed(target[i].name, AT_REST))
    used = {j for follow in matching.follows.values() for j in (follow.low, follow.high)}
    unused = tuple(bone.name for j, bone in enumerate(source) if j not in used)
    return replace(matching, matched=matched, stayed=stayed, unused=unused)
