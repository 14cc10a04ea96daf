"""Join a loop: its seam measured and closed. N frames from the first on are the loop, the next is the first again."""

from __future__ import annotations

from math import degrees, radians
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Object

from ..core.motion.clip import Clip
from ..core.motion.loops import as_loop
from ..core.motion.root_motion import own_track
from ..core.motion.seam import Seam, closed_turns, closed_values, seam_of, steps_on, travel_of_loop, ways_back
from ..core.motion.support import even_track
from ..core.motion.travel import not_left_behind
from ..core.space.quaternions import from_matrices, to_matrices
from .action_edit import PLAYED, Edit, Which, edited, frame_span, turn_numbers, values_at, write_values
from .pose_channels import Channel
from .posed_elements import Held, Poses, repeat
from .refusal import RefusedError
from .retime import cut, frames_a_second, slot_named, transform_groups, turns_of, whole_values
from .texts import text
from .travel_stage import Stage, reading_of

LEAST_FRAMES = 4
LAST_FRAMES = ("AUTO", "FIRST_AGAIN", "ONE_BEFORE")
# A rise in a round that is less than this share of the leg length was not meant.
LEVEL = 0.05
# So is a smaller turn: a body is never yawed by quite as much a stride later.
TURNS = radians(10.0)
SAME = 1e-6


class Joined(NamedTuple):
    """The Action, the loop's frames, its seam as it was and as it is, what a round brings (metres x, y, z, radians),
    and sentences on what to know.
    """

    action: str
    frames: int
    before: Seam
    after: Seam
    travel: tuple[float, float, float, float]
    notes: tuple[str, ...]


def join_loop(
    obj: Object,
    which: Which = PLAYED,
    frame_start: float | None = None,
    frame_end: float | None = None,
    last_frame: str = "AUTO",
    blend_seconds: float = 0.5,
    extrapolation: str = "HOLD",
) -> Joined:
    """Close the Action to a loop, or the part of it between two frames; its travel in a round is kept.

    last_frame: 'FIRST_AGAIN' (it becomes the first one), 'ONE_BEFORE' (the first one comes after it, and is added) or
    'AUTO' (as is found). Both ends are led to each other over `blend_seconds`. extrapolation: 'HOLD' (after its last
    key nothing moves) or 'CYCLE' (all goes on, travel too). The Action's range says the loop: from its first frame to
    the one that is the first again.
    """
    for value, known in ((extrapolation, ("HOLD", "CYCLE")), (last_frame, LAST_FRAMES)):
        if value not in known:
            raise RefusedError(text("root_unknown_choice", value=value, known=", ".join(known)))
    with edited(obj, which, "root_joined") as edit:
        first, last = frame_span(edit.action, edit.bag, given=True)
        start, end = (first if frame_start is None else frame_start), (last if frame_end is None else frame_end)
        if not first - 1e-3 <= start < end <= last + 1e-3:
            raise RefusedError(text("root_bad_range", start=start, end=end, first=first, last=last))
        if end - start < LEAST_FRAMES:
            count, least = round(end - start) + 1, LEAST_FRAMES + 1
            raise RefusedError(text("root_too_short", action=edit.source.name, frames=count, least=least))
        cut(edit, start, start + int(end - start + 1e-3))
        loop = _Loop(edit, Stage(edit, reading_of(obj), even=True), last_frame, blend_seconds)
        before = loop.seam(as_found=True)
        loop.close()
        after = loop.seam()
        if extrapolation == "CYCLE" and loop.turns:
            raise RefusedError(text("root_turning_cycle", degrees=degrees(loop.turns)))
        _go_on(edit, cycle=extrapolation == "CYCLE")
        edit.action.use_frame_range = edit.action.use_cyclic = True
        edit.action.frame_start, edit.action.frame_end = start, start + loop.count
    travel = loop.travel()
    if travel[2]:
        edit.notes.append(text("root_loop_rise", metres=travel[2]))
    return Joined(edit.name, loop.count, before, after, travel, tuple(edit.notes))


