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
from ..space.curves import share_of, smootherstep, smoothstep
from .lying import trunk_goes_up
from .rise_bridges import bridge, bump, on_the_way
from .rise_clear import FloorKeeper, Kept
from .rise_holds import Holds, Moment
from .rise_memory import Bridge, Frame, RiseMemory, led
from .rise_out import Outward
from .rise_points import BodyPoints
from .rise_poses import Source
from .rise_tilt import Tilted

UP = Vector((0.0, 0.0, 1.0))
# The last so many seconds (for a 0.9 m leg) lead from the source to how the body stands; the last steps begin so long
# before the source ends.
ENDS, STEPS = 0.45, 0.48
# Whose trunk goes ahead stands as its gait has it on stairs and slopes: it comes to that in so long.
LEGS_END = 0.7
# Hands and feet that go far into a source are lifted by this share of their way, at most so many legs.
LIFTS, MOST_LIFT = 0.12, 0.07
# From this share of the way to how it stands on, it comes to be as far under a board over the steps as it then is.
STANDS = 0.6
# A bridged limb is looked at in so many parts, and brought up so often in each, by no more than so many legs.
SAMPLES, TRIES, MOST_OVER = 8, 3, 0.5


class Shown:
    """The poses of one rig that gets up. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints, sources: Sequence[Source]) -> None:
        self.rig, self.limbs, self.points, self.sources = rig, limbs, points, tuple(sources)
        self.tempo = (rig.leg_length / 0.9) ** 0.5
        self.ends = (ENDS if trunk_goes_up(rig) else LEGS_END) * self.tempo
        self.holds = Holds(rig, limbs, points)
        self.keeper, self.outward = FloorKeeper(rig, limbs, points), Outward(points, rig.leg_length)
        hips = [leg.hip for leg in rig.legs]
        self.centre = sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head.copy()
        below = rig.skeleton.below
        self.chains = {
            role: (known.limb.bones[0], *below[known.limb.bones[0]], *((known.end,) if known.detached else ()))
            for role, known in limbs.known.items()
        } | {f"bone {own[0].bone}": (own[0].bone,) for own in points.hanging}
        self.rest = rig.skeleton.bones[rig.body].rest

    def matrix(self, frame: Frame) -> Matrix:
        """Where the model space stands in which a body rises."""
        place = Matrix.Translation((frame.x, frame.y, frame.z - self.rig.floor))
        return place @ Quaternion(UP, frame.heading).to_matrix().to_4x4()

    def tilted(self, memory: RiseMemory) -> Tilted:
        """What turns a source with the slope that the body lies on."""
        return Tilted(self.rig, Vector(memory.normal), self.centre, self.centre.z - self.rig.floor)

    def pose(
        self, memory: RiseMemory, stood: EditedPose, ends: dict[float, EditedPose] | None = None
    ) -> EditedPose:
        """The pose in the model space in which it rises; `ends` has those at the ends of bridges that are known, and
        takes up others: whoever asks for many moments of one rise keeps them.
        """
        pose = self._own(memory, stood)
        if memory.bridges:
            known = {} if ends is None else ends
            bridge(pose, memory.time, memory.bridges, lambda time: self.at(memory, time, stood), self.chains, known)
            self.limbs.attach(pose)
            for each in memory.bridges:
                if each.limb in self.limbs.known and each.start < memory.time < each.end:
                    self._bridged(pose, memory, each)
        return pose

    def _bridged(self, pose: EditedPose, memory: RiseMemory, each: Bridge) -> None:
        """Bring a bridged limb up: by what was found before, and over a plane by what every moment still lacks. Over
        steps that would turn it over again.
        """
        if each.lift > 0.0:
            self.limbs.push(pose, each.limb, UP * (each.lift * bump(share_of(memory.time, each.start, each.end))))
        if not memory.floor.grid:
            self.keeper.keep_one(pose, memory.floor, self.outward.left(memory), each.limb)

    def lifted(self, memory: RiseMemory, each: Bridge, stood: EditedPose, ends: dict[float, EditedPose]) -> Bridge:
        """A bridge with its limb brought up as far as keeps that over the floor; what only hangs is led as it is.
        `ends` as in `pose`.
        """
        if each.limb not in self.limbs.known:
            return each
        lift = 0.0
        for k in range(1, SAMPLES):
            time = each.start + (each.end - each.start) * k / SAMPLES
            moment = self.then(memory, time)
            pose, share = self.at(memory, time, stood), bump(k / SAMPLES)
            bridge(pose, time, [each], lambda end: self.at(memory, end, stood), self.chains, ends)
            self.limbs.attach(pose)
            self.limbs.push(pose, each.limb, UP * (lift * share))
            low = self.holds.lows(memory.holds, self.moment(moment, 1.0), memory.led, None).get(each.limb)
            own = memory.floor if low is None else memory.floor.lowered(*low)
            for _ in range(TRIES):
                need = self.keeper.need_of(pose, memory.floor, own, self.outward.left(moment), each.limb)
                if need <= 0.0:
                    break
                self.limbs.push(pose, each.limb, UP * need)
                lift = min(lift + need / share, MOST_OVER * self.rig.leg_length)
        return each._replace(lift=lift)

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
        ends = smootherstep(share_of(memory.clock, memory.seconds - self.ends, memory.seconds))
        moment = self.moment(memory, share)
        lifts = self._lifts(pose, goes, share)
        self._mix(pose, goes, share, self._entry(memory) if share < 1.0 else goes)
        self._mix(pose, stood, ends, stood)
        for role, up in lifts.items():
            self.limbs.push(pose, role, UP * up)
        self._bend_back(pose, share)
        spare = self._spare(memory, stood, ends)
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

    def _spare(self, memory: RiseMemory, stood: EditedPose, ends: float) -> tuple[float, ...]:
        """How far each point may lie under where it is kept: as it lay, and at last as it stands on treads."""
        spare, last = self.outward.left(memory), smoothstep(share_of(ends, STANDS, 1.0))
        if last <= 0.0 or not memory.floor.grid:
            return spare
        under = self.keeper.spare(stood, memory.floor)
        return tuple(max(own, last * other) for own, other in zip(spare, under, strict=True))

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
