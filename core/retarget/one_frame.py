"""One frame of a source moved to another rig, alone: what `transfer` says of it, at a fraction of a frame's time.

All that does not change from frame to frame is laid out once, over bones instead of over frames: which turns are read,
how they are mixed and reconciled, and for each point that is asked for the bones that carry it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from mathutils import Vector

from ..rig.rig import Rig
from ..space.quaternions import arcs, from_matrices, mixed, multiplied, to_matrices, turned, undone
from .parts import Chain, Joint, mover_of, unit_or_up
from .rest_matching import NO_TURN, Follow, Matching
from .transfer import SIDE, Scaling, hips_middle

# A chain or a line shorter than this (metres) has no direction.
NO_LENGTH = 1e-9


class Turned(NamedTuple):
    """Every bone of the target, turned: (bones, 4) wxyz from rest, model space, and the same as matrices (bones, 3, 3).

    `shift` (3,) is what the body, and all below it, is moved by then.
    """

    turns: np.ndarray
    matrices: np.ndarray
    shift: np.ndarray


class Points:
    """Points of a rest pose (model space) that hang on bones of a source or a target."""

    def __init__(self, joints: Sequence[tuple[int, Sequence[float]]]) -> None:
        self._bones = np.array([bone for bone, _ in joints], dtype=np.intp)
        self._points = np.array([tuple(point) for _, point in joints], dtype=np.float64).reshape(-1, 3, 1)

    def of(self, moved: np.ndarray) -> np.ndarray:
        """Where they are, (points, 3), on bones that are moved so from rest, (bones, 4, 4)."""
        motion = moved[self._bones]
        return np.asarray((motion[:, :3, :3] @ self._points)[..., 0] + motion[:, :3, 3])


class Carried:
    """Points of a target that hang on its bones, by the turns of all that carries them."""

    def __init__(self, rig: Rig, joints: Sequence[tuple[int, Sequence[float]]]) -> None:
        bones = rig.skeleton.bones
        heads = np.array([tuple(bone.head) for bone in bones], dtype=np.float64).reshape(-1, 3)
        chains = [[] if bone < 0 else [*rig.skeleton.ancestors(bone)][::-1] + [bone] for bone, _ in joints]
        mover = mover_of(rig)
        # Each step from joint to joint turns with the bone above it; the last one, to the point, with its own bone.
        steps: list[tuple[int, np.ndarray]] = []
        rows: list[list[int]] = []
        known: dict[int, int] = {}
        self._fixed = np.zeros((len(joints), 3))
        for k, (chain, (bone, point)) in enumerate(zip(chains, joints, strict=True)):
            row = []
            for i in chain:
                parent = bones[i].parent
                if parent >= 0 and i not in known:
                    known[i] = len(steps)
                    steps.append((parent, heads[i] - heads[parent]))
                row += [known[i]] if parent >= 0 else []
            if bone >= 0:
                row.append(len(steps))
                steps.append((bone, np.array(tuple(point), dtype=np.float64) - heads[bone]))
            self._fixed[k] = heads[chain[0]] if chain else tuple(point)
            rows.append(row)
        self._carriers = np.array([carrier for carrier, _ in steps], dtype=np.intp)
        self._steps = np.array([step for _, step in steps], dtype=np.float64).reshape(-1, 3, 1)
        self._sums = np.zeros((len(joints), len(steps)))
        for k, row in enumerate(rows):
            self._sums[k, row] = 1.0
        self._moves = np.array([[float(mover in chain)] for chain in chains]).reshape(-1, 1)

    def of(self, turned_bones: Turned) -> np.ndarray:
        """Where they are, (points, 3), model space."""
        matrices = turned_bones.matrices[self._carriers]
        steps = (matrices @ self._steps)[..., 0]
        return np.asarray(self._fixed + self._sums @ steps + self._moves * turned_bones.shift)


class FrameTransfer:
    """A source's frames moved to a target one by one, as a matching and a scaling say. Immutable."""

    def __init__(self, matching: Matching, scaling: Scaling) -> None:
        self.matching, self.scaling = matching, scaling
        source, target = matching.source, matching.target
        follows = [matching.follows[i] for i in sorted(matching.follows)]
        place = {follow.bone: k for k, follow in enumerate(follows)}
        self._lay_out_turns(follows)
        self._chords = [
            (np.array([place[i] for i in each.chain.bones]), _steps(each.chain), *_ends([each.ends]))
            for each in matching.chords
        ]
        bones = target.skeleton.bones
        anchors = []
        for i, bone in enumerate(bones):
            anchors.append(place[i] if i in place else (anchors[bone.parent] if bone.parent >= 0 else len(follows)))
        self._anchors = np.array(anchors, dtype=np.intp)
        self._theirs, self._ours = Points(_hips_of(source)), Carried(target, _carried_hips(target))

    def turned(self, moved: np.ndarray, floor: float) -> Turned:
        """The target's bones for a source whose bones are moved so from rest, (bones, 4, 4).

        Source and target are in the same plan; the source stands at the height `floor`, the target on its rest's.
        """
        found = self._turns(moved)
        for members, steps, points, rest in self._chords:
            whole = turned(found[members], steps).sum(axis=0)
            length = float(np.linalg.norm(whole))
            if length >= NO_LENGTH:
                turn = arcs(whole / length, _directions(points.of(moved), rest)[0], SIDE)
                found[members] = multiplied(turn, found[members])
        turns = np.concatenate([found, NO_TURN[None]])[self._anchors]
        matrices = to_matrices(turns)
        unmoved = Turned(turns, matrices, np.zeros(3))
        hips = self._theirs.of(moved).mean(axis=0) * [self.scaling.travel, self.scaling.travel, self.scaling.ratio]
        hips[:2] += self.scaling.shift
        hips[2] += self.matching.target.floor - self.scaling.ratio * floor
        return unmoved._replace(shift=hips - self._ours.of(unmoved).mean(axis=0))

    def _lay_out_turns(self, follows: Sequence[Follow]) -> None:
        read = sorted({j for follow in follows for j in (follow.low, follow.high)})
        row = {j: k for k, j in enumerate(read)}
        self._read = np.array(read, dtype=np.intp)
        self._low = np.array([row[follow.low] for follow in follows], dtype=np.intp)
        self._between = np.array([k for k, follow in enumerate(follows) if follow.low != follow.high], dtype=np.intp)
        self._high = np.array([row[follows[k].high] for k in self._between], dtype=np.intp)
        self._shares = np.array([follows[k].share for k in self._between], dtype=np.float64)
        self._rests = np.array([follow.rest for follow in follows], dtype=np.float64).reshape(-1, 4)
        led = [(k, f.line, f.ends) for k, f in enumerate(follows) if f.line is not None and f.ends is not None]
        self._led = np.array([k for k, _, _ in led], dtype=np.intp)
        self._lines = np.array([line for _, line, _ in led], dtype=np.float64).reshape(-1, 3)
        self._points, self._directions = _ends([ends for _, _, ends in led])

    def _turns(self, moved: np.ndarray) -> np.ndarray:
        """What each bone that follows is turned by, but for chains that are laid as a whole, (follows, 4)."""
        known = from_matrices(moved[self._read, :3, :3])
        found = known[self._low]
        if len(self._between):
            found[self._between] = mixed(found[self._between], known[self._high], self._shares)
        found = multiplied(found, self._rests)
        if len(self._led):
            wanted = _directions(self._points.of(moved), self._directions)
            found[self._led] = multiplied(arcs(turned(found[self._led], self._lines), wanted, SIDE), found[self._led])
        return found


