"""The way of a foot through the air between two footholds, and how it gets over what is between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import product
from math import hypot, inf
from typing import NamedTuple

from mathutils import Vector

from ..space.curves import smootherstep, smoothstep
from ..world.world import World
from .foot import Foothold
from .performed import SwingShape, at_share

# Where along the way the ground is asked, denser at the ends: a foot may stand right before a riser.
PLACES = (0.0, 0.015, 0.03, 0.05, 0.075, *(0.1 + 0.05 * k for k in range(17)), 0.925, 0.95, 0.97, 0.985, 1.0)
# On level ground between level footholds a few are enough.
FEW_PLACES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOMENTS = tuple(0.02 + 0.96 * k / 32 for k in range(33))
RISE_DONE, DROP_FROM = 0.5, 0.3
EAGER, QUIET = 0.11, 0.6
ARCH_PEAK = (4.0 / 7.0) ** 2 * (3.0 / 7.0) ** 1.5
EARLY_PEAK = (4.0 / 9.0) ** 2 * (5.0 / 9.0) ** 2.5
PUSHED_PEAK = (1.0 / 3.0) ** 1.5 * (2.0 / 3.0) ** 3.0
# A foot goes straight up first and comes straight down last for these shares of its swing, if it must.
LEAVES, ARRIVES = (0.0, 0.1, 0.2, 0.3), (0.0, 0.1, 0.2, 0.3)
# What waiting a whole swing costs, and changing the waits on the way, against the most that a leg is lifted.
WAITING, CHANGING = 0.5, 0.5
# A leg that waits behind a body which goes down or on is stretched by that.
WAITING_BEHIND = 2.0
# A change of aim fades within this share of the swing, and has faded at the second.
CARRIED_FOR, CARRIED_UNTIL = 0.5, 0.95
# A foot that is about to land cannot be lifted any more.
LEAST_ARC = 1e-3
# Ground that is steeper than this between two places is an edge.
STEEP = 1.2


# The ground at both ends of a stretch between two places, and whether it is too steep to be anything but an edge.
Stretch = tuple[float, float, bool]


class Way(NamedTuple):
    """How a foot gets from one foothold to the next.

    It is lifted by `height` metres over the straight line, highest past the middle, (`early` 1) before it or (2) as a
    calf throws it up; over how much of an `edge` (0 to 1); and it goes forward only between the shares `leave` and
    1 - `arrive` of its swing. Over open ground a performed gait has a `shape` of its own.
    """

    height: float
    edge: float = 0.0
    leave: float = 0.0
    arrive: float = 0.0
    early: int = 0
    shape: SwingShape | None = None
    up: tuple[float, float, float] | None = None


class OnWay(NamedTuple):
    """A foot that already swings: the way that it is on, how far it is, and where its ball is (world)."""

    way: Way
    progress: float
    ball: tuple[float, float, float]


def along(s: float, leave: float = 0.0, arrive: float = 0.0) -> float:
    """The share of the way covered at swing progress `s`: at rest at both ends, quicker to leave than to arrive.

    A toe that left slowly would be outrun by its own body, and the leg would have to stretch behind. The foot of a
    walking person has nearly come to its place when a quarter of the swing is left: the leg is straight then.
    """
    t = (s - leave) / (1.0 - leave - arrive)
    if t <= 0.0 or t >= 1.0:
        return 0.0 if t <= 0.0 else 1.0
    early = t + EAGER * t * (1.0 - t)
    return min(1.0, smoothstep(early) + QUIET * t * (smootherstep(early) - smoothstep(early)))


def climbed(s: float, even: float, rise: float, edge: float) -> float:
    """The share of the height difference covered: with the way (`even`) over a slope (`edge` 0); early on the way up
    and late on the way down where there is an edge between (1)."""
    if edge <= 0.0:
        return even
    clear = smoothstep(s / RISE_DONE) if rise > 0.0 else dropped((s - DROP_FROM) / (1.0 - DROP_FROM))
    return even + (clear - even) * edge


def dropped(t: float) -> float:
    """The share of a drop at a share of its time, at rest at both ends: it brakes for longer than it gathers speed.

    A foot that falls as evenly as it rises is stopped by the tread within a tick, and its knee with it.
    """
    if not 0.0 < t < 1.0:
        return 0.0 if t <= 0.0 else 1.0
    return 0.5 * t * t * (9.0 + t * (3.0 * t - 10.0))


def arch(s: float, early: int = 0) -> float:
    """The swing's arc: 0 with no speed at both ends, 1 a little past the middle; it comes down later than it rose.

    An early one (1) is highest before the middle, one that a calf has pushed off (2) after a third. On the way down the
    edge that is in the way is the one that the foot stood on: an arc that rises late has to be far higher to be over
    it, and folds the leg against its hip.
    """
    if not 0.0 < s < 1.0:
        return 0.0
    if early == 2:
        return s**1.5 * (1.0 - s) ** 3.0 / PUSHED_PEAK
    if early:
        return s * s * (1.0 - s) ** 2.5 / EARLY_PEAK
    return s * s * (1.0 - s) ** 1.5 / ARCH_PEAK


def ball_on_way(start: Foothold, end: Foothold, s: float, way: Way) -> tuple[float, float, float]:
    """The ball of the sole at swing progress `s`, world."""
    if way.shape is not None:
        return _performed_ball(start, end, s, way.height, way.shape)
    share, rise = along(s, way.leave, way.arrive), end.z - start.z
    if way.up is not None:
        lift, (x, y, z) = way.height * arch(s, way.early), way.up
        return (
            start.x + (end.x - start.x) * share + lift * x,
            start.y + (end.y - start.y) * share + lift * y,
            start.z + rise * share + lift * z,
        )
    return (
        start.x + (end.x - start.x) * share,
        start.y + (end.y - start.y) * share,
        start.z + rise * climbed(s, share, rise, way.edge) + way.height * arch(s, way.early),
    )


def _performed_ball(
    start: Foothold, end: Foothold, s: float, height: float, shape: SwingShape
) -> tuple[float, float, float]:
    share, arc, aside = (at_share(table, s) for table in shape[:3])
    dx, dy = end.x - start.x, end.y - start.y
    return (
        start.x + dx * share - dy * aside,
        start.y + dy * share + dx * aside,
        start.z + (end.z - start.z) * share + height * arc,
    )


class _Swing(NamedTuple):
    """A way of swinging to choose from: its waits, and at each moment the share of the way, where that is among the
    places (the stretch between two, and how far into it), and the arc.
    """

    leave: float
    arrive: float
    early: int
    shares: tuple[float, ...]
    where: tuple[tuple[int, float], ...]
    arcs: tuple[float, ...]


def _swing(leave: float, arrive: float, early: int) -> _Swing:
    shares = tuple(along(s, leave, arrive) for s in MOMENTS)
    arcs = tuple(arch(s, early) for s in MOMENTS)
    return _Swing(leave, arrive, early, shares, tuple(map(_where, shares)), arcs)


def _where(share: float) -> tuple[int, float]:
    """The stretch between two places that a share of the way is in, and how far into it."""
    stretch = min(bisect_right(PLACES, share), len(PLACES) - 1) - 1
    return stretch, (share - PLACES[stretch]) / (PLACES[stretch + 1] - PLACES[stretch])


SWINGS = tuple(_swing(*waits) for waits in product(LEAVES, ARRIVES, (0, 1)))


def way_over(
    world: World,
    start: Foothold,
    end: Foothold,
    least: float,
    highest: float,
    sole: tuple[float, float],
    now: OnWay | None = None,
    early: int = 0,
) -> Way:
    """The way that clears the ground between two footholds, with a third of `least` to spare where it is highest.

    Of all ways of swinging the one that lifts the foot least is taken, with a price on every wait. None lifts it by
    more than `highest` and half of the rise: past that a leg would fold up against its hip. `sole` is the way from ball
    to heel (world x, y): the heel has to pass what the ball has passed. A foot that is on its way `now` keeps its waits
    if it can, and has what it is off its new way at first counted in. `early` is the arc of a way that nothing is in.
    """
    dx, dy, rise = end.x - start.x, end.y - start.y, end.z - start.z
    if dx * dx + dy * dy < (0.2 * least) ** 2:
        return Way(least)
    most = highest + 0.5 * abs(rise)
    ground = _Ground(world, start, end, sole, max(start.z, end.z) + most, 3.0 * most)
    level = abs(rise) < 0.05 * least and not _blocked(world, start, end, least / 3.0, sole)
    if level and max(ground.height(share) for share in FEW_PLACES) < start.z + 0.25 * least:
        return Way(least, early=early)
    heights = [ground.height(share) for share in PLACES]
    over = max(h - start.z - rise * share for share, h in zip(PLACES, heights, strict=True))
    edge = min(1.0, max(0.0, (over - least / 3.0) / max(0.5 * abs(rise), least)))
    stretches = _stretches([height - start.z for height in heights], hypot(dx, dy))
    best, price = Way(least, edge), inf
    for swing in SWINGS:
        waits = highest * ((WAITING if rise > 0.0 else WAITING_BEHIND) * swing.leave + WAITING * swing.arrive)
        if now is not None and (swing.leave, swing.arrive, swing.early) != now.way[2:5]:
            waits += CHANGING * highest
        if (swing.early and rise >= 0.0) or least + waits >= price:
            continue
        if now is None:
            lift = _lift(swing, stretches, rise, edge)
        else:
            lift = _lift_on_way(swing, stretches, rise, edge, now.progress, ground.share_of(now.ball))
        height = max(least, lift + least / 3.0)
        if height + waits < price:
            best, price = Way(min(height, most), edge, swing.leave, swing.arrive, swing.early), height + waits
    return best


def _stretches(heights: list[float], length: float) -> list[Stretch]:
    """Both ends of each stretch, and whether it is an edge: there the higher end counts, or it is stepped through."""
    pairs = zip(heights, heights[1:], PLACES, PLACES[1:], strict=False)
    return [(low, high, abs(high - low) > STEEP * (last - first) * length) for low, high, first, last in pairs]


def _grounds(where: Iterable[tuple[int, float]], stretches: list[Stretch]) -> list[float]:
    """The ground's height at each moment; an edge that is crossed between two of them counts at both."""
    grounds: list[float] = []
    before = 0
    for stretch, into in where:
        first, last, steep = stretches[stretch]
        grounds.append(max(first, last) if steep and 0.0 < into < 1.0 else first + (last - first) * into)
        if stretch != before and len(grounds) > 1:
            crossed = stretches[before : stretch + 1] if before < stretch else stretches[stretch : before + 1]
            edges = [max(low, high) for low, high, sheer in crossed if sheer]
            if edges:
                grounds[-2:] = (max(ground, *edges) for ground in grounds[-2:])
        before = stretch
    return grounds


