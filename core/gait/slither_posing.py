"""From the track of a head to the pose of a body without legs: every joint on the track, every bone as long as it is."""

from __future__ import annotations

from itertools import pairwise
from math import asin, ceil, cos, hypot, sin, sqrt
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..ik.follow import Joint, joints_along
from ..rig.pose import Ground, Pose, PoseFrame
from ..rig.rig import Rig
from ..space.curves import smootherstep
from ..space.rigid import Triple
from .lying import lying, over_ground, slopes
from .posing import PoseReport
from .slither import FEELS, FEELS_EVERY, KEPT, MARK, SlitherGait, SlitherMemory
from .slither_config import SlitherConfig

# The share of the body that comes up to carry the head, and the most that a resting body rises, metres a metre.
NECK, MOST_RISE = 0.15, 0.7
# A head is not turned level past this, so that a body that hangs down keeps its head's direction.
LEAST_PLAN = 0.05
NO_LENGTH = 1e-9


class Track(NamedTuple):
    """The head's track from the head back, in model space: x, y, the height at which the body lies, and its lean.

    `ways` are the distances from the head along the ground plan.
    """

    points: list[Triple]
    leans: list[float]
    ways: list[float]


class SlitherPoser:
    """Poses one body without legs. Immutable."""

    def __init__(self, rig: Rig, gait: SlitherGait, config: SlitherConfig) -> None:
        self.rig, self.gait, self.config = rig, gait, config
        body, bones = gait.body, rig.skeleton.bones
        self.lengths = body.lengths
        self.reach = max(2, round(max(self.lengths) / gait.mark))
        self.clearances = self._clearances()
        self.rests = _axes([joint[:] for joint in body.joints], [0.0] * len(body.bones))
        inside = set(body.bones)
        # Parents before children; those that no bone of the body carries are put in place, the others hang on them.
        self.order = sorted((i, k, bones[i].parent not in inside) for k, i in enumerate(body.bones))
        self.undo = [turn.inverted() for turn in self.rests]
        self.own = [
            undo @ bones[i].rest.to_quaternion() for i, undo in zip(body.bones, self.undo, strict=True)
        ]
        self.arms = [bones[i].head - body.joints[k] for k, i in enumerate(body.bones)]

    def _clearances(self) -> list[float]:
        """How far over the ground the body rests, at each mark's distance from the nose."""
        heights = [joint.z - self.rig.floor for joint in self.gait.body.joints]
        for order in (range(1, len(heights)), range(len(heights) - 2, -1, -1)):
            for k in order:
                before, length = (k - 1, self.lengths[k - 1]) if order.step > 0 else (k + 1, self.lengths[k])
                heights[k] = min(heights[k], heights[before] + MOST_RISE * length)
        found, k, start = [], 0, 0.0
        for n in range(ceil(KEPT / MARK) + 2):
            way = n * self.gait.mark
            while k < len(self.lengths) - 1 and way > start + self.lengths[k]:
                start += self.lengths[k]
                k += 1
            share = min(1.0, (way - start) / self.lengths[k]) if self.lengths[k] > 0.0 else 0.0
            found.append(heights[k] + share * (heights[k + 1] - heights[k]))
        return found

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones whose rotation a pose sets, with all above them, and those whose location it sets."""
        body = set(self.gait.body.bones)
        above = {j for i in body for j in self.rig.skeleton.ancestors(i)}
        return tuple(sorted(body | above)), tuple(i for i, _, top in self.order if top)

    def pose(self, memory: SlitherMemory, travel: Travel, _pattern: None = None) -> tuple[PoseFrame, PoseReport]:
        """The pose at this moment as rows of numbers; nothing is ever out of its reach."""
        place = self.gait.origin_of(travel.place)
        ground = Ground(place.x, place.y, place.z - self.rig.floor, place.heading)
        track = self._track(memory, ground)
        joints = joints_along(track.points, self.lengths)
        leans = _at_middles(joints, track)
        places = self._level_head([joint.place for joint in joints], track)
        turns = _axes(places, leans)
        pose = Pose(self.rig.skeleton)
        for i, k, top in self.order:
            if top:
                turn = turns[k] @ self.undo[k]
                matrix = (turns[k] @ self.own[k]).to_matrix().to_4x4()
                matrix.translation = Vector(places[k]) + turn @ self.arms[k]
                pose.set_model(i, matrix, with_location=True)
            else:
                pose.set_turn(i, turns[k] @ self.own[k])
        return pose.frame(ground, (), memory.events), PoseReport((), ())

    def _track(self, memory: SlitherMemory, ground: Ground) -> Track:
        """The track with the body's heights over it."""
        marks = [memory.head, *reversed(memory.trail)]
        ways = [0.0, *(0.0 for _ in memory.trail)]
        for k, (a, b) in enumerate(pairwise(marks)):
            ways[k + 1] = ways[k] + hypot(b.x - a.x, b.y - a.y)
        heights = self._heights(memory, ways, [mark.z for mark in marks])
        apart, before = self.gait.mark, FEELS * FEELS_EVERY
        profile = lying(heights, apart, self.reach)
        rises = slopes(profile, apart)
        c, s = cos(ground.heading), sin(ground.heading)
        points, neck = [], NECK * self.gait.length
        for mark, way in zip(marks, ways, strict=True):
            k, share = divmod(way / apart, 1.0)
            n = min(int(k), len(self.clearances) - 2)
            m = min(before + int(k), len(profile) - 2)
            low = profile[m] + share * (profile[m + 1] - profile[m])
            rise = rises[m] + share * (rises[m + 1] - rises[m])
            rest = self.clearances[n] + share * (self.clearances[n + 1] - self.clearances[n])
            up = self.config.head_raise * self.gait.length * (1.0 - smootherstep(way / neck))
            x, y = mark.x - ground.x, mark.y - ground.y
            z = low + over_ground(rest, rise, mark.lean) + up - ground.z
            points.append((c * x + s * y, c * y - s * x, z))
        return Track(points, [mark.lean for mark in marks], ways)

    def _heights(self, memory: SlitherMemory, ways: list[float], known: list[float]) -> list[float]:
        """The ground's heights evenly from where it was last felt before the head to the end of the track."""
        apart = self.gait.mark
        felt = [-(memory.nearest + n * FEELS_EVERY * apart) for n in range(len(memory.ahead))]
        xs, zs = [*reversed(felt), *ways], [*reversed(memory.ahead), *known]
        heights, k = [], 0
        for n in range(-FEELS * FEELS_EVERY, len(self.clearances)):
            way = n * apart
            while k < len(xs) - 2 and way > xs[k + 1]:
                k += 1
            wide = xs[k + 1] - xs[k]
            share = min(max((way - xs[k]) / wide, 0.0), 1.0) if wide > 0.0 else 0.0
            heights.append(zs[k] + share * (zs[k + 1] - zs[k]))
        return heights

    def _level_head(self, places: list[Triple], track: Track) -> list[Triple]:
        """The head turned about the joint behind it, nearer to level, its chin no lower than it would lie."""
        (x, y, z), (bx, by, bz) = places[0], places[1]
        length, plan = self.lengths[0], hypot(x - bx, y - by)
        if plan < LEAST_PLAN * length:
            return places
        raised = self.config.head_raise * self.gait.length
        pitch = asin(min(max((z - bz) / length, -1.0), 1.0))
        least = asin(min(max((track.points[0][2] - raised - bz) / length, -1.0), 1.0))
        pitch = max((1.0 - self.config.head_level) * pitch, min(least, pitch))
        flat = length * cos(pitch) / plan
        nose = (bx + (x - bx) * flat, by + (y - by) * flat, bz + length * sin(pitch))
        return [nose, *places[1:]]


