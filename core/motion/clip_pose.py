"""A clip as poses of its rig over the ground that it goes on: what a character plays, whole or in part.

A `Clip` says where bones were in the world. Here its travel in the plan and its heading are taken out as a track, and
what is left are basis rotations and locations in a model space that stands under the body. Over the track they give the
clip again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, sin

import numpy as np
from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.skeleton import Skeleton
from ..space.curves import smootherstep
from ..space.quaternions import continuous, from_matrices, multiplied, part_of, undone, unit
from .body_track import body_track, geometric, seen_from
from .clip import Clip
from .clip_feet import ClipFeet, Stepping, feet_of
from .loops import as_loop, middle_heights

# A clip without strides is averaged over so long for its track, for a 0.9 m leg, seconds.
USUAL_STRIDE = 1.0
# A clip that is made to repeat comes back to its first frame in this time, seconds.
SEAM_SECONDS = 0.5
# Shares of the leg length, and radians: what moves less does not move. The sampled noise is a tenth of it.
LEAST_SHIFT, LEAST_TURN = 2e-5, 2e-5
# A time this near to a frame is that frame's, so that what adds up over ticks meets it exactly.
ON_FRAME = 1e-6
Spot = tuple[float, float, float]
"""x, y and heading."""


@dataclass(frozen=True, eq=False)
class ClipPoses:
    """F frames of a clip on its own rig; immutable, and compared by `digest`.

    rotations (F, B, 4) wxyz, of even sign over time, and locations (F, B, 3) are basis values in a model space that
    stands at `track` (F, 3): x, y, heading, told from the clip's home. heights (F,): the body's middle over the floor
    of model space. balls (F, legs, 3): each foot's ball, model space. `closed`: the last frame is the first one again.
    `loops`: times after the last frame begin again at the first one, elsewhere as far as a round gets; else they hold.
    `held` are bones that the clip keeps where they are at rest.
    """

    skeleton: Skeleton
    fps: float
    rotations: np.ndarray
    locations: np.ndarray
    track: np.ndarray
    heights: np.ndarray
    balls: np.ndarray
    feet: ClipFeet
    closed: bool = False
    loops: bool = False
    held: tuple[int, ...] = ()
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha1(
            repr((self.fps, self.feet, self.closed, self.loops, self.held)).encode(), usedforsecurity=False
        )
        for rows in (self.rotations, self.locations, self.track, self.heights, self.balls):
            rows.setflags(write=False)
            digest.update(np.ascontiguousarray(rows).tobytes())
        object.__setattr__(self, "digest", digest.hexdigest())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClipPoses) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __len__(self) -> int:
        return len(self.rotations)

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return (len(self) - 1) / self.fps

    @cached_property
    def rotated(self) -> tuple[int, ...]:
        """The bones that turn, or are kept from it."""
        turned = np.abs(self.rotations[..., 1:]).max(axis=(0, 2)) > 0.5 * LEAST_TURN
        return tuple(sorted({*np.flatnonzero(turned).tolist(), *self.held}))

    @cached_property
    def located(self) -> tuple[int, ...]:
        """The bones that leave their place under their parent."""
        return tuple(np.flatnonzero(np.abs(self.locations).max(axis=(0, 2)) > 0.0).tolist())

    @cached_property
    def steppings(self) -> tuple[Stepping, ...]:
        """What each foot does when."""
        length = float(len(self) - 1) if self.loops else 0.0
        return tuple(Stepping(each, length) for each in self.feet.contacts)

    def within(self, frame: float) -> tuple[int, float]:
        """A time as whole rounds and a frame from the first to the last; on a frame where it is nearly one."""
        near = round(frame)
        frame = float(near) if abs(frame - near) < ON_FRAME else frame
        last = len(self) - 1
        if not self.loops or last < 1:
            return 0, min(max(frame, 0.0), float(last))
        count, rest = divmod(frame, float(last))
        return int(count), rest

    def at(self, frame: float) -> EditedPose:
        """The pose at a time, frames from 0; between two frames on the shorter way from one to the other."""
        k, share = self._between(frame)
        turns, places = self._row(k)
        if share > 0.0:
            next_turns, next_places = self._row(k + 1)
            for i in self.rotated:
                turns[i] = turns[i].slerp(next_turns[i], share)
            places = {i: place.lerp(next_places[i], share) for i, place in places.items()}
        return EditedPose(self.skeleton, turns, places)

    def spot(self, frame: float) -> Spot:
        """Where model space stands at a time, told from home; further rounds go on from where the last one ended."""
        count, local = self.within(frame)
        k, share = self._between(local)
        x, y, heading = self._mixed(self.track, k, share)
        if not count:
            return x, y, heading
        (ax, ay, start), (bx, by, end) = self.track[0].tolist(), self.track[-1].tolist()
        turn = end - start
        # A round turns and shifts the plan; `count` of them turn it so often and shift it by a geometric sum.
        shift = complex(bx, by) - complex(ax, ay) * complex(cos(turn), sin(turn))
        spun = complex(x, y) * complex(cos(turn * count), sin(turn * count))
        place = spun + shift * geometric(turn, count)
        return place.real, place.imag, heading + turn * count

    def ball(self, leg: int, frame: float) -> Vector:
        """A foot's ball at a time, model space."""
        k, share = self._between(frame)
        return Vector(self._mixed(self.balls[:, leg], k, share))

    def joined(self) -> ClipPoses:
        """The same, over and over: the end is led to the first frame, so that nothing jumps at the seam."""
        if self.loops:
            return self
        last = len(self) - 1
        if last < 1:
            return self
        window = last if self.closed else min(last, SEAM_SECONDS * self.fps)
        into = np.clip((np.arange(last + 1) - (last - window)) / window, 0.0, 1.0)
        share = np.array([smootherstep(float(value)) for value in into])
        between = multiplied(self.rotations[0], undone(self.rotations[-1]))
        rotations = multiplied(part_of(between[None], share[:, None]), self.rotations)

        def led(rows: np.ndarray) -> np.ndarray:
            return rows + np.multiply.outer(share, rows[0] - rows[-1])

        return replace(
            self,
            rotations=continuous(rotations),
            locations=led(self.locations),
            heights=led(self.heights),
            balls=led(self.balls),
            loops=True,
        )

    def without_lift(self) -> ClipPoses:
        """The same with the body at one height throughout, for a move whose way up somebody else carries."""
        lift = self.heights - self.heights[0]
        locations = self.locations.copy()
        for i, bone in enumerate(self.skeleton.bones):
            if bone.parent < 0:
                down = np.array(bone.rest.to_3x3(), dtype=np.float64).T @ np.array([0.0, 0.0, -1.0])
                locations[:, i] += np.multiply.outer(lift, down)
        balls = self.balls - np.multiply.outer(lift, [0.0, 0.0, 1.0])[:, None]
        return replace(self, locations=locations, balls=balls, heights=self.heights - lift)

    def cut(self, first: float, last: float) -> ClipPoses:
        """The part between two times as a clip that repeats, with about as many frames; its feet are left out."""
        times = np.linspace(first, last, max(2, round(last - first) + 1))
        pairs = [(k, k + (share > 0.0), share) for k, share in map(self._between, times.tolist())]
        before, after = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
        share = np.array([pair[2] for pair in pairs])

        def mixed(rows: np.ndarray) -> np.ndarray:
            return rows[before] + (rows[after] - rows[before]) * share.reshape(-1, *[1] * (rows.ndim - 1))

        # Neighbours are so near to each other that a straight line between them is the way of the turn.
        rotations = continuous(unit(mixed(self.rotations)))
        part = replace(
            self,
            fps=self.fps * (len(times) - 1) / max(last - first, 1.0),
            rotations=rotations,
            locations=mixed(self.locations),
            track=mixed(self.track),
            heights=mixed(self.heights),
            balls=mixed(self.balls),
            feet=ClipFeet(),
            closed=True,
            loops=False,
        )
        return part.joined()

    def _between(self, frame: float) -> tuple[int, float]:
        """The frame before a time, and the share of the way to the next one."""
        local = self.within(frame)[1]
        k = min(int(local), max(len(self) - 2, 0))
        return (k, local - k) if local - k < 1.0 else (k + 1, 0.0)

    def _row(self, k: int) -> tuple[list[Quaternion], dict[int, Vector]]:
        turns = [NO_TURN] * len(self.skeleton)
        row = self.rotations[k].tolist()
        for i in self.rotated:
            turns[i] = Quaternion(row[i])
        return turns, {i: Vector(self.locations[k, i].tolist()) for i in self.located}

    @staticmethod
    def _mixed(rows: np.ndarray, k: int, share: float) -> Spot:
        x, y, z = rows[k].tolist()
        if share > 0.0:
            a, b, c = rows[k + 1].tolist()
            return x + (a - x) * share, y + (b - y) * share, z + (c - z) * share
        return x, y, z


