"""Names of new Actions: the motion's and what was done with it, once, and never longer than Blender keeps."""

from __future__ import annotations

MOST_NAME = 63
"""Bytes that Blender keeps of a name."""


def on_target(name: str, target: str, source: str = "") -> str:
    """X of Hero becomes X_Hero. What a motion got when it came to its `source` is taken off again, so that one that
    goes from rig to rig, or twice to the same, keeps the length of its name.
    """
    bare = _unnumbered(name)
    stem = bare
    for end in (f"_{source}", f"_{target}") if source else (f"_{target}",):
        while len(stem) > len(end) and stem.endswith(end):
            stem = stem[: -len(end)]
    return _with_end(stem if stem != bare else name, f"_{target}")


def cleaned(name: str, pattern: str) -> str:
    """A name by a pattern with {action} in it; one that follows the pattern already stays it."""
    begin, _, end = pattern.partition("{action}")
    bare = _unnumbered(name)
    if len(bare) > len(begin) + len(end) and bare.startswith(begin) and bare.endswith(end):
        name = bare[len(begin) : len(bare) - len(end)]
    return _with_end(begin + name, end)


def _unnumbered(name: str) -> str:
    """A name without the number that Blender gave it since it was taken."""
    stem, _, number = name.rpartition(".")
    return stem if stem and len(number) == 3 and number.isdecimal() else name


def _with_end(begin: str, ending: str) -> str:
    """Both together; the begin is cut where they are too long."""
    end = ending.encode()[:MOST_NAME]
    return begin.encode()[: MOST_NAME - len(end)].decode("utf-8", "ignore") + end.decode("utf-8", "ignore")
