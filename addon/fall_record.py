"""What physics made of a character, kept on its armature object: it outlives saving, undo and a library override.

One text in the settings: a header and, packed, single precision numbers. An object that is linked and no override
cannot be written, and so is no character.
"""

from __future__ import annotations

import json
import zlib
from base64 import b85decode, b85encode
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ..core.control.fall_row import FallRow, FallState
from .fall_digest import SIZE
from .refusal import RefusedError
from .texts import text

VERSION = 2
"""Of this layout, and of what is computed: a record of another one is none."""
MOST_NUMBERS = 4_000_000
"""So many numbers a record holds at most: twenty minutes of a body of sixteen parts."""
STATES: tuple[FallState, ...] = ("ANIMATED", "ACTIVE", "FALLEN", "GETTING_UP")
HEAD = 6
"""Numbers of a row beside bodies and weights: state, since, push (3), begins."""


@dataclass
class Run:
    """From the frame `first`, at which physics began, one row for each frame after it.

    `start` tells how the body was then. A run that `is_open` was still going on where the computing ended.
    """

    first: int
    start: bytes
    rows: list[FallRow] = field(default_factory=list)
    is_open: bool = False

    @property
    def last(self) -> int:
        """Its last frame."""
        return self.first + len(self.rows)


@dataclass
class Record:
    """All runs of a character, in order. `head` tells what the whole depends on, `seen` what each frame said from the
    frame `begin` on, digests of `SIZE` bytes.
    """

    head: bytes = b""
    begin: int = 0
    seen: list[bytes] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The last frame that was looked at; before `begin` where none was."""
        return self.begin + len(self.seen) - 1


def stored(row: FallRow) -> FallRow:
    """A row as it is read back: what is shown while it is computed is what is shown later."""
    return _row(*_numbers(row), row.events)


def _numbers(row: FallRow) -> tuple[np.ndarray, int, int]:
    head = (STATES.index(row.state), row.since, *row.push, row.begins)
    numbers = np.array([*head, *row.bodies, *row.weights], dtype=np.float32)
    return numbers, len(row.bodies), len(row.weights)


def _row(numbers: np.ndarray, bodies: int, weights: int, events: tuple[str, ...]) -> FallRow:
    state, since, x, y, z, begins, *rest = numbers.tolist()
    told, shares = tuple(rest[:bodies]), tuple(rest[bodies : bodies + weights])
    return FallRow(STATES[int(state)], since, told, shares, tuple(events), (x, y, z), int(begins))


def as_text(record: Record, name: str) -> str:
    """A record as text; a refusal where it is too long to be kept."""
    if not record.runs:
        return ""
    rows = [(_numbers(row), row.events) for run in record.runs for row in run.rows]
    header: dict[str, Any] = {
        "version": VERSION,
        "head": record.head.hex(),
        "begin": record.begin,
        "seen": len(record.seen),
        "runs": [[run.first, run.start.hex(), len(run.rows), run.is_open] for run in record.runs],
        "sizes": [[bodies, weights] for (_, bodies, weights), _ in rows],
        "events": {str(i): events for i, (_, events) in enumerate(rows) if events},
    }
    numbers = np.concatenate([part for (part, _, _), _ in rows]) if rows else np.empty(0, np.float32)
    if numbers.size > MOST_NUMBERS:
        raise RefusedError(text("fall_too_long", name=name, frames=len(rows)))
    packed = json.dumps(header, separators=(",", ":")).encode() + b"\n" + b"".join(record.seen) + numbers.tobytes()
    return b85encode(zlib.compress(packed, 6)).decode()


def from_text(told: str) -> Record:
    """The record that a text holds; one without runs for an empty text, another version's, or a broken one."""
    try:
        header, numbers = _unpacked(told)
        return Record() if header is None else _record(header, numbers)
    except (ValueError, KeyError, IndexError, TypeError, zlib.error):
        return Record()


def _unpacked(told: str) -> tuple[dict[str, Any] | None, bytes]:
    if not told:
        return None, b""
    unpacker = zlib.decompressobj()
    most = MOST_NUMBERS * 8
    packed = unpacker.decompress(b85decode(told), most)
    line, _, rest = packed.partition(b"\n")
    header = json.loads(line)
    return (header, rest) if header["version"] == VERSION else (None, b"")


def _record(header: dict[str, Any], packed: bytes) -> Record:
    count = int(header["seen"])
    seen = [packed[i * SIZE : (i + 1) * SIZE] for i in range(count)]
    numbers = np.frombuffer(packed[count * SIZE :], dtype=np.float32)
    rows, at = [], 0
    for i, (bodies, weights) in enumerate(header["sizes"]):
        size = HEAD + bodies + weights
        part = numbers[at : at + size]
        if len(part) != size:
            raise ValueError("A record that ends too early.")
        rows.append(_row(part, bodies, weights, tuple(header["events"].get(str(i), ()))))
        at += size
    record, done = Record(bytes.fromhex(header["head"]), int(header["begin"]), seen), 0
    for first, start, length, is_open in header["runs"]:
        record.runs.append(Run(int(first), bytes.fromhex(start), rows[done : done + length], bool(is_open)))
        done += length
    return record


def recorded() -> tuple[tuple[int, int], ...]:
    """What is recorded in the file, to be compared later within one session."""
    rigs = (obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.surefoot.fall_record)
    return tuple((obj.session_uid, hash(obj.surefoot.fall_record)) for obj in rigs)


def write_record(obj: Object, told: str) -> bool:
    """Keep a record on the object; False where it was there already."""
    if obj.surefoot.fall_record == told:
        return False
    obj.surefoot.fall_record = told
    return True