def clip_poses(
    clip: Clip, home: Spot | None = None, floors: Sequence[float] = (), held: Sequence[int] = ()
) -> ClipPoses:
    """A clip as poses. home: the place (world) that its track is told from, by default its first one. `held`: bones
    that it animates, also where they never move.

    `floors` are heights (world) that its ground may have been meant to be at, the likeliest first: the first that its
    soles stand near to is taken, so that a pose keeps its very height over it; else the height that they stand at.
    """
    whole = as_loop(clip)
    closed = whole is not None
    whole = clip if whole is None else whole
    feet = feet_of(whole, closed=closed)
    usual = USUAL_STRIDE * (clip.rig.leg_length / 0.9) ** 0.5 * clip.fps
    track = body_track(whole, usual if feet.stride is None else feet.stride[1] - feet.stride[0], closed=closed)
    base = meant_floor(feet.floor, floors, clip.rig.leg_length) - clip.rig.floor
    moved = _under(track, base) @ whole.moved
    rotations, locations = _basis(clip.rig.skeleton, moved, clip.rig.leg_length)
    local = Clip(whole.rig, whole.fps, moved)
    heights = middle_heights(local) - clip.rig.floor
    balls = [local.ball(leg) for leg in clip.rig.legs]
    return ClipPoses(
        clip.rig.skeleton,
        clip.fps,
        rotations,
        locations,
        seen_from(track, tuple(track[0].tolist()) if home is None else home),
        heights,
        np.stack(balls, axis=1) if balls else np.zeros((len(whole), 0, 3)),
        feet,
        closed,
        held=tuple(held),
    )