class RestFrames:
    """A rig's bones at rest, to tell what a turn in model space is as channels."""

    def __init__(self, rig: Rig) -> None:
        bones = rig.skeleton.bones
        rests = np.array([bone.rest for bone in bones], dtype=np.float64).reshape(-1, 4, 4)
        self._own = from_matrices(rests[:, :3, :3])
        self._axes = rests[:, :3, :3]
        along = [bone.parent if bone.parent >= 0 and bone.inherit_rotation else len(bones) for bone in bones]
        self._parents = np.array(along, dtype=np.intp)

    def rotations(self, turned_bones: Turned) -> np.ndarray:
        """Basis rotations (bones, 4) of a turned target."""
        above = np.concatenate([turned_bones.turns, NO_TURN[None]])[self._parents]
        turn = multiplied(undone(above), turned_bones.turns)
        return multiplied(undone(self._own), multiplied(turn, self._own))

    def location(self, bone: int, shift: np.ndarray, turned_bones: Turned) -> tuple[float, float, float]:
        """A shift in model space as the basis location of a bone."""
        parent = int(self._parents[bone])
        if parent < len(self._own):
            shift = shift @ turned_bones.matrices[parent]
        x, y, z = (shift @ self._axes[bone]).tolist()
        return x, y, z


def _steps(chain: Chain) -> np.ndarray:
    """From joint to joint at rest, (bones, 3)."""
    return np.asarray(np.diff(chain.points, axis=0))


def _ends(pairs: Sequence[tuple[Joint, Joint]]) -> tuple[Points, np.ndarray]:
    """Pairs of joints as points, one after the other, and the direction of each pair at rest, (pairs, 3)."""
    rest = [unit_or_up(np.subtract(end.point, start.point)) for start, end in pairs]
    return Points([joint for pair in pairs for joint in pair]), np.array(rest, dtype=np.float64).reshape(-1, 3)


def _directions(places: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Unit vectors from the first of each two places to the second, as at rest where they are one."""
    between = places[1::2] - places[::2]
    length = np.linalg.norm(between, axis=-1, keepdims=True)
    known = length > NO_LENGTH
    return np.where(known, between / np.where(known, length, 1.0), rest)


def _hips_of(rig: Rig) -> list[tuple[int, Vector]]:
    """What the middle of a source's hips is the mean of."""
    if rig.legs:
        return [(leg.bones[0], leg.hip) for leg in rig.legs]
    return [(max(rig.body, 0), hips_middle(rig))]


def _carried_hips(rig: Rig) -> list[tuple[int, Vector]]:
    """What the middle of a target's hips is the mean of, on the bones that the legs hang on."""
    bones = rig.skeleton.bones
    if rig.legs:
        return [(bones[leg.bones[0]].parent, leg.hip) for leg in rig.legs]
    body = max(rig.body, 0)
    return [(body, bones[body].head)]
