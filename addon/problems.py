"""The list `object.surefoot.problems`: what set-up found in the rig, and what keeps a character from going as asked.

Lines of the first kind stay until the rig is looked at again; those of the second, `passing`, go when they are solved.
"""

from __future__ import annotations

from collections.abc import Iterable

from bpy.types import Object

from ..core.rig.rig import Problem


class Told:
    """The passing lines written last, by uid: comparing them costs less at each frame than reading the list."""

    lines: dict[int, tuple[str, ...]]


Told.lines = {}


def list_problems(obj: Object, found: Iterable[Problem], seen: str) -> None:
    """Write what was found in the rig anew, and for which state of the rig (`seen`) that holds; what passes stays."""
    settings = obj.surefoot
    _clear(obj, passing=False)
    for problem in found:
        line = settings.problems.add()
        line.text, line.blocking = str(problem), problem.blocking
    settings.seen = seen
    Told.lines.pop(obj.session_uid, None)


def tell(obj: Object, *reasons: str) -> None:
    """Have these passing lines and no others in the list; empty ones are none. Writes only where something changes."""
    uid, wanted = obj.session_uid, tuple(filter(None, reasons))
    if Told.lines.get(uid) == wanted:
        return
    Told.lines[uid] = wanted
    problems = obj.surefoot.problems
    if tuple(line.text for line in problems if line.passing) == wanted:
        return
    _clear(obj, passing=True)
    for reason in wanted:
        line = problems.add()
        line.text, line.passing = reason, True


def _clear(obj: Object, *, passing: bool) -> None:
    """Take the lines of one kind out of the list."""
    problems = obj.surefoot.problems
    for place in reversed(range(len(problems))):
        if problems[place].passing == passing:
            problems.remove(place)


def forget_told() -> None:
    """The lists may hold something else now: a step was undone, or another file is open."""
    Told.lines.clear()