# How far soles may stand over or under a floor that was meant, in legs: those of captured clips, whose ground was never
# told, are off by as much.
NEAR_FLOOR = 0.25


def meant_floor(found: float | None, meant: Sequence[float], leg_length: float) -> float:
    """The first of the heights that are meant which soles stand near to; else the height that was found, or 0."""
    for height in meant:
        if found is None or abs(height - found) <= NEAR_FLOOR * leg_length:
            return height
    return 0.0 if found is None else found


def _under(track: np.ndarray, height: float) -> np.ndarray:
    """What brings the world to a model space that stands at the track, (F, 1, 4, 4)."""
    c, s = np.cos(track[:, 2]), np.sin(track[:, 2])
    back = np.zeros((len(track), 1, 4, 4))
    back[:, 0, 0, 0] = back[:, 0, 1, 1] = c
    back[:, 0, 0, 1], back[:, 0, 1, 0] = s, -s
    back[:, 0, 2, 2] = back[:, 0, 3, 3] = 1.0
    back[:, 0, 0, 3] = -(c * track[:, 0] + s * track[:, 1])
    back[:, 0, 1, 3] = s * track[:, 0] - c * track[:, 1]
    back[:, 0, 2, 3] = -height
    return back


def _basis(skeleton: Skeleton, moved: np.ndarray, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
    """Basis rotations (F, B, 4) and locations (F, B, 3) of bones that were moved so from rest, model space.

    A bone's frame under its parent is what moved its parent, put on its own rest; one that does not turn along is only
    taken to where that puts its head.
    """
    bones = skeleton.bones
    rests = np.array([bone.rest for bone in bones], dtype=np.float64)
    parents = np.array([bone.parent for bone in bones])
    carried = moved[:, parents].copy()
    carried[:, parents < 0] = np.identity(4)
    models, frames = moved @ rests, carried @ rests
    still = [i for i, bone in enumerate(bones) if bone.parent >= 0 and not bone.inherit_rotation]
    frames[:, still, :3, :3] = rests[still, :3, :3]
    basis = np.linalg.inv(frames) @ models
    rotations = continuous(from_matrices(basis[..., :3, :3]))
    unmoved = np.abs(rotations[..., 1:]).max(axis=(0, 2)) <= 0.5 * LEAST_TURN
    rotations[:, unmoved] = [1.0, 0.0, 0.0, 0.0]
    locations = basis[..., :3, 3].copy()
    fixed = np.array([bone.connected and bone.parent >= 0 for bone in bones])
    locations[:, fixed | (np.abs(locations).max(axis=(0, 2)) <= LEAST_SHIFT * leg_length)] = 0.0
    return rotations, locations
