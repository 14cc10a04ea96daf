"""A rig without legs: the chain from its head to the tip of its tail, as a snake, a worm or an eel has one.

The body is the longest way through the skeleton from one end to another, whichever bone its root is. Which end is the
head is told by names, else by what hangs there (jaw, eyes), else by the facing -Y, else by thickness, else by the root.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from mathutils import Matrix, Vector

from .outline import Outline, outline_of
from .problems import guessed_head, no_legs, upright_body
from .rest_vertices import RestVertices
from .rig import LongBody, Problem, Rig
from .roles import roles_of
from .skeleton import Skeleton
from .trunk import ROOT_NAMES, Trunk

LEAST_BONES = 4
# Other bones may be so long together, in lengths of the body.
MOST_BESIDE = 0.5
# A body lies if it rises by no more than this share of its length.
MOST_RISE = 0.6
# The share of the body that counts as an end where names are read, and where jaws and eyes hang.
END, FACE = 0.2, 0.12
# A bone above the chain is its root and none of its own if it leads off by more than this, or is this short.
SAME_WAY, NO_LENGTH = math.cos(math.radians(60.0)), 0.02
# An end is thicker than the other by this share at least.
THICKER = 1.1
# What of a body's length stands for a leg's; up to how much over the origin (share of the length) a body may rest.
AS_LEG, RESTS_OVER = 0.3, 0.1
# One bone of so many before the head is neck.
NECK = 8
HEAD_WORDS = ("head", "skull", "jaw", "eye", "tongue", "mouth", "nose", "snout", "face", "fang")
BEFORE_HEAD = ("tongue", "jaw")
TAIL_WORDS = ("tail", "rattle")
SNAP = math.radians(5.0)


def legless(skeleton: Skeleton, problems: Sequence[Problem]) -> Rig:
    """A rig that cannot move, with the reasons."""
    return Rig(skeleton, (), -1, -1, -1, (), (), -1, (), (), {}, "", 0.0, 0.0, tuple(problems))


def long_rig(
    outline: Outline, vertices: RestVertices | None, corrections: Mapping[str, str], problems: Sequence[Problem]
) -> tuple[float, Rig]:
    """The rig of a skeleton without legs, and the yaw (radians about +Z) that made it face -Y.

    Where there is no long body lying on the ground, the rig has none, and a blocking problem with the reason.
    """
    skeleton, names = outline.skeleton, outline.skeleton.bones
    chain, sure = _head_first(outline, _longest(outline), vertices, corrections)
    chain = _up_to_the_head(outline, chain, corrections)
    joints = _joints(outline, chain)
    length = _length(joints)
    beside = sum((outline.far[i] - outline.heads[i]).length for i in _others(outline, chain))
    if len(chain) < LEAST_BONES or beside > MOST_BESIDE * length or any(outline.names[i].side for i in chain):
        return 0.0, legless(skeleton, [*problems, no_legs(outline)])
    heights = [joint.z for joint in joints]
    if max(heights) - min(heights) > MOST_RISE * length:
        return 0.0, legless(skeleton, [*problems, upright_body(names[chain[0]].name)])
    told = () if sure else (guessed_head(names[chain[0]].name),)
    forward = _forward(joints)
    yaw = -0.5 * math.pi - math.atan2(forward.y, forward.x)
    quarter = round(yaw / (0.5 * math.pi)) * 0.5 * math.pi
    yaw = math.remainder(quarter if abs(yaw - quarter) < SNAP else yaw, 2.0 * math.pi)
    turned = outline_of(skeleton.moved(Matrix.Rotation(yaw, 4, "Z")))
    return yaw, _rig(turned, chain, vertices, corrections, (*problems, *told))


def _rig(
    outline: Outline,
    chain: Sequence[int],
    vertices: RestVertices | None,
    corrections: Mapping[str, str],
    problems: tuple[Problem, ...],
) -> Rig:
    joints = _joints(outline, chain)
    length = _length(joints)
    floor = _floor(joints, vertices, chain, length)
    tops = _tops(outline, chain)
    first = chain.index(tops[0])
    spine, behind = tuple(reversed(chain[1 : first + 1])), tuple(chain[first + 1 :])
    bend = len(spine) - len(spine) // NECK
    # A head that carries the body cannot be turned without it, so it is no head to those who turn heads.
    head = chain[0] if first > 0 else -1
    root = outline.skeleton.index.get(corrections.get("root", ""), _root(outline, tops[0], floor, length))
    trunk = Trunk(tops[0], root, -1, spine[:bend], spine[bend:], head, (behind,) if behind else ())
    return Rig(
        skeleton=outline.skeleton,
        legs=(),
        body=trunk.body,
        root=trunk.root,
        pelvis=trunk.pelvis,
        spine=trunk.spine,
        neck=trunk.neck,
        head=trunk.head,
        tails=(),
        arms=(),
        roles=roles_of(outline.skeleton, trunk, (), ()),
        convention="",
        floor=floor,
        leg_length=AS_LEG * length,
        problems=problems,
        long_body=LongBody(tuple(chain), tuple(joints)),
    )


def _longest(outline: Outline) -> list[int]:
    """The bones of the longest way from end to end, without a root that only carries them."""
    best: tuple[float, list[int]] = (-1.0, [])
    for i in range(len(outline.skeleton)):
        if outline.idle[i]:
            continue
        branches = sorted(outline.children[i], key=lambda j: (-outline.below[j], j))[:2]
        for count in range(len(branches) + 1):
            found = [*(_down(outline, branches[0])[::-1] if count else ()), i]
            found += _down(outline, branches[1]) if count > 1 else []
            found = _body_only(outline, found)
            length = _length(_joints(outline, found))
            if length > best[0] + 1e-6:
                best = (length, found)
    return best[1]


def _body_only(outline: Outline, chain: list[int]) -> list[int]:
    """The chain without a jaw at its side, and without a root that only carries it."""
    chain = _without_face(outline, chain)
    while len(chain) > 1 and (top := _only_carries(outline, chain)) >= 0:
        chain = [i for i in chain if i != top]
    return chain


def _without_face(outline: Outline, chain: list[int]) -> list[int]:
    """The chain without a short branch that leaves beside the topmost bone: a jaw on a head that carries the body."""
    tops = _tops(outline, chain)
    k = chain.index(tops[0])
    if len(tops) > 1 or outline.names[tops[0]].key in ROOT_NAMES:
        return chain
    joints = _joints(outline, chain)
    length = _length(joints)
    if k > 0 and _length(joints[: k + 1]) < END * length:
        return chain[k:]
    if k < len(chain) - 1 and _length(joints[k + 1 :]) < END * length:
        return chain[: k + 1]
    return chain


def _down(outline: Outline, first: int) -> list[int]:
    found = [first]
    while (child := outline.main_child(found[-1])) >= 0:
        found.append(child)
    return found


def _only_carries(outline: Outline, chain: Sequence[int]) -> int:
    """The topmost bone of a chain if it is a root and no part of the body, else -1."""
    tops = _tops(outline, chain)
    if len(tops) > 1:
        return -1
    top, joints = tops[0], _joints(outline, chain)
    k = chain.index(top)
    own = joints[k + 1] - joints[k]
    if any(word in outline.names[top].key for word in (*HEAD_WORDS, *TAIL_WORDS)):
        return -1
    if outline.names[top].key in ROOT_NAMES or own.length < NO_LENGTH * _length(joints):
        return top
    if 0 < k < len(chain) - 1:
        return -1
    after = joints[2] - joints[1] if k == 0 else joints[-2] - joints[-3]
    child = chain[1] if k == 0 else chain[-2]
    bone = outline.skeleton.bones[top]
    gap = min((outline.heads[child] - end).length for end in (bone.head, bone.tail))
    return top if own.dot(after) < SAME_WAY * own.length * after.length or gap > 0.25 * own.length else -1


def _tops(outline: Outline, chain: Sequence[int]) -> list[int]:
    """The bones of the chain that none of its bones carries: one, or two side by side under a root; headward first."""
    inside = set(chain)
    return [i for i in chain if outline.skeleton.bones[i].parent not in inside]


def _joints(outline: Outline, chain: Sequence[int]) -> list[Vector]:
    """The chain's joints in its order, its two outer ends included."""
    bones = outline.skeleton.bones
    inner = [outline.heads[a if bones[a].parent == b or bones[b].parent != a else b] for a, b in _pairs(chain)]
    if not inner:
        return [outline.far[chain[0]], outline.heads[chain[0]]]
    return [_outer(outline, chain[0], inner[0]), *inner, _outer(outline, chain[-1], inner[-1])]