def _lift(swing: _Swing, stretches: list[Stretch], rise: float, edge: float) -> float:
    """The arc's height with which a swing is over its whole way at the moment when it is there."""
    lift, grounds = 0.0, _grounds(swing.where, stretches)
    for s, ground, share, arc in zip(MOMENTS, grounds, swing.shares, swing.arcs, strict=True):
        lift = max(lift, (ground - rise * climbed(s, share, rise, edge)) / arc)
    return lift


def _lift_on_way(
    swing: _Swing, stretches: list[Stretch], rise: float, edge: float, progress: float, place: tuple[float, float]
) -> float:
    """The same for a foot that is at `place` (share of the way, height over its start) now: that it is off its new way
    by the one and the other fades as it goes on.
    """
    share_now, arc_now = along(progress, swing.leave, swing.arrive), arch(progress, swing.early)
    off, high = place[0] - share_now, place[1] - rise * climbed(progress, share_now, rise, edge)
    ahead = [k for k, s in enumerate(MOMENTS) if s > progress]
    lefts = [carried_share(MOMENTS[k], progress) for k in ahead]
    shares = [min(1.0, max(0.0, swing.shares[k] + off * left)) for k, left in zip(ahead, lefts, strict=True)]
    lift = 0.0
    for k, left, ground in zip(ahead, lefts, _grounds(map(_where, shares), stretches), strict=True):
        lacks = ground - rise * climbed(MOMENTS[k], swing.shares[k], rise, edge) - high * left
        if lacks > 0.0:
            lift = max(lift, lacks / max(swing.arcs[k] - left * arc_now, LEAST_ARC))
    return lift


