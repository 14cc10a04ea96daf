"""From the track of a head to the pose of a body without legs: every joint on the track, every bone at its length."""

from __future__ import annotations

from itertools import pairwise
from math import asin, ceil, cos, hypot, sin
from typing import NamedTuple

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..ik.follow import Joint, joints_along
from ..rig.pose import Ground, Pose, PoseFrame
from ..rig.rig import Rig
from ..space.rigid import Triple
from .lying import eased, over_ground, rounded_over
from .posing import PoseReport
from .slither import FEELS, FEELS_EVERY, KEPT, MARK, SlitherGait, SlitherMemory
from .slither_config import SlitherConfig

# The share of the body that comes up to carry the head, and the most that a resting body rises, metres a metre.
NECK, MOST_RISE = 0.15, 0.7
# A head is not turned level past this, so that a body that hangs down keeps its head's direction.
LEAST_PLAN, EASE = 0.05, 0.2
NO_LENGTH = 1e-9


class Track(NamedTuple):
    """The head's track from the head back, in model space: places on which the body's middle lies, their arc lengths
    (metres), and how much the ground rises to the left there. `chins` are the heights at which a nose would lie at
    the distances `grid` from the head, of which those before it are negative.
    """

    points: list[Triple]
    arcs: np.ndarray
    leans: np.ndarray
    grid: np.ndarray
    chins: np.ndarray


class SlitherPoser:
    """Poses one body without legs. Immutable."""

    def __init__(self, rig: Rig, gait: SlitherGait, config: SlitherConfig) -> None:
        self.rig, self.gait, self.config = rig, gait, config
        body, bones = gait.body, rig.skeleton.bones
        self.lengths = body.lengths
        self.reach = max(2, round(max(self.lengths) / gait.mark))
        self.raised = config.head_raise * gait.length
        # Where the body's heights are worked out: distances from the head along its track, those before it negative.
        self.grid = gait.mark * np.arange(-FEELS * FEELS_EVERY, ceil(KEPT / MARK) + 2)
        self.heights, self.arcs = self._resting(), np.concatenate(([0.0], np.cumsum(self.lengths)))
        self.rests = _axes([(x, y, z) for x, y, z in body.joints], [0.0] * len(body.bones))
        inside = set(body.bones)
        # Parents before children; those that no bone of the body carries are put in place, the others hang on them.
        self.order = sorted((i, k, bones[i].parent not in inside) for k, i in enumerate(body.bones))
        self.undo = [turn.inverted() for turn in self.rests]
        self.own = [undo @ bones[i].rest.to_quaternion() for i, undo in zip(body.bones, self.undo, strict=True)]
        self.arms = [bones[i].head - body.joints[k] for k, i in enumerate(body.bones)]

    def _resting(self) -> np.ndarray:
        """How far over the ground each joint rests, without what rises more steeply than a body can on its track."""
        heights = [joint.z - self.rig.floor for joint in self.gait.body.joints]
        for k, length in enumerate(self.lengths):
            heights[k + 1] = min(heights[k + 1], heights[k] + MOST_RISE * length)
        for k, length in reversed(list(enumerate(self.lengths))):
            heights[k] = min(heights[k], heights[k + 1] + MOST_RISE * length)
        return np.array(heights)

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
        xs, ys, zs, leans, ways = np.array([mark[:5] for mark in marks]).T
        ways = ways[0] - ways
        # Heights are worked out at places that stay where they are while the body goes on.
        grid = self.grid + memory.head.along % self.gait.mark
        before, felt = np.array(memory.ahead[::-1]).T
        known = np.concatenate((-before, ways))
        line = np.interp(grid, known, eased(known, np.concatenate((felt, zs))))
        profile = rounded_over(line, self.reach)
        slopes = np.gradient(profile, self.gait.mark)
        rises = np.interp(ways, grid, slopes)
        near = np.clip(1.0 - ways / (NECK * self.gait.length), 0.0, 1.0)
        up = self.raised * near * near * near * (10.0 + near * (6.0 * near - 15.0))
        z = np.interp(ways, grid, profile) + up
        rest = np.interp(_arcs(ways, z), self.arcs, self.heights)
        z = z + over_ground(rest, rises, leans) - ground.z
        c, s = cos(ground.heading), sin(ground.heading)
        xs, ys = xs - ground.x, ys - ground.y
        points = np.stack((c * xs + s * ys, c * ys - s * xs, z), axis=1)
        chins = profile + over_ground(self.heights[0], slopes, leans[0]) - ground.z
        return Track(points.tolist(), _arcs(ways, z), leans, grid, chins)

    def _level_head(self, places: list[Triple], track: Track) -> list[Triple]:
        """The head turned about the joint behind it, nearer to level, its chin no lower than it would lie there."""
        (x, y, z), (bx, by, bz) = places[0], places[1]
        length, plan = self.lengths[0], hypot(x - bx, y - by)
        if plan < LEAST_PLAN * length:
            return places
        pitch = asin(min(max((z - bz) / length, -1.0), 1.0))
        level = (1.0 - self.config.head_level) * pitch
        # Less steep it reaches further, where the ground may be higher.
        chin = np.interp(plan - length * cos(level), track.grid, track.chins)
        least = asin(min(max((float(chin) - bz) / length, -1.0), 1.0))
        # The larger of the two, without a jerk of the head where one takes over from the other.
        over = min(least, pitch) - level
        pitch = level + 0.5 * (over + hypot(over, EASE))
        flat = length * cos(pitch) / plan
        nose = (bx + (x - bx) * flat, by + (y - by) * flat, bz + length * sin(pitch))
        return [nose, *places[1:]]


def _arcs(ways: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """The arc lengths at these ways along the ground plan, all (n,)."""
    return np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(ways), np.diff(heights)))))


def _at_middles(joints: list[Joint], track: Track) -> list[float]:
    """The ground's lean under the middle of each bone."""
    middles = [0.5 * (a.along + b.along) for a, b in pairwise(joints)]
    leans: list[float] = np.interp(middles, track.arcs, track.leans).tolist()
    return leans


def _axes(places: list[Triple], leans: list[float]) -> list[Quaternion]:
    """Each bone's axes: along it to the head, to its left as level as the ground leans there, and up from it.

    A bone that stands upright has its left where the one before had it.
    """
    found: list[Quaternion] = []
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
