"""Walks a rig over a test ground in the core alone, and hands out what is measured of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, inf, sin

import numpy as np
from mathutils import Matrix, Vector
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.gait.posing import PoseReport
from surefoot.core.measure.contacts import Contacts, Span, contacts_of
from surefoot.core.measure.sole_ground import sole_ground
from surefoot.core.measure.switches import swing_lengths
from surefoot.core.measure.track import FootTrack, Track
from surefoot.core.rig.pose import Footing, PoseFrame, model_matrices
from surefoot.core.rig.rig import Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.world import World

# Frames in which a swing is seen.
SWING_FRAMES = 4.0


def shows_swings(contacts: Mapping[str, Contacts]) -> bool:
    """False where a foot swings in fewer than 4 frames, as in strides that reach cuts short.

    Three numbers cannot be told from positions then. A knee bends and stretches once in a swing: of three frames each
    step is a third of all that it does, and the step over the landing holds a part of it by where the frames fall, not
    by how the knee turns. A finder sets a contact's edge between two frames: in a stride of six to eight frames half a
    frame at each end is more than a tenth of the stance and more than 0.05 of duty, whatever the foot does. Slide,
    height, reach, bends, speed and planned contacts need no swing to be seen, and are judged at any rate.
    """
    swings = (length for each in contacts.values() for length in swing_lengths(each.foot))
    return min(swings, default=inf) >= SWING_FRAMES


@dataclass
class Walk:
    """A finished walk: per frame the pose, its report and the memory after it."""

    rig: Rig
    character: Character
    world: World
    fps: float
    frames: list[PoseFrame]
    reports: list[PoseReport]
    memories: list[Memory]

    def settled(self, seconds: float = 1.5) -> Walk:
        """The same walk without its first seconds."""
        skip = round(seconds * self.fps)
        return Walk(
            self.rig,
            self.character,
            self.world,
            self.fps,
            self.frames[skip:],
            self.reports[skip:],
            self.memories[skip:],
        )

    @property
    def extension(self) -> float:
        """The largest extension of any leg."""
        return max(max(report.extensions) for report in self.reports)

    def contacts(self) -> dict[str, Contacts]:
        """The planned contacts of every foot and sole point."""
        numbers = np.arange(len(self.frames), dtype=float)
        planned = {}
        for i, leg in enumerate(self.rig.legs):
            rows = [frame.feet[i] for frame in self.frames]
            points = contacts_of(
                numbers,
                np.array([foot.planted for foot in rows]),
                np.array([foot.heel_down for foot in rows]),
                np.array([foot.ball_down for foot in rows]),
            )
            planned[leg.role] = Contacts(self._exact(rows), points.heel, points.ball)
        return planned

    def _exact(self, rows: list[Footing]) -> tuple[Span, ...]:
        """Contacts to the fraction of a frame, from the time that each foot says has passed."""
        spans, start = [], 0.0 if rows[0].planted else None
        for n in range(1, len(rows)):
            if rows[n].planted and start is None:
                start = n - rows[n].elapsed * self.fps
            elif not rows[n].planted and start is not None:
                spans.append(Span(start, n - rows[n].elapsed * self.fps))
                start = None
        if start is not None:
            spans.append(Span(start, len(rows) - 1.0))
        return tuple(spans)

    def track(self) -> Track:
        """Where the soles, the legs' joints and the body were, from the poses alone."""
        rows = [_places(self.rig, frame) for frame in self.frames]
        feet = []
        for i, leg in enumerate(self.rig.legs):
            heel, ball = (np.array([row[0][i][k] for row in rows]) for k in (0, 1))
            grounds = np.array([sole_ground(self.world, a, b) for a, b in zip(heel, ball, strict=True)])
            feet.append(
                FootTrack(
                    role=leg.role,
                    heel=heel,
                    ball=ball,
                    heel_ground=grounds[:, 0],
                    ball_ground=grounds[:, 1],
                    joints=np.array([row[0][i][2] for row in rows]),
                )
            )
        grounds = np.array([[f.ground.x, f.ground.y, f.ground.z + self.rig.floor] for f in self.frames])
        return Track(
            fps=self.fps,
            frames=np.arange(len(self.frames), dtype=float),
            feet=tuple(feet),
            body=grounds,
            heading=np.unwrap([f.ground.heading for f in self.frames]),
            leg_length=self.rig.leg_length,
        )


def walk(
    rig: Rig,
    world: World,
    speed: float = 1.4,
    seconds: float = 5.0,
    fps: float = 24.0,
    config: CharacterConfig | None = None,
    inputs: Callable[[float], Inputs] | None = None,
    place: Place = Place(0.0, 0.0, 0.0, 0.0),
) -> Walk:
    """Walk from standing at `place`. `inputs` gives the scene's inputs at a time; by default straight on at `speed`."""
    character = Character(rig, config or CharacterConfig())
    said = inputs or (lambda _time: Inputs(speed=speed))
    ticks = ticks_per_frame(fps)
    dt = 1.0 / fps / ticks
    move_world = getattr(world, "set_time", lambda _time: None)
    move_world(0.0)
    memory = character.start(place, said(0.0), world)
    result = Walk(rig, character, world, fps, [], [], [])
    for n in range(round(seconds * fps) + 1):
        if n:
            for k in range(ticks):
                time = ((n - 1) * ticks + k + 1) * dt
                move_world(time)
                character.tick(memory, said(time), world, dt)
        frame, report = character.pose_and_report(memory)
        result.frames.append(frame)
        result.reports.append(report)
        result.memories.append(memory.copy())
    return result


def _places(rig: Rig, frame: PoseFrame) -> tuple[list[tuple[np.ndarray, np.ndarray, np.ndarray]], list[Matrix]]:
    """Per leg (heel, ball, joints) in the world, in double precision around the body's place."""
    matrices = model_matrices(rig.skeleton, frame)
    ground = frame.ground
    c, s = cos(ground.heading), sin(ground.heading)

    def world(v: Vector) -> np.ndarray:
        return np.array([ground.x + c * v.x - s * v.y, ground.y + s * v.x + c * v.y, ground.z + v.z])

    def carried(bone: int, rest: Vector) -> np.ndarray:
        return world(matrices[bone] @ (rig.skeleton.bones[bone].rest.inverted() @ rest))

    rows = []
    for leg in rig.legs:
        joints = [world(matrices[bone].to_translation()) for bone in leg.bones]
        joints.append(carried(leg.bones[-1], leg.tip))
        rows.append(
            (carried(leg.sole.heel_bone, leg.sole.heel), carried(leg.sole.ball_bone, leg.sole.ball), np.array(joints))
        )
    return rows, matrices