def _pairs(chain: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(chain, chain[1:], strict=False))


def _outer(outline: Outline, bone: int, joint: Vector) -> Vector:
    """The free end of a chain's outer bone: the one that is farthest from its other joint."""
    bones = outline.skeleton
    marks = (outline.heads[i] for i in bones.children[bone])
    ends = (outline.heads[bone], bones.bones[bone].tail, outline.far[bone], *marks)
    return max(ends, key=lambda end: round((end - joint).length, 6))


def _length(joints: Sequence[Vector]) -> float:
    return float(sum((b - a).length for a, b in zip(joints, joints[1:], strict=False)))


def _others(outline: Outline, chain: Sequence[int]) -> list[int]:
    """The bones beside the body: neither in it nor above it."""
    out = {*chain, *(j for i in chain for j in outline.skeleton.ancestors(i))}
    return [i for i in range(len(outline.skeleton)) if i not in out and not outline.idle[i]]


def _head_first(
    outline: Outline, chain: list[int], vertices: RestVertices | None, corrections: Mapping[str, str]
) -> tuple[list[int], bool]:
    """The chain with its head first, and whether names or a hand told so."""
    other = chain[::-1]
    index = outline.skeleton.index
    named = index.get(corrections.get("head", ""), -1)
    if named >= 0:
        for i in (named, *outline.skeleton.ancestors(named)):
            if i in chain:
                return (chain if 2 * chain.index(i) < len(chain) else other), True
    said = _said(outline, chain) - _said(outline, other)
    if said:
        return (chain if said > 0 else other), True
    for ours, theirs in (
        (_hanging(outline, chain), _hanging(outline, other)),
        _ahead(_joints(outline, chain)),
        _thickness(_joints(outline, chain), chain, vertices),
        (-chain.index(_tops(outline, chain)[0]), -other.index(_tops(outline, other)[0])),
    ):
        if ours != theirs:
            return (chain if ours > theirs else other), False
    return chain, False


