"""Which bone of a target follows which of a source, and how two rest poses are reconciled.

Both rigs stand upright and face -Y, so a bone's turn from its rest pose means the same on both, whatever axes and rolls
its bones have. What is left is that they rest in different poses (A, T, arms down, a star). Where a rest pose differs
is told by the directions between joints: a limb's target segment is first laid along the source's rest direction, by
the smallest turn in front of what its parent was turned by, and then takes the source's turn from rest. So a limb
points where the source's does, at every frame, and its twist is the source's change of twist. At its rest the source
puts the target into the source's rest directions; where both rests have the same directions that is the target's rest.

- legs and arms: by direction, with twist;
- back and neck: all bones by one direction from end to end, so that each keeps the curve that it rests in; the
  source's turns are spread over them by arc length. Where the joints of an upright back lie in the body differs from
  rig to rig, so a smaller difference of its lines at rest is left as it is: only a larger one is a pose. Not so a neck:
  captured skeletons rest with theirs upright, and nobody holds it so;
- pelvis, head and shoulders: by their turn from rest alone. A pelvis and a head have no joints that show a direction,
  but both rest level and look ahead;
- hands and fingers keep to their forearm as at rest, toes to their foot; feet head where the source's do, and stay
  flat.

With `MATCH` nothing is reconciled: rest becomes rest, and all bones take turns from rest alone. So they do from two
poses that are given as alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from ..rig.rig import Arm, Leg, Rig
from ..space.quaternions import arcs, from_matrices, mixed, multiplied, part_of, turned, undone
from .parts import Chain, Joint, arm_chain, finger_chains, leg_chain, tail_chains, trunk_chains

Rests = Literal["DIRECTIONS", "MATCH"]
NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])
UP = np.array([0.0, 0.0, 1.0])
FORWARD = np.array([0.0, -1.0, 0.0])
# The lines of two upright backs differ by so much (radians) since their joints lie elsewhere in the body: up to the
# first nothing of it is a pose, from the second on all.
DRAWN_APART = (math.radians(12.0), math.radians(20.0))
# A sole steeper than this at rest does not stand: its rest pose says nothing of the floor (sine).
FLAT = 0.45


class Follow(NamedTuple):
    """How one target bone follows: the source's turn from rest (between two bones at a `share`), in front of `rest`,
    a turn (w, x, y, z) that lays the target's rest along the source's. With `ends`, its direction at rest `line` is
    brought along theirs at last.
    """

    bone: int
    low: int
    high: int
    share: float
    rest: np.ndarray
    line: np.ndarray | None = None
    ends: tuple[Joint, Joint] | None = None


class Chord(NamedTuple):
    """A chain of the target whose ends lie as those of the source's do: where the source's line at rest is turned to,
    there goes this one's, once `rest` has reconciled it.
    """

    chain: Chain
    ends: tuple[Joint, Joint]
    rest: np.ndarray


class Matched(NamedTuple):
    """One line of the report: a role, the target's bones, the source's bones that they follow, and how."""

    role: str
    target: tuple[str, ...]
    source: tuple[str, ...]
    how: Literal["DIRECTION", "TURN", "CHAIN", "NAME", "HAND"]


class Stayed(NamedTuple):
    """A target bone that keeps its rest under its parent, and why."""

    bone: str
    reason: str


@dataclass
class Matching:
    """What follows what: `follows` in no order, at most one for a bone. `feet`: legs of source and target whose feet
    tilt as suits their length.
    """

    source: Rig
    target: Rig
    follows: dict[int, Follow] = field(default_factory=dict)
    chords: list[Chord] = field(default_factory=list)
    feet: list[tuple[Leg, Leg]] = field(default_factory=list)
    matched: list[Matched] = field(default_factory=list)
    stayed: list[Stayed] = field(default_factory=list)
    unused: tuple[str, ...] = ()


def match_rests(source: Rig, target: Rig, rests: Rests = "DIRECTIONS") -> Matching:
    """Match every bone of a target with what it follows of a source; the rest is listed with the reason."""
    matcher = _Matcher(Matching(source, target), absolute=rests == "DIRECTIONS")
    matcher.trunk()
    for leg in target.legs:
        matcher.leg(leg)
    for arm in target.arms:
        matcher.arm(arm)
    matcher.tails()
    matcher.same_names()
    matcher.list_the_rest()
    return matcher.found


class Reference(NamedTuple):
    """Two poses that are the same one: how each bone of source and target is moved from rest, (bones, 4, 4) each."""

    source: np.ndarray
    target: np.ndarray


def match_poses(matching: Matching, reference: Reference) -> Matching:
    """The same pairs, reconciled by two poses that somebody set to be alike, instead of by rest directions."""
    theirs, ours = (from_matrices(poses[:, :3, :3]) for poses in reference)
    follows = {}
    for i, follow in matching.follows.items():
        turn = mixed(theirs[follow.low], theirs[follow.high], follow.share)
        follows[i] = Follow(i, follow.low, follow.high, follow.share, multiplied(undone(turn), ours[i]))
    return replace(matching, follows=follows, chords=[], feet=[])


@dataclass
class _Matcher:
    found: Matching
    absolute: bool
    missing: dict[int, str] = field(default_factory=dict)

    def trunk(self) -> None:
        source, target = self.found.source, self.found.target
        if target.root >= 0 and source.root >= 0:
            self._follow("root", target.root, source.root)
        if target.body >= 0 and source.body >= 0 and target.body != target.pelvis:
            self._follow("body", target.body, source.body)
        if target.pelvis >= 0 and max(source.pelvis, source.body) >= 0:
            self._follow("pelvis", target.pelvis, source.pelvis if source.pelvis >= 0 else source.body)
        chains = trunk_chains(source, target)
        for role, theirs, ours in chains:
            self._trunk_chain(role, theirs, ours, ends=len(chains) == 2)
        if not chains:
            self._miss((*target.spine, *target.neck), "the source has no spine that was understood")
        if target.head >= 0 and source.head >= 0:
            self._follow("head", target.head, source.head)
        self._miss((target.head,), "the source has no head that was understood")

    def leg(self, leg: Leg) -> None:
        theirs = next((each for each in self.found.source.legs if each.role == leg.role), None)
        if theirs is None:
            names = (*leg.bones, leg.foot, *leg.toes)
            self._miss(names, f"the source has no leg that is its {leg.role}")
            return
        self._limb(leg.role, leg_chain(theirs), leg_chain(leg), NO_TURN)
        if leg.foot < 0:
            return
        rest = _sole_turn(theirs, leg) if self.absolute else NO_TURN
        carrier = theirs.foot if theirs.foot >= 0 else theirs.bones[-1]
        self._follow(f"{leg.role} foot", leg.foot, carrier, rest)
        if self.absolute and theirs.foot >= 0:
            self.found.feet.append((theirs, leg))
        self._in_order(f"{leg.role} toes", theirs.toes, leg.toes, rest)
        self._miss(leg.toes, "the source has no toes on this foot; they are kept flat while it rolls over them")

    def arm(self, arm: Arm) -> None:
        source, target = self.found.source, self.found.target
        theirs = next((each for each in source.arms if each.side == arm.side), None)
        fingers = finger_chains(target, arm)
        if theirs is None:
            names = (arm.shoulder, *arm.bones, arm.hand, *(i for chain in fingers.values() for i in chain))
            self._miss(names, "the source has no arm on this side")
            return
        trunk = next((f.rest for f in (self.found.follows.get(i) for i in target.spine[-1:]) if f), NO_TURN)
        if arm.shoulder >= 0 and theirs.shoulder >= 0:
            self._follow(f"shoulder.{arm.side}", arm.shoulder, theirs.shoulder, trunk)
        self._miss((arm.shoulder,), "the source has no shoulder bone on this side; the arm points as the source's does")
        rest = self._limb(f"arm.{arm.side}", arm_chain(source, theirs), arm_chain(target, arm), trunk)
        if arm.hand >= 0 and theirs.hand >= 0:
            self._follow(f"hand.{arm.side}", arm.hand, theirs.hand, rest)
        self._miss((arm.hand,), "the source has no hand on this side")
        known = finger_chains(source, theirs)
        for name, chain in fingers.items():
            self._in_order(f"{name}.{arm.side}", known.get(name, ()), chain, rest)
            self._miss(chain, "the source has no such finger, or fewer joints in it")

    def tails(self) -> None:
        theirs, ours = tail_chains(self.found.source), tail_chains(self.found.target)
        for k, chain in enumerate(ours):
            if k < len(theirs):
                self._spread(f"tail{k + 1}" if k else "tail", theirs[k], chain, NO_TURN, ends=True)
            self._miss(chain.bones, "the source has no such tail")

    def same_names(self) -> None:
        """What has no role follows what has the same name, under parents that follow already."""
        source, target = self.found.source.skeleton, self.found.target.skeleton
        used = {j for follow in self.found.follows.values() for j in (follow.low, follow.high)}
        for i, bone in enumerate(target.bones):
            j = source.index.get(bone.name, -1)
            if i in self.found.follows or j < 0 or j in used or i in self.missing:
                continue
            above = next((k for k in target.ancestors(i) if k in self.found.follows), -1)
            if above >= 0:
                self._follow("", i, j, self.found.follows[above].rest, how="NAME")

    def list_the_rest(self) -> None:
        bones = self.found.target.skeleton.bones
        for i, bone in enumerate(bones):
            if i not in self.found.follows:
                reason = self.missing.get(i, "it has no role that is known, and the source no bone of its name")
                self.found.stayed.append(Stayed(bone.name, reason))
        used = {j for follow in self.found.follows.values() for j in (follow.low, follow.high)}
        names = [bone.name for j, bone in enumerate(self.found.source.skeleton.bones) if j not in used]
        self.found.unused = tuple(names)

    def _trunk_chain(self, role: str, theirs: Chain, ours: Chain, *, ends: bool) -> None:
        rest = NO_TURN
        if self.absolute:
            rest = arcs(ours.direction, theirs.direction, FORWARD)
            rest = _posed_apart(rest) if role == "spine" else rest
            self.found.chords.append(Chord(ours, (theirs.joints[0], theirs.joints[-1]), rest))
        self._spread(role, theirs, ours, rest, ends=ends)

    def _limb(self, role: str, theirs: Chain, ours: Chain, rest: np.ndarray) -> np.ndarray:
        """Each segment by its direction; gives the turn that reconciles the rest of the last one."""
        alike = len(theirs.bones) == len(ours.bones)
        for k, bone in enumerate(ours.bones):
            if alike:
                carrier, joints = theirs.bones[k], (theirs.joints[k], theirs.joints[k + 1])
            else:
                carrier = theirs.bones[_bone_at(theirs, ours.middles[k])]
                joints = (_joint_at(theirs, ours.shares[k]), _joint_at(theirs, ours.shares[k + 1]))
            if not self.absolute:
                self.found.follows[bone] = Follow(bone, carrier, carrier, 0.0, NO_TURN)
                continue
            line, wanted = ours.points[k + 1] - ours.points[k], np.subtract(joints[1].point, joints[0].point)
            lengths = float(np.linalg.norm(line)), float(np.linalg.norm(wanted))
            if min(lengths) > 1e-6:
                line, wanted = line / lengths[0], wanted / lengths[1]
                rest = multiplied(arcs(turned(rest, line), wanted, FORWARD), rest)
                self.found.follows[bone] = Follow(bone, carrier, carrier, 0.0, rest, line, joints)
            else:
                self.found.follows[bone] = Follow(bone, carrier, carrier, 0.0, rest)
        self._note(role, ours.bones, theirs.bones, "DIRECTION" if self.absolute else "TURN")
        return rest

    def _spread(self, role: str, theirs: Chain, ours: Chain, rest: np.ndarray, *, ends: bool) -> None:
        """The source chain's turns over the target's bones by arc length; `ends`: the first and last are each other's.

        A single bone of the source is spread from the bone under the chain on; a single one of the target is the last.
        """
        at, places = theirs.middles, ours.middles
        known = list(theirs.bones)
        if len(known) == 1:
            under = self.found.source.skeleton.bones[known[0]].parent
            known = [under if under >= 0 else known[0], *known]
            at, places = np.array([0.0, 1.0]), (np.arange(len(places)) + 1.0) / len(places)
        elif len(places) == 1:
            places = at[-1:]
        elif ends:
            places = at[0] + (places - places[0]) * (at[-1] - at[0]) / max(places[-1] - places[0], 1e-9)
        for bone, place in zip(ours.bones, places.tolist(), strict=True):
            k = int(np.clip(np.searchsorted(at, place, side="right") - 1, 0, len(at) - 2))
            share = float(np.clip((place - at[k]) / max(at[k + 1] - at[k], 1e-9), 0.0, 1.0))
            low, high = (known[k], known[k + 1]) if 0.0 < share < 1.0 else (known[k + (share > 0.0)],) * 2
            self.found.follows[bone] = Follow(bone, low, high, share, rest)
        self._note(role, ours.bones, theirs.bones, "CHAIN")

    def _in_order(self, role: str, theirs: Sequence[int], ours: Sequence[int], rest: np.ndarray) -> None:
        """Bone by bone from the root of a chain on; of a longer source the last one leads the last one."""
        if not theirs or not ours:
            return
        last = min(len(ours), len(theirs)) - 1
        for k, bone in enumerate(ours[: last + 1]):
            carrier = theirs[-1] if k == last and len(theirs) > len(ours) else theirs[k]
            self.found.follows[bone] = Follow(bone, carrier, carrier, 0.0, rest)
        self._note(role, ours[: last + 1], theirs, "TURN")

    def _follow(
        self,
        role: str,
        bone: int,
        carrier: int,
        rest: np.ndarray = NO_TURN,
        how: Literal["TURN", "NAME"] = "TURN",
    ) -> None:
        self.found.follows[bone] = Follow(bone, carrier, carrier, 0.0, rest if self.absolute else NO_TURN)
        self._note(role, (bone,), (carrier,), how)

    def _note(
        self,
        role: str,
        ours: Sequence[int],
        theirs: Sequence[int],
        how: Literal["DIRECTION", "TURN", "CHAIN", "NAME"],
    ) -> None:
        target, source = self.found.target.skeleton.bones, self.found.source.skeleton.bones
        names = tuple(target[i].name for i in ours), tuple(source[j].name for j in theirs)
        self.found.matched.append(Matched(role, *names, how))

    def _miss(self, bones: Sequence[int], reason: str) -> None:
        for i in bones:
            if i >= 0 and i not in self.found.follows:
                self.missing[i] = reason


def _posed_apart(turn: np.ndarray) -> np.ndarray:
    """What of the turn between two backs' lines at rest is a matter of pose, and not of where their joints are."""
    low, high = DRAWN_APART
    angle = 2.0 * math.acos(min(1.0, abs(float(turn[0]))))
    share = min(1.0, max(0.0, (angle - low) / (high - low)))
    return np.reshape(part_of(turn, share * share * (3.0 - 2.0 * share)), 4)