def carried_share(s: float, since: float) -> float:
    """How much is left at swing progress `s` of a change of aim at `since`."""
    return 1.0 - smoothstep((s - since) / max(min(CARRIED_FOR, CARRIED_UNTIL - since), 1e-6))


class _Ground:
    """The ground along one way as the ball of a foot feels it that lies at either end as it stands there."""

    def __init__(
        self, world: World, start: Foothold, end: Foothold, sole: tuple[float, float], top: float, depth: float
    ) -> None:
        self.world, self.start, self.end, self.sole, self.top, self.depth = world, start, end, sole, top, depth
        self.heel = _rise(start.normal, sole), _rise(end.normal, sole)

    def share_of(self, ball: tuple[float, float, float]) -> tuple[float, float]:
        """How far along the way a place is, and how high over its start."""
        dx, dy = self.end.x - self.start.x, self.end.y - self.start.y
        ahead = (ball[0] - self.start.x) * dx + (ball[1] - self.start.y) * dy
        return ahead / (dx * dx + dy * dy), ball[2] - self.start.z

    def height(self, share: float) -> float:
        """The height of whatever is under ball or heel, steep or not; nothing deeper than the footholds matters."""
        start, end, (first, last) = self.start, self.end, self.heel
        x, y = start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share
        heel = self._at(x + self.sole[0], y + self.sole[1]) - first - (last - first) * share
        return max(self._at(x, y), heel)

    def _at(self, x: float, y: float) -> float:
        height = self.world.height_below(x, y, self.top, self.depth)
        return -inf if height is None else height


def _rise(normal: tuple[float, float, float], way: tuple[float, float]) -> float:
    """How far a plane with this normal rises along a level way."""
    return -(normal[0] * way[0] + normal[1] * way[1]) / max(normal[2], 1e-6)


def _blocked(world: World, start: Foothold, end: Foothold, height: float, sole: tuple[float, float]) -> bool:
    """True where something stands up between the heel's start and the ball's end: a plank is thin between places."""
    heel = Vector((start.x + sole[0], start.y + sole[1], start.z + height))
    way = Vector((end.x, end.y, end.z + height)) - heel
    return world.cast_ray(heel, way.normalized(), way.length) is not None
