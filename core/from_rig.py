"""A character whose base motion is another rig's, frame by frame as that moves, on one page.

way      where the source's body is and faces, scaled: it carries the body, over the ground that is there
feet     which of the source's are down, and where this rig's then stay; nothing is known of what comes
pose     the source's pose of the frame on this rig, over the body, with its feet where they belong
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, sin, sqrt
from typing import TYPE_CHECKING, Literal

from .control.directors import decide
from .control.intent import Inputs, Intent, Place, Travel
from .control.point import horizontal_share, move, rise_along
from .control.source_pose import SourcePose
from .falling_course import Course
from .gait.memory import GaitMemory
from .motion.planted import REFERENCE_LEG
from .retarget.live_feet import Ends, FootMemory, LiveFoot, Stand, size_of
from .retarget.live_pose import LivePose, Posed
from .retarget.mapping import Pair
from .retarget.source_way import SourceWay, Spot, WayMemory, way_between
from .retarget.transfer import Scaling
from .rig.edited_pose import EditedPose
from .rig.pose import Footing, Ground, PoseFrame
from .rig.rig import Problem, Rig
from .space.angles import heading_of, wrapped
from .space.dampers import damp, kept_share
from .space.settings import setting
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory

UP = (0.0, 0.0, 1.0)
# Shares of the source's leg: how near to a floor that is meant its feet begin; what is exact; what is corrected.
NEAR_FLOOR, EXACT, CORRECTED = 0.25, 0.005, 0.1
# The floor is learned with this halflife, of feet that have stood for so long: seconds.
LEARNING, STOOD = 0.4, 0.1
# How quickly the body gets to the height that its feet ask for, comes down for one that is out of reach, and comes up
# again: halflives, for a 0.9 m leg.
RIDES, COMES_DOWN, COMES_UP = 0.1, 0.04, 0.12
NO_SOURCE = Problem(
    "", "There is no rig to follow.", "It stands; choose an armature, or the topmost empty of one, as Source."
)


@dataclass(frozen=True, slots=True)
class FollowConfig:
    """How another rig is followed as the base motion."""

    source_start: Literal["HERE", "BESIDE"] = setting(
        "HERE",
        "Where it begins. HERE: where it stands and as it faces, whatever place the source begins at. BESIDE: as far "
        "from where it stands as the source is then from its own origin, so that two in one place overlap",
    )
    source_travel: Literal["SCALED", "KEPT"] = setting(
        "SCALED",
        "SCALED: the way shrinks or grows with the length of legs and feet, so that steps fit. KEPT: it goes exactly "
        "as far as the source; feet of other legs then slide, or have to stretch",
    )
    source_feet: Literal["HOLD", "FOLLOW", "FREE"] = setting(
        "HOLD",
        "HOLD: a foot stays where it landed while the source's is down. FOLLOW: as still as the source's, no more. "
        "FREE: feet end where the directions of the joints put them. None looks ahead: contacts are known from their "
        "first frame on",
    )
    source_rests: Literal["DIRECTIONS", "MATCH"] = setting(
        "DIRECTIONS",
        "What counts as the same pose. DIRECTIONS: limbs, back and neck point where the source's do. MATCH: the "
        "source's rest pose becomes this rig's, whatever both look like",
    )
    source_release: float = setting(
        0.15,
        "Time in which a foot that leaves the ground gives up what the hold kept; too short and it snaps, too long and "
        "it is dragged into the swing",
        unit="s",
        low=0.0,
        high=0.5,
    )


@dataclass(frozen=True, eq=False)
class SourceRig:
    """The rig that is followed, as it was understood; two are the same if they were read from the same (`key`), and the
    same `pairs` of bones are set by hand.
    """

    rig: Rig
    key: str
    pairs: tuple[Pair, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SourceRig) and (other.key, other.pairs) == (self.key, self.pairs)

    def __hash__(self) -> int:
        return hash((self.key, self.pairs))


@dataclass(slots=True)
class FollowMemory:
    """The source's way (None: it was never there), the height that it stands on, how far the body is raised to ride
    over its feet and comes down for one that is out of reach (metres), the feet, the time since they were looked at.
    """

    way: WayMemory | None = None
    floor: float = 0.0
    rise: float = 0.0
    drop: float = 0.0
    since: float = 0.0
    feet: list[FootMemory] = field(default_factory=list)

    def copy(self) -> FollowMemory:
        """An independent copy."""
        way = None if self.way is None else self.way.copy()
        return FollowMemory(way, self.floor, self.rise, self.drop, self.since, [foot.copy() for foot in self.feet])


class FromRig:
    """One rig that follows another. Immutable, but for the frame that it keeps at hand. `problems`: what will not be
    followed, in sentences.
    """

    def __init__(self, rig: Rig, config: FollowConfig, source: SourceRig | None) -> None:
        self.rig, self.config, self.source = rig, config, source
        self.problems: tuple[Problem, ...] = (NO_SOURCE,)
        self.feet: tuple[LiveFoot, ...] = ()
        self._last: tuple[SourcePose, tuple[Spot, float], Posed] | None = None
        if source is not None:
            kept, rests = config.source_travel == "KEPT", config.source_rests
            feet, release = config.source_feet, config.source_release
            self._live = LivePose(source.rig, rig, rests, feet, release, kept=kept, pairs=source.pairs)
            self._way = SourceWay(source.rig, size_of(source.rig, rig))
            self.problems, self.feet = self._live.problems, self._live.feet

    @property
    def scaling(self) -> Scaling:
        """How the source's places become this rig's."""
        return self._live.scaling

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones that are turned and moved; without a source the body alone is held at rest."""
        body = max(self.rig.body, 0)
        return ((body,), (body,)) if self.source is None else self._live.driven

    def start(self, place: Place, inputs: Inputs) -> tuple[FollowMemory, Place]:
        """The memory of a first frame, and where the body is of a character that stands at a place."""
        memory, pose = FollowMemory(), self._usable(inputs)
        if pose is None:
            return memory, place
        way = self._begin(memory, pose)
        if self.config.source_start == "HERE":
            return memory, place
        x, y, _, heading = pose.stand
        return memory, _from(place, *way_between((x, y, heading), self._way.spot(way), self.scaling.travel))

    def advance(self, memory: FollowMemory, travel: Travel, inputs: Inputs, dt: float) -> Intent:
        """Go on by a tick, the way always, the feet at every whole frame; where the source takes the body."""
        memory.since += dt
        pose, stays = self._usable(inputs), Intent((0.0, 0.0), travel.place.heading, carried=travel.place, rides=True)
        if pose is None:
            return stays
        if memory.way is None:
            self._begin(memory, pose)
            return stays
        before = self._way.spot(memory.way)
        self._way.go(memory.way, pose, dt)
        jumped = memory.way.jumped
        if jumped:
            memory.feet = []
        if pose.whole:
            self._set_down(memory, memory.way, pose, memory.since)
            memory.since = 0.0
        to = _from(travel.place, *way_between(before, self._way.spot(memory.way), self.scaling.travel))
        if jumped:
            return Intent((0.0, 0.0), to.heading, carried=to, jumped=True)
        vx, vy = (to.x - travel.place.x) / dt, (to.y - travel.place.y) / dt
        share = horizontal_share(rise_along(travel, heading_of(vx, vy)))
        return Intent((vx / share, vy / share), to.heading, carried=to, rides=True)

    def pose(
        self, memory: FollowMemory, inputs: Inputs, travel: Travel, events: tuple[tuple[str, str], ...]
    ) -> PoseFrame:
        """The source's pose on this rig, over the body; the rest pose where there is no source."""
        place, source = travel.place, self._usable(inputs)
        ground = Ground(place.x, place.y, place.z - self.rig.floor, place.heading)
        if source is None or memory.way is None:
            return EditedPose.rest(self.rig.skeleton).frame(ground, (), events)
        posed = self._posed(memory.way, source, memory.floor).raised(memory.rise - memory.drop)
        feet = memory.feet or [FootMemory() for _ in self.feet]
        pose, balls = self._live.pose(posed, feet, self._way.spot(memory.way)[2], memory.floor)
        c, s, footings = cos(ground.heading), sin(ground.heading), []
        for foot, own, (x, y, z) in zip(self.feet, feet, balls, strict=True):
            at = (ground.x + c * x - s * y, ground.y + s * x + c * y, ground.z + z)
            phase = min(own.landed / own.stride, 1.0) if own.stride > 0.0 else 0.0
            footings.append(Footing(foot.ours.role, own.down, own.since, phase, at, UP, own.heel_down, own.ball_down))
        return pose.frame(ground, tuple(footings), events)

    def _posed(self, way: WayMemory, pose: SourcePose, floor: float) -> Posed:
        """The source's pose on this rig; a tick and the pose after it ask for the same."""
        asked = (self._way.spot(way), floor)
        if self._last is None or self._last[0] is not pose or self._last[1] != asked:
            self._last = (pose, asked, self._live.posed(self._way.under(way, pose), floor))
        return self._last[2]

    def _usable(self, inputs: Inputs) -> SourcePose | None:
        pose = inputs.source
        if self.source is None or pose is None or len(pose.moved) != len(self.source.rig.skeleton):
            return None
        return pose if pose.sound else None

    def _begin(self, memory: FollowMemory, pose: SourcePose) -> WayMemory:
        memory.way, memory.feet, memory.since = self._way.begin(pose), [], 0.0
        memory.floor = self._first_floor(pose)
        self._set_down(memory, memory.way, pose, 0.0)
        return memory.way

    def _first_floor(self, pose: SourcePose) -> float:
        """The height that the source stands on, as far as a first frame tells: one that is meant, or near it."""
        origin = pose.stand[2]
        if pose.floor is not None or not self.feet:
            return origin if pose.floor is None else pose.floor
        rig = self.feet[0].source
        meant, stands = (origin, 0.0, origin + rig.floor), self._stands(pose)
        pairs = list(zip(self.feet, stands, strict=True))
        lows = [min(min(foot.lifts(each.ends, at)) for foot, each in pairs) for at in meant]
        near = next((k for k, low in enumerate(lows) if abs(low) <= NEAR_FLOOR * rig.leg_length), 0)
        corrects = EXACT * rig.leg_length < abs(lows[near]) <= CORRECTED * rig.leg_length
        return meant[near] + lows[near] if corrects else meant[near]

    def _stands(self, pose: SourcePose) -> list[Stand]:
        """What the source's feet do, of each foot that follows one."""
        rows, known = self._live.their_ends.of(pose.moved).tolist(), {role: down for role, *down in pose.feet}
        found = []
        for foot, heel, ball in zip(self.feet, rows[::2], rows[1::2], strict=True):
            down = known.get(foot.theirs.role)
            ends = Ends((heel[0], heel[1], heel[2]), (ball[0], ball[1], ball[2]))
            found.append(Stand(ends, None if down is None else (down[0], down[1])))
        return found

    def _set_down(self, memory: FollowMemory, way: WayMemory, pose: SourcePose, dt: float) -> None:
        """What the feet do at a whole frame, `dt` seconds after the last one; new ones where none are remembered."""
        if not self.feet:
            return
        if not memory.feet:
            memory.feet, dt = [FootMemory() for _ in self.feet], 0.0
        memory.floor = memory.floor if pose.floor is None else pose.floor
        posed, scale = self._posed(way, pose, memory.floor), self.scaling.travel
        x, y, heading = self._way.spot(way)
        c, s = cos(heading), sin(heading)
        legs = zip(self.feet, self._stands(pose), memory.feet, self._live.leg_of, strict=True)
        for foot, stand, own, k in legs:
            before = own.ends or stand.ends
            firm = foot.find(own, stand, memory.floor, dt)
            if not self._live.leads:
                continue
            moved = [(scale * (b[0] - a[0]), scale * (b[1] - a[1])) for a, b in zip(before, stand.ends, strict=True)]
            heel, ball = (
                (scale * x + c * e[0] - s * e[1], scale * y + s * e[0] + c * e[1], e[2]) for e in posed.ends[k]
            )
            foot.hold(own, Ends(heel, ball), moved, firm, (s, -c))
        if self._live.leads and pose.floor is None:
            self._learn(memory, dt)
        if self._live.leads:
            self._ride(memory, way, pose, dt)

    def _ride(self, memory: FollowMemory, way: WayMemory, pose: SourcePose, dt: float) -> None:
        """The body gets in time to the height that standing feet ask for, and down where one would be out of reach."""
        tempo, posed = sqrt(self.rig.leg_length / REFERENCE_LEG), self._posed(way, pose, memory.floor)
        asked = self._live.asked(posed, memory.feet, memory.floor)
        if asked is not None:
            goal = asked * self._live.stands(posed)
            memory.rise = damp(memory.rise, goal, RIDES * tempo, dt) if dt > 0.0 else goal
        heading = self._way.spot(way)[2]
        short = self._live.shortage(posed.raised(memory.rise), memory.feet, heading, memory.floor)
        halflife = (COMES_DOWN if short > memory.drop else COMES_UP) * tempo
        memory.drop = damp(memory.drop, short, halflife, dt) if dt > 0.0 else short

    def _learn(self, memory: FollowMemory, dt: float) -> None:
        """Feet that stand tell how high the floor is; a stair tells nothing, nor does what is exact."""
        leg = self.feet[0].source.leg_length
        for foot in memory.feet:
            off = foot.level - memory.floor
            if foot.down and foot.since >= STOOD and EXACT * leg < abs(off) <= CORRECTED * leg:
                beyond = off - (EXACT * leg if off > 0.0 else -EXACT * leg)
                memory.floor += beyond * (1.0 - kept_share(LEARNING, dt))


