"""The outermost points of the skin, by which a body is kept over a floor: few of each bone, in all directions."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from ..rig.rest_vertices import RestVertices
from ..rig.rig import Rig
from ..space.rigid import Triple

# Skin goes with a bone that moves it by this share at least; fewer points are no skin of it.
GOES_ALONG, FEWEST = 0.5, 4
# All ways to the faces and the corners of a cube: on a round body the floor is then at most 3 % of its width deeper.
WAYS = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
WAYS /= np.linalg.norm(WAYS, axis=1, keepdims=True)


class SkinPoint(NamedTuple):
    """A place of the skin at rest (model space), and the bone that it goes with."""

    bone: int
    at: Triple


def skin_points(rig: Rig, skin: RestVertices | None) -> tuple[SkinPoint, ...]:
    """The outermost points of what each bone moves, bones in the skeleton's order; none without skin."""
    if skin is None or not len(skin.points):
        return ()
    firm = skin.weights >= GOES_ALONG
    points, owner = skin.points[firm], skin.bones[firm]
    found: list[SkinPoint] = []
    for bone in range(len(rig.skeleton.bones)):
        own = points[owner == bone]
        if len(own) < FEWEST:
            continue
        for k in sorted({int(k) for k in np.argmax(own @ WAYS.T, axis=0)}):
            x, y, z = own[k]
            found.append(SkinPoint(bone, (float(x), float(y), float(z))))
    return tuple(found)
