"""The grid of walks: who walks, how fast, over what, at which frame rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, radians, sin

import numpy as np
from support.extension import ROOT
from support.real_rigs import load_rigs
from support.rigs import (
    beetle_skeleton,
    bird_skeleton,
    dog_skeleton,
    hexapod_skeleton,
    horse_skeleton,
    person_skeleton,
    spider_skeleton,
)
from support.verdict import Finding, findings, rig_scale
from support.walk import Walk, shows_swings, walk
from surefoot.core.character import CharacterConfig
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Inputs
from surefoot.core.control.path import path_line
from surefoot.core.gait.patterns import speed_at
from surefoot.core.gait.shape import shape_of
from surefoot.core.measure.contacts import Contacts
from surefoot.core.measure.gait_chart import footholds, landings
from surefoot.core.presets import pattern
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat, Hills, Ramp, Solid, Stairs

SKELETONS: dict[str, Callable[[], Skeleton]] = {
    "person": person_skeleton,
    "dog": dog_skeleton,
    "spider": spider_skeleton,
    "hexapod": hexapod_skeleton,
    "horse": horse_skeleton,
    "bird": bird_skeleton,
    "beetle": beetle_skeleton,
}
PACES = {
    "person": (("WALK", 0.07), ("WALK", 0.22)),
    "dog": (("WALK", 0.07), ("WALK", 0.22), ("TROT", 0.7)),
    "spider": (("WAVE", 0.07), ("TRIPOD", 0.3)),
    "hexapod": (("WAVE", 0.07), ("TRIPOD", 0.3)),
    "horse": (("WALK", 0.07), ("WALK", 0.22), ("TROT", 0.7)),
    "bird": (("WALK", 0.07), ("WALK", 0.22)),
    "beetle": (("WAVE", 0.07), ("TRIPOD", 0.3)),
}
LEFT = radians(90.0)
# Ground for a leg of `scale` times 0.9 m; stairs begin `start` metres ahead.
GROUNDS: dict[str, Callable[[float, float], Solid]] = {
    "flat": lambda _scale, _start: Flat(),
    "up 10": lambda _scale, _start: Ramp(radians(10.0)),
    "up 20": lambda _scale, _start: Ramp(radians(20.0)),
    "down 10": lambda _scale, _start: Ramp(radians(-10.0)),
    "down 20": lambda _scale, _start: Ramp(radians(-20.0)),
    "across 10": lambda _scale, _start: Ramp(radians(10.0), heading=LEFT),
    "across 20": lambda _scale, _start: Ramp(radians(20.0), heading=LEFT),
    "stairs up": lambda scale, start: Stairs(0.17 * scale, 0.3 * scale, count=9, start=start),
    "stairs down": lambda scale, start: Stairs(-0.17 * scale, 0.3 * scale, count=9, start=start),
    "hills": lambda scale, _start: Hills(0.3 * scale, 4.0 * scale),
}
RATES = (24, 30, 60, 120)
STRIDES = 3.2
# What positions at fewer than four frames a swing cannot tell: `shows_swings` says why.
UNTOLD = ("knee step at an edge (deg)", "disagreement of plan and finder", "duty factor found, error")
RADIUS = 2.0


@lru_cache
def rig_of(name: str) -> Rig:
    """The rig of one of the project's characters, or of a dumped real rig."""
    conventions = read_conventions(ROOT / "presets" / "rigs")
    if name in SKELETONS:
        return understand(SKELETONS[name](), conventions).rig
    real = load_rigs()[name]
    return understand(real.skeleton, conventions, real.vertices).rig


