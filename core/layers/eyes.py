"""Eyes that go first: each turns to the target within what an eye does, before and while the head comes after."""

from __future__ import annotations

from math import hypot, radians
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..ik.aim import Angles, Facing, angles_of
from ..rig.edited_pose import EditedPose
from ..space.dampers import damp
from .layer import Moment
from .look_chain import LookChain
from .pursuit import follow, own_change
from .targets import Sight

# How far an eye turns from straight ahead, and the seconds in which it makes half of a way.
MOST = radians(35.0)
HALFLIFE = 0.03
NOTHING = 1e-3


class EyeMemory(NamedTuple):
    """How far the eyes are with a target, where it is against the head and for each eye, and how far behind it they are
    (radians).
    """

    fade: float = 0.0
    aim: Angles = Angles(0.0, 0.0)
    offset: Angles = Angles(0.0, 0.0)
    own: tuple[Angles, ...] = ()


AT_REST = EyeMemory()


class EyePair:
    """The two eyes of a head."""

    def __init__(self, chain: LookChain, near: float) -> None:
        self.chain = chain
        self.sight = angles_of(chain.unrest_head.inverted() @ chain.forward)
        self.near = near

    def turn(self, pose: EditedPose, memory: EyeMemory, moment: Moment, sight: Sight | None, left: float) -> EyeMemory:
        """Turn both eyes to a target, or back to how the pose has them; what they remember then.

        They are quick to a target, but come back with the head: `left` is the share that it still had at the frame
        before of its turn to the target, and still has.
        """
        dt, chain = moment.dt, self.chain
        if sight is None:
            level = memory.fade * left if dt > 0.0 else 0.0
            level = level if level >= NOTHING else 0.0
        else:
            level = damp(memory.fade, 1.0, HALFLIFE, dt) if dt > 0.0 else 1.0
            level = level if level <= 1.0 - NOTHING else 1.0
        if level <= 0.0:
            return AT_REST
        frame = pose.turn(chain.bones[-1]) @ chain.unrest_head
        inverse = frame.inverted()
        middle = pose.model(chain.bones[-1]) @ chain.place
        aim, offset, owns = memory.aim, memory.offset, list(memory.own)
        if sight is not None:
            aim, offset = self._follow(inverse, middle, memory, sight, dt)
            owns = [self._aim(inverse @ (sight.place - pose.head(eye.bone)), aim) for eye in chain.eyes]
        for eye, own in zip(chain.eyes, owns, strict=True):
            turned = pose.turn(eye.bone)
            now = angles_of(inverse @ (turned @ eye.forward))
            wanted = zip(now, self.sight, own, offset, strict=True)
            end = Angles(*(is_at + (rest + at + late - is_at) * level for is_at, rest, at, late in wanted))
            pose.set_turn(eye.bone, Facing(frame, now).turn(end) @ turned)
        return EyeMemory(level, aim, offset, tuple(owns))

    def _follow(
        self, inverse: Quaternion, middle: Vector, memory: EyeMemory, sight: Sight, dt: float
    ) -> tuple[Angles, Angles]:
        """Where a target is against the head, and how far the eyes are behind it: it jumped there if it is another."""
        aim = self._aim(inverse @ (sight.place - middle), memory.aim)
        if memory.fade <= 0.0:
            return aim, Angles(0.0, 0.0)
        if sight.in_scene is None or sight.beside is None:
            late = [was + o - a for was, o, a in zip(memory.aim, memory.offset, aim, strict=True)]
            return aim, Angles(*(follow(o, 0.0, HALFLIFE, dt) for o in late))
        moved = [self._aim(inverse @ (place - middle), aim) for place in (sight.in_scene, sight.beside)]
        change = [own_change(a - b, a - c) for a, b, c in zip(aim, *moved, strict=True)]
        return aim, Angles(*(follow(o, c, HALFLIFE, dt) for o, c in zip(memory.offset, change, strict=True)))

    def _aim(self, line: Vector, otherwise: Angles) -> Angles:
        """A direction against the head's line of sight, within the limits of an eye."""
        if line.length < self.near:
            return otherwise
        found = angles_of(line)
        yaw, pitch = found.yaw - self.sight.yaw, found.pitch - self.sight.pitch
        far = hypot(yaw, pitch)
        share = min(1.0, MOST / far) if far > 0.0 else 1.0
        return Angles(yaw * share, pitch * share)
