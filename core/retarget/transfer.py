"""A clip moved to another rig: the target's bones turned as its matching says, its body where the source's is.

All is scaled about one point, the world's origin at the height of the source's floor: the height of the hips, and their
way over the ground as the steps are. So a source and a target stand on the same floor, unless they are so unlike
in size that one of them must be in other units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from mathutils import Vector

from ..motion.clip import Clip, by_bone
from ..rig.rig import Rig
from ..space.quaternions import arcs, from_matrices, mixed, multiplied, to_matrices, turned, undone
from .foot_pitch import fitted_pitch
from .parts import Joint, mover_of, unit_or_up
from .rest_matching import NO_TURN, Chord, Follow, Matching, Rests

# One body is so many times as large as another at most.
OTHER_UNITS = 4.0
SIDE = np.array([1.0, 0.0, 0.0])


class Scaling(NamedTuple):
    """How the source's places become the target's: `ratio` up, and over the ground `travel` after which `shift` (2,) is
    added. `floor` and `ground` are the heights that source and target stand on, world.
    """

    ratio: float
    travel: float
    shift: np.ndarray
    floor: float
    ground: float


def scaling_of(source: Rig, target: Rig, floor: float, rests: Rests = "DIRECTIONS", *, kept: bool = False) -> Scaling:
    """The scaling between two rigs; `kept`: the way over the ground is not scaled.

    Where the legs take the source's directions, they are as much bent as its own, and their stretched lengths compare;
    where rest becomes rest, the heights of the hips at rest do. The way over the ground goes with the steps where those
    are shorter still: a step that is too short bends a knee a little more, one that is too long is out of reach.
    """
    pairs = [[measure(rig) for rig in (source, target)] for measure in (legs_reach, hips_height, steps_reach)]
    reach, height, steps = (ours / theirs if min(theirs, ours) > 0.0 else 0.0 for theirs, ours in pairs)
    directions = rests == "DIRECTIONS"
    ratio = (reach if directions else 0.0) or height or 1.0
    travel = 1.0 if kept else min(ratio, (steps if directions else 0.0) or ratio)
    middles = [np.array(hips_middle(rig).to_2d(), dtype=np.float64) for rig in (source, target)]
    # Bodies that differ so much are in other units, and so is the height of the floor.
    ground = floor if 1.0 / OTHER_UNITS <= ratio <= OTHER_UNITS else floor * ratio
    return Scaling(ratio, travel, middles[1] - travel * middles[0], floor, ground)


def hips_middle(rig: Rig) -> Vector:
    """The middle of all hips at rest; of a rig without legs its body's joint, or its first bone's."""
    if rig.legs:
        return sum((leg.hip for leg in rig.legs), Vector((0.0, 0.0, 0.0))) / len(rig.legs)
    return rig.skeleton.bones[max(rig.body, 0)].head


def hips_height(rig: Rig) -> float:
    """How high the hips are over the floor at rest."""
    return float(hips_middle(rig).z) - rig.floor


def transfer(clip: Clip, matching: Matching, scaling: Scaling) -> Clip:
    """The clip on the matching's target. Bones that follow nothing keep their rest under their parents."""
    target = matching.target
    turns = _turns(clip, matching)
    matrices = to_matrices(turns)
    heads = np.array([tuple(bone.head) for bone in target.skeleton.bones])
    places = _places(target, matrices, heads, len(clip))
    _put_body(clip, target, matching.source, matrices, heads, places, scaling)
    _put_root(clip, matching, places, scaling)
    _put_detached(target, matrices, heads, places)
    moved = by_bone(len(clip), len(heads))
    moved[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    moved[..., :3, :3] = matrices.transpose(1, 0, 2, 3)
    moved[..., :3, 3] = (places - np.einsum("bfij,bj->bfi", matrices, heads)).transpose(1, 0, 2)
    return Clip(target, clip.fps, moved)


def _turns(clip: Clip, matching: Matching) -> np.ndarray:
    """Every target bone's turn from rest in the world, (bones, F, 4)."""
    used = sorted({j for follow in matching.follows.values() for j in (follow.low, follow.high)})
    known = from_matrices(np.ascontiguousarray(clip.moved[:, used, :3, :3].transpose(1, 0, 2, 3)))
    source = dict(zip(used, known, strict=True))
    found = {follow.bone: _followed(clip, source, follow) for follow in matching.follows.values()}
    for theirs, ours in matching.feet:
        found[ours.foot] = fitted_pitch(found[ours.foot], theirs, ours)
    for chord in matching.chords:
        _lay_chord(clip, found, chord)
    bones = matching.target.skeleton.bones
    turns = np.empty((len(bones), len(clip), 4))
    for i, bone in enumerate(bones):
        turns[i] = found[i] if i in found else (turns[bone.parent] if bone.parent >= 0 else NO_TURN)
    return turns


def _followed(clip: Clip, source: dict[int, np.ndarray], follow: Follow) -> np.ndarray:
    """One bone's turn from rest, (F, 4)."""
    turn = source[follow.low]
    if follow.low != follow.high:
        turn = mixed(turn, source[follow.high], follow.share)
    turn = multiplied(turn, follow.rest)
    if follow.line is None or follow.ends is None:
        return turn
    wanted = _direction(clip, follow.ends)
    return multiplied(arcs(turned(turn, follow.line), wanted, SIDE), turn)


def _lay_chord(clip: Clip, found: dict[int, np.ndarray], chord: Chord) -> None:
    """Turn a chain as a whole, so that its ends lie as the source's do."""
    bones, points = chord.chain.bones, chord.chain.points
    whole = sum(turned(found[i], points[k + 1] - points[k]) for k, i in enumerate(bones))
    lengths = np.linalg.norm(whole, axis=-1, keepdims=True)
    if float(np.min(lengths)) < 1e-9:
        return
    theirs = multiplied(found[bones[len(bones) // 2]], undone(chord.rest))
    line = unit_or_up(np.subtract(chord.ends[1].point, chord.ends[0].point))
    theirs = multiplied(arcs(turned(theirs, line), _direction(clip, chord.ends), SIDE), theirs)
    wanted = turned(multiplied(theirs, chord.rest), chord.chain.direction)
    turn = arcs(np.asarray(whole / lengths), wanted, SIDE)
    for i in bones:
        found[i] = multiplied(turn, found[i])


def _direction(clip: Clip, ends: tuple[Joint, Joint]) -> np.ndarray:
    """From one point of the source to another, (F, 3) of length 1."""
    between = _place(clip, ends[1]) - _place(clip, ends[0])
    length = np.linalg.norm(between, axis=-1, keepdims=True)
    rest = unit_or_up(np.subtract(ends[1].point, ends[0].point))
    return np.where(length > 1e-9, between / np.where(length > 1e-9, length, 1.0), rest)


def _place(clip: Clip, joint: Joint) -> np.ndarray:
    return clip.place(joint.bone, Vector(joint.point))


def _places(target: Rig, matrices: np.ndarray, heads: np.ndarray, count: int) -> np.ndarray:
    """Each bone's joint, (bones, F, 3), with what has no parent at its place at rest."""
    places = np.empty((len(heads), count, 3))
    for i, bone in enumerate(target.skeleton.bones):
        if bone.parent < 0:
            places[i] = heads[i]
        else:
            places[i] = places[bone.parent] + matrices[bone.parent] @ (heads[i] - heads[bone.parent])
    return places


def _put_body(
    clip: Clip,
    target: Rig,
    source: Rig,
    matrices: np.ndarray,
    heads: np.ndarray,
    places: np.ndarray,
    scaling: Scaling,
) -> None:
    """Shift the body and all below it so that the hips are where the source's are, scaled."""
    body, mover = max(target.body, 0), mover_of(target)
    if target.legs:
        carriers = [target.skeleton.bones[leg.bones[0]].parent for leg in target.legs]
        hips = [np.array(leg.hip) for leg in target.legs]
        own = np.mean([_under(i, hip, matrices, heads, places) for i, hip in zip(carriers, hips, strict=True)], axis=0)
    else:
        own = places[body]
    if source.legs:
        theirs = np.mean([clip.place(leg.bones[0], leg.hip) for leg in source.legs], axis=0)
    else:
        theirs = clip.place(max(source.body, 0), hips_middle(source))
    below = [mover, *target.skeleton.below[mover]]
    places[below] += _scaled(theirs, scaling) - own


def _put_root(clip: Clip, matching: Matching, places: np.ndarray, scaling: Scaling) -> None:
    """The root goes where the source's root goes, and what hangs on it beside the body goes along."""
    target, source = matching.target, matching.source
    mover = mover_of(target)
    moves_along = {mover, *target.skeleton.below[mover]}
    if target.root not in matching.follows or target.root in moves_along:
        return
    head = source.skeleton.bones[source.root].head
    shift = clip.place(source.root, head) - np.array(head)
    shift *= [scaling.travel, scaling.travel, scaling.ratio]
    along = [i for i in (target.root, *target.skeleton.below[target.root]) if i not in moves_along]
    places[along] += shift


def _scaled(places: np.ndarray, scaling: Scaling) -> np.ndarray:
    result = places * [scaling.travel, scaling.travel, scaling.ratio]
    result[:, :2] += scaling.shift
    result[:, 2] += scaling.ground - scaling.ratio * scaling.floor
    return np.asarray(result)


def _put_detached(target: Rig, matrices: np.ndarray, heads: np.ndarray, places: np.ndarray) -> None:
    """Feet that hang under a root go to the ends of their legs."""
    for leg in target.legs:
        if not leg.detached or leg.foot < 0:
            continue
        tip = _under(leg.bones[-1], np.array(leg.tip), matrices, heads, places)
        at_rest = matrices[leg.foot] @ (heads[leg.foot] - np.array(leg.tip))
        below = [leg.foot, *target.skeleton.below[leg.foot]]
        places[below] += tip + at_rest - places[leg.foot]


def _under(bone: int, point: np.ndarray, matrices: np.ndarray, heads: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Where a point of the rest pose is that hangs on a bone, (F, 3)."""
    if bone < 0:
        return np.broadcast_to(point, places[0].shape)
    return np.asarray(places[bone] + matrices[bone] @ (point - heads[bone]))


def legs_reach(rig: Rig) -> float:
    """How high the hips could be over the floor: the mean leg stretched, and its foot under it."""
    reaches = [sum(leg.lengths) + max(0.0, float(leg.tip.z) - rig.floor) for leg in rig.legs]
    return float(np.mean(reaches)) if reaches else 0.0


def steps_reach(rig: Rig) -> float:
    """What a step goes with: the mean leg stretched, that swings over its foot, and the sole that rolls from its heel
    to its ball.
    """
    reaches = [sum(leg.lengths) + float((leg.sole.ball - leg.sole.heel).to_2d().length) for leg in rig.legs]
    return float(np.mean(reaches)) if reaches else 0.0