class _Loop:
    """A loop being closed: its travel told apart, its elements that travel and the channels below them."""

    def __init__(self, edit: Edit, stage: Stage, last_frame: str, blend_seconds: float) -> None:
        self._edit, self._stage = edit, stage
        self._fps = frames_a_second(stage.scene)
        self._window = max(blend_seconds * self._fps, 1.0)
        clip = stage.clip()
        self.added = last_frame == "ONE_BEFORE" or (last_frame == "AUTO" and self._stops_one_before(clip))
        self.count = len(clip) - 1 + self.added
        self._times = stage.times[0] + np.arange(self.count + 1, dtype=np.float64)
        leg = stage.reading.rig.leg_length
        object_track = own_track(stage.motion(""), np.zeros(3))
        body_track = own_track(stage.local(stage.body), stage.joint(stage.body))
        self._ways = [self._way(track, LEVEL * leg) for track in (object_track, body_track)]
        self.turns = float(sum(brings[3] for _, brings in self._ways))

    def _stops_one_before(self, clip: Clip) -> bool:
        """Whether the first frame would be the next one of a clip."""
        found = as_loop(clip)
        if found is None or len(found) == len(clip):
            return False
        body = own_track(clip.moved[:, clip.rig.body], np.zeros(3))
        shares = np.arange(len(clip)) / (len(found) - 1)
        end = own_track(found.moved[-1:, clip.rig.body], np.zeros(3))[0]
        way = even_track(body[0, :3], end[:3], float(body[0, 3]), float(body[-1, 3] - body[0, 3]), shares)
        moved = ways_back(way)[:, None] @ clip.moved
        rests = np.array([bone.rest for bone in clip.rig.skeleton.bones], dtype=np.float64)
        return steps_on((moved @ rests)[:, not_left_behind(clip.rig)][..., :3, 3])

    def _way(self, track: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        """The even way in a track, and what a round brings; where a frame is missing, one more step."""
        way, brings = travel_of_loop(track, straight=TURNS, level=level)
        if not self.added:
            return way, brings
        # As far as the steps before and after it go.
        step = 0.5 * (track[-1:] - track[-2:-1] + track[1:2] - track[:1])
        longer = np.concatenate([track, track[-1:] + step])
        return travel_of_loop(longer, straight=TURNS, level=level)

    def travel(self) -> tuple[float, float, float, float]:
        """What a round brings in the world."""
        stage = self._stage
        track = own_track(stage.motion(stage.body), stage.joint(stage.body))
        _, brings = self._way(track, LEVEL * stage.reading.rig.leg_length)
        x, y, z, turn = brings.tolist()
        return x, y, z, turn

    def seam(self, *, as_found: bool = False) -> Seam:
        """How far the end is from the beginning, in the Action as it is now; `as_found`: before a frame was added."""
        short = as_found and self.added
        stage = self._stage.again(self._times[:-1] if short else self._times)
        track = own_track(stage.motion(stage.body), stage.joint(stage.body))
        level = LEVEL * stage.reading.rig.leg_length
        way, _ = self._way(track, level) if short else travel_of_loop(track, straight=TURNS, level=level)
        moved = stage.clip().moved
        if short:
            moved = np.concatenate([moved, (np.linalg.inv(ways_back(way))[-1:, None] @ moved[:1])])
        # A root bone that stays behind has no seam.
        going = np.abs(moved - moved[:1]).max(axis=(0, 2, 3)) > SAME
        moved = ways_back(way)[:, None] @ moved[:, going]
        rests = np.array([bone.rest for bone in stage.reading.rig.skeleton.bones], dtype=np.float64)
        places = (moved @ rests[going])[..., :3, 3]
        return seam_of(places, from_matrices(moved[..., :3, :3]), self._fps)

    def close(self) -> None:
        """Close the channels below what travels, then what travels."""
        stage, moved = self._stage, self._stage.moved
        bones = self._edit.obj.data.bones
        tops = {name for name in moved if name and not {b.name for b in bones[name].parent_recursive} & moved}
        open_curves = self._close_channels(moved - tops - {""}, tops)
        wanted = {}
        world = stage.poses.world
        if "" in moved:
            wanted |= stage.object_given(self._closed(stage.motion(""), self._ways[0]))
            world = wanted[""]
        world = self._longer(world)
        for name in sorted(tops):
            local = self._closed(stage.local(name), self._ways[1])
            wanted[name] = stage.posed(name, local, world)
        stuck = Held(self._edit, self._times, self._now(), wanted).hold()
        if stuck:
            names = ", ".join(name or self._edit.obj.name for name in stuck[:5])
            self._edit.notes.append(text("root_not_held", count=len(stuck), names=names))
        if open_curves:
            self._edit.notes.append(text("root_open_curves", count=open_curves))

    def _now(self) -> Poses:
        return self._stage.again(self._times).poses

    def _longer(self, rows: np.ndarray) -> np.ndarray:
        return np.concatenate([rows, rows[-1:]]) if len(rows) < self.count + 1 else rows

    def _closed(self, motion: np.ndarray, way: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """What travels (F, 4, 4), its loop closed beside its travel."""
        back = ways_back(way[0])
        still = back[: len(motion)] @ motion
        if self.added:
            still = np.concatenate([still, still[:1]])
        turns = closed_turns(from_matrices(still[:, :3, :3]), self._window, self._fps)
        result = still.copy()
        result[:, :3, :3] = to_matrices(turns)
        result[:, :3, 3] = closed_values(still[:, :3, 3], self._window, self._fps)
        onward: np.ndarray = np.linalg.inv(back) @ result
        return onward

    def _close_channels(self, names: set[str], tops: set[str]) -> int:
        """Channels of bones below others; how many curves of anything else stay open."""
        times = self._times[: len(self._times) - self.added]
        groups = transform_groups(self._edit)
        known = set()
        for (bone, name), curves in groups.items():
            known |= {(item.data_path, item.array_index) for item in curves.values()}
            if bone not in names and not (name == "scale" and bone in tops):
                continue
            slot = slot_named(self._edit.obj, bone, name)
            rows = whole_values(slot, curves, times)
            for index, column in self._closed_rows(slot, rows, curves).items():
                old = values_at(curves[index], self._times) if index in curves else None
                if old is None or np.abs(column - old).max() > SAME:
                    write_values(self._edit.bag, Channel(slot.data_path, index, bone), self._times, column)
        others = [c for c in self._edit.bag.fcurves if (c.data_path, c.array_index) not in known]
        return sum(len(c.keyframe_points) > 1 and abs(np.diff(values_at(c, times[[0, -1]]))[0]) > SAME for c in others)

    def _closed_rows(self, slot: Any, rows: np.ndarray, curves: dict[int, Any]) -> dict[int, np.ndarray]:
        if not slot.name.startswith("rotation"):
            rows = np.concatenate([rows, rows[:1]]) if self.added else rows
            closed = closed_values(rows, self._window, self._fps)
            return {index: closed[:, index] for index in curves}
        turns = turns_of(slot, rows)
        turns = np.concatenate([turns, turns[:1]]) if self.added else turns
        numbers = turn_numbers(slot, closed_turns(turns, self._window, self._fps), rows[0].tolist())
        return {index: numbers[:, index] for index in range(numbers.shape[1])}


def _go_on(edit: Edit, *, cycle: bool) -> None:
    """What curves do after their last key: hold, or repeat with what a round brings."""
    for curve in edit.bag.fcurves:
        for modifier in [item for item in curve.modifiers if item.type == "CYCLES"]:
            curve.modifiers.remove(modifier)
        curve.extrapolation = "CONSTANT"
        if cycle:
            repeat(curve)
        curve.update()
