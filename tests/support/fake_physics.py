"""Physics that is none: a body of one part goes where a script of the test says, so that what is around it is tested.

It goes up a centimetre a frame for each metre a second that it was hit with, for `GOES` frames, lies for `LIES`, and
gets up in `RISES`.
"""

from __future__ import annotations

from typing import Any

import pytest
from surefoot.core.control.fall_row import FallRow
from surefoot.core.rig.pose import PoseFrame

GOES, LIES, RISES = 6, 4, 5


class FakeEngine:
    """One run. `opened` and `closed` count all of them."""

    opened = 0
    closed = 0

    def __init__(self, *, limp: bool = False) -> None:
        FakeEngine.opened += 1
        self.frames, self.height, self.limp = 0, 0.0, limp

    def frame(self, _scenery: Any, _member: Any, _number: int, inputs: Any, hits: Any, wishes: Any) -> FallRow | None:
        self.frames += 1
        if self.limp and not wishes.is_limp:
            return None
        self.height += sum(abs(value) for hit in hits for value in hit.velocity) / 300.0
        events = ("hit",) if hits else ()
        if self.limp:
            return FallRow("FALLEN", self.frames / 24.0, self._bodies(inputs), wishes.limp, events)
        if self.frames <= GOES:
            return FallRow("ACTIVE", self.frames / 24.0, self._bodies(inputs), (), events)
        if self.frames == GOES + 1:
            events += ("fell",)
        if self.frames <= GOES + LIES:
            return FallRow("FALLEN", (self.frames - GOES) / 24.0, self._bodies(inputs), (), events)
        return FallRow("GETTING_UP")

    def _bodies(self, inputs: Any) -> tuple[float, ...]:
        return (0.0, -inputs.speed, self.height * self.frames, 1.0, 0.0, 0.0, 0.0)

    def close(self) -> None:
        FakeEngine.closed += 1


def fake_physics(patch: pytest.MonkeyPatch) -> type[FakeEngine]:
    """Put it in the place of physics, and a core that shows a body by its row and takes `RISES` frames to rise."""
    from surefoot.addon import fall_live
    from surefoot.core.character import Character

    FakeEngine.opened = FakeEngine.closed = 0

    def engine_of(scenery: Any, member: Any, before: Any, now: Any, earlier: Any, *, rising: bool) -> FakeEngine:
        wishes = scenery.wishes(member)
        return FakeEngine(limp=wishes.is_limp and not wishes.hits)

    patch.setattr(fall_live, "engine_of", engine_of)
    patch.setattr(fall_live, "rises", lambda _, snapshot: snapshot.inputs.fall.since < (RISES - 1.5) / 24)
    plain = Character.frame

    def frame(self: Any, memory: Any, inputs: Any, world: Any, dt: float, *more: Any) -> Any:
        pose, row = plain(self, memory, inputs, world, dt, *more), inputs.fall
        if row is None:
            return pose
        rotations, locations = pose.numbers()
        raised = pose.ground._replace(z=pose.ground.z + (row.bodies[2] if row.bodies else 0.0))
        return PoseFrame(raised, rotations, locations, pose.feet, pose.events + tuple((e, "") for e in row.events))

    patch.setattr(Character, "frame", frame)
    return FakeEngine
