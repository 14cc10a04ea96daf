"""A BVH file judged before anything is made of it: read once, line by line, nothing kept.

What passes is what Blender's own importer reads: one joint a block, its brace, offset and channels each on a line of
their own, one frame a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .motion_file import MOST_JOINTS, BrokenFileError, FileFacts, size_of, too_many_joints, unreadable

MOST_POSES = 5_000_000
"""Joints times frames: what an import holds in memory goes with it."""
LONGEST_LINE = 4 << 20
LARGEST = 1e9
"""No place and no angle is larger, in any unit."""
LONGEST_FRAME = 10.0
POSITIONS = {"xposition", "yposition", "zposition"}
ROTATIONS = {"xrotation", "yrotation", "zrotation"}
AGAIN = "Export or download it again."


def check_bvh(path: Path) -> FileFacts:
    """What a sound BVH holds; a BrokenFileError names file, line and remedy."""
    size = size_of(path)
    try:
        with open(path, "rb") as file:
            lines = _Lines(path.name, file, size)
            joints, channels = _hierarchy(lines)
            return _motion(lines, joints, channels)
    except OSError as error:
        raise unreadable(path, error) from error


class _Lines:
    """The words of a file's lines, one after the other, without the empty ones; `number` is that of the last one."""

    def __init__(self, name: str, file: BinaryIO, size: int) -> None:
        self.name, self.size, self.read = name, size, 0
        self.number = 0
        self._file = file
        self._rows = self._all()

    def next(self) -> list[str]:
        """The next line's words; none at the end of the file."""
        return next(self._rows, [])

    def _all(self) -> Iterator[list[str]]:
        while raw := self._file.readline(LONGEST_LINE + 1):
            # Files of old systems end their lines with a carriage return alone.
            for part in raw.splitlines():
                self.number += 1
                words = self._words(part, len(raw))
                if words:
                    yield words
            self.read += len(raw)

    def _words(self, part: bytes, length: int) -> list[str]:
        if b"\0" in part:
            raise self.refused("This is not text", AGAIN)
        if length > LONGEST_LINE:
            raise self.refused(f"A line is longer than {LONGEST_LINE >> 20} MB", "Export it with one frame a line.")
        try:
            return part.decode("utf-8").split()
        except UnicodeDecodeError as error:
            raise self.refused("The text is not in UTF-8", "Save it as UTF-8 in a text editor.") from error

    def refused(self, reason: str, remedy: str) -> BrokenFileError:
        """What is wrong at this line, and what helps."""
        return BrokenFileError(f"{self.name}, line {max(self.number, 1)}: {reason}. {remedy}")

    def cut_off(self, where: str) -> BrokenFileError:
        """The file ends where it should go on."""
        return self.refused(f"The file ends {where}; it is cut off", AGAIN)


def _hierarchy(lines: _Lines) -> tuple[int, int]:
    """How many joints and channels there are; the reader stands after the line MOTION."""
    words = lines.next()
    if not words or words[0].lower() != "hierarchy":
        mark = "Save it as UTF-8 without a byte order mark." if words and words[0].startswith("\ufeff") else AGAIN
        raise lines.refused("A BVH begins with the word HIERARCHY; this does not", mark)
    joints = channels = depth = 0
    while words := lines.next():
        kind = words[0].lower()
        if kind in {"root", "joint"}:
            _nested(lines, kind, joints, depth)
            channels += _joint(lines, " ".join(words[1:]))
            joints, depth = joints + 1, depth + 1
        elif kind == "end":
            if depth == 0 or len(words) < 2 or words[1].lower() != "site":
                raise lines.refused("Only an End Site inside a joint can stand here", AGAIN)
            _end_site(lines)
        elif words == ["}"]:
            depth -= 1
            if depth < 0:
                raise lines.refused("A brace closes what was never opened", AGAIN)
        elif kind == "motion" and len(words) == 1:
            _closed(lines, joints, channels, depth)
            return joints, channels
        else:
            raise lines.refused(f"{_shown(words)} is neither a joint nor its end", AGAIN)
    raise lines.cut_off("before its motion")


def _nested(lines: _Lines, kind: str, joints: int, depth: int) -> None:
    if kind == "root" and joints:
        raise lines.refused("A second root begins here; one skeleton is read", "Export each to its own file.")
    if kind == "joint" and depth == 0:
        raise lines.refused("This joint hangs on no root", "The first joint has to be a ROOT, and hold all others.")


def _closed(lines: _Lines, joints: int, channels: int, depth: int) -> None:
    if depth:
        raise lines.refused("The motion begins before all braces of the skeleton are closed", AGAIN)
    if not joints:
        raise lines.refused("There are no joints", "Export it with its skeleton.")
    if joints > MOST_JOINTS:
        raise too_many_joints(lines.name, joints)
    if not channels:
        raise lines.refused("No joint has channels, so nothing moves", "Export it with its animation.")