@dataclass(frozen=True)
class Cell:
    """One walk of the grid."""

    who: str
    gait: str
    froude: float
    ground: str
    fps: int

    def __str__(self) -> str:
        return f"{self.who} {self.gait.lower()} {self.froude:g} {self.ground} {self.fps}"

    @property
    def speed(self) -> float:
        """Metres a second along the ground."""
        return speed_at(self.froude, rig_of(self.who).leg_length)

    @property
    def cycle(self) -> float:
        """Seconds of a stride by the pattern."""
        rig = rig_of(self.who)
        return pattern(self.gait, len(rig.legs)).cycle(self.speed, shape_of(rig).stature)

    @property
    def settling(self) -> float:
        """Seconds until the speed is reached, and one stride more."""
        return self.speed / (ControlConfig().acceleration) + 2.0 * self.cycle + 0.2

    @property
    def seconds(self) -> float:
        """Seconds that are measured: at 24 fps a whole flight of stairs and a whole hill, else some strides."""
        scale, least = rig_scale(rig_of(self.who)), STRIDES * self.cycle
        way = {"stairs up": 3.2, "stairs down": 3.2, "hills": 4.0}.get(self.ground, 0.0) * scale
        return max(least, 1.2 * way / self.speed) if self.fps == 24 else least

    def walk(self) -> Walk:
        """The walk without its start: each of its frames, or each of its ticks where frames show too little of a swing.

        It is the same walk to the bit.
        """
        run, ticks = self.at(self.fps), ticks_per_frame(self.fps)
        return run if ticks == 1 or shows_swings(run.contacts()) else self.at(self.fps * ticks)

    def at(self, rate: int) -> Walk:
        """The same with so many frames a second."""
        rig = rig_of(self.who)
        start = self.speed * (self.settling - 0.5 * self.cycle)
        world = GROUNDS[self.ground](rig_scale(rig), start)
        return walk(rig, world, self.speed, self.settling + self.seconds, rate).settled(self.settling)

    def findings(self) -> list[Finding]:
        """What the walk shows at its frames; only what these cannot tell is taken from its ticks, if they show too
        little of a swing. All else has to hold at both.
        """
        run, measured = self.at(self.fps), self.walk()
        rows = [self._shown(measured)]
        if measured.fps != run.fps:
            rows.append([row for row in self._shown(run) if not row.what.endswith(UNTOLD)])
        return [row for some in rows for row in some]

    def _shown(self, run: Walk) -> list[Finding]:
        return findings(run, self.speed, flat=self.ground == "flat", gait=self.gait)


CELLS = [
    Cell(who, gait, froude, ground, fps)
    for fps in RATES
    for who, paces in PACES.items()
    for gait, froude in paces
    for ground in GROUNDS
]
QUICK = [cell for cell in CELLS if cell.fps == 24 and cell.ground in ("flat", "up 20", "stairs down", "hills")]


@lru_cache
def circle_prints(cell: Cell) -> dict[str, tuple[list[float], np.ndarray]]:
    """By leg role, frames of landings and how far outside of a followed circle of 2 m radius it stands then."""
    angles = [2.0 * pi * k / 256 for k in range(257)]
    points = [(RADIUS * cos(a), RADIUS * sin(a), 0.0) for a in angles]
    path, rig = path_line(points, closed=True), rig_of(cell.who)
    seconds = cell.settling + min(2.0 * pi * RADIUS / cell.speed, 8.0 * cell.cycle)
    run = walk(
        rig,
        Flat(),
        seconds=seconds,
        config=CharacterConfig(director="PATH"),
        inputs=lambda _time: Inputs(speed=cell.speed, path=path),
    ).settled(cell.settling)
    track, planned = run.track(), run.contacts()
    rows = {}
    for foot in track.feet:
        spans = landings(track, planned[foot.role])
        prints = footholds(track, foot, Contacts(tuple(spans)))
        rows[foot.role] = [span.start for span in spans], np.hypot(prints[:, 0], prints[:, 1]) - RADIUS
    return rows


def circle_error(cell: Cell) -> float:
    """How far the line of footprints is from the circle, metres: the mean over all feet at one time."""
    rows = list(circle_prints(cell).values())
    times = np.arange(max(starts[0] for starts, _ in rows), min(starts[-1] for starts, _ in rows))
    return float(np.abs(np.mean([np.interp(times, *row) for row in rows], axis=0)).max())
