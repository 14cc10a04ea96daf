"""The poses of moves that no gait has: vaults, climbs, hanging, runs along walls, by key poses and what limbs touch.

It works before all layers, on the base motion. Where no move is asked for, and none dies out, it changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import Footing, Ground
from ..rig.rig import Problem, Rig
from ..space.curves import smoothstep
from ..space.inertialization import sprung
from ..space.rigid import Triple
from .adjustment import AdjustmentLaid
from .moves_body import BodyOfKeys
from .moves_carry import Carrier
from .moves_keys import LEGS, KeyPose, MoveKeys, MoveTable
from .moves_limbs import Goal, Limbs, lying
from .moves_memory import NONE, Held, MovesMemory
from .request import Contact, Move

# A limb takes hold, and lets go, within these times, seconds for a 0.9 m leg.
TAKES, LEAVES = 0.12, 0.08
# A place that moves faster than this (metres a second, for a 0.9 m leg) has jumped: its limb catches up, by half in
# this time (seconds).
JUMPS, CATCHES = 6.0, 0.035
# What a limb drew the body by that has let go has half died out after so long, seconds for a 0.9 m leg.
LETS = 0.06
NO_KEYS = "{name} has no poses for a body on {legs} legs."
NO_KEYS_REMEDY = "It goes through the level all the same, posed as its gait has it."


class MovePoser:
    """The moves of one rig. Immutable: what changes is in a MovesMemory."""

    def __init__(self, rig: Rig, tables: Mapping[str, MoveTable], adjustment: AdjustmentLaid | None = None) -> None:
        self.rig = rig
        self.adjustment = adjustment
        self.tables = tables
        self.body = BodyOfKeys(rig)
        self.limbs = Limbs(rig)
        self.rotated, self.located = self.body.driven()
        self.carrier = Carrier(rig, self.rotated)
        self.tempo = (rig.leg_length / 0.9) ** 0.5
        self.size = rig.leg_length / 0.9
        self.count = len(rig.legs)
        self.problems: tuple[Problem, ...] = self._problems()

    def _problems(self) -> tuple[Problem, ...]:
        """Moves without poses for this number of legs, in one sentence."""
        missing = [name for name, table in self.tables.items() if table.of(self.count, "") is None]
        if not missing:
            return ()
        if len(missing) == len(self.tables) or self.count not in LEGS:
            reason = f"There are no poses for vaults, climbs and hanging of a body on {self.count} legs."
        else:
            reason = NO_KEYS.format(name=", ".join(missing), legs=self.count)
        return (Problem("", reason, NO_KEYS_REMEDY),)

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
    ) -> bool:
        """Pose a move over the base motion, or carry the base motion on from one. False: the pose is as it was."""
        found = self._keys(move)
        keys = None if found is None or move is None else found.at(move.progress)
        name = "" if keys is None or move is None else f"{move.name} {move.variant}"
        cut, memory.move = name != memory.move, name
        going = keys is not None or cut or memory.source or memory.offsets or memory.holds or any(memory.let)
        if not going:
            self.carrier.remember(memory, *self.carrier.seen(pose, ground), dt)
            return False
        base = self._feet_of(pose, feet) if keys is None else {}
        if keys is not None:
            self.body.pose(pose, keys)
            if self.adjustment:
                self.adjustment.lay(pose, keep_feet=False, within=self.rotated)
        row, at = self.carrier.seen(pose, ground)
        self.carrier.lay(pose, ground, *self.carrier.carry(memory, row, at, dt, cut=cut))
        done = not (memory.source or memory.offsets)
        self._hold(memory, move, keys, ground, base, dt, done=done)
        goals = [self._goal(pose, held, ground, base) for held in memory.holds]
        self._draw(pose, memory, goals, ground, dt)
        self.limbs.bring(pose, goals, self._floor(found, base))
        self.carrier.remember(memory, *self.carrier.seen(pose, ground), dt)
        return True

    def _keys(self, move: Move | None) -> MoveKeys | None:
        """The keys of a move."""
        table = None if move is None else self.tables.get(move.name)
        return None if table is None or move is None else table.of(self.count, move.variant)

    def _feet_of(self, pose: EditedPose, feet: Sequence[Footing]) -> dict[str, tuple[Vector, Quaternion]]:
        """Where the base motion has the feet that stand: places and turns, model space."""
        found = {}
        for foot in feet:
            role = foot.role.replace("leg", "foot")
            limb = self.limbs.known.get(role)
            if limb is not None and foot.planted:
                found[role] = limb.place(pose), pose.turn(limb.end)
        return found

    def _hold(
        self,
        memory: MovesMemory,
        move: Move | None,
        keys: KeyPose | None,
        ground: Ground,
        base: Mapping[str, tuple[Vector, Quaternion]],
        dt: float,
        *,
        done: bool,
    ) -> None:
        """Let each limb take hold or let go, in its own time, and follow places that jump."""
        wanted = {} if move is None or keys is None else {c.limb: c for c in move.contacts}
        before = {held.limb: held for held in memory.holds}
        more, less = (1.0, 1.0) if dt <= 0.0 else (dt / (TAKES * self.tempo), dt / (LEAVES * self.tempo))
        holds = []
        for limb in self.limbs.known:
            contact, was = wanted.get(limb), before.get(limb)
            if contact is None and limb in base:
                contact = self._standing(limb, base[limb][0], ground)
                if done and (was is None or was.share >= 1.0 - 1e-6):
                    continue
            weight = 0.0 if contact is None else min(1.0, max(0.0, contact.weight))
            own = {} if keys is None else keys.get(f"{'arm' if limb.startswith('hand') else 'leg'}_{limb[-1]}", {})
            weight *= own.get("hold", 1.0)
            share = 0.0 if was is None else was.share
            share = min(weight, share + more) if weight > share else max(weight, share - less)
            if share <= 0.0:
                continue
            now = contact if weight > 0.0 else None
            holds.append(self._followed(was, now, share, own.get("hook", 0.0), limb, dt))
        memory.holds = tuple(holds)

    @staticmethod
    def _standing(limb: str, place: Vector, ground: Ground) -> Contact:
        x, y, z = Quaternion((0.0, 0.0, 1.0), ground.heading) @ place
        return Contact(limb, (ground.x + x, ground.y + y, ground.z + z), (0.0, 0.0, 1.0))

    def _followed(
        self, was: Held | None, contact: Contact | None, share: float, hook: float, limb: str, dt: float
    ) -> Held:
        """What a limb holds now: the place that is asked for, and what is left of its jumps."""
        if contact is None:
            assert was is not None
            return was._replace(share=share, wanted=False)
        place, along = contact.place, contact.along
        if was is None or dt <= 0.0:
            return Held(limb, share, place, contact.normal, along, True, hook)
        offset, speed = was.offset, was.offset_speed
        if any(offset):
            offset, speed = sprung(offset, speed, CATCHES * self.tempo, dt)  # type: ignore[assignment]
        moved = tuple(a - b for a, b in zip(was.place, place, strict=True))
        if sum(d * d for d in moved) > (JUMPS * self.size * dt) ** 2:
            offset = tuple(a + b for a, b in zip(offset, moved, strict=True))
        if max(map(abs, offset)) < 1e-5:
            offset, speed = NONE, NONE
        return Held(limb, share, place, contact.normal, along, True, hook, _three(offset), _three(speed))

    def _floor(self, keys: MoveKeys | None, base: Mapping[str, tuple[Vector, Quaternion]]) -> float | None:
        """The height that no foot goes under, however the last move's pose dies out; None: there is none to tell."""
        if keys is not None:
            return self.rig.floor if keys.floor else None
        return min((place.z for place, _ in base.values()), default=None)

    def _draw(
        self, pose: EditedPose, memory: MovesMemory, goals: Sequence[Goal], ground: Ground, dt: float
    ) -> None:
        """Bring the body within reach of what holds; what a limb drew that lets go dies out in its own time."""
        heading = Quaternion((0.0, 0.0, 1.0), ground.heading)
        now = heading @ self.limbs.missing(pose, goals)
        before = Vector(memory.drawn)
        if dt > 0.0:
            left, speed = sprung(memory.let, memory.let_speed, LETS * self.tempo, dt)
            if len([goal for goal in goals if goal.draws]) < memory.drawing:
                left, speed = _three(Vector(left) + before - now), _three(Vector(speed) + Vector(memory.drawn_speed))
            memory.drawn_speed = _three((now - before) / dt)
            memory.let, memory.let_speed = (left, speed) if max(map(abs, left)) > 1e-6 else (NONE, NONE)
        else:
            memory.let = memory.let_speed = memory.drawn_speed = NONE
        memory.drawn, memory.drawing = _three(now), sum(goal.draws for goal in goals)
        self.limbs.shift(pose, heading.inverted() @ (now + Vector(memory.let)))

    def _goal(
        self, pose: EditedPose, held: Held, ground: Ground, base: Mapping[str, tuple[Vector, Quaternion]]
    ) -> Goal:
        """Where a limb belongs that holds something."""
        share = smoothstep(held.share)
        if held.limb in base:
            return Goal(held.limb, *base[held.limb], share, held.wanted)
        back = Quaternion((0.0, 0.0, 1.0), -ground.heading)
        away = zip(held.place, held.offset, ground[:3], strict=True)
        place = back @ Vector(tuple(a + b - c for a, b, c in away))
        limb = self.limbs.known[held.limb]
        turn = lying(limb, pose, back @ Vector(held.normal), back @ Vector(held.along), held.hook)
        return Goal(held.limb, place, turn, share, held.wanted)


def _three(values: Sequence[float]) -> Triple:
    x, y, z = values
    return x, y, z
