"""A character whose base motion is a clip: its time, its travel, its pose, on one page.

time     the clip goes on: by the clock, by a progress that is keyed, or with the body's pace
move     its own travel carries the body from where it stands, over the ground there; or the director moves it
pose     the clip's pose at its time, over the body; its feet are down when the clip's are
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, cos, isfinite, sin
from typing import TYPE_CHECKING, Literal

from mathutils import Matrix

from .control.directors import decide
from .control.intent import Inputs, Intent, Place, Travel
from .control.point import horizontal_share, move, rise_along
from .falling_course import Course
from .gait.memory import GaitMemory
from .layers.legs_feet import FootParts, PosedFoot, landing_of
from .motion.clip_feet import Step
from .motion.clip_pose import ClipPoses, Spot
from .rig.placed import world_matrix
from .rig.pose import Footing, Ground, Landing, PoseFrame
from .rig.rig import Problem, Rig
from .space.angles import heading_of, wrapped
from .space.settings import setting
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory

# A clip that goes slower than this (metres a second, for a 0.9 m leg) has no pace to be played at.
STANDS = 0.05
UP = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ClipConfig:
    """How a clip is played as the base motion."""

    clip_timing: Literal["TIME", "PROGRESS"] = setting(
        "TIME",
        "TIME plays the clip by the clock from the start frame on, PROGRESS poses it where the keyed progress is",
    )
    clip_travel: Literal["CLIP", "DIRECTOR"] = setting(
        "CLIP",
        "What moves the body. CLIP: the clip's own travel, from where the body stands, over the ground that is there. "
        "DIRECTOR: the clip plays in place, and the director moves the body",
    )
    clip_repeat: Literal["AUTO", "LOOP", "HOLD"] = setting(
        "AUTO",
        "After its last frame the clip begins again (LOOP, each round going on from where the last one ended) or holds "
        "that frame (HOLD). AUTO: LOOP, if it ends in the pose with which it begins",
    )
    clip_rate: float = setting(
        1.0,
        "How fast the clip plays: 0 stands still in it, 1 is its own speed. Far from 1 its weight is not believed",
        low=0.0,
        high=10.0,
    )
    clip_start: float = setting(
        0.0,
        "Where in the clip it begins, seconds after its first frame; past its end it begins with the end",
        unit="s",
        low=0.0,
        high=36000.0,
    )
    clip_keeps_pace: bool = setting(
        True,
        "While the director moves the body, the clip plays as fast as the body goes, so that feet do not slide; off, "
        "it plays by the clock whatever the speed",
    )
    clip_lift: bool = setting(
        True,
        "The body rises and falls as in the clip; off, it stays at the height of the clip's first frame, for a move "
        "whose way up something else carries",
    )


@dataclass(slots=True)
class ClipMemory:
    """Where a clip is: seconds after its first frame, over all its rounds."""

    time: float = 0.0

    def copy(self) -> ClipMemory:
        """An independent copy."""
        return ClipMemory(self.time)


def _ends(seconds: float) -> Problem:
    reason = f"The Action does not repeat: after {seconds:.1f} seconds the body goes on in its last pose."
    return Problem("", reason, "Set Repeat to Loop, let the clip carry the body, or key the progress.")


class FromClip:
    """One clip as the base motion of one rig. Immutable. `problems`: what it will not look like, in sentences."""

    def __init__(self, rig: Rig, config: ClipConfig, poses: ClipPoses) -> None:
        self.rig = rig
        self.config = config
        poses = poses if config.clip_lift else poses.without_lift()
        repeats = config.clip_repeat == "LOOP" or (config.clip_repeat == "AUTO" and poses.closed)
        self.poses = poses.joined() if repeats else poses
        self.carries = config.clip_travel == "CLIP"
        glides = not (self.carries or repeats or config.clip_timing == "PROGRESS")
        self.problems: tuple[Problem, ...] = (_ends(poses.seconds),) if glides else ()
        self._parts = tuple(FootParts.of(rig, leg) for leg in rig.legs)
        self._feet: dict[tuple[int, int], PosedFoot] = {}
        self._stands = STANDS * (rig.leg_length / 0.9) ** 0.5

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones that the clip turns and moves, with the body; what is above them is held at rest."""
        moved = {*self.poses.rotated, *self.poses.located, self.rig.body}
        above = {j for i in moved for j in self.rig.skeleton.ancestors(i)}
        return tuple(sorted(moved | above)), tuple(sorted({*self.poses.located, self.rig.body}))

    def start(self, place: Place, inputs: Inputs) -> tuple[ClipMemory, Place]:
        """Where the clip begins in time, and where the body does that stands at a place."""
        memory = ClipMemory(self.config.clip_start)
        if self.config.clip_timing == "PROGRESS":
            memory.time = self._progressed(inputs)
        if not self.carries:
            return memory, place
        x, y, heading = self.poses.spot(memory.time * self.poses.fps)
        return memory, _from(place, x, y, heading)

    def advance(self, memory: ClipMemory, inputs: Inputs, travel: Travel, dt: float) -> None:
        """The clip's time after a tick in which the body went as `travel` says."""
        if self.config.clip_timing == "PROGRESS":
            memory.time = self._progressed(inputs)
            return
        rate = self.config.clip_rate
        if not self.carries and self.config.clip_keeps_pace and self.poses.feet.speed > self._stands:
            vx, vy, vz = travel.velocity
            ahead = vx * sin(travel.place.heading) - vy * cos(travel.place.heading)
            pace = (vx * vx + vy * vy + vz * vz) ** 0.5 / self.poses.feet.speed
            rate *= -pace if ahead < 0.0 else pace
        memory.time += rate * dt

    def carried(self, travel: Travel, before: float, after: float, dt: float) -> Intent:
        """The clip's travel from one of its times to another, on from where the body is."""
        to = _gone(travel.place, *(self.poses.spot(time * self.poses.fps) for time in (before, after)))
        vx, vy = (to.x - travel.place.x) / dt, (to.y - travel.place.y) / dt
        share = horizontal_share(rise_along(travel, heading_of(vx, vy)))
        return Intent((vx / share, vy / share), to.heading, carried=to, rides=True)

    def pose(self, memory: ClipMemory, travel: Travel, events: tuple[tuple[str, str], ...]) -> PoseFrame:
        """The clip's pose over the body."""
        frame, place = memory.time * self.poses.fps, travel.place
        ground = Ground(place.x, place.y, place.z - self.rig.floor, place.heading)
        at = Matrix.Translation(ground[:3]) @ Matrix.Rotation(place.heading, 4, "Z")
        steps = self.steps(memory)
        feet = tuple(self._footing(i, step, at, memory, place) for i, step in enumerate(steps))
        return self.poses.at(frame).frame(ground, feet, events)

    def steps(self, memory: ClipMemory) -> list[Step]:
        """What each foot does."""
        local = self.poses.within(memory.time * self.poses.fps)[1]
        return [stepping.at(local) for stepping in self.poses.steppings]

    def phase(self, memory: ClipMemory) -> float | None:
        """The stride's phase, from the first foot's landing on; None where the clip does not step."""
        if self.poses.feet.stride is None:
            return None
        return self.poses.steppings[0].phase(self.poses.within(memory.time * self.poses.fps)[1])

    def _progressed(self, inputs: Inputs) -> float:
        progress = inputs.progress if isfinite(inputs.progress) else 0.0
        return min(max(progress, 0.0), 1.0) * self.poses.seconds

    def _footing(self, i: int, step: Step, at: Matrix, memory: ClipMemory, place: Place) -> Footing:
        x, y, z = at @ self.poses.ball(i, memory.time * self.poses.fps)
        seconds = step.elapsed / self.poses.fps
        landing = None if step.planted else self._landing(i, memory, place)
        role = self.rig.legs[i].role
        return Footing(role, step.planted, seconds, step.phase, (x, y, z), UP, step.heel_down, step.ball_down, landing)

    def _landing(self, i: int, memory: ClipMemory, place: Place) -> Landing | None:
        """Where a foot will come down, if the clip goes on by itself: by the clock, and over its own travel."""
        rate = self.config.clip_rate
        if rate <= 0.0 or not self.carries or self.config.clip_timing == "PROGRESS":
            return None
        now = memory.time * self.poses.fps
        count, local = self.poses.within(now)
        found = self.poses.steppings[i].landing(local)
        if found is None:
            return None
        before = self.poses.spot(now)

        def placed(frame: int) -> tuple[PosedFoot, Matrix]:
            after = self.poses.spot(count * (len(self.poses) - 1) + frame)
            there = _gone(place, before, after)
            return self._foot(i, frame), world_matrix(Ground(there.x, there.y, 0.0, there.heading))

        touches, lies, leaves = ceil(found[0]), ceil(found[1]), int(found[2])
        time = (touches - local) / (self.poses.fps * rate)
        return landing_of(time, placed(touches), placed(lies), placed(leaves))

    def _foot(self, i: int, frame: int) -> PosedFoot:
        """A foot as posed at a whole frame; kept, because a landing is asked for as long as it is ahead."""
        key = i, frame
        if key not in self._feet:
            self._feet[key] = PosedFoot.read(self.poses.at(frame), self._parts[i])
        return self._feet[key]


