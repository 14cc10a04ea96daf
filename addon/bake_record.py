"""What a bake writes on its Action: that it is ours, its channels, and the contacts of its feet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from bpy.types import Action

from ..core.measure.contacts import Contacts, Span, contacts_of
from ..core.rig.pose import Footing

KEY = "surefoot_bake"
VERSION = 1
DOWN = attrgetter("planted", "heel_down", "ball_down")


@dataclass(frozen=True)
class Record:
    """The character's name, frames a second, the range, (path, index) of each channel, and each foot's contacts.

    `planned`: the contacts are those of a plan; else, of a clip that was played, they were found in it.
    """

    character: str
    fps: float
    frame_start: int
    frame_end: int
    channels: tuple[tuple[str, int], ...]
    contacts: dict[str, Contacts]
    planned: bool = True


def planned(frames: Sequence[tuple[Footing, ...]], frame_start: int, fps: float) -> dict[str, Contacts]:
    """Contacts per foot from what each frame planned: a foot's to the fraction of a frame, heel's and ball's to one."""
    numbers = np.arange(frame_start, frame_start + len(frames))
    found = {}
    for place, first in enumerate(frames[0] if frames else ()):
        # A frame that was posed without feet, as of a source that was lost, plans none of them down.
        up = first._replace(planted=False, heel_down=False, ball_down=False)
        rows = [feet[place] if place < len(feet) else up for feet in frames]
        flags = np.array(list(map(DOWN, rows)))
        points = contacts_of(numbers, flags[:, 0], flags[:, 1], flags[:, 2])
        found[first.role] = Contacts(_spans_between_frames(rows, frame_start, fps), points.heel, points.ball)
    return found


def _spans_between_frames(rows: Sequence[Footing], frame_start: int, fps: float) -> tuple[Span, ...]:
    """When a foot is down: each frame says how long ago it landed or left."""
    spans = []
    start = float(frame_start) if rows[0].planted else None
    for number, (before, foot) in enumerate(zip(rows, rows[1:], strict=False), frame_start + 1):
        if foot.planted == before.planted:
            continue
        edge = number - min(1.0, foot.elapsed * fps)
        if foot.planted:
            start = edge
        else:
            spans.append(Span(start, edge))
            start = None
    if start is not None:
        spans.append(Span(start, float(frame_start + len(rows) - 1)))
    return tuple(spans)


def write_record(action: Action, record: Record) -> None:
    """Put the record on the Action, as text that every Blender keeps."""
    contacts = {role: [item.foot, item.heel, item.ball] for role, item in record.contacts.items()}
    action[KEY] = json.dumps(
        {
            "version": VERSION,
            "character": record.character,
            "fps": record.fps,
            "frame_start": record.frame_start,
            "frame_end": record.frame_end,
            "channels": record.channels,
            "contacts": contacts,
            "planned": record.planned,
        },
        separators=(",", ":"),
    )


def read_record(action: Action | None) -> Record | None:
    """The record of an Action that we baked; None for any other, and for one that was spoiled."""
    text = action.get(KEY) if action is not None else None
    if not isinstance(text, str):
        return None
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            return None
        return Record(
            str(data["character"]),
            float(data["fps"]),
            int(data["frame_start"]),
            int(data["frame_end"]),
            tuple((str(path), int(index)) for path, index in data["channels"]),
            {str(role): Contacts(*map(_spans, items)) for role, items in data["contacts"].items()},
            bool(data.get("planned", True)),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _spans(items: Sequence[Sequence[float]] | None) -> tuple[Span, ...] | None:
    return None if items is None else tuple(Span(float(start), float(end)) for start, end in items)
