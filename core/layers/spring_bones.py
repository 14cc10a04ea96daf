"""What swings on one rig, bone by bone, with all that is known before the first frame."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from ..rig.rig import Rig
from ..space.oscillator import swinging
from .hanging import KINDS, Hanging
from .spheres import Sphere, clearance
from .springs_config import SpringsConfig

# Lengths in settings are for a leg of this length.
LEG = 0.9
# Where along a chain its mass swings, and the shortest such lever as a share of the legs.
_LEVER = 0.6
_LEAST_LEVER = 0.03
# What a chain's kind and length may come to, times a second.
_SLOWEST, _FASTEST = 0.4, 8.0
# Of a sphere that the rest pose reaches into, only what it leaves free is solid, and nothing if that is little.
_FREE_AT_REST = 0.95
_LEAST_SOLID = 0.3
# How much nearer than at rest a limb can bring its spheres, as a share of the legs.
_COMES_NEAR = 0.35


class SpringBone(NamedTuple):
    """One bone that swings. `above` is the one that carries it (a place in the list, or -1), `turns_along` if it turns
    with that. `rates` are its oscillator's square and decay, `give` how far an acceleration leans it (radians for one
    m/s^2), `lever` what a speed turns it by, metres. `spheres` come with the radius that is solid for it; `thick` is
    its own over the ground.
    """

    bone: int
    above: int
    turns_along: bool
    chain: int
    length: float
    lever: float
    rates: tuple[float, float]
    give: float
    limit: float
    spheres: tuple[tuple[int, float], ...]
    thick: float


class SpringChain(NamedTuple):
    """A thing that hangs, ready to swing: its longest way from root to tip, metres, and its bones, parents first."""

    size: float
    bones: tuple[SpringBone, ...]


def spring_chains(
    rig: Rig, config: SpringsConfig, found: Sequence[Hanging], spheres: Sequence[Sphere]
) -> list[SpringChain]:
    """All that hangs, ready to swing, numbered on through all chains."""
    chains: list[SpringChain] = []
    for chain in found:
        first = sum(len(made.bones) for made in chains)
        chains.append(_chain(rig, config, chain, (len(chains), first), spheres))
    return chains


def _chain(
    rig: Rig, config: SpringsConfig, chain: Hanging, place: tuple[int, int], spheres: Sequence[Sphere]
) -> SpringChain:
    kind, skeleton = KINDS[chain.kind], rig.skeleton
    starts = _starts(rig, chain)
    size = max(start + skeleton.bones[i].length for start, i in zip(starts, chain.bones, strict=True))
    own = kind.frequency * sqrt(kind.size / size) if size > 0.0 else _FASTEST
    frequency = config.frequency or min(max(own, _SLOWEST), _FASTEST)
    lever = max(_LEVER * size, _LEAST_LEVER * rig.leg_length, 1e-4)
    bones = []
    for start, i in zip(starts, chain.bones, strict=True):
        share = start / max(starts) if start > 0.0 else 0.0
        rates = swinging(frequency * (1.0 - config.falloff * share), config.halflife or kind.halflife)
        above, turns_along = _carrier(rig, chain, i)
        tail = skeleton.bones[i].tail
        bones.append(
            SpringBone(
                bone=i,
                above=place[1] + above if above >= 0 else -1,
                turns_along=turns_along,
                chain=place[0],
                length=skeleton.bones[i].length,
                lever=lever,
                rates=rates,
                give=1.0 / (lever * rates[0]),
                limit=config.limit or kind.limit,
                spheres=_solid(rig, config, (chain.bones[0], i), spheres, size),
                thick=min(config.radius * rig.leg_length / LEG, max(tail.z - rig.floor, 0.0)),
            )
        )
    return SpringChain(size, tuple(bones))


def _starts(rig: Rig, chain: Hanging) -> list[float]:
    """How far along its chain each bone begins, metres."""
    starts: dict[int, float] = {}
    for i in chain.bones:
        parent = rig.skeleton.bones[i].parent
        starts[i] = starts[parent] + rig.skeleton.bones[parent].length if parent in starts else 0.0
    return list(starts.values())


def _carrier(rig: Rig, chain: Hanging, bone: int) -> tuple[int, bool]:
    """Which bone of the chain carries this one (its place in the chain, or -1), and if this one turns with it."""
    turns_along = rig.skeleton.bones[bone].inherit_rotation
    for i in rig.skeleton.ancestors(bone):
        if i in chain.bones:
            return chain.bones.index(i), turns_along
        turns_along = turns_along and rig.skeleton.bones[i].inherit_rotation
    return -1, False


def _solid(
    rig: Rig, config: SpringsConfig, chain: tuple[int, int], spheres: Sequence[Sphere], size: float
) -> tuple[tuple[int, float], ...]:
    """The spheres that a bone of a chain (its first bone, and it) can come to, with the radius that is solid for it."""
    first, bone = (rig.skeleton.bones[i] for i in chain)
    below = (chain[1], *rig.skeleton.below[chain[1]])
    thick = config.radius * rig.leg_length / LEG
    solid = []
    for place, sphere in enumerate(spheres):
        far = (sphere.center - first.head).length - size - sphere.radius - thick
        if sphere.bone in below or far > _COMES_NEAR * rig.leg_length:
            continue
        gap = clearance(bone.head, bone.tail, sphere.center)
        radius = min(sphere.radius + thick, _FREE_AT_REST * gap)
        if radius > _LEAST_SOLID * sphere.radius:
            solid.append((place, radius))
    return tuple(solid)
