"""A body carried from what it showed into what it is to show: every cut between moves and gaits, without a jolt.

In the frame of a cut it goes on as it went; one frame later it is known how fast the new motion goes, and from then on
the difference in place and speed dies out along the quintic that begins with that speed and ends at rest (after D.
Bollo, "Inertialization", GDC 2018): each number by itself, so that no speed across the difference is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathutils import Matrix, Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import Ground
from ..rig.rig import Rig
from ..space.inertialization import rotation_cut, rotation_offset, with_offset
from ..space.rigid import Triple
from ..space.vectors import triple
from .moves_memory import NONE, MovesMemory, Row

UP = Vector((0.0, 0.0, 1.0))
# A cut is over after so long, seconds for a 0.9 m leg: within a move that is this share of it, but not less.
FADES, OF_MOVE, LEAST = 0.26, 0.45, 0.18
# A body that comes down goes on down by this share of the speed that it has lost, and not faster than this, metres a
# second for a 0.9 m leg.
SINKS, SINK_SPEED = 0.3, 1.2
# What is left of the body's place goes on by its own speed by at most this share of the leg. A push-off from the floor
# that a move cuts short would drop the body otherwise.
GOES_ON = 0.12
# So much of its speed times the time that it dies out in is how far an offset goes on at most.
PEAK = 0.196


class Carrier:
    """One rig's bones, carried. Immutable: what changes is in the memory. `bones` are in the order of the rows."""

    def __init__(self, rig: Rig, bones: Sequence[int]) -> None:
        self.body, hips = rig.body, [leg.hip for leg in rig.legs]
        # The body's place is told by the middle of its hips: it turns about them, wherever its bone has its joint.
        self.centre = sum(hips, Vector()) / len(hips) if hips else Vector()
        self.rest = rig.skeleton.bones[rig.body].rest
        self.bones = (rig.body, *(i for i in bones if i != rig.body))
        self.tempo = (rig.leg_length / 0.9) ** 0.5
        self.size = rig.leg_length / 0.9

    def seen(self, pose: EditedPose, ground: Ground) -> tuple[Row, Triple]:
        """A pose as a row, and where its body is, seen from the feet. Place and rotation of the body are told along the
        axes of the world, the rotations of all other bones are bases.
        """
        heading = Quaternion(UP, ground.heading)
        turns = [heading @ pose.turn(self.body), *(pose.rotations[i] for i in self.bones[1:])]
        x, y, z = heading @ (pose.moved(self.body) @ self.centre)
        return tuple(value for turn in turns for value in turn), (x, y, z)

    def lay(self, pose: EditedPose, ground: Ground, row: Row, at: Triple) -> None:
        """Give a pose what a row says."""
        back = Quaternion(UP, -ground.heading)
        moved = (back @ Quaternion(row[:4]) @ self.rest.to_quaternion().inverted()).to_matrix().to_4x4()
        to, about = Matrix.Translation(back @ Vector(at)), Matrix.Translation(-self.centre)
        pose.set_model(self.body, to @ moved @ about @ self.rest)
        for k, i in enumerate(self.bones[1:], 1):
            pose.set_basis(i, Quaternion(row[4 * k : 4 * k + 4]), pose.locations.get(i))

    def carry(
        self, memory: MovesMemory, row: Row, at: Triple, ground: Ground, dt: float, lasts: float, *, cut: bool
    ) -> tuple[Row, Triple]:
        """What is shown of a source that is at `row` and `at`, this frame; the memory goes on.

        `lasts` is how long the move takes that is cut to, in seconds.
        """
        if not memory.shown or dt <= 0.0:
            self._forget(memory)
            return row, at
        if cut:
            self._forget(memory)
            memory.source, memory.source_at = row, at
            memory.landed = max(0.0, (ground.z - memory.stood[2]) / dt - memory.rise)
            return self._gone_on(memory, dt)
        if memory.source:
            self._begin(memory, row, at, dt)
            memory.fades = min(FADES * self.tempo, max(LEAST * self.tempo, OF_MOVE * lasts))
        if not memory.offsets:
            return row, at
        memory.elapsed += dt
        return self._faded(memory, row, at)

    def remember(self, memory: MovesMemory, row: Row, at: Triple, ground: Ground, dt: float) -> None:
        """Keep what was shown."""
        fresh = dt <= 0.0 or not memory.shown
        memory.rise, memory.stood = (0.0 if fresh else (ground.z - memory.stood[2]) / dt), ground[:3]
        memory.before, memory.was = (row, at) if fresh else (memory.shown, memory.at)
        memory.shown, memory.at, memory.dt = row, at, dt

    @staticmethod
    def _forget(memory: MovesMemory) -> None:
        memory.source, memory.offsets, memory.speeds = (), (), ()
        memory.shift = memory.shift_speed = memory.source_at = NONE
        memory.elapsed = memory.landed = 0.0

    def _spins(self, memory: MovesMemory) -> list[Triple]:
        """How fast each bone turned from the last frame but one to the last (radians a second)."""
        if memory.dt <= 0.0:
            return [NONE] * len(self.bones)
        pairs = zip(_turns(memory.before), _turns(memory.shown), strict=True)
        return [triple(Vector(rotation_offset(now, was)) / memory.dt) for was, now in pairs]

    def _speed(self, memory: MovesMemory) -> Vector:
        if memory.dt <= 0.0:
            return Vector()
        return Vector(tuple((now - was) / memory.dt for was, now in zip(memory.was, memory.at, strict=True)))

    def _gone_on(self, memory: MovesMemory, dt: float) -> tuple[Row, Triple]:
        """The last frame, and what it did, for another frame."""
        spins = self._spins(memory)
        turns = [with_offset(turn, triple(Vector(s) * dt)) for turn, s in zip(_turns(memory.shown), spins, strict=True)]
        x, y, z = self._speed(memory) * dt
        at = (memory.at[0] + x, memory.at[1] + y, memory.at[2] + z)
        return tuple(value for turn in turns for value in turn), at

    def _begin(self, memory: MovesMemory, row: Row, at: Triple, dt: float) -> None:
        """Begin to die out from the frame of the cut, in which the source was told, to this one."""
        offsets: list[float] = []
        speeds: list[float] = []
        spins = self._spins(memory)
        for was, now, shown, spin in zip(_turns(memory.source), _turns(row), _turns(memory.shown), spins, strict=True):
            own = triple(Vector(rotation_offset(now, was)) / dt)
            offset, speed = rotation_cut(shown, spin, was, own)
            offsets += offset
            speeds += speed
        memory.offsets, memory.speeds = tuple(offsets), tuple(speeds)
        own_speed = Vector(tuple((b - a) / dt for a, b in zip(memory.source_at, at, strict=True)))
        most = GOES_ON * 0.9 * self.size / (PEAK * FADES * self.tempo)
        goes = self._speed(memory) - Vector(own_speed)
        x, y, z = goes * min(1.0, most / goes.length) if goes.length > 0.0 else goes
        memory.shift_speed = (x, y, z - min(SINK_SPEED * self.size / self.tempo, SINKS * memory.landed))
        memory.shift = tuple(b - a for a, b in zip(memory.source_at, memory.at, strict=True))  # type: ignore[assignment]
        memory.source, memory.source_at, memory.elapsed = (), NONE, 0.0

    def _faded(self, memory: MovesMemory, row: Row, at: Triple) -> tuple[Row, Triple]:
        """The source with what is left."""
        seconds = memory.fades
        share = memory.elapsed / seconds
        if share >= 1.0:
            self._forget(memory)
            return row, at
        place, speed = _quintic(share)
        speed *= seconds
        left = [place * x + speed * v for x, v in zip(memory.offsets, memory.speeds, strict=True)]
        turns = [
            with_offset(turn, (left[3 * k], left[3 * k + 1], left[3 * k + 2])) for k, turn in enumerate(_turns(row))
        ]
        x, y, z = (
            now + place * a + speed * b for now, a, b in zip(at, memory.shift, memory.shift_speed, strict=True)
        )
        return tuple(value for turn in turns for value in turn), (x, y, z)


def _turns(row: Row) -> list[Quaternion]:
    return [Quaternion(row[k : k + 4]) for k in range(0, len(row), 4)]


def _quintic(s: float) -> tuple[float, float]:
    """What is left at a share of the time of a whole offset, and of one that begins with a speed of one."""
    cube = s * s * s
    return 1.0 - cube * (10.0 - s * (15.0 - 6.0 * s)), s - cube * (6.0 - s * (8.0 - 3.0 * s))
