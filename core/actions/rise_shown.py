"""The pose of a body that gets up, from what it remembers and the time alone.

lying     the pose as it lay; what it rises by; how much of that is shown     rise_poses, rise_takes
standing  the end leads to the body as it stands
holds     the body within reach of what it plants, hands and feet there       rise_holds
floor     the trunk lifted, limbs kept over the floor                         rise_clear
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathutils import Matrix, Quaternion, Vector

from ..layers.masks import nearer
from ..layers.moves_limbs import Limbs
from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.curves import share_of, smootherstep
from .lying import trunk_goes_up
from .rise_bridges import bridge, on_the_way
from .rise_clear import FloorKeeper, Kept, left_of
from .rise_holds import Holds, Moment
from .rise_memory import Frame, RiseMemory, led
from .rise_points import BodyPoints
from .rise_poses import Source
from .rise_tilt import Tilted

UP = Vector((0.0, 0.0, 1.0))
# The last so many seconds (for a 0.9 m leg) lead from the source to how the body stands; the last steps begin so long
# before the source ends.
ENDS, STEPS = 0.45, 0.48
# Hands and feet that go far into a source are lifted by this share of their way, at most so many legs.
LIFTS, MOST_LIFT = 0.12, 0.07
# What lies in a step is out of it after this share of the time in which the body is led in.
UPS = 0.5


class Shown:
    """The poses of one rig that gets up. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints, sources: Sequence[Source]) -> None:
        self.rig, self.limbs, self.points, self.sources = rig, limbs, points, tuple(sources)
        self.tempo = (rig.leg_length / 0.9) ** 0.5
        self.holds = Holds(rig, limbs, points)
        self.keeper = FloorKeeper(rig, limbs, points)
        hips = [leg.hip for leg in rig.legs]
        self.centre = sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head.copy()
        below = rig.skeleton.below
        self.chains = {
            role: (known.limb.bones[0], *below[known.limb.bones[0]], *((known.end,) if known.detached else ()))
            for role, known in limbs.known.items()
            if trunk_goes_up(rig)
        }
        self.rest = rig.skeleton.bones[rig.body].rest

    def matrix(self, frame: Frame) -> Matrix:
        """Where the model space stands in which a body rises."""
        place = Matrix.Translation((frame.x, frame.y, frame.z - self.rig.floor))
        return place @ Quaternion(UP, frame.heading).to_matrix().to_4x4()

    def tilted(self, memory: RiseMemory) -> Tilted:
        """What turns a source with the slope that the body lies on."""
        return Tilted(self.rig, Vector(memory.normal), self.centre, self.centre.z - self.rig.floor)

    def pose(self, memory: RiseMemory, stood: EditedPose) -> EditedPose:
        """The pose in the model space in which it rises."""
        pose = self._own(memory, stood)
        if memory.bridges:
            bridge(pose, memory.time, memory.bridges, lambda time: self.at(memory, time, stood), self.chains)
            moment = self.moment(memory, 1.0)
            lows = self.holds.lows(memory.holds, moment, memory.led, None)
            for role in {each.limb for each in memory.bridges if each.start < memory.time < each.end}:
                own = memory.floor.lowered(*lows[role]) if role in lows else memory.floor
                self.keeper.keep_one(pose, memory.floor, own, left_of(memory.spare, self._out(memory)), role)
        return pose

    def at(self, memory: RiseMemory, time: float, stood: EditedPose) -> EditedPose:
        """The pose at a time (by how long ago it began), without bridges."""
        return self._own(self.then(memory, time), stood)

    @staticmethod
    def then(memory: RiseMemory, time: float) -> RiseMemory:
        """What is remembered so long after it began."""
        return replace(memory, time=time, clock=memory.entered + led(time, memory.blend))

    def _own(self, memory: RiseMemory, stood: EditedPose) -> EditedPose:
        share = smootherstep(memory.time / memory.blend)
        pose = self.lay_lying(memory)
        if share <= 0.0:
            return pose
        goes = EditedPose(stood.skeleton, list(stood.rotations), dict(stood.locations))
        self.sources[memory.source].lay(goes, memory.clock)
        self.tilted(memory).lay(goes)
        ends = smootherstep(share_of(memory.clock, memory.seconds - ENDS * self.tempo, memory.seconds))
        moment = self.moment(memory, share)
        lifts = self._lifts(pose, goes, share)
        self._mix(pose, goes, share, self._entry(memory) if share < 1.0 else goes)
        self._mix(pose, stood, ends, stood)
        for role, up in lifts.items():
            self.limbs.push(pose, role, UP * up)
        self._bend_back(pose, share)
        spare = left_of(memory.spare, self._out(memory))
        led = memory.led
        goals = self.holds.goals(pose, memory, moment, stood if ends > 0.0 else None)
        lows = self.holds.lows(memory.holds, moment, led, stood if ends > 0.0 else None)
        self.holds.reach.lean(pose, goals)
        self.limbs.shift(pose, self.holds.reach.missing(pose, goals))
        if ends < 1.0:
            self.keeper.lift(pose, memory.floor, spare)
        self.holds.lay_hands(pose, memory.holds, moment, led)
        self.holds.reach.bring(pose, goals)
        held = self.holds.held(goals, memory.holds, moment) if ends > 0.0 else {g.limb: g.share for g in goals}
        floors = {role: memory.floor.lowered(*low) for role, low in lows.items()}
        held |= {role: min(held[role], low[1]) for role, low in lows.items() if role in held}
        over = Kept(memory.floor, floors, spare, held)
        if ends < 1.0 or memory.floor.grid:
            self.keeper.keep(pose, over)
        self.holds.lay_toes(pose, goals, memory.holds)
        if ends < 1.0 or memory.floor.grid:
            self.keeper.finish(pose, over)
            self.keeper.bend(pose, memory.floor, spare)
        return pose

    def _out(self, memory: RiseMemory) -> float:
        """How much of what lay under where it is kept is out of there: out of a step first, and then on."""
        return smootherstep(memory.time / ((UPS if memory.floor.grid else 1.0) * memory.blend))

    def moment(self, memory: RiseMemory, share: float) -> Moment:
        """When the pose is that the memory is at."""
        return Moment(memory.clock, share, memory.seconds - STEPS * self.tempo)

    def lay_lying(self, memory: RiseMemory) -> EditedPose:
        """The pose as it lay, in the model space in which it rises."""
        turns = memory.turns
        rows = memory.moved
        moved = {int(rows[k]): Vector(rows[k + 1 : k + 4]) for k in range(0, len(rows), 4)}
        pose = EditedPose(self.rig.skeleton, [Quaternion(turns[k : k + 4]) for k in range(0, len(turns), 4)], moved)
        self._put(pose, Vector(memory.at), Quaternion(memory.turn))
        return pose

    def _put(self, pose: EditedPose, at: Vector, turn: Quaternion) -> None:
        """Put the body so that the middle of its hips is there, turned so from rest."""
        matrix = Matrix.Translation(at) @ turn.to_matrix().to_4x4() @ Matrix.Translation(-self.centre)
        pose.set_model(self.rig.body, matrix @ self.rest)

    def _entry(self, memory: RiseMemory) -> EditedPose:
        """What the body is led into, as it was first."""
        pose = EditedPose.rest(self.rig.skeleton)
        self.sources[memory.source].lay(pose, memory.entered)
        self.tilted(memory).lay(pose)
        return pose

    def _mix(self, pose: EditedPose, goes: EditedPose, share: float, entry: EditedPose) -> None:
        """Bring a pose a share of the way to another: each joint by itself, the body by its hips.

        Which way round a joint turns is decided by how the other one was at its `entry`: it may go on for half a turn.
        """
        if share <= 0.0:
            return
        body = self.rig.body
        a, b = pose.moved(body).copy(), goes.moved(body)
        at = (a @ self.centre).lerp(b @ self.centre, share)
        turn = on_the_way(a.to_quaternion(), entry.moved(body).to_quaternion(), b.to_quaternion(), share)
        for i, (one, other) in enumerate(zip(list(pose.rotations), goes.rotations, strict=True)):
            place = None
            if i in pose.locations or i in goes.locations:
                none = Vector()
                place = pose.locations.get(i, none).lerp(goes.locations.get(i, none), share)
            pose.set_basis(i, on_the_way(one, entry.rotations[i], other, share), place)
        self._put(pose, at, turn)

    def _bend_back(self, pose: EditedPose, share: float) -> None:
        """Let no knee or elbow go past straight: one that did as it lay comes back by and by."""
        before = list(pose.rotations)
        self.limbs.bend_back(pose)
        for known in self.limbs.known.values():
            for i in known.limb.bones[1:]:
                if pose.rotations[i] is not before[i]:
                    pose.set_basis(i, nearer(before[i], pose.rotations[i], share), pose.locations.get(i))

    def _lifts(self, lies: EditedPose, goes: EditedPose, share: float) -> dict[str, float]:
        """How far hands and feet are lifted off the floor on their way into the source."""
        if share >= 1.0:
            return {}
        found = {}
        for role in self.points.ends:
            limb = self.limbs.known[role]
            way = (limb.place(lies) - limb.place(goes)).length
            found[role] = min(LIFTS * way, MOST_LIFT * self.rig.leg_length) * 4.0 * share * (1.0 - share)
        return found