def _at_middles(joints: list[Joint], track: Track) -> list[float]:
    """The ground's lean under the middle of each bone."""
    found, k = [], 0
    arcs = [0.0]
    for a, b in pairwise(track.points):
        arcs.append(arcs[-1] + sqrt(sum((q - p) ** 2 for p, q in zip(a, b, strict=True))))
    for a, b in pairwise(joints):
        along = 0.5 * (a.along + b.along)
        while k < len(arcs) - 2 and along > arcs[k + 1]:
            k += 1
        found.append(track.leans[k])
    return found


def _axes(places: list[Triple], leans: list[float]) -> list[Quaternion]:
    """Each bone's axes: along it to the head, to its left as level as the ground leans there, and up from it.

    A bone that stands upright has its left where the one before had it.
    """
    found = []
    lx, ly = 1.0, 0.0
    for (a, b), lean in zip(pairwise(places), leans, strict=True):
        fx, fy, fz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
        plan = hypot(fx, fy)
        if plan + abs(fz) < NO_LENGTH:
            found.append(found[-1] if found else Quaternion())
            continue
        if plan > LEAST_PLAN * abs(fz):
            lx, ly = -fy / plan, fx / plan
        forward = Vector((fx, fy, fz)).normalized()
        up = forward.cross(Vector((lx, ly, lean))).normalized()
        found.append(Matrix((forward, up.cross(forward), up)).transposed().to_quaternion())
    return found
