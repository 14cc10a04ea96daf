"""A body gets up: from however it lies, by the take or the key poses that begin most like it, until it stands.

All that is decided is decided when it begins, and kept as plain numbers: by what it rises, where it will stand, what
its hands and feet are planted on. From there on a pose follows from the time alone. Any pose is one to begin with, so
that a body that is floored on its way begins again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Place
from ..layers.moves_body import BodyOfKeys
from ..layers.moves_limbs import Limbs
from ..rig.edited_pose import EditedPose
from ..rig.pose import Footing, Ground, PoseFrame
from ..rig.rig import Rig
from ..space.curves import share_of, smootherstep
from ..space.inertialization import rotation_offset
from ..space.vectors import quadruple, triple
from ..world.probe import DOWN
from ..world.world import World
from .lying import Lie, how_it_lies
from .rise_clear import FloorKeeper, left_of
from .rise_config import RiseConfig, RiseStyle
from .rise_floor import felt
from .rise_holds import Holds, Moment, Tilted
from .rise_memory import PACED, Frame, RiseMemory
from .rise_points import BodyPoints, Fit, fitted, places
from .rise_poses import KeySource, RiseTable, Source
from .rise_takes import RiseTake

UP = Vector((0.0, 0.0, 1.0))
# The last so many seconds (for a 0.9 m leg) lead from the source to how the body stands.
ENDS = 0.45
# The last steps begin so long before the source ends, seconds, and are over so long after.
STEPS, AFTER = 0.4, 0.12
# Hands and feet that go far into a source are lifted by this share of their way, at most so many legs.
LIFTS, MOST_LIFT = 0.12, 0.07
# Who enters a source later than at its first moment has to fit so much better for it (metres).
LATER = 0.03
DEPTH = 3.0
# No bone of key poses turns faster, radians a second in the world: 12.5 degrees a frame at 24 of them.
FASTEST = 5.2


class _Choice(NamedTuple):
    """A source, the time at which it is entered, how the body fits there, and what decides between two."""

    source: int
    entered: float
    fit: Fit
    cost: float


class Rising:
    """The getting up of one rig. Immutable: what changes is in a RiseMemory."""

    def __init__(
        self, rig: Rig, config: RiseConfig, takes: Sequence[RiseTake] = (), tables: Sequence[RiseTable] = ()
    ) -> None:
        self.rig, self.config = rig, config
        self.size, self.tempo = rig.leg_length / 0.9, (rig.leg_length / 0.9) ** 0.5
        self.limbs, self.points = Limbs(rig), BodyPoints.of(rig)
        self.holds = Holds(rig, self.limbs)
        self.keeper = FloorKeeper(rig, self.limbs, self.points)
        hips = [leg.hip for leg in rig.legs]
        self.centre = sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head.copy()
        self.rest = rig.skeleton.bones[rig.body].rest
        self.sources: tuple[Source, ...] = self._sources(takes, tables)

    def _sources(self, takes: Sequence[RiseTake], tables: Sequence[RiseTable]) -> tuple[Source, ...]:
        body = BodyOfKeys(self.rig)
        tempo = self.tempo / self.config.tempo
        return tuple(KeySource(body, table, side, tempo) for table in tables for side in ("LEFT", "RIGHT"))

    # How it begins.

    def start(self, lying: EditedPose, to_world: Matrix, world: World, style: RiseStyle | None = None) -> RiseMemory:
        """Begin to get up from a pose; `to_world` is where its model space stands."""
        style = style or self.config.style
        lie = how_it_lies(self.rig, lying, to_world, world)
        memory = RiseMemory(style=style, lies=lie.lies)
        choice, frame = self._chosen(lying, to_world, lie, style, world)
        source = self.sources[choice.source]
        memory.source, memory.entered, memory.clock = choice.source, choice.entered, choice.entered
        memory.distance, memory.seconds, memory.frame = choice.fit.distance, source.seconds, frame
        self._anchor(memory, world)
        self._remember(memory, lying, to_world)
        memory.normal = triple(Quaternion(UP, -frame.heading) @ Vector(lie.normal))
        memory.blend = self._blend(memory, source)
        least = min((to_world @ lying.head(i)).z for i in range(len(lying.skeleton))) - frame.z
        memory.floor = felt(world, frame, self.rig.leg_length, least)
        memory.spare = self.keeper.spare(self._lay_lying(memory), memory.floor)
        led = memory.entered + 0.5 * memory.blend
        memory.holds = self.holds.planted(source, led, frame, self._tilted(memory), world)
        if not source.is_take:
            memory.pace = self._paced(memory)
        return memory

    def _paced(self, memory: RiseMemory) -> tuple[float, ...]:
        """How fast key poses go by from moment to moment, so that no bone turns faster than it may in the world."""
        ahead, rates, before = memory.copy(), [], None
        turned = (self.rig.body, *self.rig.skeleton.below[self.rig.body])
        while not self.done(ahead):
            pose = self._shown(ahead, EditedPose.rest(self.rig.skeleton))
            now = [pose.turn(i) for i in turned]
            if before is not None:
                most = max(_angle(b, a) for a, b in zip(before, now, strict=True))
                rates.append(min(1.0, FASTEST * PACED / most) if most > 0.0 else 1.0)
            before = now
            self._advance(ahead, PACED)
        return tuple(min(rates[max(0, k - 1) : k + 1]) for k in range(len(rates) + 1))

    def _chosen(
        self, lying: EditedPose, to_world: Matrix, lie: Lie, style: RiseStyle, world: World
    ) -> tuple[_Choice, Frame]:
        """By what it rises, and the frame in which it does."""
        pivot = to_world @ (lying.moved(self.rig.body) @ self.centre)
        pivot.z = dict(lie.floors).get("pelvis", pivot.z)
        normal = Vector(lie.normal)
        flat = normal.rotation_difference(UP)
        own = [flat @ (to_world @ place - pivot) for place in places(lying, self.points.compared)]
        kinds = [(k, source) for k, source in enumerate(self.sources) if source.lies == lie.lies]
        styled = [(k, source) for k, source in kinds if source.style == style] or kinds
        best: _Choice | None = None
        pose = EditedPose.rest(self.rig.skeleton)
        for k, source in styled or list(enumerate(self.sources)):
            for time in source.begins:
                choice = self._fit(pose, own, k, time)
                if best is None or choice.cost < best.cost:
                    best = choice
        assert best is not None
        return best, self._frame(best.fit, pivot, flat, world)

    def _fit(self, pose: EditedPose, own: Sequence[Vector], k: int, time: float) -> _Choice:
        source = self.sources[k]
        source.lay(pose, time)
        floor = Vector((0.0, 0.0, self.rig.floor))
        fit = fitted([place - floor for place in places(pose, self.points.compared)], own)
        later = LATER * self.size if time > source.begins[0] else 0.0
        return _Choice(k, time, fit, fit.distance + later)

    def _frame(self, fit: Fit, pivot: Vector, flat: Quaternion, world: World) -> Frame:
        """Where the body will stand."""
        at = pivot + flat.inverted() @ Vector((fit.x, fit.y, 0.0))
        top = at.z + self.rig.leg_length
        height = world.height_below(at.x, at.y, top, DEPTH * self.rig.leg_length)
        return Frame(at.x, at.y, at.z if height is None else height, fit.turn)

    def _anchor(self, memory: RiseMemory, world: World) -> None:
        x, y, z, _ = memory.frame
        hit = world.cast_ray(Vector((x, y, z + 0.5 * self.rig.leg_length)), DOWN, self.rig.leg_length)
        if hit is not None and world.moves(hit.surface):
            memory.anchor = world.anchor(hit)
            memory.off = triple(Vector((x, y, z)) - hit.position)

    def _remember(self, memory: RiseMemory, lying: EditedPose, to_world: Matrix) -> None:
        """How it lies, in the frame in which it rises."""
        back = self._matrix(memory.frame).inverted() @ to_world
        moved = back @ lying.moved(self.rig.body)
        memory.at, memory.turn = triple(moved @ self.centre), quadruple(moved.to_quaternion())
        memory.turns = tuple(value for turn in lying.rotations for value in turn)
        rows = sorted((i, place) for i, place in lying.locations.items() if i != self.rig.body)
        memory.moved = tuple(value for i, place in rows for value in (float(i), *place))

    def _matrix(self, frame: Frame) -> Matrix:
        """Where the model space stands in which it rises."""
        place = Matrix.Translation((frame.x, frame.y, frame.z - self.rig.floor))
        return place @ Quaternion(UP, frame.heading).to_matrix().to_4x4()

    def _tilted(self, memory: RiseMemory) -> Tilted:
        return Tilted(self.rig, Vector(memory.normal), self.centre, self.centre.z - self.rig.floor)

    def _blend(self, memory: RiseMemory, source: Source) -> float:
        """How long it is led in: as long as the farthest point and the most turned joint need."""
        config, lies, goes = self.config, self._lay_lying(memory), EditedPose.rest(self.rig.skeleton)
        source.lay(goes, memory.entered)
        self._tilted(memory).lay(goes)
        pairs = zip(places(lies, self.points.compared), places(goes, self.points.compared), strict=True)
        far = max((a - b).length for a, b in pairs)
        turns = zip(lies.rotations, goes.rotations, strict=True)
        turned = max(_angle(a, b) for i, (a, b) in enumerate(turns) if i != self.rig.body)
        turned = max(turned, _angle(lies.turn(self.rig.body), goes.turn(self.rig.body)))
        needs = max(far / (config.travel * self.tempo), turned / config.turn * self.tempo)
        return min(max(needs, config.shortest * self.tempo), config.longest * self.tempo)

    # How it goes on.

    def tick(self, memory: RiseMemory, world: World, dt: float) -> None:
        """One tick of `dt` seconds: its clock begins slowly while it is led in; it rides the ground that it is on."""
        self._advance(memory, dt * _rate(memory.pace, memory.time))
        if memory.anchor is None:
            return
        hit = world.locate(memory.anchor)
        if hit is None:
            memory.anchor = None
            return
        turn = world.turn_of(memory.anchor.surface)
        off = Quaternion(UP, turn) @ Vector(memory.off)
        memory.off = triple(off)
        x, y, z = hit.position + off
        memory.frame = Frame(x, y, z, memory.frame.heading + turn)

    @staticmethod
    def _advance(memory: RiseMemory, seconds: float) -> None:
        before, memory.time = memory.time, memory.time + seconds
        memory.clock += _led(memory.time, memory.blend) - _led(before, memory.blend)

    def done(self, memory: RiseMemory) -> bool:
        """True once it stands: the pose is that of the standing body."""
        return memory.clock >= memory.seconds + AFTER * self.tempo

    def place(self, memory: RiseMemory) -> Place:
        """Where it will stand, and the way that it will face there."""
        return Place(*memory.frame)

    def pose(self, memory: RiseMemory, standing: PoseFrame) -> PoseFrame:
        """The pose now. `standing` is the body as it stands, or walks on already, where it gets up to."""
        if self.done(memory):
            return standing
        ground = standing.ground
        over = self._matrix(memory.frame).inverted() @ _matrix_of(ground)
        stood = EditedPose.of_frame(self.rig.skeleton, standing)
        stood.set_model(self.rig.body, over @ stood.model(self.rig.body))
        self.limbs.attach(stood)
        shown = self._shown(memory, stood)
        shown.set_model(self.rig.body, over.inverted() @ shown.model(self.rig.body))
        self.limbs.attach(shown)
        return shown.frame(ground, self._footings(memory, standing), standing.events)

    def _shown(self, memory: RiseMemory, stood: EditedPose) -> EditedPose:
        """The pose in the model space in which it rises."""
        share = smootherstep(memory.time / memory.blend)
        pose = self._lay_lying(memory)
        if share <= 0.0:
            return pose
        goes = EditedPose(stood.skeleton, list(stood.rotations), dict(stood.locations))
        self.sources[memory.source].lay(goes, memory.clock)
        self._tilted(memory).lay(goes)
        ends = smootherstep(share_of(memory.clock, memory.seconds - ENDS * self.tempo, memory.seconds))
        moment = self._moment(memory, share)
        lifts = self._lifts(pose, goes, share)
        self._mix(pose, goes, share)
        self._mix(pose, stood, ends)
        for role, up in lifts.items():
            self.limbs.push(pose, role, UP * up)
        self.limbs.bend_back(pose)
        spare = left_of(memory.spare, share)
        led = memory.entered + 0.5 * memory.blend
        goals = self.holds.goals(pose, memory.holds, moment, led, stood if ends > 0.0 else None)
        self.limbs.shift(pose, self.holds.missing(pose, goals))
        if ends < 1.0:
            self.keeper.lift(pose, memory.floor, spare)
        self.limbs.bring(pose, goals)
        if ends < 1.0:
            self.keeper.keep(pose, memory.floor, spare, goals)
        self.holds.lay_toes(pose, goals, memory.holds)
        return pose

    def _moment(self, memory: RiseMemory, share: float) -> Moment:
        return Moment(memory.clock, share, memory.seconds - STEPS * self.tempo)

    def _lay_lying(self, memory: RiseMemory) -> EditedPose:
        """The pose as it lay, in the model space in which it rises."""
        turns = memory.turns
        rows = memory.moved
        moved = {int(rows[k]): Vector(rows[k + 1 : k + 4]) for k in range(0, len(rows), 4)}
        pose = EditedPose(
            self.rig.skeleton, [Quaternion(turns[k : k + 4]) for k in range(0, len(turns), 4)], moved
        )
        self._put(pose, Vector(memory.at), Quaternion(memory.turn))
        return pose

    def _put(self, pose: EditedPose, at: Vector, turn: Quaternion) -> None:
        """Put the body so that the middle of its hips is there, turned so from rest."""
        matrix = Matrix.Translation(at) @ turn.to_matrix().to_4x4() @ Matrix.Translation(-self.centre)
        pose.set_model(self.rig.body, matrix @ self.rest)

    def _mix(self, pose: EditedPose, goes: EditedPose, share: float) -> None:
        """Bring a pose a share of the way to another: each joint by itself, the body by its hips."""
        if share <= 0.0:
            return
        body = self.rig.body
        a, b = pose.moved(body).copy(), goes.moved(body)
        at = (a @ self.centre).lerp(b @ self.centre, share)
        turn = _nearer(a.to_quaternion(), b.to_quaternion(), share)
        for i, (one, other) in enumerate(zip(list(pose.rotations), goes.rotations, strict=True)):
            place = None
            if i in pose.locations or i in goes.locations:
                none = Vector()
                place = pose.locations.get(i, none).lerp(goes.locations.get(i, none), share)
            pose.set_basis(i, _nearer(one, other, share), place)
        self._put(pose, at, turn)

    def _lifts(self, lies: EditedPose, goes: EditedPose, share: float) -> dict[str, float]:
        """How far hands and feet are lifted off the floor on their way into the source."""
        if share >= 1.0:
            return {}
        found = {}
        for role, limb in self.limbs.known.items():
            way = (limb.place(lies) - limb.place(goes)).length
            found[role] = min(LIFTS * way, MOST_LIFT * self.rig.leg_length) * 4.0 * share * (1.0 - share)
        return found

    def _footings(self, memory: RiseMemory, standing: PoseFrame) -> tuple[Footing, ...]:
        """What its feet do: those that are planted are down where they are."""
        moment = self._moment(memory, 1.0)
        led = memory.entered + 0.5 * memory.blend
        at = self._matrix(memory.frame)
        turn = at.to_quaternion()
        down = {}
        for planted in memory.holds:
            if self.holds.share(planted, moment, led) >= 1.0:
                down[planted.limb] = planted
        found = []
        for foot in standing.feet:
            role = foot.role.replace("leg", "foot")
            own = down.get(role)
            if own is None or (own.lasts and moment.clock >= moment.steps):
                found.append(foot._replace(planted=False, heel_down=False, ball_down=False))
                continue
            place, normal = triple(at @ Vector(own.place)), triple(turn @ Vector(own.normal))
            elapsed = max(0.0, moment.clock - own.start)
            found.append(foot._replace(planted=True, elapsed=elapsed, foothold=place, normal=normal, ball_down=True))
        return tuple(found)


def _led(time: float, blend: float) -> float:
    """How far the source's clock has come: slowly while it is led in, then as time does."""
    if time >= blend:
        return time - 0.5 * blend
    u = max(0.0, time / blend)
    return blend * (u * u * u - 0.5 * u * u * u * u)


def _rate(pace: Sequence[float], time: float) -> float:
    """How fast it goes now: between two moments by both."""
    if not pace:
        return 1.0
    u = min(time / PACED, len(pace) - 1.0)
    k = min(int(u), len(pace) - 2)
    return pace[k] + (pace[k + 1] - pace[k]) * (u - k) if len(pace) > 1 else pace[0]


def _angle(a: Quaternion, b: Quaternion) -> float:
    return Vector(rotation_offset(a, b)).length


def _nearer(a: Quaternion, b: Quaternion, share: float) -> Quaternion:
    return a.slerp(b if a.dot(b) >= 0.0 else -b, share)


def _matrix_of(ground: Ground) -> Matrix:
    turn = Quaternion(UP, ground.heading)
    if ground.tilt is not None:
        turn = Quaternion(ground.tilt) @ turn
    return Matrix.Translation(ground[:3]) @ turn.to_matrix().to_4x4()