def _joint(lines: _Lines, name: str) -> int:
    """How many channels a joint has whose name was read."""
    if not name:
        raise lines.refused("A joint has no name", "Give it one.")
    _opened(lines, name)
    _offset(lines, name)
    words = lines.next()
    if not words:
        raise lines.cut_off(f"before the channels of {name}")
    if words[0].lower() != "channels":
        raise lines.refused(f"Here the channels of {name} should stand", "Write CHANNELS 0 if it does not move.")
    kinds = [word.lower() for word in words[2:]]
    if len(words) < 2 or not words[1].isdecimal() or int(words[1]) != len(kinds):
        said = words[1] if len(words) > 1 else "no number of"
        raise lines.refused(f"{name} says {said} channels and names {len(kinds)}", AGAIN)
    unknown = [word for word in kinds if word not in POSITIONS | ROTATIONS]
    if unknown or len(set(kinds)) < len(kinds):
        raise lines.refused(
            f"{name} has {_shown(unknown or kinds)} among its channels", "Export each place and rotation just once."
        )
    if 0 < sum(kind in ROTATIONS for kind in kinds) < 3:
        raise lines.refused(f"{name} has fewer than three rotations", "Export it with all three, or with none.")
    return len(kinds)


def _end_site(lines: _Lines) -> None:
    _opened(lines, "End Site")
    _offset(lines, "End Site")
    words = lines.next()
    if not words:
        raise lines.cut_off("within an End Site")
    if words != ["}"]:
        raise lines.refused("Here the End Site should be closed", "Put the brace on a line of its own.")


def _opened(lines: _Lines, name: str) -> None:
    words = lines.next()
    if not words:
        raise lines.cut_off(f"before {name} is told")
    if words != ["{"]:
        raise lines.refused(f"Here {name} should be opened", "Put the brace on a line of its own.")


def _offset(lines: _Lines, name: str) -> None:
    words = lines.next()
    if not words:
        raise lines.cut_off(f"before the offset of {name}")
    if words[0].lower() != "offset" or len(words) != 4:
        raise lines.refused(f"Here the offset of {name} should stand, with three numbers", AGAIN)
    _numbers(lines, words[1:])


def _motion(lines: _Lines, joints: int, channels: int) -> FileFacts:
    stated = _frame_count(lines)
    said_at = lines.number
    fps = 1.0 / _frame_time(lines)
    if stated * joints > MOST_POSES and stated * channels * 2 <= lines.size - lines.read:
        raise lines.refused(
            f"{stated} frames of {joints} joints are more than {MOST_POSES} poses of a joint",
            "Export it in parts, or at a lower rate.",
        )
    frames, end = 0, 0
    while words := lines.next():
        if len(words) != channels:
            raise _wrong_row(lines, words, channels, frames, stated)
        _numbers(lines, words)
        frames, end = frames + 1, lines.number
    lines.number = said_at
    if frames < stated:
        raise lines.refused(
            f"{stated} frames are announced, and {frames} are there; the file is cut off",
            f"Export or download it again, or write Frames: {frames} there." if frames > 1 else AGAIN,
        )
    if frames == 1:
        lines.number = end
        raise lines.refused("There is one frame, so it is a pose and no motion", "Import it with File, Import instead.")
    more = (f"{lines.name} announces {stated} frames and has {frames}; all were read.",) if frames > stated else ()
    return FileFacts(joints, frames, fps, more)


def _frame_count(lines: _Lines) -> int:
    words = lines.next()
    if not words:
        raise lines.cut_off("before its frames")
    said = "".join(words).lower()
    number = said.removeprefix("frames:")
    if number == said or not number.lstrip("+-").isdecimal():
        raise lines.refused("Here the line Frames: with a whole number should stand", AGAIN)
    # More digits than any file has frames are not even read.
    count = int(number) if len(number) <= 18 else 10**18
    if count < 1:
        raise lines.refused(f"The file has {count} frames", "Export it with its animation.")
    return count


def _frame_time(lines: _Lines) -> float:
    words = lines.next()
    if not words:
        raise lines.cut_off("before its frame time")
    said = "".join(words).lower()
    number = said.removeprefix("frametime:")
    if number == said:
        raise lines.refused("Here the line Frame Time: with a number should stand", AGAIN)
    (seconds,) = _numbers(lines, [number])
    if not 1e-4 <= seconds <= LONGEST_FRAME:
        raise lines.refused(f"A frame of {seconds:g} s cannot be", "Write the time from frame to frame in seconds.")
    return seconds


def _wrong_row(lines: _Lines, words: list[str], channels: int, frames: int, stated: int) -> BrokenFileError:
    """A frame with more or fewer values than there are channels."""
    number = lines.number
    if len(words) < channels and not lines.next():
        lines.number = number
        return lines.cut_off(f"within frame {frames + 1} of {stated}")
    lines.number = number
    return lines.refused(f"Frame {frames + 1} has {len(words)} values for {channels} channels", AGAIN)


def _numbers(lines: _Lines, words: list[str]) -> list[float]:
    try:
        values = list(map(float, words))
    except ValueError:
        values = []
    # Their length is no less than any of them; which one is unsound is looked for only where that is.
    if values and math.hypot(*values) <= LARGEST:
        return values
    wrong = next((word for word in words if not _is_sound(word)), None)
    if wrong is None:
        return values
    raise lines.refused(f"{_shown([wrong])} is no number that a place or an angle can have", "Export it again.")


def _is_sound(word: str) -> bool:
    try:
        return abs(float(word)) <= LARGEST
    except ValueError:
        return False


def _shown(words: list[str]) -> str:
    """Words of a file as they may stand in a sentence: in quotes, cut short, without what cannot be printed."""
    said = " ".join(words)
    short = "".join(letter if letter.isprintable() else "?" for letter in said[:40])
    return f'"{short}{"..." if len(said) > 40 else ""}"'
