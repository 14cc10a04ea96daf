"""Which bone is whose mirror image: by role, by the side that a name says, and where neither tells by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .names import without_side

# Shares of the rig's size: how far from the middle a bone still lies in it, and from an image one still is there.
IN_THE_MIDDLE, SAME_PLACE = 0.01, 0.01
ALONE = -1


def partners(
    names: Sequence[str], heads: np.ndarray, roles: Mapping[str, Sequence[str]], across: float = 0.0
) -> list[int]:
    """Of each bone the index of its mirror image: its own in the middle, ALONE where there is none.

    heads (n, 3): joints at rest, facing -Y, with the mirror plane at x = `across`. roles: bone names by role, in order.
    """
    index = {name: i for i, name in enumerate(names)}
    found = _by_name(names, index) | _by_role(index, roles)
    size = max(float(np.ptp(heads, axis=0).max()), 1e-9) if len(heads) else 1.0
    sides = heads[:, 0] - across
    result = []
    for i, name in enumerate(names):
        if i in found:
            result.append(found[i])
        elif without_side(name)[0]:
            result.append(ALONE)
        elif abs(sides[i]) <= IN_THE_MIDDLE * size:
            result.append(i)
        else:
            result.append(_by_place(i, heads, across, SAME_PLACE * size, [k for k in range(len(names)) if k in found]))
    # Only what is said from both sides is a pair.
    return [k if k == ALONE or result[k] == i else ALONE for i, k in enumerate(result)]


def _by_role(index: Mapping[str, int], roles: Mapping[str, Sequence[str]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for role, bones in roles.items():
        if not role.endswith(".L"):
            continue
        for left, right in zip(bones, roles.get(f"{role[:-2]}.R", ()), strict=False):
            if left in index and right in index and left != right:
                found[index[left]], found[index[right]] = index[right], index[left]
    return found


def _by_name(names: Sequence[str], index: Mapping[str, int]) -> dict[int, int]:
    said = {name: without_side(name) for name in names}
    by_words: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, (side, words) in said.items():
        by_words.setdefault((side, words), []).append(name)
    found = {}
    for name, (side, words) in said.items():
        others = by_words.get(("R" if side == "L" else "L", words), []) if side else []
        if len(others) == 1 and len(by_words[side, words]) == 1:
            found[index[name]] = index[others[0]]
    return found


def _by_place(i: int, heads: np.ndarray, across: float, within: float, taken: Sequence[int]) -> int:
    image = heads[i] * [-1.0, 1.0, 1.0] + [2.0 * across, 0.0, 0.0]
    apart = np.linalg.norm(heads - image, axis=1)
    apart[[*taken, i]] = np.inf
    nearest = int(np.argmin(apart))
    return nearest if apart[nearest] <= within else ALONE