def start_from_clip(base: FromClip, place: Place, inputs: Inputs) -> tuple[ClipMemory, GaitMemory, Place]:
    """The clip where it begins, a gait that plans nothing, and where the body is."""
    clip, begin = base.start(place, inputs)
    return clip, GaitMemory("", 0.0, 1.0, 0.0, 0.0, 1.0, stepping=False), begin


def tick_from_clip(
    character: Character, base: FromClip, memory: Memory, clip: ClipMemory, inputs: Inputs, world: World, dt: float,
    course: Course | None = None,
) -> None:  # fmt: skip
    """Advance a character by one tick of its clip, on the course of a body that was hit, if it was."""
    control, name = character.control, character.config.director
    steps, travel, before = base.steps(clip), memory.travel, clip.time
    if base.carries and not (course is not None and course.waits):
        base.advance(clip, inputs, travel, dt)
    if base.carries and inputs.moved_to is None:
        intent = base.carried(travel, before, clip.time, dt)
    else:
        here = travel if course is None else course.seen(travel)
        intent = decide(name, memory.director, inputs, here, control, dt)
    if course is not None:
        intent = course.bend(intent, dt)
    memory.travel = move(travel, intent, control, world, dt)
    if not base.carries and not (course is not None and course.waits):
        base.advance(clip, inputs, memory.travel, dt)
    events = [(event, "") for event in ("JUMP" if memory.travel.jumped else "", intent.event) if event]
    for leg, was, now in zip(base.rig.legs, steps, base.steps(clip), strict=True):
        if was.planted != now.planted:
            events.append(("LANDING" if now.planted else "LIFT_OFF", leg.role))
    memory.gait.events = tuple(events)
    memory.gait.phase = base.phase(clip) or 0.0
    memory.reason = intent.reason
    memory.ticks += 1


def _gone(place: Place, before: Spot, after: Spot) -> Place:
    """Where a body is that goes as a track does from one of its spots to another."""
    (ax, ay, start), (bx, by, end) = before, after
    c, s = cos(start), sin(start)
    dx, dy = bx - ax, by - ay
    return _from(place, c * dx + s * dy, c * dy - s * dx, end - start)


def _from(place: Place, x: float, y: float, turn: float) -> Place:
    """A place that lies so from another one."""
    c, s = cos(place.heading), sin(place.heading)
    heading = wrapped(place.heading + turn)
    return Place(place.x + c * x - s * y, place.y + s * x + c * y, place.z, heading)
