"""Bones with constraints: what is keyed is what makes them end where the clip has them, as far as that can be had.

The Action is played and looked at. A bone that ends elsewhere than it was put is put elsewhere by as much the other
way, a few times over: exact at once for what only adds to a bone's place (Child Of), settling for what mixes with it.
Where a constraint decides alone the bone stays as it was put, its children make up for it, and it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from math import degrees

import bpy
import numpy as np

from ..core.motion.carriers import undone_way
from ..core.motion.clip import Clip
from ..core.rig.rig import Problem
from ..core.space.quaternions import from_matrices, multiplied, undone

ROUNDS = 5
# Radians, and shares of the leg length: nearer than this a bone is where it was meant to be.
CLOSE = 1e-5
# A round that leaves more than this share of what was off has changed nothing: the constraint decides.
STUCK = 0.7
# From here on a difference is worth a sentence: radians, and shares of the leg length.
SEEN_TURN, SEEN_PLACE = 0.01, 0.003
CHAINS = {"IK", "SPLINE_IK"}

Shown = Callable[[Clip, np.ndarray, np.ndarray], Clip]
"""Keys bones as a clip has them and says how they look then. Told from how their parents move, (F, bones, 4, 4): once
for the bones that constraints act on, once for all others.
"""


def constrained(obj: bpy.types.Object, clip: Clip, written: Collection[int], moved: Collection[str]) -> dict[int, str]:
    """The written bones that a constraint acts on, alone or in an IK chain, each with the constraint's name.

    moved: data paths that drivers or curves set, among which influences may be.
    """
    index, found = clip.rig.skeleton.index, {}
    for bone in obj.pose.bones:
        for item in bone.constraints:
            if item.mute or not item.is_valid or not (item.influence > 0.0 or item.path_from_id("influence") in moved):
                continue
            for each in _acted_on(bone, item):
                if index.get(each.name, -1) in written:
                    found.setdefault(index[each.name], item.name)
    return dict(sorted(found.items()))


def _acted_on(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[bpy.types.PoseBone]:
    if constraint.type not in CHAINS:
        return [bone]
    chain = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        chain = chain[1:]
    return chain[: constraint.chain_count or None]


@dataclass
class _Search:
    """The best that was found for each frame: how far off (F, n), what was given, on which carriers, how it looked."""

    wanted: Clip
    bones: list[int]
    off: np.ndarray = field(init=False)
    given: np.ndarray = field(init=False)
    carriers: np.ndarray = field(init=False)
    seen: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.off = np.full((len(self.wanted), len(self.bones)), np.inf)
        self.given = self.carriers = self.seen = self.wanted.moved

    def note(self, given: np.ndarray, carriers: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """Keep the frames that came nearer; which frames and bones no round brings nearer any more, (F, n)."""
        off = np.maximum(*_differences(seen, self.wanted, self.bones))
        stuck = (off > STUCK * self.off) & (self.off > CLOSE)
        nearer = off.sum(axis=1) < self.off.sum(axis=1)
        self.off = np.where(nearer[:, None], off, self.off)
        for name, rows in (("given", given), ("carriers", carriers), ("seen", seen)):
            setattr(self, name, np.where(nearer[:, None, None, None], rows, getattr(self, name)))
        return stuck

    @property
    def looks(self) -> np.ndarray:
        """The clip with the bones as they look, (F, bones, 4, 4)."""
        moved = self.wanted.moved.copy(order="K")
        moved[:, self.bones] = self.seen[:, self.bones]
        return moved


def reconcile(wanted: Clip, acted_on: Mapping[int, str], shown: Shown) -> list[Problem]:
    """Key bones that constraints act on so that they are seen where the clip has them; what is left is said."""
    search = _Search(wanted, list(acted_on))
    given = carriers = wanted.moved
    for _ in range(ROUNDS):
        seen = shown(replace(wanted, moved=given), carriers, wanted.moved).moved
        stuck = search.note(given, carriers, seen)
        if (search.off <= CLOSE).all() and np.array_equal(search.given, given):
            return []
        if (stuck | (search.off <= CLOSE)).all():
            break
        given, carriers = _next(search, given, carriers, seen, stuck)
    seen = shown(replace(wanted, moved=search.given), search.carriers, search.looks).moved
    turns, places = _differences(seen, wanted, search.bones)
    return [
        _off(wanted, i, acted_on[i], float(turns[:, k].max()), float(places[:, k].max()))
        for k, i in enumerate(search.bones)
        if turns[:, k].max() > SEEN_TURN or places[:, k].max() > SEEN_PLACE
    ]


def _next(
    search: _Search, given: np.ndarray, carriers: np.ndarray, seen: np.ndarray, stuck: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What to give next, and what others are thought to hang on then: what was wanted, or what cannot be changed."""
    wanted, bones = search.wanted.moved, search.wanted.rig.skeleton.bones
    after, hung = wanted.copy(), wanted.copy()
    for k, i in enumerate(search.bones):
        parent = bones[i].parent
        put = given[:, i]
        if parent >= 0:
            put = seen[:, parent] @ undone_way(carriers[:, parent]) @ put
        back = put @ undone_way(seen[:, i]) @ wanted[:, i]
        held = stuck[:, k, None, None]
        after[:, i] = np.where(held, search.given[:, i], back)
        hung[:, i] = np.where(held, search.seen[:, i], wanted[:, i])
    return after, hung


def _differences(moved: np.ndarray, wanted: Clip, bones: Collection[int]) -> tuple[np.ndarray, np.ndarray]:
    """How far bones are off: turns (F, n) in radians, and places of their heads (F, n) in legs."""
    turns, places, seen = [], [], replace(wanted, moved=moved)
    for i in bones:
        turn = multiplied(from_matrices(seen.rotation(i)), undone(from_matrices(wanted.rotation(i))))
        turns.append(2.0 * np.arctan2(np.linalg.norm(turn[:, 1:], axis=-1), np.abs(turn[:, 0])))
        head = wanted.rig.skeleton.bones[i].head
        places.append(np.linalg.norm(seen.place(i, head) - wanted.place(i, head), axis=-1) / wanted.rig.leg_length)
    return np.stack(turns, axis=1), np.stack(places, axis=1)


def _off(clip: Clip, i: int, constraint: str, turn: float, place: float) -> Problem:
    reason = (
        f"The constraint {constraint!r} keeps it up to {degrees(turn):.1f} degrees and "
        f"{100.0 * place * clip.rig.leg_length:.1f} cm from where the motion has it."
    )
    return Problem(clip.rig.skeleton.bones[i].name, reason, "Mute it or lower its influence if that shows.")
