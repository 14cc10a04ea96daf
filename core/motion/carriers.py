"""Who carries a clip's travel: the whole rig, its root bone, or the body; and how bones that nobody writes ride along.

A carrier's way is (F, 4, 4), rigid: where it brings the rest pose's model space in the world, metres. Whatever it is,
the bones that are written end where the clip has them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from .body_track import body_track
from .clip import Clip
from .clip_feet import feet_of
from .clip_pose import USUAL_STRIDE
from .gait_bake import reference_leg
from .loops import as_loop
from .travel import stays_on_the_spot


def travel_of(clip: Clip) -> np.ndarray:
    """The net travel of a clip, (F, 3): x, y and heading of what goes evenly under sway, surge and the pelvis' turns.

    A clip that stays on its spot does not travel: leaning and shifting weight over feet that stand are no way.
    """
    whole = as_loop(clip)
    closed = whole is not None
    whole = clip if whole is None else whole
    # One leg tells the strides of all.
    legs = clip.rig.legs and (clip.rig.legs[reference_leg(clip.rig.legs)],)
    stride = feet_of(replace(whole, rig=replace(clip.rig, legs=legs)), closed=closed).stride
    usual = USUAL_STRIDE * (clip.rig.leg_length / 0.9) ** 0.5 * clip.fps
    track = body_track(whole, usual if stride is None else stride[1] - stride[0], closed=closed)[: len(clip)]
    if stays_on_the_spot(clip):
        track[:, :2] = track[:, :2].mean(axis=0)
        if np.ptp(track[:, 2]) < TURNS_ON_THE_SPOT:
            track[:, 2] = track[:, 2].mean()
    return track


# Radians: who stays in one place and turns by less looks about.
TURNS_ON_THE_SPOT = np.pi / 3.0


def way_of(track: np.ndarray) -> np.ndarray:
    """A track (F, 3), x, y and heading, as a carrier's way, (F, 4, 4)."""
    way = np.tile(np.identity(4), (len(track), 1, 1))
    way[:, 0, 0] = way[:, 1, 1] = np.cos(track[:, 2])
    way[:, 1, 0] = np.sin(track[:, 2])
    way[:, 0, 1] = -way[:, 1, 0]
    way[:, :2, 3] = track[:, :2]
    return way


def undone_way(way: np.ndarray) -> np.ndarray:
    """The way back, (F, 4, 4)."""
    back = np.tile(np.identity(4), (*way.shape[:-2], 1, 1))
    turn = np.swapaxes(way[..., :3, :3], -1, -2)
    back[..., :3, :3] = turn
    back[..., :3, 3] = -np.einsum("...ij,...j->...i", turn, way[..., :3, 3])
    return back


def under(clip: Clip, way: np.ndarray) -> Clip:
    """The clip as seen from a carrier that everything rides."""
    return replace(clip, moved=undone_way(way)[:, None] @ clip.moved)


def with_root(clip: Clip, way: np.ndarray) -> Clip:
    """The clip with its root bone on a way of its own; all other bones stay where they are."""
    moved = clip.moved.copy(order="K")
    moved[:, clip.rig.root] = way
    return replace(clip, moved=moved)


def with_riders(clip: Clip, written: Collection[int], posed: Mapping[int, np.ndarray]) -> Clip:
    """The clip with the bones that nobody writes where their parents take them.

    posed: what such bones hold themselves, as matrices relative to rest, (F, 4, 4) or (4, 4), in metres; others rest.
    Only those above a written bone are worked out, since nothing else depends on where they are.
    """
    skeleton = clip.rig.skeleton
    above = {j for i in written for j in skeleton.ancestors(i)} - set(written)
    if not above:
        return clip
    moved = clip.moved.copy(order="K")
    for i in sorted(above):
        bone = skeleton.bones[i]
        rest = np.array(bone.rest, dtype=np.float64)
        change = rest @ posed[i] @ np.linalg.inv(rest) if i in posed else np.identity(4)
        if bone.parent < 0:
            moved[:, i] = change
            continue
        moved[:, i] = ridden(clip, i, moved[:, bone.parent], change)
    return replace(clip, moved=moved)


def ridden(clip: Clip, i: int, carrier: np.ndarray, change: np.ndarray) -> np.ndarray:
    """How a bone moves, (F, 4, 4), on a parent that moves like `carrier`; change: its own motion from rest, under it.

    A bone that does not turn with its parent is still placed in its axes.
    """
    bone = clip.rig.skeleton.bones[i]
    moved = np.asarray(carrier @ change)
    if not bone.inherit_rotation:
        head = np.array(bone.head, dtype=np.float64)
        place = moved[..., :3, :3] @ head + moved[..., :3, 3]
        moved[..., :3, :3] = change[..., :3, :3]
        moved[..., :3, 3] = place - moved[..., :3, :3] @ head
    return moved
