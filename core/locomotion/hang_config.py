"""The numbers of edges and walls: hanging, leaping from edge to edge, running along a wall."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from ..space.settings import setting


@dataclass(frozen=True, slots=True)
class HangConfig:
    """How an edge is caught, moved along and left."""

    leg: float = setting(
        0.9, "How long the legs are that these numbers are for: hands and feet feel as far as fits such a body",
        unit="m", low=0.02, high=20.0,
    )  # fmt: skip
    lowest: float = setting(
        1.5, "How high over the feet an edge is at least that it hangs from; lower ones are climbed", unit="m",
        low=0.1, high=10.0,
    )  # fmt: skip
    below: float = setting(2.05, "How far under the edge the feet hang", unit="m", low=0.1, high=10.0)
    reach: float = setting(
        0.3, "How far before the body a wall may be whose edge it catches", unit="m", low=0.01, high=5.0
    )
    into: float = setting(
        radians(60.0), "How far from straight into the wall it may steer to catch its edge", unit="deg",
        low=radians(1.0), high=radians(89.0),
    )  # fmt: skip
    pull_in: float = setting(
        0.15, "How long it takes from the catch to the hang. Very short times jerk", unit="s", low=0.01, high=2.0
    )
    bulge: float = setting(
        0.25, "How far a wall may stand out under its edge that is still hung from", unit="m", low=0.0, high=2.0
    )
    shimmy: float = setting(1.1, "How fast it goes along an edge", unit="m/s", low=0.05, high=10.0)
    shimmy_start: float = setting(
        0.1, "How long it takes to be that fast, and to stop. Very short times jerk", unit="s", low=0.001, high=2.0
    )
    stride: float = setting(
        0.5, "How far it goes in one round of both hands. Short ones scurry, long ones lose an end", unit="m",
        low=0.05, high=2.0,
    )  # fmt: skip
    step: float = setting(
        0.15, "How much higher or lower the edge may go on. At 0 every uneven rim is an end", unit="m",
        low=0.0, high=1.0,
    )  # fmt: skip
    hands: float = setting(
        0.4, "How far apart the hands are. Very wide ones do not find room on a pillar", unit="m", low=0.05, high=2.0
    )
    narrowest: float = setting(
        0.25, "How wide a wall is at least around whose corner it goes", unit="m", low=0.02, high=2.0
    )
    corner: float = setting(0.3, "How long it takes around a corner", unit="s", low=0.02, high=3.0)
    keeps: float = setting(
        radians(60.0), "While the wish stays this near to what it was before a corner, it goes on the same way",
        unit="deg", low=radians(1.0), high=radians(179.0),
    )  # fmt: skip
    back_out: float = setting(3.5, "How fast it jumps back off the wall", unit="m/s", low=0.0, high=30.0)
    back_up: float = setting(0.8, "The share of a jump that it goes up when it jumps back", low=0.0, high=2.0)
    turn: float = setting(
        0.35, "How long it takes to turn away from the wall that it jumps off. Very short times flip", unit="s",
        low=0.02, high=3.0,
    )  # fmt: skip
    push: float = setting(
        0.6, "How fast it comes off the wall that it lets go. At 0 it scrapes down", unit="m/s", low=0.0, high=10.0
    )
    no_grab: float = setting(
        0.4, "For so long after it let go or jumped it catches no edge. At 0 it catches the same one at once", unit="s",
        low=0.0, high=5.0,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeapConfig:
    """How it leaps from one edge to another."""

    far: float = setting(2.2, "How far along the wall the next edge may begin", unit="m", low=0.1, high=20.0)
    higher: float = setting(1.3, "How much higher the next edge may be", unit="m", low=0.0, high=10.0)
    lower: float = setting(1.0, "How much lower the next edge may be", unit="m", low=0.0, high=10.0)
    lasts: float = setting(
        0.45, "How long a leap takes. Very short times jerk, long ones float", unit="s", low=0.05, high=5.0
    )
    over: float = setting(0.3, "How far a leap goes over the higher of its two ends", unit="m", low=0.0, high=5.0)
    hands: float = setting(0.4, "In this last share of a leap the hands reach for the new edge", low=0.0, high=1.0)
    give: float = setting(
        0.35, "How far before or behind the wall's face the next edge may be", unit="m", low=0.0, high=2.0
    )
    sideways: float = setting(
        radians(45.0), "How near to along the wall the wish must be for a leap to the side", unit="deg",
        low=radians(1.0), high=radians(89.0),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class WallRunConfig:
    """How it runs along a wall, and jumps off it."""

    slowest: float = setting(
        4.0, "How fast it must be to run on a wall. At low values every jump beside a wall does", unit="m/s",
        low=0.1, high=30.0,
    )  # fmt: skip
    parallel: float = setting(
        radians(60.0), "How far from along the wall its way may lead into it", unit="deg",
        low=radians(1.0), high=radians(89.0),
    )  # fmt: skip
    reach: float = setting(0.45, "How far from the side of the body the wall may be", unit="m", low=0.01, high=5.0)
    hips: float = setting(0.9, "How high over the feet the wall must be felt at the hips", unit="m", low=0.05, high=5.0)
    head: float = setting(1.6, "How high over the feet the wall must be felt at the head", unit="m", low=0.1, high=5.0)
    off_ground: float = setting(
        0.35, "How high over the ground it must be, so that a wall beside a kerb does not count", unit="m",
        low=0.0, high=5.0,
    )  # fmt: skip
    falling: float = setting(
        5.0, "A body that falls faster slides past the wall. Very high values stop every fall beside a wall",
        unit="m/s", low=0.0, high=100.0,
    )  # fmt: skip
    gravity: float = setting(7.0, "How fast its fall speeds up on the wall", unit="m/s2", low=0.0, high=100.0)
    lift: float = setting(
        0.7, "The share of a jump's speed upward that it starts with: of a jump as high as its own under 9.81 m/s2",
        low=0.0, high=2.0,
    )  # fmt: skip
    longest: float = setting(1.1, "How long it runs on one wall at most", unit="s", low=0.05, high=60.0)
    snap: float = setting(
        0.05, "In this time half of what it is off its line along the wall is made up", unit="s", low=0.0, high=1.0
    )
    bend: float = setting(
        radians(25.0), "How much a wall may bend from one place to the next that it runs on", unit="deg",
        low=radians(1.0), high=radians(89.0),
    )  # fmt: skip
    stride: float = setting(2.6, "How far it runs on a wall with two steps", unit="m", low=0.2, high=20.0)
    jump_out: float = setting(4.5, "How fast it jumps off the wall", unit="m/s", low=0.0, high=30.0)
    jump_up: float = setting(0.85, "The share of a jump that it goes up when it jumps off the wall", low=0.0, high=2.0)
    kept: float = setting(0.8, "The share of its run that it keeps in that jump", low=0.0, high=1.0)
    no_wall: float = setting(
        0.35, "For so long after it left a wall it does not run on the same one again", unit="s", low=0.0, high=5.0
    )
    turn: float = setting(
        0.25, "How long it takes to face along its flight after that jump", unit="s", low=0.02, high=3.0
    )
