"""The list `object.surefoot.problems`: what set-up found in the rig, and what keeps a character from going as asked.

Lines of the first kind stay until the rig is looked at again; those of the second, `passing`, go when they are solved.
"""

from __future__ import annotations

from collections.abc import Iterable

from bpy.types import Object

from ..core.rig.rig import Problem


class Told:
    """The passing line that was written last, by uid: comparing it costs less at each frame than reading the list."""

    lines: dict[int, str]


Told.lines = {}


def list_problems(obj: Object, found: Iterable[Problem], seen: str) -> None:
    """Write what was found in the rig anew, and for which state of the rig (`seen`) that holds."""
    settings = obj.surefoot
    settings.problems.clear()
    for problem in found:
        line = settings.problems.add()
        line.text, line.blocking = str(problem), problem.blocking
    settings.seen = seen
    Told.lines.pop(obj.session_uid, None)


def tell(obj: Object, reason: str) -> None:
    """Have this passing line and no other in the list; an empty one: none. Writes only where something changes."""
    uid = obj.session_uid
    if Told.lines.get(uid) == reason:
        return
    Told.lines[uid] = reason
    problems = obj.surefoot.problems
    if [line.text for line in problems if line.passing] == ([reason] if reason else []):
        return
    for place in reversed(range(len(problems))):
        if problems[place].passing:
            problems.remove(place)
    if reason:
        line = problems.add()
        line.text, line.passing = reason, True


def forget_told() -> None:
    """The lists may hold something else now: a step was undone, or another file is open."""
    Told.lines.clear()
