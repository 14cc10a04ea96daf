"""Takes of a body that gets up: an Action from its last lying moment to its first standing one.

A take is laid so that the place where its body stands is the one where this body will stand. What it plants is found
by how low and how still hands and feet are. Each take also serves as its mirror image, by roles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..layers.moves_limbs import Limbs
from ..motion.clip_pose import ClipPoses
from ..motion.spans import runs_of
from ..rig.edited_pose import EditedPose
from ..rig.partners import ALONE, partners
from ..rig.pose import NO_TURN
from ..rig.rig import Rig
from .lying import how_it_lies
from .rise_config import RiseStyle
from .rise_points import BodyPoints, fitted, places
from .rise_poses import HoldSpan

UP = Vector((0.0, 0.0, 1.0))
# What is so low (in legs, hands and feet) and so slow (metres a second for a 0.9 m leg) for so long (seconds) is
# planted; a shorter gap between two that are so near to each other (in legs) is none.
LOW_HAND, LOW_FOOT, STILL, LASTS, GAP, NEAR = 0.11, 0.06, 0.3, 0.16, 0.35, 0.06
# A foot of which no end is seen to be planted stands for so long before the take is over, seconds.
STANDS = 0.1


@dataclass(frozen=True)
class RiseTake:
    """A take with its moments, frames of it: the last at which it lies, the first at which it stands. Between the two
    of `air` it is off the floor.
    """

    name: str
    poses: ClipPoses
    lying: float
    standing: float
    style: RiseStyle = "ORDINARY"
    air: tuple[float, float] | None = None


class TakeSource:
    """A take on its rig, as it is or mirrored. Immutable."""

    is_take = True

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints, take: RiseTake, *, mirrored: bool = False) -> None:
        self.rig, self.limbs, self.points, self.take, self.mirrored = rig, limbs, points, take, mirrored
        self.name = f"{take.name} (mirrored)" if mirrored else take.name
        self.style: RiseStyle = take.style
        self.fps = take.poses.fps
        self.seconds = max(0.0, take.standing - take.lying) / self.fps
        self.begins = (0.0,)

    @cached_property
    def _home(self) -> Matrix:
        """What brings the take's world to the place where its body stands."""
        standing = self._in_clip(self.take.standing)
        rest = EditedPose.rest(self.rig.skeleton)
        soles = [(leg.sole.ball_bone, leg.sole.ball) for leg in self.rig.legs]
        soles += [(leg.sole.heel_bone, leg.sole.heel) for leg in self.rig.legs]
        soles += [(self.rig.body, leg.hip) for leg in self.rig.legs]
        pairs = [[pose.moved(bone) @ point for bone, point in soles] for pose in (standing, rest)]
        fit = fitted(*pairs) if len(soles) > 1 else fitted(*(places(p, self.points.compared) for p in (standing, rest)))
        return Matrix.Translation((fit.x, fit.y, 0.0)) @ Quaternion(UP, fit.turn).to_matrix().to_4x4()

    @cached_property
    def lies(self) -> str:
        """The side that is down when it begins."""
        pose = EditedPose.rest(self.rig.skeleton)
        self.lay(pose, 0.0)
        return how_it_lies(self.rig, pose, Matrix(), None).lies

    @cached_property
    def _partners(self) -> list[int]:
        bones = self.rig.skeleton.bones
        heads = np.array([bone.head for bone in bones])
        across = float(heads[self.rig.body, 0])
        found = partners([bone.name for bone in bones], heads, self.rig.roles, across)
        return [i if other == ALONE else other for i, other in enumerate(found)]

    def _in_clip(self, frame: float) -> EditedPose:
        """The take's pose at a frame, its body where the take has it."""
        pose = self.take.poses.at(frame)
        x, y, heading = self.take.poses.spot(frame)
        spot = Matrix.Translation((x, y, 0.0)) @ Quaternion(UP, heading).to_matrix().to_4x4()
        pose.set_model(self.rig.body, spot @ pose.model(self.rig.body))
        return pose

    def lay(self, pose: EditedPose, time: float) -> None:
        """Bring a pose to a time."""
        body = self.rig.body
        own = self._in_clip(self.take.lying + min(max(time, 0.0), self.seconds) * self.fps)
        own.set_model(body, self._home @ own.model(body))
        if self.mirrored:
            self._mirror(pose, own)
            return
        model = own.model(body).copy()
        for i in range(len(pose.rotations)):
            pose.set_basis(i, NO_TURN, None)
        for i in (body, *self.rig.skeleton.below[body]):
            pose.set_basis(i, own.rotations[i], own.locations.get(i))
        pose.set_model(body, model)

    def _mirror(self, pose: EditedPose, own: EditedPose) -> None:
        """Give a pose the mirror image of another one, in the plane between left and right."""
        body, rests = self.rig.body, self.rig.skeleton.bones
        for i in range(len(pose.rotations)):
            pose.set_basis(i, NO_TURN, None)
        across = 2.0 * rests[body].head.x
        moved = own.moved(body)
        w, x, y, z = moved.to_quaternion()
        turn = Quaternion((w, x, -y, -z))
        head = own.head(body)
        matrix = (turn @ rests[body].rest.to_quaternion()).to_matrix().to_4x4()
        matrix.translation = Vector((across - head.x, head.y, head.z))
        pose.set_model(body, matrix)
        for i in self.rig.skeleton.below[body]:
            w, x, y, z = own.moved(self._partners[i]).to_quaternion()
            pose.set_turn(i, Quaternion((w, x, -y, -z)) @ rests[i].rest.to_quaternion())

    @cached_property
    def holds(self) -> tuple[HoldSpan, ...]:
        """What is planted when: hands and feet that are low and still."""
        count = max(2, round(self.seconds * self.fps) + 1)
        times = [self.seconds * k / (count - 1) for k in range(count)]
        pose = EditedPose.rest(self.rig.skeleton)
        tracks: dict[str, list[list[float]]] = {role: [] for role in self.limbs.known}
        for time in times:
            self.lay(pose, time)
            for role, rows in tracks.items():
                rows.append(list(self._touching(pose, role)))
        step = times[1] - times[0] if self.seconds > 0.0 else 1.0
        found: list[HoldSpan] = []
        for role, rows in tracks.items():
            found += self._spans(role, np.array(rows), step)
        return tuple(sorted(found, key=lambda span: (span.start, span.limb)))

    def _touching(self, pose: EditedPose, role: str) -> Vector:
        """What of a limb is planted, with the height of its lowest point."""
        known = self.limbs.known[role]
        place = known.place(pose)
        low = min((pose.moved(bone) @ point).z for bone, point in known.sole) if known.sole else place.z
        return Vector((place.x, place.y, min(low, place.z) - self.rig.floor))

    def _spans(self, role: str, places: np.ndarray, step: float) -> list[HoldSpan]:
        size, is_hand = self.rig.leg_length, self.limbs.known[role].is_hand
        speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / step
        # A frame is as still as the quieter of its two sides.
        still = np.minimum(np.append(speeds, np.inf), np.insert(speeds, 0, np.inf)) <= STILL * (size / 0.9) ** 0.5
        down = still & (places[:, 2] <= (LOW_HAND if is_hand else LOW_FOOT) * size)
        down &= ~self._aloft(len(places), step)
        spans: list[tuple[int, int]] = []
        for first, last in runs_of(down):
            if spans and (first - spans[-1][1]) * step <= GAP and self._is_near(places, spans[-1], (first, last)):
                spans[-1] = (spans[-1][0], last)
            else:
                spans.append((first, last))
        end = len(places) - 1
        found = [
            HoldSpan(role, a * step, b * step, b >= end - 1 and not is_hand)
            for a, b in spans
            if (b - a) * step >= LASTS or b >= end - 1
        ]
        if not is_hand and not any(span.lasts for span in found):
            found.append(HoldSpan(role, max(0.0, self.seconds - STANDS), self.seconds, True))
        return found

    def _is_near(self, places: np.ndarray, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether a limb was in the same place in two spans of frames."""
        a, b = (places[first : last + 1].mean(axis=0) for first, last in (one, other))
        return bool(np.linalg.norm(a - b) <= NEAR * self.rig.leg_length)

    def _aloft(self, count: int, step: float) -> np.ndarray:
        """At which samples the body is off the floor."""
        if self.take.air is None:
            return np.zeros(count, dtype=bool)
        first, last = ((frame - self.take.lying) / self.fps for frame in self.take.air)
        times = np.arange(count) * step
        return (times >= first) & (times <= last)


def take_sources(rig: Rig, limbs: Limbs, points: BodyPoints, takes: Sequence[RiseTake]) -> list[TakeSource]:
    """All takes of this rig, each as it is and mirrored; those of other rigs are left out."""
    names = [bone.name for bone in rig.skeleton.bones]
    own = [take for take in takes if [bone.name for bone in take.poses.skeleton.bones] == names]
    return [TakeSource(rig, limbs, points, take, mirrored=side) for take in own for side in (False, True)]
