"""Every piece of the course driven by what a person would press, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, pi, radians, sin

import bpy
from mathutils import Vector
from support.stage import add_person
from surefoot.addon.course import add_course
from surefoot.addon.drive import Take, prepare
from surefoot.addon.performers import performers
from surefoot.addon.setup import setup
from surefoot.core.character import Memory
from surefoot.core.control.intent import Pad
from surefoot.core.course import Piece, read_course

AHEAD, REST = Pad(0.0, -1.0), Pad()
TURN = 2.0 * pi
PIECES = {piece.label: piece for piece in read_course()}


@dataclass(frozen=True)
class Driven:
    """What was shown, frame by frame, from the near edge of the piece: ahead, up, and the memory itself."""

    piece: Piece
    memories: list[Memory]

    @property
    def ahead(self) -> list[float]:
        """How far behind the piece's near edge it was."""
        return [self.piece.at[1] - memory.travel.place.y for memory in self.memories]

    @property
    def heights(self) -> list[float]:
        """How high its feet were, by the capsule."""
        return [memory.capsule.feet[2] for memory in self.memories]

    @property
    def aloft(self) -> int:
        """In how many frames it was in the air."""
        return sum(memory.travel.aloft for memory in self.memories)


Policy = Callable[[Memory, float, int], Pad]
"""What is pressed, by the body as it is, how far ahead of the near edge it is, and the number of the frame."""


@dataclass(frozen=True)
class Drive:
    """Where it begins (metres to the side, before the near edge, up), for how long, and what is pressed."""

    frames: int
    press: Policy
    start: tuple[float, float, float] = (0.0, 0.8, 0.0)
    speed: float = 1.4
    first: int = 1


def _ahead(_memory: Memory, _ahead: float, _frame: int) -> Pad:
    return AHEAD


def _crouched(_memory: Memory, _ahead: float, _frame: int) -> Pad:
    return Pad(0.0, -1.0, crouch=True)


def _jumper(edges: tuple[float, ...]) -> Policy:
    """Runs, and jumps before each edge."""

    def press(_memory: Memory, ahead: float, _frame: int) -> Pad:
        return Pad(0.0, -1.0, jump=any(edge - 0.45 < ahead < edge for edge in edges), sprint=True)

    return press


def _onto(stop: float) -> Policy:
    """Goes on to a place and stands there."""

    def press(_memory: Memory, ahead: float, _frame: int) -> Pad:
        return AHEAD if ahead < stop else REST

    return press


DRIVES: dict[str, Drive] = {
    "Stairs 0.10 m": Drive(75, _ahead),
    "Stairs 0.17 m": Drive(75, _ahead),
    "Stairs 0.25 m": Drive(75, _ahead),
    "Stairs 0.40 m": Drive(75, _ahead),
    "Stairs 0.55 m": Drive(75, _ahead),
    "Stairs 0.70 m: too high to walk": Drive(60, _ahead),
    "Ramp 10 degrees": Drive(96, _ahead),
    "Ramp 20 degrees": Drive(96, _ahead),
    "Ramp 30 degrees": Drive(80, _ahead),
    "Ramp 40 degrees": Drive(80, _ahead),
    "Ramp 50 degrees: too steep to walk": Drive(60, _ahead),
    "Ramp 60 degrees: too steep to walk": Drive(60, _ahead),
    "Kerbs 0.05 to 0.30 m": Drive(130, _ahead),
    "Tunnel 1.2 m high: crouch": Drive(190, _crouched),
    # Five stairs of 0.3 m and a landing of two more end at 2.1 m; each gap begins two metres after the one before.
    "Gaps 1, 2 and 3 m, over a step of 1 m": Drive(70, _jumper((2.1, 5.1, 9.1)), speed=3.2),
    "Lift": Drive(140, _onto(1.0), (0.0, 1.0, 0.0)),
    "Turntable": Drive(110, _onto(1.2), (0.0, 1.0, 0.0)),
    "Platform on its way": Drive(120, _onto(1.0), (0.0, 1.0, 0.0)),
}


def course_with_walker() -> bpy.types.Object:
    """The course, and a person that is ready to be driven on it."""
    add_course(bpy.context, Vector((0.0, 0.0, 0.0)))
    rig = add_person()
    setup(rig)
    rig.surefoot.ground = bpy.data.collections["Surefoot Course"]
    # The highest step is for a leg of 0.9 m: this person's is a little longer or shorter.
    rig.surefoot.highest_step = 0.6
    prepare(rig, bpy.context.scene)
    return rig