def _sole_turn(theirs: Leg, ours: Leg) -> np.ndarray:
    """What brings the target's sole at rest along the source's: about the vertical, where both rest flat."""
    lines = [np.array(leg.sole.ball - leg.sole.heel, dtype=np.float64) for leg in (ours, theirs)]
    lengths = [float(np.linalg.norm(line)) for line in lines]
    if min(lengths) < 1e-6:
        return NO_TURN
    ours_line, theirs_line = (line / length for line, length in zip(lines, lengths, strict=True))
    if max(abs(ours_line[2]), abs(theirs_line[2])) <= FLAT:
        ours_line, theirs_line = (line * [1.0, 1.0, 0.0] for line in (ours_line, theirs_line))
        ours_line, theirs_line = (line / np.linalg.norm(line) for line in (ours_line, theirs_line))
    return arcs(ours_line, theirs_line, UP)


def _bone_at(chain: Chain, share: float) -> int:
    """Which bone of a chain covers a place along it."""
    return int(np.clip(np.searchsorted(chain.shares, share, side="right") - 1, 0, len(chain.bones) - 1))


def _joint_at(chain: Chain, share: float) -> Joint:
    """The point of a chain at rest at a place along it, on the bone that covers it."""
    shares, points = chain.shares, chain.points
    k = min(_bone_at(chain, share - 1e-9), len(chain.bones) - 1)
    part = (share - shares[k]) / max(shares[k + 1] - shares[k], 1e-9)
    x, y, z = (points[k] + (points[k + 1] - points[k]) * part).tolist()
    return Joint(chain.bones[k], (x, y, z))
