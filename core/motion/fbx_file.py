"""An FBX file judged before it is imported: its header, whether it is whole, whether it holds motion.

The layout of the binary form: a header, then nodes, each of which says where it ends; one without a name ends a list.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from .motion_file import MOST_BYTES, BrokenFileError, FileFacts, size_of, unreadable

MAGIC = b"Kaydara FBX Binary  \x00"
HEADER = 27
OLDEST = 7100
WIDE = 7500
"""From this version on offsets have eight bytes."""
MOST_NODES = 5_000_000
WIDTHS = {b"Y": 2, b"C": 1, b"B": 1, b"I": 4, b"F": 4, b"D": 8, b"L": 8}
"""Kinds of values, and the bytes of each."""
TEXTS = (b"S", b"R")
ITEMS = {b"f": 4, b"i": 4, b"d": 8, b"l": 8, b"b": 1, b"c": 1}
"""Kinds of arrays, and the bytes of an item."""
LENGTH, ARRAY = struct.Struct("<I"), struct.Struct("<III")
AGAIN = "Export or download it again."


def check_fbx(path: Path) -> FileFacts:
    """Nothing where an FBX is sound; a BrokenFileError names file and remedy."""
    size_of(path)
    try:
        with open(path, "rb") as file:
            head = file.read(HEADER)
            if head[: len(MAGIC)] != MAGIC:
                raise BrokenFileError(_no_magic(path.name, head))
            if len(head) < HEADER:
                raise BrokenFileError(f"{path.name} is cut off within its header. {AGAIN}")
            version = struct.unpack("<I", head[23:])[0]
            if version < OLDEST:
                raise BrokenFileError(
                    f"{path.name} is FBX version {version}; Blender reads {OLDEST} and newer. Convert it to FBX 2013."
                )
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                _Nodes(path.name, data, version >= WIDE).check()
    except OSError as error:
        raise unreadable(path, error) from error
    return FileFacts()


def _no_magic(name: str, head: bytes) -> str:
    if head.lstrip().startswith(b";"):
        return f"{name} is an FBX saved as text, which Blender does not read. Export it as binary FBX."
    return f"{name} is no FBX: its first bytes say otherwise. {AGAIN}"


class _Nodes:
    """Walks all nodes of a file, and what each says of its values, without reading the values."""

    def __init__(self, name: str, data: mmap.mmap, wide: bool) -> None:
        self._name, self._data = name, data
        self._record = struct.Struct("<QQQB" if wide else "<IIIB")
        self._nodes = 0

    def check(self) -> None:
        """Refuse what is cut off or broken, and what holds no animated curve."""
        curves = objects = 0
        for kind, inside, end in self._list(HEADER, len(self._data), last=True):
            found = self._walked(inside, end)
            if kind == b"Objects":
                objects, curves = 1, found.count(b"AnimationCurve")
        if not objects:
            raise BrokenFileError(f"{self._name} holds no objects. {AGAIN}")
        if not curves:
            raise BrokenFileError(f"{self._name} has no animation. Export it with its animation.")

    def _walked(self, start: int, end: int) -> list[bytes]:
        """The kinds of the nodes between two places; all that hangs on them was looked at."""
        kinds: list[bytes] = []
        waiting = [(start, end, True)]
        while waiting:
            start, end, direct = waiting.pop()
            for kind, inside, ends in self._list(start, end) if start < end else ():
                if direct:
                    kinds.append(kind)
                waiting.append((inside, ends, False))
        return kinds

    def _list(self, start: int, end: int, *, last: bool = False) -> Iterator[tuple[bytes, int, int]]:
        """Kind, begin of the nodes inside, and end of each node of a list; `last`: of the file's own list."""
        place, size = start, self._record.size
        while place + size <= end:
            ends, count, width, letters = self._record.unpack_from(self._data, place)
            if ends == 0:
                if last or place + size == end:
                    return
                break
            values = place + size + letters
            self._nodes += 1
            if not values + width <= ends <= end or self._nodes > MOST_NODES:
                break
            self._check_values(values, values + width, count)
            yield self._data[place + size : values], values + width, ends
            place = ends
        self._broken(place)

    def _check_values(self, place: int, end: int, count: int) -> None:
        """Every value of a node is of a known kind, and they fill its room exactly."""
        data, start = self._data, place
        for _ in range(count):
            kind = data[place : place + 1]
            place += 1 + WIDTHS.get(kind, 0)
            if kind in TEXTS and place + 4 <= end:
                place += 4 + LENGTH.unpack_from(data, place)[0]
            elif kind in ITEMS and place + 12 <= end:
                items, packed, length = ARRAY.unpack_from(data, place)
                if items * ITEMS[kind] > MOST_BYTES or packed > 1 or (not packed and items * ITEMS[kind] != length):
                    self._broken(place)
                place += 12 + length
            elif kind not in WIDTHS:
                self._broken(place)
            if place > end:
                self._broken(start)
        if place != end:
            self._broken(start)

    def _broken(self, place: int) -> NoReturn:
        raise BrokenFileError(f"{self._name} is cut off or broken at byte {place}. {AGAIN}")
