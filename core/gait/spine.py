"""The spine between two girdles of a body on four legs: how it bends, and what that does to the girdles.

A spine that flexes arches its back: the girdles turn towards each other, and the hips of one come closer to those of
the other. Wherever the hips are planned to be, the trunk as a whole is turned so that the line between the middles of
both pairs of hips stays where it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.rig import Rig

X, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 0.0, 1.0))
# The bends at which a spine is measured, radians.
MEASURED = 0.3


class Spring(NamedTuple):
    """What a bend of the spine does to the girdles, to second order.

    `pitch`, `yaw`: the share of a flexion, of a bend to the side, that the pelvis takes against the chest. `along`: how
    much further apart the girdles are per radian of flexion, per its square, per the square of a bend to the side, m.
    """

    pitch: float
    yaw: float
    along: tuple[float, float, float]

    def stretch(self, flex: float, bend: float) -> float:
        """How much further apart the girdles are, metres."""
        linear, square, sideways = self.along
        return (linear + square * flex) * flex + sideways * bend * bend


class BentSpine(NamedTuple):
    """A bent spine: the turn of the rear, of each spine bone (model space, from rest), how much longer it is (m)."""

    rear: Quaternion
    bones: list[Quaternion]
    stretch: float


@dataclass(frozen=True, slots=True)
class Spine:
    """A rig's spine at rest. `bones` go from the rear to the chest, which carries the front legs; `links` lead from the
    middle of the hind hips over the bones' heads to the middle of the front hips.
    """

    bones: tuple[int, ...]
    hind: Vector
    front: Vector
    links: tuple[Vector, ...]

    @classmethod
    def of(cls, rig: Rig) -> Spine | None:
        """The spine of a rig on four legs; None where no bone of it is between the two pairs."""
        if len(rig.legs) != 4:
            return None
        above = [set(rig.skeleton.ancestors(leg.bones[0])) for leg in rig.legs]
        front, hind = above[0] & above[1], above[2] | above[3]
        bones = tuple(i for i in rig.spine if i != rig.body and i in front and i not in hind)
        if not bones:
            return None
        middles = [0.5 * (rig.legs[k].hip + rig.legs[k + 1].hip) for k in (0, 2)]
        places = [middles[1], *(rig.skeleton.bones[i].head for i in bones), middles[0]]
        links = tuple(b - a for a, b in zip(places, places[1:], strict=False))
        return cls(bones, middles[1], middles[0], links)

    def bent(self, flex: float, bend: float) -> BentSpine:
        """The spine flexed, and bent to the left (radians, rear to chest), evenly over its bones."""
        count = len(self.bones)
        turns = [Quaternion(Z, bend * k / count) @ Quaternion(X, flex * k / count) for k in range(1, count + 1)]
        line = self.front - self.hind
        reached = self.links[0].copy()
        for turn, link in zip(turns, self.links[1:], strict=True):
            reached += turn @ link
        rear = reached.rotation_difference(line)
        return BentSpine(rear, [rear @ turn for turn in turns], reached.length - line.length)

    def spring(self) -> Spring:
        """What bends do to the girdles."""
        plus, minus, aside = self.bent(MEASURED, 0.0), self.bent(-MEASURED, 0.0), self.bent(0.0, MEASURED)
        pitch = -0.5 * (plus.rear.to_euler().x - minus.rear.to_euler().x) / MEASURED
        yaw = -aside.rear.to_euler().z / MEASURED
        linear = 0.5 * (plus.stretch - minus.stretch) / MEASURED
        square = 0.5 * (plus.stretch + minus.stretch) / MEASURED**2
        return Spring(pitch, yaw, (linear, square, aside.stretch / MEASURED**2))
