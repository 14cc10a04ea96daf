"""What characters see, frame by frame: their ground, their inputs, what their travel is written against.

How each is read follows from what it is: known without evaluation (still ground, plain curves), or only by walking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ..core.control.intent import AgentWish, Inputs, LayerInput, Place, Spot
from ..core.control.source_pose import SourcePose
from .agent import agent_at
from .fall_inputs import around_at, with_fall
from .fall_wishes import Wishes, wishes_at
from .frame_cache import Snapshot
from .grounds import ground_of
from .inputs import is_constant, is_plain, plain_inputs, read_inputs
from .keyed_values import curve_time
from .layer_inputs import OVER_ORIGIN, are_plain, layer_inputs
from .live_source import live_sources
from .members import Member
from .order import hangs_on_itself
from .performers import moves_itself
from .preview_pose import put_on
from .pushers import step
from .refusal import depsgraph_of, layer_of
from .rig_reading import place_of
from .roster import GOES_TO_TARGET, director_of, follows_rig, source_of
from .route import goal_at, route_at
from .saved_state import object_is_keyed, start_numbers, start_of
from .scene_world import SceneWorld

STILL = np.identity(4)
STILL.setflags(write=False)


class Scenery:
    """The surroundings of a cast while frames are filled. Lives for one fill."""

    def __init__(self, scene: Scene, members: Sequence[Member], *, walks: bool = False) -> None:
        """`walks`: go from frame to frame although nothing that the characters read asks for it."""
        self.scene, self._walks = scene, walks
        self.fps = scene.render.fps / scene.render.fps_base
        self._frame = scene.frame_current
        self._members = {member.performer.uid: member for member in members}
        self._grounds = {uid: ground_of(member.obj, scene) for uid, member in self._members.items()}
        self._plain = {uid: has_plain_inputs(member, scene) for uid, member in self._members.items()}
        self.still = not walks and all(self.is_still(member) for member in members)
        self._written: dict[int, Snapshot] = {}
        # Inputs that are the same at all frames of this fill; None where they are not.
        self._constant: dict[int, Inputs | None] = {}
        self._read_once: set[int] = set()

    def is_still(self, member: Member) -> bool:
        """True where this member's inputs and ground are known at any frame without evaluation."""
        uid = member.performer.uid
        return self._plain[uid] and not self._grounds[uid].is_moving and not is_carried(member)

    def enter(self, frame: int) -> None:
        """Go to a frame: the worlds keep the frame before, and read this one."""
        self._frame = frame
        self._written.clear()
        if not self.still:
            step(self.scene, tuple(self._members.values()), frame)
            for world in self._worlds:
                world.refresh(self.depsgraph, frame, ())

    def come_from(self, frame: int) -> None:
        """Let the worlds know the frame before the first one to be entered, unless they do already."""
        if self.still:
            return
        away = self._walks and self.scene.frame_current != frame
        if away or any(world.is_moving and world.frame != frame for world in self._worlds):
            self.enter(frame)

    @property
    def _worlds(self) -> tuple[SceneWorld, ...]:
        return tuple(dict.fromkeys(self._grounds.values()))

    @property
    def depsgraph(self) -> Depsgraph:
        """The evaluation that counts."""
        return depsgraph_of(self.scene)

    def world(self, member: Member) -> SceneWorld:
        """The ground of a member."""
        return self._grounds[member.performer.uid]

    def inputs(self, member: Member) -> Inputs:
        """What the scene says at the entered frame."""
        uid = member.performer.uid
        if uid not in self._constant and uid in self._read_once:
            # Asked for a second frame only: a fill of one frame has nothing of it.
            self._constant[uid] = self._inputs(member) if self._is_constant(member) else None
        self._read_once.add(uid)
        return self._constant.get(uid) or self._inputs(member)

    def _is_constant(self, member: Member) -> bool:
        """True where a member is told the same at all frames, whatever they show."""
        alone = self.is_still(member) and member.leader is None and not member.seen
        return alone and is_constant(member.obj) and not member.performer.fall.record.runs

    def _inputs(self, member: Member) -> Inputs:
        """What the scene says at the entered frame, read anew."""
        if member.leader is not None and not member.leader[1]:
            self._show_leaders(member.leader[0])
        self._show_seen(member)
        self.show_own(member, member.performer.cache.get(self._frame - 1))
        inputs = self._read(member)
        if self._frame <= member.first and self.show_own(member, self._bare_start(member, inputs)):
            inputs = self._read(member)
        around = around_at(self.world(member), self._frame)
        return with_fall(member, self.scene, self._frame, inputs, self.wishes(member), around)

    def wishes(self, member: Member) -> Wishes:
        """What the settings say of a member's falling at the entered frame."""
        depsgraph = None if self._plain[member.performer.uid] else self.depsgraph
        return wishes_at(member.obj, self.scene, self._frame, depsgraph)

    def _bare_start(self, member: Member, inputs: Inputs) -> Snapshot | None:
        """The pose that a character begins with before any layer works, for what it watches and carries itself: that
        then stands in one place, whatever the rig showed before. None where it carries nothing that it watches.
        """
        if not hangs_on_itself(member.obj, self.scene):
            return None
        performer, world = member.performer, self.world(member)
        world.set_time(1.0)
        bare = replace(inputs, layers=tuple(item._replace(weight=0.0) for item in inputs.layers))
        memory = performer.character.start(self.start(member), bare, world)
        return performer.snapshot(memory, bare, None, self.travel_frame(member), world, 0.0)

    def _read(self, member: Member) -> Inputs:
        """What the scene says as it is evaluated now."""
        obj, reading = member.obj, member.performer.reading
        if self._plain[member.performer.uid]:
            inputs = plain_inputs(obj, self.scene, self._frame, reading.metres, reading.canonical)
        else:
            inputs = read_inputs(obj, self.depsgraph, reading.metres, reading.canonical)
        jump = next((line for line in member.obj.surefoot.teleports if line.frame == self._frame), None)
        if jump is not None:
            inputs = replace(inputs, moved_to=Place(*(value * reading.metres for value in jump.location), jump.heading))
        if obj.surefoot.layers:
            inputs = replace(inputs, layers=self._layers(member))
        inputs, agent = self._with_spots(member, inputs), self._agent(member)
        if agent is not None:
            inputs = replace(inputs, agent=agent)
        if follows_rig(obj):
            return replace(inputs, source=self._source(member))
        return self._followed(member, inputs)

    def _source(self, member: Member) -> SourcePose | None:
        """The rig that a member follows, at the entered frame; None where it is not there."""
        source, reading = source_of(member.obj), member.performer.reading
        if source is None or self.scene.objects.get(source.name) != source:
            return None
        if member.leader is not None and member.leader[1]:
            leader = self._members.get(member.leader[0])
            snapshot = None if leader is None else leader.performer.cache.get(max(self._frame, leader.first))
            return None if leader is None or snapshot is None else leader.performer.source_pose_of(snapshot)
        if member.performer.character.config.source_rig is None:
            return None
        if live_sources.is_plain(source):
            return live_sources.at(source, self.scene, self._frame, reading.metres)
        if not source.evaluated_get(self.depsgraph).is_evaluated:
            return None
        return live_sources.shown(source, self.depsgraph, reading.metres)

    def _layers(self, member: Member) -> tuple[LayerInput, ...]:
        """What the scene says to a member's pose layers at the entered frame."""
        depsgraph = None if self._plain[member.performer.uid] else self.depsgraph
        metres = member.performer.reading.metres

        def known(seen: Object, bone: str) -> Spot | None:
            return self._known_spot(member, seen, bone)

        return layer_inputs(member.obj, self.scene, self._frame, metres, known, depsgraph)

    def _with_spots(self, member: Member, inputs: Inputs) -> Inputs:
        """The spots of its route, and the goal that it is sent to, at the entered frame."""
        obj, metres = member.obj, member.performer.reading.metres
        depsgraph = None if self._plain[member.performer.uid] else self.depsgraph
        at = curve_time(self.scene, self._frame)

        def known(seen: Object) -> Place | None:
            return self._known_place(member, seen)

        goal, route = goal_at(obj, at, metres, known, depsgraph), route_at(obj, at, metres, known, depsgraph)
        if goal is None and not route:
            return inputs
        return replace(inputs, route=route, loops=obj.surefoot.route_loops, goal=goal)

    def _agent(self, member: Member) -> AgentWish | None:
        """What an agent wants of a member at the entered frame."""
        depsgraph = None if self._plain[member.performer.uid] else self.depsgraph
        at, metres = curve_time(self.scene, self._frame), member.performer.reading.metres

        def place(seen: Object) -> Place | None:
            return self._known_place(member, seen)

        def spot(seen: Object, bone: str) -> Spot | None:
            return self._known_spot(member, seen, bone)

        return agent_at(member.obj, at, metres, place, spot, depsgraph)

    def _known_place(self, member: Member, seen: Object) -> Place | None:
        """Where a character of the cast is; None for any other object."""
        other = self._members.get(seen.session_uid)
        if other is None:
            return None
        number = self._frame_of_seen(member, other)
        snapshot = other.performer.cache.get(number) if number >= other.first else None
        return self.start(other) if snapshot is None else Place(*snapshot.frame.ground[:4])

    def _frame_of_seen(self, member: Member, other: Member) -> int:
        """The frame of another character that a member sees now: this one if the other is ticked before, else the one
        before, whatever is known already.
        """
        order = list(self._members)
        earlier = order.index(other.performer.uid) < order.index(member.performer.uid)
        return self._frame if earlier else self._frame - 1

    def _known_spot(self, member: Member, seen: Object, bone: str) -> Spot | None:
        """Where a bone of a character of the cast is, or its head; None for any other object."""
        other = self._members.get(seen.session_uid)
        if other is None:
            return None
        number = self._frame_of_seen(member, other)
        snapshot = other.performer.cache.get(number) if number >= other.first else None
        if snapshot is not None:
            return other.performer.spot_of(snapshot, bone)
        # It has not begun: it stands at rest where it will begin.
        place, rig = self.start(other), other.performer.reading.rig
        over = rig.skeleton.bones[rig.head].head.z - rig.floor if rig.head >= 0 else OVER_ORIGIN
        return Spot(place.x, place.y, place.z + over)

    def _show_seen(self, member: Member) -> None:
        """Put those characters in place on which something hangs that a member's layers aim at."""
        shown = False
        for uid, direct in member.seen:
            other = self._members.get(uid)
            if direct or other is None:
                continue
            snapshot = other.performer.cache.get(max(self._frame_of_seen(member, other), other.first))
            if snapshot is not None:
                put_on(other, snapshot.row)
                shown = True
        if shown:
            layer_of(self.scene).update()

    def _followed(self, member: Member, inputs: Inputs) -> Inputs:
        """Where a character is watched itself, its place is the body's, whatever carries its travel."""
        if member.leader is None or not member.leader[1]:
            return inputs
        leader = self._members.get(member.leader[0])
        snapshot = None if leader is None else leader.performer.cache.get(max(self._frame, leader.first))
        if snapshot is None:
            return inputs
        place = Place(*snapshot.frame.ground[:4])
        if director_of(member.obj) in GOES_TO_TARGET:
            return replace(inputs, target=place)
        return replace(inputs, mover=place)

    def differs(self, member: Member, number: int) -> bool:
        """True where a member would read other inputs at a known frame than it did: any, or the evaluated one."""
        self._frame = number
        snapshot = member.performer.cache.get(number)
        return snapshot is not None and self.inputs(member) != snapshot.inputs

    def travel_frame(self, member: Member) -> np.ndarray:
        """The frame (4, 4) that travel is written against at the entered frame."""
        writer, obj = member.performer.writer, member.obj
        if self.still or self.is_still(member):
            if writer.travel == "OBJECT":
                return STILL
            return _frame_of(member.performer.stands or start_numbers(obj))
        return writer.travel_frame(obj.evaluated_get(self.depsgraph))

    def start(self, member: Member) -> Place:
        """Where the character stands at its first frame."""
        performer, obj = member.performer, member.obj
        matrix = start_of(obj)
        if not self.is_still(member):
            shown = obj.evaluated_get(self.depsgraph)
            if performer.writer.travel == "OBJECT":
                matrix = Matrix(performer.writer.travel_frame(shown).tolist()) @ matrix
            else:
                matrix = shown.matrix_world
        return place_of(matrix, performer.reading)

    def ticked(self, member: Member, snapshot: Snapshot) -> None:
        """A member's frame is known: others that hang on it may have to see it."""
        self._written[member.performer.uid] = snapshot

    def show_own(self, member: Member, snapshot: Snapshot | None) -> bool:
        """Put a character's own pose on it where it watches what hangs on it; False where it does not."""
        if snapshot is None or not hangs_on_itself(member.obj, self.scene):
            return False
        put_on(member, snapshot.row)
        layer_of(self.scene).update()
        return True

    def _show_leaders(self, uid: int) -> None:
        """Put a leader, known already or ticked at this frame, and whoever else was ticked, on the rigs, so that what
        hangs on them is evaluated in place.
        """
        leader, shown = self._members.get(uid), dict(self._written)
        snapshot = None if leader is None else leader.performer.cache.get(max(self._frame, leader.first))
        if snapshot is not None:
            shown[uid] = snapshot
        for other, ticked in shown.items():
            put_on(self._members[other], ticked.row)
        if shown:
            layer_of(self.scene).update()
        self._written.clear()


@lru_cache(maxsize=16)
def _frame_of(columns: tuple[float, ...]) -> np.ndarray:
    """A frame (4, 4) of 16 numbers, column by column: one for all frames in which an object stands where it is."""
    return np.array(columns).reshape(4, 4).T.copy()


def has_plain_inputs(member: Member, scene: Scene) -> bool:
    """True where the inputs of a member are known at any frame without evaluation."""
    follows_indirectly = member.leader is not None and not member.leader[1]
    if follows_indirectly or not all(direct for _, direct in member.seen) or not is_plain(member.obj):
        return False
    source = source_of(member.obj)
    if source is not None and member.leader is None and not live_sources.is_plain(source):
        return False
    return not member.obj.surefoot.layers or are_plain(member.obj, scene, [uid for uid, _ in member.seen])


def is_carried(member: Member) -> bool:
    """True where something else decides what a member's travel is written against: a parent, a constraint, keys."""
    obj, travel = member.obj, member.performer.writer.travel
    if obj.parent is not None or any(not item.mute for item in obj.constraints):
        return True
    if travel == "OBJECT" or not object_is_keyed(obj):
        return False
    return travel == "ROOT_BONE" or not moves_itself(obj)