def _end(outline: Outline, chain: Sequence[int], share: float) -> list[int]:
    """The bones of the first part of a chain: those that begin within this share of its length, one at least."""
    joints = _joints(outline, chain)
    lengths = [(b - a).length for a, b in zip(joints, joints[1:], strict=False)]
    most, way = share * sum(lengths), 0.0
    found: list[int] = []
    for bone, length in zip(chain, lengths, strict=True):
        if found and way + 0.5 * length > most:
            break
        found.append(bone)
        way += length
    return found


def _said(outline: Outline, chain: Sequence[int]) -> int:
    """What names say of the first end: 1 a head, -1 a tail, 0 nothing."""
    inside, bones = set(chain), outline.skeleton
    end = _end(outline, chain, END)
    hanging = [j for i in end for j in bones.children[i] if j not in inside]
    keys = [outline.names[i].key for i in (*end, *hanging, *(k for j in hanging for k in bones.below[j]))]
    head = any(word in key for key in keys for word in HEAD_WORDS)
    tail = any(word in key for key in keys for word in TAIL_WORDS)
    return int(head) - int(tail)


def _hanging(outline: Outline, chain: Sequence[int]) -> int:
    """How many bones hang on the first end beside the chain."""
    inside = set(chain)
    return sum(j not in inside for i in _end(outline, chain, FACE) for j in outline.children[i])


def _ahead(joints: Sequence[Vector]) -> tuple[float, float]:
    """How far each end is toward -Y, where they differ by more there than along X."""
    way = joints[0] - joints[-1]
    far = abs(way.y) > abs(way.x) and way.length > 0.3 * _length(joints)
    return (-joints[0].y, -joints[-1].y) if far else (0.0, 0.0)


def _thickness(joints: Sequence[Vector], chain: Sequence[int], vertices: RestVertices | None) -> tuple[float, float]:
    """How wide each end's skin is, across the body; equal unless they differ clearly."""
    way = (joints[0] - joints[-1]).to_2d()
    if vertices is None or way.length == 0.0:
        return 0.0, 0.0
    across = np.array((-way.y, way.x)) / way.length
    ends = []
    for bones in (chain[: 1 + len(chain) // 5], chain[-1 - len(chain) // 5 :]):
        points = vertices.of(bones)
        ends.append(float(np.ptp(points[:, :2] @ across)) if len(points) else 0.0)
    return (ends[0], ends[1]) if max(ends) > THICKER * min(ends) else (0.0, 0.0)


def _up_to_the_head(outline: Outline, chain: list[int], corrections: Mapping[str, str]) -> list[int]:
    """The chain from its head on: a tongue, a jaw or what else goes on before it is left out."""
    named = corrections.get("head", "")
    near = _end(outline, chain, END)
    heads = [i for i in near if outline.skeleton.bones[i].name == named]
    heads = heads or [i for i in near if "head" in outline.names[i].key or "skull" in outline.names[i].key]
    before = [chain.index(i) for i in near if any(word in outline.names[i].key for word in BEFORE_HEAD)]
    if not heads and before:
        heads = [chain[before[-1] + 1]]
    if not heads:
        inside = set(chain)
        heads = [i for i in _end(outline, chain, FACE) if any(j not in inside for j in outline.children[i])]
    cut = chain.index(heads[-1]) if heads else 0
    return chain[cut:] if len(chain) - cut >= LEAST_BONES else chain


def _forward(joints: Sequence[Vector]) -> Vector:
    """Where the body faces at rest: from tail to head, of one that lies coiled as its head does."""
    way = (joints[0] - joints[-1]).to_2d()
    return way if way.length > 0.3 * _length(joints) else (joints[0] - joints[1]).to_2d()


def _floor(joints: Sequence[Vector], vertices: RestVertices | None, chain: Sequence[int], length: float) -> float:
    """The ground of the rest pose: under the skin, else the origin's height if the bones lie on or little over it."""
    skin = vertices.of(chain) if vertices is not None else ()
    if len(skin):
        return float(np.min(np.asarray(skin)[:, 2]))
    low = min(joint.z for joint in joints)
    return 0.0 if 0.0 <= low <= RESTS_OVER * length else low


def _root(outline: Outline, top: int, floor: float, length: float) -> int:
    """The topmost bone over the body that lies near the ground or is called a root; -1 without one."""
    for i in reversed(tuple(outline.skeleton.ancestors(top))):
        if outline.names[i].key in ROOT_NAMES or abs(outline.heads[i].z - floor) < RESTS_OVER * length:
            return i
    return -1
