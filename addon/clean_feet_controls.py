"""Feet of a generated control rig held: its controls are keyed anew at all frames, switches included.

Controls hang on each other through constraints and switches, so that legs alone cannot be written without the rest.
What is no control of the body stays as it was.
"""

from __future__ import annotations

import bpy
import numpy as np
from bpy.types import Action, Object

from ..core.motion.carriers import under, undone_way
from ..core.motion.clip import Clip
from .action_writing import ActionOptions, Written, write_clip
from .channel_writer import Reading
from .former_motion import former_of
from .keyed_values import curve_time
from .object_columns import base_of, clip_frame

MOVED = 1e-6
"""What a bone moves by less, metres and matrix entries, is not written for."""


def written_on_controls(
    obj: Object,
    reading: Reading,
    former: tuple[Action, str],
    clips: tuple[Clip, Clip],
    times: np.ndarray,
    options: ActionOptions,
) -> Written | None:
    """A new Action in which the rig does the second clip (world) instead of the first; None where they are alike.

    former: the Action that plays the first clip, and its slot's identifier. times: curve times of the frames, (F,).
    """
    was, shall = clips
    if np.abs(shall.moved - was.moved).max() <= MOVED:
        return None
    action, identifier = former
    base = base_of(obj, former_of(obj, action, identifier), float(times[0]))
    frame = clip_frame(obj, reading, base)
    root = reading.rig.root
    way = None if root < 0 else undone_way(frame[None]) @ was.moved[:, root]
    asked = ActionOptions(
        name=options.name,
        frame_start=float(times[0]) / curve_time(bpy.context.scene, 1.0),
        travel="PELVIS" if root < 0 else "ROOT_BONE",
        way=way,
        keep=action,
        keep_slot=identifier,
        assign=options.assign,
    )
    return write_clip(obj, reading, under(shall, frame[None]), range(len(reading.rig.skeleton)), asked)

