"""One frame of a source moved to another rig, alone: what `transfer` says of it, at a fraction of a frame's time.

All that does not change from frame to frame is laid out once, over bones instead of over frames: which turns are read,
how they are mixed and reconciled, and for each point that is asked for the bones that carry it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, copysign, cos, pi, sin
from typing import NamedTuple

import numpy as np
from mathutils import Vector

from ..rig.rig import Leg, Rig
from ..space.quaternions import OPPOSITE, arcs, crossed, from_matrices, mixed, to_matrices, turned, undone
from .foot_pitch import WHOLE, pitch_shares
from .parts import mover_of, unit_or_up
from .rest_matching import Follow, Matching
from .transfer import SIDE, Scaling, hips_middle

# A chain or a line shorter than this (metres) has no direction.
NO_LENGTH = 1e-9


Point = Vector | tuple[float, float, float]


class Turned(NamedTuple):
    """Every bone of the target, turned from rest in model space, (bones, 3, 3).

    `shift` (3,) is what the body, and all below it, is moved by then.
    """

    matrices: np.ndarray
    shift: np.ndarray


class Points:
    """Points of a rest pose (model space) that hang on bones of a source or a target."""

    def __init__(self, joints: Sequence[tuple[int, Point]]) -> None:
        self._bones = np.array([bone for bone, _ in joints], dtype=np.intp)
        self._points = np.array([tuple(point) for _, point in joints], dtype=np.float64).reshape(-1, 3, 1)

    def of(self, moved: np.ndarray) -> np.ndarray:
        """Where they are, (points, 3), on bones that are moved so from rest, (bones, 4, 4)."""
        motion = moved[self._bones]
        return np.asarray((motion[:, :3, :3] @ self._points)[..., 0] + motion[:, :3, 3])


class Carried:
    """Points of a target that hang on its bones, by the turns of all that carries them.

    A foot that hangs on no leg is taken to be at the end of its own.
    """

    def __init__(self, rig: Rig, joints: Sequence[tuple[int, Point]]) -> None:
        bones = rig.skeleton.bones
        heads = np.array([tuple(bone.head) for bone in bones], dtype=np.float64).reshape(-1, 3)
        parents = [bone.parent for bone in bones]
        for leg in rig.legs:
            if leg.detached and leg.foot >= 0:
                parents[leg.foot], heads[leg.foot] = leg.bones[-1], tuple(leg.tip)
        chains = [_down_to(parents, bone) for bone, _ in joints]
        mover = mover_of(rig)
        # Each step from joint to joint turns with the bone above it; the last one, to the point, with its own bone.
        steps: list[tuple[int, np.ndarray]] = []
        rows: list[list[int]] = []
        known: dict[int, int] = {}
        self._fixed = np.zeros((len(joints), 3))
        for k, (chain, (bone, point)) in enumerate(zip(chains, joints, strict=True)):
            row = []
            for i in chain:
                parent = parents[i]
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


def _down_to(parents: Sequence[int], bone: int) -> list[int]:
    """The bones from the topmost one to this one."""
    chain = []
    while bone >= 0:
        chain.append(bone)
        bone = parents[bone]
    return chain[::-1]


class FrameTransfer:
    """A source's frames moved to a target one by one, as a matching and a scaling say. Immutable.

    Turns are matrices here: of few bones numpy multiplies them in a tenth of the time that quaternions take.
    """

    def __init__(self, matching: Matching, scaling: Scaling) -> None:
        self.matching, self.scaling = matching, scaling
        self._lay_out_turns([matching.follows[i] for i in sorted(matching.follows)])
        bones, target = matching.target.skeleton.bones, matching.target
        place = {i: k for k, i in enumerate(sorted(matching.follows))}
        anchors: list[int] = []
        for i, bone in enumerate(bones):
            anchors.append(place[i] if i in place else (anchors[bone.parent] if bone.parent >= 0 else len(place)))
        self._anchors = np.array(anchors, dtype=np.intp)
        self._ours = Carried(target, _carried_hips(target))
        ratio, travel = scaling.ratio, scaling.travel
        self._ways = np.array([travel, travel, ratio])
        self._shift = np.array([*scaling.shift, target.floor])

    def turned(self, moved: np.ndarray, floor: float) -> Turned:
        """The target's bones for a source whose bones are moved so from rest, (bones, 4, 4).

        Source and target are in the same plan; the source stands at the height `floor`, the target on its rest's.
        """
        places = self._points.of(moved)
        found = self._turns(moved)
        led, count = len(self._led), len(self._rest)
        starts = (found[self._starters] @ self._lines)[..., 0]
        turns = _arcs(starts, _directions(places[: 2 * count], self._rest))
        found[self._led] = turns[:led] @ found[self._led]
        if count > led:
            self._lay_chords(found, turns[led:])
        matrices = found[self._anchors]
        unmoved = Turned(matrices, np.zeros(3))
        hips = places[2 * count :].mean(axis=0) * self._ways + self._shift
        hips[2] -= self.scaling.ratio * floor
        return Turned(matrices, hips - self._ours.of(unmoved).mean(axis=0))

    def _lay_chords(self, found: np.ndarray, turns: np.ndarray) -> None:
        """Turn chains as a whole, in place, so that their ends lie as the source's do, whose lines turn so."""
        wanted = (turns @ (found[self._middles] @ self._chords))[..., 0]
        whole = self._sums @ (found[self._members] @ self._steps)[..., 0]
        length = np.linalg.norm(whole, axis=-1, keepdims=True)
        whole = np.where(length >= NO_LENGTH, whole / np.where(length >= NO_LENGTH, length, 1.0), wanted)
        found[self._members] = _arcs(whole, wanted)[self._chord_of] @ found[self._members]

    def _lay_out_turns(self, follows: Sequence[Follow]) -> None:
        """Which turns are read, how they are mixed, and what reconciles them."""
        read = sorted({j for follow in follows for j in (follow.low, follow.high)})
        row = {j: k for k, j in enumerate(read)}
        self._read = np.array(read, dtype=np.intp)
        self._low = np.array([row[follow.low] for follow in follows], dtype=np.intp)
        self._between = np.array([k for k, follow in enumerate(follows) if follow.low != follow.high], dtype=np.intp)
        self._high = np.array([row[follows[k].high] for k in self._between], dtype=np.intp)
        self._shares = np.array([follows[k].share for k in self._between], dtype=np.float64)
        self._rests = to_matrices(np.array([follow.rest for follow in follows], dtype=np.float64).reshape(-1, 4))
        fits = [(theirs, ours) for theirs, ours in self.matching.feet if ours.foot in self.matching.follows]
        place = {follow.bone: k for k, follow in enumerate(follows)}
        self._pitches = [fit for pair in fits if (fit := _Fit.of(place[pair[1].foot], *pair)) is not None]
        self._lay_out_lines(follows, place)

    def _lay_out_lines(self, follows: Sequence[Follow], place: dict[int, int]) -> None:
        """Which bones are then brought along a line: one alone, or a chain as a whole."""
        led = [(k, f.line, f.ends) for k, f in enumerate(follows) if f.line is not None and f.ends is not None]
        chords = self.matching.chords
        pairs = [ends for _, _, ends in led] + [chord.ends for chord in chords]
        rest = [unit_or_up(np.subtract(end.point, start.point)) for start, end in pairs]
        self._rest = np.array(rest, dtype=np.float64).reshape(-1, 3)
        # A chain is told by its middle bone how the source's line is turned; that is reconciled with its own first.
        middles = [place[each.chain.bones[len(each.chain.bones) // 2]] for each in chords]
        lines = [line for _, line, _ in led]
        lines += [turned(undone(each.rest), line) for each, line in zip(chords, rest[len(led) :], strict=True)]
        self._led = np.array([k for k, _, _ in led], dtype=np.intp)
        self._middles = np.array(middles, dtype=np.intp)
        self._starters = np.array([*(k for k, _, _ in led), *middles], dtype=np.intp)
        self._lines = np.array(lines, dtype=np.float64).reshape(-1, 3, 1)
        self._chords = np.array([each.chain.direction for each in chords], dtype=np.float64).reshape(-1, 3, 1)
        self._members = np.array([place[i] for each in chords for i in each.chain.bones], dtype=np.intp)
        steps = [step for each in chords for step in np.diff(each.chain.points, axis=0)]
        self._steps = np.array(steps, dtype=np.float64).reshape(-1, 3, 1)
        self._chord_of = np.array([k for k, each in enumerate(chords) for _ in each.chain.bones], dtype=np.intp)
        self._sums = np.zeros((len(chords), len(self._members)))
        self._sums[self._chord_of, np.arange(len(self._members))] = 1.0
        self._points = Points([*(joint for pair in pairs for joint in pair), *_hips_of(self.matching.source)])

    def _turns(self, moved: np.ndarray) -> np.ndarray:
        """What each bone that follows is turned by before it is brought along a line, (follows + 1, 3, 3): the last
        one is for bones that follow nothing.
        """
        known = moved[self._read, :3, :3]
        known = known / np.linalg.norm(known, axis=1, keepdims=True)
        found = np.empty((len(self._low) + 1, 3, 3))
        found[:-1] = known[self._low]
        if len(self._between):
            both = from_matrices(np.concatenate([found[self._between], known[self._high]]))
            low, high = both[: len(self._shares)], both[len(self._shares) :]
            found[self._between] = to_matrices(mixed(low, high, self._shares))
        found[:-1] = found[:-1] @ self._rests
        found[-1] = np.identity(3)
        for fit in self._pitches:
            found[fit.place] = _fitted(found[fit.place], fit)
        return found


class RestFrames:
    """A rig's bones at rest, to tell what a turn in model space is as channels."""

    def __init__(self, rig: Rig) -> None:
        bones = rig.skeleton.bones
        rests = np.array([bone.rest for bone in bones], dtype=np.float64).reshape(-1, 4, 4)
        self._axes = rests[:, :3, :3] / np.linalg.norm(rests[:, :3, :3], axis=1, keepdims=True)
        self._back = np.ascontiguousarray(self._axes.transpose(0, 2, 1))
        along = [bone.parent if bone.parent >= 0 and bone.inherit_rotation else len(bones) for bone in bones]
        self._parents = np.array(along, dtype=np.intp)

    def rotations(self, turned_bones: Turned) -> np.ndarray:
        """Basis rotations (bones, 4) of a turned target."""
        above = np.concatenate([turned_bones.matrices, np.identity(3)[None]])[self._parents]
        turn = above.transpose(0, 2, 1) @ turned_bones.matrices
        return from_matrices(self._back @ turn @ self._axes)

    def location(self, bone: int, shift: np.ndarray, turned_bones: Turned) -> tuple[float, float, float]:
        """A shift in model space as the basis location of a bone."""
        parent = int(self._parents[bone])
        if parent < len(self._axes):
            shift = shift @ turned_bones.matrices[parent]
        x, y, z = (shift @ self._axes[bone]).tolist()
        return x, y, z


class _Fit(NamedTuple):
    """A foot whose pitch is fitted to its length: its place among what follows, the unit vectors ahead and to the side
    of its sole at rest, (3,), and the shares by which it tilts, with its toes up and with its heel up.
    """

    place: int
    ahead: np.ndarray
    side: np.ndarray
    shares: tuple[float, float]

    @classmethod
    def of(cls, place: int, theirs: Leg, ours: Leg) -> _Fit | None:
        """The foot, if its pitch changes."""
        line = np.array(ours.sole.ball - ours.sole.heel, dtype=np.float64) * [1.0, 1.0, 0.0]
        length, shares = float(np.linalg.norm(line)), pitch_shares(theirs, ours)
        if length < 1e-6 or shares == (1.0, 1.0):
            return None
        return cls(place, line / length, np.array([-line[1], line[0], 0.0]) / length, shares)


def _fitted(turn: np.ndarray, fit: _Fit) -> np.ndarray:
    """A foot's turn with the pitch that suits its length, as `fitted_pitch` has it."""
    (ax, ay, az), (x, y, z) = (turn @ fit.ahead).tolist(), (turn @ fit.side).tolist()
    tilt = asin(min(1.0, max(-1.0, az)))
    size = abs(tilt)
    lessened = size if size <= WHOLE else WHOLE * (0.5 * pi - size) / (0.5 * pi - WHOLE)
    angle = copysign((1.0 - fit.shares[0 if tilt > 0.0 else 1]) * lessened, tilt)
    c, s = cos(angle), sin(-angle if x * ay - y * ax > 0.0 else angle)
    # The turn about the side axis by that angle, after O. Rodrigues.
    u = 1.0 - c
    about = (
        (c + u * x * x, u * x * y - s * z, u * x * z + s * y),
        (u * x * y + s * z, c + u * y * y, u * y * z - s * x),
        (u * x * z - s * y, u * y * z + s * x, c + u * z * z),
    )
    return np.asarray(np.array(about) @ turn)


def _arcs(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The smallest turns from unit vectors to others, (..., 3, 3): what `arcs` says, in a third of its time."""
    cosine = np.sum(start * end, axis=-1)
    if cosine.min(initial=1.0) <= OPPOSITE:
        return to_matrices(arcs(start, end, SIDE))
    across = crossed(start, end)
    turn: np.ndarray = across[:, :, None] * (across / (1.0 + cosine)[:, None])[:, None, :]
    turn[:, [0, 1, 2], [0, 1, 2]] += cosine[:, None]
    turn[:, [1, 2, 0], [2, 0, 1]] -= across
    turn[:, [2, 0, 1], [1, 2, 0]] += across
    return turn


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
