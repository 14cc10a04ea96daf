"""The poses of moves that no gait has: vaults, climbs, hanging, runs along walls, by key poses and what limbs touch.

It works before all layers, on the base motion. Where no move is asked for, and none dies out, it changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import Footing, Ground
from ..rig.rig import Problem, Rig
from ..space.curves import smoothstep
from ..world.world import World
from .adjustment import AdjustmentLaid
from .moves_body import BodyOfKeys
from .moves_carry import Carrier
from .moves_clear import UTMOST, Clear, Place
from .moves_clips import ClipsOfMoves, MoveClip
from .moves_holds import Holds, Moment, Stood
from .moves_keys import KeyPose, MoveKeys, MoveTable
from .moves_limbs import SLIPS, Limbs
from .moves_memory import NONE, MovesMemory
from .moves_settle import Asked, Settler
from .moves_touching import Goal
from .request import Move

ALOFT = "ALOFT"
UP = Vector((0.0, 0.0, 1.0))
# After a cut hands and feet may be off their places for so long, seconds for a 0.9 m leg.
LATE = 0.25
# So long after limbs begin to lag they are kept near their places in full, seconds for a 0.9 m leg.
NEARS = 0.06
# In the middle of a move that is done once, and of one that goes on, bones may speed up by so much more than at a
# change.
LOOSER, LOOPS, EARLY = 2.5, 3.0, 0.2
# These end at any time: what they do to bones is never more than at a change.
STEADY = ("PULL_IN", "SHIMMY")
# In flight at an edge arms may speed up by so much more: they have to be up there when it is caught.
FLIES = 6.0
# A move that is done by so much, and is another one in the next frame, has ended.
ENDED = 0.85
# Held steady a knee or an elbow may be so near to straight (radians).
LEAST_LAG = 0.02
# Strides need this: with less the legs of a run along a wall come half a round late.
STRIDES = 3.2
NO_ARMS = Problem("", "Set-up found no arms, so it vaults, climbs and hangs without a hold.", "Name its arms by hand.")


class MovePoser:
    """The moves of one rig. Immutable: what changes is in a MovesMemory."""

    def __init__(
        self,
        rig: Rig,
        tables: Mapping[str, MoveTable],
        adjustment: AdjustmentLaid | None = None,
        clips: Sequence[MoveClip] = (),
    ) -> None:
        self.rig = rig
        self.clips = ClipsOfMoves(rig, clips)
        self.adjustment = adjustment
        self.tables = tables
        self.body = BodyOfKeys(rig)
        self.limbs = Limbs(rig)
        self.holds = Holds(rig, self.limbs)
        self.clear = Clear(rig, self.limbs)
        turned, moved = self.body.driven()
        self.rotated = tuple(sorted({*turned, *self.clips.rotated}))
        self.located = tuple(sorted({*moved, *self.clips.located}))
        self.carrier = Carrier(rig, self.rotated)
        self.settler = Settler(rig, self.rotated)
        self.problems: tuple[Problem, ...] = (*(() if self.body.arms else (NO_ARMS,)), *self.clips.problems)

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones that moves turn, and those that they move."""
        return self.rotated, self.located

    def start(self) -> MovesMemory:
        """Nothing was shown yet."""
        return MovesMemory()

    def apply(
        self,
        pose: EditedPose,
        memory: MovesMemory,
        move: Move | None,
        ground: Ground,
        feet: Sequence[Footing],
        dt: float,
        *,
        aloft: bool = False,
        world: World | None = None,
    ) -> bool:
        """Pose a move over the base motion, or carry the base motion on from one. False: the pose is as it was.

        `aloft` while the base motion is in the air: leaving the ground and coming down are carried as well. `world` is
        what limbs are kept out of.
        """
        # A foot that pushes off stands while the body is in the air already.
        leaves, aloft = aloft, aloft and not any(foot.planted for foot in feet)
        found = self._keys(move)
        clip = None if move is None else self.clips.pose(move)
        keys = None if move is None else found.at(move.progress) if found is not None else {} if clip else None
        was_done = memory.progress
        name = f"{move.name} {move.variant}" if keys is not None and move is not None else ALOFT if aloft else ""
        changed = name != memory.move
        cut = changed and not self._runs_on(memory, found, move)
        memory.move = name
        near = world is not None and keys is None and not aloft and self.clear.is_near(pose, ground, world)
        dies_out = near or leaves or _dies_out(memory)
        if keys is None and not aloft and not changed and not dies_out:
            self._left_alone(pose, memory, ground, dt)
            return False
        base: Stood = {} if keys is not None or aloft else self._feet_of(pose)
        if keys is not None:
            self._lay(pose, keys, clip)
            self.limbs.shift(pose, Quaternion(UP, -ground.heading) @ Vector(NONE if move is None else move.shift))
        row, at = self.carrier.seen(pose, ground)
        lasts = self._lasts(memory, move, found, dt)
        # What limbs hold and draw comes on top of what is carried, and eases by itself.
        carried = self.carrier.carry(memory, row, at, ground, dt, lasts, cut=cut)
        self.carrier.lay(pose, ground, *carried)
        self.limbs.bend_back(pose)
        done = not (memory.source or memory.offsets)
        strides = found is not None and found.loops and _move_of(name) not in STEADY
        self.holds.update(pose, memory, Moment(ground, dt, move, keys, base, done, lasts, strides))
        self.carrier.remember(memory, *carried, ground, dt)
        place = Place(ground, world, dt, walls=keys is None, floor=found is not None and found.floor)
        goals = self.holds.goals(pose, memory, ground, base)
        self.holds.draw(pose, memory, goals, ground, dt)
        self.clear.shift(pose, memory, place)
        floor = self._floor(found, base, feet)
        self.limbs.bring(pose, goals, floor)
        held = [goal for goal in goals if goal.limb not in base]
        self.clear.keep(pose, memory, place, self.limbs.holding(pose, held))
        jolts = changed or (leaves and not aloft) or (move is not None and move.progress > 0.0 == was_done)
        asked = Asked(ground, dt, jolts, keys is None and not leaves)
        asked = self._asked(memory, asked, (move, found, lasts), held)
        self._settle(pose, memory, asked, self.limbs.brought(pose, goals), (floor, place, held))
        self.limbs.attach(pose)
        return True

    def _left_alone(self, pose: EditedPose, memory: MovesMemory, ground: Ground, dt: float) -> None:
        """Keep what the base motion shows, where nothing else has a part in it."""
        self.carrier.remember(memory, *self.carrier.seen(pose, ground), ground, dt)
        memory.lags, memory.since = 0.0, memory.since + dt
        self.settler.remember(pose, memory, ground, dt)

    def _asked(
        self, memory: MovesMemory, asked: Asked, done: tuple[Move | None, MoveKeys | None, float], held: Sequence[Goal]
    ) -> Asked:
        """The same with what is left of a move, by how much more than at a change bones may speed up in its middle, and
        what holds. `done` is the move, with its keys and how long it takes.
        """
        move, found, lasts = done
        left = lasts * (1.0 - memory.progress) if lasts < inf else inf
        looser = 1.0
        if move is not None and (move.name == "LEAP" or (move.name == "PULL_IN" and move.progress == 0.0)):
            looser = FLIES
        elif move is not None and move.name not in STEADY:
            looser = _looser(found, lasts, memory.since / self.carrier.tempo)
        ends = {self.limbs.known[goal.limb].end: goal.share for goal in held}
        return asked._replace(left=left, looser=looser, held=ends)

    def _lay(self, pose: EditedPose, keys: KeyPose, clip: EditedPose | None) -> None:
        """The key pose of a move, or its clip, with the adjustment that lies under all."""
        if clip is None:
            self.body.pose(pose, keys)
        else:
            self.clips.lay(pose, clip)
        if self.adjustment:
            self.adjustment.lay(pose, keep_feet=False, within=self.rotated)

    def _settle(
        self,
        pose: EditedPose,
        memory: MovesMemory,
        asked: Asked,
        goals: Sequence[Goal],
        kept: tuple[float | None, Place, Sequence[Goal]],
    ) -> None:
        """Jolt no bone. Limbs that lag for it are kept near what they hold, over the floor and out of what is solid."""
        lags = self.settler.follow(pose, memory, asked)
        floor, place, held = kept
        if memory.lags:
            memory.nears = min(1.0, memory.nears + asked.dt / (NEARS * self.carrier.tempo))
            late = 1.0 - smoothstep(memory.since / (LATE * self.carrier.tempo))
            self.limbs.bend_back(pose, lags)
            self.limbs.keep_near(pose, goals, smoothstep(memory.nears), late)
            if floor is not None:
                self.limbs.stand(pose, floor - SLIPS * self.rig.leg_length)
        else:
            memory.nears = 0.0
        self._steady(pose, memory, asked)
        settled = self.settler.turns(pose, asked.ground)
        self.clear.guard(pose, place, self.limbs.holding(pose, held))
        if self._steady(pose, memory, asked, knees=True):
            self.clear.guard(pose, place, self.limbs.holding(pose, held), UTMOST)
        self.settler.remember(pose, memory, asked.ground, asked.dt, settled)

    def _steady(self, pose: EditedPose, memory: MovesMemory, asked: Asked, *, knees: bool = False) -> bool:
        """Near a change no bone is jolted, and none is bent past straight for it. True where one had been."""
        late = self.settler.steady(pose, memory, asked)
        if late:
            self.limbs.bend_back(pose, {}, least=LEAST_LAG, knees=knees)
        return late

    def _runs_on(self, memory: MovesMemory, found: MoveKeys | None, move: Move | None) -> bool:
        """True for a move that begins in the very pose in which the one before has ended: nothing is cut then."""
        name, _, variant = memory.move.partition(" ")
        table = self.tables.get(name)
        if self.clips.rotated or table is None or found is None or move is None or memory.progress < ENDED:
            return False
        before = table.of(variant)
        return before is not None and not before.loops and before.at(1.0) == found.at(move.progress)

    def _keys(self, move: Move | None) -> MoveKeys | None:
        """The keys of a move."""
        table = None if move is None else self.tables.get(move.name)
        return None if table is None or move is None else table.of(move.variant)

    @staticmethod
    def _lasts(memory: MovesMemory, move: Move | None, keys: MoveKeys | None, dt: float) -> float:
        """How long a move takes, by how much of it a frame was; one that goes round, and none, take for ever."""
        before, memory.progress = memory.progress, 0.0 if move is None else move.progress
        done = memory.progress - before
        return dt / done if keys is not None and not keys.loops and done > 0.0 else inf

    def _feet_of(self, pose: EditedPose) -> Stood:
        """Where the base motion has the feet: places and turns, model space."""
        feet = {role: limb for role, limb in self.limbs.known.items() if not limb.is_hand}
        return {role: (limb.place(pose), pose.turn(limb.end)) for role, limb in feet.items()}

    def _floor(self, keys: MoveKeys | None, base: Stood, feet: Sequence[Footing]) -> float | None:
        """The height that no foot goes under, however the last move's pose dies out; None: there is none to tell."""
        if keys is not None:
            return self.rig.floor if keys.floor else None
        roles = [foot.role.replace("leg", "foot") for foot in feet if foot.planted]
        return min((base[role][0].z for role in roles if role in base), default=self.rig.floor) if base else None


def _move_of(shown: str) -> str:
    """The name of a move without its variant."""
    return shown.partition(" ")[0]


def _dies_out(memory: MovesMemory) -> bool:
    """True while anything is left of a move, or of what it held, drew, or was kept out of."""
    left = (memory.source, memory.offsets, memory.holds, memory.cleared, memory.lags)
    return any(left) or any(memory.let)


def _looser(keys: MoveKeys | None, lasts: float, since: float) -> float:
    """By how much more bones may speed up away from a change. When one that goes on ends is not known: only early."""
    if keys is None:
        return 1.0
    if keys.loops:
        return STRIDES
    return LOOSER if lasts < inf else LOOPS if since < EARLY else 1.0
