"""A body gets up: from however it lies, by the take or the key poses that begin most like it, until it stands.

All that is decided is decided when it begins, and kept as plain numbers: by what it rises, where it will stand, what
its hands and feet are planted on. From there on a pose follows from the time alone. Any pose is one to begin with, so
that a body that is floored on its way begins again.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Place
from ..layers.moves_body import BodyOfKeys
from ..layers.moves_limbs import Limbs
from ..ragdoll.skin_points import SkinPoint
from ..rig.edited_pose import EditedPose
from ..rig.pose import Footing, Ground, PoseFrame
from ..rig.rig import Rig
from ..space.vectors import quadruple, triple
from ..world.probe import DOWN
from ..world.world import World
from .lying import how_it_lies, trunk_goes_up
from .rise_choice import Chooser, angle
from .rise_config import RiseConfig, RiseStyle
from .rise_floor import felt
from .rise_legs import leg_sources
from .rise_memory import Frame, RiseMemory
from .rise_out import depth_in
from .rise_pace import AFTER, Pacer, advance, goes_on
from .rise_points import BodyPoints, places
from .rise_poses import KeySource, RiseTable, Source
from .rise_shown import Shown
from .rise_takes import RiseTake, take_sources

UP = Vector((0.0, 0.0, 1.0))


class Rising:
    """The getting up of one rig. Immutable: what changes is in a RiseMemory."""

    def __init__(
        self,
        rig: Rig,
        config: RiseConfig,
        takes: Sequence[RiseTake] = (),
        tables: Sequence[RiseTable] = (),
        skin: Sequence[SkinPoint] = (),
    ) -> None:
        """`skin` are the points of it that are kept over a floor; without any its proportions say how thick it is."""
        self.rig, self.config = rig, config
        self.tempo = (rig.leg_length / 0.9) ** 0.5
        self.limbs, self.points = Limbs(rig), BodyPoints.of(rig, skin)
        self.sources = self._sources(takes, tables)
        self.shown = Shown(rig, self.limbs, self.points, self.sources)
        self.chooser = Chooser(rig, config, self.points, self.shown.centre, self.sources)
        self.pacer = Pacer(self.shown)

    def _sources(self, takes: Sequence[RiseTake], tables: Sequence[RiseTable]) -> tuple[Source, ...]:
        tempo = self.tempo / self.config.tempo
        own = take_sources(self.rig, self.limbs, self.points, takes)
        if not (trunk_goes_up(self.rig) and tables):
            return (*own, *leg_sources(self.rig, self.limbs, self.points, tempo))
        body = BodyOfKeys(self.rig)
        return (*own, *(KeySource(body, table, side, tempo) for table in tables for side in ("LEFT", "RIGHT")))

    # How it begins.

    def start(self, lying: EditedPose, to_world: Matrix, world: World, style: RiseStyle | None = None) -> RiseMemory:
        """Begin to get up from a pose; `to_world` is where its model space stands."""
        style = style or self.config.style
        lie = how_it_lies(self.rig, lying, to_world, world)
        choice = self.chooser.chosen(lying, to_world, lie, style, world)
        source, frame = self.sources[choice.source], choice.frame
        memory = RiseMemory(choice.source, style, lie.lies, choice.entered, choice.entered)
        memory.distance, memory.seconds, memory.frame, memory.told = (
            choice.fit.distance,
            source.seconds,
            frame,
            choice.told,
        )
        self._anchor(memory, world)
        self._remember(memory, lying, to_world)
        memory.normal = triple(Quaternion(UP, -frame.heading) @ Vector(lie.normal))
        memory.blend = self._blend(memory, source)
        least = min((to_world @ lying.head(i)).z for i in range(len(lying.skeleton))) - frame.z
        memory.floor = felt(world, frame, self.rig.leg_length, least)
        memory.spare = self.shown.keeper.spare(self.shown.lay_lying(memory), memory.floor)
        memory.holds = self.shown.holds.planted(source, memory, self.shown.tilted(memory), world)
        rest = EditedPose.rest(self.rig.skeleton)
        deep = depth_in(world, self.shown.matrix(frame), self.rig.leg_length)
        memory.outs = self.shown.outward.told(memory, deep, lambda time: self.shown.at(memory, time, rest))
        self.pacer.pace(memory, longest=0.5 * memory.blend - AFTER * self.tempo if source.is_take else None)
        return memory

    def _anchor(self, memory: RiseMemory, world: World) -> None:
        x, y, z, _ = memory.frame
        hit = world.cast_ray(Vector((x, y, z + 0.5 * self.rig.leg_length)), DOWN, self.rig.leg_length)
        if hit is not None and world.moves(hit.surface):
            memory.anchor = world.anchor(hit)
            memory.off = triple(Vector((x, y, z)) - hit.position)

    def _remember(self, memory: RiseMemory, lying: EditedPose, to_world: Matrix) -> None:
        """How it lies, in the frame in which it rises."""
        back = self.shown.matrix(memory.frame).inverted() @ to_world
        moved = back @ lying.moved(self.rig.body)
        memory.at, memory.turn = triple(moved @ self.shown.centre), quadruple(moved.to_quaternion())
        memory.turns = tuple(value for turn in lying.rotations for value in turn)
        rows = sorted((i, place) for i, place in lying.locations.items() if i != self.rig.body)
        memory.moved = tuple(value for i, place in rows for value in (float(i), *place))

    def _blend(self, memory: RiseMemory, source: Source) -> float:
        """How long it is led in: as long as the farthest point and the most turned joint need."""
        config, lies, goes = self.config, self.shown.lay_lying(memory), EditedPose.rest(self.rig.skeleton)
        source.lay(goes, memory.entered)
        self.shown.tilted(memory).lay(goes)
        pairs = zip(places(lies, self.points.compared), places(goes, self.points.compared), strict=True)
        far = max((a - b).length for a, b in pairs)
        turns = zip(lies.rotations, goes.rotations, strict=True)
        turned = max(angle(a, b) for i, (a, b) in enumerate(turns) if i != self.rig.body)
        turned = max(turned, angle(lies.turn(self.rig.body), goes.turn(self.rig.body)))
        needs = max(far / (config.travel * self.tempo), turned / config.turn * self.tempo)
        return min(max(needs, config.shortest * self.tempo), config.longest * self.tempo)

    # How it goes on.

    def tick(self, memory: RiseMemory, world: World, dt: float) -> None:
        """One tick of `dt` seconds: its clock begins slowly while it is led in; it rides the ground that it is on."""
        advance(memory, goes_on(memory.pace, memory.time, dt))
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

    def done(self, memory: RiseMemory) -> bool:
        """True once it stands: the pose is that of the standing body."""
        return self.pacer.done(memory)

    def place(self, memory: RiseMemory) -> Place:
        """Where it will stand, and the way that it will face there."""
        return Place(*memory.frame)

    def pose(self, memory: RiseMemory, standing: PoseFrame) -> PoseFrame:
        """The pose now. `standing` is the body as it stands, or walks on already, where it gets up to."""
        if self.done(memory):
            return standing
        ground = standing.ground
        over = self.shown.matrix(memory.frame).inverted() @ _matrix_of(ground)
        stood = EditedPose.of_frame(self.rig.skeleton, standing)
        stood.set_model(self.rig.body, over @ stood.model(self.rig.body))
        self.limbs.attach(stood)
        shown = self.shown.pose(memory, stood)
        shown.set_model(self.rig.body, over.inverted() @ shown.model(self.rig.body))
        self.limbs.attach(shown)
        return shown.frame(ground, self._footings(memory, standing), standing.events)

    def _footings(self, memory: RiseMemory, standing: PoseFrame) -> tuple[Footing, ...]:
        """What its feet do: those that are planted are down where they are."""
        moment = self.shown.moment(memory, 1.0)
        led = memory.led
        at = self.shown.matrix(memory.frame)
        turn = at.to_quaternion()
        down = {}
        for planted in memory.holds:
            if self.shown.holds.share(planted, moment, led) >= 1.0:
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


def _matrix_of(ground: Ground) -> Matrix:
    turn = Quaternion(UP, ground.heading)
    if ground.tilt is not None:
        turn = Quaternion(ground.tilt) @ turn
    return Matrix.Translation(ground[:3]) @ turn.to_matrix().to_4x4()