def start_from_rig(base: FromRig, place: Place, inputs: Inputs) -> tuple[FollowMemory, GaitMemory, Place]:
    """The source where it is, a gait that plans nothing, and where the body is."""
    memory, begin = base.start(place, inputs)
    return memory, GaitMemory("", 0.0, 1.0, 0.0, 0.0, 1.0, stepping=False), begin


def tick_from_rig(
    character: Character, base: FromRig, memory: Memory, follow: FollowMemory, inputs: Inputs, world: World, dt: float,
    course: Course | None = None,
) -> None:  # fmt: skip
    """Advance a character by one tick of its source, on the course of a body that was hit, if it was."""
    control, was = character.control, [foot.down for foot in follow.feet]
    intent = base.advance(follow, memory.travel, inputs, dt)
    if inputs.moved_to is not None:
        intent = decide("AHEAD", memory.director, inputs, memory.travel, control, dt)
        follow.feet = []
    if course is not None:
        intent = course.bend(intent, dt)
    memory.travel = move(memory.travel, intent, control, world, dt)
    events = [("JUMP", "")] if memory.travel.jumped else []
    for foot, before, now in zip(base.feet, was, follow.feet, strict=False):
        if before != now.down:
            events.append(("LANDING" if now.down else "LIFT_OFF", foot.ours.role))
    memory.gait.events = tuple(events)
    memory.reason = intent.reason
    memory.ticks += 1


def _from(place: Place, x: float, y: float, turn: float) -> Place:
    """A place that lies so from another one."""
    c, s = cos(place.heading), sin(place.heading)
    return Place(place.x + c * x - s * y, place.y + s * x + c * y, place.z, wrapped(place.heading + turn))
