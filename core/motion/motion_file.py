"""Files that hold motion: what was found in one before anything is made of it, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 1 << 30
MOST_JOINTS = 2_000
"""More than any character has; what is found out about a rig takes time with the square of them."""


class BrokenFileError(ValueError):
    """A file that cannot be used: its name, the place in it, and what helps, in sentences."""


@dataclass(frozen=True)
class FileFacts:
    """What is known of a sound file. joints: how many can move; frames, fps: 0 where only an import can tell."""

    joints: int = 0
    frames: int = 0
    fps: float = 0.0
    notes: tuple[str, ...] = ()


def size_of(path: Path) -> int:
    """Bytes of a file that can be read; refused where it is missing, empty or too large."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error
    if path.is_dir():
        raise BrokenFileError(f"{path.name} is a folder. Choose a file in it.")
    if size == 0:
        raise BrokenFileError(f"{path.name} is empty. Export or download it again.")
    if size > MOST_BYTES:
        raise BrokenFileError(
            f"{path.name} has {size / MOST_BYTES:.1f} GB; at most {MOST_BYTES / (1 << 30):.0f} GB are read. "
            "Export it in parts."
        )
    return size


def unreadable(path: Path, error: OSError) -> BrokenFileError:
    """The sentence for a file that the system does not let us read."""
    reason = error.strerror or str(error)
    return BrokenFileError(f"{path.name} cannot be read ({reason}). Check that it is there and may be opened.")


def too_many_joints(name: str, count: int) -> BrokenFileError:
    """The sentence for a skeleton that is larger than any character's."""
    return BrokenFileError(
        f"{name} has {count} joints; at most {MOST_JOINTS} are read. Leave cloth, hair and props out."
    )
