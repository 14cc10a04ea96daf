"""A body that an autopilot drives through a level, without legs to plan; and courses as solids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

from support.runner import Runner
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.course import Piece, read_course
from surefoot.core.locomotion.autopilot import Autopilot, AutopilotMemory
from surefoot.core.world.compound import Union
from surefoot.core.world.rooms import Block
from surefoot.core.world.solid import Solid


def solids_of(pieces: Sequence[Piece], size: float = 1.0) -> Union:
    """The boxes of a course as solids, so many times as large."""
    blocks: list[Solid] = []
    for piece in pieces:
        for shape in piece.shapes:
            places = [
                tuple(size * (o + c) for o, c in zip(shape.origin, corner, strict=True)) for corner in shape.corners
            ]
            low, high = (tuple(end(place[axis] for place in places) for axis in range(3)) for end in (min, max))
            assert all(value in (a, b) for place in places for value, a, b in zip(place, low, high, strict=True))
            blocks.append(Block(low, high))
    return Union(*blocks)


def course(name: str, size: float = 1.0) -> Union:
    """A course that ships."""
    return solids_of(read_course(name), size)


class Piloted(Runner):
    """A runner whose buttons an autopilot presses."""

    def __init__(
        self, world: Solid, goal: tuple[float, float, float], *args, reads: bool = True, like: Piloted | None = None,
        **more,
    ) -> None:  # fmt: skip
        super().__init__(world, *args, **more)
        self.goal = Place(*goal, 0.0)
        self.pilot = AutopilotMemory()
        # Two of a kind know the level that one of them has looked at.
        self.autopilot = (
            Autopilot(self.movement, self.config, self.control, reads=reads) if like is None else like.autopilot
        )
        self.reason = ""

    def run(self, seconds: float, until: Callable[[Piloted], bool] | None = None) -> Piloted:
        """So long, or until something holds at the end of a frame."""
        for _ in range(round(seconds * self.fps)):
            for _ in range(self.count):
                inputs = Inputs(self.speed, target=self.goal)
                pad, self.reason = self.autopilot.press(
                    self.pilot, inputs, self.travel, self.capsule, self.memory, self.world, self.dt
                )
                self.tick(pad)
            if self.arrived or (until is not None and until(self)):
                break
        return self

    @property
    def off(self) -> float:
        """How far the feet are from the goal."""
        return dist(self.capsule.feet, self.goal[:3])

    @property
    def arrived(self) -> bool:
        """True where it stands at the end of its way."""
        way = self.pilot
        return way.goal is not None and not way.legs and way.slices == 0 and self.pace < 1e-3 and len(self.seen) > 10