def driven(rig: bpy.types.Object, label: str) -> Driven:
    """One piece driven by a take of its own."""
    drive, piece = DRIVES[label], PIECES[label]
    side, before, up = drive.start
    rig.surefoot.preview = False
    rig.animation_data_clear()
    rig.location = (piece.at[0] + side, piece.at[1] + before, up)
    rig.surefoot.speed = drive.speed
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(drive.first)
    take, cache, memories = Take(rig), performers.get(rig.session_uid).cache, []
    for number in range(drive.frames):
        memory = cache.get(take.frame).memory
        memories.append(memory)
        take.step(drive.press(memory, piece.at[1] - memory.travel.place.y, number))
    memories.append(cache.get(take.frame).memory)
    take.finish()
    return Driven(piece, memories)


def _reaches(height: float) -> Callable[[Driven], bool]:
    """It came up there, and on it walked without a frame in the air."""

    def told(run: Driven) -> bool:
        return abs(max(run.heights) - height) < 0.02 and run.aloft <= sum(ahead > 2.0 for ahead in run.ahead)

    return told


def _stops(run: Driven) -> bool:
    return max(run.heights) < 0.1 and run.ahead[-1] < 0.3 and run.aloft == 0


def _passes_below(run: Driven) -> bool:
    """Crouched in it, out at the far end, standing up again where there is room and it is not asked to crouch."""
    inside = [m.capsule.height for m, ahead in zip(run.memories, run.ahead, strict=True) if 0.0 < ahead < 4.0]
    return run.ahead[-1] > 4.3 and max(inside) < 1.2


def _leaps(run: Driven) -> bool:
    """Over all three gaps it is never lower than where it jumped."""
    over = [height for ahead, height in zip(run.ahead, run.heights, strict=True) if 1.6 < ahead < 14.1]
    return min(over) > 0.99 and run.ahead[-1] > 14.1


def _rises(run: Driven) -> bool:
    """Once on the lift it is as high as that is, in every frame, and never in the air."""
    motion = run.piece.shapes[0].motion
    on = [(k, height) for k, height in enumerate(run.heights) if run.ahead[k] > 0.4]
    off = max(abs(height - 0.2 - motion.at(k / 24.0)[2]) for k, height in on)
    return off < 0.02 and run.aloft == 0 and max(run.heights) > 2.0


def _is_turned(run: Driven) -> bool:
    """It walked onto what turns, stands, and faces as far round as that turned it, with its place."""
    middle_y = run.piece.at[1] - 2.5
    x, y, _, heading = run.memories[-1].travel.place
    u, v, _, before = run.memories[-24].travel.place
    way = atan2(y - middle_y, x - run.piece.at[0]) - atan2(v - middle_y, u - run.piece.at[0])
    turns = [(angle + pi) % TURN - pi for angle in (way, heading - before)]
    return run.aloft == 0 and all(abs(turn - TURN * 23.0 / 24.0 / 8.0) < 0.02 for turn in turns)


def _is_carried(run: Driven) -> bool:
    """It stands on what slides, at the same place of it."""
    motion = run.piece.shapes[0].motion
    places = [ahead + motion.at(k / 24.0)[1] for k, ahead in enumerate(run.ahead)][-36:]
    return max(places) - min(places) < 0.02 and run.aloft == 0 and run.ahead[-1] > 4.0


OUTCOMES: dict[str, Callable[[Driven], bool]] = {
    "Stairs 0.10 m": _reaches(0.8),
    "Stairs 0.17 m": _reaches(8 * 0.17),
    "Stairs 0.25 m": _reaches(1.5),
    "Stairs 0.40 m": _reaches(1.6),
    "Stairs 0.55 m": _reaches(1.65),
    "Stairs 0.70 m: too high to walk": _stops,
    "Ramp 10 degrees": _reaches(4.0 * sin(radians(10.0))),
    "Ramp 20 degrees": _reaches(4.0 * sin(radians(20.0))),
    "Ramp 30 degrees": _reaches(3.0 * sin(radians(30.0))),
    "Ramp 40 degrees": _reaches(3.0 * sin(radians(40.0))),
    "Ramp 50 degrees: too steep to walk": _stops,
    "Ramp 60 degrees: too steep to walk": _stops,
    "Kerbs 0.05 to 0.30 m": lambda run: max(run.heights) > 0.29 and run.ahead[-1] > 6.3 and run.aloft == 0,
    "Tunnel 1.2 m high: crouch": _passes_below,
    "Gaps 1, 2 and 3 m, over a step of 1 m": _leaps,
    "Lift": _rises,
    "Turntable": _is_turned,
    "Platform on its way": _is_carried,
}
"""What must come of it."""
